"""The numbers of the official GLEU script on JFLEG dev, the uncorrected source as hypothesis."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurybox.formats.edits import text
from jurybox.metrics import gleu
from jurybox.model import CountsTable


@pytest.fixture(scope="module")
def source_table(data_dir: Path) -> CountsTable:
    folder = data_dir / "jfleg"
    references = [text.read(folder / f"dev.ref{i}") for i in range(4)]
    return gleu.count_table(
        text.read(folder / "dev.src"), text.read(folder / "dev.src"), references
    )


def test_the_mean_over_500_draws_is_the_official_score(source_table: CountsTable) -> None:
    drawn = gleu.score_draws(source_table)
    assert drawn.draws == 500
    assert round(100 * drawn.score, 2) == 38.21


def test_expected_statistics_are_the_other_number(source_table: CountsTable) -> None:
    assert round(100 * gleu.score_expected(source_table), 2) == 38.31


def test_every_sentence_has_four_references(source_table: CountsTable) -> None:
    assert len(source_table) == 754
    assert len(source_table.annotator) == 4 * 754
