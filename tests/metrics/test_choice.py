"""The choice of annotators: both official rules, their ties, and known totals of real systems."""

from __future__ import annotations

import csv
import lzma
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.metrics.choice import choose, totals, totals_by_type
from jurybox.model import CountsTable

Row = tuple[int, int, int]


def table_of(*sentences: list[Row]) -> CountsTable:
    most = max(map(len, sentences), default=1)
    table = CountsTable(annotators=[str(i) for i in range(most)])
    for rows in sentences:
        table.append(enumerate(rows))
    return table


def places(table: CountsTable, **options: object) -> list[int]:
    """The chosen candidate of every sentence, counted within the sentence."""
    chosen = choose(table, **options)  # type: ignore[arg-type]  # options are passed through
    return [row - start for row, start in zip(chosen, table.starts[:-1], strict=True)]


def test_m2_running_weighs_candidates_with_the_sentences_before() -> None:
    table = table_of([(0, 9, 9)], [(2, 1, 1), (1, 0, 0)])
    assert places(table, rule="running") == [0, 0]  # 2.5/15 against 1.25/12.5
    assert places(table, rule="sentence") == [0, 1]  # 2.5/3.75 against 1


def test_m2_exact_tie_of_f_goes_to_more_correct() -> None:
    # 1.25·1/(1 + 0.25·2) = 1.25·2/(2 + 0.25·4): by way of rounded P and R they could differ
    assert places(table_of([(0, 0, 1)], [(1, 0, 0), (2, 0, 1)])) == [0, 1]


def test_m2_tie_seen_in_the_official_scorer_is_a_tie_in_one_division() -> None:
    # correct/proposed/gold 36/91/122 against 36/90/126: the denominators are 121.5 both
    table = table_of([(36, 55, 86), (36, 54, 90)])
    assert places(table) == [0]
    assert places(table_of([(36, 54, 90), (36, 55, 86)])) == [0]


def test_m2_equal_correct_goes_to_the_smaller_denominator_even_where_f_is_zero() -> None:
    assert places(table_of([(0, 1, 0), (0, 0, 1)])) == [1]


def test_m2_nothing_to_find_and_nothing_proposed_counts_as_f_one() -> None:
    assert places(table_of([(9, 1, 1), (0, 0, 0)])) == [1]


def test_m2_perfect_f_ties_with_empty_and_goes_to_more_correct() -> None:
    assert places(table_of([(0, 0, 0), (1, 0, 0)])) == [1]


def test_errant_rounds_f_before_comparing() -> None:
    # F = .449999 and .449964: equal in four places; then the higher TP wins
    before = (4499, 5498, 5502)
    table = table_of([before], [(0, 0, 0), (1, 2, 2)])
    f = [Fraction(5 * tp, 5 * tp + 4 * fp + fn) for tp, fp, fn in [before, (4500, 5500, 5504)]]
    assert f[0] > f[1]
    assert round(float(f[0]), 4) == round(float(f[1]), 4)
    assert places(table, metric="errant") == [0, 1]
    assert places(table, metric="m2") == [0, 0]


@pytest.mark.parametrize(
    ("worse", "better"),
    [((0, 1, 1), (0, 0, 2)), ((0, 1, 2), (0, 1, 1)), ((0, 0, 0), (2, 0, 0))],
    ids=["fewer false positives", "fewer false negatives", "more true positives"],
)
def test_errant_ties_are_broken_in_order(worse: Row, better: Row) -> None:
    assert places(table_of([worse, better]), metric="errant") == [1]
    assert places(table_of([better, worse]), metric="errant") == [0]


def test_errant_proposing_nothing_is_zero_with_gold_and_one_without() -> None:
    # P = 1 and R = 0 give F = 0, and P = R = 1 gives 1
    assert places(table_of([(0, 0, 3), (1, 5, 5)]), metric="errant") == [1]
    assert places(table_of([(1, 5, 5), (0, 0, 0)]), metric="errant") == [1]


@pytest.mark.parametrize("metric", ["m2", "errant"])
@pytest.mark.parametrize("rule", ["running", "sentence"])
def test_of_equal_candidates_the_first_counts(metric: str, rule: str) -> None:
    table = table_of([(1, 2, 3)] * 3, [(0, 9, 9), (2, 1, 0), (2, 1, 0)])
    assert places(table, metric=metric, rule=rule) == [0, 1]


small = st.integers(0, 6)
rows = st.tuples(small, small, small)
tables = st.lists(st.lists(rows, min_size=1, max_size=5), max_size=12).map(
    lambda sentences: table_of(*sentences)
)
betas = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)])


