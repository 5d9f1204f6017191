"""The first tables: projects, cases, people, assignments, answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from jurybox.serve.store.tables import (
    counts,
    key_of,
    lot,
    number,
    reference,
    switches,
    texts,
    times,
    unique_text,
)

revision = "0001"
down_revision: str | None = None


def upgrade() -> None:
    op.create_table(
        "projects",
        number(),
        unique_text("name"),
        *texts("settings"),
        *times("created"),
        lot("next_lot"),
        *counts("raters", "work_cases", "gold_cases", "practice_cases"),
    )
    op.create_table(
        "store_settings", sa.Column("key", sa.Text(), primary_key=True), *texts("value")
    )
    op.create_table(
        "users", number(), unique_text("name"), *texts("password", "role"), *counts("session")
    )
    op.create_table(
        "cases",
        number(),
        reference("projects"),
        *texts("purpose", "name", "sentence"),
        sa.Column("start", sa.Integer()),
        sa.Column("end", sa.Integer()),
        *texts("written", "before", "first", "second"),
        *counts("counts", "taken", "answered"),
        lot("lot"),
        sa.UniqueConstraint("project_id", "name"),
        sa.Index(None, "project_id", "purpose", "taken", "lot"),
    )
    op.create_table(
        "raters",
        number(),
        reference("projects"),
        *counts("number"),
        reference("users", optional=True),
        *texts("pseudonym"),
        sa.Column("prolific_pid", sa.Text()),
        *texts("prolific_study", "prolific_session", "standing"),
        *switches("flagged"),
        *times("joined"),
        sa.Column("survey", sa.Text()),
        *counts("practised", "answered", "handed", "gold_seen", "gold_right"),
        sa.Column("assignment_id", sa.Integer()),
        *texts("cursors"),
        sa.UniqueConstraint("project_id", "number"),
        sa.UniqueConstraint("project_id", "prolific_pid"),
        sa.UniqueConstraint("project_id", "user_id"),
    )
    op.create_table("sample_keys", number(), reference("projects"), *texts("content"))
    op.create_table(
        "assignments",
        number(),
        unique_text("token"),
        *map(reference, ("projects", "raters", "cases")),
        *counts("round", "number"),
        *texts("purpose", "state"),
        *switches("swapped"),
        *times("handed", "expires"),
        sa.UniqueConstraint("rater_id", "case_id", "round"),
        sa.Index(None, "project_id", "state", "expires"),
        sa.Index(None, "rater_id", "number"),
    )
    op.create_table(
        "case_secrets",
        key_of("cases"),
        *texts("gold", "feedback", "construction"),
        sa.Column("document", sa.Text()),
    )
    op.create_table("case_strata", key_of("cases"), *texts("stratum"))
    op.create_table(
        "answers",
        number(),
        reference("assignments", unique=True),
        *map(reference, ("projects", "raters", "cases")),
        sa.Column("key", sa.Text(), nullable=False),
        *texts("label", "correction", "alternatives"),
        sa.Column("confidence", sa.Double()),
        *texts("context", "comment"),
        sa.Column("is_right", sa.Boolean()),
        *switches("late"),
        *times("seconds", "submitted"),
        sa.UniqueConstraint("rater_id", "key"),
        sa.Index(None, "project_id", "id"),
        sa.Index(None, "case_id"),
    )
