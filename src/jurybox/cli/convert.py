"""`jurybox convert`."""

from __future__ import annotations

import json
import sys
from typing import Annotated

from jurybox.cli._options import Files, Flag
from jurybox.errors import UsageError, unknown_name


def convert_command(
    files: list[str],
    /,
    *,
    corrected: Files | None = None,
    to: str | None = None,
    input_format: str | None = None,
    annotator: Files | None = None,
    source_text: Annotated[bool, Flag] = False,
    tokens: str | None = None,
    documents: str | None = None,
    tokenize: Annotated[bool, Flag] = False,
    noop: str = "needed",
    format: str = "text",  # noqa: A002  the option's name
) -> None:
    """Options of the command; its help is in _app.py.

    Parameters
    ----------
    files
        The file or files to read (several become one panel), and last the file to write.
    corrected
        Corrected versions of a plain-text source; edits are found by alignment.
    to
        m2, jsonl, sgml or text, where the target's ending does not tell.
    input_format
        Read as m2, jsonl or sgml instead of telling by content.
    annotator
        Keep only these annotators; for text, whose corrections to apply.
    source_text
        Write the source text instead of a corrected one.
    tokens
        Lay SGML onto the tokens of this M2 file instead of splitting it by our own rules.
    documents
        Document of every sentence: a file with one id per line, a CSV, or the SGML file.
    tokenize
        Source and corrected texts are plain prose: tokenise them first.
    noop
        Write noop lines where needed, or always (as ERRANT does).
    format
        How to report what was done: text or json, on standard error.

    """
    from jurybox.api.convert import convert

    if format not in ("text", "json"):
        raise unknown_name("format", format, ("text", "json"))
    if len(files) < 2:
        raise UsageError("name what to read and, last, what to write: jurybox convert IN OUT")
    result = convert(
        files[:-1],
        files[-1],
        corrected=corrected or (),
        to=to,
        input_format=input_format,
        annotators=annotator or (),
        source_text=source_text,
        tokens=tokens,
        documents=documents,
        tokenize=tokenize,
        noop=noop,
    )
    summary = str(result)
    if format == "json":
        summary = json.dumps(result.to_dict(), ensure_ascii=False, indent=2)
    # Standard output belongs to the converted file when that is written to `-`.
    stream = sys.stderr if result.target == "-" or format == "text" else sys.stdout
    print(summary, file=stream)
