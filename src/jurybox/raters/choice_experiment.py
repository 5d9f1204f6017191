"""The choice experiment: whose word is better, the writer's or the system's?

A system is marked wrong wherever it differs from the text, but many places take more than one word.
Tetreault and Chodorow (2008, section 4.2) show people both words, in random order and without
saying whose they are. Where the system's is as good or better, it was not wrong.
"""

from __future__ import annotations

from math import nan
from typing import NamedTuple

from jurybox.errors import InputError


class Choices(NamedTuple):
    """Judgments on cases where system and writer differ: how often each answer was given."""

    writer: float  # the writer's word is better
    system: float  # the system's word is better
    equal: float  # both are equally good
    bad: float = 0  # both are equally bad

    @property
    def total(self) -> float:
        return self.writer + self.system + self.equal + self.bad


class AcceptedChoices(NamedTuple):
    """The share of cases where the system's word is equal or better, and what it makes of accuracy.

    `accuracy` counts exact matches as right; `corrected` also mismatches that people accept.
    """

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
