"""Options about databases of the annotation server, for the server and for who reads its judgments.

`agree`, `evaluate` and `sample estimate` take `--db` and `--project` instead of files. They read
the bytes that the server would export, so every number is the one that the file gives.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jurybox.errors import InputError, UsageError

if TYPE_CHECKING:
    from jurybox.formats import Input
    from jurybox.serve.model import Project
    from jurybox.serve.store import Store

DATABASE = "jurybox.db"
#: what exports call adjudicators (jurybox.serve.essays, which is not loaded for options)
ADJUDICATOR = "ADJ"


def add_database(parser: Any) -> None:
    """Where the server keeps everything."""
    parser.add_argument(
        "--db",
        metavar="URL",
        help="the database: a file, sqlite:///FILE or postgresql://USER@HOST/NAME; "
        f"{DATABASE} unless given",
    )


def add_stored(parser: ArgumentParser) -> Any:
    """Judgments straight out of a server's database."""
    group = parser.add_argument_group("judgments of an annotation server")
    group.add_argument(
        "--db",
        metavar="URL",
        help="the database of jurybox serve: a file, sqlite:///FILE or postgresql://USER@HOST/NAME",
    )
    group.add_argument("--project", metavar="NAME", help="the project in it")
    return group


def add_judgments_or_stored(parser: ArgumentParser) -> None:
    """Files with judgments, or a project of a server."""
    parser.add_argument(
        "judgments",
        nargs="*",
        metavar="JUDGMENTS",
        help="judgments: a table with case,rater,label (CSV, TSV, JSONL) or the export of a "
        "platform, told by content",
    )
    add_stored(parser)


def check_stored(options: Namespace, files: object, what: str) -> None:
    """Judgments come from files or from a database: one of them, and with its project."""
    if options.db is None:
        if options.project is not None:
            raise UsageError(f"--project {options.project}: name the database too, with --db")
        if not files:
            raise UsageError(
                f"the judgments are missing: name {what}, or a server's database with --db and "
                "--project"
            )
        return
    if files:
        raise UsageError(f"give {what}, or --db and --project, not both")


@contextmanager
def opened(options: Namespace) -> Iterator[tuple[Store, Project]]:
    """The project that `--db` and `--project` name."""
    from jurybox.serve.store import open_store

    check_there(options.db)
    with open_store(options.db) as store:
        if options.project is None:
            names = ", ".join(project.name for project in store.projects()) or "there is none yet"
            raise UsageError(
                f"--db {options.db}: name the project with --project (one of: {names})"
            )
        yield store, store.project(options.project)


def stored_judgments(store: Store, project: Project, **wish: Any) -> Input:
    """The judgments of a project, as a file would hold them: at least one."""
    found = store.judgments_input(project.id, **wish)
    if found.peek().count(b"\n") <= 1:  # the header
        raise InputError(f"the project '{project.name}' has no judgment yet; come back later")
    return found


def check_there(url: str) -> None:
    """Whoever reads does not want a new database."""
    from pathlib import Path

    if "://" in url and not url.startswith("sqlite:///"):
        return
    path = url.removeprefix("sqlite:///")
    if path and Path(path).is_dir():
        raise InputError(f"--db {url}: is a folder; name the file that jurybox serve uses")
    if path and not Path(path).is_file():
        raise InputError(f"--db {url}: there is no such file; name the one that jurybox serve uses")
