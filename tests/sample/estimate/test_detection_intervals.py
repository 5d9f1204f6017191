"""All intervals of an estimate: what they may not hold, and strata that are sampled unevenly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurybox.sample.estimate.detection_intervals import (
    MEASURES,
    Found,
    find_bounds,
    measure_values,
)
from jurybox.sample.estimate.sampled_parts import SampledStratum, take_part
from reference_sampling import Stratum, as_arrays

PARTS = st.tuples(*[st.integers(2, 8)] * 2, *[st.integers(0, 8)] * 2)


def bounds_of(flagged: Stratum, passed: Stratum, weight: float = 0.3) -> Found:
    total = flagged.size + passed.size
    parts = [take_part([as_arrays(one)], total, about="corpus") for one in (flagged, passed)]
    return find_bounds(
        parts[0], parts[1], beta=0.5, weights=(np.array([weight]), np.array([weight]))
    )


@settings(max_examples=6)
@given(PARTS, st.floats(0, 1))
def test_about_these_very_cases_no_interval_holds_what_cannot_be(
    numbers: tuple[int, int, int, int], weight: float
) -> None:
    """Every corpus that the samples may be from, at the ends: no bound lies beyond all of them."""
    first, second, errors, others = numbers
    # half of either part is judged, with up to so many errors
    flagged = Stratum(2 * first, first, min(errors, first), flagged=True)
    passed = Stratum(2 * second, second, min(others, second))
    values: dict[str, list[float]] = {name: [] for name in MEASURES}
    total = flagged.size + passed.size
    for more in range(first + 1):
        for more_too in range(second + 1):
            shares = (
                np.array([(flagged.errors + more) / flagged.size]),
                np.array([(passed.errors + more_too) / passed.size]),
            )
            found = measure_values(*shares, flagged.size / total, passed.size / total, 0.5)
            for name, value in found.items():
                values[name].append(float(value[0]))
    for name, methods in bounds_of(flagged, passed, weight).items():
        possible = [value for value in values[name] if not np.isnan(value)]
        del methods["paper"]  # which takes samples as drawn with replacement
        for ends in methods.values():
            low, high = float(ends.low[0]), float(ends.high[0])
            if not np.isnan(low):
                assert min(possible) - 1e-9 <= low <= high + 1e-9 <= max(possible) + 2e-9


def test_a_part_that_is_nearly_judged_leaves_little_to_be_unsure_of() -> None:
    # 99 of 100 judged, 60 errors: 60 or 61 of them
    found = bounds_of(Stratum(100, 99, 60, flagged=True), Stratum(900, 100, 5))
    del found["precision"]["paper"]
    for ends in found["precision"].values():
        assert 0.6 - 1e-12 <= ends.low[0] <= ends.high[0] <= 0.61 + 1e-12


@pytest.mark.parametrize(
    ("draws", "least"), [(200, 0.9), pytest.param(4000, 0.94, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "strata",
    [
        # cases, drawn, errors: a large stratum in which errors are rare, beside small ones
        ((8000, 60, 40), (500, 150, 50)),
        ((5000, 100, 50), (1000, 100, 40), (200, 50, 40)),
        ((3000, 60, 9), (600, 60, 30), (100, 40, 30)),
    ],
)
def test_a_large_stratum_that_shows_no_error_is_not_taken_for_free_of_them(
    strata: tuple[tuple[int, int, int], ...], draws: int, least: float
) -> None:
    rng = np.random.default_rng(5)
    size, errors = sum(one[0] for one in strata), sum(one[2] for one in strata)
    drawn = []
    for cases, n, wrong in strata:
        found = rng.hypergeometric(wrong, cases - wrong, n, size=draws).astype(float)
        drawn.append(SampledStratum(cases, n, found, found))
    passed = take_part(drawn, size + 300, about="corpus")
    hits = rng.hypergeometric(180, 120, 60, size=draws).astype(float)
    flagged = take_part([SampledStratum(300, 60, hits, hits)], size + 300, about="corpus")
    bounds = find_bounds(flagged, passed)
    for truth, ends in (
        (errors / (size + 300), bounds["misses"]["wilson"]),
        (180 / (180 + errors), bounds["recall"]["score"]),
    ):
        held = ((ends.low <= truth) & (truth <= ends.high)).mean()
        assert held > least
