"""Projects out of words: what a form in the browser holds, and what options on a command line say.

Both give the same fields as text, so that what is wrong is said in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.errors import UsageError, unknown_name
from jurybox.formats import Input
from jurybox.serve.answers import is_storable
from jurybox.serve.case_files import read_cases
from jurybox.serve.categories import read_categories
from jurybox.serve.model import (
    LEASE_MINUTES,
    GoldRule,
    NewCase,
    Project,
    Question,
    Settings,
    Task,
)
from jurybox.serve.store import Store, open_store
from jurybox.serve.warning_turns import collected_warnings

if TYPE_CHECKING:
    from jurybox.formats.sample_key import SampleKey

#: field -> its option, and what a form calls it
FIELDS = {
    "name": ("NAME", "Name"),
    "task": ("--task", "Task"),
    "per_case": ("--per-case", "Judgments per case"),
    "per_rater": ("--per-rater", "Cases per rater at most"),
    "lease": ("--lease", "Minutes for which a case is kept"),
    "repeats": ("--repeats", "Share of cases shown twice"),
    "gold_rate": ("--gold-rate", "Share of gold cases"),
    "gold_rule": ("--gold-rule", "Gold rule"),
    "instructions": ("--instructions", "Instructions"),
    "questionnaire": ("--questionnaire", "Questionnaire"),
    "completion_code": ("--completion-code", "Completion code"),
    "completion_url": ("--completion-url", "Completion address"),
    "fillers": ("--fillers", "Closed list of words"),
    "categories": ("--categories", "Categories of errors"),
    "pay": ("--pay", "Pay"),
    "fee": ("--fee", "Fee of a marketplace"),
    "precise_within": ("--precise-within", "Precise within"),
    "seed": ("--seed", "Seed"),
}
#: fields that can be changed at any time: they are for the dashboard
WATCHED = ("pay", "fee", "precise_within")
#: what a field holds if nothing else is said
DEFAULTS = {"task": "judge", "per_case": "1", "repeats": "0", "gold_rate": "0", "seed": "1"}
#: minutes that a case is kept if nothing else is said: an essay takes longer than a sentence
LEASES = {Task.CORRECT: 24 * 60.0}


class Files(NamedTuple):
    """What goes into a project: cases, and the keys of samples they were drawn with."""

    cases: tuple[Input, ...] = ()
    keys: tuple[Input, ...] = ()
    columns: Mapping[str, str] | None = None
    labels: Mapping[str, str] | None = None
    construction: str | None = None
    documents: Input | None = None  # the document map of essays in M2


class Made(NamedTuple):
    """A project, and what is to be said of its files."""

    project: Project
    notes: tuple[str, ...]


def settings_of(fields: Mapping[str, str]) -> Settings:
    """What a researcher decided, out of text; what makes no sense is a UsageError.

    >>> settings_of({"name": "pilot", "per_case": "3", "gold_rule": "0.7:5:warn"}).gold_rule
    GoldRule(threshold=0.7, after=5, action='warn')
    """
    given = {**DEFAULTS, **_filled(fields)}
    task = given["task"]
    if task not in tuple(Task):
        raise unknown_name("task", task, Task)
    return Settings(
        name=given.get("name", ""),
        task=Task(task),
        per_case=_whole(given, "per_case") or 0,
        per_rater=_whole(given, "per_rater"),
        lease_minutes=_lease(given),
        repeat_share=_number(given, "repeats"),
        gold_rate=_number(given, "gold_rate"),
        gold_rule=read_gold_rule(given.get("gold_rule", "")),
        instructions=given.get("instructions", ""),
        questionnaire=read_questions(given.get("questionnaire", "")),
        completion_code=given.get("completion_code", ""),
        completion_url=given.get("completion_url", ""),
        fillers=read_fillers(given.get("fillers", "")),
        categories=read_categories(given.get("categories", "")),
        seed=_whole(given, "seed") or 0,
        **_watching(given),
    )


def change_watching(settings: Settings, fields: Mapping[str, str]) -> Settings:
    """Settings with other pay, fee and wish; empty fields are none.

    >>> changed = change_watching(Settings("pilot", pay="$0.02"), {"precise_within": " .05"})
    >>> changed.pay, changed.precise_within
    ('', 0.05)
    """
    return replace(settings, **_watching(_filled(fields)))


def _filled(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields that hold something."""
    given = {name: text.strip() for name, text in fields.items() if text.strip()}
    for name, text in given.items():
        if not is_storable(text):
            raise UsageError(f"{FIELDS[name][0]} holds a character that cannot be stored")
    return given


def _watching(given: Mapping[str, str]) -> dict[str, Any]:
    wished = _number(given, "precise_within") if "precise_within" in given else None
    return {"pay": given.get("pay", ""), "fee": given.get("fee", ""), "precise_within": wished}


