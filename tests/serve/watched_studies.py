"""Studies with judgments in them, for the tests of the dashboard."""

from __future__ import annotations

import random
from typing import Any

from jurybox.formats.tables.sample_key import DrawnCase, KeyStratum, SampleKey
from jurybox.serve.model import (
    Assignment,
    EssayCorrection,
    NewCase,
    Project,
    Purpose,
    SubmittedAnswer,
)
from jurybox.serve.settings import GoldRule, Settings, Task
from jurybox.serve.store import Store
from serve.made_studies import make_cases

#: an hour and its half, so that hours have an edge to be tested at
NOW = 1_760_002_200.0
#: what people say, task by task
SAID = {
    Task.JUDGE: ("error", "ok", "unknown"),
    Task.TRAINED: ("extraneous", "correct"),
    Task.EXTRANEOUS: ("error", "ok", "unknown"),
    Task.CLOZE: ("at", "in", "on"),
    Task.CHOICE: ("left", "right", "equal", "bad"),
}


def make_study(store: Store, cases: int = 30, **settings: Any) -> Project:
    """Gold cases among others, and the key of a sample where the task has errors."""
    given: dict[str, Any] = {"per_case": 2, **settings}
    project = store.create_project(Settings("watched", **given), now=NOW - 7200)
    task = project.task
    if task == Task.CORRECT:
        text = "He sat at home .\nShe go in ."
        return store.add_cases(project.id, [NewCase(f"e{i}", text) for i in range(cases)])
    known = {Task.CLOZE: "at", Task.CHOICE: "first"}.get(task, "error")
    gold = make_cases(6, "g", purpose=Purpose.GOLD, gold=(known,))
    project = store.add_cases(project.id, [*make_cases(cases), *gold])
    if task in (Task.JUDGE, Task.TRAINED):
        add_key(store, project, cases)
    return project


def add_key(store: Store, project: Project, cases: int) -> None:
    """Every third case is called an error."""
    labels = ["error" if i % 3 == 0 else "ok" for i in range(cases)]
    flagged = labels.count("error")
    parts = (
        KeyStratum("error", "error", 10 * flagged, flagged),
        KeyStratum("ok", "ok", 100 * (cases - flagged), cases - flagged),
    )
    drawn = tuple(DrawnCase(f"c{i}", f"case {i}", labels[i]) for i in range(cases))
    store.add_key(project.id, SampleKey(parts, drawn, seed=9))


def judge_some(
    store: Store, project: Project, number: int, *, raters: int = 3, seed: int = 1
) -> None:
    """Answers of several raters within the last hour, some right, some not."""
    chance = random.Random(seed)
    people = [store.join(project.id, now=NOW - 7000).id for _ in range(raters)]
    for step in range(number):
        moment = NOW - 3600 + 3600 * step / number
        answer(store, chance.choice(people), project.task, chance, moment)


def flag_only(store: Store, project: Project, number: int) -> None:
    """One rater is flagged, whatever the gold rule says of the others; nobody goes on."""
    for rater in store.raters(project.id):
        store.stop_rater(rater.id, flag=rater.number == number)


def answer(store: Store, rater: int, task: Task, chance: random.Random, moment: float) -> bool:
    """One case; False where there is none for this rater."""
    handed = store.next_case(rater, now=moment)
    if not isinstance(handed, Assignment):
        return False
    if task == Task.CORRECT:
        given = SubmittedAnswer("", edits=(EssayCorrection(1, 1, 2, "goes", "SVA"),))
    else:
        word = handed.shown.left.split()[0]
        is_error = word[0] == "g" or int(word[1:]) % 3 == 0
        said = SAID[task][0 if is_error else 1]
        if chance.random() < 0.25:
            said = chance.choice(SAID[task])
        given = SubmittedAnswer(said, confidence="high" if task == Task.TRAINED else "")
    store.answer(rater, handed.token, given, handed.token, now=moment + 9)
    return True


#: settings in which everything happens: gold, a rule that some break, cases shown again
EVERYTHING: dict[str, Any] = {
    "gold_rate": 0.2,
    "gold_rule": GoldRule(0.9, 2, "warn"),
    "repeat_share": 0.2,
}
