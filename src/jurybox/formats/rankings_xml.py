"""Rankings as Appraise exports them: the XML of Grundkiewicz et al. (2015), and of SEEDA.

    <appraise-results><error-correction-ranking-result ...>
      <ranking-item src-id="135" id="0" user="annotator01" ...>
        <translation rank="3" system="CAMB"/>
        <translation rank="1" system="IITB INPUT UFC"/>

A `ranking-item` is one ranking of the sentence `src-id` by `user`. Systems with the same output
share a `translation`, their names set apart by blanks: they are ties. Other elements (sources,
references, groups) hold nothing that is needed and are passed by. A judge may rank a sentence
twice: every item is a ranking of its own.

A document type is refused, and with it entities: nothing is expanded, nothing else is loaded.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

from jurybox.errors import JuryboxWarning
from jurybox.formats._io import BadLines, Source, as_input, is_whole_number

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

    from jurybox.formats.rankings import Ranking

ITEM, OUTPUT = "ranking-item", "translation"


def read(source: Source) -> list[Ranking]:
    """All rankings of a file, in their order.

    >>> from jurybox.formats import Input
    >>> item = '<ranking-item src-id="7" user="Ann"><translation rank="1" system="A B"/>'
    >>> read(Input.from_text(f"<r>{item}</ranking-item></r>"))
    [Ranking(sentence='7', judge='Ann', ranks={'A': 1.0, 'B': 1.0})]
    """
    from xml.parsers import expat

    given = as_input(source)
    parser = expat.ParserCreate()
    bad = BadLines(given.name)
    reading = _Reading(parser, bad)
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.StartDoctypeDeclHandler = reading.refuse_document_type
    try:
        for piece in given.whole_lines():
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        bad.add(error.lineno, f"is not well-formed XML ({expat.ErrorString(error.code)})")
    if not reading.rankings and not bad.count:
        bad.add(None, f"holds no <{ITEM}>; is it an export of rankings by Appraise?")
    bad.raise_first()
    if reading.named_twice:
        message = (
            f"{given.name}: {reading.named_twice} times a system stands twice in a ranking with "
            "the same rank; it counts once"
        )
        warnings.warn(message, JuryboxWarning, stacklevel=2)
    return reading.rankings


class _Reading:
    """Elements to rankings."""

    def __init__(self, parser: XMLParserType, bad: BadLines) -> None:
        self._parser = parser
        self._bad = bad
        self._item: Ranking | None = None
        self._ranks: dict[str, float] = {}
        self.rankings: list[Ranking] = []
        self.named_twice = 0

    def refuse_document_type(self, *_: object) -> None:
        self._complain("has a document type (<!DOCTYPE ...>), which is not read; remove it")
        self._bad.raise_first()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == ITEM:
            self._open(attributes)
        elif name == OUTPUT and self._item is not None:
            self._rank(attributes)
        elif name == OUTPUT:
            self._complain(f"a <{OUTPUT}> outside a <{ITEM}>")

    def end(self, name: str) -> None:
        if name == ITEM:
            self._item = None

    def _open(self, attributes: Mapping[str, str]) -> None:
        from jurybox.formats.rankings import Ranking

        sentence = attributes.get("src-id", "").strip()
        if not sentence:
            self._complain(f"a <{ITEM}> without src-id, which says what sentence it is about")
        self._ranks = {}
        self._item = Ranking(sentence, attributes.get("user", "").strip(), self._ranks)
        self.rankings.append(self._item)

    def _rank(self, attributes: Mapping[str, str]) -> None:
        systems, rank = attributes.get("system", "").split(), attributes.get("rank", "").strip()
        if not systems:
            self._complain(f"a <{OUTPUT}> without the name of a system")
        if not is_whole_number(rank) or int(rank) < 1:
            self._complain(
                f"rank '{rank}' is not a whole number from 1 up; remove what was skipped"
            )
            return
        for system in systems:
            if self._ranks.get(system, int(rank)) != int(rank):
                self._complain(f"'{system}' has two different ranks in one <{ITEM}>")
            self.named_twice += system in self._ranks
            self._ranks[system] = float(rank)

    def _complain(self, message: str) -> None:
        self._bad.add(self._parser.CurrentLineNumber, message)
