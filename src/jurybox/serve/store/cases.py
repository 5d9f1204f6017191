"""Cases of a project: added all or none, their secrets apart from what raters are shown."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import sqlalchemy as sa

from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.formats.tables import sample_key
from jurybox.formats.tables.cases import check_id
from jurybox.formats.tables.sample_key import SampleKey
from jurybox.model import Case, CaseSet
from jurybox.serve.answers import complaints_about
from jurybox.serve.model import NewCase, Project, Purpose
from jurybox.serve.settings import Task
from jurybox.serve.store.database import StorePart
from jurybox.serve.store.projects import lock, next_lot_of, read_in
from jurybox.serve.store.tables import (
    case_secrets,
    case_strata,
    cases,
    projects,
    sample_keys,
)

ROWS_AT_ONCE = 500  # SQLite takes some 30,000 values in a statement


class CaseStore(StorePart):
    """Cases and the keys of samples, for admins."""

    def add_cases(
        self, project: int, given: Iterable[NewCase], *, shuffle: bool = False
    ) -> Project:
        """Add cases, all of them or (a bad one among them) none.

        They are assigned in this order, or in a random one that the project's seed decides. Cases
        without purpose that have known answers are gold cases. An id that is there already is an
        InputError. Files are read by `jurybox.serve.case_files`.
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
            rows = [_row(case, project, place) for case, place in zip(listed, lots, strict=True)]
            for batch in _batches(rows):
                connection.execute(cases.insert(), batch)
            ids = _ids(connection, project, [case.id for case in listed])
            for some in _batches(listed):
                connection.execute(
                    case_secrets.insert(), [_secret(case, ids[case.id]) for case in some]
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
        """The keys that were added, in order."""
        with self.database.reading() as connection:
            return _keys_in(connection, project, self.database.name)

    def case_set(self, project: int) -> CaseSet:
        """The cases of a project with what is known of them, practice cases left out."""
        wanted = (
            sa.select(cases, case_secrets)
            .join(case_secrets, case_secrets.c.case_id == cases.c.id)
            .where(cases.c.project_id == project, cases.c.purpose != str(Purpose.PRACTICE))
            .order_by(cases.c.id)
        )
        with self.database.reading() as connection:
            return CaseSet(
                tuple(
                    Case(
                        row.name,
                        row.sentence,
                        row.start,
                        row.end,
                        row.written,
                        row.construction,
                        row.document,
                        tuple(json.loads(row.gold)),
                    )
                    for row in connection.execute(wanted)
                )
            )


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


def _row(case: NewCase, project: int, lot: int) -> dict[str, Any]:
    # cases with known answers are gold unless they are for practice
    is_gold = case.gold and case.purpose == Purpose.WORK
    purpose = Purpose.GOLD if is_gold else case.purpose
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
