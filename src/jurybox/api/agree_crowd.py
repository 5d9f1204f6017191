"""Crowds of N against references for `agree`: experts, known answers, the writer's own word.

Tetreault, Filatova and Chodorow (2010): how many untrained raters are as good as a trained one?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, NamedTuple

import numpy as np

from jurybox.api.agree_options import LARGEST
from jurybox.api.agree_pairs import WEIGHTS
from jurybox.api.agree_result import Coefficient, coefficients_record, mean_record
from jurybox.api.results import number_or_none
from jurybox.raters.agreement import MISSING
from jurybox.raters.cohen import confusion_table, estimate_kappa
from jurybox.raters.crowd import (
    Band,
    CrowdCurve,
    CrowdPoint,
    agree_among_experts,
    average_curves,
    crowd_curve,
    smallest_crowd,
)
from jurybox.raters.majority import Ties
from jurybox.raters.pairs import MeanAgreement
from jurybox.raters.ratings import CodeArray, Ratings, label_counts

GOLD, WRITER = "gold", "writer"
#: stands for the mean over all experts
EXPERTS = "experts"
MEASURES = ("kappa", "agreement")
NOT_SHARED = "the crowd never gave a number that the reference has"


class Reference(NamedTuple):
    """What crowds are held against: a name, a kind (expert, gold, writer) and labels [cases]."""

    name: str
    kind: str
    labels: CodeArray
    several: int = 0  # cases with several right labels, which are left out


class ReferenceTold(NamedTuple):
    """A reference as a result tells of it."""

    name: str
    kind: str
    cases: int
    several: int

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class Drawn(NamedTuple):
    """The mean over draws and where most of them lie; nan and a reason if no draw has a value."""

    mean: float
    low: float
    high: float
    reason: str = ""


class CurvePoint(NamedTuple):
    """A crowd of n against one reference: `agreement` is exact, `drawn` and `kappa` are means.

    `weighted` is kappa that forgives near misses, where labels are ordered.
    """

    n: int
    cases: int
    left_out: int
    agreement: float
    drawn: Drawn
    kappa: Drawn
    weighted: Drawn | None
    undefined_draws: int = 0  # draws without a kappa

    def to_dict(self) -> dict[str, Any]:
        reasons = {"agreement": self.drawn.reason, "kappa": self.kappa.reason}
        if self.weighted is not None:
            reasons["weighted_kappa"] = self.weighted.reason
        return {
            "n": self.n,
            "cases": self.cases,
            "left_out": self.left_out,
            "agreement": number_or_none(self.agreement),
            **_band_record("mean_agreement", "agreement", self.drawn),
            **_band_record("kappa", "kappa", self.kappa),
            **_band_record("weighted_kappa", "weighted_kappa", self.weighted or NOT_DRAWN),
            "undefined_draws": self.undefined_draws,
            "undefined": {name: reason for name, reason in reasons.items() if reason},
        }


NOT_DRAWN = Drawn(nan, nan, nan)


def _band_record(mean: str, name: str, band: Drawn) -> dict[str, Any]:
    return {
        mean: number_or_none(band.mean),
        f"{name}_low": number_or_none(band.low),
        f"{name}_high": number_or_none(band.high),
    }


class ExpertAgainst(NamedTuple):
    """An expert against the known answers, or the writer's words."""

    expert: str
    reference: str
    n: int
    agreement: float
    kappa: float
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "expert": self.expert,
            "reference": self.reference,
            "n": self.n,
            "agreement": number_or_none(self.agreement),
            "kappa": number_or_none(self.kappa),
            **({"reason": self.reason} if self.reason else {}),
        }


class ExpertFindings(NamedTuple):
    """The experts among themselves, and against what is known."""

    names: tuple[str, ...]
    mutual: MeanAgreement
    against: tuple[ExpertAgainst, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "mutual": mean_record(self.mutual),
            "against": [one.to_dict() for one in self.against],
        }


class Reaching(NamedTuple):
    """The smallest crowd that agrees with a reference as well as experts do, or None and why."""

    reference: str
    measure: str
    target: float
    n: int | None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        record = self._asdict() | {"target": number_or_none(self.target)}
        return record if self.reason else {k: v for k, v in record.items() if k != "reason"}


class Alone(NamedTuple):
    """The crowd without the experts."""

    raters: int
    judgments: int
    together: Mapping[str, Coefficient]

    def to_dict(self) -> dict[str, Any]:
        sizes = {"raters": self.raters, "judgments": self.judgments}
        return sizes | coefficients_record(self.together)


class CrowdFindings(NamedTuple):
    """All that is known of crowds against references."""

    references: tuple[ReferenceTold, ...]
    curves: dict[str, tuple[CurvePoint, ...]]
    alone: Alone | None
    experts: ExpertFindings | None
    reached: tuple[Reaching, ...]


class Plan(NamedTuple):
    """How crowds are drawn."""

    ties: Ties
    draws: int
    level: float
    scale: str
    seed: int
    largest: int | None
    numbers: Sequence[float] | None = None  # what labels stand for, if they are numbers


