"""What a `Store` does for projects: their settings, cases and keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jurybox.serve.model import NewCase, Project, Settings
from jurybox.serve.store._opened import Opened, time_of

if TYPE_CHECKING:
    from jurybox.formats.sample_key import SampleKey
    from jurybox.model import CaseSet


class ProjectCalls(Opened):
    """Projects, for admins."""

    def create_project(self, settings: Settings, *, now: float | None = None) -> Project:
        """A new project; a name that is taken is a UsageError."""
        from jurybox.serve.store import projects

        return projects.create(self.database, settings, time_of(now))

    def change_project(self, project: int, settings: Settings) -> Project:
        """Other settings for a project; the task stays, and so does `per_case` once judged."""
        from jurybox.serve.store import projects

        return projects.change(self.database, project, settings)

    def project(self, name: str) -> Project:
        """A project by its name; UnknownNameError with the near one if there is none."""
        from jurybox.serve.store import projects

        return projects.find(self.database, name)

    def project_by_id(self, project: int) -> Project:
        """A project by its number; UnknownNameError if there is none."""
        from jurybox.serve.store import projects

        return projects.read(self.database, project)

    def projects(self) -> tuple[Project, ...]:
        """All projects, the oldest first."""
        from jurybox.serve.store import projects

        return projects.read_all(self.database)

    def add_cases(
        self, project: int, cases: Iterable[NewCase], *, shuffle: bool = False
    ) -> Project:
        """Add cases, all of them or (a bad one among them) none.

        They are handed out in this order, or in a random one that the project's seed decides. Cases
        without purpose that have known answers are gold cases. An id that is there already is an
        InputError. Files are read by `jurybox.serve.case_files`.
        """
        from jurybox.serve.store import cases as case_store

        return case_store.add(self.database, project, cases, shuffle=shuffle)

    def add_key(self, project: int, key: SampleKey) -> None:
        """The key of a sample whose blind file was added: strata for admins, never for raters.

        Several keys are those of several draws (`jurybox sample draw --after`).
        """
        from jurybox.serve.store import cases as case_store

        case_store.add_key(self.database, project, key)

    def sample_keys(self, project: int) -> tuple[SampleKey, ...]:
        """The keys that were added, in order."""
        from jurybox.serve.store import cases as case_store

        return case_store.read_keys(self.database, project)

    def case_set(self, project: int) -> CaseSet:
        """The cases of a project with what is known of them, practice cases left out."""
        from jurybox.serve.store import cases as case_store

        return case_store.read_all(self.database, project)
