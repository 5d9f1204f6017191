"""Cases on which raters differ, and what adjudicators decide about them.

A work case is contested when raters gave it different labels, or corrections, whatever the case of
the letters; essays, when somebody made an edit that somebody else did not. Second judgments by the
same rater (repeats) and those of flagged raters are no difference.

What differs is counted over all judgments of a project at once and kept until there is another
judgment, or another rater is flagged: `_state` tells. Decisions are read anew every time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import sqlalchemy as sa

from jurybox.errors import InputError, unknown_name
from jurybox.serve.answers import LONGEST_COMMENT, Said, chance, check, is_storable, show
from jurybox.serve.contested import (
    SPOILED,
    UNDECIDED,
    Contested,
    ContestedCase,
    Counts,
    Decision,
    Judgment,
    letter,
)
from jurybox.serve.essays import read_edits, text_of, write_edits
from jurybox.serve.model import Correction, Given, Project, Purpose, Task
from jurybox.serve.store.database import Database
from jurybox.serve.store.projects import lock, read_in
from jurybox.serve.store.tables import answers, assignments, cases, decisions, raters, users

WORK = str(Purpose.WORK)
ORDERS = ("most", "file")
OPEN, LEFT, DECIDED = "open", "undecided", "decided"
SURE = {None: "", 0.0: "low", 1.0: "high"}


class _Tally(NamedTuple):
    judgments: int
    minority: float


_State = tuple[int, tuple[int, ...]]
#: what differs, by project and judgments needed, with the state in which the judgments were
_KNOWN: WeakKeyDictionary[Database, dict[tuple[int, int], tuple[_State, dict[int, _Tally]]]] = (
    WeakKeyDictionary()
)


def listed(
    database: Database,
    project: int,
    *,
    decided: bool | None,
    limit: int,
    after: int,
    order: str,
    partial: bool,
) -> tuple[Contested, ...]:
    if order not in ORDERS:
        raise unknown_name("order", order, ORDERS)
    with database.reading() as connection:
        held = read_in(connection, project)
        tallies = _tallies(database, connection, held, partial=partial)
        states = _states(connection, project)
        line = _in_order(tallies.keys() | states.keys(), tallies, order)
        wanted = [
            case
            for case in _behind(line, after, order)
            if decided is None or (states.get(case, OPEN) == DECIDED) is decided
        ][: max(0, limit)]
        rows = _rows(connection, wanted)
    found = []
    for case in wanted:
        tally = tallies.get(case, _Tally(rows[case].answered, 0.0))
        shown = show(rows[case], held.task, swapped=_is_swapped(database, case))
        found.append(Contested(case, shown, *tally, states.get(case, OPEN)))
    return tuple(found)


def _in_order(listed: Iterable[int], tallies: dict[int, _Tally], order: str) -> list[int]:
    if order == "file":
        return sorted(listed)
    none = _Tally(0, 0.0)
    return sorted(listed, key=lambda case: (-tallies.get(case, none).minority, case))


def _behind(line: Sequence[int], after: int, order: str) -> Sequence[int]:
    """What comes behind a case, which may have left the line meanwhile."""
    if order == "file":
        return [case for case in line if case > after]
    return line[line.index(after) + 1 :] if after in line else line


def counted(database: Database, project: int, *, partial: bool) -> Counts:
    with database.reading() as connection:
        held = read_in(connection, project)
        tallies = _tallies(database, connection, held, partial=partial)
        states = _states(connection, project)
    made = {case for case, state in states.items() if state == DECIDED}
    return Counts(len(tallies.keys() | made), len(made))


def _states(connection: sa.Connection, project: int) -> dict[int, str]:
    wanted = sa.select(decisions.c.case_id, decisions.c.label).where(
        decisions.c.project_id == project
    )
    found = connection.execute(wanted)
    return {row.case_id: LEFT if row.label == UNDECIDED else DECIDED for row in found}


def _rows(connection: sa.Connection, wanted: Sequence[int]) -> dict[int, Any]:
    found = connection.execute(sa.select(cases).where(cases.c.id.in_(wanted)))
    return {row.id: row for row in found}


def _is_swapped(database: Database, case: int) -> bool:
    """Whose word stands left, the writer's or the system's, must not be told by its place."""
    return chance(database.secret, "adjudicated order", case) < 0.5


# --- what differs ---


def _tallies(
    database: Database, connection: sa.Connection, project: Project, *, partial: bool
) -> dict[int, _Tally]:
    """The contested cases; with `partial` also those that wait for further judgments."""
    needed = 2 if partial else project.settings.per_case
    state = _state(connection, project.id)
    known = _KNOWN.setdefault(database, {})
    before, found = known.get((project.id, needed), (None, {}))
    if before != state:
        count = _count_essays if project.task == Task.CORRECT else _count_labels
        found = count(connection, project.id, needed)
        known[project.id, needed] = state, found
    return found


def _state(connection: sa.Connection, project: int) -> _State:
    """Another one as soon as there is another judgment, or others are not trusted."""
    last = sa.select(sa.func.max(answers.c.id)).where(answers.c.project_id == project)
    flagged = connection.execute(_flagged(project).order_by(raters.c.id))
    return connection.execute(last).scalar() or 0, tuple(row.id for row in flagged)


def _flagged(project: int) -> sa.Select[tuple[int]]:
    return sa.select(raters.c.id).where(raters.c.project_id == project, raters.c.flagged)


def _counting(project: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Which answers count: first ones, by raters who are trusted."""
    again = sa.select(assignments.c.id).where(
        assignments.c.project_id == project, assignments.c.round != 1
    )
    return (
        answers.c.project_id == project,
        answers.c.rater_id.not_in(_flagged(project)),
        answers.c.assignment_id.not_in(again),
    )


