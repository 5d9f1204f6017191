"""Judgments with any labels, as three columns of numbers: who said what about which case.

A `JudgmentTable` packs raters and labels into one
number; here they stand apart, labels that count as no answer are gone (and counted), and labels
are numbered 0, 1, … in the order of their names in `labels`. Nothing here loops over judgments.

Columns are as narrow as in the table, so that ten million judgments fit: `places` makes numbers of
two of them that cannot run over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import Histogram, count_labels
from jurybox.errors import InputError, LengthError, unknown_name
from jurybox.formats.tables._columns import Again, find_again
from jurybox.model import LABEL_BITS, JudgmentTable
from jurybox.raters.agreement import MISSING

CodeArray = NDArray[np.int64]
#: codes in a narrow type
Codes = NDArray[np.integer]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Judgments as columns; codes of cases, raters and labels count from 0."""

    case: Codes
    rater: Codes
    label: Codes
    cases: int
    raters: tuple[str, ...]
    labels: tuple[str, ...]
    #: the row of the table that each judgment stands in, for further columns as seconds or batch
    row: Codes
    left_out: int = 0  # judgments whose label counts as no answer

    def __len__(self) -> int:
        return len(self.case)

    @property
    def judging(self) -> CodeArray:
        """The raters who gave a judgment, in order."""
        return np.flatnonzero(np.bincount(self.rater, minlength=len(self.raters)))


def places(major: Codes, width: int, minor: Codes | int) -> CodeArray:
    """Two numbers as one: the place of a cell in a table that is so many cells wide."""
    found = major.astype(np.int64)
    found *= width
    found += minor
    return found


def ratings_of(
    judgments: JudgmentTable,
    cases: int,
    *,
    no_answer: Sequence[str] = ("unknown",),
    merge: Mapping[str, str] | None = None,
) -> Ratings:
    """The judgments of a table with the labels that were given, in the order of its labels.

    Labels in `no_answer` count as if the rater had not judged the case; how many there were is
    kept. `merge` gives labels another name, so that several become one. A label that nobody gave
    is not among the labels.

    >>> table = JudgmentTable(labels=["in", "at", "on", "?"])
    >>> for rater, label in (("Ann", "at"), ("Bob", "on"), ("Cem", "?")):
    ...     table.append(0, rater, label)
    >>> found = ratings_of(table, 1, no_answer=["?"])
    >>> found.labels, found.label.tolist(), found.left_out
    (('at', 'on'), [0, 1], 1)
    """
    answer, case = np.asarray(judgments.answer), np.asarray(judgments.case)
    if len(case) and case.max() >= cases:
        raise InputError(
            f"a judgment is about case number {case.max()}, but there are {cases} cases, "
            "counted from 0; were the judgments read for another case set?"
        )
    if len(judgments.labels) > 1 << LABEL_BITS:
        raise InputError(
            f"a table of judgments has room for {1 << LABEL_BITS} different labels, not "
            f"{len(judgments.labels)}; round numbers beforehand"
        )
    merge = merge or {}
    for name in merge:
        if name not in judgments.labels:
            raise unknown_name("label", name, judgments.labels)
    given = answer.astype(np.uint8)  # the lowest bits are the label's
    renamed = [merge.get(name, name) for name in judgments.labels]
    silent = np.array([name in no_answer for name in renamed], dtype=bool)
    used = np.bincount(given, minlength=len(renamed)) > 0
    met = {renamed[number] for number in np.flatnonzero(used) if not silent[number]}
    names = tuple(dict.fromkeys(name for name in renamed if name in met))
    codes = np.array([names.index(n) if n in names else 0 for n in renamed], dtype=np.uint8)
    everything = Ratings(
        case,
        answer >> np.uint32(LABEL_BITS),
        codes[given] if len(given) else given,
        cases,
        tuple(judgments.raters),
        names,
        np.arange(len(case), dtype=np.uint32),
    )
    if not (used & silent[: len(used)]).any():
        return everything
    found = select(everything, ~silent[given])
    return replace(found, left_out=len(case) - len(found))


def ratings_from_codes(codes: NDArray[np.integer], labels: int) -> Ratings:
    """Judgments out of a matrix [cases, raters] with `MISSING` where there is none.

    >>> ratings_from_codes(np.array([[0, 1], [MISSING, 1]]), 2).case.tolist()
    [0, 0, 1]
    """
    case, rater = np.nonzero(codes != MISSING)
    return Ratings(
        case,
        rater,
        codes[case, rater].astype(np.int64),
        codes.shape[0],
        tuple(str(number) for number in range(codes.shape[1])),
        tuple(str(number) for number in range(labels)),
        row=np.arange(len(case)),
    )


