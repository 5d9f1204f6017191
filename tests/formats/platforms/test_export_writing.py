"""Exports written on as long tables, Label Studio JSON and doccano JSONL."""

from __future__ import annotations

import io
import json
import math
import warnings
from array import array
from pathlib import Path
from typing import Any

import pytest
from exported import FOLDER, column, corrections, quietly, read_text, rows
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, JuryboxWarning, UnknownNameError
from jurybox.formats import Input
from jurybox.formats.platforms import Judgments, Pseudonyms, open_export
from jurybox.formats.platforms.writing import (
    Written,
    doccano_zip,
    write_doccano,
    write_export,
    write_label_studio,
)
from jurybox.formats.tables import judgments
from jurybox.formats.tables.judgments import Repeats
from jurybox.model import Case, CaseSet, JudgmentTable


def written(name: str, form: str = "csv", **options: Any) -> tuple[str, Written]:
    out = io.StringIO()
    pseudonyms = options.pop("pseudonyms", None)
    export = open_export(FOLDER / name, **options)
    done = write_export(export, out, form, pseudonyms=pseudonyms)
    return out.getvalue(), done


def test_a_batch_becomes_a_long_table_that_evaluations_read() -> None:
    text, done = written("mturk.csv", labels={"Yes": "ok", "No": "error"})
    assert text.splitlines()[:2] == [
        "case,rater,label,seconds,reward,started,submitted,batch,status",
        "3HITA,AWORKER1,error,21,0.05 USD,2018-01-24T17:48:10Z,2018-01-24T17:48:31Z,311,Approved",
    ]
    assert (done.judgments, done.raters, len(done.cases)) == (3, 2, 2)
    assert done.cases.cases[1].sentence == 'We met , "at" last , on Monday .'
    found = judgments.read(Input.from_text(text))  # without a warning of columns it can do without
    assert list(found.table.case) == [0, 0, 1]


def test_columns_that_nobody_filled_are_not_written() -> None:
    text, _ = written("ann.jsonl")
    assert text == "case,rater,label\n1,ann,wrong\n2,ann,fine\n"


def test_a_case_without_judgments_is_among_the_cases_only() -> None:
    text, done = written("label_studio.json")
    assert (len(text.splitlines()) - 1, done.judgments, len(done.cases)) == (3, 3, 2)


def test_pseudonyms_replace_raters_everywhere() -> None:
    text, _ = written("mturk.csv", pseudonyms=Pseudonyms())
    assert "AWORKER" not in text
    assert [line.split(",")[1] for line in text.splitlines()[1:]] == ["R1", "R2", "R1"]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize(
    "name", ["mturk.csv", "crowdflower_full.csv", "toloka.tsv", "label_studio.json", "gug.tsv"]
)
def test_what_is_written_is_read_back_as_it_was(name: str, form: str) -> None:
    fields = ("seconds", "confidence", "trust", "reward", "started", "submitted", "batch")
    before = quietly(FOLDER / name, extra=fields)
    text, _ = written(name, form)
    after = read_text(text, extra=fields)
    assert after.format == "long"
    assert rows(after) == rows(before)
    assert corrections(after) == corrections(before)
    assert after.table.kinds == before.table.kinds
    assert after.currency == before.currency
    for field in before.extra:
        if any(value not in ("", "nan") for value in map(str, column(before, field))):
            assert str(column(after, field)) == str(column(before, field))


letters = st.text("abcö ,\"'\n[", min_size=1, max_size=6).map(str.strip).filter(bool)
words = st.text("abcö", min_size=1, max_size=4)
names = st.sampled_from(["Ann", "Bob", "7", "007", "c,d", "zoë@example.org"])
numbers = st.floats(0, 1000) | st.just(math.nan)
case_ids = st.sampled_from(["1", "02", "c 3", "12:3", "ü"])


