"""The official numbers of spec/scoring.md through the command line, on the real data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jurybox.cli import run

Scored = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def scored(capsys: pytest.CaptureFixture[str]) -> Scored:
    def systems(*arguments: object) -> list[dict[str, Any]]:
        code = run(["score", *map(str, arguments), "--format", "json"])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        found: list[dict[str, Any]] = json.loads(out)["systems"]
        return found

    return systems


def test_m2_counts_of_the_shared_task_systems_are_the_official_ones(
    data_dir: Path, scored: Scored
) -> None:
    files = [data_dir / "systems" / name for name in ("AMU", "CAMB", "CUUI", "INPUT")]
    systems = scored(*files, "--gold", data_dir / "conll14" / "official-2014.combined.m2")
    # correct, proposed, gold
    assert [(s["tp"], s["tp"] + s["fp"], s["tp"] + s["fn"]) for s in systems] == [
        (509, 1223, 2378),
        (772, 1944, 2565),
        (623, 1491, 2504),
        (0, 0, 1994),
    ]
    assert [round(s["f"], 4) for s in systems] == [0.3501, 0.3733, 0.3679, 0.0]
    assert systems[3]["precision"] == 1.0


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("correction", [(483, 795, 1934), (725, 1329, 1886), (607, 985, 1946)]),
        ("correction-type", [(481, 797, 1936), (720, 1334, 1891), (604, 988, 1946)]),
        ("span", [(622, 656, 1903), (928, 1126, 1808), (734, 858, 1917)]),
        ("token", [(721, 564, 2242), (1164, 1040, 2200), (867, 752, 2282)]),
    ],
)
def test_errant_counts_are_the_official_ones(
    data_dir: Path, scored: Scored, level: str, expected: list[tuple[int, int, int]]
) -> None:
    folder = data_dir / "errant"
    files = [folder / f"conll14-{name}.errant" for name in ("AMU", "CAMB", "CUUI")]
    options = ["--metric", "errant", "--level", level]
    systems = scored(*files, "--gold", folder / "conll14.errant", *options)
    assert [(s["tp"], s["fp"], s["fn"]) for s in systems] == expected


@pytest.mark.parametrize(("option", "percent"), [([], 38.21), (["--expected-statistics"], 38.31)])
def test_gleu_of_the_untouched_source_is_the_official_one(
    data_dir: Path, scored: Scored, option: list[str], percent: float
) -> None:
    folder = data_dir / "jfleg"
    source = folder / "dev.src"
    refs = [folder / f"dev.ref{number}" for number in range(4)]
    (system,) = scored(source, "--source", source, "--refs", *refs, "--metric", "gleu", *option)
    assert round(100 * system["score"], 2) == percent
