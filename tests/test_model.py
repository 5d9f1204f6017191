"""The nouns: frozen, addable, and edits that can be applied."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.model import Annotation, Counts, CountsTable, Edit, Panel, Sentence, apply_edits

TOKENS = ("The", "cat", "sat", "at", "mat", ".")


@pytest.mark.parametrize(
    "value",
    [
        Edit(0, 1, "A"),
        Annotation("0"),
        Sentence(TOKENS),
        Panel((Sentence(TOKENS),), ("0",)),
        Counts(tp=1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_cannot_be_changed_after_it_was_made(value: object) -> None:
    name = next(iter(value.__match_args__))  # type: ignore[attr-defined]  # all values have fields
    with pytest.raises(AttributeError):
        setattr(value, name, None)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("on", ("on",)),
        ("", ("",)),
        ("-NONE-", ("",)),
        ("the||a", ("the", "a")),
        ("The||-NONE-", ("The", "")),
        ("the||", ("the", "")),
    ],
)
def test_a_correction_is_read_with_its_alternatives(written: str, read: tuple[str, ...]) -> None:
    assert Edit(0, 0, written).alternatives == read


counts = st.builds(Counts, *[st.integers(0, 1000)] * 4)


@given(counts, counts, counts)
def test_counts_add_up_in_any_order(one: Counts, two: Counts, three: Counts) -> None:
    assert (one + two) + three == three + (two + one)
    assert one + Counts() == one


def test_a_panel_is_iterated_in_order() -> None:
    sentences = tuple(Sentence((word,)) for word in ("a", "b", "c"))
    panel = Panel(sentences, ("0",))
    assert (len(panel), list(panel)) == (3, list(sentences))


def test_a_table_knows_which_rows_belong_to_which_sentence() -> None:
    table = CountsTable(annotators=["0", "1"])
    table.append([(0, (1, 2, 3)), (1, (4, 5, 6))])
    table.append([])
    table.append([(1, (7, 8, 9))])
    assert [list(table.rows(i)) for i in range(len(table))] == [[0, 1], [], [2]]
    assert list(table.values["fn"]) == [3, 6, 9]
    assert list(table.annotator) == [0, 1, 1]


def test_a_row_with_too_few_counts_is_refused_and_not_filled_up() -> None:
    with pytest.raises(ValueError, match="zip"):
        CountsTable(annotators=["0"]).append([(0, (1, 2))])


@pytest.mark.parametrize(
    ("edits", "corrected"),
    [
        ([], "The cat sat at mat ."),
        ([Edit(3, 4, "on"), Edit(4, 4, "the||a")], "The cat sat on the mat ."),
        ([Edit(4, 4, "the"), Edit(3, 4, "on")], "The cat sat on the mat ."),
        ([Edit(0, 1, "-NONE-")], "cat sat at mat ."),
        ([Edit(0, 0, "Look ,"), Edit(0, 1, "the")], "Look , the cat sat at mat ."),
        ([Edit(6, 6, "!")], "The cat sat at mat . !"),
        ([Edit(0, 6, "")], ""),
        ([Edit(4, 4, "the"), Edit(4, 4, "old")], "The cat sat at the old mat ."),
    ],
)
def test_applying_edits_gives_the_corrected_text(edits: list[Edit], corrected: str) -> None:
    assert " ".join(apply_edits(TOKENS, edits)) == corrected
