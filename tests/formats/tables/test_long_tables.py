"""Long tables: CSV, TSV and JSONL with columns found by title."""

from __future__ import annotations

import csv
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import long_tables
from jurybox.formats.tables._columns import NO_NAME, KnownNames, Numbering
from jurybox.formats.tables.long_tables import LineIndex, LongTable, write_table

FIELDS = ("case", "label", "score")


def read(source: str | Path | Input, **options: object) -> list[tuple[int, dict[str, str]]]:
    """(line, cells) of every row."""
    given = Input.from_text(source, name="t.csv") if isinstance(source, str) else source
    table = LongTable(given, FIELDS, **options)  # type: ignore[arg-type]  # options differ in type
    rows = []
    for block in table.blocks():
        for place, line in enumerate(block.lines):
            rows.append((line, {field: cells[place] for field, cells in block.cells.items()}))
    table.bad.raise_first()
    return rows


def test_columns_are_found_by_title_in_any_order_and_case() -> None:
    rows = [(2, {"case": "c1", "label": "ok"}), (3, {"case": "c2", "label": "error"})]
    assert read("Label, Case,other\nok,c1,x\nerror,c2,y\n") == rows
    assert read("label\tcase\nok\tc1\nerror\tc2\n") == rows


def test_a_tab_in_the_header_means_that_commas_are_text() -> None:
    assert read("case\tlabel\na,b\tok\n") == [(2, {"case": "a,b", "label": "ok"})]


def test_json_lines_give_the_cells_a_table_would_have() -> None:
    text = '{"case": 7, "label": null, "score": 0.5}\n\n{"label": ["a", "é"], "case": "x"}\n'
    assert read(text) == [
        (1, {"case": "7", "label": "", "score": "0.5"}),
        (3, {"case": "x", "label": '["a", "é"]', "score": ""}),
    ]


def test_mapped_columns_win_over_titles_of_the_same_name() -> None:
    text = "case,HIT,label\nwrong,c1,ok\n"
    assert read(text, columns={"case": "HIT"}) == [(2, {"case": "c1", "label": "ok"})]
    # a column that is mapped to one field does not also serve the field it is named after
    assert read("case,label\nc1,.5\n", columns={"score": "label"}) == [
        (2, {"case": "c1", "score": ".5"})
    ]
    assert read('{"id": "c", "case": "d"}', columns={"case": "id"}) == [(1, {"case": "c"})]


def test_quoted_cells_hold_separators_quotes_and_line_breaks() -> None:
    text = 'case,label\nc1,"a, ""b""\nc\n\nd"\nc2,ok\n"c3",x\n'
    assert read(text) == [
        (2, {"case": "c1", "label": 'a, "b"\nc\n\nd'}),
        (6, {"case": "c2", "label": "ok"}),
        (7, {"case": "c3", "label": "x"}),
    ]


def test_a_quote_inside_an_unquoted_cell_is_text() -> None:
    assert read('case\tlabel\nc1\t5" nail\nc2\tok\n') == [
        (2, {"case": "c1", "label": '5" nail'}),
        (3, {"case": "c2", "label": "ok"}),
    ]


def test_blank_lines_are_skipped_and_counted_as_lines() -> None:
    assert [line for line, _ in read("\n\ncase,label\n\nc1,ok\n  \nc2,ok\n\n")] == [5, 7]
    assert [line for line, _ in read("case\nc1\n\n \nc2")] == [2, 5]


def test_a_quoted_header_may_hold_line_breaks() -> None:
    assert read('"case","a\nb"\nc1,x\n') == [(3, {"case": "c1"})]


