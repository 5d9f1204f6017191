"""Figures of cases: histograms, bins and curves over thresholds, with what strains them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import nan
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from jurybox.figures import (
    BinScores,
    XYCurve,
    XYMark,
    draw_bins,
    draw_histogram,
    draw_xy,
)
from made_figures import LONG_NAMES, SIGNATURE

Floats = NDArray[np.float64]

#: Madnani et al. (2011), Figure 2: the bins and their sizes, 923 cases in all
BINS = ["50–75%", "75–90%", "90–100%"]
SIZES = [93, 114, 716]
LONG_BINS = [f"at least {least} of 20 raters who saw it agree" for least in (10, 15, 18)]
#: only the overall precision and recall of LM are printed; those by bin are made up around them
PRECISION = {"LM": [1.0, 0.92, 0.957], "PERC": [0.52, 0.9, 0.82]}
RECALL = {"LM": [0.13, 0.33, 0.42], "PERC": [0.38, 0.36, 0.61]}
TWENTY = [round(0.5 + k / 20, 2) for k in range(11)]
COUNTS = [12, 18, 21, 22, 20, 35, 39, 40, 66, 190, 460]


def around(values: dict[str, list[float]], by: float) -> dict[str, list[float | None]]:
    return {name: [min(x + by, 1.0) for x in row] for name, row in values.items()}


def many_systems(number: int) -> dict[str, list[float]]:
    return {f"system-{k}": [0.3 + 0.004 * k, 0.4 + 0.01 * k, 0.5] for k in range(number)}


def scores(number: int, skill: float, seed: int) -> tuple[Floats, Floats]:
    """False-positive and true-positive rate at every threshold of a made-up system."""
    rng = np.random.default_rng(seed)
    truth = rng.random(number) < 0.2
    order = np.argsort(-(rng.normal(size=number) + skill * truth), kind="stable")
    hits = np.concatenate([[0], np.cumsum(truth[order])])
    flagged = np.arange(number + 1)
    return (flagged - hits) / (number - truth.sum()), hits / truth.sum()


def precision_of(fpr: Floats, recall: Floats) -> Floats:
    flagged = 0.2 * recall + 0.8 * fpr
    return np.where(flagged > 0, 0.2 * recall / np.maximum(flagged, 1e-12), nan)


def kappa_of(fpr: Floats, recall: Floats) -> Floats:
    bias = 0.2 * recall + 0.8 * fpr
    chance = 0.2 * bias + 0.8 * (1 - bias)
    kappa: Floats = (0.2 * recall + 0.8 * (1 - fpr) - chance) / (1 - chance)
    return kappa


@cache
def roc_curves(number: int) -> list[XYCurve]:
    return [
        XYCurve(name, *scores(number, skill, seed), told=f"area {area}")
        for seed, (name, skill, area) in enumerate(
            [("LM", 1.6, "0.87"), ("PERC", 1.0, "0.76"), ("baseline", 0.4, "0.61")]
        )
    ]


def roc(number: int, **words: str) -> Figure:
    curves = roc_curves(number)
    marks = [XYMark(c.name, c.x[k], c.y[k]) for k, c in zip((60, 30, 90), curves, strict=True)]
    return draw_xy(
        curves,
        marks=[
            *marks,
            XYMark("LM", curves[0].x[90], curves[0].y[90], "best kappa on the development part"),
        ],
        diagonal=True,
        **{"title": "ROC", "x_label": "false-positive rate", "y_label": "recall", **words},
    )


def kappa_curves() -> Figure:
    return draw_xy(
        [
            XYCurve(c.name, c.x, kappa_of(np.asarray(c.x), np.asarray(c.y)), "AUK 0.21")
            for c in roc_curves(400)
        ],
        title="Kappa over thresholds",
        x_label="false-positive rate",
        y_label="kappa",
    )


def precision_recall() -> Figure:
    return draw_xy(
        [
            XYCurve(c.name, c.y, precision_of(np.asarray(c.x), np.asarray(c.y)))
            for c in roc_curves(400)
        ],
        title="Precision against recall",
        x_label="recall",
        y_label="precision",
        marks=[XYMark("LM", 0.384, 0.957), XYMark("PERC", nan, nan)],
        note=SIGNATURE,
    )


def against_bias() -> Figure:
    fpr, recall = (np.asarray(values) for values in roc_curves(400)[0][1:3])
    precision = precision_of(fpr, recall)
    bias = 0.2 * recall + 0.8 * fpr
    f1 = 2 * precision * recall / (precision + recall + 1e-12)
    return draw_xy(
        [
            XYCurve("precision", bias, precision),
            XYCurve("recall", bias, recall),
            XYCurve("F1", bias, f1),
        ],
        title="LM over thresholds",
        x_label="bias: share of cases the system calls errors",
        y_label="precision, recall, F1",
        marks=[
            XYMark("precision", bias[60], precision[60]),
            XYMark("recall", bias[60], recall[60]),
        ],
    )


#: every kind of figure, with what strains it
def draw_one_measure(
    names: list[str],
    bins: list[str],
    values: Any,
    *,
    score: str,
    low: Any = None,
    high: Any = None,
    **more: Any,
) -> Figure:
    return draw_bins(names, bins, [BinScores(score, values, low, high)], **more)


CASE_FIGURES: dict[str, Callable[[], Figure]] = {
    "histogram": lambda: draw_histogram(
        TWENTY, COUNTS, title="Agreement of 20 raters", x_label="agreement", note=SIGNATURE
    ),
    "histogram of ten": lambda: draw_histogram(
        TWENTY[::2], [10, 0, 512, 2044, 11987, 104_960], title="Agreement", x_label="agreement"
    ),
    "histogram of bins": lambda: draw_histogram(
        [0.5, 0.75, 0.9, 1.0], SIZES, title="Agreement bins", x_label="agreement"
    ),
    "histogram of many": lambda: draw_histogram(
        [k / 100 for k in range(101)],
        [abs(50 - k) ** 3 for k in range(100)],
        title="A hundred bins",
        x_label="share of raters who call the case an error " * 3,
        y_label="cases that have so large a share of raters " * 4,
    ),
    "histogram of mixed": lambda: draw_histogram(
        sorted({round(k / n, 4) for n in range(5, 11) for k in range((n + 1) // 2, n + 1)}),
        [1_234_567 // (k + 1) for k in range(17)],
        title="Five to ten raters",
        x_label="agreement",
    ),
    "histogram of one": lambda: draw_histogram([1.0], [0], title="None", x_label="agreement"),
    "kappa by bin": lambda: draw_one_measure(
        ["LM", "PERC"],
        BINS,
        {"LM": [0.12, 0.35, 0.61], "PERC": [-0.08, 0.41, None]},
        low={"LM": [-0.1, 0.2, 0.55], "PERC": [-0.3, 0.3, None]},
        high={"LM": [0.3, 0.5, 0.67], "PERC": [0.1, 0.5, None]},
        title="Kappa by agreement",
        score="kappa",
        sizes={"LM": SIZES, "PERC": [21, 1140, 0]},
        note=SIGNATURE,
    ),
    "precision and recall": lambda: draw_bins(
        ["LM", "PERC"],
        BINS,
        [
            BinScores("precision", PRECISION, around(PRECISION, -0.05), around(PRECISION, 0.03)),
            BinScores("recall", RECALL, around(RECALL, -0.05), around(RECALL, 0.05)),
        ],
        title="Precision and recall by agreement",
        sizes=SIZES,
        note=SIGNATURE,
    ),
    "three measures": lambda: draw_bins(
        ["LM", "PERC", "none"],
        BINS,
        [
            BinScores("precision", {**PRECISION, "none": [None] * 3}),
            BinScores("recall", {**RECALL, "none": [0.0] * 3}),
            BinScores("kappa", {name: [None] * 3 for name in ("LM", "PERC", "none")}),
        ],
        title="Three measures",
        sizes=[12, 114, 716],
    ),
    "twenty systems by bin": lambda: draw_one_measure(
        list(many_systems(20)), BINS, many_systems(20), title="Many", score="F0.5", sizes=SIZES
    ),
    "twenty bins": lambda: draw_bins(
        ["LM", "PERC"],
        [f"[{k / 20:.2f}, {(k + 1) / 20:.2f})" for k in range(20)],
        [
            BinScores(s, {"LM": [k / 20 for k in range(20)], "PERC": [0.5, None] * 10})
            for s in ("precision", "recall")
        ],
        title="Twenty bins",
        sizes={"LM": [1000] * 20, "PERC": [29] * 20},
        bin_label="share of raters who call the case an error",
    ),
    "one system, one bin": lambda: draw_one_measure(
        ["LM"], ["all"], {"LM": [0.957]}, title="", score="precision", sizes=[1]
    ),
    "names of bins in rows": lambda: draw_one_measure(
        ["LM"], LONG_BINS, {"LM": [0.1, 0.2, 0.3]}, title="Rows", score="kappa", sizes=SIZES
    ),
    "long names by bin": lambda: draw_bins(
        LONG_NAMES,
        LONG_BINS,
        [
            BinScores(score, {name: [0.1, 0.2, 0.3 + k / 9] for k, name in enumerate(LONG_NAMES)})
            for score in ("precision of what was flagged " * 5, "recall")
        ],
        title="A title that does not fit into the width of one line " * 2,
        sizes=[10_000_000] * 3,
        note=SIGNATURE * 2,
        bin_label="a label that is as long " * 5,
    ),
    "roc": lambda: roc(400, note=SIGNATURE),
    "kappa curves": kappa_curves,
    "precision against recall": precision_recall,
    "against bias": against_bias,
    "twelve curves": lambda: draw_xy(
        [XYCurve(f"system-{k}", [0, 1], [0, (k + 1) / 12]) for k in range(12)],
        title="Twelve",
        x_label="x",
        y_label="y",
    ),
    "upper corner": lambda: draw_xy(
        [XYCurve("A", [0.81, 0.83, 0.9], [0.96, 0.99, 0.97]), XYCurve("B", [0.9], [0.97])],
        title="Wide numbers in the corner",
        x_label="x",
        y_label="y",
    ),
    "long names of curves": lambda: draw_xy(
        [
            XYCurve(name, [0, 0.5, 1], [0, 1 - k / 5, 1], f"area {k}")
            for k, name in enumerate(LONG_NAMES)
        ],
        title="A title that does not fit into the width of one line " * 2,
        x_label="a label that is as long " * 5,
        y_label="a label that is as long " * 6,
        diagonal=True,
        note=SIGNATURE,
    ),
    "points and gaps": lambda: draw_xy(
        [
            XYCurve("A", [0.1, 0.2, 0.3, 0.4, 0.5], [0.1, None, 0.3, None, 0.2]),
            XYCurve("B", [0.5], [0.31]),
            XYCurve("C", [], []),
        ],
        title="Gaps",
        x_label="x",
        y_label="y",
        marks=[XYMark("C", 0.1, 0.1)],
    ),
}


@cache
def drawn_cases(name: str) -> Figure:
    """One of `CASE_FIGURES`, drawn once for all tests that look at it."""
    return CASE_FIGURES[name]()
