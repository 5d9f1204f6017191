"""`jurybox serve`, and the commands that read its database: as files, number for number."""

from __future__ import annotations

import json
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import jurybox
from jurybox.cli import run
from jurybox.serve.app import listen, port_of
from jurybox.serve.model import Assignment, SubmittedAnswer
from jurybox.serve.settings import Task
from jurybox.serve.store import Store, open_store
from jurybox.serve.tokens import Tokens
from serve.made_studies import make_project

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(SAMPLE, tmp_path / "sample")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(line: str) -> int:
    """Run a command line without quotes."""
    return run(line.split())


def test_2008_section_5_2_shared_sets_are_asked_for_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Tetreault and Chodorow (2008): 100 every 500, without quotes."""
    for name, overlap in (("words", "20 every 60"), ("signs", "20/60")):
        line = f"serve new {name} --cases sample/cases.jsonl --gold-rate .1 --overlap {overlap}"
        assert call(line) == 0
        assert "184 judgments in all" in capsys.readouterr().out
    assert call("serve new three --cases sample/cases.jsonl --overlap 20 of 60") == 2
    assert "--overlap 20 of 60: write how many of how many" in capsys.readouterr().err


def judge_everything(store: Store, project: int, raters: int) -> None:
    """Raters who disagree now and then."""
    labels = ("error", "ok", "ok", "error", "unknown", "ok", "ok")
    turn = 0
    for _ in range(raters):
        rater = store.join(project).id
        while isinstance(handed := store.next_case(rater), Assignment):
            turn += 1
            label = labels[(turn * turn) % 7]
            store.answer(rater, handed.token, SubmittedAnswer(label), handed.token)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """A result as JSON, without what names the files it came from."""
    assert run([*arguments, "--format", "json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name not in ("inputs", "files")}


def export(store: Store, project: int) -> None:
    with Path("judgments.csv").open("w", encoding="utf-8", newline="") as out:
        store.export(project, out, "csv")


# --- projects on the command line ---


def test_a_project_is_made_and_its_link_leads_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("how.txt").write_text("Look.\n", "utf-8")
    Path("questions.txt").write_text("Language? *\n", "utf-8")
    arguments = "serve new pilot --db study.db --cases sample/cases.jsonl --per-case 3 --in-order"
    more = "--gold-rate .1 --gold-rule 0.7:5 --instructions how.txt --questionnaire questions.txt"
    assert run([*arguments.split(), *more.split()]) == 0
    said = capsys.readouterr().out
    assert said.startswith("pilot: 132 cases, 3 judgments each; 18 gold cases, 0 for practice\n")
    token = re.search(r"http://127.0.0.1:8000/j/(\S+)", said)
    assert token is not None
    with open_store("study.db") as store:
        project = store.project("pilot")
        assert Tokens(store.secret).read_link(token[1]) == project.id
        assert project.settings.instructions == "Look."
        assert project.settings.questionnaire[0].required


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("pilot --cases no.csv", 1, "no.csv"),
        ("pilot --cases sample/cases.jsonl --task choice", 1, "choice needs two words"),
        ("pilot --cases sample/cases.jsonl --task jugde", 2, "did you mean 'judge'?"),
        ("pilot --cases sample/cases.jsonl --gold-rule x", 2, "--gold-rule x: write the share"),
        ("pilot --cases sample/cases.jsonl --instructions no.txt", 1, "no.txt: cannot be read"),
        ("pilot --cases sample/cases.jsonl --questionnaire empty.txt", 1, "empty.txt: is empty"),
        ("pilot --cases bad.csv", 1, "bad.csv:2"),
        ("pilot --cases gold.csv", 1, "gold.csv:2"),
        ("pilot --cases sample/cases.jsonl --key bad.csv", 1, "bad.csv"),
        ("pilot --db no-folder/study.db --cases sample/cases.jsonl", 1, "no-folder"),
        ("pilot --db mysql://x/y", 2, "mysql is not supported"),
        ("pilot --cases sample/cases.jsonl --url example.org", 2, "begin it with https://"),
        ("pilot --cases sample/cases.jsonl --url https://example.org/x", 2, "without a path"),
    ],
)
def test_what_is_wrong_is_said_and_no_project_is_left(
    capsys: pytest.CaptureFixture[str], arguments: str, code: int, message: str
) -> None:
    Path("empty.txt").write_text("\n", "utf-8")
    Path("bad.csv").write_text("case,sentence,start,end\nc1,He is at home .,7,3\n", "utf-8")
    Path("gold.csv").write_text("case,sentence,start,end,gold\nc1,So .,0,1,perhaps\n", "utf-8")
    before = sorted(Path().rglob("*"))
    assert run(["serve", "new", *arguments.split()]) == code
    assert message in capsys.readouterr().err
    assert sorted(Path().rglob("*")) == before, "a failed command left something behind"


def test_a_name_that_is_taken_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    new = ["serve", "new", "pilot", "--cases", "sample/cases.jsonl", "--gold-rate", ".1"]
    assert run(new) == 0
    with open_store("jurybox.db") as store:
        projects, cases = store.projects(), store.case_set(1)
    assert run([*new, "--replace-flagged"]) == 2
    assert "there is a project 'pilot' already" in capsys.readouterr().err
    with open_store("jurybox.db") as store:
        assert (store.projects(), store.case_set(1)) == (projects, cases)


def test_flagged_raters_are_replaced_where_the_option_says_so() -> None:
    for name, options in (("plain", []), ("replacing", ["--replace-flagged"])):
        assert run(["serve", "new", name, "--cases", "sample/cases.jsonl", *options]) == 0
    with open_store("jurybox.db") as store:
        assert not store.project("plain").settings.replace_flagged
        assert store.project("replacing").settings.replace_flagged


@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        ("--gold-rate .1 --cases sample/cases.jsonl", ""),
        ("", "there is nothing to judge yet (no --cases)"),
        ("--cases gold.csv --gold-rate .1", "(every case is gold or practice)"),
        ("--cases sample/cases.jsonl", "nobody sees the gold cases: --gold-rate is 0"),
        ("--cases work.csv --gold-rate .1", "--gold-rate is 0.1, and no case is gold"),
        ("--cases work.csv --gold-rule .7:5", "--gold-rule stops nobody: --gold-rate is 0"),
    ],
)
def test_a_project_that_was_hardly_meant_like_that_is_warned_of(
    capsys: pytest.CaptureFixture[str], arguments: str, warning: str
) -> None:
    Path("work.csv").write_text("case,sentence,start,end\nc1,He is at home .,2,3\n", "utf-8")
    Path("gold.csv").write_text("case,sentence,start,end,gold\nc1,A b,0,1,ok\n", "utf-8")
    assert run(["serve", "new", "pilot", *arguments.split()]) == 0
    said = capsys.readouterr().err
    assert warning in said
    assert bool(warning) == ("warning" in said)


# --- judgments straight out of the database ---


def test_agree_and_evaluate_give_the_numbers_of_the_exported_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call("serve new pilot --db study.db --cases sample/cases.jsonl --per-case 4")
    capsys.readouterr()
    with open_store("study.db") as store:
        project = store.project("pilot").id
        judge_everything(store, project, 6)
        export(store, project)
    stored = ("--db", "study.db", "--project", "pilot")
    assert printed(capsys, "agree", *stored) == printed(capsys, "agree", "judgments.csv")
    system = ("--system", "bold=sample/bold.csv")
    from_files = ("evaluate", "sample/cases.jsonl", "--judgments", "judgments.csv", *system)
    files = printed(capsys, *from_files)
    assert files["systems"]
    assert printed(capsys, "evaluate", "sample/cases.jsonl", *stored, *system) == files
    database = printed(capsys, "evaluate", *stored, *system)
    assert database["systems"] == files["systems"]


def test_estimate_gives_the_numbers_of_the_exported_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    draw = "sample draw sample/bold.csv --error 20 --ok 30 --cases sample/cases.jsonl"
    assert run([*draw.split(), "--blind", "blind.csv", "--key", "key.jsonl"]) == 0
    new = "serve new drawn --db study.db --cases blind.csv --key key.jsonl --per-case 2"
    assert call(new) == 0
    capsys.readouterr()
    with open_store("study.db") as store:
        project = store.project("drawn").id
        judge_everything(store, project, 3)
        export(store, project)
    stored = printed(capsys, "sample", "estimate", "--db", "study.db", "--project", "drawn")
    assert stored == printed(capsys, "sample", "estimate", "key.jsonl", "judgments.csv")


@pytest.mark.parametrize("command", ["agree", "evaluate --system a=sample/bold.csv"])
def test_half_an_address_of_judgments_is_refused(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    with open_store("study.db"):
        pass
    wrong = {
        "--project p": "name the database too, with --db",
        "--db study.db": "name the project with --project",
        "--db other.db --project p": "there is no such file",
        "": "the judgments are missing",
    }
    for arguments, message in wrong.items():
        assert run([*command.split(), *arguments.split()]) in (1, 2)
        assert message in capsys.readouterr().err, arguments
    assert not Path("other.db").exists()


def test_a_project_without_a_key_has_no_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    call("serve new pilot --db study.db --cases sample/cases.jsonl")
    assert call("sample estimate --db study.db --project pilot") == 1
    assert "pilot has no key" in capsys.readouterr().err


# --- the server itself ---


@pytest.mark.parametrize("command", ["agree", "evaluate --system m=sample/bold.csv"])
def test_a_project_that_nobody_judged_yet_is_said_to_be_one(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    with open_store("study.db") as store:
        make_project(store, 3, name="pilot")
    assert run([*command.split(), "--db", "study.db", "--project", "pilot"]) == 1
    assert "the project 'pilot' has no judgment yet" in capsys.readouterr().err


def test_a_study_gets_no_projects_of_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    with open_store("study.db") as store:
        make_project(store, 3, name="pilot")
    assert run(["serve", "--demo", "--db", "study.db", "--port", "0"]) == 2
    assert "--demo: the database holds a study (pilot)" in capsys.readouterr().err
    with open_store("study.db") as store:
        assert [project.name for project in store.projects()] == ["pilot"]
        assert not store.users()


def test_a_port_that_is_taken_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    with listen(port=0) as taken:
        port = str(port_of(taken))
        assert run(["serve", "--db", "study.db", "--port", port]) == 1
    assert f"port {port} is in use" in capsys.readouterr().err


def test_pages_do_not_wait_until_their_headers_are_acknowledged() -> None:
    """Where asyncio is not told that it is TCP, every page takes 40 ms longer."""
    with listen(port=0) as found:
        assert found.proto == socket.IPPROTO_TCP


def test_a_host_that_is_not_here_is_said_not_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--db", "study.db", "--host", "192.0.2.1", "--port", "0"]) == 1
    assert "cannot listen at 192.0.2.1" in capsys.readouterr().err


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and what it said before it began."""
    command = [sys.executable, "-m", "jurybox", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if line.startswith("Ctrl-C"):
                break
        yield process, said
    finally:
        process.kill()
        process.communicate()


def test_the_demo_is_judged_within_ten_seconds_and_ends_cleanly() -> None:
    before = processor_seconds_of_children()
    with served("--demo") as (process, said):
        links = re.findall(r"http://127\.0\.0\.1:\d+/j/\S+", said)
        assert len(links) >= len(Task)  # and a cloze with a list
        with httpx.Client(follow_redirects=True) as browser:
            page = browser.get(links[0])
            word = re.search(r'name="csrf_token" value="(\w+)"', page.text)
            assert word is not None
            page = browser.post(links[0], data={"csrf_token": word[1]})
            page = browser.get(f"{page.url}/case")
            assert "Is the marked part an error?" in page.text
            admin = re.search(r"http://127\.0\.0\.1:\d+/admin/enter/\S+", said)
            assert admin is not None
            assert "Judge, trained raters" in browser.get(admin[0]).text
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0
        assert err == ""
        assert out == "The server has ended. Everything that was acknowledged is stored.\n"
    assert processor_seconds_of_children() - before < 10  # whatever else the machine does


def processor_seconds_of_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def test_a_new_database_gets_its_first_admin_by_the_printed_link() -> None:
    with served("--db", "study.db") as (process, said):
        link = re.search(r"http://127\.0\.0\.1:\d+/admin/setup/\S+", said)
        assert link is not None
        assert "Choose a name and a password" in httpx.get(link[0]).text
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    with socket.socket() as free:  # the port was given back
        free.bind(("127.0.0.1", int(link[0].split(":")[2].split("/")[0])))
