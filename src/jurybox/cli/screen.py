"""`jurybox screen`."""

from __future__ import annotations

import os
from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import Output, as_inputs, check_files, check_forms, deliver, watched, words
from jurybox.errors import UsageError
from jurybox.options import Opt
from jurybox.raters.screen import Screen, screen

USAGE = "jurybox screen JUDGMENTS [...] [options]"

HELP = """\
Raters who should perhaps not count: they are wrong on known answers, at chance, too fast, always
give the same answer, or are spammers (found without known answers too). And what changes without
them.

examples:
  jurybox screen sample/judgments.csv
  jurybox screen judgments.csv --gold known.csv --min-accuracy 0.8
  jurybox screen judgments.csv --drop inaccurate fast --save-judgments kept.csv
  jurybox screen batch.csv --columns label=Answer.Q1 --show-raters"""


class Call(Screen, Output, group="output"):
    save_judgments: Annotated[
        str | None,
        Opt("write the judgments of the raters who stay, as .csv, .tsv or .jsonl", "FILE"),
    ] = None
    keep_flags: Annotated[
        bool, Opt("write everybody's judgments with --save-judgments, and a column flags")
    ] = False


def run(call: Call) -> None:
    from jurybox.raters.screen.kept_judgments import save_screened

    files, target = words(call.judgments), call.save_judgments
    check_files(call, [*files, *words(call.gold)], target)
    key = call.pseudonymise
    if isinstance(key, str) and (not key.strip() or os.path.exists(key)):  # noqa: PTH110  quick
        raise UsageError(
            f"--pseudonymise takes '{key}' for its key; name the files before it, or write "
            "--pseudonymise as the last word"
        )
    check_forms(target)
    if "-" == target == call.output:
        raise UsageError("standard output takes one thing: name a file with --save-judgments")
    if call.keep_flags and not target:
        raise UsageError("--keep-flags: name the file to write with --save-judgments")
    with progress_line("reading") as progress:
        read = watched(files, progress)
        if target:  # read twice
            read = [given.keep() for given in as_inputs(files)]
        result = screen.of(call.replace(judgments=read, progress=progress))

    def save() -> None:
        save_screened(
            result,
            read,
            target or "",
            keep_flags=call.keep_flags,
            pseudonymise=key,
            columns=call.columns,
            labels=call.relabel,
            input_format=call.input_format,
        )

    deliver(result, call, save=save if target else None)
