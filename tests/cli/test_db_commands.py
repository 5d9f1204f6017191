"""`jurybox db`: backups that can be trusted, in one line each."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import jurybox
from jurybox.cli import run
from jurybox.serve.store import open_store

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
CASES = str(SAMPLE / "cases.jsonl")
Call = Callable[..., str]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one project."""
    path = tmp_path_factory.mktemp("served") / "jurybox.db"
    assert run(["serve", "new", "prepositions", "--cases", CASES, "--db", str(path)]) == 0
    return path


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    database: Path,
) -> Call:
    """Runs a command in a folder with a database `jurybox.db`; gives what it says."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(database, "jurybox.db")
    capsys.readouterr()

    def called(*arguments: str, code: int = 0) -> str:
        assert run(["db", *arguments]) == code
        out, err = capsys.readouterr()
        assert (err == "") == (code == 0)
        return out or err

    return called


def test_a_database_goes_into_a_file_and_into_another_database(call: Call) -> None:
    said = call("dump", "-o", "backup.jsonl.gz")
    assert said.startswith("backup.jsonl.gz: 1 project, 150 cases, 0 raters, 0 answers; revision")
    assert "Keep it private" in said
    assert stat.S_IMODE(Path("backup.jsonl.gz").stat().st_mode) == 0o600
    assert "as it was written: 1 project" in call("verify", "backup.jsonl.gz")
    assert "loaded and compared: 1 project" in call("load", "backup.jsonl.gz", "--db", "new.db")
    with open_store("new.db") as store, open_store("jurybox.db") as old:
        assert store.projects() == old.projects()
        assert store.secret == old.secret


def test_a_dump_goes_through_a_pipe_and_nothing_else_with_it(call: Call) -> None:
    command = [sys.executable, "-m", "jurybox", "db", "dump", "-o", "-"]
    done = subprocess.run(command, check=True, capture_output=True)
    Path("piped.jsonl").write_bytes(done.stdout)
    assert b"Keep it private" in done.stderr
    call("verify", "piped.jsonl")


def test_a_damaged_file_is_named_with_its_line_and_ends_with_1(call: Call) -> None:
    call("dump", "-o", "backup.jsonl")
    text = Path("backup.jsonl").read_text(encoding="utf-8")
    Path("backup.jsonl").write_text(text[:3000], encoding="utf-8")
    line = text[:3000].count("\n") + 1
    assert f"backup.jsonl:{line}: is cut off or changed" in call("verify", "backup.jsonl", code=1)
    assert "is cut off" in call("load", "backup.jsonl", "--db", "new.db", code=1)
    assert not Path("new.db").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["dump"], 2, "-o"),
        (["dump", "-o", "jurybox.db"], 2, "is the database itself"),
        (["dump", "--db", "none.db", "-o", "x"], 1, "there is no such file"),
        (["dump", "--db", CASES, "-o", "x"], 1, "is not a database; name the file that jurybox"),
        (["dump", "--db", ".", "-o", "x"], 1, "--db .: is a folder; name the file"),
        (["load", "jurybox.db", "--db", "new.db"], 1, "jurybox.db: is a database and no dump"),
        (["verify", "jurybox.db"], 1, "make one: jurybox db dump --db jurybox.db"),
        (["load", "none.jsonl"], 1, "none.jsonl"),
        (["load", CASES, "--db", "new.db"], 1, "is no dump of jurybox"),
        (["load", "-", "--db", "new.db"], 1, "save it to a file"),
        (["verify", CASES], 1, "is no dump of jurybox"),
        (["restore"], 2, "cannot 'restore'"),
        (["forget", "R1"], 2, "--project"),
        (["forget", "R1", "--project", "prepositions"], 2, "there is no rater 'R1'"),
        (["forget", "R1", "--project", "none"], 2, "unknown project 'none'"),
    ],
)
def test_what_cannot_be_done_is_said_with_the_way_out(
    call: Call, arguments: list[str], code: int, message: str
) -> None:
    assert message in call(*arguments, code=code)
    assert not Path("x").exists()
    assert not Path("new.db").exists()


def test_a_dump_is_not_loaded_over_a_study(call: Call) -> None:
    call("dump", "-o", "backup.jsonl")
    assert "is a database of jurybox already" in call("load", "backup.jsonl", code=1)


def test_a_rater_is_forgotten_by_name(call: Call) -> None:
    with open_store("jurybox.db") as store:
        store.join(store.project("prepositions").id, pseudonym="Ann")
    said = call("forget", "Ann", "--project", "prepositions")
    assert said.startswith("R1: forgotten; 0 judgments removed, 0 kept.")


def test_long_work_tells_how_far_it_is(
    call: Call, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from jurybox.cli import _progress

    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "INTERVAL", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run(["db", "dump", "-o", "backup.jsonl"]) == 0
    told = capsys.readouterr().err
    assert "dumping [" in told
    assert "checking [" in told or "rows" in told
    assert run(["db", "load", "backup.jsonl", "--db", "new.db"]) == 0
    assert "loading [" in capsys.readouterr().err
