"""A panel held in memory, for the verbs that look at it from many sides.

All of it or some documents, with exactly those as candidates who looked at a sentence.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from jurybox.counting.systems import Gold, files_of_panel, gold_from
from jurybox.errors import InputError, JuryboxNote, UsageError, warn
from jurybox.formats import Input, PanelStream, as_input
from jurybox.formats.edits import coverage as maps
from jurybox.formats.edits.documents import EVERYTHING
from jurybox.formats.edits.documents import select as pick_documents
from jurybox.formats.edits.missing_annotators import (
    AUTO,
    SKIPPED,
    Implied,
    explain_gaps,
    find_gaps,
    list_missing,
)
from jurybox.formats.edits.panel import PanelFile, with_documents
from jurybox.formats.given_values import as_words
from jurybox.model import Panel, Sentence
from jurybox.shared_options import PanelOptions

#: in a document this long, without a single edit where others average this many, somebody may
#: have skipped it
LONG, BUSY = 5, 5.0


#: documents or sentences: "1-10", 3, or a list of such
Selection = str | int | Sequence[str | int] | None


def as_selection(select: Selection) -> str | None:
    """A selection as it is written on the command line.

    >>> as_selection(["1-3", 7]), as_selection(4), as_selection(None)
    ('1-3,7', '4', None)
    """
    if select is None or isinstance(select, str):
        return select
    return ",".join(as_words(select, "select"))


class LoadedPanel(NamedTuple):
    """A panel, the files it comes from, and which of their sentences it holds (from 1)."""

    panel: Panel
    inputs: tuple[Input, ...]
    numbers: tuple[int, ...]
    sentences: tuple[Sentence, ...]  # all of the files, those left out of the panel as well
    missing_annotator: str | None = None  # the rule that put annotators into sentences, if one did
    gold: tuple[Input, ...] = ()  # those of the files that hold the annotators' edits
    select: str | None = None  # the documents that were taken, where not all were
    coverage: str | None = None  # "all" or "map", where it says who looked at what
    aligned: str | None = None  # how edits were found in corrected texts, if they were

    @property
    def total(self) -> int:
        """How many sentences the files have."""
        return len(self.sentences)

    @property
    def signed(self) -> dict[str, str | None]:
        """Which part of the files this is and how it was read, for the signature."""
        return {
            "documents": self.select,
            "coverage": self.coverage,
            "missing": self.missing_annotator,
            "gold": self.aligned,
        }

    @property
    def recorded(self) -> dict[str, str | None]:
        """The same as options of the result."""
        rule = {"missing_annotator": self.missing_annotator} if self.missing_annotator else {}
        return {"select": self.select, "coverage": self.coverage, **rule}

    def kept(self, parallel: Sequence[Any]) -> list[Any]:
        """Of something parallel to the files, what belongs to the panel's sentences."""
        return [parallel[number - 1] for number in self.numbers]


