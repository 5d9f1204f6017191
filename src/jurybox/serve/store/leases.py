"""What counts towards the judgments that a case needs: leases, and replaced judgments.

A case that a rater has open counts like a judgment until its lease expires. Gold and repeats hold
the lease of another case, their shadow (`assignment.py`). Gold that comes when all work is done has
none: one rater at a time has it, as with the last work case.

Cases wait in queues: those that need what their project says (`--per-case`) by how many judgments
they have, given or leased. A case that needs a number of its own (`cases.wanted`; a shared set) is
BEGUN from its first judgment until it is FULL: that queue comes before all others, so that raters
share a set at about the same time.

A judgment of a flagged rater that others replace (`--replace-flagged`) does not count towards what
its case needs: `taken` and `answered` of the case go down by one, and the case waits at the end of
its queue again. All judgments of a rater are replaced at once, and `raters.replaced` says so; their
later answers do not count either (`answering.py`). Readmitting them counts everything again.

A rater is flagged by an answer to a gold case. If others got the rater's cases right after that
answer, a rater with two browsers could infer that the case was gold. So nothing is replaced before
the gold rule is applied (`assignment.py`): when the rater is stopped or sees the warning. For
raters who do not come back, this happens a day after their last case. An admin who flags a rater
replaces their judgments at once. Until then they are pending: `progress.py` does not count them.
"""

from __future__ import annotations

import sqlalchemy as sa

from jurybox.serve.model import Project, Standing
from jurybox.serve.store.tables import assignments, cases, matches, projects, raters, update

OPEN, LAPSED, ANSWERED = "open", "lapsed", "answered"
#: queues of cases that need a number of judgments of their own, from the first one on
BEGUN, FULL = -1, 1_000_000
#: expired leases that one request takes back; the next request takes back the rest
AT_ONCE = 50
#: seconds after the last assignment when a rater counts as gone
GONE = 24 * 3600.0


def is_full(of: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a case has all judgments that it needs; the parameter `per_case` is its project's."""
    return of.c.taken >= sa.func.coalesce(of.c.wanted, sa.bindparam("per_case"))


def is_wanted_full(shadow: sa.FromClause) -> sa.ColumnElement[bool]:
    """The same of the case that decides whether an assignment is needed: its shadow, if any."""
    return sa.case((shadow.c.id.is_not(None), is_full(shadow)), else_=is_full(cases))


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


def taken_over(left: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether this is gold without a shadow that somebody else got, the same way, once left."""
    return sa.exists().where(
        *is_gold_at_the_end(left),
        _other.c.project_id == left.c.project_id,
        _other.c.state.in_([OPEN, ANSWERED]),
        _other.c.expires > left.c.expires,  # follows from `handed`; only this is in the index
        _other.c.handed >= left.c.expires,
        _other.c.case_id == left.c.case_id,
        _other.c.rater_id != left.c.rater_id,
        *is_gold_at_the_end(_other),
    )


def is_gold_at_the_end(of: sa.FromClause) -> tuple[sa.ColumnElement[bool], ...]:
    return of.c.purpose == "gold", of.c.shadow_id.is_(None), of.c.round == 1


# --- replaced judgments ---


def replace_pending(connection: sa.Connection, project: Project, now: float, next_lot: int) -> int:
    """Replace the judgments of flagged raters who are stopped or gone; gives the next lot."""
    if not project.settings.replace_flagged:
        return next_lot
    values = {"project": project.id, "since": now - GONE}
    for rater in connection.execute(_PENDING, values).scalars().all():
        next_lot = withdraw(connection, project.id, rater, next_lot)
    return next_lot


def settle(connection: sa.Connection, project: Project, rater: int, next_lot: int) -> int:
    """Replace the judgments of a rater, or count them again, as their flag says."""
    row = connection.execute(_FLAGS, {"rater": rater}).one()
    if row.flagged == row.replaced or (row.flagged and not project.settings.replace_flagged):
        return next_lot
    return withdraw(connection, project.id, rater, next_lot, step=-1 if row.flagged else 1)


def withdraw(
    connection: sa.Connection, project: int, rater: int, next_lot: int, *, step: int = -1
) -> int:
    """No judgment of this rater counts any more (`step` 1: all count again); gives the next lot."""
    judged = connection.execute(_COUNTED, {"rater": rater}).scalars().all()
    moved = [
        {"case": case, "step": step, "new_lot": lot} for lot, case in enumerate(judged, next_lot)
    ]
    if moved:
        connection.execute(_MOVE_ANSWERED, moved)
        connection.execute(_NEXT_LOT, {"project": project, "after": next_lot + len(moved)})
    connection.execute(_MARK, {"rater": rater, "is_replaced": step < 0})
    return next_lot + len(moved)


# --- SQL ---

#: to the end of its queue, without a change of what is taken
TO_END = update(cases, "case", lot=sa.bindparam("new_lot"))
_taken = cases.c.taken + sa.bindparam("step")
_MOVE = TO_END.values(
    taken=_taken,
    queue=sa.case(
        (cases.c.wanted.is_(None), _taken),
        (_taken >= cases.c.wanted, FULL),
        (_taken > 0, BEGUN),
        else_=0,
    ),
)
_MOVE_ANSWERED = _MOVE.values(answered=cases.c.answered + sa.bindparam("step"))
_NEXT_LOT = update(projects, "project", next_lot=sa.bindparam("after"))
_MARK = update(raters, "rater", replaced=sa.bindparam("is_replaced"))
_LAPSE = update(assignments, "assignment", state=LAPSED)
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
        *matches(assignments, project_id="project"),
        assignments.c.state == OPEN,
        assignments.c.expires <= sa.bindparam("now"),
        assignments.c.purpose != "practice",
    )
    .order_by(assignments.c.expires)
    .limit(AT_ONCE)
)
_other = assignments.alias("other")
_TAKEN_OVER = sa.select(assignments.c.id).where(
    *matches(assignments, id="assignment"), taken_over(assignments)
)
#: the cases of which a rater's judgment counts: work, seen for the first time
_COUNTED = (
    sa.select(assignments.c.case_id)
    .join(cases, cases.c.id == assignments.c.case_id)
    .where(
        assignments.c.rater_id == sa.bindparam("rater"),
        assignments.c.state == ANSWERED,
        assignments.c.round == 1,
        cases.c.counts == 1,
    )
    .order_by(assignments.c.id)
)
_FLAGS = sa.select(raters.c.flagged, raters.c.replaced).where(*matches(raters, id="rater"))
_PENDING = sa.select(raters.c.id).where(
    raters.c.project_id == sa.bindparam("project"),
    raters.c.flagged,
    ~raters.c.replaced,
    sa.or_(
        raters.c.standing == str(Standing.STOPPED),
        ~sa.exists().where(
            assignments.c.rater_id == raters.c.id, assignments.c.handed > sa.bindparam("since")
        ),
    ),
)
