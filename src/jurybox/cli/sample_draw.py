"""`jurybox sample draw`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import add_seed
from jurybox.cli._options import add_files, add_output, check_output, check_read_once, deliver
from jurybox.cli._progress import progress_line, watched
from jurybox.cli._sample_options import add_decision_reading, decision_reading, read_numbers_of

USAGE = "jurybox sample draw DECISIONS --error N --ok M [--cases CASES] [options]"

HELP = """\
Draw cases to judge at random: some that a system calls an error, some that it calls ok.

Raters get the blind file: cases in random order under random ids, without anything that tells what
the system said. The key says which case is which, and how large each part is. Keep it: without it
the judgments are worth nothing.

examples:
  jurybox sample draw sample/bold.csv --error 10 --ok 20 --cases sample/cases.jsonl
  jurybox sample draw decisions.csv --error 250 --ok 500 --cases cases.jsonl
  jurybox sample draw decisions.csv --error 250 --ok 500 --by score=.2,.5 --blind b.csv
  jurybox sample draw decisions.csv --error 250 --ok 500 --by document --stratum ok/essay-7=50
  jurybox sample draw decisions.csv --error 50 --ok 100 --after key.jsonl --key more.jsonl"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument(
        "decisions",
        metavar="DECISIONS",
        help="the system's decisions: CSV, TSV or JSONL with case,label and perhaps score, "
        "construction, document",
    )
    parser.add_argument(
        "--error",
        type=int,
        required=True,
        metavar="N",
        help="how many cases that the system calls an error",
    )
    parser.add_argument(
        "--ok",
        type=int,
        required=True,
        metavar="M",
        help="how many cases that it calls ok; 0 is verification, without recall",
    )
    parser.add_argument(
        "--cases",
        metavar="FILE",
        help="the cases (CSV, TSV or JSONL): sentence, span and written word go to the raters",
    )
    _add_strata(parser)
    add_decision_reading(parser)
    output = add_output(parser)
    output.add_argument(
        "--blind",
        default="blind.csv",
        metavar="FILE",
        help="write what raters see to this file (.csv, .tsv, .jsonl; default: blind.csv)",
    )
    output.add_argument(
        "--key",
        default="key.jsonl",
        metavar="FILE",
        help="write the key to this file (default: key.jsonl)",
    )


def _add_strata(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("drawing")
    group.add_argument(
        "--by",
        action="append",
        metavar="WHAT",
        help="divide both parts further: construction, document, or score=EDGES as score=.2,.5; "
        "can be repeated; numbers are shared out by size",
    )
    add_files(
        group,
        "--stratum",
        "how many of one stratum, instead of its share: error/article=50",
        metavar="NAME=N",
    )
    add_files(
        group,
        "--after",
        "keys of all earlier draws from the same decisions: none of their cases is drawn again",
        metavar="KEY",
    )
    add_seed(group, "draws the same cases")


def run(options: Namespace) -> None:
    """Draw, write both files, and print what was drawn."""
    from jurybox.api.cases_result import form_of
    from jurybox.api.sample_draw import draw_sample
    from jurybox.api.sample_draw_result import check_new

    strata = read_numbers_of("--stratum", options.stratum)
    inputs = [options.decisions, *([options.cases] if options.cases else [])]
    options.files_read = [*inputs, *(options.after or ())]
    check_read_once(options.files_read)
    check_output(options, options.blind, options.key)
    form_of(options.blind)
    check_new(options.blind, options.key)
    with progress_line("reading") as progress:
        decisions, *cases = watched(inputs, progress)
        result = draw_sample(
            decisions,
            error=options.error,
            ok=options.ok,
            cases=cases[0] if cases else None,
            by=options.by,
            strata=strata,
            after=options.after,
            seed=options.seed,
            **decision_reading(options),
        )
    deliver(result, options, save=lambda: result.save(options.blind, options.key))
