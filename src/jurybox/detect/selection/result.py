"""What `detect_selection` and `judge_selection` give back, and their tables.

Choices of prepositions by models against what writers wrote; and raters who filled the same blanks
or chose between the two words.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from jurybox.detect.selection.events import ScoredEvents
from jurybox.detect.selection.tasks import (
    CHOICE,
    JudgedSystem,
    Task,
    draw_task,
    write_items,
    write_key,
)
from jurybox.errors import UsageError
from jurybox.formats import writing
from jurybox.formats.tables.long_tables import write_objects, write_table
from jurybox.jury.cases.result import form_of
from jurybox.raters.agree.choices import ChoiceFindings
from jurybox.records import HIDDEN, NOT_EMPTY, WHEN_SET, Count, Key, Reason, Share, computed, plain
from jurybox.results import Inputs, RecordedFile, Signature, TabularResult, Warnings, WrittenFile
from jurybox.tables import Cell, Column, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: F by preposition on Encarta and Reuters, of two systems (Tetreault and Chodorow 2008, Table 1)
PUBLISHED_F = {
    "Gamon 2008": {
        **{"in": 0.592, "for": 0.459, "of": 0.759, "on": 0.322, "to": 0.627, "with": 0.361},
        **{"at": 0.372, "by": 0.502, "as": 0.699, "from": 0.528, "about": 0.800},
    },
    "Tetreault 2008": {
        **{"in": 0.845, "for": 0.698, "of": 0.906, "on": 0.751, "to": 0.775, "with": 0.675},
        **{"at": 0.685, "by": 0.747, "as": 0.711, "from": 0.591, "about": 0.654},
    },
}
#: five prepositions, yes or no for each (section 3.2)
PUBLISHED_FIVE = (
    "published, on other text, yes or no for each of five: De Felice and Pulman (2007) 85%, "
    "Tetreault and Chodorow (2008) 90%"
)
#: events learnt from -> accuracy (section 3.2): 3.2 million, and 7 million more
PUBLISHED_ACCURACY = {3_200_000: 0.774, 10_200_000: 0.790}
PUBLISHED_MAJORITY = 0.272
#: confusions that are shown
SHOWN = 10
#: numbers of a model as a whole that CSV has
OVERALL = (
    *("events", "right", "accuracy", "top2_accuracy", "top3_accuracy"),
    *("low", "high", "log_loss", "calibration_error"),
)
#: raters of a choice that are listed
MOST_ROWS = 15
#: of the paper: Tetreault and Chodorow (2008), Table 2 and section 4.2
PUBLISHED_CLOZE = (
    "published: writer and raters 0.74 and 0.78 (kappa 0.68 and 0.73), writer and system 0.75 "
    "(0.68), the two raters 0.76 (0.70)"
)
PUBLISHED_CHOICE = "published: 28% equal or better, which makes 82% of an accuracy of 75%"


class PrepositionScore(NamedTuple):
    """One preposition: how often it was written, chosen, and both."""

    preposition: str
    n: Annotated[Count, "How often it was written."]
    chosen: Count
    right: Annotated[Count, "How often it was chosen where it was written."]

    @computed
    def precision(self) -> Share:
        """Null where it was never chosen."""
        return self.right / self.chosen if self.chosen else nan

    @computed
    def recall(self) -> Share:
        """Null where it was never written."""
        return self.right / self.n if self.n else nan

    @computed
    def f(self) -> Share:
        """The harmonic mean: 2 right / (written + chosen)."""
        both = self.n + self.chosen
        return 2 * self.right / both if both else nan


class YesOrNo(NamedTuple):
    """One preposition, as a classifier of its own decides whether it should be used."""

    preposition: str
    tp: Annotated[Count, "Written, and likelier than not."]
    fp: Count
    fn: Count
    tn: Count

    @computed
    def accuracy(self) -> Share:
        return (self.tp + self.tn) / (self.tp + self.fp + self.fn + self.tn)


class Confused(NamedTuple):
    """One preposition taken for another."""

    written: str
    chosen: str
    n: int


class ChanceBin(NamedTuple):
    """Choices of about the same probability: how sure they were, and how often they were right."""

    low: Share
    high: Share
    n: Count
    predicted: Annotated[Share, "Mean probability of the choices; null without any."]
    right: Annotated[Share, "Share of them that are right; null without any."]


class WilsonInterval(NamedTuple):
    """Wilson's interval of a share."""

    low: Share
    high: Share
    level: Share


