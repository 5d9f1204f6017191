"""Judgments: who said what about which case."""

from __future__ import annotations

import csv
import io
import warnings
from array import array
from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError, JuryboxError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import _columns, cases, decisions, judgments
from jurybox.formats.tables.judgments import ReadJudgments, WordColumn
from jurybox.model import LABEL_BITS, LABELS, Case, CaseSet, JudgmentTable

ABC = CaseSet((Case("a"), Case("b"), Case("c")))


def read(text: str, known: CaseSet | None = ABC, **options: Any) -> ReadJudgments:
    return judgments.read(Input.from_text(text, name="j.csv"), known, **options)


def rows(found: ReadJudgments) -> list[tuple[Any, ...]]:
    """(case, rater, label, corrections) of every judgment."""
    table = found.table
    result = []
    for row, (case, answer) in enumerate(zip(table.case, table.answer, strict=True)):
        number = 0 if table.correction is None else table.correction[row]
        rater, label = table.raters[answer >> LABEL_BITS], table.labels[answer & 255]
        result.append((found.cases.cases[case].id, rater, label, table.corrections[number]))
    return result


TABLE = "case,rater,label,correction,alternatives\n"
TABLE += 'a,Ann,error,at,"[""on"", ""-NONE-""]"\nb,Bob,OK,,\na,Bob,Unknown,,\n'
LINES = (
    '{"case": "a", "rater": "Ann", "label": "error", "correction": "at", '
    '"alternatives": ["on", ""]}\n{"case": "b", "rater": "Bob", "label": "ok"}\n'
    '{"rater": "Bob", "case": "a", "label": "unknown", "correction": null}\n'
)


@pytest.mark.parametrize("text", [TABLE, TABLE.replace("\n", "\r\n"), LINES])
def test_all_forms_hold_the_same_judgments(text: str) -> None:
    found = read(text)
    assert rows(found) == [
        ("a", "Ann", "error", ("at", "on", "")),
        ("b", "Bob", "ok", ()),
        ("a", "Bob", "unknown", ()),
    ]
    assert (found.cases, found.table.kinds, found.notes) == (ABC, None, ())


def test_a_judgment_takes_eight_bytes() -> None:
    table = read("case,rater,label\na,Ann,ok\n").table
    assert table.case.itemsize + table.answer.itemsize == 8
    assert table.correction is None


def test_without_cases_they_are_those_that_were_judged_in_order() -> None:
    found = read("case,rater,label\nz,Ann,ok\ny,Ann,ok\nz,Bob,ok\n", None)
    assert [case.id for case in found.cases.cases] == ["z", "y"]
    assert list(found.table.case) == [0, 1, 0]


def test_several_files_are_one_table() -> None:
    first = Input.from_text("case,rater,label\na,Ann,ok\n", name="1.csv")
    second = Input.from_text('{"case": "a", "rater": "Bob", "label": "error"}', name="2.jsonl")
    found = judgments.read([first, second], ABC)
    assert rows(found) == [("a", "Ann", "ok", ()), ("a", "Bob", "error", ())]
    with pytest.raises(UsageError, match="no judgments given"):
        judgments.read([], ABC)


def test_labels_are_mapped_merged_and_read_in_any_case() -> None:
    text = "case,rater,label\na,1,Yes\na,2,no\na,3,ERROR\na,4,maybe\na,5,\n"
    given_labels = {"Yes": "ok", "No": "error", "Maybe": "unknown", "": "unknown"}
    found = read(text, labels=given_labels)
    assert [row[2] for row in rows(found)] == ["ok", "error", "error", "unknown", "unknown"]


