"""Studies on which people differ, for the tests of adjudication."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jurybox.serve.model import EssayCorrection, NewCase, Project, SubmittedAnswer
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store
from serve.made_studies import hand, make_cases

ESSAY = "He go home .\nIt rain .\n\nWe are late ."
GOES, RAINS = EssayCorrection(0, 1, 2, "goes", "SVA"), EssayCorrection(1, 1, 2, "rains", "SVA")
WENT = EssayCorrection(0, 1, 2, "went", "Vt")


def contest(store: Store, *given: SubmittedAnswer, cases: int = 1, **settings: Any) -> Project:
    """A project in which every rater gives the same answer to all cases."""
    settings = {"name": "study", "per_case": len(given), **settings}
    project = store.create_project(Settings(**settings))
    store.add_cases(project.id, make_cases(cases))
    for one in given:
        rater = store.join(project.id).id
        for _ in range(cases):
            handed = hand(store, rater)
            store.answer(rater, handed.token, one, handed.token)
    return project


def contest_essay(
    store: Store, *given: Sequence[EssayCorrection], name: str = "essays", text: str = ESSAY
) -> Project:
    """An essay that everybody corrected."""
    project = store.create_project(Settings(name, Task.CORRECT, per_case=len(given)))
    store.add_cases(project.id, [NewCase("e1", text)])
    for edits in given:
        rater = store.join(project.id).id
        handed = hand(store, rater)
        store.answer(rater, handed.token, SubmittedAnswer("", edits=tuple(edits)), handed.token)
    return project
