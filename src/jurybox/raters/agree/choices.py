"""The choice experiment: whose word is better, the writer's or the system's?

A system is marked wrong wherever it differs from the text, but many places take more than one word.
Tetreault and Chodorow (2008, section 4.2) show people both words, in random order and without
saying whose they are. Where the system's is as good or better, it was not wrong.

In a table of judgments the column `first` holds the writer's
word, `second` the system's, and `shown` the one that stood first on the rater's screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.errors import InputError
from jurybox.raters.agreement import krippendorff_alpha
from jurybox.raters.intervals import share_interval
from jurybox.raters.ratings import CodeArray, Ratings
from jurybox.records import FLAT, Count, Limits, Reason, Share

WRITER, SYSTEM, EQUAL, BAD, OTHER = range(5)
VERDICTS = ("writer", "system", "equal", "bad")

#: what raters may say, in lower case, beside one of the two words
_SAID = {
    **dict.fromkeys(("first", "writer"), WRITER),
    **dict.fromkeys(("second", "system"), SYSTEM),
    **dict.fromkeys(("equal", "both", "same", "equally good", "good"), EQUAL),
    **dict.fromkeys(("bad", "neither", "none", "equally bad"), BAD),
}
#: places on the screen: the one that `shown` names, and the other one
_PLACES = {"left": 0, "a": 0, "1": 0, "right": 1, "b": 1, "2": 1}


class Choices(NamedTuple):
    """Judgments on cases where system and writer differ: how often each answer was given."""

    writer: Annotated[Count, "The writer's word is better."]
    system: Annotated[Count, "The system's word is better."]
    equal: Annotated[Count, "Both are equally good."]
    bad: Annotated[Count, "Both are equally bad."] = 0

    @property
    def total(self) -> int:
        return self.writer + self.system + self.equal + self.bad


class AcceptedChoices(NamedTuple):
    """How often the system's word is equal or better, and accuracy if that counts as right."""

    share: float
    accuracy: float
    corrected: float
    reason: str = ""  # why there is no share


def correct_accuracy(
    choices: Choices, accuracy: float, *, accept_bad: bool = False
) -> AcceptedChoices:
    """An accuracy of exact matches, corrected by how often a mismatch is equal or better.

    corrected = accuracy + (1 - accuracy) · share, where share is how often people call the system's
    word better, or both equally good. Whether its authors also counted what is equally bad, the
    paper does not say: a word that is bad is not accepted here unless `accept_bad`. Undefined
    without choices.

    In the paper 28 % of the mismatches are equal or better, which lifts 75 % to 82 %:

    >>> found = correct_accuracy(Choices(writer=144, system=20, equal=36), accuracy=0.75)
    >>> found.share, round(found.corrected, 4)
    (0.28, 0.82)
    """
    if not all(0 <= count < float("inf") for count in choices):
        raise InputError(f"choices are counts from 0 up, not {tuple(choices)}")
    if not 0 <= accuracy <= 1:
        raise InputError(f"an accuracy is a share from 0 to 1, not {accuracy}")
    if not choices.total:
        return AcceptedChoices(nan, accuracy, nan, "nobody chose between the two words")
    accepted = choices.system + choices.equal + (choices.bad if accept_bad else 0)
    share = accepted / choices.total
    return AcceptedChoices(share, accuracy, accuracy + (1 - accuracy) * share)


class RaterChoices(NamedTuple):
    """How one rater chose."""

    rater: str
    choices: Annotated[Choices, FLAT]
    share: Annotated[Share, "Share in which the system's word is equal or better."]
    low: Annotated[Share, "Lower end of its interval; null if there is none."] = nan
    high: Annotated[Share, "Upper end."] = nan


class ChoiceFindings(NamedTuple):
    """A choice task: how often the system's word is equal or better."""

    choices: Annotated[Choices, FLAT]
    other: Annotated[Count, "Judgments that say something else, and are left out."]
    share: Annotated[
        Share, "Share in which the system's word is equal or better; null without choices."
    ]
    corrected_accuracy: Annotated[
        float | None,
        "The accuracy of the options, corrected by the share; null without one.",
        Limits(minimum=0, maximum=1),
    ]
    krippendorff_alpha: Annotated[
        float,
        "Krippendorff's alpha of the raters on whose word is better; null where undefined.",
        Limits(maximum=1),
    ]
    raters: Annotated[tuple[RaterChoices, ...], "Rater by rater."]
    reason: Reason = ""
    low: Annotated[Share, "Lower end of its interval; null if there is none."] = nan
    high: Annotated[Share, "Upper end."] = nan
    corrected_low: Annotated[
        float | None,
        "Lower end of the corrected accuracy, the given one taken as it is; null if none.",
        Limits(minimum=0, maximum=1),
    ] = None
    corrected_high: Annotated[float | None, "Upper end.", Limits(minimum=0, maximum=1)] = None


