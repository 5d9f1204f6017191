"""Which case a rater gets next.

Cases wait in queues: work cases by how many judgments they have, given or leased (`taken`), in the
order of their lots, and gold cases. Cases of shared sets that others have begun come first
(`leases.py`). A case that is assigned, or comes back, goes to the end of its new queue. For every
queue a rater has a cursor, the lot up to which they have answered everything. So an assignment
looks at few rows however many cases there are, and no case is ever skipped.

Raters must not recognise gold. Not by time: every assignment looks for the next gold case and for
the next work case, and takes one of the two; what is written afterwards is the same as well. Not by
what happens to it: gold and repeats take the place of a work case, their shadow, which is leased to
the rater as if they had it open. So others wait for it, it goes back when the lease expires, and
once it has all its judgments a late answer to gold is refused, just as one to the shadow. Not by
the end: a rater who has judged everything gets gold at the same rate before they are told. Gold of
that kind, left until its lease expires, goes to the next rater who has judged everything: so would
work. Not by coming twice: gold is repeated like work.

The gold rule is not applied right after a gold case, but at places as frequent as gold is on
average, counted from one that only the rater decides: there a warning is shown above the case, or
there is no further case. The end is such a place for a rater who is to be stopped. Where the
project replaces judgments of flagged raters, their cases go to others from there on as well.
"""

from __future__ import annotations

import json
from secrets import token_urlsafe
from typing import Any, NamedTuple

import sqlalchemy as sa

from jurybox.serve.answers import chance, show
from jurybox.serve.model import REPEAT_GAP, Assignment, Nothing, Purpose, Standing
from jurybox.serve.settings import Task
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.essay_feedback import feedback_in
from jurybox.serve.store.leases import (
    ANSWERED,
    BEGUN,
    LAPSED,
    OPEN,
    TO_END,
    end_expired,
    is_full,
    is_gold_at_the_end,
    is_taken_over,
    is_wanted_full,
    lease,
    replace_pending,
    settle,
    taken_over,
)
from jurybox.serve.store.projects import lock_of_rater
from jurybox.serve.store.tables import assignments, cases, columns, matches, raters, update

WORK, GOLD, PRACTICE = map(str, Purpose)
#: the gold rule is applied at every fifth case at most
APPLIED_EVERY = 5


class AssignmentStore(StorePart):
    def next_case(self, rater: int, *, now: float | None = None) -> Assignment | Nothing:
        """The case this rater is to judge, leased to them; asked again, the same one.

        Practice comes first. Then gold at the project's rate, at positions that the seed and the
        rater decide, and else the case with the fewest judgments. A case whose lease expired goes
        back, and comes again to the rater who left it if it still needs judgments.
        """
        with self.database.writing(durable=False) as connection:
            one = _Assigning(connection, rater, time_of(now), self.secret)
            return (
                one.refuse() or one.held() or one.practise() or one.give_feedback() or one.choose()
            )


class _Found(NamedTuple):
    """A case that could be assigned; `assignment` is the one that lapsed, if there was one."""

    case: Any
    round: int = 1
    assignment: int | None = None
    shadow: int | None = None  # the work case whose place it takes


