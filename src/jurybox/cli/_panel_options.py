"""Options that name a panel of annotators, and systems beside it."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from jurybox.cli._options import OneOf, add_files, check_read_once
from jurybox.errors import UsageError

GOLD = "gold edits: one file, or several single-annotator files as a panel (M2, SGML, JSONL)"
DOCUMENTS = "document of every sentence: one id per line, a CSV, or the SGML file"


def add_panel(parser: ArgumentParser) -> None:
    """The panel of annotators, which part of it, and who looked at what."""
    group = parser.add_argument_group("panel")
    add_files(group, "--gold", GOLD)
    add_files(
        group,
        "--documents",
        f"{DOCUMENTS}; and which of them to take, as 1-10 (numbers in order, or ids)",
        metavar="FILE|WHICH",
    )
    group.add_argument(
        "--coverage",
        metavar="FILE",
        help="who looked at what: a CSV with annotator,documents or annotator,sentences; 'all': "
        "everybody looked at everything",
    )
    add_gold_format(group)


def panel_arguments(options: Namespace) -> dict[str, Any]:
    """The options of `add_panel` as keyword arguments of `load_panel`, and so of every verb."""
    if not options.gold:
        raise UsageError("the panel is missing: give the annotators' files with --gold")
    systems = system_arguments(options).values() if hasattr(options, "system") else ()
    check_read_once([*options.gold, *(options.documents or ()), options.coverage, *systems])
    return {
        "gold": options.gold,
        "gold_format": options.gold_format,
        "coverage": options.coverage,
        **_document_arguments(options),
    }


def add_systems(parser: ArgumentParser) -> None:
    """Systems by name, beside a panel."""
    group = parser.add_argument_group("systems")
    add_files(
        group,
        "--system",
        "a system's corrected sentences, and what to call it (text, M2, SGML or JSONL)",
        metavar="NAME=FILE",
    )
    add_hypothesis_reading(group)


def system_arguments(options: Namespace) -> dict[str, str]:
    """The systems, name by name; a file alone is called by its own name."""
    return named_files(options.system, "--system")


def named_files(values: Sequence[str] | None, flag: str) -> dict[str, str]:
    """Files by name, as NAME=FILE; a file alone is called by its own name.

    >>> named_files(["CAMB=out/camb.txt", "amu.txt"], "--system")
    {'CAMB': 'out/camb.txt', 'amu.txt': 'amu.txt'}
    """
    named: dict[str, str] = {}
    for given in values or ():
        name, equals, path = given.partition("=")
        if not equals or os.path.isfile(given):  # noqa: PTH113  as quick as can be
            name, path = os.path.basename(given), given  # noqa: PTH119  see above
        if not name or not path:
            raise UsageError(f"{flag} {given}: write NAME=FILE, as {flag} CAMB=camb.txt")
        if name in named:
            raise UsageError(f"{flag} {name} is given twice; every system needs its own name")
        named[name] = path
    return named


def _document_arguments(options: Namespace) -> dict[str, Any]:
    """Boundaries are in a file, a selection is anything else: `--documents essays.sgml 1-10`."""
    values = options.documents or ()
    files = [value for value in values if _is_file_name(value)]
    which = [value for value in values if value not in files]
    if len(files) > 1:
        raise UsageError(
            f"--documents takes one file with the documents of all sentences, not {len(files)}"
        )
    return {"documents": files[0] if files else None, "select": ",".join(which) or None}


def _is_file_name(value: str) -> bool:
    """Whether a file is meant: it is there, or it could be nothing else but a missing one."""
    suffixes = (".txt", ".csv", ".sgml", ".sgm", ".jsonl", ".gz", ".xz")
    return value == "-" or "/" in value or value.endswith(suffixes) or os.path.exists(value)  # noqa: PTH110  as quick as can be


def add_gold_format(group: Any) -> None:
    """How gold files are read."""
    group.add_argument(
        "--gold-format",
        metavar="FORMAT",
        type=OneOf("m2", "sgml", "jsonl"),
        help="read gold files as m2, sgml or jsonl instead of telling by content",
    )


def add_hypothesis_reading(group: Any) -> None:
    """How the output of systems is read."""
    group.add_argument(
        "--hyp-format",
        metavar="FORMAT",
        type=OneOf("text", "m2", "sgml", "jsonl"),
        help="read hypotheses as text, m2, sgml or jsonl instead of telling by content",
    )
    group.add_argument(
        "--tokenize",
        action="store_true",
        help="hypotheses are plain prose: undo the usual detokenisation first",
    )
