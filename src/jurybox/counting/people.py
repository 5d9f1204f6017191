"""People as hypotheses: what each annotator wrote, counted against every annotator.

A person's text is the source with that person's edits applied (Bryant and Ng 2015). It is counted
like a system's output, in the same pass: once per hypothesis, annotator and sentence. Where a
person did not look at a sentence, they have no counts in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jurybox.counting import Counted, Tokens, set_documents
from jurybox.counting.errant import extracted
from jurybox.counting.maxmatch import count_rows
from jurybox.counting.output_checks import OutputCheck
from jurybox.counting.panels import LoadedPanel
from jurybox.counting.systems import (
    JsonTokens,
    System,
    check_source,
    only_annotation,
    place_of_panel,
    read_sentences,
    read_tokens,
    unequal,
)
from jurybox.counting.texts import TextMetric, text_metric
from jurybox.engine import Jobs, Progress, cores, expect, jobs_of
from jurybox.formats import Input
from jurybox.metrics import errant, extraction
from jurybox.metrics.errant import EditTypes
from jurybox.metrics.options import MetricOptions
from jurybox.model import Annotation, CountsTable, Panel, Sentence, apply_edits
from jurybox.shared_options import PanelMatching

#: below so many pairs of hypothesis and annotator, starting processes takes longer than matching
FEW_PAIRS = 20_000


class PanelCounts(NamedTuple):
    """Counts of people and systems against every annotator, sentence by sentence.

    `unchanged` are those of the source text, as the output of a system that changes nothing. All
    tables number the annotators in the panel's order. A sentence without rows does not count for
    that hypothesis: nobody looked at it, or the person in question did not.
    """

    annotators: tuple[str, ...]
    people: dict[str, CountsTable]
    systems: dict[str, CountsTable]
    unchanged: CountsTable
    extractor: str | None = None  # what made typed edits out of a system's plain text
    warnings: tuple[str, ...] = ()  # what looks wrong with a system's output


class Hypotheses(NamedTuple):
    """What one person or system made of the panel's sentences; None where nothing was made."""

    name: str
    place: str  # what messages call it
    sentences: Sequence[Tokens | None]
    edits: Sequence[Sentence | None] | None = None  # where it came with edits of its own
    files: tuple[Input, ...] = ()  # where it was read from


