"""Constructions of one kind of error: extraneous, wrong choice (Madnani et al. 2011, section 2)."""

from __future__ import annotations

from pathlib import Path

import pytest

import jurybox
from jurybox.errors import UsageError
from jurybox.formats import Input
from jurybox.jury.cases import derive_cases
from jurybox.jury.cases.result import DerivedCases
from jurybox.model import LABEL_BITS

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"

#: the paper's two sentences: "to" is extraneous in the first, a confusion in the second
TEXT = """\
S They came to outside .
A 2 3|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||from|||REQUIRED|||-NONE-|||1

S They arrived to the town .
A 2 3|||Prep|||in|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S We discuss about it .
A 1 3|||Prep|||discuss|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||of||-NONE-|||REQUIRED|||-NONE-|||1
"""


def derived(construction: str, text: str = TEXT, **systems: list[str]) -> DerivedCases:
    return derive_cases(Input.from_text(text), construction, systems, tagger="words")


def labels(result: DerivedCases) -> list[tuple[str, str, tuple[str, ...]]]:
    """Case, what its rater says, and the corrections."""
    table, found = result.judgments, []
    for row, (case, answer) in enumerate(zip(table.case, table.answer, strict=True)):
        put = table.corrections[table.correction[row]] if table.correction else ()
        label = table.labels[answer & ((1 << LABEL_BITS) - 1)]
        found.append((result.case_set.cases[case].id, label, put))
    return found


def test_extraneous_is_a_construction_of_its_own() -> None:
    """Section 2: "They came to outside" is an error, "They arrived to the town" is none."""
    assert labels(derived("extraneous-preposition")) == [
        ("S1:2-3", "error", ("",)),
        ("S1:2-3", "ok", ()),
        ("S2:2-3", "ok", ()),
        ("S2:2-3", "ok", ()),
        ("S3:2-3", "error", ("",)),  # the words that an edit repeats do not count
        ("S3:2-3", "error", ("",)),  # of two equally good corrections one deletes
    ]


def test_wrong_choice_is_one_too() -> None:
    """Section 2: "arrived to the town" is a confusion error (cf. "arrived in the town")."""
    found = [one for one in labels(derived("wrong-preposition")) if one[1] == "error"]
    assert found == [
        ("S1:2-3", "error", ("from",)),
        ("S2:2-3", "error", ("in",)),
        ("S3:2-3", "error", ("of",)),
    ]


def test_systems_decide_about_the_same_kind_only() -> None:
    texts = ["They came outside .", "They arrived the town .", "We discuss of it ."]
    extraneous, wrong = (
        derived(f"{kind}-preposition", mine=texts).decisions["mine"]
        for kind in ("extraneous", "wrong")
    )
    assert list(extraneous.label) == [1, 1, 0]
    assert list(wrong.label) == [0, 0, 1]
    assert extraneous.suggestion == ["", "", None]


def test_what_an_error_is_stands_in_the_description() -> None:
    said = derived("extraneous-preposition").description
    assert (said.construction, said.unit) == ("extraneous-preposition", "preposition")
    assert said.error_rule == "an edit of type Prep or PREP takes the token away"
    assert said.enumeration.startswith("every token that is one of 34 prepositions")
    wrong = derived("wrong-preposition").description
    assert wrong.error_rule.endswith("puts other words in place of the token")


def test_kinds_share_places_and_are_derived_one_by_one() -> None:
    with pytest.raises(UsageError, match="have cases at the same places"):
        derive_cases(Input.from_text(TEXT), ["extraneous-preposition", "wrong-preposition"])
    both = derive_cases(Input.from_text(TEXT), ["extraneous-preposition", "missing-preposition"])
    assert {one.name for one in both.constructions} == {
        *("extraneous-preposition", "missing-preposition")
    }


@pytest.mark.parametrize("what", ["preposition", "article"])
def test_every_error_with_a_correction_is_of_a_kind(what: str) -> None:
    panel = sorted(SAMPLE.glob("A*.m2"))

    def errors(construction: str) -> int:
        found = derive_cases(panel, construction, tagger="words")
        return found.constructions[0].error_judgments

    kinds = [errors(f"{kind}-{what}") for kind in ("extraneous", "wrong")]
    assert sum(kinds) == errors(what)
    assert min(kinds) > 0


@pytest.mark.slow
def test_the_ten_annotators_take_a_fifth_of_wrong_prepositions_away(data_dir: Path) -> None:
    """Section 2: extraneous ones are "as much as 18 %" of all preposition errors."""
    files = sorted((data_dir / "conll14-10").glob("A*.m2"), key=lambda one: int(one.stem[1:]))
    if not files:
        pytest.skip("no files A1.m2 … in conll14-10")
    panel = jurybox.read_panel(files)

    def errors(*constructions: str) -> list[int]:
        found = derive_cases(panel, constructions, tagger="words")
        return [one.error_judgments for one in found.constructions]

    every, missing = errors("preposition", "missing-preposition")
    (extraneous,), (wrong,) = errors("extraneous-preposition"), errors("wrong-preposition")
    assert every == extraneous + wrong
    assert 0.1 < extraneous / (every + missing) < 0.3


# --- duplicates ---

TWICE = TEXT + "\n" + TEXT.split("\n\n", maxsplit=1)[0] + "\n"


def test_duplicates_are_counted_and_kept_unless_dropped() -> None:
    """Footnote 3 of the paper: "We found 2 duplicate sentences and removed them"."""
    kept = derived("preposition", TWICE)
    assert (kept.n, kept.duplicates) == (4, (1, False))
    assert "duplicates: 1 case at the same place of the same sentence as one before, kept" in str(
        kept
    )
    texts = ["They came outside .", "They arrived in the town .", "We discuss about it ."]
    systems = {"mine": [*texts, texts[0]]}
    dropped = derive_cases(
        Input.from_text(TWICE), "preposition", systems, tagger="words", duplicates="drop"
    )
    assert (dropped.n, dropped.duplicates) == (3, (1, True))
    assert len(dropped.judgments) == 6
    assert len(dropped.decisions["mine"]) == 3
    assert "duplicates:drop" in dropped.signature


def test_the_same_words_at_another_place_are_no_duplicate() -> None:
    text = "S to him to her\n"
    assert derived(
        "preposition", text + "A 0 1|||Prep|||at|||REQUIRED|||-NONE-|||0\n"
    ).duplicates == (
        0,
        False,
    )
