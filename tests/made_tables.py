"""Counts tables made up for the tests of resampling, and the slow, obvious way to resample one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from hypothesis import strategies as st

from jurybox.metrics import gleu
from jurybox.model import CountsTable

Row = tuple[int, ...]


def table_of(
    *sentences: Sequence[Row], columns: tuple[str, ...] = ("tp", "fp", "fn")
) -> CountsTable:
    """A table with the given candidates for each sentence."""
    most = max(map(len, sentences), default=1)
    table = CountsTable(columns=columns, annotators=[str(i) for i in range(most)])
    for rows in sentences:
        table.append(enumerate(rows))
    return table


def sentences_of(table: CountsTable) -> list[list[Row]]:
    """What `table_of` was given."""
    return [
        [tuple(table.values[name][row] for name in table.columns) for row in table.rows(sentence)]
        for sentence in range(len(table))
    ]


def expanded(table: CountsTable, weights: Iterable[int]) -> CountsTable:
    """The resample written out: every sentence as many times in a row as it was drawn."""
    copies = [
        rows
        for rows, times in zip(sentences_of(table), weights, strict=True)
        for _ in range(int(times))
    ]
    return table_of(*copies, columns=table.columns)


def exchanged(
    a: CountsTable, b: CountsTable, swaps: Iterable[bool]
) -> tuple[CountsTable, CountsTable]:
    """Two tables after exchanging the sentences that `swaps` names."""
    pairs = [
        (theirs, ours) if swap else (ours, theirs)
        for ours, theirs, swap in zip(sentences_of(a), sentences_of(b), swaps, strict=True)
    ]
    return table_of(*(ours for ours, _ in pairs)), table_of(*(theirs for _, theirs in pairs))


def random_table(
    rng: np.random.Generator, sentences: int, annotators: int = 2, skill: float = 0.4
) -> CountsTable:
    """A system that proposes about two edits a sentence, `skill` of which are right."""
    table = CountsTable(annotators=[str(i) for i in range(annotators)])
    proposed = rng.poisson(2, sentences)
    for edits in proposed:
        right = rng.binomial(edits, skill, annotators)
        missed = rng.poisson(1.5, annotators)
        table.append(
            (i, (int(tp), int(edits - tp), int(fn)))
            for i, (tp, fn) in enumerate(zip(right, missed, strict=True))
        )
    return table


_few = st.integers(0, 4)
edit_row = st.tuples(_few, _few, _few)
#: rows as a doubled gold line makes them: more correct than proposed (fp = -1)
doubled_row = st.tuples(st.integers(2, 3), st.just(-1), _few)


def edit_tables(sentences: int, rows: st.SearchStrategy[Row]) -> st.SearchStrategy[CountsTable]:
    """Tables of so many sentences, with one to five candidates each."""
    candidates = st.lists(rows, min_size=1, max_size=5)
    return st.lists(candidates, min_size=sentences, max_size=sentences).map(
        lambda lists: table_of(*lists)
    )


def gleu_table(rng: np.random.Generator, sentences: int, references: int) -> CountsTable:
    """GLEU statistics of random sentences over a small vocabulary."""

    def lines() -> list[str]:
        return [
            " ".join(map(str, rng.integers(0, 3, rng.integers(4, 9)))) for _ in range(sentences)
        ]

    return gleu.count_table(lines(), lines(), [lines() for _ in range(references)])