@st.composite
def judged(draw: st.DrawFn, kinds: bool = True) -> Judgments:
    """Judgments of a few people and models on a few cases, ordered by case."""
    ids = draw(st.lists(case_ids, min_size=1, unique=True))
    cases = [
        Case(
            each,
            draw(letters | st.just("")),
            written=draw(words | st.just("")),
            document=draw(st.none() | words),
            before=draw(words | st.just("")),
            after=draw(words | st.just("")),
            gold=tuple(draw(st.lists(words, max_size=2, unique=True))),
        )
        for each in ids
    ]
    table = JudgmentTable(labels=draw(st.lists(words, min_size=1, max_size=4, unique=True)))
    seconds, confidence = array("d"), array("d")
    for place in range(len(ids)):
        for rater in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
            said = tuple(draw(st.lists(words | st.just(""), max_size=2, unique=True)))
            table.append(place, rater, draw(st.sampled_from(table.labels)), said)
            seconds.append(draw(numbers))
            confidence.append(draw(numbers))
    if kinds:
        table.kinds = [draw(st.sampled_from(["human", "model"])) for _ in table.raters]
    extra: dict[str, Any] = {"seconds": seconds, "confidence": confidence}
    return Judgments(table, CaseSet(tuple(cases)), extra, Repeats(), {}, "long", "", ())


def by_case_and_rater(found: Judgments) -> dict[tuple[str, str], Any]:
    kinds = found.table.kinds or ["human"] * len(found.table.raters)
    kind = dict(zip(found.table.raters, kinds, strict=True))
    nothing = [math.nan] * len(found.table)
    all_seconds = column(found, "seconds") if "seconds" in found.extra else nothing
    all_confidence = column(found, "confidence") if "confidence" in found.extra else nothing
    result = {}
    for row, (case, rater, label) in enumerate(rows(found)):
        # predictions have no lead time
        seconds = all_seconds[row] if kind[rater] == "human" else math.nan
        confidence = all_confidence[row]
        known = (label, corrections(found)[row], str(seconds), str(confidence), kind[rater])
        result[case, rater] = known
    return result


@given(judged())
def test_label_studio_gives_back_what_was_written(before: Judgments) -> None:
    out = io.StringIO()
    write_label_studio(before, out)
    after = read_text(out.getvalue(), "p.json", extra=("seconds", "confidence"))
    assert after.format == "label_studio"
    assert after.cases.cases == before.cases.cases
    assert by_case_and_rater(after) == by_case_and_rater(before)


@given(judged(kinds=False))
def test_doccano_gives_back_what_was_written_for_every_rater(before: Judgments) -> None:
    fields = ("confidence", "seconds")
    lost = [field for field in fields if not all(map(math.isnan, column(before, field)))]
    told = [f"doccano has no place for: {', '.join(lost)}; a long table keeps them"]
    for rater in before.table.raters:
        out = io.StringIO()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            write_doccano(before, out, rater)
        assert [str(each.message) for each in caught] == (told if lost else [])
        after = read_text(out.getvalue(), f"{rater}.jsonl")
        expected = [(case, who, label) for case, who, label in rows(before) if who == rater]
        assert rows(after) == expected
        judged_cases = {case for case, _, _ in expected}
        known = [case for case in before.cases.cases if case.id in judged_cases]
        assert list(after.cases.cases) == known
        said = dict(zip(rows(before), corrections(before), strict=True))
        assert corrections(after) == [said[row] for row in rows(after)]


def test_a_zip_for_doccano_holds_one_file_per_rater_and_is_always_the_same(tmp_path: Path) -> None:
    before = read_text("case,rater,label,sentence\n1,ann,x,He .\n1,bob,y,He .\n2,bob,x,She .\n")
    path = tmp_path / "project.zip"
    path.write_bytes(doccano_zip(before))
    assert sorted(rows(quietly(path))) == sorted(rows(before))
    assert doccano_zip(before) == path.read_bytes()


def test_doccano_wants_one_rater_whose_name_can_be_a_file() -> None:
    several = read_text("case,rater,label\n1,a/b,x\n1,bob,y\n")
    with pytest.raises(InputError, match=r"holds one rater, and there are 2"):
        write_doccano(several, io.StringIO())
    with pytest.raises(UnknownNameError, match=r"unknown rater 'bop'; did you mean 'bob'"):
        write_doccano(several, io.StringIO(), "bop")
    with pytest.raises(InputError, match=r"--pseudonymise"):
        doccano_zip(several)


def test_what_label_studio_cannot_hold_is_warned_of() -> None:
    found = read_text("case,rater,label,batch\n1,a,x,b1\n", extra=("batch",))
    with pytest.warns(JuryboxWarning, match=r"Label Studio has no place for: batch"):
        write_label_studio(found, io.StringIO())


def test_tasks_for_label_studio_are_valid_json_without_judgments_too() -> None:
    out = io.StringIO()
    empty = Judgments(JudgmentTable(), CaseSet(()), {}, Repeats(), {}, "long", "", ())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_label_studio(empty, out)
    assert json.loads(out.getvalue()) == []