class _Assigning:
    """One rater asks for a case; the project is locked, and what expired was taken back."""

    def __init__(self, connection: sa.Connection, rater: int, now: float, secret: str) -> None:
        self._connection, self._now, self._secret = connection, now, secret
        self._project, next_lot = lock_of_rater(connection, rater)
        self._settings = self._project.settings
        next_lot = end_expired(connection, self._project.id, now, next_lot)
        self._next_lot = replace_pending(connection, self._project, now, next_lot)
        self._rater = connection.execute(_RATER, {"rater": rater}).one()
        self._cursors: dict[str, int] = json.loads(self._rater.cursors)

    def refuse(self) -> Nothing | None:
        if self._rater.standing == Standing.STOPPED:
            return self._nothing("stopped")
        if self._rater.flagged and self._rule_applies():
            if self._rater.standing == Standing.STOPPING:
                return self._stop()
            self._next_lot = settle(self._connection, self._project, self._rater.id, self._next_lot)
        if not self._settings.is_open:
            return self._nothing("closed")
        return None

    def _stop(self) -> Nothing:
        self._connection.execute(_STOP, {"rater": self._rater.id})
        settle(self._connection, self._project, self._rater.id, self._next_lot)
        return self._nothing("stopped")

    def _rule_applies(self) -> bool:
        """Whether the gold rule may be applied at this case."""
        every = APPLIED_EVERY
        if self._settings.gold_rate:
            every = max(every, round(1 / self._settings.gold_rate))
        place = int(every * chance(self._secret, "warning", self._rater.id))
        return bool(self._rater.answered % every == place)

    def _nothing(self, why: str) -> Nothing:
        return Nothing(why, self._rater.answered, is_first=not self._rater.handed)

    def held(self) -> Assignment | None:
        """The case that this rater has open, or had and that still needs judgments."""
        if self._rater.assignment_id is None:
            return None
        values = {"assignment": self._rater.assignment_id, "per_case": self._settings.per_case}
        held = self._connection.execute(_HELD, values).one()
        if held.state == LAPSED:
            if held.is_full or is_taken_over(self._connection, self._rater.assignment_id):
                return None
            found = _Found(held, held.round, self._rater.assignment_id, held.shadow_id)
            return self._assign(found, held.assigned_purpose)
        return self._assignment(held.token, held, held.assigned_purpose, held.swapped, held.expires)

    def practise(self) -> Assignment | None:
        if self._rater.practised >= self._project.practice:
            return None
        found = self._search(PRACTICE, 0, 0)
        return None if found is None else self._assign(found, PRACTICE)

    def give_feedback(self) -> Nothing | None:
        """Feedback on essays is read before the next one (Bryant and Ng 2015, section 4)."""
        if self._project.task != Task.CORRECT:
            return None
        given = feedback_in(self._connection, self._rater.id)
        return self._nothing("feedback") if any(one.confirmed is None for one in given) else None

    def choose(self) -> Assignment | Nothing:
        """Work, or gold in its place, or a repeat."""
        rater, settings = self._rater, self._settings
        if settings.per_rater is not None and rater.answered >= settings.per_rater:
            return self._over("finished")
        in_queues = (self._next_in(WORK, queue) for queue in (BEGUN, *range(settings.per_case)))
        work = next(filter(None, in_queues), None)  # one of those with the fewest judgments
        gold, repeat = self._next_in(GOLD, 0), self._next_repeat()
        if work is None:
            return self._end(gold)
        after = settings.feedback_after
        if after and rater.answered >= after:  # there must be feedback on the first essays
            given = feedback_in(self._connection, rater.id)
            if not any(one.essays >= after for one in given):
                return self._nothing("pause")
        fate = chance(self._secret, settings.seed, rater.id, rater.handed)
        if gold is not None and fate < settings.gold_rate:
            return self._assign(gold._replace(shadow=work.case.id), GOLD)
        is_repeat = 0 <= fate - settings.gold_rate < settings.repeat_share
        if repeat is not None and is_repeat:
            return self._assign(repeat._replace(shadow=work.case.id), repeat.case.purpose)
        return self._assign(work, WORK)

    def _end(self, gold: _Found | None) -> Assignment | Nothing:
        """Nothing; but leftover gold comes first, so that the last case is not always work."""
        values = {"project": self._project.id, "rater": self._rater.id}
        left = self._connection.execute(_LEFT_GOLD, values).first()
        if left is not None:
            return self._assign(_Found(left, 1, left.assigned), GOLD)
        # another number than in `choose`: a case that comes after waiting may be gold as well
        fate = chance(self._secret, "end", self._settings.seed, self._rater.id, self._rater.handed)
        if gold is not None and self._rater.handed and fate < self._settings.gold_rate:
            return self._assign(gold, GOLD)
        others_hold = self._connection.execute(_OTHERS_HOLD, values).first()
        return self._over("waiting" if others_hold else "finished")

    def _over(self, why: str) -> Nothing:
        is_stopping = self._rater.standing == Standing.STOPPING
        return self._stop() if is_stopping else self._nothing(why)

    # --- looking for cases ---

    def _next_in(self, purpose: str, queue: int) -> _Found | None:
        name = f"{purpose}{queue}"
        found = self._search(purpose, queue, self._cursors.get(name, 0))
        # everything before it is answered; whatever comes later has a larger lot
        self._cursors[name] = (self._next_lot if found is None else found.case.lot) - 1
        return found

    def _search(self, purpose: str, queue: int, cursor: int) -> _Found | None:
        values = {
            "project": self._project.id,
            "purpose": purpose,
            "queue": queue,
            "cursor": cursor,
            "rater": self._rater.id,
            "per_case": self._settings.per_case,
        }
        row = self._connection.execute(_IN_QUEUE, values).first()
        return None if row is None else _Found(row, 1, row.assigned)

    def _next_repeat(self) -> _Found | None:
        """The case that this rater answered longest ago and has seen once, gold or not."""
        if not self._settings.repeat_share:
            return None
        values = {
            "rater": self._rater.id,
            "after": self._cursors.get("repeat", -1),
            "up_to": self._rater.handed - REPEAT_GAP,
        }
        row = self._connection.execute(_REPEAT, values).first()
        return None if row is None else _Found(row, 2)

    # --- assigning ---

    def _assign(self, found: _Found, purpose: str) -> Assignment:
        """Lease the case to the rater; a new assignment, or the one that lapsed."""
        token, case, rater = token_urlsafe(18), found.case, self._rater
        swapped = chance(self._secret, "order", rater.id, case.id, found.round) < 0.5
        expires = self._now + 60 * self._settings.lease_minutes
        leased = {"state": OPEN, "handed": self._now, "expires": expires, "shadow_id": found.shadow}
        if found.assignment is None:
            values = {
                "token": token,
                "project_id": self._project.id,
                "rater_id": rater.id,
                "case_id": case.id,
                "round": found.round,
                "number": rater.handed,
                "purpose": purpose,
                "swapped": swapped,
                **leased,
            }
            number = self._connection.execute(_ASSIGN, values).scalar_one()
        else:
            number = found.assignment
            again = assignments.update().where(assignments.c.id == number).values(leased)
            # the page that is still open somewhere may send its answer later: same token
            token = self._connection.execute(again.returning(assignments.c.token)).scalar_one()
        if found.round == 2 and found.assignment is None:
            self._cursors["repeat"] = case.assigned_number
        handed = rater.handed
        if purpose != PRACTICE:
            handed += found.assignment is None
            # the case counts as taken, or its shadow; the same statements for all
            kept, step = found.shadow, 1
            if kept is None:  # work itself, or gold when there is no work any more
                kept, step = case.id, case.counts if found.round == 1 else 0
            lease(self._connection, self._project.id, kept, step, self._next_lot)
            # gold goes to the end of its own queue; where it is not gold, this changes nothing
            moved = case.id if purpose == GOLD else kept
            self._connection.execute(TO_END, {"case": moved, "new_lot": self._next_lot})
        values = {
            "rater": rater.id,
            "assignment_id": number,
            "handed": handed,
            "cursors": json.dumps(self._cursors),
        }
        self._connection.execute(_REMEMBER, values)
        return self._assignment(token, case, purpose, swapped, expires)

    def _assignment(
        self, token: str, case: Any, purpose: str, swapped: bool, expires: float
    ) -> Assignment:
        shown = show(case, self._settings, swapped=swapped)
        if purpose == PRACTICE:
            done, total = self._rater.practised, self._project.practice
            return Assignment(token, shown, True, expires, done, max(total, done + 1))
        # how many cases this rater will see: gold counts, or the bar would tell what is gold
        settings, project = self._settings, self._project
        each = project.cases / (1 - settings.gold_rate - settings.repeat_share)
        gold = min(round(each * settings.gold_rate), project.gold)
        total = project.cases + gold + round(each * settings.repeat_share)
        if settings.per_rater is not None:
            total = min(total, settings.per_rater)
        done = self._rater.answered
        is_warned = self._rater.standing == Standing.WARNED and self._rule_applies()
        return Assignment(token, shown, False, expires, done, max(total, done + 1), is_warned)


