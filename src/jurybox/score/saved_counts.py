"""Counts kept on disk: what matching found, so that nothing has to be matched twice.

One JSON object (`.gz` and `.xz` as everywhere), as `CountsFile` describes it. `starts`, `annotator`
and `values` are those of `model.CountsTable`.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Annotated, Any, Literal, NamedTuple, TextIO

from jurybox._version import __version__
from jurybox.errors import FormatError, InputError, JuryboxError, UsageError
from jurybox.formats import File, Input, as_input, as_inputs, writing
from jurybox.metrics.options import MetricOptions
from jurybox.model import CountsTable
from jurybox.options import argument, verb
from jurybox.records import NOT_EMPTY, Count, Limits, plain
from jurybox.results import RecordedFile, Signature
from jurybox.score import Intervals, is_counts
from jurybox.score.result import ScoreResult
from jurybox.score.scoring import system_score, with_intervals
from jurybox.stats.confidence import ScoringOptions

SCHEMA: Literal["jurybox.counts/1"] = "jurybox.counts/1"


class CountsCall(Intervals):
    """What `score_counts` is called with."""

    sources: File | Sequence[File] = argument(kw_only=False)


class CountsOptions(NamedTuple):
    """The options of the metric, under the names they have in counts files."""

    metric: str
    beta: float
    choice: Annotated[str, "Which annotator counts in a sentence."]
    max_unchanged_words: Annotated[Count, "How many unchanged words an edit may contain (m2)."]
    ignore_case_whitespace: Annotated[
        bool, "Whether hypothesis edits that change only case or white space were left out (m2)."
    ]
    tokenize: Annotated[bool, "Whether hypotheses were tokenised first."]
    level: Annotated[str, "What must be equal (errant)."]
    types: Annotated[Sequence[str] | None, "The error types compared, or null for all (errant)."]
    size: Annotated[str, "The sizes of edits compared (errant): any, single or multi."]
    expected_statistics: Annotated[
        bool, "Whether statistics were averaged over the references instead of drawn (gleu)."
    ]


class SystemCounts(NamedTuple):
    """The counts of one system: per sentence one row for each candidate annotator."""

    name: Annotated[str, "File name, or the name given in Python.", Limits(minLength=1)]
    columns: Annotated[tuple[str, ...], "What was counted, in order.", NOT_EMPTY]
    annotators: Annotated[
        tuple[str, ...],
        "The annotators (for gleu: references) that rows refer to, in tie-break order.",
    ]
    starts: Annotated[
        Sequence[Count],
        "Where each sentence's rows begin, and at last the number of rows: one entry more than "
        "sentences.",
        NOT_EMPTY,
    ]
    annotator: Annotated[Sequence[Count], "For each row the index of its annotator."]
    values: Annotated[Mapping[str, Sequence[int]], "For each column one value per row."]
    by_type: Annotated[
        Sequence[Mapping[str, tuple[int, int, int]]] | None,
        "For each row {type: [TP, FP, FN]}, or null where types were not counted.",
    ]


class CountsFile(NamedTuple):
    """Counts per sentence and annotator, made once and read by compare and score."""

    schema: Annotated[
        Literal["jurybox.counts/1"],
        "Name and version of this schema; it must be the file's first field.",
    ]
    version: Annotated[
        str, "Version of jurybox that made the numbers.", Limits(pattern=r"^\d+\.\d+\.\d+")
    ]
    metric: Annotated[str, "m2, errant, gleu, or the metric of a package."]
    signature: Signature
    options: Annotated[
        CountsOptions,
        "Every option that changes a number. Options of other metrics have their defaults.",
    ]
    inputs: Annotated[
        tuple[RecordedFile, ...],
        "The files behind the numbers, in the order in which they were given; empty where "
        "everything was in memory.",
    ]
    gold: Annotated[
        tuple[RecordedFile, ...],
        "The gold and reference files among the inputs: counts are comparable only if these "
        "agree. Empty where they were in memory.",
    ]
    documents: Annotated[
        Sequence[str] | None, "The document of every sentence, or null where there are none."
    ]
    systems: Annotated[tuple[SystemCounts, ...], "One entry per system.", NOT_EMPTY]


class SavedCounts(NamedTuple):
    """The counts of several systems and how they were made."""

    options: MetricOptions
    signature: str
    inputs: tuple[RecordedFile, ...]
    gold: tuple[RecordedFile, ...]  # those of the inputs that hold gold edits or references
    tables: Mapping[str, CountsTable]


def save_counts(result: ScoreResult, path: str | PathLike[str]) -> None:
    """Keep the counts behind a result, for `compare` and `score_counts`."""
    if not isinstance(result, ScoreResult):
        raise UsageError(f"give the result of jb.score, not a {type(result).__name__}")
    options = result.options.only(MetricOptions)
    refs = max(len(system.table.annotators) for system in result.systems)
    inputs, gold = (
        tuple(RecordedFile(given.name, given.sha256) for given in files)
        for files in (result.inputs, result.gold_inputs)
    )
    tables = {system.name: system.table for system in result.systems}
    signed = dict(part.partition(":")[::2] for part in result.signature.split("|"))
    signature = options.signature(refs, gold=signed.get("gold"))
    with writing(path) as out:
        write_counts(SavedCounts(options, signature, inputs, gold, tables), out)


def write_counts(saved: SavedCounts, out: TextIO) -> None:
    """Write all systems' counts; the documents stand once, they are the same for all."""
    options = dict(saved.options)
    record = CountsFile(
        SCHEMA,
        __version__,
        saved.options.metric,
        saved.signature,
        CountsOptions(size=options.pop("edit_size"), **options),
        saved.inputs,
        saved.gold,
        next((table.documents for table in saved.tables.values()), None),
        tuple(
            SystemCounts(
                name,
                tuple(table.columns),
                tuple(table.annotators),
                table.starts,
                table.annotator,
                {column: table.values[column] for column in table.columns},
                table.by_type,
            )
            for name, table in saved.tables.items()
        ),
    )
    json.dump(plain(record), out, ensure_ascii=False)
    out.write("\n")


