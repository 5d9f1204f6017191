"""What the hand-out asks the database, and writes there: see `handout.py`."""

from __future__ import annotations

import sqlalchemy as sa

from jurybox.serve.model import Purpose, Standing
from jurybox.serve.store.leases import ANSWERED, LAPSED, OPEN, is_gold_at_the_end, taken_over
from jurybox.serve.store.tables import assignments, cases, raters

PRACTICE = str(Purpose.PRACTICE)

RATER = sa.select(raters).where(raters.c.id == sa.bindparam("rater"))

_shadow = cases.alias("shadow")
#: `wanted_taken`: the judgments of the case that decides whether this one is still wanted
HELD = (
    sa.select(
        cases,
        sa.func.coalesce(_shadow.c.taken, cases.c.taken).label("wanted_taken"),
        assignments.c.token,
        assignments.c.state,
        assignments.c.round,
        assignments.c.swapped,
        assignments.c.expires,
        assignments.c.shadow_id,
        assignments.c.purpose.label("assigned_purpose"),
    )
    .join(assignments, assignments.c.case_id == cases.c.id)
    .outerjoin(_shadow, _shadow.c.id == assignments.c.shadow_id)
    .where(assignments.c.id == sa.bindparam("assignment"))
)

_mine = assignments.alias("mine")
#: the first time that this rater was given the case
_IS_MINE = (
    (_mine.c.rater_id == sa.bindparam("rater"))
    & (_mine.c.case_id == cases.c.id)
    & (_mine.c.round == 1)
)
#: a case that this rater left may come again if it is wanted; gold if its shadow is
IN_QUEUE = (
    sa.select(cases, _mine.c.id.label("assigned"))
    .outerjoin(_mine, _IS_MINE)
    .outerjoin(_shadow, _shadow.c.id == _mine.c.shadow_id)
    .where(
        cases.c.project_id == sa.bindparam("project"),
        cases.c.purpose == sa.bindparam("purpose"),
        cases.c.taken == sa.bindparam("taken"),
        cases.c.lot > sa.bindparam("cursor"),
        sa.or_(
            _mine.c.state.is_(None),
            (_mine.c.state == LAPSED)
            & (sa.func.coalesce(_shadow.c.taken, 0) < sa.bindparam("per_case"))
            & ~taken_over(_mine),
        ),
    )
    .order_by(cases.c.lot)
    .limit(1)
)

REPEAT = (
    sa.select(cases, _mine.c.number.label("assigned_number"))
    .join(_mine, _mine.c.case_id == cases.c.id)
    .where(
        _mine.c.rater_id == sa.bindparam("rater"),
        _mine.c.number > sa.bindparam("after"),
        _mine.c.number <= sa.bindparam("up_to"),
        _mine.c.round == 1,
        _mine.c.purpose != PRACTICE,
        _mine.c.state == ANSWERED,
    )
    .order_by(_mine.c.number)
    .limit(1)
)

#: gold that somebody else was given when all work was done, left, and this rater has not answered
_left = assignments.alias("left_one")
LEFT_GOLD = (
    sa.select(cases, _mine.c.id.label("assigned"))
    .join(_left, _left.c.case_id == cases.c.id)
    .outerjoin(_mine, _IS_MINE)
    .where(
        _left.c.project_id == sa.bindparam("project"),
        _left.c.state == LAPSED,
        _left.c.rater_id != sa.bindparam("rater"),
        *is_gold_at_the_end(_left),
        ~taken_over(_left),
        sa.or_(_mine.c.state.is_(None), _mine.c.state == LAPSED),
    )
    .order_by(_left.c.expires)
    .limit(1)
)

#: whether a case may come back to this rater that others, or the shadow of theirs, keep from them
OTHERS_HOLD = (
    sa.select(assignments.c.id)
    .where(
        assignments.c.project_id == sa.bindparam("project"),
        assignments.c.state == OPEN,
        assignments.c.purpose != PRACTICE,
        assignments.c.rater_id != sa.bindparam("rater"),
        ~sa.exists().where(
            _mine.c.rater_id == sa.bindparam("rater"),
            _mine.c.case_id == sa.func.coalesce(assignments.c.shadow_id, assignments.c.case_id),
            _mine.c.round == 1,
            _mine.c.state == ANSWERED,
        ),
    )
    .limit(1)
)

ASSIGN = assignments.insert().returning(assignments.c.id)

STOP = (
    raters.update()
    .where(raters.c.id == sa.bindparam("rater"))
    .values(standing=str(Standing.STOPPED))
)
REMEMBER = (
    raters.update()
    .where(raters.c.id == sa.bindparam("rater"))
    .values(
        assignment_id=sa.bindparam("assignment_id"),
        handed=sa.bindparam("handed"),
        cursors=sa.bindparam("cursors"),
    )
)
