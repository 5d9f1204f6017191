"""`jurybox serve new`."""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jurybox.cli.flags import OneOf
from jurybox.cli.serve import check_address, link_lines
from jurybox.cli.stored import DATABASE, add_database
from jurybox.errors import InputError, JuryboxWarning
from jurybox.formats import Input
from jurybox.serve.settings import ASKED, ProjectSetting, Task, settings_of

if TYPE_CHECKING:
    from jurybox.serve.model import Project
from jurybox.shared_options import pairs_of_columns, pairs_of_meanings

USAGE = "jurybox serve new NAME --cases FILE [options]"

HELP = """\
Make a project of the annotation server: its cases, how often each is judged, what raters are told.

Cases are a table with case,sentence,start,end (CSV, TSV, JSONL), the blind file of
jurybox sample draw, or M2. Further columns: before (the sentence before), purpose (work, gold or
practice), gold (the right answer), feedback (said after practice), first and second (choice).
Essays to correct are SGML, M2, plain text, or a table with case,sentence.

examples:
  jurybox serve new prepositions --cases sample/cases.jsonl --per-case 3 --gold-rate .1
  jurybox serve new pilot --cases cases.csv --per-case 5 --gold-rate .1 --gold-rule 0.7:5 \\
    --replace-flagged
  jurybox serve new drawn --db study.db --cases blind.csv --key key.jsonl --in-order
  jurybox serve new gaps --task cloze --cases cases.csv --fillers in,on,at
  jurybox serve new essays --task correct --cases essays.sgml --per-case 2
  jurybox serve new own --task correct --cases essays.m2 --documents documents.txt \\
    --categories categories.txt
  jurybox serve new trained --task judge-trained --cases essays.m2 --construction preposition
  jurybox serve new pay --cases cases.csv --per-rater 50 --questionnaire questions.txt \\
    --completion-url https://app.prolific.com/submissions/complete?cc=C123
  jurybox serve new watched --cases blind.csv --key key.jsonl --pay '$0.02' --fee 20% \\
    --precise-within .05"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task: where cases come from, and a project's settings."""
    parser.add_argument("name", metavar="NAME", help=ASKED["name"].help)
    add_database(parser)
    parser.add_argument("--cases", metavar="FILE", help="what is judged")
    parser.add_argument(
        "--key", metavar="FILE", help="the key of jurybox sample draw; raters see nothing of it"
    )
    groups: dict[str, Any] = {"": parser}
    for one in ASKED.values():
        if one.name != "name":
            if one.group not in groups:
                groups[one.group] = parser.add_argument_group(one.group)
            _add_setting(groups[one.group], one)
    groups["how much"].add_argument(
        "--in-order",
        action="store_true",
        help="assign cases in the order of the file, not in a random one: raters can recognise "
        "gold by its position",
    )
    groups["texts for raters"].add_argument(
        "--url",
        default="http://127.0.0.1:8000",
        metavar="ADDRESS",
        help="where the server is, for the link that is printed (default: http://127.0.0.1:8000)",
    )
    group = parser.add_argument_group("reading")
    for flag, metavar, text in (
        ("--columns", "OURS=TITLE", "which columns are meant, as case=id,sentence=text"),
        ("--relabel", "WORD=LABEL", "what labels in gold mean, as Yes=ok,No=error"),
    ):
        group.add_argument(flag, nargs="+", action="extend", metavar=metavar, help=text)
    group.add_argument(
        "--construction",
        metavar="NAME",
        help="M2: which places are cases (preposition unless given)",
    )
    group.add_argument(
        "--documents",
        metavar="FILE",
        help="essays in M2 or text: a document map, an essay's id for every sentence",
    )


def _add_setting(group: Any, one: ProjectSetting) -> None:
    text = one.help.replace("%", "%%")
    if one.widget == "switch":
        group.add_argument(one.option, action="store_true", help=text)
        return
    kind: Any = one.read if one.read in (int, float) else str
    if one.name == "task":
        kind = OneOf(*Task)
    default = None if one.is_by_task or not one.default_text else one.default
    if default is not None:
        text = f"{text} (default: {default})"
    group.add_argument(one.option, type=kind, default=default, metavar=one.metavar, help=text)


def run(options: Namespace) -> None:
    """Make the project, and print the link for raters."""
    # here, for they need what only `pip install 'jurybox[serve]'` brings
    from jurybox.serve.projects import Files, check_project
    from jurybox.serve.store import open_store

    fields: dict[str, str] = {}
    for name, one in ASKED.items():
        value = getattr(options, name)
        if value is not None and value is not False:
            text = "yes" if value is True else str(value)
            fields[name] = _read_text(text) if one.widget == "area" else text
    settings = settings_of(fields)
    files = Files(
        cases=(Input(options.cases),) if options.cases else (),
        keys=(Input(options.key),) if options.key else (),
        columns=pairs_of_columns(options.columns or (), "--columns"),
        labels=pairs_of_meanings(options.relabel or (), "--relabel"),
        construction=options.construction,
        documents=Input(options.documents) if options.documents else None,
    )
    check_address(options.url)
    # whatever is wrong with it is said before there is a database
    checked = check_project(settings, files)
    with open_store(options.db or DATABASE) as store:
        filled = checked.make(store, shuffle=not options.in_order)
        for note in (*filled.notes, *_doubts(filled.project)):
            warnings.warn(note, JuryboxWarning, stacklevel=1)
        print("\n".join(link_lines(store, filled.project.id, options.url)))


def _doubts(project: Project) -> Iterator[str]:
    """What was probably not meant: a project without work, gold that does nothing."""
    if not project.cases:
        some = project.gold or project.practice
        what = "every case is gold or practice" if some else "no --cases"
        yield f"there is nothing to judge yet ({what}); add cases on the page of the project"
    rate = project.settings.gold_rate
    if project.gold and not rate:
        yield "nobody sees the gold cases: --gold-rate is 0"
    elif rate and not project.gold:
        yield f"--gold-rate is {rate:g}, and no case is gold: fill in the column gold"
    elif project.settings.gold_rule and not rate:
        yield "--gold-rule stops nobody: --gold-rate is 0"


def _read_text(path: str) -> str:
    from pathlib import Path  # --help does without

    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise InputError(f"{path}: cannot be read ({reason})") from None
    if not text.strip():
        raise InputError(f"{path}: is empty; write something into it, or leave the option out")
    return text
