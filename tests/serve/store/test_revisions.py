"""Databases of every revision that there ever was are upgraded, with all that is in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from jurybox.formats import Input
from jurybox.serve import migrations
from jurybox.serve.model import Assignment, SubmittedAnswer
from jurybox.serve.store import open_store
from jurybox.serve.store.database import HEAD, connect, migrate, open_database
from jurybox.serve.store.dumps import (
    Contents,
    DumpReader,
    check_dump,
    load_file,
    rows_of,
    tables_in,
)
from jurybox.serve.store.tables import cases, metadata
from serve.stored_study import DATA

SCRIPTS = ScriptDirectory(str(Path(str(migrations.__file__)).parent))
REVISIONS = sorted(script.revision for script in SCRIPTS.walk_revisions())


def stored(revision: str) -> Path:
    return DATA / f"revision-{revision}.jsonl"


def test_every_revision_has_a_stored_dump() -> None:
    """A new revision needs one: python tests/serve/stored_study.py writes it."""
    assert [one for one in REVISIONS if not stored(one).is_file()] == []
    assert len(list(DATA.glob("revision-*.jsonl"))) == len(REVISIONS)


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_stored_dump_is_of_its_revision_and_has_rows_in_every_table(revision: str) -> None:
    contents = check_dump(Input(stored(revision)))
    assert contents.revision == revision
    assert [table.name for table in contents.tables if not table.rows] == []


def fill_as_it_was(url: str, revision: str) -> Contents:
    """The database as its own version left it: no later revision has touched it."""
    source = Input(stored(revision))
    contents = check_dump(source)
    columns = {table.name: table.columns for table in contents.tables}
    database = connect(url)
    with database.rebuilding() as connection:
        migrate(connection, revision)
        made = {table.name: table for table in tables_in(connection)}
        for row in DumpReader(source).rows():
            values = dict(zip(columns[row.table], row.values, strict=True))
            connection.execute(made[row.table].insert(), [values])
        if connection.dialect.name == "postgresql":
            for name in set(made) - {"store_settings", "case_secrets", "case_strata", "drafts"}:
                connection.exec_driver_sql(
                    f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
                )
    database.close()
    return contents


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_database_of_any_revision_is_upgraded_and_loses_no_row(url: str, revision: str) -> None:
    contents = fill_as_it_was(url, revision)
    database = open_database(url)
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert context.get_current_revision() == HEAD
        assert compare_metadata(context, metadata) == []
        made = {table.name: table for table in tables_in(connection)}
        old: dict[str, list[str]] = {table.name: [] for table in contents.tables}
        for text in stored(revision).read_text(encoding="utf-8").split("\n"):
            if text.startswith('{"table"'):
                name = text.split('"')[3]
            elif text.startswith("["):
                old[name].append(text)
        for table in contents.tables:
            if table.name == "projects":  # their settings may gain words; compared below
                continue
            batches = rows_of(connection, made[table.name], table.columns)
            new = [row for batch in batches for row in batch]
            if "label" in table.columns:  # trained raters' are renamed; compared below
                place = table.columns.index("label")
                new, old[table.name] = (without(rows, place) for rows in (new, old[table.name]))
            assert new == old[table.name]
    database.close()


def without(rows: list[str], place: int) -> list[str]:
    """The rows, without one of their columns."""
    return [json.dumps(row[:place] + row[place + 1 :]) for row in map(json.loads, rows)]


@pytest.mark.parametrize("revision", REVISIONS)
def test_trained_raters_get_the_labels_back_that_they_gave(url: str, revision: str) -> None:
    """Tetreault and Chodorow 2008, section 5.1: before revision 0005 they became error and ok."""
    fill_as_it_was(url, revision)
    with open_store(url) as store:
        project = store.project("trained").id
        labels = [label for block in store.judgments(project) for label in block.cells["label"]]
        assert labels == ["wrong"] * 3 + ["correct"] * 3
        made = store.judgments(project, decisions="only")
        decided = [label for block in made for label in block.cells["label"]]
        assert decided == ([] if revision == "0001" else ["wrong"])
        others = store.judgments(store.project("prepositions").id)
        assert {one for block in others for one in block.cells["label"]} == {
            *("error", "ok", "unknown")
        }
        mixed = sa.select(cases.c.id).where(
            cases.c.wanted.is_(None), cases.c.queue != cases.c.taken
        )
        with store.database.reading() as connection:
            assert connection.execute(mixed).all() == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_work_goes_on_after_an_upgrade(url: str, revision: str) -> None:
    fill_as_it_was(url, revision)
    with open_store(url) as store:
        names = [project.name for project in store.projects()]
        assert {"prepositions", "choice", "cloze", "trained", "closed"} <= set(names)
        project = store.project("prepositions")
        assert project.settings.gold_rule is not None
        assert len(project.settings.questionnaire) == 2
        later, given = 1_760_100_000.0, 0
        rater = store.join(project.id, now=later).id
        while isinstance(handed := store.next_case(rater, now=later), Assignment):
            store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token, now=later)
            given += 1
        assert given > 5
        assert sum(1 for block in store.judgments(project.id) for _ in block.cells["case"]) > 20


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_dump_of_any_revision_can_be_loaded_and_is_upgraded(url: str, revision: str) -> None:
    contents = load_file(str(stored(revision)), url)
    assert contents.revision == revision
    database = connect(url)
    with database.reading() as connection:
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one()
        assert found == HEAD
        for table in contents.tables:
            counting = sa.select(sa.func.count()).select_from(sa.table(table.name))
            assert connection.execute(counting).scalar_one() == table.rows
    database.close()