class Column(NamedTuple):
    """A column of words: `words[number[i]]` stands beside judgment i."""

    words: Sequence[str]
    number: CodeArray


def find_choices(
    ratings: Ratings,
    first: Column,
    second: Column,
    shown: Column | None,
    accuracy: float | None,
    *,
    level: float = 0.95,
) -> ChoiceFindings | None:
    """The analysis of judgments that have two words to choose from; None if none have."""
    verdict = _verdicts(ratings, first, second, shown)
    asked = np.flatnonzero(verdict >= 0)
    if not len(asked):
        return None
    said = verdict[asked]
    counts = np.bincount(said, minlength=5)
    choices = Choices(*counts[:OTHER].tolist())
    found = correct_accuracy(choices, 0.0 if accuracy is None else accuracy)
    case, clear = ratings.case[asked], said != OTHER
    accepted = (said == SYSTEM) | (said == EQUAL)
    share = share_interval(  # answers on one case go together
        np.bincount(case[accepted], minlength=ratings.cases),
        np.bincount(case[clear], minlength=ratings.cases),
        level=level,
    )
    by_case = np.bincount(case[clear] * OTHER + said[clear], minlength=ratings.cases * OTHER)
    ends: list[float | None] = [None, None]
    if accuracy is not None and not isnan(share.low):
        ends = [accuracy + (1 - accuracy) * end for end in (share.low, share.high)]
    return ChoiceFindings(
        choices,
        int(counts[OTHER]),
        found.share,
        None if accuracy is None or found.reason else found.corrected,
        krippendorff_alpha(by_case.reshape(ratings.cases, OTHER)).value,
        tuple(_by_rater(ratings, asked, said, level)),
        found.reason,
        share.low,
        share.high,
        *ends,
    )


def _verdicts(ratings: Ratings, first: Column, second: Column, shown: Column | None) -> CodeArray:
    """What each judgment says; -1 where there was nothing to choose."""
    columns = [first.number, second.number, ratings.label]
    columns.append(np.zeros_like(ratings.label) if shown is None else shown.number)
    kinds, kind = np.unique(np.stack(columns), axis=1, return_inverse=True)
    orders = [""] if shown is None else shown.words
    verdicts = [
        judge_choice(ratings.labels[label], first.words[a], second.words[b], orders[order])
        for a, b, label, order in kinds.T.tolist()
    ]
    return np.array(verdicts, dtype=np.int64)[kind.ravel()]


def judge_choice(label: str, writer: str, system: str, shown: str) -> int:
    """What a label says of two words; -1 where they are not two.

    A label is one of the words, first (writer) or second (system), a place on the screen (left,
    right; a, b; 1, 2), which needs `shown`, or says that both are equally good or bad.

    >>> judge_choice("in", "in", "at", ""), judge_choice("right", "in", "at", "in")
    (0, 1)
    >>> judge_choice("both", "in", "at", ""), judge_choice("left", "in", "at", "")
    (2, 4)
    """
    said, one, other, stood = (word.strip().lower() for word in (label, writer, system, shown))
    if not one or not other or one == other:
        return -1
    if said in (one, other):
        return WRITER if said == one else SYSTEM
    if said in _SAID:
        return _SAID[said]
    leading = {one: WRITER, "first": WRITER, "writer": WRITER, other: SYSTEM}
    leading |= {"second": SYSTEM, "system": SYSTEM}
    if said in _PLACES and stood in leading:
        return leading[stood] if _PLACES[said] == 0 else 1 - leading[stood]
    return OTHER


def _by_rater(
    ratings: Ratings, asked: CodeArray, said: CodeArray, level: float
) -> list[RaterChoices]:
    raters = len(ratings.raters)
    place = ratings.rater[asked] * (OTHER + 1) + said
    table = np.bincount(place, minlength=raters * (OTHER + 1)).reshape(raters, OTHER + 1)
    found = []
    for name, row in zip(ratings.raters, table.tolist(), strict=True):
        choices = Choices(*row[:OTHER])
        if choices.total:
            accepted = choices.system + choices.equal
            share = share_interval(
                [1, 0], 1, cases=[accepted, choices.total - accepted], level=level
            )
            found.append(RaterChoices(name, choices, share.value, share.low, share.high))
    return found