def test_a_label_outside_the_vocabulary_shows_what_was_found_and_what_to_write() -> None:
    text = "case,rater,label\na,1,ok\na,2,Yes\nb,1,No\nb,2,Yes\n"
    with pytest.raises(FormatError) as error:
        read(text)
    assert str(error.value) == (
        "j.csv:3, column 3 (label): label 'Yes' is not one of error, ok, unknown; labels so far: "
        "Yes 2, ok 1, No 1; say what they mean, for example --relabel Yes=error,No=ok (and 2 more "
        "bad lines in this file)"
    )
    with pytest.raises(FormatError, match=r"--relabel 'right=ok,bad=error,\?=unknown'"):
        read("case,rater,label\na,1,right\na,2,bad\nb,1,?\n")
    with pytest.raises(
        FormatError, match=r"j\.csv:2, column 3 \(label\): no label; it must be one of"
    ):
        read("case,rater,label\na,1,\n")
    with pytest.raises(UsageError, match="--relabel Yes=good: 'good' is no label; one of: error"):
        read(text, labels={"Yes": "good"})


def test_thousands_of_strange_labels_are_still_one_clear_error() -> None:
    text = "case,rater,label\n" + "".join(f"a,r{i},x{i}\n" for i in range(1000))
    with pytest.raises(FormatError, match="label 'x0' is not one of") as error:
        read(text)
    assert error.value.more == 999


def test_a_judgment_on_an_unknown_case_is_named_with_the_near_id_and_the_others_counted() -> None:
    known = CaseSet((Case("case-1"), Case("case-2")))
    text = "case,rater,label\ncase-1,Ann,ok\ncase_2,Ann,ok\nx,Ann,ok\n,Ann,ok\n"
    with pytest.raises(FormatError) as error:
        read(text, known)
    assert str(error.value) == (
        "j.csv:3, column 1 (case): there is no case 'case_2' among the 2 cases; did you "
        "mean 'case-2'? (and 2 more bad lines in this file)"
    )


def test_judgments_on_unknown_cases_can_be_left_out_but_are_counted() -> None:
    text = "case,rater,label,correction\na,Ann,ok,\nx,Ann,what,y\nc,Ann,error,z\n"
    with pytest.warns(JuryboxWarning, match=r"1 judgment on cases.*j\.csv:3: 'x'") as seen:
        found = read(text, unknown_case="skip")
    assert rows(found) == [("a", "Ann", "ok", ()), ("c", "Ann", "error", ("z",))]
    assert (found.unknown_cases, len(seen), len(found.notes)) == (1, 1, 1)
    with pytest.raises(FormatError, match="no case; every judgment needs one"):
        read("case,rater,label\n,Ann,ok\n", unknown_case="skip")
    with pytest.raises(UsageError, match="unknown_case must be"):
        read(text, unknown_case="drop")


def test_a_repeated_judgment_is_counted_and_the_first_stays() -> None:
    text = (
        "case,rater,label,seconds,batch\na,Ann,ok,1,x\nb,Ann,ok,2,x\na,Bob,ok,3,y\n"
        "\na,Ann,error,4,z\nb,Ann,ok,5,z\nc,Ann,ok,6,w\n"
    )
    with pytest.warns(JuryboxWarning) as seen:
        found = read(text, extra=("seconds", "batch"))
    assert [str(each.message) for each in seen] == [
        "2 judgments by a rater on a case they had judged before (1 with the same label, 1 with "
        "another): the first one counts (first: j.csv:6: case 'a', judged by the same rater in "
        "line 2)"
    ]
    assert rows(found) == [
        ("a", "Ann", "ok", ()),
        ("b", "Ann", "ok", ()),
        ("a", "Bob", "ok", ()),
        ("c", "Ann", "ok", ()),
    ]
    assert (found.repeats.same, found.repeats.different) == (1, 1)
    assert found.extra["seconds"] == array("d", [1, 2, 3, 6])
    batch = found.extra["batch"]
    assert isinstance(batch, WordColumn)
    assert [batch.words[number] for number in batch.number] == ["x", "x", "y", "w"]


def test_a_judgment_repeated_in_another_file_is_named_with_both_places() -> None:
    files = [Input.from_text("case,rater,label\na,Ann,ok\n", name=f"{n}.csv") for n in (1, 2)]
    with pytest.warns(
        JuryboxWarning, match=r"2\.csv:2: case 'a', judged by the same rater in 1\.csv"
    ):
        judgments.read(files, ABC)


