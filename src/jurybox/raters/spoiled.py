"""Cases with a spoiled context: spelling or grammar errors around the place that is judged.

Raters flag them in the column `context`. A system "should not be penalized for other kinds of
errors in the context" (Tetreault and Chodorow 2008, 5.1), so such cases can be set aside before
agreement is measured (5.2) or a system is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jurybox.errors import UsageError
from jurybox.model import LABEL_BITS, JudgmentTable
from jurybox.raters.ratings import BoolArray

CONTEXT = "context"


def spoiled_cases(
    table: JudgmentTable,
    extra: Mapping[str, Any],
    cases: int,
    *,
    with_flagged: bool = False,
    count_models: bool = False,
) -> BoolArray:
    """Which cases somebody flags; `extra` has the columns that were read beside the table.

    One rater is enough, whatever their label: both annotators of the paper had to find a context
    clean. Raters who do not count (flagged ones, models) spoil nothing.

    >>> from array import array
    >>> from jurybox.formats.tables.judgments import WordColumn
    >>> table = JudgmentTable()
    >>> for case, rater, label in ((0, "Ann", "ok"), (0, "Bob", "unknown"), (1, "Ann", "ok")):
    ...     table.append(case, rater, label)
    >>> context = WordColumn(["", "spelling"], array("I", [0, 1, 0]))
    >>> spoiled_cases(table, {"context": context}, 2).tolist()
    [True, False]
    """
    if CONTEXT not in extra:
        raise UsageError(
            f"--spoiled drop: the judgments have no column '{CONTEXT}'; see --columns, or leave "
            "--spoiled out"
        )
    words, number = extra[CONTEXT]
    flags: BoolArray = np.array([bool(word.strip()) for word in words], dtype=bool)
    counts: BoolArray = np.ones(len(table.raters), dtype=bool)
    if table.flagged is not None and not with_flagged:
        counts &= ~np.array(table.flagged, dtype=bool)
    if table.kinds is not None and not count_models:
        counts &= np.array([kind != "model" for kind in table.kinds], dtype=bool)
    rows = flags[np.asarray(number)] & counts[np.asarray(table.answer) >> LABEL_BITS]
    spoiled: BoolArray = np.zeros(cases, dtype=bool)
    spoiled[np.asarray(table.case)[rows]] = True
    return spoiled
