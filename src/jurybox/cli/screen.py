"""`jurybox screen`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from jurybox.cli._judgment_options import (
    add_gold,
    add_judgments,
    add_reading,
    check_judgments,
    gold_arguments,
    reading_arguments,
)
from jurybox.cli._options import OneOf, add_files, add_output, as_inputs, deliver
from jurybox.cli._progress import progress_line, watched
from jurybox.errors import UsageError

USAGE = "jurybox screen JUDGMENTS [...] [options]"

HELP = """\
Raters who should perhaps not count: wrong on known answers, at chance, too fast, always of one
mind, or spammers, who are found without known answers too. And what changes without them.

examples:
  jurybox screen sample/judgments.csv
  jurybox screen judgments.csv --gold known.csv --min-accuracy 0.8
  jurybox screen judgments.csv --drop inaccurate fast --save-judgments kept.csv
  jurybox screen batch.csv --map label=Answer.Q1 --show-raters"""

FLAGS = ("inaccurate", "untrusted", "chance", "spammer", "same", "fast")
#: options that are keyword arguments of the verb by the same name
_SAME = (
    *("min_accuracy", "min_gold", "min_trust", "chance_level", "fast", "spammer"),
    *("min_judgments", "pseudonymise"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_judgments(parser)
    _add_rule(parser)
    reading = add_reading(parser)
    add_gold(reading)
    reading.add_argument(
        "--pseudonymise",
        nargs="?",
        const=True,
        default=False,
        metavar="KEY",
        help="call raters R1, R2 … in order of appearance, also in --save-judgments; with a key, "
        "by names that are the same in every file written with it",
    )
    output = add_output(parser)
    output.add_argument(
        "--save-judgments",
        metavar="FILE",
        help="write the judgments of the raters who stay, as .csv, .tsv or .jsonl",
    )
    output.add_argument(
        "--keep-flags",
        action="store_true",
        help="write everybody's judgments with --save-judgments, and a column flags",
    )


def _add_rule(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("rule")
    add_files(
        group,
        "--drop",
        "the flags that drop a rater: inaccurate, untrusted, chance, spammer, same, fast, or all "
        "or none (default: inaccurate untrusted spammer same)",
        metavar="FLAG",
        values=OneOf(*FLAGS, "all", "none"),
    )
    for flag, default, text in (
        ("--min-accuracy", 0.7, "inaccurate: a smaller share of known answers is right"),
        ("--chance-level", 0.05, "chance: a guesser would do as well with this probability"),
        ("--spammer", 0.05, "spammer: answers depend less on the case, from 0 to 1"),
    ):
        group.add_argument(
            flag,
            type=float,
            default=default,
            metavar="SHARE",
            help=f"{text} (default: {default:g})",
        )
    group.add_argument(
        "--min-trust",
        type=float,
        metavar="SHARE",
        help="untrusted: trust is below (accuracy drawn towards that of all raters)",
    )
    group.add_argument(
        "--min-gold",
        type=int,
        default=5,
        metavar="N",
        help="inaccurate, untrusted, chance: by at least N known answers (default: 5)",
    )
    group.add_argument(
        "--min-judgments",
        type=int,
        default=20,
        metavar="N",
        help="spammer, same: by at least N judgments (default: 20)",
    )
    group.add_argument(
        "--fast",
        type=float,
        default=0.33,
        metavar="SHARE",
        help="fast: the median time is below this share of the median rater's (default: 0.33)",
    )


def _check_key(key: bool | str) -> None:
    """An option with an optional value takes the next word: a file is no key."""
    if isinstance(key, str) and (not key.strip() or os.path.exists(key)):  # noqa: PTH110  quick
        raise UsageError(
            f"--pseudonymise takes '{key}' for its key; name the files before it, or write "
            "--pseudonymise as the last word"
        )


def run(options: Namespace) -> None:
    """Screen, print, save."""
    check_judgments(options, options.save_judgments)
    gold = gold_arguments(options)
    _check_key(options.pseudonymise)
    if options.save_judgments:
        from jurybox.api.cases_result import form_of

        form_of(options.save_judgments)
        if "-" == options.save_judgments == options.output:
            raise UsageError("standard output takes one thing: name a file with --save-judgments")
    elif options.keep_flags:
        raise UsageError("--keep-flags: name the file to write with --save-judgments")
    from jurybox.api.screen import DROPS, screen

    reading = reading_arguments(options)
    with progress_line("reading") as progress:
        files = watched(options.judgments, progress)
        if options.save_judgments:  # read twice
            files = [given.keep() for given in as_inputs(options.judgments)]
        result = screen(
            files,
            drop=options.drop or DROPS,
            progress=progress,
            **{name: getattr(options, name) for name in _SAME},
            **gold,
            **reading,
        )

    def save() -> None:
        from jurybox.api.screened_judgments import save_screened

        save_screened(
            result,
            files,
            options.save_judgments,
            keep_flags=options.keep_flags,
            pseudonymise=options.pseudonymise,
            columns=reading["columns"],
            labels=reading["labels"],
            input_format=reading["input_format"],
        )

    deliver(result, options, save=save if options.save_judgments else None)
