"""`metaeval`: who is compared with whom, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import jurybox as jb
from jurybox.errors import InputError, JuryboxWarning, UnknownNameError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables.rankings import Ranking
from jurybox.metaeval import metaeval
from jurybox.metaeval.result import MetaevalResult

SAMPLE = Path(jb.__file__).parent / "data" / "sample"
RANKED = [
    Ranking("1", "Ann", {"A": 1, "B": 2, "C": 3}),
    Ranking("1", "Bob", {"A": 1, "B": 2, "C": 3}),
    Ranking("2", "Ann", {"A": 2, "B": 1, "C": 3}),
]
SCORES = {"good": {"A": 3.0, "B": 2.0, "C": 1.0}, "bad": {"A": 1.0, "B": 2.0, "C": 3.0}}


def values(found: MetaevalResult, metric: str) -> dict[str, float]:
    return {one.measure: one.value for one in found.of(metric).measures}


def test_a_metric_in_peoples_order_is_perfect_and_the_reverse_is_not() -> None:
    found = metaeval(SCORES, RANKED, resamples=50)
    assert [system.name for system in found.systems] == ["A", "B", "C"]
    assert values(found, "good")["kendall"] == values(found, "good")["pairwise_accuracy"] == 1
    assert values(found, "bad")["spearman"] == pytest.approx(-1)
    assert values(found, "bad")["pairwise_accuracy"] == 0
    assert found.systems[0].human == pytest.approx((2 / 3 + 1) / 2)
    assert found.ranked is not None
    assert tuple(found.ranked) == (3, 2, 2, 9, 0)  # rankings, sentences, judges, decided, ties


def test_lower_is_better_turns_a_metric_round() -> None:
    found = metaeval(SCORES, RANKED, lower_is_better=["bad"], resamples=50)
    assert values(found, "bad") == values(found, "good")


def test_the_same_seed_gives_the_same_result_and_metrics_do_not_disturb_each_other() -> None:
    both, alone = metaeval(SCORES, RANKED), metaeval({"bad": SCORES["bad"]}, RANKED)
    assert both.to_dict() == metaeval(SCORES, RANKED).to_dict()
    assert both.of("bad") == alone.of("bad")
    assert metaeval(SCORES, RANKED, seed=2).to_dict() != both.to_dict()


def test_systems_that_one_side_lacks_are_left_out_and_named() -> None:
    more = {"m": {"A": 3.0, "B": 2.0, "X": 1.0}}
    with pytest.warns(JuryboxWarning) as told:
        found = metaeval(more, RANKED, resamples=20)
    messages = [str(one.message) for one in told]
    assert messages == list(found.warnings)
    assert any("has no score for C" in message for message in messages)
    assert any("X; left out" in message for message in messages)
    assert [system.name for system in found.systems] == ["A", "B"]


def test_a_system_is_known_by_its_file_without_the_ending() -> None:
    files = {"m": {"out/A.txt": 3.0, "B.m2": 2.0, "C": 1.0}}
    assert values(metaeval(files, RANKED, resamples=20), "m")["kendall"] == 1


def test_without_takes_a_system_out_of_correlations_but_not_out_of_the_rankings() -> None:
    whole, part = metaeval(SCORES, RANKED), metaeval(SCORES, RANKED, without=["C"])
    assert [one.human for one in part.systems] == [one.human for one in whole.systems[:2]]
    assert part.of("good").systems == 2


def test_without_judges_leaves_their_rankings_out() -> None:
    found = metaeval(SCORES, RANKED, without_judges=["Bob"], resamples=20)
    assert found.ranked is not None
    assert (found.ranked.rankings, found.ranked.judges) == (2, 1)
    assert found.systems[0].human == pytest.approx(0.75)


def test_scores_of_people_draw_systems_instead_of_sentences() -> None:
    found = metaeval(SCORES, {"A": 3, "B": 1, "C": 2}, resamples=50)
    assert found.options.ci.unit == "system"
    assert found.ranked is None
    assert found.systems[0].interval is None


def test_a_result_of_score_gives_f_and_by_name_precision_and_recall(tmp_path: Path) -> None:
    texts = {name: SAMPLE / f"{name}.txt" for name in ("source", "cautious", "bold", "rewriter")}
    scored = jb.score(texts, SAMPLE / "A1.m2")
    people = {"source": 1, "cautious": 3, "bold": 4, "rewriter": 2}
    direct = metaeval(scored, people, resamples=20)
    assert [one.metric for one in direct.metrics] == ["m2:f0.5"]
    saved = tmp_path / "m2.json"
    saved.write_text(scored.to_json(), encoding="utf-8")
    named = metaeval(saved, people, metrics=["m2:recall", "m2:f0.5"], resamples=20)
    assert named.of("m2:f0.5") == direct.of("m2:f0.5")
    assert [(pair.first, pair.second) for pair in named.pairs] == [("m2:f0.5", "m2:recall")]


def test_sentences_are_held_against_single_rankings() -> None:
    table = "sentence,system,score\n1,A,3\n1,B,2\n1,C,2\n2,A,3\n2,B,1\n2,C,1\n"
    found = metaeval(Input.from_text(table, "m.csv"), RANKED, resamples=50).of("m")
    # sentence 1, twice: A>B, A>C right, B>C tied; sentence 2: B>A wrong, B>C tied, A>C right
    assert (found.right, found.wrong, found.tied) == (5, 1, 3)
    assert found.by("pairwise_accuracy").value == 5 / 9
    assert found.by("kendall").value == 4 / 9


def test_systems_left_out_take_their_pairs_with_them() -> None:
    table = "sentence,system,score\n1,A,3\n1,B,2\n2,A,3\n2,B,1\n"
    found = metaeval(Input.from_text(table, "m.csv"), RANKED, without=["C"], resamples=50).of("m")
    assert (found.right, found.wrong, found.tied) == (2, 1, 0)


def test_a_ranked_sentence_without_a_score_is_an_error_that_names_it() -> None:
    table = "sentence,system,score\n1,A,3\n1,B,2\n1,C,2\n2,A,3\n2,B,1\n"
    with pytest.raises(InputError, match=r"no score for 'C' on sentence '2'.*\(1 are missing\)"):
        metaeval(Input.from_text(table, "m.csv"), RANKED)


@pytest.mark.parametrize(
    ("change", "error", "why"),
    [
        ({"metrics": ["goood"]}, UnknownNameError, "did you mean 'good'"),
        ({"without": ["Z"]}, UnknownNameError, r"system \(--without\) 'Z'"),
        ({"without_judges": ["Bib"]}, UnknownNameError, "did you mean 'Bob'"),
        ({"without_judges": ["Ann", "Bob"]}, InputError, "no ranking is left"),
        ({"lower_is_better": ["x"]}, UnknownNameError, "--lower-is-better"),
        ({"without": ["A", "B"]}, InputError, "have 1 system in common"),
        ({"orders": 0}, UsageError, "--orders"),
        ({"ci_unit": "judge"}, UnknownNameError, "--ci-unit"),
        ({"resamples": 0}, UsageError, "--resamples"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    change: dict[str, object], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        metaeval(SCORES, RANKED, **change)  # type: ignore[arg-type]  # wrong on purpose


def test_two_human_sides_and_two_metrics_of_a_name_are_refused() -> None:
    with pytest.raises(UsageError, match="--human takes rankings"):
        metaeval(SCORES, [*RANKED, {"A": 1.0}])
    with pytest.raises(UsageError, match="--without-judges is about rankings"):
        metaeval(SCORES, {"A": 1, "B": 2}, without_judges=["Ann"])
    with pytest.raises(InputError, match="scores by 'good' are there already"):
        metaeval([SCORES, {"good": {"A": 1.0}}], RANKED)
    sentences = Input.from_text("sentence,system,score\n1,A,3\n1,B,3\n", "m.csv")
    with pytest.raises(InputError, match="people's scores are of whole systems"):
        metaeval(sentences, {"A": 1, "B": 2})


def test_one_sentence_alone_has_no_interval_and_says_so() -> None:
    found = metaeval(SCORES, RANKED[:1], resamples=20)
    assert found.of("good").by("pearson").interval.reason == "one sentence shows no variation"
    assert "one sentence shows no variation" in str(found)


def test_a_system_that_only_ties_is_left_out_and_named() -> None:
    ranked = [*RANKED, Ranking("1", "Eve", {"D": 1, "A": 1})]
    with pytest.warns(JuryboxWarning, match="people never decide about D"):
        found = metaeval(SCORES, ranked, resamples=20)
    assert "D" not in [system.name for system in found.systems]


def test_resamples_without_a_decision_are_told() -> None:
    ranked = [Ranking("1", "Ann", {"A": 1, "B": 2}), Ranking("2", "Ann", {"B": 1, "C": 2})]
    with pytest.warns(JuryboxWarning, match="resamples of sentences a system is decided against"):
        metaeval(SCORES, ranked, resamples=50)


def test_more_rankings_make_the_interval_of_a_system_narrower() -> None:
    sides = [{"A": 1.0, "B": 2.0, "C": 3.0}, {"A": 2.0, "B": 1.0, "C": 3.0}]
    few = [Ranking(str(n), "Ann", sides[n % 2]) for n in range(6)]
    many = [Ranking(str(n), "Ann", sides[n % 2]) for n in range(60)]

    def width(ranked: list[Ranking]) -> float:
        interval = metaeval(SCORES, ranked, resamples=300).systems[0].interval
        assert interval is not None
        return interval.high - interval.low

    assert width(many) < width(few) / 2
