"""Which case a rater gets next.

Cases wait in queues: work cases with as many judgments given or leased (`taken`), in the order of
their lots, and gold cases. A case that is handed out, or comes back, goes to the end of its new
queue. For every queue a rater has a cursor, the lot up to which they have answered everything. So
a hand-out looks at few rows however many cases there are, and nothing is ever passed over.

Gold must not be told by time: every hand-out looks for the next gold case and for the next work
case, and takes one of the two; what is written afterwards is the same as well. Nor by what becomes
of it: gold and repeats take the place of a work case, their shadow, which is kept for the rater as
if they had it in their hands. So others wait for it, it goes back when the lease is over, and once
it has all its judgments a late answer to gold is no longer wanted, just as one to the shadow. Nor
by the end: whoever has judged everything gets gold at the same rate before that is said. Gold of
that kind, left until its lease is over, goes to the next one who has judged everything: so would
work. Nor by coming twice: gold is repeated like work.

The gold rule does not speak right behind a gold case, but at places that come as regularly as gold
does on average, counted from one that only the rater decides: there a warning stands above the
case, or there is no further case. The end is such a place for whoever is to be stopped.
"""

from __future__ import annotations

import json
from secrets import token_urlsafe
from typing import Any, NamedTuple

import sqlalchemy as sa

from jurybox.serve.answers import chance, show
from jurybox.serve.model import REPEAT_GAP, Handed, Nothing, Project, Purpose, Standing
from jurybox.serve.store import handout_queries as queries
from jurybox.serve.store.database import Database
from jurybox.serve.store.leases import LAPSED, OPEN, TO_END, end_expired, is_taken_over, lease
from jurybox.serve.store.projects import lock_of_rater
from jurybox.serve.store.tables import assignments

WORK, GOLD, PRACTICE = map(str, Purpose)
#: the gold rule speaks at every fifth case at most
SPEAKS_EVERY = 5


def next_case(database: Database, rater: int, now: float) -> Handed | Nothing:
    with database.writing(durable=False) as connection:
        project, next_lot = lock_of_rater(connection, rater)
        next_lot = end_expired(connection, project.id, now, next_lot)
        hand_out = _HandOut(
            connection, project, rater, now=now, next_lot=next_lot, secret=database.secret
        )
        return hand_out.refuse() or hand_out.held() or hand_out.practise() or hand_out.choose()


class _Found(NamedTuple):
    """A case that could be handed out; `assignment` is the one that lapsed, if there was one."""

    case: Any
    round: int = 1
    assignment: int | None = None
    shadow: int | None = None  # the work case whose place it takes


