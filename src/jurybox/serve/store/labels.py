"""Who gave which case which label, and nothing else: what agreement and estimates are made of.

It is the export without its other columns and without gold, and is read in a small part of the
time: the dashboard asks again and again. Whatever reads judgments gives the same numbers for both.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import sqlalchemy as sa

from jurybox.formats import Input
from jurybox.formats.long_tables import write_table
from jurybox.serve.model import Project
from jurybox.serve.store.database import Database
from jurybox.serve.store.tables import answers, cases, raters

ROWS_AT_ONCE = 20_000
COLUMNS = ("case", "rater", "label")


def as_input(database: Database, project: Project) -> Input:
    text = io.StringIO()
    write_table(COLUMNS, _rows(database, project.id), text, "csv")
    return Input.from_text(text.getvalue(), f"{database.name} {project.name}")


def _rows(database: Database, project: int) -> Iterator[tuple[str, str, str]]:
    """In the order of the answers, some thousand at a time; nothing is held meanwhile."""
    after = 0
    while True:
        with database.reading() as connection:
            rows = connection.execute(_LABELS, {"project": project, "after": after}).all()
        if not rows:
            return
        for _, case, number, label in rows:
            yield case, f"R{number}", label
        after = rows[-1][0]


_LABELS = (
    sa.select(answers.c.id, cases.c.name, raters.c.number, answers.c.label)
    .join(cases, cases.c.id == answers.c.case_id)
    .join(raters, raters.c.id == answers.c.rater_id)
    .where(
        answers.c.project_id == sa.bindparam("project"),
        answers.c.id > sa.bindparam("after"),
        cases.c.counts == 1,  # work: gold and practice are not counted
    )
    .order_by(answers.c.id)
    .limit(ROWS_AT_ONCE)
)
