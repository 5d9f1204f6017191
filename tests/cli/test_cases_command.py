"""`jurybox cases derive`: files in, files out, a summary, clear refusals."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import calling
import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD = f"bold={SAMPLE / 'bold.txt'}"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def refused(call: Call, *arguments: object, code: int) -> str:
    return calling.refused(call, "cases", *arguments, code=code)


def test_cases_judgments_and_decisions_are_written_and_summed_up(
    call: Call, tmp_path: Path
) -> None:
    code, out, err = call(
        *("cases", "derive", GOLD, "--tagger", "words", "--system", BOLD),
        *("-o", tmp_path / "cases.csv", "--judgments", tmp_path / "judgments.csv"),
        *("--decisions", tmp_path / "decisions"),
    )
    assert (code, err) == (0, "")
    cases = rows_of(tmp_path / "cases.csv")
    judgments = rows_of(tmp_path / "judgments.csv")
    decisions = rows_of(tmp_path / "decisions" / "bold.csv")
    assert (len(cases), len(judgments), len(decisions)) == (13, 26, 13)
    on = next(case for case in cases if case["written"] == "on")
    assert (on["case"], on["start"], on["end"]) == ("S2:3-4", "3", "4")
    about_on = [(row["rater"], row["label"]) for row in judgments if row["case"] == "S2:3-4"]
    assert about_on == [("0", "error"), ("1", "error")]
    decided = {row["case"]: (row["label"], row["suggestion"]) for row in decisions}
    assert decided["S2:3-4"] == ("error", "in")
    assert decided["S1:2-3"][0] == "ok"
    assert f"cases: {tmp_path / 'cases.csv'}" in out
    assert out.count("signature: ") == 1


def test_the_panel_can_be_named_with_gold_or_without(call: Call) -> None:
    assert call("cases", "derive", GOLD) == call("cases", "derive", "--gold", GOLD)


def test_options_reach_the_library(call: Call) -> None:
    _, out, _ = call(
        *("cases", "derive", GOLD, "--construction", "article", "missing-article"),
        *("--error-rule", "any-edit", "--format", "json"),
    )
    record = json.loads(out)
    assert [one["name"] for one in record["constructions"]] == ["article", "missing-article"]
    assert "|rule:any-edit|" in record["signature"]


def test_cases_on_standard_output_leave_the_summary_to_standard_error(call: Call) -> None:
    code, out, err = call("cases", "derive", GOLD, "--construction", "comma", "-o", "-")
    assert code == 0
    head, *cases = map(json.loads, out.splitlines())
    assert head["description"]["construction"] == "comma"
    assert [case["written"] for case in cases] == [","] * len(cases)
    assert err.startswith("Cases\n")


def test_wrong_usage_is_told_before_any_work(call: Call, tmp_path: Path) -> None:
    assert "did you mean 'derive'" in refused(call, "derived", GOLD, code=2)
    assert "--gold" in refused(call, "derive", code=2)
    assert "--system" in refused(call, "derive", GOLD, "--decisions", tmp_path, code=2)
    assert "is a file" in refused(
        call, "derive", GOLD, "--system", BOLD, "--decisions", GOLD, code=2
    )
    assert "end it in" in refused(call, "derive", GOLD, "-o", tmp_path / "cases.m2", code=2)
    assert "in use" in refused(
        call, "derive", GOLD, "-o", tmp_path / "a.csv", "--judgments", tmp_path / "a.csv", code=2
    )
    twice = ("--construction", "token", "comma")
    assert "one by one" in refused(call, "derive", GOLD, *twice, code=2)
    near = ("--construction", "prepositions")
    assert "did you mean 'preposition'" in refused(call, "derive", GOLD, *near, code=2)
    assert list(tmp_path.iterdir()) == []


def test_gold_is_not_written_over(call: Call, tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_bytes(GOLD.read_bytes())
    refused(call, "derive", gold, "-o", gold, code=2)
    assert gold.read_bytes() == GOLD.read_bytes()


@pytest.mark.parametrize("form", ["text", "csv", "markdown", "latex"])
def test_the_summary_has_every_form(call: Call, form: str) -> None:
    code, out, _ = call("cases", "derive", GOLD, "--system", BOLD, "--format", form)
    assert code == 0
    assert "preposition" in out
    assert "bold" in out


# --- balance ---

JUDGED = SAMPLE.parent / "cases.jsonl"


def test_a_balanced_set_with_one_command(call: Call, tmp_path: Path) -> None:
    """Madnani et al. (2011, section 2.1): confirmed errors, and as many correct uses."""
    target = tmp_path / "set.jsonl"
    code, out, err = call(
        *("cases", "balance", JUDGED, "--judgments", SAMPLE.parent / "judgments.csv"),
        *("--errors", "20", "--gold-cases", "4", "-o", target),
    )
    assert (code, err) == (0, "")
    assert "40 cases in random order, seed 1, of 150 given" in out
    head, *cases = map(json.loads, target.read_text("utf-8").splitlines())
    assert head["description"]["enumeration"].startswith("balanced, no random sample: 20")
    assert (len(cases), sum("gold" in case for case in cases)) == (40, 4)


def test_the_summary_of_a_balanced_set_as_json(call: Call) -> None:
    code, out, _ = call(
        *("cases", "balance", JUDGED, "--judgments", SAMPLE.parent / "judgments.csv"),
        *("--duplicates", "drop", "--format", "json"),
    )
    result = json.loads(out)
    assert (code, result["schema"]) == (0, "jurybox.cases-balance/1")
    assert result["errors"]["drawn"] == result["correct"]["drawn"]
    assert result["duplicates"] == {"cases": 0, "dropped": True}


def test_balance_says_what_is_missing(call: Call, tmp_path: Path) -> None:
    assert "the cases are missing" in refused(call, "balance", code=2)
    target = tmp_path / "set.txt"
    judgments = ("--judgments", SAMPLE.parent / "judgments.csv")
    assert "does not tell its format" in refused(
        call, "balance", JUDGED, *judgments, "-o", target, code=2
    )
    assert "--agreement must lie between 0.5 and 1" in refused(
        call, "balance", JUDGED, *judgments, "--agreement", ".4", code=2
    )


def test_duplicates_of_a_panel_are_dropped_on_request(call: Call, tmp_path: Path) -> None:
    """Madnani et al. (2011, footnote 3)."""
    twice = tmp_path / "twice.m2"
    one = "S We go to to school .\nA 2 3|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    twice.write_text(f"{one}\n{one}", "utf-8")
    _, kept, _ = call("cases", "derive", twice, "--tagger", "words")
    _, dropped, _ = call("cases", "derive", twice, "--tagger", "words", "--duplicates", "drop")
    assert "as one before, kept" in kept
    assert "as one before, left out" in dropped
