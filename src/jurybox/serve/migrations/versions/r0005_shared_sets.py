"""Judgments that a case needs by itself, its batch, and the four labels of trained raters."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision: str | None = "0004"

#: what trained raters said, out of what used to be stored of it
_LABEL = """
    CASE WHEN label = 'error' AND correction = '-NONE-' THEN 'extraneous'
         WHEN label = 'error' THEN 'wrong'
         WHEN alternatives <> '' THEN 'equal'
         ELSE 'correct' END"""
_KINDS = {"error": ("extraneous", "wrong"), "ok": ("correct", "equal")}


def upgrade() -> None:
    """Cases from before need what their project says; raters' labels become those they gave."""
    op.add_column("cases", sa.Column("wanted", sa.Integer(), nullable=True))
    op.add_column("cases", sa.Column("queue", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("case_secrets", sa.Column("batch", sa.Text(), nullable=False, server_default=""))
    op.execute("UPDATE cases SET queue = taken")
    op.drop_index("ix_cases_project_id_purpose_taken_lot", "cases")
    op.create_index(
        "ix_cases_project_id_purpose_queue_lot", "cases", ["project_id", "purpose", "queue", "lot"]
    )
    connection = op.get_bind()
    for project, settings in connection.execute(sa.text("SELECT id, settings FROM projects")).all():
        if json.loads(settings)["task"] == "judge-trained":
            for table in ("answers", "decisions"):
                rows = f"WHERE project_id = {project} AND label IN ('error', 'ok')"
                connection.execute(sa.text(f"UPDATE {table} SET label = {_LABEL} {rows}"))
            _rename_gold(connection, project)


def _rename_gold(connection: sa.Connection, project: int) -> None:
    """Known answers as trained raters can give them: two kinds of error, and of ok."""
    rows = f"case_id IN (SELECT id FROM cases WHERE project_id = {project})"
    golds = connection.execute(sa.text(f"SELECT DISTINCT gold FROM case_secrets WHERE {rows}"))
    change = sa.text(f"UPDATE case_secrets SET gold = :new WHERE gold = :old AND {rows}")
    for old in golds.scalars().all():
        kinds = [kind for label in json.loads(old) for kind in _KINDS.get(label, (label,))]
        connection.execute(change, {"old": old, "new": json.dumps(kinds, ensure_ascii=False)})
