"""`--save-counts`: matching once, scoring and comparing again and again with the same numbers."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import calling
import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
SYSTEMS = [SAMPLE / f"{name}.txt" for name in ("bold", "cautious", "rewriter")]


def result(call: Call, *arguments: object) -> dict[str, Any]:
    code, out, err = call(*arguments, "--format", "json")
    made: dict[str, Any] = json.loads(out)
    assert code == 0
    assert err.splitlines() == [f"jurybox: warning: {line}" for line in made["warnings"]]
    assert not made["warnings"] or "errant" in arguments  # whose gold has NUCLE's types here
    return made


@pytest.fixture
def counts(call: Call, tmp_path: Path) -> Path:
    path = tmp_path / "counts.json"
    assert call("score", *SYSTEMS, "--gold", GOLD, "--save-counts", path)[0] == 0
    return path


def without_words(pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pairs without the sentences' text, which counts do not hold."""
    text = dict.fromkeys(("source", "first", "second"))
    sides = ("for_first", "for_second")
    return [pair | {side: [d | text for d in pair[side]] for side in sides} for pair in pairs]


METRICS: dict[str, list[str]] = {
    "m2": [],
    "m2 by type": ["--by", "type"],
    "m2 by sentence, beta 1": ["--choice", "sentence", "--beta", "1"],
    "errant": ["--metric", "errant", "--level", "span"],
    "errant types": ["--metric", "errant", "--level", "span", "--types", "UNK", "Prep"],
    "gleu": ["--metric", "gleu"],
    "gleu expected": ["--metric", "gleu", "--expected-statistics"],
}


@pytest.mark.parametrize("metric", METRICS)
def test_saved_counts_score_and_compare_like_the_hypotheses(
    call: Call, tmp_path: Path, metric: str
) -> None:
    systems = []
    for path in SYSTEMS:
        systems.append(tmp_path / path.stem)
        arguments = [SAMPLE / "source.txt", systems[-1], "--to", "m2", "--corrected", path]
        assert call("convert", *arguments)[0] == 0
    files = [*systems, "--gold", GOLD, *METRICS[metric]]
    saved = tmp_path / "counts.json"
    from_files = result(call, "score", *files, "--save-counts", saved)
    from_counts = result(call, "score", saved)
    assert from_counts["systems"] == from_files["systems"]
    assert from_counts["signature"] == from_files["signature"]
    assert from_counts["inputs"] == from_files["inputs"]
    assert from_counts["metric"] == from_files["metric"]
    compare_files = [option for option in files if option not in ("--by", "type")]
    once = result(call, "compare", *compare_files, "--all-pairs", "--resamples", 50)
    again = result(call, "compare", saved, "--all-pairs", "--resamples", 50)
    assert without_words(again["pairs"]) == without_words(once["pairs"])
    assert again["signature"] == once["signature"]


def test_intervals_from_counts_are_those_from_hypotheses(call: Call, counts: Path) -> None:
    options = ["--ci", "--resamples", 50]
    from_counts = result(call, "score", counts, *options)
    from_files = result(call, "score", *SYSTEMS, "--gold", GOLD, *options)
    assert from_counts["systems"] == from_files["systems"]
    assert from_counts["signature"] == from_files["signature"]


def test_counts_saved_with_intervals_give_the_same_file(
    call: Call, tmp_path: Path, counts: Path
) -> None:
    again = tmp_path / "again.json"
    options = ["--ci", "--resamples", 50, "--save-counts", again]
    assert call("score", *SYSTEMS, "--gold", GOLD, *options)[0] == 0
    (pairs_one, pairs_other) = (
        result(call, "compare", path, "--resamples", 50)["pairs"] for path in (counts, again)
    )
    assert pairs_one == pairs_other
    assert result(call, "score", again)["signature"] == result(call, "score", counts)["signature"]


def test_separate_counts_files_are_compared_like_one(
    call: Call, tmp_path: Path, counts: Path
) -> None:
    parts = []
    for system in SYSTEMS:
        parts.append(tmp_path / f"{system.stem}.json")
        assert call("score", system, "--gold", GOLD, "--save-counts", parts[-1])[0] == 0
    apart = result(call, "compare", *parts, "--all-pairs", "--resamples", 50)
    together = result(call, "compare", counts, "--all-pairs", "--resamples", 50)
    assert apart["pairs"] == together["pairs"]
    assert apart["systems"] == together["systems"]


def test_documents_travel_with_the_counts(call: Call, tmp_path: Path) -> None:
    documents = tmp_path / "documents.txt"
    documents.write_text("".join(f"essay {n // 3}\n" for n in range(15)), encoding="utf-8")
    saved = tmp_path / "counts.json"
    files = [*SYSTEMS, "--gold", GOLD, "--documents", documents]
    assert call("score", *files, "--save-counts", saved)[0] == 0
    unit = ["--ci-unit", "document", "--resamples", 50]
    from_counts = result(call, "compare", saved, *unit)
    assert without_words(from_counts["pairs"]) == without_words(
        result(call, "compare", *files, *unit)["pairs"]
    )


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_counts_can_be_compressed(call: Call, tmp_path: Path, counts: Path, ending: str) -> None:
    packed = tmp_path / f"counts.json{ending}"
    assert call("score", *SYSTEMS, "--gold", GOLD, "--save-counts", packed)[0] == 0
    assert packed.stat().st_size < counts.stat().st_size
    assert result(call, "score", packed)["systems"] == result(call, "score", counts)["systems"]


