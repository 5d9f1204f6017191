"""Essays as text, corrections in them, their categories, and the files they become."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.counting.panels import load_panel
from jurybox.errors import InputError, JuryboxWarning, LengthError, UnknownNameError, UsageError
from jurybox.formats import Input
from jurybox.formats.edits import m2, sgml
from jurybox.serve.categories import NUCLE, Category, read_categories
from jurybox.serve.essays import (
    AnnotatedEssay,
    check_corrections,
    overlaps,
    paragraphs_of,
    read_edits,
    text_of,
    to_sentences,
    write_edits,
)
from jurybox.serve.essays import exports as essay_exports
from jurybox.serve.essays.decisions import makers_of
from jurybox.serve.model import EssayCorrection, NewCase, Purpose
from jurybox.serve.projects import read_cases
from jurybox.serve.settings import Task

TEXT = "It are so .\nWe knows\n\nHe goes home ."
IS = EssayCorrection(0, 1, 2, "is", "SVA")
KNOW = EssayCorrection(1, 1, 2, "know", "SVA", "plural")


def essay(**edits: tuple[EssayCorrection, ...]) -> AnnotatedEssay:
    return AnnotatedEssay(1, "essay-1", paragraphs_of(TEXT), dict(edits))


# --- corrections ---


def test_corrections_come_in_the_order_of_the_text_with_single_blanks() -> None:
    given = [KNOW._replace(comment="  the \n plural "), IS._replace(replacement="  is ")]
    assert check_corrections(given, TEXT) == (IS, KNOW._replace(comment="the plural"))


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (EssayCorrection(3, 0, 1, "x", "SVA"), "a sentence that the essay does not have"),
        (EssayCorrection(-1, 0, 1, "x", "SVA"), "a sentence that the essay does not have"),
        (EssayCorrection(1, 1, 3, "x", "SVA"), "outside of its sentence"),
        (EssayCorrection(0, 2, 1, "x", "SVA"), "outside of its sentence"),
        (EssayCorrection(0, 1, 1, "  ", "SVA"), "what is to be inserted"),
        (EssayCorrection(0, 1, 2, "are", "SVA"), "nothing would change"),
        (EssayCorrection(0, 1, 2, "is", "noop"), "choose a category for “are” → “is”"),
        (EssayCorrection(0, 1, 2, "a||b", "SVA"), "without the sign |"),
        (EssayCorrection(0, 1, 2, "is", "SVA", "a|"), "without the sign |"),
        (EssayCorrection(0, 1, 2, "-NONE-", "SVA"), "leave the correction empty"),
        (EssayCorrection(0, 1, 2, "x\0", "SVA"), "cannot be stored"),
        (EssayCorrection(0, 1, 2, "\ud800", "SVA"), "cannot be stored"),
        (EssayCorrection(0, 1, 2, "x" * 501, "SVA"), "too long"),
        (EssayCorrection(0, 1, 2, "is", "SVA", "x" * 501), "under 500 characters"),
    ],
)
def test_what_cannot_be_a_correction_is_said_in_plain_words(
    edit: EssayCorrection, message: str
) -> None:
    with pytest.raises(InputError, match=message.replace("|", r"\|")):
        check_corrections([edit], TEXT)


@pytest.mark.parametrize(
    ("spans", "is_fine"),
    [
        ([(0, 2), (1, 3)], False),
        ([(0, 3), (1, 2)], False),
        ([(1, 1), (1, 1)], False),
        ([(0, 2), (1, 1)], False),
        ([(0, 2), (2, 2)], True),
        ([(1, 1), (1, 2)], True),
        ([(0, 1), (1, 2)], True),
    ],
)
def test_corrections_that_overlap_are_refused_and_neighbours_are_not(
    spans: list[tuple[int, int]], is_fine: bool
) -> None:
    edits = [EssayCorrection(0, start, end, f"x{i}", "Wci") for i, (start, end) in enumerate(spans)]
    if is_fine:
        assert len(check_corrections(edits, TEXT)) == 2
    else:
        with pytest.raises(InputError, match="Two corrections overlap"):
            check_corrections(edits, TEXT)


SPANS = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda pair: tuple(sorted(pair)))


@given(st.lists(SPANS, max_size=5))
def test_an_overlap_is_found_between_any_two_corrections(spans: list[tuple[int, int]]) -> None:
    edits = [EssayCorrection(0, start, end, "x y", "Wci") for start, end in spans]
    clash = any(overlaps(a, b) for i, a in enumerate(edits) for b in edits[:i])
    try:
        check_corrections(edits, TEXT)
        is_refused = False
    except InputError:
        is_refused = True
    assert is_refused == clash


def test_corrections_are_tokenised_like_the_essay() -> None:
    typed = [
        EssayCorrection(0, 1, 2, "isn't", "SVA"),
        EssayCorrection(2, 1, 2, "runs, etc.", "Wci"),
    ]
    last = EssayCorrection(1, 1, 2, "know.", "Mec")
    found = check_corrections([*typed, last], TEXT)
    assert [one.replacement for one in found] == ["is n't", "know .", "runs , etc."]
    assert check_corrections(found, TEXT) == found  # and stay so


def test_a_projects_own_categories_take_the_place_of_the_28() -> None:
    assert len({one.name for one in NUCLE}) == 28
    assert all(one.title and one.help for one in NUCLE)
    own = read_categories("Verb | Verbs | Tense, form, agreement.\n\nNoun\n")
    assert own == (Category("Verb", "Verbs", "Tense, form, agreement."), Category("Noun"))
    edit = IS._replace(category="Verb")
    assert check_corrections([edit], TEXT, own) == (edit,)
    with pytest.raises(InputError, match="choose a category"):
        check_corrections([IS], TEXT, own)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A\nA | again", "line 2: 'A' is there twice"),
        ("two words | title", "line 1: 'two words' is no name"),
        ("| title", "line 1: '' is no name"),
        ("noop", "line 1: 'noop' says in M2"),
        ("A | b | c | d", "line 1: more than two bars"),
    ],
)
def test_what_is_wrong_with_a_list_of_categories_is_said_with_its_line(
    text: str, message: str
) -> None:
    with pytest.raises(UsageError, match=f"--categories: {message}"):
        read_categories(text)


@given(
    st.lists(
        st.builds(EssayCorrection, *[st.integers(0, 9)] * 3, st.text(), st.text(), st.text()),
        max_size=4,
    )
)
def test_stored_corrections_come_back_as_they_were(edits: list[EssayCorrection]) -> None:
    assert read_edits(write_edits(edits)) == tuple(edits)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "7",
        "[1]",
        "[[0,1,2]]",
        '[[0,1,"2","x","y",""]]',
        "[[0,1,2,3,4,5]]",
        "[" * 10**5,
        '[[true,1,2,"x","y",""]]',
        '[[0.5,1,2,"x","y",""]]',
        '[[0,1,2,"x","y","z","!"]]',
    ],
)
def test_a_forged_form_is_refused_in_words(text: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_edits(text)


# --- side by side ---


def test_annotators_are_compared_by_span_text_and_category() -> None:
    found = makers_of(essay(R1=(IS, KNOW), R2=(IS._replace(comment="!"),), ADJ=(IS, KNOW)).edits)
    assert found == {IS: ("R1", "R2", "ADJ"), KNOW._replace(comment=""): ("R1", "ADJ")}


# --- files ---


def test_an_essay_becomes_m2_in_which_everybody_is_a_candidate() -> None:
    out = io.StringIO()
    deleted = EssayCorrection(2, 1, 2, "", "Wci")
    essay_exports.write_m2([essay(R1=(IS, deleted), R2=())], out)
    sentences = list(m2.read(Input.from_text(out.getvalue())))
    assert [len(one.annotations) for one in sentences] == [2, 2, 2]
    assert sentences[2].annotations[0].edits[0].alternatives == ("",)
    assert [one.annotations for one in sentences] == [
        one.annotations for one in to_sentences(essay(R1=(IS, deleted), R2=()))
    ]


def test_sgml_keeps_paragraphs_comments_and_annotators() -> None:
    out = io.StringIO()
    essay_exports.write_sgml([essay(R1=(IS, KNOW), R2=())], out)
    (document,) = sgml.read(Input.from_text(out.getvalue()))
    assert document.nid == "essay-1"
    assert [one.text for one in document.paragraphs] == ["It are so . We knows", "He goes home ."]
    assert document.teachers == ("R1", "R2")
    assert [(one.start, one.correction, one.comment) for one in document.mistakes] == [
        (3, "is", None),
        (15, "know", "plural"),
    ]


WORDS = ("It", "are", "n't", "so", ",", "(", "2,500", "we", "'s", "the", "parents", "'")
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(
    lambda words: " ".join([*words, "."])
)
TYPED = st.lists(st.sampled_from([*WORDS, "isn't", "so,", "(we)"]), max_size=3) | st.just(["etc."])


@st.composite
def corrected(draw: st.DrawFn) -> tuple[str, tuple[EssayCorrection, ...]]:
    """An essay's text and corrections in it, as they would be stored."""
    text = text_of(draw(st.lists(st.lists(SENTENCES, min_size=1, max_size=3), min_size=1)))
    sentences = [line.split() for line in text.splitlines() if line]
    found: tuple[EssayCorrection, ...] = ()
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(sentences) - 1))
        ends = st.integers(0, len(sentences[place]))
        start, end = sorted((draw(ends), draw(ends)))
        new = EssayCorrection(place, start, end, " ".join(draw(TYPED)), "Wci")
        with suppress(InputError):
            found = check_corrections([*found, new], text)
    return text, found


