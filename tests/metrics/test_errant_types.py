"""Which edits ERRANT did not extract, and which of them its comparison drops."""

from __future__ import annotations

import pytest

from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.metrics.errant import CATEGORIES, OPERATIONS, EditTypes, is_errants
from jurybox.model import Annotation, Edit, Sentence


def sentence(**types: list[str]) -> Sentence:
    """One sentence; each annotator changes its word once for every type."""
    annotations = (
        Annotation(name, tuple(Edit(0, 1, f"w{n}", kind) for n, kind in enumerate(kinds)))
        for name, kinds in types.items()
    )
    return Sentence(("word",), tuple(annotations))


def types(*sentences: Sentence, level: str = "correction", extracted: bool = False) -> EditTypes:
    return EditTypes("gold.m2", level=level, extracted=extracted).add(sentences)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("category", sorted(CATEGORIES))
def test_every_type_of_errant_is_known(operation: str, category: str) -> None:
    assert is_errants(f"{operation}:{category}")
    assert types(sentence(a=[f"{operation}:{category}"]), extracted=True).warnings() == []


@pytest.mark.parametrize("name", ["ArtOrDet", "R:", "UNK", "noop", "X:NOUN", "G/Case", "", "DET"])
def test_types_of_others_are_not_errants(name: str) -> None:
    assert not is_errants(name)
    assert not is_errants(name, any_language=True)


@pytest.mark.parametrize("name", ["M", "R", "S", "W", "S:NOUN"])
def test_cherrants_types_are_those_of_another_language(name: str) -> None:
    assert not is_errants(name)
    assert is_errants(name, any_language=True)


def test_other_categories_count_as_errants_unless_the_other_side_is_extracted_here() -> None:
    german = sentence(a=["R:ADP"])
    assert types(german).warnings() == []
    (line,) = types(german, extracted=True).warnings()
    assert "1 of 1 edits have other types than ERRANT's (R:ADP)" in line


def test_a_warning_counts_the_edits_and_lists_the_commonest_types() -> None:
    (line,) = types(sentence(a=["Nn", "Vt", "Vt", "Prep", "R:DET"], b=["Mec", "Rloc"])).warnings()
    assert "6 of 7 edits have other types than ERRANT's (Vt, Nn, Prep, Mec …)" in line
    assert "--metric m2" in line


def test_dropped_edits_are_counted_for_each_annotator() -> None:
    (line,) = types(sentence(a=["UNK", "R:DET"], b=["R:DET"], c=["UNK", "UNK", "M:DET"])).warnings()
    assert "3 of 6 edits have type UNK and are dropped" in line
    assert "(annotator a: 1 of 2, c: 2 of 3)" in line


def test_nothing_is_dropped_where_places_are_compared() -> None:
    assert types(sentence(a=["UNK", "R:DET"]), level="span").warnings() == []


@pytest.mark.parametrize("level", ["correction", "correction-type"])
def test_an_annotator_without_an_edit_left_is_refused(level: str) -> None:
    types(sentence(a=["UNK", "R:DET"]), level=level).refuse_dropped()
    with pytest.raises(InputError, match=r"gold\.m2: all 2 edits have type UNK"):
        types(sentence(a=["UNK", "UNK"]), level=level).refuse_dropped()
    with pytest.raises(InputError, match=r"all 1 edits of annotator b have type UNK"):
        types(sentence(a=["R:DET"], b=["UNK"]), level=level).refuse_dropped()


@pytest.mark.parametrize("level", ["span", "token"])
def test_untyped_edits_are_warned_of_where_they_count(level: str) -> None:
    found = types(sentence(a=["UNK"]), level=level)
    found.refuse_dropped()
    (line,) = found.warnings()
    assert "1 of 1 edits have other types than ERRANT's (UNK)" in line


def test_no_edits_are_no_reason_to_complain() -> None:
    found = types(sentence(a=[]))
    found.refuse_dropped()
    assert found.warnings() == []


def test_the_command_names_the_files_if_they_are_few() -> None:
    def command(*files: str) -> str:
        found = EditTypes("gold", level="span", files=[Input(file) for file in files])
        (line,) = found.add([sentence(a=["Nn"])]).warnings()
        return line.partition("(jurybox ")[2].partition(")")[0]

    assert command("a.m2") == "convert a.m2 errant.m2 --reextract"
    assert command("a.m2", "b.m2") == "convert a.m2 b.m2 errant.m2 --reextract"
    assert command("-") == command(*"abcdefgh") == "convert FILE.m2 errant.m2 --reextract"
