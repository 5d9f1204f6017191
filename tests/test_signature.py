"""The signature: one line from which a number can be made again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jurybox import __version__
from jurybox.options import signature


def test_a_signature_reads_as_in_the_specification() -> None:
    made = signature("m2", refs=2, choice="running", beta=0.5, unchanged=2, case="kept")
    assert (
        made == f"jurybox m2|refs:2|choice:running|beta:0.5|unchanged:2|case:kept|v:{__version__}"
    )


def test_what_does_not_apply_is_left_out() -> None:
    assert "tokenize" not in signature("m2", refs=2, tokenize=None)


def test_a_whole_beta_has_no_decimals_and_lists_are_joined() -> None:
    assert "|beta:2|types:NOUN+R:VERB|" in signature("errant", beta=2.0, types=("NOUN", "R:VERB"))


@given(st.floats(0.001, 1000), st.floats(0.001, 1000))
def test_betas_that_differ_visibly_have_different_signatures(one: float, other: float) -> None:
    same = signature("m2", beta=one) == signature("m2", beta=other)
    assert same == (f"{one:g}" == f"{other:g}")


def test_false_and_zero_are_values_and_stay() -> None:
    assert "|unchanged:0|" in signature("m2", unchanged=0)
