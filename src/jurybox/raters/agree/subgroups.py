"""What `agree` says where the data allow: batches, repeats, models, corrections, sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import nan
from typing import Annotated, Literal, NamedTuple

import numpy as np

from jurybox.errors import LengthError
from jurybox.model import CaseSet, JudgmentTable
from jurybox.raters.agreement import MISSING, krippendorff_alpha
from jurybox.raters.cohen import estimate_kappa, kappas_of
from jurybox.raters.intervals import Interval, share_interval
from jurybox.raters.majority import Ties, take_majority
from jurybox.raters.named_coefficients import (
    OF_NAMES,
    AtMost1,
    NamedCoefficients,
    agree_together,
    tables_by_batch,
)
from jurybox.raters.pairs import agree_with_self, list_pairs, tell_errors
from jurybox.raters.ratings import (
    BoolArray,
    ByKind,
    CodeArray,
    Codes,
    FloatArray,
    Ratings,
    label_counts,
    labels_by,
    select,
)
from jurybox.records import FLAT, NOT_EMPTY, Count, Keys, Limits, Reason, Share, computed
from jurybox.tables import natural_key

#: whose alpha a comparison with models gives
ALPHAS = ("people", "added", "replaced")
Positive = Annotated[int, Limits(minimum=1)]


def name_coefficients(
    counts: CodeArray, names: Sequence[str] = OF_NAMES, numbers: Sequence[float] | None = None
) -> NamedCoefficients:
    """Coefficients of all raters of some judgments, by name."""
    return NamedCoefficients.of(
        {name: agree_together(counts, name, numbers=numbers) for name in names}
    )


# --- batches ---


class BatchRow(NamedTuple):
    """One batch."""

    batch: str
    cases: Annotated[Positive, "Cases in it."]
    raters: Annotated[Positive, "Raters in it."]
    judgments: Annotated[Positive, "Judgments in it."]
    coefficients: Annotated[NamedCoefficients, FLAT]
    kappa: Annotated[
        AtMost1, "Cohen's kappa, where there are two raters in all and it is defined; else null."
    ]


def find_batches(ratings: Ratings, words: Sequence[str], number: Codes) -> list[BatchRow]:
    """Agreement in every batch; `number[i]` is the place in `words` of judgment i's batch."""
    pair = np.unique(ratings.rater).tolist()
    kappas = np.full(len(words), nan)
    if len(pair) == 2:
        of_case = np.zeros(ratings.cases, dtype=np.int64)
        of_case[ratings.case[::-1]] = number[::-1]  # the batch that a case is first in
        first, second = (labels_by(ratings, rater) for rater in pair)
        tables = tables_by_batch(first, second, len(ratings.labels), of_case, len(words))
        kappas = kappas_of(tables.astype(np.float64))
    rows = []
    for batch, name in enumerate(words):
        own = select(ratings, number == batch)
        if len(own):
            sizes = len(np.unique(own.case)), len(np.unique(own.rater)), len(own)
            coefficients = name_coefficients(label_counts(own))
            rows.append(BatchRow(name, *sizes, coefficients, float(kappas[batch])))
    return sorted(rows, key=lambda row: natural_key(row.batch))


# --- raters who judged a case again ---


class RepeatAgreement(NamedTuple):
    """One rater who judged cases again."""

    rater: str
    repeats: Annotated[Positive, "Cases judged again."]
    same: Annotated[Count, "With the same label."]
    low: Annotated[Share, "Lower end of the interval of their share; null if none."] = nan
    high: Annotated[Share, "Upper end."] = nan

    @computed
    def agreement(self) -> Share:
        """Their share."""
        return self.same / self.repeats


class SelfFindings(NamedTuple):
    """Raters who judged a case again."""

    kappa: Annotated[AtMost1, "Cohen's kappa of earlier and later answers; null where undefined."]
    raters: Annotated[tuple[RepeatAgreement, ...], "Rater by rater.", NOT_EMPTY]
    low: Annotated[Share, "Lower end of the interval of the share; null if none."] = nan
    high: Annotated[Share, "Upper end."] = nan
    kappa_low: Annotated[
        float, "Lower end of kappa's interval; null where undefined.", Limits(minimum=-1, maximum=1)
    ] = nan
    kappa_high: Annotated[float, "Upper end.", Limits(minimum=-1, maximum=1)] = nan
    reason: Reason = ""

    @computed
    def repeats(self) -> Positive:
        """Judgments of a case that the rater had judged before."""
        return sum(one.repeats for one in self.raters)

    @computed
    def same(self) -> Count:
        """Those with the label of the time before."""
        return sum(one.same for one in self.raters)

    @computed
    def agreement(self) -> Share:
        """Their share."""
        return self.same / self.repeats


def find_self_agreement(ratings: Ratings, *, level: float = 0.95) -> SelfFindings | None:
    """Raters who judged a case again; None if nobody did."""
    found = agree_with_self(ratings)
    if not found.repeats.any():
        return None
    raters = []

    @cache  # many raters have the same numbers
    def share_of(same: int, repeats: int) -> Interval:
        return share_interval([1, 0], 1, cases=[same, repeats - same], level=level)

    for k in np.flatnonzero(found.repeats).tolist():
        repeats, same = int(found.repeats[k]), int(found.same[k])
        own = share_of(same, repeats)
        raters.append(RepeatAgreement(ratings.raters[k], repeats, same, own.low, own.high))
    share = share_interval(found.case_same, found.case_repeats, level=level)
    kappa = estimate_kappa(found.table, level=level)
    ends = (share.low, share.high, kappa.low, kappa.high)
    return SelfFindings(found.pooled.value, tuple(raters), *ends, found.pooled.reason)


# --- models ---


