"""`evaluate`: a small jury worked by hand, and what must hold for every jury."""

from __future__ import annotations

import warnings
from array import array
from importlib.resources import files
from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import (
    FormatError,
    InputError,
    JuryboxError,
    JuryboxWarning,
    LengthError,
    UsageError,
)
from jurybox.formats import Input
from jurybox.jury.cases import derive_cases
from jurybox.jury.evaluate import FIGURES, evaluate
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.metrics.measures import MEASURES
from jurybox.model import Case, CaseSet, Counts, DecisionTable, JudgmentTable
from jurybox.records import plain
from saved_results import check_schema

SAMPLE = files("jurybox") / "data" / "sample" / "tiny"
RATERS = "ABCD"
#: five cases, four raters: e error, o ok; the words that A, B, C and D would put there
JUDGED = {
    "c1": ("eeeo", ("in", "in", "at", "")),
    "c2": ("eooo", ("to", "", "", "")),
    "c3": ("eeoo", ("x", "x", "", "")),
    "c4": ("oooo", ("", "", "", "")),
    "c5": ("eeee", ("on", "on", "on", "on")),
}
LABEL = {"e": "error", "o": "ok", "u": "unknown"}


def judgments_file() -> Input:
    lines = ["case,rater,label,correction"]
    for case, (marks, words) in JUDGED.items():
        for rater, mark, word in zip(RATERS, marks, words, strict=True):
            lines.append(f"{case},{rater},{LABEL[mark]},{word}")
    return Input.from_lines(lines, "judgments.csv")


def cases_file() -> Input:
    return Input.from_lines(["case", *JUDGED], "cases.csv")


def decisions_file(*rows: str, titles: str = "case,label,suggestion") -> Input:
    return Input.from_lines([titles, *rows], "decisions.csv")


MINE = ("c1,error,in", "c2,error,to", "c3,ok,", "c4,ok,", "c5,error,under")


def hand_worked(**options: Any) -> EvaluateResult:
    return evaluate(cases_file(), judgments_file(), {"mine": decisions_file(*MINE)}, **options)


def table_of(*cases: str) -> JudgmentTable:
    """Judgments of cases written as "eou.": what rater 0, 1, … says."""
    table = JudgmentTable()
    for place, marks in enumerate(cases):
        for rater, mark in enumerate(marks):
            if mark != ".":
                table.append(place, f"r{rater}", LABEL[mark])
    return table


def set_of(size: int, **fields: Any) -> CaseSet:
    return CaseSet(tuple(Case(f"c{i}", **fields) for i in range(size)))


def decide(labels: list[int], scores: list[float] | None = None) -> DecisionTable:
    return DecisionTable("s", array("b", labels), None if scores is None else array("d", scores))


def quiet(*arguments: Any, **options: Any) -> EvaluateResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        return evaluate(*arguments, **options)


# --- worked by hand ---


def test_plain_and_weighted_detection_are_those_worked_by_hand() -> None:
    mine = hand_worked()["mine"]
    assert mine.plain.counts == Counts(tp=2, fp=1, fn=0, tn=2)
    assert mine.weighted.counts == Counts(tp=2.0, fp=1.0, fn=0.5, tn=1.5)
    assert mine.plain.value("precision") == pytest.approx(2 / 3)
    assert mine.plain.value("f_beta") == pytest.approx(5 / 7)
    assert mine.plain.value("cohen_kappa") == pytest.approx(8 / 13)
    assert mine.weighted.value("recall") == pytest.approx(0.8)
    assert mine.n == 5


def test_correction_counts_and_xyz_are_those_worked_by_hand() -> None:
    mine = hand_worked()["mine"]
    # c1 is right; c2 is a false alarm; c5 is found but its suggestion is another one
    assert mine.correction.counts == (1, 2, 1, 1, 0)
    # same: 2/4 of c1, 1/4 of c2; different: 1/4 of c1, all of c5; detection: fp 1, fn 1/2
    assert mine.weighted_correction.counts == (0.75, 2.25, 1.75, 1.25, 0)
    counts = {"tp": 1, "fp": 2, "fn": 1, "xyz": 1, "uncomparable": 0}
    assert plain(mine)["correction"] == counts


