"""On which cases raters differ, counted over all judgments of a project at once.

A work case is contested when raters gave it different labels, or corrections, whatever the case of
the letters; essays, when somebody made an edit that somebody else did not. Second judgments by the
same rater (repeats) and those of flagged raters are no difference.

What was counted is kept. Where there are further judgments (`state_of` tells), their cases are
counted again; where another rater is flagged, all are.
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
#: so many cases are counted anew by themselves; where more have changed, all are
FEW = 500


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
    """The contested cases, the most contested first; with `partial` also unfinished ones."""
    needed = 2 if partial else project.settings.per_case
    state = state_of(connection, project.id)
    known = KNOWN.setdefault(database, {})
    before, found = known.get((project.id, needed), (None, {}))
    if before != state:
        count = _count_essays if project.task == Task.CORRECT else _count_labels
        touched = None
        if before is not None and before[1] == state[1]:
            touched = _touched(connection, project.id, before[0])
        new = count(connection, _counting(project.id, touched), needed)
        if touched is None:
            found = _in_order(new)
        elif new:  # a case that is contested stays it, whatever else is said of it
            found = _in_order({**found, **new})
        known[project.id, needed] = state, found
    return found


def _in_order(found: dict[int, Tally]) -> dict[int, Tally]:
    """The most contested first."""
    return dict(sorted(found.items(), key=lambda item: (-item[1].minority, item[0])))


def state_of(connection: sa.Connection, project: int) -> State:
    """Another one as soon as there is another judgment, or others are not trusted."""
    last = sa.select(sa.func.max(answers.c.id)).where(answers.c.project_id == project)
    flagged = connection.execute(_flagged(project).order_by(raters.c.id))
    return connection.execute(last).scalar() or 0, tuple(row.id for row in flagged)


def _flagged(project: int) -> sa.Select[tuple[int]]:
    return sa.select(raters.c.id).where(raters.c.project_id == project, raters.c.flagged)


def _touched(connection: sa.Connection, project: int, since: int) -> list[int] | None:
    """The cases with judgments since then; None where they are many."""
    newer = (answers.c.project_id == project, answers.c.id > since)
    wanted = sa.select(answers.c.case_id).where(*newer).distinct().limit(FEW + 1)
    found = list(connection.execute(wanted).scalars())
    return found if len(found) <= FEW else None


def _counting(project: int, touched: list[int] | None) -> sa.FromClause:
    """The answers that count: first ones, by raters who are trusted; of all cases, or of some."""
    # databases find few cases by their own index, where nothing tempts them to read the project
    those = answers.c.project_id == project if touched is None else answers.c.case_id.in_(touched)
    return (
        sa.select(*(answers.c[name] for name in ("case_id", "label", "correction", "edits")))
        .join(assignments, assignments.c.id == answers.c.assignment_id)
        .where(those, assignments.c.round == 1, answers.c.rater_id.not_in(_flagged(project)))
        .subquery()
    )


def _count_labels(
    connection: sa.Connection, counting: sa.FromClause, needed: int
) -> dict[int, Tally]:
    said = (sa.func.lower(counting.c.label), sa.func.lower(counting.c.correction))
    votes = (
        sa.select(counting.c.case_id, sa.func.count().label("number"))
        .group_by(counting.c.case_id, *said)
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


def _count_essays(
    connection: sa.Connection, counting: sa.FromClause, needed: int
) -> dict[int, Tally]:
    wanted = (
        sa.select(counting.c.case_id, counting.c.edits)
        .join(cases, cases.c.id == counting.c.case_id)
        .where(cases.c.purpose == WORK, cases.c.answered >= needed)
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