@dataclass(frozen=True)
class ModelSelection:
    """One model: its confusion matrix and what does not follow from it."""

    name: str
    kind: Annotated[str, "maxent, perceptron or lm."]
    events: Annotated[int | None, "Events it learnt from; null where that is not known."]
    training_majority: Annotated[
        str | None, "The most frequent preposition of its training text; null where unknown."
    ]
    confusion: Annotated[
        Mapping[str, tuple[int, ...]],
        "For every preposition that was written, how often each was chosen, in the same order.",
    ]
    top2: Annotated[Count, "Events whose written word is among the two likeliest."]
    top3: Annotated[Count, "Events whose written word is among the three likeliest."]
    log_loss: float
    bins: Annotated[tuple[ChanceBin, ...], Key("calibration")]
    calibration_error: Annotated[float, "Mean difference of predicted and right."]
    interval: Annotated[WilsonInterval, "Of the accuracy."]
    yes_or_no: Annotated[
        tuple[YesOrNo, ...],
        "With --prepositions: each of them by itself (Tetreault and Chodorow 2008, section 3.2).",
        WHEN_SET,
    ] = ()

    @property
    def prepositions(self) -> tuple[str, ...]:
        return tuple(self.confusion)

    @property
    def n(self) -> int:
        return sum(map(sum, self.confusion.values()))

    @computed
    def right(self) -> Count:
        """Events whose written word was chosen."""
        return sum(row[place] for place, row in enumerate(self.confusion.values()))

    @computed
    def accuracy(self) -> Share:
        return self.right / self.n

    @computed
    def top2_accuracy(self) -> Share:
        return self.top2 / self.n

    @computed
    def top3_accuracy(self) -> Share:
        return self.top3 / self.n

    @computed
    def training_majority_accuracy(self) -> Share:
        """Accuracy of always choosing the most frequent preposition of the training text."""
        return self.share_of(self.training_majority)

    @property
    def written(self) -> tuple[int, ...]:
        """How often each preposition was written."""
        return tuple(map(sum, self.confusion.values()))

    @computed
    def by_preposition(self) -> tuple[PrepositionScore, ...]:
        """Those that were written or chosen, the most frequent first."""
        rows = list(self.confusion.values())
        chosen = [sum(column) for column in zip(*rows, strict=True)]
        every = (
            PrepositionScore(name, n, chosen[place], rows[place][place])
            for place, (name, n) in enumerate(zip(self.prepositions, self.written, strict=True))
        )
        return tuple(sorted((one for one in every if one.n or one.chosen), key=lambda one: -one.n))

    @property
    def confusions(self) -> tuple[Confused, ...]:
        """Words taken for others, the most frequent first."""
        every = (
            Confused(name, self.prepositions[column], n)
            for name, row in self.confusion.items()
            for column, n in enumerate(row)
            if n and self.prepositions[column] != name
        )
        return tuple(sorted(every, key=lambda one: -one.n))

    def share_of(self, preposition: str | None) -> float:
        """How often always choosing one preposition would be right."""
        if preposition not in self.prepositions:
            return nan
        return self.written[self.prepositions.index(preposition)] / self.n


class ModelPair(NamedTuple):
    """Two models on the same events."""

    first: str
    second: str
    only_first: Annotated[Count, "Events that only the first got right."]
    only_second: Count
    difference: Annotated[float, "Difference of accuracies."]
    low: float
    high: float
    p: Annotated[Share, "p of McNemar's exact test."]
    p_holm: Annotated[Share, "The same, adjusted for the number of pairs (Holm)."]


