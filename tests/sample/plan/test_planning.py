"""Sample sizes: the paper's numbers, brute force, and what really happens in draws."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.sample.estimate.detection_intervals import standard_errors
from jurybox.sample.estimate.sampled_parts import take_part
from jurybox.sample.options import ABOUT, About
from jurybox.sample.plan import plan_sample
from jurybox.sample.plan.planning import (
    Allocation,
    Certainty,
    at_random,
    certainty,
    expect,
    meets,
    plan_at_random,
    plan_neyman,
    plan_ratio,
    spend,
    spend_ratio,
)
from jurybox.sample.plan.result import Expected, Wish
from jurybox.stats.proportions import normal_quantile
from reference_sampling import Stratum, as_arrays, estimate_detection

#: Tetreault and Chodorow 2008, Figure 1
PAPER = expect(1000, 9000, precision=0.8, error_rate=0.35)


def test_expectations_are_those_of_the_papers_figure() -> None:
    assert (PAPER.hits, PAPER.misses) == pytest.approx((0.08, 0.27))
    assert PAPER.recall == pytest.approx(8 / 35)
    assert PAPER.error_rate == pytest.approx(0.35)


def test_half_widths_are_those_of_the_estimate_without_replacement() -> None:
    """What is planned is what `estimate_detection` gives if all comes as expected."""
    strata = [Stratum(1000, 750, 600, flagged=True), Stratum(9000, 1500, 450)]
    found = estimate_detection(strata, finite=True)
    planned = certainty(PAPER, Allocation(750, 1500), about="corpus")
    # there S² is estimated with n - 1, here it is that of N - 1
    assert planned.precision == pytest.approx(1.96 * found.precision.standard_error, rel=1e-3)
    assert planned.recall == pytest.approx(1.96 * found.recall.standard_error, rel=1e-3)


def test_in_a_corpus_without_end_half_widths_are_those_of_the_paper() -> None:
    endless = expect(10**9, 9 * 10**9, precision=0.8, error_rate=0.35)
    planned = certainty(endless, Allocation(750, 1500))
    assert planned.precision == pytest.approx(1.96 * sqrt(0.8 * 0.2 / 750), rel=1e-4)
    assert planned.recall == pytest.approx(0.0150, abs=5e-5)  # R .229 [.214, .244]


def test_draws_scatter_as_far_as_planned() -> None:
    rng = np.random.default_rng(5)
    drawn = Allocation(200, 600)
    hits = rng.hypergeometric(800, 200, drawn.flagged, size=20_000) / drawn.flagged * 0.1
    misses = rng.hypergeometric(2700, 6300, drawn.passed, size=20_000) / drawn.passed * 0.9
    planned = certainty(PAPER, drawn, about="corpus")
    assert np.std(hits / 0.1) * 1.96 == pytest.approx(planned.precision, rel=0.02)
    assert np.std(hits / (hits + misses)) * 1.96 == pytest.approx(planned.recall, rel=0.02)


def test_cases_drawn_from_all_alike_scatter_as_far_as_planned() -> None:
    rng = np.random.default_rng(6)
    cells = rng.multivariate_hypergeometric([800, 200, 2700, 6300], 2000, size=20_000)
    precision, recall = cells[:, 0] / cells[:, :2].sum(1), cells[:, 0] / cells[:, [0, 2]].sum(1)
    planned = at_random(PAPER, 2000, about="corpus")
    assert np.std(precision) * 1.96 == pytest.approx(planned.precision, rel=0.03)
    assert np.std(recall) * 1.96 == pytest.approx(planned.recall, rel=0.03)


corpora = st.builds(
    Expected,
    flagged=st.integers(2, 60),
    passed=st.integers(2, 60),
    precision=st.floats(0.05, 0.95),
    miss_rate=st.floats(0.01, 0.95),
)
widths = st.none() | st.floats(0.01, 0.6)
questions = st.sampled_from(ABOUT)


def can_be(corpus: Expected, wish: Wish) -> bool:
    """Whether judging every case would be enough."""
    whole = Allocation(corpus.flagged, corpus.passed)
    return meets(certainty(corpus, whole, about=wish.about), wish)


@given(corpus=corpora, precision=widths, recall=widths, about=questions)
def test_neyman_takes_the_fewest_cases_that_meet_the_wishes(
    corpus: Expected, precision: float | None, recall: float | None, about: About
) -> None:
    assume(precision is not None or recall is not None)
    wish = Wish(precision, recall, about=about)
    planned = plan_neyman(corpus, wish)
    if not can_be(corpus, wish):
        assert about == "text"
        assert corpus.flagged == planned.flagged
        return
    assert meets(certainty(corpus, planned, about=about), wish)
    fewest = min(
        flagged + passed
        for flagged in range(1, corpus.flagged + 1)
        for passed in range(0 if recall is None else 1, corpus.passed + 1)
        if meets(certainty(corpus, Allocation(flagged, passed), about=about), wish)
    )
    # numbers are rounded up, one part after the other
    assert fewest <= planned.cases <= fewest + 1


@given(corpus=corpora, precision=widths, recall=st.floats(0.01, 0.6), about=questions)
def test_two_to_one_keeps_its_ratio_until_a_part_ends_and_could_not_take_fewer(
    corpus: Expected, precision: float | None, recall: float, about: About
) -> None:
    wish = Wish(precision, recall, about=about)
    assume(can_be(corpus, wish))
    planned = plan_ratio(corpus, wish)
    assert meets(certainty(corpus, planned, about=about), wish)
    assert planned.passed in (2 * planned.flagged, corpus.passed) or (
        planned.flagged == corpus.flagged
    )
    if planned.flagged > 1 and planned.flagged < corpus.flagged:
        fewer = Allocation(planned.flagged - 1, min(2 * planned.flagged - 2, corpus.passed))
        assert not meets(certainty(corpus, fewer, about=about), wish)


@given(corpus=corpora, cases=st.integers(2, 200))
def test_a_budget_is_spent_within_the_parts_and_as_well_as_can_be(
    corpus: Expected, cases: int
) -> None:
    best, ratio = spend(corpus, cases), spend_ratio(corpus, cases)
    for drawn in (best, ratio):
        assert drawn.cases == min(cases, corpus.size)
        assert 0 <= drawn.flagged <= corpus.flagged
        assert 0 <= drawn.passed <= corpus.passed
    possible = [
        certainty(corpus, Allocation(k, best.cases - k)).recall
        for k in range(1, corpus.flagged + 1)
        if 1 <= best.cases - k <= corpus.passed
    ]
    assert certainty(corpus, best).recall == pytest.approx(min(possible))


@pytest.mark.parametrize("plan", [plan_neyman, plan_ratio])
def test_no_plan_asks_for_more_than_the_parts_hold(plan: object) -> None:
    assert callable(plan)
    corpus = expect(30, 5000, precision=0.5, error_rate=0.05)
    for about in ABOUT:
        planned = plan(corpus, Wish(precision=1e-6, recall=1e-6, about=about))
        assert (planned.flagged, planned.passed) == (30, 5000)
    assert certainty(corpus, planned, about="corpus") == Certainty(0.0, 0.0)
    assert certainty(corpus, planned, about="text").recall == pytest.approx(0.0293, abs=1e-4)


def test_about_text_half_widths_are_those_of_the_standard_errors_of_an_estimate() -> None:
    strata = [Stratum(1000, 750, 600, flagged=True), Stratum(9000, 1500, 450)]
    parts = [take_part([as_arrays(one)], 10_000, about="text") for one in strata]
    found = standard_errors(parts[0], parts[1], 0.5)
    planned = certainty(PAPER, Allocation(750, 1500))
    assert planned.precision == pytest.approx(normal_quantile(0.95) * found["precision"][0])
    assert planned.recall == pytest.approx(normal_quantile(0.95) * found["recall"][0])


def test_about_text_corpora_and_their_samples_scatter_as_far_as_planned() -> None:
    rng = np.random.default_rng(7)
    cells = rng.multinomial(10_000, [0.08, 0.02, 0.27, 0.63], size=20_000)
    flagged, passed = cells[:, :2].sum(1), cells[:, 2:].sum(1)
    drawn = Allocation(300, 600)
    hits = rng.hypergeometric(cells[:, 0], cells[:, 1], 300) / 300
    misses = rng.hypergeometric(cells[:, 2], cells[:, 3], 600) / 600
    recall = flagged * hits / (flagged * hits + passed * misses)
    planned = certainty(PAPER, drawn)
    assert np.std(hits) * 1.96 == pytest.approx(planned.precision, rel=0.02)
    assert np.std(recall) * 1.96 == pytest.approx(planned.recall, rel=0.02)
    # all of it judged: recall is a share of 3,500 errors
    whole = certainty(PAPER, Allocation(1000, 9000))
    assert whole.recall == pytest.approx(1.96 * sqrt(8 / 35 * 27 / 35 / 3500), rel=1e-4)


def test_verification_says_nothing_about_recall() -> None:
    assert plan_neyman(PAPER, Wish(precision=0.03, about="corpus")) == Allocation(407, 0)
    drawn = plan_neyman(PAPER, Wish(precision=0.03))
    # .8 (1 - .8) (1.96 / .03)²
    assert drawn == Allocation(683, 0)
    assert certainty(PAPER, drawn).recall == inf


@pytest.mark.parametrize("about", ABOUT)
def test_sampling_takes_fewer_cases_than_drawing_from_all_alike(about: About) -> None:
    wish = Wish(precision=0.03, recall=0.02, about=about)
    some = plan_at_random(PAPER, wish)
    assert meets(at_random(PAPER, some, about=about), wish)
    assert not meets(at_random(PAPER, some - 1, about=about), wish)
    assert plan_neyman(PAPER, wish).cases < some / 3


@pytest.mark.parametrize(
    ("precision", "error_rate", "message"),
    [
        (0.8, 0.05, "more than the 500 errors of --error-rate 0.05"),
        (0.1, 0.95, "leave 9400 errors to the 9000 cases called ok"),
        (1.0, 0.35, "--precision must lie between 0 and 1"),
        (0.8, 0.0, "--error-rate must lie between 0 and 1"),
    ],
)
def test_expectations_that_cannot_be_are_told(
    precision: float, error_rate: float, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        plan_sample(
            error=1000, ok=9000, precision=precision, error_rate=error_rate, recall_within=0.1
        )


def test_an_empty_part_cannot_be_planned_for() -> None:
    with pytest.raises(InputError, match="the part 'error' has 0 cases"):
        expect(0, 9000, precision=0.8, error_rate=0.1)


@pytest.mark.parametrize(
    "wish", [{"precision_within": 0.0}, {"recall_within": 1.5}, {"recall_within": -0.1}, {}]
)
def test_impossible_wishes_are_told(wish: dict[str, Any]) -> None:
    message = "must lie between 0 and 1" if wish else "--precision-within or --recall-within"
    with pytest.raises(UsageError, match=message):
        plan_sample(error=1000, ok=9000, precision=0.8, error_rate=0.35, **wish)
