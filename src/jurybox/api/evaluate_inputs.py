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
from jurybox.errors import InputError, JuryboxWarning, LengthError, UsageError, unknown_name
from jurybox.formats import Input, Source, as_input
from jurybox.formats import cases as case_files
from jurybox.formats import decisions as decision_files
from jurybox.formats import judgments as judgment_files
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
        decided: GivenSystems = systems if systems is not None else derived.decisions
        return _with_decisions(
            Evidence("derived", derived.case_set, derived.judgments, {}, derived.inputs),
            _named(decided),
            columns,
            labels,
            threshold,
        )
    if judgments is None:
        raise UsageError("the judgments are missing: name their files with --judgments")
    if systems is None or not len(systems):
        raise UsageError("there is no system to evaluate: name one with --system NAME=DECISIONS")
    read = _read_people(cases, judgments, columns, labels)
    return _with_decisions(read, _named(systems), columns, labels, threshold)


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
    return Evidence(name, read.cases, read.table, {}, (*inputs, *sources))


def _named(systems: GivenSystems) -> dict[str, Source | DecisionTable]:
    if isinstance(systems, Mapping):
        return dict(systems)
    if isinstance(systems, str) or hasattr(systems, "__fspath__"):
        raise UsageError("name the systems: a dict as {'mine': 'decisions.csv'}")
    named: dict[str, Source | DecisionTable] = {}
    for one in systems:
        name = one.name if isinstance(one, DecisionTable) else as_input(one).stem
        if name in named:
            raise UsageError(f"two systems are called '{name}'; every system needs its own name")
        named[name] = one
    return named


def _with_decisions(
    evidence: Evidence,
    systems: Mapping[str, Source | DecisionTable],
    columns: Mapping[str, str] | None,
    labels: Mapping[str, str] | None,
    threshold: float | None,
) -> Evidence:
    if not systems:
        raise UsageError("there is no system to evaluate: name one with --system NAME=DECISIONS")
    # Decisions are error or ok: what means "unknown" is a matter of judgments alone.
    meanings = {
        word: label
        for word, label in (labels or {}).items()
        if label.strip().lower() in decision_files.VOCABULARY
    }
    decisions: dict[str, DecisionTable] = {}
    inputs: list[Input] = []
    for name, given in systems.items():
        if isinstance(given, DecisionTable):
            decisions[name] = _checked(name, given, evidence.case_set, threshold)
            continue
        source = as_input(given)
        inputs.append(source)
        wanted = _columns_in(source, columns, decision_files.COLUMNS)
        read = decision_files.read(
            source,
            evidence.case_set,
            name=name,
            columns=wanted,
            labels=meanings,
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


def _columns_in(
    source: Input, columns: Mapping[str, str] | None, fields: Sequence[str]
) -> dict[str, str]:
    """What was mapped and is in this file; a title may belong to the judgments alone."""
    wanted = {field: title for field, title in (columns or {}).items() if field in fields}
    if not wanted:
        return wanted
    if not source.rewindable:
        source.keep()
    titles = _titles(source)
    return {field: title for field, title in wanted.items() if title in titles}


def _titles(source: Input) -> set[str]:
    """The titles of a table, or the keys of its first objects."""
    lines = source.peek().decode("utf-8", "replace").lstrip("\ufeff").splitlines()[:20]
    lines = [line for line in lines if line.strip()]
    if not lines:
        return set()
    if lines[0].lstrip().startswith("{"):
        found: set[str] = set()
        for line in lines:
            try:
                found |= set(json.loads(line))
            except (ValueError, TypeError):
                break
        return found
    import csv

    delimiter = "\t" if "\t" in lines[0] else ","
    return {title.strip() for title in next(csv.reader([lines[0]], delimiter=delimiter))}


def read_result(given: str | os.PathLike[str] | Input | Mapping[str, Any]) -> dict[str, Any]:
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
