"""`jurybox evaluate`: files in, tables and JSON and figures out, clear refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import jurybox
from calling import Call, refused
from jurybox.jury.evaluate import FIGURES

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"


JUDGMENTS = """\
case,rater,label,correction
c1,Ann,error,in
c1,Bob,error,at
c1,Cem,ok,
c2,Ann,ok,
c2,Bob,ok,
c2,Cem,error,to
c3,Ann,ok,
c3,Bob,ok,
c3,Cem,ok,
c4,Ann,error,on
c4,Bob,error,on
c4,Cem,error,on
"""
MINE = """\
case,label,score,suggestion
c1,error,.8,in
c2,error,.7,of
c3,ok,.1,
c4,error,.9,on
"""
OTHER = "case,label\nc1,ok\nc2,ok\nc3,ok\nc4,error\n"


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Four cases, three raters and two systems; gives the arguments that name them."""
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("cases.csv", "case\nc1\nc2\nc3\nc4\n"),
        ("judgments.csv", JUDGMENTS),
        ("mine.csv", MINE),
        ("other.csv", OTHER),
    ):
        Path(name).write_text(text, encoding="utf-8")
    return [
        *("evaluate", "cases.csv", "--judgments", "judgments.csv"),
        *("--system", "mine=mine.csv", "other=other.csv"),
    ]


def json_of(call: Call, *arguments: object) -> Any:
    code, out, _ = call(*arguments, "--format", "json")
    assert code == 0
    return json.loads(out)


def test_json_has_the_counts_worked_by_hand(call: Call, trial: list[str]) -> None:
    record = json_of(call, *trial)
    mine, other = record["systems"]
    assert mine["detection"] == {"tp": 2, "fp": 1, "fn": 0, "tn": 1}
    assert mine["weighted"] == pytest.approx({"tp": 2, "fp": 1, "fn": 0, "tn": 1})
    # Of c1 "in" is one of two corrections as good as each other; c4 is right.
    assert mine["correction"] == {"tp": 2, "fp": 1, "fn": 0, "xyz": 0, "uncomparable": 0}
    assert other["detection"] == {"tp": 1, "fp": 0, "fn": 1, "tn": 2}
    assert other["curves"] == {}
    assert mine["curves"]["plain"]["auc"] == 1.0
    assert record["cases"]["n"] == 4
    assert [one["n"] for one in mine["bins"]] == [2, 0, 2]


def test_text_shows_counts_prevalence_bias_and_baseline(call: Call, trial: list[str]) -> None:
    code, out, err = call(*trial)
    assert (code, err) == (0, "")
    for word in ("TP", "TN", "prevalence", "bias", "always ok", "not described", "By agreement"):
        assert word in out
    assert "mine    majority  4    2    1    0    1  0.6667  1.0000  0.7143  0.5000" in out


@pytest.mark.parametrize("form", ["csv", "markdown", "latex"])
def test_other_forms_can_be_printed(call: Call, trial: list[str], form: str) -> None:
    code, out, _ = call(*trial, "--format", form)
    assert code == 0
    assert "mine" in out


def test_everything_asked_for_is_printed(call: Call, trial: list[str]) -> None:
    code, out, _ = call(
        *(*trial, "--ci", "--resamples", 20, "--stability", "--develop", 0.5, "--smooth", 2),
        *("--bin-by", "error-share", "--bins", "0,.5,1"),
    )
    assert code == 0
    for title in ("bootstrap intervals over cases", "Differences", "Stability", "Threshold with"):
        assert title in out
    assert "By error-share" in out


def test_columns_and_labels_of_an_export_are_mapped(call: Call, trial: list[str]) -> None:
    text = JUDGMENTS.replace("case,rater,label", "HITId,WorkerId,Answer")
    text = text.replace(",error,", ",No,").replace(",ok,", ",Yes,")
    Path("judgments.csv").write_text(text, encoding="utf-8")
    mapped = ["--columns", "case=HITId,rater=WorkerId,label=Answer", "--relabel", "Yes=ok,No=error"]
    assert json_of(call, *trial, *mapped)["systems"][0]["detection"]["tp"] == 2


