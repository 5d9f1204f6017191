"""The figures of `ceiling`: scores against the number of annotators, or error types."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from jurybox.api.ceiling_result import HUMAN, CeilingResult, TypeCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.report.figures import Curve


def draw(result: CeilingResult) -> Figure:
    """Figures 1 and 3 of Bryant and Ng (2015); with error types Figure 2."""
    from jurybox.report.figures import draw_curves

    if result.types:
        return draw_curves(
            [_type_curve(kind) for kind in result.types_by_score()],
            title="People against people, by error type",
            score=result.score_title(),
            note=result.signature,
        )
    return draw_curves(
        [_curve(result, name) for name in (HUMAN, *result.systems)],
        title="People and systems against people" if result.systems else "People against people",
        score=result.score_title(),
        note=f"{_what_bands_are(result)}\n{result.signature}",
    )


def _what_bands_are(result: CeilingResult) -> str:
    if result.sizes[0].interval is not None:
        ci = result.options["ci"]
        bands = f"Bands: {100 * ci['level']:g} % intervals over {ci['unit']}s"
    else:
        bands = "Bands: ± one standard deviation over subsets of annotators"
    drawn = [curve.scores for curve in result.curves if not curve.scores.reason]
    if drawn:
        bands += f"; where extrapolated, {100 * drawn[0].level:g} % bands of the prediction"
    return f"{bands}."


def _type_curve(kind: TypeCurve) -> Curve:
    from jurybox.report.figures import Curve

    sizes = tuple(at.annotators for at in kind.sizes)
    return Curve(kind.type, sizes, tuple(at.human.mean for at in kind.sizes))


def _curve(result: CeilingResult, name: str) -> Curve:
    """Means with their band, then what is extrapolated."""
    from jurybox.report.figures import Curve

    sizes, scores, low, high = [], [], [], []
    for size in result.sizes:
        human = name == HUMAN
        spread = size.human if human else size.systems[name].score
        interval = size.interval if human else size.systems[name].interval
        sizes.append(size.annotators)
        scores.append(spread.mean)
        low.append(max(0.0, spread.mean - spread.sd) if interval is None else interval.low)
        high.append(min(1.0, spread.mean + spread.sd) if interval is None else interval.high)
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
