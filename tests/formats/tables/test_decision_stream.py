"""Decisions read as a stream: the same labels and complaints as the table of decisions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import decisions
from jurybox.formats.tables.decisions import DecisionStream
from jurybox.model import Case, CaseSet

rows = st.lists(
    st.tuples(st.sampled_from(["error", "ok", "OK", " Error"]), st.floats(-2, 2)),
    min_size=1,
    max_size=30,
)


@given(rows=rows, threshold=st.none() | st.floats(-2, 2))
def test_labels_are_those_of_the_table_of_decisions(
    rows: list[tuple[str, float]], threshold: float | None
) -> None:
    lines = [f"c{k},{label},{score!r}" for k, (label, score) in enumerate(rows)]
    text = "\n".join(["case,label,score", *lines, ""])
    cases = CaseSet(tuple(Case(f"c{k}") for k in range(len(rows))))
    table = decisions.read(Input.from_text(text), cases, name="mine", threshold=threshold).table
    stream = DecisionStream(Input.from_text(text), threshold=threshold)
    streamed = [label for block in stream.blocks() for label in block.labels]
    assert [1 - label for label in streamed] == list(table.label)
    assert stream.rows == len(rows)


def test_mapped_columns_and_labels_are_understood() -> None:
    stream = DecisionStream(
        Input.from_text("id,said\n c1 ,bad\nc2,fine\n"),
        columns={"case": "id", "label": "said"},
        labels={"bad": "error", "fine": "ok"},
    )
    assert [(block.cases, block.labels) for block in stream.blocks()] == [(["c1", "c2"], [0, 1])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("case,label\nc1,maybe\nc2,ok\n", ":2: label 'maybe' is not one of error, ok"),
        ("case,label\nc1,ok\n,ok\n", ":3: no case"),
        ("case,label\n", "holds no decision"),
        ("case,verdict\nc1,ok\n", "no column 'label'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(DecisionStream(Input.from_text(text)).blocks())


def test_a_missing_score_is_an_error_only_where_scores_are_needed() -> None:
    text = "case,label,score\nc1,ok,.5\nc2,ok,\n"
    assert len(list(DecisionStream(Input.from_text(text)).blocks())) == 1
    with pytest.raises(FormatError, match=":3: no score"):
        list(DecisionStream(Input.from_text(text), need_scores=True).blocks())
    with pytest.raises(UsageError, match="threshold"):
        DecisionStream(Input.from_text(text), threshold=float("nan"))