@given(tables, betas)
def test_m2_running_choice_is_the_best_in_exact_arithmetic(
    table: CountsTable, beta: Fraction
) -> None:
    c = p = g = 0
    chosen = choose(table, beta=float(beta))
    for sentence, row in enumerate(chosen):
        ratings = []
        for candidate in table.rows(sentence):
            tp, fp, fn = (table.values[name][candidate] for name in table.columns)
            cost = (p + tp + fp) + beta**2 * (g + tp + fn)
            f = (1 + beta**2) * (c + tp) / cost if cost else Fraction(1)
            ratings.append((f, tp, -cost, -candidate))
        assert -max(ratings)[-1] == row
        tp, fp, fn = (table.values[name][row] for name in table.columns)
        c, p, g = c + tp, p + tp + fp, g + tp + fn


@given(tables)
def test_sentence_choice_does_not_depend_on_the_other_sentences(table: CountsTable) -> None:
    alone = []
    for sentence in range(len(table)):
        candidates = [
            tuple(table.values[name][row] for name in table.columns) for row in table.rows(sentence)
        ]
        one = CountsTable(annotators=table.annotators)
        one.append(enumerate(candidates))
        alone += [table.starts[sentence] + choose(one)[0]]
    assert list(choose(table, rule="sentence")) == alone


@given(tables)
def test_totals_of_all_rows_are_the_column_sums(table: CountsTable) -> None:
    every = range(len(table.annotator))
    assert totals(table, every) == {name: sum(table.values[name]) for name in table.columns}


def test_totals_by_type_add_only_the_chosen_rows() -> None:
    table = table_of([(1, 0, 0), (0, 1, 1)], [(0, 1, 1)])
    table.by_type = [
        {"Prep": (1, 0, 0)},
        {"Prep": (0, 1, 1)},
        {"Art": (0, 1, 0), "Prep": (0, 0, 1)},
    ]
    assert totals_by_type(table, choose(table)) == {"Art": (0, 1, 0), "Prep": (1, 0, 1)}


def test_totals_by_type_without_types_says_how_to_get_them() -> None:
    with pytest.raises(InputError, match="--by type"):
        totals_by_type(table_of([(1, 0, 0)]), [0])


def test_an_empty_table_has_no_choice() -> None:
    assert list(choose(CountsTable())) == []


def test_a_sentence_without_candidates_is_an_error_that_names_it() -> None:
    table = table_of([(1, 0, 0)], [])
    with pytest.raises(InputError, match="sentence 2 has no candidate"):
        choose(table)


def test_gleu_counts_are_refused() -> None:
    table = CountsTable(columns=("hyp_len", "ref_len"), annotators=["0"])
    table.append([(0, (3, 3))])
    with pytest.raises(InputError, match="hyp_len"):
        choose(table)


@pytest.mark.parametrize("beta", [0, -1, float("inf"), float("nan"), 1e-9])
def test_a_beta_without_meaning_is_refused(beta: float) -> None:
    with pytest.raises(UsageError, match="beta"):
        choose(table_of([(1, 0, 0)]), beta=beta)


def test_near_names_are_suggested() -> None:
    with pytest.raises(InputError, match="did you mean 'errant'"):
        choose(table_of([(1, 0, 0)]), metric="erant")
    with pytest.raises(InputError, match="did you mean 'running'"):
        choose(table_of([(1, 0, 0)]), rule="runing")


@pytest.mark.parametrize(
    ("system", "correct", "proposed", "gold"),
    [("AMU", 509, 1223, 2378), ("CAMB", 772, 1944, 2565), ("CUUI", 623, 1491, 2504)],
)
def test_running_totals_are_the_official_ones(
    data_dir: Path, system: str, correct: int, proposed: int, gold: int
) -> None:
    with lzma.open(data_dir / "oracle" / "m2-counts.csv.xz", "rt", encoding="utf-8") as lines:
        official = {  # A7 is annotator 0 of the shared task, A3 annotator 1
            (int(row["sentence"]), ["A7", "A3"].index(row["annotator"])): row
            for row in csv.DictReader(lines)
            if row["hypothesis"] == system and row["annotator"] in ("A7", "A3")
        }
    table = CountsTable(annotators=["0", "1"])
    for sentence in range(len(official) // 2):
        both = [official[sentence, annotator] for annotator in (0, 1)]
        counts = [[int(row[name]) for name in ("correct", "proposed", "gold")] for row in both]
        table.append(enumerate((c, p - c, g - c) for c, p, g in counts))
    found = totals(table, choose(table))
    assert (found["tp"], found["tp"] + found["fp"], found["tp"] + found["fn"]) == (
        correct,
        proposed,
        gold,
    )
