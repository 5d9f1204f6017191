"""The study of coverage: how its rows are counted, and that its data is what it says."""

from __future__ import annotations

import importlib
from math import isnan, nan
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

STUDIES = Path(__file__).resolve().parent.parent / "docs" / "studies"


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(STUDIES))
    return importlib.import_module("coverage_scores")


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(STUDIES))
    return importlib.import_module("coverage_rows")


def test_cautioned_and_other_data_sets_have_rows_of_their_own(rows: ModuleType) -> None:
    tally = rows.Tally()
    for number in range(200):
        tally.add(0.0, 0.5 if number < 150 else 0.2, 0.4)
        tally.add(0.0, 1.0, 0.4, warned=True)
    tally.add(nan, nan, 0.4)
    plain, warned = tally.rows("score recall", "made", "sentence", 30)
    assert (plain.simulations, plain.coverage, plain.width, plain.warned) == (200, 0.75, 0.5, 0)
    assert (warned.coverage, warned.width, warned.warned) == (1, 1, 1)
    assert plain.note == "no interval in 1 of 401"


def test_few_data_sets_of_a_kind_make_no_row(rows: ModuleType) -> None:
    tally = rows.Tally()
    for number in range(300):
        tally.add(0.0, 1.0, 0.4, warned=number < 99)
    assert [row.warned for row in tally.rows("score recall", "made", "sentence", 30)] == [0]


def test_few_possible_outcomes_leave_no_narrower_interval(rows: ModuleType) -> None:
    """Of 100 samples 6 have an interval that ends nearest to the truth; without them 93 hold."""
    high = np.repeat([0.9, 0.45, 0.3], [93, 6, 1])
    assert rows.narrower_coverage(np.zeros(100), high, 0.4) == pytest.approx(0.93)
    many = np.linspace(0.401, 0.9, 100)
    assert rows.narrower_coverage(np.zeros(100), many, 0.4) == pytest.approx(0.97)


def test_a_p_value_holds_above_alpha(rows: ModuleType) -> None:
    tally = rows.Tally()
    for place in range(1, 101):
        tally.add_verdict(place / 100)
    (row,) = tally.rows("p", "made", "sentence", 40)
    assert row.coverage == 0.95
    assert isnan(row.width)


def test_the_careful_system_has_the_f_of_the_bold_one(study: ModuleType) -> None:
    counts = np.array([[3, 0, 1, 2], [1, 2, 0, 3], [2, 1, 4, 0]])
    (careful, bold), _ = study.thinned_pair(counts, 200_000, 0.6)(np.random.default_rng(1))
    (f_careful, f_bold) = study.SENTENCE_CHOICE.observed([careful, bold])[2]
    assert f_careful == pytest.approx(f_bold, abs=0.005)
    assert sum(careful.values["tp"]) < 0.7 * sum(bold.values["tp"])


def test_the_made_careful_and_bold_systems_have_one_f(study: ModuleType) -> None:
    pair, _ = study.made_pair(200_000)(np.random.default_rng(1))
    assert study.SENTENCE_CHOICE.observed(pair)[2] == pytest.approx([0.4902] * 2, abs=0.005)


def test_intervals_that_miss_at_one_end_only_say_so(rows: ModuleType) -> None:
    low, high = np.zeros(1000), np.repeat([0.3, 0.9], [20, 980])
    ends, truth = np.stack([low, high], axis=1), np.full(1000, 0.4)
    assert rows.row_of("a", "b", "case", 30, ends=ends, truth=truth, warned=False).note == (
        "one end misses"
    )
    ends[:10] = 0.5, 0.9
    assert rows.row_of("a", "b", "case", 30, ends=ends, truth=truth, warned=False).note == ""


@pytest.mark.parametrize(
    ("coverage", "note", "narrower", "why"),
    [
        (0.972, "", 0.97, "chance"),
        (0.99, "", 0.94, "few outcomes"),
        (0.99, "exact", 0.97, "exact"),
        (0.976, "one end misses", 0.97, "one end"),
        (0.995, "one end misses", 0.97, "none"),
        (0.98, "", 0.97, "selection"),
        (0.995, "", 0.97, "none"),
    ],
)
def test_every_excess_has_its_reason(
    rows: ModuleType, coverage: float, note: str, narrower: float, why: str
) -> None:
    """As many data sets got a caution, and 95 % of their intervals hold."""
    row = rows.CoverageRow("a", "b", "case", 30, 10_000, coverage, 0.1, 0.0, note, narrower)
    cautioned = row._replace(coverage=0.95, warned=1.0)
    assert rows.explain(row, [row, cautioned]) == why
