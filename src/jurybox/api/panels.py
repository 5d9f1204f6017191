"""A panel held in memory, for the verbs that look at it from many sides.

All of it or some documents, with exactly those as candidates who looked at a sentence.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

from jurybox.api.inputs import Gold, gold_from
from jurybox.errors import InputError, JuryboxWarning
from jurybox.formats import Input, PanelStream, as_input
from jurybox.formats.panel import with_documents
from jurybox.formats.selection import EVERYTHING, select
from jurybox.model import Panel, Sentence

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
    return str(select) if isinstance(select, int) else ",".join(map(str, select))


class LoadedPanel(NamedTuple):
    """A panel, the files it comes from, and which of their sentences it holds (from 1)."""

    panel: Panel
    inputs: tuple[Input, ...]
    numbers: tuple[int, ...]
    total: int  # how many sentences the files have

    def taken(self, select: str | None, coverage: Any) -> dict[str, str | None]:
        """Which part of the files this is, for the signature."""
        settled = "all" if isinstance(coverage, str) and coverage in EVERYTHING else "map"
        return {"documents": select, "coverage": None if coverage is None else settled}

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
) -> LoadedPanel:
    r"""Read a panel, or take one in memory; pick documents; settle who looked at what.

    `select` names documents, as "1-10"; `coverage` is a coverage map, a dict of what each
    annotator looked at, or "all": everybody looked at everything.

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
    source = gold_from(gold, gold_format=gold_format, documents=documents)
    sentences = list(source)
    annotators = source.annotators
    inputs = list(source.inputs) if isinstance(source, PanelStream) else []
    if isinstance(documents, Input):
        inputs.append(documents)
    if not sentences:
        raise InputError("the panel has no sentences; the files are empty")
    sentences = _in_order(sentences, annotators)
    if coverage is not None:
        sentences = _settle(sentences, annotators, coverage, inputs)
    else:
        _tell_of_gaps(sentences, annotators)
    wanted = as_selection(select)
    everything = list(range(len(sentences)))
    places = everything if wanted is None else selected_sentences(sentences, wanted)
    if coverage is not None:  # what nobody looked at was told of, and is no part of the panel
        places = [place for place in places if sentences[place].annotations] or places
    panel = Panel(tuple(sentences[place] for place in places), annotators, source.name)
    return LoadedPanel(panel, tuple(inputs), tuple(place + 1 for place in places), len(sentences))


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


def selected_sentences(sentences: Sequence[Sentence], selection: str) -> list[int]:
    """The places of the sentences whose documents are selected."""
    return selected_places([sentence.document for sentence in sentences], selection)


def selected_places(documents: Sequence[str | None], selection: str) -> list[int]:
    """The same for a list of documents, sentence by sentence."""
    if None in documents:
        raise InputError(
            f"--documents {selection} needs to know where documents begin: name the SGML file or a "
            f"document map as well, as --documents essays.sgml {selection}"
        )
    names = list(dict.fromkeys(str(document) for document in documents))
    chosen = {names[place] for place in select(selection, names)}
    return [place for place, document in enumerate(documents) if document in chosen]


def _settle(
    sentences: Sequence[Sentence],
    annotators: Sequence[str],
    coverage: Any,
    inputs: list[Input],
) -> list[Sentence]:
    """The sentences with the candidates the coverage map names."""
    from jurybox.formats import coverage as maps

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
        _warn(f"{read.name}: nobody looked at {unseen} of {len(settled)} sentences; left out")
    return settled


def _tell_of_gaps(sentences: Sequence[Sentence], annotators: Sequence[str]) -> None:
    """Say where "skipped" and "nothing to correct" look the same, and how to tell them apart."""
    if len(annotators) < 2:
        return
    absent = dict.fromkeys(annotators, 0)
    for sentence in sentences:
        for name in absent.keys() - {annotation.annotator for annotation in sentence.annotations}:
            absent[name] += 1
    if any(absent.values()):
        listed = ", ".join(f"{name} {count}" for name, count in absent.items() if count)
        _warn(
            f"not every annotator is in every sentence (missing: {listed}); these sentences count "
            "as skipped by them. If there was nothing to correct, say --coverage all; if only some "
            "were skipped, give a coverage map"
        )
        return
    for name, documents in _silent_documents(sentences, annotators).items():
        shown = ", ".join(documents[:5]) + (" …" if len(documents) > 5 else "")
        _warn(
            f"{name} has no edit in {len(documents)} documents in which the others have many "
            f"({shown}); if they were skipped, say so with --coverage FILE"
        )


def _silent_documents(
    sentences: Sequence[Sentence], annotators: Sequence[str]
) -> dict[str, list[str]]:
    """Annotator -> documents of some length without an edit by them but many by the others."""
    edits: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for sentence in sentences:
        if sentence.document is None:
            return {}
        lengths[sentence.document] = lengths.get(sentence.document, 0) + 1
        by = edits.setdefault(sentence.document, dict.fromkeys(annotators, 0))
        for annotation in sentence.annotations:
            by[annotation.annotator] += len(annotation.edits)
    silent: dict[str, list[str]] = {}
    for document, by in edits.items():
        average = sum(by.values()) / (len(by) - 1)
        if lengths[document] >= LONG and average >= BUSY:
            for name, count in by.items():
                if not count:
                    silent.setdefault(name, []).append(document)
    return silent


def _warn(message: str) -> None:
    warnings.warn(message, JuryboxWarning, stacklevel=3)


def need_two(panel: Panel) -> None:
    """A person can be scored only against another person."""
    if len(panel.annotators) < 2:
        who = f"one annotator ({panel.annotators[0]})" if panel.annotators else "no annotator"
        raise InputError(
            f"the panel has {who}. How people score is measured by holding one person against "
            "another, so at least two are needed: give more annotators' files with --gold"
        )
