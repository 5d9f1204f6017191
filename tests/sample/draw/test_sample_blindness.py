"""No field, order or id of a blind file predicts the key better than chance.

Cases are drawn many times with different seeds. Whatever can be read off a row of the blind file is
a number; its rank correlation with what the key says is then spread around 0 as chance spreads it.
Sentences are dealt out at random here, so that nothing in the file may say anything about labels.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest

from jurybox.formats import Input
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables.sample_key import SampleKey
from jurybox.model import Case, CaseSet
from jurybox.sample.draw import draw_sample
from jurybox.sample.draw.drawing import LETTERS

#: draws of the quick run, and of the thorough one
SEEDS = (25, pytest.param(300, marks=pytest.mark.slow))
#: |z| of a fair file is larger once in 15,000
LIMIT = 4.0
CASES = 400
#: errors stand together at the beginning and have the lowest ids: all that could be leaked is there
DECIDED = {f"c{k:03d}": "error" if k < 80 else "ok" for k in range(CASES)}
DECISIONS = [
    "case,label,score",
    *(f"{case},{label},{k / CASES}" for k, (case, label) in enumerate(DECIDED.items())),
]
Row = dict[str, str]


def id_number(name: str) -> float:
    return float(sum(LETTERS.index(letter) / 27.0**k for k, letter in enumerate(name)))


#: what a rater, or a programme, could read off a row
CLUES: dict[str, Callable[[int, Row], float]] = {
    "place in the file": lambda place, row: place,
    "even or odd place": lambda place, row: place % 2,
    "id in order of the alphabet": lambda place, row: id_number(row["case"]),
    "digits of the id": lambda place, row: sum(map(str.isdigit, row["case"])),
    "first letter of the id": lambda place, row: LETTERS.index(row["case"][0]),
    "last letter of the id": lambda place, row: LETTERS.index(row["case"][-1]),
    "sentence": lambda place, row: float(row["sentence"].split()[1]),
    "start": lambda place, row: float(row["start"]),
    "end": lambda place, row: float(row["end"]),
    "written": lambda place, row: len(row["written"]),
    "sentence before": lambda place, row: float(row["before"].split()[1]),
}


def sentences(seed: int) -> CaseSet:
    """A sentence for each case, dealt out anew for every seed: they say nothing about labels."""
    dealt = np.random.default_rng([seed, 99]).permutation(CASES).tolist()
    return CaseSet(
        tuple(
            Case(
                name,
                f"Sentence {k:03d} .",
                k % 2,
                k % 2 + 1,
                "x" * (k % 3 + 1),
                before=f"Sentence {7 * k % CASES} .",
                after="The end .",
            )
            for name, k in zip(DECIDED, dealt, strict=True)
        )
    )


def rows_and_key(seed: int, by: str | None) -> tuple[list[Row], SampleKey]:
    """The blind file as it is written and read, and its key."""
    source = Input.from_lines(DECISIONS)
    drawn = draw_sample(source, error=40, ok=80, cases=sentences(seed), by=by, seed=seed)
    out = io.StringIO()
    case_files.write_blind(drawn.blind, out)
    return list(csv.DictReader(io.StringIO(out.getvalue()))), drawn.key


def ranks(values: list[float]) -> np.ndarray:
    """Ranks, the same for equal values."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]


def correlation(first: list[float], second: list[float]) -> float:
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def told_by_key(key: SampleKey) -> dict[str, list[float]]:
    """What must stay hidden: the stratum, and which case it is."""
    strata = [one.name for one in key.strata]
    return {
        "stratum": [float(strata.index(one.stratum)) for one in key.drawn],
        "label": [float(one.stratum.startswith("error")) for one in key.drawn],
    }


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("by", [None, "score=.1,.5"])
def test_no_field_order_or_id_predicts_the_key(by: str | None, seeds: int) -> None:
    seen: dict[tuple[str, str], list[float]] = {}
    for seed in range(seeds):
        rows, key = rows_and_key(seed, by)
        hidden = told_by_key(key)
        clues = {name: [clue(k, row) for k, row in enumerate(rows)] for name, clue in CLUES.items()}
        clues["stratum of the row before"] = [hidden["stratum"][k - 1] for k in range(len(rows))]
        for clue, values in clues.items():
            for name, answer in hidden.items():
                seen.setdefault((clue, name), []).append(correlation(values, answer))
    n = 120  # rows of a file
    for (clue, name), found in seen.items():
        z = np.array(found) * sqrt(n - 1)  # of a rank correlation where there is none
        assert abs(z.mean()) * sqrt(seeds) < LIMIT + bias(clue, n, seeds), (clue, name, z.mean())
        assert abs(z.std() - 1) < 0.3 + 3 / sqrt(2 * seeds) * (seeds < 100), (clue, name, z.std())


def bias(clue: str, n: int, seeds: int) -> float:
    """Among finitely many rows, one more of a stratum before leaves one fewer after."""
    return sqrt(seeds / n) * 1.1 if clue == "stratum of the row before" else 0.0


def test_the_test_would_see_an_order_that_leaks() -> None:
    rows, key = rows_and_key(1, None)
    label = told_by_key(key)["label"]
    in_order = [float(k) for k in np.argsort(np.argsort(label, kind="stable"))]
    assert abs(correlation(in_order, label)) * sqrt(len(rows) - 1) > LIMIT


def test_nothing_but_the_fields_that_raters_may_see_is_in_the_file() -> None:
    rows, key = rows_and_key(1, "score=.1,.5")
    assert {*rows[0]} == {"case", "sentence", "start", "end", "written", "before", "after"}
    words = {word for row in rows for cell in row.values() for word in cell.split()}
    for one in key.drawn:
        assert one.case not in words
        assert one.stratum not in words
    for word in ("error", "ok", "score", str(key.seed) + "\n", key.checksum):
        assert word not in {row["case"] for row in rows}


def test_a_case_has_another_id_in_every_draw() -> None:
    """An id that followed from the case could be made again by who has the cases."""
    ids: dict[str, set[str]] = {}
    times: dict[str, int] = {}
    for seed in range(30):
        for one in rows_and_key(seed, None)[1].drawn:
            ids.setdefault(one.case, set()).add(one.id)
            times[one.case] = times.get(one.case, 0) + 1
    assert max(times.values()) > 5
    assert all(len(ids[case]) == times[case] for case in ids)


@pytest.mark.parametrize("seeds", SEEDS)
def test_a_row_says_nothing_about_where_its_case_stood_in_the_decisions(seeds: int) -> None:
    found = []
    for seed in range(seeds):
        _, key = rows_and_key(seed, None)
        places = [float(one.case[1:]) for one in key.drawn]
        found.append(correlation([float(k) for k in range(len(places))], places))
    z = np.array(found) * sqrt(119)
    assert abs(z.mean()) * sqrt(seeds) < LIMIT
