"""Analyses of a study as calls of commands: every option means what it means on a command line.

An analysis is turned into the words one would type, and the command's own parser reads them. So no
option is described twice, and a new command can be used in a study at once.
"""

from __future__ import annotations

import os
import re
from argparse import Action
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from jurybox.cli._app import CALLS, build_parser, find_command
from jurybox.errors import UsageError, near_name
from jurybox.study.file import Analysis, Study, is_pattern, matching_files, missing_file
from jurybox.study.lock import LOCK

#: options that name what is written, in every command that has them
WRITTEN = frozenset(
    (
        *("output", "figure", "save-counts", "save-judgments", "blind", "arpa"),
        *("write-cases", "write-documents"),
    )
)
#: those that are written by some commands and read by others
WRITTEN_BY = {
    "cases derive": {"judgments", "decisions"},
    "convert": {"cases"},
    "sample draw": {"key"},
    "detect run": {"decisions"},
    "detect mine": {"decisions"},
    "detect selection": {"cloze", "choices", "joined"},
}
#: commands that refuse a seed where nothing is drawn: when they take one
SEEDED: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "score": lambda options: "ci" in options,
    "detect train": lambda options: options.get("learner") != ["lm"],
}
#: without it, the last file would be written over
NEEDS_OUTPUT = frozenset(("convert",))
#: commands with a result that says nothing about systems or people
NO_ANALYSIS = frozenset(("data",))
#: folders that save work and change no number
KEPT = frozenset(("cache",))
PAGE = "report.html"
#: what the value of an option is called where it names files: patterns are spelled out
FILES = ("FILE", "HYP", "JUDGMENTS", "CASES", "DECISIONS", "MODEL", "PATH", "RESULT", "KEY")


class PlannedCall(NamedTuple):
    """An analysis as a call: the command, the words, and the files it touches."""

    name: str
    command: str
    words: tuple[str, ...]
    options: Mapping[str, Any]  # as they are recorded
    result: str  # where the JSON goes; "" if the command writes its page itself
    writes: Mapping[str, tuple[str, ...]]  # option -> places
    needs: tuple[str, ...]  # analyses that make what is read
    always: str = ""  # why it is made at every run

    def inputs(self) -> list[str]:
        """The files and folders among the words: what the call depends on."""
        named = dict.fromkeys(_files_among(self.options, self.writes))
        return [place for place in named if os.path.exists(place)]  # noqa: PTH110  any string

    def outputs(self) -> list[str]:
        """Everything the call writes."""
        return [*filter(None, [self.result]), *chain.from_iterable(self.writes.values())]


def _files_among(options: Mapping[str, Any], written: Collection[str]) -> Iterator[str]:
    """What among the values may be a file that is read: all of one, or what is behind NAME=."""
    for key, values in options.items():
        if key in written or key in KEPT or not isinstance(values, list):
            continue
        for value in values:
            name, equals, rest = value.partition("=")
            yield value
            if equals and name and rest:
                yield rest


def calls_of(study: Study) -> list[PlannedCall]:
    """All analyses as calls, in order; whatever is wrong in them is said before any work."""
    taken = {_place(study, LOCK): "the record of the study", _place(study, PAGE): "the report"}
    calls: list[PlannedCall] = []
    for analysis in study.analyses:
        call = CallBuilder(study, analysis, calls).call()
        written = [(key, place) for key, places in call.writes.items() for place in places]
        for key, place in [("", call.result), *written]:  # two analyses cannot write one file
            keys = ("analysis", call.name, *([key] if key else []))
            if place in taken:
                message = f"{place} is written by {taken[place]}; name another file"
                raise study.complaint(keys, message)
            taken[place] = ".".join(keys)
        calls.append(call)
    report_call(study, calls, [])  # its options are looked at before the work, too
    return calls


