"""Other names for raters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jurybox.formats.platforms import pseudonymise

names = st.lists(st.text(min_size=1), max_size=30)


@given(names)
def test_names_count_up_in_order_of_first_appearance(raters: list[str]) -> None:
    found = pseudonymise(raters)
    distinct = list(dict.fromkeys(raters))
    assert found == {rater: f"R{place}" for place, rater in enumerate(distinct, 1)}


@given(names, st.text(min_size=1))
def test_keyed_names_depend_on_the_rater_and_the_key_only(raters: list[str], key: str) -> None:
    found = pseudonymise(raters, key)
    assert found == pseudonymise(reversed(raters), key)
    assert len(set(found.values())) == len(found)
    assert all(rater not in name for rater, name in found.items() if len(rater) > 12)


def test_a_keyed_name_is_the_same_for_ever() -> None:
    # HMAC-SHA256 of "Jefe" with RFC 4231's second text, the first 12 digits
    assert pseudonymise(["what do ya want for nothing?"], "Jefe") == {
        "what do ya want for nothing?": "R5bdcc146bf60"
    }
