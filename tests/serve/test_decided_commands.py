"""`agree` and `evaluate` with what adjudicators decided: as files, number for number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jurybox.cli import run, stored
from jurybox.serve import essays
from jurybox.serve.model import Assignment, Role, SubmittedAnswer
from jurybox.serve.store import Store, open_store
from serve.made_studies import make_project
from serve.running_site import PASSWORD, hash_quickly

STORED = ("--db", "study.db", "--project", "study")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Twelve cases by three raters, of whom one differs in every second; half of these decided."""
    hash_quickly(monkeypatch)
    monkeypatch.chdir(tmp_path)
    with open_store("study.db") as opened:
        user = opened.add_user("bea", PASSWORD, Role.ADJUDICATOR)
        project = make_project(opened, 12, per_case=3)
        for number in range(3):
            rater = opened.join(project.id).id
            while isinstance(handed := opened.next_case(rater), Assignment):
                case = int(handed.shown.left.split()[0][1:])
                differs = number == 2 and case % 2 == 0
                label = "ok" if (case % 3 == 0) == differs else "error"
                opened.answer(rater, handed.token, SubmittedAnswer(label), handed.token)
        for place, one in enumerate(opened.contested(project.id, order="file")):
            if place % 2 == 0:
                opened.decide(project.id, one.case, user.id, SubmittedAnswer("ok"))
        yield opened


def write_export(store: Store, decisions: str) -> None:
    with Path("judgments.csv").open("w", encoding="utf-8", newline="") as out:
        store.export(store.project("study").id, out, decisions=decisions)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--format", "json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name not in ("inputs", "files")}


def test_the_command_line_calls_adjudicators_as_exports_do() -> None:
    assert stored.ADJUDICATOR == essays.ADJUDICATOR


def test_adjudicators_are_the_expert_where_they_are_named(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    write_export(store, "yes")
    expert = printed(capsys, "agree", *STORED, "--expert", "ADJ")
    assert expert == printed(capsys, "agree", "judgments.csv", "--expert", "ADJ")
    assert expert["crowd"]
    write_export(store, "no")
    plain = printed(capsys, "agree", *STORED)
    assert plain == printed(capsys, "agree", "judgments.csv")
    assert plain != expert


def test_decided_cases_are_evaluated_by_the_decision(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"c{number},error" for number in range(12)]
    Path("mine.csv").write_text("\n".join(["case,label", *lines, ""]), "utf-8")
    Path("cases.csv").write_text("\n".join(["case", *(f"c{i}" for i in range(12)), ""]), "utf-8")
    system = ("--system", "mine=mine.csv")
    write_export(store, "instead")
    decided = printed(capsys, "evaluate", "cases.csv", *STORED, *system, "--adjudicated")
    files = ("evaluate", "cases.csv", "--judgments", "judgments.csv", *system)
    assert decided == printed(capsys, *files)
    assert decided != printed(capsys, "evaluate", "cases.csv", *STORED, *system)


def test_files_know_nothing_of_adjudicators(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    write_export(store, "no")
    given = ["evaluate", "cases.csv", "--judgments", "judgments.csv", "--system", "a=mine.csv"]
    assert run([*given, "--adjudicated"]) == 2
    assert "--adjudicated: name the server's database" in capsys.readouterr().err