def _count_labels(connection: sa.Connection, project: int, needed: int) -> dict[int, _Tally]:
    said = (sa.func.lower(answers.c.label), sa.func.lower(answers.c.correction))
    votes = (
        sa.select(answers.c.case_id, sa.func.count().label("number"))
        .where(*_counting(project))
        .group_by(answers.c.case_id, *said)
        .subquery()
    )
    sums = (
        sa.select(
            votes.c.case_id,
            sa.func.sum(votes.c.number).label("number"),
            sa.func.max(votes.c.number).label("most"),
        )
        .group_by(votes.c.case_id)
        .subquery()
    )
    wanted = (
        sa.select(sums)
        .join(cases, cases.c.id == sums.c.case_id)
        .where(
            sums.c.number > sums.c.most,
            cases.c.purpose == WORK,
            cases.c.answered >= needed,
        )
    )
    return {
        row.case_id: _Tally(int(row.number), 1 - int(row.most) / int(row.number))
        for row in connection.execute(wanted)
    }


def _count_essays(connection: sa.Connection, project: int, needed: int) -> dict[int, _Tally]:
    wanted = (
        sa.select(answers.c.case_id, answers.c.edits)
        .join(cases, cases.c.id == answers.c.case_id)
        .where(*_counting(project), cases.c.purpose == WORK, cases.c.answered >= needed)
    )
    made: dict[int, list[frozenset[Correction]]] = {}
    for row in connection.execute(wanted):
        bare = frozenset(one._replace(comment="") for one in read_edits(row.edits))
        made.setdefault(row.case_id, []).append(bare)
    found = {}
    for case, sets in made.items():
        everything, common = frozenset[Correction]().union(*sets), sets[0].intersection(*sets)
        if everything != common:
            found[case] = _Tally(len(sets), 1 - len(common) / len(everything))
    return found


# --- one case ---


def read_case(database: Database, project: int, case: int) -> ContestedCase:
    with database.reading() as connection:
        held = read_in(connection, project)
        return _read_in(database, connection, held, case)


