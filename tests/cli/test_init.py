"""`jurybox init`: every example runs at once, says what to replace, and writes over nothing."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path
from typing import Any, TextIO

import pytest

from calling import Call
from jurybox.cli import demo
from jurybox.cli.study import _study_run
from jurybox.cli.study.init import KINDS
from jurybox.formats import _io
from jurybox.report.compose import Report
from jurybox.report.html import Page
from jurybox.study.file import read_study
from jurybox.study.lock import LOCK


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_every_example_runs_to_a_report_and_then_has_nothing_to_do(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = tmp_path / "new" / "study"
    code, out, err = call("init", folder, "--kind", kind)
    assert (code, err) == (0, "")
    study = folder / "study.toml"
    assert f"jurybox run {study}" in out
    code, out, err = call("run", study)
    assert (code, err) == (0, "")
    page = (folder / "results" / "report.html").read_text("utf-8")
    assert read_study(study).title in page.replace("&#39;", "'")
    check_what_was_recorded(folder)

    def refuse(_: object) -> int:
        raise AssertionError("a second run computes something")

    monkeypatch.setattr(_study_run, "_make", refuse)
    code, again, err = call("run", study)
    assert (code, err) == (0, "")
    assert again.count(": unchanged") == len(read_study(study).analyses) + 1
    assert again.split("\n\n")[1:] == out.split("\n\n")[1:]


def check_what_was_recorded(folder: Path) -> None:
    """Every file that a result says it was made of is watched, with the same SHA-256."""
    made = json.loads((folder / "results" / LOCK).read_text("utf-8"))["made"]
    seen = 0
    for name, record in made.items():
        if name == "report":
            continue
        result = json.loads((folder / "results" / f"{name}.json").read_text("utf-8"))
        for given in result["inputs"]:
            assert record["inputs"][given["path"]] == given["sha256"]
            seen += 1
    assert seen


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_commented_out_in_an_example_is_right_too(
    call: Call, tmp_path: Path, kind: str
) -> None:
    """Lines such as `# metric = "errant"` become part of the study when the # is taken away."""
    call("init", tmp_path, "--kind", kind)
    study = tmp_path / "study.toml"
    text = study.read_text("utf-8")
    lines = [re.sub(r"^# ((?:\[[\w.]+\]|[\w-]+ = .*))$", r"\1", line) for line in text.split("\n")]
    study.write_text("\n".join(lines), "utf-8")
    code, out, err = call("run", study, "--dry-run")
    assert (code, err) == (0, "")
    if kind == "annotation":
        assert "estimate: would be computed" in out


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_that_is_copied_is_used(call: Call, tmp_path: Path, kind: str) -> None:
    call("init", tmp_path, "--kind", kind)
    study = read_study(tmp_path / "study.toml")
    named = {file for one in study.named.values() for files in one.forms.values() for file in files}
    copied = {
        str(path.relative_to(tmp_path))
        for path in (tmp_path / "sample").rglob("*")
        if path.is_file()
    }
    assert copied - {"sample/README.md"} == named


def test_nothing_is_written_over_without_force(call: Call, tmp_path: Path) -> None:
    call("init", tmp_path)
    study = tmp_path / "study.toml"
    study.write_text("mine", "utf-8")
    (tmp_path / "sample" / "bold.txt").unlink()
    code, _, err = call("init", tmp_path)
    assert code == 1
    assert f"{study} is there already" in err
    assert "--force" in err
    assert study.read_text("utf-8") == "mine"
    assert not (tmp_path / "sample" / "bold.txt").exists()  # nothing at all was written
    assert call("init", tmp_path, "--force")[0] == 0
    assert study.read_text("utf-8").startswith("# A study for researchers")


def test_a_file_of_the_sample_that_differs_is_kept_as_well(call: Call, tmp_path: Path) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "judgments.csv").write_text("mine", "utf-8")
    assert call("init", tmp_path, "--kind", "annotation")[0] == 1
    assert not (tmp_path / "study.toml").exists()


def test_the_same_again_is_no_conflict(call: Call, tmp_path: Path) -> None:
    assert call("init", tmp_path, "--kind", "course")[0] == 0
    assert call("init", tmp_path, "--kind", "course")[0] == 0


def test_an_unknown_kind_is_told_the_near_one(call: Call, tmp_path: Path) -> None:
    code, _, err = call("init", tmp_path, "--kind", "teacher")
    assert code == 2
    assert "one of: researcher, product, annotation, course" in err
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_to_is_named(call: Call, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = call("init", tmp_path / "file" / "study")
    assert code == 1
    assert "name another folder" in err


@pytest.mark.parametrize("command", [("init",), ("demo", "-o", "report.html", "--copy-to")])
def test_a_disk_that_is_full_gets_all_files_or_none(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Else half a sample is taken for a whole one, and is in the way of the next attempt."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "report_on", lambda *_: Report(Page("a page"), ()))
    opened = _io._open_draft

    def open_draft(path: Path, *others: Any) -> TextIO:
        if path.name.startswith(".cautious.txt"):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return opened(path, *others)

    monkeypatch.setattr(_io, "_open_draft", open_draft)
    code, _, err = call(*command, "new")
    assert code == 1
    assert "cautious.txt: cannot be written (No space left on device)" in err
    assert [path for path in (tmp_path / "new").rglob("*") if path.is_file()] == []
