"""Counts of correction: the five rows of Figure 4, judges one by one, majorities."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import LengthError
from jurybox.jury.votes import LabelArray, count_votes, error_share, majority
from jurybox.jury.was import (
    Comparison,
    CorrectionCounts,
    average_judges,
    compare_corrections,
    compare_with_majority,
    correction_contributions,
    eight_cells,
    text_accuracy,
)
from jurybox.jury.weighted import detection_counts, score_against_each, weighted_counts
from jurybox.model import Counts, JudgmentTable
from made_cases import judged, labels_of

Judgment = tuple[str, tuple[str, ...]]


def made(*cases: list[Judgment]) -> JudgmentTable:
    table = JudgmentTable()
    for case, judgments in enumerate(cases):
        for rater, (label, words) in enumerate(judgments):
            table.append(case, f"r{rater}", label, words)
    return table


def counted(
    table: JudgmentTable, decided: LabelArray, suggestions: list[str | None] | None
) -> CorrectionCounts:
    votes = count_votes(table, len(decided))
    compared = compare_corrections(table, decided, suggestions)
    parts = correction_contributions(decided, error_share(votes), votes, compared)
    return CorrectionCounts(*parts.sum(axis=1).tolist())


def against_majority(
    table: JudgmentTable, decided: LabelArray, suggestions: list[str | None] | None
) -> CorrectionCounts:
    truth = majority(count_votes(table, len(decided))).truth
    compared = compare_with_majority(table, decided, suggestions, truth)
    parts = correction_contributions(decided, truth, None, compared)
    return CorrectionCounts(*parts.sum(axis=1).tolist())


def shapes(compared: Comparison) -> list[list[int]]:
    return [column.tolist() for column in compared]


# --- Figure 4, row by row; writer X, judge X or Y, system X, Y or Z ---

ERROR_Y: list[Judgment] = [("error", ("y",))]
FINE: list[Judgment] = [("ok", ())]


@pytest.mark.parametrize("count", [counted, against_majority], ids=["judges", "majority"])
@pytest.mark.parametrize(
    ("judgments", "decision", "suggestion", "expected"),
    [
        (FINE, 0, None, CorrectionCounts()),
        (FINE, 1, "y", CorrectionCounts(fp=1)),
        (ERROR_Y, 0, None, CorrectionCounts(fn=1)),
        (ERROR_Y, 1, "y", CorrectionCounts(tp=1)),
        (ERROR_Y, 1, "z", CorrectionCounts(fp=1, fn=1, xyz=1)),
    ],
    ids=["XXX-is-tn", "XXY-is-fp", "XYX-is-fn", "XYY-is-tp", "XYZ-is-fp-and-fn"],
)
def test_row_of_figure_4_counts_for_correction_as_the_paper_says(
    count: object, judgments: list[Judgment], decision: int, suggestion: str, expected: object
) -> None:
    assert callable(count)
    assert count(made(judgments), labels_of([decision]), [suggestion]) == expected


def test_xyz_is_a_tp_for_detection() -> None:
    assert detection_counts(labels_of([1]), labels_of([1])).tp == 1


def test_a_case_is_the_mean_of_its_judges() -> None:
    table = made([("error", ("at",)), ("error", ("on",)), ("ok", ()), ("error", ())])
    found = counted(table, labels_of([1]), ["at"])
    assert found == CorrectionCounts(tp=0.25, fp=0.5, fn=0.25, xyz=0.25, uncomparable=0.25)


def test_any_of_the_equally_good_corrections_is_right() -> None:
    table = made([("error", ("in", "at"))])
    for word in ("in", "at"):
        assert counted(table, labels_of([1]), [word]).tp == 1


@pytest.mark.parametrize(
    ("suggestion", "right"), [("in  the", True), (" in the ", True), ("In the", False)]
)
def test_white_space_is_no_difference_and_capital_letters_are(suggestion: str, right: bool) -> None:
    found = counted(made([("error", ("in the",))]), labels_of([1]), [suggestion])
    assert found.tp == right


def test_a_deletion_is_a_correction_and_no_suggestion_is_none() -> None:
    table = made([("error", ("",))])
    assert counted(table, labels_of([1]), [""]).tp == 1
    assert counted(table, labels_of([1]), [None]).uncomparable == 1


@pytest.mark.parametrize("count", [counted, against_majority], ids=["judges", "majority"])
def test_what_cannot_be_compared_is_counted_as_that_and_nothing_else(count: object) -> None:
    assert callable(count)
    only = CorrectionCounts(uncomparable=1)
    assert count(made([("error", ())]), labels_of([1]), ["at"]) == only
    assert count(made([("error", ("at",))]), labels_of([1]), [None]) == only
    assert count(made([("error", ("at",))]), labels_of([1]), None) == only


def test_majority_takes_the_most_frequent_corrections_all_of_them() -> None:
    table = made(
        [("error", ("at",)), ("error", ("at", "in")), ("error", ("on",)), ("ok", ())],
        [("error", ("at",)), ("error", ("on",)), ("error", ())],
    )
    truth = labels_of([1, 1])
    both = labels_of([1, 1])
    found = compare_with_majority(table, both, ["in", "on"], truth)
    assert shapes(found) == [[0, 1], [1, 0], [0, 0]]


def test_majority_looks_at_reported_errors_only() -> None:
    table = made([("error", ("at",))], [("error", ("at",))])
    found = compare_with_majority(table, labels_of([0, 1]), ["at", "at"], labels_of([1, 0]))
    assert shapes(found) == [[0, 0], [0, 0], [0, 0]]


def test_suggestions_must_be_as_many_as_decisions() -> None:
    with pytest.raises(LengthError, match="2 decisions have 1 suggestions"):
        compare_corrections(made(FINE, FINE), labels_of([1, 1]), ["x"])


# --- against counting by hand ---

words = st.lists(st.sampled_from(["at", "in", "on", ""]), max_size=2).map(tuple)
judgment = st.tuples(st.sampled_from(["error", "error", "ok", "unknown"]), words)
cases = st.lists(st.lists(judgment, max_size=4), min_size=1, max_size=6)


@given(panel=cases, data=st.data())
def test_counts_are_those_of_going_through_the_judges_one_by_one(
    panel: list[list[Judgment]], data: st.DataObject
) -> None:
    size = len(panel)
    decided = data.draw(st.lists(st.sampled_from([1, 1, 0, -1]), min_size=size, max_size=size))
    suggested: list[str | None] = data.draw(
        st.lists(st.sampled_from(["at", "in", "by", "", None]), min_size=size, max_size=size)
    )
    expected = Counter[str]()
    for judgments, decision, suggestion in zip(panel, decided, suggested, strict=True):
        deciding = [(label, words) for label, words in judgments if label != "unknown"]
        for label, right in deciding:
            expected.update(_row(label, right, decision, suggestion, 1 / len(deciding)))
    found = counted(made(*panel), labels_of(decided), suggested)
    assert found == pytest.approx([expected[name] for name in CorrectionCounts._fields])


def _row(
    label: str, right: tuple[str, ...], decision: int, suggestion: str | None, weight: float
) -> dict[str, float]:
    if decision < 0 or (decision == 0 and label == "ok"):
        return {}
    if decision == 0:
        return {"fn": weight}
    if label == "ok":
        return {"fp": weight}
    if suggestion is None or not right:
        return {"uncomparable": weight}
    if suggestion in right:
        return {"tp": weight}
    return {"fp": weight, "fn": weight, "xyz": weight}


@given(panel=cases, data=st.data())
def test_with_one_judge_per_case_both_ways_of_counting_are_one(
    panel: list[list[Judgment]], data: st.DataObject
) -> None:
    single = [judgments[:1] for judgments in panel]
    size = len(panel)
    decided = labels_of(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    suggested: list[str | None] = data.draw(
        st.lists(st.sampled_from(["at", "in", None]), min_size=size, max_size=size)
    )
    table = made(*single)
    assert counted(table, decided, suggested) == against_majority(table, decided, suggested)


@given(panel=cases, data=st.data())
def test_detection_tp_is_what_correction_calls_right_other_or_uncomparable(
    panel: list[list[Judgment]], data: st.DataObject
) -> None:
    size = len(panel)
    decided = labels_of(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    table = made(*panel)
    found = counted(table, decided, ["at"] * size)
    counts = weighted_counts(decided, error_share(count_votes(table, size)))
    assert found.tp + found.xyz + found.uncomparable == pytest.approx(counts.tp)
    assert found.fp - found.xyz == pytest.approx(counts.fp)
    assert found.fn - found.xyz == pytest.approx(counts.fn)


@given(panel=cases, data=st.data())
def test_order_of_judges_does_not_matter(panel: list[list[Judgment]], data: st.DataObject) -> None:
    shuffled = [data.draw(st.permutations(judgments)) for judgments in panel]
    decided, suggested = labels_of([1] * len(panel)), ["at"] * len(panel)
    for count in (counted, against_majority):
        first = count(made(*panel), decided, [*suggested])
        assert count(made(*shuffled), decided, [*suggested]) == pytest.approx(first)


# --- Figure 3 ---


@given(rows=st.lists(st.tuples(st.booleans(), st.integers(0, 1), st.integers(0, 1)), min_size=1))
def test_eight_cells_count_forms_and_add_up_to_detection(
    rows: list[tuple[bool, int, int]],
) -> None:
    writer, truth, decided = zip(*rows, strict=True)
    cells = eight_cells(labels_of(decided), labels_of(truth), np.array(writer))
    for cell in cells:
        expected = sum(
            has == cell.writer
            and (has != wrong) == cell.annotator
            and (has != reported) == cell.system
            for has, wrong, reported in rows
        )
        assert cell.amount == expected
    counts = detection_counts(labels_of(decided), labels_of(truth))
    for name in ("tp", "fp", "fn", "tn"):
        assert sum(c.amount for c in cells if c.outcome == name) == getattr(counts, name)


def test_the_mean_over_judges_weighs_judges_alike_and_the_mean_of_cases_cases() -> None:
    table = JudgmentTable()
    for case in range(3):  # Ann judges all cases, Bob the first alone
        table.append(case, "Ann", "error", ("in",))
    table.append(0, "Bob", "error", ("at",))
    decided = labels_of([1, 1, 0])
    compared = compare_corrections(table, decided, ["in", "on", None])
    each = [rater.counts for rater in score_against_each(table, decided)]
    mean = average_judges(each, compared)
    assert mean.judges == 2
    assert mean.detection == Counts(tp=1.5, fp=0, fn=0.5, tn=0)
    assert mean.correction == CorrectionCounts(tp=0.5, fp=1, fn=1.5, xyz=1)
    votes = count_votes(table, 3)
    cases = correction_contributions(decided, error_share(votes), votes, compared)
    assert cases.sum(axis=1).tolist() == [0.5, 1.5, 2.5, 1.5, 0]


@given(st.lists(st.text("eo", min_size=3, max_size=3), min_size=1, max_size=6), st.data())
def test_where_everybody_judged_everything_both_means_are_the_same(
    cases: list[str], data: st.DataObject
) -> None:
    table = judged(*cases)
    size = len(cases)
    decided = labels_of(data.draw(st.lists(st.sampled_from([0, 1]), min_size=size, max_size=size)))
    each = [rater.counts for rater in score_against_each(table, decided)]
    mean = average_judges(each, compare_corrections(table, decided, None)).detection
    weighted = weighted_counts(decided, error_share(count_votes(table, size)))
    for name in ("tp", "fp", "fn", "tn"):
        assert getattr(mean, name) == pytest.approx(getattr(weighted, name))


def test_judges_without_a_case_are_no_judges() -> None:
    nothing = compare_corrections(judged("u"), labels_of([1]), None)
    assert average_judges([Counts()], nothing).judges == 0
    assert average_judges([Counts()], nothing).detection == Counts(tp=0, fp=0, fn=0, tn=0)


# --- accuracy of the text: Chodorow et al. (2012), section 3.4 ---


def test_text_of_which_13_percent_is_wrong_is_87_percent_right_before_section_3_3() -> None:
    silent = text_accuracy(Counts(tp=0, fp=0, fn=13, tn=87), CorrectionCounts(fn=13))
    assert (silent.before, silent.after, silent.change) == (0.87, 0.87, 0)


def test_text_accuracy_counts_what_is_fixed_and_broken_section_3_4() -> None:
    """6 of 13 errors become right, one becomes another error (X Y Z), 3 right words are changed."""
    correction = CorrectionCounts(tp=6, fp=4, fn=7, xyz=1)
    found = text_accuracy(Counts(tp=7, fp=3, fn=6, tn=84), correction)
    assert (found.n, found.errors, found.fixed, found.broken) == (100, 13, 6, 3)
    assert (found.before, found.after) == pytest.approx((0.87, (84 + 6) / 100))
    assert found.change == pytest.approx(0.03)


def test_finding_a_comma_error_is_correcting_it_section_3_2() -> None:
    detection = Counts(tp=7, fp=3, fn=6, tn=84)
    found = text_accuracy(detection, CorrectionCounts(uncomparable=7), binary=True)
    assert found.after == pytest.approx((7 + 84) / 100)  # accuracy of detection
    assert found.uncomparable == 0


def test_text_accuracy_of_no_case_is_undefined() -> None:
    nothing = text_accuracy(Counts(), CorrectionCounts())
    assert np.isnan([nothing.before, nothing.after, nothing.change]).all()