def test_bins_histogram_and_contentious_cases_are_those_worked_by_hand() -> None:
    result = hand_worked()
    low, middle, high = result["mine"].bins
    assert low.counts == Counts(tn=1)  # c3, a tie that counts as ok
    assert middle.counts == Counts(tp=1, fp=1)
    assert high.counts == Counts(tp=1, tn=1)
    assert [(bar.low, bar.n, bar.tied) for bar in result.histogram] == [
        (0.5, 1, 1),
        (0.75, 2, 0),
        (1.0, 2, 0),
    ]
    assert result["mine"].contentious[:3] == (0.75, 1, 0)
    assert result.cases.ties == 1
    assert result.error_rate == pytest.approx(2 / 5)
    assert result.graded_error_rate == pytest.approx(0.5)


def test_each_rater_alone_is_a_truth_of_its_own() -> None:
    first, *_, last = hand_worked()["mine"].raters
    assert (first.name, first.counts) == ("A", Counts(tp=3, fp=0, fn=1, tn=1))
    assert (last.name, last.counts) == ("D", Counts(tp=1, fp=2, fn=0, tn=2))


@pytest.mark.parametrize(
    ("ties", "counts"),
    [
        ("ok", Counts(2, 1, 0, 2)),
        ("error", Counts(2, 1, 1, 1)),
        ("drop", Counts(2, 1, 0, 1)),
    ],
)
def test_a_tie_counts_as_its_policy_says_in_plain_counts_only(ties: str, counts: Counts) -> None:
    mine = hand_worked(ties=ties)["mine"]
    assert mine.plain.counts == counts
    assert mine.weighted.counts == Counts(2.0, 1.0, 0.5, 1.5)


def test_a_coin_settles_ties_the_same_way_for_the_same_seed() -> None:
    first, again = (hand_worked(ties="random", seed=3)["mine"].plain for _ in range(2))
    assert first == again
    assert {hand_worked(ties="random", seed=s)["mine"].plain.counts.fn for s in range(12)} == {0, 1}


@pytest.mark.parametrize(
    ("missing", "counts", "weighted"),
    [
        ("skip", Counts(2, 1, 0, 1), Counts(2.0, 1.0, 0.0, 1.0)),
        ("ok", Counts(2, 1, 0, 2), Counts(2.0, 1.0, 0.5, 1.5)),
        ("error", Counts(2, 2, 0, 1), Counts(2.5, 1.5, 0.0, 1.0)),
    ],
)
def test_a_missing_decision_is_counted_reported_and_settled(
    missing: str, counts: Counts, weighted: Counts
) -> None:
    rows = [row for row in MINE if not row.startswith("c3")]
    with pytest.warns(JuryboxWarning, match="no decision on 1 of 5 cases.*'c3'"):
        result = evaluate(
            cases_file(), judgments_file(), {"mine": decisions_file(*rows)}, missing=missing
        )
    assert (result["mine"].plain.counts, result["mine"].missing) == (counts, 1)
    assert result["mine"].weighted.counts == weighted
    assert "--missing" in result.warnings[0]


def test_smoothing_moves_weighted_counts_towards_the_rate_of_all_judgments() -> None:
    # 10 of 20 judgments say error: a prior of 4 judges is (2, 2)
    mine = hand_worked(smooth=4)["mine"]
    assert mine.weighted.counts.tp == pytest.approx((5 + 3 + 6) / 8)
    assert mine.plain.counts == hand_worked()["mine"].plain.counts


# --- what does not count ---


