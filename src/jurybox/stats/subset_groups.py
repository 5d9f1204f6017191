"""Sentences by who looked at them: what scores of many subsets of annotators share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jurybox.model import CountsTable
from jurybox.stats.running_choice import IntArray

BoolArray = NDArray[np.bool_]

#: cells of the largest temporary array, 8 bytes each
CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that the same annotators looked at: one row per annotator, in their order."""

    sentences: IntArray
    present: IntArray  # annotators
    rows: IntArray  # [sentences, present]


def group_sentences(table: CountsTable) -> Iterator[Group]:
    """The sentences of a table by who looked at them; those nobody looked at are left out."""
    starts = np.array(table.starts, dtype=np.intp)
    annotator = np.array(table.annotator, dtype=np.intp)
    looked = np.zeros((len(table), len(table.annotators)), dtype=bool)
    sentence = np.repeat(np.arange(len(table)), np.diff(starts))
    looked[sentence, annotator] = True
    row_of = np.zeros(looked.shape, dtype=np.intp)
    row_of[sentence, annotator] = np.arange(len(annotator))
    patterns, group = np.unique(looked, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        present = np.flatnonzero(pattern)
        if present.size:
            sentences = np.flatnonzero(group.ravel() == number)
            yield Group(sentences, present, row_of[np.ix_(sentences, present)])
