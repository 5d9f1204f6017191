r"""Rankings: how a judge orders several systems' outputs for one sentence.

A table in CSV, TSV or JSONL, one row per system, with the columns `sentence`, `system` and `rank`
(1 is best, equal ranks are ties), and optionally `judge` and `item`:

    sentence,judge,system,rank
    12,Ann,AMU,1
    12,Ann,CAMB,2

The rows of one sentence, judge and item are one ranking. `item` keeps apart what a judge ranked
twice.

Or XML as Appraise exports it (detected from its first character), that of Grundkiewicz et al.
(2015), and of SEEDA:

    <appraise-results><error-correction-ranking-result ...>
      <ranking-item src-id="135" id="0" user="annotator01" ...>
        <translation rank="3" system="CAMB"/>
        <translation rank="1" system="IITB INPUT UFC"/>

A `ranking-item` is one ranking of the sentence `src-id` by `user`. Systems with the same output
share a `translation`, their names set apart by blanks: they are ties. Other elements (sources,
references, groups) hold nothing that is needed and are passed by. A judge may rank a sentence
twice: every item is a ranking of its own. A document type is refused, and with it entities:
nothing is expanded, nothing else is loaded.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import JuryboxWarning
from jurybox.formats._io import BOM, BadLines, Input, Source, as_input, is_whole_number
from jurybox.formats.tables.long_tables import Block, LongTable, note_unused, read_numbers

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType


COLUMNS = ("sentence", "judge", "item", "system", "rank")


class Ranking(NamedTuple):
    """What one judge says of some systems on one sentence: a rank for each, the lowest is best."""

    sentence: str
    judge: str
    ranks: Mapping[str, float]


def read(source: Source) -> list[Ranking]:
    r"""All rankings of a file, in the order in which they begin.

    >>> from jurybox.formats import Input
    >>> table = "sentence,judge,system,rank\n7,Ann,AMU,1\n7,Ann,CAMB,2\n7,Bob,AMU,1\n"
    >>> read(Input.from_text(table))[0]
    Ranking(sentence='7', judge='Ann', ranks={'AMU': 1.0, 'CAMB': 2.0})
    """
    given = as_input(source)
    if is_xml(given):
        return read_xml(given)
    table = LongTable(given, COLUMNS, required=("sentence", "system", "rank"), can_map=False)
    reading = _RankingReading(table.bad)
    for block in table.blocks():
        reading.take(block)
    if not reading.rankings and not table.bad.count:
        message = "holds no ranking; write one row per system below 'sentence,judge,system,rank'"
        table.bad.add(None, message)
    table.bad.raise_first()
    if note := note_unused(table):
        warnings.warn(note, JuryboxWarning, stacklevel=2)
    return [Ranking(key[0], key[1], ranks) for key, ranks in reading.rankings.items()]


def is_xml(given: Input) -> bool:
    """Whether a file begins like XML, which no table of ours does."""
    return given.peek(512).removeprefix(BOM).lstrip().startswith(b"<")


def holds_rankings(given: Input) -> bool:
    r"""Whether a file holds rankings, not scores: XML, or a table with a column `rank`.

    >>> from jurybox.formats import Input
    >>> holds_rankings(Input.from_text("sentence,system,rank\n")), is_xml(Input.from_text(" <r/>"))
    (True, True)
    """
    if is_xml(given):
        return True
    head = given.peek().removeprefix(BOM).decode("utf-8", errors="replace").lstrip()
    first = head.partition("\n")[0].lower()
    if first.startswith("{"):
        return '"rank"' in first
    return "rank" in [title.strip('" \r') for title in first.replace("\t", ",").split(",")]


class _RankingReading:
    """Rows to rankings."""

    def __init__(self, bad: BadLines) -> None:
        self._bad = bad
        self.rankings: dict[tuple[str, str, str], dict[str, float]] = {}

    def take(self, block: Block) -> None:
        """Add the rows of a block; what is wrong with them goes to `bad`."""
        empty = [""] * len(block.lines)
        cells = {name: block.cells.get(name, empty) for name in COLUMNS}
        ranks = read_numbers(Block(block.lines, dict(cells)), "rank", self._bad)
        keys = zip(cells["sentence"], cells["judge"], cells["item"], strict=True)
        rows = zip(block.lines, keys, cells["system"], cells["rank"], ranks, strict=True)
        for line, (sentence, judge, item), system, written, rank in rows:
            key = (sentence.strip(), judge.strip(), item.strip())
            self._add(line, key, system.strip(), written, rank)

    def _add(
        self, line: int, key: tuple[str, str, str], system: str, written: str, rank: float
    ) -> None:
        if not key[0] or not system:
            name = "system" if key[0] else "sentence"
            self._bad.add(line, f"no {name}; every row names one", name)
            return
        if isnan(rank):
            if not written.strip():  # what is written but no number was reported before
                self._bad.add(line, "no rank; leave the row out if nobody ranked it", "rank")
            return
        ranks = self.rankings.setdefault(key, {})
        if system in ranks:
            whose = f"'{key[1]}' ranks" if key[1] else "there is a rank for"
            self._bad.add(
                line,
                f"{whose} '{system}' twice in sentence '{key[0]}'; a column 'item' keeps apart "
                "what was ranked twice",
            )
            return
        ranks[system] = rank


ITEM, OUTPUT = "ranking-item", "translation"


def read_xml(source: Source) -> list[Ranking]:
    """All rankings of a file, in their order.

    >>> from jurybox.formats import Input
    >>> item = '<ranking-item src-id="7" user="Ann"><translation rank="1" system="A B"/>'
    >>> read_xml(Input.from_text(f"<r>{item}</ranking-item></r>"))
    [Ranking(sentence='7', judge='Ann', ranks={'A': 1.0, 'B': 1.0})]
    """
    from xml.parsers import expat

    given = as_input(source)
    parser = expat.ParserCreate()
    bad = BadLines(given.name)
    reading = _XmlReading(parser, bad)
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


class _XmlReading:
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
            sentence = attributes.get("src-id", "").strip()
            if not sentence:
                self._complain(f"a <{ITEM}> without src-id, which says what sentence it is about")
            self._ranks = {}
            self._item = Ranking(sentence, attributes.get("user", "").strip(), self._ranks)
            self.rankings.append(self._item)
        elif name == OUTPUT and self._item is not None:
            self._rank(attributes)
        elif name == OUTPUT:
            self._complain(f"a <{OUTPUT}> outside a <{ITEM}>")

    def end(self, name: str) -> None:
        if name == ITEM:
            self._item = None

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