# --- SQL ---

_RATER = sa.select(raters).where(*matches(raters, id="rater"))

_shadow = cases.alias("shadow")
_HELD = (
    sa.select(
        cases,
        is_wanted_full(_shadow).label("is_full"),
        *columns(assignments, "token state round swapped expires shadow_id"),
        assignments.c.purpose.label("assigned_purpose"),
    )
    .join(assignments, assignments.c.case_id == cases.c.id)
    .outerjoin(_shadow, _shadow.c.id == assignments.c.shadow_id)
    .where(*matches(assignments, id="assignment"))
)

_mine = assignments.alias("mine")
#: the first time that this rater was given the case
_IS_MINE = sa.and_(
    *matches(_mine, rater_id="rater"), _mine.c.case_id == cases.c.id, _mine.c.round == 1
)
#: a case that this rater left may come again if it is wanted; gold if its shadow is
_IN_QUEUE = (
    sa.select(cases, _mine.c.id.label("assigned"))
    .outerjoin(_mine, _IS_MINE)
    .outerjoin(_shadow, _shadow.c.id == _mine.c.shadow_id)
    .where(
        *matches(cases, project_id="project", purpose="purpose", queue="queue"),
        cases.c.lot > sa.bindparam("cursor"),
        sa.or_(
            _mine.c.state.is_(None),
            (_mine.c.state == LAPSED)
            & (_shadow.c.id.is_(None) | ~is_full(_shadow))
            & ~taken_over(_mine),
        ),
    )
    .order_by(cases.c.lot)
    .limit(1)
)

