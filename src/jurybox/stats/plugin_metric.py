"""A metric of another package as a statistic: intervals, comparisons and ceilings for nothing.

Such a metric counts a sentence against one reference, and makes a score out of added-up counts:

    columns               what is counted, as ("same", "sentences")
    count(source, hypothesis, reference)    a whole number for every column; all are token lists
    score(*totals)        the score, for arrays of totals as for numbers; higher is better

Where a sentence has several references, the one that gives the sentence the best score by itself
counts, the first of equals. That depends on no other sentence, so resampling is a product of
weights and counts. `load_metric` finds a metric by its name, `Counter` counts with it and checks
what it gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from jurybox.errors import InputError, unknown_name
from jurybox.metrics.options import METRICS
from jurybox.model import CountsTable
from jurybox.plugins import Plugin, find, names, told_of
from jurybox.stats import subsets
from jurybox.stats.running_choice import FloatArray, IntArray
from jurybox.stats.statistic import Statistic, SwapArray, WeightArray, check_parallel
from jurybox.stats.subsets import BoolArray, SubsetScores, check_members


class Metric(Protocol):
    """What a package's metric offers."""

    columns: Sequence[str]

    def count(
        self, source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]
    ) -> Sequence[int]: ...

    def score(self, *totals: Any) -> Any: ...


@dataclass(frozen=True)
class PluginScore:
    """The score of a package's metric."""

    metric: Metric
    plugin: Plugin

    @property
    def names(self) -> tuple[str, ...]:
        return ("score",)

    def observed(self, tables: Sequence[CountsTable]) -> FloatArray:
        totals = [self.parts(table).sum(axis=1) for table in tables]
        return self._score(np.stack(totals, axis=1))[np.newaxis]

    def bootstrap(self, tables: Sequence[CountsTable], weights: WeightArray) -> FloatArray:
        check_parallel(tables, weights.shape[1])
        times = weights.T.astype(np.float64)
        totals = [self.parts(table) @ times for table in tables]
        return self._score(np.stack(totals, axis=1))[np.newaxis]

    def randomise(self, a: CountsTable, b: CountsTable, swaps: SwapArray) -> FloatArray:
        check_parallel([a, b], swaps.shape[1])
        one, other = self.parts(a), self.parts(b)
        moved = (other - one) @ swaps.T.astype(np.float64)
        totals = [
            one.sum(axis=1, keepdims=True) + moved,
            other.sum(axis=1, keepdims=True) - moved,
        ]
        return self._score(np.stack(totals, axis=1))[np.newaxis]

    def leave_one_out(self, table: CountsTable) -> FloatArray:
        counts = self.parts(table)
        return self._score(counts.sum(axis=1, keepdims=True) - counts)[np.newaxis]

    def of_totals(self, totals: FloatArray) -> FloatArray:
        return self._score(totals)

    @property
    def bounds(self) -> tuple[float, float] | None:
        return None

    def evidence(self, parts: FloatArray) -> FloatArray:
        return np.array([parts.shape[1]])

    # --- sets of annotators ---

    def chosen_of(self, table: CountsTable, members: BoolArray) -> IntArray:
        """The row [subsets, sentences] that counts for every set; -1 where nobody looked."""
        starts = np.array(table.starts, dtype=np.intp)
        sentence = np.repeat(np.arange(len(table)), np.diff(starts))
        # the best row of a sentence first; of equals the one that comes first
        scores = self._score(self._counts(table))
        order = np.lexsort([np.arange(len(sentence)), -scores, sentence])
        annotator = np.array(table.annotator, dtype=np.intp)[order]
        chosen: IntArray = np.full((len(members), len(table)), -1, dtype=np.intp)
        for number, held in enumerate(members):
            open_rows = order[held[annotator]]
            first, places = np.unique(sentence[open_rows], return_index=True)
            chosen[number, first] = open_rows[places]
        return chosen

    def of_subsets(
        self, table: CountsTable, chosen: IntArray, weights: WeightArray | None = None
    ) -> FloatArray:
        """The scores [subsets], or [subsets, resamples], of the rows chosen."""
        counts = np.append(self._counts(table), np.zeros((len(self.metric.columns), 1)), axis=1)
        here = counts[:, chosen]  # the last column stands for -1
        return self._score(here.sum(axis=2) if weights is None else here @ weights.T)

    # --- counts to scores ---

    def parts(self, table: CountsTable) -> FloatArray:
        """The counts [columns, sentences] of the references that count."""
        everybody = np.ones((1, len(table.annotators)), dtype=bool)
        rows = self.chosen_of(table, everybody)[0]
        if (rows < 0).any():
            place = int(np.argmax(rows < 0)) + 1
            raise InputError(f"sentence {place} has no reference; {self.plugin} needs one")
        return self._counts(table)[:, rows]

    def _counts(self, table: CountsTable) -> FloatArray:
        if tuple(table.columns) != tuple(self.metric.columns):
            raise InputError(
                f"these counts have the columns {', '.join(table.columns)}, and {self.plugin} has "
                f"{', '.join(self.metric.columns)}; count them again"
            )
        return np.array([table.values[name] for name in table.columns], dtype=np.float64)

    def _score(self, totals: FloatArray) -> FloatArray:
        """Scores of totals [columns, ...]; what is no number is refused, with its counts."""
        with told_of(self.plugin, "failed to score"), np.errstate(all="ignore"):
            scores = np.asarray(self.metric.score(*totals), dtype=np.float64)
        if scores.shape != totals.shape[1:]:
            raise InputError(
                f"{self.plugin} gives scores of shape {scores.shape} for totals of shape "
                f"{totals.shape[1:]}; its score must work on arrays, number by number"
            )
        if not np.isfinite(scores).all():
            place = tuple(np.argwhere(~np.isfinite(scores))[0])
            pairs = zip(self.metric.columns, totals[(slice(None), *place)], strict=True)
            counts = ", ".join(f"{name} {value:g}" for name, value in pairs)
            raise InputError(
                f"{self.plugin} gives no number for {counts}; its score must say what it is there"
            )
        return scores


