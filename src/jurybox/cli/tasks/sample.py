"""`jurybox sample`: precision and recall from a sample."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from jurybox.cli._app import Command
from jurybox.cli._progress import progress_line
from jurybox.cli.output import (
    FigureOutput,
    Output,
    check_files,
    check_forms,
    deliver,
    figure_file,
    watched,
    words,
)
from jurybox.cli.stored import StoredJudgments, opened, stored_judgments
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats import Input
from jurybox.options import Opt
from jurybox.sample.draw import DrawSample, draw_sample
from jurybox.sample.estimate import EstimateSample, estimate_sample
from jurybox.sample.options import numbers_by_name
from jurybox.sample.plan import PlanSample, plan_sample
from jurybox.sample.simulate import SimulateSample, simulate_sample

USAGE = "jurybox sample plan|draw|estimate|simulate [options]"

HELP = """\
Evaluate a system without annotating everything: judge a sample, and say how sure the numbers are.

The system labels a corpus. What it calls an error and what it calls ok are sampled apart, people
judge the sample without seeing the labels, and what they find is weighed by how large each part is
(Tetreault and Chodorow 2008).

tasks:
  plan      how many cases to judge, how sure that is, and what it costs
  draw      the cases to judge: a blind file for raters, and its key
  estimate  precision and recall out of the key and the judgments
  simulate  which intervals can be trusted, tried out on judged data

examples:
  jurybox sample draw sample/bold.csv --error 10 --ok 20 --cases sample/cases.jsonl
  jurybox sample plan --size error=1000 ok=9000 --precision .8 --error-rate .35 --recall-within .02
  jurybox sample draw decisions.csv --error 250 --ok 500 --blind raters.csv --key key.jsonl
  jurybox sample estimate key.jsonl judgments.csv

jurybox sample TASK --help tells more."""

PARTS = ("error", "ok")


class Plan(PlanSample, FigureOutput):
    size: Annotated[
        Mapping[str, int],
        Opt(
            "how many cases the system calls an error and ok, without a file: error=1000 ok=9000",
            "PART=N",
            many=True,
            read=numbers_by_name,
        ),
    ] = MappingProxyType({})
    figure: Annotated[
        tuple[str, ...], figure_file("draw how wide intervals are against what is spent")
    ] = ()


def plan(call: Plan) -> None:
    files = [] if call.decisions is None else [str(call.decisions)]
    check_files(call, files)
    for name in call.size:
        if name not in PARTS:
            raise unknown_name("part (--size)", name, PARTS)
    with progress_line("reading") as progress:
        given = watched(files, progress)
        result = plan_sample.of(call.replace(decisions=given[0] if given else None, **call.size))
    deliver(result, call, figure=result.figure)


class SampleOutput(Output, group="output"):
    blind: Annotated[
        str, Opt("write what raters see to this file (.csv, .tsv, .jsonl)", "FILE")
    ] = "blind.csv"
    key: Annotated[str, Opt("write the key to this file", "FILE")] = "key.jsonl"


class Draw(DrawSample, SampleOutput): ...


def draw(call: Draw) -> None:
    from jurybox.sample.draw.result import check_new

    inputs = [str(one) for one in (call.decisions, call.cases) if one is not None]
    check_files(call, [*inputs, *words(call.after)], call.blind, call.key)
    check_forms(call.blind)
    check_new(call.blind, call.key)
    with progress_line("reading") as progress:
        decisions, *cases = watched(inputs, progress)
        result = draw_sample.of(
            call.replace(decisions=decisions, cases=cases[0] if cases else None)
        )
    deliver(result, call, save=lambda: result.save(call.blind, call.key))


class Estimate(EstimateSample, StoredJudgments, Output):
    files: Annotated[
        tuple[str, ...],
        Opt("keys of draws, and judgments on their cases", "FILE", positional=True, many=True),
    ] = ()


def estimate(call: Estimate) -> None:
    read = [*call.files, *map(str, (call.systems or {}).values())]
    check_files(call, [*read, *([] if call.assist is None else [str(call.assist)])])
    if call.db is not None or call.project is not None:
        call = call.replace(**_stored(call))
    elif call.parts:
        if call.files:
            raise UsageError("give a key and judgments, or counts with --part, not both")
    else:
        call = call.replace(**_tell_apart(call.files))
    deliver(estimate_sample.of(call), call)


def _tell_apart(files: tuple[str, ...]) -> dict[str, Any]:
    """Keys and judgments, by how they begin."""
    from jurybox.formats.tables.sample_key import looks_like_key

    found: dict[str, Any] = {"keys": [], "judgments": []}
    for one in map(Input, files):
        if not one.rewindable:
            one.keep()
        found["keys" if looks_like_key(one) else "judgments"].append(one)
    return {name: given or None for name, given in found.items()}


def _stored(call: Estimate) -> dict[str, Any]:
    """Keys and judgments of a server's project."""
    if call.db is None:
        raise UsageError(f"--project {call.project}: name the database too, with --db")
    if call.files or call.parts:
        raise UsageError("give a key and judgments, counts with --part, or --db, only one of them")
    with opened(call.db, call.project) as (store, project):
        keys = store.sample_keys(project.id)
        if not keys:
            raise InputError(
                f"{project.name} has no key: add the one that jurybox sample draw wrote, in the "
                "browser or with jurybox serve new --key"
            )
        return {"keys": keys, "judgments": [stored_judgments(store, project)]}


