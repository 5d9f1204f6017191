"""`jurybox serve`: the annotation server; its task `new` is in `serve_new.py`."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Annotated

from jurybox.cli._app import Command
from jurybox.cli.stored import DATABASE, Database, check_there
from jurybox.errors import UsageError, plural, unknown_name
from jurybox.options import Opt, Options

USAGE = "jurybox serve [new|password] [--db URL] [--demo] [--host HOST] [--port PORT]"

HELP = """\
Collect judgments: a web server on which people judge cases and correct essays, blind and exactly
as often as asked.

Raters open a link; there is nothing to install. Projects are made in the browser, or by
jurybox serve new. Everything is in one database: a file, or PostgreSQL for many raters at once. The
first time, a link is printed at which the admin chooses a name and a password.

tasks:
  new       a project: its cases, how often each is judged, what raters do
  password  a new password for somebody

examples:
  jurybox serve new prepositions --cases sample/cases.jsonl --per-case 3 --gold-rate .1
  jurybox serve
  jurybox serve --demo
  jurybox serve --db study.db --port 8080
  jurybox serve --db postgresql://jurybox@localhost/study --host 0.0.0.0

jurybox serve TASK --help tells more."""

#: where the requests of a reverse proxy on the same machine come from
THIS_MACHINE = ("127.0.0.1", "::1")


class Call(Database):
    demo: Annotated[
        bool,
        Opt(
            "a project per task, made of the bundled sample, in a database that is thrown away "
            "unless --db names one"
        ),
    ] = False
    host: Annotated[
        str, Opt("the address to listen at; 0.0.0.0 is reached from other machines", "HOST")
    ] = "127.0.0.1"
    port: Annotated[int, Opt("the port to listen at; 0 is any that is free", "PORT")] = 8000
    url: Annotated[
        str | None, Opt("public URL of the server, if it is behind a reverse proxy", "ADDRESS")
    ] = None
    proxy: Annotated[
        tuple[str, ...],
        Opt(
            "addresses of web servers before it, which may say where a request comes from; this "
            "machine where --url is given, else none",
            "ADDRESS",
        ),
    ] = ()


def run(call: Call) -> None:
    """Open the port and the database, print where everything is, and serve until Ctrl-C."""
    # here, for they need what only `pip install 'jurybox[serve]'` brings; the first says so
    from jurybox.serve.store import open_store  # isort: skip
    from tempfile import TemporaryDirectory

    from jurybox.serve.app import address_of, check_proxies, listen, make_app, run_app
    from jurybox.serve.demo import make_demo
    from jurybox.serve.routes.auth import entrance_path, setup_path

    if call.url is not None:
        check_address(call.url)
    with ExitStack() as stack:
        url = call.db or DATABASE
        if call.demo and not call.db:
            folder = stack.enter_context(TemporaryDirectory(prefix="jurybox-demo-"))
            url = f"{folder}/demo.db"
        store = stack.enter_context(open_store(url))
        proxies = check_proxies(call.proxy or (THIS_MACHINE if call.url else ()))
        found = stack.enter_context(listen(call.host, call.port))
        app = make_app(store, base=call.url or "")
        site = app.state.site
        base = (call.url or address_of(found, call.host)).rstrip("/")
        if call.demo:
            demo = make_demo(store)
            width = max(len(project.name) for project in demo.projects)
            links = [
                f"  {project.name.ljust(width)}  {base}/j/{site.tokens.link(project)}"
                for project in demo.projects
            ]
            admin = f"{base}{entrance_path(site, demo.admin)}"
            lines = ["Judge here:", *links, "", "Watch here, as the admin:", f"  {admin}"]
        else:
            projects = plural(len(store.projects()), "project")
            lines = [f"jurybox serves {store.database.name} ({projects}) at {base}/admin"]
            if not store.users():
                link = f"  {base}{setup_path(site)}"
                lines += ["There is no admin yet. Choose a password here:", link]
        print("\n".join([*lines, "", "Ctrl-C ends the server."]), flush=True)
        run_app(app, found, proxies)
    print("The server has ended. Everything that was acknowledged is stored.")


def check_address(base: str) -> None:
    """An address that browsers can be sent to."""
    if not base.startswith(("http://", "https://")):
        raise UsageError(f"--url {base}: begin it with https://")
    if base.rstrip("/").count("/") > 2:
        raise UsageError(
            f"--url {base}: give a host, and a port perhaps, without a path; the server needs a "
            "name of its own, as https://judge.example.org"
        )


class Account(Options):
    name: Annotated[str, Opt("the name that somebody logs in with", "NAME", positional=True)]


class NewPassword(Account, Database): ...


def set_password(call: NewPassword) -> None:
    from jurybox.serve.store import open_store  # says what to install, if need be

    url = call.db or DATABASE
    check_there(url)
    with open_store(url) as store:
        known = [user.name for user in store.users()]
        if not known:
            raise UsageError(
                "nobody has a password yet; start jurybox serve, which prints a link for the first "
                "admin"
            )
        if call.name not in known:  # before anybody types a password in vain
            raise unknown_name("user", call.name, known)
        if not sys.stdin.isatty():
            password = sys.stdin.readline().rstrip("\r\n")
        else:
            from getpass import getpass

            password = getpass(f"New password of {call.name}: ")
            if getpass("The same again: ") != password:
                raise UsageError("the two passwords are not the same; nothing was changed")
        user = store.set_password(call.name, password)
        print(f"{user.name} ({user.role}) has a new password. Sessions with the old one are over.")


TASKS = {
    "password": Command(
        "jurybox serve password NAME [--db URL]",
        """\
Give somebody a new password: an admin who forgot theirs, or somebody who has no access any more.

The password is asked for, twice, and not shown; or it is the first line of standard input. Sessions
that were begun with the old one are over. The server may run meanwhile.

examples:
  jurybox serve password ada
  jurybox serve password ada --db study.db""",
        NewPassword,
        set_password,
    )
}
