"""What `evaluate` was given: files or tables in memory, read, checked, about the same cases."""

from __future__ import annotations

import csv
import json
import os
from array import array
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING, Any

from jurybox.errors import InputError, LengthError, UsageError, near_name, unknown_name, warn
from jurybox.formats import Input, Source, as_input, as_inputs
from jurybox.formats._io import BadLines
from jurybox.formats.given_values import as_list, as_word_map
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables import decisions as decision_files
from jurybox.formats.tables import judgments as judgment_files
from jurybox.formats.tables.memory_tables import is_table
from jurybox.jury.cases.result import DerivedCases
from jurybox.model import CaseSet, DecisionTable, JudgmentTable
from jurybox.results import GivenFile

if TYPE_CHECKING:
    from jurybox.sample.inputs import GivenKeys

#: files or tables of judgments; of a system's decisions
GivenJudgments = Source | JudgmentTable | Sequence[Source]
GivenSystems = Mapping[str, Source | DecisionTable] | Sequence[Source | DecisionTable]

JUDGMENT_COLUMNS = (
    *judgment_files.REQUIRED,
    *judgment_files.OPTIONAL,
    *judgment_files.NUMBERS,
    *judgment_files.WORDS,
)
NO_SYSTEM = "there is no system to evaluate: name one with --system NAME=DECISIONS"
COLUMNS = tuple(dict.fromkeys((*case_files.COLUMNS, *JUDGMENT_COLUMNS, *decision_files.COLUMNS)))


@dataclass(frozen=True)
class Evidence:
    """Cases, what people say about them and what systems decide, as they were given."""

    name: str
    case_set: CaseSet
    judgments: JudgmentTable
    decisions: dict[str, DecisionTable]
    inputs: tuple[GivenFile, ...] = ()
    said_in: str = "the judgments"  # what to call where the judgments come from
    own_judgments: bool = False  # read here: nobody else looks at the table, so it may be changed
    extra: Mapping[str, Any] | None = None  # further columns of the judgments


def read_evidence(
    cases: Source | CaseSet | None,
    judgments: GivenJudgments | None,
    systems: GivenSystems | None,
    *,
    derived: DerivedCases | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    threshold: float | None = None,
    keys: GivenKeys | None = None,
    extra: Sequence[str] = (),
    other_cases: str = "error",
) -> Evidence:
    """Read everything; a threshold makes labels of scores, keys tell what blind ids stand for.

    `extra` names further columns of the judgments. `other_cases` "skip" leaves out, and counts,
    what is said about cases that are not given.
    """
    columns, labels = as_word_map(columns, "columns"), as_word_map(labels, "labels")
    for field, title in columns.items():
        if field not in COLUMNS:
            message = str(unknown_name("column", field, COLUMNS))
            raise UsageError(f"--columns {field}={title}: {message}")
    if threshold is not None and isnan(threshold):
        raise UsageError("--threshold is not a number")
    if derived is not None:
        if not isinstance(derived, DerivedCases):
            given = type(derived).__name__
            raise UsageError(f"derived is what jb.derive_cases gives, not a {given}")
        if cases is not None or judgments is not None:
            raise UsageError("give derived cases, or cases and judgments, not both")
        if not derived.case_set.cases:
            raise UsageError("derived was read back from JSON, which holds no cases: derive again")
        decided = name_systems(systems if systems is not None else derived.decisions)
        check_mapped(columns, (), decided)
        people = Evidence("derived", derived.case_set, derived.judgments, {}, derived.inputs)
        return _with_decisions(people, decided, columns, labels, threshold)
    drawn = None if keys is None else _read_drawn(keys)
    if judgments is None:
        raise UsageError("the judgments are missing: name their files with --judgments")
    if systems is None or (isinstance(systems, Sized) and not len(systems)):
        raise UsageError(NO_SYSTEM)
    if cases is not None and not isinstance(cases, CaseSet):
        cases = as_input(cases, "cases")
    decided = name_systems(systems)
    checked_later = () if isinstance(judgments, JudgmentTable) else JUDGMENT_COLUMNS
    check_mapped(
        {field: title for field, title in columns.items() if field not in checked_later},
        [cases] if isinstance(cases, Input) else (),
        decided,
    )
    people = _read_people(
        cases, judgments, columns, labels, drawn, extra=extra, other_cases=other_cases
    )
    return _with_decisions(
        people, decided, columns, labels, threshold, drawn=drawn, other_cases=other_cases
    )


def _read_drawn(keys: GivenKeys) -> dict[str, str]:
    """Blind id -> the case of the corpus that it stands for."""
    from jurybox.sample.inputs import read_keys

    warn(
        "the cases are a drawn sample: its rates are not those of the corpus; jurybox sample "
        "estimate weighs the parts that it was drawn from"
    )
    return {one.id: one.case for key in read_keys(keys)[0] for one in key.drawn}


def _renamed(cases: CaseSet, names: Mapping[str, str]) -> CaseSet:
    """Cases under other names; two of one name are an InputError."""
    renamed = tuple(case._replace(id=names.get(case.id, case.id)) for case in cases.cases)
    met: set[str] = set()
    for case in renamed:
        if case.id in met:
            raise InputError(
                f"the key says that a drawn case is '{case.id}', and another case is called so; "
                "give that one another id"
            )
        met.add(case.id)
    return CaseSet(renamed, cases.description)


