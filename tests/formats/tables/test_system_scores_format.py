"""Tables of scores."""

from __future__ import annotations

import pytest

from jurybox.errors import FormatError
from jurybox.formats import Input
from jurybox.formats.tables.rankings import read_scores as read


def text(content: str) -> Input:
    return Input.from_text(content, "m2.csv")


def test_a_metric_without_a_name_is_named_after_its_file() -> None:
    assert read(text("system,score\nP,.5\nQ,1e-1\n")).systems == {"m2": {"P": 0.5, "Q": 0.1}}


def test_scores_of_sentences_are_kept_by_sentence() -> None:
    found = read(text("sentence\tsystem\tmetric\tscore\n9\tP\tgleu\t0\n9\tQ\tgleu\t1\n"))
    assert found.sentences == {"gleu": {"9": {"P": 0, "Q": 1}}}
    assert found.systems == {}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("system,score\nP,1\nP,2\n", "'P' has a score by 'm2' before"),
        ("sentence,system,score\n1,P,1\n1,P,1\n", "on sentence '1' before"),
        ("system,score\nP,high\n", "score 'high' is not a finite number"),
        ("system,score\nP,\n", "no score for 'P'"),
        ("system,score\n,1\n", "no system"),
        ("sentence,system,score\n,P,1\n", "no sentence"),
        ("system,score\n", "holds no score"),
        ("system,points\nP,1\n", "no column 'score'; .*; rename one$"),  # there is no --columns
    ],
)
def test_scores_that_cannot_be_right_are_refused(content: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        read(text(content))
