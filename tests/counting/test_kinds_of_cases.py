"""Kinds of cases instead of cases: the same numbers, in whatever order rows and files come."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jurybox as jb
from jurybox.formats import Input
from jurybox.jury.evaluate import evaluation
from jurybox.raters.agreement import fleiss_kappa, gwet_ac1, krippendorff_alpha
from jurybox.raters.pairs import count_pairs, pairs_of_cells
from jurybox.raters.ratings import case_histogram, label_counts, ratings_from_codes, select
from made_ratings import LABELS, code_tables

RATERS = ("Ann", "Bob", "Cem", "Dea")
said = st.dictionaries(
    st.tuples(st.sampled_from([f"c{k}" for k in range(1, 9)]), st.sampled_from(RATERS)),
    st.sampled_from(["error", "ok", "ok", "unknown"]),
    min_size=8,
    max_size=32,
)
#: judged by everybody first, so that raters keep their numbers
FIRST = [("c0", rater, "error" if rater == "Ann" else "ok") for rater in RATERS]


def table(rows: list[tuple[str, ...]], *titles: str) -> Input:
    return Input.from_text("\n".join(",".join(row) for row in [titles, *rows]) + "\n")


def judged(rows: list[tuple[str, str, str]]) -> Input:
    return table(list(rows), "case", "rater", "label")


def decisions(draw: st.DataObject, cases: list[str]) -> dict[str, list[tuple[str, str]]]:
    label = st.sampled_from(["error", "ok"])
    return {name: [(case, draw.draw(label)) for case in cases] for name in ("bold", "shy")}


def numbers(result: Any) -> dict[str, Any]:
    """The result without what names files."""
    found: dict[str, Any] = result.to_dict()
    return {key: value for key, value in found.items() if key not in ("inputs", "warnings")}


def evaluated(parts: list[Input], systems: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    files = {name: table(list(rows), "case", "label") for name, rows in systems.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return numbers(jb.evaluate(None, parts, files, ci=True, resamples=50))


@given(given_=said, data=st.data())
@settings(deadline=None)
def test_evaluate_gives_the_same_by_kinds_and_by_cases(
    given_: dict[tuple[str, str], str], data: st.DataObject
) -> None:
    rows = [*FIRST, *((case, rater, label) for (case, rater), label in given_.items())]
    systems = decisions(data, sorted({case for case, _, _ in rows}))
    by_kinds = evaluated([judged(rows)], systems)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "_only_votes_matter", lambda *_: False)
        by_cases = evaluated([judged(rows)], systems)
    assert by_kinds == by_cases


@given(given_=said, data=st.data())
@settings(deadline=None)
def test_order_of_rows_and_files_changes_no_digit_of_evaluate(
    given_: dict[tuple[str, str], str], data: st.DataObject
) -> None:
    rows = [(case, rater, label) for (case, rater), label in given_.items()]
    systems = decisions(data, sorted({"c0", *(case for case, _, _ in rows)}))
    other = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(other) - 1))
    parts = [judged([*FIRST, *other[:cut]]), judged(other[cut:])]
    assert evaluated([judged([*FIRST, *rows])], systems) == evaluated(parts, systems)


@given(given_=said, data=st.data())
@settings(deadline=None)
def test_order_of_rows_and_files_changes_no_digit_of_agree_and_aggregate(
    given_: dict[tuple[str, str], str], data: st.DataObject
) -> None:
    rows = [(case, rater, label) for (case, rater), label in given_.items()]
    other = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(other) - 1))
    one = [judged([*FIRST, *rows])]
    parts = [judged([*FIRST, *other[:cut]]), judged(other[cut:])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert numbers(jb.agree(one, ci=True)) == numbers(jb.agree(parts, ci=True))
        for method in ("majority", "dawid-skene"):
            first, second = (numbers(jb.aggregate(files, method=method)) for files in (one, parts))
            for found in (first, second):
                found["ties"]["cases"] = sorted(found["ties"]["cases"])
            assert first == second


@given(codes=code_tables)
def test_coefficients_of_kinds_are_those_of_cases(codes: np.ndarray) -> None:
    ratings = ratings_from_codes(codes, LABELS)
    kinds = case_histogram(ratings)
    for coefficient in (fleiss_kappa, gwet_ac1, krippendorff_alpha):
        whole = coefficient(label_counts(ratings))
        assert coefficient(kinds.kinds, sizes=kinds.sizes) == pytest.approx(whole, nan_ok=True)


@given(codes=code_tables, data=st.data())
def test_pairs_of_raters_are_added_over_parts_of_the_cases(
    codes: np.ndarray, data: st.DataObject
) -> None:
    ratings = ratings_from_codes(codes, LABELS)
    mine = np.array([data.draw(st.booleans()) for _ in range(len(codes))], dtype=bool)
    parts = [count_pairs(select(ratings, own[ratings.case])) for own in (mine, ~mine)]
    whole, added = (
        pairs_of_cells(cells) for cells in (count_pairs(ratings), parts[0].add(parts[1]))
    )
    for one, other in zip(whole[:6], added[:6], strict=True):
        np.testing.assert_array_equal(one, other)
