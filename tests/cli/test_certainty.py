"""`--ci`: seeds, units, levels, and intervals that hold the score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD = SAMPLE / "bold.txt"
DOCUMENTS = [f"essay {number // 3}" for number in range(15)]  # five essays of three sentences


def certain(call: Call, *options: object) -> dict[str, Any]:
    """The JSON of the bold system with intervals, by 200 resamples unless told otherwise."""
    given = options if "--resamples" in options else (*options, "--resamples", 200)
    code, out, err = call("score", BOLD, "--gold", GOLD, "--ci", "--format", "json", *given)
    assert (code, err) == (0, "")
    made: dict[str, Any] = json.loads(out)
    return made


def interval(made: dict[str, Any], name: str = "f") -> tuple[float, float]:
    found = made["systems"][0]["intervals"][name]
    return found["low"], found["high"]


@pytest.fixture
def document_map(tmp_path: Path) -> Path:
    path = tmp_path / "documents.txt"
    path.write_text("".join(f"{name}\n" for name in DOCUMENTS), encoding="utf-8")
    return path


def test_the_same_seed_gives_the_same_digits(call: Call) -> None:
    assert certain(call, "--seed", 7) == certain(call, "--seed", 7)


def test_another_seed_gives_other_digits_but_the_same_score(call: Call) -> None:
    one, other = certain(call, "--seed", 7), certain(call, "--seed", 8)
    assert interval(one) != interval(other)
    assert one["systems"][0]["f"] == other["systems"][0]["f"]


def test_a_seed_is_used_when_none_is_given_and_stands_in_the_signature(call: Call) -> None:
    made = certain(call)
    assert "|ci:bootstrap-200-sentence|seed:1|v:" in made["signature"]
    assert made == certain(call, "--seed", 1)


def test_without_ci_there_is_no_interval_and_no_seed_in_the_signature(call: Call) -> None:
    _, out, _ = call("score", BOLD, "--gold", GOLD, "--format", "json")
    made = json.loads(out)
    assert "intervals" not in made["systems"][0]
    assert "seed" not in made["signature"]


def test_a_thousand_resamples_are_the_default(call: Call) -> None:
    _, out, _ = call("score", BOLD, "--gold", GOLD, "--ci", "--format", "json")
    assert "|ci:bootstrap-1000-sentence|" in json.loads(out)["signature"]
    assert json.loads(out)["systems"][0]["intervals"]["f"]["level"] == 0.95


@pytest.mark.parametrize("system", ["bold.txt", "cautious.txt", "rewriter.txt"])
def test_every_interval_holds_its_score(call: Call, system: str) -> None:
    _, out, _ = call("score", SAMPLE / system, "--gold", GOLD, "--ci", "--format", "json")
    row = json.loads(out)["systems"][0]
    assert set(row["intervals"]) == {"precision", "recall", "f"}
    for name, found in row["intervals"].items():
        assert 0 <= found["low"] <= row[name] <= found["high"] <= 1


def test_a_higher_level_gives_a_wider_interval(call: Call) -> None:
    narrow, wide = certain(call, "--ci-level", 0.5), certain(call, "--ci-level", 0.99)
    assert interval(wide)[0] < interval(narrow)[0] < interval(narrow)[1] < interval(wide)[1]
    assert narrow["systems"][0]["intervals"]["f"]["level"] == 0.5


def test_the_text_shows_intervals_beside_the_scores(call: Call) -> None:
    made = certain(call)
    low, high = interval(made)
    options = ["--ci", "--resamples", 200]
    _, out, _ = call("score", BOLD, "--gold", GOLD, *options)
    assert "95 % interval" in out
    assert f"[{low:.4f}, {high:.4f}]" in out
    assert made["signature"] in out


@pytest.mark.parametrize("metric", ["m2", "errant", "gleu"])
def test_every_metric_has_intervals(call: Call, tmp_path: Path, metric: str) -> None:
    system = tmp_path / "bold.m2"
    source = SAMPLE / "source.txt"
    assert call("convert", source, system, "--corrected", BOLD)[0] == 0
    options = ["--metric", metric, "--ci", "--resamples", 50, "--format", "json"]
    level = ["--level", "span"] if metric == "errant" else []
    code, out, err = call("score", system, "--gold", GOLD, *options, *level)
    made = json.loads(out)
    assert code == 0
    assert err.splitlines() == [f"jurybox: warning: {line}" for line in made["warnings"]]
    assert bool(err) == (metric == "errant")  # the sample's gold has NUCLE's types
    row = made["systems"][0]
    name = "score" if metric == "gleu" else "f"
    assert row["intervals"][name]["low"] <= row[name] <= row["intervals"][name]["high"]
    assert row["intervals"][name]["low"] < row["intervals"][name]["high"]


# --- documents -----------------------------------------------------------------------------------


def test_resampling_documents_gives_another_interval_and_says_so(
    call: Call, document_map: Path
) -> None:
    made = certain(call, "--ci-unit", "document", "--documents", document_map)
    assert "|ci:bootstrap-200-document|" in made["signature"]
    assert interval(made) != interval(certain(call))
    low, high = interval(made)
    assert low <= made["systems"][0]["f"] <= high


def test_a_csv_of_documents_is_the_same_as_one_id_per_line(
    call: Call, tmp_path: Path, document_map: Path
) -> None:
    table = tmp_path / "documents.csv"
    rows = [f'{number},"{name}"\n' for number, name in enumerate(DOCUMENTS, 1)]
    table.write_text("sentence,document\n" + "".join(reversed(rows)), encoding="utf-8")
    from_lines = certain(call, "--ci-unit", "document", "--documents", document_map)
    from_table = certain(call, "--ci-unit", "document", "--documents", table)
    assert from_table["systems"] == from_lines["systems"]


def sgml_of_essays() -> str:
    lines = (SAMPLE / "source.txt").read_text(encoding="utf-8").splitlines()
    essays = []
    for start in range(0, 15, 3):
        paragraphs = "".join(f"<P>\n{line}\n</P>\n" for line in lines[start : start + 3])
        essays.append(f'<DOC nid="{start // 3 + 1}">\n<TEXT>\n{paragraphs}</TEXT>\n</DOC>\n')
    return "".join(essays)


def test_the_sgml_file_is_a_document_map_too(
    call: Call, tmp_path: Path, document_map: Path
) -> None:
    essays = tmp_path / "essays.sgml"
    essays.write_text(sgml_of_essays(), encoding="utf-8")
    from_lines = certain(call, "--ci-unit", "document", "--documents", document_map)
    from_sgml = certain(call, "--ci-unit", "document", "--documents", essays)
    assert from_sgml["systems"] == from_lines["systems"]


def test_gold_that_knows_its_documents_needs_no_map(
    call: Call, tmp_path: Path, document_map: Path
) -> None:
    gold = tmp_path / "gold.jsonl"
    assert call("convert", GOLD, gold, "--documents", document_map)[0] == 0
    options = ["--ci", "--resamples", 200, "--ci-unit", "document", "--format", "json"]
    code, out, err = call("score", BOLD, "--gold", gold, *options)
    assert (code, err) == (0, "")
    mapped = certain(call, "--ci-unit", "document", "--documents", document_map)
    assert json.loads(out)["systems"] == mapped["systems"]


def test_documents_without_a_map_are_an_error_that_names_the_option(call: Call) -> None:
    code, out, err = call("score", BOLD, "--gold", GOLD, "--ci", "--ci-unit", "document")
    assert (code, out) == (1, "")
    assert err.startswith("jurybox: ")
    assert "--documents" in err


@pytest.mark.parametrize("count", [14, 16])
def test_a_document_map_of_another_length_is_an_error(
    call: Call, tmp_path: Path, count: int
) -> None:
    short = tmp_path / "documents.txt"
    short.write_text("essay\n" * count, encoding="utf-8")
    code, out, err = call("score", BOLD, "--gold", GOLD, "--documents", short)
    assert (code, out) == (1, "")
    assert str(short) in err
    assert f"{min(count, 15) + 1}" in err


def test_one_document_alone_has_no_interval_and_says_why(call: Call, tmp_path: Path) -> None:
    one = tmp_path / "documents.txt"
    one.write_text("essay\n" * 15, encoding="utf-8")
    made = certain(call, "--ci-unit", "document", "--documents", one)
    found = made["systems"][0]["intervals"]["f"]
    assert (found["low"], found["high"]) == (None, None)
    assert "one document" in found["reason"]


def test_gleu_from_references_can_be_resampled_by_document(call: Call, document_map: Path) -> None:
    source, reference = SAMPLE / "source.txt", SAMPLE / "cautious.txt"
    options = ["--metric", "gleu", "--ci", "--resamples", 50, "--ci-unit", "document"]
    code, _, err = call(
        "score",
        BOLD,
        "--source",
        source,
        "--refs",
        reference,
        *options,
        "--documents",
        document_map,
    )
    assert (code, err) == (0, "")
