"""Judgments out of the files that annotation platforms export (docs/formats.md).

`read_judgments_of` reads any of them and auto-detects which; `detect` names the format.
`open_export` gives the same as a stream of blocks of columns, for files that are written on
without being held (`writing.write_export`). `EXPORTS` names the formats.

Every format has a module with `read(input, request)`. What all have in common (rows that do not
count, labels, malformed cells) is in `_export.py`, what tables share in `_columns.py`, what exports
in JSON share in `_objects.py`. `Pseudonyms` gives raters other names: worker ids and addresses are
about people.
"""

from __future__ import annotations

import hmac
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np

from jurybox.errors import (
    Column,
    FormatError,
    UsageError,
    name_line,
    near_name,
    plural,
    unknown_name,
    warn,
)
from jurybox.formats import PLATFORMS
from jurybox.formats._io import BadLines, Input, Source, as_inputs, is_whole_number
from jurybox.formats.given_values import as_word_map
from jurybox.formats.platforms._columns import Moments
from jurybox.formats.platforms._detect import (
    detect,
    explain_unknown,
    is_zip,
    unpack,
    unused_columns,
)
from jurybox.formats.platforms._export import (
    ABOUT_TEXT,
    CASE_FIELDS,
    FIELDS,
    MARKUP,
    NUMBERS,
    STREAMED,
    TIMES,
    WORDS,
    ExportAnswers,
    ExportRequest,
    Raw,
    bad_lines,
    parse_list,
)
from jurybox.formats.platforms.long import REQUIRED
from jurybox.formats.tables._columns import Numbering, all_but_first_answers, find_repeats
from jurybox.formats.tables.arrow_tables import BYTES
from jurybox.formats.tables.coded import Block, Coded, numbered, only, pair_up, words_of
from jurybox.formats.tables.judgments import (
    ExtraColumns,
    JudgmentColumns,
    Repeats,
    WordNumbers,
    note_repeats,
    tell_repeats,
)
from jurybox.formats.tables.long_tables import listed, read_numbers
from jurybox.model import LABEL_BITS, NOTHING, Case, CaseSet, JudgmentTable, NamedCases

#: name of an export format -> its module, with `read` and its TITLE
EXPORTS = {name: f"jurybox.formats.platforms.{name}" for name in (*PLATFORMS, "long")}
MOST_LABELS = (1 << LABEL_BITS) - 1

__all__ = ["EXPORTS", "Export", "Judgments", "Pseudonyms", "detect", "open_export"]
__all__ += ["pseudonymise", "read_judgments_of", "title_of"]


def title_of(name: str) -> str:
    """What a format is called.

    >>> title_of("mturk")
    'MTurk batch results'
    """
    return str(import_module(EXPORTS[name]).TITLE)