class FitToPeople(NamedTuple):
    """A rater against the (other) people."""

    rater: str
    kind: Annotated[Literal["human", "model"], "Person or model."]
    pairs: Annotated[Positive, "Judgments of other people on the same cases."]
    agreement: Annotated[Share, "Share of them that agree."]


class ModelEffect(NamedTuple):
    """What models would change if they were added to people, or put in their place."""

    models: Annotated[Positive, "Models."]
    judgments: Annotated[Positive, "Their judgments."]
    krippendorff_alpha: Annotated[
        Mapping[str, AtMost1],
        "Krippendorff's alpha of people, of people and models, and of models alone.",
        Keys(ALPHAS),
    ]
    undefined: Annotated[Mapping[str, str], "Why a value is null, by name."]
    within_people: Annotated[
        Share, "Share of pairs of two people's judgments of a case that agree."
    ]
    between: Annotated[Share, "Of a person's and a model's."]
    within_models: Annotated[Share, "Of two models'."]
    cases_adding: Annotated[
        Count, "Cases with a majority both of people and of people with models."
    ]
    changed_by_adding: Annotated[Count, "Those whose majority is another one."]
    cases_replacing: Annotated[Count, "Cases with a majority both of people and of models."]
    changed_by_replacing: Annotated[Count, "Those whose majority is another one."]
    raters: Annotated[
        tuple[FitToPeople, ...],
        "The models, and the people who agree least and most with the others.",
    ]


def find_model_effect(split: ByKind) -> ModelEffect:
    """What adding models to people, or putting them in their place, would change.

    >>> from jurybox.raters.ratings import ratings_from_codes, split_kinds
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 1, 1], [0, 0, 0]]), 2)
    >>> found = find_model_effect(split_kinds(ratings, ["human", "human", "model"]))
    >>> found.within_people, round(found.between, 4), found.changed_by_replacing
    (1.0, 0.6667, 1)
    """
    fits = [
        FitToPeople(split.people.raters[k], "model" if split.is_model[k] else "human", pairs, share)
        for k, (share, pairs) in enumerate(
            zip(*(column.tolist() for column in fit_to_people(split)), strict=True)
        )
        if pairs
    ]
    people = sorted((one for one in fits if one.kind == "human"), key=lambda one: one.agreement)
    ends = people if len(people) < 3 else [people[0], people[-1]]
    by_people, by_models = label_counts(split.people), label_counts(split.models)
    counts = (by_people, by_people + by_models, by_models)
    alphas = dict(zip(ALPHAS, map(krippendorff_alpha, counts), strict=True))
    majority, added, replaced = (take_majority(each, Ties("drop")).label for each in counts)
    adding = (majority != MISSING) & (added != MISSING)
    replacing = (majority != MISSING) & (replaced != MISSING)
    return ModelEffect(
        len(np.unique(split.models.rater)),
        len(split.models),
        {name: one.value for name, one in alphas.items()},
        {name: one.reason for name, one in alphas.items() if one.reason},
        _agreeing(by_people, by_people, same=True),
        _agreeing(by_people, by_models, same=False),
        _agreeing(by_models, by_models, same=True),
        int(np.count_nonzero(adding)),
        int(np.count_nonzero(adding & (majority != added))),
        int(np.count_nonzero(replacing)),
        int(np.count_nonzero(replacing & (majority != replaced))),
        (*(one for one in fits if one.kind == "model"), *ends),
    )


def _agreeing(first: CodeArray, second: CodeArray, *, same: bool) -> float:
    """The share of pairs of judgments of the same case, one from each side, that agree."""
    alone = first.sum(axis=1) if same else 0
    agreed = int(((first * second).sum(axis=1) - alone).sum())
    pairs = int((first.sum(axis=1) * second.sum(axis=1) - alone).sum())
    return agreed / pairs if pairs else nan


def fit_to_people(split: ByKind) -> tuple[FloatArray, CodeArray]:
    """The share of the (other) people's judgments that agree with each rater's, and how many.

    A model that agrees with people as much as people do among themselves could be one of them by
    this measure.

    >>> from jurybox.raters.ratings import ratings_from_codes, split_kinds
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 1, 1]]), 2)
    >>> fit_to_people(split_kinds(ratings, ["human", "human", "model"]))[0].tolist()
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
    return share, pairs.astype(np.int64)


# --- corrections: two raters may both call a case an error and correct it differently ---


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
    numbers = np.zeros(len(ratings), dtype=np.int64)
    if table.correction is not None:
        numbers = np.asarray(table.correction, dtype=np.int64)[ratings.row]
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


# --- sentences: raters who disagree on the place of an error may agree that there is one ---


class SentenceLevel(NamedTuple):
    """Agreement on whether anything in a sentence is an error."""

    sentences: Annotated[Positive, "Sentences judged."]
    label: Annotated[str, "The label that is looked for."]
    coefficients: Annotated[NamedCoefficients, FLAT]


def find_sentence_level(ratings: Ratings, cases: CaseSet) -> SentenceLevel | None:
    """Agreement on sentences, where cases are places in them and one label is error.

    Cases without a place are about something else: two versions of a sentence, say.
    """
    errors, _ = tell_errors(ratings.labels)
    if len(errors) != 1:
        return None
    places: dict[tuple[str | None, str], int] = {}
    of_case = []
    for case in cases.cases:
        if not case.sentence or case.start is None:
            return None
        of_case.append(places.setdefault((case.document, case.sentence), len(places)))
    if len(places) == len(of_case):
        return None
    lifted = judge_sentences(ratings, np.array(of_case), len(places), errors[0])
    coefficients = name_coefficients(label_counts(lifted))
    return SentenceLevel(len(np.unique(lifted.case)), ratings.labels[errors[0]], coefficients)


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
