"""ERRANT counts of systems; plain text is turned into typed edits by the errant package itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from jurybox.api.checks import OutputCheck
from jurybox.api.counting import Counted, Progress, Tokens
from jurybox.api.inputs import System, lockstep, place_of_panel, read_sentences, read_tokens
from jurybox.api.options import Options
from jurybox.edits import errant, extraction
from jurybox.engine.local import in_batches, map_batches
from jurybox.formats import PanelStream
from jurybox.model import Annotation, Panel, Sentence


def count_errant(
    systems: Sequence[System],
    panel: Panel | PanelStream,
    options: Options,
    *,
    by_type: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Counted]:
    """ERRANT counts; a hypothesis in plain text is turned into typed edits by errant itself."""
    if len(systems) > 1 and isinstance(panel, PanelStream):
        for given in panel.inputs:
            given.keep()
    counted = []
    for system in systems:
        check = OutputCheck(system.place)
        if system.format == "text":
            hypotheses = _extracted(system, panel, options, check, jobs)
        else:
            hypotheses = _looked_at(read_sentences(system), check, options)
        table = errant.count_table(
            _told(hypotheses, progress),
            panel,
            level=options.level,
            types=options.types,
            size=options.size,
            by_type=by_type,
            names=(system.place, place_of_panel(panel)),
        )
        counted.append(Counted(system.name, table, check))
        if system.format == "text":
            counted[-1].extractor = extraction.describe_extractor()
    return counted


def _told(sentences: Iterable[Sentence], progress: Progress | None) -> Iterator[Sentence]:
    for sentence in sentences:
        yield sentence
        if progress is not None:
            progress(1)


def _looked_at(
    sentences: Iterable[Sentence], check: OutputCheck, options: Options
) -> Iterator[Sentence]:
    """Count sentences, and the edits that comparing corrections will leave out."""
    untyped = options.level.startswith("correction")
    for sentence in sentences:
        check.sentences += 1
        if untyped:
            edits = [edit for annotation in sentence.annotations for edit in annotation.edits]
            check.left_out += sum(edit.type == errant.UNCORRECTED for edit in edits)
        yield sentence


def _extracted(
    system: System,
    panel: Panel | PanelStream,
    options: Options,
    check: OutputCheck,
    jobs: int,
) -> Iterator[Sentence]:
    """The hypothesis as typed edits: spaCy takes its time, so this runs on all jobs."""
    if isinstance(panel, PanelStream):
        for given in panel.inputs:
            given.keep()  # the panel is read twice: here for its source sentences
    tokens = read_tokens(system, tokenized=not options.tokenize)
    pairs: Iterator[Any] = lockstep([(place_of_panel(panel), iter(panel)), (system.place, tokens)])
    return extracted(pairs, check, jobs)


def extracted(
    pairs: Iterable[tuple[Sentence, Tokens]], check: OutputCheck, jobs: int = 1
) -> Iterator[Sentence]:
    """Hypotheses in plain text as typed edits, by errant itself; what looks wrong is noted."""
    extraction.load_errant()  # says what to install before any work is done

    def checked() -> Iterator[tuple[Sentence, Tokens]]:
        for sentence, hypothesis in pairs:
            check.look(sentence.tokens, hypothesis)
            yield sentence, hypothesis

    batches = map_batches(_extract_batch, in_batches(checked(), 100), jobs=jobs)
    return chain.from_iterable(batches)


def _extract_batch(batch: Sequence[tuple[Sentence, Tokens]]) -> list[Sentence]:
    return [
        Sentence(
            sentence.tokens,
            (Annotation("0", extraction.extract(sentence.tokens, hypothesis)),),
            sentence.document,
        )
        for sentence, hypothesis in batch
    ]
