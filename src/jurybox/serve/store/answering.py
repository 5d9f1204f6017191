"""Answers: stored once, counted exactly, refused when a case has enough.

An answer is handled in the transaction that locks its project, after expired leases were taken
back. Within its lease it is always accepted, for the lease counts. After the lease it is accepted
as long as the case would not get more judgments, leases of others included, than it needs.

Work and gold are handled alike: every answer is compared with the known answers, even if there are
none. A late answer to gold, or to a repeat, is refused once the work case whose place it took has
all its judgments (`assignment.py`): a refusal reveals nothing. That case is free again as soon as
gold is answered. Gold that took no place, after all work, is refused once somebody else has it.

An answer of a rater whose judgments are replaced (`leases.py`) is stored and counts for no case.

The draft of an essay holds corrections that are not sent yet; it is deleted when the answer is
stored. A draft has a version. A save names the version that it is based on; if another one is
stored by now, from another window perhaps, nothing is written and the conflict is reported. Saving
what is stored already is no conflict: the response to the first try may have been lost. Saving
renews the lease, because somebody is at work.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from jurybox.errors import InputError, UsageError
from jurybox.serve.answers import StoredAnswer, check, is_right
from jurybox.serve.essays import Draft, SavedDraft, check_corrections, read_edits, write_edits
from jurybox.serve.model import (
    EssayCorrection,
    Feedback,
    Outcome,
    Project,
    Purpose,
    Standing,
    SubmittedAnswer,
)
from jurybox.serve.settings import Task, is_storable
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.leases import (
    ANSWERED,
    LAPSED,
    OPEN,
    end_expired,
    is_taken_over,
    is_wanted_full,
    lease,
)
from jurybox.serve.store.projects import lock_of_rater, refuse_other_tasks
from jurybox.serve.store.tables import (
    answers,
    assignments,
    case_secrets,
    cases,
    columns,
    drafts,
    matches,
    raters,
    update,
)

WORK, GOLD, PRACTICE = map(str, Purpose)
LONGEST_KEY = 200
NOT_YOURS = "This case was not given to you. Please go on with the next one."
#: columns in which two answers of a rater to the same case can differ
_COMPARED = ("label", "correction", "alternatives", "confidence", "context", "edits")


class AnswerStore(StorePart):
    def answer(
        self, rater: int, token: str, given: SubmittedAnswer, key: str, *, now: float | None = None
    ) -> Outcome:
        """Store an answer; it is committed when this returns.

        The same key again, or another answer to the same assignment, changes nothing and returns
        the outcome of the first. After the lease an answer is accepted if the case still needs it,
        else refused. A token that is not this rater's, and an answer that the task does not allow,
        are InputErrors in words for the rater.
        """
        now = time_of(now)
        if not 0 < len(key) <= LONGEST_KEY or not is_storable(key):
            raise UsageError(f"an idempotency key has 1 to {LONGEST_KEY} characters")
        if not is_storable(token):
            raise InputError(NOT_YOURS)
        with self.database.writing() as connection:
            project, next_lot = lock_of_rater(connection, rater)
            next_lot = end_expired(connection, project.id, now, next_lot)
            values = {"rater": rater, "token": token, "per_case": project.settings.per_case}
            found = connection.execute(_ASSIGNED, values).first()
            known = connection.execute(_WITH_KEY, {"rater": rater, "key": key}).first()
            if known is None and found is not None and found.state == ANSWERED:
                known = connection.execute(_TO_ASSIGNMENT, {"assignment": found.id}).one()
            if known is not None:
                is_other = False
                with suppress(InputError):
                    if found is not None:  # a rater who went back perhaps must be told
                        values = columns_of(_checked(given, project, found))
                        is_other = any(values[one] != known._mapping[one] for one in _COMPARED)
                feedback, standing = _feedback(known, known.is_right), Standing(known.standing)
                return Outcome(True, feedback, standing, is_again=True, is_other=is_other)
            if found is None:
                raise InputError(NOT_YOURS)
            answered = _checked(given, project, found)
            counts = found.counts if found.round == 1 else 0
            is_late = found.state == LAPSED
            if is_late and (found.is_full or is_taken_over(connection, found.id)):
                return Outcome(accepted=False, standing=Standing(found.standing))
            right = is_right(answered, json.loads(found.gold))
            values = {
                **columns_of(answered),
                "assignment_id": found.id,
                "project_id": found.project_id,
                "rater_id": found.rater_id,
                "case_id": found.case_id,
                "key": key,
                "is_right": right,
                "late": is_late,
                "seconds": max(0.0, now - found.handed),
                "submitted": now,
            }
            connection.execute(answers.insert(), values)
            connection.execute(_CLOSE, {"assignment": found.id})
            if project.task == Task.CORRECT:
                connection.execute(drafts.delete().where(drafts.c.assignment_id == found.id))
            # work stays counted, if it counts; every other lease is given back
            counted, leased = 0 if found.replaced else counts, 0 if is_late else counts
            kept, step = found.case_id, counted - leased
            if not is_late and found.shadow_id is not None:
                kept, step = found.shadow_id, -1
            lease(connection, project.id, kept, step, next_lot)
            connection.execute(_COUNT_CASE, {"case": found.case_id, "step": counted})
            standing = _count_rater(connection, project, found, right)
            return Outcome(True, _feedback(found, right), standing)

    def save_draft(
        self,
        rater: int,
        token: str,
        edits: Iterable[EssayCorrection],
        *,
        version: int,
        now: float | None = None,
    ) -> SavedDraft:
        """Keep corrections that are not sent yet, and renew the lease.

        `version` is the one that they are based on. If another one is stored by now, and says
        something else, nothing is written and `accepted` is false. What cannot be a correction is
        an InputError in words for the annotator.
        """
        now = time_of(now)
        with self.database.writing() as connection:
            project, next_lot = lock_of_rater(connection, rater)
            refuse_other_tasks(project)
            next_lot = end_expired(connection, project.id, now, next_lot)
            found = _find_essay(connection, rater, token)
            if found is None or found.state == ANSWERED:
                raise InputError(
                    "This essay was not given to you. Please load the page."
                    if found is None
                    else "You have finished this essay already. What you sent is kept."
                )
            given = check_corrections(edits, found.sentence, project.settings.categories)
            stored = _draft(found)
            if version != stored.version and given != stored.edits:
                return SavedDraft(False, stored)
            is_wanted = _renew(connection, project, found, now=now, next_lot=next_lot)
            draft = stored
            if given != stored.edits or not stored.version:
                draft = Draft(stored.version + 1, given, now)
                values = {"version": draft.version, "edits": write_edits(given), "saved": now}
                if found.version is None:
                    connection.execute(drafts.insert().values(assignment_id=found.id, **values))
                else:
                    of_it = drafts.c.assignment_id == found.id
                    connection.execute(drafts.update().where(of_it).values(values))
            return SavedDraft(True, draft, is_wanted)

    def draft(self, rater: int, token: str) -> Draft:
        """What is saved of an essay that a rater has open; version 0 if nothing is."""
        with self.database.reading() as connection:
            found = _find_essay(connection, rater, token)
            return Draft() if found is None else _draft(found)


def _checked(given: SubmittedAnswer, project: Project, found: Any) -> StoredAnswer:
    return check(given, project.settings, swapped=found.swapped, essay=found.sentence)


def columns_of(answered: StoredAnswer) -> dict[str, Any]:
    words = answered.alternatives
    return {
        **answered._asdict(),
        "alternatives": json.dumps(words, ensure_ascii=False) if words else "",
        "edits": "" if answered.edits is None else write_edits(answered.edits),
    }


def _count_rater(
    connection: sa.Connection, project: Project, found: Any, right: bool | None
) -> Standing:
    """Update what the rater has done and their standing with the gold rule, for any case alike."""
    is_gold = found.purpose == GOLD and found.round == 1 and right is not None
    seen, correct = found.gold_seen + is_gold, found.gold_right + bool(is_gold and right)
    standing, flagged = Standing(found.standing), found.flagged
    rule = project.settings.gold_rule
    is_on = standing in (Standing.ACTIVE, Standing.WARNED)
    if is_gold and rule is not None and is_on:
        is_broken = rule.is_broken(right=correct, seen=seen)
        # once others judge their cases, only an admin readmits them
        flagged = is_broken or found.replaced
        below = Standing.STOPPING if rule.action == "stop" else Standing.WARNED
        standing = below if is_broken else Standing.ACTIVE
    values = {
        "rater": found.rater_id,
        "practised": found.practised + (found.purpose == PRACTICE),
        "answered": found.rater_answered + (found.purpose != PRACTICE),
        "gold_seen": seen,
        "gold_right": correct,
        "standing": str(standing),
        "flagged": flagged,
        "assignment_id": None if found.held == found.id else found.held,
    }
    connection.execute(_COUNT_RATER, values)
    return standing


def _feedback(row: Any, right: bool | None) -> Feedback | None:
    if row.purpose != PRACTICE:
        return None
    return Feedback(right is not False, tuple(json.loads(row.gold)), row.feedback)


def _find_essay(connection: sa.Connection, rater: int, token: str) -> Any:
    if not is_storable(token):
        return None
    return connection.execute(_ESSAY, {"rater": rater, "token": token}).first()


def _draft(found: Any) -> Draft:
    if found.version is None:
        return Draft()
    return Draft(found.version, read_edits(found.edits), found.saved)


def _renew(
    connection: sa.Connection, project: Project, found: Any, *, now: float, next_lot: int
) -> bool:
    """Renew the lease; whether there is one, or an answer would be accepted without it."""
    if found.state == LAPSED:
        if found.taken >= (found.wanted or project.settings.per_case):
            return False
        if found.held != found.id:  # this rater has another essay open by now
            return True
        lease(connection, project.id, found.case_id, found.counts, next_lot)
    values = {"state": OPEN, "expires": now + 60 * project.settings.lease_minutes}
    connection.execute(assignments.update().where(assignments.c.id == found.id).values(values))
    return True


# --- SQL ---

_shadow = cases.alias("shadow")
_ASSIGNED = (
    sa.select(
        assignments,
        *columns(cases, "counts sentence"),
        is_wanted_full(_shadow).label("is_full"),
        *columns(case_secrets, "gold feedback"),
        *columns(raters, "practised gold_seen gold_right standing flagged replaced"),
        raters.c.answered.label("rater_answered"),
        raters.c.assignment_id.label("held"),
    )
    .join(cases, cases.c.id == assignments.c.case_id)
    .join(case_secrets, case_secrets.c.case_id == cases.c.id)
    .join(raters, raters.c.id == assignments.c.rater_id)
    .outerjoin(_shadow, _shadow.c.id == assignments.c.shadow_id)
    .where(*matches(assignments, token="token", rater_id="rater"))
)
_STORED = (
    sa.select(
        *(answers.c[name] for name in ("is_right", *_COMPARED)),
        assignments.c.purpose,
        *columns(case_secrets, "gold feedback"),
        raters.c.standing,
    )
    .join(assignments, assignments.c.id == answers.c.assignment_id)
    .join(case_secrets, case_secrets.c.case_id == answers.c.case_id)
    .join(raters, raters.c.id == answers.c.rater_id)
)
_WITH_KEY = _STORED.where(*matches(answers, rater_id="rater", key="key"))
_TO_ASSIGNMENT = _STORED.where(*matches(answers, assignment_id="assignment"))
_CLOSE = update(assignments, "assignment", state=ANSWERED)
_COUNT_CASE = update(cases, "case", answered=cases.c.answered + sa.bindparam("step"))
_COUNT_RATER = update(
    raters,
    "rater",
    *("practised", "answered", "gold_seen", "gold_right"),
    *("standing", "flagged", "assignment_id"),
)
_ESSAY = (
    sa.select(
        *columns(assignments, "id case_id state"),
        *columns(cases, "sentence counts taken wanted"),
        raters.c.assignment_id.label("held"),
        *columns(drafts, "version edits saved"),
    )
    .join(cases, cases.c.id == assignments.c.case_id)
    .join(raters, raters.c.id == assignments.c.rater_id)
    .outerjoin(drafts, drafts.c.assignment_id == assignments.c.id)
    .where(*matches(assignments, token="token", rater_id="rater"))
)
