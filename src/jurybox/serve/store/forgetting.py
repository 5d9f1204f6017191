"""A rater who asks to be forgotten: what tells who they are goes, their judgments go or stay.

The row of the rater stays, empty: their number and id are given to nobody else, so that exports
still call the others as before, and an old cookie opens nobody's work.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from jurybox.errors import InputError, UnknownNameError
from jurybox.serve.model import Standing
from jurybox.serve.store.database import Database
from jurybox.serve.store.leases import ANSWERED, OPEN, end_expired, lease
from jurybox.serve.store.projects import lock
from jurybox.serve.store.tables import answers, assignments, cases, drafts, projects, raters

#: what tells who somebody is
NOBODY = {
    "pseudonym": "",
    "prolific_pid": None,
    "prolific_study": "",
    "prolific_session": "",
    "survey": None,
    "user_id": None,
    "assignment_id": None,
    "standing": str(Standing.STOPPED),
}
NOTHING = dict.fromkeys(("practised", "answered", "gold_seen", "gold_right"), 0)


class Forgotten(NamedTuple):
    """Who was forgotten, as exports call them, and how many judgments are left or gone."""

    rater: str
    kept: int
    removed: int


def forget(
    database: Database, project: int, rater: str, *, with_judgments: bool, now: float
) -> Forgotten:
    with database.writing() as connection:
        if database.is_sqlite:  # what is deleted is overwritten, too
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        lock(connection, project)
        found = _find(connection, project, rater)
        _give_back(connection, project, found.id, now)
        of_rater = answers.c.rater_id == found.id
        count = connection.execute(
            sa.select(sa.func.count()).select_from(answers).where(of_rater)
        ).scalar_one()
        if with_judgments:
            _remove(connection, project, found.id)
        values: dict[str, Any] = {**NOBODY, **(NOTHING if with_judgments else {})}
        connection.execute(raters.update().where(raters.c.id == found.id).values(values))
    if database.is_sqlite:
        _empty_log(database)
    removed = count if with_judgments else 0
    return Forgotten(f"R{found.number}", count - removed, removed)


def _empty_log(database: Database) -> None:
    """SQLite's log still has the old pages, until it is written back."""
    connection = database.engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def _find(connection: sa.Connection, project: int, rater: str) -> Any:
    """By number, as R7; by Prolific's id; by the name that they gave, if only one has it."""
    wanted = sa.select(raters).where(raters.c.project_id == project)
    everybody = connection.execute(wanted.order_by(raters.c.number)).all()
    for name in (
        lambda row: f"R{row.number}",
        lambda row: row.prolific_pid,
        lambda row: row.pseudonym,
    ):
        found = [row for row in everybody if rater and name(row) == rater]
        if len(found) == 1:
            return found[0]
        if found:
            numbers = ", ".join(f"R{row.number}" for row in found)
            raise InputError(f"{numbers} all call themselves '{rater}'; name one by its number")
    raise UnknownNameError(
        f"there is no rater '{rater}' in this project; name one as R1, by the Prolific id or by "
        "the name that they gave"
    )


def _give_back(connection: sa.Connection, project: int, rater: int, now: float) -> None:
    """What is in their hands goes to others, as if its time were over."""
    held = assignments.update().where(assignments.c.rater_id == rater, assignments.c.state == OPEN)
    connection.execute(held.values(expires=0.0))
    connection.execute(drafts.delete().where(drafts.c.assignment_id.in_(_of(rater))))
    end_expired(connection, project, now, _next_lot(connection, project))


def _remove(connection: sa.Connection, project: int, rater: int) -> None:
    """Their cases need others' judgments instead."""
    counted = (
        sa.select(assignments.c.case_id)
        .join(cases, cases.c.id == assignments.c.case_id)
        .where(
            assignments.c.rater_id == rater,
            assignments.c.state == ANSWERED,
            assignments.c.round == 1,
            cases.c.counts == 1,
        )
        .order_by(assignments.c.id)
    )
    judged = connection.execute(counted).scalars().all()
    for lot, case in enumerate(judged, _next_lot(connection, project)):
        lease(connection, project, case, -1, lot)
        less = cases.update().where(cases.c.id == case)
        connection.execute(less.values(answered=cases.c.answered - 1))
    connection.execute(answers.delete().where(answers.c.rater_id == rater))
    connection.execute(assignments.delete().where(assignments.c.rater_id == rater))


def _of(rater: int) -> sa.Select[tuple[int]]:
    return sa.select(assignments.c.id).where(assignments.c.rater_id == rater)


def _next_lot(connection: sa.Connection, project: int) -> int:
    wanted = sa.select(projects.c.next_lot).where(projects.c.id == project)
    return int(connection.execute(wanted).scalar_one())
