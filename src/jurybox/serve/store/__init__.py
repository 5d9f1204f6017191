"""The store of the annotation server: everything that is known, and the only SQL.

    store = open_store("sqlite:///study.db")         or "postgresql://user@host/study"
    project = store.create_project(Settings("prepositions", per_case=3))
    store.add_cases(project.id, cases)
    rater = store.join(project.id)
    handed = store.next_case(rater.id)               Handed, or Nothing
    store.answer(rater.id, handed.token, Given("error"), key)

Every write is one transaction that holds the project: on SQLite the whole database (BEGIN
IMMEDIATE), on PostgreSQL the project's row. So what is read inside is what is true, a case gets
exactly its judgments whoever asks at the same time, and an answer is on disk when `answer` returns.

Whoever opens a `Store` may use it from many threads; processes open one each.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Self, TextIO

from jurybox.serve.model import (
    Given,
    Handed,
    NewCase,
    Nothing,
    Outcome,
    Progress,
    Project,
    Prolific,
    Rater,
    RaterProgress,
    Role,
    Settings,
    User,
)
from jurybox.serve.store.database import Database, open_database

if TYPE_CHECKING:
    from jurybox.formats import Input
    from jurybox.formats.long_tables import Block
    from jurybox.formats.sample_key import SampleKey
    from jurybox.model import CaseSet

__all__ = ["Store", "open_store"]


def open_store(url: str) -> Store:
    """Open a database, which is created or brought up to date first.

    `url` is a path (`study.db`), `sqlite:///PATH`, or `postgresql://USER@HOST/NAME`. A database of
    a newer jurybox is refused with an InputError.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/study.db") as store:
    ...     project = store.create_project(Settings("prepositions"))
    ...     _ = store.add_cases(project.id, [NewCase("c1", "He sat at mat .", 2, 3, "at")])
    ...     rater = store.join(project.id)
    ...     handed = store.next_case(rater.id)
    ...     handed.shown.target, store.answer(rater.id, handed.token, Given("error"), "k1").accepted
    ('at', True)
    """
    return Store(open_database(url))


class Store:
    """One open database. `now` is the time in seconds since 1970, and the clock's if not given."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def close(self) -> None:
        """Give back all connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def secret(self) -> str:
        """The key that signs links and sessions; made when the database was, kept in it."""
        from jurybox.serve.store import people

        return people.read_secret(self.database)

    # --- projects, for admins ---

    def create_project(self, settings: Settings, *, now: float | None = None) -> Project:
        """A new project; a name that is taken is a UsageError."""
        from jurybox.serve.store import projects

        return projects.create(self.database, settings, _time(now))

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

    # --- people ---

    def join(
        self,
        project: int,
        *,
        pseudonym: str = "",
        prolific: Prolific | None = None,
        user: int | None = None,
        now: float | None = None,
    ) -> Rater:
        """A rater for somebody who opened the project's link.

        The same Prolific participant, and the same user, is always the same rater. Everybody else
        is new: who comes back with a signed cookie is looked up by `rater` instead. A closed
        project is an InputError.
        """
        from jurybox.serve.store import people

        return people.join(
            self.database, project, pseudonym, prolific=prolific, user=user, now=_time(now)
        )

    def rater(self, rater: int) -> Rater | None:
        """A rater by number; None if there is none."""
        from jurybox.serve.store import people

        return people.read_rater(self.database, rater)

    def answer_questionnaire(self, rater: int, answers: Mapping[str, str]) -> None:
        """Store what a rater says of themselves; what is required and missing is an InputError."""
        from jurybox.serve.store import people

        people.answer_questionnaire(self.database, rater, answers)

    def stop_rater(self, rater: int, *, flag: bool = True) -> Rater:
        """An admin's decision: no more work, and their judgments flagged if `flag`."""
        from jurybox.serve.store import people

        return people.stop(self.database, rater, flag=flag)

    def readmit_rater(self, rater: int) -> Rater:
        """The other way round: work again, no flag; gold answers so far are forgotten."""
        from jurybox.serve.store import people

        return people.readmit(self.database, rater)

    def add_user(self, name: str, password: str, role: Role = Role.ADMIN) -> User:
        """Somebody with a password (argon2); a name that is taken is a UsageError."""
        from jurybox.serve.store import users

        return users.add(self.database, name, password, role)

    def set_password(self, name: str, password: str) -> User:
        """Another password; sessions that were begun with the old one are over."""
        from jurybox.serve.store import users

        return users.set_password(self.database, name, password)

    def log_in(self, name: str, password: str) -> User | None:
        """The user, or None; a name that is unknown takes as long as a wrong password."""
        from jurybox.serve.store import users

        return users.log_in(self.database, name, password)

    def user(self, user: int) -> User | None:
        """A user by number."""
        from jurybox.serve.store import users

        return users.read(self.database, user)

    def users(self) -> tuple[User, ...]:
        """All users, by name."""
        from jurybox.serve.store import users

        return users.read_all(self.database)

    # --- work ---

    def next_case(self, rater: int, *, now: float | None = None) -> Handed | Nothing:
        """The case this rater is to judge, leased to them; asked again, the same one.

        Practice comes first. Then gold at the project's rate, at positions that the seed and the
        rater decide, and else the case with the fewest judgments. A case whose lease ran out goes
        back, and comes again to the rater who left it if it still needs judgments.
        """
        from jurybox.serve.store import handout

        return handout.next_case(self.database, rater, _time(now))

    def answer(
        self, rater: int, token: str, given: Given, key: str, *, now: float | None = None
    ) -> Outcome:
        """Store an answer; it is committed when this returns.

        The same key again, or another answer to the same hand-out, changes nothing and returns what
        became of the first. After the lease an answer is accepted if the case still needs it, else
        refused. A token that is not this rater's, and an answer that the task does not know, are
        InputErrors in words for the rater.
        """
        from jurybox.serve.store import answering

        return answering.answer(self.database, rater, token, given, key=key, now=_time(now))

    # --- essays (task correct) ---

    # --- adjudication ---

    # --- results, for admins ---

    def progress(self, project: int, *, now: float | None = None) -> Progress:
        """How far a project has come."""
        from jurybox.serve.store import progress

        return progress.of_project(self.database, project, _time(now))

    def strata_progress(self, project: int) -> dict[str, Progress]:
        """The same for every stratum of the sample keys; empty without keys."""
        from jurybox.serve.store import progress

        return progress.of_strata(self.database, project)

    def rater_progress(self, project: int) -> tuple[RaterProgress, ...]:
        """What every rater did, in the order of their numbers."""
        from jurybox.serve.store import progress

        return progress.of_raters(self.database, project)

    def judgments(
        self, project: int, *, gold: bool = True, flagged: bool = True, names: str = "number"
    ) -> Iterator[Block]:
        """All judgments in blocks of columns with the names of `formats/judgments.py`.

        Without gold cases, or without raters who are flagged, if asked. Raters are R1, R2 …; with
        `names="own"` their pseudonyms or Prolific ids where they have one. Practice is left out.
        Repeats (status "repeat") come behind the first judgment.
        """
        from jurybox.serve.store import export

        return export.blocks(self.database, project, gold=gold, flagged=flagged, names=names)

    def export(
        self,
        project: int,
        out: TextIO,
        form: str = "csv",
        *,
        gold: bool = True,
        flagged: bool = True,
        names: str = "number",
    ) -> int:
        """Write judgments as csv, tsv or jsonl, streamed; how many there were."""
        from jurybox.serve.store import export

        blocks = self.judgments(project, gold=gold, flagged=flagged, names=names)
        columns = export.columns_of(self.project_by_id(project).task)
        return export.write(blocks, columns, out, form)

    def export_questionnaire(
        self, project: int, out: TextIO, form: str = "csv", *, names: str = "number"
    ) -> None:
        """Write what raters say of themselves as csv, tsv or jsonl: an answer per line."""
        from jurybox.serve.store import export

        export.write_survey(export.survey(self.database, project, names), out, form)

    def judgments_input(self, project: int, *, gold: bool = True, flagged: bool = True) -> Input:
        """The export in memory, for everything that reads files of judgments.

        It has the bytes of the CSV export, so every number is the one that the file gives.
        """
        from jurybox.serve.store import export

        return export.as_input(self.database, self.project_by_id(project), gold, flagged)


def _time(now: float | None) -> float:
    return time.time() if now is None else now
