"""`jurybox ceiling`: the shape of its JSON, brute force over `jurybox score`, every option."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from calling import Call

SOURCES = ["She go to school .", "He like a music .", "They was happy about it .", "All fine ."]
#: annotator -> per sentence the edits (start, end, type, correction)
PEOPLE: dict[str, list[list[tuple[int, int, str, str]]]] = {
    "ann": [
        [(1, 2, "SVA", "goes")],
        [(1, 2, "SVA", "likes"), (2, 3, "ArtOrDet", "")],
        [(1, 2, "SVA", "were")],
        [],
    ],
    "bob": [
        [(1, 2, "Vt", "went")],
        [(1, 2, "SVA", "likes")],
        [(1, 2, "SVA", "were"), (3, 4, "Prep", "with")],
        [],
    ],
    "cid": [
        [(1, 2, "SVA", "goes")],
        [(2, 3, "ArtOrDet", "")],
        [(1, 3, "Vt", "are happy")],
        [(0, 1, "Wci", "Everything")],
    ],
    "dee": [
        [],
        [(1, 2, "SVA", "likes"), (2, 3, "ArtOrDet", "the")],
        [(1, 2, "SVA", "were")],
        [],
    ],
}
MINE = "She goes to school .\nHe likes a music .\nThey were happy about it .\nAll is fine .\n"
OTHER = "She went to school .\nHe like music .\nThey was happy about it .\nAll fine .\n"


def m2(edits: list[list[tuple[int, int, str, str]]]) -> str:
    parts = []
    for source, made in zip(SOURCES, edits, strict=True):
        lines = [f"S {source}"]
        lines += [f"A {b} {e}|||{kind}|||{to}|||REQUIRED|||-NONE-|||0" for b, e, kind, to in made]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


@pytest.fixture
def panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with four annotators' files, two systems and a document map."""
    monkeypatch.chdir(tmp_path)
    for name, edits in PEOPLE.items():
        (tmp_path / f"{name}.m2").write_text(m2(edits))
    (tmp_path / "mine.txt").write_text(MINE)
    (tmp_path / "other.txt").write_text(OTHER)
    (tmp_path / "docs.txt").write_text("x\nx\ny\ny\n")
    return tmp_path


GOLD = ("--gold", *(f"{name}.m2" for name in PEOPLE))
SYSTEMS = ("--system", "mine=mine.txt", "other=other.txt")


@pytest.fixture
def result(call: Call, panel: Path) -> Callable[..., dict[str, Any]]:
    def run(*arguments: str) -> dict[str, Any]:
        code, out, err = call("ceiling", *GOLD, *arguments, "--format", "json")
        assert code == 0, err
        found: dict[str, Any] = json.loads(out)
        return found

    return run


def f_of(call: Call, hypothesis: str, gold: tuple[str, ...]) -> float:
    files = [f"{name}.m2" for name in gold]
    code, out, err = call("score", hypothesis, "--gold", *files, "--format", "json")
    assert code == 0, err
    return float(json.loads(out)["systems"][0]["f"])


def test_all_sizes_equal_brute_force_over_the_score_command(
    call: Call, result: Callable[..., dict[str, Any]]
) -> None:
    found = result(*SYSTEMS, "--sizes", "all")
    for name in PEOPLE:
        assert call("convert", f"{name}.m2", f"{name}.txt", "--annotator", "0")[0] == 0
    for size in found["sizes"]:
        human, mine = [], []
        for subset in combinations(PEOPLE, size["annotators"]):
            others = [name for name in PEOPLE if name not in subset]
            human.append(fmean(f_of(call, f"{name}.txt", subset) for name in others))
            mine.append(f_of(call, "mine.txt", subset))
        assert size["subsets"] == size["combinations"] == len(human)
        assert size["human"] == pytest.approx(fmean(human))
        assert size["systems"]["mine"]["score"] == pytest.approx(fmean(mine))
        assert size["systems"]["mine"]["ratio"] == pytest.approx(fmean(mine) / fmean(human))
        assert size["human_spread"]["low"] == pytest.approx(min(human))
        assert size["human_spread"]["high"] == pytest.approx(max(human))


def test_the_default_is_to_leave_one_out(result: Callable[..., dict[str, Any]]) -> None:
    (size,) = result(*SYSTEMS)["sizes"]
    assert (size["annotators"], size["subsets"]) == (3, 4)
    assert result(*SYSTEMS, "--sizes", "3")["sizes"] == [size]


def test_pairwise_is_each_system_against_each_annotator_alone(
    call: Call, result: Callable[..., dict[str, Any]]
) -> None:
    pairs = result(*SYSTEMS, "--pairwise")["pairwise"]
    assert [(p["system"], p["annotator"]) for p in pairs] == [
        (system, name) for system in ("mine", "other") for name in PEOPLE
    ]
    assert set(pairs[0]) == {"system", "annotator", "precision", "recall", "f"}
    for pair in pairs:
        assert pair["f"] == f_of(call, f"{pair['system']}.txt", (pair["annotator"],))