_REPEAT = (
    sa.select(cases, _mine.c.number.label("assigned_number"))
    .join(_mine, _mine.c.case_id == cases.c.id)
    .where(
        *matches(_mine, rater_id="rater"),
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
_LEFT_GOLD = (
    sa.select(cases, _mine.c.id.label("assigned"))
    .join(_left, _left.c.case_id == cases.c.id)
    .outerjoin(_mine, _IS_MINE)
    .where(
        *matches(_left, project_id="project"),
        _left.c.state == LAPSED,
        _left.c.rater_id != sa.bindparam("rater"),
        *is_gold_at_the_end(_left),
        ~taken_over(_left),
        sa.or_(_mine.c.state.is_(None), _mine.c.state == LAPSED),
    )
    .order_by(_left.c.expires)
    .limit(1)
)

#: whether a case may come back to this rater that others have open, or whose shadow they have
_OTHERS_HOLD = (
    sa.select(assignments.c.id)
    .where(
        *matches(assignments, project_id="project"),
        assignments.c.state == OPEN,
        assignments.c.purpose != PRACTICE,
        assignments.c.rater_id != sa.bindparam("rater"),
        ~sa.exists().where(
            *matches(_mine, rater_id="rater"),
            _mine.c.case_id == sa.func.coalesce(assignments.c.shadow_id, assignments.c.case_id),
            _mine.c.round == 1,
            _mine.c.state == ANSWERED,
        ),
    )
    .limit(1)
)

_ASSIGN = assignments.insert().returning(assignments.c.id)
_STOP = update(raters, "rater", standing=str(Standing.STOPPED))
_REMEMBER = update(raters, "rater", "assignment_id", "handed", "cursors")
