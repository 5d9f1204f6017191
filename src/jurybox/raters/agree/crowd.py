"""Crowds of N against references for `agree`: experts, known answers, the writer's own word.

Tetreault, Filatova and Chodorow (2010): how many untrained raters are as good as a trained one?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import Annotated, Literal, NamedTuple

import numpy as np

from jurybox.errors import InputError, warn
from jurybox.raters.agree import AgreeOptions
from jurybox.raters.agreement import MISSING
from jurybox.raters.cohen import confusion_table, estimate_kappa
from jurybox.raters.crowd import (
    Band,
    CrowdCurve,
    average_curves,
    crowd_curve,
    smallest_crowd,
)
from jurybox.raters.inputs import RatingsInput, as_numbers
from jurybox.raters.majority import ties_named
from jurybox.raters.named_coefficients import AtMost1, NamedCoefficients
from jurybox.raters.pairs import WEIGHTS, MeanAgreement, agree_in_pairs, average_pairs
from jurybox.raters.ratings import (
    ByKind,
    CodeArray,
    Ratings,
    gold_labels,
    label_counts,
    labels_by,
    one_right_label,
    ratings_from_codes,
    without_raters,
)
from jurybox.records import FLAT, Count, Key, Limits, Reason, Share
from jurybox.streams import stream

#: Without --max-crowd, crowds are drawn up to this size: a case with hundreds of judgments must not
#: make the curve a matter of minutes.
LARGEST = 50
GOLD, WRITER = "gold", "writer"
#: each expert in turn, averaged: the "mean" of Tetreault et al. (2010, Figure 2)
MEAN = "mean over experts"
MEASURES: tuple[Literal["kappa", "agreement"], ...] = ("kappa", "agreement")
#: stands for weighted kappa on the nominal scale
NOT_DRAWN = Band(nan, nan, nan)
#: with fewer cases than this a point of a curve is uncertain, as a bin of `evaluate` is
FEW_CASES = 30
NOT_SHARED = "the crowd never gave a number that the reference has"


class Reference(NamedTuple):
    """What crowds are held against: a name, a kind (expert, gold, writer) and labels [cases]."""

    name: str
    kind: Literal["expert", "gold", "writer"]
    labels: CodeArray
    several: int = 0  # cases with several right labels, which are left out


class ReferenceCases(NamedTuple):
    """A reference, and how many cases it has a label for."""

    name: str
    kind: Annotated[
        Literal["expert", "mean", "gold", "writer"],
        "An expert, the mean over all experts, known answers, or the writers' words.",
    ]
    cases: Annotated[
        int,
        "Cases it has a label for; of the mean, those of the expert with the fewest.",
        Limits(minimum=1),
    ]
    several: Annotated[Count, "Cases with several right labels, which are left out."]


BAND = "Lower end of the band: other draws from the same judgments lie in it with the probability \
of the level."


class CrowdPoint(NamedTuple):
    """A crowd of n against a reference."""

    reference: Annotated[
        str, f"What the crowd is held against: an expert's name, {MEAN}, gold or writer."
    ]
    n: Annotated[int, "Judgments drawn for each case.", Limits(minimum=1)]
    cases: Annotated[Count, "Cases with a reference label and n judgments."]
    left_out: Annotated[Count, "Cases with a reference label and fewer judgments."]
    agreement: Annotated[
        Share, "Agreement of the majority with the reference: the exact expectation over all draws."
    ]
    low: Annotated[Share, "Lower end of its interval over other cases; null if there is none."]
    high: Annotated[Share, "Upper end."]
    mean_agreement: Annotated[Share, "Its mean over the draws made."]
    agreement_low: Annotated[Share, BAND]
    agreement_high: Annotated[Share, "Upper end."]
    kappa: Annotated[AtMost1, "Mean of Cohen's kappa over draws."]
    kappa_low: Annotated[AtMost1, BAND]
    kappa_high: Annotated[AtMost1, "Upper end."]
    weighted_kappa: Annotated[
        AtMost1, "Mean of weighted kappa over draws; null on the nominal scale."
    ]
    weighted_kappa_low: Annotated[AtMost1, BAND]
    weighted_kappa_high: Annotated[AtMost1, "Upper end."]
    undefined_draws: Annotated[Count, "Draws without a kappa."]
    undefined: Annotated[Mapping[str, str], "Why a value is null, by name."]


class ExpertAgainst(NamedTuple):
    """One expert against one reference."""

    expert: str
    reference: str
    n: Annotated[Count, "Cases both have."]
    agreement: Annotated[Share, "Agreement; null without cases."]
    kappa: Annotated[AtMost1, "Cohen's kappa; null where undefined."]
    reason: Reason = ""


class ExpertFindings(NamedTuple):
    """The experts among themselves, and against what is known."""

    names: tuple[str, ...]
    mutual: MeanAgreement
    against: Annotated[
        tuple[ExpertAgainst, ...], "Experts against known answers and the writers' words."
    ]


class SmallestCrowd(NamedTuple):
    """The smallest crowd that agrees with a reference as well as experts do."""

    reference: Annotated[str, f"{MEAN}, gold or writer."]
    measure: Annotated[Literal["kappa", "agreement"], "What is compared."]
    target: Annotated[AtMost1, "The experts' own mean."]
    n: Annotated[int | None, "The smallest crowd; null if none is large enough.", Limits(minimum=1)]
    reason: Reason = ""


class CrowdAlone(NamedTuple):
    """The raters who are not experts."""

    raters: Annotated[int, "How many.", Limits(minimum=1)]
    judgments: Annotated[int, "Their judgments.", Limits(minimum=1)]
    coefficients: Annotated[NamedCoefficients, FLAT]


class CrowdFindings(NamedTuple):
    """All that is known of crowds against references; empty where there is no reference."""

    crowd_of_n: Annotated[
        tuple[CrowdPoint, ...],
        "Crowds of every size against every reference, experts and the mean over them first; empty "
        "if nothing is known.",
    ] = ()
    references: Annotated[tuple[ReferenceCases, ...], "What crowds are held against."] = ()
    alone: Annotated[CrowdAlone | None, Key("crowd"), "The crowd alone; null without experts."] = (
        None
    )
    experts: Annotated[ExpertFindings | None, "The experts; null without any."] = None
    reached: Annotated[tuple[SmallestCrowd, ...], "Which crowds are as good as experts."] = ()

    @property
    def curves(self) -> dict[str, tuple[CrowdPoint, ...]]:
        """Crowds of 1, 2, … by reference."""
        return {
            one.name: tuple(point for point in self.crowd_of_n if point.reference == one.name)
            for one in self.references
        }

    @property
    def mean_of_experts(self) -> str:
        """What the mean over experts is called; empty where there are not two of them."""
        return next((one.name for one in self.references if one.kind == "mean"), "")


#: where there is nothing to hold a crowd against
NO_CROWD = CrowdFindings()


def find_crowd(
    crowd: Ratings,
    references: Sequence[Reference],
    options: AgreeOptions,
    scale: str,
    numbers: Sequence[float] | None = None,
) -> CrowdFindings:
    """Crowds of every size against every reference; the crowd must be without the experts.

    `numbers` are what labels stand for, if they are numbers.
    """
    counts = label_counts(crowd)
    known = np.any([one.labels != MISSING for one in references], axis=0)
    most = max(1, int(counts[known].sum(axis=1).max(initial=1)))

    def draw(labels: CodeArray, weights: str) -> CrowdCurve:
        return crowd_curve(
            counts,
            labels,
            stream(options.seed, "crowd"),  # the same for every reference
            largest=min(most, LARGEST if options.max_crowd is None else options.max_crowd),
            draws=options.draws,
            ties=ties_named(options.ties, crowd.labels),
            weights=weights,
            numbers=numbers if scale == "interval" else None,
            level=options.ci_level,
        )

    def hold_against(reference: Reference) -> _Curves:
        plain, given = draw(reference.labels, "none"), reference.labels
        if numbers is not None and not counts[:, np.unique(given[given != MISSING])].any():
            # grades beside means of grades: the same number is never met, and chance says nothing
            none = Band(nan, nan, nan, plain.draws, NOT_SHARED)
            plain = plain._replace(points=tuple(p._replace(kappa=none) for p in plain.points))
        return _Curves(plain, draw(given, WEIGHTS[scale]) if scale != "nominal" else None)

    curves: dict[str, _Curves] = {one.name: hold_against(one) for one in references}
    known_cases = [
        ReferenceCases(one.name, one.kind, int((one.labels != MISSING).sum()), one.several)
        for one in references
    ]
    own = [one for one in references if one.kind == "expert"]
    if len(own) > 1:
        together = np.array([one.labels for one in own])
        plain, weighted = zip(*(curves[one.name] for one in own), strict=True)
        mean = _Curves(average_curves(plain, draw(together, "none")))
        if scale != "nominal":
            mean = mean._replace(weighted=average_curves(weighted, draw(together, WEIGHTS[scale])))
        name = MEAN if MEAN not in curves else f"{MEAN} (all)"
        fewest = min(one.cases for one in known_cases[: len(own)])
        known_cases.insert(len(own), ReferenceCases(name, "mean", fewest, 0))
        curves[name] = mean
    experts = _describe_experts(references, len(crowd.labels))
    return CrowdFindings(
        tuple(point for one in known_cases for point in _points(one.name, *curves[one.name])),
        tuple(known_cases),
        experts=experts,
        reached=tuple(_reach(known_cases, curves, experts)) if experts else (),
    )


class _Curves(NamedTuple):
    """Crowds against one reference, with plain and with weighted kappa."""

    plain: CrowdCurve
    weighted: CrowdCurve | None = None


def _points(name: str, plain: CrowdCurve, weighted: CrowdCurve | None) -> Iterator[CrowdPoint]:
    bands = [NOT_DRAWN] * len(plain.points)
    if weighted is not None:
        bands = [point.kappa for point in weighted.points]
    for one, near in zip(plain.points, bands, strict=True):
        reasons = {
            "agreement": one.agreement.reason,
            "kappa": one.kappa.reason,
            "weighted_kappa": near.reason,
        }
        yield CrowdPoint(
            name,
            *(one.n, one.cases, one.left_out),
            *(one.expected, one.over_cases.low, one.over_cases.high),
            *(*one.agreement[:3], *one.kappa[:3], *near[:3]),
            one.kappa.undefined,
            {what: reason for what, reason in reasons.items() if reason},
        )


def _describe_experts(references: Sequence[Reference], labels: int) -> ExpertFindings | None:
    experts = [one for one in references if one.kind == "expert"]
    if not experts:
        return None
    said = np.array([one.labels for one in experts])
    mutual = average_pairs(agree_in_pairs(ratings_from_codes(said.T, labels)))
    if len(experts) == 1:
        mutual = mutual._replace(reason="there is one expert only")
    against = []
    for known in references:
        for expert in experts if known.kind != "expert" else ():
            found = estimate_kappa(confusion_table(expert.labels, known.labels, labels))
            values = (found.n, found.observed, found.value, found.reason)
            against.append(ExpertAgainst(expert.name, known.name, *values))
    return ExpertFindings(tuple(one.name for one in experts), mutual, tuple(against))


def _reach(
    references: Sequence[ReferenceCases], curves: Mapping[str, _Curves], experts: ExpertFindings
) -> Iterator[SmallestCrowd]:
    """Which crowd is as near to the experts as they are to each other, and so on."""
    for known in references:
        targets: list[MeanAgreement | ExpertAgainst] = [experts.mutual]
        if known.kind != "mean":
            targets = [one for one in experts.against if one.reference == known.name]
        for measure in MEASURES if targets else ():
            target = float(np.mean([getattr(one, measure) for one in targets]))
            points = curves[known.name].plain.points
            values = [one.kappa.mean if measure == "kappa" else one.expected for one in points]
            n, reason = smallest_crowd(np.array(values), target)
            yield SmallestCrowd(known.name, measure, target, n, reason)


# --- what crowds are held against ---


def find_references(
    read: RatingsInput, split: ByKind, experts: Sequence[int]
) -> tuple[Ratings, list[Reference]]:
    """The crowd without experts, with a label for everything that may be right; what is known.

    Experts come first, then known answers, then the writers' words.
    """
    cases = read.case_set
    written = [] if cases.is_bare else [case.written for case in cases.cases]
    words = {word for word in written if word}
    # raters fill a gap: half of what the writers wrote, or more, is among the labels
    own_words = bool(words) and 2 * len(words & set(split.people.labels)) >= len(words)
    own_words = own_words and "second" not in read.extra  # there was no gap but a choice of two
    more = [label for right in read.gold for label in right]
    more += written if own_words else []
    people, models = (_with_labels(side, more) for side in (split.people, split.models))
    dropped = np.zeros(len(people.raters), dtype=bool)
    dropped[np.asarray(experts, dtype=np.intp)] = True
    crowd = without_raters(people, dropped)
    found: list[Reference] = []
    for number in experts:
        said = labels_by(models if split.is_model[number] else people, number)
        if not (said != MISSING).any():
            raise InputError(f"--expert {people.raters[number]}: this rater labelled no case")
        found.append(Reference(people.raters[number], "expert", said))
    if any(read.gold):
        right = gold_labels(read.gold, people.labels)
        several = int((right.sum(axis=1) > 1).sum())
        found.append(_named(Reference(GOLD, "gold", one_right_label(right), several), found))
    if own_words:
        numbers = {name: number for number, name in enumerate(people.labels)}
        codes = np.array([numbers.get(word, MISSING) for word in written], dtype=np.int64)
        found.append(_named(Reference(WRITER, "writer", codes), found))
    if found and not len(crowd):
        raise InputError(
            "--expert: nobody but the experts judged a case; name fewer of them, so that there is "
            "a crowd"
        )
    judged = np.zeros(people.cases, dtype=bool)
    judged[crowd.case] = True
    met = []
    for one in found:
        if ((one.labels != MISSING) & judged).any():
            met.append(one)
        else:
            warn(
                f"no case has both a judgment of the crowd and one label by {one.name}: no crowd "
                "is held against it"
            )
    return crowd, met


def _named(one: Reference, others: Sequence[Reference]) -> Reference:
    """A reference whose name no expert has."""
    taken = {other.name for other in others}
    return one._replace(name=f"{one.name} (known)") if one.name in taken else one


def _with_labels(ratings: Ratings, more: Sequence[str]) -> Ratings:
    """The same judgments where further labels can be right; numbers stay in their order."""
    # sorted, so that the order of cases changes nothing
    names = list(dict.fromkeys([*ratings.labels, *sorted(filter(None, set(more)))]))
    if len(names) == len(ratings.labels):
        return ratings
    numbers = as_numbers(names)
    if numbers is not None:
        names = [name for _, name in sorted(zip(numbers, names, strict=True))]
    place = np.array([names.index(name) for name in ratings.labels], dtype=np.int64)
    return replace(ratings, label=place[ratings.label], labels=tuple(names))