def report_call(study: Study, calls: Sequence[PlannedCall], results: Sequence[str]) -> PlannedCall:
    """The page out of results, with the options of the table [report]."""
    options: dict[str, Any] = {"title": study.title} if study.title else {}
    analysis = Analysis("report", "report", {**options, **study.report})
    return CallBuilder(study, analysis, calls).page(results)


def _place(study: Study, name: str) -> str:
    return os.path.normpath(os.path.join(study.out, name))  # noqa: PTH118  a string stays one


class CallBuilder:
    """One analysis on its way to a call."""

    def __init__(self, study: Study, analysis: Analysis, earlier: Sequence[PlannedCall]) -> None:
        self._study, self._analysis, self._command = study, analysis, analysis.command
        page = analysis.name == "report"
        self._keys = ("report",) if page else ("analysis", analysis.name)
        # what others may read: the result, and what else is written, by its option
        self._made = {call.name: {"": (call.result,), **call.writes} for call in earlier}
        if not page:
            self._check_command()
        self._parser, _ = build_parser(self._command)
        #: what may be said, by the name it has on the command line; arguments by their own names
        self._actions = {
            _flag(action)[2:] if action.option_strings else action.dest: action
            for action in self._parser._actions  # argparse has no other way to list them
            if action.dest != "help"
        }
        self._written = WRITTEN | WRITTEN_BY.get(self._command, set())
        if self._command == "detect selection" and {"cloze", "choices"} & {*analysis.options}:
            self._written |= {"key"}

    # --- what @NAME stands for: files named once, or what an analysis above writes ---

    def files(self, key: str, reference: str, *, named: bool) -> list[str]:
        """The files that @NAME, @NAME.FORM or @NAME/FILE stands for; `named`: as NAME=FILE."""
        whole, slash, below = reference.partition("/")
        name, form = self._split(key, whole)
        named = named and not slash
        if name in self._made:
            files = list(self._outputs_of(key, name, form))
        else:
            systems = [one for one, of in self._study.named.items() if of.table == "systems"]
            wanted = systems if name == "systems" else [name]
            if not wanted:
                raise self._complaint(key, "there are no systems; name them in [systems]")
            files = [
                f"{one}={file}" if named and one in systems else file
                for one in wanted
                for file in self._files_of(key, one, form)
            ]
        if not slash:
            return files
        places = [f"{file}/{below}" for file in files]
        if not is_pattern(below):
            return places
        if name in self._made:
            raise self._complaint(key, f"@{reference}: name files that are yet to be made in full")
        return [file for place in places for file in self.spelled_out(key, place)]

    def needed(self, files: Iterable[str]) -> tuple[str, ...]:
        """The analyses above that write any of these files, or a folder that they are in."""
        places = [f"{os.path.normpath(file)}{os.sep}" for file in files]
        found = (
            name
            for place in places
            for name, outputs in self._made.items()
            for written in chain.from_iterable(outputs.values())
            if place.startswith(f"{written}{os.sep}")
        )
        return tuple(dict.fromkeys(found))

    def spelled_out(self, key: str, pattern: str) -> list[str]:
        """The files that a pattern stands for."""
        found = matching_files(self._study.folder, pattern)
        if not found:
            raise self._complaint(key, missing_file(self._study.folder, pattern))
        return found

    def _complaint(self, key: str, message: str) -> Exception:
        return self._study.complaint((*self._keys, *filter(None, [key])), message)

    def _split(self, key: str, whole: str) -> tuple[str, str]:
        """Name and form; a name may hold dots itself."""
        known = [*self._study.named, *self._made, "systems"]
        for name in sorted(known, key=len, reverse=True):
            if whole == name or whole.startswith(f"{name}."):
                return name, whole[len(name) + 1 :]
        for later in (analysis.name for analysis in self._study.analyses):
            if whole == later or whole.startswith(f"{later}."):
                raise self._complaint(
                    key, f"@{whole} is not made yet; move [analysis.{later}] above this one"
                )
        raise self._complaint(
            key,
            f"nothing is called {whole}{near_name(whole, known)}; name it in [data], [systems] or "
            "[judges], or write @@ for a value that begins with @",
        )

    def _outputs_of(self, key: str, name: str, form: str) -> tuple[str, ...]:
        places = self._made[name]
        if form in places:
            return places[form]
        known = ", ".join(f"@{name}.{one}" if one else f"@{name}" for one in places)
        raise self._complaint(
            key, f'{name} writes no {form}; add {form} = "…" to it (it makes: {known})'
        )

    def _files_of(self, key: str, name: str, form: str) -> tuple[str, ...]:
        forms = self._study.named[name].forms
        if form not in forms:
            known = " or ".join(f"@{name}.{one}" if one else f"@{name}" for one in forms)
            missing = f"{name} has no {form}" if form else f"{name} has several files"
            raise self._complaint(key, f"{missing}; say {known}")
        return forms[form]

    # --- the call ---

    def call(self) -> PlannedCall:
        options = self._given()
        words = [*self._spelled(options), "--format=json"]
        self._parse(words)
        return PlannedCall(
            self._analysis.name,
            self._command,
            tuple(words),
            options,
            _place(self._study, f"{self._analysis.name}.json"),
            {key: tuple(options[key]) for key in options if key in self._written},
            self.needed(_files_among(options, self._written)),
            always="it reads a database" if "db" in options else "",
        )

    def page(self, results: Sequence[str]) -> PlannedCall:
        given = self._analysis.options
        for key in ("results", "output"):
            if key in given:
                raise self._complaint(key, f"leave it out: the report is written to {PAGE} in out")
        page = _place(self._study, PAGE)
        options = {**self._given(), "results": list(results), "output": [page]}
        words = self._spelled(options)
        self._parse(words)
        return PlannedCall("report", "report", tuple(words), options, "", {"output": (page,)}, ())

    def _parse(self, words: Sequence[str]) -> None:
        try:
            self._parser.parse_intermixed_args(words)
        except UsageError as error:
            about = re.match(r"argument --([\w-]+): (.*)", str(error))
            key, message = (about[1], about[2]) if about else ("", str(error))
            raise self._complaint(key, message) from None

    def _check_command(self) -> None:
        if self._command in CALLS and _gives_result(self._command):
            return
        offered = [call for call in CALLS if _gives_result(call)]
        if self._command in CALLS:
            problem = f"{self._command} gives no result"
        else:
            problem = f"there is no command '{self._command}'{near_name(self._command, offered)}"
        raise self._complaint("command", f"{problem} (one of: {', '.join(offered)})")

    # --- keys ---

    def _given(self) -> dict[str, Any]:
        """Every option as the list of its values, or True for a switch that is on."""
        self._check_keys()
        options: dict[str, Any] = {}
        for key, value in self._analysis.options.items():
            action = self._actions[key]
            taken = self._target(key, value) if key in self._written else self._values(key, value)
            if taken is None:
                continue
            # argparse would silently take the last value
            if action.nargs in (None, "?") and isinstance(taken, list) and len(taken) != 1:
                raise self._complaint(key, f"takes one value, and these are {len(taken)}")
            options[key] = taken
        return {**options, **self._filled_in(options)}

    def _check_keys(self) -> None:
        own = self._parser.get_default("output") == "-"  # its output is the result itself
        for key in self._analysis.options:
            if key == "format" or (key == "output" and own):
                raise self._complaint(
                    key, f"leave it out: the result is written to {self._analysis.name}.json in out"
                )
            if key not in self._actions:
                hint = near_name(key, self._actions) or f"; see jurybox {self._command} --help"
                raise self._complaint(key, f"{self._command} has no such option{hint}")
        for key, action in self._actions.items():
            required = action.required if action.option_strings else action.nargs in (None, "+")
            required |= key == "output" and self._command in NEEDS_OUTPUT
            if required and key not in self._analysis.options:
                raise self._complaint("", f"{self._command} needs {key}: add {key} = …")

    def _filled_in(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The study's seed, and places of files that a command writes without being asked."""
        filled: dict[str, Any] = {}
        seed = self._study.seed
        drawn = self._command not in SEEDED or SEEDED[self._command](options)
        if seed is not None and "seed" in self._actions and "seed" not in options and drawn:
            filled["seed"] = [str(seed)]
        for key in sorted(self._written & {*self._actions} - {*options, "output"}):
            default = self._actions[key].default
            if isinstance(default, str):
                filled[key] = [_place(self._study, default)]
        return filled

    def _target(self, key: str, value: Any) -> list[str]:
        """A file to write: in the study's own folder, where nothing else is."""
        names = value if isinstance(value, list) else [value]
        for name in names:
            if not isinstance(name, str) or not name or name == "-":
                raise self._complaint(key, "must be a file name in quotes")
            inside = Path(os.path.normpath(name))
            if inside.is_absolute() or inside.parts[:1] in ((), ("..",)):
                raise self._complaint(
                    key, f"'{name}' must lie in out ({self._study.out}): give its name alone"
                )
        return [_place(self._study, name) for name in names]

    # --- values ---

    def _values(self, key: str, value: Any) -> list[str] | bool | None:
        action = self._actions[key]
        if isinstance(value, bool):
            if action.nargs not in (0, "?"):
                raise self._complaint(key, f"takes {_kind(action)}, not {str(value).lower()}")
            return value or None
        if action.nargs == 0:
            raise self._complaint(key, "is a switch: write true or false")
        if isinstance(value, dict):
            return self._pairs(key, value)
        values = value if isinstance(value, list) else [value]
        return [text for one in values for text in self._texts(key, one)]

    def _pairs(self, key: str, table: Mapping[str, Any]) -> list[str]:
        """A table as NAME=VALUE."""
        if "=" not in str(self._actions[key].metavar):
            raise self._complaint(key, f"takes {_kind(self._actions[key])}, not a table")
        pairs = []
        for name, value in table.items():
            texts = self._texts(key, value, named=False)
            if len(texts) != 1:
                raise self._complaint(key, f"{name} must be one value, and these are {len(texts)}")
            pairs.append(f"{name}={texts[0]}")
        return pairs

    def _texts(self, key: str, value: Any, *, named: bool = True) -> list[str]:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return [str(value)]
        if not isinstance(value, str):
            raise self._complaint(key, f"takes {_kind(self._actions[key])}")
        if value == "-":
            raise self._complaint(key, "a study reads files, not standard input; name a file")
        metavar = str(self._actions[key].metavar)
        if value.startswith("@@"):
            return [value[1:]]
        if value.startswith("@"):
            return self.files(key, value[1:], named="NAME=" in metavar and named)
        is_file = any(kind in metavar for kind in FILES)
        return self.spelled_out(key, value) if is_file and is_pattern(value) else [value]

    # --- words ---

    def _spelled(self, options: Mapping[str, Any]) -> list[str]:
        """The words of a command line: arguments first, for a bare option takes what follows."""
        arguments: list[str] = []
        flags: list[str] = []
        for key, values in options.items():
            action = self._actions[key]
            if not action.option_strings:
                arguments += (f"./{value}" if value.startswith("-") else value for value in values)
            elif values is True:
                flags.append(_flag(action))
            else:
                flags += (f"{_flag(action)}={value}" for value in values)
        return [*arguments, *flags]


def _gives_result(call: str) -> bool:
    is_analysis = call.split(maxsplit=1)[0] not in NO_ANALYSIS
    return is_analysis and "format" in find_command(call).Call.__options__


def _flag(action: Action) -> str:
    return max(action.option_strings, key=len)


def _kind(action: Action) -> str:
    """What an option takes, in a word."""
    if action.type is int:
        return "a whole number"
    if action.type is float:
        return "a number"
    return "text in quotes" if action.nargs in (None, "?") else "text in quotes, or a list"
