"""Which sentence is meant: numbers, words, documents, and what is said where none or many are."""

from __future__ import annotations

import re

import pytest

from jurybox.counting.panels import LoadedPanel, load_panel
from jurybox.errors import InputError, UsageError
from jurybox.formats import Input
from jurybox.show.lookup import find_sentence

TEXT = """\
S To put it in the nutshell , I do n't know .

S The ratio is 3:1 here .

S In the end it is the shell of a nut .

S He knows 2014 .
"""


def panel(select: str | None = None, documents: list[str] | None = None) -> LoadedPanel:
    return load_panel(Input.from_text(TEXT, name="g.m2"), documents=documents, select=select)


def number(wanted: int | str, loaded: LoadedPanel | None = None) -> int:
    loaded = loaded or panel()
    return loaded.numbers[find_sentence(wanted, loaded)]


def refusal(wanted: int | str, loaded: LoadedPanel | None = None) -> str:
    with pytest.raises(InputError) as caught:
        number(wanted, loaded)
    return str(caught.value)


@pytest.mark.parametrize("wanted", [3, "3", " 3 ", "+3"])
def test_a_number_counts_from_one(wanted: int | str) -> None:
    assert number(wanted) == 3


@pytest.mark.parametrize("wanted", [0, -1, 5, "99"])
def test_a_number_that_does_not_exist_is_told_the_numbers_that_do(wanted: int | str) -> None:
    assert "from 1 to 4" in refusal(wanted)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("in the nutshell", 1),
        ("IN THE NUTSHELL", 1),
        ("nutshell, I", 1),
        ("don't know.", 1),
        ("do  n't", 1),
        ("the shell", 3),  # not in "the nutshell"
        ("3:1", 2),
        ("3:1 here", 2),
        ("he knows", 4),  # not where "The" ends in "he"
    ],
)
def test_words_are_found_whatever_their_case_and_spacing(words: str, found: int) -> None:
    assert number(words) == found


def test_parts_of_words_are_looked_for_where_no_whole_words_are() -> None:
    assert number("nutsh") == 1
    assert number("rati") == 2


def test_a_number_alone_is_never_taken_for_a_word() -> None:
    assert "there is no sentence 2014" in refusal("2014")
    assert number("knows 2014") == 4


def test_several_hits_are_listed_with_their_numbers_and_sentences() -> None:
    first, *listed = refusal("it").splitlines()
    assert first == "'it' occurs in 2 sentences; pick one by its number:"
    assert [line.split(maxsplit=1) for line in listed] == [
        ["1", "To put it in the nutshell , I do n't know ."],
        ["3", "In the end it is the shell of a nut ."],
    ]


def test_a_long_list_is_cut_and_long_sentences_are_cut_around_the_words() -> None:
    long = " ".join(f"word{k}" for k in range(40))
    text = "".join(f"S {long} the needle {long}\n\n" for _ in range(23))
    loaded = load_panel(Input.from_text(text))
    _, *listed, last = refusal("Needle", loaded).splitlines()
    assert len(listed) == 20
    assert last.strip() == "… and 3 more: give more words"
    for line in listed:
        assert "the needle word0" in line
        assert len(line) < 100
        assert re.fullmatch(r"\s+\d+  … word\d+ .* word\d+ …", line)


def test_where_nothing_is_found_the_near_word_or_sentence_is_named() -> None:
    assert "did you mean 'nutshell'?" in refusal("the nutshll")
    assert "none of the 4 sentences" in refusal("zzzz")
    message = refusal("nutshell the in")
    assert "nearest is sentence 1: To put it" in message


def test_nothing_to_look_for_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="which sentence"):
        find_sentence("  ", panel())


# --- documents -----------------------------------------------------------------------------------

ESSAYS = ["a", "a", "essay b", "essay b"]


def test_a_sentence_of_a_document_is_found_by_its_number_there() -> None:
    loaded = panel(documents=ESSAYS)
    assert number("a:2", loaded) == 2
    assert number("essay b:1", loaded) == 3
    assert number("3:1", loaded) == 2  # no document "3": words


def test_a_document_that_is_too_short_or_unknown_is_said_so() -> None:
    loaded = panel(documents=ESSAYS)
    assert "in document a, which has 2" in refusal("a:3", loaded)
    assert "in document a, which has 2" in refusal("a:0", loaded)
    assert "there is no document 'essay c'; did you mean 'essay b'?" in refusal("essay c:1", loaded)
    assert "--documents FILE" in refusal("essay b:1")


def test_numbers_stay_those_of_the_files_where_documents_are_selected() -> None:
    loaded = panel(documents=ESSAYS, select="2")
    assert len(loaded.panel) == 2
    assert number(3, loaded) == 3
    assert number("shell", loaded) == 3
    assert "--documents" in refusal(1, loaded)
    assert "none of the 2 sentences" in refusal("ratio", loaded)