@dataclass(frozen=True, repr=False)
class SelectionResult(TabularResult):
    """How often models choose what writers wrote; `scored` has the events, which JSON does not."""

    command = "detect-selection"

    sentences: Count
    models: Annotated[tuple[ModelSelection, ...], NOT_EMPTY]
    pairs: tuple[ModelPair, ...]
    signature: Signature
    task: Literal["selection"] = "selection"
    among: Annotated[
        tuple[str, ...], "The prepositions that were chosen from, if not all 34.", WHEN_SET
    ] = ()
    inputs: Inputs = ()
    warnings: Warnings = ()
    written: Annotated[tuple[WrittenFile, ...], "The task for raters and its key, if written."] = (
        field(default=(), compare=False)
    )
    scored: Annotated[ScoredEvents | None, HIDDEN] = field(default=None, compare=False)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], *, file: str) -> Any:
        """The result of models or, where raters did a task, a `JudgedSelection`."""
        if record.get("task") in ("cloze", "choice"):
            return JudgedSelection.from_dict(record, file=file)
        return super().from_dict(record, file=file)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The JSON Schema of both results of this command."""
        both = [super().schema()]
        of_tasks = {"cloze": ("pairs", "other_words"), "choice": ("choice",)}
        for task, own in of_tasks.items():
            found = JudgedSelection.schema()
            others = {name for names in of_tasks.values() for name in names} - {*own}
            found["properties"]["task"] = {"const": task}
            for name in others:
                del found["properties"][name]
            found["required"] += own
            both.append(found)
        head = {name: both[0][name] for name in ("$schema", "$id", "title")}
        definitions = {name: one for each in both for name, one in each.pop("$defs").items()}
        for one in both:
            for name in head:
                del one[name]
        named = {"schema": both[0]["properties"]["schema"]}
        text = "How often models choose the preposition that a writer wrote; or what raters said."
        return {
            **head,
            "description": text,
            "type": "object",
            "properties": named,
            "required": [
                name for name in both[0]["required"] if all(name in one["required"] for one in both)
            ],
            "anyOf": both,
            "$defs": dict(sorted(definitions.items())),
        }

    @computed
    def events(self) -> Count:
        """How many events there are."""
        return self.models[0].n

    @computed
    def majority(self) -> str:
        """The most frequent preposition of the held-out text."""
        first = self.models[0]
        return first.prepositions[first.written.index(max(first.written))]

    @computed
    def majority_accuracy(self) -> Share:
        """The accuracy of always choosing it."""
        return self.models[0].share_of(self.majority)

    @computed
    def prepositions(self) -> tuple[str, ...]:
        """In the order of the confusion matrices."""
        return self.models[0].prepositions

    def save_task(
        self,
        task: Task,
        target: str | os.PathLike[str],
        key: str | os.PathLike[str],
        *,
        items: int | None = None,
        seed: int = 1,
    ) -> SelectionResult:
        """Write a `cloze` or `choice` task for raters, and its key.

        Gives the same result, with the names of the files.
        """
        if self.scored is None:
            raise UsageError("a saved result has no sentences; call detect_selection again")
        if task == CHOICE and len(self.models) > 1:
            raise UsageError("--choices is between the writer and one system; name one model")
        form = form_of(os.fspath(target))
        read = self.inputs[: len(self.inputs) - len(self.models)]
        text = [RecordedFile(one.name, one.sha256) for one in read]
        names = [one.name for one in self.models]
        drawn, opened = draw_task(task, self.scored, names, items=items, seed=seed, text=text)
        with writing(os.fspath(target)) as out:
            write_items(drawn, out, form)
        with writing(os.fspath(key)) as out:
            write_key(opened, out)
        files = (WrittenFile(task, os.fspath(target)), WrittenFile("key", os.fspath(key)))
        return replace(self, written=files)

    def figure(self, kind: str | None = None) -> Figure:
        """`confusion` of the first model, `calibration`, or the learning `curve`."""
        from jurybox.detect.selection.figures import draw  # matplotlib

        return draw(self, kind)

    def records(self) -> list[dict[str, Any]]:
        """One number a row."""
        return [
            dict(zip(("model", "section", "item", "name", "value"), row, strict=True))
            for row in self._numbers()
        ]

    def _numbers(self) -> Iterator[tuple[str, str, str, str, Any]]:
        yield "", "baseline", self.majority, "accuracy", self.majority_accuracy
        for one in self.models:
            record = plain(one)
            record |= {"low": one.interval.low, "high": one.interval.high}
            for name in OVERALL:
                yield one.name, "overall", "", name, record[name]
            alone = record.get("yes_or_no", ())
            parts = [
                *(
                    ("preposition", part.pop("preposition"), part)
                    for part in record["by_preposition"]
                ),
                *(("yes or no", part.pop("preposition"), part) for part in alone),
                *(("confusion", f"{a} > {b}", {"n": n}) for a, b, n in one.confusions),
                *(
                    ("calibration", f"{part.pop('low'):g}-{part.pop('high'):g}", part)
                    for part in record["calibration"]
                ),
            ]
            for section, item, numbers in parts:
                for name, value in numbers.items():
                    yield one.name, section, item, name, value
        for pair in self.pairs:
            found = pair._asdict()
            names = f"{found.pop('first')} / {found.pop('second')}"
            for name, value in found.items():
                yield names, "difference", "", name, value

    def tables(self) -> list[Table]:
        """What people read; CSV and JSON have all of it."""
        of = {one.name: f": {one.name}" if len(self.models) > 1 else "" for one in self.models}
        return [
            _overall(self),
            _by_preposition(self),
            *([_yes_or_no(self)] if self.among else []),
            *(_confusions(model, of[model.name]) for model in self.models),
            *(_calibration(model, of[model.name]) for model in self.models),
            *([_differences(self)] if self.pairs else []),
        ]


def _texts(*titles: str) -> Iterator[Column]:
    return (Column(title, text=True) for title in titles)


def _percents(*titles: str) -> Iterator[Column]:
    return (Column(title, digits=1, percent=True) for title in titles)


def _overall(result: SelectionResult) -> Table:
    columns = (
        *_texts("model"),
        Column("learnt from"),
        *_percents("accuracy"),
        *_texts(f"{100 * result.models[0].interval.level:g} % interval"),
        *_percents("top 2", "top 3"),
        Column("log loss", digits=3),
    )
    rows: list[list[Cell]] = []
    for one in result.models:
        found = one.interval
        interval = f"[{100 * found.low:.1f}%, {100 * found.high:.1f}%]"
        tops = (one.top2_accuracy, one.top3_accuracy)
        rows.append([one.name, one.events, one.accuracy, interval, *tops, one.log_loss])
    always = result.majority_accuracy
    rows.append([f"always {result.majority}", None, always, "", None, None, None])
    for word in dict.fromkeys(one.training_majority for one in result.models):
        if word is not None and word != result.majority:
            share = result.models[0].share_of(word)
            rows.append([f"always {word} (training text)", None, share, "", None, None, None])
    first, second = (f"{100 * share:.1f}%" for share in PUBLISHED_ACCURACY.values())
    published = (
        f"published, on other text: {first} learnt from 3.2 million events, {second} from 7 "
        f"million more, always of {100 * PUBLISHED_MAJORITY:.1f}%; people 74% to 78%"
    )
    notes = (
        f"{result.events} events in {result.sentences} sentences; chosen among "
        f"{', '.join(result.among) or '34'}, never nothing",
        *(() if result.among else (published,)),
        *(f"{what}: {file}" for what, file in result.written),
        f"signature: {result.signature}",
    )
    title = "Selection: how often is the writer's preposition chosen?"
    return Table(columns, tuple(rows), title=title, notes=notes)


def _by_preposition(result: SelectionResult) -> Table:
    """P, R and F of one model; of several, each one's F."""
    several = len(result.models) > 1
    published = {} if result.among else PUBLISHED_F
    scores = [{one.preposition: one for one in model.by_preposition} for model in result.models]
    rows = []
    for word in dict.fromkeys(word for model in scores for word in model):
        found = [model.get(word) for model in scores]
        first = next(one for one in found if one is not None)
        row: list[Cell] = [word, first.n]
        if several:
            row += [None if one is None else one.f for one in found]
        else:
            row += [first.chosen, first.precision, first.recall, first.f]
        rows.append((*row, *(one.get(word) for one in published.values())))
    own = [f"F {model.name}" for model in result.models] if several else ["P", "R", "F"]
    counts = ["written"] if several else ["written", "chosen"]
    columns = [*_texts("preposition"), *map(Column, counts)]
    columns += [Column(title, digits=3) for title in (*own, *(f"F {one}" for one in published))]
    notes = []
    for earlier, values in list(published.items())[:1]:
        for model, found_f in zip(result.models, scores, strict=True):
            better = sum(word in found_f and found_f[word].f > f for word, f in values.items())
            notes.append(f"{model.name}: F above {earlier} for {better} of {len(values)}")
        notes.append(
            "published (Tetreault and Chodorow 2008, Table 1), on Encarta and Reuters: Gamon et "
            "al. choose among 13 and other, Tetreault and Chodorow among 34"
        )
    return Table(tuple(columns), tuple(rows), title="By preposition", notes=tuple(notes))


