"""`jurybox report` and `jurybox demo`: what they write, what they say, what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
PANEL = ["--gold", *sorted(map(str, SAMPLE.glob("A*.m2")))]
THREE = PANEL[:4]  # of eight annotators
SYSTEMS = ["--system", *(f"{name}={SAMPLE / name}.txt" for name in ("cautious", "bold"))]
JURY = ["--cases", SAMPLE / "cases.jsonl", "--judgments", SAMPLE / "judgments.csv"]
QUICK = ["--resamples", "20"]


def test_a_report_from_inputs_has_everything(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    decided = f"bold={SAMPLE / 'bold.csv'}"
    more = ["--detector", decided, "--title", "Before & after", "-o", target]
    code, out, _ = call("report", *THREE, *SYSTEMS, *JURY, *QUICK, *more)
    assert code == 0
    assert out.splitlines()[0].startswith("0.5833  F0.5 of cautious: ")
    assert out.splitlines()[-1] == f"written to {target}: open it in a browser"
    page = target.read_text(encoding="utf-8")
    assert "<h1>Before &amp; after</h1>" in page
    for key in ("people", "scores", "differences", "ceiling", "jury-counts", "jury-counts-2"):
        assert f'<section id="{key}"' in page


def test_a_report_from_results_needs_no_panel(call: Call, tmp_path: Path) -> None:
    result, target = tmp_path / "score.json", tmp_path / "page.html"
    call("score", SAMPLE / "bold.txt", *PANEL, "--format", "json", "-o", result)
    code, out, err = call("report", result, "-o", target)
    assert (code, err) == (0, "")
    assert "F0.5 of bold.txt" in out
    page = target.read_text(encoding="utf-8")
    assert '<section id="scores"' in page
    assert 'id="sentences"' not in page


def test_results_beside_a_panel_bring_the_sentence_browser(call: Call, tmp_path: Path) -> None:
    result, target = tmp_path / "score.json", tmp_path / "page.html"
    call("score", SAMPLE / "bold.txt", *PANEL, "--format", "json", "-o", result)
    code, _, _ = call("report", result, *PANEL, *SYSTEMS, "-o", target)
    assert code == 0
    page = target.read_text(encoding="utf-8")
    assert 'id="sentences"' in page
    assert '<section id="ceiling"' not in page  # only what was given, nothing worked out


def test_the_page_can_go_to_standard_output(call: Call, tmp_path: Path) -> None:
    result = tmp_path / "score.json"
    call("score", SAMPLE / "bold.txt", *PANEL, "--format", "json", "-o", result)
    code, out, err = call("report", result, "-o", "-")
    assert code == 0
    assert out.startswith("<!DOCTYPE html>")
    assert out.rstrip().endswith("</html>")
    assert "F0.5 of bold.txt" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "there is nothing to report"),
        (["--system", "a=b.txt"], "--system needs a panel"),
        (["--detector", "a=x.csv", "a=y.csv", "--judgments", "j.csv"], "--detector a is given"),
        ([*PANEL, "--documents", "1-3"], "report takes all documents"),
        (["a.json", "b.json", "-o", "a.json"], "a.json is in use already"),
    ],
)
def test_wrong_usage_is_told_before_any_work(
    call: Call,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = call("report", *arguments)
    assert (code, complaint in err) == (2, True), err
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_told_before_any_work(call: Call, tmp_path: Path) -> None:
    code, _, err = call("report", *PANEL, *SYSTEMS, "-o", tmp_path / "none" / "page.html")
    assert code == 1
    assert "there is no folder" in err


@pytest.mark.slow
def test_the_demo_writes_a_report_labelled_as_constructed(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call("demo", "--copy-to", "sample")
    assert (code, err) == (0, "")
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert "constructed sample data" in page
    assert "https://" not in page.replace("https://www.w3.org/", "")
    assert "demo/report.html" in out
    assert len([line for line in out.splitlines() if line.startswith("  ")]) <= 10
    assert (tmp_path / "sample" / "A8.m2").read_bytes() == (SAMPLE / "A8.m2").read_bytes()
    assert (tmp_path / "sample" / "tiny" / "gold.m2").exists()
