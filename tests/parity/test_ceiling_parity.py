"""Tables 4 and 5 and Figures 2 and 3 of Bryant and Ng (2015), by the official scorer's counts."""

from __future__ import annotations

from pathlib import Path

import pytest

import jurybox as jb
from bryant_ng_2015 import TABLE_4, TABLE_5
from jurybox.ceiling.result import CeilingResult
from jurybox.formats import read_panel
from jurybox.model import Panel

ESSAYS_1_TO_10 = {"AMU": 50.81, "CAMB": 52.84, "CUUI": 46.73, "human": 70.56}


@pytest.fixture(scope="module")
def ten(data_dir: Path) -> Panel:
    files = [data_dir / "conll14-10" / f"A{number}.m2" for number in range(1, 11)]
    return read_panel(files, documents=data_dir / "conll14-10" / "sgml" / "A1.sgml")


@pytest.fixture(scope="module")
def systems(data_dir: Path) -> dict[str, Path]:
    return {name: data_dir / "systems" / name for name in ("AMU", "CAMB", "CUUI")}


@pytest.fixture(scope="module")
def table_5(ten: Panel, systems: dict[str, Path]) -> CeilingResult:
    return jb.ceiling(ten, systems, sizes="all", pairwise=True)


@pytest.mark.parametrize("name", TABLE_5)
@pytest.mark.slow
def test_all_combinations_of_ten_annotators(table_5: CeilingResult, name: str) -> None:
    for size, points in zip(table_5.sizes, TABLE_5[name], strict=True):
        score = size.human if name == "human" else size.systems[name].score
        assert abs(100 * score - points) <= 0.01, size.annotators
    assert [size.subsets for size in table_5.sizes] == [10, 45, 120, 210, 252, 210, 120, 45, 10]


@pytest.mark.slow
def test_camb_against_each_annotator_alone(table_5: CeilingResult) -> None:
    found = {pair.annotator: pair for pair in table_5.pairwise if pair.system == "CAMB"}
    assert list(found) == list(TABLE_4)
    for annotator, points in TABLE_4.items():
        pair = found[annotator]
        for score, wanted in zip((pair.precision, pair.recall, pair.f), points, strict=True):
            assert score is not None
            assert abs(100 * score - wanted) <= 0.0101, annotator  # the paper cuts some off


def test_essays_1_to_10(ten: Panel, systems: dict[str, Path]) -> None:
    result = jb.ceiling(ten, systems, select="1-10")
    assert (result.sentences, result.documents) == (229, 10)
    for name, points in ESSAYS_1_TO_10.items():
        score = result.human if name == "human" else result.score(name)
        assert abs(100 * score - points) <= 0.01, name


@pytest.mark.slow
def test_sizes_1_to_6_predict_7_to_9_within_the_band(ten: Panel, systems: dict[str, Path]) -> None:
    result = jb.ceiling(ten, systems, sizes="1-6", extrapolate=9)
    for name, curve in result.extrapolation.items():
        wanted = TABLE_5[name][6:]
        found = curve.score
        assert found.sizes == (7, 8, 9)
        for points, score, low, high in zip(
            wanted, found.scores, found.low, found.high, strict=True
        ):
            assert 100 * low <= points <= 100 * high
            assert abs(100 * score - points) < 0.2
            assert 100 * (high - low) < 8  # a band that says something


@pytest.mark.slow
def test_noun_number_and_agreement_are_what_people_agree_on_most(ten: Panel) -> None:
    """Section 6.1 and Figure 2: Nn and SVA just under 90, word choice far below."""
    result = jb.ceiling(ten, by="type")
    nine = {kind.type: 100 * kind.sizes[-1].human for kind in result.types if kind.edits > 700}
    order = sorted(nine, key=lambda kind: -nine[kind])
    assert order[:3] == ["Nn", "SVA", "ArtOrDet"]
    assert 89 < nine["SVA"] < nine["Nn"] < 90
    assert max(nine["Trans"], nine["WOinc"], nine["Wci"]) < 55
    assert len(result.types) == 28
