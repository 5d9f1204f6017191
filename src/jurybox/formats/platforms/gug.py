"""GUG: learner sentences with a grammaticality score by an expert and five by the crowd.

Heilman et al. (2014). One row per sentence; scores from 1 (incomprehensible) to 4 (perfect), the
expert's 0 is "other": such a sentence has no scores by the crowd. Nobody is named, so the crowd's
five are called after their places, and a place is not the same person from row to row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from jurybox.errors import UsageError
from jurybox.formats._io import Input
from jurybox.formats.platforms._columns import open_table
from jurybox.formats.platforms._export import ExportRequest, ExportRow, Raw, blocks_of, ordered
from jurybox.formats.tables.long_tables import LongTable

TITLE = "GUG annotations"
COLUMNS = {
    "case": "Id",
    "sentence": "Sentence",
    "expert": "Expert Judgement",
    "crowd": "Crowd Flower Judgements",
    "batch": "Dataset",
}
EXPERT, CROWD = "expert", "crowd"
FIELDS = ordered(("case", "rater", "label", "batch", "sentence"))


def read(given: Input, request: ExportRequest) -> Raw:
    """The scores of the expert and of the crowd, as judgments."""
    for field, title in request.columns.items():
        if field not in COLUMNS:
            raise UsageError(
                f"--columns {field}={title}: GUG's expert and crowd are read as raters; only case, "
                "sentence and batch can be mapped (--input-format long reads any table)"
            )
    columns = COLUMNS | dict(request.columns)
    table = open_table(given, columns)
    note = (
        "the crowd's scores carry no names: crowd-1 to crowd-5 are places in a list, not people; "
        "agreement between pairs of them means nothing"
    )
    blocks = blocks_of(_rows(table), (*FIELDS, "assignment"))
    return Raw(FIELDS, blocks, table.bad, [note], columns, unit="sentence")


def _rows(table: LongTable) -> Iterator[ExportRow]:
    for block in table.blocks():
        if not COLUMNS.keys() <= block.cells.keys():
            continue  # the table has complained of what it lacks
        known = table.bad.columns
        known["assignment"], known["label"] = known["case"], known["expert"]
        columns = [block.cells[field] for field in COLUMNS]
        for line, case, sentence, expert, crowd, batch in zip(block.lines, *columns, strict=True):
            try:
                scores = json.loads(crowd or "[]")
            except (ValueError, RecursionError):
                scores = None
            if not isinstance(scores, list) or not {int, float} >= set(map(type, scores)):
                table.bad.add(
                    line,
                    f"'{crowd[:40]}' is no list of scores; write one, as [3, 4, 3, 3, 2]",
                    "crowd",
                )
                continue
            shared = {"case": case, "sentence": sentence, "batch": batch}
            yield ExportRow(
                line, {**shared, "rater": EXPERT, "label": expert, "assignment": case.strip()}
            )
            for place, score in enumerate(scores, 1):
                yield ExportRow(
                    line, {**shared, "rater": f"{CROWD}-{place}", "label": json.dumps(score)}
                )
