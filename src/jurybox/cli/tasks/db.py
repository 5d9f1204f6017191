"""`jurybox db`: dumps of the annotation server's database, and raters who are forgotten."""

from __future__ import annotations

import sys
from typing import Annotated

from jurybox.cli._app import Command
from jurybox.cli._progress import progress_line
from jurybox.cli.stored import DATABASE, Database, check_there, opened
from jurybox.errors import plural
from jurybox.options import Opt, Options

USAGE = "jurybox db TASK [--db URL] [options]"

HELP = """\
Back up and restore the database of the annotation server, or move it elsewhere; forget raters.

A dump is one file for both kinds of databases: what was dumped from SQLite can be loaded into
PostgreSQL, and the other way round. The server may run meanwhile.

tasks:
  dump    a database to a file
  load    a file to a new database
  verify  is a file whole, and as it was written?
  forget  a rater who asks for it

examples:
  jurybox db dump -o backup.jsonl.gz
  jurybox db verify backup.jsonl.gz
  jurybox db load backup.jsonl.gz --db restored.db

jurybox db TASK --help tells more."""

WARNING = (
    "Keep it private: names of raters, passwords (hashed) and the key of all sessions are in it."
)


class Dump(Database):
    output: Annotated[
        str, Opt("where to; gzipped if it ends in .gz, - is standard output", "FILE", short="-o")
    ]


def dump(call: Dump) -> None:
    from jurybox.formats import writing
    from jurybox.formats._io import is_pipe
    from jurybox.serve.store.database import connect, named_errors  # says what to install
    from jurybox.serve.store.dumps import dump_to_file, write_dump

    url = call.db or DATABASE
    check_there(url)
    to_pipe = call.output == "-" or is_pipe(call.output)
    database = connect(url)
    try:
        with progress_line("dumping") as line:
            if to_pipe:
                with writing(call.output) as out, named_errors(database.name):
                    contents = write_dump(database, out, line)
            else:
                contents = dump_to_file(database, call.output, line)
    finally:
        database.close()
    told = sys.stderr if to_pipe else sys.stdout
    print(f"{call.output}: {contents.summary()}", WARNING, sep="\n", file=told)


class DumpFile(Options):
    file: Annotated[str, Opt("what jurybox db dump wrote", "FILE", positional=True)]


class Load(DumpFile, Database): ...


def load(call: Load) -> None:
    from jurybox.serve.store.dumps import load_file  # says what to install, if need be

    with progress_line("loading") as line:
        contents = load_file(call.file, call.db or DATABASE, line)
    print(f"{call.file}: loaded and compared: {contents.summary()}")


def verify(call: DumpFile) -> None:
    from jurybox.formats import Input
    from jurybox.serve.store.dumps import check_dump  # says what to install, if need be

    with progress_line("checking") as line:
        contents = check_dump(Input(call.file), line)
    print(f"{call.file}: as it was written: {contents.summary()}")


class ForgottenRater(Options):
    rater: Annotated[
        str,
        Opt("R1, R2 … as in exports, a Prolific id, or the name given", "RATER", positional=True),
    ]
    project: Annotated[str | None, Opt("the project in it", "NAME")] = None


class Forget(ForgottenRater, Database):
    with_judgments: Annotated[
        bool, Opt("remove their judgments, too; their cases are assigned again")
    ] = False


def forget(call: Forget) -> None:
    with opened(call.db, call.project) as (store, project):
        done = store.forget_rater(project.id, call.rater, with_judgments=call.with_judgments)
    print(
        f"{done.rater}: forgotten; {plural(done.removed, 'judgment')} removed, {done.kept} kept. "
        "Dumps from before still hold everything: remove those, too."
    )


TASKS = {
    "dump": Command(
        "jurybox db dump -o FILE [--db URL]",
        """\
Write a whole database into one file: projects, cases, judgments, raters, users.

The file holds what was true at one moment; the server may run, and raters may judge, meanwhile. It
is read again before it takes its place. It has to be kept private, for it holds the names that
raters gave, passwords (hashed), and the key that signs links and sessions. Only its owner may read
it. Encrypt it where it leaves the machine.

examples:
  jurybox db dump -o backup.jsonl.gz
  jurybox db dump --db study.db -o backup.jsonl.gz
  jurybox db dump --db postgresql://jurybox@localhost/study -o backup.jsonl.gz""",
        Dump,
        dump,
    ),
    "load": Command(
        "jurybox db load FILE [--db URL]",
        """\
Load a dump into a new database: everything in it, or nothing.

The file is checked before the database is touched, and what was loaded is read back and compared.
A dump of an older jurybox is upgraded. Links and sessions work on as before.

examples:
  jurybox db load backup.jsonl.gz --db restored.db
  jurybox db load backup.jsonl.gz --db postgresql://jurybox@localhost/study""",
        Load,
        load,
    ),
    "verify": Command(
        "jurybox db verify FILE",
        """\
Read a dump to its end: is it whole, and as it was written?

Every row is compared with the checksums at the end of the file. No database is needed. What is
wrong is named with its line, and the exit code is 1.

examples:
  jurybox db verify backup.jsonl.gz""",
        DumpFile,
        verify,
    ),
    "forget": Command(
        "jurybox db forget RATER --project NAME [--db URL] [--with-judgments]",
        """\
Remove what identifies a rater: name, Prolific ids, questionnaire, account.

Their judgments stay, as those of R7, unless --with-judgments is given: then they go, and their
cases are assigned again. The rater gets no more work. It cannot be undone; earlier dumps still hold
it all.

examples:
  jurybox db forget R1 --project prepositions
  jurybox db forget R7 --project prepositions --db study.db --with-judgments
  jurybox db forget 5f8a7c01d2 --project prepositions --db study.db""",
        Forget,
        forget,
    ),
}
