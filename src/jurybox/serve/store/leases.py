"""Leases: what is in somebody's hands counts like a judgment until its time is over.

Gold and repeats hold the lease of another case, their shadow (`handout.py`).
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
_LAPSE = (
    assignments.update().where(assignments.c.id == sa.bindparam("assignment")).values(state=LAPSED)
)
