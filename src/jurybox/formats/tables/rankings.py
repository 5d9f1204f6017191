r"""Rankings and scores of systems, by people or by a metric.

A ranking says how a judge orders several systems' outputs for one sentence: a table in CSV, TSV or
JSONL, one row per system, with the columns `sentence`, `system` and `rank` (1 is best, equal ranks
are ties), and optionally `judge` and `item`:

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

A `ranking-item` is one ranking of the sentence `src-id` by `user`. Where no item of the file has a
`src-id`, as in the judgments of Napoles et al. (2015), the sentence is its `id`. Systems with the
same output share a `translation`, their names set apart by blanks: they are ties. Other elements
(sources, references, groups) hold nothing that is needed and are passed by. A judge may rank a
sentence twice: every item is a ranking of its own. Of a file that was cut off, the complete items
are read, with a warning. A document type is refused, and with it entities:
nothing is expanded, nothing else is loaded.

Scores are a table as well:

    system,score            system,metric,score      sentence,system,metric,score
    AMU,0.3510              AMU,m2,0.3510             12,AMU,m2,0.8
    CAMB,0.3703             AMU,gleu,0.6428           12,CAMB,m2,1

Without a column `metric` the file has one metric, named after it. With a column `sentence` the
scores are those of single sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import warn
from jurybox.formats._io import BadLines, Input, Source, as_input, is_whole_number
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.long_tables import LongTable, read_numbers

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

COLUMNS = ("sentence", "judge", "item", "system", "rank")
SCORE_COLUMNS = ("sentence", "system", "metric", "score")


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
    bad = table.bad
    rankings: dict[tuple[str, str, str], dict[str, float]] = {}
    for line, rank, (sentence, judge, item, system, written) in _rows(table, COLUMNS):
        if not sentence or not system:
            name = "system" if sentence else "sentence"
            bad.add(line, f"no {name}; every row names one", name)
        elif isnan(rank):
            if not written:  # what is written but no number was reported before
                bad.add(line, "no rank; leave the row out if nobody ranked it", "rank")
        else:
            ranks = rankings.setdefault((sentence, judge, item), {})
            if system in ranks:
                whose = f"'{judge}' ranks" if judge else "there is a rank for"
                bad.add(
                    line,
                    f"{whose} '{system}' twice in sentence '{sentence}'; a column 'item' keeps "
                    "apart what was ranked twice",
                )
            ranks.setdefault(system, rank)
    table.finish(
        rankings, "holds no ranking; write one row per system below 'sentence,judge,system,rank'"
    )
    return [Ranking(key[0], key[1], ranks) for key, ranks in rankings.items()]


def _rows(table: LongTable, columns: Sequence[str]) -> Iterator[tuple[int, float, list[str]]]:
    """(line, the number in the last column, all cells) of every row; a column may be missing."""
    for block in table.blocks():
        empty = [""] * len(block.lines)
        cells = {name: block.cells.get(name, empty) for name in columns}
        numbers = read_numbers(Block(block.lines, cells), columns[-1], table.bad)
        for line, number, *row in zip(block.lines, numbers, *cells.values(), strict=True):
            yield line, number, list(map(str.strip, row))


class ScoreTable(NamedTuple):
    """Scores by metric: of systems, and of systems on sentences (sentence -> system -> score)."""

    systems: dict[str, dict[str, float]]
    sentences: dict[str, dict[str, dict[str, float]]]


def read_scores(source: Source) -> ScoreTable:
    r"""The scores of a file.

    >>> from jurybox.formats import Input
    >>> read_scores(Input.from_text("system,metric,score\nAMU,m2,.35\nAMU,gleu,.64\n")).systems
    {'m2': {'AMU': 0.35}, 'gleu': {'AMU': 0.64}}
    """
    given = as_input(source)
    table = LongTable(given, SCORE_COLUMNS, required=("system", "score"), can_map=False)
    bad = table.bad
    found = ScoreTable({}, {})
    for line, score, (sentence, system, name, written) in _rows(table, SCORE_COLUMNS):
        by_sentence = "sentence" in bad.columns
        if not system or (by_sentence and not sentence):
            missing = "sentence" if system else "system"
            bad.add(line, f"no {missing}; every score belongs to one", missing)
        elif isnan(score):
            if not written:  # what is written but no number was reported before
                bad.add(line, f"no score for '{system}'; leave the row out", "score")
        else:
            metric = name or given.stem
            if by_sentence:
                scored = found.sentences.setdefault(metric, {}).setdefault(sentence, {})
            else:
                scored = found.systems.setdefault(metric, {})
            if system in scored:
                where = f" on sentence '{sentence}'" if by_sentence else ""
                bad.add(line, f"'{system}' has a score by '{metric}'{where} before; keep one")
            scored[system] = score
    any_score = found.systems or found.sentences
    table.finish(any_score, "holds no score; write one row per system below 'system,score'")
    return found


def is_xml(given: Input) -> bool:
    """Whether a file begins like XML, which no table of ours does."""
    return given.head(512).lstrip().startswith("<")


def holds_rankings(given: Input) -> bool:
    r"""Whether a file holds rankings, not scores: XML, or a table with a column `rank`.

    >>> from jurybox.formats import Input
    >>> holds_rankings(Input.from_text("sentence,system,rank\n")), is_xml(Input.from_text(" <r/>"))
    (True, True)
    """
    if is_xml(given):
        return True
    first = given.head().lstrip().partition("\n")[0].lower()
    if first.startswith("{"):
        return '"rank"' in first
    return "rank" in [title.strip('" \r') for title in first.replace("\t", ",").split(",")]


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
        ends_early = error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]
        if ends_early and (complete := reading.keep_complete()):
            warn(
                f"{given.name} is cut off in line {error.lineno}: the {complete} rankings that are "
                "complete count, the others are lost; get the whole file"
            )
        else:
            bad.add(error.lineno, f"is not well-formed XML ({expat.ErrorString(error.code)})")
    if not reading.rankings and not bad.count:
        bad.add(None, f"holds no <{ITEM}>; is it an export of rankings by Appraise?")
    reading.settle_sentences()
    bad.raise_first()
    if reading.named_twice:
        warn(
            f"{given.name}: {reading.named_twice} times a system stands twice in a ranking with "
            "the same rank; it counts once"
        )
    return reading.rankings


class _XmlReading:
    def __init__(self, parser: XMLParserType, bad: BadLines) -> None:
        self._parser = parser
        self._bad = bad
        self._item: Ranking | None = None
        self._ranks: dict[str, float] = {}
        self._ids: list[tuple[int, str]] = []  # line and id of every item
        self.rankings: list[Ranking] = []
        self.named_twice = 0

    def keep_complete(self) -> int:
        """Forget the item that is still open, if one is; how many there are then."""
        if self._item is not None:
            self.rankings.pop()
            self._ids.pop()
        return len(self.rankings)

    def settle_sentences(self) -> None:
        """An item is about its src-id, or about its id in a file that has no src-id at all."""
        by_id = not any(ranking.sentence for ranking in self.rankings)
        for place, (line, number) in enumerate(self._ids):
            if by_id:
                self.rankings[place] = self.rankings[place]._replace(sentence=number)
            if not self.rankings[place].sentence:
                missing = "id" if by_id else "src-id"
                message = f"a <{ITEM}> without {missing}, which says what sentence it is about"
                self._bad.add(line, message)

    def refuse_document_type(self, *_: object) -> None:
        self._complain("has a document type (<!DOCTYPE ...>), which is not read; remove it")
        self._bad.raise_first()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == ITEM:
            sentence, number = (attributes.get(key, "").strip() for key in ("src-id", "id"))
            self._ranks = {}
            self._item = Ranking(sentence, attributes.get("user", "").strip(), self._ranks)
            self.rankings.append(self._item)
            self._ids.append((self._parser.CurrentLineNumber, number))
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
