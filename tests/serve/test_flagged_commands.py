"""Flagged raters: left out by `agree`, `evaluate`, `sample estimate`, `aggregate`; countable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jurybox.cli import run
from jurybox.serve.dashboard.findings import find
from jurybox.serve.model import Assignment, SubmittedAnswer
from jurybox.serve.store import Store, open_store
from serve.made_studies import make_project
from serve.running_site import Person
from serve.watched_studies import add_key

STORED = ("--db", "study.db", "--project", "study")
#: parts of a result that say where it comes from, and what was left out
ABOUT = ("inputs", "files", "warnings", "flagged", "left_out", "options", "signature")
CASES = 12


def fill(store: Store) -> int:
    """Every case by three raters; the third says the opposite of the others, and is flagged."""
    project = make_project(store, CASES, per_case=3).id
    add_key(store, store.project("study"), CASES)
    for number in range(3):
        rater = store.join(project).id
        while isinstance(handed := store.next_case(rater), Assignment):
            case = int(handed.shown.left.split()[0][1:])
            is_error = (case % 3 == 0) != (number == 1 and case % 5 == 0)
            label = "error" if is_error != (number == 2) else "ok"
            store.answer(rater, handed.token, SubmittedAnswer(label), handed.token)
    store.stop_rater(store.raters(project)[2].id)
    return project


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.chdir(tmp_path)
    with open_store("study.db") as opened:
        fill(opened)
        # the system calls case 0, case 1 … as the corpus names them; most were not drawn
        lines = [f"case {i},{'error' if i % 3 == 0 else 'ok'}" for i in range(50)]
        Path("mine.csv").write_text("\n".join(["case,label", *lines, ""]), "utf-8")
        with Path("all.csv").open("w", encoding="utf-8", newline="") as out:
            opened.export(1, out)
        with Path("trusted.csv").open("w", encoding="utf-8", newline="") as out:
            opened.export(1, out, flagged=False)
        text = re.sub(",flagged$", ",", Path("all.csv").read_text("utf-8"), flags=re.MULTILINE)
        assert text.count("flagged") == 0
        Path("unmarked.csv").write_text(text, "utf-8")
        (key,) = opened.sample_keys(1)
        from jurybox.formats.tables import sample_key

        with Path("key.jsonl").open("w", encoding="utf-8") as out:
            sample_key.write(key, out)
        yield opened


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--format", "json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def numbers(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in ABOUT}


COMMANDS = {
    "agree": (("agree",), ("agree",), ("--ci",)),
    "sample estimate": (("sample", "estimate"), ("sample", "estimate", "key.jsonl"), ()),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_and_its_export_leave_flagged_raters_out(
    store: Store, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    stored, filed, options = COMMANDS[command]
    found = printed(capsys, *stored, *STORED, *options)
    assert found["flagged"] | {"changes": []} == {
        "raters": 1,
        "judgments": CASES,
        "of": 3 * CASES,
        "counted": False,
        "changes": [],
    }
    assert numbers(found) == numbers(printed(capsys, *filed, "all.csv", *options))
    assert numbers(found) == numbers(printed(capsys, *filed, "trusted.csv", *options))
    assert "flagged" not in found["signature"]


@pytest.mark.parametrize("command", COMMANDS)
def test_with_flagged_counts_everybody_and_says_what_that_changes(
    store: Store, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    stored, filed, options = COMMANDS[command]
    left_out = printed(capsys, *stored, *STORED, *options)
    counted = printed(capsys, *stored, *STORED, *options, "--with-flagged")
    assert counted["flagged"]["counted"] is True
    assert counted["flagged"]["changes"] == left_out["flagged"]["changes"]
    assert numbers(counted) == numbers(printed(capsys, *filed, "unmarked.csv", *options))
    assert "flagged:yes" in counted["signature"]
    for one in left_out["flagged"]["changes"]:
        here, there = (
            found["krippendorff_alpha"]["nominal"]
            if command == "agree"
            else found[{"F0.5": "f"}.get(one["measure"], one["measure"])]["estimate"]
            for found in (left_out, counted)
        )
        assert (one["without"], one["with"]) == (here, there)


def test_aggregate_leaves_out_whom_an_export_flags(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    found = printed(capsys, "aggregate", "all.csv", "--ties", "ok")
    assert found["flagged"] == {
        "raters": 1,
        "judgments": CASES,
        "of": 3 * CASES,
        "counted": False,
        "changes": [],
    }
    assert numbers(found) == numbers(printed(capsys, "aggregate", "trusted.csv", "--ties", "ok"))
    counted = printed(capsys, "aggregate", "all.csv", "--ties", "ok", "--with-flagged")
    assert counted["flagged"]["counted"] is True
    assert numbers(counted) == numbers(printed(capsys, "aggregate", "unmarked.csv", "--ties", "ok"))
    assert numbers(counted) != numbers(found)


@pytest.mark.parametrize("command", [("screen",), ("cost", "--pay", "$0.05")])
def test_screen_and_cost_count_everybody_and_say_how_many_are_flagged(
    store: Store, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    found = printed(capsys, *command, "all.csv")
    assert numbers(found) == numbers(printed(capsys, *command, "unmarked.csv"))
    (said,) = (one for one in found["warnings"] if "flagged" in one)
    assert "12 of 36 judgments are counted" in said


def test_evaluate_leaves_them_out_and_knows_blind_ids_by_the_key(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Decisions name the cases of the corpus, judgments the blind ids; the rest was not drawn."""
    system = ("--system", "mine=mine.csv")
    found = printed(capsys, "evaluate", *STORED, *system)
    (mine,) = found["systems"]
    # c0 is contested between R1 and R2 (R2 differs on every fifth case): a tie counts as ok
    assert mine["detection"] == {"tp": 3, "fp": 1, "fn": 0, "tn": 8}
    assert mine["missing"] == 0
    said = " ".join(found["warnings"])
    assert "38 decisions on cases that are not evaluated" in said
    assert "jurybox sample estimate" in said
    assert found["flagged"]["raters"] == 1
    everybody = printed(capsys, "evaluate", *STORED, *system, "--with-flagged")
    precision, recall, f = found["flagged"]["changes"]
    for one, name in ((precision, "precision"), (recall, "recall"), (f, "f_beta")):
        assert one["system"] == "mine"
        assert one["without"] == mine["weighted_measures"][name]
        assert one["with"] == everybody["systems"][0]["weighted_measures"][name]


