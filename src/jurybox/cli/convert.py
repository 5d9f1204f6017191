"""`jurybox convert`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import Output, as_inputs, check_files, check_folder, watched, words
from jurybox.convert import ConvertOptions, convert
from jurybox.errors import UsageError
from jurybox.options import Opt

USAGE = "jurybox convert FILE [FILE ...] TARGET [options]"

#: how the report of what was done can look
FORMS = ("text", "json")

HELP = """\
Convert edits between M2, JSONL, NUCLE SGML and parallel text, and judgments from exports of MTurk,
CrowdFlower (Figure Eight, Appen), Toloka, Label Studio, doccano and Prodigy, from GUG and from
tables to a table, to Label Studio or to doccano.

examples:
  jurybox convert sample/A*.m2 panel.m2
  jurybox convert sample/A1.m2 corrected.txt
  jurybox convert gold.m2 gold.jsonl
  jurybox convert A1.m2 A2.m2 A3.m2 panel.m2
  jurybox convert source.txt gold.m2 --corrected first.txt second.txt
  jurybox convert gold.m2 corrected.txt --annotator 0
  jurybox convert gold.m2 errant.m2 --reextract
  jurybox convert gold.m2 gold.labels --annotator 0
  jurybox convert datasets/conll14 conll14.m2
  jurybox convert essays.sgml essays.m2 --tokens tokenised.m2
  jurybox convert essays.sgml essays.m2 --write-documents documents.txt
  jurybox convert batch.csv judgments.csv --relabel Yes=ok,No=error --cases cases.jsonl
  jurybox convert project.json judgments.csv --pseudonymise
  jurybox convert judgments.csv project.zip"""


class Call(ConvertOptions):
    files: Annotated[
        tuple[str, ...],
        Opt(
            "what to read (several files become one panel) and, last, what to write; the format "
            "is auto-detected when reading, and the ending gives it when writing",
            "FILE",
            positional=True,
            many=True,
        ),
    ]
    output: Annotated[
        str | None,
        Opt("what to write, instead of naming it last; - is standard output", "FILE", short="-o"),
    ] = None
    format: Annotated[
        str,
        Opt(
            "how to report what was done: text (on standard error) or json",
            "FORM",
            values=FORMS,
            noun="format",
        ),
    ] = "text"


#: what the names of files that are converted end in
_FILES = (
    *(".csv", ".tsv", ".jsonl", ".json", ".zip", ".txt", ".gz", ".xz"),
    *(".m2", ".sgml", ".errant"),
)


def _check_key(key: bool | str) -> None:
    """A key is optional, so a file behind the option would be taken for one."""
    if not isinstance(key, str):
        return
    if not key.strip():
        raise UsageError("--pseudonymise: the key is empty; give one, or none")
    if key == "-" or os.path.exists(key) or key.lower().endswith(_FILES):  # noqa: PTH110  quick
        raise UsageError(
            f"--pseudonymise takes {key} for its key; name the files before it, or write "
            "--pseudonymise as the last word"
        )


def run(call: Call) -> None:
    _check_key(call.pseudonymise)
    files, target = list(call.files), call.output
    if target is None:
        target = files.pop()
    if not files:
        raise UsageError("name what to read and, last, what to write: jurybox convert IN OUT")
    as_inputs([*files, *words(call.corrected)])  # standard input once
    check_folder(target)
    # a file may be converted onto itself, but its cases and documents go elsewhere
    for also in filter(None, (call.cases, call.write_documents)):
        check_files(Output(output=str(also)), [*files, target])
    with progress_line("converting") as progress:
        options = dict(call.only(ConvertOptions))
        result = convert(watched(files, progress), target, **options)
    if call.format == "json":
        # Standard output belongs to the converted file when that is written to `-`.
        print(result.to_json(), file=sys.stderr if result.target == "-" else sys.stdout)
    else:
        print(result, file=sys.stderr)
