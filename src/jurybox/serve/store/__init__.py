"""The store of the annotation server: everything that is known, and the only SQL.

    store = open_store("sqlite:///study.db")         or "postgresql://user@host/study"
    project = store.create_project(Settings("prepositions", per_case=3))
    store.add_cases(project.id, cases)
    rater = store.join(project.id)
    assigned = store.next_case(rater.id)             Assignment, or Nothing
    store.answer(rater.id, assigned.token, SubmittedAnswer("error"), key)

Every write is one transaction that locks the project: on SQLite the whole database (BEGIN
IMMEDIATE), on PostgreSQL the project's row. So what is read inside is current, a case gets exactly
its number of judgments however many raters ask at the same time, and an answer is on disk when
`answer` returns.

A `Store` may be used from many threads; every process opens its own. Its methods are in the other
files of this folder, each with its SQL: projects, people, assignments, answers,
adjudication, feedback, progress, exports.
"""

from __future__ import annotations

from typing import Self

from jurybox.errors import MissingExtraError

try:
    import sqlalchemy as _  # noqa: F401  # said here once for everything below
except ImportError:
    raise MissingExtraError(
        "the annotation server needs further packages: pip install 'jurybox[serve]'"
    ) from None

from jurybox.serve.store.adjudication import AdjudicationStore
from jurybox.serve.store.answering import AnswerStore
from jurybox.serve.store.assignment import AssignmentStore
from jurybox.serve.store.database import open_database
from jurybox.serve.store.essay_feedback import FeedbackStore
from jurybox.serve.store.export import ExportStore
from jurybox.serve.store.people import RaterStore, UserStore
from jurybox.serve.store.progress import ProgressStore
from jurybox.serve.store.projects import ProjectStore

__all__ = ["Store", "open_store"]


def open_store(url: str) -> Store:
    """Open a database, which is created or brought up to date first.

    `url` is a path (`study.db`), `sqlite:///PATH`, or `postgresql://USER@HOST/NAME`. A database of
    a newer jurybox is refused with an InputError.
    """
    return Store(open_database(url))


class Store(
    ProjectStore,
    RaterStore,
    UserStore,
    AssignmentStore,
    AnswerStore,
    AdjudicationStore,
    FeedbackStore,
    ProgressStore,
    ExportStore,
):
    """One open database. `now` is the time in seconds since 1970, and the clock's if not given."""

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