def load_panel(
    gold: Gold,
    *,
    gold_format: str | None = None,
    documents: Any = None,
    select: Selection = None,
    coverage: Any = None,
    missing_annotator: str = AUTO,
) -> LoadedPanel:
    r"""Read a panel, or take one in memory; pick documents; settle who looked at what.

    `select` names documents, as "1-10"; `coverage` is a coverage map, a dict of what each
    annotator looked at, or "all": everybody looked at everything. `missing_annotator` says what it
    means that an annotator has no line in a sentence (formats.edits.missing_annotators);
    `coverage` says who looked, and then only what those who looked made of a sentence is left to
    it.

    >>> text = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n\nS B .\n\nS C .\n"
    >>> loaded = load_panel(Input.from_text(text), documents=["x", "y", "y"], select="y")
    >>> loaded.numbers, [sentence.text for sentence in loaded.panel]
    ((2, 3), ['B .', 'C .'])
    """
    if isinstance(documents, (str, os.PathLike)):
        documents = Input(documents)
    if isinstance(gold, Panel) and documents is not None:
        placed = tuple(with_documents(iter(gold), documents, gold.name))
        gold, documents = Panel(placed, gold.annotators, gold.name), None
    if coverage is not None and missing_annotator == SKIPPED:
        raise UsageError(
            "--coverage says who looked at a sentence, --missing-annotator skipped says that the "
            "lines of the file do: leave one of them out"
        )
    source = gold_from(
        gold, gold_format=gold_format, documents=documents, missing_annotator=missing_annotator
    )
    sentences = list(source)
    annotators = source.annotators
    files = files_of_panel(source)
    inputs = list(files)
    if isinstance(documents, Input):
        inputs.append(documents)
    if not sentences:
        raise InputError("the panel has no sentences; the files are empty")
    sentences = _in_order(sentences, annotators)
    read = sentences
    if coverage is not None:
        sentences = _settle(sentences, annotators, coverage, inputs)
    if missing_annotator == AUTO:
        _tell_of_gaps(source, read, sentences if coverage is not None else None)
    if coverage is None:
        _tell_of_silence(sentences, annotators)
    rule = None  # that put missing annotators into sentences
    if any(isinstance(one, Implied) for s in sentences for one in s.annotations):
        members = source.files if isinstance(source, PanelStream) else ()
        rule = next((file.rule for file in members if file.rule != SKIPPED), None)
    wanted = as_selection(select)
    places = list(range(len(sentences)))
    if wanted is not None:
        documents_of = [sentence.document for sentence in sentences]
        if None in documents_of:
            raise InputError(
                f"--documents {wanted} needs to know where documents begin: name the SGML file or "
                f"a document map as well, as --documents essays.sgml {wanted}"
            )
        names = list(dict.fromkeys(map(str, documents_of)))
        chosen = {names[place] for place in pick_documents(wanted, names)}
        places = [place for place in places if documents_of[place] in chosen]
    if coverage is not None:  # what nobody looked at is no part of the panel; a warning counted it
        places = [place for place in places if sentences[place].annotations] or places
    panel = Panel(tuple(sentences[place] for place in places), annotators, source.name)
    everybody = isinstance(coverage, str) and coverage in EVERYTHING
    return LoadedPanel(
        panel,
        tuple(inputs),
        tuple(place + 1 for place in places),
        tuple(sentences),
        rule,
        files,
        wanted,
        None if coverage is None else "all" if everybody else "map",
        source.aligned if isinstance(source, PanelStream) else None,
    )


def load_panel_of(call: PanelOptions) -> LoadedPanel:
    """The panel that the options of a verb name."""
    return load_panel(
        call.gold,
        gold_format=call.gold_format,
        documents=call.documents,
        select=call.select,
        coverage=call.coverage,
        missing_annotator=call.missing_annotator,
    )


def _in_order(sentences: Sequence[Sentence], annotators: Sequence[str]) -> list[Sentence]:
    """Annotations in the panel's order, which is that in which ties are broken."""
    number = {name: place for place, name in enumerate(annotators)}
    ordered = []
    for sentence in sentences:
        places = [number[annotation.annotator] for annotation in sentence.annotations]
        if places != sorted(places):
            by_place = sorted(sentence.annotations, key=lambda one: number[one.annotator])
            sentence = sentence._replace(annotations=tuple(by_place))  # noqa: PLW2901  the same one
        ordered.append(sentence)
    return ordered


def _settle(
    sentences: Sequence[Sentence],
    annotators: Sequence[str],
    coverage: Any,
    inputs: list[Input],
) -> list[Sentence]:
    """The sentences with the candidates the coverage map names."""
    if isinstance(coverage, str) and coverage in EVERYTHING:
        everything = frozenset(range(len(sentences)))
        return maps.apply(sentences, annotators, dict.fromkeys(annotators, everything))
    if isinstance(coverage, dict):
        rows: dict[str, tuple[tuple[int, str], ...]]
        rows = {name: ((1, as_selection(which) or "none"),) for name, which in coverage.items()}
        unit = "documents" if all(s.document is not None for s in sentences) else "sentences"
        read = maps.Coverage("coverage", unit, rows)
    else:
        source = as_input(coverage)
        read = maps.read(source)
        inputs.append(source)
    covered = read.places(annotators, [sentence.document for sentence in sentences])
    settled = maps.apply(sentences, annotators, covered, name=read.name)
    unseen = sum(not sentence.annotations for sentence in settled)
    if unseen:
        warn(f"{read.name}: nobody looked at {unseen} of {len(settled)} sentences; left out")
    return settled


