"""People as hypotheses: what each annotator wrote, counted against every annotator.

A person's text is the source with that person's edits applied (Bryant and Ng 2015). It is counted
like a system's output, in the same pass: once per hypothesis, annotator and sentence. Where a
person did not look at a sentence, they have no counts in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jurybox.api.checks import OutputCheck
from jurybox.api.count_texts import TextMetric, text_metric
from jurybox.api.counting import Counted, Progress, Tokens, expect, set_documents
from jurybox.api.inputs import (
    System,
    check_source,
    only_annotation,
    read_sentences,
    read_tokens,
)
from jurybox.api.options import Options
from jurybox.api.panels import LoadedPanel
from jurybox.engine.local import cores
from jurybox.errors import LengthError, UsageError
from jurybox.model import CountsTable, Panel, Sentence, apply_edits

#: below so many pairs of hypothesis and annotator, starting processes takes longer than matching
FEW_PAIRS = 20_000


class PanelCounts(NamedTuple):
    """Counts of people and systems against every annotator, sentence by sentence.

    All tables number the annotators in the panel's order. A sentence without rows does not count
    for that hypothesis: nobody looked at it, or the person in question did not.
    """

    annotators: tuple[str, ...]
    people: dict[str, CountsTable]
    systems: dict[str, CountsTable]
    extractor: str | None = None  # what made typed edits out of a system's plain text
    warnings: tuple[str, ...] = ()  # what looks wrong with a system's output


class Hypotheses(NamedTuple):
    """What one person or system made of the panel's sentences; None where nothing was made."""

    name: str
    place: str  # what messages call it
    sentences: Sequence[Tokens | None]
    edits: Sequence[Sentence | None] | None = None  # where it came with edits of its own


def count_people(
    loaded: LoadedPanel,
    systems: Sequence[System],
    options: Options,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> PanelCounts:
    """Counts of every person's and every system's text against every annotator.

    >>> from jurybox.api.panels import load_panel
    >>> from jurybox.model import Annotation, Edit
    >>> x, y = Annotation("x", (Edit(1, 2, "dog"),)), Annotation("y", (Edit(0, 1, "The"),))
    >>> panel = Panel((Sentence(("A", "dogs", "."), (x, y)),), ("x", "y"))
    >>> counts = count_people(load_panel(panel), [], Options())
    >>> list(counts.people["x"].values["tp"]), list(counts.people["x"].values["fn"])
    ([1, 0], [0, 1])
    """
    written = people_of(loaded.panel)
    tokenized = not options.tokenize
    written += [read_hypotheses(system, loaded, tokenized=tokenized) for system in systems]
    return count_hypotheses(loaded.panel, written, options, jobs=jobs, progress=progress)


def choose_jobs(panel: Panel, systems: int, jobs: int | None) -> int:
    """How many processes to match with: as told, or all cores where there is much to do."""
    if jobs is not None:
        if jobs < 1:
            raise UsageError(f"--jobs must be 1 or more, not {jobs}")
        return jobs
    people = len(panel.annotators)
    return cores() if len(panel) * (people + systems) * people >= FEW_PAIRS else 1


def sign_people(options: Options, refs: str, extractor: str | None, **taken: object) -> str:
    """A metric's signature, how people were scored by it, and which part of the panel was taken."""
    head, _, version = options.signature(refs, extractor).rpartition("|v:")
    head += "|people:edits" if options.metric == "errant" else "|people:text"
    head += "".join(f"|{name}:{value}" for name, value in taken.items() if value is not None)
    return f"{head}|v:{version}"


def count_hypotheses(
    panel: Panel,
    written: Sequence[Hypotheses],
    options: Options,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> PanelCounts:
    """The same for hypotheses that are there already; the people come first."""
    expect(progress, len(panel) * (len(written) if options.metric == "errant" else 1))
    if options.metric == "m2":
        counted = _count_maxmatch(panel, written, options, jobs, progress)
    elif options.metric == "errant":
        counted = _count_errant(panel, written, options, jobs, progress)
    else:
        counted = _count_texts(panel, written, text_metric(options.metric), progress)
    people, others = counted[: len(panel.annotators)], counted[len(panel.annotators) :]
    return PanelCounts(
        panel.annotators,
        {one.name: one.table for one in people},
        {one.name: one.table for one in others},
        next((one.extractor for one in others if one.extractor), None),
        (*_of_people(people), *(line for one in others for line in one.check.warnings())),
    )


def _of_people(people: Sequence[Counted]) -> Iterator[str]:
    """What looks wrong with the annotators' edits, in one line for all."""
    left_out = sum(one.check.left_out for one in people)
    if left_out:
        yield (
            f"{left_out} edits of the annotators have type UNK and are left out where corrections "
            "are compared; they count with --level span or token"
        )


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
    if system.format == "text":
        tokens = list(read_tokens(system, tokenized=tokenized))
        _check_length(system, len(tokens), loaded)
        return Hypotheses(system.name, system.place, loaded.kept(tokens))
    sentences = list(read_sentences(system))
    _check_length(system, len(sentences), loaded)
    sentences = loaded.kept(sentences)
    texts: list[Tokens | None] = []
    for number, gold, given in zip(loaded.numbers, loaded.panel, sentences, strict=True):
        check_source(system, number, given.tokens, gold.tokens)
        texts.append(tuple(apply_edits(given.tokens, only_annotation(given, system))))
    return Hypotheses(system.name, system.place, texts, sentences)


def _check_length(system: System, length: int, loaded: LoadedPanel) -> None:
    if length == loaded.total:
        return
    panel = loaded.panel.name
    longer, shorter = (system.place, panel) if length > loaded.total else (panel, system.place)
    raise LengthError(
        f"{longer} is longer than {shorter} ({max(length, loaded.total)} sentences against "
        f"{min(length, loaded.total)}): sentence {min(length, loaded.total) + 1} of {longer} is "
        "the first without a partner; files must hold the same sentences, one by one"
    )


def _count_maxmatch(
    panel: Panel,
    written: Sequence[Hypotheses],
    options: Options,
    jobs: int,
    progress: Progress | None,
) -> list[Counted]:
    from jurybox.api.count_maxmatch import count_rows

    counted = [
        Counted(one.name, CountsTable(annotators=list(panel.annotators)), OutputCheck(one.place))
        for one in written
    ]
    texts = zip(*(one.sentences for one in written), strict=True)
    rows = zip(panel, texts, strict=True)
    count_rows(rows, counted, options, annotators=panel.annotators, jobs=jobs, progress=progress)
    return counted


def _count_errant(
    panel: Panel,
    written: Sequence[Hypotheses],
    options: Options,
    jobs: int,
    progress: Progress | None,
) -> list[Counted]:
    """People's edits as they stand; a system's plain text is segmented by errant itself."""
    from jurybox.api.count_errant import extracted
    from jurybox.edits import errant, extraction

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
            size=options.size,
            names=(one.place, panel.name),
        )
        if options.level.startswith("correction"):
            made_by_it = (edit for each in given for a in each.annotations for edit in a.edits)
            check.left_out = sum(edit.type == errant.UNCORRECTED for edit in made_by_it)
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
