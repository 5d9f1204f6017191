"""A metric of another package: counted, scored, resampled and held against people like ours."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import jurybox as jb
from jurybox import plugins
from jurybox.errors import InputError
from jurybox.streams import stream
from plugin_packages import offered
from saved_results import check_restored, check_schema, complaints

SAMPLE = Path(jb.__file__).parent / "data" / "sample"
TINY = SAMPLE / "tiny"
CODE = """
class Base:
    columns = ("a", "b")
    def count(self, source, hypothesis, reference):
        return len(hypothesis), 1
    def score(self, a, b):
        return a / b

class Short(Base):
    def count(self, source, hypothesis, reference):
        return (1,)

class Halves(Base):
    def count(self, source, hypothesis, reference):
        return 0.5, 1

class Fails(Base):
    def count(self, source, hypothesis, reference):
        return hypothesis[999]

class Single(Base):
    def score(self, a, b):
        return 1.0

class Infinite(Base):
    def score(self, a, b):
        return a / (b - b)

class Scoreless:
    columns = ("a",)
    count = None
"""


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from offered(monkeypatch, tmp_path, "metrics", "poor-ones", CODE)


def corrected(panel: jb.Panel) -> list[list[list[str]]]:
    """Every annotator's text, sentence by sentence."""
    return [
        [list(jb.apply_edits(one.tokens, a.edits)) for a in one.annotations]
        for one in panel.sentences
    ]


def hits(lines: list[list[str]], references: list[list[list[str]]]) -> list[bool]:
    return [line in known for line, known in zip(lines, references, strict=True)]


def test_the_score_is_the_share_counted_by_hand() -> None:
    references = corrected(jb.read_panel(TINY / "gold.m2"))
    for name in ("bold", "cautious", "rewriter"):
        lines = [line.split() for line in (TINY / f"{name}.txt").read_text("utf-8").splitlines()]
        found = jb.score(TINY / f"{name}.txt", TINY / "gold.m2", metric="exactmatch")
        assert found.systems[0].score == np.mean(hits(lines, references))
        assert "|by:jurybox-exactmatch-1.0|" in found.signature


def test_intervals_and_comparisons_are_those_of_the_same_numbers_resampled() -> None:
    systems = {"bold": TINY / "bold.txt", "cautious": TINY / "cautious.txt"}
    found = jb.compare(systems, TINY / "gold.m2", metric="exactmatch", resamples=400, seed=3)
    references = corrected(jb.read_panel(TINY / "gold.m2"))
    right = {
        name: np.array(
            hits([line.split() for line in path.read_text("utf-8").splitlines()], references)
        )
        for name, path in systems.items()
    }
    [pair] = found.pairs
    assert pair.difference == pytest.approx(right["cautious"].mean() - right["bold"].mean())
    each = right["cautious"].astype(float) - right["bold"]
    assert pair.standard_error == pytest.approx(each.std(ddof=1) / sqrt(15), rel=1e-3)
    exchanged = stream(3, "exchange").random((400, 15)) < 0.5
    moved = np.where(exchanged, -each, each)
    sizes = abs(moved.mean(axis=1)) / (moved.std(axis=1, ddof=1) / sqrt(15))
    own = abs(each.mean()) / (each.std(ddof=1) / sqrt(15))
    assert pair.p_randomisation == (np.sum(sizes >= own * (1 - 1e-9)) + 1) / 401


def test_the_ceiling_is_that_of_people_scored_by_hand() -> None:
    files = [SAMPLE / f"A{number}.m2" for number in range(1, 5)]
    texts = list(zip(*corrected(jb.read_panel(files)), strict=True))  # by annotator
    scores = []
    for others in combinations(range(4), 3):
        [person] = {*range(4)} - {*others}
        references = [list(row) for row in zip(*(texts[one] for one in others), strict=True)]
        scores.append(np.mean(hits(list(texts[person]), references)))
    found = jb.ceiling(files, metric="exactmatch")
    assert found.human == pytest.approx(np.mean(scores))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("short", r"counts \(1,\); it must give 2 whole numbers: a, b"),
        ("halves", r"counts \(0.5, 1\); it must give 2 whole numbers"),
        ("fails", "'fails' of package poor-ones failed to count: IndexError"),
        ("single", "its score must work on arrays"),
        ("infinite", "gives no number for a 1"),
        ("scoreless", "has no score; a metric has columns, count and score"),
    ],
)
def test_what_is_wrong_with_a_metric_names_its_package(name: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        jb.score(TINY / "bold.txt", TINY / "gold.m2", metric=name)


def test_an_unknown_metric_is_told_the_near_one_of_a_package() -> None:
    with pytest.raises(jb.JuryboxError, match="did you mean 'exactmatch'"):
        jb.score(TINY / "bold.txt", TINY / "gold.m2", metric="exactmatsch")


def test_counts_of_it_can_be_saved_and_scored_again(tmp_path: Path) -> None:
    whole = jb.score(TINY / "bold.txt", TINY / "gold.m2", metric="exactmatch", ci=True)
    jb.save_counts(whole, tmp_path / "counts.json")
    again = jb.score_counts(tmp_path / "counts.json", ci=True)
    assert again.systems[0].score == whole.systems[0].score
    assert again.systems[0].intervals == whole.systems[0].intervals


def test_it_stands_before_people_like_any_metric() -> None:
    systems = {name: SAMPLE / f"{name}.txt" for name in ("source", "cautious", "bold", "rewriter")}
    gold = [SAMPLE / f"A{number}.m2" for number in (1, 3)]
    scored = jb.score(systems, gold, metric="exactmatch")
    found = jb.metaeval(scored, SAMPLE / "rankings.csv", resamples=10, without=["A2", "A6"])
    assert [one.metric for one in found.metrics] == ["exactmatch"]


def test_a_report_names_it() -> None:
    scored = jb.score(TINY / "bold.txt", TINY / "gold.m2", metric="exactmatch")
    assert jb.read_result(scored.to_dict()).to_dict() == scored.to_dict()
    assert "Scores by exactmatch" in jb.make_report([scored]).to_html()


def test_its_json_is_what_the_schema_says_and_is_read_where_it_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = TINY / "gold.m2"
    systems = {name: TINY / f"{name}.txt" for name in ("bold", "cautious")}
    scored = jb.score(systems, gold, metric="exactmatch", ci=True, resamples=5)
    compared = jb.compare(systems, gold, metric="exactmatch", resamples=5)
    check_schema(scored, "score")
    check_schema(compared, "compare")
    jb.save_counts(scored, tmp_path / "counts.json")
    assert complaints(json.loads((tmp_path / "counts.json").read_text("utf-8")), "counts") == []
    monkeypatch.setattr(sys, "path", [one for one in sys.path if "pytest-of" not in one])
    plugins.forget()
    for result in (scored, compared):
        check_restored(result)