def test_pairwise_without_a_system_says_where_to_go(call: Call, panel: Path) -> None:
    code, _, err = call("ceiling", *GOLD, "--pairwise")
    assert code == 2
    assert "jurybox annotators" in err


def test_documents_are_selected_from_a_map(
    call: Call, result: Callable[..., dict[str, Any]], panel: Path
) -> None:
    found = result(*SYSTEMS, "--documents", "docs.txt", "y")
    assert (found["sentences"], found["documents"]) == (2, 1)
    assert (
        found["sizes"] == result(*SYSTEMS, "--documents", "2", "--documents", "docs.txt")["sizes"]
    )
    for name, edits in PEOPLE.items():  # the same from files that hold nothing else
        text = m2(edits).split("\n\n")
        (panel / f"{name}.m2").write_text("\n\n".join(text[2:]))
    (panel / "mine.txt").write_text("\n".join(MINE.splitlines()[2:]))
    (panel / "other.txt").write_text("\n".join(OTHER.splitlines()[2:]))
    assert found["sizes"] == result(*SYSTEMS)["sizes"]


def test_a_selection_without_a_map_asks_for_one(call: Call, panel: Path) -> None:
    code, _, err = call("ceiling", *GOLD, "--documents", "1-2")
    assert code == 1
    assert "--documents essays.sgml 1-2" in err


def test_a_missing_document_map_is_named(call: Call, panel: Path) -> None:
    code, _, err = call("ceiling", *GOLD, "--documents", "doks.txt", "1")
    assert code == 1
    assert "doks.txt" in err
    assert "docs.txt" in err  # the near name


def test_skipped_and_nothing_to_correct_are_told_apart_by_the_map(
    result: Callable[..., dict[str, Any]], panel: Path
) -> None:
    (panel / "cover.csv").write_text("annotator,documents\nann,all\nbob,all\ncid,all\ndee,y\n")
    # dee's one edit in document x would contradict the map
    (panel / "dee.m2").write_text(m2([[], [], PEOPLE["dee"][2], []]))
    everything = result("--sizes", "all", "--documents", "docs.txt")
    skipped = result("--sizes", "all", "--documents", "docs.txt", "--coverage", "cover.csv")
    assert everything["sizes"][2]["references"] == 3
    # without dee three of three sets of three have two references in x and three or two in y
    assert skipped["sizes"][2]["references"] < 3
    assert skipped["sizes"][0]["human"] != everything["sizes"][0]["human"]
    alone = result("--sizes", "all", "--documents", "docs.txt", "x", "--coverage", "cover.csv")
    assert alone["sizes"][0]["human_spread"]["undefined"] == 1  # dee as the only reference


def test_the_map_may_not_contradict_the_edits(call: Call, panel: Path) -> None:
    (panel / "cover.csv").write_text("annotator,sentences\nann,2-4\nbob,all\ncid,all\ndee,all\n")
    code, _, err = call("ceiling", *GOLD, "--coverage", "cover.csv")
    assert code == 1
    assert "ann skipped sentence 1, but there is an edit by them" in err


def test_one_annotator_is_told_why_two_are_needed(call: Call, panel: Path) -> None:
    code, _, err = call("ceiling", "--gold", "ann.m2")
    assert code == 1
    assert "at least two are needed" in err


def test_no_panel_is_wrong_usage(call: Call, panel: Path) -> None:
    code, _, err = call("ceiling", *SYSTEMS)
    assert code == 2
    assert "--gold" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sizes", "4"], "sizes go from 1 to 3"),
        (["--max-subsets", "1"], "--max-subsets must be 2 or more"),
        (["--by", "document"], "unknown way to split results"),
        (["--by", "type", "--metric", "gleu"], "GLEU has no edits"),
        (["--metric", "m3"], "did you mean 'm2'"),
        (["--extrapolate", "9"], "at least 5 annotators"),
        (["--ci-unit", "document"], "only with --ci"),
        (["--ci-level", "0.9"], "only with --ci"),
        (["-o", "nowhere/result.txt"], "there is no folder"),
        (["--figure", "nowhere/curve.svg"], "there is no folder"),
        (["--system", "human=mine.txt"], "cannot be called 'human'"),
        (["--system", "source unchanged=mine.txt"], "cannot be called 'source unchanged'"),
        (["--system", "=x"], "write NAME=FILE"),
        (["--system", "a=mine.txt", "a=other.txt"], "given twice"),
        (["--figure", "curve.gif"], ".svg"),
        (["--figure", "mine.txt", "--system", "a=mine.txt"], "in use already"),
        (["--resamples", "0", "--ci"], "--resamples must be 1 or more"),
        (["--ci", "--ci-unit", "document"], "needs to know the documents"),
        (["--jobs", "0"], "--jobs must be 1 or more"),
    ],
)
def test_what_makes_no_sense_is_said(
    call: Call, panel: Path, arguments: list[str], message: str
) -> None:
    code, out, err = call("ceiling", *GOLD, *arguments)
    assert code in (1, 2)
    assert message in err
    assert out == ""


