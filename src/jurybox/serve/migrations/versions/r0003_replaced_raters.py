"""Raters whose judgments others replace (`serve new --replace-flagged`)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    """Add the mark, unset, and an index that finds raters who are flagged and not yet replaced."""
    op.add_column(
        "raters", sa.Column("replaced", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index(
        "ix_raters_project_id_flagged_replaced", "raters", ["project_id", "flagged", "replaced"]
    )
