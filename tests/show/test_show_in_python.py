"""`jb.show`: what everybody made of one sentence, who made which edit, and whose texts agree."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
from jurybox.show import show
from jurybox.show.marked import mark_changes
from jurybox.show.result import ShowResult
from saved_results import check_schema

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
EDIT = "A {} {}|||{}|||{}|||REQUIRED|||-NONE-|||{}\n"


def panel(source: str, *edits: tuple[int, int, str, str, int]) -> jb.Input:
    """An M2 file of one sentence: (start, end, type, correction, annotator)."""
    return jb.Input.from_text(f"S {source}\n" + "".join(EDIT.format(*edit) for edit in edits))


def shared(result: ShowResult) -> list[tuple[str, str, str, str]]:
    """The edits in short: span, correction, annotators, systems."""
    return [
        (f"{e.start}-{e.end}", e.replacement, "".join(e.annotators), "".join(e.systems))
        for e in result.edits
    ]


# --- people --------------------------------------------------------------------------------------


def test_every_annotator_has_the_corrected_text_and_the_edits() -> None:
    result = show(7, GOLD)
    assert (result.sentence, result.sentences, result.document) == (7, 15, None)
    assert result.source == "The informations on this page are not correct ."
    assert {name: one.text for name, one in result.annotators.items()} == {
        "0": "The information on this page is not correct .",
        "1": "The facts on this page are wrong .",
    }
    assert [edit.source for edit in result.annotators["1"].edits] == ["informations", "not correct"]
    assert result.distinct == 2


def test_edits_are_the_same_if_span_and_correction_are() -> None:
    gold = panel(
        "a b c",
        (1, 2, "X", "x", 0),
        (1, 2, "Y", "x", 1),  # another type
        (1, 2, "X", "y", 2),  # another correction
        (0, 2, "X", "a x", 3),  # another span, and yet the same text
    )
    result = show(1, gold)
    assert shared(result) == [
        ("0-2", "a x", "3", ""),
        ("1-2", "x", "01", ""),
        ("1-2", "y", "2", ""),
    ]
    assert result.edits[1].types == ("X", "Y")
    assert result.distinct == 2


def test_an_edit_that_somebody_made_twice_counts_once() -> None:
    gold = panel("a b", (0, 1, "X", "x", 0), (0, 1, "X", "x", 0))
    assert shared(show(1, gold)) == [("0-1", "x", "0", "")]


def test_of_alternatives_the_first_counts_and_all_are_shown() -> None:
    gold = panel("on mat", (1, 1, "X", "the||a", 0), (1, 1, "X", "the", 1), (1, 1, "X", "a", 2))
    result = show(1, gold, {"S": ["on a mat"]})
    assert shared(result) == [("1-1", "the", "01", ""), ("1-1", "a", "2", "S")]
    assert next(iter(result.annotators.values())).text == "on the mat"
    assert result.to_dict()["annotators"]["0"]["edits"][0]["replacement"] == "the||a"
    assert result.to_text().splitlines()[4] == "  0, 1  on [the||a] mat"


def test_blanks_in_a_correction_do_not_matter() -> None:
    gold = panel("a", (0, 1, "X", "x  y", 0), (0, 1, "X", "x y", 1))
    assert shared(show(1, gold)) == [("0-1", "x y", "01", "")]


def test_a_deletion_is_empty_however_the_file_writes_it() -> None:
    gold = panel("a b", (0, 1, "X", "-NONE-", 0), (0, 1, "X", "", 1))
    assert shared(show(1, gold)) == [("0-1", "", "01", "")]


def test_who_did_not_look_is_named_and_not_counted() -> None:
    sentence = jb.Sentence(("a",), (jb.Annotation("A"), jb.Annotation("C", (jb.Edit(0, 1, "b"),))))
    with pytest.warns(jb.JuryboxWarning, match="skipped"):
        result = show(1, jb.Panel((sentence,), ("A", "B", "C")))
    assert result.skipped == ("B",)
    assert list(result.to_dict()["annotators"]) == ["A", "C"]
    assert "Not looked at by B." in str(result)
    assert "1 of 2" in str(result)


def test_a_sentence_that_nobody_looked_at_is_shown_all_the_same() -> None:
    seen = jb.Sentence(("a",), (jb.Annotation("A"),))
    result = show(2, jb.Panel((seen, jb.Sentence(("b",))), ("A",)), {"S": ["a", "c"]})
    assert result.distinct == 0
    assert "Nobody looked at this sentence." in str(result)
    assert shared(result) == [("0-1", "c", "", "S")]


# --- systems -------------------------------------------------------------------------------------


def test_a_texts_edits_are_the_annotators_where_they_can_be() -> None:
    gold = panel("He explained me how .", (2, 3, "X", "to me", 0))
    result = show(1, gold, {"S": ["He explained to me how !"]})
    assert shared(result) == [("2-3", "to me", "0", "S"), ("4-5", "!", "", "S")]


def test_a_texts_other_edits_are_the_smallest() -> None:
    # MaxMatch alone would fuse them into one edit of the whole sentence
    result = show(1, panel("a b c d"), {"S": ["x b c"]})
    assert shared(result) == [("0-1", "x", "", "S"), ("3-4", "", "", "S")]


def test_a_system_with_edits_of_its_own_keeps_them_and_their_types() -> None:
    gold = panel("a b c", (1, 2, "X", "x", 0))
    system = panel("a b c", (0, 2, "OWN", "a x", 0))
    result = show(1, gold, {"S": system})
    assert shared(result) == [("0-2", "a x", "", "S"), ("1-2", "x", "0", "")]
    assert result.edits[0].types == ("OWN",)
    assert next(iter(result.systems.values())).text == next(iter(result.annotators.values())).text
    assert "S wrote what 0 wrote." in str(result)
    assert "unchanged:" not in result.signature


def test_signs_that_m2_uses_are_words_in_a_text() -> None:
    (system,) = show(1, panel("a b"), {"S": ["a || -NONE-"]}).systems.values()
    assert system.text == "a || -NONE-"
    assert [edit.key for edit in system.edits] == [(1, 2, "|| -NONE-")]


@pytest.mark.parametrize("length", [14, 16])
@pytest.mark.parametrize("sentence", [1, 15])
def test_a_system_with_more_or_fewer_sentences_is_an_error_whichever_is_shown(
    sentence: int, length: int
) -> None:
    with pytest.raises(jb.LengthError, match=f"15.*{length}|{length}.*15"):
        show(sentence, GOLD, {"S": ["x"] * length})


def test_lengths_are_those_of_the_files_where_documents_are_selected() -> None:
    documents = ["a"] * 10 + ["b"] * 5
    lines = (SAMPLE / "bold.txt").read_text(encoding="utf-8").splitlines()
    result = show(11, GOLD, {"S": lines}, documents=documents, select="b")
    assert result.document == "b"
    assert next(iter(result.systems.values())).text == lines[10]
    with pytest.raises(jb.LengthError):
        show(11, GOLD, {"S": lines[:5]}, documents=documents, select="b")


def test_a_system_with_edits_must_have_the_panels_sentences() -> None:
    with pytest.raises(jb.FormatError, match="sentence 1 has another source"):
        show(1, panel("a b"), {"S": panel("a c", (0, 1, "X", "x", 0))})


def test_prose_can_be_tokenised() -> None:
    result = show(1, panel("a b ."), {"S": ["a c."]}, tokenize=True)
    assert next(iter(result.systems.values())).text == "a c ."
    assert "|tokenize:jurybox|" in result.signature


def test_without_systems_there_is_no_column_for_them() -> None:
    for result in (show(1, GOLD), show(1, GOLD, {})):
        assert result.systems == {}
        assert [c.title for c in result.tables()[1].columns][-1] == "who"


# --- forms ---------------------------------------------------------------------------------------


def validate(result: ShowResult) -> dict[str, Any]:
    return check_schema(result, "show")


def test_the_dict_is_what_the_schema_says() -> None:
    record = validate(show(9, GOLD, {"S": SAMPLE / "bold.txt"}, documents=["d"] * 15))
    assert record["document"] == "d"
    assert [Path(given["path"]).name for given in record["inputs"]] == ["gold.m2", "bold.txt"]
    assert record["edits"][1] == {
        "start": 2,
        "end": 3,
        "source": "about",
        "replacement": "",
        "types": ["Prep"],
        "annotators": ["0"],
        "systems": ["S"],
    }
    validate(show(13, GOLD))


def test_csv_has_everybody_with_every_edit_and_how_many_agree() -> None:
    result = show(2, GOLD, {"S": SAMPLE / "source.txt"})
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert [(row["who"], row["name"], row["replacement"], row["agree"]) for row in rows] == [
        ("source", "", "", ""),
        ("annotator", "0", "in", "2"),
        ("annotator", "0", "in", "1"),
        ("annotator", "1", "in", "2"),
        ("system", "S", "", ""),
    ]
    assert {row["of"] for row in rows} == {"2"}


def test_people_with_the_same_text_share_a_line() -> None:
    edits = [(0, 1, "X", word, who) for who, word in enumerate("xyxzx")]
    text = show(1, panel("a b", *edits)).to_text()
    assert text.splitlines()[3:7] == [
        "annotators",
        "  0, 2, 4  [x] b",
        "  1        [y] b",
        "  3        [z] b",
    ]
    assert "5 annotators wrote 3 different texts." in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("x", "One annotator."),
        ("xx", "Both annotators agree."),
        ("xy", "Both annotators differ."),
        ("xxx", "All 3 annotators agree."),
        ("xyz", "All 3 annotators differ."),
    ],
)
def test_the_page_says_whether_all_differ(words: str, says: str) -> None:
    edits = [(0, 1, "X", word, who) for who, word in enumerate(words)]
    assert says in str(show(1, panel("a b", *edits))).splitlines()


def test_who_changed_nothing_is_said_to() -> None:
    text = str(show(13, GOLD, {"S": SAMPLE / "source.txt"}))
    assert text.count("(unchanged)") == 2
    assert "Edits" not in text
    assert "signature: jurybox show|" in text


def test_long_sentences_are_wrapped_under_a_hanging_indent() -> None:
    source = " ".join(["word"] * 60)
    text = show(1, panel(source, (30, 31, "X", "other", 0))).to_text(width=50)
    body = text.splitlines()[2 : text.splitlines().index("One annotator.") - 1]
    assert max(map(len, body)) <= 50
    assert all(
        line == "annotators" or line[:8] in ("source  ", "  0     ", " " * 8) for line in body
    )
    assert sum(line.count("word") for line in body) == 60 + 59


def test_fifty_annotators_fit_on_the_page_and_nobody_is_lost_in_the_json() -> None:
    edits = [(0, 1, "X", "x" if who < 30 else "y", who) for who in range(50)]
    result = show(1, panel("a b", *edits))
    assert max(map(len, result.to_text(width=80).splitlines())) <= 100
    assert "and 19 more" in result.to_text()
    assert len(result.to_dict()["edits"][0]["annotators"]) == 30
    every = [(0, 1, "X", "x", who) for who in range(50)]
    assert "50 of 50  all" in str(show(1, panel("a b", *every)))
    assert "49 of 50  all but 49" in str(show(1, panel("a b", *every[:-1], (0, 1, "X", "y", 49))))


def test_importing_show_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    code = "import jurybox.show, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert not set(done.stdout.split()) & {"numpy", "scipy", "pandas", "matplotlib"}


# --- properties ----------------------------------------------------------------------------------

words = st.lists(st.sampled_from("abc"), max_size=7)


@st.composite
def annotated(draw: st.DrawFn) -> jb.Sentence:
    tokens = tuple(draw(words))
    annotations = []
    for who in "012":
        edits = []
        for _ in range(draw(st.integers(0, 2))):
            start = draw(st.integers(0, len(tokens)))
            end = draw(st.integers(start, len(tokens)))
            edits.append(jb.Edit(start, end, " ".join(draw(words)[:2])))
        annotations.append(jb.Annotation(who, tuple(edits)))
    return jb.Sentence(tokens, tuple(annotations))


@given(annotated(), words)
def test_the_edits_of_a_text_lead_to_that_text(
    sentence: jb.Sentence, hypothesis: list[str]
) -> None:
    result = show(1, jb.Panel((sentence,), ("0", "1", "2")), {"S": [" ".join(hypothesis)]})
    (system,) = result.systems.values()
    runs = mark_changes(sentence.tokens, [edit.key for edit in system.edits])
    assert [word for run in runs for word in run.words] == hypothesis


@given(annotated(), words)
def test_everybody_stands_at_exactly_their_own_edits(
    sentence: jb.Sentence, hypothesis: list[str]
) -> None:
    result = show(1, jb.Panel((sentence,), ("0", "1", "2")), {"S": [" ".join(hypothesis)]})
    keys = [(edit.start, edit.end, edit.replacement) for edit in result.edits]
    assert len(set(keys)) == len(keys)
    assert [key[:2] for key in keys] == sorted(key[:2] for key in keys)
    for annotation in sentence.annotations:
        own = {(edit.start, edit.end, edit.replacement) for edit in annotation.edits}
        at = {
            key
            for key, edit in zip(keys, result.edits, strict=True)
            if annotation.annotator in edit.annotators
        }
        assert at == own
    validate(result)


# --- the paper -----------------------------------------------------------------------------------

#: Table 1 of Bryant and Ng (2015), what differs: opening, duty, what is told
TABLE_1 = {
    "A1": ("To put it in a nutshell", "be obliged", "their genetic test results"),
    "A2": ("In a nutshell", "have an obligation", "the genetic testing result"),
    "A3": ("In summary", "have the obligation", "the genetic testing result"),
    "A4": ("In a nutshell", "be obligated", "the genetic testing result"),
    "A5": ("To put it in a nutshell", "be obligated", "the genetic testing results"),
    "A6": ("To put it in the nutshell", "have an obligation", "their genetic test results"),
    "A7": ("To put it in a nutshell", "have the obligation", "the genetic testing result"),
    "A8": ("To put it in a nutshell", "be obligated", "the genetic testing result"),
    "A9": ("To put it in a nutshell", "have the obligation", "the genetic test result"),
    "A10": ("To put it in a nutshell", "have the obligation", "the genetic test results"),
}


def sentence_of(opening: str, duty: str, what: str) -> str:
    return (
        f"{opening} , I believe that people should {duty} to tell their relatives about {what} "
        "for the good of their health ."
    )


def test_table_1_of_the_paper_is_what_is_shown(data_dir: Path) -> None:
    folder = data_dir / "conll14-10"
    gold = [folder / f"{name}.m2" for name in TABLE_1]
    essays = folder / "sgml" / "A1.sgml"
    camb = data_dir / "systems" / "CAMB"
    result = show("in the nutshell, I believe", gold, {"CAMB": camb}, documents=essays)
    assert (result.sentence, result.sentences, result.document) == (597, 1312, "25")
    source = ("To put it in the nutshell", "have the obligation", "the genetic testing result")
    assert result.source == sentence_of(*source)
    assert {name: one.text for name, one in result.annotators.items()} == {
        name: sentence_of(*parts) for name, parts in TABLE_1.items()
    }
    assert result.distinct == 10
    article = next(e for e in result.edits if (e.start, e.end, e.replacement) == (4, 5, "a"))
    assert set(TABLE_1) - {*article.annotators} == {"A3", "A6"}
    assert article.systems == ("CAMB",)
    assert next(iter(result.systems.values())).text == [*result.annotators.values()][6].text
