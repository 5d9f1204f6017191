"""`jurybox evaluate`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from jurybox.cli._certainty_options import add_resampling, refuse_without_intervals
from jurybox.cli._judgment_options import add_with_models
from jurybox.cli._label_options import add_labels, label_arguments
from jurybox.cli._label_options import read_pairs as read_pairs  # noqa: PLC0414  `serve new` has it from here
from jurybox.cli._options import (
    OneOf,
    add_beta,
    add_figure,
    add_files,
    add_output,
    check_output,
    check_read_once,
    deliver,
)
from jurybox.cli._panel_options import system_arguments
from jurybox.cli._progress import progress_line, watched
from jurybox.cli._serve_options import add_stored, check_stored, opened, stored_judgments
from jurybox.errors import UsageError

USAGE = "jurybox evaluate CASES --judgments FILE [...] --system NAME=DECISIONS [...] [options]"

HELP = """\
Put a detector before a jury: judge it by how many people call a thing an error.

A case is a place that raters judge (error, ok, unknown) and systems decide about (error, ok).
Counts are plain, against the majority, and weighted: a case that 7 of 10 raters call an error is
seven tenths of one (Madnani et al. 2011; Chodorow et al. 2012).

examples:
  jurybox evaluate sample/cases.jsonl --judgments sample/judgments.csv --system bold=sample/bold.csv
  jurybox evaluate cases.jsonl --judgments judgments.csv --system mine=decisions.csv
  jurybox evaluate cases.csv --judgments j.csv --labels Yes=ok,No=error --system mine=d.csv
  jurybox evaluate cases.csv --judgments j.csv --system old=a.csv new=b.csv --ci
  jurybox evaluate cases.csv --judgments j.csv --system mine=scores.csv --develop 0.5
  jurybox evaluate cases.csv --judgments j.csv --system mine=d.csv --figure bins.svg --draw kappa
  jurybox evaluate cases.csv --judgments j.csv --system mine=d.csv --beside other.json
  jurybox evaluate --db study.db --project prepositions --system mine=decisions.csv"""

#: options that are keyword arguments of the verb by the same name
_SAME = (
    *("ties", "missing", "threshold", "beta", "smooth", "bin_by", "judges", "with_models"),
    *("ci", "resamples", "ci_level", "ci_unit", "seed", "stability", "develop", "choose", "beside"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "cases",
        nargs="?",
        metavar="CASES",
        help="the cases: CSV, TSV or JSONL with 'case'; with --db, those of the project unless "
        "given",
    )
    add_files(parser, "--judgments", "judgments: CSV, TSV or JSONL with case,rater,label")
    add_files(
        parser,
        "--system",
        "a system's decisions (CSV, TSV or JSONL with case,label and perhaps score, suggestion), "
        "and what to call it",
        metavar="NAME=FILE",
    )
    add_stored(parser).add_argument(
        "--adjudicated",
        action="store_true",
        help="what adjudicators decided in place of the judgments of these cases",
    )
    _add_reading(parser)
    _add_counting(parser)
    _add_certainty(parser)
    output = add_output(parser)
    add_figure(output, "draw a figure (see --draw)")
    output.add_argument(
        "--draw",
        default="precision-recall",
        metavar="WHAT",
        type=OneOf("precision-recall", "kappa", "histogram", "roc", "thresholds", "auk"),
        help="what to draw: precision-recall or kappa by bin, histogram of agreement, or, where "
        "there are scores, roc, thresholds, auk (default: precision-recall)",
    )


def _add_reading(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    add_labels(group)
    group.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="a case is reported if its score is T or more, whatever its label",
    )
    group.add_argument(
        "--missing",
        default="skip",
        metavar="WHAT",
        type=OneOf("skip", "ok", "error"),
        help="cases without a decision: skip, or count them as ok or error (default: skip)",
    )
    add_with_models(group)
    group.add_argument(
        "--judges",
        type=int,
        metavar="N",
        help="at most N judgments per case, drawn at random, as on a corpus that has fewer",
    )


def _add_counting(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("counting")
    group.add_argument(
        "--ties",
        default="ok",
        metavar="RULE",
        type=OneOf("ok", "error", "drop", "random"),
        help="cases with as many raters for error as for ok, in plain counts: ok, error, drop or "
        "random (default: ok)",
    )
    add_beta(group)
    group.add_argument(
        "--smooth",
        type=float,
        metavar="STRENGTH",
        help="draw the share of each case towards that of all cases, by so many judges",
    )
    group.add_argument(
        "--bins",
        metavar="EDGES",
        help="edges of the bins (default: .5,.75,.9,1; by error share 0,.1,.25,.5,.75,.9,1)",
    )
    group.add_argument(
        "--bin-by",
        default="agreement",
        metavar="WHAT",
        type=OneOf("agreement", "error-share"),
        help="agreement or error-share (default: agreement)",
    )
    group.add_argument(
        "--develop",
        type=float,
        metavar="SHARE",
        help="choose the best threshold on this share of the cases (whole documents, if known) "
        "and report it on the rest; needs scores",
    )
    group.add_argument(
        "--choose",
        default="f_beta",
        metavar="MEASURE",
        type=_measures(),
        help="the measure the threshold is chosen by (default: f_beta)",
    )
    group.add_argument(
        "--beside",
        metavar="RESULT",
        help="a result of evaluate --format json on another corpus: kappa by bin side by side",
    )


def _measures() -> OneOf:
    from jurybox.measures import MEASURES

    return OneOf(*MEASURES)


def _add_certainty(parser: ArgumentParser) -> None:
    group = add_resampling(
        parser,
        ci="bootstrap intervals, and differences between systems",
        units=("case", "document", "rater"),
    )
    group.add_argument(
        "--stability",
        action="store_true",
        help="how far numbers move when judgments are flipped or raters drawn anew",
    )


def read_edges(given: str | None) -> list[float] | None:
    """`.5,.75,1` as numbers."""
    if given is None:
        return None
    try:
        return [float(edge) for edge in given.split(",")]
    except ValueError:
        raise UsageError(f"--bins {given}: write the edges as .5,.75,.9,1") from None


def _check(options: Namespace) -> None:
    """Complain before the work about what could not be done after it."""
    from jurybox.api.evaluation_figures import check_kind

    check_stored(options, options.judgments, "their files with --judgments")
    if options.adjudicated and options.db is None:
        raise UsageError("--adjudicated: name the server's database and project with --db")
    if options.cases is None and options.db is None:
        raise UsageError("the cases are missing: name their file first, before all options")
    if not options.system:
        raise UsageError("there is no system to evaluate: name one with --system NAME=DECISIONS")
    people = [*([options.cases] if options.cases else []), *(options.judgments or ())]
    read = [*people, *system_arguments(options).values()]
    read += [options.beside] if options.beside else []
    check_read_once(read)
    check_kind(options.draw)
    if options.draw != "precision-recall" and not options.figure:
        raise UsageError(f"--draw {options.draw}: name the file to draw to with --figure")
    options.files_read = read
    check_output(options)
    if not options.ci:
        refuse_without_intervals(options, Namespace(ci_unit="case"), ["ci_unit"])


def run(options: Namespace) -> None:
    """Evaluate, print, draw."""
    _check(options)
    from jurybox.api.evaluate import evaluate

    systems = system_arguments(options)
    with progress_line("evaluating") as progress:
        cases, judgments, decisions = _given(options, progress)
        result = evaluate(
            cases,
            judgments,
            dict(zip(systems, decisions, strict=True)),
            **label_arguments(options),
            bins=read_edges(options.bins),
            progress=progress,
            **{name: getattr(options, name) for name in _SAME},
        )
    deliver(result, options, figure=lambda: result.figure(options.draw))


def _given(options: Namespace, progress: Any) -> tuple[Any, Any, Any]:
    """Cases, judgments and decisions: files, or what a server's database holds."""
    systems = [*system_arguments(options).values()]
    if options.db is None:
        cases, *others = watched([options.cases, *options.judgments, *systems], progress)
        number = len(options.judgments)
        return cases, others[:number], others[number:]
    with opened(options) as (store, project):
        known = options.cases or store.case_set(project.id)
        decisions = "instead" if options.adjudicated else "no"
        judgments = [stored_judgments(store, project, decisions=decisions)]
        return known, judgments, watched(systems, progress)
