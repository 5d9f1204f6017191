"""Feedback to annotators of essays, written by admins (Bryant and Ng 2015, section 4).

Their annotators corrected two essays "before being given detailed feedback on their work". So a
project may say after how many essays an annotator pauses for it. Admins may write more at any time.
An annotator confirms every feedback before the next essay; `assignment.py` sees to both.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from jurybox.errors import InputError
from jurybox.serve.essays import paragraphs_of, read_edits
from jurybox.serve.model import CorrectedEssay, EssayFeedback, Project, Purpose
from jurybox.serve.settings import is_storable
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.projects import lock, lock_of_rater, refuse_other_tasks
from jurybox.serve.store.tables import (
    answers,
    assignments,
    cases,
    columns,
    essay_feedback,
    matches,
    raters,
    update,
    users,
)

LONGEST_FEEDBACK = 20_000


class FeedbackStore(StorePart):
    def corrected_essays(self, rater: int) -> tuple[CorrectedEssay, ...]:
        """The essays that an annotator has finished, the first one first; practice is left out."""
        with self.database.reading() as connection:
            rows = connection.execute(_CORRECTED, {"rater": rater}).all()
        return tuple(
            CorrectedEssay(paragraphs_of(row.sentence), read_edits(row.edits), row.submitted)
            for row in rows
        )

    def feedback(self, rater: int) -> tuple[EssayFeedback, ...]:
        """All feedback that an annotator was given, the oldest first."""
        with self.database.reading() as connection:
            return feedback_in(connection, rater)

    def write_feedback(
        self, project: int, rater: int, user: int, text: str, *, now: float | None = None
    ) -> EssayFeedback:
        """Feedback that the annotator must confirm before the next essay.

        The same text again, while it is not confirmed, is the same form sent twice. What cannot be
        stored is an InputError.
        """
        text = text.strip()
        if not text:
            raise InputError("Please write the feedback.")
        if len(text) > LONGEST_FEEDBACK or not is_storable(text):
            raise InputError(
                f"Please keep the feedback under {LONGEST_FEEDBACK} characters, without characters "
                "that cannot be stored."
            )
        with self.database.writing() as connection:
            refuse_other_tasks(lock(connection, project))
            last = feedback_in(connection, rater)[-1:]
            if last and last[0].text == text and last[0].confirmed is None:
                return last[0]
            answered = sa.select(raters.c.answered).where(raters.c.id == rater)
            values = {
                "project_id": project,
                "rater_id": rater,
                "user_id": user,
                "essays": connection.execute(answered).scalar_one(),
                "text": text,
                "written": time_of(now),
            }
            connection.execute(essay_feedback.insert().values(values))
            return feedback_in(connection, rater)[-1]

    def confirm_feedback(
        self, rater: int, feedback: int, *, now: float | None = None
    ) -> EssayFeedback:
        """The annotator has read it; the first time counts."""
        with self.database.writing() as connection:
            lock_of_rater(connection, rater)
            values = {"feedback": feedback, "of_rater": rater, "confirmed": time_of(now)}
            connection.execute(_CONFIRM, values)
            for one in feedback_in(connection, rater):
                if one.id == feedback:
                    return one
        raise InputError("There is no such feedback for you. Please look at the page again.")

    def awaiting_feedback(self, project: Project) -> frozenset[int]:
        """The annotators who pause until they get feedback, by number in the database."""
        after = project.settings.feedback_after
        if not after:
            return frozenset()
        waiting = sa.select(raters.c.id).where(
            raters.c.project_id == project.id,
            raters.c.answered >= after,
            raters.c.standing != "stopped",
            ~sa.exists().where(
                essay_feedback.c.rater_id == raters.c.id, essay_feedback.c.essays >= after
            ),
        )
        with self.database.reading() as connection:
            return frozenset(connection.execute(waiting).scalars())


def feedback_in(connection: sa.Connection, rater: int) -> tuple[EssayFeedback, ...]:
    found: Any = connection.execute(_FEEDBACK, {"rater": rater})
    return tuple(EssayFeedback(*row) for row in found)


# --- SQL ---

_FEEDBACK = (
    sa.select(
        *columns(essay_feedback, "id text essays written confirmed"),
        users.c.name,
    )
    .join(users, users.c.id == essay_feedback.c.user_id)
    .where(*matches(essay_feedback, rater_id="rater"))
    .order_by(essay_feedback.c.id)
)
_CONFIRM = update(essay_feedback, "feedback", "confirmed").where(
    *matches(essay_feedback, rater_id="of_rater"), essay_feedback.c.confirmed.is_(None)
)
_CORRECTED = (
    sa.select(cases.c.sentence, *columns(answers, "edits submitted"))
    .join(cases, cases.c.id == answers.c.case_id)
    .join(assignments, assignments.c.id == answers.c.assignment_id)
    .where(*matches(answers, rater_id="rater"), assignments.c.purpose != str(Purpose.PRACTICE))
    .order_by(answers.c.id)
)
