"""The counts of published data sets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from exported import column, quietly, rows


def test_the_confirmation_batch_has_3264_judgments_on_1088_cases_by_96_raters(
    data_dir: Path,
) -> None:
    found = quietly(
        data_dir / "mturk" / "confirmation_batch.csv", extra=("seconds", "reward", "submitted")
    )
    assert found.format == "mturk"
    assert (len(found.table), len(found.cases), len(found.table.raters)) == (3264, 1088, 96)
    assert Counter(label for _, _, label in rows(found)) == {"Yes": 2568, "No": 696}
    assert (set(column(found, "reward")), found.currency) == ({0.05}, "USD")
    assert (found.left_out, found.repeats.same + found.repeats.different) == ({}, 0)
    hours = (max(column(found, "submitted")) - min(column(found, "submitted"))) / 3600
    assert 0 < hours < 240


def test_gug_has_an_expert_for_3129_sentences_and_a_crowd_for_3019(data_dir: Path) -> None:
    found = quietly(data_dir / "gug" / "gug_annotations.tsv", extra=("batch",))
    assert found.format == "gug"
    assert (len(found.table), len(found.cases)) == (3129 + 5 * 3019, 3129)
    expert = Counter(label for _, rater, label in rows(found) if rater == "expert")
    assert expert == {"0": 110, "1": 72, "2": 538, "3": 1431, "4": 978}
    sizes = Counter(column(found, "batch"))
    assert sizes == {"train": 6 * 1518, "dev": 6 * 747, "test": 6 * 754, "none": 110}


def test_rte_has_8000_judgments_by_164_raters_with_gold(data_dir: Path) -> None:
    found = quietly(data_dir / "snow" / "rte.csv")
    assert (len(found.table), len(found.cases), len(found.table.raters)) == (8000, 800, 164)
    right = {case.id: case.gold for case in found.cases.cases}
    hits = sum(label in right[case] for case, _, label in rows(found))
    assert hits / 8000 == 0.729125
