"""The four labels of trained raters, from the server to every command (2008, sections 5.1, 5.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calling import Call
from jurybox.formats.tables import cases as case_files
from jurybox.serve.model import Assignment, NewCase, SubmittedAnswer
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store, open_store
from serve.made_studies import case_of, judged, make_cases

STORED = ("--db", "study.db", "--project", "trained")
EXTRANEOUS = SubmittedAnswer("extraneous", confidence="high")
WRONG = SubmittedAnswer("wrong", ("on", "upon"), "low")
CORRECT = SubmittedAnswer("correct", confidence="high")
EQUAL = SubmittedAnswer("equal", ("by", "near"), "low")
#: what two raters say of c0, c1 …
SAID = [
    *[(EXTRANEOUS, EXTRANEOUS)] * 2,
    (EXTRANEOUS, WRONG),
    *[(WRONG, WRONG)] * 3,
    (WRONG, CORRECT),
    *[(CORRECT, CORRECT)] * 3,
    *[(CORRECT, EQUAL)] * 2,
    (EQUAL, EXTRANEOUS),
]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.chdir(tmp_path)
    with open_store("study.db") as opened:
        settings = Settings("trained", Task.TRAINED, per_case=2, gold_rate=0.2)
        project = opened.create_project(settings)
        opened.add_cases(project.id, make_cases(len(SAID)))
        gold = [("error",), ("wrong",), ("ok",)]
        opened.add_cases(
            project.id,
            [NewCase(f"g{i}", f"g{i} is at home .", 2, 3, gold=one) for i, one in enumerate(gold)],
        )
        for place in range(2):
            rater = opened.join(project.id).id
            while isinstance(handed := opened.next_case(rater), Assignment):
                name = case_of(handed)
                said = EXTRANEOUS if name[0] == "g" else SAID[int(name[1:])][place]
                opened.answer(rater, handed.token, said, handed.token)
        lines = [f"c{i},{'error' if i < 6 else 'ok'}" for i in range(len(SAID))]
        Path("mine.csv").write_text("\n".join(["case,label", *lines, ""]), "utf-8")
        with Path("export.csv").open("w", encoding="utf-8", newline="") as out:
            opened.export(project.id, out)
        yield opened


def printed(call: Call, *arguments: str, warning: str = "") -> dict[str, Any]:
    code, out, err = call(*arguments, "--format", "json")
    assert code == 0, err
    assert warning in err
    found: dict[str, Any] = json.loads(out)
    return found


def test_an_export_has_the_labels_words_confidence_and_context_that_were_given(
    store: Store,
) -> None:
    rows = judged(store, store.project("trained").id, gold=False)
    given = {
        (row["label"], row["correction"], row["alternatives"], row["confidence"]) for row in rows
    }
    assert given == {
        ("extraneous", "-NONE-", "", "1"),
        ("wrong", "on", '["upon"]', "0"),
        ("correct", "", "", "1"),
        ("equal", "", '["by", "near"]', "0"),
    }


@pytest.mark.parametrize("source", [STORED, ("export.csv",)])
def test_agreement_counts_four_labels_and_three_where_two_are_merged(
    store: Store, call: Call, source: tuple[str, ...]
) -> None:
    work = json.loads(call("agree", *source, "--format", "json")[1])
    assert list(work["labels"]) == ["extraneous", "wrong", "correct", "equal"]
    merged = printed(call, "agree", *source, "--relabel", "correct=ok,equal=ok")
    [confusion] = merged["confusion"]
    assert list(confusion["table"]) == ["extraneous", "wrong", "ok"]
    assert confusion["table"]["wrong"] == [0, 3, 1]
    assert confusion["table"]["ok"] == [1, 0, 5]
    assert confusion["table"]["extraneous"][1:] == [1, 0]  # before it, gold as well


@pytest.mark.parametrize("cases", [(), ("cases.csv", "--judgments", "export.csv")])
def test_evaluations_take_two_labels_as_errors_and_two_as_ok(
    store: Store, call: Call, cases: tuple[str, ...]
) -> None:
    """Table 4 of 2008: each rater alone is the truth."""
    with Path("cases.csv").open("w", encoding="utf-8", newline="") as out:
        case_files.write(store.case_set(store.project("trained").id), out, "csv")
    source = cases or STORED
    warning = (
        "count as errors or ok: extraneous is error, wrong is error, correct is ok, equal is ok; "
        "--relabel changes that"
    )
    found = printed(call, "evaluate", *source, "--system", "mine=mine.csv", warning=warning)
    assert found["cases"]["n"] == len(SAID)
    assert _counts(found) == {"R1": (6, 0, 1, 6), "R2": (6, 0, 1, 6)}
    as_errors = ("--relabel", "equal=error")
    other = printed(call, "evaluate", *source, "--system", "mine=mine.csv", *as_errors)
    assert _counts(other) == {"R1": (6, 0, 2, 5), "R2": (6, 0, 3, 4)}


def _counts(found: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Of the system against each rater alone."""
    raters = found["systems"][0]["raters"]
    return {one["name"]: tuple(one[name] for name in ("tp", "fp", "fn", "tn")) for one in raters}


def test_known_answers_error_and_ok_stand_for_two_labels_each(store: Store, call: Call) -> None:
    project = store.project("trained")
    golds = {row["case"]: row["gold"] for row in judged(store, project.id) if row["gold"]}
    known = {
        "g0": '["extraneous", "wrong"]',
        "g1": "wrong",
        "g2": '["correct", "equal"]',
    }
    assert golds
    assert golds.items() <= known.items()
    for one in store.rater_progress(project.id):  # everybody calls all gold extraneous
        seen = [row for row in judged(store, project.id) if row["gold"]]
        own = {row["case"] for row in seen if row["rater"] == one.rater.name}
        assert (one.rater.gold_seen, one.rater.gold_right) == (len(own), int("g0" in own))
    assert call("screen", "export.csv")[0] == 0