@given(
    pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2)), max_size=40),
    far=st.sampled_from([0, 2**32 - 10]),
)
def test_repeats_are_those_a_set_would_find(pairs: list[tuple[int, int, int]], far: int) -> None:
    """Cases and raters of large numbers do not fit 64 bits together with their rows."""
    case = array("I", [far + pair[0] for pair in pairs])
    raters = [((far >> LABEL_BITS) + pair[1]) % 2**24 for pair in pairs]
    answer = array(
        "I",
        [rater % 2**24 << LABEL_BITS | pair[2] for rater, pair in zip(raters, pairs, strict=True)],
    )
    found = _columns.find_repeats(case, answer)
    met: dict[tuple[int, int], int] = {}
    expected = []
    for row, pair in enumerate(pairs):
        first = met.setdefault(pair[:2], row)
        if first != row:
            expected.append((row, first))
    assert list(zip(found.rows.tolist(), found.first.tolist(), strict=True)) == expected
    assert found.same == sum(pairs[row] == pairs[first] for row, first in expected)


@given(st.data(), st.sampled_from("Id"), st.sampled_from([1, 3, 100]))
def test_leaving_rows_out_of_a_column_keeps_the_others_in_order(
    data: st.DataObject, typecode: str, block: int
) -> None:
    numbers = data.draw(st.lists(st.integers(0, 9), max_size=20))
    rows = [row for row in range(len(numbers)) if data.draw(st.booleans())]
    column: array[Any] = array(typecode, numbers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_columns, "BLOCK", block)
        _columns.leave_out(column, np.array(rows, dtype=np.int64))
    assert list(column) == [number for row, number in enumerate(numbers) if row not in rows]


def test_a_repeat_far_down_is_found_with_its_lines_when_columns_fall_into_chunks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_columns, "CHUNK", 1000)
    lines = [f"c{case},W{rater},ok,," for case in range(500) for rater in range(20)]
    lines[7000] = "c350,W0,error,at,3.5"
    lines.append("c350,W0,ok,,")
    text = "\n".join(["case,rater,label,correction,seconds", *lines])
    with pytest.warns(JuryboxWarning, match="1 judgment by a rater on a case they had judged"):
        found = read(text, None, extra=["seconds"])
    assert found.repeats.first == "j.csv:10002: case 'c350', judged by the same rater in line 7002"
    table, seconds = found.table, found.extra["seconds"]
    assert len(table) == len(table.answer) == len(seconds) == 10_000
    assert table.correction is not None
    assert [row for row, number in enumerate(table.correction) if number] == [7000]
    assert isinstance(seconds, array)
    assert seconds[7000] == 3.5


def test_gold_marks_the_case_and_keeps_what_is_known_of_it() -> None:
    known = CaseSet((Case("a", "x y"), Case("b", gold=("ok", "unknown"))), ABC.description)
    text = 'case,rater,label,gold\na,Ann,ok,Error\na,Bob,ok,\nb,Ann,ok,"[""unknown"", ""ok""]"\n'
    found = read(text, known)
    assert found.cases.cases == (Case("a", "x y", gold=("error",)), known.cases[1])
    assert read("case,rater,label,gold\nz,Ann,ok,no\n", None, labels={"No": "error"}).cases == (
        CaseSet((Case("z", gold=("error",)),))
    )


def test_gold_that_contradicts_itself_or_the_case_file_is_an_error() -> None:
    with pytest.raises(
        FormatError, match=r"j\.csv:3, column 4 \(gold\): gold is ok, but for case 'a' it was error"
    ):
        read("case,rater,label,gold\na,Ann,ok,error\na,Bob,ok,ok\n")
    with pytest.raises(
        FormatError, match=r"j\.csv:2, column 4 \(gold\): gold is ok, but for case 'a' it was error"
    ):
        read("case,rater,label,gold\na,Ann,ok,ok\n", CaseSet((Case("a", gold=("error",)),)))
    with pytest.raises(FormatError, match="gold label 'Yes' is not one of"):
        read("case,rater,label,gold\na,Ann,ok,Yes\n")


