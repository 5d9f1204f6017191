"""What `agree` says where the data allow: batches, repeated judgments, models, sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Annotated, Literal, NamedTuple

import numpy as np

from jurybox.model import CaseSet
from jurybox.name_order import natural_key
from jurybox.raters.agree.pairs import tell_errors
from jurybox.raters.cohen import estimate_kappa, kappas_of
from jurybox.raters.corrections import judge_sentences
from jurybox.raters.intervals import share_interval
from jurybox.raters.kinds import ByKind, compare_kinds, fit_to_people
from jurybox.raters.named_coefficients import (
    OF_NAMES,
    AtMost1,
    NamedCoefficients,
    agree_together,
    tables_by_batch,
)
from jurybox.raters.pairs import agree_with_self
from jurybox.raters.ratings import CodeArray, Ratings, label_counts, labels_by, select
from jurybox.records import FLAT, NOT_EMPTY, Count, Keys, Limits, Reason, Share, computed

#: whose alpha a comparison with models gives, and what it counts
ALPHAS = ("people", "added", "replaced")
SHARES = ("within_people", "between", "within_models")
CHANGES = ("cases_adding", "changed_by_adding", "cases_replacing", "changed_by_replacing")
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


def find_batches(ratings: Ratings, words: Sequence[str], number: CodeArray) -> list[BatchRow]:
    """Agreement in every batch; `number[i]` is the place in `words` of judgment i's batch."""
    pair = np.unique(ratings.rater)
    kappas = _kappas(ratings, pair, number, len(words)) if len(pair) == 2 else None
    rows = []
    for batch, name in enumerate(words):
        own = select(ratings, number == batch)
        if not len(own):
            continue
        rows.append(
            BatchRow(
                name,
                len(np.unique(own.case)),
                len(np.unique(own.rater)),
                len(own),
                name_coefficients(label_counts(own)),
                nan if kappas is None else float(kappas[batch]),
            )
        )
    return sorted(rows, key=lambda row: natural_key(row.batch))


def _kappas(ratings: Ratings, pair: CodeArray, number: CodeArray, batches: int) -> CodeArray:
    """Cohen's kappa of two raters in each batch; a case belongs to the batch it is first in."""
    of_case = np.zeros(ratings.cases, dtype=np.int64)
    of_case[ratings.case[::-1]] = number[::-1]
    first, second = (labels_by(ratings, int(rater)) for rater in pair)
    tables = tables_by_batch(first, second, len(ratings.labels), of_case, batches)
    return np.asarray(kappas_of(tables.astype(np.float64)))


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
    for k in np.flatnonzero(found.repeats).tolist():
        repeats, same = int(found.repeats[k]), int(found.same[k])
        own = share_interval([1, 0], 1, cases=[same, repeats - same], level=level)
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


def find_model_effect(split: ByKind, raters: Sequence[str]) -> ModelEffect:
    """What adding models, or taking them instead of people, would change."""
    fit = fit_to_people(split)
    fits = [
        FitToPeople(raters[k], "model" if split.is_model[k] else "human", int(pairs), share)
        for k, (share, pairs) in enumerate(
            zip(fit.agreement.tolist(), fit.pairs.tolist(), strict=True)
        )
        if pairs
    ]
    people = sorted((one for one in fits if one.kind == "human"), key=lambda one: one.agreement)
    models = [one for one in fits if one.kind == "model"]
    ends = people if len(people) < 3 else [people[0], people[-1]]
    effect = compare_kinds(split)
    alphas = {name: getattr(effect, name) for name in ALPHAS}
    return ModelEffect(
        len(np.unique(split.models.rater)),
        len(split.models),
        {name: one.value for name, one in alphas.items()},
        {name: one.reason for name, one in alphas.items() if one.reason},
        **{name: getattr(effect, name) for name in (*SHARES, *CHANGES)},
        raters=(*models, *ends),
    )


# --- sentences ---


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