def count_people(
    loaded: LoadedPanel,
    systems: Sequence[System],
    options: MetricOptions,
    *,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> PanelCounts:
    """Counts of every person's text, the source and every system's text against every annotator.

    >>> from jurybox.counting.panels import load_panel
    >>> from jurybox.model import Annotation, Edit
    >>> x, y = Annotation("x", (Edit(1, 2, "dog"),)), Annotation("y", (Edit(0, 1, "The"),))
    >>> panel = Panel((Sentence(("A", "dogs", "."), (x, y)),), ("x", "y"))
    >>> counts = count_people(load_panel(panel), [], MetricOptions())
    >>> list(counts.people["x"].values["tp"]), list(counts.people["x"].values["fn"])
    ([1, 0], [0, 1])
    """
    panel, tokenized = loaded.panel, not options.tokenize
    written = people_of(panel)
    written += [read_hypotheses(system, loaded, tokenized=tokenized) for system in systems]
    odd = _odd_types(loaded, written, options.level) if options.metric == "errant" else []
    unchanged = [sentence._replace(annotations=(Annotation("source"),)) for sentence in panel]
    source = Hypotheses("source", "source", [sentence.tokens for sentence in panel], unchanged)
    counted = count_hypotheses(panel, [*written, source], options, jobs=jobs, progress=progress)
    count = len(panel.annotators)
    people, others = counted[:count], counted[count:-1]
    return PanelCounts(
        panel.annotators,
        {one.name: one.table for one in people},
        {one.name: one.table for one in others},
        counted[-1].table,
        next((one.extractor for one in others if one.extractor), None),
        (*odd, *(line for one in others for line in one.check.warnings())),
    )


def choose_jobs(panel: Panel, systems: int, call: PanelMatching) -> Jobs:
    """Where to match: as asked, or on all cores where there is much to do."""
    people = len(panel.annotators)
    much = len(panel) * (people + systems) * people >= FEW_PAIRS
    return jobs_of(call, cores() if much else 1)


def sign_people(options: MetricOptions, refs: str, extractor: str | None, **taken: object) -> str:
    """A metric's signature, how people were scored by it, and which part of the panel was taken."""
    head, _, version = options.signature(refs, extractor).rpartition("|v:")
    head += "|people:edits" if options.metric == "errant" else "|people:text"
    head += "".join(f"|{name}:{value}" for name, value in taken.items() if value is not None)
    return f"{head}|v:{version}"


def count_hypotheses(
    panel: Panel,
    written: Sequence[Hypotheses],
    options: MetricOptions,
    *,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> list[Counted]:
    """Counts of hypotheses that are there already, in their order."""
    expect(progress, len(panel) * (len(written) if options.metric == "errant" else 1))
    if options.metric == "m2":
        names = list(panel.annotators)
        counted = [
            Counted(one.name, CountsTable(annotators=list(names)), OutputCheck(one.place))
            for one in written
        ]
        texts = zip(*(one.sentences for one in written), strict=True)
        rows = zip(panel, texts, strict=True)
        count_rows(rows, counted, options, annotators=names, jobs=jobs, progress=progress)
        return counted
    if options.metric == "errant":
        return _count_errant(panel, written, options, jobs, progress)
    return _count_texts(panel, written, text_metric(options.metric), progress)


def _odd_types(loaded: LoadedPanel, written: Sequence[Hypotheses], level: str) -> list[str]:
    """What is wrong with types of people's edits and of systems' own; ERRANT relies on them."""
    panel, systems = loaded.panel, written[len(loaded.panel.annotators) :]
    extracted = any(one.edits is None for one in systems)
    place = place_of_panel(panel, loaded.gold)
    held = [EditTypes(place, level=level, extracted=extracted, files=loaded.gold).add(panel)]
    for one in systems:
        edits = [sentence for sentence in one.edits or () if sentence is not None]
        held.append(EditTypes(one.place, level=level, files=one.files).add(edits))
    for types in held:
        types.refuse_dropped()
    return [line for types in held for line in types.warnings()]


def people_of(panel: Panel) -> list[Hypotheses]:
    """Every annotator's text, and the edits it comes from."""
    texts: dict[str, list[Tokens | None]] = {name: [] for name in panel.annotators}
    edits: dict[str, list[Sentence | None]] = {name: [] for name in panel.annotators}
    for sentence in panel:
        given = {annotation.annotator: annotation for annotation in sentence.annotations}
        for name in panel.annotators:
            annotation = given.get(name)
            if annotation is None:
                texts[name].append(None)
                edits[name].append(None)
            else:
                texts[name].append(tuple(apply_edits(sentence.tokens, annotation.edits)))
                edits[name].append(sentence._replace(annotations=(annotation,)))
    return [Hypotheses(name, name, texts[name], edits[name]) for name in panel.annotators]


def read_hypotheses(system: System, loaded: LoadedPanel, *, tokenized: bool = True) -> Hypotheses:
    """A system's output for the panel's sentences; the file must be as long as the gold files."""
    if system.is_text:
        stream = read_tokens(system, tokenized=tokenized)
        golds = dict(zip(loaded.numbers, loaded.panel, strict=True))
        tokens: list[Tokens] = []
        for number, one in enumerate(stream, 1):
            if isinstance(stream, JsonTokens) and number in golds:  # may tell its source
                stream.check_source(number, golds[number].tokens)
            tokens.append(one)
        _check_length(system, len(tokens), loaded)
        return Hypotheses(system.name, system.place, loaded.kept(tokens), files=system.files)
    sentences = list(read_sentences(system))
    _check_length(system, len(sentences), loaded)
    sentences = loaded.kept(sentences)
    texts: list[Tokens | None] = []
    for number, gold, given in zip(loaded.numbers, loaded.panel, sentences, strict=True):
        check_source(system, number, given.tokens, gold.tokens)
        texts.append(tuple(apply_edits(gold.tokens, only_annotation(given, system))))
    return Hypotheses(system.name, system.place, texts, sentences, system.files)


def _check_length(system: System, length: int, loaded: LoadedPanel) -> None:
    if length == loaded.total:
        return
    panel, total = loaded.panel.name, loaded.total
    if length > total:
        raise unequal(system.place, panel, length, total)
    raise unequal(panel, system.place, total, length)


def _count_errant(
    panel: Panel,
    written: Sequence[Hypotheses],
    options: MetricOptions,
    jobs: Jobs,
    progress: Progress | None,
) -> list[Counted]:
    """People's edits as they stand; a system's plain text is segmented by errant itself."""
    counted = []
    for one in written:
        check = OutputCheck(one.place)
        places = [
            place
            for place, (text, sentence) in enumerate(zip(one.sentences, panel, strict=True))
            if text is not None and sentence.annotations
        ]
        golds = [panel.sentences[place] for place in places]
        if one.edits is None:
            texts = [one.sentences[place] or () for place in places]
            given = list(extracted(zip(golds, texts, strict=True), check, jobs))
        else:
            given = [edits for place in places if (edits := one.edits[place]) is not None]
        table = errant.count_table(
            given,
            golds,
            level=options.level,
            types=options.types,
            size=options.edit_size,
            names=(one.place, panel.name),
        )
        made = Counted(one.name, _spread(table, places, panel), check)
        if one.edits is None:
            made.extractor = extraction.describe_extractor()
        counted.append(made)
        if progress is not None:
            progress(len(panel))
    return counted


def _count_texts(
    panel: Panel, written: Sequence[Hypotheses], metric: TextMetric, progress: Progress | None
) -> list[Counted]:
    """Texts against texts: nothing has to be segmented."""
    counted = [
        Counted(
            one.name,
            CountsTable(columns=metric.columns, annotators=list(panel.annotators)),
            OutputCheck(one.place),
        )
        for one in written
    ]
    number = {name: place for place, name in enumerate(panel.annotators)}
    for place, sentence in enumerate(panel):
        names = [number[annotation.annotator] for annotation in sentence.annotations]
        references = [apply_edits(sentence.tokens, a.edits) for a in sentence.annotations]
        hypotheses = [one.sentences[place] for one in written]
        rows = metric.count(sentence.tokens, hypotheses, references)
        for one, hypothesis, counts in zip(counted, hypotheses, rows, strict=True):
            if hypothesis is None:
                one.table.append(())
            else:
                one.check.look(sentence.tokens, hypothesis)
                one.table.append(zip(names, counts, strict=True))
        if progress is not None:
            progress(1)
    for one in counted:
        set_documents(one.table, [sentence.document for sentence in panel])
    return counted


def _spread(table: CountsTable, places: Sequence[int], panel: Panel) -> CountsTable:
    """A table of some of the panel's sentences as one of all, its annotators in their order."""
    number = {name: place for place, name in enumerate(panel.annotators)}
    annotators = [number[name] for name in table.annotators]
    columns = [table.values[column] for column in table.columns]
    whole = CountsTable(table.columns, list(panel.annotators))
    among = dict(zip(places, range(len(table)), strict=True))
    for place in range(len(panel)):
        rows = table.rows(among[place]) if place in among else range(0)
        whole.append(
            (annotators[table.annotator[row]], [column[row] for column in columns]) for row in rows
        )
    set_documents(whole, [sentence.document for sentence in panel])
    return whole
