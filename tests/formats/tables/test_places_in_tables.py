"""Where a malformed table is wrong: the line and the column, also within quotes."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import Column, FormatError
from jurybox.formats import Input
from jurybox.formats.tables.long_tables import PIECE, LongTable, find_broken_quotes

TITLES = ("case", "rater", "label")
CELLS = st.text(st.sampled_from('ab ,"\n\té'), max_size=6)
ROWS = st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=6)


def complaint(data: bytes, folder: Path) -> FormatError:
    path = folder / "t.csv"
    path.write_bytes(data)
    table = LongTable(path, TITLES, required=())
    with pytest.raises(FormatError) as caught:
        read_all(table)
    return caught.value


def read_all(table: LongTable) -> None:
    list(table.blocks())
    table.bad.raise_first()


def written(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([TITLES, *rows])
    return out.getvalue()


@given(rows=ROWS, data=st.data())
def test_a_stray_byte_is_found_in_its_line_and_column(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, 2))
    place = data.draw(st.integers(0, len(rows[row][column])))
    cell = rows[row][column]
    rows[row][column] = f"{cell[:place]}\0{cell[place:]}"
    text = written(rows)
    before = text[: text.index("\0")]
    error = complaint(text.encode().replace(b"\0", b"\xe9"), tmp_path_factory.mktemp("t"))
    character = len(before) - before.rfind("\n")
    assert error.line == before.count("\n") + 1
    assert error.column == Column(column + 1, TITLES[column], character)
    assert error.more == 0


@given(rows=ROWS, data=st.data())
def test_a_file_that_ends_within_quotes_names_the_quote_that_opens(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], data: st.DataObject
) -> None:
    last = rows[-1]
    column = data.draw(st.integers(0, 2))
    whole = written(rows)
    cells = ",".join('"' + cell.replace('"', '""') + '"' for cell in last[: column + 1])
    begin = written(rows[:-1])
    assert whole.startswith(begin + cells)
    text = (begin + cells)[:-1]  # without the quote that closes
    opened = len(text) - len(last[column].replace('"', '""')) - 1
    error = complaint(text.encode(), tmp_path_factory.mktemp("t"))
    character = opened - text.rfind("\n", 0, opened)
    assert "a quote that opens here is not closed" in str(error)
    assert error.line == text.count("\n", 0, opened) + 1
    assert error.column == Column(column + 1, TITLES[column], character)


@pytest.mark.parametrize(
    ("line", "column", "character"),
    [('a,"b"c,d', 2, 6), ('a,"b",c\rd', 3, 8), ('"a,b","c', 2, 7), ('a"b,"c', 2, 5)],
)
def test_quotes_that_go_wrong_are_found(line: str, column: int, character: int) -> None:
    assert find_broken_quotes([(4, line)]) == (4, column, character)


def test_a_stray_byte_far_behind_the_header_still_knows_the_title(tmp_path: Path) -> None:
    rows = b"c1,Ann,ok\n" * (3 * PIECE // 10)
    error = complaint(b"case,rater,label\n" + rows + b"c1,Ann,s\xed\n" + rows, tmp_path)
    assert (error.line, error.column) == (3 * PIECE // 10 + 2, Column(3, "label", 9))


def test_rows_around_a_stray_byte_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'case,label\n1,a\n2,\xe9\n3,"b\nc"\n4,d\n')
    table = LongTable(path, ("case", "label"))
    assert [cell for block in table.blocks() for cell in block.cells["case"]] == ["1", "3", "4"]
    assert table.bad.count == 1


@pytest.mark.parametrize("sign", [";", "|", "\t", "^"])
def test_a_line_with_another_separator_than_the_header_is_told_so(sign: str) -> None:
    text = "case,rater,label\n" + sign.join(("1", "Ann", "ok"))
    table = LongTable(Input.from_text(text, name="t.csv"), TITLES)
    list(table.blocks())
    name = "tab" if sign == "\t" else sign
    with pytest.raises(FormatError) as caught:
        table.bad.raise_first()
    assert f"is this line separated by '{name}'? The header has ','" in str(caught.value)


def test_places_in_jsonl_are_characters_and_keys(tmp_path: Path) -> None:
    good = b'{"case": "1"}\n'
    assert complaint(good + b'{"case": "\xe9"}\n', tmp_path).column == Column(11)
    assert complaint(good + b'{"case" "1"}\n', tmp_path).column == Column(9)
    assert complaint(good + b'{"case": 1, "case": 2}\n', tmp_path).column == Column(title="case")


def test_utf16_is_told_from_latin1(tmp_path: Path) -> None:
    text = "case,label\r\n1,ok\r\n"
    assert "iconv -f UTF-16" in str(complaint(text.encode("utf-16"), tmp_path))
    assert "iconv -f LATIN1" in str(complaint(b"case,\xe9\n", tmp_path))