def test_counts_can_come_from_standard_input(
    call: Call, monkeypatch: pytest.MonkeyPatch, counts: Path
) -> None:
    from_file = result(call, "compare", counts, "--resamples", 50)
    given = io.TextIOWrapper(io.BytesIO(counts.read_bytes()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    assert result(call, "compare", "-", "--resamples", 50)["pairs"] == from_file["pairs"]


def test_the_same_call_saves_the_same_bytes(call: Call, tmp_path: Path, counts: Path) -> None:
    again = tmp_path / "again.json"
    assert call("score", *SYSTEMS, "--gold", GOLD, "--save-counts", again)[0] == 0
    assert again.read_bytes() == counts.read_bytes()


def refused(call: Call, *arguments: object) -> str:
    err = calling.refused(call, *arguments)
    assert err.count("\n") == 1
    return err


def test_counts_made_with_other_options_are_not_mixed(
    call: Call, tmp_path: Path, counts: Path
) -> None:
    other = tmp_path / "other.json"
    options = ["--beta", "1", "--save-counts", other]
    assert call("score", SAMPLE / "source.txt", "--gold", GOLD, *options)[0] == 0
    message = refused(call, "compare", counts, other)
    assert "beta:0.5" in message
    assert "beta:1" in message


def test_counts_made_with_another_gold_are_not_mixed(call: Call, tmp_path: Path) -> None:
    # same options and as many annotators and sentences, but other gold edits
    other_gold = tmp_path / "other.m2"
    text = GOLD.read_text(encoding="utf-8").replace("|||goes|||", "|||went|||")
    other_gold.write_text(text, encoding="utf-8")
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    assert call("score", SYSTEMS[0], "--gold", GOLD, "--save-counts", one)[0] == 0
    assert call("score", SYSTEMS[1], "--gold", other_gold, "--save-counts", other)[0] == 0
    assert "gold" in refused(call, "compare", one, other)


def test_counts_of_other_sentences_are_not_mixed(call: Call, tmp_path: Path, counts: Path) -> None:
    blocks = GOLD.read_text(encoding="utf-8").split("\n\n")[:5]
    gold, system = tmp_path / "g.m2", tmp_path / "short.txt"
    gold.write_text("\n\n".join(blocks), encoding="utf-8")
    lines = SYSTEMS[0].read_text(encoding="utf-8").splitlines(keepends=True)[:5]
    system.write_text("".join(lines), encoding="utf-8")
    short = tmp_path / "short.json"
    assert call("score", system, "--gold", gold, "--save-counts", short)[0] == 0
    refused(call, "compare", counts, short)


def test_a_system_in_two_counts_files_is_refused(call: Call, tmp_path: Path, counts: Path) -> None:
    again = tmp_path / "again.json"
    assert call("score", SYSTEMS[0], "--gold", GOLD, "--save-counts", again)[0] == 0
    assert "'bold.txt'" in refused(call, "compare", counts, again)


def test_counts_and_hypotheses_are_not_mixed(call: Call, counts: Path) -> None:
    message = refused(call, "compare", counts, SYSTEMS[0], "--gold", GOLD)
    assert "counts" in message
    assert str(SYSTEMS[0]) in message


def test_counts_and_hypotheses_are_not_mixed_when_scoring(call: Call, counts: Path) -> None:
    assert "counts" in refused(call, "score", counts, SYSTEMS[0], "--gold", GOLD)


@pytest.mark.parametrize(
    "options",
    [
        ["--gold", GOLD],
        ["--beta", "2"],
        ["--metric", "errant"],
        ["--choice", "sentence"],
        ["--by", "type"],
        ["--verbose"],
    ],
    ids=lambda options: str(options[0]),
)
def test_options_that_need_matching_are_refused_and_not_ignored(
    call: Call, counts: Path, options: list[object]
) -> None:
    message = refused(call, "score", counts, *options)
    assert str(options[0]).removeprefix("--") in message


def test_comparing_counts_refuses_other_options_too(call: Call, counts: Path) -> None:
    assert "beta" in refused(call, "compare", counts, "--beta", "2")
    assert "gold" in refused(call, "compare", counts, "--gold", GOLD)


def test_a_damaged_counts_file_is_named(call: Call, tmp_path: Path, counts: Path) -> None:
    damaged = tmp_path / "damaged.json"
    damaged.write_bytes(counts.read_bytes()[:-50])
    for command in ("score", "compare"):
        assert refused(call, command, damaged).startswith(f"jurybox: {damaged}: ")


def test_a_failed_save_leaves_the_old_counts_alone(
    call: Call, tmp_path: Path, counts: Path
) -> None:
    before = counts.read_bytes()
    short = tmp_path / "short.txt"
    short.write_text("one line\n", encoding="utf-8")
    refused(call, "score", short, "--gold", GOLD, "--save-counts", counts)
    assert counts.read_bytes() == before
