"""Options that several tasks of `jurybox detect` share, and how far training is."""

from __future__ import annotations

from typing import Any

from jurybox.cli._options import FORMS, add_form
from jurybox.cli._progress import ProgressLine
from jurybox.errors import UsageError


def add_spacy_model(group: Any) -> None:
    """Which tags."""
    group.add_argument(
        "--spacy-model",
        metavar="NAME",
        help="the spaCy model that tags words (maxent, perceptron); without it the model that "
        "training used, or the usual one that is installed",
    )


def add_jobs(group: Any) -> None:
    """How many processes."""
    group.add_argument("--jobs", type=int, metavar="N", help="processes (default: all cores)")


def add_summary_form(group: Any) -> None:
    """What the summary looks like, where `-o` is something else."""
    add_form(group, FORMS, "form of the summary: text, json, csv, markdown or latex")


def read_numbers(flag: str, given: str | None, kind: type[float]) -> list[Any] | None:
    """Numbers with commas between them.

    >>> read_numbers("--prune", "0,0,1,1", int)
    [0, 0, 1, 1]
    """
    if given is None:
        return None
    try:
        return [kind(number) for number in given.split(",")]
    except ValueError:
        raise UsageError(f"{flag} {given}: write numbers with commas between them") from None


class LearningProgress:
    """Hands on what is told of learning; reading tells of itself, in megabytes."""

    def __init__(self, line: ProgressLine) -> None:
        self._line = line

    def expect(self, total: float, what: str = "sentences") -> None:
        """So many are to come."""
        self._line.expect(total, what)

    def __call__(self, more: float, what: str = "sentences") -> None:
        """So many more are done."""
        if what != "sentences":
            self._line(more, what)
