"""`jurybox convert`."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from jurybox.cli._options import add_files
from jurybox.errors import UsageError, unknown_name

USAGE = "jurybox convert FILE [FILE ...] TARGET [options]"

HELP = """\
Convert edits between M2, JSONL, NUCLE SGML and parallel text.

examples:
  jurybox convert gold.m2 gold.jsonl
  jurybox convert A1.m2 A2.m2 A3.m2 panel.m2
  jurybox convert source.txt gold.m2 --corrected first.txt second.txt
  jurybox convert gold.m2 corrected.txt --annotator 0
  jurybox convert essays.sgml essays.m2 --tokens tokenised.m2"""


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
        "--to", metavar="FORMAT", help="write m2, jsonl, sgml or text, whatever the ending says"
    )
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        help="read as m2, jsonl or sgml instead of telling by content",
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
    parser.add_argument(
        "--documents",
        metavar="FILE",
        help="document of every sentence: one id per line, a CSV, or the SGML file",
    )
    parser.add_argument(
        "--tokenize",
        action="store_true",
        help="source and corrected texts are plain prose: tokenise them first",
    )
    parser.add_argument(
        "--noop",
        default="needed",
        metavar="WHEN",
        help="write noop lines where needed, or always as ERRANT does (default: needed)",
    )
    parser.add_argument(
        "--format",
        default="text",
        metavar="FORM",
        help="how to report what was done: text (on standard error) or json (default: text)",
    )


def run(options: Namespace) -> None:
    """Convert and say what was written."""
    from jurybox.api.convert import convert

    if options.format not in ("text", "json"):
        raise unknown_name("format", options.format, ("text", "json"))
    if len(options.files) < 2:
        raise UsageError("name what to read and, last, what to write: jurybox convert IN OUT")
    result = convert(
        options.files[:-1],
        options.files[-1],
        corrected=options.corrected or (),
        to=options.to,
        input_format=options.input_format,
        annotators=options.annotator or (),
        source_text=options.source_text,
        tokens=options.tokens,
        documents=options.documents,
        tokenize=options.tokenize,
        noop=options.noop,
    )
    if options.format == "json":
        # Standard output belongs to the converted file when that is written to `-`.
        stream = sys.stderr if result.target == "-" else sys.stdout
        print(json.dumps(result.to_dict(), ensure_ascii=False, indent=2), file=stream)
    else:
        print(result, file=sys.stderr)
