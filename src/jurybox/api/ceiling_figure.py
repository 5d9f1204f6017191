"""The figures of `ceiling`: scores against the number of annotators, or error types."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from jurybox.api.ceiling_result import HUMAN, CeilingResult, TypeCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.report.figures import Curve

#: so many error types fit into one figure with a name beside each line
TYPES_DRAWN = 12


def draw(result: CeilingResult) -> Figure:
    """Figures 1 and 3 of Bryant and Ng (2015); with error types Figure 2."""
    from jurybox.report.figures import draw_curves

    if result.types:
        drawn = types_drawn(result)
        all_drawn = len(drawn) == len(result.types)
        note = f"The {len(drawn)} most frequent of {len(result.types)} error types.\n"
        return draw_curves(
            [_type_curve(kind) for kind in drawn],
            title="People against people, by error type",
            score=result.score_title(),
            note=("" if all_drawn else note) + result.signature,
        )
    note = "Bands: ± one standard deviation over subsets of annotators.\n"
    return draw_curves(
        [_curve(result, name) for name in (HUMAN, *result.systems)],
        title="People and systems against people" if result.systems else "People against people",
        score=result.score_title(),
        note=note + result.signature,
    )


def types_drawn(result: CeilingResult) -> list[TypeCurve]:
    """The most frequent types, those people agree on most first."""
    frequent = sorted(result.types, key=lambda kind: kind.edits, reverse=True)[:TYPES_DRAWN]
    return [kind for kind in result.types_by_score() if kind in frequent]


def _type_curve(kind: TypeCurve) -> Curve:
    from jurybox.report.figures import Curve

    sizes = tuple(at.annotators for at in kind.sizes)
    return Curve(kind.type, sizes, tuple(at.human.mean for at in kind.sizes))


def _curve(result: CeilingResult, name: str) -> Curve:
    """Means with a band of one standard deviation, then what is extrapolated."""
    from jurybox.report.figures import Curve

    sizes, scores, low, high = [], [], [], []
    for size in result.sizes:
        spread = size.human if name == HUMAN else size.systems[name].score
        sizes.append(size.annotators)
        scores.append(spread.mean)
        low.append(spread.mean - spread.sd)
        high.append(spread.mean + spread.sd)
    beyond = next((c.scores for c in result.curves if c.name == name and not c.scores.reason), None)
    if beyond is not None:
        sizes += beyond.sizes
        scores += beyond.scores
        low += beyond.low
        high += beyond.high
    return Curve(
        name,
        tuple(sizes),
        tuple(scores),
        None if any(map(isnan, low)) else tuple(low),
        None if any(map(isnan, high)) else tuple(high),
        extrapolated=0 if beyond is None else len(beyond.sizes),
        human=name == HUMAN,
    )
