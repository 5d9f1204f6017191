"""The tables of the store. Migrations make them; a test compares both.

What raters are shown comes from `projects`, `cases`, `assignments` and `raters`. What they must not
see stands apart, in tables for admins: `case_secrets` (known answers, feedback, where a case comes
from), `case_strata`, `sample_keys` and `decisions` (of adjudicators). No query for a rater touches
the last three.

`cases.taken` is the number of judgments that count or are leased, `cases.lot` its place in the
queue of all cases with as many. A case gets a new lot, larger than all others, whenever its `taken`
changes. So a rater who has answered everything up to some lot of a queue need never look there
again: what comes back comes behind it (`raters.cursors`, see `assignment.py`).
"""

from __future__ import annotations

import sqlalchemy as sa

#: names of constraints, so that migrations can speak of them
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = sa.MetaData(naming_convention=NAMING)


def _number() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _of(table: str, *, optional: bool = False) -> sa.Column[int]:
    name = f"{table.removesuffix('s')}_id"
    return sa.Column(name, sa.Integer, sa.ForeignKey(f"{table}.id"), nullable=optional)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, default=0)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, default="")


def _time(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=False)


store_settings = sa.Table(
    "store_settings",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    _text("value"),
)

projects = sa.Table(
    "projects",
    metadata,
    _number(),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    _text("settings"),  # JSON
    _time("created"),
    sa.Column("next_lot", sa.BigInteger, nullable=False, default=1),
    _count("raters"),
    _count("work_cases"),
    _count("gold_cases"),
    _count("practice_cases"),
)

cases = sa.Table(
    "cases",
    metadata,
    _number(),
    _of("projects"),
    _text("purpose"),
    _text("name"),  # the id in the file it came from
    _text("sentence"),
    sa.Column("start", sa.Integer),
    sa.Column("end", sa.Integer),
    _text("written"),
    _text("before"),
    _text("first"),
    _text("second"),
    _count("counts"),  # 1 where judgments are counted: work; 0 for gold and practice
    _count("taken"),
    _count("answered"),
    sa.Column("lot", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("project_id", "name"),
    sa.Index(None, "project_id", "purpose", "taken", "lot"),
)

case_secrets = sa.Table(
    "case_secrets",
    metadata,
    sa.Column("case_id", sa.Integer, sa.ForeignKey("cases.id"), primary_key=True),
    _text("gold"),  # JSON list
    _text("feedback"),
    _text("construction"),
    sa.Column("document", sa.Text),
)

case_strata = sa.Table(
    "case_strata",
    metadata,
    sa.Column("case_id", sa.Integer, sa.ForeignKey("cases.id"), primary_key=True),
    _text("stratum"),
)

sample_keys = sa.Table("sample_keys", metadata, _number(), _of("projects"), _text("content"))

users = sa.Table(
    "users",
    metadata,
    _number(),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    _text("password"),  # argon2's own form
    _text("role"),
    _count("session"),
)

raters = sa.Table(
    "raters",
    metadata,
    _number(),
    _of("projects"),
    _count("number"),
    _of("users", optional=True),
    _text("pseudonym"),
    sa.Column("prolific_pid", sa.Text),
    _text("prolific_study"),
    _text("prolific_session"),
    _text("standing"),
    sa.Column("flagged", sa.Boolean, nullable=False, default=False),
    # whether their judgments do not count towards what cases need: `leases.py`
    sa.Column("replaced", sa.Boolean, nullable=False, default=False),
    _time("joined"),
    sa.Column("survey", sa.Text),  # JSON
    _count("practised"),
    _count("answered"),
    _count("handed"),  # assignments without practice: the number of the next one
    _count("gold_seen"),
    _count("gold_right"),
    sa.Column("assignment_id", sa.Integer),  # the case that they have open
    _text("cursors"),  # JSON: queue -> lot up to which all is answered
    sa.UniqueConstraint("project_id", "number"),
    sa.UniqueConstraint("project_id", "prolific_pid"),
    sa.UniqueConstraint("project_id", "user_id"),
    sa.Index(None, "project_id", "flagged", "replaced"),
)

assignments = sa.Table(
    "assignments",
    metadata,
    _number(),
    sa.Column("token", sa.Text, nullable=False, unique=True),
    _of("projects"),
    _of("raters"),
    _of("cases"),
    _count("round"),  # 1, and 2 where a case is shown again
    _count("number"),  # which of the rater's assignments
    _text("purpose"),
    _text("state"),  # open, lapsed, answered
    sa.Column("swapped", sa.Boolean, nullable=False, default=False),  # choice: second stood first
    # gold and repeats: the work case whose place they take; it is kept for the rater meanwhile
    sa.Column("shadow_id", sa.Integer, sa.ForeignKey("cases.id")),
    _time("handed"),
    _time("expires"),
    sa.UniqueConstraint("rater_id", "case_id", "round"),
    sa.Index(None, "project_id", "state", "expires"),
    sa.Index(None, "rater_id", "number"),
)

answers = sa.Table(
    "answers",
    metadata,
    _number(),
    sa.Column(
        "assignment_id", sa.Integer, sa.ForeignKey("assignments.id"), nullable=False, unique=True
    ),
    _of("projects"),
    _of("raters"),
    _of("cases"),
    sa.Column("key", sa.Text, nullable=False),
    _text("label"),
    _text("correction"),
    _text("alternatives"),  # JSON list, or nothing
    sa.Column("confidence", sa.Double),
    _text("context"),
    _text("comment"),
    _text("edits"),  # correct: JSON list, or nothing
    sa.Column("is_right", sa.Boolean),  # None where no answer is known
    sa.Column("late", sa.Boolean, nullable=False, default=False),
    _time("seconds"),
    _time("submitted"),
    sa.UniqueConstraint("rater_id", "key"),
    sa.Index(None, "project_id", "id"),
    sa.Index(None, "case_id"),
)

drafts = sa.Table(
    "drafts",
    metadata,
    sa.Column("assignment_id", sa.Integer, sa.ForeignKey("assignments.id"), primary_key=True),
    _count("version"),  # counts up with every save
    _text("edits"),  # correct: JSON list, as in answers
    _time("saved"),
)

decisions = sa.Table(
    "decisions",
    metadata,
    _number(),
    _of("projects"),
    sa.Column("case_id", sa.Integer, sa.ForeignKey("cases.id"), nullable=False, unique=True),
    _of("users"),
    _text("label"),
    _text("correction"),
    _text("alternatives"),  # JSON list, or nothing
    _text("edits"),  # correct: JSON list, or nothing
    _text("comment"),
    _time("decided"),
    sa.Index(None, "project_id", "id"),
)
