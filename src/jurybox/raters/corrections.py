"""Agreement on corrections, and on whole sentences.

Two raters may both call a case an error and correct it differently. And people who disagree about
the place of an error may agree that the sentence has one: `judge_sentences` lifts judgments from
cases to the sentences they are in.
"""

from __future__ import annotations

from math import nan
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.errors import LengthError
from jurybox.model import JudgmentTable
from jurybox.raters.intervals import share_interval
from jurybox.raters.pairs import list_pairs
from jurybox.raters.ratings import BoolArray, CodeArray, Ratings
from jurybox.records import Count, Share, computed


class CorrectionAgreement(NamedTuple):
    """Pairs of judgments of the same case by two raters."""

    pairs: Annotated[Count, "Such pairs."]
    same_label: Annotated[Count, "With the same label."]
    both_correct: Annotated[Count, "In which both give a correction."]
    share_correction: Annotated[Count, "Of these, with a correction in common."]
    label_low: Annotated[Share, "Lower end of the interval of on_label; null if none."] = nan
    label_high: Annotated[Share, "Upper end."] = nan
    correction_low: Annotated[
        Share, "Lower end of the interval of on_correction; null if none."
    ] = nan
    correction_high: Annotated[Share, "Upper end."] = nan

    @computed
    def on_label(self) -> Share:
        """same_label / pairs; null without pairs."""
        return self.same_label / self.pairs if self.pairs else nan

    @computed
    def on_correction(self) -> Share:
        """share_correction / both_correct; null if no pair has corrections."""
        return self.share_correction / self.both_correct if self.both_correct else nan


def agree_on_corrections(
    ratings: Ratings, table: JudgmentTable, *, level: float = 0.95
) -> CorrectionAgreement:
    """How often two raters of a case give the same label, and a correction in common.

    A rater may give several corrections that are equally good; two raters agree if one of them is
    the same. Upper and lower case differ.

    >>> from jurybox.raters.ratings import ratings_of
    >>> table = JudgmentTable()
    >>> table.append(0, "Ann", "error", ("at", "on"))
    >>> table.append(0, "Bob", "error", ("on",))
    >>> table.append(0, "Cem", "error", ("in",))
    >>> found = agree_on_corrections(ratings_of(table, 1), table)
    >>> found.pairs, found.same_label, found.both_correct, found.share_correction
    (3, 3, 3, 1)
    """
    pairs, same_label, both, shared = np.zeros((4, ratings.cases), dtype=np.int64)
    numbers = _numbers(ratings, table)
    sets = [frozenset(each) for each in table.corrections]
    for one, other in list_pairs(ratings):
        apart = ratings.rater[one] != ratings.rater[other]
        first, second = one[apart], other[apart]
        case = ratings.case[first]
        pairs += np.bincount(case, minlength=ratings.cases)
        alike = ratings.label[first] == ratings.label[second]
        same_label += np.bincount(case[alike], minlength=ratings.cases)
        a, b = numbers[first], numbers[second]
        given = (a > 0) & (b > 0)
        both += np.bincount(case[given], minlength=ratings.cases)
        # sets of corrections are few: each pair of them is compared once
        keys, place = np.unique(a[given] * len(sets) + b[given], return_inverse=True)
        meet = [not sets[k // len(sets)].isdisjoint(sets[k % len(sets)]) for k in keys.tolist()]
        met = np.array(meet, dtype=bool)[place]
        shared += np.bincount(case[given][met], minlength=ratings.cases)
    labels = share_interval(same_label, pairs, level=level)
    corrections = share_interval(shared, both, level=level)
    return CorrectionAgreement(
        int(pairs.sum()),
        int(same_label.sum()),
        int(both.sum()),
        int(shared.sum()),
        labels.low,
        labels.high,
        corrections.low,
        corrections.high,
    )


def _numbers(ratings: Ratings, table: JudgmentTable) -> CodeArray:
    if table.correction is None:
        return np.zeros(len(ratings), dtype=np.int64)
    return np.asarray(table.correction, dtype=np.int64)[ratings.row]


def judge_sentences(
    ratings: Ratings, sentence: CodeArray, sentences: int, label: int, *, other: str = "none"
) -> Ratings:
    """Judgments about whole sentences: does a rater give the label to any case in it?

    `sentence[i]` is the sentence of case i, `label` the label that is looked for (error, say). A
    rater has judged a sentence if they judged any of its cases: where raters saw different cases
    of a sentence, this says less. The labels are `label`'s name (0) and `other` (1).

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 1], [1, 1], [1, 1]]), 2)
    >>> found = judge_sentences(ratings, np.array([0, 0, 1]), 2, 0)
    >>> found.case.tolist(), found.rater.tolist(), found.label.tolist()
    ([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1])
    """
    if len(sentence) != ratings.cases:
        raise LengthError(f"there are {ratings.cases} cases, but sentences of {len(sentence)}")
    raters = max(1, len(ratings.raters))
    units, first, unit = np.unique(
        sentence[ratings.case] * raters + ratings.rater, return_index=True, return_inverse=True
    )
    found: BoolArray = np.zeros(len(units), dtype=bool)
    found[unit[ratings.label == label]] = True
    return Ratings(
        units // raters,
        units % raters,
        np.where(found, 0, 1),
        sentences,
        ratings.raters,
        (ratings.labels[label], other),
        ratings.row[first],
    )
