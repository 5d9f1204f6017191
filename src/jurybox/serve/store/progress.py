"""How far projects, strata and raters have come, and how fast judgments come; for admins.

Only work is counted: no gold, no practice, and no case that a rater sees again.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from jurybox.serve.model import Progress, Purpose, RaterProgress
from jurybox.serve.settings import Settings
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.leases import ANSWERED, OPEN
from jurybox.serve.store.people import rater_of
from jurybox.serve.store.projects import read_in, state_of
from jurybox.serve.store.tables import answers, assignments, case_strata, cases, raters, sample_keys

WORK = str(Purpose.WORK)
HOUR = 3600
#: the last answer, the number of keys, the flagged raters
Mark = tuple[int, int, tuple[int, ...]]


class ProgressStore(StorePart):
    def progress(self, project: int, *, now: float | None = None) -> Progress:
        with self.database.reading() as connection:
            settings = read_in(connection, project).settings
            row = connection.execute(_sums(settings, project)).one()
            held = sa.select(sa.func.count()).where(
                assignments.c.project_id == project,
                assignments.c.state == OPEN,
                assignments.c.expires > time_of(now),
                assignments.c.purpose == WORK,
            )
            leased = connection.execute(held).scalar_one()
            return Progress(row.cases, row.full, row.judgments, row.wanted, leased)

    def strata_progress(self, project: int) -> dict[str, Progress]:
        """The same for every stratum of the sample keys; empty without keys."""
        with self.database.reading() as connection:
            settings = read_in(connection, project).settings
            wanted = (
                _sums(settings, project)
                .add_columns(case_strata.c.stratum)
                .join(case_strata, case_strata.c.case_id == cases.c.id)
                .group_by(case_strata.c.stratum)
                .order_by(case_strata.c.stratum)
            )
            return {
                row.stratum: Progress(row.cases, row.full, row.judgments, row.wanted)
                for row in connection.execute(wanted)
            }

    def rater_progress(self, project: int) -> tuple[RaterProgress, ...]:
        """What every rater did, in the order of their numbers."""
        done = (
            sa.select(
                answers.c.rater_id,
                sa.func.avg(answers.c.seconds).label("seconds"),
                sa.func.max(answers.c.submitted).label("last"),
            )
            .where(answers.c.project_id == project)
            .group_by(answers.c.rater_id)
            .subquery()
        )
        wanted = (
            sa.select(raters, done.c.seconds, done.c.last)
            .outerjoin(done, done.c.rater_id == raters.c.id)
            .where(raters.c.project_id == project)
            .order_by(raters.c.number)
        )
        with self.database.reading() as connection:
            rows = connection.execute(wanted)
            return tuple(RaterProgress(rater_of(row), row.seconds, row.last) for row in rows)

    def judgments_per_hour(self, project: int, *, since: float) -> dict[int, int]:
        """Judgments in every hour since then, by its number since 1970; empty ones left out."""
        hours = answers.c.submitted / HOUR
        # SQLite's cast cuts off and may lack floor; PostgreSQL's cast rounds
        hour = sa.cast(hours if self.database.is_sqlite else sa.func.floor(hours), sa.Integer)
        wanted = _judgments_of(project, hour.label("hour"), sa.func.count().label("judgments"))
        wanted = wanted.where(answers.c.submitted >= since).group_by(hour).order_by(hour)
        with self.database.reading() as connection:
            return {int(row.hour): row.judgments for row in connection.execute(wanted)}

    def first_judgment(self, project: int) -> float | None:
        wanted = _judgments_of(project, answers.c.submitted).order_by(answers.c.id).limit(1)
        with self.database.reading() as connection:
            return connection.execute(wanted).scalar()

    def mark(self, project: int) -> Mark:
        """What the findings depend on: the last answer, how many keys, and who is flagged."""
        keys = sa.select(sa.func.count()).where(sample_keys.c.project_id == project)
        with self.database.reading() as connection:
            last, flagged = state_of(connection, project)
            return last, connection.execute(keys).scalar_one(), flagged


def _sums(settings: Settings, project: int) -> sa.Select[Any]:
    """Counts over work cases; where raters were readmitted, a case may have more than it needs."""
    of = cases.c
    needed = sa.func.coalesce(of.wanted, settings.per_case)
    counted: sa.ColumnElement[int] = of.answered
    joined: sa.FromClause = cases
    if settings.replace_flagged:
        # judgments that are to be replaced and still count for their cases (`leases.py`)
        pending = (
            sa.select(assignments.c.case_id, sa.func.count().label("number"))
            .join(raters, raters.c.id == assignments.c.rater_id)
            .where(
                raters.c.project_id == project,
                raters.c.flagged,
                ~raters.c.replaced,
                assignments.c.state == ANSWERED,
                assignments.c.round == 1,
            )
            .group_by(assignments.c.case_id)
            .subquery()
        )
        joined = cases.outerjoin(pending, pending.c.case_id == of.id)
        counted = counted - sa.func.coalesce(pending.c.number, 0)
    is_full = counted >= needed
    full = sa.func.sum(sa.case((is_full, 1), else_=0))
    judgments = sa.func.sum(sa.case((is_full, needed), else_=counted))
    return (
        sa.select(
            sa.func.count().label("cases"),
            sa.func.coalesce(full, 0).label("full"),
            sa.func.coalesce(judgments, 0).label("judgments"),
            sa.func.coalesce(sa.func.sum(needed), 0).label("wanted"),
        )
        .select_from(joined)
        .where(of.project_id == project, of.purpose == WORK)
    )


def _judgments_of(project: int, *wanted: sa.ColumnElement[Any]) -> sa.Select[Any]:
    return (
        sa.select(*wanted)
        .select_from(answers)
        .join(assignments, assignments.c.id == answers.c.assignment_id)
        .where(
            answers.c.project_id == project,
            assignments.c.purpose == WORK,
            assignments.c.round == 1,
        )
    )