def score_subsets(table: CountsTable, members: BoolArray, statistic: Statistic) -> SubsetScores:
    """`subsets.score_subsets`, for metrics of packages as well."""
    if not isinstance(statistic, PluginScore):
        return subsets.score_subsets(table, members, statistic)
    check_members(table, members)
    chosen = statistic.chosen_of(table, members)
    sentences = (chosen >= 0).sum(axis=1)
    scores = np.full(len(members), np.nan)
    if (scored := sentences > 0).any():
        scores[scored] = statistic.of_subsets(table, chosen[scored])
    return SubsetScores(
        statistic.names, scores[np.newaxis], sentences, np.zeros(len(members), dtype=bool)
    )


def resample_subsets(
    table: CountsTable, members: BoolArray, statistic: Statistic, weights: WeightArray
) -> FloatArray:
    """`subsets.resample_subsets`, for metrics of packages as well."""
    if not isinstance(statistic, PluginScore):
        return subsets.resample_subsets(table, members, statistic, weights)
    check_members(table, members)
    chosen = statistic.chosen_of(table, members)
    drawn = (chosen >= 0).astype(np.float64) @ weights.T
    scores = statistic.of_subsets(table, chosen, weights)
    return np.where(drawn > 0, scores, np.nan)


NEEDS = ("columns", "count", "score")


def load_metric(name: str) -> tuple[Metric, Plugin]:
    """A package's metric, loaded, with everything that a metric needs."""
    plugin = find("metric", name, METRICS)
    if plugin is None:
        raise unknown_name("metric", name, names("metric", METRICS))
    metric = plugin.load()
    missing = [need for need in NEEDS if not hasattr(metric, need)]
    if missing:
        raise InputError(
            f"{plugin} has no {' and no '.join(missing)}; a metric has columns, count and score"
        )
    return metric, plugin


def plugin_score(name: str) -> PluginScore:
    """A package's metric as what is resampled."""
    return PluginScore(*load_metric(name))


class Counter:
    """Counts sentences by a package's metric, and checks what it gives."""

    def __init__(self, name: str) -> None:
        self._metric, self._plugin = load_metric(name)
        self.columns = tuple(self._metric.columns)

    def count(
        self,
        source: Sequence[str],
        hypotheses: Sequence[Sequence[str] | None],
        references: Sequence[Sequence[str]],
    ) -> list[list[tuple[int, ...]]]:
        """The counts of every hypothesis of a sentence against each reference."""
        return [
            [] if hypothesis is None else [self._row(source, hypothesis, r) for r in references]
            for hypothesis in hypotheses
        ]

    def _row(
        self, source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]
    ) -> tuple[int, ...]:
        with told_of(self._plugin, "failed to count"):
            counts = tuple(self._metric.count(list(source), list(hypothesis), list(reference)))
        if len(counts) != len(self.columns) or not all(isinstance(one, int) for one in counts):
            raise InputError(
                f"{self._plugin} counts {counts!r}; it must give {len(self.columns)} whole "
                f"numbers: {', '.join(self.columns)}"
            )
        return counts
