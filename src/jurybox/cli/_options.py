"""Options that mean the same in every command, and the one way to print a result."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from jurybox.errors import UsageError, unknown_name
from jurybox.formats import Input, writing

if TYPE_CHECKING:
    from jurybox.api.counting import Progress
    from jurybox.report.tables import Table

FORMS = ("text", "json", "csv", "markdown", "latex")


def add_files(parser: Any, flag: str, text: str, *, metavar: str = "FILE") -> None:
    """An option that takes several values after one flag, and can be repeated."""
    parser.add_argument(flag, nargs="+", action="extend", metavar=metavar, help=text)


def add_output(parser: ArgumentParser) -> None:
    """Where results go and what they look like."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        default="text",
        metavar="FORM",
        help="text, json, csv, markdown or latex (default: text)",
    )
    group.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="write to this file instead of standard output",
    )


def add_matching(parser: ArgumentParser) -> None:
    """What is compared with what, and by which metric."""
    group = parser.add_argument_group("what to compare with")
    add_files(
        group,
        "--gold",
        "gold edits: one file, or several single-annotator files as a panel (M2, SGML, JSONL)",
    )
    group.add_argument(
        "--source",
        metavar="FILE",
        help="source text: gleu needs it beside --refs; for m2 it is checked against the gold",
    )
    add_files(group, "--refs", "reference texts (gleu)")
    group.add_argument(
        "--documents",
        metavar="FILE",
        help="document of every sentence: one id per line, a CSV, or the SGML file",
    )
    group.add_argument(
        "--hyp-format",
        metavar="FORMAT",
        help="read hypotheses as text, m2, sgml or jsonl instead of telling by content",
    )
    group.add_argument(
        "--gold-format",
        metavar="FORMAT",
        help="read gold files as m2, sgml or jsonl instead of telling by content",
    )
    group.add_argument(
        "--tokenize",
        action="store_true",
        help="hypotheses are plain prose: undo the usual detokenisation first",
    )

    group = parser.add_argument_group("metric")
    group.add_argument(
        "--metric",
        default="m2",
        metavar="NAME",
        help="m2 (MaxMatch), errant or gleu (default: m2)",
    )
    group.add_argument(
        "--beta",
        type=float,
        default=0.5,
        metavar="B",
        help="weight of recall against precision in F (default: 0.5)",
    )
    group.add_argument(
        "--choice",
        default="running",
        metavar="RULE",
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
        default=1,
        metavar="N",
        help="processes to match with; the result is the same (default: 1)",
    )


#: options of `add_matching` that are keyword arguments of `score` and `compare` by the same name
_SAME_NAME = (
    "metric",
    "source",
    "refs",
    "beta",
    "choice",
    "max_unchanged_words",
    "ignore_case_whitespace",
    "level",
    "expected_statistics",
    "tokenize",
    "hyp_format",
    "gold_format",
    "documents",
    "jobs",
)


def matching_arguments(options: Namespace, parser_defaults: Namespace) -> dict[str, Any]:
    """The options that were given, as keyword arguments of `score` and `compare`."""
    if options.single and options.multi:
        raise UsageError("--single and --multi exclude each other; leave both out for all edits")
    given = {
        name: getattr(options, name)
        for name in _SAME_NAME
        if getattr(options, name) != getattr(parser_defaults, name)
    }
    types = [name for listed in options.types or () for name in listed.split(",") if name]
    if types:
        given["types"] = types
    if options.single or options.multi:
        given["size"] = "single" if options.single else "multi"
    return given


def add_resampling(parser: ArgumentParser) -> None:
    """How certainty is estimated."""
    group = parser.add_argument_group("certainty")
    group.add_argument(
        "--resamples",
        type=int,
        default=1000,
        metavar="N",
        help="bootstrap resamples, and random exchanges when comparing (default: 1000)",
    )
    group.add_argument(
        "--ci-level",
        type=float,
        default=0.95,
        metavar="L",
        help="level of the intervals (default: 0.95)",
    )
    group.add_argument(
        "--ci-unit",
        default="sentence",
        metavar="UNIT",
        help="resample by sentence or by document (default: sentence)",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of the random numbers: the same seed gives the same digits (default: 1)",
    )


def resampling_arguments(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments."""
    return {name: getattr(options, name) for name in ("resamples", "ci_level", "ci_unit", "seed")}


def check_targets(options: Namespace, *targets: str | None) -> None:
    """Refuse to write over what is read, or to write two things to one place."""
    read = [*options.hypotheses, *(options.gold or ()), *(options.refs or ())]
    read += [name for name in (options.source, options.documents) if name]
    taken = {os.path.realpath(name) for name in read if name != "-"}
    for target in filter(None, targets):
        place = "-" if target == "-" else os.path.realpath(target)
        if place in taken:
            raise UsageError(f"{target} is in use already; write the result to another file")
        taken.add(place)


class Printable(Protocol):
    """What a command can print."""

    def tables(self) -> list[Table]: ...

    def to_csv(self) -> str: ...

    def to_json(self) -> str: ...


def check_form(options: Namespace) -> None:
    """Complain before the work, not after it."""
    if options.format not in FORMS:
        raise unknown_name("format", options.format, FORMS)


def show(result: Printable, options: Namespace, extra: str = "") -> None:
    """Print a result in the form asked for; `extra` follows the text form."""
    if options.format == "json":
        text = result.to_json()
    elif options.format == "csv":
        text = result.to_csv()
    else:
        text = "\n\n".join(table.render(options.format) for table in result.tables())
        if extra and options.format == "text":
            text = f"{text}\n\n{extra}"
    with writing(options.output) as out:
        out.write(f"{text}\n")


@contextmanager
def progress_line(title: str) -> Iterator[Progress | None]:
    """A counter on standard error, if that is a terminal and the work lasts over a second."""
    if not sys.stderr.isatty():
        yield None
        return
    begun = shown = monotonic()
    done = 0

    def tell(more: int) -> None:
        nonlocal done, shown
        done += more
        now = monotonic()
        if more == 0 and now - begun > 1:
            shown = now
            print("\r\033[Kresampling …", end="", file=sys.stderr)
        elif now - begun > 1 and now - shown > 0.1:
            shown = now
            rate = done / (now - begun)
            print(f"\r{title}: {done} sentences, {rate:.0f} a second", end="", file=sys.stderr)

    try:
        yield tell
    finally:
        if shown > begun:
            print("\r\033[K", end="", file=sys.stderr)  # wipe the line


def as_inputs(files: list[str]) -> list[Input]:
    """Files, opened once, so that what was peeked at on standard input is not lost."""
    if files.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    return [Input(name) for name in files]
