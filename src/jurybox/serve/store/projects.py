"""Projects: settings in, settings out, and the lock that every write takes first."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from jurybox.errors import UsageError, unknown_name
from jurybox.serve.model import Category, GoldRule, Project, Question, Settings, Task
from jurybox.serve.store.database import Database
from jurybox.serve.store.tables import answers, projects, raters


def create(database: Database, settings: Settings, now: float) -> Project:
    with database.writing() as connection:
        _refuse_taken(connection, settings.name, None)
        values = {"name": settings.name, "settings": write_settings(settings), "created": now}
        added = projects.insert().values(values).returning(projects.c.id)
        return read_in(connection, connection.execute(added).scalar_one())


def change(database: Database, project: int, settings: Settings) -> Project:
    with database.writing() as connection:
        before = lock(connection, project)
        _refuse_taken(connection, settings.name, project)
        was = before.settings
        judged = sa.select(answers.c.id).where(answers.c.project_id == project).limit(1)
        if settings.task != was.task and before.cases + before.gold + before.practice:
            raise UsageError(f"{was.name} has cases for the task {was.task}; make a new project")
        if settings.per_case < was.per_case and connection.execute(judged).first():
            raise UsageError(
                f"{was.name} is being judged {was.per_case} times a case; fewer would be too late"
            )
        values = {"name": settings.name, "settings": write_settings(settings)}
        connection.execute(projects.update().where(projects.c.id == project).values(values))
        return read_in(connection, project)


def find(database: Database, name: str) -> Project:
    with database.reading() as connection:
        row = connection.execute(sa.select(projects).where(projects.c.name == name)).first()
        if row is None:
            names = connection.execute(sa.select(projects.c.name)).scalars().all()
            raise unknown_name("project", name, names)
        return project_of(row)


def read(database: Database, project: int) -> Project:
    with database.reading() as connection:
        return read_in(connection, project)


def read_all(database: Database) -> tuple[Project, ...]:
    with database.reading() as connection:
        rows = connection.execute(sa.select(projects).order_by(projects.c.id))
        return tuple(map(project_of, rows))


_PROJECT = sa.select(projects).where(projects.c.id == sa.bindparam("project"))


def read_in(connection: sa.Connection, project: int) -> Project:
    row = connection.execute(_PROJECT, {"project": project}).first()
    if row is None:
        ids = connection.execute(sa.select(projects.c.id)).scalars()
        raise unknown_name("project", str(project), map(str, ids))
    return project_of(row)


def lock(connection: sa.Connection, project: int) -> Project:
    """The project, held until the transaction ends; SQLite holds the whole database anyway."""
    wanted = sa.select(projects.c.id).where(projects.c.id == project).with_for_update()
    connection.execute(wanted)
    return read_in(connection, project)


_LOCK_OF_RATER = (
    sa.select(projects)
    .join(raters, raters.c.project_id == projects.c.id)
    .where(raters.c.id == sa.bindparam("rater"))
    .with_for_update(of=projects)
)


def lock_of_rater(connection: sa.Connection, rater: int) -> tuple[Project, int]:
    """The project of a rater, held, and its next lot."""
    row = connection.execute(_LOCK_OF_RATER, {"rater": rater}).first()
    if row is None:
        raise UsageError(f"there is no rater {rater}")
    return project_of(row), row.next_lot


def project_of(row: Any) -> Project:
    counts = (row.work_cases, row.gold_cases, row.practice_cases)
    return Project(row.id, read_settings(row.settings), row.created, *counts)


def write_settings(settings: Settings) -> str:
    return json.dumps(asdict(settings), ensure_ascii=False)


@lru_cache(maxsize=64)
def read_settings(text: str) -> Settings:
    """Settings of their JSON; the same text is read once.

    >>> settings = Settings("a", gold_rule=GoldRule(0.7, 5), questionnaire=(Question("l1", "?"),))
    >>> read_settings(write_settings(settings)) == settings
    True
    """
    given = json.loads(text)
    rule = given.pop("gold_rule")
    questions = given.pop("questionnaire")
    categories = given.pop("categories", ())  # before revision 0002 there were none
    given["task"] = Task(given["task"])
    given["fillers"] = tuple(given["fillers"])
    return Settings(
        **given,
        gold_rule=None if rule is None else GoldRule(*rule),
        questionnaire=tuple(Question(k, t, tuple(options), r) for k, t, options, r in questions),
        categories=tuple(Category(*one) for one in categories),
    )


def _refuse_taken(connection: sa.Connection, name: str, project: int | None) -> None:
    row = connection.execute(sa.select(projects.c.id).where(projects.c.name == name)).first()
    if row is not None and row.id != project:
        raise UsageError(f"there is a project '{name}' already; choose another name")
