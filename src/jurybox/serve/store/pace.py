"""How fast judgments come, for admins: how many in every hour, and when the first one came.

Work alone is counted, as everywhere where it is said how far a project has come: no gold, no
practice, and no case that a rater sees again.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from jurybox.serve.model import Purpose
from jurybox.serve.store.database import Database
from jurybox.serve.store.tables import answers, assignments, sample_keys

HOUR = 3600


def per_hour(database: Database, project: int, since: float) -> dict[int, int]:
    """Judgments in every hour since then; hours are numbered since 1970, empty ones left out."""
    hour = _hour_of(database)
    wanted = (
        sa.select(hour.label("hour"), sa.func.count().label("judgments"))
        .select_from(answers)
        .join(assignments, assignments.c.id == answers.c.assignment_id)
        .where(*_work_of(project), answers.c.submitted >= since)
        .group_by(hour)
        .order_by(hour)
    )
    with database.reading() as connection:
        return {int(row.hour): row.judgments for row in connection.execute(wanted)}


def first(database: Database, project: int) -> float | None:
    """When the first judgment came; None if there is none."""
    wanted = (
        sa.select(answers.c.submitted)
        .join(assignments, assignments.c.id == answers.c.assignment_id)
        .where(*_work_of(project))
        .order_by(answers.c.id)
        .limit(1)
    )
    with database.reading() as connection:
        return connection.execute(wanted).scalar()


def mark(database: Database, project: int) -> tuple[int, int]:
    """What changes with every answer and every key: the last answer, and how many keys."""
    last = sa.select(sa.func.max(answers.c.id)).where(answers.c.project_id == project)
    keys = sa.select(sa.func.count()).where(sample_keys.c.project_id == project)
    with database.reading() as connection:
        found = connection.execute(last).scalar()
        return found or 0, connection.execute(keys).scalar_one()


def _hour_of(database: Database) -> sa.ColumnElement[Any]:
    """SQLite's cast cuts off and need not know floor; PostgreSQL's cast rounds."""
    hours = answers.c.submitted / HOUR
    return sa.cast(hours if database.is_sqlite else sa.func.floor(hours), sa.Integer)


def _work_of(project: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        answers.c.project_id == project,
        assignments.c.purpose == str(Purpose.WORK),
        assignments.c.round == 1,
    )
