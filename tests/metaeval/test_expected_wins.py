"""Expected wins, and metrics of sentences before decided pairs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.formats.tables.rankings import Ranking
from jurybox.metaeval.ranked_pairs import (
    count_wins,
    expected_wins,
    judge_pairs,
    share_of_pairs,
)

rankings = st.lists(
    st.builds(
        Ranking,
        st.sampled_from("123"),
        st.just("judge"),
        st.dictionaries(st.sampled_from("ABCD"), st.integers(1, 3), min_size=1),
    ),
    min_size=1,
    max_size=8,
)


def slow_expected_wins(ranked: list[Ranking]) -> dict[str, float]:
    """The definition, pair by pair."""
    wins: Counter[tuple[str, str]] = Counter()
    for one in ranked:
        for a, b in combinations(one.ranks, 2):
            if one.ranks[a] != one.ranks[b]:
                wins[(a, b) if one.ranks[a] < one.ranks[b] else (b, a)] += 1
    names = sorted({name for one in ranked for name in one.ranks})
    found = {}
    for name in names:
        met = [other for other in names if wins[name, other] + wins[other, name]]
        shares = [wins[name, o] / (wins[name, o] + wins[o, name]) for o in met]
        found[name] = sum(shares) / len(shares) if shares else float("nan")
    return found


@given(rankings)
def test_scores_are_those_of_the_definition(ranked: list[Ranking]) -> None:
    wins = count_wins(ranked)
    slow = slow_expected_wins(ranked)
    assert wins.systems == tuple(slow)
    assert expected_wins(wins).tolist() == pytest.approx(list(slow.values()), nan_ok=True)


@given(rankings, st.data())
def test_a_resample_is_what_the_drawn_rankings_would_give(
    ranked: list[Ranking], data: st.DataObject
) -> None:
    wins = count_wins(ranked)
    drawn = data.draw(st.lists(st.sampled_from(wins.sentences), min_size=1, max_size=4))
    weights = np.array([[drawn.count(sentence) for sentence in wins.sentences]])
    again = [one for name in drawn for one in ranked if one.sentence == name]
    slow = slow_expected_wins(again)
    expected = [slow.get(name, float("nan")) for name in wins.systems]
    assert expected_wins(wins, weights)[0].tolist() == pytest.approx(expected, nan_ok=True)


def test_pairs_are_counted_once_with_ties_apart() -> None:
    ranked = [Ranking("1", "a", {"A": 1, "B": 1, "C": 2}), Ranking("2", "a", {"A": 1, "C": 1})]
    wins = count_wins(ranked)
    assert (wins.decided, wins.ties) == (2, 2)


def test_systems_that_win_equally_often_tie_to_the_last_digit() -> None:
    # three opponents each, whose shares are added in another order
    ranked = [Ranking("1", "a", {"A": 1, "B": 2, "C": 3, "D": 3})] * 3
    ranked += [Ranking("1", "a", {"B": 1, "A": 2, "C": 3, "D": 3})] * 3
    ranked += [Ranking("1", "a", {"C": 1, "A": 2}), Ranking("1", "a", {"D": 1, "B": 2})]
    scores = expected_wins(count_wins(ranked))
    assert scores[0] == scores[1]


def test_pairs_of_sentences_are_right_wrong_and_tied_by_hand() -> None:
    ranked = [
        Ranking("1", "a", {"A": 1, "B": 2, "C": 2}),  # A>B, A>C
        Ranking("1", "b", {"A": 2, "B": 1, "C": 3}),  # B>A, B>C, A>C
        Ranking("2", "a", {"A": 1, "C": 2}),  # A>C
    ]
    scores = np.array([[0.5, 0.5, 0.1], [0.0, np.nan, 0.3]])
    counts = judge_pairs(count_wins(ranked), scores)
    assert counts.tolist() == [[3, 0, 2], [0, 1, 0]]
    assert share_of_pairs("pairwise_accuracy", counts.sum(axis=0)) == 3 / 6
    assert share_of_pairs("kendall", counts.sum(axis=0)) == (3 - 1) / 6
    assert isnan(float(share_of_pairs("kendall", np.zeros(3))))
