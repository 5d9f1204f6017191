"""The tables of Bryant and Ng (2015) that describe their ten annotators, and official scores."""

from __future__ import annotations

import csv
import lzma
from pathlib import Path

import pytest

from jurybox.api.annotators import annotators
from jurybox.api.annotators_result import AnnotatorsResult
from jurybox.formats import read_panel
from jurybox.measures import precision_recall_f
from jurybox.model import Counts, Panel

NAMES = [f"A{number}" for number in range(1, 11)]

#: Table 3 of the paper, as printed: categories, then A1 to A10 and the total
TABLE_3 = """\
ArtOrDet 879 639 443 503 665 620 331 358 390 624 5452
Cit 0 0 0 0 0 1 0 2 0 0 3
Mec 227 376 493 325 411 336 228 733 598 780 4507
Nn 404 290 228 264 360 300 215 254 277 365 2957
Npos 21 21 15 21 31 28 19 25 29 23 233
Others 42 186 49 116 95 43 44 34 125 105 839
Pform 431 52 18 57 30 83 47 53 19 18 808
Pref 4 79 153 18 223 53 96 92 250 180 1148
Prep 755 488 390 421 502 556 211 276 362 459 4420
Rloc- 488 308 199 331 187 244 94 174 296 240 2561
Sfrag 1 5 1 3 1 5 13 2 12 2 45
Smod 1 4 5 0 1 0 0 3 1 1 16
Spar 0 18 24 0 2 11 3 2 8 0 68
Srun 157 38 21 16 17 18 7 15 17 37 343
Ssub 74 54 10 4 25 81 68 21 18 82 437
SVA 162 123 154 95 140 114 105 132 144 144 1313
Trans 248 100 78 147 118 81 93 199 87 95 1246
Um 5 12 42 25 25 12 12 19 7 8 167
V0 137 35 37 50 81 69 31 58 51 85 634
Vform 388 168 91 100 156 125 132 78 122 124 1484
Vm 71 48 37 67 119 24 49 39 4 62 520
Vt 100 209 150 200 82 237 133 234 117 188 1650
Wa 0 1 1 3 1 1 0 2 4 2 15
Wci 623 476 479 446 456 595 340 250 212 346 4223
Wform 126 107 103 150 136 145 77 103 107 81 1135
WOadv 23 48 27 23 61 76 12 94 41 62 467
WOinc 187 67 54 78 53 74 22 24 87 103 749
Wtone 6 30 15 65 38 27 9 10 12 15 227
Total 5560 3982 3317 3528 4016 3959 2391 3286 3397 4231 37667"""

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
    rows = [line.split() for line in TABLE_3.splitlines()]
    paper = {kind: [int(cell) for cell in cells] for kind, *cells in rows}
    totals = paper.pop("Total")
    found = described.to_dict()["annotators"]
    assert list(found) == NAMES
    assert sum(len(profile["by_type"]) for profile in found.values()) == 280
    for kind, (*cells, total) in paper.items():
        assert [found[name]["by_type"][kind] for name in NAMES] == cells, kind
        assert sum(cells) == total
    assert [found[name]["total"] for name in NAMES] == totals[:-1]
    assert sum(profile["total"] for profile in found.values()) == totals[-1]


def test_types_stand_in_the_order_of_the_papers_table(described: AnnotatorsResult) -> None:
    order = [line.split()[0] for line in TABLE_3.splitlines()[:-1]]
    assert all(list(profile.by_type) == order for profile in described.annotators)


def test_size_of_the_text_is_that_of_table_2(described: AnnotatorsResult) -> None:
    corpus = described.corpus
    assert (corpus.documents, corpus.paragraphs) == (50, 252)
    assert (corpus.sentences, corpus.tokens) == (1312, 30144)
    average = corpus.per_document() or {}
    assert [round(average[name], 1) for name in ("paragraphs", "sentences", "tokens")] == [
        5.0,
        26.2,
        602.9,
    ]


def test_all_ten_correct_378_sentences_in_ten_ways(described: AnnotatorsResult) -> None:
    texts = described.texts
    assert texts is not None
    assert texts.all_differ == texts.spread[10, 10] == 378
    assert texts.sentences == 1312
    # nobody's correction is everybody's: where all agree, all left the sentence as it is
    assert texts.all_same == texts.all_untouched == 25


def test_every_edit_is_in_the_count_of_how_many_made_it(described: AnnotatorsResult) -> None:
    assert described.consensus is not None
    made = sum(made_by * n for (made_by, _), n in described.consensus["edit"].items())
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
            assert tuple(scores.values()) == pytest.approx(precision_recall_f(counts))
    assert max(map(len, str(result).splitlines())) <= 120
    if sentences == 1312:
        mean = sum(scores["f"] for scores in ours.values()) / 90
        assert mean == pytest.approx(0.4590, abs=5e-5)  # h_1 of spec/ceiling.md
