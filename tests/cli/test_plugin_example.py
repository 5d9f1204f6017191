"""The example package of examples/, installed into a folder of its own, used as by a user."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import jurybox
from plugin_packages import EXAMPLE, install

TINY = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = ["--gold", str(TINY / "gold.m2"), "--metric", "exactmatch"]
Running = Callable[..., str]


@pytest.fixture
def jurybox_with_it(tmp_path: Path) -> Running:
    """Run a command in a new process that has the package."""
    install(EXAMPLE, tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}

    def run(*arguments: object) -> str:
        command = [sys.executable, "-m", "jurybox", *map(str, arguments)]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_example_is_short() -> None:
    assert len((EXAMPLE / "jurybox_exactmatch.py").read_text("utf-8").splitlines()) <= 45


def blocks(kind: str) -> list[str]:
    page = EXAMPLE.parents[1] / "docs" / "plugins.md"
    return re.findall(rf"^```{kind}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_page_about_plugins_shows_the_example_as_it_is() -> None:
    assert blocks("python") == [(EXAMPLE / "jurybox_exactmatch.py").read_text("utf-8")]
    [points] = blocks("toml")
    assert (EXAMPLE / "pyproject.toml").read_text("utf-8").endswith(points)


def test_the_page_about_plugins_shows_what_is_printed(
    jurybox_with_it: Running, tmp_path: Path
) -> None:
    shutil.copytree(TINY, tmp_path / "sample" / "tiny")
    shown = blocks("text")
    assert len(shown) == 2
    for block in shown:
        command, _, printed = block.removeprefix("$ jurybox ").partition("\n")
        assert jurybox_with_it(*command.split()) == printed


def test_everything_that_it_offers_is_listed(jurybox_with_it: Running) -> None:
    assert jurybox_with_it("--plugins").splitlines() == [
        "metric exactmatch, by jurybox-exactmatch 1.0",
        "format pairs, by jurybox-exactmatch 1.0",
        "detector doubled, by jurybox-exactmatch 1.0",
    ]


def test_its_metric_scores_with_intervals(jurybox_with_it: Running) -> None:
    out = jurybox_with_it("score", TINY / "bold.txt", *GOLD, "--ci")
    assert "bold.txt      0.6667  [0." in out
    assert "jurybox exactmatch|refs:2|by:jurybox-exactmatch-1.0|ci:bootstrap" in out


def test_its_metric_compares(jurybox_with_it: Running) -> None:
    out = jurybox_with_it("compare", TINY / "bold.txt", TINY / "rewriter.txt", *GOLD)
    assert "difference in exactmatch" in out


def test_its_metric_has_a_human_ceiling(jurybox_with_it: Running) -> None:
    out = jurybox_with_it("ceiling", *GOLD, "--system", f"bold={TINY / 'bold.txt'}", "--sizes", "1")
    assert "human" in out
    assert "of human" in out


def test_its_format_is_converted_there_and_back(jurybox_with_it: Running, tmp_path: Path) -> None:
    lines = "He go home .\tHe goes home .\nI I see .\tI see .\n"
    (tmp_path / "a.pairs").write_text(lines, "utf-8")
    jurybox_with_it("convert", "a.pairs", "a.m2", "--input-format", "pairs")
    assert "A 1 2|||UNK|||goes|||" in (tmp_path / "a.m2").read_text("utf-8")
    assert jurybox_with_it("convert", "a.m2", "-", "--to", "pairs") == lines
    scored = jurybox_with_it("score", "a.pairs", "--hyp-format", "pairs", "--gold", "a.m2")
    assert "1.0000  1.0000  1.0000" in scored


def test_its_detector_decides(jurybox_with_it: Running, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The cat sat on on a mat .\n", "utf-8")
    told = ("--tokenised", "--tagger", "words", "-o", "doubled.jsonl")
    jurybox_with_it("detect", "run", "doubled", "--text", "text.txt", *told)
    decided = [
        json.loads(line) for line in (tmp_path / "doubled.jsonl").read_text("utf-8").splitlines()
    ]
    assert [one["label"] for one in decided] == ["error", "ok"]


STUDY = """\
[judges]
panel = "gold.m2"

[analysis.exact]
command = "score"
hypotheses = "bold.txt"
gold = "@panel"
metric = "exactmatch"

[analysis.usual]
command = "score"
hypotheses = "bold.txt"
gold = "@panel"
"""


def test_a_study_scores_again_with_another_version_of_it(
    jurybox_with_it: Running, tmp_path: Path
) -> None:
    for name in ("gold.m2", "bold.txt"):
        shutil.copy(TINY / name, tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    jurybox_with_it("run", "study.toml")
    again = jurybox_with_it("run", "study.toml")
    assert ("exact: unchanged" in again, "usual: unchanged" in again) == (True, True)
    facts = next((tmp_path / "site").glob("*.dist-info")) / "METADATA"
    facts.write_text(facts.read_text().replace("Version: 1.0", "Version: 1.1"))
    again = jurybox_with_it("run", "study.toml")
    assert "exact: recomputed (jurybox-exactmatch 1.0 changed)" in again
    assert "usual: unchanged" in again
