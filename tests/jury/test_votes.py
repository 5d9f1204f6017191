"""Votes, shares and majorities: by hand, by property, and on the RTE judgments of Snow et al."""

from __future__ import annotations

import copy
import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.jury import votes as votes_module
from jurybox.jury.votes import (
    BoolArray,
    centred_prior,
    count_votes,
    error_share,
    keep_judgments,
    majority,
)
from jurybox.jury.weighted import weighted_counts
from jurybox.metrics.measures import accuracy
from jurybox.model import JudgmentTable
from made_cases import MARKS, RATERS, judged, labels_of, panels, votes_of

#: of the raters of a panel
KINDS = ("human", "model", "human", "model")


@pytest.fixture(scope="module")
def rte(data_dir: Path) -> tuple[JudgmentTable, BoolArray]:
    """The 800 items × 10 judgments; label 1 as error. With the gold labels."""
    items: dict[str, int] = {}
    gold: list[bool] = []
    table = JudgmentTable()
    with (data_dir / "snow" / "rte.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["item"] not in items:
                items[row["item"]] = len(items)
                gold.append(row["gold"] == "1")
            label = "error" if row["label"] == "1" else "ok"
            table.append(items[row["item"]], row["rater"], label)
    return table, np.array(gold)


# --- known answers ---


def test_rte_share_of_single_judgments_that_are_right_is_the_reference_value(
    rte: tuple[JudgmentTable, BoolArray],
) -> None:
    table, gold = rte
    p = error_share(count_votes(table, len(gold)))
    counts = weighted_counts(gold.astype(np.int8), p)
    assert accuracy(counts) == pytest.approx(0.729125, abs=1e-9)


def test_rte_majority_has_65_ties_and_its_accuracy_hangs_on_the_policy(
    rte: tuple[JudgmentTable, BoolArray],
) -> None:
    table, gold = rte
    votes = count_votes(table, len(gold))
    dropped = majority(votes, ties="drop")
    assert (dropped.ties, dropped.unjudged) == (65, 0)
    right = np.count_nonzero(dropped.truth == gold)
    assert (right + 65 / 2) / 800 == 0.896875
    assert np.mean(majority(votes, ties="ok").truth == gold) == 0.91875


def test_rte_random_ties_average_to_the_reference_value(
    rte: tuple[JudgmentTable, BoolArray],
) -> None:
    table, gold = rte
    votes = count_votes(table, len(gold))
    rng = np.random.default_rng(4)
    found = [np.mean(majority(votes, "random", rng=rng).truth == gold) for _ in range(400)]
    # 65 coins each: the mean of 400 has a standard error of .0003
    assert np.mean(found) == pytest.approx(0.896875, abs=0.001)


def test_80_percent_of_judges_make_p_80_percent_whoever_does_not_know() -> None:
    table = judged("eeeeouu")
    assert error_share(count_votes(table, 1)).tolist() == [0.8]


def test_p_is_missing_where_nobody_decided_and_0_where_a_rule_did() -> None:
    votes = count_votes(judged("uu", "..", "eo"), 4)
    p = error_share(votes, trivial=np.array([False, False, False, True]))
    assert np.isnan(p[:2]).all()
    assert p[2:].tolist() == [0.5, 0.0]


def test_smoothing_pulls_few_judges_more_than_many_and_invents_nothing() -> None:
    votes = votes_of([1, 10, 0], [0, 0, 0])
    p = error_share(votes, prior=(1, 9))
    assert p[:2].tolist() == [2 / 11, 11 / 20]
    assert np.isnan(p[2])


def test_centred_prior_keeps_the_error_rate_where_a_flat_one_doubles_it() -> None:
    votes = votes_of([5, *[0] * 19], [5, *[10] * 19])
    rate = error_share(votes).mean()
    assert error_share(votes, prior=centred_prior(votes)).mean() == pytest.approx(rate)
    assert error_share(votes, prior=(1, 1)).mean() > 3 * rate


# --- properties ---


@given(cases=panels)
def test_votes_are_those_counted_by_hand(cases: list[str]) -> None:
    votes = count_votes(judged(*cases), len(cases))
    for mark, column in zip("eou", votes, strict=True):
        assert column.tolist() == [case.count(mark) for case in cases]


@given(panels, st.data(), st.sampled_from([1, 3, 100]), st.booleans())
def test_kept_judgments_are_those_of_a_table_that_never_held_the_others(
    cases: list[str], data: st.DataObject, block: int, in_place: bool
) -> None:
    table, expected = JudgmentTable(kinds=[]), JudgmentTable(kinds=[])
    keep = []
    # raters in the order of the whole table, as far as they are kept
    rows = [(c, r, mark) for c, marks in enumerate(cases) for r, mark in enumerate(marks)]
    rows = [row for row in rows if row[2] != "."]
    for _ in rows:
        keep.append(data.draw(st.booleans()))
    order = list(dict.fromkeys(rater for _, rater, _ in rows))
    counting = {rater for (_, rater, _), counts in zip(rows, keep, strict=True) if counts}
    table.raters = [f"r{rater}" for rater in order]
    expected.raters = [f"r{rater}" for rater in order if rater in counting]
    table.kinds = [KINDS[rater] for rater in order]
    expected.kinds = [KINDS[rater] for rater in order if rater in counting]
    for (case, rater, mark), counts in zip(rows, keep, strict=True):
        corrections = ("at",) if mark == "e" else ("on", "in")
        table.append(case, f"r{rater}", MARKS[mark], corrections)
        if counts:
            expected.append(case, f"r{rater}", MARKS[mark], corrections)
    before = copy.deepcopy(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(votes_module, "JUDGMENTS_AT_ONCE", block)
        kept = keep_judgments(table, np.array(keep, dtype=bool), in_place=in_place)
    assert contents(kept) == contents(expected)
    assert (kept is table) == in_place
    if not in_place:
        assert table == before


def contents(table: JudgmentTable) -> list[object]:
    """Names and columns; sets of corrections by what they hold, whatever their numbers."""
    corrections = [table.corrections[number] for number in table.correction or ()]
    return [table.raters, table.kinds, list(table.case), list(table.answer), corrections]


@given(cases=panels, block=st.integers(1, 7))
def test_votes_do_not_depend_on_the_size_of_blocks(cases: list[str], block: int) -> None:
    table = judged(*cases)
    whole = count_votes(table, len(cases))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(votes_module, "JUDGMENTS_AT_ONCE", block)
        parts = count_votes(table, len(cases))
    assert np.array_equal(whole, parts)


@given(cases=panels, order=st.permutations(range(RATERS)))
def test_permuting_raters_changes_no_vote(cases: list[str], order: list[int]) -> None:
    shuffled = ["".join(case[i] for i in order) for case in cases]
    votes = count_votes(judged(*cases), len(cases))
    assert np.array_equal(votes, count_votes(judged(*shuffled), len(cases)))


@given(cases=panels, ties=st.sampled_from(["ok", "error", "drop", "random"]))
def test_majority_is_what_more_than_half_say_and_ties_go_by_the_policy(
    cases: list[str], ties: str
) -> None:
    found = majority(count_votes(judged(*cases), len(cases)), ties, rng=np.random.default_rng(0))
    tied = {"ok": {0}, "error": {1}, "drop": {-1}, "random": {0, 1}}[ties]
    leads = [case.count("e") - case.count("o") for case in cases]
    decided = [any(mark in "eo" for mark in case) for case in cases]
    for truth, lead, someone in zip(found.truth.tolist(), leads, decided, strict=True):
        assert truth in ({1} if lead > 0 else {0} if lead < 0 else tied if someone else {-1})
    assert found.ties == sum(
        not lead and someone for lead, someone in zip(leads, decided, strict=True)
    )
    assert found.unjudged == decided.count(False)


@given(cases=panels)
def test_p_is_the_exact_share_of_deciding_judges(cases: list[str]) -> None:
    p = error_share(count_votes(judged(*cases), len(cases)))
    for value, case in zip(p.tolist(), cases, strict=True):
        errors, oks = case.count("e"), case.count("o")
        if errors + oks:
            assert value == float(Fraction(errors, errors + oks))
        else:
            assert np.isnan(value)


# --- what is refused ---


def test_judgment_of_a_case_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="case number 1, but there are 1 cases"):
        count_votes(judged("e", "o"), 1)


def test_a_label_outside_the_vocabulary_names_the_option() -> None:
    table = JudgmentTable()
    table.labels.append("maybe")
    table.append(0, "Ann", "maybe")
    with pytest.raises(InputError, match="--relabel maybe=error"):
        count_votes(table, 1)


def test_ties_by_an_unknown_policy_or_by_a_coin_without_rng_are_refused() -> None:
    votes = votes_of([1], [1])
    with pytest.raises(UsageError, match="one of ok, error, drop, random"):
        majority(votes, "none")
    with pytest.raises(UsageError, match="give rng"):
        majority(votes, "random")


@pytest.mark.parametrize("prior", [(0, 1), (1, -1), (1, np.inf), (np.nan, 1)])
def test_a_prior_that_is_none_is_refused(prior: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="Beta prior"):
        error_share(votes_of([1], [1]), prior=prior)


def test_smoothing_towards_unanimous_judgments_is_refused() -> None:
    with pytest.raises(InputError, match="same label"):
        centred_prior(votes_of([0, 0], [3, 3]))


def test_arrays_of_different_length_are_named() -> None:
    with pytest.raises(LengthError, match="decided has 2 cases, p has 1"):
        weighted_counts(labels_of([1, 0]), np.array([0.5]))


def test_no_judgments_at_all_give_empty_votes() -> None:
    votes = count_votes(JudgmentTable(), 2)
    assert votes.deciding.tolist() == [0, 0]
    assert majority(votes).unjudged == 2
