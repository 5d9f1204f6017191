"""The sentence after a case (`serve new --show-after`)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"


def upgrade() -> None:
    """Add the column; cases from before have no sentence after."""
    op.add_column("cases", sa.Column("after", sa.Text(), nullable=False, server_default=""))
