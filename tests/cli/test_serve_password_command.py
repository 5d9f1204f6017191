"""`jurybox serve password`: whoever forgot theirs comes in again."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from jurybox.cli import run
from jurybox.serve.model import Role
from jurybox.serve.store import Store, open_store
from serve.running_site import hash_quickly

OLD, NEW = "correct horse", "battery staple"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    hash_quickly(monkeypatch)
    monkeypatch.chdir(tmp_path)
    with open_store("study.db") as opened:
        opened.add_user("ada", OLD)
        opened.add_user("bea", OLD, Role.ADJUDICATOR)
        yield opened


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_new_password_lets_in_and_the_old_one_no_longer(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = store.users()[0]
    type_in(monkeypatch, f"{NEW}\r\n")
    assert run(["serve", "password", "ada", "--db", "study.db"]) == 0
    assert capsys.readouterr().out == (
        "ada (admin) has a new password. Sessions with the old one are over.\n"
    )
    assert store.log_in("ada", OLD) is None
    user = store.log_in("ada", NEW)
    assert user is not None
    assert user.session != before.session


def test_it_gives_access_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.remove_access("bea")
    type_in(monkeypatch, NEW)
    assert run(["serve", "password", "bea", "--db", "study.db"]) == 0
    assert store.log_in("bea", NEW) is not None


@pytest.mark.parametrize(
    ("arguments", "typed", "message"),
    [
        ("ada --db study.db", "short\n", "at least 8 characters"),
        ("ada --db study.db", "", "at least 8 characters"),
        ("adda --db study.db", NEW, "did you mean 'ada'?"),
        ("ada --db other.db", NEW, "there is no such file"),
        ("ada", NEW, "there is no such file"),
    ],
)
@pytest.mark.usefixtures("store")
def test_what_is_wrong_is_said_and_nothing_changes(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    arguments: str,
    typed: str,
    message: str,
) -> None:
    type_in(monkeypatch, typed)
    assert run(["serve", "password", *arguments.split()]) in (1, 2)
    assert message in capsys.readouterr().err
    with open_store("study.db") as store:
        assert store.log_in("ada", OLD) is not None
    assert not Path("other.db").exists()


def test_a_database_without_users_says_where_the_first_admin_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    open_store(f"{tmp_path}/new.db").close()
    type_in(monkeypatch, NEW)
    assert run(["serve", "password", "ada", "--db", f"{tmp_path}/new.db"]) == 2
    assert "prints a link for the first admin" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("again", "code"), [(NEW, 0), ("another one", 2)])
def test_at_a_terminal_it_is_asked_for_twice_and_not_shown(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    again: str,
    code: int,
) -> None:
    answers = iter([NEW, again])
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(answers))
    assert run(["serve", "password", "ada", "--db", "study.db"]) == code
    said = capsys.readouterr()
    assert NEW not in said.out + said.err
    assert (store.log_in("ada", NEW) is not None) is (code == 0)
