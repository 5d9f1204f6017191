"""How far projects, strata and raters have come; for admins."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from jurybox.serve.model import Progress, Purpose, Rater, RaterProgress
from jurybox.serve.store.database import Database
from jurybox.serve.store.leases import OPEN
from jurybox.serve.store.people import rater_of
from jurybox.serve.store.projects import read_in
from jurybox.serve.store.tables import answers, assignments, case_strata, cases, raters

WORK = str(Purpose.WORK)


def of_project(database: Database, project: int, now: float) -> Progress:
    with database.reading() as connection:
        per_case = read_in(connection, project).settings.per_case
        row = connection.execute(_sums(per_case).where(*_work_of(project))).one()
        held = sa.select(sa.func.count()).where(
            assignments.c.project_id == project,
            assignments.c.state == OPEN,
            assignments.c.expires > now,
            assignments.c.purpose == WORK,
        )
        return _progress(row, per_case, connection.execute(held).scalar_one())


def of_strata(database: Database, project: int) -> dict[str, Progress]:
    with database.reading() as connection:
        per_case = read_in(connection, project).settings.per_case
        wanted = (
            _sums(per_case)
            .add_columns(case_strata.c.stratum)
            .join(case_strata, case_strata.c.case_id == cases.c.id)
            .where(*_work_of(project))
            .group_by(case_strata.c.stratum)
            .order_by(case_strata.c.stratum)
        )
        return {row.stratum: _progress(row, per_case, 0) for row in connection.execute(wanted)}


def of_raters(database: Database, project: int) -> tuple[RaterProgress, ...]:
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
    with database.reading() as connection:
        rows = connection.execute(wanted)
        return tuple(RaterProgress(rater_of(row), row.seconds, row.last) for row in rows)


def list_raters(database: Database, project: int) -> tuple[Rater, ...]:
    wanted = sa.select(raters).where(raters.c.project_id == project).order_by(raters.c.number)
    with database.reading() as connection:
        return tuple(map(rater_of, connection.execute(wanted)))


def _sums(per_case: int) -> sa.Select[Any]:
    is_full = sa.case((cases.c.answered >= per_case, 1), else_=0)
    return sa.select(
        sa.func.count().label("cases"),
        sa.func.coalesce(sa.func.sum(is_full), 0).label("full"),
        sa.func.coalesce(sa.func.sum(cases.c.answered), 0).label("judgments"),
    ).select_from(cases)


def _work_of(project: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (cases.c.project_id == project, cases.c.purpose == WORK)


def _progress(row: Any, per_case: int, leased: int) -> Progress:
    return Progress(row.cases, row.full, row.judgments, row.cases * per_case, leased)
