"""`jurybox sample estimate` and `simulate`: options reach the library, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jurybox.cli._app import build_parser
from jurybox.cli.flags import options_from
from jurybox.cli.tasks import sample
from jurybox.errors import InputError, UsageError
from jurybox.formats.tables.sample_key import DrawnCase, KeyStratum, SampleKey, write

PAPER = ("--part", "error=1000:750:600", "ok=9000:1500:450")


def options_of(task: str, *arguments: str) -> Any:
    parser, module = build_parser(f"sample {task}")
    return options_from(parser.parse_intermixed_args(list(arguments)), module.Call)


def estimate(*arguments: str) -> None:
    sample.estimate(options_of("estimate", *arguments))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key with its judgments, and decisions on the corpus of 40 cases it was drawn from."""
    monkeypatch.chdir(tmp_path)
    strata = (KeyStratum("error", "error", 10, 4), KeyStratum("ok", "ok", 30, 8))
    drawn = [DrawnCase(f"x{k}", f"c{k}", "error" if k < 4 else "ok") for k in range(12)]
    with Path("key.jsonl").open("w", encoding="utf-8") as out:
        write(SampleKey(strata, tuple(drawn), seed=1), out)
    judged = "".join(f"x{k},A,{'error' if k in (0, 1, 4) else 'ok'}\n" for k in range(12))
    Path("j.csv").write_text(f"case,rater,label\n{judged}", encoding="utf-8")
    cases = [*range(4), *range(100, 106), *range(4, 12), *range(200, 222)]
    decided = "".join(
        f"c{case},{'error' if place < 10 else 'ok'},.5\n" for place, case in enumerate(cases)
    )
    Path("d.csv").write_text(f"case,label,score\n{decided}", encoding="utf-8")
    return tmp_path


def test_the_example_of_the_paper_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    estimate(*PAPER, "--format", "json")
    record = json.loads(capsys.readouterr().out)
    assert record["schema"] == "jurybox.sample-estimate/1"
    for name in ("hits", "false_positives", "misses", "precision", "recall"):
        assert {"estimate", "low", "high", "method"} <= record[name].keys()
    assert record["precision"]["estimate"] == 0.8
    assert record["counts"]["misses"]["estimate"] == pytest.approx(2700)


@pytest.mark.parametrize("order", [("key.jsonl", "j.csv"), ("j.csv", "key.jsonl")])
@pytest.mark.usefixtures("folder")
def test_keys_and_judgments_are_told_apart(
    order: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    estimate(*order, "--format", "csv")
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "measure,estimate,low,high,method,asked_for"
    assert any(row.startswith("precision,0.5,") and row.endswith("exact,True") for row in rows)


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
@pytest.mark.usefixtures("folder")
def test_systems_and_scores_are_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    estimate("key.jsonl", "j.csv", "--system", "same=d.csv", "--assist", "d.csv")
    out = capsys.readouterr().out
    assert "Re-test of same" in out
    assert "With the help of scores" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("key.jsonl",), "the judgments are missing"),
        (("j.csv",), "the key is missing"),
        (("j.csv", *PAPER), "not both"),
        (("--part", "error"), "write it as error=1000:750:600"),
        (("--part", "error=9:1:1", "error=9:1:1"), "is given twice"),
        (("key.jsonl", "j.csv", "-o", "j.csv"), "in use already"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_makes_no_sense_is_refused(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises((UsageError, InputError), match=message):
        estimate(*arguments)


def test_every_option_of_the_library_can_be_given() -> None:
    given = options_of(
        "estimate", *PAPER, "--method", "wald", "--about", "corpus", "--ci-level", "0.9"
    )
    assert (given.method, given.about, given.ci_level) == ("wald", "corpus", 0.9)


@pytest.mark.usefixtures("folder")
def test_simulate_prints_coverage_and_draws(capsys: pytest.CaptureFixture[str]) -> None:
    judged = "".join(f"c{k},A,{'error' if k < 20 else 'ok'}\n" for k in range(90))
    Path("all.csv").write_text(f"case,rater,label\n{judged}", encoding="utf-8")
    decided = "".join(f"c{k},{'error' if 5 < k < 30 else 'ok'}\n" for k in range(90))
    Path("mine.csv").write_text(f"case,label\n{decided}", encoding="utf-8")
    Path("cases.csv").write_text("case\n" + "".join(f"c{k}\n" for k in range(90)), encoding="utf-8")
    common = ("cases.csv", "--judgments", "all.csv", "--system", "mine=mine.csv", "--error", "10")
    small = ("--ok", "10", "20", "--draws", "50", "--resamples", "0")
    sample.simulate(options_of("simulate", *common, *small, "--figure", "coverage.svg"))
    assert "Recall: how often 95% intervals hold" in capsys.readouterr().out
    assert Path("coverage.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_simulate_says_what_is_missing() -> None:
    with pytest.raises(UsageError, match="--judgments"):
        sample.simulate(options_of("simulate", "c.csv", "--error", "1", "--ok", "1"))
