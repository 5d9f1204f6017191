"""What `evaluate` was given: files or tables in memory, read, checked, about the same cases."""

from __future__ import annotations

import json
import os
import warnings
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

from jurybox.api.cases_result import DerivedCases
from jurybox.errors import (
    InputError,
    JuryboxWarning,
    LengthError,
    UsageError,
    near_name,
    unknown_name,
)
from jurybox.formats import Input, Source, as_input
from jurybox.formats import cases as case_files
from jurybox.formats import decisions as decision_files
from jurybox.formats import judgments as judgment_files
from jurybox.formats._io import BadLines
from jurybox.model import CaseSet, DecisionTable, JudgmentTable

#: files or tables of judgments; of a system's decisions
GivenJudgments = Source | JudgmentTable | Sequence[Source]
GivenSystems = Mapping[str, Source | DecisionTable] | Sequence[Source | DecisionTable]

JUDGMENT_COLUMNS = (
    *judgment_files.REQUIRED,
    *judgment_files.OPTIONAL,
    *judgment_files.NUMBERS,
    *judgment_files.WORDS,
)
COLUMNS = tuple(dict.fromkeys((*case_files.COLUMNS, *JUDGMENT_COLUMNS, *decision_files.COLUMNS)))


@dataclass(frozen=True)
class Evidence:
    """Cases, what people say about them and what systems decide, as they were given."""

    name: str
    case_set: CaseSet
    judgments: JudgmentTable
    decisions: dict[str, DecisionTable]
    inputs: tuple[Input, ...] = ()
    said_in: str = "the judgments"  # what to call where the judgments come from
    own_judgments: bool = False  # read here: nobody else looks at the table, so it may be changed


def read_evidence(
    cases: Source | CaseSet | None,
    judgments: GivenJudgments | None,
    systems: GivenSystems | None,
    *,
    derived: DerivedCases | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    threshold: float | None = None,
) -> Evidence:
    """Read everything; a threshold makes labels out of scores."""
    for field, title in (columns or {}).items():
        if field not in COLUMNS:
            message = str(unknown_name("column", field, COLUMNS))
            raise UsageError(f"--map {field}={title}: {message}")
    if threshold is not None and isnan(threshold):
        raise UsageError("--threshold is not a number")
    if derived is not None:
        if cases is not None or judgments is not None:
            raise UsageError("give derived cases, or cases and judgments, not both")
        decided = _named(systems if systems is not None else derived.decisions)
        _check_mapped(columns or {}, (), _files(decided))
        return _with_decisions(
            Evidence("derived", derived.case_set, derived.judgments, {}, derived.inputs),
            decided,
            columns,
            labels,
            threshold,
        )
    if judgments is None:
        raise UsageError("the judgments are missing: name their files with --judgments")
    if systems is None or not len(systems):
        raise UsageError("there is no system to evaluate: name one with --system NAME=DECISIONS")
    if cases is not None and not isinstance(cases, CaseSet):
        cases = as_input(cases)
    decided = _named(systems)
    checked_later = () if isinstance(judgments, JudgmentTable) else JUDGMENT_COLUMNS
    _check_mapped(
        {f: t for f, t in (columns or {}).items() if f not in checked_later},
        [cases] if isinstance(cases, Input) else (),
        _files(decided),
    )
    read = _read_people(cases, judgments, columns, labels)
    return _with_decisions(read, decided, columns, labels, threshold)


def _read_people(
    cases: Source | CaseSet | None,
    judgments: GivenJudgments,
    columns: Mapping[str, str] | None,
    labels: Mapping[str, str] | None,
) -> Evidence:
    inputs: list[Input] = []
    case_set, name = (cases, "cases") if isinstance(cases, CaseSet) else (None, "judgments")
    if cases is not None and not isinstance(cases, CaseSet):
        source = as_input(cases)
        inputs.append(source)
        name = source.stem
        wanted = _columns_in(source, columns, case_files.COLUMNS)
        case_set = case_files.read(source, columns=wanted, labels=labels)
    if isinstance(judgments, JudgmentTable):
        if case_set is None:
            raise UsageError("a JudgmentTable holds no cases: give them too")
        return Evidence(name, case_set, judgments, {}, tuple(inputs))
    if isinstance(judgments, Input | str | os.PathLike):
        judgments = [judgments]
    sources = [as_input(one) for one in judgments]
    wanted = {f: t for f, t in (columns or {}).items() if f in JUDGMENT_COLUMNS}
    read = judgment_files.read(sources, case_set, columns=wanted, labels=labels)
    said_in = ", ".join(source.name for source in sources)
    read_here = (*inputs, *sources)
    return Evidence(name, read.cases, read.table, {}, read_here, said_in, own_judgments=True)


def _named(systems: GivenSystems) -> dict[str, Input | DecisionTable]:
    """Every system's file or table, by the system's name."""
    if isinstance(systems, Mapping):
        return {name: _as_file(one) for name, one in systems.items()}
    if isinstance(systems, str) or hasattr(systems, "__fspath__"):
        raise UsageError("name the systems: a dict as {'mine': 'decisions.csv'}")
    named: dict[str, Input | DecisionTable] = {}
    for given in systems:
        one = _as_file(given)
        name = one.name if isinstance(one, DecisionTable) else one.stem
        if name in named:
            raise UsageError(f"two systems are called '{name}'; every system needs its own name")
        named[name] = one
    return named