def test_decisions_may_name_blind_ids_and_cases_those_of_the_corpus(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    by_key = printed(capsys, "evaluate", *STORED, "--system", "mine=mine.csv")
    lines = [f"c{i},{'error' if i % 3 == 0 else 'ok'}" for i in range(CASES)]
    Path("blind.csv").write_text("\n".join(["case,label", *lines, ""]), "utf-8")
    blind = printed(capsys, "evaluate", *STORED, "--system", "mine=blind.csv")
    assert blind["systems"] == by_key["systems"]
    cases = "\n".join(["case", *(f"case {i}" for i in range(20)), ""])
    Path("corpus.csv").write_text(cases, "utf-8")
    given = printed(capsys, "evaluate", "corpus.csv", *STORED, "--system", "mine=mine.csv")
    assert given["systems"][0]["detection"] == by_key["systems"][0]["detection"]
    assert given["cases"]["unjudged"] == 8


def test_decisions_on_none_of_the_drawn_cases_are_refused(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("other.csv").write_text("case,label\nx1,ok\nx2,ok\n", "utf-8")
    assert run(["evaluate", *STORED, "--system", "mine=other.csv"]) != 0
    assert "all 2 are on other cases" in capsys.readouterr().err


def test_where_everybody_is_flagged_the_remedy_is_named(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    for rater in store.raters(1):
        store.stop_rater(rater.id)
    for command in (("agree",), ("sample", "estimate"), ("evaluate", "--system", "m=mine.csv")):
        assert run([*command, *STORED]) != 0
        assert "--with-flagged counts them" in capsys.readouterr().err
    assert run(["agree", *STORED, "--with-flagged"]) == 0
    assert "flagged raters" in find(store, store.project("study"), 0.0).agreement.reason


def test_a_flagged_rater_is_no_expert_by_accident(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["agree", *STORED, "--expert", "R3"]) != 0
    assert "this rater is flagged" in capsys.readouterr().err
    assert run(["agree", *STORED, "--expert", "R3", "--with-flagged"]) == 0


def test_a_study_file_takes_the_option(store: Store) -> None:
    text = 'title = "x"\n[analysis.both]\ncommand = "agree"\njudgments = "all.csv"\n'
    Path("study.toml").write_text(f"{text}with-flagged = true\n", "utf-8")
    assert run(["run", "study.toml"]) == 0
    (result,) = (json.loads(path.read_text("utf-8")) for path in Path().rglob("both*.json"))
    assert result["flagged"]["counted"]


def test_the_dashboard_says_who_is_left_out(ada: Person) -> None:
    project = fill(ada.site.store)
    page = ada.open(f"/admin/projects/{project}/dashboard").text
    assert "1 flagged rater is left out, with 12 of 36 judgments; with them alpha would be" in page
    assert "--with-flagged" not in page
