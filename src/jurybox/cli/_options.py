"""What every command has: options of the same name and meaning, and the one way to print a result.

The rest is beside it: `_panel_options.py`, `_metric_options.py`, `_certainty_options.py`.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats import Input, writing
from jurybox.formats._writing import written_together

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.report.tables import Table

FORMS = ("text", "json", "csv", "markdown", "latex")


class OneOf:
    """The values an option can have: what shell completion offers.

    The library knows them as well and complains, with the near name, about any other.

    >>> OneOf("m2", "errant")("m3")
    'm3'
    """

    def __init__(self, *values: str) -> None:
        self.values = values

    def __call__(self, given: str) -> str:
        return given


def add_files(
    parser: Any, flag: str, text: str, *, metavar: str = "FILE", values: OneOf | None = None
) -> None:
    """An option that takes several values after one flag, and can be repeated."""
    parser.add_argument(
        flag, nargs="+", action="extend", metavar=metavar, help=text, type=values or str
    )


def add_output(parser: ArgumentParser) -> Any:
    """Where results go and what they look like."""
    group = parser.add_argument_group("output")
    add_form(group, FORMS, "text, json, csv, markdown or latex (default: text)")
    group.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="write to this file instead of standard output",
    )
    return group


def add_form(group: Any, forms: Sequence[str], text: str) -> None:
    """What a result looks like."""
    group.add_argument("--format", default="text", metavar="FORM", type=OneOf(*forms), help=text)


def add_beta(group: Any) -> None:
    """The beta of F."""
    group.add_argument(
        "--beta",
        type=float,
        default=0.5,
        metavar="B",
        help="weight of recall against precision in F (default: 0.5)",
    )


def add_figure(group: Any, text: str) -> None:
    """Where figures go."""
    add_files(group, "--figure", f"{text}, as .svg, .png or .pdf")


def given_arguments(
    names: Sequence[str], options: Namespace, defaults: Namespace
) -> dict[str, Any]:
    """The options among these that differ from their defaults, as keyword arguments."""
    return {
        name: getattr(options, name)
        for name in names
        if getattr(options, name) != getattr(defaults, name)
    }


def check_form(options: Namespace, forms: Sequence[str] = FORMS) -> None:
    """Complain before the work, not after it."""
    if options.format not in forms:
        raise unknown_name("format", options.format, forms)


def check_output(options: Namespace, *others: str | None) -> None:
    """Complain before the work about every place that nothing can be written to as it was asked."""
    check_form(options)
    figures = getattr(options, "figure", None) or ()
    check_targets(options, options.output, *others, *figures)
    if figures:
        from jurybox.report.figures import check_figure_path

        for path in figures:
            check_figure_path(path)


#: options that name files to read in every command that has them
_READ = ("hypotheses", "gold", "refs", "source", "documents", "coverage")


def files_read(options: Namespace) -> list[str]:
    """Every file the options name to be read, `-` among them."""
    from jurybox.cli._panel_options import system_arguments

    if hasattr(options, "files_read"):  # the command knows better
        return list(options.files_read)
    read: list[str] = []
    for name in _READ:
        value = getattr(options, name, None) or ()
        read += [value] if isinstance(value, str) else value
    if getattr(options, "system", None):
        read += system_arguments(options).values()
    return read


def check_read_once(files: Sequence[str | None]) -> None:
    """Standard input can stand for one file only."""
    if list(files).count("-") > 1:
        raise UsageError("standard input (-) can be read only once")


def check_targets(options: Namespace, *targets: str | None) -> None:
    """Refuse to write over what is read, or to write two things to one place."""
    taken = {os.path.realpath(name) for name in files_read(options) if name != "-"}
    for target in filter(None, targets):
        check_folder(target)
        place = "-" if target == "-" else os.path.realpath(target)
        if place in taken:
            raise UsageError(f"{target} is in use already; write the result to another file")
        taken.add(place)


def check_folder(target: str) -> None:
    """A file to write needs a folder that is there."""
    folder = "" if target == "-" else os.path.dirname(os.path.realpath(target))  # noqa: PTH120  as quick as can be
    if folder and not os.path.isdir(folder):  # noqa: PTH112  see above
        raise InputError(f"{target}: cannot be written: there is no folder {folder}; make it")


class Printable(Protocol):
    """What a command can print."""

    def tables(self) -> list[Table]: ...

    def to_csv(self) -> str: ...

    def to_json(self) -> str: ...


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


def deliver(
    result: Printable,
    options: Namespace,
    *,
    figure: Callable[[], Figure] | None = None,
    save: Callable[[], None] | None = None,
    extra: str = "",
) -> None:
    """Print a result, and write what else was asked for: all the files appear, or none of them.

    What goes to standard output comes last: a reader who leaves early takes no file away.
    """
    printed = options.output == "-"
    with written_together():
        if save is not None:
            save()
        if figure is not None and options.figure:
            from jurybox.report.figures import save_figure

            drawn = figure()
            for path in options.figure:
                save_figure(drawn, path)
        if not printed:
            show(result, options, extra)
    if printed:
        show(result, options, extra)


def as_inputs(files: list[str]) -> list[Input]:
    """Files, opened once, so that what was peeked at on standard input is not lost."""
    check_read_once(files)
    return [Input(name) for name in files]
