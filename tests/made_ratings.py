"""Judgments for tests of raters: random ones, and published data as codes."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from jurybox.raters.agreement import MISSING
from jurybox.raters.crowd import rank_chances
from jurybox.raters.majority import Ties
from jurybox.raters.ratings import BoolArray, CodeArray, FloatArray, Ratings

LABELS = 3

#: codes [cases, raters] with gaps
code_tables: st.SearchStrategy[CodeArray] = st.tuples(st.integers(1, 9), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(st.sampled_from([MISSING, *range(LABELS)]), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    ).map(np.array)
)


def numbered(column: list[str]) -> tuple[CodeArray, tuple[str, ...]]:
    names = tuple(dict.fromkeys(column))
    numbers = {name: number for number, name in enumerate(names)}
    return np.array([numbers[name] for name in column]), names


def read_rte(data_dir: Path) -> tuple[Ratings, CodeArray]:
    """The 8,000 judgments of Snow et al. (2008) and the gold labels of the 800 items."""
    with (data_dir / "snow" / "rte.csv").open(encoding="utf-8", newline="") as lines:
        items, workers, given, gold = zip(*list(csv.reader(lines))[1:], strict=True)
    case, cases = numbered(list(items))
    rater, raters = numbered(list(workers))
    truth = np.zeros(len(cases), dtype=np.int64)
    truth[case] = np.array(gold, dtype=np.int64)
    label = np.array(given, dtype=np.int64)
    rows = np.arange(len(case))
    return Ratings(case, rater, label, len(cases), raters, ("0", "1"), rows), truth


def right_labels(truth: CodeArray, labels: int = 2) -> BoolArray:
    return np.asarray(np.arange(labels) == truth[:, np.newaxis])


def random_ratings(
    seed: int, cases: int, raters: int, *, labels: int = 2, seen: float = 0.6
) -> tuple[Ratings, CodeArray]:
    """Raters of different accuracy who each saw some of the cases, and the truth."""
    from jurybox.raters.ratings import ratings_from_codes

    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, cases)
    skill = rng.uniform(0.5, 0.95, raters)
    guess = rng.integers(0, labels, (cases, raters))
    codes = np.where(rng.random((cases, raters)) < skill, truth[:, np.newaxis], guess)
    codes[rng.random((cases, raters)) > seen] = MISSING
    return ratings_from_codes(codes, labels), truth


def winning_chances(counts: CodeArray, largest: int, ties: Ties) -> FloatArray:
    """The chance of each label to win among 1 to `largest` judgments: [cases, largest, labels].

    `counts` is [cases, labels]. Cases with fewer judgments than are drawn have nan. What is missing
    to 1 under the policy `drop` is the chance that the case is left without a label.
    """
    ranked = rank_chances(counts, largest, ties)
    by_rank = ranked.chances[ranked.kind]
    chances = np.zeros((*by_rank.shape[:2], counts.shape[1]))
    np.put_along_axis(chances, ranked.label[:, np.newaxis], by_rank, axis=2)
    chances[np.isnan(by_rank).any(axis=2)] = np.nan
    if ties.policy == "label":
        chances[:, :, ties.label] += 1 - chances.sum(axis=2)
    return chances
