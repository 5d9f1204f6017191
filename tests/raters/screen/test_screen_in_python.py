"""`screen`: careless raters are found, careful ones are not, and what changes is told."""

from __future__ import annotations

import csv
import json
import random
import warnings
from math import isnan
from pathlib import Path

import pytest

import jurybox as jb
from jurybox.errors import JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.raters.inputs import Said
from jurybox.raters.screen import screen
from jurybox.raters.screen.kept_judgments import save_screened
from saved_results import check_restored

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "judgments.csv"
MTURK = [
    "HITId,AssignmentId,WorkerId,Answer.Q1,WorkTimeInSeconds,Reward",
    *(
        f"h{n},a{n}-{who},W{who},{'Yes' if n % 2 or who == 3 else 'No'},20,$0.05"
        for n in range(24)
        for who in range(4)
    ),
]


def crowd(cases: int = 40, careful: int = 4) -> list[Said]:
    """People who are mostly right, and one who throws a coin."""
    lots = random.Random(7)
    said: list[Said] = []
    for n in range(cases):
        truth = "error" if n % 3 == 0 else "ok"
        other = "ok" if truth == "error" else "error"
        for who in range(careful):
            said.append((f"c{n}", f"P{who}", truth if lots.random() < 0.9 else other))
        said.append((f"c{n}", "coin", lots.choice(("error", "ok"))))
    return said


def test_the_two_careless_raters_of_the_sample_are_found_and_nobody_else() -> None:
    result = screen(SAMPLE)
    assert result.dropped == result.flagged == ("R04", "R09")
    assert result["R04"].flags == ("inaccurate", "chance", "spammer", "fast")
    assert result.effect.after.alpha > result.effect.before.alpha + 0.1


def test_they_are_found_without_gold_and_without_times_too() -> None:
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        said = [(row["case"], row["rater"], row["label"]) for row in csv.DictReader(file)]
    result = screen(said)
    assert set(result.dropped) == {"R04", "R09"}
    assert result["R04"].flags == ("spammer",)
    assert result.gold == ""


def test_a_coin_is_a_spammer() -> None:
    assert screen(crowd()).dropped == ("coin",)


def test_accuracy_and_trust_are_those_of_the_known_answers() -> None:
    said = [(f"c{n}", who, "a") for n in range(4) for who in ("Ann", "Bob")]
    said += [("c4", "Ann", "b"), ("c4", "Bob", "a")]
    gold = {f"c{n}": "a" for n in range(4)} | {"c4": "b"}
    result = screen(said, gold=gold, min_gold=5, min_accuracy=0.9)
    assert (result["Ann"].accuracy, result["Bob"].accuracy) == (1.0, 0.8)
    # (right + 2 m) / (answers + 2), m = (9 + 1) / (10 + 2)
    assert result["Bob"].trust == pytest.approx((4 + 2 * 10 / 12) / 7)
    assert result["Bob"].flags[0] == "inaccurate"
    assert result["Bob"].reasons[0] == "4 of 5 known answers right: 0.800 is below 0.9"


def test_too_few_known_answers_blame_nobody() -> None:
    said = [(f"c{n}", who, "a") for n in range(4) for who in ("Ann", "Bob")]
    gold = {f"c{n}": "b" for n in range(4)}
    with pytest.warns(JuryboxWarning, match="no rater gave"):
        assert screen(said, gold=gold, min_gold=5).flagged == ()


def test_nobody_is_at_chance_where_even_the_best_could_not_be_told_from_a_guesser() -> None:
    # all known answers are ok: who says ok always is perfect, and a guesser too
    said = [(f"c{n}", who, "ok") for n in range(9) for who in ("Ann", "Bob")]
    said += [("x", "Ann", "error"), ("x", "Bob", "ok")]
    result = screen(said, gold={f"c{n}": "ok" for n in range(9)})
    assert result["Ann"].p_value == 1.0
    assert result.flagged == ()


