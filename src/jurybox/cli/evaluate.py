"""`jurybox evaluate`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._options import (
    add_figure,
    add_files,
    add_output,
    add_resampling,
    check_form,
    check_targets,
    progress_line,
    show,
    system_arguments,
)
from jurybox.errors import UsageError

USAGE = "jurybox evaluate CASES --judgments FILE [...] --system NAME=DECISIONS [...] [options]"

HELP = """\
Put a detector before a jury: judge it by how many people call a thing an error.

A case is a place that raters judge (error, ok, unknown) and systems decide about (error, ok).
Counts are plain, against the majority, and weighted: a case that 7 of 10 raters call an error is
seven tenths of one (Madnani et al. 2011; Chodorow et al. 2012).

examples:
  jurybox evaluate cases.jsonl --judgments judgments.csv --system mine=decisions.csv
  jurybox evaluate cases.csv --judgments j.csv --labels Yes=ok,No=error --system mine=d.csv
  jurybox evaluate cases.csv --judgments j.csv --system old=a.csv new=b.csv --ci
  jurybox evaluate cases.csv --judgments j.csv --system mine=scores.csv --develop 0.5
  jurybox evaluate cases.csv --judgments j.csv --system mine=d.csv --figure bins.svg --draw kappa
  jurybox evaluate cases.csv --judgments j.csv --system mine=d.csv --beside other.json"""

#: options that are keyword arguments of the verb by the same name
_SAME = (
    *("ties", "missing", "threshold", "beta", "smooth", "bin_by", "judges", "with_models"),
    *("ci", "resamples", "ci_level", "ci_unit", "seed", "stability", "develop", "choose", "beside"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("cases", metavar="CASES", help="the cases: CSV, TSV or JSONL with 'case'")
    add_files(parser, "--judgments", "judgments: CSV, TSV or JSONL with case,rater,label")
    add_files(
        parser,
        "--system",
        "a system's decisions (CSV, TSV or JSONL with case,label and perhaps score, suggestion), "
        "and what to call it",
        metavar="NAME=FILE",
    )
    _add_reading(parser)
    _add_counting(parser)
    _add_certainty(parser)
    add_output(parser)
    add_figure(parser, "draw a figure (see --draw)")
    parser.add_argument(
        "--draw",
        default="precision-recall",
        metavar="WHAT",
        help="what to draw: precision-recall or kappa by bin, histogram of agreement, or, where "
        "there are scores, roc, thresholds, auk (default: precision-recall)",
    )


def _add_reading(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    add_files(
        group,
        "--map",
        "which columns are meant, as case=HITId,label=Answer",
        metavar="OURS=TITLE",
    )
    add_files(group, "--labels", "what labels mean, as Yes=ok,No=error", metavar="WORD=LABEL")
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
        help="cases without a decision: skip, or count them as ok or error (default: skip)",
    )
    group.add_argument(
        "--with-models",
        action="store_true",
        help="count raters of kind model like people; else they are left out",
    )
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
        help="cases with as many raters for error as for ok, in plain counts: ok, error, drop or "
        "random (default: ok)",
    )
    group.add_argument(
        "--beta",
        type=float,
        default=0.5,
        metavar="B",
        help="weight of recall against precision in F (default: 0.5)",
    )
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
        help="the measure the threshold is chosen by (default: f_beta)",
    )
    group.add_argument(
        "--beside",
        metavar="RESULT",
        help="a result of evaluate --format json on another corpus: kappa by bin side by side",
    )


def _add_certainty(parser: ArgumentParser) -> None:
    group = add_resampling(parser, units=("case", "document", "rater"))
    group.add_argument(
        "--ci", action="store_true", help="bootstrap intervals, and differences between systems"
    )
    group.add_argument(
        "--stability",
        action="store_true",
        help="how far numbers move when judgments are flipped or raters drawn anew",
    )


def read_pairs(given: list[str] | None, flag: str) -> dict[str, str]:
    """`a=b,c=d` as a dict.

    >>> read_pairs(["Yes=ok,No=error", "?=unknown"], "--labels")
    {'Yes': 'ok', 'No': 'error', '?': 'unknown'}
    """
    pairs: dict[str, str] = {}
    for part in (part for listed in given or () for part in listed.split(",") if part.strip()):
        name, equals, value = part.rpartition("=") if flag == "--labels" else part.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"{flag} {part}: write pairs, as {_PAIRS[flag]}")
        if name.strip() in pairs:
            raise UsageError(f"{flag}: {name.strip()} is given twice")
        pairs[name.strip()] = value.strip()
    return pairs


_PAIRS = {"--map": "--map case=HITId,label=Answer", "--labels": "--labels Yes=ok,No=error"}


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
    from jurybox.report.figures import check_figure_path

    check_form(options)
    if not options.judgments:
        raise UsageError("the judgments are missing: name their files with --judgments")
    if not options.system:
        raise UsageError("there is no system to evaluate: name one with --system NAME=DECISIONS")
    read = [options.cases, *options.judgments, *system_arguments(options).values()]
    read += [options.beside] if options.beside else []
    if read.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    check_kind(options.draw)
    figures = options.figure or []
    if options.draw != "precision-recall" and not figures:
        raise UsageError(f"--draw {options.draw}: name the file to draw to with --figure")
    check_targets(Namespace(hypotheses=read), options.output, *figures)
    for path in figures:
        check_figure_path(path)
    if options.ci_unit != "case" and not options.ci:
        raise UsageError("--ci-unit: only with --ci, which makes intervals")


def run(options: Namespace) -> None:
    """Evaluate, print, draw."""
    _check(options)
    from jurybox.api.evaluate import evaluate
    from jurybox.report.figures import save_figure

    with progress_line("evaluating") as progress:
        result = evaluate(
            options.cases,
            options.judgments,
            system_arguments(options),
            columns=read_pairs(options.map, "--map"),
            labels=read_pairs(options.labels, "--labels"),
            bins=read_edges(options.bins),
            progress=progress,
            **{name: getattr(options, name) for name in _SAME},
        )
    for path in options.figure or []:
        save_figure(result.figure(options.draw), path)
    show(result, options)
