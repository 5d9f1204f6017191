"""Projects made of settings and files: all of it is stored, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import NamedTuple

from jurybox.formats import Input
from jurybox.formats.tables import sample_key
from jurybox.formats.tables.sample_key import SampleKey
from jurybox.serve.case_files import read_cases
from jurybox.serve.model import NewCase, Project
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store, open_store
from jurybox.serve.warning_turns import collected_warnings


class Files(NamedTuple):
    """What goes into a project: cases, and the keys of samples they were drawn with."""

    cases: tuple[Input, ...] = ()
    keys: tuple[Input, ...] = ()
    columns: Mapping[str, str] | None = None
    labels: Mapping[str, str] | None = None
    construction: str | None = None
    documents: Input | None = None  # the document map of essays in M2


class FilledProject(NamedTuple):
    """A project, and what readers of its files warn of."""

    project: Project
    notes: tuple[str, ...]


class CheckedProject(NamedTuple):
    """A project that can be made: its settings, cases and keys, and what readers warn of."""

    settings: Settings
    cases: Sequence[NewCase]
    keys: Sequence[SampleKey]
    notes: tuple[str, ...]

    def make(self, store: Store, *, shuffle: bool = True) -> FilledProject:
        """The project in this store, with its cases, or nothing at all."""
        with store.database.transaction():
            project = store.create_project(self.settings)
            project = _fill(store, project, self.cases, self.keys, shuffle=shuffle)
        return FilledProject(project, self.notes)


def check_project(settings: Settings, files: Files) -> CheckedProject:
    """Read the files of a project, and try it out in a database that is thrown away.

    What is wrong with a case, or with a key, is known before the real database is opened.
    """
    cases, notes = _read_cases_of(files, settings.task)
    keys = [sample_key.read(key) for key in files.keys]
    with TemporaryDirectory() as folder, open_store(f"{folder}/trial.db") as trial:
        _fill(trial, trial.create_project(settings), cases, keys)
    return CheckedProject(settings, cases, keys, notes)


def make_project(
    store: Store, settings: Settings, files: Files, *, shuffle: bool = True
) -> FilledProject:
    """A project with its cases, or nothing at all."""
    return check_project(settings, files).make(store, shuffle=shuffle)


def add_to_project(
    store: Store, project: Project, files: Files, *, shuffle: bool = True
) -> FilledProject:
    """More cases, or keys, for a project that is there; keys are read before cases are stored."""
    cases, notes = _read_cases_of(files, project.task)
    keys = [sample_key.read(key) for key in files.keys]
    with store.database.transaction():
        project = _fill(store, project, cases, keys, shuffle=shuffle)
    return FilledProject(project, notes)


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


def _read_cases_of(files: Files, task: Task) -> tuple[list[NewCase], tuple[str, ...]]:
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
