"""Every rater alone as the truth: how much one judge would have misled.

Table 4 of Tetreault and Chodorow (2008): the same system has precision .78 and recall .26 against
one rater, .68 and .21 against the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from jurybox.jury.votes import OK, UNKNOWN, LabelArray, judgment_blocks
from jurybox.jury.weighted import MainMeasures, f_of, outcomes
from jurybox.model import Counts, JudgmentTable
from jurybox.records import Count


@dataclass(frozen=True)
class RaterAsTruth(MainMeasures):
    """One rater alone as the truth."""

    name: str
    unknown: Annotated[Count, "Cases the rater did not decide."]


def score_against_each(
    judgments: JudgmentTable,
    decided: LabelArray,
    *,
    raters: Sequence[int] | None = None,
    beta: float = 0.5,
) -> tuple[RaterAsTruth, ...]:
    """Count a system's decisions against every rater alone, on the cases that rater judged.

    Raters in the order of the table; one who judged nothing has empty counts. A case without
    decision is not counted.

    >>> table = JudgmentTable()
    >>> for case, rater, label in ((0, "Ann", "error"), (1, "Ann", "ok"), (0, "Bob", "ok")):
    ...     table.append(case, rater, label)
    >>> for found in score_against_each(table, np.array([1, 0])):
    ...     print(found.name, found.counts)
    Ann Counts(tp=1, fp=0, fn=0, tn=1)
    Bob Counts(tp=0, fp=1, fn=0, tn=0)
    """
    number = len(judgments.raters)
    cells = np.zeros((number, 4), dtype=np.int64)
    unknowns = np.zeros(number, dtype=np.int64)
    for block in judgment_blocks(judgments, len(decided), raters=raters):
        system = decided[block.case]
        known = (block.label != UNKNOWN) & (system >= 0)
        outcome = outcomes(system[known], (OK - block.label[known]).astype(np.int8))
        places = block.rater[known] * 4 + outcome
        cells += np.bincount(places, minlength=4 * number).reshape(number, 4)
        undecided = (block.label == UNKNOWN) & (system >= 0)
        unknowns += np.bincount(block.rater[undecided], minlength=number)
    found = []
    for place in range(number) if raters is None else raters:
        counts = Counts(*cells[place].tolist())
        name, unknown = judgments.raters[place], int(unknowns[place])
        found.append(RaterAsTruth(counts, f_of(counts, beta), name, unknown))
    return tuple(found)
