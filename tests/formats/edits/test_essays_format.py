"""Essays in Markdown, as in MultiGEC-2025, as source, reference and hypothesis."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

import jurybox as jb
from calling import Call
from jurybox.errors import FormatError, InputError, JuryboxWarning, LengthError
from jurybox.formats import Input, detect
from jurybox.formats.edits import essays
from jurybox.model import Counts

ORIG = "### essay_id = a1\nJag är glad.\n\nHan gå hem.\n\n### essay_id = 2\nVi sjunga.\n"
REF = "### essay_id = a1\nJag är glad.\nHan går hem.\n\n\n### essay_id = 2\nVi sjunger.\n"


def read(text: str) -> list[tuple[str, str]]:
    return [essay[:2] for essay in essays.read(Input.from_text(text, name="orig.md"))]


def save(folder: Path, **texts: str) -> dict[str, Path]:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    return {name: folder / f"{name}.md" for name in texts}


def test_an_essay_is_one_text() -> None:
    expected = [("a1", "Jag är glad. Han gå hem."), ("2", "Vi sjunga.")]
    for text in (ORIG, f"\ufeff\n\n{ORIG}\n\n", ORIG.replace("\n", "\r\n"), ORIG.strip()):
        assert detect(Input.from_text(text)) == "essays"
        assert read(text) == expected
    assert read(unicodedata.normalize("NFD", ORIG)) == expected


def test_an_essay_may_be_empty_and_hold_other_headings() -> None:
    text = "### essay_id = 1\n\n### essay_id = 2\n# Mitt liv\n### 1\n"
    assert read(text) == [("1", ""), ("2", "# Mitt liv ### 1")]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("### essay_id = 1\nA\n### essay_id = 1\nB\n", 3, "essay '1' stands in line 1 before"),
        ("### essay_id =\nA\n", 1, "a heading without an id"),
        ("Hej\nDu\n### essay_id = 1\nA\n", 1, "text before the first heading"),
    ],
)
def test_bad_essays_are_named_with_their_line(text: str, line: int, message: str) -> None:
    assert detect(Input.from_text(text)) == "essays"
    with pytest.raises(FormatError, match=f"orig.md:{line}: {message}"):
        read(text)


def test_essays_are_matched_by_their_ids_not_by_their_order(tmp_path: Path) -> None:
    parts = REF.split("### ")
    files = save(tmp_path, orig=ORIG, ref=REF, hyp=f"### {parts[2]}\n### {parts[1]}")
    for metric in ("m2", "gleu"):
        scored = jb.score(files["hyp"], source=files["orig"], refs=[files["ref"]], metric=metric)
        assert (scored.f if metric == "m2" else scored.score) == 1.0
        assert metric == "gleu" or "gold:aligned" in scored.signature


def test_a_reference_may_lack_essays_and_a_system_may_not(tmp_path: Path) -> None:
    part = ORIG.split("\n### ", maxsplit=1)[0]
    files = save(tmp_path, orig=ORIG, ref1=REF, ref2=part)
    refs = [files["ref1"], files["ref2"]]
    with pytest.warns(JuryboxWarning, match="ref2.md lacks 1 of 2 essays"):
        scored = jb.score(files["ref1"], source=files["orig"], refs=refs)
    assert scored.systems[0].counts == Counts(tp=2)
    with pytest.raises(FormatError, match=r"ref2.md: has no essay '2'; write every essay"):
        jb.score(files["ref2"], source=files["orig"], refs=files["ref1"])
    more = save(tmp_path, more=f"{REF}\n### essay_id = 9\nX\n")["more"]
    with pytest.raises(FormatError, match=r"more.md:9: essay '9' is not in the source"):
        jb.score(more, source=files["orig"], refs=files["ref1"])
    with pytest.raises(LengthError, match=r"more.md is longer than M2"):
        jb.score(more, Input.from_text("S A .\n\nS B .\n", name="M2"))  # no documents there
    hyp = save(tmp_path, hyp=REF.replace("= 2", "= 3"))["hyp"]
    with pytest.raises(FormatError, match=r"hyp.md: has no essay '2'"):
        jb.score(hyp, source=files["orig"], refs=files["ref1"])


def test_an_essay_that_the_source_lacks_is_an_error(tmp_path: Path) -> None:
    files = save(tmp_path, orig=ORIG, ref=f"{REF}\n### essay_id = 9\nX\n")
    with pytest.raises(FormatError, match=r"ref.md:9: essay '9' is not in .*orig.md"):
        jb.score(files["orig"], source=files["orig"], refs=files["ref"])


def test_essays_and_plain_text_do_not_go_together(tmp_path: Path) -> None:
    files = save(tmp_path, orig=ORIG, plain="Jag är glad .\nVi sjunger .\n")
    with pytest.raises(FormatError, match=r"plain.md:1: holds no essays, but .*orig.md does"):
        jb.score(files["orig"], source=files["orig"], refs=files["plain"])
    with pytest.raises(InputError, match="holds essays, but a panel needs edits"):
        jb.read_panel(files["orig"])


def test_essays_that_decide_a_comparison_are_shown_by_their_ids(tmp_path: Path, call: Call) -> None:
    half = "### essay_id = 2\nVi sjunger.\n\n### essay_id = a1\nJag är glad. Han gå hem.\n"
    files = save(tmp_path, orig=ORIG, ref=REF, half=half)
    given = ("--source", files["orig"], "--refs", files["ref"])
    code, out, said = call("compare", files["half"], files["ref"], *given)
    assert code == 0, said
    assert "Jag är glad. Han gå hem." in out
    assert "[gå -> går]" in out


def test_prose_can_be_tokenised(tmp_path: Path) -> None:
    files = save(tmp_path, orig=ORIG, ref=REF)
    scored = jb.score(files["ref"], source=files["orig"], refs=files["ref"], tokenize=True)
    assert scored.systems[0].counts == Counts(tp=2)


def test_multigecs_example_becomes_edits_with_their_essays(
    data_dir: Path, tmp_path: Path, call: Call
) -> None:
    folder = data_dir / "formats"
    orig, ref = folder / "multigec-made-orig.md", folder / "multigec-made-ref1.md"
    code, _, said = call("convert", orig, tmp_path / "e.jsonl", "--corrected", ref)
    assert code == 0, said
    panel = jb.read_panel(tmp_path / "e.jsonl")
    assert [sentence.document for sentence in panel] == ["1", "2"]
    found = [[e.replacement for e in s.annotations[0].edits] for s in panel]
    assert found == [["went", "played"], ["these"]]
