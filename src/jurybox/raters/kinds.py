"""People and models as raters: kept apart, and what models would change.

A model's judgments are never counted among people's unless that is asked for. `compare_kinds` says
what adding models to the people, or putting them in people's place, would do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.errors import LengthError
from jurybox.raters.agreement import MISSING, Agreement, krippendorff_alpha
from jurybox.raters.majority import Ties, take_majority
from jurybox.raters.ratings import (
    BoolArray,
    CodeArray,
    FloatArray,
    Ratings,
    label_counts,
    without_raters,
)

HUMAN, MODEL = "human", "model"


class ByKind(NamedTuple):
    """The judgments of people and of models; both keep all numbers."""

    people: Ratings
    models: Ratings
    is_model: BoolArray  # [raters]


class KindEffect(NamedTuple):
    """What models change. Shares are of pairs of judgments of the same case that agree.

    `added` and `replaced` are alpha with models added to people, and of models alone;
    `changed_by_adding` and `changed_by_replacing` count cases whose majority label would be another
    one, of the `cases` that have a majority either way.
    """

    people: Agreement
    added: Agreement
    replaced: Agreement
    within_people: float
    between: float
    within_models: float
    cases_adding: int
    changed_by_adding: int
    cases_replacing: int
    changed_by_replacing: int


class RaterFit(NamedTuple):
    """Each rater against the people other than themselves: [raters]."""

    agreement: FloatArray  # share of these people's judgments of the same cases that agree
    pairs: CodeArray


def split_kinds(ratings: Ratings, kinds: Sequence[str] | None) -> ByKind:
    """People's judgments and models'; without kinds everybody is a person.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 1, 1]]), 2)
    >>> found = split_kinds(ratings, ["human", "human", "model"])
    >>> len(found.people), len(found.models)
    (2, 1)
    """
    if kinds is not None and len(kinds) != len(ratings.raters):
        raise LengthError(f"there are {len(ratings.raters)} raters, but {len(kinds)} kinds")
    given = [HUMAN] * len(ratings.raters) if kinds is None else kinds
    is_model = np.array([kind == MODEL for kind in given], dtype=bool)
    return ByKind(without_raters(ratings, is_model), without_raters(ratings, ~is_model), is_model)


def compare_kinds(split: ByKind) -> KindEffect:
    """What adding models to people, or putting them in their place, would change.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 1, 1], [0, 0, 0]]), 2)
    >>> found = compare_kinds(split_kinds(ratings, ["human", "human", "model"]))
    >>> found.within_people, round(found.between, 4), found.changed_by_replacing
    (1.0, 0.6667, 1)
    """
    people, models = label_counts(split.people), label_counts(split.models)
    both = people + models
    by_people, with_models, by_models = (
        take_majority(counts, Ties("drop")).label for counts in (people, both, models)
    )
    adding = (by_people != MISSING) & (with_models != MISSING)
    replacing = (by_people != MISSING) & (by_models != MISSING)
    return KindEffect(
        krippendorff_alpha(people),
        krippendorff_alpha(both),
        krippendorff_alpha(models),
        _agreeing(people, people, same=True),
        _agreeing(people, models, same=False),
        _agreeing(models, models, same=True),
        int(np.count_nonzero(adding)),
        int(np.count_nonzero(adding & (by_people != with_models))),
        int(np.count_nonzero(replacing)),
        int(np.count_nonzero(replacing & (by_people != by_models))),
    )


def _agreeing(first: CodeArray, second: CodeArray, *, same: bool) -> float:
    """The share of pairs of judgments of the same case, one from each side, that agree."""
    alone = first.sum(axis=1) if same else 0
    agreed = int(((first * second).sum(axis=1) - alone).sum())
    pairs = int((first.sum(axis=1) * second.sum(axis=1) - alone).sum())
    return agreed / pairs if pairs else nan


def fit_to_people(split: ByKind) -> RaterFit:
    """How far each rater, person or model, agrees with the (other) people.

    A model that agrees with people as much as people do among themselves could be one of them by
    this measure.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 1, 1]]), 2)
    >>> fit_to_people(split_kinds(ratings, ["human", "human", "model"])).agreement.tolist()
    [1.0, 1.0, 0.5]
    """
    counts = label_counts(split.people)
    judged = counts.sum(axis=1)
    raters = len(split.is_model)
    agreed, pairs = np.zeros(raters), np.zeros(raters)
    for side, own in ((split.people, 1), (split.models, 0)):
        same = counts[side.case, side.label] - own
        agreed += np.bincount(side.rater, same, minlength=raters)
        pairs += np.bincount(side.rater, judged[side.case] - own, minlength=raters)
    share = np.full(raters, nan)
    np.divide(agreed, pairs, out=share, where=pairs > 0)
    return RaterFit(share, pairs.astype(np.int64))
