"""The selection experiment as tables, beside what was published."""

from __future__ import annotations

from collections.abc import Iterator

from jurybox.api.detect_selection_result import ModelSelection, SelectionResult
from jurybox.report.tables import Cell, Column, Table

#: F by preposition on Encarta and Reuters (Tetreault and Chodorow 2008, Table 1)
PUBLISHED_F = {
    **{"in": 0.845, "for": 0.698, "of": 0.906, "on": 0.751, "to": 0.775, "with": 0.675},
    **{"at": 0.685, "by": 0.747, "as": 0.711, "from": 0.591, "about": 0.654},
}
#: events learnt from -> accuracy (section 3.2): 3.2 million, and 7 million more
PUBLISHED_ACCURACY = {3_200_000: 0.774, 10_200_000: 0.790}
PUBLISHED_MAJORITY = 0.272
#: confusions that are shown
SHOWN = 10


def tables_of(result: SelectionResult) -> Iterator[Table]:
    """All models in one table, then each preposition, confusions, calibration, differences."""
    yield _overall(result)
    yield _by_preposition(result)
    for model in result.models:
        yield _confusions(model, result)
    for model in result.models:
        yield _calibration(model, result)
    if result.pairs:
        yield _differences(result)


def _overall(result: SelectionResult) -> Table:
    level = f"{100 * result.models[0].level:g} % interval"
    columns = (
        Column("model", text=True),
        Column("learnt from"),
        Column("accuracy", digits=1, percent=True),
        Column(level, text=True),
        Column("top 2", digits=1, percent=True),
        Column("top 3", digits=1, percent=True),
        Column("log loss", digits=3),
    )
    rows: list[list[Cell]] = [_overall_row(one) for one in result.models]
    rows.append([f"always {result.majority}", None, result.baseline, "", None, None, None])
    for word in dict.fromkeys(one.training_majority for one in result.models):
        if word is not None and word != result.majority:
            share = result.models[0].share_of(word)
            rows.append([f"always {word} (training text)", None, share, "", None, None, None])
    return Table(
        columns,
        tuple(rows),
        title="Selection: how often is the writer's preposition chosen?",
        notes=tuple(_notes(result)),
    )


def _overall_row(one: ModelSelection) -> list[Cell]:
    found = one.interval
    interval = f"[{100 * found.low:.1f}%, {100 * found.high:.1f}%]"
    tops = (one.top2 / one.n, one.top3 / one.n)
    return [one.name, one.events, one.accuracy, interval, *tops, one.log_loss]


def _notes(result: SelectionResult) -> Iterator[str]:
    yield f"{result.n} events in {result.sentences} sentences; chosen among 34, never nothing"
    first, second = (f"{100 * share:.1f}%" for share in PUBLISHED_ACCURACY.values())
    yield (
        f"published, on other text: {first} learnt from 3.2 million events, {second} from 7 "
        f"million more, always of {100 * PUBLISHED_MAJORITY:.1f}%; people 74% to 78%"
    )
    for what, name in result.saved.items():
        yield f"{what}: {name}"
    yield f"signature: {result.signature}"


def _by_preposition(result: SelectionResult) -> Table:
    """P, R and F of one model; of several, each one's F."""
    several = len(result.models) > 1
    scores = [{one.preposition: one for one in model.by_preposition} for model in result.models]
    names = [one.preposition for one in result.models[0].by_preposition]
    names += [word for model in scores[1:] for word in model if word not in names]
    rows = []
    for word in dict.fromkeys(names):
        found = [model.get(word) for model in scores]
        first = next(one for one in found if one is not None)
        row: list[Cell] = [word, first.n]
        if several:
            row += [None if one is None else one.f for one in found]
        else:
            row += [first.chosen, first.precision, first.recall, first.f]
        rows.append((*row, PUBLISHED_F.get(word)))
    own = [f"F {model.name}" for model in result.models] if several else ["P", "R", "F"]
    counts = ["written"] if several else ["written", "chosen"]
    columns = [Column("preposition", text=True), *map(Column, counts)]
    columns += [Column(title, digits=3) for title in (*own, "F published")]
    return Table(tuple(columns), tuple(rows), title="By preposition")


def _confusions(model: ModelSelection, result: SelectionResult) -> Table:
    found = model.confusions
    shares = {one.preposition: one.n for one in model.by_preposition}
    rows = tuple((*one, one.n / shares[one.written]) for one in found[:SHOWN])
    columns = (
        Column("written", text=True),
        Column("chosen", text=True),
        Column("n"),
        Column("of written", digits=1, percent=True),
    )
    more = len(found) - len(rows)
    notes = (f"and {more} more; --format csv or json shows all",) if more > 0 else ()
    return Table(columns, rows, title=f"Most frequent confusions{_of(model, result)}", notes=notes)


def _calibration(model: ModelSelection, result: SelectionResult) -> Table:
    columns = (
        Column("probability", text=True),
        Column("n"),
        Column("predicted", digits=1, percent=True),
        Column("right", digits=1, percent=True),
    )
    rows = tuple(
        (f"{one.low:g} to {one.high:g}", one.n, one.predicted, one.right)
        for one in model.bins
        if one.n
    )
    told = f"predicted and right differ by {100 * model.calibration_error:.1f}% on average"
    title = f"How sure, and how often right{_of(model, result)}"
    return Table(columns, rows, title=title, notes=(told,))


def _of(model: ModelSelection, result: SelectionResult) -> str:
    return f": {model.name}" if len(result.models) > 1 else ""


def _differences(result: SelectionResult) -> Table:
    columns = (
        Column("first", text=True),
        Column("second", text=True),
        Column("difference", digits=2, signed=True, percent=True),
        Column(f"{100 * result.models[0].level:g} % interval", text=True),
        *map(Column, ("only first right", "only second right", "p", "p (Holm)")),
    )
    rows = tuple(
        (
            *(one.first, one.second, one.difference),
            f"[{100 * one.low:+.2f}%, {100 * one.high:+.2f}%]",
            *(one.only_first, one.only_second, one.p, one.p_holm),
        )
        for one in result.pairs
    )
    note = "p: McNemar's test, exact; events are taken as independent of each other"
    return Table(columns, rows, title="Differences of accuracy", notes=(note,))
