"""The section of the report about metrics says in words what its tables show."""

from __future__ import annotations

from pathlib import Path

import jurybox as jb
from jurybox.formats import Input
from jurybox.report.contents import sections_of

SAMPLE = Path(jb.__file__).parent / "data" / "sample"


def test_the_metric_nearest_to_people_is_named_with_its_interval() -> None:
    result = jb.metaeval(SAMPLE / "scores.csv", SAMPLE / "rankings.csv")
    [section] = sections_of([result])
    assert section.lead == (
        "gleu puts the most pairs of systems in people's order: accuracy 0.9333 [0.8000, 1.0000]."
    )
    assert len(section.tables) == 1
    assert len(section.folded) == 2


def test_scores_of_sentences_are_told_apart() -> None:
    scores = Input.from_text("sentence,system,score\n1,a,.5\n1,b,.2\n1,c,.6\n", "mine")
    ranks = Input.from_text("sentence,system,rank\n1,a,1\n1,b,2\n1,c,2\n", "ranks")
    [section] = sections_of([jb.metaeval(scores, ranks, resamples=5)])
    assert section.lead.startswith(
        "mine puts pairs that people decided by sentence in people's order: accuracy 0.5000"
    )


def test_people_who_decide_nothing_leave_nothing_to_tell() -> None:
    result = jb.metaeval({"m": {"a": 1.0, "b": 2.0}}, {"a": 1.0, "b": 1.0}, resamples=5)
    [section] = sections_of([result])
    assert section.lead == "No pair of systems is decided by people."
