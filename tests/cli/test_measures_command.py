"""`jurybox measures`: the known answers of spec/cases.md, and what is undefined says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import jurybox
from jurybox.cli import run

Measures = Callable[..., dict[str, Any]]


def options(**counts: object) -> list[str]:
    return [part for name, count in counts.items() for part in (f"--{name}", str(count))]


@pytest.fixture
def measures(capsys: pytest.CaptureFixture[str]) -> Measures:
    def call(**counts: object) -> dict[str, Any]:
        code = run(["measures", *options(**counts), "--format", "json"])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        made: dict[str, Any] = json.loads(out)
        return made

    return call


@pytest.mark.parametrize(
    ("counts", "accuracy", "kappa"),
    [
        ((0.04, 0.16, 0.16, 0.64), 0.68, 0.0),
        ((0.10, 0.10, 0.10, 0.70), 0.80, 0.375),
        ((12, 18, 28, 42), 0.54, 0.0),
        ((12, 18, 28, 142), 0.77, 0.06 / 0.29),
    ],
)
def test_the_known_answers_come_out(
    measures: Measures, counts: tuple[float, ...], accuracy: float, kappa: float
) -> None:
    tp, fp, fn, tn = counts
    values = measures(tp=tp, fp=fp, fn=fn, tn=tn)["measures"]
    assert values["accuracy"] == pytest.approx(accuracy)
    assert values["cohen_kappa"] == pytest.approx(kappa, abs=1e-9)


def test_every_measure_of_a_table_is_given(measures: Measures) -> None:
    values = measures(tp=12, fp=18, fn=28, tn=42)["measures"]
    assert values["precision"] == pytest.approx(12 / 30)
    assert values["recall"] == pytest.approx(12 / 40)
    assert values["f_beta"] == pytest.approx(1.25 * 12 / (1.25 * 12 + 0.25 * 28 + 18))
    assert values["prevalence"] == pytest.approx(0.4)
    assert values["bias"] == pytest.approx(0.3)
    assert values["true_negative_rate"] == pytest.approx(0.7)
    assert values["informedness"] == pytest.approx(0.0, abs=1e-12)
    assert values["matthews_correlation"] == pytest.approx(0.0, abs=1e-12)


def test_the_json_has_the_envelope_of_all_commands(measures: Measures) -> None:
    made = measures(tp=1, fp=2, fn=3, tn=4)
    assert list(made)[:5] == ["schema", "command", "version", "signature", "inputs"]
    assert (made["command"], made["inputs"]) == ("measures", [])
    assert made["version"] == jurybox.__version__
    assert made["counts"] == {"tp": 1, "fp": 2, "fn": 3, "tn": 4}


def test_beta_changes_f_and_stands_in_the_signature(measures: Measures) -> None:
    made = measures(tp=12, fp=18, fn=28, tn=42, beta=2)
    assert made["measures"]["f_beta"] == pytest.approx(5 * 12 / (5 * 12 + 4 * 28 + 18))
    assert "|beta:2|" in made["signature"]


def test_without_true_negatives_what_needs_them_is_undefined_and_says_why(
    measures: Measures,
) -> None:
    made = measures(tp=772, fp=1172, fn=1793)
    assert made["counts"]["tn"] is None
    assert made["measures"]["precision"] == pytest.approx(772 / 1944)
    for name in ("accuracy", "cohen_kappa", "true_negative_rate"):
        assert made["measures"][name] is None
        assert "true negatives" in made["undefined"][name]
    assert "precision" not in made["undefined"]


def test_no_true_negatives_are_not_the_same_as_unknown_ones(measures: Measures) -> None:
    assert measures(tp=1, fp=1, fn=1, tn=0)["measures"]["accuracy"] == pytest.approx(1 / 3)


def test_what_is_undefined_is_null_with_a_reason_and_never_0_or_1(measures: Measures) -> None:
    made = measures(tp=0, fp=0, fn=0, tn=5)
    assert made["measures"]["precision"] is None
    assert made["measures"]["recall"] is None
    assert "tp + fn = 0" in made["undefined"]["recall"]
    assert set(made["undefined"]) == {k for k, v in made["measures"].items() if v is None}


def test_no_cases_at_all_leave_everything_undefined(measures: Measures) -> None:
    made = measures(tp=0, fp=0, fn=0, tn=0)
    assert set(made["measures"].values()) == {None}
    assert all(made["undefined"].values())


@pytest.mark.parametrize("form", ["text", "csv", "markdown", "latex"])
def test_every_form_shows_counts_values_and_reasons(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    given = options(tp=772, fp=1172, fn=1793)
    assert run(["measures", *given, "--format", form]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "0.3971" in out
    assert "needs true negatives" in out


def test_the_text_repeats_the_counts(capsys: pytest.CaptureFixture[str]) -> None:
    run(["measures", *options(tp=12, fp=18, fn=28, tn=42)])
    assert "TP 12, FP 18, FN 28, TN 42" in capsys.readouterr().out
    run(["measures", *options(tp=12, fp=18, fn=28)])
    assert "TN not given" in capsys.readouterr().out
