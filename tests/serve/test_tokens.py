"""Signed words: nobody makes their own, and none serves for another purpose."""

from __future__ import annotations

import pytest

from jurybox.errors import InputError
from jurybox.serve.model import Project, Rater, Role, Standing, User
from jurybox.serve.settings import Settings
from jurybox.serve.tokens import Session, Tokens

PROJECT = Project(7, Settings("study"), 0, 0, 0, 0)
RATER = Rater(3, 7, 1, "", Standing.ACTIVE, False, 0, 0, 0, 0, 0, False)
USER = User(5, "ann", Role.ADMIN, 2)


def test_signed_words_are_read_by_who_has_the_secret_and_nobody_else() -> None:
    tokens, other = Tokens("secret"), Tokens("another")
    assert tokens.read_link(tokens.link(PROJECT)) == 7
    assert tokens.read_rater(tokens.rater(RATER)) == 3
    assert tokens.read_session(tokens.session(USER)) == Session(5, 2)
    assert other.read_rater(tokens.rater(RATER)) is None
    assert other.read_session(tokens.session(USER)) is None
    with pytest.raises(InputError, match="not valid"):
        other.read_link(tokens.link(PROJECT))


@pytest.mark.parametrize("forged", ["", "x", "7", "WzcsM10.aaaa.bbbb", "é", "\0", "a" * 10_000])
def test_forged_words_are_refused(forged: str) -> None:
    tokens = Tokens("secret")
    assert tokens.read_rater(forged) is None
    assert tokens.read_session(forged) is None
    with pytest.raises(InputError):
        tokens.read_link(forged)


def test_a_link_is_no_cookie_and_a_raters_cookie_no_session() -> None:
    tokens = Tokens("secret")
    assert tokens.read_rater(tokens.link(PROJECT)) is None
    assert tokens.read_session(tokens.rater(RATER)) is None


def test_a_raters_cookie_is_for_one_project() -> None:
    tokens = Tokens("secret")
    assert tokens.read_rater(tokens.rater(RATER), project=7) == 3
    assert tokens.read_rater(tokens.rater(RATER), project=8) is None


def test_old_sessions_and_links_are_over() -> None:
    tokens = Tokens("secret")
    assert tokens.read_session(tokens.session(USER), max_age=-1) is None
    with pytest.raises(InputError, match="too old"):
        tokens.read_link(tokens.link(PROJECT), max_age=-1)