class Export:
    """One file or several of one format, as a stream of judgments in columns with our names.

    Blocks can be read once. `fields` are the columns they may have; `left_out`, `currency` and
    `notes` are complete when all blocks were read.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        files: Sequence[Input],
        name: str,
        raws: Sequence[tuple[str, Raw]],
        request: ExportRequest,
    ) -> None:
        self.inputs = tuple(inputs)
        self._files = files  # the same, with zips unpacked
        self.format = name
        self._raws = raws
        self._request = request
        self.left_out: dict[str, int] = {}
        self.columns: Mapping[str, Column] = {}  # of the block that was read last
        self.notes: list[str] = []  # what the user should know
        met = {field for _, raw in raws for field in raw.fields}
        self.fields = tuple(field for field in FIELDS if field in met)

    @property
    def currency(self) -> str:
        """The currency of rewards, if one was named; several are joined by blanks."""
        return " ".join(dict.fromkeys(each for _, raw in self._raws for each in raw.currency))

    @property
    def are_workers(self) -> bool:
        """Whether a column that names raters is called after workers: ids are about people."""
        return any("worker" in raw.titles.get("rater", "").lower() for _, raw in self._raws)

    def unused(self) -> Iterator[str]:
        """Of every file: which columns with answers, or with what was shown, nobody reads."""
        for file, (name, raw) in zip(self._files, self._raws, strict=False):
            if found := unused_columns(self.format, file, raw):
                yield (
                    f"{name}: columns that are not written: {listed(found)}; --columns OURS=COLUMN "
                    "takes one along"
                )

    def blocks(self) -> Iterator[tuple[str, Block]]:
        """(file, block) with the rows that count."""
        rows = 0
        used: set[str] = set()
        met: dict[str, None] = {}
        for name, raw in self._raws:
            answers = ExportAnswers(raw, self._request)
            for block in answers.blocks():
                self.columns = raw.bad.columns
                yield raw.bad.name, block
            rows += answers.rows
            used |= answers.words.used
            met |= answers.words.met
            for reason, count in answers.left_out.items():
                self.left_out[reason] = self.left_out.get(reason, 0) + count
            self.notes += [f"{name}: {note}" for note in (*raw.notes, *answers.notes())]
        for word, label in self._request.labels.items():
            if word.strip().lower() not in used:
                self.notes.append(
                    f"--relabel {word}={label}: nothing is labelled '{word}'{near_name(word, met)}"
                )
        if not rows:
            names = ", ".join(each.name for each in self.inputs)
            count = sum(self.left_out.values())
            what = f": all {count} rows are left out" if count else ""
            reason = f" ({', '.join(self.left_out)})" if count else ""
            message = f"holds no judgment{what}{reason}; was another file meant?"
            raise FormatError(message, path=names)


def open_export(
    sources: Source | Sequence[Source],
    *,
    format: str | None = None,  # noqa: A002  the word the commands use
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    rejected: bool = False,
    held: int = STREAMED,
) -> Export:
    """Open an export; its format is auto-detected unless it is given.

    `columns` maps our fields to titles or keys of the file (`--columns`), `labels` its labels to
    others (`--relabel`). Rejected, tainted and skipped rows are left out and counted unless
    `rejected`. Of large tables about `held` bytes of columns are read at a time.
    """
    mapped, relabelled = as_word_map(columns, "columns"), as_word_map(labels, "labels")
    for field, title in mapped.items():  # nothing would be read for a field that does not exist
        if field not in FIELDS:
            message = str(unknown_name("column", field, FIELDS))
            raise UsageError(f"--columns {field}={title}: {message}")
    request = ExportRequest(mapped, relabelled, rejected, held)
    if format is not None and format not in EXPORTS:
        raise unknown_name("format", format, EXPORTS)
    given = as_inputs(sources, "judgments", REQUIRED)
    if not given:
        raise UsageError("no judgments given; name a file")
    files = [
        file for each in given for file in (unpack(each) if is_zip(each) else [(each.stem, each)])
    ]
    names: set[str] = set()
    for _, file in files:
        name = format or detect(file)
        if name is None and not request.columns:
            raise explain_unknown(file)
        names.add(name or "long")
    if len(names) > 1:
        raise UsageError(
            f"the files have different formats ({', '.join(sorted(names))}); convert them one by "
            "one and give the results together"
        )
    name = names.pop()
    module = import_module(EXPORTS[name])
    if name == "doccano":  # spans of one text stand in several files
        raws = [(files[0][1].name, module.read_users(list(files), request))]
    else:
        raws = [(file.name, module.read(file, request)) for _, file in files]
    return Export(given, [file for _, file in files], name, raws, request)


class CaseFacts:
    """Cases in order of appearance, with what was shown and the labels known to be right."""

    def __init__(self, bad: BadLines) -> None:
        self._bad = bad
        self._numbers = Numbering("case")
        self._known = 0  # cases met so far
        self._cases: dict[int, Case] = {}  # those of which more is known than the name
        self._sentences: dict[str, str] = {}  # many cases share a sentence: hold it once
        self._gold: dict[int, str] = {}
        self._markup = 0
        self._first_markup = ""

    def take(self, block: Block) -> tuple[np.ndarray, Block]:
        """The judgments of a block, and the numbers of their cases; new cases are kept."""
        numbers = self._numbers.numbers(block.cells["case"])
        fields = [field for field in CASE_FIELDS if field in block.cells]
        if fields and len(self._numbers.names) > self._known:
            for number, row in zip(*np.unique(numbers, return_index=True), strict=True):
                if number >= self._known:
                    facts = {field: block.cells[field][row] for field in fields}
                    self._cases[int(number)] = self._case(int(number), facts, block.lines[row])
        self._known = len(self._numbers.names)
        self._take_gold(block, numbers)
        if all(words_of(block.cells["label"])):
            return numbers, block
        keep = numbered(block.cells["label"], bool, "bool")  # other rows only tell of a case
        return numbers[keep], only(block, keep)

    def _case(self, number: int, facts: dict[str, str], line: int) -> Case:
        given = facts.get("sentence", "")
        sentence = self._sentences.setdefault(given, given)
        if ("<" in sentence or "&" in sentence) and MARKUP.search(sentence):
            column = self._bad.columns.get("sentence")
            place = ", ".join(filter(None, [name_line(self._bad.name, line), str(column or "")]))
            self._first_markup = self._first_markup or place
            self._markup += 1
        start, end = self._span(facts.get("start", ""), facts.get("end", ""), line)
        written, construction, document, before, after = (
            facts.get(field, "") for field in ("written", *ABOUT_TEXT)
        )
        known = (self._numbers.names[number], sentence, start, end, written, construction)
        return Case(*known, document or None, before=before, after=after)

    def _span(self, start: str, end: str, line: int) -> tuple[int | None, int | None]:
        if not start.strip() and not end.strip():
            return None, None
        if is_whole_number(start.strip()) and is_whole_number(end.strip()):
            span = int(start), int(end)
            if span[0] <= span[1]:
                return span
        self._bad.add(
            line,
            f"start '{start[:20]}' and end '{end[:20]}' must be two numbers of tokens, from 0, the "
            "start first",
            "start",
        )
        return None, None

    def _take_gold(self, block: Block, numbers: np.ndarray) -> None:
        column = block.cells.get("gold")
        if column is None or not any(words_of(column)):
            return
        coded = Coded.of(column)
        for row in pair_up(numbers, coded.codes)[0]:
            number, cell = int(numbers[row]), coded[row]
            if cell and self._gold.setdefault(number, cell) != cell:
                self._bad.add(
                    block.lines[row],
                    f"gold is {cell}, but for case '{self._numbers.names[number]}' it was "
                    f"{self._gold[number]} before; a case has one set of right labels",
                    "gold",
                )

    def finish(self) -> CaseSet:
        """All cases met; complaints about them are raised."""
        self._bad.raise_first()
        names = self._numbers.names
        cases = CaseSet(NamedCases(names))
        if self._cases:
            cases = CaseSet(tuple(self._cases.get(n) or Case(name) for n, name in enumerate(names)))
        # what begins with [ may be a label
        gold = {number: tuple(parse_list(cell)) or (cell,) for number, cell in self._gold.items()}
        return cases.with_gold(gold)

    def notes(self) -> list[str]:
        if not self._markup:
            return []
        return [
            f"{plural(self._markup, 'sentence')} with HTML (first: {self._first_markup}): kept as "
            "written"
        ]


def place_in_memory(row: int) -> tuple[str, int]:
    """What to call a row of a table that no file holds."""
    return "judgments", row + 1


class Judgments(NamedTuple):
    """Judgments with the labels of their file, the cases, and what the user should know.

    `extra` holds the columns that were asked for and are there: numbers (`seconds`, `confidence`,
    `trust`, `reward`, and `started`, `submitted` in seconds since 1970; nan where missing) and
    words (`batch`, `context`, `first`, `second`, `shown`, `status`, and those about the case, as
    `written`).
    """

    table: JudgmentTable
    cases: CaseSet
    extra: ExtraColumns
    repeats: Repeats
    left_out: dict[str, int]  # reason -> rows
    format: str
    currency: str
    notes: tuple[str, ...]
    are_workers: bool = False  # raters are called after a column with ids of workers
    place: Callable[[int], tuple[str, int]] = place_in_memory  # file and line of a row


class Collector(JudgmentColumns):
    """Blocks of columns to a table of judgments with the labels of their file."""

    def __init__(self, extra: Sequence[str], repeats: str) -> None:
        for field in extra:
            if field not in (*NUMBERS, *TIMES, *WORDS, *CASE_FIELDS):
                raise unknown_name("column", field, (*NUMBERS, *TIMES, *WORDS, *CASE_FIELDS))
        if repeats not in ("first", "keep"):
            raise UsageError(f"repeats must be 'first' or 'keep', not '{repeats}'")
        words = {field: _StrippedWords() for field in extra if field in (*WORDS, *CASE_FIELDS)}
        super().__init__([field for field in extra if field not in words], words)
        self._keeps_repeats = repeats == "keep"
        self.bad = bad_lines("")
        self.facts = CaseFacts(self.bad)
        self._labels = Numbering("label")
        self._moments = Moments()
        self._dropped: Iterable[int] = ()

    def take(self, block: Block, name: str) -> None:
        """Add the judgments of a block of the file `name`."""
        cases, block = self.facts.take(block)
        if not len(cases):
            return
        raters = self._raters.numbers(block.cells["rater"])
        labels = self._labels.numbers(block.cells["label"])
        names = self._labels.names
        if len(names) > MOST_LABELS:
            raise FormatError(
                f"'{names[MOST_LABELS][:40]}' is the {MOST_LABELS + 1}th different label (the "
                f"first are '{names[0][:40]}' and '{names[1][:40]}'), and {MOST_LABELS} is the "
                "most there can be; round numbers before they are read, or if the answer is in "
                "another column, choose it with --columns label=COLUMN",
                path=name,
                line=block.lines[int((labels == MOST_LABELS).argmax())],
                column=self.bad.columns.get("label"),
            )
        self.take_corrections(block, self.bad)
        self._case.extend(cases)
        self._answer.extend(raters | labels)
        self._lines.add(name, block.lines)
        self.take_raters(block, raters, self.bad)
        self.take_extra(block, self.bad)

    def read_corrections(self, correction: str, alternatives: str) -> list[str]:
        others = parse_list(alternatives.strip())
        if alternatives.strip() and not others:
            raise ValueError('alternatives must be a JSON list of words, as ["at", "on the"]')
        words = [correction, *others] if correction.strip() else others
        return ["" if word == NOTHING else word for word in words]

    def read_column(self, block: Block, field: str, bad: BadLines) -> array[float] | np.ndarray:
        """A further column of numbers; times are seconds since 1970."""
        if field in TIMES:
            return numbered(block.cells[field], self._moments.__getitem__, "float64")
        return read_numbers(block, field, bad)

    def finish(self) -> tuple[JudgmentTable, ExtraColumns, Repeats]:
        """Judgments, further columns, and who judged a case again."""
        self.bad.raise_first()
        table = self.finish_table(self._labels.names)
        found = find_repeats(table.case, table.answer)
        repeats = tell_repeats(found, found.same, self._lines)
        dropped = None
        if len(found.rows) and not self._keeps_repeats:
            dropped = all_but_first_answers(found, table.answer, table.labels)
            self._dropped = dropped.tolist()
        return table, self.finish_extra(table, dropped), repeats

    def place(self, row: int) -> tuple[str, int]:
        """The file and the line that a row of the finished table stands in."""
        for dropped in sorted(self._dropped):
            row += dropped <= row
        return self._lines.place(row)


class _StrippedWords(WordNumbers):
    """Words to numbers; white space around a word does not count."""

    def __missing__(self, given: str) -> int:
        word = given.strip()
        return super().__missing__(word) if word == given else self[word]


def read_judgments_of(
    sources: Source | Sequence[Source],
    *,
    format: str | None = None,  # noqa: A002  the word the commands use
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    rejected: bool = False,
    extra: Sequence[str] = (),
    repeats: str = "first",
) -> Judgments:
    r"""The judgments of an export or a long table, with the labels spelled as they were read.

    `extra` names further columns to keep. Of judgments by one rater on one case the first counts;
    `repeats="keep"` keeps all, for the agreement of raters with themselves. What was left out is
    also a JuryboxWarning.

    >>> text = "HITId,AssignmentId,WorkerId,Answer.Q1\nh1,a1,w1,No\nh1,a2,w2,Yes\n"
    >>> found = read_judgments_of(Input.from_text(text))
    >>> found.format, found.table.labels, [case.id for case in found.cases.cases]
    ('mturk', ['No', 'Yes'], ['h1'])
    """
    export = open_export(
        sources, format=format, columns=columns, labels=labels, rejected=rejected, held=BYTES
    )
    collector = Collector(extra, repeats)
    for name, block in export.blocks():
        collector.bad.name, collector.bad.columns = name, dict(export.columns)
        collector.take(block, name)
    table, columns_kept, again = collector.finish()
    cases = collector.facts.finish()
    counted = "all of them count" if repeats == "keep" else "the first answer counts"
    notes = [*export.notes, *collector.facts.notes(), *note_repeats(again, counted)]
    warn(*notes)
    if export.format != "long":
        notes.insert(0, f"read as {title_of(export.format)}")
    return Judgments(
        table,
        cases,
        columns_kept,
        again,
        export.left_out,
        export.format,
        export.currency,
        tuple(notes),
        export.are_workers,
        collector.place,
    )


class Pseudonyms(dict[str, str]):
    """Stable names: R1, R2 … in order of first appearance, or with a key from a keyed hash.

    The hash gives a rater the same name in every file that is written with the same key, and nobody
    without the key can find out whose it is.

    >>> names = Pseudonyms()
    >>> names["A2XY"], names["A7QQ"], names["A2XY"]
    ('R1', 'R2', 'R1')
    >>> Pseudonyms("secret")["A2XY"] == Pseudonyms("secret")["A2XY"] != Pseudonyms("other")["A2XY"]
    True
    """

    def __init__(self, key: str = "") -> None:
        super().__init__()
        self._key = key.encode()

    def __missing__(self, rater: str) -> str:
        if not rater:
            return ""
        if self._key:
            digest = hmac.new(self._key, rater.encode(), "sha256").hexdigest()
            found = f"R{digest[:12]}"
        else:
            found = f"R{len(self) + 1}"
        self[rater] = found
        return found


def pseudonymise(raters: Iterable[str], key: str = "") -> dict[str, str]:
    """Rater -> the name that stands for them.

    >>> pseudonymise(["A2XY", "A7QQ", "A2XY"])
    {'A2XY': 'R1', 'A7QQ': 'R2'}
    """
    names = Pseudonyms(key)
    return {rater: names[rater] for rater in raters}
