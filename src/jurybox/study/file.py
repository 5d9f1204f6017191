"""A study file: data, systems and judges by name, and the analyses that are wanted of them.

TOML. What an analysis says is kept as it stands; which options a command has is the command's own
business (`cli/study/_calls.py`). Files are named relative to the study file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

from jurybox.errors import FormatError, near_name
from jurybox.formats import File
from jurybox.formats.toml_files import complaint_about, read_toml

#: tables that give files a name
NAMED = ("data", "systems", "judges")
KEYS = ("title", "seed", "out", *NAMED, "analysis", "report")
#: what no file or analysis may be called, and why
TAKEN = {
    "systems": "@systems means all systems",
    "report": "the page of the whole study is called so",
    "study": "the record of what was made is called so",
}
#: options that had other names in older study files
RENAMED = {
    **{"map": "columns", "labels": "relabel", "largest": "max-crowd", "draw": "plot"},
    **{"beside": "compare-with", "with-models": "count-models"},
}
RENAMED_IN_AGREE = {"with-models": "show-models"}
NAME = re.compile(r"\w[\w.+-]*")
OUT = "results"


class NamedFiles(NamedTuple):
    """Files under one name: of one form, or of several, as a system's text and its decisions."""

    table: str
    forms: Mapping[str, tuple[str, ...]]  # "" where there is one form only


class Analysis(NamedTuple):
    """A command and its options, as they stand in the file."""

    name: str
    command: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Study:
    """What a study file says."""

    path: str
    text: str
    title: str
    seed: int | None
    out: str
    named: Mapping[str, NamedFiles]
    analyses: tuple[Analysis, ...]
    report: Mapping[str, Any]

    @property
    def folder(self) -> str:
        """Where the file is, and all paths in it begin."""
        return os.path.dirname(self.path) or "."  # noqa: PTH120  a string stays a string

    def complaint(self, keys: Sequence[str], message: str) -> FormatError:
        """An error about what stands under some keys."""
        return complaint_about(self.path, self.text, keys, message)


def read_study(source: File) -> Study:
    r"""The study in a file; whatever is wrong with it is said with file, line and key.

    >>> from jurybox.formats import Input
    >>> study = read_study(Input.from_text('''
    ... title = "Release 2"
    ... [analysis.plan]
    ... command = "sample plan"
    ... precision = 0.8
    ... '''))
    >>> study.title, study.out, study.analyses[0].name, study.analyses[0].options
    ('Release 2', 'results', 'plan', {'precision': 0.8})
    """
    path, text, record = read_toml(source)
    return _StudyReader(path, text, record).study()


