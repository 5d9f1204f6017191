"""The first tables: projects, cases, people, hand-outs, answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "projects",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("next_lot", sa.BigInteger(), nullable=False),
        sa.Column("raters", sa.Integer(), nullable=False),
        sa.Column("work_cases", sa.Integer(), nullable=False),
        sa.Column("gold_cases", sa.Integer(), nullable=False),
        sa.Column("practice_cases", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_projects"),
        sa.UniqueConstraint("name", name="uq_projects_name"),
    )
    op.create_table(
        "store_settings",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_store_settings"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("name", name="uq_users_name"),
    )
    op.create_table(
        "cases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("written", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("second", sa.Text(), nullable=False),
        sa.Column("counts", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("lot", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_cases_project_id_projects"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_cases"),
        sa.UniqueConstraint("project_id", "name", name="uq_cases_project_id_name"),
    )
    op.create_index(
        "ix_cases_project_id_purpose_taken_lot", "cases", ["project_id", "purpose", "taken", "lot"]
    )
    op.create_table(
        "raters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("pseudonym", sa.Text(), nullable=False),
        sa.Column("prolific_pid", sa.Text(), nullable=True),
        sa.Column("prolific_study", sa.Text(), nullable=False),
        sa.Column("prolific_session", sa.Text(), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("joined", sa.Double(), nullable=False),
        sa.Column("survey", sa.Text(), nullable=True),
        sa.Column("practised", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("handed", sa.Integer(), nullable=False),
        sa.Column("gold_seen", sa.Integer(), nullable=False),
        sa.Column("gold_right", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        sa.Column("cursors", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_raters_project_id_projects"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_raters_user_id_users"),
        sa.PrimaryKeyConstraint("id", name="pk_raters"),
        sa.UniqueConstraint("project_id", "number", name="uq_raters_project_id_number"),
        sa.UniqueConstraint("project_id", "prolific_pid", name="uq_raters_project_id_prolific_pid"),
        sa.UniqueConstraint("project_id", "user_id", name="uq_raters_project_id_user_id"),
    )
    op.create_table(
        "sample_keys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_sample_keys_project_id_projects"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_sample_keys"),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("handed", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_assignments_case_id_cases"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_assignments_project_id_projects"
        ),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name="fk_assignments_rater_id_raters"),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
        sa.UniqueConstraint(
            "rater_id", "case_id", "round", name="uq_assignments_rater_id_case_id_round"
        ),
        sa.UniqueConstraint("token", name="uq_assignments_token"),
    )
    op.create_index(
        "ix_assignments_project_id_state_expires", "assignments", ["project_id", "state", "expires"]
    )
    op.create_index("ix_assignments_rater_id_number", "assignments", ["rater_id", "number"])
    op.create_table(
        "case_secrets",
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("gold", sa.Text(), nullable=False),
        sa.Column("feedback", sa.Text(), nullable=False),
        sa.Column("construction", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_case_secrets_case_id_cases"),
        sa.PrimaryKeyConstraint("case_id", name="pk_case_secrets"),
    )
    op.create_table(
        "case_strata",
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("stratum", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_case_strata_case_id_cases"),
        sa.PrimaryKeyConstraint("case_id", name="pk_case_strata"),
    )
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("correction", sa.Text(), nullable=False),
        sa.Column("alternatives", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=True),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("submitted", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name="fk_answers_assignment_id_assignments"
        ),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_answers_case_id_cases"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_answers_project_id_projects"
        ),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name="fk_answers_rater_id_raters"),
        sa.PrimaryKeyConstraint("id", name="pk_answers"),
        sa.UniqueConstraint("assignment_id", name="uq_answers_assignment_id"),
        sa.UniqueConstraint("rater_id", "key", name="uq_answers_rater_id_key"),
    )
    op.create_index("ix_answers_case_id", "answers", ["case_id"])
    op.create_index("ix_answers_project_id_id", "answers", ["project_id", "id"])


def downgrade() -> None:
    """Drop all tables, and everything in them."""
    for table in (
        *("answers", "assignments", "sample_keys", "raters", "case_strata", "case_secrets"),
        *("cases", "users", "projects", "store_settings"),
    ):
        op.drop_table(table)
