"""Essays: drafts that are saved while an annotator corrects, and everybody's final corrections.

A draft has a version. A save names the version that it is based on; if another one is stored by
now, from another window perhaps, nothing is written and the conflict is reported. Saving what is
stored already is no conflict: the response to the first try may have been lost.

Saving renews the lease, because somebody is at work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa

from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.serve.essays import (
    ADJUDICATOR,
    AnnotatedEssay,
    Draft,
    SavedDraft,
    check_corrections,
    paragraphs_of,
    read_edits,
    write_edits,
)
from jurybox.serve.model import EssayCorrection, Project, Purpose
from jurybox.serve.settings import Task, is_storable
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.export import NAMES, rater_name
from jurybox.serve.store.leases import ANSWERED, LAPSED, OPEN, end_expired, lease
from jurybox.serve.store.projects import lock_of_rater, read_in
from jurybox.serve.store.tables import answers, assignments, cases, decisions, drafts, raters

WORK = str(Purpose.WORK)
ESSAYS_AT_ONCE = 100


class EssayStore(StorePart):
    """Drafts and corrected essays (task correct)."""

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
            _refuse_other_tasks(project)
            next_lot = end_expired(connection, project.id, now, next_lot)
            found = _find(connection, rater, token)
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
            found = _find(connection, rater, token)
            return Draft() if found is None else _draft(found)

    def annotated_essays(
        self,
        project: int,
        *,
        flagged: bool = True,
        names: str = "number",
        decisions: bool = False,
    ) -> Iterator[AnnotatedEssay]:
        """All essays with the corrections of their annotators, in the order of the file, streamed.

        Without raters who are flagged, if asked; `decisions` brings in the annotator ADJ. Essays
        that nobody has finished have no `edits`. Practice is left out.
        """
        if names not in NAMES:
            raise unknown_name("names", names, NAMES)
        with self.database.reading() as connection:
            _refuse_other_tasks(read_in(connection, project))
        return self._annotated(project, flagged=flagged, names=names, decisions=decisions)

    def _annotated(
        self, project: int, *, flagged: bool, names: str, decisions: bool
    ) -> Iterator[AnnotatedEssay]:
        after = 0
        wanted = _ANSWERS if flagged else _ANSWERS.where(~raters.c.flagged)
        while True:
            with self.database.reading() as connection:
                essays = connection.execute(_ESSAYS, {"project": project, "after": after}).all()
                if not essays:
                    return
                span = {"project": project, "first": essays[0].id, "last": essays[-1].id}
                rows = connection.execute(wanted, span).all()
                decided = connection.execute(_DECISIONS, span).all() if decisions else []
            edits: dict[int, dict[str, tuple[EssayCorrection, ...]]] = {}
            for row in rows:
                # as M2 can hold it; nobody can call themselves an adjudicator
                name = rater_name(row, names).replace("|", "/")
                name = f"{name} (R{row.number})" if name == ADJUDICATOR else name
                edits.setdefault(row.case_id, {})[name] = read_edits(row.edits)
            for row in decided:
                edits.setdefault(row.case_id, {})[ADJUDICATOR] = read_edits(row.edits)
            for essay in essays:
                text = paragraphs_of(essay.sentence)
                yield AnnotatedEssay(essay.id, essay.name, text, edits.get(essay.id, {}))
            after = essays[-1].id


def _find(connection: sa.Connection, rater: int, token: str) -> Any:
    if not is_storable(token):
        return None
    return connection.execute(_ASSIGNED, {"rater": rater, "token": token}).first()


def _draft(found: Any) -> Draft:
    if found.version is None:
        return Draft()
    return Draft(found.version, read_edits(found.edits), found.saved)


def _renew(
    connection: sa.Connection, project: Project, found: Any, *, now: float, next_lot: int
) -> bool:
    """Renew the lease; whether there is one, or an answer would be accepted without it."""
    if found.state == LAPSED:
        if found.taken >= project.settings.per_case:
            return False
        if found.held != found.id:  # this rater has another essay open by now
            return True
        lease(connection, project.id, found.case_id, found.counts, next_lot)
    values = {"state": OPEN, "expires": now + 60 * project.settings.lease_minutes}
    connection.execute(assignments.update().where(assignments.c.id == found.id).values(values))
    return True


def _refuse_other_tasks(project: Project) -> None:
    if project.task != Task.CORRECT:
        raise UsageError(f"{project.name} is a project of the task {project.task}, not of essays")


_ASSIGNED = (
    sa.select(
        assignments.c.id,
        assignments.c.case_id,
        assignments.c.state,
        cases.c.sentence,
        cases.c.counts,
        cases.c.taken,
        raters.c.assignment_id.label("held"),
        drafts.c.version,
        drafts.c.edits,
        drafts.c.saved,
    )
    .join(cases, cases.c.id == assignments.c.case_id)
    .join(raters, raters.c.id == assignments.c.rater_id)
    .outerjoin(drafts, drafts.c.assignment_id == assignments.c.id)
    .where(
        assignments.c.token == sa.bindparam("token"),
        assignments.c.rater_id == sa.bindparam("rater"),
    )
)
_ESSAYS = (
    sa.select(cases.c.id, cases.c.name, cases.c.sentence)
    .where(
        cases.c.project_id == sa.bindparam("project"),
        cases.c.purpose == WORK,
        cases.c.id > sa.bindparam("after"),
    )
    .order_by(cases.c.id)
    .limit(ESSAYS_AT_ONCE)
)
_ANSWERS = (
    sa.select(
        answers.c.case_id,
        answers.c.edits,
        *(raters.c[name] for name in ("number", "pseudonym", "prolific_pid")),
    )
    .join(raters, raters.c.id == answers.c.rater_id)
    .where(
        answers.c.project_id == sa.bindparam("project"),
        answers.c.case_id.between(sa.bindparam("first"), sa.bindparam("last")),
    )
    .order_by(answers.c.case_id, raters.c.number)
)
_DECISIONS = (
    sa.select(decisions.c.case_id, decisions.c.edits)
    .where(
        decisions.c.project_id == sa.bindparam("project"),
        decisions.c.label != "",  # a case that was left undecided has none
        decisions.c.case_id.between(sa.bindparam("first"), sa.bindparam("last")),
    )
    .order_by(decisions.c.case_id)
)
