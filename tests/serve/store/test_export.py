"""Judgments out of the store are what our own readers read."""

from __future__ import annotations

import io
import json

import pytest

import jurybox as jb
from jurybox.errors import UnknownNameError
from jurybox.formats import Input
from jurybox.formats.tables import judgments
from jurybox.model import LABEL_BITS
from jurybox.serve.model import Progress, Prolific, SubmittedAnswer
from jurybox.serve.settings import Question, Task
from jurybox.serve.store import Store, export
from serve.made_studies import hand, judge, judged, make_cases, make_project


def written(store: Store, project: int, form: str = "csv") -> str:
    out = io.StringIO()
    store.export(project, out, form)
    return out.getvalue()


def test_the_csv_of_a_small_study_is_as_shown_by_hand(store: Store) -> None:
    project = make_project(store, 1, per_case=2, task=Task.TRAINED)
    for given in (
        SubmittedAnswer("wrong", ("in", "within"), "high", ("grammar",)),
        SubmittedAnswer("correct"),
    ):
        rater = store.join(project.id).id
        handed = hand(store, rater, 1_000_000_000)
        store.answer(rater, handed.token, given, "k", now=1_000_000_002.5)
    assert written(store, project.id) == (
        "case,rater,label,correction,alternatives,confidence,context,batch,gold,seconds,started,"
        "submitted,status\n"
        'c0,R1,wrong,in,"[""within""]",1,grammar,,,2.500,2001-09-09T01:46:40Z,'
        "2001-09-09T01:46:42Z,\n"
        "c0,R2,correct,,,,,,,2.500,2001-09-09T01:46:40Z,2001-09-09T01:46:42Z,\n"
    )
    first = json.loads(written(store, project.id, "jsonl").splitlines()[0])
    assert first["alternatives"] == ["within"]
    assert (first["seconds"], first["confidence"]) == (2.5, 1.0)


def test_an_export_is_read_by_evaluations_and_by_agreement(store: Store) -> None:
    project = make_project(store, 4, per_case=3)
    for label in ("error", "ok", "error"):
        rater = store.join(project.id).id
        for _ in range(4):
            judge(store, rater, label)
    read = judgments.read(store.judgments_input(project.id), extra=("seconds",))
    assert read.notes == ()
    assert len(read.table) == 12
    assert read.table.raters == ["R1", "R2", "R3"]
    mask = (1 << LABEL_BITS) - 1
    assert [answer & mask for answer in read.table.answer] == [0] * 4 + [1] * 4 + [0] * 4
    exported = Input.from_text(written(store, project.id))
    from_file, from_store = (
        jb.agree(given).to_dict() for given in (exported, store.judgments_input(project.id))
    )
    del from_file["inputs"], from_store["inputs"]
    assert from_store == from_file


def test_choices_are_read_by_the_choice_experiment(lite: Store) -> None:
    project = make_project(lite, 20, task=Task.CHOICE)
    rater = lite.join(project.id).id
    for _ in range(20):
        handed = hand(lite, rater)
        assert handed.shown.fillers is not None
        place = ("left", "right")[handed.shown.fillers.index("in")]  # the system's word
        lite.answer(rater, handed.token, SubmittedAnswer(place), handed.token)
    found = jb.agree(lite.judgments_input(project.id)).to_dict()["choices"]
    assert (found["system"], found["writer"], found["other"]) == (20, 0, 0)


def test_gold_cases_carry_their_answer_and_can_be_left_out(store: Store) -> None:
    project = make_project(store, 40, gold_rate=0.5)
    store.add_cases(project.id, make_cases(12, "g", gold=("error", "unknown")))
    rater = store.join(project.id).id
    for _ in range(40):
        judge(store, rater)
    rows = judged(store, project.id)
    assert {row["case"][0]: row["gold"] for row in rows} == {"c": "", "g": '["error", "unknown"]'}
    assert {row["case"][0] for row in judged(store, project.id, gold=False)} == {"c"}


