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
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module

from jurybox.errors import Column, FormatError, JuryboxWarning, UsageError, near_name, unknown_name
from jurybox.formats._io import Input, Source, as_input, as_inputs
from jurybox.formats.given_values import as_word_map
from jurybox.formats.platforms._detect import detect as detect_one
from jurybox.formats.platforms._detect import explain_unknown, is_zip, unpack, unused_columns
from jurybox.formats.platforms._export import FIELDS, ExportAnswers, ExportRequest, Raw
from jurybox.formats.platforms.collect import Collector, Judgments
from jurybox.formats.platforms.long import REQUIRED
from jurybox.formats.tables.judgments import note_repeats
from jurybox.formats.tables.long_tables import Block, listed

#: name of an export format -> its module, with `read` and its TITLE
EXPORTS: dict[str, str] = {
    name: f"jurybox.formats.platforms.{name}"
    for name in (
        *("mturk", "crowdflower", "toloka", "label_studio", "doccano", "prodigy", "gug"),
        "long",
    )
}


def title_of(name: str) -> str:
    """What a format is called.

    >>> title_of("mturk")
    'MTurk batch results'
    """
    return str(import_module(EXPORTS[name]).TITLE)


def detect(source: Source) -> str | None:
    r"""The export format of a source; None if it is none of them.

    >>> detect(Input.from_text("_unit_id,_worker_id,answer\n"))
    'crowdflower'
    """
    given = as_input(source)
    if is_zip(given):
        names = {detect_one(member) for _, member in unpack(given)}
        return names.pop() if len(names) == 1 else None
    return detect_one(given)


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
        self._raws = list(raws)
        self._request = request
        self.left_out: dict[str, int] = {}
        self.columns: Mapping[str, Column] = {}  # of the block that was read last
        self._notes: list[str] = []
        met = {field for _, raw in raws for field in raw.fields}
        self.fields = tuple(field for field in FIELDS if field in met)

    @property
    def title(self) -> str:
        """What the format is called."""
        return title_of(self.format)

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know."""
        return tuple(self._notes)

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
            self._notes += [f"{name}: {note}" for note in (*raw.notes, *answers.notes())]
        for word, label in self._request.labels.items():
            if word.strip().lower() not in used:
                self._notes.append(
                    f"--relabel {word}={label}: nothing is labelled '{word}'{near_name(word, met)}"
                )
        if not rows:
            names = ", ".join(each.name for each in self.inputs)
            count = sum(self.left_out.values())
            what = f": all {count} rows are left out" if count else ""
            reason = f" ({', '.join(self.left_out)})" if count else ""
            raise FormatError(
                f"holds no judgment{what}{reason}; was another file meant?", path=names
            )


def open_export(
    sources: Source | Sequence[Source],
    *,
    format: str | None = None,  # noqa: A002  the word the commands use
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    rejected: bool = False,
) -> Export:
    """Open an export; its format is auto-detected unless it is given.

    `columns` maps our fields to titles or keys of the file (`--columns`), `labels` its labels to
    others (`--relabel`). Rejected, tainted and skipped rows are left out and counted unless `rejected`.
    """
    request = ExportRequest(
        as_word_map(columns, "columns"), as_word_map(labels, "labels"), rejected
    )
    request.check()
    if format is not None and format not in EXPORTS:
        raise unknown_name("format", format, EXPORTS)
    given = as_inputs(sources, "judgments", REQUIRED)
    if not given:
        raise UsageError("no judgments given; name a file")
    files = [
        file for each in given for file in (unpack(each) if is_zip(each) else [(each.stem, each)])
    ]
    names = {format or _detected(file, request) for _, file in files}
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


def _detected(given: Input, request: ExportRequest) -> str:
    name = detect(given)
    if name is None and not request.columns:
        raise explain_unknown(given)
    return name or "long"


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
    export = open_export(sources, format=format, columns=columns, labels=labels, rejected=rejected)
    collector = Collector(extra, repeats)
    for name, block in export.blocks():
        collector.bad.name, collector.bad.columns = name, dict(export.columns)
        collector.take(block, name)
    table, further, again = collector.finish()
    cases = collector.facts.finish()
    read_as = () if export.format == "long" else (f"read as {export.title}",)
    notes = (
        *read_as,
        *export.notes,
        *collector.facts.notes(),
        *note_repeats(
            again, "all of them count" if repeats == "keep" else "the first answer counts"
        ),
    )
    for note in notes[len(read_as) :]:
        warnings.warn(note, JuryboxWarning, stacklevel=2)
    return Judgments(
        table,
        cases,
        further,
        again,
        export.left_out,
        export.format,
        export.currency,
        notes,
        export.are_workers,
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


__all__ = [
    "EXPORTS",
    "FIELDS",
    "Export",
    "Pseudonyms",
    "detect",
    "open_export",
    "pseudonymise",
    "read_judgments_of",
    "title_of",
]
