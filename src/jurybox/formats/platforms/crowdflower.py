"""Reports of CrowdFlower, later Figure Eight and Appen.

The full report has one row per judgment: `_unit_id` is the case, `_worker_id` the rater, `_tainted`
rows are those of contributors who failed the test questions. A column `X_gold` says that X is an
answer. The aggregated report has one row per unit; it is detected and read as what it is: one
label per case, with its confidence, by nobody in particular.
"""

from __future__ import annotations

import json
from contextlib import suppress

from jurybox.formats._io import Input
from jurybox.formats.platforms._columns import (
    BESIDE_LABELS,
    REMARKS,
    SHOWN,
    Cells,
    Chooser,
    gathered,
    open_table,
    tidied,
)
from jurybox.formats.platforms._export import ExportRequest, Raw, SeveralBadLines, ordered
from jurybox.formats.platforms._times import count_pages, page_names, seconds_of_tasks
from jurybox.formats.tables.long_tables import Block, encode_json

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
    bad = SeveralBadLines(given.name)
    raw = Raw(ordered([*chooser.found, "seconds"]), iter(()), bad, [], chooser.found)
    page = {field: columns[field] for field in PAGE if field in columns}
    pages = count_pages(given, page) if len(page) == len(PAGE) else None
    lists = _Lists()
    blocks = gathered(open_table(given, columns, bad).blocks())

    def finish(block: Block, cells: Cells) -> None:
        if "seconds" not in cells and pages is not None:
            sizes = [pages[name] or 1 for name in page_names(block, page)]
            cells["seconds"] = seconds_of_tasks(cells["started"], cells["submitted"], sizes)
        if "gold" in cells:
            cells["gold"] = list(map(lists.__getitem__, cells["gold"]))
        tainted = cells.get("tainted", [""] * len(block.lines))
        cells["leave"] = ["tainted" if cell.strip().lower() == "true" else "" for cell in tainted]
        if "status" in cells:
            cells["status"] = cells["leave"]

    raw.blocks = tidied(blocks, raw, finish)
    return raw


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
    bad = SeveralBadLines(given.name)
    notes = [
        "an aggregated report: one label per case, not the judgments of people; agreement, "
        "screening and cost need the full report"
    ]
    fields = ordered([*chooser.found, "rater"])
    raw = Raw(fields, iter(()), bad, notes, chooser.found, unit="unit")
    lists = _Lists()

    def finish(block: Block, cells: Cells) -> None:
        bad.columns["assignment"] = bad.columns["case"]
        cells["rater"] = [EVERYBODY] * len(block.lines)
        if "gold" in cells:
            cells["gold"] = list(map(lists.__getitem__, cells["gold"]))
        cells["assignment"] = cells["case"]

    raw.blocks = tidied(gathered(open_table(given, chooser.found, bad).blocks()), raw, finish)
    return raw


class _Lists(dict[str, str]):
    r"""Several right answers, one a line, as a JSON list; one answer as it is.

    >>> _Lists()["Yes\nNo"]
    '["Yes", "No"]'
    """

    def __missing__(self, given: str) -> str:
        words = [word.strip() for word in given.splitlines() if word.strip()]
        if given.lstrip().startswith("["):
            with suppress(ValueError, RecursionError):
                json.loads(given)
                words = [given.strip()]
        found = self[given] = encode_json(words) if len(words) > 1 else "".join(words)
        return found
