"""`jurybox metaeval` on the command line."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

import jurybox
from jurybox.cli import run

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
XML = (
    '<r><ranking-item src-id="1" user="a"><translation rank="1" system="A"/>'
    '<translation rank="2" system="B C"/></ranking-item></r>'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("scores.csv", "rankings.csv"):
        shutil.copy(SAMPLE / name, tmp_path / name)
    (tmp_path / "ranks.xml").write_text(XML, encoding="utf-8")
    (tmp_path / "mine.csv").write_text("system,score\nA,3\nB,1\nC,2\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_xml_of_appraise_is_read_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metaeval", "mine.csv", "--human", "ranks.xml"]) == 0
    shown = capsys.readouterr().out
    assert "1 ranking of 1 sentence by 1 judge; 2 pairs decided, 1 tie left out" in shown


@pytest.mark.usefixtures("folder")
def test_csv_and_json_hold_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["metaeval", "scores.csv", "--human", "rankings.csv", "--resamples", "50"]
    assert run([*command, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert run([*command, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    listed = [one["value"] for metric in record["metrics"] for one in metric["measures"]]
    assert [float(row["value"]) for row in rows] == listed
    assert len(record["inputs"]) == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["mine.csv"], 2, "--human"),
        (["mine.csv", "--human", "none.xml"], 1, "none.xml"),
        (["mine.csv", "--human", "ranks.xml", "--metrics", "mein"], 2, "did you mean 'mine'"),
        (["mine.csv", "--human", "mine.csv", "-o", "mine.csv"], 2, "in use already"),
        (["-", "--human", "-"], 2, "only once"),
        (["ranks.xml", "--human", "ranks.xml"], 1, "ranks.xml"),
        (["--human", "ranks.xml"], 2, "give --system and --gold"),
        (["--human", "ranks.xml", "--system", "A=a.txt"], 2, "--gold is missing"),
        (["--human", "ranks.xml", "--gold", "a.m2"], 2, "--system is missing"),
        (["--human", "ranks.xml", "--gold", "-", "--system", "A=-"], 2, "only once"),
    ],
)
def test_mistakes_end_with_their_code_and_say_what_to_do(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, why: str
) -> None:
    assert run(["metaeval", *arguments]) == code
    assert why in capsys.readouterr().err


SCORED = ("source", "cautious", "bold", "rewriter")
GOLD = [str(SAMPLE / f"A{number}.m2") for number in (1, 3, 4, 5, 7, 8)]


@pytest.mark.usefixtures("folder")
def test_systems_are_scored_on_the_spot_as_score_would(capsys: pytest.CaptureFixture[str]) -> None:
    systems = [f"{name}={SAMPLE / name}.txt" for name in SCORED]
    scored = ["--system", *systems, "--gold", *GOLD, "--metrics", "m2", "gleu"]
    people = ["--human", "rankings.csv", "--resamples", "20", "--format", "json"]
    assert run(["metaeval", *scored, *people]) == 0
    out, err = capsys.readouterr()
    assert "'gleu' has no score for A2, A6; left out" in err
    record = json.loads(out)
    listed = csv.DictReader((SAMPLE / "scores.csv").read_text("utf-8").splitlines())
    known = {(row["system"], row["metric"]): float(row["score"]) for row in listed}
    found = {
        (system["name"], one["metric"].partition(":")[0]): round(one["score"], 4)
        for system in record["systems"]
        for one in system["scores"]
    }
    assert found == {key: score for key, score in known.items() if key[0] in SCORED}
    paths = [given["path"] for given in record["inputs"]]
    assert {*GOLD, "rankings.csv"} < {*paths}
    assert len(paths) == len({*paths})


@pytest.mark.usefixtures("folder")
def test_without_a_metric_named_systems_are_scored_by_m2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    systems = [f"{name}={SAMPLE / name}.txt" for name in SCORED]
    without = ["--without", "A2", "A6"]
    command = [
        "metaeval",
        "--system",
        *systems,
        "--gold",
        *GOLD,
        "--human",
        "rankings.csv",
        *without,
    ]
    assert run([*command, "--resamples", "20", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [one["metric"] for one in record["metrics"]] == ["m2:f0.5"]


@pytest.mark.usefixtures("folder")
def test_scores_that_are_there_are_not_computed_again(capsys: pytest.CaptureFixture[str]) -> None:
    systems = [f"{name}={SAMPLE / name}.txt" for name in SCORED]
    lines = (SAMPLE / "scores.csv").read_text("utf-8").splitlines(keepends=True)
    with_gleu = "".join(line for line in lines if "gleu" in line or "metric" in line)
    Path("gleu.csv").write_text(with_gleu.replace("0.4395", "0.1"), encoding="utf-8")
    scored = ["gleu.csv", "--system", *systems, "--gold", *GOLD, "--without", "A2", "A6"]
    people = ["--human", "rankings.csv", "--resamples", "20"]
    assert run(["metaeval", *scored, *people, "--metrics", "m2", "gleu", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    [bold] = [system for system in record["systems"] if system["name"] == "bold"]
    scores = {one["metric"]: round(one["score"], 4) for one in bold["scores"]}
    assert scores == {"gleu": 0.1, "m2:f0.5": 0.5433}
    assert run(["metaeval", *scored, *people, "--metrics", "gleu"]) == 2
    assert "there is nothing to score by" in capsys.readouterr().err