def test_gold_cases_are_left_out_and_counted() -> None:
    cases = Input.from_lines(["case,gold", "c1,error", "c2,", "c3,", "c4,", "c5,"])
    result = evaluate(cases, judgments_file(), {"mine": decisions_file(*MINE)})
    assert result["mine"].plain.counts == Counts(1, 1, 0, 2)
    assert (result.cases.n, result.cases.gold, result.judges.on_gold) == (4, 1, 4)
    assert result["mine"].raters[0].n == 4
    assert sum(one.n for one in result["mine"].bins) == 4


def test_trivial_cases_are_ok_by_rule_and_shown_with_and_without() -> None:
    cases = CaseSet((Case("a"), Case("b"), Case("c", trivial=True), Case("d", trivial=True)))
    result = evaluate(cases, table_of("ee", "oo"), {"s": decide([1, 0, 1, 0])})
    system = result["s"]
    assert system.plain.counts == Counts(1, 1, 0, 2)
    assert system.weighted.counts == Counts(1.0, 1.0, 0.0, 2.0)
    assert system.without_trivial is not None
    assert system.without_trivial.plain.counts == Counts(1, 0, 0, 1)
    assert result.cases.trivial == 2
    assert sum(one.n for one in system.bins) == 2


def test_judgments_on_trivial_cases_are_left_out_with_a_warning() -> None:
    cases = CaseSet((Case("a"), Case("b", trivial=True)))
    with pytest.warns(JuryboxWarning, match="on trivial cases.*: 2$"):
        result = evaluate(cases, table_of("ee", "ee"), {"s": decide([1, 1])})
    assert result["s"].plain.counts == Counts(1, 1, 0, 0)
    assert result["s"].raters[0].n == 1


def test_models_are_left_out_unless_they_are_asked_for() -> None:
    table = table_of("eoo", "ooo")
    table.kinds = ["human", "model", "model"]
    with pytest.warns(JuryboxWarning, match="models are left out: 2, with 4 judgments"):
        people = evaluate(set_of(2), table, {"s": decide([1, 0])})
    assert people["s"].plain.counts == Counts(1, 0, 0, 1)
    assert [one.name for one in people["s"].raters] == ["r0"]
    with pytest.warns(JuryboxWarning, match="2 of 3 raters are models"):
        mixed = evaluate(set_of(2), table, {"s": decide([1, 0])}, count_models=True)
    assert mixed["s"].plain.counts == Counts(0, 1, 0, 1)


def test_unjudged_cases_and_unknown_judgments_are_counted() -> None:
    with pytest.warns(JuryboxWarning, match="not counted: 2 of 3 cases"):
        result = evaluate(set_of(3), table_of("eu", "uu", ".."), {"s": decide([1, 1, 1])})
    assert (result.cases.judged, result.cases.unjudged) == (1, 2)
    assert result.judges.unknown == 3
    assert result["s"].n == 1


def test_the_same_place_listed_twice_is_reported() -> None:
    cases = CaseSet((Case("a", "x y", 0, 1), Case("b", "x y", 0, 1), Case("c", "x y", 1, 2)))
    with pytest.warns(JuryboxWarning, match="same place .*: 1 times"):
        result = evaluate(cases, table_of("e", "o", "o"), {"s": decide([1, 0, 0])})
    assert result.cases.duplicates == 1


def test_no_more_judges_per_case_than_asked_for() -> None:
    result = hand_worked(judges=3)
    assert result.judges.per_case == (3, 3.0, 3)
    assert result.judges.drawn_out == 5


# --- properties ---

panels = st.lists(st.text("eou.", min_size=3, max_size=3), min_size=1, max_size=7)


