"""Resampled raters: the same as writing a drawn rater's judgments down once more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.jury import rater_bootstrap
from jurybox.jury.rater_bootstrap import RaterResamples, resample_raters
from jurybox.jury.votes import BoolArray, LabelArray, Votes, count_votes, error_share, majority
from jurybox.jury.weighted import contributions
from made_cases import RATERS, decided_panels, judged, labels_of


def redrawn(cases: list[str], seed: int, resamples: int) -> list[Votes]:
    """Votes of panels in which each rater stands as often as drawn."""
    draws = np.random.default_rng(seed).multinomial(RATERS, [1 / RATERS] * RATERS, size=resamples)
    panels = [
        ["".join(mark * int(k) for mark, k in zip(case, times, strict=True)) for case in cases]
        for times in draws
    ]
    return [count_votes(judged(*panel), len(cases)) for panel in panels]


@given(
    panel=decided_panels(),
    seed=st.integers(0, 99),
    ties=st.sampled_from(["ok", "error", "drop"]),
    dense=st.booleans(),
)
def test_counts_are_those_of_the_panel_with_the_raters_drawn(
    panel: tuple[list[str], LabelArray], seed: int, ties: str, dense: bool
) -> None:
    cases, decided = panel
    trivial: BoolArray = np.zeros(len(cases), bool)
    trivial[0] = True
    with pytest.MonkeyPatch.context() as patch:
        if not dense:
            patch.setattr(rater_bootstrap, "DENSE_CELLS", 0)
        drawn = resample_raters(
            judged(*cases),
            [decided, 1 - abs(decided)],
            np.random.default_rng(seed),
            3,
            trivial=trivial,
            ties=ties,
        )
    for i, votes in enumerate(redrawn(cases, seed, 3)):
        plain = contributions(decided, majority(votes, ties, trivial=trivial).truth).sum(axis=1)
        weighted = contributions(decided, error_share(votes, trivial=trivial)).sum(axis=1)
        assert drawn.plain[0, i] == pytest.approx(plain)
        assert drawn.weighted[0, i] == pytest.approx(weighted)


@given(panel=decided_panels(), seed=st.integers(0, 99))
def test_cases_alike_and_case_by_case_give_the_same_numbers(
    panel: tuple[list[str], LabelArray], seed: int
) -> None:
    cases, decided = panel
    found: list[RaterResamples] = []
    for cells in (10**6, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rater_bootstrap, "DENSE_CELLS", cells)
            found.append(
                resample_raters(
                    judged(*cases), [decided], np.random.default_rng(seed), 4, ties="random"
                )
            )
    assert found[0].plain == pytest.approx(found[1].plain)
    assert found[0].weighted == pytest.approx(found[1].weighted)
    assert found[0].raters == RATERS


def test_unanimous_raters_move_nothing() -> None:
    drawn = resample_raters(judged("eeee", "oooo"), [labels_of([1, 1])], np.random.default_rng(0))
    assert (drawn.weighted == np.array([1, 1, 0, 0])).all()
    assert (drawn.plain == drawn.weighted).all()


def test_bad_requests_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="no system"):
        resample_raters(judged("e"), [], rng)
    with pytest.raises(InputError, match="no raters"):
        resample_raters(judged(""), [labels_of([1])], rng)
    with pytest.raises(UsageError, match="at least 1 resample"):
        resample_raters(judged("e"), [labels_of([1])], rng, 0)
