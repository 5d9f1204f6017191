"""Figures 1 and 2 of Madnani et al. (2011), and the kappa-agreement plot: one command each."""

from __future__ import annotations

from pathlib import Path

import pytest

from calling import Call

#: agreement of 20 raters -> cases: as many in each bin as under Figure 2 (93, 114, 716 of 923)
AGREED = {11: 20, 13: 30, 14: 43, 15: 54, 17: 60, 18: 116, 19: 200, 20: 400}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """923 cases of an extraneous preposition with 20 judgments each, and two systems."""
    cases, judgments = ["case,construction"], ["case,rater,label"]
    lm, perc = ["case,label"], ["case,label"]
    number = 0
    for agreed, many in AGREED.items():
        for _ in range(many):
            name, is_error = f"c{number}", number % 2
            most, others = ("error", "ok") if is_error else ("ok", "error")
            cases.append(f"{name},extraneous-preposition")
            judgments += [f"{name},R{n},{most if n < agreed else others}" for n in range(20)]
            lm.append(f"{name},{'error' if is_error and number % 5 == 0 else 'ok'}")
            perc.append(f"{name},{'error' if number % 3 == 0 else 'ok'}")
            number += 1
    files = {"cases": cases, "judgments": judgments, "LM": lm, "PERC": perc}
    for file, lines in files.items():
        (tmp_path / f"{file}.csv").write_text("\n".join([*lines, ""]), "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("plot", "words"),
    [
        ("histogram", ["How far raters agree"]),  # Figure 1
        ("precision-recall", ["LM", "PERC", "50–75%", "93", "114", "716"]),  # Figure 2
        ("kappa", ["LM", "PERC", "90–100%", "kappa"]),  # recommended in section 4.2
    ],
)
def test_each_figure_is_one_command(call: Call, study: Path, plot: str, words: list[str]) -> None:
    figure = study / "figure.svg"
    code, out, _ = call(
        *("evaluate", study / "cases.csv", "--judgments", study / "judgments.csv"),
        *("--system", f"LM={study / 'LM.csv'}", f"PERC={study / 'PERC.csv'}"),
        *("--plot", plot, "--figure", figure),
    )
    assert code == 0
    drawn = figure.read_text("utf-8")
    assert [word for word in words if word not in drawn] == []
    assert [line.split()[3] for line in out.splitlines() if line.startswith("LM      [")] == [
        *("93", "114", "716")
    ]
