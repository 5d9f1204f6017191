"""`jurybox detect info`."""

from __future__ import annotations

from jurybox.cli.output import Output, check_files, show
from jurybox.detect.info import DescribeDetector, describe_detector

USAGE = "jurybox detect info MODEL [--check] [--features] [options]"

HELP = """\
What a model is: its kind and size, the text, the tagger, the options and the package versions it
was trained with, and what training came to.

examples:
  jurybox detect info lm
  jurybox detect info me --check
  jurybox detect info me --features
  jurybox detect info me --format json"""


class Call(DescribeDetector, Output):
    """The options of the task."""


def run(call: Call) -> None:
    """Look, and print."""
    check_files(call, [])
    show(describe_detector.of(call), call)
