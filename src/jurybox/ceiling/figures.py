"""The figures of `ceiling`: scores against the number of annotators, or error types."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from jurybox.ceiling import HUMAN, UNCHANGED
from jurybox.figures import Curve, draw_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.ceiling.result import CeilingResult


def draw(result: CeilingResult) -> Figure:
    """Figures 1 and 3 of Bryant and Ng (2015); with error types Figure 2."""
    if result.types:
        return draw_curves(
            [
                Curve(
                    kind.type,
                    tuple(at.annotators for at in kind.sizes),
                    tuple(at.human for at in kind.sizes),
                )
                for kind in result.types_by_score()
            ],
            title="People against people, by error type",
            score=result.score_title(),
            note=result.signature,
        )
    # By F the source unchanged is the line 0 wherever somebody made an edit, and would only stretch
    # the axis; by GLEU it scores above 0.
    drawn = [
        name
        for name in result.sizes[-1].texts
        if name != UNCHANGED or any(size.unchanged.score > 0 for size in result.sizes)
    ]
    return draw_curves(
        [_curve(result, name) for name in (HUMAN, *drawn)],
        title="People and systems against people" if result.systems else "People against people",
        score=result.score_title(),
        note=f"{_what_bands_are(result)}\n{result.signature}",
    )


def _what_bands_are(result: CeilingResult) -> str:
    ci = result.options.ci
    if ci is not None:
        bands = f"Bands: {100 * ci.level:g} % intervals over {ci.unit}s"
    else:
        bands = "Bands: ± one standard deviation over subsets of annotators"
    drawn = [one.score for one in result.extrapolation.values() if not one.score.reason]
    if drawn:
        bands += f"; where extrapolated, {100 * drawn[0].level:g} % bands of the prediction"
    return f"{bands}."


def _curve(result: CeilingResult, name: str) -> Curve:
    """Means with their band, then what is extrapolated."""
    sizes, scores, low, high = [], [], [], []
    for size in result.sizes:
        if name == HUMAN:
            spread, interval = size.human_spread, size.human_interval
        else:
            spread, interval = size.texts[name].spread, size.texts[name].interval
        sizes.append(size.annotators)
        scores.append(spread.mean)
        low.append(max(0.0, spread.mean - spread.sd) if interval is None else interval.low)
        high.append(min(1.0, spread.mean + spread.sd) if interval is None else interval.high)
    extrapolated = result.extrapolation.get(name)
    beyond = None
    if extrapolated is not None and not extrapolated.score.reason:
        beyond = extrapolated.score
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
        uncertain=0 if beyond is None else len(beyond.sizes),
        human=name == HUMAN,
    )
