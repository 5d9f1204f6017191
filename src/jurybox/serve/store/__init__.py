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

from contextlib import AbstractContextManager
from typing import Self

from jurybox.serve.store._people import PeopleCalls
from jurybox.serve.store._projects import ProjectCalls
from jurybox.serve.store._results import ResultCalls
from jurybox.serve.store._work import WorkCalls
from jurybox.serve.store.database import open_database

__all__ = ["Store", "open_store"]


def open_store(url: str) -> Store:
    """Open a database, which is created or brought up to date first.

    `url` is a path (`study.db`), `sqlite:///PATH`, or `postgresql://USER@HOST/NAME`. A database of
    a newer jurybox is refused with an InputError.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.serve.model import Given, NewCase, Settings
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/study.db") as store:
    ...     project = store.create_project(Settings("prepositions"))
    ...     _ = store.add_cases(project.id, [NewCase("c1", "He sat at mat .", 2, 3, "at")])
    ...     rater = store.join(project.id)
    ...     handed = store.next_case(rater.id)
    ...     handed.shown.target, store.answer(rater.id, handed.token, Given("error"), "k1").accepted
    ('at', True)
    """
    return Store(open_database(url))


class Store(ProjectCalls, PeopleCalls, WorkCalls, ResultCalls):
    """One open database. `now` is the time in seconds since 1970, and the clock's if not given."""

    def close(self) -> None:
        """Give back all connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def together(self) -> AbstractContextManager[None]:
        """What is called inside is stored as a whole, or not at all."""
        return self.database.together()

    @property
    def secret(self) -> str:
        """The key that signs links and sessions; made when the database was, kept in it."""
        from jurybox.serve.store import people

        return people.read_secret(self.database)