class _StudyReader:
    """The parts of a study, each checked as it is taken."""

    def __init__(self, path: str, text: str, record: dict[str, Any]) -> None:
        self._path, self._text, self._record = path, text, record

    def study(self) -> Study:
        for key in self._record:
            if key not in KEYS:
                hint, listed = near_name(key, KEYS), ", ".join(KEYS)
                raise self._complaint((key,), f"there is no such key{hint} (one of: {listed})")
        seen: dict[str, str] = {}
        named = {}
        for table in NAMED:
            for name, value in self._table((table,)).items():
                self._check_name((table, name), seen)
                named[name] = NamedFiles(table, self._forms((table, name), value))
        seed = self._record.get("seed")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise self._complaint(("seed",), "must be a whole number, as seed = 1")
        analyses = tuple(self._analyses(seen))
        if not analyses:
            raise self._complaint(
                (), 'there is no analysis; write one, as [analysis.scores] with command = "score"'
            )
        return Study(
            path=self._path,
            text=self._text,
            title=self._text_of("title", ""),
            seed=seed,
            out=self._text_of("out", OUT),
            named=named,
            analyses=analyses,
            report=self._table(("report",)),
        )

    def _complaint(self, keys: Sequence[str], message: str) -> FormatError:
        return complaint_about(self._path, self._text, keys, message)

    def _text_of(self, key: str, default: str) -> str:
        value = self._record.get(key, default)
        if not isinstance(value, str) or (key in self._record and not value.strip()):
            raise self._complaint((key,), f'must be text in quotes, as {key} = "{default or "…"}"')
        return value

    def _table(self, keys: tuple[str, ...]) -> dict[str, Any]:
        found: Any = self._record
        for key in keys:
            found = found.get(key, {})
        if not isinstance(found, dict):
            header = ".".join(keys) if keys != ("analysis",) else "analysis.NAME"
            raise self._complaint(keys, f"must be a table: begin it with [{header}]")
        return found

    def _check_name(self, keys: tuple[str, ...], seen: dict[str, str]) -> None:
        name = keys[-1]
        if not NAME.fullmatch(name):
            raise self._complaint(keys, "a name is made of letters, digits and . _ + -")
        if name in TAKEN:
            raise self._complaint(keys, f"choose another name: {TAKEN[name]}")
        if name in seen:
            raise self._complaint(keys, f"this name is taken by {seen[name]}; choose another")
        seen[name] = ".".join(keys)

    def _forms(self, keys: tuple[str, ...], value: Any) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            return {"": self._files(keys, value)}
        if not value:
            raise self._complaint(keys, 'names no file; write as text = "mine.txt"')
        return {form: self._files((*keys, form), files) for form, files in value.items()}

    def _files(self, keys: tuple[str, ...], value: Any) -> tuple[str, ...]:
        """The files a value names, patterns spelled out; they must be there."""
        names = value if isinstance(value, list) else [value]
        if not names or not all(isinstance(name, str) and name for name in names):
            raise self._complaint(keys, "must be a file name in quotes, or a list of them")
        folder = os.path.dirname(self._path)  # noqa: PTH120  a string stays a string
        found: list[str] = []
        for name in names:
            files = matching_files(folder, name)
            if not files:
                raise self._complaint(keys, missing_file(folder, name))
            found += files
        if keys[0] == "systems" and len(found) > 1:
            raise self._complaint(keys, f"a system is one file, and these are {len(found)}")
        return tuple(found)

    def _analyses(self, seen: dict[str, str]) -> Iterator[Analysis]:
        for name in self._table(("analysis",)):
            keys = ("analysis", name)
            options = dict(self._table(keys))
            self._check_name(keys, seen)
            command = options.pop("command", None)
            if not isinstance(command, str):
                raise self._complaint(
                    (*keys, *(["command"] if command is not None else [])),
                    'says no command; write as command = "score"',
                )
            command = " ".join(command.split())
            command = {"meta": "metaeval", "cases": "cases derive"}.get(command, command)
            renamed = RENAMED | (RENAMED_IN_AGREE if command == "agree" else {})
            for key in options:
                if renamed.get(key) in options:
                    raise self._complaint((*keys, key), f"is called {renamed[key]}, which is there")
            current = {renamed.get(key, key): value for key, value in options.items()}
            yield Analysis(name, command, current)


def matching_files(folder: str, name: str) -> list[str]:
    """The files that a name or pattern stands for, in order; none if there is none."""
    if os.path.exists(os.path.join(folder, name)):  # noqa: PTH110,PTH118  a name may be a pattern
        return [name]
    return sorted(glob(name, root_dir=folder or None)) if is_pattern(name) else []  # noqa: PTH207  as above


def is_pattern(name: str) -> bool:
    """Whether a name stands for several files.

    >>> is_pattern("A*.m2"), is_pattern("A1.m2")
    (True, False)
    """
    return any(sign in name for sign in "*?[")


def missing_file(folder: str, name: str) -> str:
    """What to say of a file that is not there."""
    if is_pattern(name):
        return f"no file is called like {name}; paths begin at the folder of the study file"
    place = Path(folder, name).parent
    try:
        others = [entry.name for entry in place.iterdir()]
    except OSError:
        where = Path(name).parent.as_posix()
        return f"there is no file {name}, and no folder {where}; paths begin at the study file"
    near = get_close_matches(Path(name).name, others, n=1)
    hint = f"; did you mean '{Path(name).with_name(near[0]).as_posix()}'?" if near else ""
    return f"there is no file {name}{hint or '; paths begin at the folder of the study file'}"