def _yes_or_no(result: SelectionResult) -> Table:
    """A classifier for each preposition, not combined, as in De Felice and Pulman (2007)."""
    columns = (
        *_texts("model", "preposition"),
        *map(Column, ("TP", "FP", "FN", "TN")),
        *_percents("accuracy"),
    )
    rows: list[tuple[Cell, ...]] = []
    for model in result.models:
        rows += [(model.name, *one, one.accuracy) for one in model.yes_or_no]
        mean = sum(one.accuracy for one in model.yes_or_no) / len(model.yes_or_no)
        rows.append((model.name, "mean", None, None, None, None, mean))
    title = "Yes or no for each preposition: is it likelier than not?"
    return Table(columns, tuple(rows), title=title, notes=(PUBLISHED_FIVE,))


def _confusions(model: ModelSelection, of: str) -> Table:
    found = model.confusions
    shares = {one.preposition: one.n for one in model.by_preposition}
    rows = tuple((*one, one.n / shares[one.written]) for one in found[:SHOWN])
    columns = (*_texts("written", "chosen"), Column("n"), *_percents("of written"))
    more = len(found) - len(rows)
    notes = (f"and {more} more; --format csv or json shows all",) if more > 0 else ()
    return Table(columns, rows, title=f"Most frequent confusions{of}", notes=notes)


