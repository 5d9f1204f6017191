"""Opening: made, upgraded, refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from jurybox.errors import InputError, UsageError
from jurybox.serve import migrations
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store, open_store
from jurybox.serve.store.database import HEAD, Database, open_database
from jurybox.serve.store.tables import metadata
from serve.at_once import at_once
from serve.conftest import MakeUrl


def test_the_migrations_make_the_tables_that_the_code_uses(url: str) -> None:
    database = open_database(url)
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    database.close()


def test_the_newest_revision_is_the_one_the_code_knows() -> None:
    folder = Path(str(migrations.__file__)).parent
    assert ScriptDirectory(str(folder)).get_current_head() == HEAD


def test_what_was_stored_is_there_when_a_database_is_opened_again(url: str) -> None:
    with open_store(url) as store:
        store.create_project(Settings("study"))
        secret = store.secret
    with open_store(url) as store:
        assert store.project("study").name == "study"
        assert store.secret == secret


def test_a_database_of_a_newer_version_is_refused_and_left_alone(url: str) -> None:
    with open_store(url) as store:
        _set_revision(store.database, "0999")
    with pytest.raises(InputError, match=r"newer jurybox \(revision 0999") as caught:
        open_store(url)
    assert "pip install" in str(caught.value)


def test_a_database_of_something_else_is_refused(url: str) -> None:
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE holidays (day TEXT)"))
    engine.dispose()
    with pytest.raises(InputError, match="tables of something else \\(holidays\\)"):
        open_store(url)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "study.db"
    file.write_text("case,sentence\n" * 200)
    with pytest.raises(InputError, match=r"study\.db: cannot be opened: file is not a database"):
        open_store(str(file))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        open_store(f"{tmp_path}/nowhere/study.db")


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(InputError, match="cannot be opened") as caught:
        open_store("postgresql://ann:hush@127.0.0.1:1/study")
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("given", ["", "mysql://h/d", "sqlite://", "sqlite:///:memory:", "x://[::"])
def test_what_is_no_url_of_a_database_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="--db"):
        open_store(given)


def test_several_can_open_a_new_database_at_the_same_time(make_url: MakeUrl) -> None:
    url = make_url()
    opened = at_once(open_store, [url] * 4)
    assert len({store.secret for store in opened}) == 1
    assert len(opened) == 4
    for store in opened:
        store.close()


def test_sqlite_keeps_a_log_so_that_readers_never_wait(tmp_path: Path) -> None:
    open_store(f"{tmp_path}/study.db").close()
    connection = sqlite3.connect(tmp_path / "study.db")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_an_error_in_the_middle_of_a_write_leaves_no_trace(store: Store) -> None:
    project = store.create_project(Settings("study"))

    def fail_in_the_middle() -> None:
        with store.database.writing() as connection:
            connection.execute(sa.text("UPDATE projects SET name = 'other'"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_in_the_middle()
    assert store.project_by_id(project.id).name == "study"


def _set_revision(database: Database, revision: str) -> None:
    with database.writing() as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{revision}'"))
