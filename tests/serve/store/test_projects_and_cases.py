"""Projects and their cases: what goes in comes back, and what makes no sense is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import jurybox as jb
from jurybox.errors import InputError, UnknownNameError, UsageError
from jurybox.formats.tables import sample_key
from jurybox.model import Case
from jurybox.serve.model import Assignment, NewCase, Progress, Purpose, SubmittedAnswer
from jurybox.serve.projects import read_cases
from jurybox.serve.settings import GoldRule, Question, Settings, Task
from jurybox.serve.store import Store
from serve.made_studies import case_of, judge, make_cases, make_project

EVERYTHING = Settings(
    "Préposition n° 1",
    task=Task.CLOZE,
    per_case=3,
    per_rater=40,
    lease_minutes=7.5,
    repeat_share=0.1,
    gold_rate=0.2,
    gold_rule=GoldRule(0.7, 5, "warn"),
    instructions="Read.\n\nThen fill in <the> blank.",
    questionnaire=(Question("l1", "First language?", ("en", "other"), True),),
    completion_code="C1X2",
    completion_url="https://app.prolific.com/submissions/complete?cc=C1X2",
    fillers=("at", "in"),
    seed=7,
)


def test_all_settings_come_back(store: Store) -> None:
    made = store.create_project(EVERYTHING, now=5)
    assert store.project(EVERYTHING.name) == store.project_by_id(made.id) == made
    assert (made.settings, made.created, made.cases) == (EVERYTHING, 5, 0)
    assert store.projects() == (made,)


def test_a_name_that_is_taken_or_unknown_is_said(store: Store) -> None:
    store.create_project(Settings("articles"))
    with pytest.raises(UsageError, match="there is a project 'articles' already"):
        store.create_project(Settings("articles"))
    with pytest.raises(UnknownNameError, match="did you mean 'articles'"):
        store.project("article")


def test_settings_change_but_not_against_what_was_judged(store: Store) -> None:
    project = make_project(store, 2, per_case=2)
    changed = store.change_project(project.id, Settings("new name", per_case=1))
    assert store.project("new name") == changed
    judge(store, store.join(project.id).id)
    store.change_project(project.id, Settings("new name", per_case=3))
    with pytest.raises(UsageError, match="judged 3 times a case"):
        store.change_project(project.id, Settings("new name", per_case=2))
    with pytest.raises(UsageError, match="has cases for the task judge"):
        store.change_project(project.id, Settings("new name", Task.CLOZE, per_case=3))


def test_raising_the_number_of_judgments_hands_full_cases_out_again(store: Store) -> None:
    project = make_project(store, 1)
    first, second = (store.join(project.id).id for _ in range(2))
    judge(store, first)
    store.change_project(project.id, Settings("study", per_case=2))
    assert case_of(store.next_case(second)) == "c0"


def test_cases_come_back_with_what_is_known_of_them(store: Store) -> None:
    project = make_project(store, 0)
    around = {"before": "It was late .", "after": "He slept ."}
    about: Any = {"construction": "prep", "document": "d1", **around}
    given = NewCase("12:3", "He sat at mat .", 2, 3, "at", **about)
    gold = NewCase("g", "So it is .", gold=("ok",))
    practice = NewCase("p", "Try it .", purpose=Purpose.PRACTICE)
    counted = store.add_cases(project.id, [given, gold, practice])
    assert (counted.cases, counted.gold, counted.practice) == (1, 1, 1)
    first, second = store.case_set(project.id).cases
    assert first == Case("12:3", "He sat at mat .", 2, 3, "at", **about)
    assert (second.id, second.gold) == ("g", ("ok",))


@pytest.mark.parametrize(
    ("task", "case", "complaint"),
    [
        (Task.JUDGE, NewCase("c", " "), "has no sentence"),
        (Task.JUDGE, NewCase(" c", "So ."), "white space around it"),
        (Task.JUDGE, NewCase("c", "So .", 1), "start without end"),
        (Task.JUDGE, NewCase("c", "So .", 1, 3), r"span 1-3 is not inside the sentence \(2"),
        (Task.JUDGE, NewCase("c", "So .", gold=("wrong",)), "'wrong' is not one of error, ok"),
        (Task.JUDGE, NewCase("c", "So .", purpose=Purpose.GOLD), "without a known answer"),
        (Task.JUDGE, NewCase("c", "So \0 ."), "cannot be stored"),
        (Task.CLOZE, NewCase("c", "So ."), "needs the place of the blank"),
        (Task.CHOICE, NewCase("c", "So .", 0, 1, "So"), "two words"),
        (Task.CHOICE, NewCase("c", "So .", 0, 1, "So", first="As", second="If"), "is neither"),
        (Task.CHOICE, NewCase("c", "So .", 0, 1, "So", second="As", gold=("ok",)), "not one of fi"),
    ],
)
def test_a_case_that_nobody_could_judge_is_refused_with_all_others(
    lite: Store, task: Task, case: NewCase, complaint: str
) -> None:
    project = make_project(lite, 0, task=task)
    good = NewCase("good", "At home .", 0, 1, "At", second="In")
    with pytest.raises(InputError, match=complaint):
        lite.add_cases(project.id, [good, case])
    assert lite.project_by_id(project.id).cases == 0
    assert lite.case_set(project.id).cases == ()


def test_a_case_that_is_there_already_is_refused(store: Store) -> None:
    project = make_project(store, 2)
    with pytest.raises(InputError, match=r"'c1' is in the project already \(1 of 2 are\)"):
        store.add_cases(project.id, [NewCase("c1", "So ."), NewCase("c9", "So .")])
    with pytest.raises(InputError, match="'n' is given twice"):
        store.add_cases(project.id, [NewCase("n", "So ."), NewCase("n", "As .")])


def test_cases_are_shuffled_by_the_seed_only_if_asked(lite: Store) -> None:
    orders = []
    for name, seed, shuffle in (("a", 1, False), ("b", 1, True), ("c", 1, True), ("d", 2, True)):
        project = lite.create_project(Settings(name, seed=seed))
        lite.add_cases(project.id, make_cases(20), shuffle=shuffle)
        rater = lite.join(project.id).id
        orders.append([case_of(judge(lite, rater)[0]) for _ in range(20)])
    assert orders[0] == [f"c{i}" for i in range(20)]
    assert orders[0] != orders[1] == orders[2] != orders[3]


# --- samples ---


@pytest.fixture
def drawn(tmp_path: Path) -> tuple[Path, Path]:
    """A blind file and its key, as `jurybox sample draw` writes them."""
    package = Path(jb.__file__).parent / "data" / "sample"
    blind, key = tmp_path / "blind.csv", tmp_path / "key.jsonl"
    result = jb.draw_sample(package / "bold.csv", error=4, ok=6, cases=package / "cases.jsonl")
    result.save(blind, key)
    return blind, key


def test_a_blind_file_and_its_key_become_a_project_with_strata(
    store: Store, drawn: tuple[Path, Path]
) -> None:
    blind, key_file = drawn
    project = make_project(store, 0)
    store.add_cases(project.id, read_cases(blind))
    key = sample_key.read(key_file)
    store.add_key(project.id, key)
    assert store.sample_keys(project.id) == (key,)
    assert store.strata_progress(project.id) == {
        "error": Progress(4, 0, 0, 4),
        "ok": Progress(6, 0, 0, 6),
    }
    rater = store.join(project.id).id
    for _ in range(10):
        judge(store, rater)
    assert store.strata_progress(project.id)["ok"] == Progress(6, 6, 6, 6)
    estimate = jb.estimate_sample(
        list(store.sample_keys(project.id)), store.judgments_input(project.id, gold=False)
    )
    assert estimate["precision"].estimate == 1.0


def test_a_key_that_does_not_belong_to_the_cases_is_refused(
    store: Store, drawn: tuple[Path, Path]
) -> None:
    project = make_project(store, 3)
    key = sample_key.read(drawn[1])
    with pytest.raises(InputError, match=r"10 of 10 are missing\); add the blind file"):
        store.add_key(project.id, key)
    store.add_cases(project.id, read_cases(drawn[0]))
    store.add_key(project.id, key)
    with pytest.raises(InputError, match="same key"):
        store.add_key(project.id, key)


def test_no_statement_for_a_rater_touches_strata_or_keys(
    lite: Store, drawn: tuple[Path, Path]
) -> None:
    project = make_project(lite, 0)
    lite.add_cases(project.id, read_cases(drawn[0]))
    lite.add_key(project.id, sample_key.read(drawn[1]))
    said: list[str] = []
    sa.event.listen(
        lite.database.engine, "before_cursor_execute", lambda *given: said.append(given[2])
    )
    rater = lite.join(project.id).id
    for _ in range(10):
        judge(lite, rater)
    text = " ".join(said)
    assert "assignments" in text
    assert "case_strata" not in text
    assert "sample_keys" not in text


def test_what_a_rater_gets_says_nothing_of_label_stratum_id_or_gold(lite: Store) -> None:
    project = make_project(lite, 0, gold_rate=0.5)
    secret: dict[str, Any] = {
        "construction": "XCONSTRUCTION",
        "document": "XDOCUMENT",
        "feedback": "XFEEDBACK",
    }
    sentence = "He sat at mat ."
    work = [NewCase(f"XID{i}", sentence, 2, 3, "at", **secret) for i in range(10)]
    gold = [NewCase(f"XGOLD{i}", sentence, 2, 3, "at", gold=("error",), **secret) for i in range(9)]
    lite.add_cases(project.id, [*work, *gold])
    rater = lite.join(project.id).id
    shown = set()
    while isinstance(handed := lite.next_case(rater, now=0), Assignment):
        shown.add(repr(handed._replace(token="", done=0)))
        lite.answer(rater, handed.token, SubmittedAnswer("error"), handed.token, now=1)
    assert len(shown) == 1, "cases of different purpose look different"
    (text,) = shown
    assert not [word for word in ("X", "error", "gold", "work") if word in text]


def test_a_blank_or_a_choice_does_not_show_the_writers_word(lite: Store) -> None:
    for task in (Task.CLOZE, Task.CHOICE):
        project = make_project(lite, 0, name=task, task=task)
        lite.add_cases(project.id, [NewCase("c", "He sat XX mat .", 2, 3, "XX", second="on")])
        handed = lite.next_case(lite.join(project.id).id)
        assert isinstance(handed, Assignment)
        assert "XX" not in "".join(map(str, handed.shown[:4]))
        words = None if task == Task.CLOZE else {"XX", "on"}
        assert words is None or set(handed.shown.fillers or ()) == words