def _as_file(given: Source | DecisionTable) -> Input | DecisionTable:
    return given if isinstance(given, DecisionTable) else as_input(given)


def _files(systems: Mapping[str, Input | DecisionTable]) -> list[Input]:
    return [one for one in systems.values() if isinstance(one, Input)]


def _with_decisions(
    evidence: Evidence,
    systems: Mapping[str, Input | DecisionTable],
    columns: Mapping[str, str] | None,
    labels: Mapping[str, str] | None,
    threshold: float | None,
) -> Evidence:
    if not systems:
        raise UsageError("there is no system to evaluate: name one with --system NAME=DECISIONS")
    decisions: dict[str, DecisionTable] = {}
    inputs: list[Input] = []
    for name, given in systems.items():
        if isinstance(given, DecisionTable):
            decisions[name] = _checked(name, given, evidence.case_set, threshold)
            continue
        inputs.append(given)
        wanted = _columns_in(given, columns, decision_files.COLUMNS)
        read = decision_files.read(
            given,
            evidence.case_set,
            name=name,
            columns=wanted,
            labels=labels,
            threshold=threshold,
        )
        decisions[name] = read.table
    return replace(evidence, decisions=decisions, inputs=(*evidence.inputs, *inputs))


def _checked(
    name: str, table: DecisionTable, cases: CaseSet, threshold: float | None
) -> DecisionTable:
    if len(table) != len(cases):
        raise LengthError(f"{name} has {len(table)} decisions, but there are {len(cases)} cases")
    if threshold is None:
        return table
    if table.score is None:
        raise InputError(f"{name} has no scores; --threshold needs them")
    label = array("b", (-1 if isnan(s) else int(s >= threshold) for s in table.score))
    return replace(table, label=label)


def _check_mapped(
    columns: Mapping[str, str], of_cases: Sequence[Input], of_decisions: Sequence[Input]
) -> None:
    """Refuse a title that none of the files has, before any of them is read."""
    for field, title in columns.items():
        files = [
            source
            for sources, fields in (
                (of_cases, case_files.COLUMNS),
                (of_decisions, decision_files.COLUMNS),
            )
            for source in sources
            if field in fields
        ]
        if any(_has_title(source, title) for source in files):
            continue
        titles = {source.name: _titles(source) for source in files}
        listed = "; ".join(f"{name} has {', '.join(found)}" for name, found in titles.items())
        hint = near_name(title, [one for found in titles.values() for one in found])
        raise InputError(
            f"--map {field}={title}: no file has a column '{title}'{hint}"
            f"{f' ({listed})' if listed else ''}"
        )


def _columns_in(
    source: Input, columns: Mapping[str, str] | None, fields: Sequence[str]
) -> dict[str, str]:
    """What was mapped and is in this file; a title may belong to the judgments alone."""
    wanted = {field: title for field, title in (columns or {}).items() if field in fields}
    return {field: title for field, title in wanted.items() if _has_title(source, title)}


def _has_title(source: Input, title: str) -> bool:
    """Whether a table has this title, or any object of JSONL this key."""
    if title in _titles(source):
        return True
    if not source.peek().decode("utf-8", "replace").lstrip("\ufeff \r\n").startswith("{"):
        return False
    texts = (text for _, text in source.lines(BadLines(source.name)))
    return any(title in _keys(text) for text in texts if f'"{title}"' in text or "\\u" in text)


def _titles(source: Input) -> list[str]:
    """The titles of a table, or the keys of its first objects."""
    if not source.rewindable:
        source.keep()
    lines = source.peek().decode("utf-8", "replace").lstrip("\ufeff").splitlines()[:20]
    lines = [line for line in lines if line.strip()]
    if not lines:
        return []
    if lines[0].lstrip().startswith("{"):
        return list(dict.fromkeys(key for line in lines for key in _keys(line)))
    import csv

    delimiter = "\t" if "\t" in lines[0] else ","
    return [title.strip() for title in next(csv.reader([lines[0]], delimiter=delimiter))]


def _keys(text: str) -> list[str]:
    """The keys of an object; what is none is a matter of whoever reads the file."""
    try:
        return list(json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return []


def read_other(given: str | os.PathLike[str] | Input | Mapping[str, Any]) -> dict[str, Any]:
    """A result of `evaluate --format json`, to be shown beside."""
    if isinstance(given, Mapping):
        found: Any = dict(given)
        name = "the result"
    else:
        source = as_input(given)
        name = source.name
        try:
            found = json.loads("\n".join(line for _, line in source.lines()))
        except ValueError as error:
            raise InputError(f"{name}: is no JSON ({error}); {_MAKE_ONE}") from None
    if not isinstance(found, dict) or found.get("schema") != "jurybox.evaluate/1":
        raise InputError(f"{name}: is no result of jurybox evaluate; {_MAKE_ONE}")
    return found


_MAKE_ONE = "make one with jurybox evaluate ... --format json -o RESULT.json (--beside)"


def warn(message: str) -> None:
    """Tell the user."""
    warnings.warn(message, JuryboxWarning, stacklevel=3)
