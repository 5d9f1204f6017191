"""The tables of Bryant and Ng (2015) that describe their ten annotators, and official scores."""

from __future__ import annotations

import csv
import lzma
from pathlib import Path

import pytest

from bryant_ng_2015 import TABLE_3, TABLE_3_TOTALS
from jurybox.annotators import annotators
from jurybox.annotators.result import AnnotatorsResult
from jurybox.formats import read_panel
from jurybox.metrics.measures import precision_recall_f
from jurybox.model import Counts, Panel

NAMES = [f"A{number}" for number in range(1, 11)]

#: essays 1 to 10 are the first 229 sentences (spec/ceiling.md)
FIRST_ESSAYS = 229


@pytest.fixture(scope="module")
def panel(data_dir: Path) -> Panel:
    files = [data_dir / "conll14-10" / f"{name}.m2" for name in NAMES]
    return read_panel(files, documents=data_dir / "conll14-10" / "sgml" / "A1.sgml")


@pytest.fixture(scope="module")
def described(panel: Panel) -> AnnotatorsResult:
    return annotators(panel, pairwise=False)


def test_all_280_cells_of_table_3_are_the_papers(described: AnnotatorsResult) -> None:
    found = described.to_dict()["annotators"]
    assert list(found) == NAMES
    assert sum(len(profile["by_type"]) for profile in found.values()) == 280
    for kind, cells in TABLE_3.items():
        if kind != "Total":
            assert [found[name]["by_type"][kind] for name in NAMES] == cells, kind
        assert sum(cells) == TABLE_3_TOTALS[kind]
    assert [found[name]["total"] for name in NAMES] == TABLE_3["Total"]
    assert sum(profile["total"] for profile in found.values()) == TABLE_3_TOTALS["Total"]


def test_types_stand_in_the_order_of_the_papers_table(described: AnnotatorsResult) -> None:
    order = [kind for kind in TABLE_3 if kind != "Total"]
    assert all(list(profile.by_type) == order for profile in described.annotators.values())


def test_size_of_the_text_is_that_of_table_2(described: AnnotatorsResult) -> None:
    corpus = described.corpus
    assert (corpus.documents, corpus.paragraphs) == (50, 252)
    assert (corpus.sentences, corpus.tokens) == (1312, 30144)
    assert corpus.per_document is not None
    assert [round(average, 1) for average in corpus.per_document] == [5.0, 26.2, 602.9]


def test_all_ten_correct_378_sentences_in_ten_ways(described: AnnotatorsResult) -> None:
    texts = described.texts
    assert texts is not None
    assert texts.all_differ == 378
    assert (10, 10, 378) in texts.spread
    assert texts.sentences == 1312
    # nobody's correction is everybody's: where all agree, all left the sentence as it is
    assert texts.all_same == texts.all_untouched == 25


def test_every_edit_is_in_the_count_of_how_many_made_it(described: AnnotatorsResult) -> None:
    assert described.consensus is not None
    made = sum(one.made_by * one.distinct for one in described.consensus.edit)
    twice = 2  # edits that stand twice in their annotator's file
    assert made == 37_667 - twice
    assert described.places is not None
    assert described.places.overall.comparisons == made * 9


def test_tables_of_ten_annotators_are_not_too_wide_for_a_page(described: AnnotatorsResult) -> None:
    assert max(map(len, str(described).splitlines())) <= 120


Triple = tuple[int, int, int]


def official_totals(data_dir: Path, sentences: int) -> dict[tuple[str, str], Triple]:
    """Correct, proposed and gold edits of A1 to A5's texts by the official scorer, added up."""
    totals: dict[tuple[str, str], Triple] = {}
    path = data_dir / "oracle" / "m2-counts.csv.xz"
    with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
        for hypothesis, sentence, annotator, *counts in list(csv.reader(lines))[1:]:
            if hypothesis in NAMES and int(sentence) < sentences:
                before = totals.get((hypothesis, annotator), (0, 0, 0))
                correct, proposed, gold = (a + int(b) for a, b in zip(before, counts, strict=True))
                totals[hypothesis, annotator] = correct, proposed, gold
    return totals


@pytest.mark.parametrize("sentences", [FIRST_ESSAYS, pytest.param(1312, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_pairwise_scores_are_those_of_the_official_counts(
    panel: Panel, data_dir: Path, sentences: int
) -> None:
    part = Panel(panel.sentences[:sentences], panel.annotators)
    result = annotators(part)
    assert result.pairwise is not None
    ours = {(pair.hypothesis, pair.annotator): pair.scores for pair in result.pairwise}
    assert len(ours) == 90
    official = official_totals(data_dir, sentences)
    assert len(official) == 50
    for (hypothesis, annotator), (correct, proposed, gold) in official.items():
        if hypothesis != annotator:
            counts = Counts(correct, proposed - correct, gold - correct)
            scores = ours[hypothesis, annotator]
            assert tuple(scores) == pytest.approx(precision_recall_f(counts))
    assert max(map(len, str(result).splitlines())) <= 120
    if sentences == 1312:
        mean = sum(scores[-1] for scores in ours.values()) / 90
        assert mean == pytest.approx(0.4590, abs=5e-5)  # h_1 of spec/ceiling.md
