"""On which cases raters differ, counted over all judgments of a project at once.

A work case is contested when raters gave it different labels, or corrections, whatever the case of
the letters; essays, when somebody made an edit that somebody else did not. Second judgments by the
same rater (repeats) and those of flagged raters are no difference.

What was counted is kept until there is another judgment, or another rater is flagged: `state_of`
tells.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import sqlalchemy as sa

from jurybox.serve.essays import read_edits
from jurybox.serve.model import Correction, Project, Purpose, Task
from jurybox.serve.store.database import Database
from jurybox.serve.store.tables import answers, assignments, cases, raters

WORK = str(Purpose.WORK)


class Tally(NamedTuple):
    """How many judgments of a case count, and the share of them beside the most frequent."""

    judgments: int
    minority: float


State = tuple[int, tuple[int, ...]]
#: what differs, by project and judgments needed, with the state in which the judgments were
KNOWN: WeakKeyDictionary[Database, dict[tuple[int, int], tuple[State, dict[int, Tally]]]] = (
    WeakKeyDictionary()
)


def tallies_of(
    database: Database, connection: sa.Connection, project: Project, *, partial: bool
) -> dict[int, Tally]:
    """The contested cases; with `partial` also those that wait for further judgments."""
    needed = 2 if partial else project.settings.per_case
    state = state_of(connection, project.id)
    known = KNOWN.setdefault(database, {})
    before, found = known.get((project.id, needed), (None, {}))
    if before != state:
        count = _count_essays if project.task == Task.CORRECT else _count_labels
        found = count(connection, project.id, needed)
        known[project.id, needed] = state, found
    return found


def state_of(connection: sa.Connection, project: int) -> State:
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


def _count_labels(connection: sa.Connection, project: int, needed: int) -> dict[int, Tally]:
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
        row.case_id: Tally(int(row.number), 1 - int(row.most) / int(row.number))
        for row in connection.execute(wanted)
    }


def _count_essays(connection: sa.Connection, project: int, needed: int) -> dict[int, Tally]:
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
            found[case] = Tally(len(sets), 1 - len(common) / len(everything))
    return found