def select(ratings: Ratings, kept: BoolArray) -> Ratings:
    """Some of the judgments; cases, raters and labels keep their numbers.

    >>> ratings = ratings_from_codes(np.array([[0, 1]]), 2)
    >>> select(ratings, ratings.rater == 1).label.tolist()
    [1]
    """
    if len(kept) != len(ratings):
        raise LengthError(f"there are {len(ratings)} judgments, but {len(kept)} are chosen from")
    return replace(
        ratings,
        case=ratings.case[kept],
        rater=ratings.rater[kept],
        label=ratings.label[kept],
        row=ratings.row[kept],
    )


def without_raters(ratings: Ratings, dropped: BoolArray) -> Ratings:
    """The judgments of all others; `dropped` is true for raters who no longer count."""
    return select(ratings, ~dropped[ratings.rater]) if dropped.any() else ratings


def judged_again(ratings: Ratings) -> Again:
    """Judgments by raters who had judged the case before, and the first of each."""
    return find_again(ratings.case, ratings.rater)


class ByKind(NamedTuple):
    """The judgments of people and of models; both keep all numbers."""

    people: Ratings
    models: Ratings
    is_model: BoolArray  # [raters]


def split_kinds(ratings: Ratings, kinds: Sequence[str] | None) -> ByKind:
    """People's judgments and models', which never count together unless that is asked for.

    Without kinds everybody is a person.

    >>> ratings = ratings_from_codes(np.array([[0, 1, 1]]), 2)
    >>> found = split_kinds(ratings, ["human", "human", "model"])
    >>> len(found.people), len(found.models)
    (2, 1)
    """
    if kinds is not None and len(kinds) != len(ratings.raters):
        raise LengthError(f"there are {len(ratings.raters)} raters, but {len(kinds)} kinds")
    given = ["human"] * len(ratings.raters) if kinds is None else kinds
    is_model = np.array([kind == "model" for kind in given], dtype=bool)
    return ByKind(without_raters(ratings, is_model), without_raters(ratings, ~is_model), is_model)


def label_counts(ratings: Ratings) -> CodeArray:
    """How many raters gave each case each label: [cases, labels].

    >>> label_counts(ratings_from_codes(np.array([[0, 1, 1], [MISSING, 0, 0]]), 2)).tolist()
    [[1, 2], [2, 0]]
    """
    counted = count_labels(ratings.case, ratings.label, ratings.cases, len(ratings.labels))
    return counted.astype(np.int64)


def case_histogram(ratings: Ratings) -> Histogram:
    """Kinds of judged cases: how many raters gave each label.

    >>> found = case_histogram(ratings_from_codes(np.array([[0, 1], [MISSING, 0], [1, 0]]), 2))
    >>> found.kinds.tolist(), found.sizes.tolist()
    ([[1, 0], [1, 1]], [1, 2])
    """
    labels = len(ratings.labels)
    counts = count_labels(ratings.case, ratings.label, ratings.cases, labels)
    return Histogram.of(counts[counts.any(axis=1)])


def labels_by(ratings: Ratings, rater: int) -> CodeArray:
    """What one rater says of every case [cases], their first answer; `MISSING` where none.

    >>> labels_by(ratings_from_codes(np.array([[0, 1], [1, MISSING]]), 2), 1).tolist()
    [1, -1]
    """
    own = np.flatnonzero(ratings.rater == rater)[::-1]  # the first is written last, and stays
    codes = np.full(ratings.cases, MISSING, dtype=np.int64)
    codes[ratings.case[own]] = ratings.label[own]
    return codes


def gold_labels(gold: Sequence[Sequence[str]], labels: Sequence[str]) -> BoolArray:
    """Which labels are right for each case: [cases, labels], no true one where gold is unknown.

    Right answers that nobody ever gave are not among the labels and are passed over; a case all of
    whose right answers are such still is gold: it has a row without a true label, so ask
    `has_gold`.

    >>> gold_labels([("at",), (), ("on", "at")], ["at", "on"]).tolist()
    [[True, False], [False, False], [True, True]]
    """
    numbers = {name: number for number, name in enumerate(labels)}
    right = np.zeros((len(gold), len(labels)), dtype=bool)
    pairs = [
        (i, numbers[name]) for i, names in enumerate(gold) for name in names if name in numbers
    ]
    if pairs:
        case, label = np.array(pairs).T
        right[case, label] = True
    return right


def one_right_label(right: BoolArray) -> CodeArray:
    """The right label of each case that has exactly one, `MISSING` elsewhere: [cases].

    >>> one_right_label(np.array([[True, False], [True, True], [False, False]])).tolist()
    [0, -1, -1]
    """
    only = right.sum(axis=1) == 1
    return np.where(only, right.argmax(axis=1) if right.shape[1] else 0, MISSING)


def has_gold(gold: Sequence[Sequence[str]]) -> BoolArray:
    """Which cases have known answers: [cases]."""
    return np.fromiter((bool(names) for names in gold), dtype=bool, count=len(gold))
