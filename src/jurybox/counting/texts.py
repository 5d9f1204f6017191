"""Systems by a metric of texts, GLEU or a package's, against references or a panel's texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from jurybox.counting import Counted, Tokens, set_documents
from jurybox.counting.output_checks import OutputCheck
from jurybox.counting.systems import System, lockstep, place_of_panel, read_tokens
from jurybox.engine import Progress, in_batches
from jurybox.formats import Input, PanelStream
from jurybox.formats.edits import text
from jurybox.formats.edits.panel import with_documents
from jurybox.metrics import gleu
from jurybox.metrics.options import MetricOptions
from jurybox.model import Annotation, CountsTable, Panel, Sentence, apply_edits


class TextMetric(Protocol):
    """What a metric of texts counts of a sentence."""

    @property
    def columns(self) -> tuple[str, ...]: ...

    def count(
        self,
        source: Sequence[str],
        hypotheses: Sequence[Sequence[str] | None],
        references: Sequence[Sequence[str]],
    ) -> list[list[tuple[int, ...]]]:
        """A row of whole numbers for each hypothesis and reference; none for no hypothesis."""
        ...


class _Gleu:
    """GLEU statistics."""

    columns = gleu.COLUMNS
    count = staticmethod(gleu.count_texts)


def text_metric(name: str) -> TextMetric:
    """GLEU, or the metric that a package brings."""
    if name == "gleu":
        return _Gleu()
    from jurybox.stats.plugin_metric import Counter

    return Counter(name)


def count_texts(
    systems: Sequence[System],
    options: MetricOptions,
    *,
    source: Sequence[str] | Input | None,
    refs: Sequence[Sequence[str] | Input],
    panel: Panel | PanelStream | None = None,
    documents: Any = None,
    progress: Progress | None = None,
) -> list[Counted]:
    """Counts of every system against reference files, or against a panel's corrected texts."""
    metric = text_metric(options.metric)
    # everything but the hypotheses is read once for each system: hold what is piped in
    for given in (source, *refs, *(panel.inputs if isinstance(panel, PanelStream) else ())):
        if isinstance(given, Input):
            given.keep()
    counted = []
    for system in systems:
        check = OutputCheck(system.place)
        table = CountsTable(columns=metric.columns)
        known: list[str | None] = []
        numbers: dict[str, int] = {}  # of annotators, as they come
        rows = text_rows(system, options, source, refs, panel, documents=documents)
        for batch in in_batches(rows, gleu.BATCH):
            versions = [(sentence.tokens, text, refs) for sentence, text, refs in batch]
            if options.metric == "gleu":
                counts = gleu.count_batch(versions)
            else:
                counts = [metric.count(origin, [text], refs)[0] for origin, text, refs in versions]
            for (sentence, hypothesis, _), candidates in zip(batch, counts, strict=True):
                check.look(sentence.tokens, hypothesis)
                who = [numbers.setdefault(a.annotator, len(numbers)) for a in sentence.annotations]
                table.append(zip(who, candidates, strict=True))
                known.append(sentence.document)
            if progress is not None:
                progress(len(batch))
        table.annotators = list(numbers)
        set_documents(table, known)
        counted.append(Counted(system.name, table, check))
    return counted


def text_rows(
    system: System,
    options: MetricOptions,
    source: Sequence[str] | Input | None,
    refs: Sequence[Sequence[str] | Input],
    panel: Panel | PanelStream | None,
    *,
    documents: Any,
) -> Iterator[tuple[Sentence, Tokens, list[list[str]]]]:
    """Source sentence, hypothesis and references, whichever way they were given."""
    hypothesis = (system.place, read_tokens(system, tokenized=not options.tokenize))
    if panel is not None:
        streams: list[tuple[str, Iterator[Any]]] = [
            (place_of_panel(panel), iter(panel)),
            hypothesis,
        ]
        for sentence, tokens in lockstep(streams):
            corrected = [apply_edits(sentence.tokens, a.edits) for a in sentence.annotations]
            yield sentence, tokens, corrected
        return
    named = [
        ("the source" if i == 0 else f"reference {i - 1}", one)
        for i, one in enumerate((source, *refs))
    ]
    streams = [
        (one.name, text.read(one)) if isinstance(one, Input) else (name, iter(one or ()))
        for name, one in named
    ]
    annotations = tuple(Annotation(name) for name, _ in streams[1:])
    origin, *references = streams
    name, lines = origin
    sentences: Iterator[Sentence] = (Sentence(tuple(line.split()), annotations) for line in lines)
    if documents is not None:
        sentences = with_documents(sentences, documents, name)
    streams = [(name, sentences), *references, hypothesis]
    for sentence, *versions, tokens in lockstep(streams):
        yield sentence, tokens, [version.split() for version in versions]