def _calibration(model: ModelSelection, of: str) -> Table:
    columns = (*_texts("probability"), Column("n"), *_percents("predicted", "right"))
    rows = tuple(
        (f"{one.low:g} to {one.high:g}", one.n, one.predicted, one.right)
        for one in model.bins
        if one.n
    )
    note = f"predicted and right differ by {100 * model.calibration_error:.1f}% on average"
    return Table(columns, rows, title=f"How sure, and how often right{of}", notes=(note,))


def _differences(result: SelectionResult) -> Table:
    columns = (
        *_texts("first", "second"),
        Column("difference", digits=2, signed=True, percent=True),
        *_texts(f"{100 * result.models[0].interval.level:g} % interval"),
        *map(Column, ("only first right", "only second right", "p", "p (Holm)")),
    )
    rows = tuple(
        (
            *(one.first, one.second, one.difference),
            f"[{100 * one.low:+z.2f}%, {100 * one.high:+z.2f}%]",
            *(one.only_first, one.only_second, one.p, one.p_holm),
        )
        for one in result.pairs
    )
    note = "p: McNemar's test, exact; events are taken as independent of each other"
    return Table(columns, rows, title="Differences of accuracy", notes=(note,))


# --- raters ---


class TwoParties(NamedTuple):
    """Two of writer, systems and raters on the cases both filled."""

    first: str
    second: str
    n: Count
    agreement: float
    kappa: float
    low: float
    high: float
    reason: Reason = ""


