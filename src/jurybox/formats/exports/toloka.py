"""Results of Toloka, TSV.

One row is one task of an assignment: `ASSIGNMENT:worker_id` is the rater, an `OUTPUT:` column the
label, `GOLDEN:` of the same name the right answer, `INPUT:` what was shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from jurybox.errors import Column, FormatError
from jurybox.formats._io import Input
from jurybox.formats._table_faults import listed
from jurybox.formats.exports._columns import (
    SHOWN,
    Chooser,
    gathered,
    open_table,
    ordered,
    peek_header,
)
from jurybox.formats.exports._export import Raw, Request, SeveralBadLines
from jurybox.formats.exports._pages import (
    Pages,
    count_pages,
    divide,
    page_names,
    seconds_of_tasks,
)
from jurybox.formats.exports._times import Money, Times, notes_on_times
from jurybox.formats.long_tables import Block, LongTable

TITLE = "Toloka results"
INPUT, OUTPUT, GOLDEN, ASSIGNMENT = "INPUT:", "OUTPUT:", "GOLDEN:", "ASSIGNMENT:"
#: the columns that can name the case, best first
IDS = ("case", "case_id", "id", "item", "item_id", "task_id")
#: assignments that were never finished, or not paid
NOT_COUNTED = ("rejected", "skipped", "expired", "active")


def read(given: Input, request: Request) -> Raw:
    r"""The judgments of a results file.

    >>> text = "INPUT:id\tOUTPUT:ok\tGOLDEN:ok\tASSIGNMENT:worker_id\n7\tyes\tno\tw1\n"
    >>> next(read(Input.from_text(text), Request()).blocks).cells["gold"]
    ['no']
    """
    titles = peek_header(given).titles
    chooser = Chooser(given, titles, request)
    chooser.need("rater", f"{ASSIGNMENT}worker_id")
    chooser.take("status", f"{ASSIGNMENT}status")
    chooser.take("started", f"{ASSIGNMENT}started")
    chooser.take("submitted", f"{ASSIGNMENT}submitted")
    chooser.take("reward", f"{ASSIGNMENT}reward")
    chooser.take("batch", f"{ASSIGNMENT}pool_id")
    label = chooser.choose_label(_short(titles, OUTPUT))
    chooser.take("gold", label.replace(OUTPUT, GOLDEN, 1))
    inputs = _short(titles, INPUT)
    _choose_case(chooser, inputs, titles, given.name)
    alone = "sentence" if len(inputs) == 1 else ""
    chooser.take_named(SHOWN, inputs, alone=alone)
    chooser.check()
    columns = dict(chooser.found)
    if f"{ASSIGNMENT}assignment_id" in titles:
        columns["suite"] = f"{ASSIGNMENT}assignment_id"
    bad = SeveralBadLines(given.name)
    raw = Raw(ordered([*chooser.found, "seconds"]), iter(()), bad, [], chooser.found)
    page = {"suite": columns["suite"]} if "suite" in columns else {}
    pages = count_pages(given, page) if page else Counter()
    raw.blocks = _tidied(open_table(given, columns, bad), raw, pages)
    return raw


def _short(titles: Sequence[str], before: str) -> dict[str, str]:
    return {title: title.removeprefix(before) for title in titles if title.startswith(before)}


def _choose_case(
    chooser: Chooser, inputs: Mapping[str, str], titles: Sequence[str], name: str
) -> None:
    for known in IDS:
        chooser.take("case", *(title for title, short in inputs.items() if short.lower() == known))
    chooser.take("case", f"{ASSIGNMENT}task_id")
    if len(inputs) == 1:  # what was shown is all that names a task
        chooser.take("case", *inputs)
    if "case" not in chooser.found:
        raise FormatError(
            f"no column names the cases; the inputs are: {listed(list(inputs))}; say which one "
            f"is different for every case, with --map case={next(iter(inputs), titles[0])}",
            path=name,
            line=1,
            column=Column(1, last=len(titles)),
        )


def _tidied(table: LongTable, raw: Raw, pages: Pages) -> Iterator[Block]:
    times = {"started": Times(), "submitted": Times()}
    money = Money(raw.currency)
    for block in gathered(table.blocks()):
        cells: dict[str, Sequence[str]] = dict(block.cells)
        if "reward" in cells:
            cells["reward"] = list(map(money.__getitem__, cells["reward"]))
        for field, known in times.items():
            if field in cells:
                cells[field] = known.read(cells[field], block.lines)
        sizes = [1] * len(block.lines)
        if "suite" in cells:
            sizes = [pages[name] or 1 for name in page_names(block, {"suite": ""})]
        if "seconds" not in cells and "started" in cells and "submitted" in cells:
            cells["seconds"] = seconds_of_tasks(cells["started"], cells["submitted"], sizes)
        if "reward" in cells:
            cells["reward"] = divide(cells["reward"], sizes)
        if "suite" in cells:  # an assignment is a page of several tasks
            raw.bad.columns["assignment"] = raw.bad.columns["suite"]
            pairs = zip(cells["suite"], cells["case"], strict=True)
            cells["assignment"] = [f"{suite}\t{case}" if suite else "" for suite, case in pairs]
        status = cells.get("status", [""] * len(block.lines))
        cells["leave"] = [
            word.strip().lower() if word.strip().lower() in NOT_COUNTED else "" for word in status
        ]
        yield Block(block.lines, cells)
    raw.notes += notes_on_times(times, raw.bad)
