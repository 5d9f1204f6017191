"""`jurybox compare`."""

from __future__ import annotations

import sys
from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import Output, as_inputs, check_files, deliver, files_compared_with, words
from jurybox.compare import Compare, compare
from jurybox.options import Opt

GATE_CLOSED = 3

USAGE = "jurybox compare HYP HYP [HYP ...] --gold FILE [FILE ...] [options]"

HELP = """\
Compare systems on the same sentences: is the difference more than chance?

Approximate randomisation decides: the difference with the interval and the p-value of this test
(Holm-corrected for several pairs); beside it the paired bootstrap, the smallest difference this
test set could show, and the sentences that decide.

examples:
  jurybox compare sample/cautious.txt sample/bold.txt --gold sample/A*.m2
  jurybox compare old.txt new.txt --gold conll14.m2
  jurybox compare A.txt B.txt C.txt --gold conll14.m2 --all-pairs --format markdown
  jurybox compare counts.json --ci-unit document
  jurybox compare released.txt candidate.txt --gold test.m2 --fail-if-worse"""


class Call(Compare, Output):
    fail_if_worse: Annotated[
        bool,
        Opt("exit with code 3 if a system is significantly worse than what it is compared with"),
    ] = False


def run(call: Call) -> int:
    files = words(call.hypotheses)
    check_files(call, [*files, *files_compared_with(call)])
    with progress_line("matching") as progress:
        result = compare.of(call.replace(hypotheses=as_inputs(files), progress=progress))
    deliver(result, call)
    worse = result.worse() if call.fail_if_worse else []
    for pair in worse:
        print(
            f"jurybox: {pair.second} is worse than {pair.first} by {-pair.difference:.4f} "
            f"(p = {pair.p_randomisation_holm:.4f})",
            file=sys.stderr,
        )
    return GATE_CLOSED if worse else 0
