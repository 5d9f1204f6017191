"""`aggregate`: known answers, ties by name, labels spelled as they were read."""

from __future__ import annotations

import json
import sys
import warnings
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, JuryboxWarning, MissingExtraError, UsageError
from jurybox.formats import Input
from jurybox.raters.aggregate import CROWDKIT, aggregate
from saved_results import check_restored

TIED = [("c1", "Ann", "ok"), ("c1", "Bob", "error"), ("c2", "Ann", "ok"), ("c2", "Bob", "ok")]


@pytest.fixture(scope="module")
def rte(data_dir: Path) -> Input:
    return Input.from_text((data_dir / "snow" / "rte.csv").read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("ignore:.*'item' is read as case")
class TestSnow2008:
    """RTE, 800 items by 10 raters (Snow et al. 2008; reference values)."""

    def test_majority_under_random_ties_is_the_exact_expectation_for_any_seed(
        self, rte: Input
    ) -> None:
        found = [aggregate(rte, seed=seed) for seed in (1, 2)]
        assert [one.accuracy for one in found] == [0.896875, 0.896875]
        assert len(found[0].ties.cases) == 65
        assert found[0].labels != found[1].labels

    def test_all_ties_to_0_is_another_number(self, rte: Input) -> None:
        assert aggregate(rte, ties="0").accuracy == 0.91875

    @pytest.mark.parametrize(("smoothing", "right"), [(0, 742), (1, 744)])
    def test_dawid_skene(self, rte: Input, smoothing: float, right: int) -> None:
        result = aggregate(rte, method="dawid-skene", smoothing=smoothing)
        assert result.gold is not None
        assert (result.gold.right, result.accuracy) == (right, right / 800)

    def test_gold_weighted_is_better_than_the_majority(self, rte: Input) -> None:
        assert aggregate(rte, method="gold-weighted").accuracy > 0.9

    def test_names_come_back_as_they_were_read(self, rte: Input) -> None:
        labels = json.loads(aggregate(rte).to_json())["labels"]
        assert list(labels)[:2] == ["25", "35"]
        assert set(labels.values()) == {"0", "1"}


def test_the_policy_is_in_result_and_signature() -> None:
    for policy, label in (("drop", None), ("first", "error"), ("ok", "ok")):
        result = aggregate(TIED, ties=policy)
        assert result["c1"].label == label
        assert result.to_dict()["ties"] == {"policy": policy, "cases": ["c1"]}
        assert f"ties:{policy}" in result.signature
    assert "ties:random" in aggregate(TIED).signature


def test_a_dropped_tie_counts_as_unlabelled_not_as_wrong() -> None:
    result = aggregate(TIED, ties="drop", gold={"c1": "ok", "c2": "ok"})
    assert result.gold is not None
    assert (result.accuracy, result.gold.cases, result.gold.unlabelled) == (1.0, 1, 1)


def test_a_policy_that_is_no_label_is_refused() -> None:
    with pytest.raises(UsageError, match="random, drop, first"):
        aggregate(TIED, ties="okay!")


@pytest.mark.parametrize(
    "options",
    [
        {"method": "vote"},
        {"smoothing": 1.0},
        {"method": "dawid-skene", "smoothing": -1.0},
        {"method": "dawid-skene", "smoothing": float("nan")},
        {"seed": -1},
        {"method": "glad", "ties": "drop"},
        {"expert": "Ann", "gold": {"c1": "ok"}},
    ],
)
def test_options_that_make_no_sense_are_refused_before_the_work(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        aggregate("no such file", **options)  # type: ignore[arg-type]  # options of all kinds


def test_gold_weighted_without_gold_says_where_gold_can_come_from() -> None:
    with pytest.raises(InputError, match="--expert"):
        aggregate(TIED, method="gold-weighted")


def test_the_word_of_one_who_is_always_right_outweighs_two_who_are_not() -> None:
    said = [(f"c{n}", who, "a" if who == "Ann" else "b") for n in range(8) for who in ("Ann", "B")]
    said += [("x", "Ann", "b"), ("x", "B", "a"), ("x", "C", "a")]
    gold = {f"c{n}": "a" for n in range(8)}
    result = aggregate(said, method="gold-weighted", gold=gold)
    assert result["x"].label == "b"
    assert result.weights is not None
    assert result.weights["Ann"] > result.weights["C"] > result.weights["B"]
    assert aggregate(said, gold=gold)["x"].label == "a"


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=4),
    st.data(),
)
def test_accuracy_is_the_mean_over_all_ways_to_settle_the_ties(
    votes: list[list[str]], data: st.DataObject
) -> None:
    said = [(f"c{i}", f"R{j}", label) for i, row in enumerate(votes) for j, label in enumerate(row)]
    gold = {f"c{i}": data.draw(st.sampled_from("abc")) for i in range(len(votes))}
    best = []
    for row in votes:
        most = max(row.count(label) for label in row)
        best.append(sorted({label for label in row if row.count(label) == most}))
    ways = [
        sum(label == gold[f"c{i}"] for i, label in enumerate(way)) / len(votes)
        for way in product(*best)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        result = aggregate(said, gold=gold)
    assert result.accuracy == pytest.approx(sum(ways) / len(ways))


def test_ties_of_weighted_votes_are_settled_in_expectation_too() -> None:
    # on c9 the two weigh the same: each was right once and wrong once elsewhere
    said = [("c1", "Ann", "a"), ("c1", "Bob", "b"), ("c2", "Ann", "a"), ("c2", "Bob", "b")]
    said += [("c9", "Ann", "a"), ("c9", "Bob", "b")]
    gold = {"c1": "a", "c2": "b", "c9": "a"}
    result = aggregate(said, method="gold-weighted", gold=gold)
    assert result["c9"].tied
    settled = sum(result[c].label == gold[c] for c in ("c1", "c2") if not result[c].tied)
    open_cases = sum(result[c].tied for c in gold)
    assert result.accuracy == pytest.approx((settled + open_cases / 2) / 3)


def test_an_expert_is_what_labels_are_checked_against() -> None:
    said = [*TIED, ("c1", "Eve", "ok"), ("c2", "Eve", "error")]
    result = aggregate(said, expert="Eve")
    assert (result.accuracy, result.raters, result.judgments) == (0.25, 2, 4)


def test_gug_expert_and_crowd_are_kept_apart(data_dir: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        result = aggregate(data_dir / "gug" / "gug_annotations.tsv", expert="expert")
    assert (result.raters, result.cases, result.unlabelled) == (5, 3129, 110)


def test_every_label_is_a_row_of_the_csv() -> None:
    rows = aggregate(TIED, ties="drop").to_csv().splitlines()
    assert rows == [
        "case,label,confidence,judgments,tied",
        "c1,,,2,yes",
        "c2,ok,1.0,2,",
    ]


@pytest.mark.parametrize("method", ["majority", "gold-weighted", "dawid-skene"])
def test_a_saved_result_comes_back(method: str) -> None:
    result = aggregate(TIED, method=method, ties="drop", gold={"c1": "ok", "c2": "ok"})
    check_restored(result)


def test_methods_of_crowd_kit_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)  # as if it were not installed
    with pytest.raises(MissingExtraError, match=r"jurybox\[crowd\]"):
        aggregate(TIED, method="glad")


@pytest.mark.parametrize("method", CROWDKIT)
@pytest.mark.filterwarnings("ignore")
def test_methods_of_crowd_kit_find_what_most_say(method: str) -> None:
    pytest.importorskip(
        "crowdkit", reason="crowd-kit is not installed: pip install 'jurybox[crowd]'"
    )
    said = [
        (f"c{n}", who, "yes" if n % 2 else "no") for n in range(12) for who in ("Ann", "Bob", "Cem")
    ]
    said += [(f"c{n}", "Dan", "no") for n in range(12)]
    labels = aggregate(said, method=method).labels
    assert labels == {f"c{n}": "yes" if n % 2 else "no" for n in range(12)}
