"""Options that mean the same in every command, and the one way to print a result."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from jurybox.errors import InputError, UsageError, unknown_name
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


GOLD = "gold edits: one file, or several single-annotator files as a panel (M2, SGML, JSONL)"


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
    group.add_argument(
        "--documents",
        metavar="FILE",
        help="document of every sentence: one id per line, a CSV, or the SGML file",
    )
    _add_hypothesis_reading(group)
    _add_gold_format(group)
    add_metric(parser)


def add_panel(parser: ArgumentParser) -> None:
    """The panel of annotators, which part of it, and who looked at what."""
    group = parser.add_argument_group("panel")
    add_files(group, "--gold", GOLD)
    add_files(
        group,
        "--documents",
        "document of every sentence: one id per line, a CSV, or the SGML file; and which of them "
        "to take, as 1-10 (numbers in order, or ids)",
        metavar="FILE|WHICH",
    )
    group.add_argument(
        "--coverage",
        metavar="FILE",
        help="who looked at what: a CSV with annotator,documents or annotator,sentences; 'all': "
        "everybody looked at everything",
    )
    _add_gold_format(group)


def panel_arguments(options: Namespace) -> dict[str, Any]:
    """The options of `add_panel` as keyword arguments of `load_panel`, and so of every verb."""
    if not options.gold:
        raise UsageError("the panel is missing: give the annotators' files with --gold")
    read = [*options.gold, *(options.documents or ()), options.coverage]
    read += system_arguments(options).values() if hasattr(options, "system") else ()
    if read.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    return {
        "gold": options.gold,
        "gold_format": options.gold_format,
        "coverage": options.coverage,
        **_document_arguments(options),
    }


def add_systems(parser: ArgumentParser) -> None:
    """Systems by name, beside a panel."""
    group = parser.add_argument_group("systems")
    add_files(
        group,
        "--system",
        "a system's corrected sentences, and what to call it (text, M2, SGML or JSONL)",
        metavar="NAME=FILE",
    )
    _add_hypothesis_reading(group)


def system_arguments(options: Namespace) -> dict[str, str]:
    """The systems, name by name; a file alone is called by its own name."""
    systems: dict[str, str] = {}
    for given in options.system or ():
        name, equals, path = given.partition("=")
        if not equals or os.path.isfile(given):  # noqa: PTH113  as quick as can be
            name, path = os.path.basename(given), given  # noqa: PTH119  see above
        if not name or not path:
            raise UsageError(f"--system {given}: write NAME=FILE, as --system CAMB=camb.txt")
        if name in systems:
            raise UsageError(f"--system {name} is given twice; every system needs its own name")
        systems[name] = path
    return systems


def add_figure(parser: ArgumentParser, text: str) -> None:
    """Where figures go."""
    add_files(parser, "--figure", f"{text}, as .svg, .png or .pdf")


def _document_arguments(options: Namespace) -> dict[str, Any]:
    """Boundaries are in a file, a selection is anything else: `--documents essays.sgml 1-10`."""
    values = options.documents or ()
    files = [value for value in values if _is_file_name(value)]
    which = [value for value in values if value not in files]
    if len(files) > 1:
        raise UsageError(
            f"--documents takes one file with the documents of all sentences, not {len(files)}"
        )
    return {"documents": files[0] if files else None, "select": ",".join(which) or None}


def _is_file_name(value: str) -> bool:
    """Whether a file is meant: it is there, or it could be nothing else but a missing one."""
    suffixes = (".txt", ".csv", ".sgml", ".sgm", ".jsonl", ".gz", ".xz")
    return value == "-" or "/" in value or value.endswith(suffixes) or os.path.exists(value)  # noqa: PTH110  as quick as can be


def _add_gold_format(group: Any) -> None:
    group.add_argument(
        "--gold-format",
        metavar="FORMAT",
        help="read gold files as m2, sgml or jsonl instead of telling by content",
    )


def _add_hypothesis_reading(group: Any) -> None:
    group.add_argument(
        "--hyp-format",
        metavar="FORMAT",
        help="read hypotheses as text, m2, sgml or jsonl instead of telling by content",
    )
    group.add_argument(
        "--tokenize",
        action="store_true",
        help="hypotheses are plain prose: undo the usual detokenisation first",
    )


def add_metric(parser: ArgumentParser, *, jobs: int | None = 1) -> None:
    """How edits or texts are compared; `jobs` None: on all cores unless told otherwise."""
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
        default=jobs,
        metavar="N",
        help="processes to match with; the result is the same "
        f"(default: {'all cores' if jobs is None else jobs})",
    )


#: options of `add_metric` that are keyword arguments of the verbs by the same name
_METRIC = (
    "metric",
    "beta",
    "choice",
    "max_unchanged_words",
    "ignore_case_whitespace",
    "level",
    "expected_statistics",
    "jobs",
)
#: the same for the rest of `add_matching`
_MATCHING = ("source", "refs", "tokenize", "hyp_format", "gold_format", "documents")


def metric_arguments(options: Namespace, parser_defaults: Namespace) -> dict[str, Any]:
    """The options of `add_metric` that were given, as keyword arguments of the verbs."""
    if options.single and options.multi:
        raise UsageError("--single and --multi exclude each other; leave both out for all edits")
    given = _given(_METRIC, options, parser_defaults)
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
        **_given(_MATCHING, options, parser_defaults),
    }


def _given(names: Sequence[str], options: Namespace, defaults: Namespace) -> dict[str, Any]:
    return {
        name: getattr(options, name)
        for name in names
        if getattr(options, name) != getattr(defaults, name)
    }


def add_resampling(
    parser: ArgumentParser, *, units: Sequence[str] = ("sentence", "document")
) -> Any:
    """How certainty is estimated; `units` is what can be drawn, the default first."""
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
        default=units[0],
        metavar="UNIT",
        help=f"what is resampled: {', '.join(units[:-1])} or {units[-1]} (default: {units[0]})",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of the random numbers: the same seed gives the same digits (default: 1)",
    )
    return group


def resampling_arguments(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments."""
    return {name: getattr(options, name) for name in ("resamples", "ci_level", "ci_unit", "seed")}


#: options that name files to read, whichever command has them
_READ = ("hypotheses", "gold", "refs", "source", "documents", "coverage")


def check_targets(options: Namespace, *targets: str | None) -> None:
    """Refuse to write over what is read, or to write two things to one place."""
    read: list[str] = []
    for name in _READ:
        value = getattr(options, name, None) or ()
        read += [value] if isinstance(value, str) else value
    if getattr(options, "system", None):
        read += system_arguments(options).values()
    taken = {os.path.realpath(name) for name in read if name != "-"}
    for target in filter(None, targets):
        place = "-" if target == "-" else os.path.realpath(target)
        folder = os.path.dirname(place)  # noqa: PTH120  as quick as can be
        if folder and not os.path.isdir(folder):  # noqa: PTH112  see above
            raise InputError(f"{target}: cannot be written: there is no folder {folder}; make it")
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
    done, counted = 0, "sentences"

    def tell(more: int, what: str = "sentences") -> None:
        nonlocal done, counted, shown
        if what != counted:
            done, counted = 0, what
        done += more
        now = monotonic()
        if now - begun > 1 and (now - shown > 0.1 or not more):
            shown = now
            line = f"{title}: {done} {counted}, {now - begun:.0f} s" if more else "resampling …"
            print(f"\r\033[K{line}", end="", file=sys.stderr)

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
