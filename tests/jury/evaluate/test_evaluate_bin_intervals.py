"""Intervals in the bins of `evaluate`: on the same resamples as everything else."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from jurybox.jury.evaluate import evaluate
from jurybox.jury.evaluate.figures import draw
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.model import Case, CaseSet, DecisionTable, JudgmentTable
from jurybox.saved_results import read_result

SIZE = 200


def made(**options: object) -> EvaluateResult:
    """Ten raters, two systems: one mostly right, one that guesses."""
    rng = np.random.default_rng(3)
    p = rng.choice([0.0, 0.2, 0.4, 0.7, 1.0], SIZE)
    table = JudgmentTable()
    for case in range(SIZE):
        for rater in range(10):
            label = "error" if rng.random() < p[case] else "ok"
            table.append(case, f"r{rater}", label)
    systems = {}
    for name, chance in (("good", 0.9), ("coin", 0.5)):
        decided = DecisionTable(name)
        right = rng.random(SIZE) < chance
        decided.label.extend(int((p[i] > 0.5) == right[i]) for i in range(SIZE))
        systems[name] = decided
    cases = CaseSet(tuple(Case(f"c{i}") for i in range(SIZE)))
    return evaluate(
        cases,
        table,
        systems,
        ci=True,
        resamples=200,
        **options,  # type: ignore[arg-type]  # options of many kinds
    )


def test_a_bin_of_all_cases_has_the_intervals_of_the_whole() -> None:
    for system in made(bins=[0.5, 1]).systems:
        inside = system.bins[0].intervals
        plain = system.intervals["plain"]
        for name, measure in (("precision",) * 2, ("recall",) * 2, ("kappa", "cohen_kappa")):
            assert inside[name] == plain[measure]


def test_every_interval_is_about_the_value_of_its_bin() -> None:
    result = made()
    for system in result.systems:
        for one in system.bins:
            for name in ("precision", "kappa"):
                value, found = getattr(one, name), one.intervals[name]
                assert found.value == value
                assert found.low <= value <= found.high or isnan(value)
    good, coin = result.systems
    assert good.bins[2].intervals["kappa"].low > coin.bins[2].intervals["kappa"].high


def test_other_raters_would_make_other_bins_so_there_are_no_intervals() -> None:
    result = made(ci_unit="rater")
    assert not any(one.intervals for system in result.systems for one in system.bins)
    assert "intervals" not in result.to_dict()["systems"][0]["bins"][0]


def test_json_holds_them_and_gives_them_back() -> None:
    result = made()
    part = result.to_dict()["systems"][0]["bins"][1]["intervals"]
    assert list(part) == ["precision", "recall", "kappa"]
    assert part["recall"]["low"] <= part["recall"]["value"] <= part["recall"]["high"]
    again = read_result(result.to_dict())
    assert isinstance(again, EvaluateResult)
    assert again.to_dict() == result.to_dict()


@pytest.mark.parametrize("kind", ["kappa", "precision-recall"])
def test_figures_by_agreement_have_error_bars_with_intervals_and_none_without(kind: str) -> None:
    bars = []
    for unit in ("case", "rater"):
        figure = draw(made(ci_unit=unit), kind)
        bars.append(sum(len(axes.lines) for axes in figure.axes))
    assert bars[0] > bars[1]