def test_trust_can_be_asked_for() -> None:
    said = [(f"c{n}", who, "a" if who == "Ann" or n else "b") for n in range(6) for who in "XYZ"]
    said += [(f"c{n}", "Ann", "a") for n in range(6)]
    gold = {f"c{n}": "a" for n in range(6)}
    flagged = screen(said, gold=gold, min_trust=0.88).flagged
    assert flagged == ("X", "Y", "Z")
    assert screen(said, gold=gold).flagged == ()


def test_the_fast_are_flagged_and_stay_unless_told_otherwise() -> None:
    rows = [f"c{n},{who},{n % 2},{1 if who == 'D' else 10}" for n in range(20) for who in "ABCD"]
    given = Input.from_lines(["case,rater,label,seconds", *rows])
    assert (screen(given).flagged, screen(given).dropped) == (("D",), ())
    assert screen(given, drop=["fast"]).dropped == ("D",)
    assert screen(given, drop="all").dropped == ("D",)
    assert screen(given, drop="all", fast=0.1).dropped == ()
    assert screen(given).typical_seconds == 10


def test_a_rule_that_drops_everybody_drops_nobody_and_says_so() -> None:
    said = [(f"c{n}", who, "a") for n in range(6) for who in ("Ann", "Bob")]
    said += [("x", "Ann", "b"), ("x", "Bob", "b")]
    with pytest.warns(JuryboxWarning, match="every rater would be dropped"):
        result = screen(said, gold={f"c{n}": "b" for n in range(6)})
    assert result.dropped == ()
    assert len(result.flagged) == 2


def test_what_changes_is_counted() -> None:
    said = [(f"c{n}", "A", "ok") for n in range(30)] + [(f"c{n}", "B", "ok") for n in range(5, 30)]
    said += [(f"c{n}", "A2", "error" if n < 4 else "ok") for n in range(30)]
    said += [(f"c{n}", "D", "error" if n < 5 or n % 2 else "ok") for n in range(30)]
    result = screen(
        said, gold={f"c{n}": "ok" for n in range(10)}, min_accuracy=0.5, drop="inaccurate"
    )
    assert result.dropped == ("D",)
    effect = result.effect
    assert set(effect.lost) == {"c0", "c1", "c2", "c3"}  # A against A2
    assert (effect.before.raters, effect.after.raters) == (4, 3)
    assert effect.before.judgments - effect.after.judgments == 30
    assert effect.after.accuracy == pytest.approx((4 * 0.5 + 6) / 10)


@pytest.mark.filterwarnings("ignore:.*'item' is read as case")
def test_snow_gets_more_reliable_and_more_accurate(data_dir: Path) -> None:
    effect = screen(data_dir / "snow" / "rte.csv").effect
    assert effect.before.alpha == pytest.approx(0.241479, abs=1e-6)
    assert effect.before.accuracy == 0.896875
    assert effect.after.alpha > 0.6
    assert effect.after.accuracy > 0.92


def test_no_id_of_a_worker_is_in_any_form_of_the_result(data_dir: Path) -> None:
    file = data_dir / "mturk" / "confirmation_batch.csv"
    with file.open(encoding="utf-8", newline="") as opened:
        ids = {row["WorkerId"] for row in csv.DictReader(opened)}
    result = screen(file)
    assert len(result.raters) == len(ids) == 96
    for text in (str(result), result.to_json(), result.to_csv()):
        assert not any(one in text for one in ids)
    assert {one.rater for one in screen(file, show_raters=True).raters} == ids


def test_unanimous_judgments_have_no_alpha_and_say_why() -> None:
    result = screen([(f"c{n}", who, "ok") for n in range(3) for who in "AB"])
    assert isnan(result.effect.before.alpha)
    assert result.effect.before.alpha_reason == "all judgments are the same label"


