"""`jurybox serve new`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jurybox.cli._options import OneOf, add_files
from jurybox.cli._serve_options import DATABASE, add_database
from jurybox.cli.serve import check_address, link_lines
from jurybox.errors import InputError

if TYPE_CHECKING:
    from jurybox.serve.model import Project

USAGE = "jurybox serve new NAME --cases FILE [options]"

HELP = """\
Make a project of the annotation server: its cases, how often each is judged, what raters are told.

Cases are a table with case,sentence,start,end (CSV, TSV, JSONL), the blind file of
jurybox sample draw, or M2. Further columns: before (the sentence before), purpose (work, gold or
practice), gold (the right answer), feedback (said after practice), first and second (choice).
Essays to correct are SGML, M2, plain text, or a table with case,sentence.

examples:
  jurybox serve new prepositions --cases sample/cases.jsonl --per-case 3 --gold-rate .1
  jurybox serve new pilot --cases cases.csv --per-case 5 --gold-rate .1 --gold-rule 0.7:5
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

#: options that are fields of a project by the same name
_TEXTS = (
    *("task", "per_case", "per_rater", "lease", "repeats", "gold_rate", "gold_rule"),
    *("completion_code", "completion_url", "fillers", "seed"),
    *("pay", "fee", "precise_within"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("name", metavar="NAME", help="the project's name; raters see it")
    add_database(parser)
    parser.add_argument("--cases", metavar="FILE", help="what is judged")
    parser.add_argument(
        "--key", metavar="FILE", help="the key of jurybox sample draw; raters see nothing of it"
    )
    parser.add_argument(
        "--task",
        default="judge",
        metavar="TASK",
        type=OneOf("judge", "judge-trained", "cloze", "choice", "correct"),
        help="what raters do: judge, judge-trained, cloze, choice or correct (default: judge)",
    )
    _add_amounts(parser)
    _add_gold(parser)
    _add_words(parser)
    _add_watching(parser)
    _add_reading(parser)


def _add_amounts(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how much")
    group.add_argument(
        "--per-case",
        type=int,
        default=1,
        metavar="N",
        help="judgments that every case gets, exactly (default: 1)",
    )
    group.add_argument(
        "--per-rater", type=int, metavar="N", help="cases that a rater judges at most"
    )
    group.add_argument(
        "--lease",
        type=float,
        metavar="MINUTES",
        help="a case that is not answered by then goes to somebody else (15 unless given, and a "
        "day, 1440, for essays)",
    )
    group.add_argument(
        "--repeats",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of cases that a rater sees twice, to measure self-agreement (default: 0.0)",
    )
    group.add_argument(
        "--in-order",
        action="store_true",
        help="hand out in the order of the file, not in a random one: gold can be told by its "
        "place",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of the random numbers: the same seed gives the same digits (default: 1)",
    )


def _add_gold(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("gold")
    group.add_argument(
        "--gold-rate",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of gold cases in what a rater sees (default: 0.0)",
    )
    group.add_argument(
        "--gold-rule",
        metavar="SHARE:N",
        help="0.7:5 stops raters with less than 70 %% right after 5 gold cases; 0.7:5:warn warns "
        "them",
    )


def _add_words(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("words for raters")
    group.add_argument(
        "--instructions", metavar="FILE", help="text; a blank line begins a new paragraph"
    )
    group.add_argument(
        "--questionnaire",
        metavar="FILE",
        help="a question per line, asked at the end; a star behind it if it must be answered, "
        "options behind bars: How was it? * | easy | hard",
    )
    group.add_argument("--completion-code", metavar="CODE", help="shown at the end")
    group.add_argument(
        "--completion-url", metavar="ADDRESS", help="where raters are sent at the end"
    )
    group.add_argument(
        "--fillers", metavar="WORDS", help="cloze: raters choose one of these, as in,on,at"
    )
    group.add_argument(
        "--categories",
        metavar="FILE",
        help="correct: kinds of errors, NAME | title | help in a line each; the 28 of NUCLE unless "
        "given",
    )
    group.add_argument(
        "--url",
        default="http://127.0.0.1:8000",
        metavar="ADDRESS",
        help="where the server is, for the link that is printed (default: http://127.0.0.1:8000)",
    )


def _add_watching(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("on the dashboard")
    group.add_argument(
        "--pay",
        metavar="AMOUNT",
        help="what one judgment is paid, as $0.02, or an hour of work, as $12/hour",
    )
    group.add_argument(
        "--fee", metavar="SHARE", help="what a marketplace takes on top of the pay, as 20%%"
    )
    group.add_argument(
        "--precise-within",
        type=float,
        metavar="SHARE",
        help="how far precision and recall may be off, as 0.05: when it will be so is foretold",
    )


def _add_reading(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    add_files(
        group, "--map", "which columns are meant, as case=id,sentence=text", metavar="OURS=TITLE"
    )
    add_files(
        group, "--labels", "what labels in gold mean, as Yes=ok,No=error", metavar="WORD=LABEL"
    )
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


def run(options: Namespace) -> None:
    """Make the project, and print the link for raters."""
    import warnings

    from jurybox.cli.evaluate import read_pairs
    from jurybox.errors import JuryboxWarning
    from jurybox.formats import Input
    from jurybox.serve.project_forms import Files, make_project, settings_of
    from jurybox.serve.store import open_store

    given = {name: getattr(options, name) for name in _TEXTS}
    fields = {name: str(value) for name, value in given.items() if value is not None}
    for name in ("instructions", "questionnaire", "categories"):
        fields[name] = _read_text(getattr(options, name))
    settings = settings_of({**fields, "name": options.name})
    files = Files(
        cases=(Input(options.cases),) if options.cases else (),
        keys=(Input(options.key),) if options.key else (),
        columns=read_pairs(options.map, "--map"),
        labels=read_pairs(options.labels, "--labels"),
        construction=options.construction,
        documents=Input(options.documents) if options.documents else None,
    )
    check_address(options.url)
    with open_store(options.db or DATABASE) as store:
        made = make_project(store, settings, files, shuffle=not options.in_order)
        for note in (*made.notes, *_doubts(made.project)):
            warnings.warn(note, JuryboxWarning, stacklevel=1)
        print("\n".join(link_lines(store, made.project.id, options.url)))


def _doubts(project: Project) -> Iterator[str]:
    """What was hardly meant: a project that gives no work, gold that does nothing."""
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


def _read_text(path: str | None) -> str:
    if path is None:
        return ""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise InputError(f"{path}: cannot be read ({reason})") from None
    if not text.strip():
        raise InputError(f"{path}: is empty; write something into it, or leave the option out")
    return text