@st.composite
def trials(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    cases = draw(panels.filter(lambda found: any(set(marks) & {"e", "o"} for marks in found)))
    labels = draw(st.lists(st.sampled_from([0, 1, -1]), min_size=len(cases), max_size=len(cases)))
    return cases, labels


def numbers(result: EvaluateResult) -> list[float]:
    system = result["s"]
    values = [*plain(system.plain.measures).values(), *plain(system.weighted.measures).values()]
    counts = [system.plain.counts, system.weighted.counts, *(one.counts for one in system.bins)]
    flat = [count for four in counts for count in (four.tp, four.fp, four.fn, four.tn)]
    return [nan if value is None else value for value in (*values, *flat)]


@given(trials(), st.randoms(use_true_random=False))
def test_order_of_cases_and_of_raters_changes_nothing(
    trial: tuple[list[str], list[int]], random: Any
) -> None:
    cases, labels = trial
    order, raters = list(range(len(cases))), list(range(3))
    random.shuffle(order)
    random.shuffle(raters)
    shuffled = ["".join(cases[i][r] for r in raters) for i in order]
    before = quiet(set_of(len(cases)), table_of(*cases), {"s": decide(labels)})
    moved = decide([labels[i] for i in order])
    after = quiet(set_of(len(cases)), table_of(*shuffled), {"s": moved})
    assert numbers(after) == pytest.approx(numbers(before), nan_ok=True)


@given(trials())
def test_counts_sum_to_n_and_bins_partition_the_judged_cases(
    trial: tuple[list[str], list[int]],
) -> None:
    cases, labels = trial
    result = quiet(set_of(len(cases)), table_of(*cases), {"s": decide(labels)})
    system = result["s"]
    both = sum(
        label >= 0 and bool(set(marks) & {"e", "o"})
        for marks, label in zip(cases, labels, strict=True)
    )
    assert system.n == both == pytest.approx(system.weighted.n)
    assert sum(one.n for one in system.bins) == both
    assert sum(bar.n for bar in result.histogram) == result.cases.judged


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=8))
def test_weighted_is_plain_where_all_raters_agree(trial: list[tuple[bool, bool]]) -> None:
    table = table_of(*("eee" if error else "ooo" for error, _ in trial))
    labels = [int(reported) for _, reported in trial]
    system = quiet(set_of(len(trial)), table, {"s": decide(labels)})["s"]
    assert system.weighted.counts == system.plain.counts


# --- certainty ---


@pytest.mark.parametrize("unit", ["case", "document", "rater"])
def test_intervals_hold_the_value_and_are_the_same_for_the_same_seed(unit: str) -> None:
    cases = CaseSet(tuple(Case(f"c{i}", document=f"d{i % 5}") for i in range(40)))
    table = table_of(*(["eeeo", "eooo", "oooo", "eeee"] * 10))
    systems = {"s": decide([1, 0, 0, 1] * 10), "t": decide([1, 1, 0, 0] * 10)}
    first, again = (
        evaluate(cases, table, systems, ci=True, resamples=200, ci_unit=unit) for _ in range(2)
    )
    assert first.to_dict() == again.to_dict()
    for kind in ("plain", "weighted"):
        found = first["s"].intervals[kind]
        assert set(found) == set(MEASURES)
        spread = found["recall"]
        assert spread.low <= spread.value <= spread.high
    (pair,) = first.comparisons
    difference = pair.differences["weighted"]["recall"].spread.value
    assert difference == pytest.approx(
        first["s"].weighted.value("recall") - first["t"].weighted.value("recall")
    )


def test_documents_are_asked_for_before_they_are_resampled() -> None:
    with pytest.raises(InputError, match="--ci-unit document needs the document of every case"):
        hand_worked(ci=True, ci_unit="document")


def test_stability_shows_both_kinds_under_three_changes() -> None:
    mine = hand_worked(stability=True, resamples=50)["mine"]
    flipped, every, raters = mine.stability
    assert flipped.of("precision", "plain").value == pytest.approx(2 / 3)
    # c1 loses one of its three votes for error: p 1/2, a tie, which counts as ok
    assert flipped.of("precision", "plain").low == pytest.approx(1 / 3)
    assert flipped.of("precision", "weighted").low == pytest.approx(1.75 / 3)
    assert "every case" in every.change
    assert raters.change == "4 raters drawn anew"


