"""Evidence of any size: judgments and decisions dealt by their cases, in bounded memory.

What `evaluate` needs of them is how many cases are of which kind, and what raters say by what
systems decide (`counting.dealt_judgments`). Whatever looks at single cases is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from jurybox.counting.dealt_judgments import (
    DealtJudgments,
    ReadPart,
    Sources,
    are_large,
    deal_judgments,
)
from jurybox.counting.histogram import weighted_ends
from jurybox.engine import Jobs, cores, read_engine
from jurybox.errors import InputError, UsageError, plural, warn
from jurybox.formats import Input, as_inputs
from jurybox.formats.given_values import as_word_map
from jurybox.formats.tables import decisions as decision_files
from jurybox.formats.tables import judgments as judgment_files
from jurybox.jury.evaluate import Evaluate
from jurybox.jury.evaluate.inputs import (
    JUDGMENT_COLUMNS,
    Evidence,
    check_mapped,
    columns_in,
    name_systems,
    titles_of,
)
from jurybox.jury.evaluate.jury import Jury, Settled, make_jury, note_missing, warn_of
from jurybox.jury.evaluate.result import Judges
from jurybox.jury.votes import Votes
from jurybox.jury.weighted import settle_missing
from jurybox.model import LABELS, CaseSet, DecisionTable, JudgmentTable, NamedCases

#: columns that say something of single cases or of single judgments
OF_JUDGMENTS = ("correction", "alternatives", "gold", "kind", "status")
OF_DECISIONS = ("score", "suggestion")


def why_not(call: Evaluate) -> str:
    """What keeps judgments from being counted without looking at single cases, if anything."""
    options = {
        "CASES": call.cases is not None or call.derived is not None,
        "--key": call.keys is not None,
        "--judges": call.judges is not None,
        "--stability": call.stability,
        "--develop": call.develop is not None,
        "--ties random": call.ties == "random",
        "--spoiled drop": call.spoiled == "drop",
        f"--ci-unit {call.ci_unit}": call.ci_unit in ("document", "rater"),
    }
    given = [name for name, is_given in options.items() if is_given]
    if given:
        return given[0]
    if call.judgments is None or call.systems is None or isinstance(call.judgments, JudgmentTable):
        return "what is not in files"
    columns = as_word_map(call.columns, "columns")
    files: list[tuple[Input, Sequence[str]]]
    files = [(one, OF_JUDGMENTS) for one in as_inputs(call.judgments, "judgments")]
    for one in name_systems(call.systems).values():
        if isinstance(one, DecisionTable):
            return "what is not in files"
        files.append((one, OF_DECISIONS))
    for source, fields in files:
        if not source.rewindable:
            return f"{source.name}, which can be read only once"
        titles = {title.lower() for title in titles_of(source)}
        if met := [f for f in fields if f in titles or columns.get(f, "").lower() in titles]:
            return f"the column {met[0]} of {source.name}"
    return ""


def deal_where(call: Evaluate) -> Jobs | None:
    """Where judgments are dealt: where somebody says so, or here if they are very large."""
    where = read_engine(call.engine)
    if where is None and not are_large(call.judgments):
        return None
    if what := why_not(call):
        if where is None:
            return None
        raise refuse(what)
    return cores() if where is None else where


def deal_evidence(call: Evaluate, jobs: Jobs) -> tuple[Evidence, Jury, tuple[Settled, ...]]:
    """Count everything where the engine works."""
    columns = as_word_map(call.columns, "columns")
    sources = as_inputs(call.judgments, "judgments", judgment_files.REQUIRED)  # type: ignore[arg-type]  # see why_not
    systems: Mapping[str, Any] = name_systems(call.systems)  # type: ignore[arg-type]  # see why_not
    of_judgments = {f: t for f, t in columns.items() if f in JUDGMENT_COLUMNS}
    check_mapped(
        {field: title for field, title in columns.items() if field not in of_judgments}, (), systems
    )
    found: DealtJudgments[None] = deal_judgments(
        Sources(
            sources,
            partial(_read_part, of_judgments, call.relabel),
            [[source] for source in systems.values()],
            partial(_read_decisions, columns, call.relabel, call.threshold),
            call.other_cases == "skip",
        ),
        _nothing_more,
        jobs=jobs,
        progress=call.progress,
    )
    for note in found.notes:
        odd = {"correction": note.corrects, "gold": note.gold, "kind or status": note.flags}
        for column, is_met in odd.items():
            if is_met:
                raise refuse(f"the column {column} of the judgments")
    repeats = found.counts.repeats
    again = judgment_files.Repeats(
        found.counts.same, repeats - found.counts.same, found.first_repeat
    )
    warn(*judgment_files.note_repeats(again, "the first one counts"))
    for name, (number, _) in zip(systems, found.unknown, strict=True):
        if number:
            count = plural(number, "decision")
            warn(f"{systems[name].name}: {count} on cases that are not evaluated: left out")
    said_in = ", ".join(source.name for source in sources)
    table = JudgmentTable(found.raters, list(LABELS))
    nobody = CaseSet(NamedCases([]))
    inputs = (*sources, *systems.values())
    evidence = Evidence("judgments", nobody, table, {}, inputs, said_in)
    kinds, sizes = found.counts.cases.kinds, found.counts.cases.sizes
    votes = Votes(*np.ascontiguousarray(kinds[:, : len(LABELS)].T))
    judged = votes.deciding > 0
    if not judged.any():
        raise InputError(
            f"{said_in}: nobody judged any case that can be evaluated ({found.rows} judgments: "
            f"{int(found.counts.raters.sum())} unknown); give judgments that say error or ok"
        )
    judges = Judges(
        raters=len(found.raters),
        judgments=int(found.counts.raters.sum()),
        unknown=int(votes.unknowns @ sizes),
        per_case=weighted_ends(votes.deciding[judged], sizes[judged]),
    )
    jury = make_jury(evidence, table, votes, judges, sizes, ties=call.ties, smooth=call.smooth)
    warn_of(jury)
    settled = []
    for place, (name, (number, first)) in enumerate(zip(systems, found.missing, strict=True)):
        label = kinds[:, len(LABELS) + place].astype(np.int8)
        answers = found.counts.against[place].copy()
        if number:
            note_missing(name, number, jury.n, first, call.missing)
            if call.missing != "skip":
                answers[:, settle_missing(np.array([-1], np.int8), call.missing)[0] + 1] += answers[
                    :, 0
                ]
                answers[:, 0] = 0
        decided = settle_missing(label, call.missing)
        settled.append(Settled(name, DecisionTable(name), decided, number, None, answers))
    return evidence, jury, tuple(settled)


def refuse(what: str) -> UsageError:
    """The error for what only cases in memory can tell."""
    return UsageError(
        f"--engine counts judgments without looking at single cases: leave out {what}, or leave "
        "out --engine"
    )


def _nothing_more(*_: object) -> None:
    return None


def _read_part(
    columns: Mapping[str, str], labels: Mapping[str, str] | None, source: Input
) -> ReadPart:
    found = judgment_files.read(source, columns=columns, labels=labels, repeats="keep")
    assert found.place is not None
    return ReadPart(found.table, found.cases, found.place)


def _read_decisions(
    columns: Mapping[str, str],
    labels: Mapping[str, str] | None,
    threshold: float | None,
    source: Input,
) -> decision_files.DecisionStream:
    mapped = columns_in(source, columns, decision_files.COLUMNS)
    return decision_files.DecisionStream(source, columns=mapped, labels=labels, threshold=threshold)
