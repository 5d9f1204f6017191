"""Progress: a line in a terminal, with share and time left where the total is known."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jurybox.cli import _progress, run
from jurybox.cli._progress import ProgressLine

SCRIPT = Path(sys.executable).with_name("jurybox")
SOURCE = "He go in the home at night ."
GOLD = (
    f"S {SOURCE}\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
    "A 2 4|||U:PREP||||||REQUIRED|||-NONE-|||0\n\n"
)


class Terminal(io.StringIO):
    """Standard error as a terminal has it, for a command that runs in this process."""

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        return [line for line in self.getvalue().split(_progress.WIPE) if line]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("A1", "A2", "A3"):
        (tmp_path / f"{name}.m2").write_text(GOLD * 300)
    for name, verb in (("good", "goes"), ("poor", "going")):
        (tmp_path / f"{name}.txt").write_text(f"He {verb} in the home at night .\n" * 300)
    cases = [f"c{number}" for number in range(300)]
    (tmp_path / "cases.csv").write_text("case\n" + "".join(f"{case}\n" for case in cases))
    (tmp_path / "mine.csv").write_text("case,label\n" + "".join(f"{c},ok\n" for c in cases))
    judged = (f"{case},r{rater},error\n" for case in cases for rater in range(3))
    (tmp_path / "judgments.csv").write_text("case,rater,label\n" + "".join(judged))
    return tmp_path


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Run a command that shows all it is told, at once; gives the lines a terminal showed."""

    def watched_run(command: str) -> list[str]:
        terminal = Terminal()
        monkeypatch.setattr(_progress, "PATIENCE", -1.0)
        monkeypatch.setattr(_progress, "INTERVAL", -1.0)
        monkeypatch.setattr(sys, "stderr", terminal)
        assert run(command.split()) == 0
        assert terminal.getvalue().rstrip("\n").count("\n") <= terminal.getvalue().count("wrote")
        return terminal.lines()

    return watched_run


@pytest.mark.parametrize(
    ("command", "last"),
    [
        ("score good.txt --gold A1.m2", "100 %, 0 s left: 300 of 300 sentences"),
        ("score good.txt --gold A1.m2 --jobs 2", "100 %, 0 s left: 300 of 300 sentences"),
        (
            "score good.txt --gold A1.m2 --metric gleu",
            "100 %, 0 s left: 300 of 300 sentences",
        ),
        ("score good.txt --gold A1.m2 --ci", "100 %, 0 s left: 1,000 of 1,000 resamples"),
        (
            "compare good.txt poor.txt --gold A1.m2 --resamples 200",
            "100 %, 0 s left: 400 of 400 resamples",
        ),
        (
            "ceiling --gold A1.m2 A2.m2 A3.m2 --system good=good.txt",
            "100 %, 0 s left: 5 of 5 texts",
        ),
        (
            "ceiling --gold A1.m2 A2.m2 A3.m2 --system good=good.txt --ci --resamples 50",
            "100 %, 0 s left: 3 of 3 texts",
        ),
        ("annotators --gold A1.m2 A2.m2 A3.m2", "100 %, 0 s left: 300 of 300 sentences"),
        (
            "annotators --gold A1.m2 A2.m2 A3.m2 --metric errant",
            "100 %, 0 s left: 1,200 of 1,200 sentences",
        ),
        ("cases derive A1.m2 A2.m2 --tagger words", "100 %, 0 s left: 300 of 300 sentences"),
        (
            "cases derive A1.m2 A2.m2 --tagger words --system good=good.txt",
            "100 %, 0 s left: 300 of 300 sentences",
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_where_the_total_is_known_the_bar_ends_full(
    watch: Callable[[str], list[str]], command: str, last: str
) -> None:
    shown = watch(command)
    assert f"[{'#' * _progress.CELLS}] {last}" in shown[-1]


@pytest.mark.usefixtures("folder")
def test_a_bar_grows_while_files_are_converted(watch: Callable[[str], list[str]]) -> None:
    shown = watch("convert A1.m2 A2.m2 A3.m2 panel.m2")
    assert any(line.startswith("converting [####################] 100 %") for line in shown)


@pytest.mark.usefixtures("folder")
def test_reading_judgments_is_told(watch: Callable[[str], list[str]]) -> None:
    shown = watch("evaluate cases.csv --judgments judgments.csv --system mine=mine.csv")
    assert any(re.search(r"100 %, 0 s left: 0 of 0 MB", line) for line in shown)
    assert "900 judgments" in shown[-1]


def test_a_standard_input_has_no_total_and_so_a_counter(
    folder: Path, watch: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with (folder / "good.txt").open(encoding="utf-8") as given:
        monkeypatch.setattr(sys, "stdin", given)
        shown = watch("score - --gold A1.m2")
    assert re.fullmatch(r"matching: 300 sentences, \d+ s, [\d,]+/s", shown[-1])


def test_the_line_is_never_wider_than_the_terminal() -> None:
    line = ProgressLine("matching", io.StringIO())
    line.expect(1_000_000)
    line(10)
    for width in (20, 40, 79):
        assert len(line.text(1.0, width)) <= width


def test_more_than_expected_is_not_over_100_percent() -> None:
    line = ProgressLine("reading", io.StringIO())
    line.expect(10)
    line(15)
    assert "100 %, 0 s left: 15 of 10" in line.text(1.0, 79)


def test_work_of_less_than_a_second_shows_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(_progress, "monotonic", lambda: 5.0)  # however slow this machine is
    assert run(["score", str(folder / "good.txt"), "--gold", str(folder / "A1.m2")]) == 0
    assert terminal.getvalue() == ""


# --- a real terminal, a real pipe ---


def slow_files(folder: Path) -> list[str]:
    """A command that takes some seconds."""
    (folder / "long.m2").write_text(GOLD * 150_000)
    return [str(SCRIPT), "convert", "long.m2", "long.jsonl"]


@pytest.mark.slow
def test_a_terminal_sees_the_bar_grow_and_nothing_of_it_in_the_end(folder: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        slow_files(folder), cwd=folder, stderr=theirs, env=os.environ | {"TERM": "xterm"}
    ) as process:
        os.close(theirs)
        shown = b""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                shown += os.read(ours, 4096)
            except OSError:  # closed at the other end
                break
        assert process.wait(timeout=60) == 0
    os.close(ours)
    shares = [int(share) for share in re.findall(rb"\] (\d+) %", shown)]
    assert len(shares) > 3
    assert 0 < shares[-1] <= 100
    last = shown.decode().split(_progress.WIPE)[-1]
    assert re.fullmatch(r"wrote 150000 sentences [^\r\n]*\r?\n", last)


@pytest.mark.slow
def test_a_pipe_sees_no_progress(folder: Path) -> None:
    done = subprocess.run(slow_files(folder), cwd=folder, capture_output=True, check=True)
    assert done.stdout == b""
    assert re.fullmatch(rb"wrote [^\r\n]*\n", done.stderr)