def _read_in(
    database: Database, connection: sa.Connection, project: Project, case: int
) -> ContestedCase:
    row = connection.execute(_CASE, {"project": project.id, "case": case}).first()
    given = connection.execute(_JUDGMENTS, {"case": case}).all()
    if row is None or len(given) < 2:
        raise InputError("There is no such case, or it has no two judgments yet.")
    decided = connection.execute(_DECISION, {"case": case}).first()
    shuffled = sorted(given, key=lambda one: chance(database.secret, "judgment", case, one.id))
    return ContestedCase(
        case,
        project.task,
        show(row, project.task, swapped=_is_swapped(database, case)),
        _is_swapped(database, case),
        tuple(_judgment(one, letter(place)) for place, one in enumerate(shuffled)),
        None if decided is None else _decision(decided),
    )


def _judgment(row: Any, letter: str) -> Judgment:
    return Judgment(
        letter,
        row.label,
        row.correction,
        tuple(json.loads(row.alternatives or "[]")),
        SURE.get(row.confidence, ""),
        tuple(row.context.split()),
        row.comment,
        read_edits(row.edits),
        row.flagged,
    )


def _decision(row: Any) -> Decision:
    return Decision(
        row.label,
        row.correction,
        tuple(json.loads(row.alternatives or "[]")),
        read_edits(row.edits),
        row.comment,
        row.by,
        row.decided,
    )


# --- decisions ---


def decide(
    database: Database,
    project: int,
    case: int,
    user: int,
    given: Given | None,
    *,
    comment: str,
    over: float | None,
    now: float,
) -> Decision:
    with database.writing() as connection:
        held = lock(connection, project)
        found = _read_in(database, connection, held, case)
        before = found.decision
        if over is not None and over != (0.0 if before is None else before.time):
            raise InputError(
                "Somebody else decided about this case meanwhile. Their decision is shown below. "
                "Send yours again if it should stand instead."
            )
        values = {
            "project_id": project,
            "case_id": case,
            "user_id": user,
            **_checked(given, held, found),
            "comment": _comment(comment),
            "decided": now,
        }
        if before is None:
            connection.execute(decisions.insert().values(values))
        else:
            changing = decisions.update().where(decisions.c.case_id == case)
            connection.execute(changing.values(values))
        return _decision(connection.execute(_DECISION, {"case": case}).one())


def _checked(given: Given | None, project: Project, case: ContestedCase) -> dict[str, str]:
    """A decision as it is stored; None leaves the case undecided."""
    if given is None:
        said = Said(UNDECIDED)
    elif project.task == Task.TRAINED and given.label == SPOILED.value:
        said = Said(SPOILED.value)
    else:
        essay = text_of(case.shown.essay)
        said = check(given, project.settings, swapped=case.is_swapped, essay=essay)
    words = json.dumps(said.alternatives, ensure_ascii=False) if said.alternatives else ""
    return {
        "label": said.label,
        "correction": said.correction,
        "alternatives": words,
        "edits": "" if said.edits is None else write_edits(said.edits),
    }


def _comment(given: str) -> str:
    if len(given) > LONGEST_COMMENT:
        raise InputError(f"Please keep the comment under {LONGEST_COMMENT} characters.")
    if not is_storable(given):
        raise InputError("There is a character in your comment that cannot be stored.")
    return given.strip().replace("\r\n", "\n")


_CASE = sa.select(cases).where(
    cases.c.id == sa.bindparam("case"),
    cases.c.project_id == sa.bindparam("project"),
    cases.c.purpose == WORK,
)
_JUDGMENTS = (
    sa.select(answers, raters.c.flagged)
    .join(assignments, assignments.c.id == answers.c.assignment_id)
    .join(raters, raters.c.id == answers.c.rater_id)
    .where(answers.c.case_id == sa.bindparam("case"), assignments.c.round == 1)
)
_DECISION = (
    sa.select(decisions, users.c.name.label("by"))
    .join(users, users.c.id == decisions.c.user_id)
    .where(decisions.c.case_id == sa.bindparam("case"))
)
