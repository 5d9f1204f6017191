"""Agreement of raters: known answers, a slow count over pairs, and what undefined means."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations
from math import isnan, nan
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jurybox.errors import InputError
from jurybox.metrics import measures
from jurybox.model import Counts
from jurybox.raters.agreement import (
    MISSING,
    Agreement,
    cohen_kappa,
    count_labels,
    cross_tabulate,
    fleiss_kappa,
    krippendorff_alpha,
)

Codes = list[list[int]]

#: Krippendorff 2011, section C: 4 raters (A to D), 12 units, labels 1 to 5, 0 is no judgment
KRIPPENDORFF_2011 = [
    [1, 1, 0, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [0, 5, 5, 5],
    [0, 0, 1, 1],
    [0, 3, 0, 0],
]


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))[1:]


# --- known answers: spec/reference-values.md ---


def test_krippendorffs_example_with_gaps_gives_his_alpha_and_gwets_fleiss_kappa() -> None:
    counts = count_labels(np.array(KRIPPENDORFF_2011) - 1, labels=5)
    assert krippendorff_alpha(counts).value == pytest.approx(0.743421, abs=5e-7)
    assert fleiss_kappa(counts).value == pytest.approx(0.76117, abs=5e-6)


def test_krippendorffs_example_is_the_one_in_the_data(data_dir: Path) -> None:
    rows = rows_of(data_dir / "agreement" / "krippendorff-2011.csv")
    assert [[int(cell or 0) for cell in row[1:]] for row in rows] == KRIPPENDORFF_2011


def test_krippendorffs_binary_example_gives_his_alpha() -> None:
    codes = [[int(a), int(b)] for a, b in zip("0100000010", "1110010000", strict=True)]
    value = krippendorff_alpha(count_labels(codes, labels=2)).value
    assert value == pytest.approx(0.095238, abs=5e-7)


def test_fleiss_example_of_ten_subjects_and_fourteen_raters(data_dir: Path) -> None:
    rows = rows_of(data_dir / "agreement" / "fleiss-wikipedia.csv")
    counts = [[int(cell) for cell in row[1:]] for row in rows]
    assert fleiss_kappa(counts).value == pytest.approx(0.209931, abs=5e-7)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [([[0, 4, 1], [0, 8, 0], [0, 1, 5]], 0.4842), ([[20, 20], [10, 50]], 0.347826)],
)
def test_cohens_kappa_of_tables_with_a_known_answer(table: Codes, kappa: float) -> None:
    assert cohen_kappa(table).value == pytest.approx(kappa, abs=5e-5)


def test_ten_crowd_workers_on_textual_entailment_agree_as_published(data_dir: Path) -> None:
    items: dict[str, Counter[str]] = {}
    for item, _, label, _ in rows_of(data_dir / "snow" / "rte.csv"):
        items.setdefault(item, Counter())[label] += 1
    counts = [[votes["0"], votes["1"]] for votes in items.values()]
    assert len(counts) == 800
    assert krippendorff_alpha(counts).value == pytest.approx(0.241479, abs=5e-7)
    assert fleiss_kappa(counts).value == pytest.approx(0.241384, abs=5e-7)


def test_observed_and_expected_agreement_stand_beside_the_coefficient() -> None:
    found = cohen_kappa([[20, 5], [10, 15]])
    assert found[1:3] == (0.7, 0.5)
    assert found.value == pytest.approx(0.4)
    assert fleiss_kappa([[2, 0], [1, 1]])[1:3] == (0.5, 0.625)
    assert krippendorff_alpha([[2, 0], [1, 1]])[1:3] == (0.5, 0.5)


# --- properties ---

judgments = st.integers(1, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([MISSING, 0, 1, 2]), min_size=raters, max_size=raters),
        min_size=1,
        max_size=12,
    )
)


def close(expected: float) -> object:
    return pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


def pairs_in(case: list[int]) -> list[tuple[int, int]]:
    return list(permutations([code for code in case if code != MISSING], 2))


@given(judgments)
def test_alpha_is_one_less_the_ratio_of_observed_and_expected_pairs_that_differ(
    codes: Codes,
) -> None:
    """Krippendorff's definition, pair by pair."""
    pairable = [case for case in codes if pairs_in(case)]
    values = [code for case in pairable for code in case if code != MISSING]
    assume(len(set(values)) > 1)
    observed = 0.0
    for case in pairable:
        pairs = pairs_in(case)
        judged = len([code for code in case if code != MISSING])
        observed += sum(a != b for a, b in pairs) / (judged - 1)
    drawn = list(permutations(values, 2))
    expected = sum(a != b for a, b in drawn) / len(drawn)
    alpha = 1 - observed / len(values) / expected
    assert krippendorff_alpha(count_labels(codes, 3)).value == close(alpha)


@given(judgments)
def test_fleiss_kappa_is_the_mean_over_cases_of_pairs_that_agree_less_chance(codes: Codes) -> None:
    """Gwet's form, case by case."""
    agreeing = [
        sum(a == b for a, b in pairs_in(c)) / len(pairs_in(c)) for c in codes if pairs_in(c)
    ]
    assume(agreeing)
    judged = [[code for code in case if code != MISSING] for case in codes]
    shares = [
        float(np.mean([case.count(label) / len(case) for case in judged if case]))
        for label in range(3)
    ]
    chance = sum(share**2 for share in shares)
    assume(max(shares) < 1)
    found = fleiss_kappa(count_labels(codes, 3))
    assert found.value == close((float(np.mean(agreeing)) - chance) / (1 - chance))


