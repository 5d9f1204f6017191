"""The installed `jurybox` as the shell sees it: exit codes, streams, pipes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import jurybox

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD, BOLD = SAMPLE / "gold.m2", SAMPLE / "bold.txt"


def script() -> list[str]:
    """The console script beside this interpreter."""
    found = shutil.which("jurybox", path=str(Path(sys.executable).parent))
    assert found is not None, "install the package first: pip install -e ."
    return [found]


def shell(
    *arguments: object, command: list[str] | None = None, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    words = [*(command or script()), *map(str, arguments)]
    return subprocess.run(words, input=given, capture_output=True, check=False, timeout=60)


def test_a_score_leaves_with_0_and_utf8_json() -> None:
    done = shell("score", BOLD, "--gold", GOLD, "--format", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode())["systems"][0]["tp"] == 23


def test_python_m_jurybox_is_the_same_command() -> None:
    done = shell("--version", command=[sys.executable, "-m", "jurybox"])
    assert (done.returncode, done.stdout.decode()) == (0, f"jurybox {jurybox.__version__}\n")


def test_a_pipe_is_read() -> None:
    done = shell("score", "-", "--gold", GOLD, "--format", "json", given=BOLD.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["systems"][0]["tp"] == 23


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["score", "missing.txt", "--gold", GOLD], 1),
        (["score", BOLD], 2),
        (["compare", BOLD, SAMPLE / "rewriter.txt", "--gold", GOLD, "--fail-if-worse"], 3),
    ],
)
def test_the_exit_code_tells_what_went_wrong(arguments: list[object], code: int) -> None:
    done = shell(*arguments)
    assert done.returncode == code
    assert done.stderr.startswith(b"jurybox: ")
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    # enough output to fill the pipe, so that writing meets the closed end
    words = [*script(), "compare", *[str(SAMPLE / f"{n}.txt") for n in ("bold", "rewriter")]]
    words += ["--gold", str(GOLD), "--format", "json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
        assert process.wait(timeout=60) in (0, 141)
    assert b"Traceback" not in complaint
    assert b"BrokenPipe" not in complaint


@pytest.mark.parametrize(
    "words",
    [
        ["measures", "--tp", "1", "--fp", "1", "--fn", "1"],
        ["compare", str(BOLD), str(BOLD.with_name("cautious.txt")), "--gold", str(GOLD)],
        pytest.param(["demo"], marks=pytest.mark.slow),
        ["score", "--help"],
        ["score", "sentences–missing.txt", "--gold", str(GOLD)],
    ],
    ids=["measures", "compare", "demo", "help", "error"],
)
def test_output_is_utf8_even_where_the_locale_is_not(words: list[str]) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PATH": ""}
    done = subprocess.run(
        [*script(), *words], capture_output=True, check=False, timeout=60, env=ascii_only
    )
    assert b"Traceback" not in done.stderr
    if "sentences–missing.txt" in words:
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"no such file" in done.stderr
    else:
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode("utf-8")
