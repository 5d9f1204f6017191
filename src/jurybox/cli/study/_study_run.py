"""Running a study: what changed is made again, in order, and all of it becomes one page.

What each result was made of is kept after each of them, so an interrupted study goes on where it
stopped. An analysis that fails takes only those along that need it.
"""

from __future__ import annotations

import io
import json
import os
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from jurybox import plugins
from jurybox.cli._app import BAD_INPUT, build_parser, run_parsed
from jurybox.cli._progress import WIPE, is_watched
from jurybox.cli.study._calls import PlannedCall, calls_of, report_call
from jurybox.errors import InputError, JuryboxError, JuryboxWarning, unknown_name
from jurybox.formats import writing
from jurybox.report.contents import highlights_of, sections_of
from jurybox.saved_results import HOMES, read_result
from jurybox.study.file import Study
from jurybox.study.lock import LOCK, MadeFrom, digest_of, read_lock, reasons_to_make, write_lock

#: reasons that a line names; more would fill it
MOST_REASONS = 3


class StudyRun:
    """One run of a study: what is to be done, what was done, what went wrong."""

    def __init__(self, study: Study, *, force: bool = False, only: Collection[str] = ()) -> None:
        self._study, self._force = study, force
        self._calls = calls_of(study)
        self._wanted = _with_needs(self._calls, only)
        self.failed: list[str] = []
        with chdir(study.folder):
            self._made = self._known(force=force)

    def _known(self, *, force: bool) -> dict[str, MadeFrom]:
        """What earlier runs made; a folder of other things is not written into."""
        out = Path(self._study.out)
        if out.resolve() == Path.cwd():
            raise self._study.complaint(("out",), 'must be a folder of its own, as out = "results"')
        if out.exists() and not out.is_dir():
            raise self._study.complaint(("out",), f"{out} is a file; name a folder")
        known = read_lock(str(out))
        if known is None and not force and out.is_dir() and any(out.iterdir()):
            raise InputError(
                f"{self._place(self._study.out)} holds files and no readable {LOCK}: name "
                "another folder as out, or write over them with --force"
            )
        names = {call.name for call in self._calls} | {"report"}
        return {name: made for name, made in (known or {}).items() if name in names}

    # --- what would be done ---

    def plan(self) -> Iterator[str]:
        """What a run would do and why, a line for each analysis."""
        waiting: set[str] = set()
        with chdir(self._study.folder):
            for call in self._steps():
                before = [name for name in call.needs if name in waiting]
                if call.name == "report":
                    before = [name for name in (one.name for one in self._calls) if name in waiting]
                why = self._why(call)
                if why:
                    yield f"{call.name}: would be {self._verb(call)} ({_listed(why)})"
                elif before:
                    yield f"{call.name}: would be looked at again (after {', '.join(before)})"
                else:
                    yield f"{call.name}: unchanged"
                if why or before:
                    waiting.add(call.name)

    def _steps(self) -> Iterator[PlannedCall]:
        """The analyses that are wanted and, if it is, the report of them all."""
        yield from (call for call in self._calls if call.name in self._wanted)
        if "report" in self._wanted and (results := self._results()):
            yield report_call(self._study, self._calls, results)

    def _results(self) -> list[str]:
        """The results that can stand in a report."""
        shown = (call for call in self._calls if _can_be_reported(call))
        return [call.result for call in shown if call.name not in self.failed]

    def _why(self, call: PlannedCall) -> list[str]:
        if self._force or call.always:
            return ["--force" if self._force else call.always]
        return reasons_to_make(self._now(call), self._made.get(call.name))

    def _verb(self, call: PlannedCall) -> str:
        return "recomputed" if call.name in self._made else "computed"

    @staticmethod
    def _now(call: PlannedCall) -> MadeFrom:
        """What the call would be made of now, and what it made as it is now."""
        inputs = {path: digest_of(path) for path in call.inputs()}
        return MadeFrom(
            call.command,
            {key: value for key, value in call.options.items() if key not in call.writes},
            inputs,
            {path: digest_of(path) for path in call.outputs()},
            plugins=plugins.versions_of([*_words(call.options), *inputs]),
        )

    # --- doing it ---

    def run(self) -> Iterator[str]:
        """Do it; yields a line for each analysis as soon as it is done."""
        with chdir(self._study.folder):
            try:
                Path(self._study.out).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                message = f"cannot be made ({error.strerror})"
                raise self._study.complaint(("out",), message) from None
            write_lock(self._study.out, self._made)
            for number, call in enumerate(self._steps(), 1):
                with _announced(f"{number} of {len(self._wanted)}: {call.name} …"):
                    line = self._do(call)
                yield line
            if "report" not in self._wanted or self._results():
                return
            if any(map(_can_be_reported, self._calls)):
                self.failed.append("report")
                yield "report: left out (there is no result)"
            else:
                commands = ", ".join(dict.fromkeys(call.command for call in self._calls))
                yield f"report: none (a report shows no {commands})"

    def _do(self, call: PlannedCall) -> str:
        lost = [name for name in call.needs if name in self.failed]
        if lost:
            self.failed.append(call.name)
            return f"{call.name}: left out (it needs {', '.join(lost)})"
        why = self._why(call)
        if not why:
            return f"{call.name}: unchanged"
        verb = self._verb(call)
        now = self._now(call)
        try:
            with _warnings_of(call.name):
                code = _make(call)
                headline = _headline(call) if call.result else ""
        except (JuryboxError, OSError) as error:
            self.failed.append(call.name)  # what an earlier run made is left as it was
            keys = ("report",) if call.name == "report" else ("analysis", call.name)
            message = str(error)
            if isinstance(error, OSError):
                message = f"cannot write the result ({error.strerror or error})"
            print(f"jurybox: {self._study.complaint(keys, message)}", file=sys.stderr)
            return f"{call.name}: failed"
        outputs = {path: digest_of(path) for path in call.outputs()}
        self._made[call.name] = now._replace(outputs=outputs, exit=code, headline=headline)
        names = [*(one.name for one in self._calls), "report"]
        in_order = {name: self._made[name] for name in names if name in self._made}
        write_lock(self._study.out, in_order)
        return f"{call.name}: {verb} ({_listed(why)})"

    # --- what came of it ---

    @property
    def exit_code(self) -> int:
        """1 if anything failed; else what a release gate said."""
        if self.failed:
            return BAD_INPUT
        return max(
            (self._made[name].exit for name in self._wanted if name in self._made), default=0
        )

    def summary(self) -> Iterator[str]:
        """The headline of every analysis."""
        width = max(map(len, self._wanted), default=0)
        done = {*self._made} & {*self._wanted} - {*self.failed}
        for name in (call.name for call in self._calls if call.name in done):
            yield f"{name.ljust(width)}  {self._made[name].headline}".rstrip()

    @property
    def page(self) -> str:
        """Where the report is, as seen from here; nothing if it was not made."""
        wanted = "report" in self._wanted and "report" not in self.failed
        made = self._made.get("report") if wanted else None
        return self._place(next(iter(made.outputs))) if made else ""

    @property
    def out(self) -> str:
        """Where everything is."""
        return self._place(self._study.out)

    def _place(self, path: str) -> str:
        return os.path.normpath(os.path.join(self._study.folder, path))  # noqa: PTH118  a string


