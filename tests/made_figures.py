"""Curves and matrices to draw, and what can be read off a figure."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp, nan

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bryant_ng_2015 import TABLE_5
from jurybox.figures import Curve, draw_curves, draw_heat_map

NINE = tuple(range(1, 10))

PAPER = [
    Curve(name, NINE, tuple(score / 100 for score in row), human=name == "human")
    for name, row in TABLE_5.items()
]
GAPS = [
    PAPER[0]._replace(scores=(nan, 0.5, 0.55, nan, 0.6, nan, nan, 0.66, nan)),
    PAPER[1]._replace(scores=(*PAPER[1].scores[:5], *[nan] * 4)),
    PAPER[2],
    PAPER[3]._replace(scores=(nan,) * 9),
]
SIGNATURE = (
    "jurybox m2|beta:0.5|choice:running|sizes:all|subsets:1022|annotators:10|sentences:1312|"
    "max-unchanged-words:2|ignore-case-whitespace:no|version:1.2.3"
)
LONG_NAMES = [
    "Human annotators (average over all that were left out)",
    "transformer-big-ensemble-of-4-with-right-to-left-reranking",
    "a_name_without_any_blank_that_goes_on_and_on_until_it_is_no_longer_reasonable_at_all",
    "W" * 80,
]


def with_band(curve: Curve, spread: float = 0.02) -> Curve:
    return curve._replace(
        low=tuple(score - spread for score in curve.scores),
        high=tuple(score + spread for score in curve.scores),
    )


def extended(curve: Curve, to: int = 20) -> Curve:
    """The curve with made-up extrapolated points, and a band."""
    more = range(curve.sizes[-1] + 1, to + 1)
    scores = (*curve.scores, *(curve.scores[-1] + 0.005 * k for k in range(1, len(more) + 1)))
    return with_band(
        curve._replace(sizes=(*curve.sizes, *more), scores=scores, uncertain=len(more))
    )


def last_only(curve: Curve) -> Curve:
    return with_band(curve._replace(sizes=(9,), scores=curve.scores[-1:]))


def categories(number: int) -> list[Curve]:
    """Error types, best first."""
    return [
        Curve(f"Type{k}", NINE, tuple((0.9 - 0.8 * k / number) * (1 - exp(-n / 3)) for n in NINE))
        for k in range(number)
    ]


def crowded(number: int) -> list[Curve]:
    """Systems whose curves nearly coincide."""
    return [
        Curve(f"system-{k}", NINE, tuple(s + 0.001 * k for s in PAPER[1].scores))
        for k in range(number)
    ]


def curves_figure(curves: list[Curve], **words: str) -> Figure:
    return draw_curves(curves, **{"title": "Human and systems", "score": "F0.5", **words})


def square(size: int, **words: str) -> Figure:
    names = [f"A{k + 1}" for k in range(size)]
    values = [
        [None if i == j else 0.2 + 0.4 * ((7 * i + 3 * j) % size) / size for j in range(size)]
        for i in range(size)
    ]
    labels = {"row_label": "corrections by", "column_label": "scored against", **words}
    return draw_heat_map(names, names, values, title="Pairs", score="F0.5", **labels)


#: every kind of figure, with what strains it
FIGURES: dict[str, Callable[[], Figure]] = {
    "paper": lambda: curves_figure(PAPER, note=SIGNATURE),
    "extrapolated": lambda: curves_figure([extended(c) for c in PAPER], note=SIGNATURE),
    "one extrapolated": lambda: curves_figure([extended(PAPER[0], 12), *PAPER[1:]]),
    "twelve systems": lambda: curves_figure([PAPER[0], *crowded(12)]),
    "twelve types": lambda: curves_figure([with_band(c) for c in categories(12)]),
    "28 types": lambda: curves_figure([extended(c) for c in categories(28)], note=SIGNATURE),
    "many systems": lambda: curves_figure([PAPER[0], extended(PAPER[1]), *crowded(14)]),
    "long names": lambda: curves_figure(
        [c._replace(name=name) for c, name in zip(PAPER, LONG_NAMES, strict=True)],
        title="A title that does not fit into the width of one line " * 2,
        score="F0.5 of what annotators and systems corrected, MaxMatch, running choice " * 2,
        note=SIGNATURE * 3,
        size_label="number of annotators whose corrections are taken as references " * 2,
    ),
    # best last, and only people extrapolated
    "long names in panels": lambda: curves_figure(
        [
            extended(PAPER[0]),
            *(c._replace(name=f"{c.name} {LONG_NAMES[1]}") for c in reversed(categories(13))),
        ],
        note=SIGNATURE,
    ),
    "gaps": lambda: curves_figure([with_band(c) for c in GAPS]),
    "sparse sizes": lambda: curves_figure([Curve("A", (1, 2, 50), (0.1, 0.2, 0.3))], title=""),
    "one size": lambda: curves_figure([last_only(c) for c in PAPER], note=SIGNATURE),
    "one size, long names": lambda: curves_figure(
        [last_only(c)._replace(name=n) for c, n in zip(PAPER, LONG_NAMES, strict=True)]
    ),
    "2 x 2": lambda: square(2, note=SIGNATURE),
    "10 x 10": lambda: square(10, note=SIGNATURE),
    "4 x 26": lambda: draw_heat_map(
        list("abcd"),
        [f"Type{k}" for k in range(26)],
        [[k / 26] * 26 for k in range(4)],
        title="Rounded numbers",
        score="F0.5",
    ),
    "50 x 50": lambda: square(50),
    "long rows": lambda: draw_heat_map(
        LONG_NAMES[:2],
        LONG_NAMES[1:],
        [[1.0, None, 0.0], [nan, 0.5, 0.25]],
        title="Long",
        score="F0.5",
        row_label="a label that is much longer than two rows are high, or the page",
        column_label="a label that is as long " * 5,
    ),
}


@cache
def drawn(name: str) -> Figure:
    """One of `FIGURES`, drawn once for all tests that look at it."""
    return FIGURES[name]()


def texts_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.texts]


def lines_of(figure: Figure) -> list[Line2D]:
    """The lines and the sets of markers in the first plot."""
    return list(figure.axes[0].get_lines())


def xs(line: Line2D) -> list[float]:
    return [float(x) for x in np.asarray(line.get_xdata(), dtype=float)]


def ys(line: Line2D) -> list[float]:
    return [float(y) for y in np.asarray(line.get_ydata(), dtype=float)]
