"""Prose to tokens and sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.formats.edits.tokens import split_sentences, tokenize


@pytest.mark.parametrize(
    ("prose", "tokens"),
    [
        ("I don't know.", "I do n't know ."),
        ("It's they'll we've I'm he'd you're", "It 's they 'll we 've I 'm he 'd you 're"),
        ("IT'S DON'T", "IT 'S DO N'T"),
        ("my parents' house", "my parents ' house"),
        ("Huntington’s isn’t", "Huntington ’s is n’t"),
        ("the 'direct impact", "the 'direct impact"),
        ("We cannot. Cannot? etc. is", "We can not . Can not ? etc. is"),
        ("Yes, 2,500 of them,they say,", "Yes , 2,500 of them,they say ,"),
        ('He said "no".', 'He said " no " .'),
        ('He said "no."', 'He said " no . "'),
        ("(He left.)", "( He left . )"),
        ("etc. and i.e. inside, U.S. last: U.S.", "etc. and i.e. inside , U.S. last : U.S ."),
        ("wait... what?!", "wait ... what ? !"),
        ("50% of $5; a=b", "50 % of $ 5 ; a = b"),
        ("face-to-face, his/her", "face-to-face , his/her"),
        ("at 10:30pm: go", "at 10:30pm : go"),
        ("yes--no – so—that", "yes -- no – so — that"),
        ("see https://a.org/b?c=d, or me@x.org.", "see https://a.org/b?c=d , or me@x.org ."),
        ("AT&T &amp; co", "AT&T &amp; co"),
        ("café façade", "café façade"),
        ("[1] {x} <b>", "[ 1 ] { x } < b >"),
        ("", ""),
        (" \u2028 \t", ""),
    ],
)
def test_detokenisation_is_undone(prose: str, tokens: str) -> None:
    assert tokenize(prose) == tokens.split()


prose = st.text(alphabet="aN't0.,’\"-–&;:/@()w \n!%sé") | st.text()


@given(prose)
def test_tokens_stay_as_they_are(text: str) -> None:
    tokens = tokenize(text)
    assert tokenize(" ".join(tokens)) == tokens


@given(prose)
def test_only_blanks_are_put_in(text: str) -> None:
    assert "".join(tokenize(text)) == "".join(text.split())


@given(prose)
def test_no_token_is_empty_or_has_blanks(text: str) -> None:
    assert all(token.split() == [token] for token in tokenize(text))


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("One. Two? Three! 4 too.", ["One.", "Two?", "Three!", "4 too."]),
        ('He said "no." She left.', ['He said "no."', "She left."]),
        ("See Dr. Lee and J. Smith, e.g. Now.", ["See Dr. Lee and J. Smith, e.g. Now."]),
        ("It was I. Then we left.", ["It was I.", "Then we left."]),
        ("Wait... Now. and so on", ["Wait...", "Now. and so on"]),
        ("Line one\nline two. Next\n", ["Line one\nline two.", "Next"]),
        ("no.space.Here", ["no.space.Here"]),
        (" \n ", []),
    ],
)
def test_sentences_end_where_they_should(paragraph: str, sentences: list[str]) -> None:
    assert split_sentences(paragraph) == sentences


@given(st.text(alphabet="aB.?! \"')\n"))
def test_sentences_cover_the_text(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