@pytest.mark.parametrize(
    "options",
    [
        {"min_accuracy": 70},
        {"fast": -1},
        {"min_gold": 0},
        {"min_judgments": 0},
        {"drop": ["lazy"]},
        {"drop": ["all", "fast"]},
        {"show_raters": True, "pseudonymise": True},
        {"expert": "Ann", "gold": {"c1": "ok"}},
        {"min_trust": float("nan")},
    ],
)
def test_options_that_make_no_sense_are_refused_before_the_work(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        screen("no such file", **options)  # type: ignore[arg-type]  # options of all kinds


@pytest.mark.parametrize("given", [SAMPLE, crowd(), Input.from_lines(MTURK)])
def test_a_saved_result_comes_back(given: object) -> None:
    result = screen(given)  # type: ignore[arg-type]  # files and memory
    check_restored(result)


# --- judgments written again ---


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_saved_judgments_are_those_of_the_raters_who_stay_with_all_their_columns(
    tmp_path: Path,
) -> None:
    target = tmp_path / "kept.csv"
    count = save_screened(screen(SAMPLE), SAMPLE, target)
    before = [row for row in rows_of(SAMPLE) if row["rater"] not in ("R04", "R09")]
    after = rows_of(target)
    assert len(after) == count == len(before)
    assert [{name: row[name] for name in after[0]} for row in before] == after
    assert set(after[0]) == set(before[0])


def test_flags_can_be_kept_instead(tmp_path: Path) -> None:
    target = tmp_path / "flagged.jsonl"
    save_screened(screen(SAMPLE), SAMPLE, target, keep_flags=True)
    rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(rows_of(SAMPLE))
    assert {row["rater"] for row in rows if row.get("flags")} == {"R04", "R09"}


@pytest.mark.parametrize("show", [True, False])
def test_the_right_worker_is_left_out_whatever_they_are_shown_as(
    tmp_path: Path, show: bool
) -> None:
    given = Input.from_lines(MTURK)
    result = screen(given, show_raters=show)
    assert result.dropped == (("W3",) if show else ("R4",))
    save_screened(result, given, tmp_path / "kept.csv")
    assert {row["rater"] for row in rows_of(tmp_path / "kept.csv")} == {"W0", "W1", "W2"}
    save_screened(result, given, tmp_path / "named.csv", pseudonymise=True)
    assert {row["rater"] for row in rows_of(tmp_path / "named.csv")} == {"R1", "R2", "R3"}
    assert {row["reward"] for row in rows_of(tmp_path / "named.csv")} == {"0.05 USD"}


def test_names_by_a_key_are_the_same_in_result_and_file(tmp_path: Path) -> None:
    given = Input.from_lines(MTURK)
    result = screen(given, pseudonymise="secret")
    save_screened(result, given, tmp_path / "kept.csv", pseudonymise="secret")
    kept = {row["rater"] for row in rows_of(tmp_path / "kept.csv")}
    assert kept == {one.rater for one in result.raters} - {*result.dropped}
    assert len(kept) == 3


def test_what_was_saved_can_be_screened_again(tmp_path: Path) -> None:
    save_screened(screen(SAMPLE), SAMPLE, tmp_path / "kept.csv")
    again = screen(tmp_path / "kept.csv")
    assert again.dropped == ()
    assert again.effect.before.alpha == screen(SAMPLE).effect.after.alpha


def test_a_target_that_does_not_tell_its_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not tell its format"):
        save_screened(screen(SAMPLE), SAMPLE, tmp_path / "kept.xls")


def test_warnings_are_in_the_result() -> None:
    text = "case,rater,label,kind\nc1,Ann,ok,\nc1,Bob,ok,\nc1,GPT,error,model\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        result = screen(Input.from_text(text))
    assert any("--count-models" in line for line in result.warnings)


def test_a_worker_who_is_hidden_in_the_result_is_still_left_out_of_the_file(
    tmp_path: Path,
) -> None:
    rows = [
        f"c{n},{who},{'yes' if n % 2 or who == 'AWORKER4' else 'no'}"
        for n in range(20)
        for who in ("AWORKER1", "AWORKER2", "AWORKER3", "AWORKER4")
    ]
    given = Input.from_lines(["case,worker_id,label", *rows])
    with pytest.warns(JuryboxWarning, match="is read as rater"):
        result = screen(given)
    assert result.dropped == ("R4",)
    target = tmp_path / "kept.csv"
    assert save_screened(result, given, target) == 60
    assert "AWORKER4" not in target.read_text(encoding="utf-8")
