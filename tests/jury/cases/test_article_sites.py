"""Which positions can lack no article: Chodorow et al. (2012), section 3.6."""

from __future__ import annotations

from pathlib import Path

import pytest

import jurybox as jb
from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.jury.cases.article_sites import rules_out_article
from jurybox.jury.cases.constructions import CONSTRUCTIONS, find_places
from jurybox.jury.cases.infinitives import choose_tagger
from jurybox.jury.evaluate import evaluate

#: example (1a), corrected as (1b) corrects it
EXAMPLE_1A = "Book of my class inpired to me ."
PANEL_1A = f"""S {EXAMPLE_1A}
A 0 1|||ArtOrDet|||A book|||REQUIRED|||-NONE-|||0
A 4 5|||Mec|||inspired|||REQUIRED|||-NONE-|||0
A 5 6|||Prep||||||REQUIRED|||-NONE-|||0
"""


def ordinary(text: str) -> list[str]:
    """The words before which an article may be missing."""
    tokens = text.split()
    infinitives = next(choose_tagger("words").find([tokens]))
    found = find_places(CONSTRUCTIONS["missing-article"], tokens, infinitives)
    return [tokens[place.start] for place in found if not place.trivial]


def test_of_the_nine_positions_of_1a_eight_are_trivial_section_3_6() -> None:
    """No article goes before of, my, class, inspired, to, me and the full stop, nor at the end."""
    found = list(find_places(CONSTRUCTIONS["missing-article"], EXAMPLE_1A.split()))
    assert [place.trivial for place in found] == [False] + 8 * [True]


def test_1a_as_cases_has_one_judged_site_and_says_how_many_a_rule_decided() -> None:
    derived = jb.derive_cases(Input.from_text(PANEL_1A), "missing-article")
    summary = derived.constructions[0]
    assert (summary.n, summary.trivial, summary.judgments, summary.any_error) == (9, 8, 1, 1)
    assert "where words alone rule out an article" in derived.case_set.description.trivial_rule


def test_1a_with_trivial_sites_dropped_keeps_the_error_and_their_number() -> None:
    text = Input.from_text(PANEL_1A)
    said = {"mine": ["A book of my class inspired to the me ."]}
    derived = jb.derive_cases(text, "missing-article", said, trivial="drop")
    summary, system = derived.constructions[0], derived.systems[0]
    assert [case.id for case in derived.case_set.cases] == ["S1:0-0"]
    assert (derived.n, summary.trivial, list(derived.judgments.case)) == (1, 8, [0])
    assert "8 positions, left out" in derived.description.trivial_rule
    assert "trivial:drop" in derived.signature
    # the article before me is a false alarm on a trivial site: no longer counted, but reported
    assert (system.errors, system.on_trivial, list(derived.decisions["mine"].label)) == (1, 1, [1])
    assert evaluate(derived=derived)["mine"].plain.counts.tp == 1


def test_dropping_every_case_is_refused() -> None:
    marks = Input.from_text("S .\nA 0 1|||Mec|||!|||REQUIRED|||-NONE-|||0\n")
    with pytest.raises(InputError, match="--trivial drop leaves no case"):
        jb.derive_cases(marks, "missing-comma", trivial="drop")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We want to see film of Mary Smith in US .", ["film", "US"]),  # US is no pronoun
        ("We thank University of Rome .", ["University"]),  # a name with the
        ("He went to Chinese school on Monday .", ["Chinese", "school"]),  # no name
        ("They pay hundred of dollars .", ["hundred", "dollars"]),  # no participle
        ("There is need to know his address .", ["need"]),
    ],
)
def test_what_may_begin_a_noun_phrase_without_determiner_stays_a_case(
    text: str, expected: list[str]
) -> None:
    assert ordinary(text) == expected


@pytest.mark.parametrize("word", ["my", "me", "this", "of", "and", "was", "the", "'s"])
def test_no_article_stands_before_a_determiner_pronoun_or_function_word(word: str) -> None:
    assert rules_out_article(["Near", word, "house"], 1)


def test_ten_annotators_seldom_put_an_article_where_the_rule_sees_no_site(data_dir: Path) -> None:
    """Of 31,456 positions the rule decides two thirds; at 49 of these somebody puts a word."""
    derived = jb.derive_cases(sorted((data_dir / "conll14-10").glob("A*.m2")), "missing-article")
    summary = derived.constructions[0]
    assert (summary.n, summary.any_error, summary.majority_error) == (31456, 504, 108)
    assert summary.trivial > 0.65 * summary.n
    assert summary.overruled < 0.005 * summary.trivial
