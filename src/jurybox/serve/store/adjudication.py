"""What adjudicators see of contested cases, and what they decide; `differing.py` finds the cases.

Whoever judges in a project sees nothing of it here while they can be given more cases: they would
no longer be blind. And whoever has decided about a case of it cannot become a rater of it
(`people.py`). Decisions are read anew every time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

import sqlalchemy as sa

from jurybox.errors import InputError, unknown_name
from jurybox.serve.answers import Said, chance, check, check_comment, show
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
from jurybox.serve.model import Given, Project, Standing, Task
from jurybox.serve.store.database import Database
from jurybox.serve.store.differing import WORK, Tally, tallies_of
from jurybox.serve.store.projects import lock, read_in
from jurybox.serve.store.tables import answers, assignments, cases, decisions, raters, users

ORDERS = ("most", "file")
OPEN, LEFT, DECIDED = "open", "undecided", "decided"
SURE = {None: "", 0.0: "low", 1.0: "high"}
MEANWHILE = (
    "{who} decided about this case meanwhile. {whose} decision is shown below. Send yours again if "
    "it should stand instead."
)
STILL_JUDGING = (
    "You judge in {project} yourself. Whoever sees what others said is no longer blind, so you can "
    "adjudicate when the project is closed, or when an admin has ended your work in it."
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
        tallies = tallies_of(database, connection, held, partial=partial)
        states = _states(connection, project)
        line = _in_order(tallies, states, order)
        wanted = [
            case
            for case in _behind(line, after, order)
            if decided is None or (states.get(case, OPEN) == DECIDED) is decided
        ][: max(0, limit)]
        rows = _rows(connection, wanted)
    found = []
    for case in wanted:
        tally = tallies.get(case, Tally(rows[case].answered, 0.0))
        shown = show(rows[case], held.task, swapped=_is_swapped(database, case))
        found.append(Contested(case, shown, *tally, states.get(case, OPEN)))
    return tuple(found)


def _in_order(tallies: dict[int, Tally], states: dict[int, str], order: str) -> list[int]:
    """Contested cases, and behind them those that somebody decided though nobody differs (now)."""
    line = [*tallies, *sorted(case for case in states if case not in tallies)]
    return sorted(line) if order == "file" else line


def _behind(line: Sequence[int], after: int, order: str) -> Sequence[int]:
    """What comes behind a case, which may have left the line meanwhile."""
    if order == "file":
        return [case for case in line if case > after]
    return line[line.index(after) + 1 :] if after in line else line


def next_open(database: Database, project: int, after: int, *, partial: bool) -> int | None:
    with database.reading() as connection:
        held = read_in(connection, project)
        tallies = tallies_of(database, connection, held, partial=partial)
        states = _states(connection, project)
    line = _in_order(tallies, states, "most")
    around = chain(_behind(line, after, "most"), line)
    return next((case for case in around if case not in states and case != after), None)


def counted(database: Database, project: int, *, partial: bool) -> Counts:
    with database.reading() as connection:
        held = read_in(connection, project)
        tallies = tallies_of(database, connection, held, partial=partial)
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


def refusal(database: Database, project: int, user: int) -> str:
    with database.reading() as connection:
        return _refusal(connection, read_in(connection, project), user)


def _refusal(connection: sa.Connection, project: Project, user: int) -> str:
    judging = sa.select(raters.c.id).where(
        raters.c.project_id == project.id,
        raters.c.user_id == user,
        raters.c.standing != str(Standing.STOPPED),
    )
    if not project.settings.is_open or connection.execute(judging).first() is None:
        return ""
    return STILL_JUDGING.format(project=project.name)


def has_decided(connection: sa.Connection, project: int, user: int) -> bool:
    """Whether this user has seen, and decided, what raters of the project said."""
    wanted = sa.select(decisions.c.id).where(
        decisions.c.project_id == project, decisions.c.user_id == user
    )
    return connection.execute(wanted.limit(1)).first() is not None


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
        if refused := _refusal(connection, held, user):
            raise InputError(refused)
        found = _read_in(database, connection, held, case)
        stored: Any = connection.execute(_DECISION, {"case": case}).first()
        before = None if stored is None else _decision(stored)
        values = {
            "project_id": project,
            "case_id": case,
            "user_id": user,
            **_checked(given, held, found),
            "comment": check_comment(comment),
        }
        is_same = stored is not None and stored.user_id == user
        if before is not None and all(values[one] == stored._mapping[one] for one in values):
            return before  # the same form, sent again
        if over is not None and over != (0.0 if before is None else before.time):
            raise InputError(_meanwhile(is_same))
        if before is None:
            connection.execute(decisions.insert().values(**values, decided=now))
        else:
            changing = decisions.update().where(decisions.c.case_id == case)
            connection.execute(changing.values(**values, decided=now))
        return _decision(connection.execute(_DECISION, {"case": case}).one())


def _meanwhile(is_same: bool) -> str:
    who, whose = ("You", "Your other") if is_same else ("Somebody else", "Their")
    return MEANWHILE.format(who=who, whose=whose)


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
