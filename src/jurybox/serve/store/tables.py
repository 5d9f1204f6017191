"""The tables of the store. Migrations make them; a test compares both.

What raters are shown comes from `projects`, `cases`, `assignments` and `raters`. What they must not
see stands apart, in tables for admins: `case_secrets` (known answers, feedback, where a case comes
from), `case_strata`, `sample_keys` and `decisions` (of adjudicators). No query for a rater touches
the last three.

`cases.taken` is the number of judgments that count or are leased, `cases.lot` its place in its
queue (`cases.queue`, see `leases.py`). A case gets a new lot, larger than all others, whenever its
`taken` changes. So a rater who has answered everything up to some lot of a queue need never look
there again: what comes back comes behind it (`raters.cursors`, see `assignment.py`).
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

#: names of constraints, so that migrations can speak of them
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = sa.MetaData(naming_convention=NAMING)


# Revisions of the database are made of these columns too: add others, never change them.


def number() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def reference(
    table: str, name: str = "", *, optional: bool = False, unique: bool | None = None
) -> sa.Column[int]:
    column = name or f"{table.removesuffix('s')}_id"
    key = sa.ForeignKey(f"{table}.id")
    return sa.Column(column, sa.Integer, key, nullable=optional, unique=unique)


def key_of(table: str) -> sa.Column[int]:
    """The key of a table that has at most one row for a row of another."""
    name = f"{table.removesuffix('s')}_id"
    return sa.Column(name, sa.Integer, sa.ForeignKey(f"{table}.id"), primary_key=True)


def counts(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=False, default=0) for name in names]


def texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False, default="") for name in names]


def times(*names: str) -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Double, nullable=False) for name in names]


def switches(*names: str) -> list[sa.Column[bool]]:
    return [sa.Column(name, sa.Boolean, nullable=False, default=False) for name in names]


def unique_text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, unique=True)


def lot(name: str, default: int | None = None) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False, default=default)


store_settings = sa.Table(
    "store_settings", metadata, sa.Column("key", sa.Text, primary_key=True), *texts("value")
)

projects = sa.Table(
    "projects",
    metadata,
    number(),
    unique_text("name"),
    *texts("settings"),  # JSON
    *times("created"),
    lot("next_lot", default=1),
    *counts("raters", "work_cases", "gold_cases", "practice_cases"),
)

cases = sa.Table(
    "cases",
    metadata,
    number(),
    reference("projects"),
    *texts("purpose", "name", "sentence"),  # `name` is the id in the file it came from
    sa.Column("start", sa.Integer),
    sa.Column("end", sa.Integer),
    *texts("written", "before", "after", "first", "second"),
    *counts("counts"),  # 1 where judgments are counted: work; 0 for gold and practice
    sa.Column("wanted", sa.Integer),  # judgments that it needs; None: as many as its project says
    *counts("taken", "answered", "queue"),
    lot("lot"),
    sa.UniqueConstraint("project_id", "name"),
    sa.Index(None, "project_id", "purpose", "queue", "lot"),
)

case_secrets = sa.Table(
    "case_secrets",
    metadata,
    key_of("cases"),
    *texts("gold", "feedback", "construction", "batch"),  # `gold` is a JSON list
    sa.Column("document", sa.Text),
)

case_strata = sa.Table("case_strata", metadata, key_of("cases"), *texts("stratum"))

sample_keys = sa.Table("sample_keys", metadata, number(), reference("projects"), *texts("content"))

users = sa.Table(
    "users",
    metadata,
    number(),
    unique_text("name"),
    *texts("password", "role"),  # `password` in argon2's own form
    *counts("session"),
)

raters = sa.Table(
    "raters",
    metadata,
    number(),
    reference("projects"),
    *counts("number"),
    reference("users", optional=True),
    *texts("pseudonym"),
    sa.Column("prolific_pid", sa.Text),
    *texts("prolific_study", "prolific_session", "standing"),
    *switches("flagged"),
    *switches("replaced"),  # their judgments do not count towards what cases need: `leases.py`
    *times("joined"),
    sa.Column("survey", sa.Text),  # JSON
    *counts("practised", "answered"),
    *counts("handed"),  # assignments without practice: the number of the next one
    *counts("gold_seen", "gold_right"),
    sa.Column("assignment_id", sa.Integer),  # the case that they have open
    *texts("cursors"),  # JSON: queue -> lot up to which all is answered
    sa.UniqueConstraint("project_id", "number"),
    sa.UniqueConstraint("project_id", "prolific_pid"),
    sa.UniqueConstraint("project_id", "user_id"),
    sa.Index(None, "project_id", "flagged", "replaced"),
)

assignments = sa.Table(
    "assignments",
    metadata,
    number(),
    unique_text("token"),
    *map(reference, ("projects", "raters", "cases")),
    *counts("round"),  # 1, and 2 where a case is shown again
    *counts("number"),  # which of the rater's assignments
    *texts("purpose", "state"),  # `state`: open, lapsed, answered
    *switches("swapped"),  # choice: second stood first
    # gold and repeats: the work case whose place they take; it is kept for the rater meanwhile
    reference("cases", "shadow_id", optional=True),
    *times("handed", "expires"),
    sa.UniqueConstraint("rater_id", "case_id", "round"),
    sa.Index(None, "project_id", "state", "expires"),
    sa.Index(None, "rater_id", "number"),
)

answers = sa.Table(
    "answers",
    metadata,
    number(),
    reference("assignments", unique=True),
    *map(reference, ("projects", "raters", "cases")),
    sa.Column("key", sa.Text, nullable=False),
    *texts("label", "correction", "alternatives"),  # `alternatives`: JSON list, or nothing
    sa.Column("confidence", sa.Double),
    *texts("context", "comment", "edits"),  # correct: `edits` is a JSON list, or nothing
    sa.Column("is_right", sa.Boolean),  # None where no answer is known
    *switches("late"),
    *times("seconds", "submitted"),
    sa.UniqueConstraint("rater_id", "key"),
    sa.Index(None, "project_id", "id"),
    sa.Index(None, "case_id"),
)

drafts = sa.Table(
    "drafts",
    metadata,
    key_of("assignments"),
    *counts("version"),  # counts up with every save
    *texts("edits"),  # as in answers
    *times("saved"),
)

decisions = sa.Table(
    "decisions",
    metadata,
    number(),
    reference("projects"),
    reference("cases", unique=True),
    reference("users"),
    *texts("label", "correction", "alternatives", "edits", "comment"),  # as in answers
    *times("decided"),
    sa.Index(None, "project_id", "id"),
)

essay_feedback = sa.Table(
    "essay_feedback",
    metadata,
    number(),
    *map(reference, ("projects", "raters", "users")),
    *counts("essays"),  # that the annotator had finished when it was written
    *texts("text"),
    *times("written"),
    sa.Column("confirmed", sa.Double),  # when the annotator had read it
    sa.Index(None, "project_id", "rater_id"),
)


# --- for statements ---


def columns(table: sa.FromClause, names: str) -> list[sa.ColumnElement[Any]]:
    """Columns of a table, by name."""
    return [table.c[name] for name in names.split()]


def matches(table: sa.FromClause, **parameters: str) -> list[sa.ColumnElement[bool]]:
    """Columns that equal parameters: `matches(answers, case_id="case")`."""
    return [table.c[name] == sa.bindparam(one) for name, one in parameters.items()]


def update(table: sa.Table, number: str, *parameters: str, **values: Any) -> sa.Update:
    """The update of the row whose id is the parameter `number`.

    Columns get these values, or parameters of their own names.
    """
    values |= {name: sa.bindparam(name) for name in parameters}
    return table.update().where(table.c.id == sa.bindparam(number)).values(values)
