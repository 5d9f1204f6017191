"""The GUG data."""

from __future__ import annotations

import pytest
from exported import column, read_file, read_text, rows

from jurybox.errors import FormatError, UsageError


def test_expert_and_crowd_give_their_scores() -> None:
    found = read_file("gug.tsv", extra=("batch",))
    assert rows(found)[:3] == [("1", "expert", "3"), ("1", "crowd-1", "3"), ("1", "crowd-2", "4")]
    assert rows(found)[-1] == ("2", "expert", "0")
    assert column(found, "batch")[-1] == "none"
    assert found.cases.cases[0].sentence == 'She said "no" .'
    assert any("places in a list, not people" in note for note in found.notes)


def test_a_column_that_cannot_be_mapped_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"--columns label=Average: GUG's expert and crowd are read"
    ):
        read_file("gug.tsv", columns={"label": "Average"})


def test_scores_that_are_no_list_name_line_and_column() -> None:
    head = "Id\tSentence\tExpert Judgement\tCrowd Flower Judgements\tAverage\tDataset\n"
    message = r"batch.csv:2, column 4 \(Crowd Flower Judgements\): '3; 4'"
    with pytest.raises(FormatError, match=message):
        read_text(head + "1\tHe .\t3\t3; 4\t3\ttrain\n")