def test_raters_are_human_unless_said_otherwise_and_have_one_kind() -> None:
    text = "case,rater,label,kind\na,Ann,ok,\na,Bot,ok,Model\nb,Bot,ok,model\nb,Bob,ok,human\n"
    found = read(text)
    assert (found.table.raters, found.table.kinds) == (
        ["Ann", "Bot", "Bob"],
        ["human", "model", "human"],
    )
    with pytest.raises(
        FormatError, match=r"j\.csv:3, column 4 \(kind\): a rater is model here and human before"
    ):
        read("case,rater,label,kind\na,Ann,ok,human\nb,Ann,ok,model\n")
    with pytest.raises(FormatError, match="kind 'robot' is neither human nor model"):
        read("case,rater,label,kind\na,Ann,ok,robot\n")


def test_columns_that_were_not_asked_for_are_not_read_and_not_complained_of() -> None:
    text = "case,rater,label,seconds,context\na,Ann,ok,12.5,spelling\nb,Ann,ok,,\n"
    assert read(text).extra == {}
    found = read(text, extra=("seconds", "confidence", "context"))
    assert found.extra.keys() == {"seconds", "context"}
    seconds, context = found.extra["seconds"], found.extra["context"]
    assert seconds[0] == 12.5
    assert isnan(float(str(seconds[1])))
    assert isinstance(context, WordColumn)
    assert [context.words[number] for number in context.number] == ["spelling", ""]
    with pytest.raises(InputError, match="unknown column 'second5'"):
        read(text, extra=("second5",))


@pytest.mark.parametrize("value", ["fast", "inf", "nan", "1_0", "٣"])
def test_a_number_that_is_none_is_an_error(value: str) -> None:
    text = f"case,rater,label,seconds\na,Ann,ok,1\nb,Ann,ok,{value}\n"
    with pytest.raises(
        FormatError,
        match=rf"j\.csv:3, column 4 \(seconds\): seconds '{value}' is not a finite number",
    ):
        read(text, extra=("seconds",))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("case,label\na,ok\n", 1, "no column 'rater'"),
        ("case,rater,label\na,,ok\n", 2, "no rater"),
        ('{"case": "a", "label": "ok"}\n', 1, "no rater"),
        ('{"rater": "a", "label": "ok"}\n', 1, "no case"),
        ('{"case": "a", "rater": "a"}\n', 1, "no label"),
        ("case,rater,label\n", None, "holds no judgment"),
        ("case,rater,label,alternatives\na,Ann,ok,at\n", 2, "must be a JSON list of strings"),
        ('case,rater,label,alternatives\na,Ann,ok,"""at"""\n', 2, "must be a JSON list"),
        ("case,rater,label,alternatives\na,Ann,ok,[1]\n", 2, "must be a JSON list of strings"),
        ('{"schema": "jurybox.caseset/1"}\n{"case": "a"}\n', 1, "was another file meant"),
    ],
)
def test_a_bad_line_is_named(text: str, line: int | None, message: str) -> None:
    with pytest.raises(FormatError, match=message) as error:
        read(text)
    assert error.value.line == line


def test_unused_columns_are_reported_unless_columns_were_mapped() -> None:
    with pytest.warns(JuryboxWarning, match="the column HIT is not used"):
        read("case,rater,label,HIT\na,Ann,ok,1\n")
    assert not read("HIT,rater,label,x\na,Ann,ok,1\n", columns={"case": "HIT"}).notes


def test_the_real_export_of_a_crowd_is_read_with_mapped_columns(data_dir: Path) -> None:
    columns = {"case": "HITId", "rater": "WorkerId", "label": "Answer.Q1Answer"}
    columns["seconds"] = "WorkTimeInSeconds"
    file = data_dir / "mturk" / "confirmation_batch.csv"
    found = judgments.read(
        file, columns=columns, labels={"Yes": "ok", "No": "error"}, extra=("seconds",)
    )
    with file.open(encoding="utf-8-sig", newline="") as handle:
        expected = list(csv.DictReader(handle))
    assert [(row[0], row[1]) for row in rows(found)] == [
        (row["HITId"], row["WorkerId"]) for row in expected
    ]
    said = {"Yes": "ok", "No": "error"}
    assert [row[2] for row in rows(found)] == [said[row["Answer.Q1Answer"]] for row in expected]
    assert found.extra["seconds"] == array("d", [float(r["WorkTimeInSeconds"]) for r in expected])


