"""`jurybox db forget`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli.stored import DATABASE, add_database, opened
from jurybox.errors import plural

USAGE = "jurybox db forget RATER --project NAME [--db URL] [--with-judgments]"

HELP = """\
Remove what identifies a rater: name, Prolific ids, questionnaire, account.

Their judgments stay, as those of R7, unless --with-judgments is given: then they go, and their
cases are assigned again. The rater gets no more work. It cannot be undone; earlier dumps still hold
it all.

examples:
  jurybox db forget R1 --project prepositions
  jurybox db forget R7 --project prepositions --db study.db --with-judgments
  jurybox db forget 5f8a7c01d2 --project prepositions --db study.db"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument(
        "rater", metavar="RATER", help="R1, R2 … as in exports, a Prolific id, or the name given"
    )
    parser.add_argument("--project", metavar="NAME", help="the project in it")
    add_database(parser)
    parser.add_argument(
        "--with-judgments",
        action="store_true",
        help="remove their judgments, too; their cases are assigned again",
    )


def run(options: Namespace) -> None:
    """Forget, and say what is left."""
    options.db = options.db or DATABASE
    with opened(options) as (store, project):
        done = store.forget_rater(project.id, options.rater, with_judgments=options.with_judgments)
    print(
        f"{done.rater}: forgotten; {plural(done.removed, 'judgment')} removed, {done.kept} kept. "
        "Dumps from before still hold everything: remove those, too."
    )
