"""`jurybox serve new`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import new_class
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.cli.stored import DATABASE, Database
from jurybox.cli.tasks.serve import check_address
from jurybox.errors import InputError, plural, warn
from jurybox.formats import Input
from jurybox.options import Opt, Options
from jurybox.serve.settings import ASKED, Task, settings_of
from jurybox.shared_options import READING, columns_option, pairs_of_meanings, relabel_option

if TYPE_CHECKING:
    from jurybox.serve.model import Project

USAGE = "jurybox serve new NAME --cases FILE [options]"

HELP = """\
Make a project of the annotation server: its cases, how often each is judged, what raters are told.

Cases are a table with case,sentence,start,end (CSV, TSV, JSONL), the blind file of
jurybox sample draw, or M2. Further columns: before and after (the sentences around it), purpose
(work, gold or practice), gold (the right answer), feedback (said after practice), first and second
(choice), per_case (how many judgments a case needs, if not --per-case), batch (named in exports).
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
  jurybox serve new trained --task judge-trained --cases essays.m2 --documents essays.sgml \\
    --construction preposition
  jurybox serve new two --task judge-trained --cases cases.csv --overlap 100 every 500
  jurybox serve new pay --cases cases.csv --per-rater 50 --questionnaire questions.txt \\
    --completion-url https://app.prolific.com/submissions/complete?cc=C123
  jurybox serve new watched --cases blind.csv --key key.jsonl --pay '$0.02' --fee 20% \\
    --precise-within .05"""


def _options(group: str) -> type[Options]:
    """The settings of a group as options; `Settings` checks their values itself."""
    hints: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for one in ASKED.values():
        if one.group == group:
            kind = one.read if one.read in (int, float) else str
            values = tuple(Task) if one.name == "task" else ()
            in_words = one.name == "overlap"  # 100 every 500
            note = Opt(one.help, one.metavar, values=values, open_values=True, many=in_words)
            is_switch = one.widget == "switch"
            hints[one.name] = Annotated[bool if is_switch else kind, note]
            defaults[one.name] = one.default if one.default_text or is_switch else None
    fields = {"__annotations__": hints, **defaults}
    return new_class("Asked", (Options,), {"group": group}, lambda made: made.update(fields))


if TYPE_CHECKING:

    class AskedSettings(Options): ...
else:
    _GROUPS = dict.fromkeys(one.group for one in ASKED.values())
    AskedSettings = type("AskedSettings", tuple(map(_options, _GROUPS)), {})


class ProjectName(Options):
    name: Annotated[str, Opt(ASKED["name"].help, "NAME", positional=True)]


class CaseFiles(Options):
    cases: Annotated[str | None, Opt("what is judged", "FILE")] = None
    key: Annotated[
        str | None, Opt("the key of jurybox sample draw; raters see nothing of it", "FILE")
    ] = None


class CaseOrder(Options, group="how much"):
    in_order: Annotated[
        bool,
        Opt(
            "assign cases in the order of the file, not in a random one: raters can recognise "
            "gold by its position"
        ),
    ] = False


class ServerAddress(Options, group="texts for raters"):
    url: Annotated[str, Opt("where the server is, for the link that is printed", "ADDRESS")] = (
        "http://127.0.0.1:8000"
    )


class CaseReading(Options, group=READING):
    columns: Annotated[Mapping[str, str], columns_option("case=id,sentence=text")] = {}
    relabel: Annotated[
        Mapping[str, str],
        relabel_option("what labels in gold mean, as Yes=ok,No=error", pairs_of_meanings),
    ] = {}
    construction: Annotated[
        str | None, Opt("M2: which places are cases (preposition unless given)", "NAME")
    ] = None
    documents: Annotated[
        str | None,
        Opt(
            "M2, or essays in text: SGML or a document map, an essay's id for every sentence; "
            "cases of M2 then have the sentence before",
            "FILE",
        ),
    ] = None


class Call(
    ProjectName, Database, CaseFiles, AskedSettings, CaseOrder, ServerAddress, CaseReading
): ...


def run(call: Call) -> None:
    # here, for they need what only `pip install 'jurybox[serve]'` brings
    from jurybox.serve.projects import Files, check_project
    from jurybox.serve.store import open_store
    from jurybox.serve.tokens import Tokens

    fields: dict[str, str] = {}
    for name, one in ASKED.items():
        value = getattr(call, name)
        if value is not None and value is not False:
            text = "yes" if value is True else str(value)
            text = " ".join(value) if isinstance(value, tuple) else text
            fields[name] = _read_text(text) if one.widget == "area" else text
    settings = settings_of(fields)
    files = Files(
        cases=(Input(call.cases),) if call.cases else (),
        keys=(Input(call.key),) if call.key else (),
        columns=call.columns,
        labels=call.relabel,
        construction=call.construction,
        documents=Input(call.documents) if call.documents else None,
    )
    check_address(call.url)
    # whatever is wrong with it is said before there is a database
    checked = check_project(settings, files)
    with open_store(call.db or DATABASE) as store:
        filled = checked.make(store, shuffle=not call.in_order)
        project = filled.project
        warn(*filled.notes, *_doubts(project))
        wanted = store.progress(project.id).wanted
        print(f"{project.name}: {_amounts(project, wanted)}\nLink for raters:")
        print(f"  {call.url.rstrip('/')}/j/{Tokens(store.secret).link(project)}")


def _amounts(project: Project, wanted: int) -> str:
    times, practice = project.settings.per_case, f"{project.practice} for practice"
    what, each, end = "case", "judgment", f"{plural(project.gold, 'gold case')}, {practice}"
    if project.task == Task.CORRECT:
        what, each, end = "essay", "annotator", practice
    needed = f"{plural(times, each)} each"
    if wanted != project.cases * times:
        needed = f"{needed} or as the case says, {plural(wanted, 'judgment')} in all"
    return f"{plural(project.cases, what)}, {needed}; {end}"


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
