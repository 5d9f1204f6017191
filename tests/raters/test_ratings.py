"""Judgments as columns: labels that count, gold, experts; corrections and whole sentences."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from jurybox.errors import InputError, LengthError, UnknownNameError
from jurybox.model import JudgmentTable
from jurybox.raters.agree.subgroups import agree_on_corrections, judge_sentences
from jurybox.raters.agreement import MISSING, count_labels, fleiss_kappa
from jurybox.raters.crowd import crowd_curve
from jurybox.raters.majority import Ties, take_majority
from jurybox.raters.pairs import agree_in_pairs, agree_with_self
from jurybox.raters.ratings import (
    CodeArray,
    gold_labels,
    has_gold,
    label_counts,
    labels_by,
    one_right_label,
    ratings_from_codes,
    ratings_of,
    select,
)
from jurybox.raters.screen.screening import find_one_label
from made_ratings import LABELS, code_tables


def table_of(
    *rows: tuple[int, str, str], labels: tuple[str, ...] = ("a", "b", "?")
) -> JudgmentTable:
    table = JudgmentTable(labels=list(labels))
    for case, rater, label in rows:
        table.append(case, rater, label)
    return table


def test_labels_keep_their_order_and_those_nobody_gave_are_gone() -> None:
    table = table_of((0, "x", "b"), (1, "y", "b"), labels=("a", "b", "c"))
    assert ratings_of(table, 2).labels == ("b",)


def test_merged_labels_are_one_and_answers_that_do_not_count_are_counted() -> None:
    table = table_of((0, "x", "a"), (0, "y", "b"), (1, "x", "?"))
    found = ratings_of(table, 2, no_answer=["?"], merge={"b": "a"})
    assert (found.labels, found.label.tolist(), found.left_out) == (("a",), [0, 0], 1)
    assert found.row.tolist() == [0, 1]
    with pytest.raises(UnknownNameError, match="unknown label 'z'"):
        ratings_of(table, 2, merge={"z": "a"})


def test_right_answers_that_nobody_gave_count_as_missed() -> None:
    """A writer's own word that no rater chose must not be left out."""
    gold = gold_labels([("z",)], ("a", "b", "z"))
    counts = np.array([[0, 1, 0]])
    curve = crowd_curve(counts, one_right_label(gold), np.random.default_rng(0))
    assert curve.points[0].expected == 0


def test_judgments_of_another_case_set_are_refused() -> None:
    with pytest.raises(InputError, match="case number 3, but there are 2 cases"):
        ratings_of(table_of((3, "x", "a")), 2)


def test_an_empty_table_has_no_judgments() -> None:
    found = ratings_of(JudgmentTable(), 3)
    assert len(found) == 0
    assert label_counts(found).shape == (3, 0)


@given(code_tables)
def test_counts_are_those_of_the_matrix_of_codes(codes: CodeArray) -> None:
    ratings = ratings_from_codes(codes, LABELS)
    assert label_counts(ratings).tolist() == count_labels(codes, LABELS).tolist()
    for rater in range(codes.shape[1]):
        assert labels_by(ratings, rater).tolist() == codes[:, rater].tolist()


def test_the_first_answer_of_a_rater_counts_as_theirs() -> None:
    table = table_of((0, "x", "b"), (0, "x", "a"))
    assert labels_by(ratings_of(table, 1), 0).tolist() == [1]


def test_a_gold_case_whose_answer_nobody_gave_still_is_gold() -> None:
    gold = [("z",), (), ("a", "b")]
    assert gold_labels(gold, ["a", "b"]).tolist() == [[False] * 2, [False] * 2, [True] * 2]
    assert has_gold(gold).tolist() == [True, False, True]


def test_names_and_lengths_that_do_not_fit_are_refused() -> None:
    ratings = ratings_from_codes(np.array([[0, 1]]), 2)
    with pytest.raises(LengthError, match="2 judgments, but 1"):
        select(ratings, np.array([True]))
    with pytest.raises(LengthError, match="1 cases, but sentences of 2"):
        judge_sentences(ratings, np.array([0, 1]), 2, 0)


def test_nobody_who_judged_anything_leaves_empty_results_and_no_crash() -> None:
    nothing = ratings_of(JudgmentTable(), 2)
    assert len(agree_in_pairs(nothing).first) == 0
    assert agree_with_self(nothing).pooled.reason == "no rater judged a case twice"
    assert fleiss_kappa(label_counts(nothing)).reason == "no case was judged by two raters"
    assert take_majority(label_counts(nothing), Ties("drop")).unjudged == 2
    assert find_one_label(nothing).share.tolist() == []
    table = JudgmentTable()
    assert agree_on_corrections(nothing, table).pairs == 0


# --- corrections and sentences ---


def test_corrections_agree_if_one_of_them_is_the_same() -> None:
    given_ = [
        ("Ann", "error", ("at", "on")),
        ("Bob", "error", ("on", "in")),
        ("Cem", "error", ("in",)),
        ("Dia", "error", ()),
        ("Eve", "ok", ()),
    ]
    table = JudgmentTable()
    for rater, label, words in given_:
        table.append(0, rater, label, words)
    found = agree_on_corrections(ratings_of(table, 1), table)
    pairs = list(combinations(given_, 2))
    assert found.pairs == len(pairs)
    assert found.same_label == sum(a[1] == b[1] for a, b in pairs)
    assert found.both_correct == sum(bool(a[2] and b[2]) for a, b in pairs)
    assert found.share_correction == sum(bool(set(a[2]) & set(b[2])) for a, b in pairs)
    assert found.on_correction == pytest.approx(2 / 3)


def test_corrections_of_judgments_that_do_not_count_are_not_mixed_up() -> None:
    """A row that is left out must not shift the corrections of the others."""
    table = JudgmentTable()
    table.append(0, "Ann", "unknown")
    table.append(0, "Bob", "error", ("at",))
    table.append(0, "Cem", "error", ("at",))
    found = agree_on_corrections(ratings_of(table, 1), table)
    assert (found.pairs, found.both_correct, found.share_correction) == (1, 1, 1)


def test_raters_who_disagree_on_the_place_agree_on_the_sentence() -> None:
    codes = np.array([[0, 1], [1, 0], [1, 1], [1, MISSING]])
    found = judge_sentences(ratings_from_codes(codes, 2), np.array([0, 0, 1, 2]), 3, 0, other="ok")
    assert label_counts(found).tolist() == [[2, 0], [0, 2], [0, 1]]
    assert found.labels == ("0", "ok")