@given(corrected())
def test_sgml_and_m2_give_the_same_edits_again(
    made: tuple[str, tuple[EssayCorrection, ...]],
) -> None:
    text, edits = made
    given = AnnotatedEssay(1, "essay-1", paragraphs_of(text), {"R1": edits, "R2": ()})
    by_token, by_character = io.StringIO(), io.StringIO()
    essay_exports.write_m2([given], by_token)
    essay_exports.write_sgml([given], by_character)
    tokens = list(m2.read(Input.from_text(by_token.getvalue())))
    documents = sgml.read(Input.from_text(by_character.getvalue()))
    unused: list[str] = []
    found = list(sgml.to_sentences(documents, tokens, unused=unused))
    assert unused == []
    wanted = to_sentences(given)
    assert [one.annotations for one in tokens] == [one.annotations for one in wanted]
    assert found == wanted


def test_words_that_stay_as_they_are_are_no_part_of_a_correction() -> None:
    whole = [
        EssayCorrection(2, 0, 4, "He went home .", "Vt"),
        EssayCorrection(0, 1, 2, "are not", "Wci"),
    ]
    assert check_corrections(whole, TEXT) == (
        EssayCorrection(0, 2, 2, "not", "Wci"),
        EssayCorrection(2, 1, 2, "went", "Vt"),
    )


