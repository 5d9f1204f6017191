"""`jurybox compare`: signs, p-values, Holm, the release gate, and the sentences that decide."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD, CAUTIOUS, REWRITER = (SAMPLE / f"{name}.txt" for name in ("bold", "cautious", "rewriter"))


def compared(call: Call, *arguments: object) -> dict[str, Any]:
    code, out, err = call("compare", *arguments, "--format", "json")
    made: dict[str, Any] = json.loads(out)
    assert code == 0
    assert err.splitlines() == [f"jurybox: warning: {line}" for line in made["warnings"]]
    assert not made["warnings"] or "errant" in arguments  # whose gold has NUCLE's types here
    return made


def scored(call: Call, *arguments: object) -> dict[str, Any]:
    code, out, err = call("score", *arguments, "--format", "json")
    assert (code, err) == (0, "")
    made: dict[str, Any] = json.loads(out)
    return made


def test_the_json_has_the_envelope_of_all_commands(call: Call) -> None:
    made = compared(call, BOLD, REWRITER, "--gold", GOLD)
    assert list(made)[:5] == ["schema", "command", "version", "signature", "inputs"]
    assert made["schema"] == "jurybox.compare/1"
    assert made["command"] == "compare"
    assert [given["path"] for given in made["inputs"]] == [str(BOLD), str(REWRITER), str(GOLD)]
    assert "|ci:bootstrap-1000-sentence|seed:1|v:" in made["signature"]


def test_the_systems_scores_are_those_of_score(call: Call) -> None:
    made = compared(call, BOLD, REWRITER, "--gold", GOLD)
    assert made["systems"] == scored(call, BOLD, REWRITER, "--gold", GOLD)["systems"]


def test_the_difference_is_second_minus_first(call: Call) -> None:
    made = compared(call, BOLD, REWRITER, "--gold", GOLD)
    (pair,) = made["pairs"]
    first, second = made["systems"]
    assert (pair["first"], pair["second"]) == ("bold.txt", "rewriter.txt")
    assert pair["difference"] == pytest.approx(second["f"] - first["f"])
    assert pair["low"] <= pair["difference"] <= pair["high"] < 0


def test_exchanging_the_systems_turns_the_sign(call: Call) -> None:
    (one,) = compared(call, BOLD, REWRITER, "--gold", GOLD)["pairs"]
    (other,) = compared(call, REWRITER, BOLD, "--gold", GOLD)["pairs"]
    assert other["difference"] == pytest.approx(-one["difference"])
    assert (other["low"], other["high"]) == pytest.approx((-one["high"], -one["low"]))
    assert other["p_bootstrap"] == pytest.approx(one["p_bootstrap"])


def test_a_system_against_itself_is_not_told_apart(call: Call, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(BOLD.read_bytes())
    (pair,) = compared(call, BOLD, copy, "--gold", GOLD)["pairs"]
    assert pair["difference"] == 0
    assert (pair["p_bootstrap"], pair["p_randomisation"]) == (1.0, 1.0)
    assert (pair["for_first"], pair["for_second"]) == ([], [])


def test_two_systems_need_no_correction_for_many_comparisons(call: Call) -> None:
    (pair,) = compared(call, BOLD, REWRITER, "--gold", GOLD)["pairs"]
    assert pair["p_randomisation_holm"] == pair["p_randomisation"]
    assert pair["p_bootstrap_holm"] == pair["p_bootstrap"]


@pytest.mark.parametrize("test", ["p_bootstrap", "p_randomisation"])
def test_more_than_two_systems_are_corrected_by_holm(call: Call, test: str) -> None:
    made = compared(call, BOLD, CAUTIOUS, REWRITER, "--gold", GOLD, "--all-pairs")
    ranked = sorted(made["pairs"], key=lambda pair: pair[test])
    largest = 0.0
    for times, pair in zip((3, 2, 1), ranked, strict=True):
        largest = max(largest, min(1.0, times * pair[test]))
        assert pair[f"{test}_holm"] == pytest.approx(largest)
    assert ranked[0][f"{test}_holm"] > ranked[0][test]


def test_the_first_system_is_the_baseline(call: Call) -> None:
    made = compared(call, BOLD, CAUTIOUS, REWRITER, "--gold", GOLD)
    assert made["baseline"] == "bold.txt"
    assert [(pair["first"], pair["second"]) for pair in made["pairs"]] == [
        ("bold.txt", "cautious.txt"),
        ("bold.txt", "rewriter.txt"),
    ]


def test_another_baseline_can_be_named(call: Call) -> None:
    files = [BOLD, CAUTIOUS, REWRITER]
    made = compared(call, *files, "--gold", GOLD, "--baseline", "rewriter.txt")
    assert made["baseline"] == "rewriter.txt"
    assert [(pair["first"], pair["second"]) for pair in made["pairs"]] == [
        ("rewriter.txt", "bold.txt"),
        ("rewriter.txt", "cautious.txt"),
    ]


def test_all_pairs_are_compared_once_each(call: Call) -> None:
    made = compared(call, BOLD, CAUTIOUS, REWRITER, "--gold", GOLD, "--all-pairs")
    assert made["baseline"] is None
    assert [(pair["first"], pair["second"]) for pair in made["pairs"]] == [
        ("bold.txt", "cautious.txt"),
        ("bold.txt", "rewriter.txt"),
        ("cautious.txt", "rewriter.txt"),
    ]


def test_the_seed_decides_the_digits(call: Call) -> None:
    files = [BOLD, REWRITER, "--gold", GOLD, "--resamples", 200]
    assert compared(call, *files, "--seed", 3) == compared(call, *files, "--seed", 3)
    one, other = compared(call, *files, "--seed", 3), compared(call, *files, "--seed", 4)
    assert one["pairs"][0]["low"] != other["pairs"][0]["low"]
    assert one["pairs"][0]["difference"] == other["pairs"][0]["difference"]


def test_the_smallest_detectable_difference_follows_from_the_standard_error(call: Call) -> None:
    (pair,) = compared(call, BOLD, REWRITER, "--gold", GOLD)["pairs"]
    # z(.975) + z(.8) = 1.95996 + 0.84162
    assert pair["smallest_detectable"] == pytest.approx(2.80158 * pair["standard_error"], rel=1e-5)
    assert pair["standard_error"] > 0


@pytest.mark.parametrize("metric", ["errant", "gleu"])
def test_every_metric_can_be_compared(call: Call, tmp_path: Path, metric: str) -> None:
    systems = []
    for path in (BOLD, REWRITER):
        systems.append(tmp_path / f"{path.stem}.m2")
        arguments = [SAMPLE / "source.txt", systems[-1], "--corrected", path]
        assert call("convert", *arguments)[0] == 0
    level = ["--level", "span"] if metric == "errant" else []
    made = compared(call, *systems, "--gold", GOLD, "--metric", metric, *level, "--resamples", 100)
    (pair,) = made["pairs"]
    name = "score" if metric == "gleu" else "f"
    first, second = made["systems"]
    assert pair["difference"] == pytest.approx(second[name] - first[name])
    assert 0 < pair["p_randomisation"] <= 1


# --- the release gate ----------------------------------------------------------------------------


def test_the_gate_closes_with_3_when_a_system_is_significantly_worse(call: Call) -> None:
    code, out, err = call("compare", BOLD, REWRITER, "--gold", GOLD, "--fail-if-worse")
    assert code == 3
    assert "rewriter.txt worse" in out
    assert err.startswith("jurybox: rewriter.txt is worse than bold.txt by ")
    assert err.count("\n") == 1


def test_the_gate_stays_open_for_a_better_system(call: Call) -> None:
    code, _, err = call("compare", REWRITER, BOLD, "--gold", GOLD, "--fail-if-worse")
    assert (code, err) == (0, "")


def test_the_gate_stays_open_when_chance_could_explain_it(call: Call) -> None:
    # bold is below cautious, by less than fifteen sentences can show
    code, _, err = call("compare", CAUTIOUS, BOLD, "--gold", GOLD, "--fail-if-worse")
    assert (code, err) == (0, "")


def test_a_stricter_alpha_opens_the_gate(call: Call) -> None:
    gate = ["compare", BOLD, REWRITER, "--gold", GOLD, "--fail-if-worse", "--alpha"]
    assert call(*gate, "0.05")[0] == 3
    assert call(*gate, "0.0001")[0] == 0


def test_without_the_gate_a_worse_system_is_no_failure(call: Call) -> None:
    code, out, err = call("compare", BOLD, REWRITER, "--gold", GOLD)
    assert (code, err) == (0, "")
    assert "rewriter.txt worse" in out


def test_the_gate_writes_its_result_all_the_same(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    options = ["--fail-if-worse", "--format", "json", "-o", target]
    assert call("compare", BOLD, REWRITER, "--gold", GOLD, *options)[0] == 3
    assert json.loads(target.read_text(encoding="utf-8"))["command"] == "compare"


# --- the sentences that decide -------------------------------------------------------------------


def test_deciding_sentences_point_to_the_side_they_speak_for(call: Call) -> None:
    (pair,) = compared(call, BOLD, REWRITER, "--gold", GOLD)["pairs"]
    assert all(one["influence"] > 0 for one in pair["for_second"])
    assert all(one["influence"] < 0 for one in pair["for_first"])
    for side in (pair["for_first"], pair["for_second"]):
        strength = [abs(one["influence"]) for one in side]
        assert strength == sorted(strength, reverse=True)


def test_deciding_sentences_carry_their_words_and_lines(call: Call) -> None:
    (pair,) = compared(call, BOLD, REWRITER, "--gold", GOLD)["pairs"]
    lines = {p: p.read_text(encoding="utf-8").splitlines() for p in (BOLD, REWRITER)}
    source = (SAMPLE / "source.txt").read_text(encoding="utf-8").splitlines()
    for one in (*pair["for_first"], *pair["for_second"]):
        place = one["sentence"] - 1
        assert one["source"] == source[place]
        assert one["first"] == lines[BOLD][place]
        assert one["second"] == lines[REWRITER][place]


def test_a_sentence_only_one_system_gets_right_decides(call: Call, tmp_path: Path) -> None:
    gold = tmp_path / "g.m2"
    edit = "A 0 1|||X|||{}|||REQUIRED|||-NONE-|||0\n"
    gold.write_text(f"S a b\n{edit.format('x')}\nS c d\n{edit.format('y')}", encoding="utf-8")
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("x b\nc d\n", encoding="utf-8")
    other.write_text("x b\ny d\n", encoding="utf-8")
    (pair,) = compared(call, one, other, "--gold", gold)["pairs"]
    assert [deciding["sentence"] for deciding in pair["for_second"]] == [2]
    # F0.5 is 1 against 1.25/1.5 with the sentence, equal without it
    assert pair["for_second"][0]["influence"] == pytest.approx(1 - 1.25 / 1.5)


@pytest.mark.parametrize("top", [0, 1, 3])
def test_top_limits_the_deciding_sentences(call: Call, top: int) -> None:
    (pair,) = compared(call, BOLD, REWRITER, "--gold", GOLD, "--top", top)["pairs"]
    assert len(pair["for_first"]) == top
    assert len(pair["for_second"]) <= top


def test_the_text_shows_scores_pairs_and_deciding_sentences(call: Call) -> None:
    code, out, err = call("compare", BOLD, CAUTIOUS, REWRITER, "--gold", GOLD, "--top", 1)
    assert (code, err) == (0, "")
    for shown in ("p Holm", "smallest detectable", "rewriter.txt - bold.txt", "speaks for"):
        assert shown in out
    assert "signature: jurybox m2|refs:2|" in out


def test_two_systems_show_no_holm_column(call: Call) -> None:
    _, out, _ = call("compare", BOLD, REWRITER, "--gold", GOLD, "--top", 0)
    assert "p Holm" not in out


# --- standard input ------------------------------------------------------------------------------


def test_one_of_the_systems_can_come_from_standard_input(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_file = compared(call, BOLD, REWRITER, "--gold", GOLD, "--resamples", 50)
    given = io.TextIOWrapper(io.BytesIO(REWRITER.read_bytes()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    from_pipe = compared(call, BOLD, "-", "--gold", GOLD, "--resamples", 50)
    assert [pair["second"] for pair in from_pipe["pairs"]] == ["stdin"]
    for name in ("difference", "low", "high", "p_bootstrap", "p_randomisation"):
        assert from_pipe["pairs"][0][name] == from_file["pairs"][0][name]


def test_the_gold_can_come_from_standard_input(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from_file = compared(call, BOLD, REWRITER, "--gold", GOLD, "--resamples", 50)
    given = io.TextIOWrapper(io.BytesIO(GOLD.read_bytes()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    from_pipe = compared(call, BOLD, REWRITER, "--gold", "-", "--resamples", 50)
    assert from_pipe["systems"] == from_file["systems"]
    assert from_pipe["pairs"][0]["low"] == from_file["pairs"][0]["low"]