class _HandOut:
    """One rater asks for a case; the project is held."""

    def __init__(
        self,
        connection: sa.Connection,
        project: Project,
        rater: int,
        *,
        now: float,
        next_lot: int,
        secret: str,
    ) -> None:
        self._connection = connection
        self._project = project
        self._settings = project.settings
        self._now = now
        self._next_lot = next_lot
        self._secret = secret
        self._rater = connection.execute(queries.RATER, {"rater": rater}).one()
        self._cursors: dict[str, int] = json.loads(self._rater.cursors)

    def refuse(self) -> Nothing | None:
        if self._rater.standing == Standing.STOPPED:
            return self._nothing("stopped")
        if self._rater.standing == Standing.STOPPING and self._rule_speaks():
            return self._stop()
        if not self._settings.is_open:
            return self._nothing("closed")
        return None

    def _stop(self) -> Nothing:
        self._connection.execute(queries.STOP, {"rater": self._rater.id})
        return self._nothing("stopped")

    def _rule_speaks(self) -> bool:
        """Whether this is a case at which the rater may hear of the gold rule."""
        every = SPEAKS_EVERY
        if self._settings.gold_rate:
            every = max(every, round(1 / self._settings.gold_rate))
        place = int(every * chance(self._secret, "warning", self._rater.id))
        return bool(self._rater.answered % every == place)

    def _nothing(self, why: str) -> Nothing:
        return Nothing(why, self._rater.answered, is_first=not self._rater.handed)

    def held(self) -> Handed | None:
        """The case that is in this rater's hands, or was and still needs judgments."""
        if self._rater.assignment_id is None:
            return None
        held = self._connection.execute(
            queries.HELD, {"assignment": self._rater.assignment_id}
        ).one()
        if held.state == LAPSED:
            is_full = held.wanted_taken >= self._settings.per_case
            if is_full or is_taken_over(self._connection, self._rater.assignment_id):
                return None
            found = _Found(held, held.round, self._rater.assignment_id, held.shadow_id)
            return self._hand(found, held.assigned_purpose)
        return self._handed(held.token, held, held.assigned_purpose, held.swapped, held.expires)

    def practise(self) -> Handed | None:
        if self._rater.practised >= self._project.practice:
            return None
        found = self._search(PRACTICE, 0, 0)
        return None if found is None else self._hand(found, PRACTICE)

    def choose(self) -> Handed | Nothing:
        """Work, or gold in its place, or a repeat."""
        rater, settings = self._rater, self._settings
        if settings.per_rater is not None and rater.answered >= settings.per_rater:
            return self._over("finished")
        work, gold, repeat = self._next_work(), self._next_in(GOLD, 0), self._next_repeat()
        if work is None:
            return self._end(gold)
        fate = chance(self._secret, settings.seed, rater.id, rater.handed)
        if gold is not None and fate < settings.gold_rate:
            return self._hand(gold._replace(shadow=work.case.id), GOLD)
        is_repeat = 0 <= fate - settings.gold_rate < settings.repeat_share
        if repeat is not None and is_repeat:
            return self._hand(repeat._replace(shadow=work.case.id), repeat.case.purpose)
        return self._hand(work, WORK)

    def _end(self, gold: _Found | None) -> Handed | Nothing:
        """Nothing; or gold before that is said, or the last case would always be work."""
        if left := self._left_gold():
            return self._hand(left, GOLD)
        # another number than in `choose`: a case that comes after waiting may be gold as well
        fate = chance(self._secret, "end", self._settings.seed, self._rater.id, self._rater.handed)
        if gold is not None and self._rater.handed and fate < self._settings.gold_rate:
            return self._hand(gold, GOLD)
        return self._over("waiting" if self._others_hold() else "finished")

    def _over(self, why: str) -> Nothing:
        if self._rater.standing == Standing.STOPPING:
            return self._stop()
        return self._nothing(why)

    # --- looking for cases ---

    def _next_work(self) -> _Found | None:
        """The first case, among those with the fewest judgments, that this rater can judge."""
        for taken in range(self._settings.per_case):
            if found := self._next_in(WORK, taken):
                return found
        return None

    def _next_in(self, purpose: str, taken: int) -> _Found | None:
        queue = f"{purpose}{taken}"
        found = self._search(purpose, taken, self._cursors.get(queue, 0))
        # everything before it is answered; whatever comes later has a larger lot
        self._cursors[queue] = (self._next_lot if found is None else found.case.lot) - 1
        return found

    def _search(self, purpose: str, taken: int, cursor: int) -> _Found | None:
        values = {
            "project": self._project.id,
            "purpose": purpose,
            "taken": taken,
            "cursor": cursor,
            "rater": self._rater.id,
            "per_case": self._settings.per_case,
        }
        row = self._connection.execute(queries.IN_QUEUE, values).first()
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
        row = self._connection.execute(queries.REPEAT, values).first()
        return None if row is None else _Found(row, 2)

    def _left_gold(self) -> _Found | None:
        """Gold that somebody got after all work, and left."""
        values = {"project": self._project.id, "rater": self._rater.id}
        row = self._connection.execute(queries.LEFT_GOLD, values).first()
        return None if row is None else _Found(row, 1, row.assigned)

    def _others_hold(self) -> bool:
        values = {"project": self._project.id, "rater": self._rater.id}
        return self._connection.execute(queries.OTHERS_HOLD, values).first() is not None

    # --- handing out ---

    def _hand(self, found: _Found, purpose: str) -> Handed:
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
            number = self._connection.execute(queries.ASSIGN, values).scalar_one()
        else:
            number = found.assignment
            again = assignments.update().where(assignments.c.id == number).values(leased)
            # the page that is still open somewhere may send its answer later: same token
            token = self._connection.execute(again.returning(assignments.c.token)).scalar_one()
        if found.round == 2 and found.assignment is None:
            self._cursors["repeat"] = case.assigned_number
        if purpose != PRACTICE:
            self._keep(found, purpose)
        self._remember(number, purpose, is_new=found.assignment is None)
        return self._handed(token, case, purpose, swapped, expires)

    def _keep(self, found: _Found, purpose: str) -> None:
        """Count the case as taken, or its shadow; the same statements for all."""
        kept, step = found.shadow, 1
        if kept is None:  # work itself, or gold when there is no work any more
            kept, step = found.case.id, found.case.counts if found.round == 1 else 0
        lease(self._connection, self._project.id, kept, step, self._next_lot)
        # gold goes to the end of its own queue; where it is not gold, this changes nothing
        moved = found.case.id if purpose == GOLD else kept
        self._connection.execute(TO_END, {"case": moved, "new_lot": self._next_lot})

    def _remember(self, assignment: int, purpose: str, *, is_new: bool) -> None:
        handed = self._rater.handed + (is_new and purpose != PRACTICE)
        values = {
            "rater": self._rater.id,
            "assignment_id": assignment,
            "handed": handed,
            "cursors": json.dumps(self._cursors),
        }
        self._connection.execute(queries.REMEMBER, values)

    def _handed(self, token: str, case: Any, purpose: str, swapped: bool, expires: float) -> Handed:
        shown = show(case, self._project.task, swapped=swapped)
        done, total = self._rater.answered, self._expected()
        if purpose == PRACTICE:
            done, total = self._rater.practised, self._project.practice
        is_warned = (
            purpose != PRACTICE and self._rater.standing == Standing.WARNED and self._rule_speaks()
        )
        total = max(total, done + 1)
        return Handed(token, shown, purpose == PRACTICE, expires, done, total, is_warned)

    def _expected(self) -> int:
        """How many cases this rater will see: gold counts, or the bar would tell what is gold."""
        settings, project = self._settings, self._project
        each = project.cases / (1 - settings.gold_rate - settings.repeat_share)
        gold = min(round(each * settings.gold_rate), project.gold)
        total = project.cases + gold + round(each * settings.repeat_share)
        return total if settings.per_rater is None else min(total, settings.per_rater)
