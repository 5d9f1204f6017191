"""Warnings of the library where several threads collect them."""

from __future__ import annotations

import warnings

import pytest

from jurybox.errors import JuryboxWarning
from jurybox.serve.warning_turns import collected_warnings
from serve.at_once import at_once


def test_each_thread_gets_its_own_warnings() -> None:
    found: dict[int, list[str]] = {}

    def work(number: int) -> None:
        for _ in range(20):
            with collected_warnings() as notes:
                warnings.warn(f"of thread {number}", JuryboxWarning, stacklevel=1)
            found.setdefault(number, []).extend(notes)

    at_once(work, range(8))
    assert found == {number: [f"of thread {number}"] * 20 for number in range(8)}


def test_the_same_warning_is_told_once_and_others_go_on() -> None:
    with warnings.catch_warnings(record=True) as others:
        warnings.simplefilter("always")
        with collected_warnings() as notes:
            for _ in range(2):
                warnings.warn("ours", JuryboxWarning, stacklevel=1)
            warnings.warn("old", DeprecationWarning, stacklevel=1)
    assert notes == ["ours"]
    assert [str(one.message) for one in others] == ["old"]


def test_after_an_error_warnings_are_as_they_were() -> None:
    before = list(warnings.filters)
    with pytest.raises(ZeroDivisionError), collected_warnings():
        raise ZeroDivisionError
    assert list(warnings.filters) == before
    with collected_warnings():  # nobody holds the turn
        pass
