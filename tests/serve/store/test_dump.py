"""A dump: one moment of a database, whole, private, and refused when anything in it changed."""

from __future__ import annotations

import gzip
import io
import json
import random
import stat
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from jurybox.errors import FormatError, InputError, JuryboxError, UsageError
from jurybox.formats import Input
from jurybox.serve.model import Assignment, SubmittedAnswer
from jurybox.serve.store import Store, dumps, open_store
from jurybox.serve.store.database import HEAD, connect
from jurybox.serve.store.dumps import Contents, check_dump, dump_to_file, load_file, write_dump
from jurybox.serve.store.tables import metadata
from serve.conftest import MakeUrl, new_postgres_database
from serve.made_studies import make_project
from serve.running_site import hash_quickly
from serve.stored_study import DATA, fill

NEWEST = DATA / f"revision-{HEAD}.jsonl"


def dumped(url: str) -> tuple[str, Contents]:
    database, out = connect(url), io.StringIO()
    try:
        return (written := write_dump(database, out)) and out.getvalue(), written
    finally:
        database.close()


def lines_of(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


# --- there and back ---


@pytest.mark.slow
def test_what_is_dumped_from_one_kind_of_database_is_the_same_in_the_other(
    tmp_path: Path, postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite, PostgreSQL, SQLite, PostgreSQL: the bytes stay the same."""
    hash_quickly(monkeypatch)
    first = f"{tmp_path}/first.db"
    with open_store(first) as store:
        fill(store)
    text, contents = dumped(first)
    file = tmp_path / "dump.jsonl"
    file.write_text(text, encoding="utf-8", newline="")
    for number in range(3):
        is_postgres = number % 2 == 0
        url = new_postgres_database(postgres_server) if is_postgres else f"{tmp_path}/{number}.db"
        assert load_file(str(file), url) == contents
        again, found = dumped(url)
        assert found.tables == contents.tables
        assert lines_of(again)[1:-1] == lines_of(text)[1:-1]


def test_every_table_of_the_store_is_in_a_dump_with_something_in_it() -> None:
    contents = check_dump(Input(NEWEST))
    assert {table.name for table in contents.tables} == set(metadata.tables)
    assert [table.name for table in contents.tables if not table.rows] == []
    for table in contents.tables:
        assert set(table.columns) == set(metadata.tables[table.name].columns.keys())


def test_work_goes_on_in_a_database_that_was_loaded(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers of new rows, leases, the key of links and sessions: nothing stumbles."""
    hash_quickly(monkeypatch)
    load_file(str(NEWEST), url)
    with open_store(url) as store:
        assert f'["secret","{store.secret}"]' in NEWEST.read_text(encoding="utf-8")
        project = store.project("prepositions")
        before = store.progress(project.id).judgments
        later = 1_760_100_000.0
        rater = store.join(project.id, now=later).id
        judged = 0
        while isinstance(handed := store.next_case(rater, now=later), Assignment):
            judged += store.answer(
                rater, handed.token, SubmittedAnswer("ok"), handed.token, now=later
            )[0]
        assert judged > 5
        assert store.progress(project.id).judgments > before
        store.add_user("cleo", "correct horse")
        make_project(store, 3, name="new")


@pytest.mark.slow
def test_a_dump_is_one_moment_while_raters_work(make_url: MakeUrl, tmp_path: Path) -> None:
    url = make_url()
    with open_store(url) as store:
        project = make_project(store, 2000).id
        rater = store.join(project).id
        is_over = threading.Event()

        def work() -> None:
            while not is_over.is_set():
                handed = store.next_case(rater)
                assert isinstance(handed, Assignment)
                store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token)

        worker = threading.Thread(target=work)
        worker.start()
        try:
            while store.progress(project).judgments < 5:
                time.sleep(0.01)
            files = [tmp_path / f"{number}.jsonl" for number in range(3)]
            for file in files:
                dump_to_file(store.database, str(file))
                seen = store.progress(project).judgments
                while store.progress(project).judgments < seen + 3:
                    time.sleep(0.01)  # others were not stopped by the dump, nor after it
        finally:
            is_over.set()
            worker.join()
    for number, file in enumerate(files):
        copy = f"{tmp_path}/copy{number}.db"
        load_file(str(file), copy)
        with open_store(copy) as store, store.database.reading() as connection:
            rows = {
                name: connection.exec_driver_sql(f"SELECT {wanted}").scalar_one()
                for name, wanted in {
                    "answers": "count(*) FROM answers",
                    "closed": "count(*) FROM assignments WHERE state = 'answered'",
                    "counted": "sum(answered) FROM cases",
                    "rater": "answered FROM raters",
                }.items()
            }
            assert rows["answers"] > 0
            assert set(rows.values()) == {rows["answers"]}


# --- files ---


@pytest.mark.parametrize("name", ["study.jsonl", "study.jsonl.gz"])
def test_only_its_owner_may_read_a_dump(lite: Store, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("older")
    file.chmod(0o644)
    contents = dump_to_file(lite.database, str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (file.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")
    assert check_dump(Input(file)) == contents
    assert [one.name for one in tmp_path.iterdir() if "study.jsonl" in one.name] == [name]


def test_a_database_is_never_overwritten_by_its_own_dump(lite: Store, tmp_path: Path) -> None:
    for name in ("study.db", "study.db-wal"):
        with pytest.raises(UsageError, match="is the database itself"):
            dump_to_file(lite.database, str(tmp_path / name))


def test_a_dump_that_cannot_be_read_back_does_not_replace_the_older_one(
    lite: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "study.jsonl"
    file.write_text("older")
    wrong = Contents("0001", ())
    monkeypatch.setattr(dumps, "check_dump", lambda *_: wrong)
    with pytest.raises(InputError, match="reads otherwise"):
        dump_to_file(lite.database, str(file))
    assert file.read_text() == "older"
    assert not list(tmp_path.glob(".*.part"))


def test_a_place_that_cannot_be_written_is_named(lite: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere/x\.jsonl: cannot be written"):
        dump_to_file(lite.database, str(tmp_path / "nowhere" / "x.jsonl"))
    with pytest.raises(InputError, match="is a folder"):
        dump_to_file(lite.database, str(tmp_path))


def test_an_empty_database_has_nothing_to_dump(url: str) -> None:
    database = connect(url)
    with pytest.raises(InputError, match="is empty; there is nothing to dump"):
        write_dump(database, io.StringIO())
    database.close()


def test_a_dump_goes_into_a_new_database_only(make_url: MakeUrl) -> None:
    url = make_url()
    with open_store(url) as store:
        make_project(store, 3)
    with pytest.raises(InputError, match="is a database of jurybox already"):
        load_file(str(NEWEST), url)
    with open_store(url) as store:
        assert [project.name for project in store.projects()] == ["study"]


# --- what is refused ---


def changed(make: Callable[[list[str]], list[str]], path: Path) -> str:
    lines = make(lines_of(NEWEST.read_text(encoding="utf-8")))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return str(path)


def line_with(lines: list[str], text: str) -> int:
    return next(number for number, line in enumerate(lines) if text in line)


def without(lines: list[str], index: int) -> list[str]:
    return lines[:index] + lines[index + 1 :]


def with_header(**values: Any) -> Callable[[list[str]], list[str]]:
    return lambda lines: [json.dumps({**json.loads(lines[0]), **values}), *lines[1:]]


ROW = line_with(lines_of(NEWEST.read_text(encoding="utf-8")), '{"table":"cases"}') + 3
LAST = len(lines_of(NEWEST.read_text(encoding="utf-8")))
SAMPLES: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "a changed word": (
        lambda lines: [*lines[:ROW], lines[ROW].replace("home", "hone"), *lines[ROW + 1 :]],
        r":\d+: lines \d+ to \d+ are not as they were written \(SHA-256 of the table cases\)",
    ),
    "a lost row": (lambda lines: without(lines, ROW), r"the table cases ends here with 73 rows"),
    "two rows swapped": (
        lambda lines: [*lines[:ROW], lines[ROW + 1], lines[ROW], *lines[ROW + 2 :]],
        "are not as they were written",
    ),
    "half a row": (
        lambda lines: [*lines[:ROW], lines[ROW][:20], *lines[ROW + 1 :]],
        rf":{ROW + 1}: is cut off or changed",
    ),
    "a row with a value less": (
        lambda lines: [*lines[:ROW], "[1]", *lines[ROW + 1 :]],
        rf":{ROW + 1}: is no row of the table cases",
    ),
    "cut off": (lambda lines: lines[: ROW + 1], rf":{ROW + 1}: the dump is cut off behind"),
    "without its last line": (lambda lines: lines[:-1], rf":{LAST - 1}: the dump is cut off"),
    "something behind the end": (lambda lines: [*lines, "[]"], "something behind the end"),
    "tables swapped": (
        lambda lines: [lines[0], '{"table":"users"}', *lines[2:]],
        ":2: the table projects should begin here",
    ),
    "an end too soon": (lambda lines: [lines[0], lines[-1]], ":2: the dump ends before"),
    "another header": (with_header(jurybox="9.9"), r":1: is not as it was written \(SHA-256"),
    "a newer revision": (with_header(revision="0999"), ":1: was written by a newer jurybox"),
    "a newer format": (with_header(version=2), ":1: was written by a newer jurybox"),
    "a revision that is none": (with_header(revision="../x"), ":1: there is no revision"),
    "a version that is none": (with_header(version="x"), ":1: is no dump of jurybox"),
    "tables that are none": (with_header(tables=[7]), ":1: the list of tables is broken"),
    "another format": (with_header(format="else"), ":1: is no dump of jurybox"),
    "something else": (lambda _: ["case,rater,label", "c1,r1,ok"], ":1: is no dump of jurybox"),
    "nothing": (lambda _: [], ": is empty"),
    "an empty object": (lambda lines: [*lines[:ROW], "{}"], "ends here with"),
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_file_that_is_not_as_it_was_written_is_refused_with_its_line(
    tmp_path: Path, sample: str
) -> None:
    make, message = SAMPLES[sample]
    file = changed(make, tmp_path / "dump.jsonl")
    with pytest.raises(FormatError, match=rf"dump\.jsonl{message}|dump\.jsonl:\d+: .*{message}"):
        load_file(file, str(tmp_path / "new.db"))
    assert not list(tmp_path.glob("new.db*"))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_compressed_dump_that_was_cut_off_is_refused(tmp_path: Path, share: float) -> None:
    whole = gzip.compress(NEWEST.read_bytes())
    file = tmp_path / "dump.jsonl.gz"
    file.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(JuryboxError, match=r"dump\.jsonl\.gz"):
        check_dump(Input(file))


def test_no_changed_byte_gets_through(tmp_path: Path) -> None:
    """One bit, in any of sixty places."""
    whole = NEWEST.read_bytes()
    chance = random.Random(3)
    file = tmp_path / "dump.jsonl"
    for place in chance.sample(range(len(whole)), 60):
        changed_byte = bytes([whole[place] ^ 1 << chance.randrange(7)])
        file.write_bytes(whole[:place] + changed_byte + whole[place + 1 :])
        with pytest.raises(JuryboxError):
            check_dump(Input(file))


# --- rows that fit the checksums, and no table ---


def signed(lines: list[str]) -> list[str]:
    """Lines with new checksums, as somebody would make them who edits a dump by hand."""
    header, body = json.loads(lines[0]), lines[1:-1]
    sums: dict[str, str] = {}
    rows: dict[str, list[str]] = {}
    for line in body:
        if line.startswith("{"):
            name = json.loads(line)["table"]
            rows[name] = []
        else:
            rows[name].append(line)
    for entry in header["tables"]:
        entry["rows"] = len(rows[entry["table"]])
    for name, listed in rows.items():
        sums[name] = sha256("".join(f"{line}\n" for line in listed).encode()).hexdigest()
    top = json.dumps(header, separators=(",", ":"))
    whole = sha256("".join(f"{line}\n" for line in (top, *body)).encode()).hexdigest()
    return [top, *body, json.dumps({"end": True, "sha256": whole, "tables": sums})]


@pytest.mark.parametrize(
    "value", ['"text"', "null", str(2**70), "[1]", '{"a":1}', '"\\u0000"', "true", "1.5", "-1"]
)
@pytest.mark.slow
def test_values_that_no_table_takes_are_refused_and_leave_nothing(
    make_url: MakeUrl, tmp_path: Path, value: str
) -> None:
    def spoil(lines: list[str]) -> list[str]:
        row = lines[ROW][1:-1].split(",", 2)  # the number of the case's project
        lines[ROW] = f"[{row[0]},{value},{row[2]}]"
        return signed(lines)

    url, file = make_url(), changed(spoil, tmp_path / "dump.jsonl")
    check_dump(Input(file))
    with pytest.raises(JuryboxError):
        load_file(file, url)
    with open_store(url) as store:
        assert store.projects() == ()


def test_a_row_that_speaks_of_no_other_is_refused(make_url: MakeUrl, tmp_path: Path) -> None:
    def orphan(lines: list[str]) -> list[str]:
        return signed(without(lines, line_with(lines, '{"table":"users"}') + 1))

    with pytest.raises(JuryboxError):
        load_file(changed(orphan, tmp_path / "dump.jsonl"), make_url())


def test_a_table_that_is_missing_or_has_other_columns_is_refused(tmp_path: Path) -> None:
    def rename(lines: list[str]) -> list[str]:
        return signed([lines[0].replace('"pseudonym"', '"nickname"'), *lines[1:]])

    file = changed(rename, tmp_path / "dump.jsonl")
    with pytest.raises(FormatError, match="the table raters is not that of revision"):
        load_file(file, str(tmp_path / "new.db"))