# --- scores ---


def scored(**options: Any) -> EvaluateResult:
    table = table_of(*(["eee", "eeo", "ooo", "oeo"] * 6))
    scores = [0.9, 0.6, 0.1, 0.3] * 6
    return evaluate(set_of(24), table, {"s": decide([1, 1, 0, 0] * 6, scores)}, **options)


def test_scores_give_curves_areas_and_calibration() -> None:
    system = scored()["s"]
    assert system.curves["plain"].auc == 1.0
    record = plain(system)
    points = record["curves"]["plain"]["points"]
    assert [point["threshold"] for point in points] == [None, 0.9, 0.6, 0.3, 0.1]
    assert points[2]["kappa"] == 1.0
    # (.1² + (.6 - 2/3)² + .1² + (.3 - 1/3)²) / 4
    assert record["brier"]["value"] == pytest.approx((0.02 + 1 / 225 + 1 / 900) / 4)


def test_without_scores_there_are_no_curves() -> None:
    record = plain(hand_worked()["mine"])
    assert record["curves"] == {}
    assert "brier" not in record


def test_a_threshold_is_chosen_on_one_part_and_reported_on_the_other() -> None:
    chosen = scored(develop=0.5, choose="cohen_kappa", seed=2)["s"].thresholds["plain"]
    assert chosen.threshold == 0.6
    found = chosen.development.counts
    assert found == Counts(found.tp, 0, 0, 12 - found.tp)
    assert chosen.rest.value == 1.0


def test_a_threshold_overrules_labels() -> None:
    assert scored(threshold=0.8)["s"].plain.counts == Counts(6, 0, 6, 12)


