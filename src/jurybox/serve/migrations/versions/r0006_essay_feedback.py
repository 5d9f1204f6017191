"""Feedback to annotators of essays."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from jurybox.serve.store.tables import counts, number, reference, texts, times

revision = "0006"
down_revision: str | None = "0005"


def upgrade() -> None:
    """Add a table; nobody has been given feedback before."""
    op.create_table(
        "essay_feedback",
        number(),
        *map(reference, ("projects", "raters", "users")),
        *counts("essays"),
        *texts("text"),
        *times("written"),
        sa.Column("confirmed", sa.Double()),
        sa.Index(None, "project_id", "rater_id"),
    )
