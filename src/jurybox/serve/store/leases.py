"""Leases: what is in somebody's hands counts like a judgment until its time is over.

Gold and repeats hold the lease of another case, their shadow (`handout.py`). Gold that comes when
all work is done has none: it is in one pair of hands at a time itself, like the last work case.
"""

from __future__ import annotations

import sqlalchemy as sa

from jurybox.serve.store.tables import assignments, cases, projects

OPEN, LAPSED, ANSWERED = "open", "lapsed", "answered"
#: expired leases that one request takes back: what is left is taken back by the next
AT_ONCE = 50


def lease(connection: sa.Connection, project: int, case: int, step: int, lot: int) -> None:
    """Count a lease (`step` 1), or take it back (-1); the case goes to the end of its queue."""
    connection.execute(_MOVE, {"case": case, "step": step, "new_lot": lot})
    connection.execute(_NEXT_LOT, {"project": project, "after": lot + 1})


def end_expired(connection: sa.Connection, project: int, now: float, next_lot: int) -> int:
    """Take back what was not answered in time; gives the next lot."""
    expired = connection.execute(_EXPIRED, {"project": project, "now": now}).all()
    for lot, row in enumerate(expired, next_lot):
        connection.execute(_LAPSE, {"assignment": row.id})
        lease(connection, project, row.kept, -row.step, lot)
    return next_lot + len(expired)


def is_taken_over(connection: sa.Connection, assignment: int) -> bool:
    """Whether this was gold without a shadow, left, and somebody else has it by now."""
    return connection.execute(_TAKEN_OVER, {"assignment": assignment}).first() is not None


_MOVE = (
    cases.update()
    .where(cases.c.id == sa.bindparam("case"))
    .values(taken=cases.c.taken + sa.bindparam("step"), lot=sa.bindparam("new_lot"))
)
#: without a change of what is taken
TO_END = (
    cases.update().where(cases.c.id == sa.bindparam("case")).values(lot=sa.bindparam("new_lot"))
)
_NEXT_LOT = (
    projects.update()
    .where(projects.c.id == sa.bindparam("project"))
    .values(next_lot=sa.bindparam("after"))
)
_EXPIRED = (
    sa.select(
        assignments.c.id,
        sa.func.coalesce(assignments.c.shadow_id, assignments.c.case_id).label("kept"),
        sa.case(
            (assignments.c.shadow_id.is_not(None), 1),
            (assignments.c.round == 2, 0),  # a repeat of before revision 0002
            else_=cases.c.counts,
        ).label("step"),
    )
    .join(cases, cases.c.id == assignments.c.case_id)
    .where(
        assignments.c.project_id == sa.bindparam("project"),
        assignments.c.state == OPEN,
        assignments.c.expires <= sa.bindparam("now"),
        assignments.c.purpose != "practice",
    )
    .order_by(assignments.c.expires)
    .limit(AT_ONCE)
)
_other = assignments.alias("other")


def taken_over(left: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether this is gold without a shadow that somebody else got, the same way, once left."""
    return sa.exists().where(
        *is_gold_at_the_end(left),
        _other.c.project_id == left.c.project_id,
        _other.c.state.in_([OPEN, ANSWERED]),
        _other.c.expires > left.c.expires,  # follows from `handed`; the index knows only this
        _other.c.handed >= left.c.expires,
        _other.c.case_id == left.c.case_id,
        _other.c.rater_id != left.c.rater_id,
        *is_gold_at_the_end(_other),
    )


def is_gold_at_the_end(of: sa.FromClause) -> tuple[sa.ColumnElement[bool], ...]:
    return of.c.purpose == "gold", of.c.shadow_id.is_(None), of.c.round == 1


_TAKEN_OVER = sa.select(assignments.c.id).where(
    assignments.c.id == sa.bindparam("assignment"),
    taken_over(assignments),
)
_LAPSE = (
    assignments.update().where(assignments.c.id == sa.bindparam("assignment")).values(state=LAPSED)
)
