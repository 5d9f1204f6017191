"""Projects and their settings, and the lock that every write takes first."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from jurybox.errors import UsageError, unknown_name
from jurybox.serve.model import Project
from jurybox.serve.settings import Settings, read_settings, write_settings
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.tables import answers, projects, raters


class ProjectStore(StorePart):
    """Projects, for admins."""

    def create_project(self, settings: Settings, *, now: float | None = None) -> Project:
        """A new project; a name that is taken is a UsageError."""
        with self.database.writing() as connection:
            _refuse_taken(connection, settings.name, None)
            values = {
                "name": settings.name,
                "settings": write_settings(settings),
                "created": time_of(now),
            }
            added = projects.insert().values(values).returning(projects.c.id)
            return read_in(connection, connection.execute(added).scalar_one())

    def change_project(self, project: int, settings: Settings) -> Project:
        """Other settings for a project; the task stays, and so does `per_case` once judged."""
        with self.database.writing() as connection:
            before = lock(connection, project)
            _refuse_taken(connection, settings.name, project)
            was = before.settings
            judged = sa.select(answers.c.id).where(answers.c.project_id == project).limit(1)
            if settings.task != was.task and before.cases + before.gold + before.practice:
                raise UsageError(
                    f"{was.name} has cases for the task {was.task}; make a new project"
                )
            if settings.per_case < was.per_case and connection.execute(judged).first():
                raise UsageError(
                    f"{was.name} is being judged {was.per_case} times a case; fewer would be too "
                    "late"
                )
            values = {"name": settings.name, "settings": write_settings(settings)}
            connection.execute(projects.update().where(projects.c.id == project).values(values))
            return read_in(connection, project)

    def project(self, name: str) -> Project:
        """A project by its name; UnknownNameError with the nearest name if there is none."""
        with self.database.reading() as connection:
            row = connection.execute(sa.select(projects).where(projects.c.name == name)).first()
            if row is None:
                names = connection.execute(sa.select(projects.c.name)).scalars().all()
                raise unknown_name("project", name, names)
            return project_of(row)

    def project_by_id(self, project: int) -> Project:
        """A project by its number; UnknownNameError if there is none."""
        with self.database.reading() as connection:
            return read_in(connection, project)

    def projects(self) -> tuple[Project, ...]:
        """All projects, the oldest first."""
        with self.database.reading() as connection:
            rows = connection.execute(sa.select(projects).order_by(projects.c.id))
            return tuple(map(project_of, rows))


_PROJECT = sa.select(projects).where(projects.c.id == sa.bindparam("project"))
_LOCK_OF_RATER = (
    sa.select(projects)
    .join(raters, raters.c.project_id == projects.c.id)
    .where(raters.c.id == sa.bindparam("rater"))
    .with_for_update(of=projects)
)


def read_in(connection: sa.Connection, project: int) -> Project:
    row = connection.execute(_PROJECT, {"project": project}).first()
    if row is None:
        ids = connection.execute(sa.select(projects.c.id)).scalars()
        raise unknown_name("project", str(project), map(str, ids))
    return project_of(row)


def lock(connection: sa.Connection, project: int) -> Project:
    """The project, locked until the transaction ends; SQLite locks the whole database anyway."""
    wanted = sa.select(projects.c.id).where(projects.c.id == project).with_for_update()
    connection.execute(wanted)
    return read_in(connection, project)


def lock_of_rater(connection: sa.Connection, rater: int) -> tuple[Project, int]:
    """The project of a rater, locked, and its next lot."""
    row = connection.execute(_LOCK_OF_RATER, {"rater": rater}).first()
    if row is None:
        raise UsageError(f"there is no rater {rater}")
    return project_of(row), row.next_lot


def next_lot_of(connection: sa.Connection, project: int) -> int:
    """The number that the next case to be moved to the end of a queue gets."""
    wanted = sa.select(projects.c.next_lot).where(projects.c.id == project)
    return int(connection.execute(wanted).scalar_one())


def project_of(row: Any) -> Project:
    counts = (row.work_cases, row.gold_cases, row.practice_cases)
    return Project(row.id, read_settings(row.settings), row.created, *counts)


def _refuse_taken(connection: sa.Connection, name: str, project: int | None) -> None:
    row = connection.execute(sa.select(projects.c.id).where(projects.c.name == name)).first()
    if row is not None and row.id != project:
        raise UsageError(f"there is a project '{name}' already; choose another name")
