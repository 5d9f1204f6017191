"""Results of Toloka, TSV.

One row is one task of an assignment: `ASSIGNMENT:worker_id` is the rater, an `OUTPUT:` column the
label, `GOLDEN:` of the same name the right answer, `INPUT:` what was shown.
"""

from __future__ import annotations

from collections import Counter

from jurybox.formats._io import Input
from jurybox.formats.platforms._columns import (
    SHOWN,
    Cells,
    Chooser,
    count_pages,
    divide,
    open_table,
    seconds_of_tasks,
    table_export,
)
from jurybox.formats.platforms._export import ExportRequest, Raw
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.long_tables import listed

TITLE = "Toloka results"
INPUT, OUTPUT, GOLDEN = "INPUT:", "OUTPUT:", "GOLDEN:"
#: our fields -> Toloka's columns
COLUMNS = {
    "rater": "ASSIGNMENT:worker_id",
    "status": "ASSIGNMENT:status",
    "started": "ASSIGNMENT:started",
    "submitted": "ASSIGNMENT:submitted",
    "reward": "ASSIGNMENT:reward",
    "batch": "ASSIGNMENT:pool_id",
}
#: names a page of several tasks
SUITE = "ASSIGNMENT:assignment_id"
#: the columns that can name the case, best first
IDS = ("case", "case_id", "id", "item", "item_id", "task_id")
#: assignments that were never finished, or not paid
NOT_COUNTED = ("rejected", "skipped", "expired", "active")


def read(given: Input, request: ExportRequest) -> Raw:
    r"""The judgments of a results file.

    >>> text = "INPUT:id\tOUTPUT:ok\tGOLDEN:ok\tASSIGNMENT:worker_id\n7\tyes\tno\tw1\n"
    >>> next(read(Input.from_text(text), ExportRequest()).blocks).cells["gold"]
    ['no']
    """
    chooser = Chooser(given, request)
    chooser.take_all(COLUMNS, needed=("rater",))
    label = chooser.choose_label(chooser.starting(OUTPUT))
    chooser.take("gold", label.replace(OUTPUT, GOLDEN, 1))
    inputs = chooser.starting(INPUT)
    for known in IDS:
        chooser.take("case", *(title for title, short in inputs.items() if short.lower() == known))
    chooser.take("case", "ASSIGNMENT:task_id")
    if len(inputs) == 1:  # what was shown is all that names a task
        chooser.take("case", *inputs)
    if "case" not in chooser.found:
        raise chooser.refuse(
            f"no column names the cases; the inputs are: {listed(list(inputs))}; say which one is "
            f"different for every case, with --columns case={next(iter(inputs), chooser.titles[0])}"
        )
    chooser.take_named(SHOWN, inputs, alone="sentence")
    chooser.check()
    columns = dict(chooser.found)
    pages: Counter[tuple[str, ...]] = Counter()
    if SUITE in chooser.titles:
        columns["suite"] = SUITE
        pages = count_pages(given, {"suite": SUITE})
    table = open_table(given, columns)

    def finish(block: Block, cells: Cells) -> None:
        rows = len(block.lines)
        sizes = [1] * rows
        if "suite" in cells:  # an assignment is a page of several tasks
            sizes = [pages[suite,] or 1 for suite in cells["suite"]]
            table.bad.columns["assignment"] = table.bad.columns["suite"]
            pairs = zip(cells["suite"], cells["case"], strict=True)
            cells["assignment"] = [f"{suite}\t{case}" if suite else "" for suite, case in pairs]
        if "seconds" not in cells and "started" in cells and "submitted" in cells:
            cells["seconds"] = seconds_of_tasks(cells["started"], cells["submitted"], sizes)
        if "reward" in cells:
            cells["reward"] = divide(cells["reward"], sizes)
        status = (word.strip().lower() for word in cells.get("status", [""] * rows))
        cells["leave"] = [word if word in NOT_COUNTED else "" for word in status]

    return table_export(table, chooser.found, finish, further=["seconds"])