def _words(value: Any) -> list[str]:
    """Every text among options and their values."""
    if isinstance(value, Mapping):
        return [word for one in value.values() for word in _words(one)]
    if isinstance(value, list | tuple):
        return [word for one in value for word in _words(one)]
    return [value] if isinstance(value, str) else []


def _with_needs(calls: Sequence[PlannedCall], only: Collection[str]) -> list[str]:
    """What is wanted and what it needs, in order; the report needs everything."""
    names = [*(call.name for call in calls), "report"]
    for name in only:
        if name not in names:
            raise unknown_name("analysis", name, names)
    if not only or "report" in only:
        return names
    wanted = set(only)
    for call in reversed(calls):
        if call.name in wanted:
            wanted |= {*call.needs}
    return [name for name in names if name in wanted]


def _make(call: PlannedCall) -> int:
    """Call the command; its result goes to its file, whole or not at all."""
    for place in call.outputs():
        Path(place).parent.mkdir(parents=True, exist_ok=True)
    parser, command = build_parser(call.command)
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = run_parsed(command, parser.parse_intermixed_args(call.words))
    if call.result:
        json.loads(printed.getvalue())
        with writing(call.result) as out:
            out.write(printed.getvalue())
    return code


def _can_be_reported(call: PlannedCall) -> bool:
    # what `cases derive` makes is called cases
    return call.command.removesuffix(" derive").replace(" ", "-") in HOMES


def _headline(call: PlannedCall) -> str:
    """The first number a report would show, or what it would say first, or what was written."""
    places = [place for places in call.writes.values() for place in places]
    written = f"wrote {', '.join(places)}" if places else ""
    if not _can_be_reported(call):
        return written
    result = read_result(call.result)
    for tile in highlights_of([result]):
        return f"{tile.value}  {': '.join(filter(None, (tile.title, tile.detail)))}"
    lead = sections_of([result])[0].lead.split(". ")[0].rstrip(".")
    cells = next((row for table in result.tables() for row in table.rows), ())
    shown = (f"{cell:z.4f}" if isinstance(cell, float) else str(cell) for cell in cells)
    return lead or written or "  ".join(filter(None, shown))


def _listed(reasons: Sequence[str]) -> str:
    more = len(reasons) - MOST_REASONS
    shown = ", ".join(reasons[:MOST_REASONS])
    return f"{shown} and {more} more" if more > 0 else shown


@contextmanager
def _announced(text: str) -> Iterator[None]:
    """What is being done, in a terminal only, until it is done or tells of itself."""
    stream = sys.stderr if is_watched() else io.StringIO()
    print(f"{WIPE}{text}", end="", file=stream, flush=True)
    try:
        yield
    finally:
        print(WIPE, end="", file=stream, flush=True)


@contextmanager
def _warnings_of(name: str) -> Iterator[None]:
    """Warnings say which analysis they come from."""
    shown = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, JuryboxWarning):
            message = category(f"{name}: {message}")
        shown(message, category, *place, **more)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