@verb(CountsCall)
def score_counts(call: CountsCall) -> ScoreResult:
    """The result again from files written with `save_counts`: nothing is matched.

    With `ci` come the options of `score` that say how intervals are made.
    """
    files = as_inputs(call.sources, "counts")
    if not files:
        raise UsageError("no counts given; name a file that jb.save_counts wrote")
    for file in files:
        if not is_counts(file):
            raise InputError(
                f"{file.name} is not a counts file but another one is; save its counts too: "
                f"jurybox score {file.name} --gold … --save-counts FILE"
            )
    saved = [read_counts(file) for file in files]
    _check_alike(files, saved)
    options = saved[0].options
    tables: dict[str, CountsTable] = {}
    for file, one in zip(files, saved, strict=True):
        for name, table in one.tables.items():
            if name in tables:
                raise InputError(f"{file.name}: '{name}' is in another counts file too; rename one")
            tables[name] = table
    result = ScoreResult(
        options=options.only(ScoringOptions),
        systems=tuple(system_score(name, table, options) for name, table in tables.items()),
        signature=saved[0].signature,
        inputs=tuple(given for one in saved for given in one.inputs),
        gold_inputs=saved[0].gold,
    )
    return with_intervals(result, call) if call.ci else result


def _check_alike(files: Sequence[Input], saved: Sequence[SavedCounts]) -> None:
    """Counts can stand side by side only if they were made in the same way, by the same gold."""
    first = saved[0]
    for file, one in zip(files[1:], saved[1:], strict=True):
        if one.signature != first.signature:
            raise InputError(
                f"{file.name} was made differently ({one.signature}) than {files[0].name} "
                f"({first.signature}); make both with the same options"
            )
        golds = [{given.sha256 for given in each.gold} for each in (one, first)]
        if all(golds) and golds[0] != golds[1]:
            raise InputError(
                f"{file.name} was made against another gold file than {files[0].name}; "
                "systems can be compared only on the same gold"
            )


# --- reading; columns are long, so that `records.restore` would be slow ---


def read_counts(source: File) -> SavedCounts:
    """Read what `write_counts` wrote; anything else is a FormatError that says what is wrong."""
    given = as_input(source)
    text = "\n".join(line for _, line in given.lines())
    try:
        record = json.loads(text)
        if record["schema"] != SCHEMA:
            raise FormatError(
                f"has schema {record['schema']!r}, this version reads {SCHEMA!r}; "
                "make it again with jurybox score --save-counts",
                path=given.name,
            )
        documents = record["documents"]
        tables = {str(system["name"]): _table(system, documents) for system in record["systems"]}
        if not tables or len(tables) < len(record["systems"]):
            raise ValueError("it needs at least one system, each with its own name")
        signature = str(record["signature"])
        if "|v:" not in signature:
            raise ValueError("its signature has no version")
        inputs, gold = (
            tuple(RecordedFile(str(one["path"]), str(one["sha256"])) for one in record[name])
            for name in ("inputs", "gold")
        )
        options = dict(record["options"])
        metric = record["metric"]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as bad:
        raise FormatError(
            f"is not a complete counts file ({type(bad).__name__}: {bad}); "
            "make it again with jurybox score --save-counts",
            path=given.name,
        ) from None
    try:
        known = MetricOptions(
            **{"edit_size" if name == "size" else name: value for name, value in options.items()}
        )
    except (TypeError, JuryboxError) as error:
        raise FormatError(
            f"has options this version does not understand ({error}); make it again",
            path=given.name,
        ) from None
    if known.metric != metric:
        raise FormatError("names two different metrics; make it again", path=given.name)
    return SavedCounts(known, signature, inputs, gold, tables)


def _table(record: Mapping[str, Any], documents: list[str] | None) -> CountsTable:
    by_type = record["by_type"]
    table = CountsTable(
        columns=tuple(record["columns"]),
        annotators=list(record["annotators"]),
        starts=array("q", record["starts"]),
        annotator=array("q", record["annotator"]),
        values={column: array("q", record["values"][column]) for column in record["columns"]},
        by_type=None
        if by_type is None
        else [
            {kind: (int(tp), int(fp), int(fn)) for kind, (tp, fp, fn) in row.items()}
            for row in by_type
        ],
        documents=documents,
    )
    rows = len(table.annotator)
    lengths = [len(values) for values in table.values.values()]
    if by_type is not None:
        lengths.append(len(by_type))
    if list(table.starts[:1]) != [0] or table.starts[-1] != rows or set(lengths) != {rows}:
        raise ValueError("its columns differ in length")
    if list(table.starts) != sorted(table.starts):
        raise ValueError("its sentences are not in order")
    if any(not 0 <= number < len(table.annotators) for number in table.annotator):
        raise ValueError("it names an annotator that is not listed")
    if any(min(table.values.get(column, ()), default=0) < 0 for column in ("tp", "fn")):
        raise ValueError("a count is negative")
    if documents is not None and len(documents) != len(table):
        raise ValueError("its documents and sentences differ in number")
    return table
