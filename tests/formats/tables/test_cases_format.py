"""Case files."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError, JuryboxWarning
from jurybox.formats import Input
from jurybox.formats.tables import cases
from jurybox.model import LABELS, Case, CaseDescription, CaseSet


def read(text: str, **options: dict[str, str]) -> CaseSet:
    return cases.read(Input.from_text(text, name="cases.csv"), **options)


def written(case_set: CaseSet, form: str) -> str:
    out = io.StringIO()
    cases.write(case_set, out, form)
    return out.getvalue()


def test_a_single_column_of_ids_is_a_case_file() -> None:
    assert read("case\nc1\nc2\n") == CaseSet((Case("c1"), Case("c2")))


def test_json_lines_hold_cases_and_what_they_are() -> None:
    text = (
        '{"schema": "jurybox.caseset/1", "description": {"unit": "preposition token"}}\n'
        '{"case": "1:2", "sentence": "He sat at mat .", "start": 2, "end": 3, "written": "at", '
        '"construction": "preposition", "document": "d", "gold": ["error", "unknown"]}\n'
        '{"case": "1:0", "sentence": "He sat at mat .", "start": 0, "end": 0, "trivial": true}\n'
    )
    sentence = "He sat at mat ."
    case_set = CaseSet(
        (
            Case("1:2", sentence, 2, 3, "at", "preposition", "d", ("error", "unknown")),
            Case("1:0", sentence, 0, 0, trivial=True),
        ),
        CaseDescription(unit="preposition token"),
    )
    assert read(text) == case_set
    assert written(case_set, "jsonl") == text
    found = read(text).cases
    assert found[0].sentence is found[1].sentence, "a sentence is held once for all its cases"


def test_a_table_holds_the_columns_that_are_used_but_not_the_description() -> None:
    case_set = CaseSet(
        (Case("a", "x y", 0, 0, gold=("ok",)), Case("b", gold=("ok", "error"))),
        CaseDescription(unit="token"),
    )
    text = 'case,sentence,start,end,gold\na,x y,0,0,ok\nb,,,,"[""ok"", ""error""]"\n'
    assert written(case_set, "csv") == text
    assert read(text) == CaseSet(case_set.cases)


def test_gold_labels_and_columns_can_be_mapped() -> None:
    found = read("id,gold\na,Yes\nb,\n", columns={"case": "id"}, labels={"Yes": "ok"})
    assert found.cases == (Case("a", gold=("ok",)), Case("b"))


def test_unused_columns_are_reported_once() -> None:
    with pytest.warns(JuryboxWarning, match=r"cases\.csv: the columns x, y are not used") as seen:
        read("case,x,y\na,1,2\nb,1,2\n")
    assert len(seen) == 1
    with pytest.warns(JuryboxWarning, match="the key x is not used"):
        read('{"case": "a"}\n{"case": "b", "x": 1}\n')


@pytest.mark.parametrize(
    ("text", "line", "message", "more"),
    [
        ("case\na\nb\na\na\n", 4, "case 'a' is listed before, in line 2; keep one", 1),
        ("case,written\na,x\n ,y\n", 3, "no case id", 0),
        ('{"case": "a"}\n{"sentence": "x"}\n', 2, "no case id", 0),
        ("case,start,end\na,x,1\nb,1,-1\n", 2, "start 'x' is not a whole number", 3),
        ("case,start,end\na,2,1\n", 2, "span 2-1 ends before it starts", 0),
        ("case,start,end\na,2,\n", 2, "start without end", 0),
        ("case,start\na,2\n", 2, "start without end", 0),
        ("case,sentence,start,end\na,x y,1,3\n", 2, "span 1-3 ends outside.*has 2 tokens", 0),
        ("case,gold\na,Yes\n", 2, "gold label 'Yes' is not one of error, ok, unknown", 0),
        ("case,gold\na,[3\n", 2, "is no JSON list of labels", 0),
        ("case,trivial\na,maybe\n", 2, "trivial 'maybe' is neither true nor false", 0),
        ("case\n", None, "holds no case", 0),
        ('{"schema": "jurybox.caseset/1"}\n', None, "holds no case", 0),
        ('{"schema": "jurybox.cases/2"}\n', 1, "the file is jurybox.cases/2, not", 0),
        (
            '{"schema": "jurybox.caseset/1", "description": {"units": "x"}}\n{"case": 1}\n',
            *(1, 'unknown key "units" in the description; known: construction, unit', 0),
        ),
        (
            '{"schema": "jurybox.caseset/1", "description": [1]}\n{"case": 1}\n',
            *(1, "must be an object of strings", 0),
        ),
    ],
)
def test_a_bad_case_is_named_by_its_line(
    text: str, line: int | None, message: str, more: int
) -> None:
    with pytest.raises(FormatError, match=message) as error:
        read(text)
    assert (error.value.line, error.value.more) == (line, more)


def test_ids_that_would_not_come_back_are_refused() -> None:
    for name in ("", " a"):
        with pytest.raises(InputError, match="empty or has white space around it"):
            written(CaseSet((Case(name),)), "csv")
    with pytest.raises(InputError, match="unknown form 'xml'"):
        written(CaseSet((Case("a"),)), "xml")


words = st.text(max_size=8).filter(lambda text: "\r\n" not in text)
ids = words.map(str.strip).filter(bool)


@st.composite
def case_sets(draw: st.DrawFn) -> CaseSet:
    found = []
    for name in draw(st.lists(ids, unique=True, min_size=1, max_size=5)):
        sentence = draw(words)
        length = len(sentence.split()) if sentence else 9
        end = draw(st.none() | st.integers(0, length))
        start = None if end is None else draw(st.integers(0, end))
        gold = draw(st.lists(st.sampled_from(LABELS), unique=True))
        document = draw(st.none() | ids)
        rest = draw(words), draw(words), document, tuple(gold), draw(st.booleans())
        found.append(Case(name, sentence, start, end, *rest, draw(words), draw(words)))
    return CaseSet(tuple(found), CaseDescription(*draw(st.tuples(*[words] * 6))))


@given(case_set=case_sets(), form=st.sampled_from(["jsonl", "csv", "tsv"]))
def test_written_cases_are_read_back(case_set: CaseSet, form: str) -> None:
    expected = case_set if form == "jsonl" else CaseSet(case_set.cases)
    assert read(written(case_set, form)) == expected


def test_white_space_around_a_document_does_not_count() -> None:
    found = read("case,document\na, x \nb,x\nc, \n")
    assert [case.document for case in found.cases] == ["x", "x", None]