def _read_people(
    cases: Input | CaseSet | None,
    judgments: GivenJudgments,
    columns: Mapping[str, str],
    labels: Mapping[str, str],
    drawn: Mapping[str, str] | None,
    *,
    extra: Sequence[str],
    other_cases: str,
) -> Evidence:
    inputs: list[Input] = []
    case_set, name = (cases, "cases") if isinstance(cases, CaseSet) else (None, "judgments")
    if isinstance(cases, Input):
        inputs.append(cases)
        name = cases.stem
        wanted = columns_in(cases, columns, case_files.COLUMNS)
        case_set = case_files.read(cases, columns=wanted, labels=labels)
    if drawn is not None and case_set is not None:  # raters know blind ids only
        case_set = _renamed(case_set, {case: blind for blind, case in drawn.items()})
    if isinstance(judgments, JudgmentTable):
        if case_set is None:
            raise UsageError("a JudgmentTable holds no cases: give them too")
        known = case_set if drawn is None else _renamed(case_set, drawn)
        return Evidence(name, known, judgments, {}, tuple(inputs))
    sources = as_inputs(judgments, "judgments", judgment_files.REQUIRED)
    wanted = {f: t for f, t in columns.items() if f in JUDGMENT_COLUMNS}
    read = judgment_files.read(
        sources,
        case_set,
        columns=wanted,
        labels=labels,
        unknown_case=other_cases,
        extra=extra,
    )
    said_in = ", ".join(source.name for source in sources)
    known = read.cases if drawn is None else _renamed(read.cases, drawn)
    files = (*inputs, *sources)
    return Evidence(name, known, read.table, {}, files, said_in, True, read.extra)


def name_systems(systems: GivenSystems) -> dict[str, Input | DecisionTable]:
    """Every system's file or table, by the system's name."""
    if isinstance(systems, Mapping):
        return {str(name): _as_file(one, str(name)) for name, one in systems.items()}
    if isinstance(systems, str | os.PathLike | Input) or is_table(systems):
        raise UsageError("name the systems: a dict as {'mine': 'decisions.csv'}")
    named: dict[str, Input | DecisionTable] = {}
    for given in as_list(systems, "systems"):
        one = _as_file(given)
        name = one.name if isinstance(one, DecisionTable) else one.stem
        if name in named:
            raise UsageError(f"two systems are called '{name}'; every system needs its own name")
        named[name] = one
    return named


def _as_file(given: Source | DecisionTable, name: str = "decisions") -> Input | DecisionTable:
    return given if isinstance(given, DecisionTable) else as_input(given, name)


def _with_decisions(
    evidence: Evidence,
    systems: Mapping[str, Input | DecisionTable],
    columns: Mapping[str, str],
    labels: Mapping[str, str],
    threshold: float | None,
    *,
    drawn: Mapping[str, str] | None = None,
    other_cases: str = "error",
) -> Evidence:
    if not systems:
        raise UsageError(NO_SYSTEM)
    decisions: dict[str, DecisionTable] = {}
    inputs: list[Input] = []
    for name, given in systems.items():
        if isinstance(given, DecisionTable):
            decisions[name] = _checked(name, given, evidence.case_set, threshold)
            continue
        inputs.append(given)
        wanted = columns_in(given, columns, decision_files.COLUMNS)
        read = decision_files.read(
            given,
            evidence.case_set,
            name=name,
            columns=wanted,
            labels=labels,
            threshold=threshold,
            other_names=drawn,
            unknown_case=other_cases if drawn is None else "skip",
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


def check_mapped(
    columns: Mapping[str, str],
    of_cases: Sequence[Input],
    systems: Mapping[str, Input | DecisionTable],
) -> None:
    """Refuse a title that none of the files has, before any of them is read."""
    decisions = [one for one in systems.values() if isinstance(one, Input)]
    for field, title in columns.items():
        files = [*of_cases] if field in case_files.COLUMNS else []
        files += decisions if field in decision_files.COLUMNS else []
        if any(_has_title(source, title) for source in files):
            continue
        titles = {source.name: titles_of(source) for source in files}
        listed = "; ".join(f"{name} has {', '.join(found)}" for name, found in titles.items())
        hint = near_name(title, [one for found in titles.values() for one in found])
        raise InputError(
            f"--columns {field}={title}: no file has a column '{title}'{hint}"
            f"{f' ({listed})' if listed else ''}"
        )


def columns_in(source: Input, columns: Mapping[str, str], fields: Sequence[str]) -> dict[str, str]:
    """What was mapped and is in this file; a title may belong to the judgments alone."""
    return {
        field: title
        for field, title in columns.items()
        if field in fields and _has_title(source, title)
    }


def _has_title(source: Input, title: str) -> bool:
    """Whether a table has this title, or any object of JSONL this key."""
    if title in titles_of(source):
        return True
    if not source.peek().decode("utf-8", "replace").lstrip("\ufeff \r\n").startswith("{"):
        return False
    texts = (text for _, text in source.lines(BadLines(source.name)))
    return any(title in _keys(text) for text in texts if f'"{title}"' in text or "\\u" in text)


def titles_of(source: Input) -> list[str]:
    """The titles of a table, or the keys of its first objects."""
    if not source.rewindable:
        source.keep()
    lines = source.peek().decode("utf-8", "replace").lstrip("\ufeff").splitlines()[:20]
    lines = [line for line in lines if line.strip()]
    if not lines:
        return []
    if lines[0].lstrip().startswith("{"):
        return list(dict.fromkeys(key for line in lines for key in _keys(line)))
    delimiter = "\t" if "\t" in lines[0] else ","
    return [title.strip() for title in next(csv.reader([lines[0]], delimiter=delimiter))]


def _keys(text: str) -> list[str]:
    """The keys of an object; what is none is a matter of whoever reads the file."""
    try:
        return list(json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return []
