"""Reports of CrowdFlower, later Figure Eight and Appen.

The full report has one row per judgment: `_unit_id` is the case, `_worker_id` the rater, `_tainted`
rows are those of contributors who failed the test questions. A column `X_gold` says that X is an
answer. The aggregated report has one row per unit; it is detected and read as what it is: one
label per case, with its confidence, by nobody in particular.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache

from jurybox.formats._io import Input
from jurybox.formats.platforms._columns import (
    BESIDE_LABELS,
    REMARKS,
    SHOWN,
    Cells,
    Chooser,
    count_pages,
    open_table,
    page_names,
    seconds_of_tasks,
    table_export,
)
from jurybox.formats.platforms._export import ExportRequest, Raw
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.long_tables import encode_json

TITLE = "CrowdFlower (Figure Eight, Appen) report"
GOLD = "_gold"
CONFIDENCE = ":confidence"
#: the name of the rater whose judgments an aggregated report holds
EVERYBODY = "aggregated"
#: our fields -> CrowdFlower's columns
COLUMNS = {
    "rater": "_worker_id",
    "trust": "_trust",
    "started": "_started_at",
    "submitted": "_created_at",
    "status": "_tainted",
}
#: what names a page of several units: one contributor, one beginning, one end
PAGE = ("rater", "started", "submitted")
AGGREGATED = ("_trusted_judgments", "_unit_state")


def read(given: Input, request: ExportRequest) -> Raw:
    r"""The judgments of a full report, or the labels of an aggregated one.

    >>> text = "_unit_id,_id,_tainted,_worker_id,ok,ok_gold\n7,1,false,31,Yes,\n"
    >>> next(read(Input.from_text(text), ExportRequest()).blocks).cells["label"]
    ['Yes']
    """
    chooser = Chooser(given, request)
    titles = chooser.titles
    chooser.take_all({"case": "_unit_id"}, needed=("case",))
    if "_worker_id" not in titles and any(title in titles for title in AGGREGATED):
        return _read_aggregated(given, chooser)
    chooser.take_all(COLUMNS, needed=("rater",))
    _choose_answer(chooser)
    chooser.check()
    columns = dict(chooser.found)
    if "_id" in titles:
        columns["assignment"] = "_id"
    if "_tainted" in titles:
        columns["tainted"] = "_tainted"
    page = {field: columns[field] for field in PAGE if field in columns}
    pages = count_pages(given, page) if len(page) == len(PAGE) else None

    def finish(block: Block, cells: Cells) -> None:
        if "seconds" not in cells and pages is not None:
            sizes = [pages[name] or 1 for name in page_names(block, page)]
            cells["seconds"] = seconds_of_tasks(cells["started"], cells["submitted"], sizes)
        if "gold" in cells:
            cells["gold"] = list(map(_right_answers, cells["gold"]))
        tainted = cells.get("tainted", [""] * len(block.lines))
        cells["leave"] = ["tainted" if cell.strip().lower() == "true" else "" for cell in tainted]
        if "status" in cells:
            cells["status"] = cells["leave"]

    return table_export(open_table(given, columns), chooser.found, finish, further=["seconds"])


def _choose_answer(chooser: Chooser) -> None:
    titles = chooser.titles
    own = [title for title in titles if not title.startswith(("_", "orig_"))]
    # <answer>_gold tells what was asked; its reason is for contributors
    asked = [title for title in own if f"{title}{GOLD}" in titles]
    plain = [t for t in own if not t.endswith((GOLD, f"{GOLD}_reason"))]
    if "label" not in chooser.found and len(asked) == 1:
        chooser.found["label"] = asked[0]
    chooser.take("gold", f"{chooser.found.get('label', '')}{GOLD}")
    others = [t for t in plain if t not in chooser.taken and t not in asked]
    named = {title: title for title in others}
    chooser.take_named(SHOWN, named)
    if "label" in chooser.found:
        chooser.take_named(BESIDE_LABELS, {title: title for title in plain})
        return
    if len(asked) > 1:
        raise chooser.several_answers(asked)
    left = {t: t for t in others if t not in chooser.taken and t.lower() not in REMARKS}
    label = chooser.choose_label(left)
    chooser.take("gold", f"{label}{GOLD}")


def _read_aggregated(given: Input, chooser: Chooser) -> Raw:
    titles = chooser.titles
    asked = [t.removesuffix(CONFIDENCE) for t in titles if t.endswith(CONFIDENCE)]
    label = chooser.choose_label({title: title for title in asked if title in titles})
    chooser.take("confidence", f"{label}{CONFIDENCE}")
    chooser.take("gold", f"{label}{GOLD}")
    chooser.take_named(SHOWN, {t: t for t in titles if not t.startswith("_") and t not in asked})
    chooser.check()
    note = (
        "an aggregated report: one label per case, not the judgments of people; agreement, "
        "screening and cost need the full report"
    )
    table = open_table(given, chooser.found)

    def finish(block: Block, cells: Cells) -> None:
        table.bad.columns["assignment"] = table.bad.columns["case"]
        cells["rater"] = [EVERYBODY] * len(block.lines)
        if "gold" in cells:
            cells["gold"] = list(map(_right_answers, cells["gold"]))
        cells["assignment"] = cells["case"]

    return table_export(table, chooser.found, finish, further=["rater"], notes=[note], unit="unit")


@lru_cache(maxsize=4096)  # a report repeats few of them
def _right_answers(given: str) -> str:
    r"""Several right answers, one a line, as a JSON list; one answer as it is.

    >>> _right_answers("Yes\nNo")
    '["Yes", "No"]'
    """
    words = [word.strip() for word in given.splitlines() if word.strip()]
    if given.lstrip().startswith("["):
        with suppress(ValueError, RecursionError):
            json.loads(given)
            words = [given.strip()]
    return encode_json(words) if len(words) > 1 else "".join(words)