def test_cases_can_come_from_standard_input(
    call: Call, trial: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trial[1] = "-"
    with Path("cases.csv").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert json_of(call, *trial)["cases"]["n"] == 4


def test_a_missing_decision_is_told_and_counted(call: Call, trial: list[str]) -> None:
    Path("other.csv").write_text("case,label\nc1,ok\nc2,ok\nc4,error\n", encoding="utf-8")
    code, out, err = call(*trial, "--missing", "error", "--format", "json")
    assert code == 0
    assert "no decision on 1 of 4 cases (first: 'c3'); they count as error" in err
    other = json.loads(out)["systems"][1]
    assert (other["missing"], other["detection"]["fp"]) == (1, 1)


def test_another_corpus_is_put_beside(call: Call, trial: list[str]) -> None:
    code, _, _ = call(*trial, "--format", "json", "-o", "there.json")
    assert code == 0
    code, out, _ = call(*trial, "--compare-with", "there.json")
    assert code == 0
    assert "Kappa by bin: cases here, cases (other) there" in out
    assert "caution: bin 0.5 to 0.75 has 2 cases in cases, under 30" in out
    # one command draws both (Madnani et al. 2011, section 4.2)
    assert call(*trial, "--compare-with", "there.json", "--figure", "both.svg")[0] == 0
    drawn = Path("both.svg").read_text(encoding="utf-8")
    assert "Kappa by agreement of the raters: cases and cases (other)" in drawn


@pytest.mark.parametrize("kind", FIGURES)
def test_figures_are_written(call: Call, trial: list[str], kind: str) -> None:
    code, _, _ = call(*trial, "--figure", "f.svg", "--plot", kind)
    assert code == 0
    assert Path("f.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_the_same_seed_gives_the_same_digits(call: Call, trial: list[str]) -> None:
    asked = [*trial, "--ci", "--ci-unit", "rater", "--resamples", "50", "--seed", "7"]
    assert call(*asked) == call(*asked)
    assert "over raters" in call(*asked)[1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--ties", "coin"], "--ties"),
        (["--relabel", "Yes"], "--relabel Yes: write pairs"),
        (["--columns", "cases=x"], "--columns cases=x"),
        (["--bins", "low,high"], "--bins low,high"),
        (["--bins", ".6,1"], "edges of bins"),
        (["--plot", "kappa"], "--figure"),
        (["--figure", "f.svg", "--plot", "pie"], "--plot"),
        (["--figure", "f.jpg"], "f.jpg"),
        (["--ci-unit", "rater"], "--ci"),
        (["--format", "xml"], "format"),
        (["-o", "mine.csv"], "in use already"),
    ],
)
def test_wrong_usage_is_told_by_the_options_name(
    call: Call, trial: list[str], more: list[str], message: str
) -> None:
    assert message in refused(call, *trial, *more, code=2)


def test_judgments_and_systems_are_asked_for(call: Call, trial: list[str]) -> None:
    assert "--judgments" in refused(call, "evaluate", "cases.csv", "--system", "a=mine.csv", code=2)
    assert "--system" in refused(call, *trial[:4], code=2)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "judgments.csv",
            "case,rater,label\nc9,Ann,ok\n",
            "judgments.csv:2, column 1 (case): there is no case 'c9'",
        ),
        ("judgments.csv", "case,rater,label\nc1,Ann,bad\n", "--relabel bad=error"),
        ("mine.csv", "case,label\nc1,ok\nc1,ok\n", "decided before, in line 2"),
        ("mine.csv", "case,label\nc8,ok\n", "there is no case 'c8'"),
        ("cases.csv", "case\nc1\nc1\n", "listed before"),
        ("cases.csv", "id\nc1\n", "no column 'case'"),
    ],
)
def test_bad_files_are_refused_with_place_and_remedy(
    call: Call, trial: list[str], file: str, text: str, message: str
) -> None:
    Path(file).write_text(text, encoding="utf-8")
    assert message in refused(call, *trial, code=1)


def test_what_cases_derive_writes_can_be_evaluated(call: Call, trial: list[str]) -> None:
    assert trial
    bold = f"bold={SAMPLE / 'bold.txt'}"
    code, _, _ = call(
        *("cases", "derive", SAMPLE / "gold.m2", "--tagger", "words", "--system", bold),
        *("-o", "d.jsonl", "--judgments", "j.csv", "--decisions", "."),
    )
    assert code == 0
    record = json_of(call, "evaluate", "d.jsonl", "--judgments", "j.csv", "--system", "b=bold.csv")
    assert record["cases"]["description"]["construction"] == "preposition"
    assert record["systems"][0]["n"] == 13


def test_a_threshold_below_zero_in_scientific_notation_is_a_number(
    call: Call, trial: list[str]
) -> None:
    alone = [word for word in trial if word != "other=other.csv"]
    detection = json_of(call, *alone, "--threshold", "-1e-3")["systems"][0]["detection"]
    assert (detection["fn"], detection["tn"]) == (0, 0)  # every score is above: all is reported
