"""Where results go and what they look like: options of all commands, and the one way to print."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, Annotated, Any, cast

from jurybox.cli._progress import ProgressLine
from jurybox.errors import InputError, UsageError
from jurybox.formats import Input, writing
from jurybox.formats._io import written_together
from jurybox.options import Opt, Options

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.results import TabularResult
    from jurybox.shared_options import PanelReading, ReferenceFiles

FORMS = ("text", "json", "csv", "markdown", "latex")
MEGABYTE = 1e6


def form_option(what: str = "") -> Opt:
    """The option `--format` of a command that prints `what`."""
    return Opt(f"{what}text, json, csv, markdown or latex", "FORM", values=FORMS, noun="format")


class Output(Options, group="output"):
    """The form of the result, and its file."""

    format: Annotated[str, form_option()] = "text"
    output: Annotated[
        str, Opt("write to this file instead of standard output", "FILE", short="-o")
    ] = "-"


class SummaryForm(Options, group="output"):
    """What the summary looks like, where `-o` is something else."""

    format: Annotated[str, form_option("form of the summary: ")] = "text"


class CasesOutput(Options, group="output"):
    """Where cases are written."""

    output: Annotated[
        str | None, Opt("write the cases to this file (.jsonl, .csv, .tsv)", "FILE", short="-o")
    ] = None


def figure_file(what: str) -> Opt:
    """The option `--figure` of a command that draws `what`."""
    return Opt(f"{what}, as .svg, .png or .pdf", "FILE", many=True)


class FigureOutput(Output, group="output"):
    """The form of the result, its file, and a figure."""

    figure: Annotated[tuple[str, ...], figure_file("draw a figure")] = ()


class PlotOutput(FigureOutput, group="output"):
    """The same with several figures to choose from."""

    figure: Annotated[tuple[str, ...], figure_file("draw a figure (see --plot)")] = ()
    plot: Annotated[str, Opt("what to draw", "WHAT")] = ""

    def check(self) -> None:
        super().check()
        if "plot" in self.changed() and not self.figure:
            raise UsageError(f"--plot {self.plot}: name the file to draw to with --figure")


def check_files(call: Options, read: Sequence[str | None], *written: str | None) -> None:
    """Complain before the work about files that cannot be read or written as it was asked.

    Standard input is read once; nothing is written over what is read, or twice to one place.
    `written` are files besides the output and the figures of the call.
    """
    given = [name for name in read if name is not None]
    as_inputs(given)
    taken = {os.path.realpath(name) for name in given if name != "-"}
    figures = getattr(call, "figure", ())
    for target in filter(None, (getattr(call, "output", None), *written, *figures)):
        check_folder(target)
        place = "-" if target == "-" else os.path.realpath(target)
        if place in taken:
            raise UsageError(f"{target} is in use already; write the result to another file")
        taken.add(place)
    if figures:
        from jurybox.figures import check_figure_path

        for path in figures:
            check_figure_path(path)


def panel_files(call: PanelReading) -> list[str]:
    """The files that a panel, and the systems that go with it, are read from."""
    systems = getattr(call, "systems", None) or {}
    gold = words(getattr(call, "gold", None))
    given = (*gold, call.documents, call.coverage, *systems.values())
    return [name for name in given if name is not None]


def files_compared_with(call: ReferenceFiles) -> list[str | None]:
    """The files that a command line names as gold, source, references and documents."""
    named = [*words(call.gold), call.source, *words(call.refs), call.documents]
    return cast("list[str | None]", named)


def check_folder(target: str) -> None:
    """A file to write needs a folder that is there."""
    folder = "" if target == "-" else os.path.dirname(os.path.realpath(target))  # noqa: PTH120  as quick as can be
    if folder and not os.path.isdir(folder):  # noqa: PTH112  see above
        raise InputError(f"{target}: cannot be written: there is no folder {folder}; make it")


def check_forms(*targets: str | None) -> None:
    """Refuse a file for cases, judgments or decisions whose ending tells no format."""
    from jurybox.jury.cases.result import form_of  # late: few commands write such files

    for target in filter(None, targets):
        form_of(target)


def files_in_folder(folder: str, files: Iterable[str]) -> list[str]:
    """The files that `--decisions` writes into its folder, or the folder if it is to be made."""
    if os.path.isdir(folder):  # noqa: PTH112  as quick as can be
        return [*files]
    if os.path.exists(folder):  # noqa: PTH110  see above
        raise UsageError(f"--decisions {folder} is a file; name a folder")
    return [folder]


def refuse_idle(call: Options, names: Sequence[str], needed: str) -> None:
    """Options that would do nothing are a mistake worth naming; `needed` is what they go with."""
    if flags := call.flags_given(names):
        raise UsageError(f"{', '.join(flags)}: only with {needed}")


def show(result: TabularResult, call: Output, extra: str = "") -> None:
    """Print a result in the form asked for; `extra` follows the text form."""
    if call.format == "json":
        text = result.to_json()
    elif call.format == "csv":
        text = result.to_csv()
    else:
        text = "\n\n".join(table.render(call.format) for table in result.tables())
        if extra and call.format == "text":
            text = f"{text}\n\n{extra}"
    with writing(call.output) as out:
        out.write(f"{text}\n")


def deliver(
    result: TabularResult,
    call: Output,
    *,
    figure: Callable[[], Figure] | None = None,
    save: Callable[[], Any] | None = None,
    extra: str = "",
) -> None:
    """Print a result, and write what else was asked for: all the files appear, or none of them.

    What goes to standard output comes last: a reader who leaves early takes no file away.
    """
    printed = call.output == "-"
    with written_together():
        if save is not None and isinstance(saved := save(), type(result)):
            result = saved  # it names the files that were written
        if figure is not None and (targets := getattr(call, "figure", ())):
            from jurybox.figures import save_figure

            drawn = figure()
            for path in targets:
                save_figure(drawn, path)
        if not printed:
            show(result, call, extra)
    if printed:
        show(result, call, extra)


def show_summary(result: TabularResult, form: str, *written: object) -> None:
    """Print a result; to standard error where something was `written` to standard output."""
    with redirect_stdout(sys.stderr if "-" in written else sys.stdout):
        show(result, Output(format=form))


def words(given: object) -> list[str]:
    """What a command line gave for an option that may be more in Python, such as a table."""
    return list(cast("Sequence[str]", given or ()))


def as_inputs(files: Sequence[str]) -> list[Input]:
    """Files, opened once, so that what was peeked at on standard input is not lost."""
    if list(files).count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    return [Input(name) for name in files]


# --- reading that is watched ---


class WatchedInput(Input):
    """A file whose reading is told about, in megabytes."""

    def __init__(self, path: str, line: ProgressLine) -> None:
        super().__init__(path)
        self._line = line
        self._told = 0.0

    def whole_lines(self) -> Iterator[bytes]:
        """The same pieces as ever."""
        self._line(-self._told, "MB")  # read once more: from the beginning
        self._told = 0.0
        for piece in super().whole_lines():
            yield piece
            self._told += len(piece) / MEGABYTE
            self._line(len(piece) / MEGABYTE, "MB")


def watched(files: Sequence[str], line: ProgressLine | None) -> list[str | Input]:
    """Files as they are or, where somebody looks, such that reading them is told about."""
    if line is None:
        return list(files)
    size = 0.0  # where a pipe or a compressed file does not tell
    if not any(name == "-" or name.endswith((".gz", ".xz")) for name in files):
        with suppress(OSError):  # reading will say what is wrong
            size = sum(os.path.getsize(name) for name in files) / MEGABYTE  # noqa: PTH202  as quick as can be
    line.expect(size, "MB")
    return [WatchedInput(name, line) for name in files]