def read_gold_rule(text: str) -> GoldRule | None:
    """`0.7:5` as a rule: less than 70 % right after 5 gold answers.

    >>> read_gold_rule("0.7:5"), read_gold_rule("")
    (GoldRule(threshold=0.7, after=5, action='stop'), None)
    """
    if not text:
        return None
    threshold, _, rest = text.partition(":")
    after, _, action = rest.partition(":")
    try:
        return GoldRule(float(threshold), int(after), action.strip() or "stop")
    except ValueError:
        raise UsageError(
            f"--gold-rule {text}: write the share that must be right, and after how many gold "
            "answers, as 0.7:5 or 0.7:5:warn"
        ) from None


def read_questions(text: str) -> tuple[Question, ...]:
    r"""A question per line; `*` behind it if it must be answered, then options behind bars.

    >>> questions = read_questions("First language? *\nHow was it? | easy | hard")
    >>> questions[0], questions[1].options
    (Question(key='q1', text='First language?', options=(), required=True), ('easy', 'hard'))
    """
    found: list[Question] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        asked, *options = (part.strip() for part in line.split("|"))
        words = asked.removesuffix("*").strip()
        if not words:
            raise UsageError(f"--questionnaire: '{line}' has no question before the bar")
        key = f"q{len(found) + 1}"
        found.append(Question(key, words, tuple(filter(None, options)), asked.endswith("*")))
    return tuple(found)


def read_fillers(text: str) -> tuple[str, ...]:
    """Words with commas or line ends between them, each once.

    >>> read_fillers("in, on,at, in")
    ('in', 'on', 'at')
    """
    words = (" ".join(word.split()) for word in text.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(filter(None, words)))


def make_project(store: Store, settings: Settings, files: Files, *, shuffle: bool = True) -> Made:
    """A project with its cases, or nothing at all.

    Everything is tried out in a database that is thrown away: what is wrong with a case, or with a
    key, is known before anything stands in the real one.
    """
    cases, notes = read_all_cases(files, settings.task)
    keys = read_keys(files.keys)
    with TemporaryDirectory() as folder, open_store(f"{folder}/trial.db") as trial:
        _fill(trial, trial.create_project(settings), cases, keys)
    with store.together():
        project = _fill(store, store.create_project(settings), cases, keys, shuffle=shuffle)
    return Made(project, notes)


def add_to_project(store: Store, project: Project, files: Files, *, shuffle: bool = True) -> Made:
    """More cases, or keys, for a project that is there; keys are read before cases are stored."""
    cases, notes = read_all_cases(files, project.task)
    keys = read_keys(files.keys)
    with store.together():
        project = _fill(store, project, cases, keys, shuffle=shuffle)
    return Made(project, notes)


def _fill(
    store: Store,
    project: Project,
    cases: Sequence[NewCase],
    keys: Sequence[SampleKey],
    *,
    shuffle: bool = False,
) -> Project:
    if cases:
        project = store.add_cases(project.id, cases, shuffle=shuffle)
    for key in keys:
        store.add_key(project.id, key)
    return project


def read_keys(files: Sequence[Input]) -> list[SampleKey]:
    """The keys of samples."""
    from jurybox.formats import sample_key

    return [sample_key.read(key) for key in files]


def read_all_cases(files: Files, task: Task) -> tuple[list[NewCase], tuple[str, ...]]:
    """The cases of all files, and what readers warn of."""
    cases: list[NewCase] = []
    with collected_warnings() as notes:
        for one in files.cases:
            cases += read_cases(
                one,
                task,
                columns=files.columns or None,
                labels=files.labels or None,
                construction=files.construction,
                documents=files.documents,
            )
    return cases, tuple(notes)


def in_words(message: str, words: Mapping[str, str]) -> str:
    """What the library says of options, said in other words for them.

    >>> in_words("--per-case must be 1 or more; see --lease", {"--per-case": "Judgments"})
    '“Judgments” must be 1 or more; see --lease'
    """
    return re.sub(
        r"--[a-z]+(?:-[a-z]+)*",
        lambda found: f"“{words[found[0]]}”" if found[0] in words else found[0],
        message,
    )


def _whole(given: Mapping[str, str], field: str) -> int | None:
    text = given.get(field)
    try:
        return None if text is None else int(text)
    except ValueError:
        raise UsageError(f"{FIELDS[field][0]} must be a whole number, not '{text}'") from None


def _lease(given: Mapping[str, str]) -> float:
    if "lease" in given:
        return _number(given, "lease")
    return lease_of(Task(given["task"]))


def lease_of(task: Task) -> float:
    """Minutes that a case is kept if nothing else is said.

    >>> lease_of(Task.JUDGE), lease_of(Task.CORRECT)
    (15.0, 1440.0)
    """
    return LEASES.get(task, LEASE_MINUTES)


def _number(given: Mapping[str, str], field: str) -> float:
    try:
        return float(given[field])
    except ValueError:
        raise UsageError(f"{FIELDS[field][0]} must be a number, not '{given[field]}'") from None
