"""`--spoiled drop` on a server's database: as on its export (Tetreault and Chodorow 2008, 5.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jurybox.cli import run
from jurybox.serve.model import Assignment, Role, SubmittedAnswer
from jurybox.serve.settings import Task
from jurybox.serve.store import Store, open_store
from serve.made_studies import make_project
from serve.running_site import PASSWORD, hash_quickly
from serve.watched_studies import add_key

STORED = ("--db", "study.db", "--project", "study")
SYSTEM = ("--system", "mine=mine.csv")
CASES = 12
#: the first rater flags these, and says no more
SPOILED = (3, 4)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    hash_quickly(monkeypatch)
    monkeypatch.chdir(tmp_path)
    with open_store("study.db") as opened:
        project = make_project(opened, CASES, per_case=2, task=Task.TRAINED)
        add_key(opened, project, CASES)
        for number in range(2):
            rater = opened.join(project.id).id
            while isinstance(handed := opened.next_case(rater), Assignment):
                case = int(handed.shown.left.split()[0][1:])
                said = SubmittedAnswer("extraneous" if case % 3 == 0 else "correct")
                if number == 0 and case in SPOILED:
                    said = SubmittedAnswer("", context=("spelling",))
                opened.answer(rater, handed.token, said, handed.token)
        lines = [f"case {i},{'error' if i % 3 == 0 else 'ok'}" for i in range(CASES)]
        Path("mine.csv").write_text("\n".join(["case,label", *lines, ""]), "utf-8")
        with Path("judgments.csv").open("w", encoding="utf-8", newline="") as out:
            opened.export(project.id, out)
        from jurybox.formats.tables import sample_key

        with Path("key.jsonl").open("w", encoding="utf-8") as out:
            sample_key.write(opened.sample_keys(project.id)[0], out)
        yield opened


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--format", "json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name not in ("inputs", "files")}


def test_spoiled_contexts_of_a_database_are_set_aside_as_those_of_its_export(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = printed(capsys, "evaluate", *STORED, *SYSTEM)
    assert (kept["cases"]["n"], "spoiled" in kept["cases"]) == (CASES, False)
    clean = printed(capsys, "evaluate", *STORED, *SYSTEM, "--spoiled", "drop")
    assert (clean["cases"]["n"], clean["cases"]["spoiled"]) == (CASES - 2, 2)
    assert clean["judges"]["on_spoiled"] == 4
    estimated = printed(capsys, "sample", "estimate", *STORED, "--spoiled", "drop")
    assert [one.get("spoiled", 0) for one in estimated["strata"]] == [1, 1]
    files = ("sample", "estimate", "key.jsonl", "judgments.csv", "--spoiled", "drop")
    assert estimated == printed(capsys, *files)
    agreed = printed(capsys, "agree", *STORED, "--spoiled", "drop")
    assert agreed["left_out"]["spoiled_cases"] == 2


def test_adjudicators_say_what_is_spoiled_where_their_decisions_count(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """A decision stands in place of the judgments, with what these say of the context."""
    user = store.add_user("bea", PASSWORD, Role.ADJUDICATOR)
    project = store.project("study").id
    numbered = {f"c{number}": number + 1 for number in range(CASES)}
    store.decide(project, numbered["c3"], user.id, SubmittedAnswer("extraneous"))
    store.decide(project, numbered["c5"], user.id, SubmittedAnswer("unknown"))
    options = (*STORED, *SYSTEM, "--spoiled", "drop", "--adjudicated")
    found = printed(capsys, "evaluate", *options)
    assert found["cases"]["spoiled"] == 2  # c4 by a rater, c5 by the adjudicator; c3 is clean
