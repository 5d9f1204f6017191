"""Measures: the papers' known answers, the properties every measure must have, and the cards."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf, isnan, nan
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jurybox.errors import UsageError
from jurybox.metrics.measures import (
    MEASURES,
    Measure,
    accuracy,
    all_measures,
    always_ok_accuracy,
    bias,
    chance_accuracy,
    cohen_kappa,
    f_beta,
    informedness,
    krippendorff_alpha,
    markedness,
    matthews_correlation,
    precision,
    precision_recall_f,
    prevalence,
    recall,
    total,
    true_negative_rate,
)
from jurybox.model import Counts

CARDS = Path(__file__).resolve().parent.parent / "docs" / "measures"

# Whole counts, and weighted ones with the few decimals that shares of judges have.
amounts = st.integers(0, 5000) | st.floats(0, 5000).map(lambda x: round(x, 3))
tables = st.builds(Counts, amounts, amounts, amounts, amounts)
every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda m: m.name)


def close(expected: float) -> object:
    return pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


def swap_roles(counts: Counts) -> Counts:
    """The truth becomes the system and the system the truth."""
    return replace(counts, fp=counts.fn, fn=counts.fp)


def swap_labels(counts: Counts) -> Counts:
    """Error becomes OK and OK becomes error."""
    return Counts(tp=counts.tn, fp=counts.fn, fn=counts.fp, tn=counts.tp)


# --- known answers: spec/cases.md, Chodorow et al. 2012, Krippendorff 2011 ---


@pytest.mark.parametrize(
    ("counts", "accuracy_is", "kappa_is"),
    [
        (Counts(0.04, 0.16, 0.16, 0.64), 0.68, 0.0),
        (Counts(0.10, 0.10, 0.10, 0.70), 0.80, 0.375),
        (Counts(12, 18, 28, 42), 0.54, 0.0),
        (Counts(12, 18, 28, 142), 0.77, 6 / 29),
    ],
    ids=["figure-5", "figure-7", "figure-9", "figure-10"],
)
def test_accuracy_and_kappa_are_those_of_chodorow(
    counts: Counts, accuracy_is: float, kappa_is: float
) -> None:
    assert accuracy(counts) == close(accuracy_is)
    assert cohen_kappa(counts) == close(kappa_is)


def test_figure_8_has_the_precision_recall_and_f_of_the_paper() -> None:
    counts = Counts(0.12, 0.18, 0.28, 0.42)
    assert (precision(counts), recall(counts)) == (close(0.40), close(0.30))
    assert round(f_beta(counts, beta=1), 2) == 0.34
    assert (prevalence(counts), bias(counts)) == (close(0.40), close(0.30))


def test_kappa_of_20_20_10_50_is_the_reference_value() -> None:
    assert cohen_kappa(Counts(tp=20, fp=20, fn=10, tn=50)) == pytest.approx(0.347826, abs=5e-7)


def test_alpha_of_krippendorffs_binary_example_is_the_reference_value() -> None:
    a, b = "0100000010", "1110010000"
    pairs = list(zip(a, b, strict=True))
    counts = Counts(*(pairs.count((x, y)) for x, y in ("11", "01", "10", "00")))
    assert krippendorff_alpha(counts) == pytest.approx(0.095238, abs=5e-7)


def test_a_corpus_with_13_percent_errors_gives_always_ok_87_percent() -> None:
    assert always_ok_accuracy(Counts(tp=5, fn=8, fp=20, tn=67)) == 0.87


def test_unchanged_text_has_precision_1_recall_0_and_f_0_like_the_official_scorers() -> None:
    assert precision_recall_f(Counts(fn=1994)) == (1.0, 0.0, 0.0)


def test_nothing_to_find_and_nothing_proposed_is_perfect_like_the_official_scorers() -> None:
    assert precision_recall_f(Counts()) == (1.0, 1.0, 1.0)


def test_only_wrong_edits_give_f_0_not_an_error() -> None:
    assert precision_recall_f(Counts(fp=3)) == (0.0, 1.0, 0.0)
    assert precision_recall_f(Counts(fp=3, fn=2)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("correct", "proposed", "gold", "f"),
    [(509, 1223, 2378, 0.3501), (772, 1944, 2565, 0.3733), (623, 1491, 2504, 0.3679)],
)
def test_f_of_the_conll_systems_is_the_published_one(
    correct: int, proposed: int, gold: int, f: float
) -> None:
    counts = Counts(tp=correct, fp=proposed - correct, fn=gold - correct)
    assert round(precision_recall_f(counts)[2], 4) == f


# --- what every measure must satisfy ---


@given(counts=tables)
def test_value_lies_within_the_bounds_the_registry_states(counts: Counts) -> None:
    for measure in MEASURES.values():
        value = measure.value(counts)
        assert isnan(value) or measure.low - 1e-9 <= value <= measure.high + 1e-9, measure.name


small = st.integers(0, 2)


@given(counts=st.builds(Counts, small, small, small, small) | tables)
def test_value_is_missing_exactly_where_a_reason_is_given(counts: Counts) -> None:
    for measure in MEASURES.values():
        missing = isnan(measure.value(counts))
        assert missing == bool(measure.why_undefined(counts)), measure.name


@every_measure
def test_undefined_is_what_the_caller_says_it_is(measure: Measure) -> None:
    assert isnan(measure.function(Counts()))
    assert measure.function(Counts(), undefined=0.25) == 0.25


def scale(counts: Counts, factor: float) -> Counts:
    return Counts(*(factor * c for c in (counts.tp, counts.fp, counts.fn, counts.tn)))


factors = st.sampled_from([0.001, 0.5, 3, 1000])


@given(counts=tables, factor=factors)
def test_every_measure_but_alpha_depends_on_shares_only(counts: Counts, factor: float) -> None:
    for measure in MEASURES.values():
        if measure.name != "krippendorff_alpha":
            scaled = measure.value(scale(counts, factor))
            assert scaled == close(measure.value(counts)), measure.name


@given(counts=tables, factor=factors)
def test_alpha_without_its_small_sample_factor_depends_on_shares_only(
    counts: Counts, factor: float
) -> None:
    def disagreement(table: Counts) -> float:
        return (1 - krippendorff_alpha(table)) / (1 - 1 / (2 * total(table)))

    scaled = scale(counts, factor)
    assume(min(total(counts), total(scaled)) >= 2)
    assert disagreement(scaled) == close(disagreement(counts))


@given(counts=tables, more=st.integers(1, 1000))
def test_measures_said_to_ignore_true_negatives_do(counts: Counts, more: int) -> None:
    for measure in MEASURES.values():
        if not measure.needs_tn:
            with_more = measure.value(replace(counts, tn=counts.tn + more))
            assert with_more == close(measure.value(counts)), measure.name


def test_measures_said_to_need_true_negatives_do() -> None:
    few, many = Counts(12, 18, 28, 42), Counts(12, 18, 28, 142)
    for measure in MEASURES.values():
        assert (measure.value(few) != measure.value(many)) == measure.needs_tn, measure.name


#: measure -> what a perfect system scores on 30 errors among 100 cases
PERFECT = dict.fromkeys(MEASURES, 1.0) | {
    "always_ok_accuracy": 0.7,
    "chance_accuracy": 0.58,
    "prevalence": 0.3,
    "bias": 0.3,
}

#: measure -> the measure it turns into when system and truth change places
ROLES_SWAPPED = {
    "precision": "recall",
    "recall": "precision",
    "f_beta": "f_beta",
    "accuracy": "accuracy",
    "always_ok_accuracy": None,
    "chance_accuracy": "chance_accuracy",
    "true_negative_rate": None,
    "prevalence": "bias",
    "bias": "prevalence",
    "cohen_kappa": "cohen_kappa",
    "krippendorff_alpha": "krippendorff_alpha",
    "matthews_correlation": "matthews_correlation",
    "informedness": "markedness",
    "markedness": "informedness",
}

#: measure -> its value where system and truth are independent, with this prevalence and bias
AT_CHANCE = {
    "precision": lambda p, b: p,
    "recall": lambda p, b: b,
    "f_beta": lambda p, b: 1.25 * p * b / (0.25 * p + b),
    "accuracy": lambda p, b: p * b + (1 - p) * (1 - b),
    "always_ok_accuracy": lambda p, b: 1 - p,
    "chance_accuracy": lambda p, b: p * b + (1 - p) * (1 - b),
    "true_negative_rate": lambda p, b: 1 - b,
    "prevalence": lambda p, b: p,
    "bias": lambda p, b: b,
    "cohen_kappa": lambda p, b: 0,
    "krippendorff_alpha": None,  # 0 only at equal marginals and with many cases
    "matthews_correlation": lambda p, b: 0,
    "informedness": lambda p, b: 0,
    "markedness": lambda p, b: 0,
}


@pytest.mark.parametrize("table", [PERFECT, ROLES_SWAPPED, AT_CHANCE])
def test_no_measure_is_missing_from_a_property_list(table: dict[str, object]) -> None:
    assert list(table) == list(MEASURES)


@every_measure
def test_perfect_system_scores_what_it_should(measure: Measure) -> None:
    assert measure.value(Counts(tp=30, tn=70)) == close(PERFECT[measure.name])


@given(counts=tables, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_exchanging_system_and_truth_gives_the_mirror_measure(counts: Counts, beta: float) -> None:
    for name, mirror in ROLES_SWAPPED.items():
        if mirror is not None:
            swapped = MEASURES[mirror].value(swap_roles(counts), beta=1 / beta)
            assert swapped == close(MEASURES[name].value(counts, beta=beta)), name


sizes = st.integers(1, 60)


@given(errors=sizes, ok=sizes, reported=sizes, passed=sizes)
def test_independent_labels_score_what_chance_predicts(
    errors: int, ok: int, reported: int, passed: int
) -> None:
    counts = Counts(errors * reported, ok * reported, errors * passed, ok * passed)
    for name, predict in AT_CHANCE.items():
        if predict is not None:
            expected = predict(errors / (errors + ok), reported / (reported + passed))
            assert MEASURES[name].value(counts) == close(expected), name


@given(counts=tables)
def test_labels_that_change_names_leave_agreement_as_it_is(counts: Counts) -> None:
    other = swap_labels(counts)
    for measure in (
        accuracy,
        chance_accuracy,
        cohen_kappa,
        krippendorff_alpha,
        matthews_correlation,
        informedness,
        markedness,
    ):
        assert measure(other) == close(measure(counts))
    assert true_negative_rate(other) == close(recall(counts))


# --- formulas written another way ---


@given(counts=tables)
def test_kappa_is_the_share_of_agreement_beyond_chance_that_is_reached(counts: Counts) -> None:
    observed, expected = accuracy(counts), chance_accuracy(counts)
    assume(expected < 0.999)
    assert cohen_kappa(counts) == pytest.approx((observed - expected) / (1 - expected), abs=1e-9)


@given(counts=tables, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_f_by_precision_and_recall_equals_f_by_counts(counts: Counts, beta: float) -> None:
    tp, weight = counts.tp, beta**2
    room = (1 + weight) * tp + weight * counts.fn + counts.fp
    assume(room > 0)
    assert f_beta(counts, beta=beta) == close((1 + weight) * tp / room)


@given(counts=tables)
def test_squared_matthews_correlation_is_informedness_times_markedness(counts: Counts) -> None:
    squared = matthews_correlation(counts) ** 2
    assume(not isnan(squared))
    assert squared == close(informedness(counts) * markedness(counts))


@given(counts=tables)
def test_informedness_is_recall_plus_true_negative_rate_minus_one(counts: Counts) -> None:
    assert informedness(counts) == close(recall(counts) + true_negative_rate(counts) - 1)


@given(tp=small, fp=small, fn=small, tn=small)
def test_alpha_equals_the_definition_by_pairs_of_labels(tp: int, fp: int, fn: int, tn: int) -> None:
    assume(tp + fp + fn + tn >= 2 and tp + fp + fn and tn + fp + fn)
    units = [(1, 1)] * tp + [(1, 0)] * fp + [(0, 1)] * fn + [(0, 0)] * tn
    labels = [label for unit in units for label in unit]
    apart = [a != b for i, a in enumerate(labels) for j, b in enumerate(labels) if i != j]
    expected = sum(apart) / len(apart)
    observed = sum(a != b for a, b in units) / len(units)
    assert krippendorff_alpha(Counts(tp, fp, fn, tn)) == close(1 - observed / expected)


def test_huge_counts_do_not_overflow() -> None:
    assert matthews_correlation(Counts(tp=1e80, tn=1e80)) == close(1)
    assert cohen_kappa(Counts(tp=10**90, tn=10**90)) == 1


# --- all_measures, what the command line prints ---


def test_all_measures_give_every_measure_once_with_value_or_reason() -> None:
    values = all_measures(Counts(12, 18, 28, 42))
    assert [v.name for v in values] == list(MEASURES)
    assert not any(v.reason or isnan(v.value) for v in values)


def test_reason_names_the_empty_sum() -> None:
    reasons = {v.name: v.reason for v in all_measures(Counts(fp=1, tn=4))}
    assert reasons["recall"] == "there are no errors in the truth (tp + fn = 0)"
    assert reasons["precision"] == ""
    assert reasons["matthews_correlation"] == "there are no errors in the truth (tp + fn = 0)"


def test_unanimous_data_has_no_kappa_or_alpha_and_says_why() -> None:
    reasons = {v.name: v.reason for v in all_measures(Counts(tn=9))}
    why = "the truth has no errors and the system reported none (tp + fp + fn = 0)"
    assert reasons["cohen_kappa"] == reasons["krippendorff_alpha"] == why


def test_shares_of_one_are_not_taken_for_a_number_of_cases_by_alpha() -> None:
    reasons = {v.name: v.reason for v in all_measures(Counts(0.1, 0.1, 0.1, 0.7))}
    assert "give the counts" in reasons["krippendorff_alpha"]
    assert reasons["cohen_kappa"] == ""


def test_unknown_true_negatives_are_not_taken_for_zero() -> None:
    values = {v.name: v for v in all_measures(Counts(12, 18, 28), tn_known=False)}
    assert isnan(values["cohen_kappa"].value)
    assert "true negatives" in values["cohen_kappa"].reason
    assert values["precision"].value == 0.4


def test_title_of_f_names_its_beta() -> None:
    titles = [v.title for v in all_measures(Counts(1, 1, 1, 1), beta=2)]
    assert "F2" in titles


@pytest.mark.parametrize("beta", [0, -1, nan, inf])
def test_beta_that_makes_no_f_is_refused(beta: float) -> None:
    with pytest.raises(UsageError, match="beta must lie between"):
        all_measures(Counts(1, 1, 1, 1), beta=beta)
    with pytest.raises(UsageError, match="beta must lie between"):
        f_beta(Counts(1, 1, 1, 1), beta=beta)


@pytest.mark.parametrize("count", [-1, nan, inf])
def test_impossible_counts_are_refused_by_name(count: float) -> None:
    with pytest.raises(UsageError, match="fn must be a number from 0 up"):
        all_measures(Counts(1, 1, count, 1))


# --- the cards ---


@every_measure
def test_card_has_title_source_and_the_number_the_code_gives(measure: Measure) -> None:
    card = (CARDS / f"{measure.name}.md").read_text(encoding="utf-8")
    assert card.startswith(f"# {measure.title}\n")
    assert f"**Source.** {measure.citation}" in card
    example = re.search(r"`jurybox measures ([^`]*)` gives \*\*([-.\d]+)\*\*", card)
    assert example is not None
    options = re.findall(r"--(\w+) ([.\d]+)", example[1])
    counts = Counts(**{name: float(value) for name, value in options})
    assert f"{measure.value(counts):.4f}" == example[2]
    assert ("tn" in dict(options)) == measure.needs_tn


@every_measure
def test_docstring_gives_formula_meaning_of_undefined_and_an_example(measure: Measure) -> None:
    text = measure.function.__doc__ or ""
    assert " = " in text
    assert re.search("[Uu]ndefined", text)
    assert ">>>" in text
