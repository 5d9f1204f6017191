"""Projects, their settings and cases, and the lock that every write takes first.

Cases are added all or none; what raters must not see of them is stored apart.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import sqlalchemy as sa

from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats import Input
from jurybox.formats.tables import sample_key
from jurybox.formats.tables.cases import check_id
from jurybox.formats.tables.sample_key import SampleKey
from jurybox.model import Case, CaseSet
from jurybox.serve.answers import complaints_about, gold_labels
from jurybox.serve.model import NewCase, Project, Purpose
from jurybox.serve.settings import Overlap, Settings, Task, read_settings, write_settings
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.tables import (
    answers,
    case_secrets,
    case_strata,
    cases,
    columns,
    matches,
    projects,
    raters,
    sample_keys,
)

#: the last answer, and the flagged raters
State = tuple[int, tuple[int, ...]]
ROWS_AT_ONCE = 500  # SQLite takes some 30,000 values in a statement


class ProjectStore(StorePart):
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
            if settings.overlap != was.overlap and before.cases:
                raise UsageError(
                    f"{was.name} has cases: shared sets are made when cases are added; make a new "
                    "project"
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
        with self.database.reading() as connection:
            return read_in(connection, project)

    def projects(self) -> tuple[Project, ...]:
        with self.database.reading() as connection:
            rows = connection.execute(sa.select(projects).order_by(projects.c.id))
            return tuple(map(project_of, rows))

    def add_cases(
        self, project: int, given: Iterable[NewCase], *, shuffle: bool = False
    ) -> Project:
        """Add cases, all of them or (a bad one among them) none.

        They are assigned in this order, or in a random one that the project's seed decides; shared
        sets are made in that order. Cases without purpose that have known answers are gold cases.
        An id that is there already is an InputError. Files are read by `jurybox.serve.projects`.
        """
        listed = list(given)
        with self.database.writing() as connection:
            held = lock(connection, project)
            _check(listed, held.task)
            if known := _ids(connection, project, [case.id for case in listed]):
                raise InputError(
                    f"case '{next(iter(known))}' is in the project already ({len(known)} of "
                    f"{len(listed)} are); leave them out"
                )
            lot = next_lot_of(connection, project)
            lots = list(range(lot, lot + len(listed)))
            if shuffle:  # only the places in the queue: the cases stay in the order of their file
                random.Random(held.settings.seed).shuffle(lots)
            if held.settings.overlap is not None:
                listed = _share(listed, lots, held.settings.overlap, held.cases)
            rows = [_row(case, project, place) for case, place in zip(listed, lots, strict=True)]
            for batch in _batches(rows):
                connection.execute(cases.insert(), batch)
            ids = _ids(connection, project, [case.id for case in listed])
            for some in _batches(listed):
                connection.execute(
                    case_secrets.insert(),
                    [_secret(case, ids[case.id], held.task) for case in some],
                )
            purposes = [row["purpose"] for row in rows]
            counts = {
                f"{purpose}_cases": projects.c[f"{purpose}_cases"] + purposes.count(purpose)
                for purpose in Purpose
            }
            values = {**counts, "next_lot": lot + len(rows)}
            connection.execute(projects.update().where(projects.c.id == project).values(values))
            return read_in(connection, project)

    def add_key(self, project: int, key: SampleKey) -> None:
        """The key of a sample whose blind file was added: strata for admins, never for raters.

        Several keys are those of several draws (`jurybox sample draw --after`).
        """
        content = io.StringIO()
        sample_key.write(key, content)
        with self.database.writing() as connection:
            lock(connection, project)
            ids = _ids(connection, project, [one.id for one in key.drawn])
            missing = [one.id for one in key.drawn if one.id not in ids]
            if missing:
                raise InputError(
                    f"{key.name}: its case '{missing[0]}' is not in the project ({len(missing)} of "
                    f"{len(key.drawn)} are missing); add the blind file that was drawn with this "
                    "key"
                )
            sample_key.check_together([*_keys_in(connection, project, self.database.name), key])
            rows = [{"case_id": ids[one.id], "stratum": one.stratum} for one in key.drawn]
            for batch in _batches(rows):
                connection.execute(case_strata.insert(), batch)
            values = {"project_id": project, "content": content.getvalue()}
            connection.execute(sample_keys.insert().values(values))

    def sample_keys(self, project: int) -> tuple[SampleKey, ...]:
        with self.database.reading() as connection:
            return _keys_in(connection, project, self.database.name)

    def case_set(self, project: int) -> CaseSet:
        """The cases of a project with what is known of them, practice cases left out."""
        wanted = (
            sa.select(
                cases.c.name.label("id"),
                *columns(cases, "sentence start end written before after"),
                *columns(case_secrets, "construction document gold"),
            )
            .join(case_secrets, case_secrets.c.case_id == cases.c.id)
            .where(cases.c.project_id == project, cases.c.purpose != str(Purpose.PRACTICE))
            .order_by(cases.c.id)
        )
        with self.database.reading() as connection:
            rows = connection.execute(wanted).all()
        known = [{**row._mapping, "gold": tuple(json.loads(row.gold))} for row in rows]
        return CaseSet(tuple(Case(**one) for one in known))


_PROJECT = sa.select(projects).where(*matches(projects, id="project"))
_LOCK_OF_RATER = (
    sa.select(projects)
    .join(raters, raters.c.project_id == projects.c.id)
    .where(*matches(raters, id="rater"))
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
    row = connection.execute(_LOCK_OF_RATER, {"rater": rater}).first()
    if row is None:
        raise UsageError(f"there is no rater {rater}")
    return project_of(row), row.next_lot


def next_lot_of(connection: sa.Connection, project: int) -> int:
    """The number that the next case to be moved to the end of a queue gets."""
    wanted = sa.select(projects.c.next_lot).where(projects.c.id == project)
    return int(connection.execute(wanted).scalar_one())


def state_of(connection: sa.Connection, project: int) -> State:
    """Another one as soon as there is another judgment, or others are not trusted."""
    last = sa.select(sa.func.max(answers.c.id)).where(answers.c.project_id == project)
    flagged = connection.execute(flagged_raters(project).order_by(raters.c.id))
    return connection.execute(last).scalar() or 0, tuple(row.id for row in flagged)


def flagged_raters(project: int) -> sa.Select[tuple[int]]:
    return sa.select(raters.c.id).where(raters.c.project_id == project, raters.c.flagged)


def project_of(row: Any) -> Project:
    counts = (row.work_cases, row.gold_cases, row.practice_cases)
    return Project(row.id, read_settings(row.settings), row.created, *counts)


def _refuse_taken(connection: sa.Connection, name: str, project: int | None) -> None:
    row = connection.execute(sa.select(projects.c.id).where(projects.c.name == name)).first()
    if row is not None and row.id != project:
        raise UsageError(f"there is a project '{name}' already; choose another name")


def refuse_other_tasks(project: Project) -> None:
    if project.task != Task.CORRECT:
        raise UsageError(f"{project.name} is a project of the task {project.task}, not of essays")


# --- cases ---


def _check(given: Sequence[NewCase], task: Task) -> None:
    """What nobody could judge is an InputError."""
    seen: set[str] = set()
    for case in given:
        check_id(case.id, "case")
        if case.id in seen:
            raise InputError(f"case '{case.id}' is given twice; keep one of them")
        seen.add(case.id)
        for _, message in complaints_about(case, task):
            raise InputError(f"case '{case.id}': {message}")


def _share(
    given: list[NewCase], lots: Sequence[int], overlap: Overlap, before: int
) -> list[NewCase]:
    """The cases with those of shared sets: periods go by the order of the queue, work alone."""
    shared = list(given)
    queue = sorted((lot, place) for place, lot in enumerate(lots) if _is_work(given[place]))
    for position, (_, place) in enumerate(queue, before):
        case = given[place]
        if case.per_case is not None or case.batch:
            raise InputError(
                f"case '{case.id}' has a number of judgments or a batch of its own; --overlap "
                "makes both: leave out the option, or the columns per_case and batch"
            )
        if batch := overlap.batch(position):
            shared[place] = replace(case, per_case=overlap.judgments, batch=batch)
    return shared


def _is_work(case: NewCase) -> bool:
    return case.purpose == Purpose.WORK and not case.gold


def _row(case: NewCase, project: int, lot: int) -> dict[str, Any]:
    # cases with known answers are gold unless they are for practice
    is_gold = case.purpose == Purpose.WORK and not _is_work(case)
    purpose = Purpose.GOLD if is_gold else case.purpose
    shown = ("sentence", "start", "end", "written", "before", "after", "second")
    return {
        "project_id": project,
        "purpose": str(purpose),
        "name": case.id,
        **{name: getattr(case, name) for name in shown},
        "first": case.first or case.written,
        "counts": int(purpose == Purpose.WORK),
        "wanted": case.per_case if purpose == Purpose.WORK else None,
        "lot": lot,
    }


def _secret(case: NewCase, number: int, task: Task) -> dict[str, Any]:
    gold = json.dumps(gold_labels(case.gold, task), ensure_ascii=False)
    hidden = ("feedback", "construction", "document", "batch")
    return {"case_id": number, "gold": gold, **{name: getattr(case, name) for name in hidden}}


def _batches(rows: Sequence[Any]) -> Iterator[list[Any]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, ROWS_AT_ONCE)):
        yield batch


def _ids(connection: sa.Connection, project: int, names: Sequence[str]) -> dict[str, int]:
    """Which of these names are there: name -> number."""
    found: dict[str, int] = {}
    for batch in _batches(names):
        wanted = sa.select(cases.c.name, cases.c.id).where(
            cases.c.project_id == project, cases.c.name.in_(batch)
        )
        found |= {row.name: row.id for row in connection.execute(wanted)}
    return found


def _keys_in(connection: sa.Connection, project: int, name: str) -> tuple[SampleKey, ...]:
    wanted = (
        sa.select(sample_keys.c.id, sample_keys.c.content)
        .where(sample_keys.c.project_id == project)
        .order_by(sample_keys.c.id)
    )
    rows = connection.execute(wanted).all()
    given = (Input.from_text(row.content, f"{name} key {row.id}") for row in rows)
    return tuple(map(sample_key.read, given))
