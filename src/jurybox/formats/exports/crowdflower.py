"""Reports of CrowdFlower, later Figure Eight and Appen.

The full report has one row per judgment: `_unit_id` is the case, `_worker_id` the rater, `_tainted`
rows are those of contributors who failed the test questions. `X_gold` beside `X` tells that X is an
answer. The aggregated report has one row per unit; it is told apart and read as what it is: one
label per case, with its confidence, by nobody in particular.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from jurybox.errors import Column, FormatError
from jurybox.formats._io import Input
from jurybox.formats._table_faults import listed
from jurybox.formats.exports._columns import (
    BESIDE_LABELS,
    REMARKS,
    SHOWN,
    Chooser,
    gathered,
    open_table,
    ordered,
    peek_header,
)
from jurybox.formats.exports._export import Raw, Request, SeveralBadLines
from jurybox.formats.exports._pages import Pages, count_pages, page_names, seconds_of_tasks
from jurybox.formats.exports._times import Times, notes_on_times
from jurybox.formats.long_tables import Block, LongTable, encode_json

TITLE = "CrowdFlower (Figure Eight, Appen) report"
GOLD = "_gold"
CONFIDENCE = ":confidence"
#: the name of the rater whose judgments an aggregated report holds
EVERYBODY = "aggregated"
#: what names a page of several units: one contributor, one beginning, one end
PAGE = ("rater", "started", "submitted")
AGGREGATED = ("_trusted_judgments", "_unit_state")


def read(given: Input, request: Request) -> Raw:
    r"""The judgments of a full report, or the labels of an aggregated one.

    >>> text = "_unit_id,_id,_tainted,_worker_id,ok,ok_gold\n7,1,false,31,Yes,\n"
    >>> next(read(Input.from_text(text), Request()).blocks).cells["label"]
    ['Yes']
    """
    titles = peek_header(given).titles
    chooser = Chooser(given, titles, request)
    chooser.need("case", "_unit_id")
    if is_aggregated(titles):
        return _read_aggregated(given, chooser, titles)
    chooser.need("rater", "_worker_id")
    chooser.take("trust", "_trust")
    chooser.take("started", "_started_at")
    chooser.take("submitted", "_created_at")
    chooser.take("status", "_tainted")
    _choose_answer(chooser, titles, given.name)
    chooser.check()
    columns = dict(chooser.found)
    if "_id" in titles:
        columns["assignment"] = "_id"
    if "_tainted" in titles:
        columns["tainted"] = "_tainted"
    bad = SeveralBadLines(given.name)
    notes: list[str] = []
    page = {field: columns[field] for field in PAGE if field in columns}
    pages = count_pages(given, page) if len(page) == len(PAGE) else None
    blocks = _tidied(open_table(given, columns, bad), bad, notes, pages)
    fields = ordered([*chooser.found, "seconds"])
    return Raw(fields, blocks, bad, notes, chooser.found)


def is_aggregated(titles: Sequence[str]) -> bool:
    return "_worker_id" not in titles and any(title in titles for title in AGGREGATED)


def _choose_answer(chooser: Chooser, titles: Sequence[str], name: str) -> None:
    own = [title for title in titles if not title.startswith(("_", "orig_"))]
    # <answer>_gold tells what was asked; its reason is for contributors
    asked = [title for title in own if f"{title}{GOLD}" in titles]
    plain = [t for t in own if not t.endswith((GOLD, f"{GOLD}_reason"))]
    if "label" not in chooser.found and len(asked) == 1:
        chooser.found["label"] = asked[0]
    chooser.take("gold", f"{chooser.found.get('label', '')}{GOLD}")
    beside = [t for t in plain if t not in chooser.taken and t not in asked]
    named = {title: title for title in beside}
    chooser.take_named(SHOWN, named)
    if "label" in chooser.found:
        chooser.take_named(BESIDE_LABELS, {title: title for title in plain})
        return
    if len(asked) > 1:
        raise FormatError(
            f"{len(asked)} columns may be the answer: {listed(asked)}; choose one with "
            f"--map label={asked[0]}",
            path=name,
            line=1,
            column=Column(list(titles).index(asked[0]) + 1, asked[0]),
        )
    left = {t: t for t in beside if t not in chooser.taken and t.lower() not in REMARKS}
    label = chooser.choose_label(left)
    chooser.take("gold", f"{label}{GOLD}")


def _tidied(
    table: LongTable, bad: SeveralBadLines, notes: list[str], pages: Pages | None
) -> Iterator[Block]:
    times = {"started": Times(), "submitted": Times()}
    lists = _Lists()
    for block in gathered(table.blocks()):
        cells: dict[str, Sequence[str]] = dict(block.cells)
        for field, known in times.items():
            if field in cells:
                cells[field] = known.read(cells[field], block.lines)
        if "seconds" not in cells and pages is not None:
            sizes = [pages[name] or 1 for name in page_names(block, dict.fromkeys(PAGE, ""))]
            cells["seconds"] = seconds_of_tasks(cells["started"], cells["submitted"], sizes)
        if "gold" in cells:
            cells["gold"] = list(map(lists.__getitem__, cells["gold"]))
        tainted = cells.get("tainted", [""] * len(block.lines))
        cells["leave"] = ["tainted" if cell.strip().lower() == "true" else "" for cell in tainted]
        if "status" in cells:
            cells["status"] = cells["leave"]
        yield Block(block.lines, cells)
    notes += notes_on_times(times, bad)


def _read_aggregated(given: Input, chooser: Chooser, titles: Sequence[str]) -> Raw:
    asked = [t.removesuffix(CONFIDENCE) for t in titles if t.endswith(CONFIDENCE)]
    label = chooser.choose_label({title: title for title in asked if title in titles})
    chooser.take("confidence", f"{label}{CONFIDENCE}")
    chooser.take("gold", f"{label}{GOLD}")
    chooser.take_named(SHOWN, {t: t for t in titles if not t.startswith("_") and t not in asked})
    chooser.check()
    bad = SeveralBadLines(given.name)
    table = open_table(given, chooser.found, bad)
    notes = [
        "an aggregated report: one label per case, not the judgments of people; agreement, "
        "screening and cost need the full report"
    ]
    fields = ordered([*chooser.found, "rater"])
    return Raw(fields, _by_everybody(table, bad), bad, notes, chooser.found, unit="unit")


def _by_everybody(table: LongTable, bad: SeveralBadLines) -> Iterator[Block]:
    lists = _Lists()
    for block in gathered(table.blocks()):
        bad.columns["assignment"] = bad.columns["case"]
        rows = len(block.lines)
        cells: dict[str, Sequence[str]] = {**block.cells, "rater": [EVERYBODY] * rows}
        if "gold" in cells:
            cells["gold"] = list(map(lists.__getitem__, cells["gold"]))
        cells["assignment"] = cells["case"]
        yield Block(block.lines, {**cells, "leave": [""] * rows})


class _Lists(dict[str, str]):
    r"""Several right answers, one a line, as a JSON list; one answer as it is.

    >>> _Lists()["Yes\nNo"]
    '["Yes", "No"]'
    """

    def __missing__(self, given: str) -> str:
        words = [word.strip() for word in given.splitlines() if word.strip()]
        if given.lstrip().startswith("[") and _is_list(given):
            words = [given.strip()]
        found = self[given] = encode_json(words) if len(words) > 1 else "".join(words)
        return found


def _is_list(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False