@dataclass(frozen=True, repr=False)
class JudgedSelection(TabularResult):
    """What raters said: agreement in a cloze (`pairs`), or whose word is better (`choice`)."""

    command = "detect-selection"

    task: Literal["cloze", "choice"]
    systems: Annotated[tuple[JudgedSystem, ...], NOT_EMPTY]
    items: Annotated[Count, "Items of the task."]
    judged: Annotated[Count, "Items that somebody judged."]
    judgments: Count
    raters: Count
    level: Annotated[Share, "Level of the intervals."]
    signature: Signature
    pairs: Annotated[tuple[TwoParties, ...], "Cloze: who fills blanks alike.", WHEN_SET] = ()
    other_words: Annotated[
        int | None, "Cloze: answers that are none of the 34 prepositions.", WHEN_SET
    ] = None
    choice: Annotated[ChoiceFindings | None, "Choice: whose word is better.", WHEN_SET] = None
    inputs: Inputs = ()
    warnings: Warnings = ()
    written: Annotated[tuple[WrittenFile, ...], "Judgments and key together, if written."] = field(
        default=(), compare=False
    )
    #: the judgments with writer and system named, as `jurybox agree` reads them
    joined: Annotated[tuple[dict[str, str], ...], HIDDEN] = field(default=(), compare=False)

    def save_joined(self, target: str | os.PathLike[str]) -> JudgedSelection:
        """Write judgments and key together: CSV, TSV or JSONL by the name's ending.

        Gives the same result, with the name of the file.
        """
        form = form_of(os.fspath(target))
        titles = list(self.joined[0])
        with writing(os.fspath(target)) as out:
            if form == "jsonl":
                write_objects(self.joined, out)
            else:
                write_table(titles, ([one[t] for t in titles] for one in self.joined), out, form)
        return replace(self, written=(WrittenFile("joined", os.fspath(target)),))

    def records(self) -> list[dict[str, Any]]:
        """One row for two parties; in a choice, one row for each rater, and one for all."""
        if self.choice is None:
            return [{**plain(one), "reason": one.reason} for one in self.pairs]
        whole = plain(self.choice)
        listed = whole.pop("raters")
        return [{"rater": "", **whole}, *listed]

    def tables(self) -> list[Table]:
        return [self._pairs() if self.choice is None else self._choice(self.choice)]

    def _pairs(self) -> Table:
        columns = (
            *(*_texts("first", "second"), Column("n")),
            *(Column("agreement", digits=3), Column("kappa", digits=3)),
            *_texts(f"{100 * self.level:g} % interval"),
        )
        rows = tuple(
            (*one[:5], one.reason if isnan(one.low) else f"[{one.low:.3f}, {one.high:.3f}]")
            for one in self.pairs
        )
        title = "Cloze: who fills the blank like whom?"
        notes = [PUBLISHED_CLOZE]
        if self.other_words:
            notes.append(f"answers that are none of the 34 prepositions: {self.other_words}")
        return Table(columns, rows, title=title, notes=(*notes, *self._notes()))

    def _choice(self, found: ChoiceFindings) -> Table:
        columns = (
            *_texts("rater"),
            *map(Column, ("writer", "system", "equal", "bad")),
            *_percents("equal or better", "low", "high"),
        )
        rows: list[tuple[Cell, ...]] = [
            (one.rater, *map(int, one.choices), one.share, one.low, one.high)
            for one in found.raters
        ]
        rows = rows if len(rows) <= MOST_ROWS else []
        rows.append(("all", *map(int, found.choices), found.share, found.low, found.high))
        notes = []
        if found.corrected_accuracy is not None:
            accuracy = self.systems[0].accuracy
            notes.append(
                f"accuracy {100 * accuracy:.1f}%; with choices that are equal or better, "
                f"{100 * found.corrected_accuracy:.1f}%"
            )
        if not isnan(found.krippendorff_alpha):
            notes.append(
                f"Krippendorff's alpha on whose word is better: {found.krippendorff_alpha:z.3f}"
            )
        if found.other:
            notes.append(f"left out, for they say something else: {found.other}")
        if found.reason:
            notes.append(found.reason)
        title = "Choice: whose word is better?"
        return Table(columns, tuple(rows), title, (*notes, PUBLISHED_CHOICE, *self._notes()))

    def _notes(self) -> Iterator[str]:
        yield (
            f"{self.judgments} judgments by {self.raters} raters on {self.judged} of "
            f"{self.items} items"
        )
        for what, file in self.written:
            yield f"{what}: {file}"
        yield f"signature: {self.signature}"
