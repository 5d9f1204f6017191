"""The choice experiment for `agree`: whose word is better, the writer's or the system's?

Tetreault and Chodorow (2008, 4.2). In a table of judgments the column `first` holds the writer's
word, `second` the system's, and `shown` the one that stood first on the rater's screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jurybox.api.results import number_or_none
from jurybox.raters.agreement import krippendorff_alpha
from jurybox.raters.choice_experiment import Choices, correct_accuracy
from jurybox.raters.ratings import CodeArray, Ratings

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


class RaterChoices(NamedTuple):
    """How one rater chose."""

    rater: str
    choices: Choices
    share: float

    def to_dict(self) -> dict[str, Any]:
        counts = {name: int(count) for name, count in self.choices._asdict().items()}
        return {"rater": self.rater, **counts, "share": number_or_none(self.share)}


class ChoiceFindings(NamedTuple):
    """How often the system's word is equal or better, and what that makes of its accuracy."""

    choices: Choices
    other: int  # judgments that say neither
    share: float
    corrected: float | None  # None where there is no accuracy to correct, or no share
    alpha: float  # Krippendorff's, of the raters on whose word is better; nan if undefined
    raters: tuple[RaterChoices, ...]
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        counts = {name: int(count) for name, count in self.choices._asdict().items()}
        return {
            **counts,
            "other": self.other,
            "share": number_or_none(self.share),
            "corrected_accuracy": self.corrected,
            "krippendorff_alpha": number_or_none(self.alpha),
            "raters": [one.to_dict() for one in self.raters],
            **({"reason": self.reason} if self.reason else {}),
        }


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
    return ChoiceFindings(
        choices,
        int(counts[OTHER]),
        found.share,
        None if accuracy is None or found.reason else found.corrected,
        _alpha(ratings, asked, said),
        tuple(_by_rater(ratings, asked, said)),
        found.reason,
    )


def _verdicts(ratings: Ratings, first: Column, second: Column, shown: Column | None) -> CodeArray:
    """What each judgment says; -1 where there was nothing to choose."""
    columns = [first.number, second.number, ratings.label]
    columns.append(np.zeros_like(ratings.label) if shown is None else shown.number)
    kinds, kind = np.unique(np.stack(columns), axis=1, return_inverse=True)
    told = [
        judge_choice(
            ratings.labels[label],
            first.words[a],
            second.words[b],
            "" if shown is None else shown.words[order],
        )
        for a, b, label, order in kinds.T.tolist()
    ]
    return np.array(told, dtype=np.int64)[kind.ravel()]


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


def _alpha(ratings: Ratings, asked: CodeArray, said: CodeArray) -> float:
    clear = said != OTHER
    place = ratings.case[asked[clear]] * OTHER + said[clear]
    counts = np.bincount(place, minlength=ratings.cases * OTHER).reshape(ratings.cases, OTHER)
    return krippendorff_alpha(counts).value


def _by_rater(ratings: Ratings, asked: CodeArray, said: CodeArray) -> list[RaterChoices]:
    raters = len(ratings.raters)
    place = ratings.rater[asked] * (OTHER + 1) + said
    table = np.bincount(place, minlength=raters * (OTHER + 1)).reshape(raters, OTHER + 1)
    found = []
    for name, row in zip(ratings.raters, table.tolist(), strict=True):
        choices = Choices(*row[:OTHER])
        if choices.total:
            share = (choices.system + choices.equal) / choices.total
            found.append(RaterChoices(name, choices, share))
    return found
