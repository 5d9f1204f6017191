"""Cases of a project: added all or none, their secrets apart from what raters are shown."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from jurybox.errors import InputError
from jurybox.formats.cases import check_id
from jurybox.model import Case, CaseSet
from jurybox.serve.case_checks import complaints_about
from jurybox.serve.model import NewCase, Project, Purpose, Task
from jurybox.serve.store.database import Database
from jurybox.serve.store.projects import lock, read_in
from jurybox.serve.store.tables import (
    case_secrets,
    case_strata,
    cases,
    projects,
    sample_keys,
)

if TYPE_CHECKING:
    from jurybox.formats.sample_key import SampleKey

ROWS_AT_ONCE = 500  # SQLite takes some 30,000 values in a statement


def add(database: Database, project: int, given: Iterable[NewCase], *, shuffle: bool) -> Project:
    listed = list(given)
    with database.writing() as connection:
        held = lock(connection, project)
        _check(listed, held.task)
        _refuse_known(connection, project, listed)
        lot = _next_lot(connection, project)
        lots = list(range(lot, lot + len(listed)))
        if shuffle:  # only the places in the queue: the cases stay in the order of their file
            random.Random(held.settings.seed).shuffle(lots)
        rows = [_row(case, project, place) for case, place in zip(listed, lots, strict=True)]
        for batch in _batches(rows):
            connection.execute(cases.insert(), batch)
        ids = _ids(connection, project, [case.id for case in listed])
        secrets = [_secret(case, ids[case.id]) for case in listed]
        for batch in _batches(secrets):
            connection.execute(case_secrets.insert(), batch)
        _count_up(connection, project, [row["purpose"] for row in rows], lot + len(rows))
        return read_in(connection, project)


def purpose_of(case: NewCase) -> Purpose:
    """Cases with known answers are gold unless they are for practice."""
    return Purpose.GOLD if case.gold and case.purpose == Purpose.WORK else case.purpose


def _row(case: NewCase, project: int, lot: int) -> dict[str, Any]:
    purpose = purpose_of(case)
    return {
        "project_id": project,
        "purpose": str(purpose),
        "name": case.id,
        "sentence": case.sentence,
        "start": case.start,
        "end": case.end,
        "written": case.written,
        "before": case.before,
        "first": case.first or case.written,
        "second": case.second,
        "counts": int(purpose == Purpose.WORK),
        "lot": lot,
    }


def _secret(case: NewCase, number: int) -> dict[str, Any]:
    return {
        "case_id": number,
        "gold": json.dumps(case.gold, ensure_ascii=False),
        "feedback": case.feedback,
        "construction": case.construction,
        "document": case.document,
    }


def _count_up(
    connection: sa.Connection, project: int, purposes: Sequence[str], next_lot: int
) -> None:
    columns = {
        f"{purpose}_cases": projects.c[f"{purpose}_cases"] + purposes.count(purpose)
        for purpose in Purpose
    }
    values = {**columns, "next_lot": next_lot}
    connection.execute(projects.update().where(projects.c.id == project).values(values))


def _next_lot(connection: sa.Connection, project: int) -> int:
    wanted = sa.select(projects.c.next_lot).where(projects.c.id == project)
    return int(connection.execute(wanted).scalar_one())


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


# --- what cannot be judged ---


def _check(given: Sequence[NewCase], task: Task) -> None:
    seen: set[str] = set()
    for case in given:
        check_id(case.id, "case")
        if case.id in seen:
            raise InputError(f"case '{case.id}' is given twice; keep one of them")
        seen.add(case.id)
        for _, message in complaints_about(case, task):
            raise InputError(f"case '{case.id}': {message}")


def _refuse_known(connection: sa.Connection, project: int, given: Sequence[NewCase]) -> None:
    if known := _ids(connection, project, [case.id for case in given]):
        raise InputError(
            f"case '{next(iter(known))}' is in the project already ({len(known)} of {len(given)} "
            "are); leave them out"
        )


# --- keys of samples, and everything for admins ---


def add_key(database: Database, project: int, key: SampleKey) -> None:
    from jurybox.formats import sample_key

    content = io.StringIO()
    sample_key.write(key, content)
    with database.writing() as connection:
        lock(connection, project)
        ids = _ids(connection, project, [one.id for one in key.drawn])
        missing = [one.id for one in key.drawn if one.id not in ids]
        if missing:
            raise InputError(
                f"{key.name}: its case '{missing[0]}' is not in the project ({len(missing)} of "
                f"{len(key.drawn)} are missing); add the blind file that was drawn with this key"
            )
        sample_key.check_together([*_keys_in(connection, project, database.name), key])
        rows = [{"case_id": ids[one.id], "stratum": one.stratum} for one in key.drawn]
        for batch in _batches(rows):
            connection.execute(case_strata.insert(), batch)
        values = {"project_id": project, "content": content.getvalue()}
        connection.execute(sample_keys.insert().values(values))


def read_keys(database: Database, project: int) -> tuple[SampleKey, ...]:
    with database.reading() as connection:
        return _keys_in(connection, project, database.name)


def _keys_in(connection: sa.Connection, project: int, name: str) -> tuple[SampleKey, ...]:
    from jurybox.formats import Input, sample_key

    wanted = (
        sa.select(sample_keys.c.id, sample_keys.c.content)
        .where(sample_keys.c.project_id == project)
        .order_by(sample_keys.c.id)
    )
    rows = connection.execute(wanted).all()
    given = (Input.from_text(row.content, f"{name} key {row.id}") for row in rows)
    return tuple(map(sample_key.read, given))


def read_all(database: Database, project: int) -> CaseSet:
    wanted = (
        sa.select(cases, case_secrets)
        .join(case_secrets, case_secrets.c.case_id == cases.c.id)
        .where(cases.c.project_id == project, cases.c.purpose != str(Purpose.PRACTICE))
        .order_by(cases.c.id)
    )
    with database.reading() as connection:
        return CaseSet(tuple(_case(row) for row in connection.execute(wanted)))


def _case(row: Any) -> Case:
    return Case(
        row.name,
        row.sentence,
        row.start,
        row.end,
        row.written,
        row.construction,
        row.document,
        tuple(json.loads(row.gold)),
    )