def test_a_system_that_is_too_short_is_named(call: Call, panel: Path) -> None:
    (panel / "mine.txt").write_text("She goes .\n")
    code, _, err = call("ceiling", *GOLD, "--system", "mine=mine.txt")
    assert code == 1
    assert "mine.txt" in err
    assert "4 sentences against 1" in err


def test_systems_may_come_with_their_edits(result: Callable[..., dict[str, Any]]) -> None:
    (size,) = result("--system", "copy=ann.m2")["sizes"]
    assert size["systems"]["copy"]["score"] > size["human"]


def test_processes_change_nothing(result: Callable[..., dict[str, Any]]) -> None:
    assert result(*SYSTEMS, "--jobs", "2")["sizes"] == result(*SYSTEMS, "--jobs", "1")["sizes"]


def test_every_form_holds_the_same_numbers(
    call: Call, panel: Path, result: Callable[..., dict[str, Any]]
) -> None:
    more = (*SYSTEMS, "--sizes", "all", "--pairwise", "--by", "type")
    found = result(*more)
    rows = list(csv.DictReader(io.StringIO(call("ceiling", *GOLD, *more, "--format", "csv")[1])))
    assert {row["part"] for row in rows} == {"sizes", "pairwise", "types"}
    human = [float(r["score"]) for r in rows if r["part"] == "sizes" and r["name"] == "human"]
    assert human == [size["human"] for size in found["sizes"]]
    unchanged = [r for r in rows if r["part"] == "sizes" and r["name"] == "source unchanged"]
    assert [float(r["score"]) for r in unchanged] == [
        size["unchanged"]["score"] for size in found["sizes"]
    ]
    for form in ("text", "markdown", "latex"):
        text = call("ceiling", *GOLD, *more, "--format", form)[1]
        for size in found["sizes"]:
            assert f"{size['human']:.4f}" in text
            assert f"{100 * size['systems']['mine']['ratio']:.2f}" in text


def test_more_systems_get_a_table_of_ratios(call: Call, panel: Path) -> None:
    systems = [f"s{number}=mine.txt" for number in range(6)]
    text = call("ceiling", *GOLD, "--system", *systems, "--sizes", "all")[1]
    assert "Ratio to human" in text
    assert max(map(len, text.splitlines())) < 130


@pytest.mark.parametrize("more", [[], ["--sizes", "all"], ["--ci", "--resamples", "9"]])
def test_the_source_unchanged_is_in_every_table_of_scores(
    call: Call, panel: Path, result: Callable[..., dict[str, Any]], more: list[str]
) -> None:
    for metric in ("m2", "gleu"):
        options = ("--metric", metric, *more)
        score = result(*options)["sizes"][-1]["unchanged"]["score"]
        shown = f"{100 * score:.2f}" if metric == "gleu" else f"{score:.4f}"
        text = call("ceiling", *GOLD, *options)[1]
        assert "source unchanged" in text
        assert shown in text


def test_no_row_of_an_extrapolated_curve_is_hidden_to_save_a_line(call: Call, panel: Path) -> None:
    edits = list(PEOPLE.values())
    for number in range(6):
        (panel / f"p{number}.m2").write_text(m2(edits[number % len(edits)]))
    gold = [f"p{number}.m2" for number in range(6)]
    text = call("ceiling", "--gold", *gold, "--sizes", "all", "--extrapolate", "20")[1]
    table = text.partition("Extrapolated, not measured")[2].splitlines()
    sizes = [int(line.split()[1]) for line in table if line.startswith("human ")]
    assert sizes == list(range(6, 21))


def test_gleu_is_printed_from_0_to_100(call: Call, panel: Path) -> None:
    code, out, _ = call("ceiling", *GOLD, *SYSTEMS, "--metric", "gleu", "--format", "json")
    human = json.loads(out)["sizes"][0]["human"]
    code, out, _ = call("ceiling", *GOLD, *SYSTEMS, "--metric", "gleu")
    assert code == 0
    assert f"{100 * human:.2f}" in out


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_figures_are_written(call: Call, panel: Path, form: str) -> None:
    code, _, err = call("ceiling", *GOLD, *SYSTEMS, "--sizes", "all", "--figure", f"curve.{form}")
    assert code == 0, err
    start = (panel / f"curve.{form}").read_bytes()[:200]
    assert {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[form] in start