class Simulate(SimulateSample, FigureOutput):
    figure: Annotated[tuple[str, ...], figure_file("draw coverage against sample size")] = ()


def simulate(call: Simulate) -> None:
    if not call.judgments:
        raise UsageError("the judgments are missing: name their files with --judgments")
    if not isinstance(call.systems, dict):
        raise UsageError("there is no system to sample: name one with --system NAME=DECISIONS")
    check_files(call, [str(call.cases), *words(call.judgments), *call.systems.values()])
    with progress_line("drawing") as progress:
        result = simulate_sample.of(call.replace(progress=progress))
    deliver(result, call, figure=result.figure)


TASKS = {
    "plan": Command(
        "jurybox sample plan [DECISIONS | --size error=N ok=M] --precision P --error-rate E "
        "[options]",
        """\
How many cases to judge for a wished certainty or a budget, and what that costs.

Parts are sampled by Neyman allocation, which takes the fewest cases, and by the rule of Tetreault
and Chodorow (2008): two of those called ok for each called an error. Beside them stand the standard
way (every case) and verification (only what is called an error, which says nothing about recall).

examples:
  jurybox sample plan sample/bold.csv --precision .5 --error-rate .3 --recall-within .12 \\
    --about corpus
  jurybox sample plan --size error=1000 ok=9000 --precision .8 --error-rate .35 --recall-within .02
  jurybox sample plan decisions.csv --precision .8 --error-rate .1 --budget 200 --pay 0.05
  jurybox sample plan decisions.csv --precision .8 --error-rate .1 --recall-within .05 --per-case 3
  jurybox sample plan d.csv --precision .8 --error-rate .1 --recall-within .05 --figure width.svg\
""",
        Plan,
        plan,
    ),
    "draw": Command(
        "jurybox sample draw DECISIONS --error N --ok M [--cases CASES] [options]",
        """\
Draw cases to judge at random: some that a system calls an error, some that it calls ok.

Raters get the blind file: cases in random order under random ids, without anything that tells what
the system said. The key says which case is which, and how large each part is. Keep it: without it
the judgments are worth nothing.

examples:
  jurybox sample draw sample/bold.csv --error 10 --ok 20 --cases sample/cases.jsonl
  jurybox sample draw decisions.csv --error 250 --ok 500 --cases cases.jsonl
  jurybox sample draw decisions.csv --error 250 --ok 500 --by score=.2,.5 --blind b.csv
  jurybox sample draw decisions.csv --error 250 --ok 500 --by document --stratum ok/essay-7=50
  jurybox sample draw decisions.csv --error 50 --ok 100 --after key.jsonl --key more.jsonl""",
        Draw,
        draw,
    ),
    "estimate": Command(
        "jurybox sample estimate KEY [...] JUDGMENTS [...] [options]",
        """\
Precision and recall of a system out of a judged sample, with intervals that can be trusted.

What raters found in the sample is weighed by how large each part of the corpus is (Tetreault and
Chodorow 2008). Keys and judgments are told apart by their content; several draws are one sample.
Without a key, give counts: --part error=SIZE:SAMPLED:ERRORS ok=SIZE:SAMPLED:ERRORS.

examples:
  jurybox sample estimate --part error=1000:750:600 ok=9000:1500:450
  jurybox sample estimate key.jsonl judgments.csv
  jurybox sample estimate key1.jsonl key2.jsonl judgments.csv --about corpus
  jurybox sample estimate key.jsonl judgments.csv --verification
  jurybox sample estimate key.jsonl judgments.csv --spoiled drop
  jurybox sample estimate key.jsonl judgments.csv --system new=new-decisions.csv
  jurybox sample estimate key.jsonl judgments.csv --assist decisions-with-scores.csv
  jurybox sample estimate --db study.db --project prepositions""",
        Estimate,
        estimate,
    ),
    "simulate": Command(
        "jurybox sample simulate CASES --judgments FILE --system NAME=FILE --error N --ok M",
        """\
Which intervals can be trusted: samples are drawn again and again from cases that are all judged.

The truth is known, so it can be counted how often each interval holds it, and how wide it is. Use
data like yours, and numbers of cases that you can afford. For intervals about text of this kind the
corpus is drawn anew for every sample; with --about corpus samples are drawn from these very cases.

examples:
  jurybox sample simulate sample/cases.jsonl --judgments sample/judgments.csv \\
    --system bold=sample/bold.csv --error 5 --ok 10 --draws 500
  jurybox sample simulate cases.jsonl --judgments j.csv --system a=a.csv --error 50 --ok 100 400
  jurybox sample simulate cases.csv --judgments j.csv --system a=a.csv --error 50 --ok 50 200 \\
    --figure coverage.svg""",
        Simulate,
        simulate,
    ),
}
