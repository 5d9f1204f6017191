"""Sections of the report about crowds say in words what their tables show."""

from __future__ import annotations

from pathlib import Path

import jurybox as jb
from jurybox.formats import Input
from jurybox.raters.aggregate import aggregate
from jurybox.raters.cost import cost
from jurybox.raters.screen import screen
from jurybox.report.contents import sections_of

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "judgments.csv"


def test_screening_names_the_dropped_and_what_becomes_of_alpha() -> None:
    [section] = sections_of([screen(SAMPLE)])
    assert section.lead == (
        "2 of 12 raters are dropped: R04, R09. Without them Krippendorff's alpha goes from 0.484 "
        "to 0.698, and 1 of 148 majority labels change."
    )
    assert [table.title for table in section.tables] == ["", "Without 2 of 12 raters"]
    assert [table.title for table in section.folded] == ["Why"]


def test_screening_without_anybody_dropped_says_so() -> None:
    [section] = sections_of([screen(SAMPLE, drop="none")])
    assert section.lead == "None of 12 raters is dropped; 2 have a flag."
    assert [table.title for table in section.folded] == ["Why"]


def test_labels_come_with_their_accuracy() -> None:
    [section] = sections_of([aggregate(SAMPLE)])
    assert "give 150 of 150 cases a label; 2 are ties." in section.lead
    assert "Of 18 cases with a known answer 100.0% are right." in section.lead


def test_the_bill_is_a_sentence() -> None:
    lines = [
        "case,rater,label,reward,submitted",
        "c1,Ann,ok,$1,2020-01-01T10:00:00Z",
        "c1,Bob,ok,$1,2020-01-01T12:00:00Z",
    ]
    [timed] = sections_of([cost(Input.from_lines(lines), fee="50%")])
    assert timed.lead == (
        "2 judgments of 1 cases cost 3.00 USD, fees included, and came within 2.0 h."
    )
    [paid] = sections_of([cost([("c1", "Ann", "ok")], pay="$2")])
    assert paid.lead == "1 judgments of 1 cases cost $2.00, fees included."
