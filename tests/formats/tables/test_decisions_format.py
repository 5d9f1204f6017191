"""Decisions of one system."""

from __future__ import annotations

import io
from array import array
from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import decisions
from jurybox.formats.tables.decisions import ReadDecisions
from jurybox.model import Case, CaseSet, DecisionTable

ABC = CaseSet((Case("a"), Case("b"), Case("c")))


def read(text: str, **options: Any) -> ReadDecisions:
    return decisions.read(Input.from_text(text, name="d.csv"), ABC, name="mine", **options)


@pytest.mark.parametrize(
    "text",
    [
        "case,label,score,suggestion\nc,ok,-1.5,\na,Error,2,at\nb,error,,-NONE-\n",
        "suggestion\tscore\tlabel\tcase\n\t-1.5\tok\tc\nat\t2\terror\ta\n-NONE-\t\terror\tb\n",
        '{"case": "c", "label": "ok", "score": -1.5}\n'
        '{"case": "a", "label": "error", "score": 2, "suggestion": "at"}\n'
        '{"case": "b", "label": "error", "score": null, "suggestion": "-NONE-"}\n',
    ],
)
def test_decisions_stand_in_the_order_of_the_cases(text: str) -> None:
    found = read(text)
    assert found.table.name == "mine"
    assert found.table.label == array("b", [1, 1, 0])
    assert found.table.score is not None
    assert str(list(found.table.score)) == "[2.0, nan, -1.5]"
    assert found.table.suggestion == ["at", "", None]
    assert (found.missing, found.notes) == (0, ())


def test_labels_alone_are_enough() -> None:
    table = read("case,label\na,ok\nb,ok\nc,error\n").table
    assert (list(table.label), table.score, table.suggestion) == ([0, 0, 1], None, None)


def test_missing_decisions_are_counted_noted_and_left_open() -> None:
    found = read("case,label\nb,ok\n")
    assert (list(found.table.label), found.missing, found.first_missing) == ([-1, 0, -1], 2, "a")
    assert found.notes == ("d.csv: 2 of 3 cases have no decision of mine (first: 'a')",)
    with pytest.raises(InputError, match=r"2 of 3 cases have no decision.*--missing"):
        read("case,label\nb,ok\n", missing="refuse")
    with pytest.raises(UsageError, match="missing must be"):
        read("case,label\nb,ok\n", missing="drop")


def test_a_threshold_makes_labels_of_scores() -> None:
    text = "case,score\na,0.5\nb,0.49\nc,1\n"
    assert list(read(text, threshold=0.5).table.label) == [1, 0, 1]
    assert list(read("case,label,score\na,ok,9\nb,ok,1\n", threshold=5).table.label) == [1, 0, -1]
    with pytest.raises(FormatError, match="no column 'label'"):
        read(text)
    with pytest.raises(FormatError, match=r"d\.csv:3: no score; with a threshold"):
        read("case,score\na,1\nb,\n", threshold=0.5)
    with pytest.raises(UsageError, match="not a number"):
        read(text, threshold=nan)


@pytest.mark.parametrize(
    ("text", "line", "message", "more"),
    [
        ("case,label\na,ok\nd,ok\ne,ok\n", 3, "there is no case 'd' among the 3 cases", 1),
        ("case,label\na,ok\nb,ok\na,ok\na,ok\n", 4, "case 'a' is decided before, in line 2", 1),
        ("case,label\n,ok\n", 2, "no case; every decision needs one", 0),
        ("case,label,score\na,ok,high\nb,ok,inf\n", 2, "score 'high' is not a finite number", 1),
        ("case,label,score\na,ok,nan\n", 2, "score 'nan' is not a finite number", 0),
        ('{"case": "a", "label": "ok", "score": NaN}\n', 1, "score 'NaN' is not a finite", 0),
        ("case,label,score\na,ok,1_0\n", 2, "is not a finite number", 0),
        ("case,label\na,Unknown\n", 2, "label 'Unknown' is not one of error, ok;", 0),
        ("case,label\na,1\nb,0\n", 2, "labels so far: 1 1, 0 1;.*--relabel 1=error,0=ok", 1),
        ("case,label\na,\n", 2, "no label", 0),
        ("case,label\n", None, "holds no decision", 0),
        ('{"label": "ok"}\n', 1, "no case", 0),
    ],
)
def test_a_bad_decision_is_named_by_its_line(
    text: str, line: int | None, message: str, more: int
) -> None:
    with pytest.raises(FormatError, match=message) as error:
        read(text)
    assert (error.value.line, error.value.more) == (line, more)


def test_columns_and_labels_can_be_mapped() -> None:
    found = read("id,flag\na,1\nb,0\nc,1\n", columns={"case": "id", "label": "flag"}, labels=FLAGS)
    assert list(found.table.label) == [1, 0, 1]


FLAGS = {"1": "error", "0": "ok"}


def test_unused_columns_are_reported() -> None:
    with pytest.warns(JuryboxWarning, match="the column probability is not used"):
        read("case,label,probability\na,ok,.5\n")


words = st.text(max_size=6).filter(lambda text: "\r\n" not in text)
suggestions = st.none() | words.filter(lambda word: word != "-NONE-" and (not word or word.strip()))


@st.composite
def tables(draw: st.DrawFn) -> DecisionTable:
    labels = draw(st.lists(st.sampled_from([1, 0, -1]), min_size=3, max_size=3).filter(any))
    if set(labels) == {-1}:
        labels[0] = 1
    table = DecisionTable("mine", array("b", labels))
    numbers = st.floats(allow_nan=False, allow_infinity=False) | st.just(nan)
    if draw(st.booleans()):
        scores = draw(st.lists(numbers, min_size=3, max_size=3))
        table.score = array("d", [nan if d < 0 else s for s, d in zip(scores, labels, strict=True)])
    if draw(st.booleans()):
        given_words = draw(st.lists(suggestions, min_size=3, max_size=3))
        pairs = zip(given_words, labels, strict=True)
        table.suggestion = [None if label < 0 else word for word, label in pairs]
    return table


@given(table=tables(), form=st.sampled_from(["csv", "tsv", "jsonl"]))
def test_written_decisions_are_read_back(table: DecisionTable, form: str) -> None:
    out = io.StringIO()
    decisions.write(table, ABC, out, form)
    found = read(out.getvalue()).table
    assert found.label == table.label
    # JSONL says nothing of a column in which nothing stands
    if form != "jsonl" or set(map(str, table.score or ["nan"])) != {"nan"}:
        assert str(found.score) == str(table.score)
    if form != "jsonl" or set(table.suggestion or [None]) != {None}:
        assert found.suggestion == table.suggestion


def test_what_cannot_be_written_is_refused() -> None:
    table = DecisionTable("mine", array("b", [1, 0, 0]))
    with pytest.raises(InputError, match="3 decisions for 1 cases"):
        decisions.write(table, CaseSet((Case("a"),)), io.StringIO())
    table.suggestion = ["-NONE-", None, None]
    with pytest.raises(InputError, match="cannot be written"):
        decisions.write(table, ABC, io.StringIO())
    table.suggestion, table.score = None, array("d", [float("inf"), 0, 0])
    with pytest.raises(InputError, match="is not finite"):
        decisions.write(table, ABC, io.StringIO())


def test_blanks_around_none_make_it_no_other_suggestion() -> None:
    found = read("case,label,suggestion\na,error, -NONE- \nb,error, at \nc,ok, \n")
    assert found.table.suggestion == ["", " at ", None]
