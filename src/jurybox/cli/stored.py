"""Judgments straight out of the database of an annotation server, in place of files.

`agree`, `evaluate` and `sample estimate` take `--db` and `--project`. They read the bytes that the
server would export, so every number is the one that the file gives.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import InputError, UsageError
from jurybox.options import Opt, Options

if TYPE_CHECKING:
    from jurybox.formats import Input
    from jurybox.serve.model import Project
    from jurybox.serve.store import Store

DATABASE = "jurybox.db"
#: what exports call adjudicators (jurybox.serve.essays, which is not loaded for options)
ADJUDICATOR = "ADJ"


class Database(Options):
    """Where the server keeps everything."""

    db: Annotated[
        str | None,
        Opt(
            "the database: a file, sqlite:///FILE or postgresql://USER@HOST/NAME; "
            f"{DATABASE} unless given",
            "URL",
        ),
    ] = None


class StoredJudgments(Options, group="judgments of an annotation server"):
    """A project in the database of a server."""

    db: Annotated[
        str | None,
        Opt(
            "the database of jurybox serve: a file, sqlite:///FILE or postgresql://USER@HOST/NAME",
            "URL",
        ),
    ] = None
    project: Annotated[str | None, Opt("the project in it", "NAME")] = None


def check_stored(call: StoredJudgments, files: object, what: str) -> None:
    """Judgments come from files or from a database: one of them, and with its project."""
    if call.db is None:
        if call.project is not None:
            raise UsageError(f"--project {call.project}: name the database too, with --db")
        if not files:
            raise UsageError(
                f"the judgments are missing: name {what}, or a server's database with --db and "
                "--project"
            )
    elif files:
        raise UsageError(f"give {what}, or --db and --project, not both")


@contextmanager
def opened(db: str | None, project: str | None) -> Iterator[tuple[Store, Project]]:
    """The project that `--db` and `--project` name."""
    from jurybox.serve.store import open_store  # SQLAlchemy

    url = db or DATABASE
    check_there(url)
    with open_store(url) as store:
        if project is None:
            names = ", ".join(one.name for one in store.projects()) or "there is none yet"
            raise UsageError(f"--db {url}: name the project with --project (one of: {names})")
        yield store, store.project(project)


def stored_judgments(store: Store, project: Project, **choice: Any) -> Input:
    """The judgments of a project, as a file would hold them: at least one."""
    found = store.judgments_input(project.id, **choice)
    if found.peek().count(b"\n") <= 1:  # the header
        raise InputError(f"the project '{project.name}' has no judgment yet; come back later")
    return found


def check_there(url: str) -> None:
    """Whoever reads does not want a new database."""
    if "://" in url and not url.startswith("sqlite:///"):
        return
    path = url.removeprefix("sqlite:///")
    if path and os.path.isdir(path):  # noqa: PTH112  as quick as can be
        raise InputError(f"--db {url}: is a folder; name the file that jurybox serve uses")
    if path and not os.path.isfile(path):  # noqa: PTH113  see above
        raise InputError(f"--db {url}: there is no such file; name the one that jurybox serve uses")
