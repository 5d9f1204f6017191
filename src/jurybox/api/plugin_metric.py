"""Metrics of other packages: found by name, checked, and counted with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurybox.api.options import METRICS
from jurybox.errors import InputError, unknown_name
from jurybox.plugins import Plugin, find, names, told_of

if TYPE_CHECKING:
    from jurybox.stats.plugin_score import Metric, PluginScore

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
    from jurybox.stats.plugin_score import PluginScore

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
