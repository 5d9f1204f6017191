"""Options that several tasks of `sample` share, and what an interval of a sample is about.

*This corpus* are the very cases that the system labelled. How many of them it flags is known, and
the cases that were not judged are the only doubt. *Text of this kind* is what the corpus was drawn
from. Another corpus of it would hold other cases, and the system would flag more or fewer of them.
So the sizes of all parts are chance too, even where every case was judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from jurybox.errors import UsageError
from jurybox.options import Opt, Options
from jurybox.records import HIDDEN
from jurybox.shared_options import CONFIDENCE, READING, Columns, Meanings

About = Literal["text", "corpus"]
#: the default comes first
ABOUT: tuple[About, ...] = ("text", "corpus")
#: how a case that several people judged counts
TRUTHS = ("graded", "majority")
TIES = ("ok", "error", "drop")


class AboutOption(Options, group=CONFIDENCE):
    """What intervals are about."""

    about: Annotated[
        About,
        Opt(
            "what intervals are about: text of this kind, of which the corpus is a random draw, "
            "or this corpus, these very cases",
            "WHAT",
            values=ABOUT,
            noun="question",
        ),
    ] = "text"


class Truth(Options, group=READING):
    """What is true of a case that several people judged."""

    truth: Annotated[
        str,
        Opt(
            "a case that several people judged counts as an error by the share of them who say so "
            "(graded), or wholly by their majority",
            "WHAT",
            values=TRUTHS,
            noun="truth",
        ),
    ] = "graded"
    ties: Annotated[
        str,
        Opt(
            "with --truth majority, cases with as many for error as for ok: ok, error or drop",
            "RULE",
            values=TIES,
            noun="way to settle ties",
        ),
    ] = "ok"


class DecisionReading(Columns, Meanings, group=READING):
    """How decisions are read."""

    threshold: Annotated[
        float | None,
        Opt("a case is called an error if its score is T or more, whatever its label", "T"),
        HIDDEN,
    ] = None


def numbers_by_name(given: Sequence[str], flag: str) -> dict[str, int]:
    """`error=1000 ok=9000` as a dict; a name may hold equals signs.

    >>> numbers_by_name(["error=1000", "ok=9000"], "--size")
    {'error': 1000, 'ok': 9000}
    """
    numbers: dict[str, int] = {}
    for pair in given:
        name, equals, number = pair.rpartition("=")
        if not equals or not name or not number.isdecimal() or not number.isascii():
            raise UsageError(f"{flag} {pair}: write a name and a number, as {flag} error=1000")
        if name in numbers:
            raise UsageError(f"{flag}: {name} is given twice")
        numbers[name] = int(number)
    return numbers


def about_sentence(about: str, cases: int, method: str = "") -> str:
    """What the intervals are about, for everybody who reads them.

    >>> about_sentence("corpus", 10_000)
    'intervals are about this corpus, these very 10000 cases'
    """
    if method == "paper":
        return (
            "intervals are those of the paper, which takes the sizes of the parts as known and "
            "samples as drawn with replacement: too short for text of this kind, too long for "
            "this corpus"
        )
    if about == "corpus":
        return f"intervals are about this corpus, these very {cases} cases"
    return f"intervals are about text of this kind, of which these {cases} cases are a random draw"
