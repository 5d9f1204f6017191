"""Errors: one tree, messages that name the place and the near name."""

from __future__ import annotations

import pytest

from jurybox.errors import (
    FormatError,
    InputError,
    JuryboxError,
    JuryboxWarning,
    LengthError,
    MissingExtraError,
    UsageError,
    unknown_name,
)


@pytest.mark.parametrize("kind", [InputError, LengthError, UsageError, MissingExtraError])
def test_everything_we_raise_is_caught_by_one_name(kind: type[JuryboxError]) -> None:
    with pytest.raises(JuryboxError, match="what and where"):
        raise kind("what and where")


def test_malformed_files_are_input_errors_but_wrong_usage_is_not() -> None:
    assert issubclass(FormatError, InputError)
    assert issubclass(LengthError, InputError)
    assert not issubclass(UsageError, InputError)


def test_our_warning_can_be_filtered_as_a_user_warning() -> None:
    assert issubclass(JuryboxWarning, UserWarning)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FormatError("is odd", path="g.m2", line=17), "g.m2:17: is odd"),
        (FormatError("is odd", path="g.m2"), "g.m2: is odd"),
        (FormatError("is odd", line=3), "<memory>:3: is odd"),
        (
            FormatError("is odd", path="g.m2", line=3, more=1),
            "g.m2:3: is odd (and 1 more bad line in this file)",
        ),
        (
            FormatError("is odd", path="g.m2", line=3, more=2),
            "g.m2:3: is odd (and 2 more bad lines in this file)",
        ),
    ],
)
def test_a_format_error_names_file_line_and_how_many_more(error: FormatError, message: str) -> None:
    assert str(error) == message


def test_a_format_error_keeps_its_parts_for_programs() -> None:
    error = FormatError("is odd", path="g.m2", line=3, more=2)
    assert (error.message, error.path, error.line, error.more) == ("is odd", "g.m2", 3, 2)


def test_a_mistyped_name_is_answered_with_the_near_one_and_all_others() -> None:
    message = str(unknown_name("level", "spam", ["correction", "span", "token"]))
    assert "'spam'" in message
    assert "did you mean 'span'?" in message
    assert "correction, span, token" in message


def test_a_name_near_to_nothing_is_answered_with_the_list_alone() -> None:
    message = str(unknown_name("level", "xyz", ["correction", "span"]))
    assert "did you mean" not in message
    assert "correction, span" in message
