"""Corrected essays with drafts, decisions of adjudicators, and the shadows of gold assignments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from jurybox.serve.store.tables import counts, key_of, number, reference, texts, times

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    """Add two columns and two tables; assignments from before have no shadow."""
    op.add_column("answers", sa.Column("edits", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("assignments") as table:
        table.add_column(sa.Column("shadow_id", sa.Integer(), nullable=True))
        table.create_foreign_key("fk_assignments_shadow_id_cases", "cases", ["shadow_id"], ["id"])
    op.create_table(
        "drafts", key_of("assignments"), *counts("version"), *texts("edits"), *times("saved")
    )
    op.create_table(
        "decisions",
        number(),
        reference("projects"),
        reference("cases", unique=True),
        reference("users"),
        *texts("label", "correction", "alternatives", "edits", "comment"),
        *times("decided"),
        sa.Index(None, "project_id", "id"),
    )
