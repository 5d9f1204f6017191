"""Changes marked in a corrected sentence: nothing lost or invented, lines within the width."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from jurybox.model import Edit, apply_edits
from jurybox.show.marked import Word, fill, hang, mark_changes, show_words

TOKENS = ["He", "explained", "me", "how", "does", "the", "machine", "work", "."]


def marked(edits: list[tuple[int, int, str]], tokens: list[str] = TOKENS) -> str:
    return " ".join(word.shown for word in show_words(mark_changes(tokens, edits)))


def test_changed_words_stand_in_brackets_and_a_deletion_leaves_a_sign() -> None:
    edits = [(2, 3, "to me"), (4, 8, "the machine works")]
    assert marked(edits) == "He explained [to me] how [the machine works] ."
    assert marked([(0, 1, "")]) == "[] explained me how does the machine work ."
    assert marked([(8, 9, "")]) == "He explained me how does the machine work []"
    assert marked([(4, 5, ""), (7, 8, "works")]) == "He explained me how [] the machine [works] ."


def test_neighbouring_changes_are_not_taken_for_one() -> None:
    assert marked([(0, 1, "a"), (1, 2, "b")], ["x", "y"]) == "[a] [b]"
    assert marked([(0, 1, ""), (1, 1, "b")], ["x", "y"]) == "[] [b] y"


def test_neighbouring_deletions_have_one_sign() -> None:
    assert marked([(0, 1, ""), (1, 2, "")], ["x", "y", "z"]) == "[] z"


def test_a_sentence_deleted_altogether_is_still_seen() -> None:
    assert marked([(0, 2, "")], ["x", "y"]) == "[]"


def test_an_unchanged_sentence_has_no_marks() -> None:
    assert marked([]) == " ".join(TOKENS)


def test_colour_replaces_brackets_and_takes_no_columns() -> None:
    runs = mark_changes(["x", "y", "z"], [(0, 1, "a b"), (1, 2, "")])
    words = show_words(runs, colour=True)
    assert [re.sub(r"\033\[[\d;]*m", "", word.shown) for word in words] == ["a", "b", "[]", "z"]
    assert [word.width for word in words] == [1, 1, 2, 1]
    assert all(word.shown.endswith("\033[0m") for word in words[:3])
    assert words[3].shown == "z"


def test_a_long_label_stands_above_its_text() -> None:
    assert hang("a long name", ["x", "y"], 4) == ["a long name", "    x", "    y"]
    assert hang("A1", ["x", "y"], 4) == ["A1  x", "    y"]
    assert hang("A1", [], 4) == ["A1"]


words = st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"]), max_size=8)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, int, str]]]:
    """Tokens and edits, which may overlap."""
    tokens = draw(words)
    edits = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(tokens)))
        edits.append((start, draw(st.integers(start, len(tokens))), " ".join(draw(words)[:3])))
    return tokens, edits


@given(edited())
def test_without_its_marks_the_sentence_is_what_applying_the_edits_gives(
    given_edits: tuple[list[str], list[tuple[int, int, str]]],
) -> None:
    tokens, edits = given_edits
    runs = mark_changes(tokens, edits)
    corrected = [word for run in runs for word in run.words]
    assert corrected == apply_edits(tokens, [Edit(*edit) for edit in edits])
    assert any(run.changed for run in runs) or all(start == end for start, end, _ in edits)


@given(words, st.integers(1, 30))
def test_lines_hold_all_words_in_order_within_the_width(given_words: list[str], width: int) -> None:
    lines = fill([Word(word, len(word)) for word in given_words], width)
    assert " ".join(lines).split() == given_words
    assert all(len(line) <= width or " " not in line for line in lines)
    for line, following in pairwise(lines):
        assert len(f"{line} {following.split()[0]}") > width  # no line breaks before it must