def test_more_points_than_can_be_read_are_thinned() -> None:
    size = 500
    table = table_of(*(["e", "o"] * (size // 2)))
    system = evaluate(
        set_of(size), table, {"s": decide([1] * size, [float(i) for i in range(size)])}
    )["s"]
    assert len(system.curves["plain"].points) == 200


# --- undefined ---


def test_undefined_is_null_with_its_reason() -> None:
    record = evaluate(set_of(2), table_of("oo", "oo"), {"s": decide([0, 0])}).to_dict()
    (system,) = record["systems"]
    assert system["measures"]["precision"] is None
    assert "tp + fp" in system["undefined"]["precision"]
    assert system["bins"][0]["recall"] is None
    assert system["bins"][0]["undefined"]["recall"]
    assert isnan(evaluate(set_of(1), table_of("o"), {"s": decide([0])})["s"].plain.value("recall"))


def test_correction_is_undefined_where_nothing_can_be_compared() -> None:
    record = plain(evaluate(set_of(1), table_of("ee"), {"s": decide([1])})["s"])
    assert record["correction"]["uncomparable"] == 1
    assert record["correction_measures"]["precision"] is None
    assert "compared" in record["correction_undefined"]["precision"]
    assert "compared" in record["weighted_correction_undefined"]["precision"]


# --- another corpus ---


def test_another_corpus_stands_beside_with_cautions() -> None:
    other = evaluate(set_of(40), table_of(*(["ee", "oo"] * 20)), {"theirs": decide([1, 0] * 20)})
    beside = hand_worked(compare_with=other).other_corpus
    assert beside is not None
    (pair,) = beside.pairs
    assert pair[:2] == ("mine", "theirs")
    assert [one.kappa[1] for one in pair.bins][2] == 1.0
    assert {"small bin", "judges"} <= {caution.kind for caution in beside.cautions}


def test_bins_of_another_corpus_must_be_the_same() -> None:
    other = hand_worked(bins=[0.5, 0.8, 1]).to_dict()
    with pytest.raises(UsageError, match=r"--bins 0\.5,0\.8,1"):
        hand_worked(compare_with=other)


def test_what_is_no_result_cannot_stand_beside() -> None:
    with pytest.raises(InputError, match="no result of jurybox evaluate"):
        hand_worked(compare_with={"schema": "jurybox.score/1"})


# --- files and memory, bad input ---


def test_derived_cases_in_memory_give_what_their_files_give(tmp_path: Path) -> None:
    gold, bold = str(SAMPLE / "gold.m2"), str(SAMPLE / "bold.txt")
    derived = derive_cases(gold, "preposition", {"bold": bold}, tagger="words")
    derived.save(tmp_path / "cases.jsonl", tmp_path / "judgments.csv", tmp_path)
    read = evaluate(
        tmp_path / "cases.jsonl",
        [tmp_path / "judgments.csv"],
        {"bold": tmp_path / "bold.csv"},
    )
    held = evaluate(derived=derived)
    assert plain(read["bold"]) == plain(held["bold"])
    assert read.description == held.description
    assert held.description.construction == "preposition"


def test_commas_have_eight_cells() -> None:
    gold, bold = str(SAMPLE / "gold.m2"), str(SAMPLE / "bold.txt")
    derived = derive_cases(gold, ["comma", "missing-comma"], {"bold": bold}, tagger="words")
    system = quiet(derived=derived)["bold"]
    assert len(system.cells) == 8
    assert sum(one.cell.amount for one in system.cells) == system.n


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("c9,A,error,", "there is no case 'c9'"),
        ("c1,A,perhaps,", "--relabel"),
        ("c1,,error,", "no rater"),
    ],
)
def test_bad_judgments_are_refused_with_their_line(row: str, message: str) -> None:
    judgments = Input.from_lines(["case,rater,label,correction", row], "j.csv")
    with pytest.raises(FormatError, match=r"j\.csv:2") as caught:
        evaluate(cases_file(), judgments, {"mine": decisions_file(*MINE)})
    assert message in str(caught.value)


def test_a_second_judgment_by_the_same_rater_is_counted_and_the_first_stays() -> None:
    lines = ["case,rater,label", "c1,A,error", "c1,A,ok", *(f"c{i},A,ok" for i in range(2, 6))]
    with pytest.warns(JuryboxWarning, match="1 judgment by a rater on a case they had judged"):
        result = evaluate(cases_file(), Input.from_lines(lines), {"mine": decisions_file(*MINE)})
    assert result["mine"].plain.counts.tp == 1
    assert result.judges.judgments == 5


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"ties": "coin"}, "--ties"),
        ({"missing": "drop"}, "--missing"),
        ({"bin_by": "size"}, "--bin-by"),
        ({"ci_unit": "sentence"}, "--ci-unit"),
        ({"choose": "f2"}, "--choose"),
        ({"resamples": 0}, "--resamples"),
        ({"ci_level": 1.0}, "--ci-level"),
        ({"seed": -1}, "--seed"),
        ({"develop": 1.5}, "--develop"),
        ({"develop": 0.5}, "--develop"),
        ({"smooth": 0.0}, "--smooth"),
        ({"judges": 0}, "--judges"),
        ({"bins": [0.6, 1]}, "edges of bins"),
        ({"threshold": nan}, "--threshold"),
        ({"columns": {"cases": "x"}}, "--columns"),
        ({"smooth": 1.0, "ci": True, "ci_unit": "rater"}, "--smooth"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(
    options: dict[str, Any], error: str
) -> None:
    with pytest.raises(UsageError, match=error):
        hand_worked(**options)


def test_what_is_missing_is_asked_for() -> None:
    with pytest.raises(UsageError, match="--judgments"):
        evaluate(cases_file(), None, {"mine": decisions_file(*MINE)})
    with pytest.raises(UsageError, match="--system"):
        evaluate(cases_file(), judgments_file(), {})
    with pytest.raises(LengthError, match="2 decisions, but there are 1 cases"):
        evaluate(set_of(1), table_of("e"), {"s": decide([1, 0])})
    with pytest.raises(InputError, match="nobody judged"):
        evaluate(set_of(1), table_of("u"), {"s": decide([1])})


def test_columns_and_labels_can_be_those_of_the_export() -> None:
    judgments = Input.from_lines(["HITId,WorkerId,Answer", "c1,A,No", "c2,A,Yes", "c3,A,?"])
    cases = Input.from_lines(["case", "c1", "c2", "c3"])
    decisions = decisions_file("c1,No", "c2,ok", "c3,ok", titles="HITId,Answer")
    result = quiet(
        cases,
        judgments,
        {"s": decisions},
        columns={"case": "HITId", "rater": "WorkerId", "label": "Answer"},
        relabel={"No": "error", "Yes": "ok", "?": "unknown"},
    )
    assert result["s"].plain.counts == Counts(1, 0, 0, 1)
    assert result.judges.unknown == 1


def test_without_cases_those_that_were_judged_are_the_cases() -> None:
    result = evaluate(None, judgments_file(), {"mine": decisions_file(*MINE)})
    assert result["mine"].plain.counts == hand_worked()["mine"].plain.counts


# --- forms ---


def test_json_is_what_the_schema_says() -> None:
    trivial = CaseSet((*set_of(4).cases, Case("t", document="d", trivial=True)))
    systems = {"s": decide([1, 1, 0, 0, 0], [0.9, 0.8, 0.2, 0.1, 0.1]), "t": decide([0] * 5)}
    other = evaluate(trivial, table_of("ee", "eo", "oo", "oo"), systems)
    everything = evaluate(
        trivial,
        table_of("ee", "eo", "oo", "oo"),
        systems,
        ci=True,
        resamples=20,
        stability=True,
        compare_with=other,
    )
    for result in (hand_worked(), other, everything, scored(develop=0.5)):
        record = check_schema(result, "evaluate")
    keys = ["name", "n", "detection", "correction", "weighted", "measures"]
    assert {*keys, "weighted_measures", "bins", "curves"} <= record["systems"][0].keys()


def test_tables_stay_readable_for_one_system_and_for_twelve() -> None:
    systems = {f"system{i}": decisions_file(*MINE) for i in range(12)}
    many = evaluate(cases_file(), judgments_file(), systems, ci=True, resamples=5)
    for result in (hand_worked(), many):
        assert max(map(len, str(result).splitlines())) <= 150
        assert max(len(line) for line in str(result).splitlines() if "signature" not in line) <= 120
        assert str(result).count("signature: ") == 1


def test_the_summary_says_what_n_consists_of_or_asks_for_it() -> None:
    assert "not described" in str(hand_worked())
    gold = str(SAMPLE / "gold.m2")
    derived = derive_cases(gold, systems={"b": str(SAMPLE / "bold.txt")}, tagger="words")
    assert "every token that is one of 34 prepositions" in str(quiet(derived=derived))


def test_csv_has_a_row_for_every_truth_bin_and_rater() -> None:
    lines = hand_worked().to_csv().splitlines()
    whats = [line.split(",")[0] for line in lines[1:]]
    assert whats == [
        *("plain", "weighted", "correction", "weighted correction"),
        *("kind", "plain text accuracy", "weighted text accuracy"),
        *["bin"] * 3,
        *["rater"] * 4,
    ]


@pytest.mark.parametrize("kind", FIGURES)
def test_every_figure_can_be_drawn(kind: str) -> None:
    figure = scored().figure(kind)
    assert figure.axes


def test_curves_without_scores_cannot_be_drawn() -> None:
    with pytest.raises(JuryboxError, match="scores"):
        hand_worked().figure("roc")
    with pytest.raises(UsageError, match="--plot"):
        hand_worked().figure("pie")
