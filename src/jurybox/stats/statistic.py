"""What is resampled: a statistic turns counts tables into scores, for many resamples at once.

`EditScore` is precision, recall and F of the annotators chosen as in metrics/choice.py; `GleuScore`
is GLEU as in metrics/gleu.py. Both answer the same four questions (`Statistic`), so that
`stats.resample` and `stats.significance` need not know which metric they look at. Scores are
arrays [names, systems, …] in the order of the statistic's `names`.

Except under the running choice every score is a function of sums over sentences, and resampling
is a matrix product of weights and per-sentence counts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import islice
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, LengthError, unknown_name
from jurybox.metrics import choice, gleu
from jurybox.metrics.measures import precision_recall_f
from jurybox.metrics.options import check_beta
from jurybox.model import EDIT_COLUMNS, Counts, CountsTable
from jurybox.stats import running_choice
from jurybox.stats.running_choice import FloatArray, IntArray

WeightArray = NDArray[np.integer]
SwapArray = NDArray[np.bool_]

#: cells of a temporary array of something × sentences: 16 MB in double precision
CELLS = 2_000_000
#: tables whose chosen annotators are kept at a time
KEPT = 64
#: GLEU draws scored together, and resamples scored together with them
DRAWS_AT_ONCE, RESAMPLES_AT_ONCE = 100, 5_000
#: whole numbers up to this are exact in single precision
EXACT_IN_SINGLE = 2**24
#: less than any average over references: what rounding leaves of a sum after subtracting it
NOTHING_LEFT = 1e-6

RealArray = NDArray[np.floating]
#: GLEU's statistics by column: [draws, sentences], or [1, sentences] where draws do not matter
GleuStatistics = Mapping[str, RealArray]


class Statistic(Protocol):
    """Scores of systems as a function of their counts."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the scores are called."""

    def observed(self, tables: Sequence[CountsTable]) -> FloatArray:
        """The scores [names, systems] of the data as they are."""

    def bootstrap(self, tables: Sequence[CountsTable], weights: WeightArray) -> FloatArray:
        """The scores [names, systems, resamples] with sentence i taken weights[r, i] times."""

    def randomise(self, a: CountsTable, b: CountsTable, swaps: SwapArray) -> FloatArray:
        """The scores [names, 2, resamples] of a and b with the sentences in swaps[r] exchanged."""

    def leave_one_out(self, table: CountsTable) -> FloatArray:
        """The scores [names, sentences] without that sentence, annotators chosen as with it."""

    def parts(self, table: CountsTable) -> FloatArray:
        """What every sentence adds to the totals [columns, sentences], annotators as chosen."""

    def of_totals(self, totals: FloatArray) -> FloatArray:
        """The main score, the last of `names`, of totals [columns, ...]."""

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between which values all scores lie, if that is known."""

    def evidence(self, parts: FloatArray) -> FloatArray:
        """On how many units [names] the scores rest, from their parts [columns, units]."""


def place_of(name: str | None, names: tuple[str, ...]) -> int:
    """Where a score stands among a statistic's; without a name the last: F, or GLEU's only one.

    >>> place_of(None, ("precision", "recall", "f")), place_of("recall", EditScore().names)
    (2, 1)
    """
    if name is None:
        return len(names) - 1
    if name not in names:
        raise unknown_name("score", name, names)
    return names.index(name)


@dataclass(frozen=True, slots=True)
class EditScore:
    """Precision, recall and F of MaxMatch (`metric="m2"`) or ERRANT (`metric="errant"`).

    Under `rule="running"` every resample chooses its annotators anew, over its sentences in their
    original order, copies of a sentence in a row; under `rule="sentence"` a sentence's choice
    depends on nothing else and is made once.

    >>> table = CountsTable(annotators=["0"])
    >>> table.append([(0, (2, 1, 2))])
    >>> table.append([(0, (0, 0, 1))])
    >>> EditScore().bootstrap([table], np.array([[1, 1], [2, 0]]))[2].round(4)
    array([[0.5882, 0.625 ]])
    """

    metric: str = "m2"
    rule: str = "running"
    beta: float = 0.5
    #: the choice of tables already seen: score, interval and test all need it
    _chosen: dict[int, tuple[CountsTable, array[int]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def names(self) -> tuple[str, ...]:
        return ("precision", "recall", "f")

    def observed(self, tables: Sequence[CountsTable]) -> FloatArray:
        totals = (choice.totals(table, self._choose(table)) for table in tables)
        counts = (Counts(*(total[column] for column in EDIT_COLUMNS)) for total in totals)
        scores = [precision_recall_f(count, beta=self.beta) for count in counts]
        return np.array(scores, dtype=np.float64).T

    def bootstrap(self, tables: Sequence[CountsTable], weights: WeightArray) -> FloatArray:
        check_parallel(tables, weights.shape[1])
        if self.rule == "sentence":
            totals = np.empty((3, len(tables), len(weights)))
            for system, table in enumerate(tables):
                chosen = self.parts(table)
                for part in _parts(weights):
                    totals[:, system, part] = _product(chosen, weights[part])
        else:
            walks = (len(tables), len(weights))
            steps = running_choice.bootstrap_steps(weights, systems=len(tables))
            totals = self._walk(tables, steps, walks)
        return precision_recall_f_arrays(totals, self.beta)

    def randomise(self, a: CountsTable, b: CountsTable, swaps: SwapArray) -> FloatArray:
        check_parallel([a, b], swaps.shape[1])
        if self.rule == "sentence":
            totals = np.empty((3, 2, len(swaps)))
            chosen_a, chosen_b = self.parts(a), self.parts(b)
            for part in _parts(swaps):
                totals[:, 0, part], totals[:, 1, part] = _exchange(chosen_a, chosen_b, swaps[part])
        else:
            totals = self._walk([a, b], running_choice.swap_steps(swaps), (2, len(swaps)))
        return precision_recall_f_arrays(totals, self.beta)

    def leave_one_out(self, table: CountsTable) -> FloatArray:
        counts = self.parts(table)
        return precision_recall_f_arrays(counts.sum(axis=1, keepdims=True) - counts, self.beta)

    def of_totals(self, totals: FloatArray) -> FloatArray:
        f: FloatArray = precision_recall_f_arrays(totals, self.beta)[2]
        return f

    @property
    def bounds(self) -> tuple[float, float] | None:
        return (0.0, 1.0)

    def evidence(self, parts: FloatArray) -> FloatArray:
        """Units with edits of the system, of the annotator, of either."""
        tp, fp, fn = parts
        return np.array([np.count_nonzero(edits) for edits in (tp + fp, tp + fn, tp + fp + fn)])

    def _walk(
        self, tables: Sequence[CountsTable], steps: Iterator[IntArray], walks: tuple[int, int]
    ) -> FloatArray:
        for table in tables:
            choice.check_choice(table, metric=self.metric, rule=self.rule, beta=self.beta)
        beta2 = check_beta(self.beta)
        pool = running_choice.pool_candidates(tables, metric=self.metric, beta2=beta2)
        totals = running_choice.walk(
            pool, steps, walks[0] * walks[1], metric=self.metric, beta2=beta2
        )
        return totals.reshape(3, *walks)

    def _choose(self, table: CountsTable) -> array[int]:
        known = self._chosen.get(id(table))
        if known is None or len(known[1]) != len(table):
            if len(self._chosen) >= KEPT:
                self._chosen.clear()
            chosen = choice.choose(table, metric=self.metric, rule=self.rule, beta=self.beta)
            known = self._chosen[id(table)] = (table, chosen)  # the table: its id stays its own
        return known[1]

    def parts(self, table: CountsTable) -> FloatArray:
        """The counts [tp/fp/fn, sentences] of the chosen annotators."""
        counts = np.array([table.values[column] for column in EDIT_COLUMNS], dtype=np.float64)
        return counts[:, np.array(self._choose(table), dtype=np.intp)]


def precision_recall_f_arrays(totals: FloatArray, beta: float) -> FloatArray:
    """`measures.precision_recall_f` of every element of totals [tp/fp/fn, …].

    >>> precision_recall_f_arrays(np.array([[2.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), beta=0.5)[2]
    array([0.625, 1.   ])
    """
    tp, fp, fn = totals
    scores: FloatArray = np.ones(totals.shape)
    p, r, f = scores
    np.divide(tp, tp + fp, out=p, where=tp + fp != 0)
    np.divide(tp, tp + fn, out=r, where=tp + fn != 0)
    f.fill(0)
    np.divide((1 + beta**2) * p * r, beta**2 * p + r, out=f, where=p + r != 0)
    return scores


@dataclass(frozen=True, slots=True)
class GleuScore:
    """GLEU over the official draws of references (`draws`) or over their average (`expected`).

    The draws belong to the sentences: whichever resample a sentence is in, draw j gives it the
    same reference, and the score of a resample is the mean over the draws.

    >>> table = gleu.count_table(["a b c d e"] * 2, ["a b c d e", "a b"], [["a b c d e"] * 2])
    >>> GleuScore().bootstrap([table], np.array([[1, 1], [2, 0], [0, 2]])).round(4)
    array([[[0.6514, 1.    , 0.    ]]])
    """

    references: str = "draws"
    draws: int = gleu.DRAWS

    def __post_init__(self) -> None:
        if self.references not in ("draws", "expected"):
            raise unknown_name("use of references", self.references, ("draws", "expected"))

    @property
    def names(self) -> tuple[str, ...]:
        return ("score",)

    def observed(self, tables: Sequence[CountsTable]) -> FloatArray:
        once = np.ones((1, len(tables[0])), dtype=np.uint8)
        return self.bootstrap(tables, once)[:, :, 0]

    def bootstrap(self, tables: Sequence[CountsTable], weights: WeightArray) -> FloatArray:
        check_parallel(tables, weights.shape[1])
        check_gleu_tables(tables)
        scores = np.zeros((1, len(tables), len(weights)))
        precision = self._precision(tables, int(weights.max(initial=0)))
        for draws in self._draws(tables):
            for system, (table, rows) in enumerate(zip(tables, draws, strict=True)):
                drawn = _gleu_statistics(table, rows, precision)
                for part in _parts(weights):
                    times = weights[part].astype(precision)
                    totals = {name: _product(x, times) for name, x in drawn.items()}
                    scores[0, system, part] += gleu_arrays(totals).sum(axis=0)
        return scores / self._times(tables)

    def randomise(self, a: CountsTable, b: CountsTable, swaps: SwapArray) -> FloatArray:
        check_parallel([a, b], swaps.shape[1])
        check_gleu_tables([a, b])
        scores = np.zeros((1, 2, len(swaps)))
        precision = self._precision([a, b], 1)
        for rows_a, rows_b in self._draws([a, b]):
            drawn_a = _gleu_statistics(a, rows_a, precision)
            drawn_b = _gleu_statistics(b, rows_b, precision)
            for part in _parts(swaps):
                moved = swaps[part].astype(precision)
                mixed = {name: _exchange(x, drawn_b[name], moved) for name, x in drawn_a.items()}
                for system in (0, 1):
                    totals = {name: both[system] for name, both in mixed.items()}
                    scores[0, system, part] += gleu_arrays(totals).sum(axis=0)
        return scores / self._times([a, b])

    def leave_one_out(self, table: CountsTable) -> FloatArray:
        check_gleu_tables([table])
        scores = np.zeros((1, len(table)))
        for (rows,) in self._draws([table], cells=CELLS // 8):
            drawn = _gleu_statistics(table, rows, np.float64)
            totals = {name: x.sum(axis=1, keepdims=True) - x for name, x in drawn.items()}
            scores[0] += gleu_arrays(totals).sum(axis=0)
        return scores / self._times([table])

    def parts(self, table: CountsTable) -> FloatArray:
        """The statistics [columns, sentences], averaged over the references."""
        check_gleu_tables([table])
        statistics = _gleu_statistics(table, None, np.float64)
        return np.concatenate([statistics[name] for name in gleu.COLUMNS]).astype(np.float64)

    @property
    def bounds(self) -> tuple[float, float] | None:
        return (0.0, 1.0)

    def evidence(self, parts: FloatArray) -> FloatArray:
        return np.array([parts.shape[1]])

    def of_totals(self, totals: FloatArray) -> FloatArray:
        return gleu_arrays(dict(zip(gleu.COLUMNS, totals, strict=True)))

    def _times(self, tables: Sequence[CountsTable]) -> int:
        """How many draws there are; where no sentence has a second reference one is all."""
        single = all(len(table.annotator) == len(table) for table in tables)
        return 1 if single or self.references == "expected" else self.draws

    def _precision(self, tables: Sequence[CountsTable], times: int) -> type[np.floating]:
        """Single precision where whole sums are exact in it: its products are twice as fast.

        No statistic of a sentence is larger than the longer of its hypothesis and reference.
        """
        if self.references == "expected":
            return np.float64
        longest = max(
            np.maximum.reduceat(np.array(table.values[name]), table.starts[:-1]).sum()
            for table in tables
            for name in ("hyp_len", "ref_len")
        )
        return np.float32 if longest * times <= EXACT_IN_SINGLE else np.float64

    def _draws(
        self, tables: Sequence[CountsTable], cells: int = CELLS
    ) -> Iterator[Sequence[IntArray | None]]:
        """Some draws at a time, the rows [draws, sentences] of each table; None: all, averaged."""
        if self.references == "expected":
            yield [None] * len(tables)
            return
        times = self._times(tables)
        at_once = max(1, min(DRAWS_AT_ONCE, cells // len(tables[0])))
        # systems scored on the same references share their draws
        shared = all(table.starts == tables[0].starts for table in tables)
        sources = [_draw_blocks(t, times, at_once) for t in (tables[:1] if shared else tables)]
        for rows in zip(*sources, strict=True):
            yield rows * len(tables) if shared else rows


def _draw_blocks(table: CountsTable, draws: int, at_once: int) -> Iterator[IntArray]:
    """The official draws, rows [at_once, sentences] at a time."""
    if draws * len(table) <= CELLS:
        drawn = _all_draws(table.starts.tobytes(), draws)
        yield from (drawn[start : start + at_once] for start in range(0, draws, at_once))
    else:
        source = gleu.draw_rows(table, draws=draws)
        for _ in range(0, draws, at_once):
            yield np.stack(list(islice(source, at_once)))


@lru_cache(maxsize=2)
def _all_draws(starts: bytes, draws: int) -> IntArray:
    """Draws depend on nothing but the numbers of references: made once for many comparisons."""
    table = CountsTable(starts=array("q", starts))
    return np.stack(list(gleu.draw_rows(table, draws=draws)))


def _gleu_statistics(
    table: CountsTable, rows: IntArray | None, precision: type[np.floating]
) -> GleuStatistics:
    """Every column for every draw and sentence; without rows the average over the references."""
    starts = np.array(table.starts, dtype=np.intp)
    statistics = {}
    for name in gleu.COLUMNS:
        values = np.array(table.values[name], dtype=precision)
        if name not in gleu.DRAWN_COLUMNS:
            statistics[name] = values[np.newaxis, starts[:-1]]
        elif rows is not None:
            statistics[name] = values[rows]
        else:
            sums = np.add.reduceat(values, starts[:-1])
            statistics[name] = (sums / (starts[1:] - starts[:-1]))[np.newaxis]
    return statistics


def gleu_arrays(totals: Mapping[str, FloatArray]) -> FloatArray:
    """`gleu.score_from_totals` of every element.

    >>> totals = {name: np.array([4.0, 4.0]) for name in gleu.COLUMNS}
    >>> gleu_arrays(totals | {"ref_len": np.array([4.0, 5.0])}).round(4)
    array([1.    , 0.7788])
    """
    nums = [totals[f"num{n}"] for n in gleu.ORDERS]
    dens = [totals[f"den{n}"] for n in gleu.ORDERS]
    num, den = prod(nums[1:], start=nums[0]), prod(dens[1:], start=dens[0])
    some = (reduce(np.minimum, nums) > NOTHING_LEFT) & (den != 0)
    ratio: FloatArray = np.zeros(some.shape)
    np.divide(num, den, out=ratio, where=some)
    # without a hypothesis the ratio is 0 already, whatever the penalty
    penalty = np.minimum(0, 1 - totals["ref_len"] / np.maximum(1, totals["hyp_len"]))
    score: FloatArray = np.sqrt(np.sqrt(ratio)) * np.exp(penalty)
    return score


def check_gleu_tables(tables: Sequence[CountsTable]) -> None:
    """Raise where the columns are not GLEU's, or there is no sentence, or one has no reference."""
    for table in tables:
        if not len(table):
            raise InputError("there are no sentences to score; the counts are empty")
        if set(table.columns) != set(gleu.COLUMNS):
            raise InputError(
                f"these counts have the columns {', '.join(table.columns)}, not those of GLEU; "
                "count them again with --metric gleu"
            )
        empty = np.flatnonzero(np.array(table.starts[1:]) == np.array(table.starts[:-1]))
        if empty.size:
            raise InputError(f"sentence {empty[0] + 1} has no reference; GLEU needs at least one")


def check_parallel(tables: Sequence[CountsTable], sentences: int) -> None:
    """Raise where a system has more or fewer sentences than there should be."""
    for system, table in enumerate(tables, start=1):
        if len(table) != sentences:
            raise LengthError(
                f"system {system} has {len(table)} sentences where {sentences} are needed; systems "
                "can be resampled together only on the same sentences"
            )


def _parts(weights: WeightArray | SwapArray) -> Iterator[slice]:
    """Resamples cut so that copies of their weights stay small."""
    resamples, n = weights.shape
    size = max(1, min(RESAMPLES_AT_ONCE, CELLS // max(1, n)))
    return (slice(start, start + size) for start in range(0, resamples, size))


def _product(counts: RealArray, weights: WeightArray | SwapArray | RealArray) -> FloatArray:
    """Weighted sums [k, resamples] of counts [k, sentences], in the precision of the counts.

    >>> _product(np.array([[1.0, 2.0, 3.0]]), np.array([[1, 1, 1], [0, 0, 2]]))
    array([[6., 6.]])
    """
    sums = counts @ weights.astype(counts.dtype, copy=False).T
    return sums.astype(np.float64, copy=False)


def _exchange(
    a: RealArray, b: RealArray, swaps: SwapArray | RealArray
) -> tuple[FloatArray, FloatArray]:
    """The totals [k, resamples] of a and b, counts [k, sentences], with sentences exchanged."""
    moved = _product(b - a, swaps)
    total_a = a.sum(axis=1, keepdims=True, dtype=np.float64)
    total_b = b.sum(axis=1, keepdims=True, dtype=np.float64)
    return total_a + moved, total_b - moved
