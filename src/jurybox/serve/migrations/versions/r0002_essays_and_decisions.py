"""Corrected essays with drafts, decisions of adjudicators, and the shadows of gold hand-outs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    """Add two columns and two tables; hand-outs from before have no shadow."""
    op.add_column("answers", sa.Column("edits", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("assignments") as table:
        table.add_column(sa.Column("shadow_id", sa.Integer(), nullable=True))
        table.create_foreign_key("fk_assignments_shadow_id_cases", "cases", ["shadow_id"], ["id"])
    op.create_table(
        "drafts",
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("edits", sa.Text(), nullable=False),
        sa.Column("saved", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name="fk_drafts_assignment_id_assignments"
        ),
        sa.PrimaryKeyConstraint("assignment_id", name="pk_drafts"),
    )
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("correction", sa.Text(), nullable=False),
        sa.Column("alternatives", sa.Text(), nullable=False),
        sa.Column("edits", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("decided", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_decisions_case_id_cases"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_decisions_project_id_projects"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_decisions_user_id_users"),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        sa.UniqueConstraint("case_id", name="uq_decisions_case_id"),
    )
    op.create_index("ix_decisions_project_id_id", "decisions", ["project_id", "id"])


def downgrade() -> None:
    """Take them away again, with everything in them."""
    op.drop_table("decisions")
    op.drop_table("drafts")
    with op.batch_alter_table("assignments") as table:
        table.drop_column("shadow_id")
    op.drop_column("answers", "edits")