def test_one_annotator_alone_is_number_0_and_has_only_their_own_essays() -> None:
    essays = [essay(R1=(IS,)), essay(R2=())._replace(name="essay-2")]
    out = io.StringIO()
    essay_exports.write_m2(essays, out, annotator="R1")
    sentences = list(m2.read(Input.from_text(out.getvalue())))
    assert len(sentences) == 3
    assert {one.annotator for s in sentences for one in s.annotations} == {"0"}
    with pytest.raises(UnknownNameError, match="R7"):
        essay_exports.write_m2(essays, io.StringIO(), annotator="R7")


def test_the_zip_says_the_same_in_one_file_and_in_many(tmp_path: Path) -> None:
    essays = [
        essay(R1=(IS,), R2=()),
        essay(R2=(KNOW,), R10=(IS, KNOW))._replace(name="essay-2"),
        essay()._replace(name="nobody's"),
    ]
    out = io.BytesIO()
    essay_exports.write_zip(essays, out)
    zipfile.ZipFile(out).extractall(tmp_path)
    assert sorted(one.name for one in (tmp_path / "m2").iterdir()) == [
        "R1.m2",
        "R10.m2",
        "R2.m2",
    ]
    settled: dict[str, Any] = {
        "documents": tmp_path / "documents.txt",
        "coverage": tmp_path / "coverage.csv",
    }
    together = load_panel(tmp_path / "edits.m2", **settled).panel
    apart = load_panel(
        [tmp_path / "m2" / f"{name}.m2" for name in ("R1", "R2", "R10")], **settled
    ).panel
    assert [one.annotations for one in apart] == [one.annotations for one in together]
    assert [one.document for one in apart] == ["essay-1"] * 3 + ["essay-2"] * 3
    # whoever read an essay is in all its sentences, with nothing where they corrected nothing
    looked = [{one.annotator: len(one.edits) for one in each.annotations} for each in apart]
    assert looked[:4] == [{"R1": 1, "R2": 0}, *[{"R1": 0, "R2": 0}] * 2, {"R2": 0, "R10": 1}]
    assert (tmp_path / "source.txt").read_text("utf-8").splitlines() == [
        one.text for one in together
    ]
    # without the map it is said that somebody did not look at something, and nothing is guessed
    with pytest.warns(
        JuryboxWarning, match=r"R1 \(2\) and R10 \(1\) are missing.*R1 \(1\) and R10 \(2\) are"
    ):
        unsettled = load_panel(tmp_path / "edits.m2").panel
    assert [one.annotations for one in unsettled] == [one.annotations for one in together]


