"""`jurybox evaluate`."""

from __future__ import annotations

from typing import Annotated, Any, cast

from jurybox.cli._progress import progress_line
from jurybox.cli.output import PlotOutput, check_files, deliver, refuse_idle, watched, words
from jurybox.cli.stored import StoredJudgments, check_stored, opened, stored_judgments
from jurybox.errors import UsageError
from jurybox.jury.evaluate import FIGURES, Evaluate, evaluate
from jurybox.options import Opt

USAGE = "jurybox evaluate CASES --judgments FILE [...] --system NAME=DECISIONS [...] [options]"

HELP = """\
Put a detector before a jury: judge it by how many people call a thing an error.

A case is a place that raters judge (error, ok, unknown) and systems decide about (error, ok).
Counts are plain, against the majority, and weighted: a case that 7 of 10 raters call an error is
seven tenths of one (Madnani et al. 2011; Chodorow et al. 2012).

examples:
  jurybox evaluate sample/cases.jsonl --judgments sample/judgments.csv --system bold=sample/bold.csv
  jurybox evaluate cases.jsonl --judgments judgments.csv --system mine=decisions.csv
  jurybox evaluate cases.csv --judgments j.csv --relabel Yes=ok,No=error --system mine=d.csv
  jurybox evaluate cases.csv --judgments j.csv --system mine=d.csv --spoiled drop
  jurybox evaluate cases.csv --judgments j.csv --system old=a.csv new=b.csv --ci
  jurybox evaluate cases.csv --judgments j.csv --system mine=scores.csv --develop 0.5
  jurybox evaluate --judgments part*.parquet --system mine=d.parquet --engine local:8
  jurybox evaluate cases.csv --judgments j.csv --system mine=d.csv --figure bins.svg --plot kappa
  jurybox evaluate cases.csv --judgments j.csv --system mine=d.csv --compare-with other.json \\
    --figure both.svg
  jurybox evaluate --db study.db --project prepositions --system mine=decisions.csv"""


class Adjudicated(StoredJudgments, group="judgments of an annotation server"):
    adjudicated: Annotated[
        bool, Opt("what adjudicators decided in place of the judgments of these cases")
    ] = False


class EvaluateOutput(PlotOutput, group="output"):
    plot: Annotated[
        str,
        Opt(
            "what to draw: precision-recall or kappa by bin, histogram of agreement, or, where "
            "there are scores, pr-curve (precision against recall), roc, thresholds, auk",
            "WHAT",
            values=FIGURES,
            noun="figure",
            default="precision-recall; with --compare-with kappa, of both corpora",
        ),
    ] = ""


class Call(Evaluate, Adjudicated, EvaluateOutput): ...


def run(call: Call) -> None:
    check_stored(call, call.judgments, "their files with --judgments")
    if call.adjudicated and call.db is None:
        raise UsageError("--adjudicated: name the server's database and project with --db")
    if call.cases is None and call.db is None and call.engine is None:
        raise UsageError("the cases are missing: name their file first, before all options")
    if not call.systems:
        raise UsageError("there is no system to evaluate: name one with --system NAME=DECISIONS")
    cases, systems = cast("str | None", call.cases), cast("dict[str, str]", call.systems)
    check_files(call, [cases, *words(call.judgments), *systems.values(), call.compare_with])
    if not call.ci:
        refuse_idle(call, ["ci_unit"], "--ci, which makes intervals")
    with progress_line("evaluating") as progress:
        given = _with_inputs(call, systems, progress)
        result = evaluate.of(given.replace(progress=progress))
    plot = call.plot or ("kappa" if call.compare_with else "precision-recall")
    deliver(result, call, figure=lambda: result.figure(plot))


def _with_inputs(call: Call, systems: dict[str, str], progress: Any) -> Call:
    """With cases, judgments, decisions and keys: files, or what a server's database holds."""
    if call.db is None and call.engine is not None:
        return call.replace(judgments=words(call.judgments))  # workers open them
    if call.db is None:
        said = words(call.judgments)
        cases, *others = watched([str(call.cases), *said, *systems.values()], progress)
        decisions = dict(zip(systems, others[len(said) :], strict=True))
        return call.replace(cases=cases, judgments=others[: len(said)], systems=decisions)
    with opened(call.db, call.project) as (store, project):
        decided = "instead" if call.adjudicated else "no"
        return call.replace(
            cases=call.cases or store.case_set(project.id),
            judgments=[stored_judgments(store, project, decisions=decided)],
            systems=dict(zip(systems, watched(list(systems.values()), progress), strict=True)),
            keys=store.sample_keys(project.id) or None,
        )
