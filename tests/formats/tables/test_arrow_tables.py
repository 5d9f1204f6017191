"""Large tables through pyarrow: the same cells as line by line; Parquet and Arrow."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import ipc, parquet

import jurybox
from jurybox.errors import FormatError, InputError, MissingExtraError
from jurybox.formats import Input, as_inputs
from jurybox.formats.tables import arrow_tables, decisions, judgments, long_tables, memory_tables
from jurybox.formats.tables.coded import Coded
from jurybox.formats.tables.long_tables import LongTable, as_text

TITLES = ("case", "rater", "label")
WORDS = st.text(st.sampled_from('abé ,"\n\r\t\x85\u2028x'), max_size=7)
PLAIN = st.text(st.sampled_from("abcé "), max_size=9)
ROWS = st.lists(st.lists(st.one_of(PLAIN, WORDS), min_size=3, max_size=3), max_size=12)
RAW = st.lists(
    st.sampled_from([b"a,b,c", b'"a",b,c', b"c", b",", b'"', b"\n", b"\r\n", b"\r", b" ", b"\xe9"]),
    max_size=12,
)
VALUES = st.one_of(
    PLAIN, st.none(), st.integers(-3, 3), st.floats(0, 1), st.booleans(), st.just(["x"])
)


@pytest.fixture
def all_are_large() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        make_large(patch)
        yield


def make_large(patch: pytest.MonkeyPatch, at_once: int = 16) -> None:
    """The fast way for files of any size, a few lines at a time."""
    patch.setattr(long_tables, "LARGE", 1)
    patch.setattr(long_tables, "AT_ONCE", at_once)
    patch.setattr(memory_tables, "LARGE", 1)
    patch.setattr(arrow_tables, "HASHED", 3)
    patch.setattr(arrow_tables, "ROWS", 5)


def read_all(source: Any, fields: Sequence[str] = TITLES) -> tuple[Any, ...]:
    """Rows with their lines, and the complaints."""
    table = LongTable(source, fields, required=())
    rows: list[tuple[int, dict[str, str]]] = []
    error = ""
    try:
        for block in table.blocks():
            columns = [list(block.cells.get(field, [""] * len(block.lines))) for field in fields]
            cells = (dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True))
            rows += zip(block.lines, cells, strict=True)
        table.bad.raise_first()
    except FormatError as raised:
        error = str(raised)
    return rows, error, table.unused, table.bad.count


def both_ways(source: Any, fields: Sequence[str] = TITLES) -> tuple[Any, Any]:
    plainly = read_all(source, fields)
    with pytest.MonkeyPatch.context() as patch:
        make_large(patch)
        return plainly, read_all(source, fields)


@given(ROWS, st.sampled_from(["\n", "\r\n"]), st.sampled_from([",", "\t"]), st.booleans())
def test_written_tables_have_the_same_cells(
    rows: list[list[str]], end: str, delimiter: str, quotes_all: bool
) -> None:
    out = io.StringIO()
    dialect = csv.unix_dialect if quotes_all else csv.excel
    csv.writer(out, dialect, delimiter=delimiter, lineterminator=end).writerows([TITLES, *rows])
    plainly, fast = both_ways(Input.from_text("\ufeff" + out.getvalue()))
    assert fast == plainly


@given(RAW, st.booleans())
def test_any_bytes_have_the_same_cells_and_complaints(parts: list[bytes], ends: bool) -> None:
    source = Input("t.csv")
    source._data = b"case,rater,label\n" + b"".join(parts) + b"\n" * ends
    plainly, fast = both_ways(source)
    assert fast == plainly


@given(
    st.lists(st.dictionaries(st.sampled_from(["case", "label", "Rater", "x"]), VALUES), max_size=9),
    st.sampled_from(["\n", "\n\n", "\r\n", "} {", " \n"]),
)
def test_objects_have_the_same_cells(records: list[dict[str, Any]], between: str) -> None:
    text = between.join(json.dumps(record, ensure_ascii=False) for record in records)
    plainly, fast = both_ways(Input.from_text('{"case": "first"}\n' + text))
    assert fast == plainly


@pytest.mark.parametrize(
    "line",
    [
        '{"case": "a", "case": "b"}',
        '{"case": "\\ud800"}',
        '{"case": {"case": 1}}',
        '{"case": "2016-07-04 13:05:09"}',
        '{"case": 12345678901234567890123}',
        '{"case": 0.5}{"case": 1}',
        '{"case":\n{"x": 1}}',
        '{"case": NaN}',
        "[1]",
    ],
)
def test_odd_objects_are_read_line_by_line(line: str) -> None:
    text = '{"case": "first"}\n{"case": "second"}\n' + f"{line}\n" + '{"case": "last"}\n'
    plainly, fast = both_ways(Input.from_text(text))
    assert fast == plainly
    assert fast[0][-1] == (text.count("\n"), {"case": "last", "rater": "", "label": ""})


def test_what_is_odd_far_down_hands_over_and_is_told_with_its_line() -> None:
    lines = [f"c{number},Ann,ok" for number in range(50)]
    lines[40] = "c40,Ann"
    source = Input.from_text("case,rater,label\n" + "\n".join(lines))
    plainly, fast = both_ways(source)
    assert fast == plainly
    assert "<memory>:42, column 3 (label): 2 cells where the header has 3" in fast[1]


@pytest.mark.usefixtures("all_are_large")
def test_large_blocks_are_coded_and_lines_count_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_tables, "ROWS", 1 << 24)
    text = "case,rater,label\n" + "".join(f"c{n % 7},R{n % 3},ok\n" for n in range(100))
    [block] = LongTable(Input.from_text(text), TITLES).blocks()
    cases = block.cells["case"]
    assert isinstance(cases, Coded)
    assert cases.words == [f"c{number}" for number in range(7)]
    assert list(block.lines) == list(range(2, 102))


@given(st.lists(st.one_of(WORDS, st.just(""), st.text(max_size=40)), max_size=30), st.data())
def test_words_are_numbered_as_a_dictionary_would(words: list[str], data: st.DataObject) -> None:
    words = [word.encode("utf-8", "replace").decode() for word in words]
    cut = data.draw(st.integers(0, len(words)))
    kind = data.draw(st.sampled_from([pa.string(), pa.large_string(), pa.string_view()]))
    column = pa.chunked_array([pa.array(words[:cut], kind), pa.array(words[cut:], kind)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow_tables, "HASHED", 2)
        found = arrow_tables.encode(column, as_text)
    assert list(found) == words
    assert list(getattr(found, "words", words)) == list(dict.fromkeys(words))


def test_words_whose_first_hashes_are_equal_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(text: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(ends) - 1, np.uint64), np.diff(ends).astype(np.uint64)

    monkeypatch.setattr(arrow_tables, "_hash", same)
    words = ["a", "bbb", "a", "cc", "bbb", "cc"]
    found = arrow_tables.encode(pa.chunked_array([words]), as_text)
    assert (list(found), found.words) == (words, ["a", "bbb", "cc"])  # type: ignore[attr-defined]


@given(
    st.dictionaries(
        st.sampled_from(TITLES),
        st.sampled_from(
            [
                ["a", "b", "a"],
                ["x", None, "y"],
                [3, 1, 3],
                [1.0, 0.5, float("nan")],
                [True, False, True],
                [["at"], [], None],
                ["a", 1, None],
                ["\ud800", "a", "b"],
            ]
        ),
        min_size=1,
    ),
    st.sampled_from(["dict", "frame", "categories", "arrow", "numpy"]),
)
def test_tables_in_memory_have_the_same_cells(columns: dict[str, list[Any]], kind: str) -> None:
    given_table: Any = columns
    values = [value for column in columns.values() for value in column]
    if kind in ("frame", "categories"):
        if "\ud800" in values:
            return  # a frame holds no such text
        given_table = pd.DataFrame(columns)
        if kind == "categories" and not any(isinstance(value, list) for value in values):
            given_table = given_table.astype("category")
    elif kind == "arrow":
        try:
            given_table = pa.table(columns)
        except (pa.ArrowException, UnicodeEncodeError):
            return
    elif kind == "numpy":
        arrays = {name: np.empty(3, object) for name in columns}
        for name, column in columns.items():
            arrays[name][:] = column
        given_table = arrays
    plainly, fast = both_ways(given_table)
    assert fast == plainly


# --- Parquet and Arrow ---


def write(path: Path, columns: Mapping[str, Any]) -> Path:
    table = pa.table(columns)
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=2)
    elif path.suffix == ".arrow":
        with ipc.new_file(path, table.schema) as out:
            out.write_table(table, max_chunksize=2)
    else:
        with ipc.new_stream(path, table.schema) as out:
            out.write_table(table, max_chunksize=2)
    return path


FORMS = ("parquet", "arrow", "arrows")
JUDGED = {
    "case": ["c1", "c1", "c2", "c2", "c3"],
    "rater": ["Ann", "Bob", "Ann", "Bob", "Ann"],
    "label": ["ok", "error", "ok", "ok", "error"],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("coded", [False, True])
def test_files_of_columns_are_read_like_csv(tmp_path: Path, form: str, coded: bool) -> None:
    columns: Any = JUDGED
    if coded:
        columns = {name: pa.array(cells).dictionary_encode() for name, cells in JUDGED.items()}
    found = judgments.read(write(tmp_path / f"j.{form}", columns))
    expected = judgments.read(pd.DataFrame(JUDGED))
    assert found.table == expected.table
    assert found.cases == expected.cases


@pytest.mark.parametrize("form", FORMS)
def test_files_of_columns_can_be_read_as_text(tmp_path: Path, form: str) -> None:
    path = write(tmp_path / f"j.{form}", {"case": ["c1", None], "n": [1, 2]})
    source = Input(path)
    assert list(source.lines()) == [(1, '"case","n"'), (2, '"c1","1"'), (3, '"","2"')]
    assert source.peek(6) == b'"case"'
    assert source.sha256 == sha256(path.read_bytes()).hexdigest()


def test_values_of_any_type_are_cells(tmp_path: Path) -> None:
    day = pd.Timestamp("2024-05-01 10:00")
    columns = {
        "case": pa.array([1, None]),
        "rater": pa.array([0.5, 3.0]),
        "label": pa.array([["at"], None]),
        "when": pa.array([day, None], pa.timestamp("s")),
        "is": pa.array([True, None]),
    }
    rows, error, _, _ = read_all(write(tmp_path / "t.parquet", columns), tuple(columns))
    assert not error
    assert [tuple(cells.values()) for _, cells in rows] == [
        ("1", "0.5", '["at"]', "2024-05-01 10:00:00", "True"),
        ("", "3", "", "", ""),
    ]


def test_a_bad_cell_of_parquet_is_named_by_its_row(tmp_path: Path) -> None:
    path = write(tmp_path / "j.parquet", {**JUDGED, "label": ["ok", "ok", "never", "ok", "ok"]})
    with pytest.raises(FormatError, match=r"j\.parquet, row 2, column 3 \(label\): label 'never'"):
        judgments.read(path)
    bytes_in_it = write(tmp_path / "b.parquet", {**JUDGED, "case": [b"1", b"2", b"3", b"4", b"5"]})
    with pytest.raises(FormatError, match=r"row 0, column 1 \(case\): a value of type bytes"):
        judgments.read(bytes_in_it)


def test_a_broken_file_of_columns_is_an_error_of_ours(tmp_path: Path) -> None:
    whole = write(tmp_path / "j.parquet", JUDGED).read_bytes()
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"broken\.parquet: cannot be read as Parquet or Arrow"):
        judgments.read(broken)


def test_without_pyarrow_text_is_read_and_parquet_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "j.parquet", JUDGED)
    text = tmp_path / "j.csv"
    pd.DataFrame(JUDGED).to_csv(text, index=False)
    make_large(monkeypatch)
    expected = judgments.read(text).table
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setattr(long_tables, "has_arrow", lambda: False)
    assert judgments.read(text).table == expected
    with pytest.raises(MissingExtraError, match=r"j\.parquet.*pip install 'jurybox\[parquet\]'"):
        judgments.read(path)


@pytest.mark.usefixtures("all_are_large")
def test_compressed_tables_go_the_fast_way_too(tmp_path: Path) -> None:
    path = tmp_path / "j.csv.gz"
    path.write_bytes(gzip.compress(pd.DataFrame(JUDGED).to_csv(index=False).encode()))
    assert judgments.read(path).table == judgments.read(pd.DataFrame(JUDGED)).table


def test_decisions_may_stand_in_several_files(tmp_path: Path) -> None:
    cases = judgments.read(pd.DataFrame(JUDGED)).cases
    files = [
        write(tmp_path / "1.parquet", {"case": ["c1", "c2"], "label": ["ok", "error"]}),
        write(tmp_path / "2.parquet", {"case": ["c3"], "label": ["error"], "score": [0.5]}),
    ]
    found = decisions.read(files, cases, name="mine").table
    assert list(found.label) == [0, 1, 1]
    with pytest.raises(FormatError, match=r"2\.parquet, row 0: case 'c3' is decided before, in"):
        decisions.read([files[1], files[0], files[1]], cases, name="mine")


LABELS = st.lists(
    st.tuples(st.sampled_from(["c1", "c2", "c3"]), st.sampled_from("AB"), st.sampled_from(TITLES)),
    min_size=3,
    max_size=12,
)


@given(rows=LABELS)
def test_agreement_and_evaluation_do_not_depend_on_the_form(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("forms")
    says = dict(zip(TITLES, ("ok", "error", "unknown"), strict=True))
    rows = [*((case, rater, says[word]) for case, rater, word in rows), ("c1", "C", "ok")]
    columns = dict(zip(TITLES, map(list, zip(*rows, strict=True)), strict=True))
    files = [write(folder / f"j.{form}", columns) for form in ("parquet", "arrow")]
    pd.DataFrame(columns).to_csv(folder / "j.csv", index=False)
    (folder / "cases.csv").write_text("case\nc1\nc2\nc3\n")
    system = {"case": ["c1", "c2", "c3"], "label": ["ok", "error", "ok"]}
    results = []
    for file in (folder / "j.csv", *files):
        with catch_warnings():
            simplefilter("ignore")
            told = jurybox.evaluate(folder / "cases.csv", file, {"mine": system})
            agreed = jurybox.agree(file)
        results.append([_without_files(one.to_json()) for one in (told, agreed)])
    assert results[1] == results[0]
    assert results[2] == results[0]


def _without_files(text: str) -> Any:
    result = json.loads(text)
    for key in ("inputs", "warnings", "notes"):
        result.pop(key, None)
    return result


# --- folders, patterns, URLs ---


def test_folders_patterns_and_urls_are_files_in_order(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        write(tmp_path / f"part-{number}.parquet", JUDGED)
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "_SUCCESS.csv").write_text("x")
    (tmp_path / "day=1").mkdir()
    write(tmp_path / "day=1" / "p.parquet", JUDGED)

    def names(given: str) -> list[str]:
        return [one.name.split(tmp_path.name)[1] for one in as_inputs(given, "judgments", TITLES)]

    flat = ["/part-1.parquet", "/part-10.parquet", "/part-2.parquet"]
    assert names(str(tmp_path)) == ["/day=1/p.parquet", *flat]
    assert names(f"{tmp_path}/*.parquet") == flat
    assert names(f"{tmp_path}/**/*.parquet") == ["/day=1/p.parquet", *flat]
    assert names(f"file://{tmp_path}/") == ["/day=1/p.parquet", *flat]
    assert names(f"file://{tmp_path}/*.parquet") == flat
    found = judgments.read(f"file://{tmp_path}/part-1.parquet")
    assert found.table == judgments.read(tmp_path / "part-1.parquet").table


def test_a_pattern_without_files_and_a_folder_without_tables_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file matches"):
        judgments.read(f"{tmp_path}/*.parquet")
    with pytest.raises(InputError, match="the folder holds no table"):
        judgments.read(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        judgments.read(f"file://{tmp_path}/none.parquet")


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    odd = tmp_path / "j[1].csv"
    pd.DataFrame(JUDGED).to_csv(odd, index=False)
    assert len(judgments.read(odd).table) == 5


def test_object_stores_go_through_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket that is a folder: the same calls, without a network."""
    from pyarrow import fs

    write(tmp_path / "j.parquet", JUDGED)
    store = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())

    class Stores:
        @staticmethod
        def from_uri(uri: str) -> tuple[Any, str]:
            return store, uri.removeprefix("s3://bucket").lstrip("/")

    monkeypatch.setattr(fs, "FileSystem", Stores)
    [found] = as_inputs("s3://bucket/*.parquet", "judgments", TITLES)
    assert found.name == "s3://bucket/j.parquet"
    assert len(judgments.read(found).table) == 5
    assert found.sha256 == Input(tmp_path / "j.parquet").sha256