words = st.text(max_size=6).filter(lambda text: "\r\n" not in text)
ids = words.map(str.strip).filter(bool)
corrections = st.lists(
    words.filter(lambda word: word != "-NONE-" and (not word or word.strip())),
    unique=True,
    max_size=3,
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[JudgmentTable, CaseSet]:
    known = CaseSet(tuple(map(Case, draw(st.lists(ids, unique=True, min_size=1, max_size=4)))))
    raters = draw(st.lists(ids, unique=True, min_size=1, max_size=3))
    places = st.tuples(st.integers(0, len(known) - 1), st.sampled_from(raters))
    table = JudgmentTable()
    for case, rater in draw(st.lists(places, unique=True, min_size=1)):
        table.append(case, rater, draw(st.sampled_from(LABELS)), tuple(draw(corrections)))
    if draw(st.booleans()):
        kinds = st.lists(st.sampled_from(["human", "model"]), min_size=3, max_size=3)
        table.kinds = draw(kinds)[: len(table.raters)]
    return table, known


@given(pair=tables(), form=st.sampled_from(["csv", "tsv", "jsonl"]))
def test_written_judgments_are_read_back(pair: tuple[JudgmentTable, CaseSet], form: str) -> None:
    table, known = pair
    out = io.StringIO()
    judgments.write(table, known, out, form)
    found = judgments.read(Input.from_text(out.getvalue()), known).table
    assert (found.raters, found.case, found.answer) == (table.raters, table.case, table.answer)
    assert found.correction == table.correction
    assert found.corrections == table.corrections
    assert found.kinds == (table.kinds if table.kinds and "model" in table.kinds else None)


def test_corrections_that_would_not_come_back_are_refused() -> None:
    for word in ("-NONE-", " "):
        table = JudgmentTable()
        table.append(0, "Ann", "error", (word,))
        with pytest.raises(InputError, match="cannot be written"):
            judgments.write(table, ABC, io.StringIO())


PIECES = [
    *("case,rater,label\n", "case\trater\tlabel\n", "case\n", "case,label,score,suggestion\n"),
    *("a,Ann,ok\n", "b,Bob,error\n", "a,error,.5,at\n", "a\n", ",,\n", "a,Ann,no\n", "\n", "\r\n"),
    *(
        '"',
        '""',
        ",",
        "\t",
        "\ufeff",
        "é",
        "\u2028",
        "a,b,",
        "case,rater,label,gold,alternatives\n",
    ),
    *('{"case": "a"', ', "rater": "Ann"', ', "label": "ok"', "}\n", ', "gold": [', "]", "[[["),
    *('{"schema": "jurybox.caseset/1", "description": {}}\n', ', "alternatives": ["x"]', "1e999"),
]
pieces = st.sampled_from(PIECES).map(str.encode)
contents = st.binary(max_size=40) | st.lists(pieces | st.binary(max_size=3), max_size=12).map(
    b"".join
)
READERS: dict[str, Callable[[Path], object]] = {
    "cases": cases.read,
    "judgments": lambda path: judgments.read(path, ABC),
    "judgments alone": lambda path: judgments.read([path, path], extra=("seconds", "batch")),
    "judgments skip": lambda path: judgments.read(path, ABC, unknown_case="skip"),
    "decisions": lambda path: decisions.read(path, ABC, name="s"),
    "threshold": lambda path: decisions.read(path, ABC, name="s", threshold=0.5),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "input"


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=contents)
def test_any_bytes_are_read_or_refused_by_name(file: Path, name: str, content: bytes) -> None:
    file.write_bytes(content)
    complaint = str(file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        try:
            READERS[name](file)
        except JuryboxError as error:
            complaint = str(error)
    assert str(file) in complaint


def test_blanks_around_none_make_it_no_other_correction() -> None:
    found = read('case,rater,label,correction,alternatives\na,1,error, -NONE- ,"[""-NONE- ""]"\n')
    assert rows(found) == [("a", "1", "error", ("",))]