@given(judgments)
def test_no_coefficient_is_above_one_and_one_means_that_no_pair_differs(codes: Codes) -> None:
    counts = count_labels(codes, 3)
    differ = any(a != b for case in codes for a, b in pairs_in(case))
    for found in (fleiss_kappa(counts), krippendorff_alpha(counts)):
        if isnan(found.value):
            assert found.reason
        else:
            assert not found.reason
            assert found.value <= 1 + 1e-12
            assert (found.value < 1 - 1e-12) == differ


@given(judgments, st.permutations(range(3)), st.randoms(use_true_random=False))
def test_names_of_labels_and_order_of_raters_and_cases_do_not_matter(
    codes: Codes, names: list[int], random: Random
) -> None:
    renamed = [[code if code == MISSING else names[code] for code in case] for case in codes]
    random.shuffle(renamed)
    turned = [case[::-1] for case in renamed]
    for measure in (fleiss_kappa, krippendorff_alpha):
        one, other = measure(count_labels(codes, 3)), measure(count_labels(turned, 3))
        assert one.value == close(other.value)
        assert one.reason == other.reason


@given(judgments)
def test_tables_of_all_pairs_of_raters_are_those_of_each_pair(codes: Codes) -> None:
    tables = cross_tabulate(codes, labels=3)
    for a, b in combinations(range(len(codes[0])), 2):
        counted = Counter((case[a], case[b]) for case in codes)
        expected = [[counted[j, k] for k in range(3)] for j in range(3)]
        assert tables[a, b].tolist() == expected
        assert tables[b, a].T.tolist() == expected


@given(*[st.integers(0, 50)] * 4)
def test_two_labels_give_what_the_measures_of_four_counts_give(
    tp: int, fp: int, fn: int, tn: int
) -> None:
    counts = Counts(tp, fp, fn, tn)
    kappa = cohen_kappa([[tp, fp], [fn, tn]])
    assert kappa.value == close(measures.cohen_kappa(counts))
    assume(tp + fp + fn + tn > 1)
    cases = [[2, 0]] * tp + [[1, 1]] * (fp + fn) + [[0, 2]] * tn
    assert krippendorff_alpha(cases).value == close(measures.krippendorff_alpha(counts))


@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3))
def test_cohens_kappa_does_not_care_who_is_first(table: Codes) -> None:
    assert cohen_kappa(table).value == close(cohen_kappa(np.array(table).T).value)


def test_labels_at_random_agree_no_more_than_by_chance() -> None:
    codes = np.random.default_rng(5).integers(0, 3, size=(3000, 4))
    counts = count_labels(codes, 3)
    assert abs(fleiss_kappa(counts).value) < 0.02
    assert abs(krippendorff_alpha(counts).value) < 0.02
    assert abs(cohen_kappa(cross_tabulate(codes, 3)[0, 1]).value) < 0.04


# --- undefined, and what is refused ---


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (cohen_kappa([[0, 0], [0, 0]]), "there is no case that both raters judged"),
        (cohen_kappa([[9, 0], [0, 0]]), "both raters give every case the same label"),
        (fleiss_kappa([[3, 0], [3, 0]]), "all judgments are the same label"),
        (fleiss_kappa([[1, 0], [0, 1]]), "no case was judged by two raters"),
        (krippendorff_alpha([[0, 2], [0, 5]]), "all judgments are the same label"),
        (krippendorff_alpha([[0, 1], [0, 0]]), "no case was judged by two raters"),
        (krippendorff_alpha(np.zeros((0, 2))), "no case was judged by two raters"),
    ],
)
def test_unanimous_or_missing_judgments_give_no_value_but_a_reason(
    found: Agreement, reason: str
) -> None:
    assert isnan(found.value)
    assert found.reason == reason


def test_raters_who_always_differ_in_the_same_way_agree_by_chance_and_not_without_a_value() -> None:
    assert cohen_kappa([[0, 9], [0, 0]]) == Agreement(0.0, 0.0, 0.0)


def test_a_case_that_one_person_judged_counts_for_fleiss_chance_but_not_for_alpha() -> None:
    """All pairs agree on label 0; only a lonely judgment is another one."""
    counts = [[2, 0], [2, 0], [0, 1]]
    assert fleiss_kappa(counts).value == 1
    assert isnan(krippendorff_alpha(counts).value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cohen_kappa([[1, 2, 3], [4, 5, 6]]), "must be square, not 2 by 3"),
        (lambda: cohen_kappa([1, 2]), "must have two dimensions, not 1"),
        (lambda: fleiss_kappa([[1, -1]]), "must be numbers from 0 up"),
        (lambda: krippendorff_alpha([[1, nan]]), "must be numbers from 0 up"),
        (lambda: count_labels([[0, 2]], labels=2), "must be from 0 to 1, or -1 for a missing one"),
        (lambda: count_labels([[0, -2]], labels=2), "must be from 0 to 1, or -1 for a missing one"),
        (lambda: cross_tabulate([0, 1], labels=2), "not of 1 dimensions"),
    ],
)
def test_what_cannot_be_judgments_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_table_3_of_tetreault_and_chodorow_2008() -> None:
    """Two raters on 1,336 prepositions: agreement .952, kappa .630 (spec/cases.md)."""
    found = cohen_kappa(np.array([[17, 0, 6], [1, 42, 20], [4, 33, 1213]]))
    assert round(found.observed, 3) == 0.952
    assert round(found.value, 3) == 0.630
