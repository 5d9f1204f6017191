"""Each rater alone as the truth: Table 4 of Tetreault and Chodorow (2008)."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from hypothesis import given

from jurybox.jury.votes import LabelArray, count_votes, majority
from jurybox.jury.weighted import detection_counts, score_against_each
from jurybox.model import JudgmentTable
from made_cases import decided_panels, judged, labels_of


def test_table_4_of_tetreault_and_chodorow_has_78_26_against_68_21() -> None:
    # 100 reports: rater 1 agrees with 78 and has 300 errors, rater 2 with 68 and has 324
    decided = np.repeat([1, 0], [100, 900]).astype(np.int8)
    truths = [
        np.concatenate([np.arange(100) < right, np.arange(900) < errors - right])
        for right, errors in ((78, 300), (68, 324))
    ]
    table = JudgmentTable(raters=["Rater 1", "Rater 2"])
    for rater, wrong in enumerate(truths):
        table.case.extend(range(1000))
        table.answer.extend(array("I", [rater << 8 | (not error) for error in wrong.tolist()]))
    one, two = score_against_each(table, decided)
    shown = [
        (found.name, round(found.precision, 2), round(found.recall, 2)) for found in (one, two)
    ]
    assert shown == [("Rater 1", 0.78, 0.26), ("Rater 2", 0.68, 0.21)]


@given(panel=decided_panels())
def test_counts_against_a_rater_are_those_of_their_judgments_alone(
    panel: tuple[list[str], LabelArray],
) -> None:
    cases, decided = panel
    table = judged(*cases)
    found = score_against_each(table, decided)
    assert [row.name for row in found] == table.raters
    for rater, row in enumerate(found):
        alone = majority(count_votes(judged(*(case[rater] for case in cases)), len(cases))).truth
        assert row.counts == detection_counts(decided, alone)
        unknown = [case[rater] == "u" for case in cases]
        assert row.unknown == np.count_nonzero(np.array(unknown) & (decided >= 0))
        assert row.n == np.count_nonzero((alone >= 0) & (decided >= 0))


def test_rater_without_judgments_has_empty_counts_and_a_reason() -> None:
    _, idle = score_against_each(judged("e.", "o."), labels_of([1, 0]))
    assert idle.n == 0
    assert idle.undefined["kappa"].startswith("there are no cases")


def test_kappa_against_a_rater_has_its_value() -> None:
    found = score_against_each(judged(*"eoeo"), labels_of([1, 0, 0, 0]))[0]
    assert found.kappa == pytest.approx(0.5)
