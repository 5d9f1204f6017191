"""ERRANT counts of systems; plain text is turned into typed edits by the errant package itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from jurybox.counting import Counted, Tokens
from jurybox.counting.output_checks import OutputCheck
from jurybox.counting.systems import (
    System,
    files_of_panel,
    lockstep,
    place_of_panel,
    read_sentences,
    read_tokens,
)
from jurybox.engine import Jobs, Progress, in_batches, map_batches
from jurybox.errors import warn
from jurybox.formats import PanelStream
from jurybox.metrics import errant, extraction
from jurybox.metrics.errant import EditTypes
from jurybox.metrics.options import MetricOptions
from jurybox.model import Annotation, Panel, Sentence


def count_errant(
    systems: Sequence[System],
    panel: Panel | PanelStream,
    options: MetricOptions,
    *,
    by_type: bool = False,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> list[Counted]:
    """ERRANT counts; a hypothesis in plain text is turned into typed edits by errant itself."""
    extracts = any(system.is_text for system in systems)
    if isinstance(panel, PanelStream) and (extracts or len(systems) > 1):
        for given in panel.inputs:
            given.keep()  # read for every system, and for its sentences where edits are found
    place = place_of_panel(panel)
    gold_types = EditTypes(
        place, level=options.level, extracted=extracts, files=files_of_panel(panel)
    )
    if extracts:  # extraction takes its time: complain before it
        gold_types.add(panel).refuse_dropped()
    counted: list[Counted] = []
    odd: list[str] = []
    for system in systems:
        check = OutputCheck(system.place)
        types = EditTypes(system.place, level=options.level, files=system.files)
        if system.is_text:
            tokens = read_tokens(system, tokenized=not options.tokenize)
            streams: list[tuple[str, Iterator[Any]]] = [
                (place, iter(panel)),
                (system.place, tokens),
            ]
            hypotheses = extracted(lockstep(streams), check, jobs)
        else:
            hypotheses = types.watch(read_sentences(system))
        is_new = not extracts and not counted
        table = errant.count_table(
            _with_progress(hypotheses, progress),
            gold_types.watch(panel) if is_new else panel,
            level=options.level,
            types=options.types,
            size=options.edit_size,
            by_type=by_type,
            names=(system.place, place),
        )
        gold_types.refuse_dropped()
        types.refuse_dropped()
        counted.append(Counted(system.name, table, check))
        odd += types.warnings()
        if system.is_text:
            counted[-1].extractor = extraction.describe_extractor()
    warn(*gold_types.warnings(), *odd)
    return counted


def _with_progress(sentences: Iterable[Sentence], progress: Progress | None) -> Iterator[Sentence]:
    for sentence in sentences:
        yield sentence
        if progress is not None:
            progress(1)


def extracted(
    pairs: Iterable[tuple[Sentence, Tokens]], check: OutputCheck, jobs: Jobs = 1
) -> Iterator[Sentence]:
    """Hypotheses in plain text as typed edits, by errant itself; what looks wrong is noted.

    spaCy takes its time, so this runs on all jobs.
    """
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
