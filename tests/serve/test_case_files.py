"""Cases for a project out of files."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest

import jurybox as jb
from jurybox.errors import FormatError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import cases as case_files
from jurybox.serve.model import NewCase, Purpose
from jurybox.serve.projects import read_cases
from jurybox.serve.settings import Task

SAMPLE = Path(jb.__file__).parent / "data" / "sample"


def test_every_column_of_a_table_is_read() -> None:
    text = (
        "case\tsentence\tstart\tend\twritten\tbefore\tfirst\tsecond\tgold\tpurpose\tfeedback\tafter\n"
        "p1\tI am at home .\t2\t3\tat\tHello .\tat\tin\t"
        '["first", "equal"]\tpractice\tBoth go.\tBye .\n'
    )
    (case,) = read_cases(Input.from_text(text), Task.CHOICE)
    assert case == NewCase(
        *("p1", "I am at home .", 2, 3, "at", "Hello .", "at", "in"),
        purpose=Purpose.PRACTICE,
        gold=("first", "equal"),
        feedback="Both go.",
        after="Bye .",
    )


def test_the_bundled_cases_are_read_without_the_trivial_ones() -> None:
    total = len((SAMPLE / "cases.jsonl").read_text().splitlines()) - 1
    found = read_cases(SAMPLE / "cases.jsonl")
    assert len(found) == total > 100
    text = "case,sentence,trivial\nc1,So .,true\nc2,So .,\n"
    with pytest.warns(JuryboxWarning, match="1 trivial cases are left out"):
        (case,) = read_cases(Input.from_text(text))
    assert case.id == "c2"


def test_titles_and_words_for_labels_can_be_mapped() -> None:
    text = "id,text,answer\nc1,So .,No\n"
    columns = {"case": "id", "sentence": "text", "gold": "answer"}
    (case,) = read_cases(Input.from_text(text), columns=columns, labels={"No": "error"})
    assert (case.id, case.gold) == ("c1", ("error",))


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (",So .,,,", "no case id"),
        ("c1,So .,x,1,", "start 'x' is not a whole number"),
        ("c1,So .,,,sometimes", "'sometimes' is not one of error, ok, unknown"),
        ("c1,,,,", r"\(sentence\): case 'c1': has no sentence"),
        ("c1,So .,1,3,", r"\(end\): case 'c1': span 1-3 is not inside"),
        ("c0,So .,,,", "case 'c0' was given in line 2 already"),
    ],
)
def test_a_bad_row_is_named_with_its_line(row: str, complaint: str) -> None:
    text = f"case,sentence,start,end,gold\nc0,So .,,,\n{row}\n"
    with pytest.raises(FormatError, match=rf"new\.csv:3.*{complaint}"):
        read_cases(Input.from_text(text, "new.csv"))


def test_an_unknown_purpose_and_an_empty_file_are_refused() -> None:
    with pytest.raises(FormatError, match="purpose 'fun' is not one of work, gold, practice"):
        read_cases(Input.from_text("case,sentence,purpose\nc1,So .,fun\n"))
    with pytest.raises(FormatError, match="holds no case"):
        read_cases(Input.from_text("case,sentence\n"))


def test_a_construction_is_for_m2_only() -> None:
    with pytest.raises(UsageError, match="--construction is for M2"):
        read_cases(Input.from_text("case,sentence\nc1,So .\n"), construction="article")


PANEL = (
    "S Hello .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    "S I am in a home .\nA 3 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0\n"
)


@pytest.mark.parametrize(("essays", "before"), [("x\nx\n", "Hello ."), ("x\ny\n", "")])
def test_m2_is_derived_with_the_sentence_before_of_the_same_essay(essays: str, before: str) -> None:
    """Tetreault and Chodorow (2008, section 5) show it to raters."""
    panel, documents = Input.from_text(PANEL, "panel.m2"), Input.from_text(essays)
    (case,) = read_cases(panel, construction="article", documents=documents)
    assert (case.before, case.after, case.start, case.written) == (before, "", 3, "a")
    assert (case.construction, case.document, case.gold) == ("article", essays[2], ())


def test_m2_without_documents_has_no_sentence_before_and_a_note_says_so() -> None:
    with pytest.warns(
        JuryboxWarning, match=r"panel\.m2: raters see no sentence before.*--documents"
    ):
        (case,) = read_cases(Input.from_text(PANEL, "panel.m2"), construction="article")
    assert (case.id, case.before) == ("S2:3-4", "")


def test_a_blind_file_with_context_is_read_as_it_was_drawn() -> None:
    derived = jb.derive_cases(Input.from_text(PANEL), "article", documents=["x", "x"])
    drawn = jb.draw_sample({derived.case_set[0].id: "error"}, error=1, ok=0, cases=derived.case_set)
    out = io.StringIO()
    case_files.write_blind(drawn.blind, out)
    (case,) = read_cases(Input.from_text(out.getvalue()))
    assert (case.id, case.before) == (drawn.blind[0].id, "Hello .")


def test_no_rater_is_shown_the_sentence_of_another_essay_of_conll_2014(data_dir: Path) -> None:
    """Raters see the sentence before in the essay (Tetreault and Chodorow 2008, section 5)."""
    folder = data_dir / "conll14"
    essays, gold = folder / "official-2014.0.sgml", folder / "official-2014.0.m2"
    found = read_cases(gold, documents=essays)
    texts = [(one.document, one.text) for one in jb.read_panel(gold, documents=essays)]
    neighbouring = set(pairwise(texts))
    shown = [case for case in found if case.before]
    assert len(shown) > 2800
    for case in shown:
        pair = ((case.document, case.before), (case.document, case.sentence))
        assert pair in neighbouring
