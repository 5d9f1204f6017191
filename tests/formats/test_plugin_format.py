"""Formats of other packages are read like ours, and what is wrong names file, line and package."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

import jurybox as jb
from calling import Call
from jurybox.errors import FormatError, InputError
from jurybox.formats import Input, open_panel
from jurybox.formats.platforms import EXPORTS
from jurybox.formats.plugin_format import OURS, load_format
from plugin_packages import offered

PAIRS = "He go home .\tHe goes home .\nI I see .\tI see .\n"
CODE = """
import jurybox as jb
A = jb.Annotation

def sentence(*spans):
    return jb.Sentence(("A", "dog"), (A("0", tuple(jb.Edit(s, e, "x") for s, e in spans)),))

class Outside:
    def read(self, lines):
        for _ in lines:
            yield sentence((1, 3))

class Strings:
    def read(self, lines):
        return ["A dog"]

class Blanks:
    def read(self, lines):
        yield jb.Sentence(("A dog",), ())

class Fails:
    def read(self, lines):
        next(lines)
        yield sentence((0, 1))
        next(lines)
        raise KeyError("what")

class Nothing:
    def read(self, lines):
        return []

class Unreadable: ...
"""


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from offered(monkeypatch, tmp_path / "site", "formats", "wrong-ones", CODE)


def text(content: str) -> Input:
    return Input.from_text(content, "a.pairs")


def test_a_panel_is_read_in_it() -> None:
    panel = open_panel(text(PAIRS), format="pairs")
    sentences = list(panel)
    assert [one.annotations[0].edits[0].replacement for one in sentences] == ["goes", ""]
    assert panel.annotators == ("0",)


def test_several_files_are_one_panel_and_may_be_compressed(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "A1.pairs").write_text(PAIRS, "utf-8")
    with gzip.open(tmp_path / "A2.pairs.gz", "wt", encoding="utf-8") as out:
        out.write(PAIRS.replace("goes", "went"))
    files = [tmp_path / "A1.pairs", tmp_path / "A2.pairs.gz"]
    panel = jb.read_panel(files, format="pairs")
    assert [one.annotator for one in panel.sentences[0].annotations] == ["A1", "A2"]


def test_what_it_writes_it_reads() -> None:
    out = io.StringIO()
    load_format("pairs", "format", ()).write(open_panel(text(PAIRS), format="pairs"), out)
    assert out.getvalue() == PAIRS


@pytest.mark.parametrize(
    ("name", "content", "line", "why"),
    [
        ("pairs", "a b\tc d\nno tab\n", 2, "there is no tab.* .format 'pairs' of package jurybox-"),
        ("outside", "x\n", 1, "span 1-3 ends outside the sentence.*'outside' of package wrong-"),
        ("strings", "x\n", 0, "str is no jurybox.Sentence"),
        ("blanks", "x\n", 0, "'A dog' is no token"),
        ("nothing", "x\n", None, "holds no sentence"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_package(
    name: str, content: str, line: int | None, why: str
) -> None:
    with pytest.raises(FormatError, match=why) as told:
        list(open_panel(text(content), format=name))
    assert told.value.path == "a.pairs"
    assert told.value.line == line


def test_a_mistake_in_its_code_is_no_mistake_in_the_file() -> None:
    with pytest.raises(
        InputError, match=r"'fails' of package wrong-ones failed at a\.pairs:2: Key"
    ):
        list(open_panel(text("x\ny\n"), format="fails"))


def test_what_is_no_format_is_refused() -> None:
    with pytest.raises(InputError, match="has no read; a format has"):
        open_panel(text("x\n"), format="unreadable")


def test_one_that_can_be_read_only_says_so(call: Call, tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("S a\n\nS b\n", "utf-8")
    code, _, err = call("convert", tmp_path / "gold.m2", tmp_path / "x", "--to", "nothing")
    assert code == 1
    assert "'nothing' of package wrong-ones can be read only" in err
    assert not (tmp_path / "x").exists()


def test_an_unknown_format_is_told_the_near_one_of_a_package() -> None:
    with pytest.raises(jb.JuryboxError, match="did you mean 'pairs'"):
        open_panel(text(PAIRS), format="pair")


def test_judgments_are_not_written_as_edits(call: Call, tmp_path: Path) -> None:
    table = Path(jb.__file__).parent / "data" / "sample" / "judgments.csv"
    code, _, err = call("convert", table, tmp_path / "x", "--to", "pairs")
    assert code == 2
    assert "the files hold judgments" in err


def test_no_package_can_take_the_name_of_a_format_of_ours() -> None:
    from jurybox.convert import EDIT_FORMATS, JUDGMENT_FORMATS

    assert {*EXPORTS, *EDIT_FORMATS, *JUDGMENT_FORMATS} <= {*OURS}
