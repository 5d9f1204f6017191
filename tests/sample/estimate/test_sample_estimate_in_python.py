"""`estimate_sample`: known answers, what is refused, re-test and assistance, JSON and back."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jurybox.errors import FormatError, InputError, JuryboxWarning, UnknownNameError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables.sample_key import DrawnCase, KeySource, KeyStratum, SampleKey, write
from jurybox.sample.estimate import estimate_sample
from jurybox.sample.estimate.result import SampleEstimateResult
from saved_results import check_restored, check_schema

PAPER = {"error": "1000:750:600", "ok": "9000:1500:450"}


def drawn(label: str, count: int, start: int = 0) -> tuple[DrawnCase, ...]:
    return tuple(
        DrawnCase(f"b{label}{k}", f"{label}:{k}", label) for k in range(start, start + count)
    )


def key(error: int = 10, ok: int = 20, start: int = 0, name: str = "key.jsonl") -> SampleKey:
    strata = (KeyStratum("error", "error", 100, error), KeyStratum("ok", "ok", 900, ok))
    cases = (*drawn("error", error, start), *drawn("ok", ok, start))
    return SampleKey(strata, cases, seed=1, name=name)


def judged(keys: list[SampleKey], errors: set[str], raters: str = "A") -> Input:
    lines = ["case,rater,label"]
    for one in keys:
        for case in one.drawn:
            label = "error" if case.case in errors else "ok"
            lines += [f"{case.id},{rater},{label}" for rater in raters]
    return Input.from_text("\n".join(lines) + "\n", "judgments.csv")


#: samples are small here, and what they lack is told
NONE_FOUND = pytest.mark.filterwarnings("ignore:no (hit|miss) among")
ERRORS = {*(f"error:{k}" for k in range(8)), "ok:0", "ok:1"}


# --- known answers ---


def test_the_example_of_the_paper() -> None:
    found = estimate_sample(parts=PAPER)
    rounded = {name: round(one.estimate, 2) for name, one in found.measures.items()}
    assert rounded["hits"] == 0.08
    assert rounded["false_positives"] == 0.02
    assert rounded["misses"] == 0.27
    assert rounded["precision"] == 0.80
    assert rounded["recall"] == 0.23
    assert (round(found["precision"].low, 2), round(found["precision"].high, 2)) == (0.77, 0.83)


def ends(one: Any, digits: int = 3) -> tuple[float, float]:
    return round(one.low, digits), round(one.high, digits)


def test_the_intervals_of_the_paper_are_there_too() -> None:
    for about in ("text", "corpus"):
        found = estimate_sample(parts=PAPER, method="paper", about=about)
        assert {one.method for one in found.measures.values()} == {"paper"}
        assert ends(found["hits"]) == (0.077, 0.083)
        assert ends(found["precision"]) == (0.771, 0.829)
        assert ends(found["recall"]) == (0.214, 0.244)
        assert "intervals are those of the paper" in str(found)


def test_about_text_the_share_of_flagged_cases_is_chance_and_about_the_corpus_it_is_known() -> None:
    text, corpus = (
        estimate_sample(parts=PAPER, method="wald", about=a) for a in ("text", "corpus")
    )
    # .1 √(.8 · .2 / 750) = .00146; and .8 √(.1 · .9 / 10,000) = .0024
    assert text["hits"].standard_error == pytest.approx(0.0028093, abs=1e-6)
    assert ends(text["hits"]) == (0.074, 0.086)
    assert ends(text["recall"], 4) == (0.2096, 0.2475)
    # a quarter of the flagged cases were not judged: .00146 √.25
    assert corpus["hits"].standard_error == pytest.approx(0.000731, abs=1e-6)
    assert ends(corpus["hits"]) == (0.079, 0.081)
    assert ends(corpus["recall"]) == (0.216, 0.241)
    assert text["precision"].standard_error == pytest.approx(0.014606, abs=1e-6)
    assert "intervals are about text of this kind, of which these 10000 cases" in str(text)
    assert "intervals are about this corpus, these very 10000 cases" in str(corpus)
    assert (text.options.about, corpus.options.about) == ("text", "corpus")
    assert "|about:corpus|" in corpus.signature


def test_all_of_a_random_draw_judged_is_a_plain_sample_of_its_kind() -> None:
    """54 of 142 errors found: between Wilson's .305 to .462 and Clopper and Pearson's."""
    found = estimate_sample(parts={"error": (60, 60, 54), "ok": (2940, 2940, 88)})
    assert ends(found.methods["recall"]["score"]) == (0.305, 0.462)
    low, high = found["recall"].low, found["recall"].high
    assert 0.300 <= low <= 0.308
    assert 0.458 <= high <= 0.465
    known = estimate_sample(parts={"error": (60, 60, 54), "ok": (2940, 2940, 88)}, about="corpus")
    assert known["recall"].low == known["recall"].high == pytest.approx(54 / 142)


def test_several_strata_of_what_is_flagged_make_precision_about_text_less_sure() -> None:
    """Their sizes are chance: Σ w (p - mean)² / N comes to the variance."""
    parts = {"error/a": (50, 50, 45), "error/b": (50, 50, 5), "ok": (900, 100, 10)}
    found = estimate_sample(parts=parts)["precision"]
    # all are judged, so it is as sure as 100 cases of text: .5 · .5 / 100
    assert found.standard_error == pytest.approx(0.05)
    assert (found.method, ends(found)) == ("wilson", (0.403, 0.597))


def test_verification_knows_hits_of_text_by_chance_sizes_too() -> None:
    parts = {"error": (1000, 750, 600), "ok": (9000, 0, 0)}
    with pytest.warns(JuryboxWarning, match="verification only"):
        found = estimate_sample(parts=parts)
    both = estimate_sample(parts=PAPER)
    assert found["hits"].method == "corrected"
    assert ends(found["hits"]) == ends(both["hits"])
    for method in ("wald", "wilson", "bootstrap"):
        mine, theirs = found.methods["hits"][method], both.methods["hits"][method]
        assert ends(mine, 2) == ends(theirs, 2)


def test_a_sample_without_a_miss_is_told_with_what_may_be() -> None:
    with pytest.warns(
        JuryboxWarning, match=r"no miss among the 30 .* up to \d+\.\d+% of all .* at least"
    ):
        estimate_sample(parts={"error": (1000, 30, 24), "ok": (9000, 30, 0)})
    with pytest.warns(JuryboxWarning, match=r"no hit among the 30 .* precision is at most 0\.\d+"):
        estimate_sample(parts={"error": (1000, 30, 0), "ok": (9000, 30, 4)})


def test_the_stratified_reference_value_with_correction_for_a_finite_corpus() -> None:
    found = estimate_sample(parts={"error": (900, 45, 36), "ok": (100, 45, 9)}, about="corpus")
    assert found["error_rate"].estimate == pytest.approx(0.74)
    assert found["error_rate"].standard_error == pytest.approx(0.053087, abs=5e-7)


def test_a_key_and_judgments_give_what_their_counts_give() -> None:
    by_key = estimate_sample(key(), judged([key()], ERRORS))
    by_counts = estimate_sample(parts={"error": (100, 10, 8), "ok": (900, 20, 2)})
    for name in ("hits", "misses", "precision", "recall", "f", "error_rate"):
        assert by_key[name].estimate == pytest.approx(by_counts[name].estimate)
        assert by_key.methods[name].keys() == by_counts.methods[name].keys()


def test_the_same_files_give_the_same_intervals_and_another_draw_settles_them_anew() -> None:
    first, again = (estimate_sample(key(), judged([key()], ERRORS)) for _ in range(2))
    assert first.to_dict() == again.to_dict()
    other = SampleKey(key().strata, key().drawn, seed=2)
    moved = estimate_sample(other, judged([other], ERRORS))
    assert moved["precision"].estimate == first["precision"].estimate
    assert moved["precision"].low != first["precision"].low


def test_several_draws_are_one_sample() -> None:
    first, second = key(), key(start=50, name="more.jsonl")
    errors = ERRORS | {"error:50"}
    found = estimate_sample([first, second], judged([first, second], errors))
    assert [(one.drawn, one.judged, one.errors) for one in found.strata] == [
        (20, 20, 9),
        (40, 40, 2),
    ]


def test_judgments_may_name_cases_as_the_corpus_does() -> None:
    lines = [f"{one.case},A,{'error' if one.case in ERRORS else 'ok'}" for one in key().drawn]
    source = Input.from_text("case,rater,label\n" + "\n".join(lines) + "\n")
    assert estimate_sample(key(), source)["precision"].estimate == 0.8


# --- several raters ---


def two_raters() -> Input:
    """Ann calls error:0 to 7 errors, Bob error:0 to 5; on all else both say ok."""
    lines = ["case,rater,label"]
    for one in key().drawn:
        number = int(one.case.split(":")[1])
        flagged = one.stratum == "error"
        lines.append(f"{one.id},Ann,{'error' if flagged and number < 8 else 'ok'}")
        lines.append(f"{one.id},Bob,{'error' if flagged and number < 6 else 'ok'}")
    return Input.from_text("\n".join(lines) + "\n", "two.csv")


@NONE_FOUND
def test_shares_of_raters_count_and_exact_intervals_give_way_to_wilsons() -> None:
    found = estimate_sample(key(), two_raters())
    assert found["precision"].estimate == pytest.approx(0.7)
    assert found["precision"].method == "wilson"
    assert found["recall"].method == "score"
    assert "corrected" not in found.methods["recall"]
    assert found.raters is not None
    assert (found.raters.raters, found.raters.shared) == (2, 30)
    assert found.raters.observed.value == pytest.approx(28 / 30)


@NONE_FOUND
@pytest.mark.parametrize(("ties", "precision"), [("ok", 0.6), ("error", 0.8), ("drop", 0.75)])
def test_a_majority_settles_ties_as_asked(ties: str, precision: float) -> None:
    if ties == "drop":
        with pytest.warns(JuryboxWarning, match="8 of 10 drawn cases are judged"):
            found = estimate_sample(key(), two_raters(), truth="majority", ties=ties)
    else:
        found = estimate_sample(key(), two_raters(), truth="majority", ties=ties)
    assert found["precision"].estimate == pytest.approx(precision)
    assert found["precision"].method == "exact"


# --- half the data ---


def test_judgments_on_cases_that_are_in_no_key_are_refused() -> None:
    strangers = judged([key(), key(start=50)], ERRORS)
    with pytest.raises(InputError, match=r"case 'berror50' \(and 29 more\) is not in key.jsonl"):
        estimate_sample(key(), strangers)


def test_a_stratum_without_judgments_is_refused_and_the_way_out_is_named() -> None:
    only_flagged = Input.from_text(
        "case,rater,label\n" + "".join(f"{one.id},A,ok\n" for one in drawn("error", 10))
    )
    with pytest.raises(InputError, match=r"drawn from ok; .* --verification"):
        estimate_sample(key(), only_flagged)


def test_verification_gives_precision_and_says_that_there_is_no_recall() -> None:
    with pytest.warns(JuryboxWarning, match="verification only"):
        found = estimate_sample(key(), judged([key()], ERRORS), verification=True)
    assert found["precision"].estimate == 0.8
    assert np.isnan(found["recall"].estimate)
    assert "recall cannot be told" in found["recall"].reason
    assert found.to_dict()["recall"]["estimate"] is None


def test_cases_without_a_deciding_judgment_are_told_of() -> None:
    source = judged([key()], ERRORS)
    text = "\n".join(line for _, line in source.lines()).replace(
        "berror9,A,ok", "berror9,A,unknown"
    )
    with pytest.warns(JuryboxWarning, match="error: 9 of 10 drawn cases are judged"):
        found = estimate_sample(key(), Input.from_text(text))
    assert found["precision"].estimate == pytest.approx(8 / 9)


def test_a_key_that_was_changed_after_the_draw_is_refused() -> None:
    out = io.StringIO()
    write(key(), out)
    changed = (
        out.getvalue().replace('"size": 900', '"size": 800').replace('"size":900', '"size":800')
    )
    assert changed != out.getvalue()
    with pytest.raises(FormatError, match="was changed after it was drawn"):
        estimate_sample(Input.from_text(changed, "key.jsonl"), judged([key()], ERRORS))


def test_models_do_not_count_unless_asked_for() -> None:
    lines = ["case,rater,label,kind"]
    for one in key().drawn:
        lines.append(f"{one.id},A,{'error' if one.case in ERRORS else 'ok'},human")
        lines.append(f"{one.id},M,error,model")
    source = Input.from_text("\n".join(lines) + "\n")
    with pytest.warns(JuryboxWarning, match="models are left out: 1, with 30 judgments"):
        assert estimate_sample(key(), source)["precision"].estimate == 0.8
    counted = estimate_sample(key(), source, count_models=True)
    assert counted["precision"].estimate == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "the key is missing"),
        ({"keys": key()}, "the judgments are missing"),
        ({"parts": {"error": "100:10"}, "judgments": "j"}, "not both"),
        ({"parts": {"error": "100:10", "ok": "1:1:1"}}, "write how many cases there are"),
        ({"parts": {"error": "10:20:5", "ok": "1:1:1"}}, "write how many cases there are"),
        ({"parts": {"error": "100:10:5"}}, "there is no part ok"),
        ({"parts": {"eror": "100:10:5"}}, "did you mean 'error'"),
        ({"parts": PAPER, "ci_level": 95}, "--ci-level"),
        ({"parts": PAPER, "systems": {"new": {"a": "ok"}}}, "counts .--part. do not tell"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((UsageError, InputError), match=message):
        estimate_sample(**arguments)


def test_unknown_methods_are_refused_with_the_near_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'wilson'"):
        estimate_sample(parts=PAPER, method="wilsson")


@NONE_FOUND
def test_nothing_found_is_no_certainty() -> None:
    found = estimate_sample(parts={"error": (100, 50, 0), "ok": (900, 50, 0)})
    assert found["misses"].high > 0.9 * 3 / 50 - 1e-3
    assert found.methods["misses"]["wald"].high == 0.0
    assert "alike" in found.methods["misses"]["wald"].reason
    assert "no recall" in found["recall"].reason


# --- further uses ---


def decisions(flagged: set[str], only: set[str] | None = None) -> dict[str, str]:
    cases = [f"error:{k}" for k in range(100)] + [f"ok:{k}" for k in range(900)]
    kept = cases if only is None else [case for case in cases if case in only]
    return {case: "error" if case in flagged else "ok" for case in kept}


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_the_same_system_re_tested_is_the_same_estimate() -> None:
    same = decisions({f"error:{k}" for k in range(100)})
    found = estimate_sample(key(), judged([key()], ERRORS), systems={"same": same})
    (system,) = found.retested
    for name in ("hits", "misses", "precision", "recall"):
        assert system.measures[name].estimate == pytest.approx(found[name].estimate)
    assert (system.known, system.flagged) == (True, 0.1)


def test_a_re_test_on_judged_cases_alone_says_that_the_rest_is_estimated() -> None:
    only = {one.case for one in key().drawn}
    some = decisions({"error:0", "ok:5"}, only)
    with pytest.warns(JuryboxWarning) as told:
        found = estimate_sample(key(), judged([key()], ERRORS), systems={"new": some})
    messages = " ".join(str(one.message) for one in told)
    assert "is estimated" in messages
    assert "precision rests on 2 judged cases, worth 1.4" in messages
    assert not found.retested[0].known
    assert found.retested[0].measures["precision"].estimate == pytest.approx(10 / 55)
    assert found.retested[0].measures["precision"].effective < 2


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
@pytest.mark.parametrize(
    ("decided", "message"),
    [
        (decisions({"ok:500"}), "flags 1 cases, none of which was judged"),
        (
            decisions({*(f"error:{k}" for k in range(100)), *(f"ok:{k}" for k in range(20))}),
            "calls 880 cases ok, none of which was judged",
        ),
        (
            Input.from_text(
                "case,label\n"
                + "".join(f"{case},ok\n" for case in [*decisions(set()), "ok:800"][1:])
                + "error:0,error\n"
            ),
            "a case is decided twice",
        ),
        (decisions(set(), {"error:0"}), "29 of 30 judged cases have no decision"),
        ({**decisions(set()), "more": "ok"}, "give decisions on all 1000 cases"),
    ],
)
def test_a_re_test_that_the_judgments_do_not_cover_is_refused(
    decided: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        estimate_sample(key(), judged([key()], ERRORS), systems={"new": decided})


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_a_re_test_of_a_verified_sample_is_refused() -> None:
    verified = key(ok=0)
    with pytest.raises(InputError, match="nothing was judged of ok"):
        estimate_sample(
            verified, judged([verified], ERRORS), systems={"new": decisions({"error:0"})}
        )


def scored(right: float, errors: set[str] = ERRORS, flagged: set[str] | None = None) -> Input:
    lines = ["case,label,score"]
    for case, label in decisions(flagged or {f"error:{k}" for k in range(100)}).items():
        lines.append(f"{case},{label},{right if case in errors else 0.1}")
    return Input.from_text("\n".join(lines) + "\n", "scores.csv")


MANY = {*(f"error:{k}" for k in range(18)), *(f"ok:{k}" for k in range(12))}


def test_scores_that_are_right_make_the_estimate_surer() -> None:
    large = key(30, 60)
    found = estimate_sample(large, judged([large], MANY), assist=scored(0.9, MANY))
    assert found.assisted is not None
    # all errors of the corpus are those that were judged: 18 of 100 flagged, 12 of 900 others
    assert found.assisted.measures["hits"].estimate == pytest.approx(0.018)
    assert found.assisted.measures["misses"].estimate == pytest.approx(0.012)
    assert found.assisted.measures["hits"].low < 0.018 < found.assisted.measures["hits"].high


@NONE_FOUND
def test_scores_do_not_make_certain_what_all_judged_cases_have_in_common() -> None:
    large = key(30, 60)
    none_missed = MANY - {f"ok:{k}" for k in range(12)}
    found = estimate_sample(large, judged([large], none_missed), assist=scored(0.9, none_missed))
    assert found.assisted is not None
    assert found.assisted.measures["misses"].high == pytest.approx(found["misses"].high)
    assert found.assisted.measures["misses"].method == found["misses"].method
    assert found.assisted.measures["misses"].high > 0.03
    assert found.assisted.gains["ok"] == 1.0
    assert "any number of" not in str(found).partition("ok: scores")[2]


def test_scores_with_other_labels_than_in_the_draw_are_refused_though_as_many_are_flagged() -> None:
    other = {f"error:{k}" for k in range(1, 100)} | {"ok:0"}
    with pytest.raises(InputError, match="calls case 'error:0' ok, but it was drawn from 'error'"):
        estimate_sample(key(), judged([key()], ERRORS), assist=scored(0.9, ERRORS, other))


def drawn_from(digest: str, **others: Any) -> SampleKey:
    return replace(key(**others), decisions=KeySource("mine.csv", digest * 64))


def test_scores_of_another_file_with_the_same_labels_are_told_of() -> None:
    with pytest.warns(JuryboxWarning, match="scores.csv is not the file that was drawn from"):
        estimate_sample(drawn_from("a"), judged([key()], ERRORS), assist=scored(0.9))


def test_keys_of_other_decisions_are_not_one_sample() -> None:
    both = [drawn_from("a"), drawn_from("b", start=50, name="more.jsonl")]
    with pytest.raises(InputError, match=r"more\.jsonl was drawn from other decisions"):
        estimate_sample(both, judged(both, ERRORS))


def test_intervals_do_not_depend_on_the_order_of_keys_or_on_where_decisions_lay() -> None:
    both = [drawn_from("a"), drawn_from("a", start=50, name="more.jsonl")]
    moved = [replace(one, decisions=KeySource("elsewhere.csv", "a" * 64)) for one in both[::-1]]
    found, again = (estimate_sample(keys, judged(both, ERRORS)) for keys in (both, moved))
    assert found.measures == again.measures


@NONE_FOUND
def test_a_later_draw_without_the_earlier_one_is_told_of() -> None:
    later = replace(key(start=50), after=(key().checksum,))
    with pytest.warns(JuryboxWarning, match="drawn after another draw, whose key is not given"):
        estimate_sample(later, judged([later], {"error:50"}))


def by_score(at: float) -> Input:
    """All labels are ok; scores of what the key calls an error are .8, of two others .6."""
    lines = ["case,label,score"]
    for case in decisions(set()):
        score = 0.8 if case.startswith("error") else at if case in ("ok:0", "ok:5") else 0.1
        lines.append(f"{case},ok,{score}")
    return Input.from_text("\n".join(lines) + "\n", "scores.csv")


def test_the_threshold_of_the_draw_is_applied_to_scores_that_assist() -> None:
    by_threshold = replace(key(), threshold=0.7)
    found = estimate_sample(by_threshold, judged([key()], ERRORS), assist=by_score(0.6))
    assert found.assisted is not None
    with pytest.raises(InputError, match="calls 0 cases an error"):
        estimate_sample(key(), judged([key()], ERRORS), assist=by_score(0.6))


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_another_threshold_is_another_system() -> None:
    found = estimate_sample(
        key(), judged([key()], ERRORS), systems={"bold": by_score(0.6)}, threshold=0.5
    )
    assert found.retested[0].flagged == pytest.approx(0.102)
    assert "threshold:0.5" in found.signature
    assert found.to_dict()["options"]["threshold"] == 0.5
    assert "threshold" not in estimate_sample(key(), judged([key()], ERRORS)).to_dict()["options"]


def test_a_rater_who_names_a_case_in_both_ways_counts_once() -> None:
    rows = [f"{one.id},A,{'error' if one.case in ERRORS else 'ok'}" for one in key().drawn]
    rows += ["berror0,B,ok", "error:0,B,ok"]
    source = Input.from_text("case,rater,label\n" + "\n".join(rows) + "\n")
    assert estimate_sample(key(), source).strata[0].errors == pytest.approx(7.5)
    rows[-1] = "error:0,B,error"
    source = Input.from_text("case,rater,label\n" + "\n".join(rows) + "\n")
    with pytest.raises(InputError, match="rater 'B' judged case 'error:0' twice"):
        estimate_sample(key(), source)


def test_the_design_effect_of_a_corpus_that_is_judged_at_one_rate_is_about_1() -> None:
    counts = {"error": (100, 50, 20), "ok": (100, 50, 20)}
    found = estimate_sample(parts=counts, about="corpus")
    assert found.design_effects["error_rate"] == pytest.approx(1.0, abs=0.03)


def test_csv_has_rows_for_scores_and_for_what_cannot_be_told() -> None:
    rows = estimate_sample(key(), judged([key()], ERRORS), assist=scored(0.9)).records()
    assert [row["measure"] for row in rows if row.get("with_scores")][:2] == [
        *("hits", "false_positives"),
    ]
    with pytest.warns(JuryboxWarning, match="verification only"):
        verified = estimate_sample(key(), judged([key()], ERRORS), verification=True)
    (recall,) = [row for row in verified.records() if row["measure"] == "recall"]
    assert (recall["estimate"], "recall cannot be told" in recall["reason"]) == (None, True)


def test_scores_of_other_decisions_than_those_drawn_from_are_refused() -> None:
    other = Input.from_text(
        "case,label,score\n" + "".join(f"{one.case},ok,.5\n" for one in key().drawn)
    )
    with pytest.raises(InputError, match="give the decisions it was drawn from"):
        estimate_sample(key(), judged([key()], ERRORS), assist=other)


# --- JSON and tables ---


def everything() -> SampleEstimateResult:
    return estimate_sample(
        key(),
        two_raters(),
        systems={"new": decisions({"error:0", "error:9", "ok:5"})},
        assist=scored(0.9),
    )


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
@pytest.mark.parametrize("what", ["everything", "counts", "verification"])
def test_json_is_what_the_schema_says_and_comes_back(what: str) -> None:
    if what == "everything":
        found = everything()
    elif what == "counts":
        found = estimate_sample(parts=PAPER)
    else:
        found = estimate_sample(parts={"error": (100, 50, 20), "ok": (900, 0, 0)})
    check_schema(found, "sample-estimate")
    check_restored(found)


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_tables_tell_of_raters_re_tests_and_scores() -> None:
    text = str(everything())
    for words in ("Agreement of the raters", "Re-test of new", "With the help of scores"):
        assert words in text
    assert "signature: jurybox sample|task:estimate" in text.splitlines()[-1]
