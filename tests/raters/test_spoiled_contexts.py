"""Spoiled contexts are set aside before a system is judged (Tetreault and Chodorow 2008, 5.1)."""

from __future__ import annotations

from typing import Any

import pytest

from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.formats.tables.sample_key import DrawnCase, KeyStratum, SampleKey
from jurybox.jury.evaluate import evaluate
from jurybox.model import Case, CaseSet, Counts, JudgmentTable
from jurybox.raters.agree import agree
from jurybox.sample.estimate import estimate_sample
from saved_results import check_restored, check_schema

LEFT_OUT = "with a spoiled context left out"
#: "In consion, for some reasons, museums … get on many people": In is spoiled by spelling, on by a
#: collocation (2008, 5.1); a rater who flags a context need not judge it
SAID = (
    *("in,A,ok,", "in,B,unknown,spelling"),
    *("for,A,ok,", "for,B,ok,"),
    *("on,A,error,grammar", "on,B,error,grammar"),
    *("at,A,error,", "at,B,error,"),
)
DECIDED = ("in,error,.9", "for,ok,.1", "on,error,.8", "at,error,.7")


def judgments(*rows: str, titles: str = "case,rater,label,context") -> Input:
    return Input.from_lines([titles, *rows], "judgments.csv")


def judged_by(*rows: str, titles: str = "case,rater,label,context", **options: Any) -> Any:
    cases = Input.from_lines(["case", "in", "for", "on", "at"], "cases.csv")
    decisions = Input.from_lines(["case,label,score", *DECIDED], "decisions.csv")
    return evaluate(cases, judgments(*rows, titles=titles), {"mine": decisions}, **options)


def test_2008_section_5_1_a_system_is_not_penalised_for_other_errors_in_the_context() -> None:
    kept = judged_by(*SAID)
    assert kept["mine"].plain.counts == Counts(tp=2, fp=1, fn=0, tn=1)
    with pytest.warns(JuryboxWarning, match=f"2 cases {LEFT_OUT}.*with 4 judgments"):
        clean = judged_by(*SAID, spoiled="drop")
    assert clean["mine"].plain.counts == Counts(tp=1, fp=0, fn=0, tn=1)
    assert (clean.cases.n, clean.cases.spoiled, clean.judges.on_spoiled) == (2, 2, 4)
    assert clean.judges.judgments == 4
    assert "spoiled:drop" in clean.signature
    assert "spoiled" not in kept.signature
    assert "2 with a spoiled context left out" in str(clean)
    assert clean["mine"].curves["plain"].auc == 1  # scores go with their cases
    record = check_schema(clean, "evaluate")
    assert (record["cases"]["spoiled"], record["judges"]["on_spoiled"]) == (2, 4)
    check_restored(clean)


def test_dropping_equals_files_without_the_spoiled_cases() -> None:
    with pytest.warns(JuryboxWarning, match=LEFT_OUT):
        clean = judged_by(*SAID, spoiled="drop", ci=True, resamples=50).to_dict()
    rest = [row for row in SAID if not row.startswith(("in,", "on,"))]
    cases = Input.from_lines(["case", "for", "at"], "cases.csv")
    decisions = Input.from_lines(["case,label,score", DECIDED[1], DECIDED[3]], "decisions.csv")
    alone = evaluate(cases, judgments(*rest), {"mine": decisions}, ci=True, resamples=50).to_dict()
    assert clean["systems"] == alone["systems"]


TITLES = "case,rater,label,context,status,kind"
FLAGS = (
    *("in,A,ok,,,", "in,B,ok,spelling,flagged,", "for,A,ok,,,", "for,M,ok,grammar,,model"),
    *("on,A,error,,,", "at,A,error,determiner,,"),
)


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
@pytest.mark.parametrize(
    ("options", "spoiled"),
    [
        ({}, 1),  # at
        ({"with_flagged": True}, 2),  # in
        ({"count_models": True}, 2),  # for
        ({"with_flagged": True, "count_models": True}, 3),
    ],
)
def test_raters_who_do_not_count_spoil_nothing(options: dict[str, Any], spoiled: int) -> None:
    found = judged_by(*FLAGS, titles=TITLES, spoiled="drop", **options)
    assert found.cases.spoiled == spoiled
    if "count_models" not in options:
        dropped = agree(judgments(*FLAGS, titles=TITLES), spoiled="drop", **options)
        assert dropped.sizes.left_out.spoiled_cases == spoiled


def test_a_flag_without_a_label_spoils_a_case_in_agree_as_well() -> None:
    assert agree(judgments(*SAID), spoiled="drop").sizes.left_out.spoiled_cases == 2


