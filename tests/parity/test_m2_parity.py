"""The numbers of the official MaxMatch scorer, count for count (spec/scoring.md, section 1)."""

from __future__ import annotations

import csv
import lzma
from pathlib import Path

import pytest

from jurybox.formats import read_panel
from jurybox.formats.edits import text
from jurybox.metrics.maxmatch import count_sentence
from jurybox.model import Panel, apply_edits
from jurybox.score import score

Triple = tuple[int, int, int]  # correct, proposed, gold

SYSTEMS = {
    "AMU": ((509, 1223, 2378), 0.3501),
    "CAMB": ((772, 1944, 2565), 0.3733),
    "CUUI": ((623, 1491, 2504), 0.3679),
    "INPUT": ((0, 0, 1994), 0.0),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_counts_and_f_of_the_conll_systems_are_the_official_ones(
    data_dir: Path, system: str
) -> None:
    gold = data_dir / "conll14" / "official-2014.combined.m2"
    (result,) = score(data_dir / "systems" / system, gold).systems
    counts, f = SYSTEMS[system]
    assert result.counts is not None
    correct, wrong, missed = result.counts.tp, result.counts.fp, result.counts.fn
    assert (correct, correct + wrong, correct + missed) == counts
    assert result.f is not None
    assert round(result.f, 4) == f
    assert result.precision == (counts[0] / counts[1] if counts[1] else 1.0)
    assert result.recall == counts[0] / counts[2]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.slow
def test_choosing_annotators_sentence_by_sentence_moves_f_by_a_thousandth_at_most(
    data_dir: Path, system: str
) -> None:
    gold = data_dir / "conll14" / "official-2014.combined.m2"
    running, alone = (
        score(data_dir / "systems" / system, gold, choice=choice).systems[0].f
        for choice in ("running", "sentence")
    )
    assert running is not None
    assert alone is not None
    assert abs(running - alone) <= 0.0010


@pytest.fixture(scope="module")
def ten_annotators(data_dir: Path) -> Panel:
    """The ten single-annotator files of Bryant and Ng (2015) as one panel."""
    return read_panel([data_dir / "conll14-10" / f"A{number}.m2" for number in range(1, 11)])


def test_every_file_of_a_panel_is_a_candidate_in_every_sentence(ten_annotators: Panel) -> None:
    names = [f"A{number}" for number in range(1, 11)]
    assert len(ten_annotators) == 1312
    for sentence in ten_annotators:
        assert [annotation.annotator for annotation in sentence.annotations] == names


def hypotheses_of(name: str, panel: Panel, data_dir: Path) -> list[tuple[str, ...]]:
    """A system's output, or the text of a person: their edits applied."""
    if name not in panel.annotators:
        return [tuple(line.split()) for line in text.read(data_dir / "systems" / name)]
    person = panel.annotators.index(name)
    return [
        tuple(apply_edits(sentence.tokens, sentence.annotations[person].edits))
        for sentence in panel
    ]


def counts_of(name: str, panel: Panel, data_dir: Path) -> dict[tuple[int, str], Triple]:
    """Our counts, for every sentence and annotator."""
    found: dict[tuple[int, str], Triple] = {}
    hypotheses = hypotheses_of(name, panel, data_dir)
    for number, (sentence, hypothesis) in enumerate(zip(panel, hypotheses, strict=True)):
        counts = count_sentence(sentence, hypothesis)
        for annotation, count in zip(sentence.annotations, counts, strict=True):
            triple = count.tp, count.tp + count.fp, count.tp + count.fn
            found[number, annotation.annotator] = triple
    return found


@pytest.fixture(scope="module")
def official(data_dir: Path) -> dict[str, dict[tuple[int, str], Triple]]:
    """The official scorer's counts: hypothesis -> sentence and annotator -> counts."""
    counts: dict[str, dict[tuple[int, str], Triple]] = {}
    path = data_dir / "oracle" / "m2-counts.csv.xz"
    with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            triple = int(row["correct"]), int(row["proposed"]), int(row["gold"])
            place = int(row["sentence"]), row["annotator"]
            counts.setdefault(row["hypothesis"], {})[place] = triple
    return counts


# All eight take a while on a busy machine, most of it for the texts of persons.
FAST = ["AMU", "CAMB", "A3"]
REST = ["CUUI", "A1", "A2", "A4", "A5"]


@pytest.mark.parametrize(
    "name", [*FAST, *(pytest.param(name, marks=pytest.mark.slow) for name in REST)]
)
def test_counts_of_every_sentence_against_every_annotator_are_the_official_ones(
    name: str,
    ten_annotators: Panel,
    official: dict[str, dict[tuple[int, str], Triple]],
    data_dir: Path,
) -> None:
    ours, theirs = counts_of(name, ten_annotators, data_dir), official[name]
    assert len(theirs) == 13_120
    assert ours.keys() == theirs.keys()
    different = {
        place: (ours[place], theirs[place]) for place in theirs if ours[place] != theirs[place]
    }
    assert different == {}


def test_no_official_count_is_left_unchecked(
    official: dict[str, dict[tuple[int, str], Triple]],
) -> None:
    assert sorted(official) == sorted(FAST + REST)
    assert sum(map(len, official.values())) == 104_960


def count_one(panel: Panel, person: int, judge: int, number: int) -> Triple:
    """One person's text of one sentence against another person's edits."""
    sentence = panel.sentences[number]
    hypothesis = apply_edits(sentence.tokens, sentence.annotations[person].edits)
    count = count_sentence(sentence, tuple(hypothesis))[judge]
    return count.tp, count.tp + count.fp, count.tp + count.fn


def test_at_equal_cost_the_path_of_more_edits_stays_as_in_the_official_scorer(
    ten_annotators: Panel,
) -> None:
    # "fewest edits" would propose 5
    a1, a5 = (ten_annotators.annotators.index(name) for name in ("A1", "A5"))
    assert count_one(ten_annotators, a1, a5, 1222) == (3, 6, 6)


def test_an_edit_that_equals_two_gold_edits_counts_twice_as_in_the_official_scorer(
    ten_annotators: Panel,
) -> None:
    a3, a4 = (ten_annotators.annotators.index(name) for name in ("A3", "A4"))
    assert count_one(ten_annotators, a3, a4, 903)[0] == 2
