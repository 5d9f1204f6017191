"""Projects to try the annotation server on, one per task, made of the bundled sample.

Nobody real wrote these sentences or judged them (see the sample's own page).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from secrets import token_urlsafe
from typing import NamedTuple

from jurybox.errors import UsageError
from jurybox.model import NOTHING
from jurybox.serve.model import NewCase, Project, Purpose, User
from jurybox.serve.projects import read_cases
from jurybox.serve.settings import LEASES, GoldRule, Question, Settings, Task
from jurybox.serve.store import Store

#: packages are installed as files, for the migrations need that as well
SAMPLE = Path(str(files("jurybox") / "data" / "sample"))
ADMIN = "demo"
CODE = "DEMO-2468"
PREPOSITIONS = ("about", "at", "by", "for", "from", "in", "of", "on", "to", "with")
#: practice cases: what is right, and what is said
JUDGED = {
    "essay-2:5:13-14": ("error", "Things depend on something: “of” is wrong here."),
    "essay-1:3:4-5": ("ok", "People come by bike. Other errors in the sentence do not count."),
}
FILLED = {
    "essay-3:7:4-5": ("at", "One plays at night."),
    "essay-4:9:3-4": ("in", "Somebody arrives in a town, and at a house."),
}
CHOSEN = {"essay-2:5:13-14": ("second", "Things depend on something.")}

GENERAL = (
    "The sentences were written for this demonstration, as learners of English might write them."
)
BEFORE = " In grey you see the sentence before."
INSTRUCTIONS = {
    Task.JUDGE: "Is the marked word an error, or is it all right? Look at this word only: other "
    "errors in the sentence do not count. Where a gap is marked, the question is whether a word is "
    "missing there.\n\nPress 1 for an error, 2 if it is all right, and 3 if it is too hard to "
    "decide.",
    Task.TRAINED: "First look around the marked word: do other errors make it impossible to "
    "judge?\n\nThen decide: 0 extraneous, 1 wrong choice (write the best words), 2 correct, "
    "e equally good (write the others). At last say how sure you are.",
    Task.CLOZE: "A word was taken out. Which word would you write?",
    Task.CHOICE: "Two words could stand in the gap. Which one is better? Both can be good, and "
    "both can be bad.",
    Task.CORRECT: "Read the essay and correct every error in it. Mark as few words as you can, "
    "write what should stand there, and choose what kind of error it is. Leave alone what is right "
    "and could only be said more beautifully.",
}


class Demo(NamedTuple):
    admin: User
    projects: tuple[Project, ...]


def make_demo(store: Store) -> Demo:
    """The projects, unless they are there already; nobody wants them in a study."""
    if not (known := [user for user in store.users() if user.name == ADMIN]):
        if others := [project.name for project in store.projects()]:
            raise UsageError(
                f"--demo: the database holds a study ({others[0]}); give --db a file of its own, "
                "or leave it out"
            )
        known = [store.add_user(ADMIN, token_urlsafe(18))]
    there = {project.name: project for project in store.projects()}
    made = [
        there.get(settings.name) or store.add_cases(store.create_project(settings).id, cases)
        for settings, cases in _studies()
    ]
    return Demo(known[0], tuple(made))


def _studies() -> Iterator[tuple[Settings, list[NewCase]]]:
    cases = read_sample_cases()
    plain = [replace(case, gold=()) for case in cases]
    prepositions = [case for case in plain if case.construction == "preposition"]
    yield (
        _settings(
            "Judge",
            Task.JUDGE,
            gold_rate=0.15,
            gold_rule=GoldRule(0.5, 4),
            questionnaire=(
                Question("language", "Which language did you learn first?"),
                Question("ease", "How was it?", ("easy", "neither", "hard")),
            ),
        ),
        _practised(cases, JUDGED),
    )
    yield _settings("Judge, trained raters", Task.TRAINED), _practised(prepositions, JUDGED)
    yield _settings("Cloze", Task.CLOZE), _practised(prepositions, FILLED)
    listed = [case for case in prepositions if case.written in PREPOSITIONS]
    yield _settings("Cloze with a list", Task.CLOZE, fillers=PREPOSITIONS), listed
    yield _settings("Choice", Task.CHOICE), _practised(_with_suggestions(prepositions), CHOSEN)
    yield (
        _settings("Essays", Task.CORRECT, per_rater=3, lease_minutes=LEASES[Task.CORRECT]),
        read_sample_essays(),
    )


def _settings(name: str, task: Task, **more: object) -> Settings:
    settings = Settings(
        name,
        task,
        per_case=2,
        per_rater=20,
        instructions=f"{INSTRUCTIONS[task]}\n\n{GENERAL}{'' if task == Task.CORRECT else BEFORE}",
        completion_code=CODE,
    )
    return replace(settings, **more)  # type: ignore[arg-type]  # what Settings takes


def _practised(cases: list[NewCase], known: dict[str, tuple[str, str]]) -> list[NewCase]:
    """The cases with known answers first, for practice."""
    by_id = {case.id: case for case in cases}
    practice = [
        replace(by_id[name], purpose=Purpose.PRACTICE, gold=(right,), feedback=text)
        for name, (right, text) in known.items()
        if name in by_id
    ]
    return [*practice, *(case for case in cases if case.id not in known)]


def _with_suggestions(cases: list[NewCase]) -> list[NewCase]:
    """The writer's word and that of a made-up system, where they differ."""
    with (SAMPLE / "bold.csv").open(encoding="utf-8", newline="") as file:
        suggested = {row["case"]: row["suggestion"] for row in csv.DictReader(file)}
    return [
        replace(case, first=case.written, second=suggested[case.id])
        for case in cases
        if suggested.get(case.id) not in (None, "", NOTHING, case.written)
    ]


def read_sample_cases() -> list[NewCase]:
    """The cases of the sample.

    >>> case = read_sample_cases()[4]
    >>> case.id, case.written, case.before[:14]
    ('essay-1:3:0-1', 'The', 'Every saturday')
    """
    return read_cases(SAMPLE / "cases.jsonl")


def read_sample_essays() -> list[NewCase]:
    """The essays of the sample.

    >>> essay = read_sample_essays()[0]
    >>> essay.id, essay.sentence[:13]
    ('essay-1', 'I live since ')
    """
    return read_cases(SAMPLE / "source.txt", Task.CORRECT, documents=SAMPLE / "documents.txt")
