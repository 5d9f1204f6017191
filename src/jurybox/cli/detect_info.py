"""`jurybox detect info`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._options import add_output, check_output, show

USAGE = "jurybox detect info MODEL [--check] [--features] [options]"

HELP = """\
What a model is: its kind and size, the text, the tagger, the options and the package versions it
was trained with, and what training came to.

examples:
  jurybox detect info lm
  jurybox detect info me --check
  jurybox detect info me --features
  jurybox detect info me --format json"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("model", metavar="MODEL", help="the folder of a trained model")
    parser.add_argument(
        "--check", action="store_true", help="look at every byte: is it as it was saved?"
    )
    parser.add_argument(
        "--features", action="store_true", help="list the features in words (maxent, perceptron)"
    )
    add_output(parser)


def run(options: Namespace) -> None:
    """Look, and print."""
    from jurybox.api.detect_info import describe_detector

    options.files_read = []
    check_output(options)
    result = describe_detector(options.model, check=options.check, features=options.features)
    show(result, options)
