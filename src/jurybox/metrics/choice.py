"""Which annotator counts: one row of a counts table per sentence, and what these add up to.

A system is scored against the annotator it agrees with best, sentence by sentence. Two official
scorers do this in two ways:

- `m2` (Dahlmeier and Ng 2012, CoNLL-2014): F = (1 + b²)·correct / (proposed + b²·gold) in one
  division, 1 where all three are 0; ties: more correct, then the smaller denominator.
- `errant` (Bryant, Felice and Briscoe 2017): F by way of P and R, rounded to four places; ties:
  more TP, fewer FP, fewer FN.

Both rate the *running totals* of the sentences before plus the candidate (`running`, official, so
that sentence order matters) or the candidate alone (`sentence`). What is still tied goes to the
candidate seen first. `stats.running_choice` redoes this choice for thousands of resamples at once
and must agree with it to the last bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from operator import eq

from jurybox.errors import InputError, unknown_name
from jurybox.metrics.options import RULES, check_beta
from jurybox.model import EDIT_COLUMNS, CountsTable

Row = tuple[int, int, int]
#: tp, fp, fn and beta² to something that is larger the better the candidate
Rating = Callable[[int, int, int, float], tuple[float, ...]]


def rate_m2(tp: int, fp: int, fn: int, beta2: float) -> tuple[float, ...]:
    """F in one division, then what breaks its ties: MaxMatch's order of candidates.

    >>> rate_m2(2, 1, 2, 0.25)
    (0.625, 2, -4.0)
    """
    cost = (tp + fp) + beta2 * (tp + fn)
    return ((1 + beta2) * tp / cost if cost else 1.0, tp, -cost)


def rate_errant(tp: int, fp: int, fn: int, beta2: float) -> tuple[float, ...]:
    """F by way of P and R in four places, then what breaks its ties: errant_compare's order.

    >>> rate_errant(2, 1, 4, 0.25)
    (0.5556, 2, -1, -4)
    """
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    f = (1 + beta2) * p * r / (beta2 * p + r) if p + r else 0.0
    return (round(f, 4), tp, -fp, -fn)


RATINGS: dict[str, Rating] = {"m2": rate_m2, "errant": rate_errant}


def choose(
    table: CountsTable, *, metric: str = "m2", rule: str = "running", beta: float = 0.5
) -> array[int]:
    """The row of the annotator that counts, for every sentence in order.

    The second sentence below is where the rules part: alone, annotator 1 finds a larger share of
    fewer gold edits; added to the first sentence, one more correct edit is worth more.

    >>> table = CountsTable(annotators=["0", "1"])
    >>> table.append([(0, (0, 9, 9))])
    >>> table.append([(0, (2, 1, 1)), (1, (1, 0, 0))])
    >>> list(choose(table, rule="running")), list(choose(table, rule="sentence"))
    ([0, 1], [0, 2])
    """
    rate, beta2 = check_choice(table, metric=metric, rule=rule, beta=beta)
    running = rule == "running"
    counts = zip(*(table.values[column] for column in EDIT_COLUMNS), strict=True)
    before_tp = before_fp = before_fn = 0

    def rating(row: Row) -> tuple[float, ...]:
        tp, fp, fn = row
        return rate(before_tp + tp, before_fp + fp, before_fn + fn, beta2)

    chosen = array("q")
    for first, end in pairwise(table.starts):
        candidates = list(islice(counts, end - first))
        best = candidates[0]
        if candidates.count(best) < len(candidates):
            # dict.fromkeys: a set that keeps the order, for max gives the first seen of equals
            best = max(dict.fromkeys(candidates), key=rating)
        chosen.append(first + candidates.index(best))
        if running:
            before_tp += best[0]
            before_fp += best[1]
            before_fn += best[2]
    return chosen


def check_choice(
    table: CountsTable, *, metric: str, rule: str, beta: float
) -> tuple[Rating, float]:
    """The metric's rating and beta², or an error that says what cannot be chosen from."""
    if metric not in RATINGS:
        raise unknown_name("metric to choose annotators by", metric, RATINGS)
    if rule not in RULES:
        raise unknown_name("choice", rule, RULES)
    check_edit_table(table)
    return RATINGS[metric], check_beta(beta)


def check_edit_table(table: CountsTable) -> None:
    """Raise where there are no tp, fp and fn, or a sentence without a candidate."""
    check_columns(table)
    if any(map(eq, table.starts, islice(table.starts, 1, None))):
        sentence = next(
            i for i, (first, end) in enumerate(pairwise(table.starts), 1) if first == end
        )
        raise InputError(
            f"sentence {sentence} has no candidate annotator; a sentence nobody edited needs "
            "one candidate without edits"
        )


def check_columns(table: CountsTable) -> None:
    """Raise where there are no tp, fp and fn."""
    if not set(EDIT_COLUMNS) <= set(table.columns):
        raise InputError(
            f"these counts have the columns {', '.join(table.columns)}; annotators are chosen by "
            f"{', '.join(EDIT_COLUMNS)} (GLEU draws its references instead)"
        )


def totals(table: CountsTable, rows: Iterable[int]) -> dict[str, int]:
    """What the given rows add up to, column by column.

    >>> table = CountsTable(annotators=["0", "1"])
    >>> table.append([(0, (1, 0, 2)), (1, (0, 1, 0))])
    >>> table.append([(0, (3, 1, 1))])
    >>> totals(table, [0, 2])
    {'tp': 4, 'fp': 1, 'fn': 3}
    """
    rows = rows if isinstance(rows, array) else list(rows)
    return {column: sum(map(table.values[column].__getitem__, rows)) for column in table.columns}


def totals_by_type(table: CountsTable, rows: Iterable[int]) -> dict[str, tuple[int, int, int]]:
    """What the given rows add up to, error type by error type, in alphabetical order.

    >>> table = CountsTable(annotators=["0"], by_type=[{"Prep": (1, 0, 1)}, {"Prep": (0, 2, 0)}])
    >>> table.append([(0, (1, 0, 1))])
    >>> table.append([(0, (0, 2, 0))])
    >>> totals_by_type(table, choose(table))
    {'Prep': (1, 2, 1)}
    """
    if table.by_type is None:
        raise InputError("these counts were not made by type; count again with by_type (--by type)")
    sums: dict[str, tuple[int, int, int]] = {}
    for row in rows:
        for kind, (tp, fp, fn) in table.by_type[row].items():
            before = sums.get(kind, (0, 0, 0))
            sums[kind] = (before[0] + tp, before[1] + fp, before[2] + fn)
    return dict(sorted(sums.items()))
