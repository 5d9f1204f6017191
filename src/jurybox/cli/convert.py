"""`jurybox convert`."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace

from jurybox.cli._label_options import add_map
from jurybox.cli._options import (
    OneOf,
    add_files,
    add_form,
    check_folder,
    check_form,
    check_read_once,
    check_targets,
)
from jurybox.cli._panel_options import DOCUMENTS
from jurybox.cli._progress import progress_line, watched
from jurybox.errors import UsageError

USAGE = "jurybox convert FILE [FILE ...] TARGET [options]"

INPUT_FORMATS = (
    *("m2", "jsonl", "sgml"),
    *("mturk", "crowdflower", "toloka", "label_studio", "doccano", "prodigy", "gug", "long"),
)

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
  jurybox convert essays.sgml essays.m2 --tokens tokenised.m2
  jurybox convert batch.csv judgments.csv --labels Yes=ok,No=error --cases cases.jsonl
  jurybox convert project.json judgments.csv --pseudonymise
  jurybox convert judgments.csv project.zip"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="what to read (several files become one panel) and, last, what to write; the format "
        "is told by content when reading and by the ending when writing",
    )
    add_files(
        parser,
        "--corrected",
        "corrected versions of a plain-text source; edits are found by alignment",
    )
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        type=OneOf("m2", "jsonl", "sgml", "text", "csv", "tsv", "label_studio", "doccano"),
        help="write m2, jsonl, sgml or text (edits), csv, tsv, jsonl, label_studio or doccano "
        "(judgments), whatever the ending says",
    )
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        type=OneOf(*INPUT_FORMATS),
        help=f"read as {', '.join(INPUT_FORMATS[:-1])} or {INPUT_FORMATS[-1]} instead of telling "
        "by content",
    )
    add_files(
        parser,
        "--annotator",
        "keep only these annotators; for text: whose corrections to apply",
        metavar="NAME",
    )
    parser.add_argument(
        "--source-text",
        action="store_true",
        help="write the source text instead of a corrected one",
    )
    parser.add_argument(
        "--tokens",
        metavar="FILE",
        help="lay SGML onto the tokens of this M2 file instead of splitting it by our own rules",
    )
    parser.add_argument("--documents", metavar="FILE", help=DOCUMENTS)
    parser.add_argument(
        "--tokenize",
        action="store_true",
        help="source and corrected texts are plain prose: tokenise them first",
    )
    parser.add_argument(
        "--noop",
        default="needed",
        metavar="WHEN",
        type=OneOf("needed", "always"),
        help="write noop lines where needed, or always as ERRANT does (default: needed)",
    )
    _add_judgments(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="what to write, instead of naming it last; - is standard output",
    )
    add_form(
        parser,
        FORMS,
        "how to report what was done: text (on standard error) or json (default: text)",
    )


def _add_judgments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("judgments")
    add_map(group)
    add_files(
        group, "--labels", "labels to write instead, as Yes=ok,No=error", metavar="WORD=LABEL"
    )
    group.add_argument(
        "--with-rejected",
        action="store_true",
        help="keep judgments that were rejected, tainted or skipped",
    )
    group.add_argument(
        "--pseudonymise",
        nargs="?",
        const=True,
        default=False,
        metavar="KEY",
        help="call raters R1, R2 … in order of appearance; with a key, by names that are the same "
        "in every file written with it",
    )
    group.add_argument(
        "--cases", metavar="FILE", help="write the cases too, as .jsonl, .csv or .tsv"
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


#: what the names of files that are converted end in
_FILES = (
    *(".csv", ".tsv", ".jsonl", ".json", ".zip", ".txt", ".gz", ".xz"),
    *(".m2", ".sgml", ".errant"),
)


def run(options: Namespace) -> None:
    """Convert and say what was written."""
    from jurybox.api.convert import convert
    from jurybox.cli._judgment_options import read_columns, read_labels

    check_form(options, FORMS)
    _check_key(options.pseudonymise)
    files, target = list(options.files), options.output
    if target is None:
        target = files.pop()
    if not files:
        raise UsageError("name what to read and, last, what to write: jurybox convert IN OUT")
    check_read_once([*files, *(options.corrected or ())])
    check_folder(target)
    if options.cases:  # a file may be converted onto itself, but its cases go elsewhere
        check_targets(Namespace(files_read=[*files, target]), options.cases)
    with progress_line("converting") as progress:
        result = convert(
            watched(files, progress),
            target,
            corrected=options.corrected or (),
            to=options.to,
            input_format=options.input_format,
            annotators=options.annotator or (),
            source_text=options.source_text,
            tokens=options.tokens,
            documents=options.documents,
            tokenize=options.tokenize,
            noop=options.noop,
            columns=read_columns(options.map),
            labels=read_labels(options.labels),
            with_rejected=options.with_rejected,
            pseudonymise=options.pseudonymise,
            cases=options.cases,
        )
    if options.format == "json":
        # Standard output belongs to the converted file when that is written to `-`.
        stream = sys.stderr if result.target == "-" else sys.stdout
        print(json.dumps(result.to_dict(), ensure_ascii=False, indent=2), file=stream)
    else:
        print(result, file=sys.stderr)
