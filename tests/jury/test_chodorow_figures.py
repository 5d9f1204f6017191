"""Every number of Figures 3 to 10 of Chodorow et al. (2012), counted from cases.

Where a figure gives proportions they are counts of 100 cases. The tests go the way the program
goes: decisions and judgments of single cases, counts, measures.
"""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.jury.was import eight_cells
from jurybox.jury.weighted import detection_counts, measure_counts, weighted_counts
from jurybox.measures import measure
from jurybox.metrics.measures import total
from jurybox.model import Counts
from made_cases import spread_out

FIGURE_5 = (4, 16, 16, 64)
FIGURE_7 = (10, 10, 10, 70)
FIGURE_8 = (12, 18, 28, 42)
FIGURE_9 = (12, 18, 28, 42)
FIGURE_10 = (12, 18, 28, 142)


def measured(cells: tuple[int, int, int, int], name: str, *, graded: bool = False) -> float:
    decided, truth = spread_out(*cells)
    counts = (
        weighted_counts(decided, truth.astype(np.float64))
        if graded
        else detection_counts(decided, truth)
    )
    return measure_counts(name, counts, beta=1).value


def test_figure_3_cells_have_the_outcomes_of_the_paper() -> None:
    cells = eight_cells(*spread_out(0, 0, 0, 0), np.zeros(0, bool))
    # rows: system has the comma, has not; columns: annotator and writer as in the figure
    assert [(cell.annotator, cell.writer) for cell in cells[:4]] == [
        (True, True),
        (True, False),
        (False, True),
        (False, False),
    ]
    assert [cell.outcome for cell in cells[:4]] == ["tn", "tp", "fn", "fp"]
    assert [cell.outcome for cell in cells[4:]] == ["fp", "fn", "tp", "tn"]


@pytest.mark.parametrize("graded", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    ("cells", "values"),
    [
        pytest.param(FIGURE_5, (0.68, 0.00, 0.20, 0.20), id="figure-5"),
        pytest.param(FIGURE_7, (0.80, 0.375, 0.20, 0.20), id="figure-7"),
        pytest.param(FIGURE_8, (0.54, 0.00, 0.40, 0.30), id="figure-8"),
        pytest.param(FIGURE_9, (0.54, 0.00, 0.40, 0.30), id="figure-9"),
        pytest.param(FIGURE_10, (0.77, 6 / 29, 0.20, 0.15), id="figure-10"),
    ],
)
def test_figure_has_its_accuracy_kappa_prevalence_and_bias(
    cells: tuple[int, int, int, int], values: tuple[float, ...], graded: bool
) -> None:
    names = ("accuracy", "cohen_kappa", "prevalence", "bias")
    found = [measured(cells, name, graded=graded) for name in names]
    assert found == pytest.approx(values, abs=1e-12)


def test_figure_6_formula_is_accuracy_corrected_by_chance() -> None:
    for cells in (FIGURE_5, FIGURE_7, FIGURE_8, FIGURE_10):
        accuracy, chance = (measured(cells, name) for name in ("accuracy", "chance_accuracy"))
        expected = (accuracy - chance) / (1 - chance)
        assert measured(cells, "cohen_kappa") == pytest.approx(expected, abs=1e-12)


def test_figures_5_and_7_have_the_same_chance_accuracy_of_68() -> None:
    assert measured(FIGURE_5, "chance_accuracy") == pytest.approx(0.68)
    assert measured(FIGURE_7, "chance_accuracy") == pytest.approx(0.68)


def test_figure_7_kappa_is_printed_as_38_and_figure_10_as_21() -> None:
    # .375 itself: the paper rounds half up, Python's round would too only by luck
    assert measured(FIGURE_7, "cohen_kappa") == 0.375
    assert f"{measured(FIGURE_10, 'cohen_kappa'):.2f}" == "0.21"


def test_figure_5_has_precision_recall_and_f_of_20() -> None:
    found = [measured(FIGURE_5, name) for name in ("precision", "recall", "f_beta")]
    assert found == pytest.approx([0.20, 0.20, 0.20])


def test_figure_8_has_recall_30_precision_40_and_f_34() -> None:
    assert measured(FIGURE_8, "recall") == 0.30
    assert measured(FIGURE_8, "precision") == 0.40
    assert round(measured(FIGURE_8, "f_beta"), 2) == 0.34


