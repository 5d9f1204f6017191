"""The numbers of errant_compare 3.0.2, count for count."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurybox.formats.edits import m2
from jurybox.metrics import choice, errant
from jurybox.metrics.measures import precision_recall_f
from jurybox.model import Counts, CountsTable

Triple = tuple[int, int, int]


def total(table: CountsTable, *, beta: float = 0.5) -> Triple:
    sums = choice.totals(table, choice.choose(table, metric="errant", beta=beta))
    return sums["tp"], sums["fp"], sums["fn"]


def compare(
    hypothesis: Path,
    reference: Path,
    *,
    level: str = "correction",
    size: str = "any",
    by_type: bool = False,
) -> CountsTable:
    return errant.count_table(
        m2.read(hypothesis), m2.read(reference), level=level, size=size, by_type=by_type
    )


SYSTEMS = {
    ("AMU", "correction"): (483, 795, 1934),
    ("AMU", "correction-type"): (481, 797, 1936),
    ("AMU", "span"): (622, 656, 1903),
    ("AMU", "token"): (721, 564, 2242),
    ("CAMB", "correction"): (725, 1329, 1886),
    ("CAMB", "correction-type"): (720, 1334, 1891),
    ("CAMB", "span"): (928, 1126, 1808),
    ("CAMB", "token"): (1164, 1040, 2200),
    ("CUUI", "correction"): (607, 985, 1946),
    ("CUUI", "correction-type"): (604, 988, 1946),
    ("CUUI", "span"): (734, 858, 1917),
    ("CUUI", "token"): (867, 752, 2282),
}


@pytest.mark.parametrize(("system", "level"), SYSTEMS)
def test_counts_of_the_conll_systems_are_the_official_ones(
    data_dir: Path, system: str, level: str
) -> None:
    folder = data_dir / "errant"
    table = compare(folder / f"conll14-{system}.errant", folder / "conll14.errant", level=level)
    assert total(table) == SYSTEMS[system, level]


@pytest.mark.parametrize(("system", "f"), [("AMU", 0.3208), ("CAMB", 0.3348), ("CUUI", 0.3402)])
def test_f_of_the_conll_systems_is_the_printed_one(data_dir: Path, system: str, f: float) -> None:
    folder = data_dir / "errant"
    table = compare(folder / f"conll14-{system}.errant", folder / "conll14.errant")
    assert round(precision_recall_f(Counts(*total(table)))[2], 4) == f


@pytest.mark.parametrize(
    ("level", "size", "expected"),
    [
        ("correction", "single", (471, 731, 1482)),
        ("correction", "multi", (12, 64, 250)),
        ("span", "single", (580, 622, 1459)),
        ("token", "multi", (25, 53, 473)),
    ],
)
def test_counts_of_single_and_multi_token_edits_are_the_official_ones(
    data_dir: Path, level: str, size: str, expected: Triple
) -> None:
    folder = data_dir / "errant"
    hypothesis, reference = folder / "conll14-AMU.errant", folder / "conll14.errant"
    assert total(compare(hypothesis, reference, level=level, size=size)) == expected


def test_another_beta_chooses_other_coders_like_the_official_script(data_dir: Path) -> None:
    folder = data_dir / "errant"
    table = compare(folder / "conll14-AMU.errant", folder / "conll14.errant")
    assert total(table, beta=1.0) == (482, 796, 1926)


def test_a_hypothesis_with_two_coders_is_paired_like_the_official_script(data_dir: Path) -> None:
    folder = data_dir / "errant"
    table = compare(folder / "conll14.errant", folder / "conll14-CAMB.errant")
    assert table.annotators == ["0/0", "1/0"]
    assert total(table) == (715, 1837, 1339)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("correction", (1704, 3856, 1362)),
        ("correction-type", (1352, 4208, 1523)),
        ("span", (2265, 3281, 974)),
        ("token", (3194, 3218, 1226)),
    ],
)
def test_conll_files_with_alternatives_and_shared_spans_give_the_official_counts(
    data_dir: Path, level: str, expected: Triple
) -> None:
    hypothesis = data_dir / "conll14-10" / "A1.m2"
    reference = data_dir / "conll14" / "official-2014.combined-withalt.m2"
    assert total(compare(hypothesis, reference, level=level)) == expected


def test_tables_by_type_are_the_official_ones(data_dir: Path) -> None:
    folder = data_dir / "errant"
    table = compare(folder / "conll14-AMU.errant", folder / "conll14.errant", by_type=True)
    types = choice.totals_by_type(table, choice.choose(table, metric="errant"))
    assert errant.group_types(types, "operation") == {
        "M": (57, 70, 345),
        "R": (426, 725, 1166),
        "U": (0, 0, 423),
    }
    categories = errant.group_types(types, "category")
    assert len(categories) == 24
    assert categories["NOUN"] == (21, 56, 101)
    assert categories["NOUN:NUM"] == (117, 124, 89)
    assert categories["WO"] == (0, 0, 12)
    assert types["M:DET"] == (31, 24, 92)
    assert types["R:CONTR"] == (8, 17, 1)
    assert types["M:CONTR"] == (0, 1, 0)
