"""`jurybox detect`: tasks with options of their own, each in a file beside this one.

The module of a task, `cli/detect/<task>.py`, is like that of a command. It is imported when the
task is called.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli.flags import OneOf
from jurybox.errors import UsageError

USAGE = "jurybox detect train|run|info|selection|mine [options]"

HELP = """\
Detectors of preposition errors, trained on text without errors: the systems of the papers.

Maximum entropy (Tetreault and Chodorow 2008), the averaged perceptron and a 4-gram language model
(Madnani et al. 2011). Use them as baselines, to rerun the papers' experiments, and to find errors
that people should judge.

tasks:
  train      text to a model
  run        decisions about every preposition of a text, with scores and suggestions
  info       what a model is, where it comes from, and whether it is whole
  selection  how often a model chooses the preposition that a writer chose
  mine       prepositions that are probably too many, ranked, for people to judge

examples:
  jurybox detect train lm --text sample/training.txt -o lm
  jurybox detect train maxent --text wikipedia.txt.xz -o me
  jurybox detect run me --m2 A1.m2 A2.m2 -o me.jsonl
  jurybox detect info me

jurybox detect TASK --help tells more."""

#: task -> what it does; each is a module jurybox.cli.detect.<task>
TASKS = {
    "train": "text to a model",
    "run": "decisions about every preposition of a text, with scores and suggestions",
    "info": "what a model is, where it comes from, and whether it is whole",
    "selection": "how often a model chooses the preposition that a writer chose",
    "mine": "prepositions that are probably too many, ranked, for people to judge",
}


def configure(parser: ArgumentParser) -> None:
    """Only the task: its options are those of its own module."""
    parser.add_argument("task", metavar="TASK", type=OneOf(*TASKS), help=", ".join(TASKS))


def run(options: Namespace) -> None:
    """Not reached: a task that exists is run by its own module, another one is refused before."""
    raise UsageError(f"jurybox detect cannot '{options.task}'; one of: {', '.join(TASKS)}")