@pytest.mark.parametrize("cells", [FIGURE_5, FIGURE_8], ids=["figure-5", "figure-8"])
def test_at_chance_precision_equals_prevalence_and_recall_equals_bias(
    cells: tuple[int, int, int, int],
) -> None:
    assert measured(cells, "precision") == pytest.approx(measured(cells, "prevalence"))
    assert measured(cells, "recall") == pytest.approx(measured(cells, "bias"))


def test_figure_10_is_figure_9_with_100_trivial_negatives() -> None:
    decided, truth = spread_out(*FIGURE_9)
    trivial = np.zeros(100, np.int8)
    more = [np.concatenate([labels, trivial]) for labels in (decided, truth)]
    without, with_trivial = detection_counts(decided, truth), detection_counts(*more)
    assert with_trivial == Counts(*FIGURE_10)
    for name in ("precision", "recall", "f_beta"):
        assert measure_counts(name, without).value == measure_counts(name, with_trivial).value
    for name in ("accuracy", "cohen_kappa"):
        assert measure_counts(name, without).value < measure_counts(name, with_trivial).value


def test_figure_10_proportions_are_those_printed() -> None:
    counts = detection_counts(*spread_out(*FIGURE_10))
    shares = [part / total(counts) for part in (counts.tp, counts.fp, counts.fn, counts.tn)]
    assert shares == [0.06, 0.09, 0.14, 0.71]


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        pytest.param(
            (0.04, 0.16, 0.16, 0.64),
            [("TP 0.04", "FP 0.16", "0.2000 (bias)"), ("FN 0.16", "TN 0.64", "0.8000")],
            id="figure-5",
        ),
        pytest.param(
            (0.1, 0.1, 0.1, 0.7),
            [("TP 0.1", "FP 0.1", "0.2000 (bias)"), ("FN 0.1", "TN 0.7", "0.8000")],
            id="figure-7",
        ),
        pytest.param(
            (0.12, 0.18, 0.28, 0.42),
            [("TP 0.12", "FP 0.18", "0.3000 (bias)"), ("FN 0.28", "TN 0.42", "0.7000")],
            id="figure-8",
        ),
        pytest.param(
            FIGURE_9,
            [
                ("TP 12 (0.1200)", "FP 18 (0.1800)", "0.3000 (bias)"),
                ("FN 28 (0.2800)", "TN 42 (0.4200)", "0.7000"),
            ],
            id="figure-9",
        ),
        pytest.param(
            FIGURE_10,
            [
                ("TP 12 (0.0600)", "FP 18 (0.0900)", "0.1500 (bias)"),
                ("FN 28 (0.1400)", "TN 142 (0.7100)", "0.8500"),
            ],
            id="figure-10",
        ),
    ],
)
def test_measures_prints_the_contingency_table_of_the_figure(
    cells: tuple[float, ...], shown: list[tuple[str, ...]]
) -> None:
    """Figures 5 and 7 to 10 with their margins; below each, Figure 6 with the numbers in it."""
    table = measure(*cells).tables()[1]
    assert [row[1:] for row in table.rows[:2]] == shown
    tp, fp, fn, tn = cells
    shares = [f"{part / sum(cells):.4f}" for part in (tp + fn, fp + tn)]
    assert table.rows[2][1:3] == (f"{shares[0]} (prevalence)", shares[1])
    assert table.notes[0].startswith("kappa = (A - E(A)) / (1 - E(A)) = (")


def test_the_contingency_table_of_figure_7_shows_how_kappa_follows() -> None:
    table = measure(10, 10, 10, 70).tables()[1]
    assert table.notes[0].endswith("= (0.8000 - 0.6800) / (1 - 0.6800) = 0.3750")


def test_without_true_negatives_there_is_no_contingency_table() -> None:
    assert len(measure(1, 2, 3).tables()) == len(measure(0, 0, 0, 0).tables()) == 1


def test_13_percent_errors_make_always_ok_87_percent_accurate() -> None:
    silent = (0, 0, 13, 87)
    assert measured(silent, "accuracy") == measured(silent, "always_ok_accuracy") == 0.87
    assert measured(silent, "cohen_kappa") == 0.0
