"""Files a command writes: each whole, all or none of them, and refused before the work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from calling import Call
from jurybox.errors import InputError
from jurybox.formats import writing
from jurybox.formats._io import written_together

SCRIPT = Path(sys.executable).with_name("jurybox")
GOLD = "S It are in home .\nA 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0\n\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "A1.m2").write_text(GOLD * 2)
    (tmp_path / "A2.m2").write_text(GOLD * 2)
    (tmp_path / "mine.txt").write_text("It is in home .\nIt are at home .\n")
    (tmp_path / "cases.csv").write_text("case\na\nb\n")
    (tmp_path / "judgments.csv").write_text("case,rater,label\na,r,error\nb,r,ok\n")
    (tmp_path / "mine.csv").write_text("case,label\na,error\nb,ok\n")
    return tmp_path


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


MISSING = [
    "score mine.txt --gold A1.m2 -o no/out.txt",
    "score mine.txt --gold A1.m2 --save-counts no/counts.json",
    "compare mine.txt A1.txt --gold A1.m2 -o no/out.txt",
    "ceiling --gold A1.m2 A2.m2 -o no/out.txt",
    "ceiling --gold A1.m2 A2.m2 --figure no/out.svg",
    "annotators --gold A1.m2 A2.m2 --figure no/out.svg",
    "show 1 --gold A1.m2 -o no/out.txt",
    "cases derive A1.m2 -o no/out.csv",
    "cases derive A1.m2 --judgments no/out.csv",
    "evaluate cases.csv --judgments judgments.csv --system m=mine.csv -o no/out.txt",
    "evaluate cases.csv --judgments judgments.csv --system m=mine.csv --figure no/out.svg",
    "convert A1.m2 no/out.jsonl",
    "convert A1.m2 -o no/out.jsonl",
    "measures --tp 1 --fp 1 --fn 1 -o no/out.txt",
]


@pytest.mark.parametrize("command", MISSING)
def test_a_missing_folder_is_told_before_anything_is_read(
    folder: Path, call: Call, command: str
) -> None:
    for file in folder.iterdir():  # what is read would be complained about first
        file.write_text("")
    code, out, err = call(*command.split())
    assert (code, out) == (1, "")
    assert "there is no folder" in err
    assert "make it" in err


@pytest.mark.usefixtures("folder")
def test_convert_takes_its_target_by_name_too(call: Call) -> None:
    assert call("convert", "A1.m2", "A2.m2", "last.m2")[0] == 0
    assert call("convert", "A1.m2", "A2.m2", "-o", "named.m2")[0] == 0
    assert Path("named.m2").read_bytes() == Path("last.m2").read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        "score mine.txt --gold A1.m2 --save-counts counts.json -o full/out.txt",
        "ceiling --gold A1.m2 A2.m2 --system m=mine.txt --figure out.svg -o full/out.txt",
        "cases derive A1.m2 -o cases.jsonl --judgments full/judgments.csv",
    ],
)
def test_if_one_file_cannot_be_written_the_others_do_not_appear(
    folder: Path, call: Call, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "full").mkdir()
    before = names(folder)
    real_open = Path.open

    def open_unless_full(self: Path, *arguments: str, **more: str) -> object:
        if self.parent.name == "full":
            raise OSError(28, "No space left on device", str(self))
        return real_open(self, *arguments, **more)  # type: ignore[call-overload]  # as it came

    monkeypatch.setattr(Path, "open", open_unless_full)
    code, _, err = call(*command.split())
    assert code == 1
    assert "No space left on device" in err
    assert names(folder) == before
    assert names(folder / "full") == set()


def write_both(first: Path, second: Path) -> None:
    with written_together():
        before = first.read_text() if first.exists() else None
        for path in (first, second):
            with writing(path) as out:
                out.write("new")
            assert (first.read_text() if first.exists() else None) == before


def test_files_written_together_appear_together_or_not_at_all(tmp_path: Path) -> None:
    write_both(tmp_path / "a.txt", tmp_path / "b.txt")
    assert names(tmp_path) == {"a.txt", "b.txt"}
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(InputError):
        write_both(tmp_path / "a.txt", tmp_path / "missing" / "c.txt")
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == {"a.txt", "b.txt"}


@pytest.mark.usefixtures("folder")
def test_a_reader_who_leaves_early_takes_no_figure_away() -> None:
    words = "ceiling --gold A1.m2 A2.m2 --system m=mine.txt --figure out.svg --format json"
    with subprocess.Popen([SCRIPT, *words.split()], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(timeout=60) == 0
    assert Path("out.svg").stat().st_size > 1000
