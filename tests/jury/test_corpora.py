"""Two corpora: bins side by side, and everything that speaks against comparing them."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text

from jurybox.errors import UsageError
from jurybox.jury.bins import Bin, bin_cases, score_bins
from jurybox.jury.evaluate import evaluate
from jurybox.jury.evaluate.other_corpus import describe_corpus, find_cautions, pair_bins
from jurybox.jury.evaluate.result import Corpus, EvaluateResult
from jurybox.jury.votes import count_votes, majority, subsample_judges
from jurybox.jury.weighted import f_of
from jurybox.model import Case, CaseSet, Counts, DecisionTable, JudgmentTable
from made_cases import judged, labels_of, panels

LABELS = ("error", "ok")


def corpus(name: str = "essays", n: int = 100, errors: int = 20, judges: int = 10) -> Corpus:
    return Corpus(name, n, errors, (judges, float(judges), judges), LABELS)


def whole(counts: Counts, high: float = 1) -> Bin:
    return Bin(counts, f_of(counts, 0.5), 0.5, high)


def kinds(first: Corpus, second: Corpus, *bins: tuple[Counts, Counts]) -> list[str]:
    pairs = pair_bins([whole(a) for a, _ in bins], [whole(b) for _, b in bins])
    return [caution.kind for caution in find_cautions(first, second, pairs)]


def test_kappa_of_both_corpora_stands_side_by_side() -> None:
    first, second = Counts(12, 18, 28, 142), Counts(12, 18, 28, 42)
    pair = pair_bins([whole(first)], [whole(second)])[0]
    assert [round(kappa, 2) for kappa in pair.kappa] == [0.21, 0.0]


def test_like_corpora_give_no_caution() -> None:
    counts = Counts(10, 5, 10, 75)
    assert kinds(corpus("a"), corpus("b"), (counts, counts)) == []


def test_bin_of_29_cases_is_small_and_one_of_30_is_not() -> None:
    small, large = Counts(3, 3, 3, 20), Counts(3, 3, 3, 21)
    assert kinds(corpus("a"), corpus("b"), (large, large)) == []
    assert kinds(corpus("a"), corpus("b"), (small, large)) == ["small bin"]


def test_different_error_rates_are_named_with_the_test_statistic() -> None:
    # 20 of 100 against 40 of 100: z = .2 / sqrt(.3 × .7 × .02) = 3.09
    found = find_cautions(corpus("a"), corpus("b", errors=40), [])
    assert [caution.message for caution in found] == [
        "error rates differ in all cases: 0.200 in a, 0.400 in b (two-proportion test, z = -3.1)"
    ]
    assert find_cautions(corpus("a"), corpus("b", errors=30), []) == ()


def test_error_rates_are_compared_within_bins_too() -> None:
    low, high = Counts(5, 5, 5, 85), Counts(30, 5, 30, 35)
    assert kinds(corpus("a"), corpus("b"), (low, high)) == ["error rates"]


def test_other_numbers_of_judges_and_other_labels_are_named_with_the_remedy() -> None:
    second = Corpus("tweets", 100, 20, (3, 4.0, 5), (*LABELS, "unknown"))
    judges, labels = find_cautions(corpus(), second, [])
    assert judges.message == (
        "essays has 10 judges per case and tweets has 3 to 5 judges per case (median 4); "
        "give both at most 4 per case with --judges 4"
    )
    assert labels.message == "essays uses error, ok; tweets uses error, ok, unknown"


def test_bins_with_other_edges_are_not_paired() -> None:
    with pytest.raises(UsageError, match="edges are the same"):
        pair_bins([whole(Counts())], [whole(Counts(), 0.9)])


def test_corpus_is_described_by_its_cases_judges_and_labels() -> None:
    table = judged("eeo", "oo.", "u..", "oou")
    votes = count_votes(table, 4)
    found = describe_corpus("essays", votes, majority(votes).truth, np.ones(4, dtype=np.int64))
    assert found == Corpus("essays", 3, 1, (2, 2.0, 3), ("error", "ok", "unknown"))
    assert found.error_rate == pytest.approx(1 / 3)


@given(cases=panels, per_case=st.integers(1, 5), seed=st.integers(0, 9))
def test_subsample_keeps_so_many_deciding_judgments_of_every_case(
    cases: list[str], per_case: int, seed: int
) -> None:
    table = judged(*cases)
    part = subsample_judges(table, len(cases), per_case, np.random.default_rng(seed))
    whole, votes = (count_votes(t, len(cases)) for t in (table, part))
    assert votes.deciding.tolist() == np.minimum(whole.deciding, per_case).tolist()
    assert votes.unknowns.tolist() == whole.unknowns.tolist()
    given_pairs = set(zip(table.case, table.answer, strict=True))
    assert set(zip(part.case, part.answer, strict=True)) <= given_pairs


def test_subsample_draws_every_judgment_as_often_and_keeps_corrections_beside() -> None:
    table = JudgmentTable()
    for rater in range(4):
        table.append(0, f"r{rater}", "error", (f"word {rater}",))
    rng = np.random.default_rng(0)
    seen = np.zeros(4)
    for _ in range(800):
        part = subsample_judges(table, 1, 2, rng)
        assert part.correction is not None
        for answer, place in zip(part.answer, part.correction, strict=True):
            assert part.corrections[place] == (f"word {answer >> 8}",)
            seen[answer >> 8] += 1
    assert seen == pytest.approx([400] * 4, abs=60)


def test_subsampled_corpora_can_be_binned_alike() -> None:
    table = judged("eeeeo", "ooooo")
    part = subsample_judges(table, 2, 2, np.random.default_rng(0))
    votes = count_votes(part, 2)
    bins = score_bins(bin_cases(votes), labels_of([1, 0]), majority(votes).truth)
    assert sum(found.n for found in bins) == 2


def test_a_single_judge_is_no_remedy() -> None:
    few = corpus("tweets")._replace(judges=(1, 7.0, 10))
    (caution,) = find_cautions(corpus(), few, [])
    assert caution.message.endswith("give both at most 7 per case with --judges 7")
    one = corpus("tweets")._replace(judges=(1, 1.0, 1))
    (caution,) = find_cautions(corpus(), one, [])
    assert "one judge per case always agrees" in caution.message


def test_keeping_no_judge_is_refused() -> None:
    with pytest.raises(UsageError, match="at least 1 judge"):
        subsample_judges(judged("e"), 1, 0, np.random.default_rng(0))


# --- the kappa-agreement plot of two corpora: Madnani et al. (2011), section 4.2 ---


def evaluated(system: str, every: int, **options: Any) -> EvaluateResult:
    """40 cases by four raters: of four, two are ok, one is an error for all, one for three."""
    table = JudgmentTable()
    for case in range(40):
        for rater in range(4):
            error = case % 4 == 1 or (case % 4 == 3 and rater)
            table.append(case, f"r{rater}", "error" if error else "ok")
    flags = array("b", [case % every == 1 for case in range(40)])
    cases = CaseSet(tuple(Case(f"c{case}") for case in range(40)))
    return evaluate(cases, table, {system: DecisionTable(system, flags)}, **options)


@pytest.mark.parametrize("ci", [False, True])
def test_the_figure_has_the_kappa_of_both_corpora_in_every_bin(ci: bool) -> None:
    """PERC flags what all call an error; LM what three of four call one as well."""
    there = evaluated("LM", 2, ci=ci, resamples=20)
    both = evaluated("PERC", 4, compare_with=there, ci=ci, resamples=20)
    assert both.other_corpus is not None
    [pair] = both.other_corpus.pairs
    assert [(one.n, one.counts) for one in pair.bins[1:]] == [
        ((10, 10), (Counts(fn=10), Counts(tp=10))),
        ((30, 30), (Counts(tp=10, tn=20), Counts(tp=10, tn=20))),
    ]
    assert all((one is not None) == ci for one in pair.bins[2].intervals)
    said = [text.get_text() for text in both.figure("kappa").findobj(Text)]
    assert {"PERC (cases) 1.00", "LM (cases (other)) 1.00"} <= {*said}
    assert any("small bin" in one for one in said)
