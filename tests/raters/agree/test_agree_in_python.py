"""`agree` from Python: what counts, what crowds are held against, what is undefined and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.raters.aggregate import aggregate
from jurybox.raters.agree import agree
from jurybox.raters.agree.choices import judge_choice
from jurybox.raters.agreement import fleiss_kappa, gwet_ac1, krippendorff_alpha
from jurybox.raters.pairs import tell_errors
from jurybox.report.contents import sections_of
from jurybox.saved_results import read_result

LABEL = {"e": "error", "o": "ok", "u": "unknown"}


def table(*lines: str) -> Input:
    return Input.from_lines(lines, "judgments.csv")


def said(**raters: str) -> list[tuple[str, str, str]]:
    """Raters and what they say of c0, c1, …; a dot is nothing."""
    return [
        (f"c{case}", rater, LABEL.get(mark, mark))
        for rater, marks in raters.items()
        for case, mark in enumerate(marks)
        if mark != "."
    ]


#: Table 3 of Tetreault and Chodorow (2008): rater 1 down, rater 2 across
TABLE_3 = {"xx": 17, "xo": 6, "wx": 1, "ww": 42, "wo": 20, "ox": 4, "ow": 33, "oo": 1213}


def table_3() -> list[tuple[str, str, str]]:
    names = {"x": "extraneous", "w": "wrong choice", "o": "ok"}
    pairs = [pair for pair, times in TABLE_3.items() for _ in range(times)]
    return [
        (f"c{case}", rater, names[mark])
        for case, pair in enumerate(pairs)
        for rater, mark in zip(("R1", "R2"), pair, strict=True)
    ]


# --- the numbers of papers ---


def test_two_raters_of_the_2008_paper_have_its_agreement_kappa_and_denied_errors() -> None:
    result = agree(table_3())
    [pair] = result.pairs
    assert round(result.observed, 3) == 0.952
    assert round(pair.kappa, 3) == 0.630
    [confusion] = result.confusion
    assert tuple(confusion.table.values()) == ((17, 6, 0), (4, 1213, 33), (1, 20, 42))
    assert confusion.disagreement is not None
    assert (confusion.disagreement.first.denied, confusion.disagreement.first.errors) == (26, 86)
    assert (confusion.disagreement.second.denied, confusion.disagreement.second.errors) == (37, 97)


def test_the_choice_experiment_of_the_2008_paper_lifts_75_to_82_percent() -> None:
    rows = [
        f"c{case},R1,{'in' if case < 144 else 'at' if case < 164 else 'both'},in,at,in"
        for case in range(200)
    ]
    found = agree(table("case,rater,label,first,second,written", *rows), accuracy=0.75).choices
    assert found is not None
    assert found.share == 0.28
    assert round(found.corrected_accuracy or 0, 4) == 0.82


@pytest.mark.parametrize(
    ("label", "shown", "verdict"),
    [
        *(("in", "", 0), ("AT", "", 1), ("first", "", 0), ("system", "", 1)),
        *(("left", "in", 0), ("left", "at", 1), ("right", "at", 0), ("2", "second", 0)),
        *(("both", "", 2), ("neither", "", 3), ("left", "first", 0), ("who knows", "in", 4)),
    ],
)
def test_a_choice_is_understood_by_word_by_column_and_by_place(
    label: str, shown: str, verdict: int
) -> None:
    """Tetreault and Chodorow (2008, 4.2): the words stand in random order."""
    assert judge_choice(label, "in", "at", shown, "In ") == verdict
    turned = {0: 1, 1: 0}.get(verdict, verdict) if label != "system" else verdict
    assert judge_choice(label, "in", "at", shown, "at") == turned


def test_a_case_where_system_and_writer_have_the_same_word_is_no_choice() -> None:
    assert judge_choice("in", "in", "In", "") == -1


# --- coefficients ---


@st.composite
def marks(draw: st.DrawFn) -> dict[str, str]:
    cases = draw(st.integers(1, 8))
    rows = st.text("eo.", min_size=cases, max_size=cases)
    return {f"R{k}": draw(rows) for k in range(draw(st.integers(2, 4)))}


@given(marks())
def test_coefficients_are_those_of_the_counts_of_labels(raters: dict[str, str]) -> None:
    judgments = said(**raters)
    if not judgments:
        return
    cases = len(next(iter(raters.values())))
    counts = np.array(
        [[sum(m[case] == mark for m in raters.values()) for mark in "eo"] for case in range(cases)]
    )
    result = agree(judgments)
    for name, function in (
        ("fleiss_kappa", fleiss_kappa),
        ("ac1", gwet_ac1),
        ("alpha_nominal", krippendorff_alpha),
    ):
        expected = function(counts)
        found = result.coefficients[name]
        assert found.reason == expected.reason
        assert isnan(found.value) == isnan(expected.value)
        assert isnan(found.value) or found.value == pytest.approx(expected.value)


@pytest.mark.filterwarnings("ignore:no rater gave any of the right labels")
@given(marks(), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_order_of_the_judgments_changes_no_coefficient_and_no_exact_agreement(
    raters: dict[str, str], rng: Any
) -> None:
    judgments = said(**raters)
    if not judgments:
        return
    gold = {"c0": "error"} if any(m[0] != "." for m in raters.values()) else None
    shuffled = list(judgments)
    rng.shuffle(shuffled)
    first, second = agree(judgments, gold=gold), agree(shuffled, gold=gold)
    for name in first.coefficients.names:
        assert first[name].value == pytest.approx(second[name].value, nan_ok=True)
    for one_point, other in zip(first.curve(), second.curve(), strict=True):
        assert one_point.agreement == pytest.approx(other.agreement)


def test_numbers_have_alpha_on_every_scale_and_words_on_the_nominal_one() -> None:
    numbers = agree(said(A="1234", B="1244"))
    assert list(numbers.alphas) == ["nominal", "ordinal", "interval", "ratio"]
    assert numbers.scale == "ordinal"
    assert list(agree(said(A="eo", B="ee")).alphas) == ["nominal"]
    assert list(agree(said(A="1234", B="1244"), scale="nominal").alphas) == ["nominal"]


def test_labels_that_are_numbers_are_ordered_as_numbers_not_as_words() -> None:
    rows = [("c1", "A", "10"), ("c1", "B", "9"), ("c2", "A", "1"), ("c2", "B", "1")]
    near = agree(rows).alpha("ordinal")
    far = agree([("c1", "A", "10"), ("c1", "B", "1"), ("c2", "A", "9"), ("c2", "B", "9")])
    assert near > far.alpha("ordinal")


def test_words_have_no_order_and_the_message_says_how_to_give_them_one() -> None:
    with pytest.raises(UsageError, match="--relabel error=1"):
        agree(said(A="eo", B="ee"), scale="ordinal")


def test_merging_labels_makes_them_agree() -> None:
    rows = [("c1", "A", "2"), ("c1", "B", "e"), ("c2", "A", "1"), ("c2", "B", "1")]
    assert agree(rows).observed == 0.5
    merged = agree(rows, relabel={"2": "ok", "e": "ok"})
    assert merged.observed == 1.0
    assert set(merged.labels) == {"ok", "1"}


def test_unanimous_judgments_have_no_kappa_and_the_reason_is_given() -> None:
    result = agree(said(A="oo", B="oo"))
    assert result.observed == 1.0
    assert isnan(result.fleiss_kappa)
    assert result.to_dict()["fleiss_kappa"] is None
    assert "same label" in result.to_dict()["undefined"]["fleiss_kappa"]
    assert "all judgments are the same label" in str(result)


def test_unanimous_judgments_have_an_ac1_of_1_in_table_json_and_interval() -> None:
    result = agree(said(A="o" * 30, B="o" * 30), ci=True)
    record = result.to_dict()
    assert (result.ac1, record["ac1"]) == (1.0, 1.0)
    assert "ac1" not in record["undefined"]
    assert result.intervals is not None
    assert result.intervals["ac1"].low < 1 == result.intervals["ac1"].high
    row = next(line for line in str(result).splitlines() if line.startswith("Gwet's AC1"))
    assert row.split()[2] == "1.0000"


def test_intervals_hold_the_value_and_come_only_when_asked_for() -> None:
    rows = said(A="eeooeoeo" * 5, B="eoooeoee" * 5)
    assert agree(rows).intervals is None
    result = agree(rows, ci=True)
    assert result.intervals is not None
    spread = result.intervals["alpha_nominal"]
    assert spread.low < result.alpha() < spread.high


def test_few_cases_with_another_label_are_told_with_their_number() -> None:
    rows = said(A="oe" + "o" * 40, B="ee" + "o" * 40)
    few = "only 3 of 84 judgments give another label than 'ok'"
    with pytest.warns(JuryboxWarning, match=few):
        found = agree(rows, ci=True)
    assert found.intervals is not None
    interval = found.intervals["fleiss_kappa"]
    assert interval.high - interval.low > 0.7
    assert found.pairs[0].caution == few
    assert few in str(found)


def test_a_rater_with_one_label_is_told() -> None:
    found = agree(said(A="eeeeee" + "o" * 40, B="o" * 46))
    pair = found.pairs[0]
    assert pair.kappa == 0
    assert pair.low < -0.02
    assert pair.high > 0.2
    assert "gives all 46 cases the label 'ok'" in pair.caution


def test_the_same_seed_gives_the_same_digits() -> None:
    rows = said(A="eeoo" * 8, B="eoeo" * 8, C="oeoo" * 8)
    gold = {"c0": "error", "c1": "ok", "c2": "ok", "c3": "error"}
    one, same = (agree(rows, gold=gold, ci=True).to_json() for _ in range(2))
    other = agree(rows, gold=gold, ci=True, seed=2).to_json()
    assert one == same != other


# --- what counts ---


def test_only_the_first_judgment_counts_and_the_second_tells_of_the_rater() -> None:
    lines = ["case,rater,label", "c1,A,ok", "c1,B,ok", "c1,A,error", "c2,A,ok", "c2,A,ok"]
    with pytest.warns(JuryboxWarning, match="the first answer counts"):
        result = agree(table(*lines))
    assert result.observed == 1.0
    assert result.sizes.judgments == 3
    assert result.self_agreement is not None
    assert [(one.rater, one.repeats, one.same) for one in result.self_agreement.raters] == [
        ("A", 2, 1)
    ]


def test_unknown_is_no_answer_and_is_counted_as_left_out() -> None:
    result = agree(said(A="eu", B="eo"))
    assert result.sizes.left_out.no_answer == 1
    assert result.sizes.judgments == 3
    assert result.observed == 1.0


def test_spoiled_cases_can_be_dropped_whoever_flags_them() -> None:
    lines = ["case,rater,label,context", "c1,A,ok,", "c1,B,error,spelling", "c2,A,ok,", "c2,B,ok,"]
    assert agree(table(*lines)).observed == 0.5
    dropped = agree(table(*lines), spoiled="drop")
    assert dropped.observed == 1.0
    assert dropped.sizes.left_out.spoiled_cases == 1
    with pytest.raises(UsageError, match="no column 'context'"):
        agree(said(A="e", B="e"), spoiled="drop")


KINDS = [
    "case,rater,label,kind",
    *("c1,A,ok,", "c1,B,ok,", "c1,M,error,model"),
    *("c2,A,error,", "c2,B,error,", "c2,M,error,model"),
]


def test_models_are_never_counted_among_people() -> None:
    with pytest.warns(JuryboxWarning, match="model"):
        alone = agree(table(*KINDS))
    shown = agree(table(*KINDS), show_models=True)
    assert alone.observed == shown.observed == 1.0
    assert (shown.sizes.raters, shown.sizes.left_out.by_models) == (2, 2)
    assert alone.models is None
    assert shown.models is not None
    assert (shown.models.between, shown.models.changed_by_replacing) == (0.5, 1)


def test_batches_stand_beside_the_pooled_value() -> None:
    lines = ["case,rater,label,batch", "c1,A,ok,B2", "c1,B,ok,B2", "c2,A,ok,B10", "c2,B,error,B10"]
    batches = agree(table(*lines), by_batch=True).batches or ()
    assert [(one.batch, one.coefficients["observed"].value) for one in batches] == [
        ("B2", 1.0),
        ("B10", 0.0),
    ]
    with pytest.raises(UsageError, match="no column 'batch'"):
        agree(said(A="e", B="e"), by_batch=True)


def test_corrections_agree_if_one_is_in_common() -> None:
    lines = [
        "case,rater,label,correction,alternatives",
        'c1,A,error,at,"[""on""]"',
        "c1,B,error,on,",
        "c1,C,error,in,",
    ]
    found = agree(table(*lines)).corrections
    assert found is not None
    assert (found.on_label, found.on_correction) == (1.0, 1 / 3)


def test_agreement_on_sentences_is_told_where_cases_are_places_in_them() -> None:
    lines = ["case,rater,label,sentence,start,end", "c1,A,error,x y,0,1", "c1,B,ok,x y,0,1"]
    lines += ["c2,A,ok,x y,1,2", "c2,B,error,x y,1,2", "c3,A,ok,z,0,1", "c3,B,ok,z,0,1"]
    found = agree(table(*lines)).sentences
    assert found is not None
    assert (found.sentences, found.coefficients["observed"].value) == (2, 1.0)
    without_places = [",".join(line.split(",")[:4]) for line in lines]
    assert agree(table(*without_places)).sentences is None


@pytest.mark.parametrize(
    ("labels", "errors"),
    [
        (["error", "ok"], [0]),
        (["0", "1", "OK"], [0, 1]),
        (["error", "fine"], [0]),
        (["1", "2"], []),
    ],
)
def test_errors_are_told_by_the_words_error_and_ok(labels: list[str], errors: list[int]) -> None:
    assert tell_errors(labels)[0] == errors


# --- crowds ---


def test_a_crowd_is_held_against_an_expert_without_the_expert_in_it() -> None:
    result = agree(said(expert="eo", A="eo", B="ee"), experts="expert")
    assert result.sizes.raters == 3
    assert result.crowd is not None
    assert result.crowd.alone is not None
    assert result.crowd.alone.raters == 2
    assert [(point.n, point.agreement) for point in result.curve()] == [(1, 0.75), (2, 0.75)]


def test_experts_come_first_and_known_answers_after_them() -> None:
    gold = {"c0": "error", "c1": "ok"}
    result = agree(said(X="eo", Y="oo", A="eo", B="ee"), experts=["X", "Y"], gold=gold)
    names = [row["reference"] for row in result.to_dict()["crowd_of_n"]]
    mean = "mean over experts"
    assert names == ["X", "X", "Y", "Y", mean, mean, "gold", "gold"]
    assert result.crowd is not None
    assert result.crowd.experts is not None
    against = {one.expert: one.agreement for one in result.crowd.experts.against}
    assert against == {"X": 1.0, "Y": 0.5}


def test_a_crowd_is_held_against_the_mean_over_three_experts() -> None:
    """Each expert in turn, averaged: Tetreault, Filatova and Chodorow (2010, section 4), kappa .608
    of 13 Turkers; Madnani et al. (2011, section 3), agreement .87 and kappa .76 of three.

    One rater, ten cases. By chance half of the labels agree, whatever the expert's frequencies:
    kappa is twice the agreement less one.
    """
    experts = {"X": "eeeeoooooo", "Y": "eeeeoeoooo", "Z": "eeeeeeeooo"}  # .9, .8 and .8
    result = agree(said(**experts, W="eeeeeooooo"), experts=list(experts))
    (point,) = result.curve("mean over experts")
    assert (point.n, point.cases, point.undefined) == (1, 10, {})
    assert point.agreement == point.mean_agreement == pytest.approx(2.5 / 3)
    assert point.kappa == pytest.approx((0.8 + 0.6 + 0.6) / 3)
    assert (point.kappa_low, point.kappa_high) == pytest.approx((point.kappa, point.kappa))
    assert point.low < point.agreement < point.high
    reference = result.crowd.references[3]
    assert (reference.name, reference.kind, reference.cases) == ("mean over experts", "mean", 10)
    reached = {one.measure: one for one in result.crowd.reached}
    assert reached["agreement"].reference == reached["kappa"].reference == "mean over experts"
    assert reached["agreement"].target == pytest.approx((0.9 + 0.7 + 0.8) / 3)
    assert reached["agreement"].n == 1
    assert "mean over experts  1     10        0     0.8333" in str(result)


def test_a_single_expert_has_no_mean_and_an_expert_may_have_its_name() -> None:
    alone = agree(said(X="eo", A="eo", B="ee"), experts="X")
    assert [one.name for one in alone.crowd.references] == ["X"]
    rows = said(X="eo", Y="oo", A="eo")
    rows = [(case, "mean over experts" if who == "X" else who, label) for case, who, label in rows]
    result = agree(rows, experts=["mean over experts", "Y"])
    assert [(one.name, one.kind) for one in result.crowd.references] == [
        ("mean over experts", "expert"),
        ("Y", "expert"),
        ("mean over experts (all)", "mean"),
    ]
    assert len(result.curve("mean over experts")) == 1


def test_the_smallest_crowd_as_good_as_experts_is_found() -> None:
    experts = {"X": "eo" * 6, "Y": "eo" * 5 + "oo"}  # they agree on 11 of 12
    crowd = {"A": "oo" + "eo" * 5, "B": "eeeo" + "eo" * 4, "C": "eo" * 6}
    result = agree(said(**experts, **crowd), experts=list(experts))
    reached = {one.measure: one for one in result.crowd.reached} if result.crowd else {}
    assert reached["agreement"].target == pytest.approx(11 / 12)
    assert reached["agreement"].n == 3


def test_the_writers_own_word_is_a_reference_where_raters_fill_a_gap() -> None:
    lines = ["case,rater,label,written", "1,A,in,in", "1,B,at,in", "2,A,of,of", "2,B,of,of"]
    result = agree(table(*lines))
    assert [(point.n, point.agreement) for point in result.curve("writer")] == [
        (1, 0.75),
        (2, 0.75),
    ]
    judged = ["case,rater,label,written", "1,A,ok,in", "1,B,ok,in"]
    assert agree(table(*judged)).crowd.references == ()


def test_a_right_answer_that_nobody_gave_counts_against_the_crowd() -> None:
    result = agree(said(A="eo", B="eo"), gold={"c0": "maybe", "c1": "ok"})
    assert result.curve()[0].agreement == 0.5


def test_ties_can_go_to_a_label_or_be_left_out() -> None:
    rows, gold = said(A="eo", B="oo"), {"c0": "error", "c1": "ok"}
    assert agree(rows, gold=gold).curve()[1].agreement == 0.75
    assert agree(rows, gold=gold, ties="ok").curve()[1].agreement == 0.5
    assert agree(rows, gold=gold, ties="drop").curve()[1].agreement == 1.0
    with pytest.raises(UsageError, match=r"--ties o: give random, drop or a label"):
        agree(rows, gold=gold, ties="o")


def test_a_model_can_be_the_expert() -> None:
    with pytest.warns(JuryboxWarning, match="kind model"):
        result = agree(table(*KINDS), experts="M")
    assert result.curve()[0].agreement == 0.5
    assert result.sizes.raters == 2


def test_an_unknown_expert_is_named_with_the_near_name() -> None:
    with pytest.raises(UsageError, match=r"--expert Anm: there is no such rater .*'Ann'"):
        agree(said(Ann="e", Bob="e"), experts="Anm")


def test_experts_alone_are_no_crowd() -> None:
    with pytest.raises(InputError, match="nobody but the experts"):
        agree(said(Ann="e", Bob="e"), experts=["Ann", "Bob"])


def test_sizes_of_crowds_can_be_limited() -> None:
    rows = said(A="eo", B="eo", C="ee")
    assert len(agree(rows, gold={"c0": "error"}, max_crowd=2).curve()) == 2


def test_cases_with_too_few_judgments_are_counted_at_each_size() -> None:
    result = agree(said(A="eoo", B="eo.", C="e.."), gold={"c0": "error", "c1": "ok", "c2": "ok"})
    assert [(point.cases, point.left_out) for point in result.curve()] == [(3, 0), (2, 1), (1, 2)]
    assert "points are about other cases" in str(result)


# --- many raters, and forms ---


def many(raters: int) -> list[tuple[str, str, str]]:
    return [("c1", f"R{k}", "ok" if k % 3 else "error") for k in range(raters)]


def test_very_many_pairs_are_listed_only_if_asked_for() -> None:
    result = agree(many(70))
    assert result.pairs == ()
    assert result.to_dict()["pairs_not_listed"] == 70 * 69 // 2
    assert len(agree(many(70), pairs=True).pairs) == 70 * 69 // 2


def test_listed_pairs_have_the_kappas_of_their_own_tables() -> None:
    raters = {"A": "eeoo.eo", "B": "eo.oeeo", "C": "ooeeo.e"}
    result = agree(said(**raters))
    for pair in result.pairs:
        both = [
            (x, y)
            for x, y in zip(raters[pair.first], raters[pair.second], strict=True)
            if "." not in (x, y)
        ]
        assert pair.n == len(both)
        assert pair.agreement == pytest.approx(sum(x == y for x, y in both) / len(both))


def test_a_table_of_counts_gives_coefficients_and_no_pairs() -> None:
    counts = table("subject,1,2,3", "a,3,0,0", "b,0,2,1")
    result = agree(counts, input_format="counts")
    assert result.sizes.judgments == 6
    assert result.fleiss_kappa == pytest.approx(fleiss_kappa([[3, 0, 0], [0, 2, 1]]).value)
    assert result.pairs == ()
    assert "who is who" in result.mean_pairwise.reason


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 0}, "--draws"),
        ({"ci_level": 1}, "--ci-level"),
        ({"max_crowd": 0}, "--max-crowd"),
        ({"accuracy": 2}, "--accuracy"),
        ({"scale": "ratios"}, "--scale"),
        ({"spoiled": "dropp"}, "--spoiled"),
        ({"seed": -1}, "--seed"),
        ({"ties": "first"}, "--ties"),
        ({"experts": ["A", "A"]}, "--expert"),
        ({"accuracy": 0.5}, "--accuracy"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        agree(said(A="eo", B="ee"), **options)


def everything() -> Any:
    lines = ["case,rater,label,correction,gold,batch,context,kind,sentence,start,end"]
    people: dict[str, Sequence[str]] = {"Ann": "eeoeoo", "Bob": "eoooeo", "Cem": "eeooee"}
    for case in range(6):
        for rater, own in {**people, "gpt": "eeoooo"}.items():
            kind = "model" if rater == "gpt" else ""
            lines.append(
                f"c{case},{rater},{LABEL[own[case]]},{'at' if own[case] == 'e' else ''},"
                f"{'error' if case < 3 else ''},B{case % 2},,{kind},"
                f"s{case // 2},{case % 2},{case % 2 + 1}"
            )
    options: dict[str, Any] = {"experts": ["Ann", "Bob"], "by_batch": True, "ci": True}
    with pytest.warns(JuryboxWarning, match="only 6 cases have two judgments or more"):
        return agree(table(*lines), show_models=True, draws=5, **options)


def test_a_result_comes_back_from_its_json() -> None:
    result = everything()
    restored = read_result(result.to_json())
    assert restored.to_json() == result.to_json()
    assert str(restored) == str(result)
    assert restored.to_csv() == result.to_csv()


def test_the_report_has_a_section_for_every_question_with_a_lead_in_words() -> None:
    sections = {section.key: section for section in sections_of([everything()])}
    assert list(sections) == ["raters-agreement", "raters-crowd", "raters-pairs", "raters-further"]
    assert "3 raters gave 18 judgments on 6 cases" in sections["raters-agreement"].lead
    assert "Against Ann, kappa is" in sections["raters-crowd"].lead
    assert len(sections["raters-crowd"].figures) == len(sections["raters-pairs"].figures) == 1


def test_figures_show_crowds_experts_and_pairs() -> None:
    result = everything()
    words = [text.get_text() for text in result.figure().texts]
    assert any(word.startswith("experts among themselves") for word in words)
    assert any(word.startswith("mean over experts") for word in words)
    assert result.figure("pairs").axes
    with pytest.raises(InputError, match="--expert NAME"):
        agree(said(A="eo", B="eo")).figure()


def test_crowd_sizes_with_few_cases_left_are_marked_in_figure_table_and_lead() -> None:
    """Forty cases are judged by three and an expert; ten of them, which are easy, by five."""
    rows = [
        (f"c{case}", f"W{who}", "e" if (case + who * (case >= 10)) % 3 == 0 else "o")
        for case in range(40)
        for who in range(5 if case < 10 else 3)
    ]
    rows += [(f"c{case}", "Ann", "e" if case % 3 == 0 else "o") for case in range(40)]
    result = agree(rows, experts=["Ann"], crowd_curve=True)
    assert [point.cases for point in result.curve("Ann")] == [40, 40, 40, 10, 10]
    assert "Fewer than 30 cases: Ann from N = 4." in str(result)
    words = " ".join(text.get_text() for text in result.figure().texts)
    assert "Dashed lines and open markers: fewer than 30 cases." in words
    assert "Cases with fewer than N judgments are left out at N." in words
    (crowd,) = [one for one in sections_of([result]) if one.key == "raters-crowd"]
    assert result.curve("Ann")[-1].kappa == 1.0
    best = max(result.curve("Ann")[:3], key=lambda point: point.kappa)
    assert best.kappa < 0.5
    assert f"highest, {best.kappa:.3f}, for the majority of {best.n}." in crowd.lead


def test_a_crowd_that_reaches_the_experts_on_few_cases_says_so() -> None:
    result = everything()
    reached = [one for one in result.crowd.reached if one.n is not None] if result.crowd else []
    assert reached
    assert f"reached by a crowd of {reached[0].n}, on 6 cases only" in str(result)


# --- numbers and tables ---


def test_a_counts_table_that_lists_a_case_twice_names_its_own_lines() -> None:
    given = table("case,ok,error", "1,2,1", "", "2,0,3", "1,3,0")
    with pytest.raises(
        FormatError, match=r"judgments.csv:5, column 1 .case.: case '1' is also in line 2"
    ):
        agree(given, input_format="counts")


def test_counts_may_have_known_answers_beside_them() -> None:
    result = agree(table("case,ok,error,gold", "1,3,0,ok", "2,0,3,ok"), input_format="counts")
    assert set(result.labels) == {"ok", "error"}
    assert [point.agreement for point in result.curve()] == [0.5, 0.5, 0.5]


def test_grades_against_means_have_no_plain_kappa_and_say_why() -> None:
    lines = [f"c{n},{who},{1 + (n + k) % 4}" for n in range(8) for k, who in enumerate("AB")]
    gold = {f"c{n}": str(1.5 + n % 3) for n in range(8)}
    with pytest.warns(JuryboxWarning, match="no rater gave any of the right labels"):
        result = agree(table("case,rater,label", *lines), gold=gold)
    first = result.curve()[0]
    assert first.agreement == 0.0
    assert isnan(first.kappa)
    assert "never gave a number that the reference has" in first.undefined["kappa"]
    assert not isnan(first.weighted_kappa)


def test_weighted_kappa_on_an_interval_scale_goes_by_the_numbers() -> None:
    lines = ["case,A,B", "1,1,1", "2,1,2", "3,2,10", "4,10,10"]
    by_number = agree(table(*lines), input_format="wide", scale="interval").pairs[0]
    # squared distances: seen (1 + 64) / 4; by chance, rows 1 1 2 10 against columns 1 2 10 10
    chance = sum((x - y) ** 2 for x in (1, 1, 2, 10) for y in (1, 2, 10, 10)) / 16
    assert by_number.weighted_kappa == pytest.approx(1 - (65 / 4) / chance)


def test_a_label_that_is_no_number_is_named() -> None:
    rows = [("c1", "A", "1"), ("c1", "B", "nan"), ("c2", "A", "1_000"), ("c2", "B", "2")]
    with pytest.raises(UsageError, match="the label '1_000' is no number"):
        agree(rows, scale="interval")


@pytest.mark.parametrize("verb", [agree, aggregate])
def test_an_answer_after_unknown_counts_for_every_command(verb: Callable[..., Any]) -> None:
    lines = ["case,rater,label", "c1,A,unknown", "c1,A,ok", "c1,B,ok"]
    with pytest.warns(JuryboxWarning, match="the first answer counts"):
        result = verb(table(*lines))
    judgments = result.sizes.judgments if verb is agree else result.judgments
    assert judgments == 2
