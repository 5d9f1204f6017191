"""Coverage maps: who looked at what.

A single-annotator M2 file has no line for a sentence that needs no correction, and none for one
that was never looked at. A coverage map tells them apart. It is a CSV with one of two headers:

    annotator,documents          annotator,sentences
    A1,all                       A1,all
    A2,1-10 12                   A2,1-229
    A2,essay-31                  A3,none

The second column is a selection as of `--documents` (documents.py); several rows of an annotator
add up. Every annotator must be named, so that nobody is forgotten in silence.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from jurybox.errors import InputError, UsageError
from jurybox.formats._io import BadLines, File, as_input
from jurybox.formats.edits.documents import select
from jurybox.formats.edits.missing_annotators import Implied
from jurybox.model import Annotation, Sentence

UNITS = ("documents", "sentences")
NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Coverage:
    """For every annotator what they looked at: rows of (line in the file, selection)."""

    name: str
    unit: str  # one of UNITS
    rows: dict[str, tuple[tuple[int, str], ...]]

    def places(
        self, annotators: Sequence[str], documents: Sequence[str | None]
    ) -> dict[str, frozenset[int]]:
        """The sentences, from 0, that each annotator looked at."""
        for name in annotators:
            if name not in self.rows:
                raise InputError(
                    f"{self.name} does not say what {name} looked at; add the line '{name},all' "
                    "if it was everything"
                )
        for name in self.rows:
            if name not in annotators:
                raise InputError(
                    f"{self.name}:{self.rows[name][0][0]}: there is no annotator '{name}' in the "
                    f"panel ({', '.join(annotators)})"
                )
        if self.unit == "sentences":
            names = [str(number) for number in range(1, len(documents) + 1)]
            return {a: frozenset(self._selected(a, names, "sentence")) for a in annotators}
        known = [document for document in documents if document is not None]
        if len(known) < len(documents):
            raise InputError(
                f"{self.name} names documents, but not every sentence has one; give their "
                "boundaries with --documents FILE (a document map or the SGML file)"
            )
        names = list(dict.fromkeys(known))
        number = {name: place for place, name in enumerate(names)}
        covered = {}
        for annotator in annotators:
            chosen = set(self._selected(annotator, names, "document"))
            covered[annotator] = frozenset(
                sentence for sentence, name in enumerate(known) if number[name] in chosen
            )
        return covered

    def _selected(self, annotator: str, names: Sequence[str], noun: str) -> list[int]:
        chosen: set[int] = set()
        for line, selection in self.rows[annotator]:
            if selection == NOTHING and NOTHING not in names:
                continue
            try:
                chosen.update(select(selection, names, noun=noun))
            except UsageError as error:
                raise InputError(f"{self.name}:{line}: {error}") from None
        return sorted(chosen)


def read(source: File) -> Coverage:
    r"""Who looked at what.

    >>> from jurybox.formats import Input
    >>> coverage = read(Input.from_text("annotator,sentences\nA1,all\nA2,1-2\nA2,4\n"))
    >>> places = coverage.places(["A1", "A2"], [None] * 5)
    >>> sorted(places["A1"]), sorted(places["A2"])
    ([0, 1, 2, 3, 4], [0, 1, 3])
    """
    given = as_input(source)
    bad = BadLines(given.name)
    lines = given.lines(bad)
    _, header = next(lines, (1, ""))
    titles = [cell.strip().lower() for cell in header.split(",")]
    unit = titles[-1] if titles[-1].endswith("s") else f"{titles[-1]}s"
    if len(titles) != 2 or titles[0] != "annotator" or unit not in UNITS:
        bad.add(1, "the header must be 'annotator,documents' or 'annotator,sentences'")
        bad.raise_first()
    rows: dict[str, list[tuple[int, str]]] = {}
    for number, text in lines:
        if not text or text.isspace():
            continue
        cells = [cell.strip() for cell in next(csv.reader([text]))]
        if len(cells) < 2 or not all(cells):
            bad.add(number, "write an annotator and what they looked at, as 'A2,1-10'")
            continue
        rows.setdefault(cells[0], []).append((number, " ".join(cells[1:])))
    bad.raise_first()
    return Coverage(given.name, unit, {name: tuple(each) for name, each in rows.items()})


def apply(
    sentences: Sequence[Sentence],
    annotators: Sequence[str],
    covered: dict[str, frozenset[int]],
    *,
    name: str = "the coverage map",
) -> list[Sentence]:
    """The sentences with exactly those as candidates who looked at them, in the panel's order.

    Edits where nobody should have looked are an error: one of the two files is wrong. Edits that
    only the rule for missing annotators put there are taken away.
    """
    result = []
    for place, sentence in enumerate(sentences):
        given = {annotation.annotator: annotation for annotation in sentence.annotations}
        candidates = []
        for annotator in annotators:
            if place in covered[annotator]:
                candidates.append(given.get(annotator, Annotation(annotator)))
            elif (
                annotator in given
                and given[annotator].edits
                and not isinstance(given[annotator], Implied)
            ):
                where = f" (document {sentence.document})" if sentence.document else ""
                raise InputError(
                    f"{name} says that {annotator} skipped sentence {place + 1}{where}, but there "
                    "is an edit by them; correct the map"
                )
        result.append(sentence._replace(annotations=tuple(candidates)))
    return result
