"""`jurybox annotators`: its JSON, its sections, its figure, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from calling import Call


def described(call: Call, *arguments: object) -> dict[str, Any]:
    code, out, err = call("annotators", *arguments, "--format", "json")
    assert (code, err) == (0, "")
    made: dict[str, Any] = json.loads(out)
    return made


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """Three annotators in files of their own; the last one has nothing in the second essay."""
    sentences = ["He like cats .", "She go home .", "It rain .", "They was here ."]
    edits = {
        "A1": [
            "A 1 2|||SVA|||likes",
            "A 1 2|||SVA|||goes",
            "A 1 2|||SVA|||rains",
            "A 1 2|||SVA|||were",
        ],
        "A2": ["A 1 2|||Vt|||liked", "A 1 2|||SVA|||goes", "A 1 3|||Wci|||pours .", ""],
        "A3": ["", "A 1 2|||SVA|||goes", "", ""],
    }
    files = []
    for name, lines in edits.items():
        text = ""
        for sentence, edit in zip(sentences, lines, strict=True):
            text += f"S {sentence}\n"
            text += f"{edit}|||REQUIRED|||-NONE-|||0\n\n" if edit else "\n"
        files.append(tmp_path / f"{name}.m2")
        files[-1].write_text(text, encoding="utf-8")
    return files


@pytest.fixture
def essays(tmp_path: Path) -> Path:
    path = tmp_path / "essays.txt"
    path.write_text("one\none\ntwo\ntwo\n", encoding="utf-8")
    return path


# --- the JSON ---


def test_the_json_has_the_envelope_and_an_object_per_annotator(
    call: Call, three: list[Path]
) -> None:
    made = described(call, "--gold", *three)
    assert list(made)[:5] == ["schema", "command", "version", "signature", "inputs"]
    assert made["schema"] == "jurybox.annotators/1"
    assert [given["path"] for given in made["inputs"]] == [str(path) for path in three]
    assert list(made["annotators"]) == ["A1", "A2", "A3"]
    first = made["annotators"]["A1"]
    assert first["total"] == 4
    assert first["by_type"] == {"SVA": 4, "Vt": 0, "Wci": 0}
    assert (first["edits_per_sentence"], first["untouched_share"]) == (1.0, 0.0)


def test_agreement_on_edits_places_texts_and_sentences_is_counted(
    call: Call, three: list[Path]
) -> None:
    made = described(call, "--gold", *three)
    assert made["consensus"]["edit"] == [
        {"made_by": 1, "of": 3, "distinct": 5},
        {"made_by": 3, "of": 3, "distinct": 1},
    ]
    overall = made["places"]["overall"]
    assert [overall[name] for name in ("same_edit", "other_correction", "other_boundary")] == [
        6,
        2,
        2,
    ]
    assert overall["comparisons"] == 16
    assert made["texts"]["all_same"] == 1
    assert made["texts"]["all_differ"] == 2
    agreement = made["sentence_agreement"]
    assert (agreement["all_left"], agreement["all_changed"]) == (0, 1)
    assert len(agreement["cohen_kappa"]["pairs"]) == 3


def test_pairwise_is_every_text_against_every_other_annotator(
    call: Call, three: list[Path]
) -> None:
    made = described(call, "--gold", *three)
    pairs = {(p["hypothesis"], p["annotator"]): p for p in made["pairwise"]}
    assert len(pairs) == 6
    a3 = pairs["A3", "A1"]
    assert (a3["precision"], a3["recall"]) == (1.0, 0.25)
    assert pairs["A1", "A3"]["precision"] == 0.25
    by_gleu = described(call, "--gold", *three, "--metric", "gleu")["pairwise"]
    assert all(set(pair) == {"hypothesis", "annotator", "score"} for pair in by_gleu)


def test_a_coverage_map_and_a_selection_of_documents_are_used(
    call: Call, three: list[Path], essays: Path, tmp_path: Path
) -> None:
    coverage = tmp_path / "coverage.csv"
    coverage.write_text("annotator,documents\nA1,all\nA2,all\nA3,one\n", encoding="utf-8")
    made = described(call, "--gold", *three, "--documents", essays, "--coverage", coverage)
    assert made["annotators"]["A3"]["sentences"] == 2
    assert made["annotators"]["A3"]["untouched"] == 1
    assert made["corpus"]["documents"] == 2
    assert made["corpus"]["per_document"] == {"paragraphs": None, "sentences": 2, "tokens": 7.5}
    assert [Path(given["path"]).name for given in made["inputs"]][3:] == [
        "essays.txt",
        "coverage.csv",
    ]
    part = described(call, "--gold", *three, "--documents", essays, "1")
    assert part["corpus"]["sentences"] == 2
    assert part["annotators"]["A3"]["sentences"] == 2


# --- what people read ---


def test_sections_begin_with_what_matters_and_end_with_the_signature(
    call: Call, three: list[Path], essays: Path
) -> None:
    code, out, err = call("annotators", "--gold", *three, "--documents", essays)
    assert (code, err) == (0, "")
    sections = [section.splitlines()[0] for section in out.split("\n\n")]
    assert sections == [
        "3 annotators, 4 sentences, 15 tokens, 8 edits",
        "Text",
        "Annotators",
        "Edits by type",
        "One annotator against another, F0.5",
        "How many annotators agree on an edit",
        "Same place, same edit?",
        "Corrected texts of a sentence",
        "Is the sentence correct? Left as it is or changed",
        "Cohen's kappa    A1    A2    A3",
    ]
    assert out.splitlines()[-1].startswith("signature: jurybox m2|refs:1of3|")


def test_low_agreement_is_put_into_perspective_in_the_help_and_in_the_output(
    call: Call, three: list[Path]
) -> None:
    _, help_text, _ = call("annotators", "--help")
    assert "equally good ways" in " ".join(help_text.split())  # wrapped to the terminal
    _, out, _ = call("annotators", "--gold", *three, "--no-pairwise")
    assert "Low values need not mean careless annotators" in out


def test_one_annotator_is_described_without_agreement(call: Call, three: list[Path]) -> None:
    code, out, err = call("annotators", "--gold", three[0])
    assert (code, err) == (0, "")
    assert "1 annotator, 4 sentences, 15 tokens, 4 edits" in out
    assert "it takes two annotators; give more files with --gold" in out


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_tables_are_printed_in_other_forms(call: Call, three: list[Path], form: str) -> None:
    code, out, err = call("annotators", "--gold", *three, "--format", form)
    assert (code, err) == (0, "")
    marks = {"markdown": "| --- |", "latex": r"\toprule"}
    assert out.count(marks[form]) >= 8


def test_csv_has_a_number_per_line(call: Call, three: list[Path]) -> None:
    code, out, err = call("annotators", "--gold", *three, "--format", "csv")
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out)))
    by_type = {
        (row["annotator"], row["type"]): row["value"] for row in rows if row["section"] == "by_type"
    }
    assert by_type["A1", "SVA"] == "4"
    assert len(by_type) == 9
    assert {row["section"] for row in rows} == {
        *("corpus", "annotators", "by_type", "pairwise", "consensus", "places", "texts"),
        "sentence_agreement",
    }


def test_output_goes_to_a_file(call: Call, three: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "panel.txt"
    assert call("annotators", "--gold", *three, "-o", target)[:2] == (0, "")
    assert "Edits by type" in target.read_text(encoding="utf-8")


# --- the figure ---


def test_the_heat_map_is_drawn_in_every_format_asked_for(
    call: Call, three: list[Path], tmp_path: Path
) -> None:
    svg, png = tmp_path / "heat.svg", tmp_path / "heat.png"
    code, out, err = call("annotators", "--gold", *three, "--figure", svg, png)
    assert (code, err) == (0, "")
    drawn = svg.read_text(encoding="utf-8")
    assert "A1" in drawn
    assert "scored against" in drawn
    assert png.read_bytes().startswith(b"\x89PNG")
    assert out.startswith("3 annotators")


def test_a_figure_of_an_unknown_kind_is_refused_before_any_work(call: Call) -> None:
    code, out, err = call("annotators", "--gold", "no-such-file.m2", "--figure", "heat.jpg")
    assert (code, out) == (2, "")
    assert "heat.jpg: figures are .svg, .png or .pdf" in err


def test_a_heat_map_of_one_annotator_is_refused(
    call: Call, three: list[Path], tmp_path: Path
) -> None:
    code, out, err = call("annotators", "--gold", three[0], "--figure", tmp_path / "heat.svg")
    assert (code, out) == (2, "")
    assert "no heat map to draw: it takes two annotators" in err
    assert not (tmp_path / "heat.svg").exists()


# --- what is refused ---


def test_options_of_scores_that_are_left_out_are_refused(
    call: Call, three: list[Path], tmp_path: Path
) -> None:
    figure = ("--figure", tmp_path / "heat.svg")
    for options, named in ((("--beta", "1"), "--beta"), (figure, "--figure")):
        code, out, err = call("annotators", "--gold", *three, "--no-pairwise", *options)
        assert (code, out) == (2, "")
        assert f"{named}: only for scores of annotators against each other" in err


def test_the_panel_is_asked_for_where_it_is_missing(call: Call) -> None:
    code, _, err = call("annotators")
    assert code == 2
    assert "--gold" in err


def test_an_output_that_would_replace_an_input_is_refused(call: Call, three: list[Path]) -> None:
    before = three[0].read_bytes()
    code, _, err = call("annotators", "--gold", *three, "-o", three[0])
    assert code == 2
    assert "is in use already" in err
    assert three[0].read_bytes() == before


def test_files_of_different_lengths_are_refused(
    call: Call, three: list[Path], tmp_path: Path
) -> None:
    short = tmp_path / "short.m2"
    short.write_text("S He like cats .\n", encoding="utf-8")
    code, out, err = call("annotators", "--gold", three[0], short)
    assert (code, out) == (1, "")
    assert "is longer than" in err


EDIT = "A 0 1|||X|||{}|||REQUIRED|||-NONE-|||{}\n"


@pytest.fixture
def gap(tmp_path: Path) -> Path:
    """Annotator 1 has no line in the second of three sentences, nobody has one in the third."""
    file = tmp_path / "gap.m2"
    text = f"S a\n{EDIT.format('x', 0)}{EDIT.format('y', 1)}\nS b\n{EDIT.format('x', 0)}\nS c\n"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_a_file_leaves_open_is_said_once_with_the_option_that_settles_it(
    call: Call, gap: Path
) -> None:
    code, out, err = call("annotators", "--gold", gap, "--no-pairwise", "--format", "json")
    assert code == 0
    assert err.count("\n") == 1
    assert err.startswith(f"jurybox: warning: {gap}: annotator 1 is missing from 1 of 3 sentences ")
    assert json.loads(out)["annotators"]["1"]["sentences"] == 1


@pytest.mark.parametrize(
    ("rule", "seen", "edits"), [("same", 3, 2), ("none", 3, 1), ("skipped", 1, 1)]
)
def test_the_rule_is_applied_signed_and_ends_the_warning(
    call: Call, gap: Path, rule: str, seen: int, edits: int
) -> None:
    made = described(call, "--gold", gap, "--no-pairwise", "--missing-annotator", rule)
    assert made["annotators"]["1"]["sentences"] == seen
    assert sum(made["annotators"]["1"]["by_type"].values()) == edits
    assert (f"|missing:{rule}|" in made["signature"]) == (rule != "skipped")


def test_an_unknown_rule_and_a_contradiction_are_usage_errors(call: Call, gap: Path) -> None:
    code, _, err = call("annotators", "--gold", gap, "--missing-annotator", "skiped")
    assert code == 2
    assert "did you mean 'skipped'" in err
    code, _, err = call(
        "annotators", "--gold", gap, "--coverage", "all", "--missing-annotator", "skipped"
    )
    assert code == 2
    assert "leave one of them out" in err


def test_files_in_the_order_of_a_shell_pattern_are_shown_in_natural_order(
    call: Call, tmp_path: Path
) -> None:
    files = [tmp_path / f"A{number}.m2" for number in (1, 10, 2)]
    for file in files:
        file.write_text(f"S a\n{EDIT.format('x', 0)}", encoding="utf-8")
    assert list(described(call, "--gold", *files)["annotators"]) == ["A1", "A2", "A10"]
    assert list(described(call, "--gold", *files[::-1])["annotators"]) == ["A2", "A10", "A1"]
