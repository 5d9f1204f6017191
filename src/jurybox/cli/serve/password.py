"""`jurybox serve password`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from getpass import getpass

from jurybox.cli.stored import DATABASE, add_database, check_there
from jurybox.errors import UsageError, unknown_name

USAGE = "jurybox serve password NAME [--db URL]"

HELP = """\
Give somebody a new password: an admin who forgot theirs, or somebody who has no access any more.

The password is asked for, twice, and not shown; or it is the first line of standard input. Sessions
that were begun with the old one are over. The server may run meanwhile.

examples:
  jurybox serve password ada
  jurybox serve password ada --db study.db"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("name", metavar="NAME", help="the name that somebody logs in with")
    add_database(parser)


def run(options: Namespace) -> None:
    """Ask for the password, and set it."""
    from jurybox.serve.store import open_store  # says what to install, if need be

    url = options.db or DATABASE
    check_there(url)
    with open_store(url) as store:
        known = [user.name for user in store.users()]
        if not known:
            raise UsageError(
                "nobody has a password yet; start jurybox serve, which prints a link for the first "
                "admin"
            )
        if options.name not in known:  # before anybody types a password in vain
            raise unknown_name("user", options.name, known)
        user = store.set_password(options.name, _ask(options.name))
        print(
            f"{user.name} ({user.role}) has a new password. Sessions with the old one are over.",
        )


def _ask(name: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass(f"New password of {name}: ")
    if getpass("The same again: ") != password:
        raise UsageError("the two passwords are not the same; nothing was changed")
    return password
