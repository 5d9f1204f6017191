"""`jurybox sample draw`."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli._progress import progress_line, watched
from jurybox.cli.output import Output, check_files, deliver, words
from jurybox.options import Opt
from jurybox.sample.draw import DrawSample, draw_sample

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


class SampleOutput(Output, group="output"):
    """Where the files of the sample go."""

    blind: Annotated[
        str, Opt("write what raters see to this file (.csv, .tsv, .jsonl)", "FILE")
    ] = "blind.csv"
    key: Annotated[str, Opt("write the key to this file", "FILE")] = "key.jsonl"


class Call(DrawSample, SampleOutput):
    """The options of the task."""


def run(call: Call) -> None:
    """Draw, write both files, and print what was drawn."""
    from jurybox.jury.cases.result import form_of
    from jurybox.sample.draw.result import check_new

    inputs = [str(one) for one in (call.decisions, call.cases) if one is not None]
    check_files(call, [*inputs, *words(call.after)], call.blind, call.key)
    form_of(call.blind)
    check_new(call.blind, call.key)
    with progress_line("reading") as progress:
        decisions, *cases = watched(inputs, progress)
        result = draw_sample.of(
            call.replace(decisions=decisions, cases=cases[0] if cases else None)
        )
    deliver(result, call, save=lambda: result.save(call.blind, call.key))
