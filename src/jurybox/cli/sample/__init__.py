"""`jurybox sample`: tasks with options of their own, each in a file beside this one.

The module of a task, `cli/sample/<task>.py`, is like that of a command: `USAGE`, `HELP`,
`configure(parser)`, `run(options)`. It is imported when the task is called.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli.flags import OneOf
from jurybox.errors import UsageError

USAGE = "jurybox sample plan|draw|estimate|simulate [options]"

HELP = """\
Evaluate a system without annotating everything: judge a sample, and say how sure the numbers are.

The system labels a corpus. What it calls an error and what it calls ok are sampled apart, people
judge the sample without seeing the labels, and what they find is weighed by how large each part is
(Tetreault and Chodorow 2008).

tasks:
  plan      how many cases to judge, how sure that is, and what it costs
  draw      the cases to judge: a blind file for raters, and its key
  estimate  precision and recall out of the key and the judgments
  simulate  which intervals can be trusted, tried out on judged data

examples:
  jurybox sample draw sample/bold.csv --error 10 --ok 20 --cases sample/cases.jsonl
  jurybox sample plan --size error=1000 ok=9000 --precision .8 --error-rate .35 --recall-within .02
  jurybox sample draw decisions.csv --error 250 --ok 500 --blind raters.csv --key key.jsonl
  jurybox sample estimate key.jsonl judgments.csv

jurybox sample TASK --help tells more."""

#: task -> what it does; each is a module jurybox.cli.sample.<task>
TASKS = {
    "plan": "how many cases to judge, how sure that is, and what it costs",
    "draw": "the cases to judge: a blind file for raters, and its key",
    "estimate": "precision and recall out of the key and the judgments",
    "simulate": "which intervals can be trusted, tried out on judged data",
}


def configure(parser: ArgumentParser) -> None:
    """Only the task: its options are those of its own module."""
    parser.add_argument("task", metavar="TASK", type=OneOf(*TASKS), help=", ".join(TASKS))


def run(options: Namespace) -> None:
    """Not reached: a task that exists is run by its own module, another one is refused before."""
    raise UsageError(f"jurybox sample cannot '{options.task}'; one of: {', '.join(TASKS)}")