@pytest.mark.parametrize(
    ("text", "line", "message", "more"),
    [
        (
            "id,label\nc1,ok\n",
            1,
            "no column 'case'; the columns are: id, label;.*--columns case=",
            0,
        ),
        ("case,label\nc1\nc2,ok\nc3,ok,x\n", 2, "1 cell where the header has 2", 1),
        ("case,case\nc1,c2\n", 1, "two columns are called 'case'", 0),
        ("case;label\nc1;ok\n", 1, "separated by ';'", 0),
        ('[{"case": 1}]\n', 1, "a JSON list; write one object per line", 0),
        ("case,label\rc1,ok\r", 1, "lines end with CR alone", 0),
        ('case,label\nc1,"open\nc2,ok\n', 2, "a quote that opens here is not closed", 0),
        ('case,label\n"a"b,ok\nc2,ok\n', 2, "quotes are not right here", 0),
        ('case,label\nc1,a\rb\nc2,"x"\n', 2, "a carriage return inside a cell", 0),
        ('{"case": "c1"}\n{"case": \n[1]\n', 2, "not JSON", 1),
        ('{"case": "c1", "case": "c2"}\n', 1, "key case: the key is given twice", 0),
        ('{"case": "\\ud800"}\n', 1, "half a character", 0),
        ('{"case": ' + "9" * 5000 + "}\n", 1, "Exceeds the limit|digits", 0),
        ('{"case": ' + "[" * 100000 + "\n", 1, "nested too deep", 0),
        ('{"schema": "jurybox.score/1"}\n', 1, "the file is jurybox.score/1, not", 0),
        ("\n \n", None, "holds no table", 0),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    text: str, line: int | None, message: str, more: int
) -> None:
    with pytest.raises(FormatError, match=message) as error:
        read(text)
    assert (error.value.line, error.value.more) == (line, more)


def test_an_empty_file_is_said_to_be_empty() -> None:
    with pytest.raises(FormatError, match=r"t\.csv: is empty"):
        read("")


def test_a_mapped_column_that_is_not_there_is_an_error_with_the_near_name() -> None:
    with pytest.raises(FormatError, match=r"no column 'HITid'.*did you mean 'HITId'"):
        read("HITId,label\nc1,ok\n", columns={"case": "HITid"})
    with pytest.raises(FormatError, match=r"no line has the key 'lable'.*did you mean 'label'"):
        read('{"case": 1, "label": "ok"}\n', columns={"label": "lable"})
    with pytest.raises(UsageError, match="--columns cases=x: unknown column 'cases'; did you mean"):
        read("case\nc1\n", columns={"cases": "x"})


def test_bytes_that_are_not_utf8_are_named_by_line_and_the_rest_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "latin.csv"
    file.write_bytes(b"case,label\nc1,ok\nc\xe9,ok\nc3\nc4,ok\n")
    with pytest.raises(FormatError, match="is not UTF-8") as error:
        read(file)
    assert (error.value.line, error.value.more) == (3, 1)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_compression_byte_order_mark_and_crlf_do_not_matter(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "table"
    file.write_bytes(pack('\ufeffcase,label\r\nc1,ok\r\n"c2",error\r\n'.encode()))
    assert read(file) == [
        (2, {"case": "c1", "label": "ok"}),
        (3, {"case": "c2", "label": "error"}),
    ]


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BufferedReader(io.BytesIO(b"case,label\nc1,ok\n"))

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert read(Input("-")) == [(2, {"case": "c1", "label": "ok"})]


words = st.text(alphabet=st.sampled_from('ab ,\t"\né'), max_size=6)


@given(
    rows=st.lists(st.tuples(words, words), min_size=1, max_size=30),
    piece=st.sampled_from([1, 4, 20, 1 << 15]),
    delimiter=st.sampled_from(",\t"),
)
def test_rows_are_those_of_the_csv_module_wherever_pieces_are_cut(
    rows: list[tuple[str, str]], piece: int, delimiter: str
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["case", "label"])
    writer.writerows(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_tables, "PIECE", piece)
        found = read(text.getvalue())
    assert [(cells["case"], cells["label"]) for _, cells in found] == rows
    lines = text.getvalue().split("\n")
    for number, cells in found:
        assert cells["case"].split("\n")[0].replace('"', '""') in lines[number - 1]


@given(
    rows=st.lists(
        st.tuples(*[st.text(max_size=5).filter(lambda cell: "\r\n" not in cell)] * 2), min_size=1
    ),
    form=st.sampled_from(["csv", "tsv"]),
)
def test_a_written_table_is_read_back(rows: list[tuple[str, str]], form: str) -> None:
    out = io.StringIO()
    write_table(("case", "label"), rows, out, form)
    assert [(c["case"], c["label"]) for _, c in read(out.getvalue())] == rows


@given(
    st.lists(st.tuples(st.text('ab,\t"\r\n ', max_size=3), st.text("ab", max_size=2)), max_size=8),
    st.sampled_from(["csv", "tsv"]),
    st.sampled_from([1, 3, 100]),
)
def test_cells_are_quoted_one_by_one_or_not_at_all_to_the_same_effect(
    rows: list[tuple[str, str]], form: str, at_once: int
) -> None:
    """A table without special signs is joined at once; it must not differ from the slow way."""
    rows = [row for row in rows if "\r\n" not in row[0]]
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_tables, "ROWS_AT_ONCE", at_once)
        write_table(["case", "label"], rows, out, form)
    delimiter = "," if form == "csv" else "\t"
    expected = [f"case{delimiter}label"]
    for row in rows:
        cells = []
        for cell in row:
            needs = any(sign in cell for sign in ',\t"\r\n')
            cells.append('"' + cell.replace('"', '""') + '"' if needs else cell)
        expected.append(delimiter.join(cells))
    assert out.getvalue() == "".join(f"{line}\n" for line in expected)


def test_what_a_table_cannot_hold_is_refused_when_writing() -> None:
    with pytest.raises(InputError, match="CR LF"):
        write_table(("case",), [("a\r\nb",)], io.StringIO(), "csv")
    with pytest.raises(InputError, match="row 2 holds half a character"):
        write_table(("case",), [("a",), ("\ud800",)], io.StringIO(), "csv")


def test_lines_of_rows_are_found_again() -> None:
    index = LineIndex()
    index.add("a", range(2, 100))
    index.add("a", [100, 103, 104])
    index.add("b", [2])
    assert [index.place(row) for row in (0, 97, 98, 99, 101)] == [
        ("a", 2),
        ("a", 99),
        ("a", 100),
        ("a", 103),
        ("b", 2),
    ]


def test_white_space_around_names_does_not_make_another_name() -> None:
    numbers = Numbering("rater", shift=8)
    assert [numbers[name] for name in (" a", "a", "b ", "b", " ")] == [0, 0, 256, 256, NO_NAME]
    assert numbers.names == ["a", "b"]
    known = KnownNames(["a", "b"])
    assert [known[name] for name in ("b", " a ", "c", "")] == [1, 0, NO_NAME, NO_NAME]


def test_more_raters_than_an_answer_can_hold_are_an_error() -> None:
    numbers = Numbering("rater", shift=30)
    assert [numbers[name] for name in "abc"] == [0, 1 << 30, 2 << 30]
    with pytest.raises(InputError, match="more than 3 raters cannot be told apart"):
        numbers["d"]


def test_the_near_name_is_found_among_many() -> None:
    known = KnownNames(f"case-{number:06d}" for number in range(20_000))
    assert known.near("case_012345") == "; did you mean 'case-012345'?"


def test_keys_of_jsonl_are_found_whatever_their_capitals_as_titles_are() -> None:
    rows = [(1, {"case": "c1", "label": "ok"}), (2, {"case": "c2", "label": "error"})]
    text = '{"Case": "c1", "LABEL": "ok"}\n{"Case": "c2", "LABEL": "error"}\n'
    assert read(text) == rows
    mapped = '{"Case": "x", "id": "c1", "label": "ok"}\n'
    assert read(mapped, columns={"case": "id"}) == [(1, {"case": "c1", "label": "ok"})]
    with pytest.raises(FormatError, match="two keys mean 'case': case and Case; rename one"):
        read('{"case": "c1"}\n{"Case": "c2"}\n')


@pytest.mark.parametrize("text", ['[{"case": 1}, {"case": 2}]\n', '[\n{"case": 1}]\n', "[[1]]\n"])
def test_a_json_list_is_named_as_such_however_it_is_laid_out(text: str) -> None:
    with pytest.raises(FormatError, match="a JSON list; write one object per line") as error:
        read(text)
    assert error.value.more == 0


def test_columns_that_are_missing_are_one_complaint_about_one_line() -> None:
    with pytest.raises(FormatError) as error:
        read("id,text\nc1,ok\n", required=("case", "label"))
    assert str(error.value) == (
        "t.csv:1, columns 1 to 2: no columns 'case', 'label'; the columns are: id, text; rename "
        "some, or say which hold them with --columns case=COLUMN,label=COLUMN"
    )