def find_crowd(crowd: Ratings, references: Sequence[Reference], plan: Plan) -> CrowdFindings:
    """Crowds of every size against every reference; the crowd must be without the experts."""
    counts = label_counts(crowd)
    largest = _largest(counts, references, plan)
    plain: dict[str, CrowdCurve] = {}
    curves: dict[str, tuple[CurvePoint, ...]] = {}
    for place, reference in enumerate(references):
        drawing = _Drawing(counts, reference.labels, plan, [plan.seed, place], largest)
        first = drawing.draw("none")
        if plan.numbers is not None and not _is_shared(counts, reference):
            first = _without_kappa(first)
        ordered = plan.scale != "nominal"
        plain[reference.name] = first
        curves[reference.name] = _points(
            first, drawing.draw(WEIGHTS[plan.scale]) if ordered else None
        )
    experts = _describe_experts(references, len(crowd.labels))
    return CrowdFindings(
        tuple(
            ReferenceTold(one.name, one.kind, int((one.labels != MISSING).sum()), one.several)
            for one in references
        ),
        curves,
        None,
        experts,
        tuple(_reach(references, plain, experts)) if experts else (),
    )


def _largest(counts: CodeArray, references: Sequence[Reference], plan: Plan) -> int:
    known = np.any([one.labels != MISSING for one in references], axis=0)
    most = max(1, int(counts[known].sum(axis=1).max(initial=1)))
    return min(most, LARGEST) if plan.largest is None else min(most, plan.largest)


class _Drawing(NamedTuple):
    """All that a curve is made of but the weights of kappa."""

    counts: CodeArray
    reference: CodeArray
    plan: Plan
    seeds: list[int]
    largest: int

    def draw(self, weights: str) -> CrowdCurve:
        plan = self.plan
        return crowd_curve(
            self.counts,
            self.reference,
            np.random.default_rng(self.seeds),
            largest=self.largest,
            draws=plan.draws,
            ties=plan.ties,
            weights=weights,
            numbers=plan.numbers if plan.scale == "interval" else None,
            level=plan.level,
        )


def _is_shared(counts: CodeArray, reference: Reference) -> bool:
    """Whether the crowd ever gave a label that the reference has."""
    known = reference.labels[reference.labels != MISSING]
    return bool(counts[:, np.unique(known)].any())


def _without_kappa(curve: CrowdCurve) -> CrowdCurve:
    """Grades beside means of grades: the same number is never met, and chance says nothing."""
    none = Band(nan, nan, nan, curve.draws, NOT_SHARED)
    return curve._replace(points=tuple(point._replace(kappa=none) for point in curve.points))


def _points(plain: CrowdCurve, weighted: CrowdCurve | None) -> tuple[CurvePoint, ...]:
    others: Sequence[CrowdPoint | None] = [None] * len(plain.points)
    if weighted is not None:
        others = weighted.points
    return tuple(
        CurvePoint(
            one.n,
            one.cases,
            one.left_out,
            one.expected,
            _drawn(one.agreement),
            _drawn(one.kappa),
            None if other is None else _drawn(other.kappa),
            one.kappa.undefined,
        )
        for one, other in zip(plain.points, others, strict=True)
    )


def _drawn(band: Band) -> Drawn:
    return Drawn(band.mean, band.low, band.high, band.reason)


def _describe_experts(references: Sequence[Reference], labels: int) -> ExpertFindings | None:
    experts = [one for one in references if one.kind == "expert"]
    if not experts:
        return None
    mutual = agree_among_experts(np.array([one.labels for one in experts]), labels)
    if len(experts) == 1:
        mutual = mutual._replace(reason="there is one expert only")
    against = [
        _against(expert, known, labels)
        for known in references
        if known.kind != "expert"
        for expert in experts
    ]
    return ExpertFindings(tuple(one.name for one in experts), mutual, tuple(against))


def _against(expert: Reference, known: Reference, labels: int) -> ExpertAgainst:
    found = estimate_kappa(confusion_table(expert.labels, known.labels, labels))
    return ExpertAgainst(
        expert.name, known.name, found.n, found.observed, found.value, found.reason
    )


def _reach(
    references: Sequence[Reference], plain: Mapping[str, CrowdCurve], experts: ExpertFindings
) -> list[Reaching]:
    """Which crowd is as near to the experts as they are to each other, and so on."""
    found = []
    mutual = {"kappa": experts.mutual.kappa, "agreement": experts.mutual.observed}
    if len(experts.names) > 1:
        curves = [plain[name] for name in experts.names]
        found += [_reaching(EXPERTS, curves, name, mutual[name]) for name in MEASURES]
    for known in references:
        own = [one for one in experts.against if one.reference == known.name]
        if own:
            for name in MEASURES:
                target = float(np.mean([getattr(one, name) for one in own]))
                found.append(_reaching(known.name, [plain[known.name]], name, target))
    return found


def _reaching(name: str, curves: Sequence[CrowdCurve], measure: str, target: float) -> Reaching:
    column = "expected" if measure == "agreement" else "kappa"
    reached = smallest_crowd(average_curves(curves, column), target)
    return Reaching(name, measure, target, reached.n, reached.reason)
