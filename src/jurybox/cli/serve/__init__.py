"""`jurybox serve`: the annotation server; its tasks are `new.py` and `password.py`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from typing import TYPE_CHECKING

from jurybox.cli.stored import DATABASE, add_database
from jurybox.errors import UsageError, plural

if TYPE_CHECKING:
    from jurybox.serve.model import Project
    from jurybox.serve.store import Store

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


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_database(parser)
    parser.add_argument(
        "--demo",
        action="store_true",
        help="a project per task, made of the bundled sample, in a database that is thrown away "
        "unless --db names one",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="HOST",
        help="the address to listen at; 0.0.0.0 is reached from other machines "
        "(default: 127.0.0.1)",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=8000,
        metavar="PORT",
        help="the port to listen at; 0 is any that is free (default: 8000)",
    )
    parser.add_argument(
        "--url",
        metavar="ADDRESS",
        help="public URL of the server, if it is behind a reverse proxy",
    )
    parser.add_argument(
        "--proxy",
        nargs="+",
        metavar="ADDRESS",
        help="addresses of web servers before it, which may say where a request comes from; this "
        "machine where --url is given, else none",
    )


def run(options: Namespace) -> None:
    """Open the port and the database, print where everything is, and serve until Ctrl-C."""
    # here, for they need what only `pip install 'jurybox[serve]'` brings; the first says so
    from jurybox.serve.store import open_store  # isort: skip
    from tempfile import TemporaryDirectory

    from jurybox.serve.app import make_app
    from jurybox.serve.demo import make_demo
    from jurybox.serve.routes.auth import entrance_path, setup_path
    from jurybox.serve.running import address_of, check_proxies, listen, run_app

    if options.url is not None:
        check_address(options.url)
    with ExitStack() as stack:
        url = options.db or DATABASE
        if options.demo and not options.db:
            folder = stack.enter_context(TemporaryDirectory(prefix="jurybox-demo-"))
            url = f"{folder}/demo.db"
        store = stack.enter_context(open_store(url))
        proxies = check_proxies(options.proxy or (THIS_MACHINE if options.url else ()))
        found = stack.enter_context(listen(options.host, options.port))
        app = make_app(store, base=options.url or "")
        site = app.state.site
        base = (options.url or address_of(found, options.host)).rstrip("/")
        if options.demo:
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


def link_lines(store: Store, number: int, base: str) -> list[str]:
    """What is printed of a new project."""
    from jurybox.serve.tokens import Tokens

    project = store.project_by_id(number)
    token = Tokens(store.secret).link(project)
    return [
        f"{project.name}: {_amounts(project)}",
        "Link for raters:",
        f"  {base.rstrip('/')}/j/{token}",
    ]


def _amounts(project: Project) -> str:
    times, practice = project.settings.per_case, f"{project.practice} for practice"
    if project.task == "correct":
        essays, people = plural(project.cases, "essay"), plural(times, "annotator")
        return f"{essays}, {people} each; {practice}"
    cases, judgments = plural(project.cases, "case"), plural(times, "judgment")
    return f"{cases}, {judgments} each; {plural(project.gold, 'gold case')}, {practice}"