def test_gold_cases_are_left_out_as_gold() -> None:
    rows = [f"{row},{'ok' if row.startswith('in,') else ''}" for row in SAID]
    with pytest.warns(JuryboxWarning, match="1 case with a spoiled"):
        found = judged_by(*rows, titles="case,rater,label,context,gold", spoiled="drop")
    assert (found.cases.gold, found.cases.spoiled) == (1, 1)


def test_what_cannot_be_dropped_is_refused_with_a_remedy() -> None:
    with pytest.raises(UsageError, match=r"no column 'context'.*--columns"):
        judged_by("in,A,ok", titles="case,rater,label", spoiled="drop")
    with pytest.raises(InputError, match=r"--spoiled drop leaves no judgment.*--spoiled keep"):
        judged_by("in,A,ok,spelling", spoiled="drop")
    table = JudgmentTable()
    table.append(0, "A", "ok")
    decisions = Input.from_lines(["case,label", "c1,ok"], "decisions.csv")
    with pytest.raises(UsageError, match="no column 'context'"):
        evaluate(CaseSet((Case("c1"),)), table, {"mine": decisions}, spoiled="drop")
    with pytest.raises(UsageError, match=r"--spoiled drop needs a key"):
        estimate_sample(parts={"error": "10:5:2", "ok": "90:5:1"}, spoiled="drop")
    with pytest.raises(UsageError, match="--spoiled"):
        judged_by(*SAID, spoiled="dropp")


# --- sample estimate ---

ERROR, OK = 10, 20


def drawn_sample() -> SampleKey:
    strata = (KeyStratum("error", "error", 100, ERROR), KeyStratum("ok", "ok", 900, OK))
    cases = (
        *(DrawnCase(f"be{k}", f"error:{k}", "error") for k in range(ERROR)),
        *(DrawnCase(f"bo{k}", f"ok:{k}", "ok") for k in range(OK)),
    )
    return SampleKey(strata, cases, seed=1, name="key.jsonl")


def sample_rows() -> list[str]:
    """Of 10 flagged cases 2 are spoiled and 6 are errors; of 20 others 5 are spoiled, 3 errors.

    A case that is spoiled is named once as the corpus does.
    """
    rows = []
    for k in range(ERROR):
        name = "error:9" if k == 9 else f"be{k}"
        rows.append(f"{name},A,{'error' if k < 6 or k == 8 else 'ok'},{'grammar' if k > 7 else ''}")
        rows.append(f"be{k},B,{'error' if k < 6 or k == 8 else 'ok'},")
    for k in range(OK):
        label = "unknown" if k > 14 else "error" if k < 3 else "ok"
        rows.append(f"bo{k},A,{label},{'spelling' if k > 14 else ''}")
    return rows


def test_spoiled_cases_of_a_sample_count_nowhere_and_parts_are_of_clean_contexts() -> None:
    with pytest.warns(JuryboxWarning, match=f"7 drawn cases {LEFT_OUT}"):
        found = estimate_sample(drawn_sample(), judgments(*sample_rows()), spoiled="drop")
    assert [(one.size, one.drawn, one.judged, one.errors, one.spoiled) for one in found.strata] == [
        (80, 10, 8, 6.0, 2),  # 8 of 10 are clean: 80 of 100
        (675, 20, 15, 3.0, 5),  # 15 of 20: 675 of 900
    ]
    assert found["precision"].estimate == 6 / 8
    hits, misses = 80 * 6 / 8, 675 * 3 / 15
    assert found["recall"].estimate == pytest.approx(hits / (hits + misses))
    assert found.raters is not None
    assert (found.raters.judgments, found.raters.unknown) == (16 + 15, 0)
    assert "spoiled:drop" in found.signature
    assert "7 of 30 drawn cases have a spoiled context" in str(found)
    record = check_schema(found, "sample-estimate")
    assert [one["spoiled"] for one in record["strata"]] == [2, 5]
    check_restored(found)
    counted = {"error": "80:8:6", "ok": "675:15:3"}
    assert estimate_sample(parts=counted)["recall"].estimate == found["recall"].estimate


def test_a_part_that_is_wholly_spoiled_is_refused() -> None:
    rows = [f"be{k},A,ok,spelling" for k in range(ERROR)] + [f"bo{k},A,ok," for k in range(OK)]
    with pytest.raises(InputError, match=r"drawn from error.*10 drawn cases.*--spoiled keep"):
        estimate_sample(drawn_sample(), judgments(*rows), spoiled="drop")


def test_other_systems_are_tested_on_the_clean_cases() -> None:
    other = {f"error:{k}": "error" for k in range(100)} | {f"ok:{k}": "ok" for k in range(900)}
    with pytest.warns(JuryboxWarning) as warned:
        found = estimate_sample(
            drawn_sample(), judgments(*sample_rows()), spoiled="drop", systems={"same": other}
        )
    assert any("same share of spoiled contexts" in str(one.message) for one in warned)
    assert found.retested[0].measures["precision"].estimate == pytest.approx(6 / 8)
