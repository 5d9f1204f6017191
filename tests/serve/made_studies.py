"""Small studies for the tests of the store."""

from __future__ import annotations

from typing import Any

from jurybox.serve.model import Assignment, NewCase, Nothing, Outcome, Project, SubmittedAnswer
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store


def make_cases(number: int, prefix: str = "c", **fields: Any) -> list[NewCase]:
    """Cases c0, c1 … whose sentences begin with their ids: `case_of` knows them again."""
    given = {"first": "at", "second": "in", **fields}
    return [
        NewCase(f"{prefix}{i}", f"{prefix}{i} is at home .", 2, 3, "at", **given)
        for i in range(number)
    ]


def make_project(
    store: Store, cases: int = 3, *, gold: int = 0, name: str = "study", **settings: Any
) -> Project:
    """Cases c0, c1 …, and gold g0, g1 … to which the answer is "ok"."""
    project = store.create_project(Settings(name, **settings))
    if cases:
        project = store.add_cases(project.id, make_cases(cases))
    if gold:
        project = store.add_cases(project.id, make_cases(gold, "g", gold=("ok",)))
    return project


def case_of(handed: Assignment | Nothing) -> str:
    assert isinstance(handed, Assignment), handed
    return handed.shown.left.split()[0]


def hand(store: Store, rater: int, now: float | None = None) -> Assignment:
    handed = store.next_case(rater, now=now)
    assert isinstance(handed, Assignment), handed
    return handed


def judge(
    store: Store, rater: int, label: str = "error", now: float | None = None
) -> tuple[Assignment, Outcome]:
    """One case, handed out and answered."""
    handed = hand(store, rater, now)
    return handed, store.answer(rater, handed.token, SubmittedAnswer(label), handed.token, now=now)


def judged(store: Store, project: int, **options: Any) -> list[dict[str, str]]:
    """All judgments, as records."""
    found = []
    for block in store.judgments(project, **options):
        columns = list(block.cells)
        rows = zip(*block.cells.values(), strict=True)
        found += [dict(zip(columns, row, strict=True)) for row in rows]
    return found