def test_names_of_their_own_are_the_same_in_every_file_of_the_zip(tmp_path: Path) -> None:
    out = io.BytesIO()
    edits = {"a-3": (IS,), "a": (), "A!": (KNOW,)}
    essay_exports.write_zip([essay()._replace(edits=edits, name="two\nlines")], out)
    zipfile.ZipFile(out).extractall(tmp_path)
    names = {one.stem for one in (tmp_path / "m2").iterdir()}
    assert len(names) == 3
    panel = load_panel(
        tmp_path / "edits.m2",
        documents=tmp_path / "documents.txt",
        coverage=tmp_path / "coverage.csv",
    ).panel
    assert set(panel.annotators) == names


# --- reading ---


def read(text: str, name: str = "trip.txt", **options: object) -> list[NewCase]:
    return read_cases(Input.from_text(text, name), Task.CORRECT, **options)  # type: ignore[arg-type]  # as tests give them


def test_a_plain_text_is_one_essay_by_the_name_of_its_file() -> None:
    assert read(TEXT) == [NewCase("trip", TEXT)]


def test_prose_is_tokenised_and_parted_into_sentences() -> None:
    (found,) = read("It isn't so. We know (yes).\n\nBye!")
    assert found.sentence == "It is n't so .\nWe know ( yes ) .\n\nBye !"


def test_a_table_holds_an_essay_per_row() -> None:
    found = read(f'case,sentence,purpose,feedback\ne1,"{TEXT}",,\ne2,So .,practice,Good.\n')
    assert [(one.id, one.purpose) for one in found] == [
        ("e1", Purpose.WORK),
        ("e2", Purpose.PRACTICE),
    ]
    assert found[0].sentence == TEXT
    assert found[1].feedback == "Good."
    assert read('{"case": "e1", "sentence": "It are so .\\nWe knows"}')[0].sentence == TEXT[:20]
    assert read("id,text\ne1,So .", columns={"case": "id", "sentence": "text"})[0].id == "e1"


def test_documents_of_sgml_become_essays_without_their_mistakes() -> None:
    out = io.StringIO()
    essay_exports.write_sgml([essay(R1=(IS,)), essay(R1=())._replace(name="7")], out)
    with pytest.warns(JuryboxWarning, match="its corrections are left out"):
        found = read(out.getvalue(), "essays.sgml")
    # the tokeniser ends sentences where a capital follows a full stop
    assert [(one.id, one.sentence) for one in found] == [
        ("essay-1", "It are so .\nWe knows\n\nHe goes home ."),
        ("7", "It are so .\nWe knows\n\nHe goes home ."),
    ]


def test_m2_and_text_are_one_essay_unless_a_map_names_documents() -> None:
    text = "S It are so .\n\nS We knows\n\nS He goes home .\n"
    with pytest.warns(JuryboxWarning, match="its 3 sentences are one essay"):
        (found,) = read(text, "all.m2")
    assert (found.id, found.sentence) == ("all", TEXT.replace("\n\n", "\n"))
    names = Input.from_text("a\na\nb\n", "documents.txt").keep()
    assert [one.id for one in read(text, "all.m2", documents=names)] == ["a", "b"]
    prose = "It are so.\n\nWe knows\nHe goes home.\n"
    assert [(one.id, one.sentence) for one in read(prose, "all.txt", documents=names)] == [
        ("a", "It are so .\nWe knows"),
        ("b", "He goes home ."),
    ]
    with pytest.raises(LengthError, match="2 sentences, but there are 3"):
        read(text, "all.m2", documents=Input.from_text("a\nb\n", "documents.txt"))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("case,sentence\ne1,\n", {}, "essay 'e1' holds no text"),
        ("case,sentence,gold\ne1,So .,ok\n", {}, "essays have none, but for practice"),
        ("So .\n", {"construction": "article"}, "--construction is not for essays"),
        ("case,sentence\ne1,So .\n", {"documents": Input.from_text("a\n")}, "--documents is for"),
    ],
)
def test_what_is_no_essay_is_said_with_the_file(
    text: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises((InputError, UsageError), match=message):
        read(text, **options)


@given(st.lists(st.lists(st.sampled_from(["So .", "He 's ( in ) .", "Yes"]), min_size=1)))
def test_the_text_of_paragraphs_gives_the_paragraphs_again(paragraphs: list[list[str]]) -> None:
    assert paragraphs_of(text_of(paragraphs)) == tuple(map(tuple, paragraphs))
