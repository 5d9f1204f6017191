"""Options that say how edits or texts are compared, and with what."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from jurybox.cli._options import OneOf, add_beta, add_files, given_arguments
from jurybox.cli._panel_options import (
    DOCUMENTS,
    GOLD,
    add_gold_format,
    add_hypothesis_reading,
)
from jurybox.errors import UsageError


def add_matching(parser: ArgumentParser) -> None:
    """What is compared with what, and by which metric."""
    group = parser.add_argument_group("what to compare with")
    add_files(group, "--gold", GOLD)
    group.add_argument(
        "--source",
        metavar="FILE",
        help="source text: gleu needs it beside --refs; for m2 it is checked against the gold",
    )
    add_files(group, "--refs", "reference texts (gleu)")
    group.add_argument("--documents", metavar="FILE", help=DOCUMENTS)
    add_hypothesis_reading(group)
    add_gold_format(group)
    add_metric(parser)


def add_metric(parser: ArgumentParser, *, jobs: int | None = 1) -> None:
    """How edits or texts are compared; `jobs` None: on all cores unless told otherwise."""
    group = parser.add_argument_group("metric")
    group.add_argument(
        "--metric",
        default="m2",
        metavar="NAME",
        type=OneOf("m2", "errant", "gleu"),
        help="m2 (MaxMatch), errant, gleu, or one that a package brings (default: m2)",
    )
    add_beta(group)
    group.add_argument(
        "--choice",
        default="running",
        metavar="RULE",
        type=OneOf("running", "sentence"),
        help="which annotator counts in a sentence: running (official: best for the totals so "
        "far) or sentence (default: running)",
    )
    group.add_argument(
        "--max-unchanged-words",
        type=int,
        default=2,
        metavar="N",
        help="how many unchanged words an edit may contain (m2; default: 2)",
    )
    group.add_argument(
        "--ignore-case-whitespace",
        action="store_true",
        help="leave out hypothesis edits that change only case or white space (m2)",
    )
    group.add_argument(
        "--level",
        default="correction",
        metavar="LEVEL",
        type=OneOf("correction", "correction-type", "span", "token"),
        help="what must be equal (errant): correction, correction-type, span or token "
        "(default: correction)",
    )
    add_files(
        group,
        "--types",
        "compare only edits of these types (errant), as R:NOUN, NOUN or R",
        metavar="TYPE",
    )
    group.add_argument(
        "--single", action="store_true", help="compare only single-token edits (errant)"
    )
    group.add_argument(
        "--multi", action="store_true", help="compare only multi-token edits (errant)"
    )
    group.add_argument(
        "--expected-statistics",
        action="store_true",
        help="average statistics over references instead of drawing them: another number (gleu)",
    )
    group.add_argument(
        "--jobs",
        type=int,
        default=jobs,
        metavar="N",
        help="processes to match with; the result is the same "
        f"(default: {'all cores' if jobs is None else jobs})",
    )


#: options of `add_metric` that are keyword arguments of the verbs by the same name
_METRIC = (
    *("metric", "beta", "choice", "max_unchanged_words", "ignore_case_whitespace", "level"),
    *("expected_statistics", "jobs"),
)
#: the same for the rest of `add_matching`
_MATCHING = ("source", "refs", "tokenize", "hyp_format", "gold_format", "documents")


def metric_arguments(options: Namespace, parser_defaults: Namespace) -> dict[str, Any]:
    """The options of `add_metric` that were given, as keyword arguments of the verbs."""
    if options.single and options.multi:
        raise UsageError("--single and --multi exclude each other; leave both out for all edits")
    given = given_arguments(_METRIC, options, parser_defaults)
    types = [name for listed in options.types or () for name in listed.split(",") if name]
    if types:
        given["types"] = types
    if options.single or options.multi:
        given["size"] = "single" if options.single else "multi"
    return given


def matching_arguments(options: Namespace, parser_defaults: Namespace) -> dict[str, Any]:
    """The options that were given, as keyword arguments of `score` and `compare`."""
    return {
        **metric_arguments(options, parser_defaults),
        **given_arguments(_MATCHING, options, parser_defaults),
    }