def test_raters_are_numbers_unless_their_own_names_are_asked_for(store: Store) -> None:
    project = make_project(store, 3)
    for joined in (
        store.join(project.id, pseudonym="  Ann   B "),
        store.join(project.id, prolific=Prolific("5f3a")),
        store.join(project.id),
    ):
        judge(store, joined.id)
    assert [row["rater"] for row in judged(store, project.id)] == ["R1", "R2", "R3"]
    assert "5f3a" not in written(store, project.id)
    own = [row["rater"] for row in judged(store, project.id, names="own")]
    assert own == ["Ann B (R1)", "5f3a", "R3"]
    with pytest.raises(UnknownNameError, match="names"):
        store.judgments(project.id, names="real")


def test_nobody_can_take_the_name_of_another_rater_by_the_address(store: Store) -> None:
    project = make_project(store, 4)
    for joined in (
        store.join(project.id),
        store.join(project.id, pseudonym="Ann"),
        store.join(project.id, prolific=Prolific("R1")),
        store.join(project.id, prolific=Prolific("Ann (R2)")),
    ):
        judge(store, joined.id)
    own = [row["rater"] for row in judged(store, project.id, names="own")]
    assert own == ["R1", "Ann (R2)", "R1 (R3)", "Ann (R2) (R4)"]


def test_what_raters_say_of_themselves_is_exported_answer_by_answer(store: Store) -> None:
    asked = (Question("q1", "First language?"), Question("q2", "Hard?", ("yes", "no")))
    project = make_project(store, 3, questionnaire=asked)
    first, _, third = (store.join(project.id, pseudonym=name) for name in ("Ann", "", "Bob"))
    store.answer_questionnaire(first.id, {"q1": 'Thai, "Isan"', "q2": "no"})
    store.answer_questionnaire(third.id, {"q1": "", "q2": "yes"})
    out = io.StringIO()
    store.export_questionnaire(project.id, out)
    assert out.getvalue().splitlines() == [
        "rater,question,text,answer",
        'R1,q1,First language?,"Thai, ""Isan"""',
        "R1,q2,Hard?,no",
        "R3,q2,Hard?,yes",
    ]
    out = io.StringIO()
    store.export_questionnaire(project.id, out, "jsonl", names="own")
    assert [json.loads(line)["rater"] for line in out.getvalue().splitlines()] == [
        *("Ann (R1)", "Ann (R1)"),
        "Bob (R3)",
    ]


def test_practice_and_other_projects_are_not_exported(store: Store) -> None:
    project, other = (make_project(store, 1, name=name) for name in ("a", "b"))
    store.add_cases(project.id, make_cases(1, "p", purpose="practice"))
    for one in (project, other):
        rater = store.join(one.id).id
        judge(store, rater)
    assert judged(store, project.id) == []
    assert len(judged(store, other.id)) == 1


def test_long_exports_are_read_piece_by_piece(lite: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(lite, 7)
    rater = lite.join(project.id).id
    for _ in range(7):
        judge(lite, rater)
    monkeypatch.setattr(export, "_JUDGMENTS", export._JUDGMENTS.limit(3))
    blocks = list(lite.judgments(project.id))
    assert [list(block.lines) for block in blocks] == [[1, 2, 3], [4, 5, 6], [7]]
    assert len(written(lite, project.id).splitlines()) == 8


def test_an_answer_that_comes_while_an_export_is_written_waits_for_the_next(lite: Store) -> None:
    project = make_project(lite, 2)
    rater = lite.join(project.id).id
    judge(lite, rater)
    blocks = lite.judgments(project.id)
    judge(lite, rater)
    assert sum(len(block.lines) for block in blocks) == 1


def test_progress_counts_cases_judgments_leases_and_raters(store: Store) -> None:
    project = make_project(store, 3, per_case=2)
    first, second = (store.join(project.id).id for _ in range(2))
    for rater in (first, second):
        store.answer(rater, hand(store, rater, 0).token, SubmittedAnswer("ok"), "k", now=4)
    store.next_case(first, now=10)
    assert store.progress(project.id, now=11) == Progress(3, 0, 2, 6, leased=1)
    assert store.progress(project.id, now=5000).leased == 0
    mine, others = store.rater_progress(project.id)
    assert (mine.rater.id, mine.seconds, mine.last) == (first, 4.0, 4.0)
    assert others.rater.answered == 1
    assert store.strata_progress(project.id) == {}
