"""Raters: who joined, how they stand with the gold rule, what they say of themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from jurybox.errors import InputError, UsageError
from jurybox.serve.answers import is_storable
from jurybox.serve.model import Project, Prolific, Rater, Settings, Standing
from jurybox.serve.store import adjudication
from jurybox.serve.store.database import Database
from jurybox.serve.store.projects import lock, lock_of_rater
from jurybox.serve.store.projects import read_in as read_project
from jurybox.serve.store.tables import projects, raters

LONGEST_NAME, LONGEST_ANSWER = 100, 2000


def read_secret(database: Database) -> str:
    return database.secret


def join(
    database: Database,
    project: int,
    pseudonym: str,
    *,
    prolific: Prolific | None,
    user: int | None,
    now: float,
) -> Rater:
    _check_names(pseudonym, prolific)
    with database.writing() as connection:
        held = lock(connection, project)
        if known := _known(connection, project, prolific, user):
            return known
        if not held.settings.is_open:
            raise InputError(f"{held.name} is closed: nobody can join any more.")
        if user is not None and adjudication.has_decided(connection, project, user):
            raise InputError(
                f"You have decided about cases of {held.name}: whoever has seen what others said "
                "cannot judge in it."
            )
        counting = projects.update().where(projects.c.id == project)
        connection.execute(counting.values(raters=projects.c.raters + 1))
        number = connection.execute(
            sa.select(projects.c.raters).where(projects.c.id == project)
        ).scalar_one()
        values = {
            "project_id": project,
            "number": number,
            "user_id": user,
            "pseudonym": " ".join(pseudonym.split()),
            "prolific_pid": prolific.pid if prolific else None,
            "prolific_study": prolific.study if prolific else "",
            "prolific_session": prolific.session if prolific else "",
            "standing": str(Standing.ACTIVE),
            "joined": now,
            "cursors": "{}",
        }
        added = raters.insert().values(values).returning(raters.c.id)
        return read_in(connection, connection.execute(added).scalar_one())


def _check_names(pseudonym: str, prolific: Prolific | None) -> None:
    given = (pseudonym, *(prolific or ()))
    if any(len(text) > LONGEST_NAME for text in given):
        raise InputError(f"A name can have up to {LONGEST_NAME} characters.")
    if not all(map(is_storable, given)):
        raise InputError("There is a character in the name that cannot be stored.")
    if prolific is not None and not prolific.pid.strip():
        raise InputError("PROLIFIC_PID is empty: please open the link that Prolific gives you.")


def _known(
    connection: sa.Connection, project: int, prolific: Prolific | None, user: int | None
) -> Rater | None:
    """One person is one rater, in whatever browser."""
    wanted = sa.select(raters).where(raters.c.project_id == project)
    if prolific is not None:
        wanted = wanted.where(raters.c.prolific_pid == prolific.pid)
    elif user is not None:
        wanted = wanted.where(raters.c.user_id == user)
    else:
        return None
    row = connection.execute(wanted).first()
    return None if row is None else rater_of(row)


_RATER = sa.select(raters).where(raters.c.id == sa.bindparam("rater"))


def read_rater(database: Database, rater: int) -> Rater | None:
    with database.reading() as connection:
        row = connection.execute(_RATER, {"rater": rater}).first()
        return None if row is None else rater_of(row)


def read_at_work(database: Database, rater: int) -> tuple[Rater, Project] | None:
    with database.reading() as connection:
        row = connection.execute(_RATER, {"rater": rater}).first()
        return None if row is None else (rater_of(row), read_project(connection, row.project_id))


def read_rater_of_user(database: Database, project: int, user: int) -> Rater | None:
    with database.reading() as connection:
        return _known(connection, project, None, user)


def read_in(connection: sa.Connection, rater: int) -> Rater:
    return rater_of(connection.execute(sa.select(raters).where(raters.c.id == rater)).one())


def rater_of(row: Any) -> Rater:
    prolific = None
    if row.prolific_pid is not None:
        prolific = Prolific(row.prolific_pid, row.prolific_study, row.prolific_session)
    return Rater(
        id=row.id,
        project=row.project_id,
        number=row.number,
        pseudonym=row.pseudonym,
        standing=Standing(row.standing),
        flagged=row.flagged,
        joined=row.joined,
        practised=row.practised,
        answered=row.answered,
        gold_seen=row.gold_seen,
        gold_right=row.gold_right,
        is_surveyed=row.survey is not None,
        prolific=prolific,
        user=row.user_id,
    )


def answer_questionnaire(database: Database, rater: int, answers: Mapping[str, str]) -> None:
    with database.writing() as connection:
        project, _ = lock_of_rater(connection, rater)
        kept = _checked(answers, project.settings)
        survey = json.dumps(kept, ensure_ascii=False)
        connection.execute(raters.update().where(raters.c.id == rater).values(survey=survey))


def _checked(answers: Mapping[str, str], settings: Settings) -> dict[str, str]:
    questions = {question.key: question for question in settings.questionnaire}
    if unknown := [key for key in answers if key not in questions]:
        raise UsageError(f"the questionnaire has no question '{unknown[0][:LONGEST_NAME]}'")
    for question in settings.questionnaire:
        given = answers.get(question.key, "").strip()
        if question.required and not given:
            raise InputError(f"Please answer: {question.text}")
        if given and question.options and given not in question.options:
            raise InputError(f"Please choose one of the answers to: {question.text}")
        if len(given) > LONGEST_ANSWER or not is_storable(given):
            raise InputError(f"The answer is too long, or cannot be stored: {question.text}")
    # a table cannot keep CR LF
    lines = {key: text.strip().replace("\r\n", "\n") for key, text in answers.items()}
    return {key: text for key, text in lines.items() if text}


def stop(database: Database, rater: int, *, flag: bool) -> Rater:
    return _set(database, rater, standing=str(Standing.STOPPED), flagged=flag)


def readmit(database: Database, rater: int) -> Rater:
    return _set(
        database, rater, standing=str(Standing.ACTIVE), flagged=False, gold_seen=0, gold_right=0
    )


def _set(database: Database, rater: int, **values: object) -> Rater:
    with database.writing() as connection:
        lock_of_rater(connection, rater)
        connection.execute(raters.update().where(raters.c.id == rater).values(values))
        return read_in(connection, rater)