def _tell_of_gaps(
    source: Panel | PanelStream, read: Sequence[Sentence], settled: Sequence[Sentence] | None
) -> None:
    """Say what the files leave open about annotators without lines, and how it was read.

    `settled` are the sentences with those who looked by a coverage map, if one was given.
    """
    if isinstance(source, Panel):
        _tell_of_absence(source.name, source.annotators, read, settled)
        return
    for file in source.files:
        names = source.annotators_of(file)
        if file.known:
            _tell_of_known(file, names, settled or read)
        elif file.rule == SKIPPED:
            _tell_of_absence(file.source.name, names, read, settled, m2=file.format == "m2")


def _tell_of_known(file: PanelFile, names: Sequence[str], sentences: Sequence[Sentence]) -> None:
    assert file.known is not None
    if file.known.caution:
        warn(f"{file.source.name}: {file.known.caution}")
    if file.rule == SKIPPED:
        return
    put_in = [
        [one for one in sentence.annotations if isinstance(one, Implied) and one.annotator in names]
        for sentence in sentences
    ]
    same = sum(any(one.edits for one in some) for some in put_in)
    unchanged = sum(bool(some) and not any(one.edits for one in some) for some in put_in)
    note = (
        f"{file.source.name} has the checksum of {file.known.name} and is read with "
        f"--missing-annotator {file.rule}: an annotator without a line made the edits of the first "
        f"annotator in {same:,} sentences (types included, which the file does not give) and left "
        f"{unchanged:,} sentences unchanged"
    )
    warnings.warn(note, JuryboxNote, stacklevel=4)


def _tell_of_absence(
    file: str,
    names: Sequence[str],
    read: Sequence[Sentence],
    settled: Sequence[Sentence] | None,
    *,
    m2: bool = False,
) -> None:
    """Say who is missing from how many sentences of one file with several annotators."""
    if len(names) < 2:
        return
    if settled is not None:
        looked = [frozenset(one.annotator for one in sentence.annotations) for sentence in settled]
        gaps = find_gaps(read, names, looked)
        if gaps.edited and m2:
            warn(
                f"{file}: {list_missing(gaps.edited, gaps.sentences)} where others have edits, and "
                "--coverage says that they looked. Read as: no edit. Say --missing-annotator same "
                "if the file leaves out equal edits, or none if this is right"
            )
        return
    gaps = find_gaps(read, names)
    if gaps and m2:
        warn(explain_gaps(gaps, file))
    elif gaps:
        missing = {who: gaps.edited.get(who, 0) + gaps.unedited.get(who, 0) for who in names}
        listed = list_missing({w: n for w, n in missing.items() if n}, gaps.sentences)
        warn(
            f"not every annotator is in every sentence of {file}: {listed}, which count as "
            "skipped. If they were looked at, say --coverage all; if some were, give a coverage map"
        )


def _tell_of_silence(sentences: Sequence[Sentence], annotators: Sequence[str]) -> None:
    """Say where an annotator of a complete panel may have skipped whole documents."""
    if len(annotators) < 2 or any(len(s.annotations) < len(annotators) for s in sentences):
        return
    edits: dict[str, dict[str, int]] = {}
    lengths: Counter[str] = Counter()
    for sentence in sentences:
        if sentence.document is None:
            return
        lengths[sentence.document] += 1
        by = edits.setdefault(sentence.document, dict.fromkeys(annotators, 0))
        for annotation in sentence.annotations:
            by[annotation.annotator] += len(annotation.edits)
    silent: dict[str, list[str]] = {}
    for document, by in edits.items():
        average = sum(by.values()) / (len(by) - 1)
        if lengths[document] >= LONG and average >= BUSY:
            for name in (name for name, count in by.items() if not count):
                silent.setdefault(name, []).append(document)
    for name, documents in silent.items():
        shown = ", ".join(documents[:5]) + (" …" if len(documents) > 5 else "")
        warn(
            f"{name} has no edit in {len(documents)} documents in which the others have many "
            f"({shown}); if they were skipped, say so with --coverage FILE"
        )


def need_two(panel: Panel) -> None:
    """A person can be scored only against another person."""
    if len(panel.annotators) < 2:
        who = f"one annotator ({panel.annotators[0]})" if panel.annotators else "no annotator"
        raise InputError(
            f"the panel has {who}. How people score is measured by holding one person against "
            "another, so at least two are needed: give more annotators' files with --gold"
        )
