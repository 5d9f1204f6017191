"""The choice experiment of the 2008 paper."""

from __future__ import annotations

from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError
from jurybox.raters.agree.choices import Choices, correct_accuracy


@pytest.mark.parametrize("better", [0, 17, 56])
def test_choice_experiment_of_tetreault_and_chodorow_2008_section_4_2(better: int) -> None:
    """200 sentences, 28 % equal or better; the paper does not say how many of which."""
    found = correct_accuracy(Choices(writer=144, system=better, equal=56 - better), accuracy=0.75)
    assert found.share == pytest.approx(0.28)
    assert found.corrected == pytest.approx(0.82)


def test_two_bad_words_are_not_accepted_unless_asked_for() -> None:
    choices = Choices(writer=5, system=2, equal=1, bad=2)
    assert correct_accuracy(choices, 0.5).share == pytest.approx(0.3)
    assert correct_accuracy(choices, 0.5, accept_bad=True).share == pytest.approx(0.5)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.floats(0, 1))
def test_a_corrected_accuracy_lies_between_exact_matches_and_all(
    writer: int, system: int, equal: int, accuracy: float
) -> None:
    found = correct_accuracy(Choices(writer + 1, system, equal), accuracy)
    assert accuracy <= found.corrected <= 1
    nobody_prefers_the_system = system + equal == 0
    assert (found.corrected == accuracy) >= nobody_prefers_the_system


def test_without_choices_nothing_is_corrected_and_it_says_why() -> None:
    found = correct_accuracy(Choices(0, 0, 0), 0.75)
    assert isnan(found.share)
    assert isnan(found.corrected)
    assert found.reason == "nobody chose between the two words"


@pytest.mark.parametrize("accuracy", [-0.1, 75, nan])
def test_an_accuracy_that_is_no_share_is_refused(accuracy: float) -> None:
    with pytest.raises(InputError, match="from 0 to 1"):
        correct_accuracy(Choices(1, 1, 1), accuracy)


@pytest.mark.parametrize("count", [-1, nan])
def test_choices_that_are_no_counts_are_refused(count: float) -> None:
    with pytest.raises(InputError, match="counts from 0 up"):
        correct_accuracy(Choices(1, count, 1), 0.75)  # type: ignore[arg-type]  # no count
