"""Coverage maps: who looked at what."""

from __future__ import annotations

import pytest

from jurybox.errors import FormatError, InputError
from jurybox.formats import Input
from jurybox.formats.edits import coverage as maps
from jurybox.model import Annotation, Edit, Sentence

EDIT = Edit(0, 1, "b")
DOCUMENTS = ["x", "x", "y", "z"]


def read(text: str) -> maps.Coverage:
    return maps.read(Input.from_text(text, name="map.csv"))


def test_documents_are_named_numbered_or_ranged_and_rows_add_up() -> None:
    coverage = read("annotator,documents\nA,all\nB,x\nB,3\nC,1-2\nD,none\n")
    places = coverage.places(["A", "B", "C", "D"], DOCUMENTS)
    assert [sorted(places[name]) for name in "ABCD"] == [[0, 1, 2, 3], [0, 1, 3], [0, 1, 2], []]


def test_a_selection_may_be_quoted_or_stand_in_several_cells() -> None:
    coverage = read('Annotator, Sentence\nA,"1-2,4"\nB,1-2,4\n')
    places = coverage.places(["A", "B"], [None] * 4)
    assert sorted(places["A"]) == sorted(places["B"]) == [0, 1, 3]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("who,what\nA,all\n", 1, "the header must be"),
        ("annotator,documents\nA,all\nB\n", 3, "write an annotator and what they looked at"),
        ("annotator,documents\nA,\n", 2, "write an annotator"),
    ],
)
def test_a_bad_line_is_named(text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as error:
        read(text)
    assert f"map.csv:{line}:" in str(error.value)


def test_nobody_is_forgotten_and_nobody_is_invented() -> None:
    coverage = read("annotator,sentences\nA,all\nB,1\n")
    with pytest.raises(InputError, match="does not say what C looked at; add the line 'C,all'"):
        coverage.places(["A", "B", "C"], [None] * 3)
    with pytest.raises(InputError, match=r"map\.csv:3: there is no annotator 'B'"):
        coverage.places(["A"], [None] * 3)


def test_documents_must_be_known_and_exist() -> None:
    coverage = read("annotator,documents\nA,w\n")
    with pytest.raises(InputError, match="give their boundaries with --documents"):
        coverage.places(["A"], ["x", None])
    with pytest.raises(InputError, match=r"map\.csv:2: there is no document 'w'"):
        coverage.places(["A"], DOCUMENTS)


def test_who_looked_and_found_nothing_is_a_candidate_and_who_skipped_is_not() -> None:
    sentences = [Sentence(("a",), (Annotation("A", (EDIT,)), Annotation("B"))), Sentence(("c",))]
    covered = {"A": frozenset({0, 1}), "B": frozenset({1})}
    first, second = maps.apply(sentences, ["A", "B"], covered)
    assert first.annotations == (Annotation("A", (EDIT,)),)
    assert second.annotations == (Annotation("A"), Annotation("B"))


def test_an_edit_in_a_skipped_sentence_is_a_contradiction() -> None:
    sentences = [Sentence(("a",), (Annotation("A", (EDIT,)),), document="x")]
    with pytest.raises(InputError, match=r"A skipped sentence 1 \(document x\), but there is an"):
        maps.apply(sentences, ["A"], {"A": frozenset()}, name="map.csv")
