"""What adjudicators see of contested cases, and what they decide.

A work case is contested when raters gave it different labels, or corrections, ignoring the case of
the letters; an essay, when somebody made an edit that somebody else did not. Second judgments by
the same rater (repeats) and those of flagged raters are no difference. The counts are cached: after
further judgments (`state_of` tells) only their cases are counted again, after a change of flags
all.

A rater of a project sees nothing of it here while they can be given more cases: they would no
longer be blind. And somebody who has decided about a case of a project cannot become a rater of it
(`people.py`). Decisions are read anew every time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import sqlalchemy as sa

from jurybox.errors import InputError, unknown_name
from jurybox.serve.answers import StoredAnswer, chance, check, check_comment, show
from jurybox.serve.essays import read_edits, text_of
from jurybox.serve.model import (
    UNDECIDED,
    AdjudicatorDecision,
    Contested,
    ContestedCase,
    ContestedCounts,
    EssayCorrection,
    Judgment,
    Project,
    Purpose,
    Standing,
    SubmittedAnswer,
)
from jurybox.serve.settings import Task
from jurybox.serve.store.answering import columns_of
from jurybox.serve.store.database import Database, StorePart, time_of
from jurybox.serve.store.projects import State, flagged_raters, lock, read_in, state_of
from jurybox.serve.store.tables import (
    answers,
    assignments,
    cases,
    columns,
    decisions,
    essay_feedback,
    matches,
    raters,
    users,
)
from jurybox.serve.wording import SPOILED

WORK = str(Purpose.WORK)
ORDERS = ("most", "file")
OPEN, LEFT, DECIDED = "open", "undecided", "decided"
CONFIDENCE = {None: "", 0.0: "low", 1.0: "high"}
MEANWHILE = (
    "{who} decided about this case meanwhile. {whose} decision is shown below. Send yours again if "
    "it should stand instead."
)
STILL_JUDGING = (
    "You judge in {project} yourself. Whoever sees what others said is no longer blind, so you can "
    "adjudicate when the project is closed, or when an admin has ended your work in it."
)
#: up to so many changed cases are counted anew by themselves; if more have changed, all are
FEW = 500


class CaseTally(NamedTuple):
    """How many judgments of a case count, and the share that are not the most frequent one."""

    judgments: int
    minority: float


#: contested cases, by project and judgments per case (0: cases with two count already), with the
#: state in which the judgments were
KNOWN: WeakKeyDictionary[Database, dict[tuple[int, int], tuple[State, dict[int, CaseTally]]]] = (
    WeakKeyDictionary()
)


class AdjudicationStore(StorePart):
    def contested(
        self,
        project: int,
        *,
        decided: bool | None = None,
        limit: int = 50,
        after: int = 0,
        order: str = "most",
        partial: bool | None = None,
    ) -> tuple[Contested, ...]:
        """Work cases on which raters differ, and those that were decided, behind the case `after`.

        The most contested come first, or (`order="file"`) as they were added. `decided` asks for
        one kind only; cases that an adjudicator left undecided are not decided. Cases count when
        they have all their judgments; with `partial`, and in a closed project, which gets no more,
        as soon as they have two.
        """
        if order not in ORDERS:
            raise unknown_name("order", order, ORDERS)
        with self.database.reading() as connection:
            held, tallies, states = self._tallies(connection, project, partial)
            line = _in_order(tallies, states, order)
            wanted = [
                case
                for case in _behind(line, after, order)
                if decided is None or (states.get(case, OPEN) == DECIDED) is decided
            ][: max(0, limit)]
            rows = {
                row.id: row
                for row in connection.execute(sa.select(cases).where(cases.c.id.in_(wanted)))
            }
        found = []
        for case in wanted:
            tally = tallies.get(case, CaseTally(rows[case].answered, 0.0))
            shown = show(rows[case], held.settings, swapped=_is_swapped(self.secret, case))
            found.append(Contested(case, shown, *tally, states.get(case, OPEN)))
        return tuple(found)

    def contested_counts(self, project: int, *, partial: bool | None = None) -> ContestedCounts:
        with self.database.reading() as connection:
            _, tallies, states = self._tallies(connection, project, partial)
        made = {case for case, state in states.items() if state == DECIDED}
        return ContestedCounts(len(tallies.keys() | made), len(made))

    def next_contested(
        self, project: int, *, after: int = 0, partial: bool | None = None
    ) -> int | None:
        """The next case behind `after` that no adjudicator has looked at, the most contested first.

        After the last one the list begins again; None if nothing is left.
        """
        with self.database.reading() as connection:
            _, tallies, states = self._tallies(connection, project, partial)
        line = _in_order(tallies, states, "most")
        around = chain(_behind(line, after, "most"), line)
        return next((case for case in around if case not in states and case != after), None)

    def refuse_adjudicator(self, project: int, user: int) -> str:
        """Why a user may not see contested cases now; '' if they may.

        A user who is a rater of the project must stay blind while they can be given cases: until it
        is closed, or they are stopped.
        """
        with self.database.reading() as connection:
            return _refusal(connection, read_in(connection, project), user)

    def contested_case(self, project: int, case: int) -> ContestedCase:
        """A case with its judgments, without names and in an order that reveals nothing.

        An InputError if it is no work case of this project, or does not have two judgments.
        """
        with self.database.reading() as connection:
            return _read_case(connection, read_in(connection, project), case, self.secret)

    def decide(
        self,
        project: int,
        case: int,
        user: int,
        given: SubmittedAnswer | None,
        comment: str = "",
        *,
        over: float | None = None,
        now: float | None = None,
    ) -> AdjudicatorDecision:
        """An adjudicator's decision, instead of the one that may be there.

        None leaves the case undecided. `left` and `right` of a choice are those of
        `contested_case`; essays are decided by `SubmittedAnswer("", edits=…)`. `over` is the time
        of the decision that the adjudicator saw, 0 if there was none: an InputError if it is
        another one by now, unless that one says the same and is theirs. Without it any earlier
        decision is replaced. An InputError too where `refuse_adjudicator` gives a reason.
        """
        with self.database.writing() as connection:
            held = lock(connection, project)
            if refused := _refusal(connection, held, user):
                raise InputError(refused)
            found = _read_case(connection, held, case, self.secret)
            stored: Any = connection.execute(_DECISION, {"case": case}).first()
            values = {
                "project_id": project,
                "case_id": case,
                "user_id": user,
                **_checked(given, held, found),
                "comment": check_comment(comment),
            }
            before = found.decision
            if before is not None and all(values[one] == stored._mapping[one] for one in values):
                return before  # the same form, sent again
            if over is not None and over != (0.0 if before is None else before.time):
                is_same = stored is not None and stored.user_id == user
                who, whose = ("You", "Your other") if is_same else ("Somebody else", "Their")
                raise InputError(MEANWHILE.format(who=who, whose=whose))
            values["decided"] = time_of(now)
            if before is None:
                connection.execute(decisions.insert().values(values))
            else:
                changing = decisions.update().where(decisions.c.case_id == case)
                connection.execute(changing.values(values))
            return _decision(connection.execute(_DECISION, {"case": case}).one())

    def _tallies(
        self, connection: sa.Connection, project: int, partial: bool | None
    ) -> tuple[Project, dict[int, CaseTally], dict[int, str]]:
        """A project, its contested cases, and the states of those that were looked at."""
        held = read_in(connection, project)
        wanted = sa.select(decisions.c.case_id, decisions.c.label).where(
            decisions.c.project_id == project
        )
        states = {
            row.case_id: LEFT if row.label == UNDECIDED else DECIDED
            for row in connection.execute(wanted)
        }
        if partial is None:
            partial = not held.settings.is_open
        return held, tallies_of(self.database, connection, held, partial=partial), states


def has_decided(connection: sa.Connection, project: int, user: int) -> bool:
    """Whether this user has seen what raters said, and decided or written feedback on it."""
    seen = (
        sa.select(one.c.id).where(one.c.project_id == project, one.c.user_id == user).limit(1)
        for one in (decisions, essay_feedback)
    )
    return any(connection.execute(wanted).first() is not None for wanted in seen)


def _in_order(tallies: dict[int, CaseTally], states: dict[int, str], order: str) -> list[int]:
    """Contested cases, and after them those that were decided though nobody differs (now)."""
    line = [*tallies, *sorted(case for case in states if case not in tallies)]
    return sorted(line) if order == "file" else line


def _behind(line: Sequence[int], after: int, order: str) -> Sequence[int]:
    """The cases after one that may have left the list meanwhile."""
    if order == "file":
        return [case for case in line if case > after]
    return line[line.index(after) + 1 :] if after in line else line


def _is_swapped(secret: str, case: int) -> bool:
    """Whether the words are swapped, at random: the position must not show whose is whose."""
    return chance(secret, "adjudicated order", case) < 0.5


def _read_case(
    connection: sa.Connection, project: Project, case: int, secret: str
) -> ContestedCase:
    row = connection.execute(_CASE, {"project": project.id, "case": case}).first()
    given = connection.execute(_JUDGMENTS, {"case": case}).all()
    if row is None or len(given) < 2:
        raise InputError("There is no such case, or it has no two judgments yet.")
    decided = connection.execute(_DECISION, {"case": case}).first()
    shuffled = sorted(given, key=lambda one: chance(secret, "judgment", case, one.id))
    swapped = _is_swapped(secret, case)
    judgments = tuple(
        Judgment(
            letter(place),
            **_answer(one),
            confidence=CONFIDENCE.get(one.confidence, ""),
            context=tuple(one.context.split()),
            is_flagged=one.flagged,
        )
        for place, one in enumerate(shuffled)
    )
    shown = show(row, project.settings, swapped=swapped)
    decision = None if decided is None else _decision(decided)
    return ContestedCase(case, project.task, shown, swapped, judgments, decision)


def letter(place: int) -> str:
    """A, B … Z, AA, AB …"""
    first, last = divmod(place, 26)
    return (letter(first - 1) if first else "") + chr(ord("A") + last)


def _answer(row: Any) -> dict[str, Any]:
    """What a judgment and a decision have in common."""
    return {
        "label": row.label,
        "correction": row.correction,
        "alternatives": tuple(json.loads(row.alternatives or "[]")),
        "edits": read_edits(row.edits),
        "comment": row.comment,
    }


def _decision(row: Any) -> AdjudicatorDecision:
    return AdjudicatorDecision(**_answer(row), by=row.by, time=row.decided)


def _refusal(connection: sa.Connection, project: Project, user: int) -> str:
    judging = sa.select(raters.c.id).where(
        raters.c.project_id == project.id,
        raters.c.user_id == user,
        raters.c.standing != str(Standing.STOPPED),
    )
    if not project.settings.is_open or connection.execute(judging).first() is None:
        return ""
    return STILL_JUDGING.format(project=project.name)


def _checked(
    given: SubmittedAnswer | None, project: Project, case: ContestedCase
) -> dict[str, Any]:
    """A decision as it is stored; None leaves the case undecided."""
    if given is None:
        answered = StoredAnswer(UNDECIDED)
    elif project.task == Task.TRAINED and given.label == SPOILED.value:
        answered = StoredAnswer(SPOILED.value)
    else:
        essay = text_of(case.shown.essay)
        answered = check(given, project.settings, swapped=case.is_swapped, essay=essay)
    stored = columns_of(answered)
    return {name: stored[name] for name in ("label", "correction", "alternatives", "edits")}


# --- on which cases raters differ ---


def tallies_of(
    database: Database, connection: sa.Connection, project: Project, *, partial: bool
) -> dict[int, CaseTally]:
    """The contested cases, the most contested first; with `partial` also unfinished ones."""
    per_case = project.settings.per_case
    needed = sa.literal(2) if partial else sa.func.coalesce(cases.c.wanted, per_case)
    key = project.id, 0 if partial else per_case
    state = state_of(connection, project.id)
    known = KNOWN.setdefault(database, {})
    before, found = known.get(key, (None, {}))
    if before != state:
        touched = None  # all of them
        if before is not None and before[1] == state[1]:
            newer = (answers.c.project_id == project.id, answers.c.id > before[0])
            wanted = sa.select(answers.c.case_id).where(*newer).distinct().limit(FEW + 1)
            touched = connection.execute(wanted).scalars().all()
            touched = touched if len(touched) <= FEW else None
        counting = _counting(project.id, touched)
        if project.task == Task.CORRECT:
            new = _count_essays(connection, counting, needed)
        else:
            new = _count_labels(connection, counting, needed, project.task)
        if touched is None:
            found = _most_first(new)
        elif new:  # a contested case stays contested, whatever else is said of it
            found = _most_first({**found, **new})
        known[key] = state, found
    return found


def _most_first(found: dict[int, CaseTally]) -> dict[int, CaseTally]:
    return dict(sorted(found.items(), key=lambda item: (-item[1].minority, item[0])))


def _counting(project: int, touched: Sequence[int] | None) -> sa.FromClause:
    """The answers that count: first ones, by raters who are trusted; of all cases, or of some."""
    # without the project, databases find a few cases by the index on them
    those = answers.c.project_id == project if touched is None else answers.c.case_id.in_(touched)
    return (
        sa.select(*columns(answers, "case_id label correction edits"))
        .join(assignments, assignments.c.id == answers.c.assignment_id)
        .where(those, assignments.c.round == 1, answers.c.rater_id.not_in(flagged_raters(project)))
        .subquery()
    )


def _count_labels(
    connection: sa.Connection,
    counting: sa.FromClause,
    needed: sa.ColumnElement[int],
    task: Task,
) -> dict[int, CaseTally]:
    said = [sa.func.lower(counting.c.label), sa.func.lower(counting.c.correction)]
    if task == Task.TRAINED:  # correct and equally good are both correct usage (2008, section 5.2)
        said[0] = sa.func.replace(said[0], "equal", "correct")
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
        .where(sums.c.number > sums.c.most, cases.c.purpose == WORK, cases.c.answered >= needed)
    )
    return {
        row.case_id: CaseTally(int(row.number), 1 - int(row.most) / int(row.number))
        for row in connection.execute(wanted)
    }


def _count_essays(
    connection: sa.Connection, counting: sa.FromClause, needed: sa.ColumnElement[int]
) -> dict[int, CaseTally]:
    wanted = (
        sa.select(counting.c.case_id, counting.c.edits)
        .join(cases, cases.c.id == counting.c.case_id)
        .where(cases.c.purpose == WORK, cases.c.answered >= needed)
    )
    made: dict[int, list[frozenset[EssayCorrection]]] = {}
    for row in connection.execute(wanted):
        bare = frozenset(one._replace(comment="") for one in read_edits(row.edits))
        made.setdefault(row.case_id, []).append(bare)
    found = {}
    for case, sets in made.items():
        everything, common = frozenset[EssayCorrection]().union(*sets), sets[0].intersection(*sets)
        if everything != common:
            found[case] = CaseTally(len(sets), 1 - len(common) / len(everything))
    return found


# --- SQL ---

_CASE = sa.select(cases).where(
    *matches(cases, id="case", project_id="project"), cases.c.purpose == WORK
)
_JUDGMENTS = (
    sa.select(answers, raters.c.flagged)
    .join(assignments, assignments.c.id == answers.c.assignment_id)
    .join(raters, raters.c.id == answers.c.rater_id)
    .where(*matches(answers, case_id="case"), assignments.c.round == 1)
)
_DECISION = (
    sa.select(decisions, users.c.name.label("by"))
    .join(users, users.c.id == decisions.c.user_id)
    .where(*matches(decisions, case_id="case"))
)
