"""Metrics of other packages: found by name, checked, and counted with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jurybox.api.checks import OutputCheck
from jurybox.api.counting import Counted, Progress, set_documents
from jurybox.api.options import METRICS, Options
from jurybox.errors import InputError, unknown_name
from jurybox.model import CountsTable, Panel, apply_edits
from jurybox.plugins import Plugin, find, names, told_of

if TYPE_CHECKING:
    from jurybox.api.inputs import System
    from jurybox.api.people import Hypotheses
    from jurybox.formats import Input, PanelStream
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

    def rows(
        self, source: Sequence[str], hypothesis: Sequence[str], references: Iterable[Sequence[str]]
    ) -> list[tuple[int, ...]]:
        """The counts of a sentence against each reference."""
        return [self._row(source, hypothesis, reference) for reference in references]

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


def count_plugin(
    systems: Sequence[System],
    options: Options,
    *,
    source: Sequence[str] | Input | None,
    refs: Sequence[Sequence[str] | Input],
    panel: Panel | PanelStream | None = None,
    documents: Any = None,
    progress: Progress | None = None,
) -> list[Counted]:
    """Counts against reference files, or against a panel's corrected texts."""
    from jurybox.api.count_gleu import keep_to_read_again, text_rows

    counter = Counter(options.metric)
    keep_to_read_again(source, refs, panel)
    counted = []
    for system in systems:
        check = OutputCheck(system.place)
        table = CountsTable(columns=counter.columns)
        known: list[str | None] = []
        rows = text_rows(system, options, source, refs, panel, documents=documents)
        for sentence, hypothesis, references in rows:
            check.look(sentence.tokens, hypothesis)
            named = [annotation.annotator for annotation in sentence.annotations]
            table.annotators += [name for name in named if name not in table.annotators]
            counts = counter.rows(sentence.tokens, hypothesis, references)
            numbers = map(table.annotators.index, named)
            table.append(zip(numbers, counts, strict=True))
            known.append(sentence.document)
            if progress is not None:
                progress(1)
        set_documents(table, known)
        counted.append(Counted(system.name, table, check))
    return counted


def count_people_by_plugin(
    panel: Panel, written: Sequence[Hypotheses], options: Options, progress: Progress | None
) -> list[Counted]:
    """Everybody's text against every annotator's."""
    counter = Counter(options.metric)
    number = {name: place for place, name in enumerate(panel.annotators)}
    counted = [
        Counted(
            one.name,
            CountsTable(columns=counter.columns, annotators=list(panel.annotators)),
            OutputCheck(one.place),
        )
        for one in written
    ]
    for place, sentence in enumerate(panel):
        named = [number[annotation.annotator] for annotation in sentence.annotations]
        references = [apply_edits(sentence.tokens, a.edits) for a in sentence.annotations]
        for one, made in zip(counted, written, strict=True):
            hypothesis = made.sentences[place]
            if hypothesis is None:
                one.table.append(())
                continue
            one.check.look(sentence.tokens, hypothesis)
            counts = counter.rows(sentence.tokens, hypothesis, references)
            one.table.append(zip(named, counts, strict=True))
        if progress is not None:
            progress(1)
    for one in counted:
        set_documents(one.table, [sentence.document for sentence in panel])
    return counted
