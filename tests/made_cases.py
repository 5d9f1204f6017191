"""Judgments and decisions made up for tests: small panels as strings, and random ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from hypothesis import strategies as st

from jurybox.jury.votes import LabelArray, Votes
from jurybox.model import JudgmentTable

MARKS = {"e": "error", "o": "ok", "u": "unknown"}


def judged(*cases: str) -> JudgmentTable:
    """Judgments of cases written as "eo.u": what rater 0, 1, … says, "." for nothing."""
    table = JudgmentTable(raters=[f"r{i}" for i in range(max(map(len, cases), default=0))])
    for case, marks in enumerate(cases):
        for rater, mark in enumerate(marks):
            if mark != ".":
                table.append(case, f"r{rater}", MARKS[mark])
    return table


def votes_of(errors: Sequence[int], oks: Sequence[int]) -> Votes:
    return Votes(
        np.array(errors, dtype=np.int32),
        np.array(oks, dtype=np.int32),
        np.zeros(len(errors), dtype=np.int32),
    )


def labels_of(values: Sequence[int]) -> LabelArray:
    return np.array(values, dtype=np.int8)


def spread_out(tp: int, fp: int, fn: int, tn: int) -> tuple[LabelArray, LabelArray]:
    """Decisions and truths, case by case, that have these counts."""
    decided = np.repeat(np.array([1, 1, 0, 0], dtype=np.int8), [tp, fp, fn, tn])
    truth = np.repeat(np.array([1, 0, 1, 0], dtype=np.int8), [tp, fp, fn, tn])
    return decided, truth


RATERS = 4
#: a few cases, each judged by up to four raters
panels = st.lists(
    st.sampled_from(["".join(marks) for marks in product("eou.", repeat=RATERS)]),
    min_size=1,
    max_size=8,
)


@st.composite
def decided_panels(draw: st.DrawFn) -> tuple[list[str], LabelArray]:
    """A panel and one system's decisions on it, some of them missing."""
    cases = draw(panels)
    size = len(cases)
    decided = draw(st.lists(st.sampled_from([1, 0, -1]), min_size=size, max_size=size))
    return cases, labels_of(decided)
