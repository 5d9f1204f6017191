"""Tables in memory, read like the files they could have been."""

from __future__ import annotations

import io
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError, MissingExtraError
from jurybox.formats import Input, as_input, as_inputs
from jurybox.formats.tables.long_tables import LongTable
from jurybox.formats.tables.memory_tables import MemoryTable

FRAME = pd.DataFrame({"case": ["c1", "c2"], "label": ["ok", "error"]})
FIELDS = ("case", "label")


def cells(table: Any, fields: tuple[str, ...] = FIELDS, **options: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {field: [] for field in fields}
    for block in LongTable(as_input(table), fields, **options).blocks():
        for field in fields:
            found[field] += block.cells[field]
    return found


KINDS: dict[str, Any] = {
    "DataFrame": FRAME,
    "categories": FRAME.astype("category"),
    "string dtype": FRAME.astype("string"),
    "objects": FRAME.astype(object),
    "index with a name": FRAME.set_index("case"),
    "two levels of index": FRAME.set_index(["case", "label"]),
    "list of dicts": FRAME.to_dict("records"),
    "dict of lists": FRAME.to_dict("list"),
    "dict of Series": dict(FRAME),
    "dict of arrays": {title: FRAME[title].to_numpy() for title in FRAME},
    "dict of generators": {title: iter(FRAME[title]) for title in ("case", "label")},
    "structured array": FRAME.to_records(index=False),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_has_the_same_cells(kind: str) -> None:
    assert cells(KINDS[kind]) == {"case": ["c1", "c2"], "label": ["ok", "error"]}


def test_an_arrow_table_has_the_same_cells() -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    for made in (arrow.table(dict(FRAME)), arrow.record_batch(dict(FRAME))):
        assert cells(made) == {"case": ["c1", "c2"], "label": ["ok", "error"]}


def test_a_polars_frame_has_the_same_cells() -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert cells(polars.DataFrame(dict(FRAME))) == cells(FRAME)


class _ArrowColumn:
    """What pyarrow's columns can do."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, part: slice) -> _ArrowColumn:
        return _ArrowColumn(self._values[part])

    def to_pylist(self) -> list[Any]:
        return self._values


class _ArrowTable:
    column_names = ("case", "label")
    columns = ()

    def column(self, place: int) -> _ArrowColumn:
        values: list[list[Any]] = [["c1", None], ["ok", "error"]]
        return _ArrowColumn(values[place])


def test_arrow_is_known_by_what_it_can_do() -> None:
    assert cells(_ArrowTable()) == {"case": ["c1", ""], "label": ["ok", "error"]}


VALUES = {
    "None": (None, ""),
    "nan": (float("nan"), ""),
    "NA": (pd.NA, ""),
    "NaT": (pd.NaT, ""),
    "numpy NaT": (np.datetime64("NaT"), ""),
    "int": (3, "3"),
    "numpy int": (np.int64(3), "3"),
    "a float that was an int": (3.0, "3"),
    "float": (0.25, "0.25"),
    "numpy float32": (np.float32(0.1), "0.1"),
    "bool": (True, "True"),
    "numpy str": (np.str_("a"), "a"),
    "list": (["at", "in"], '["at", "in"]'),
    "array": (np.array([1, 2]), "[1, 2]"),
    "date": (pd.Timestamp("2024-02-01 10:00"), "2024-02-01 10:00:00"),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_becomes_the_cell_that_a_table_would_hold(name: str) -> None:
    value, cell = VALUES[name]
    alone = {"case": ["c1"], "label": pd.Series([value], dtype=object)}
    assert cells(alone)["label"] == [cell]
    mixed = {"case": ["c1", "c2"], "label": pd.Series(["x", value], dtype=object)}
    assert cells(mixed)["label"] == ["x", cell]


def test_integers_with_a_gap_are_still_integers() -> None:
    gap = pd.DataFrame({"case": [1, 2, None], "label": "ok"})
    assert gap["case"].dtype == "float64"
    assert cells(gap)["case"] == ["1", "2", ""]


@pytest.mark.parametrize("value", [b"x", object(), "\ud800", {1: object()}])
def test_what_no_cell_can_hold_is_named_with_row_and_column(value: Any) -> None:
    table = MemoryTable({"case": ["c1", "c2"], "label": ["ok", value]}, "judgments")
    with pytest.raises(FormatError) as caught:
        list(table.blocks([0, 1]))
    assert str(caught.value).startswith("judgments (dict), row 1, column 2 (label): ")


WRONG: dict[str, tuple[Any, str]] = {
    "no columns": (pd.DataFrame(), "has no columns"),
    "several levels": (pd.concat({"x": FRAME}, axis=1), "MultiIndex"),
    "two of a name": (pd.concat([FRAME, FRAME["case"]], axis=1), "two columns are called 'case'"),
    "other titles": (FRAME.rename(columns={"case": "item"}), "no column 'case'"),
    "unequal columns": ({"case": [1, 2], "label": [1]}, r"column 2 \(label\): has 1 values"),
    "no column": ({"case": [1, 2], "label": 3}, "'label' is '3', not a column"),
    "one column": (FRAME["case"], r"\(Series\) is no table with titles"),
    "no titles": (np.zeros((2, 2)), r"\(ndarray\) is no table with titles"),
    "a row that is none": ([{"case": 1}, 3], r"table \(list\), row 1: '3' is no row"),
    "nothing": (None, "is no table"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_table_is_said(name: str) -> None:
    table, message = WRONG[name]
    with pytest.raises(InputError, match=message):
        cells(table)


def test_titles_are_mapped_as_in_files_and_may_be_numbers() -> None:
    numbered = FRAME.set_axis([0, 1], axis=1)
    mapped: Any = {"case": 0, "label": 1}
    assert cells(numbered, columns=mapped) == cells(FRAME)


def test_a_table_is_no_text() -> None:
    with pytest.raises(InputError, match="is a table, where text is expected"):
        list(MemoryTable(FRAME).lines())


def test_several_sources_and_rows_without_titles() -> None:
    given: list[Any] = ["a.csv", FRAME]
    assert [type(one) for one in as_inputs(given)] == [Input, MemoryTable]
    [rows] = as_inputs([("c1", "ok")], "cases", FIELDS)
    assert cells(rows) == {"case": ["c1"], "label": ["ok"]}
    [array] = as_inputs(FRAME.to_numpy(), "cases", FIELDS)
    assert cells(array) == cells(FRAME)


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), min_size=1, max_size=5)


@given(st.lists(st.tuples(WORDS, st.one_of(WORDS, st.integers(), st.none())), min_size=1))
def test_a_frame_is_read_like_the_csv_file_that_pandas_writes(rows: list[tuple[str, Any]]) -> None:
    frame = pd.DataFrame(rows, columns=list(FIELDS), dtype=object)
    written = io.StringIO()
    frame.to_csv(written, index=False, quoting=1, lineterminator="\n")
    assert cells(frame) == cells(Input.from_text(written.getvalue()))
    # and like the CSV that a reader of bytes gets from us
    stored = b"".join(as_input(frame).whole_lines()).decode()
    assert cells(Input.from_text(stored)) == cells(frame)


def test_many_rows_come_in_blocks_with_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jurybox.formats.tables.memory_tables.ROWS", 2)
    table = MemoryTable({"case": np.arange(5)})
    assert [(list(lines), part) for lines, part in table.blocks([0])] == [
        ([2, 3], [["0", "1"]]),
        ([4, 5], [["2", "3"]]),
        ([6], [["4"]]),
    ]
    assert b"".join(table.whole_lines()) == b'"case"\n"0"\n"1"\n"2"\n"3"\n"4"\n'
    assert table.sha256 == Input.from_text('"case"\n"0"\n"1"\n"2"\n"3"\n"4"\n').sha256


class _Streamed:
    """What offers nothing but the Arrow protocol."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        import pyarrow  # type: ignore[import-not-found,unused-ignore]  # optional

        return pyarrow.table(dict(FRAME)).__arrow_c_stream__(requested_schema)


def test_what_only_streams_arrow_needs_pyarrow_and_says_so() -> None:
    if find_spec("pyarrow") is None:
        with pytest.raises(MissingExtraError, match="install pyarrow"):
            cells(_Streamed())
    else:
        assert cells(_Streamed()) == cells(FRAME)
