r"""Tables in memory, read like files: DataFrames, Arrow tables, lists of dicts, dicts of columns.

A `MemoryTable` is an `Input`. `LongTable` takes its columns as they are; a reader that wants lines
gets the table as CSV. So titles, `columns=` and errors are those of files, but for the place:
messages name the row, counted from 0 as `DataFrame.iloc` does.

No package is imported for this. A frame is known by what it can do (`columns`, `iloc`,
`column_names`, `get_columns`); only what offers nothing but the Arrow protocol needs pyarrow.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import itemgetter, methodcaller
from typing import Any, TypeAlias, cast

from jurybox.errors import Column, FormatError, InputError, TableName
from jurybox.formats._io import BadLines, Input, is_text
from jurybox.formats.tables.arrow_tables import BYTES, encode, has_arrow, holds_words, need_arrow

#: rows that are turned into text at once
ROWS = 1 << 15
#: tables from so many rows on go through pyarrow; a row takes about so many bytes
LARGE, BYTES_OF_ROW = 1 << 16, 1 << 4
#: the line of the first row, if the table were a CSV file
FIRST_LINE = 2
#: missing values of pandas, by the names of their types: they compare with nothing
MISSING = ("NAType", "NaTType")
#: floats below this hold whole numbers exactly
EXACT = 2.0**53
WHAT = "give a path, a DataFrame, an Arrow table, a list of dicts or a dict of columns"


class MemoryTable(Input):
    r"""A table in memory: its titles, and its cells as text.

    Missing values (None, nan, NA, NaT) are empty cells. A float that holds a whole number loses
    its `.0`, for pandas makes floats of integers where one is missing. Lists become JSON.

    >>> table = MemoryTable([{"case": 1, "label": "ok"}, {"case": 2, "label": None}], "judgments")
    >>> b"".join(table.whole_lines()), table.name
    (b'"case","label"\n"1","ok"\n"2",""\n', 'judgments (list)')
    >>> [(list(lines), cells) for lines, cells in table.blocks([1])]
    [([2, 3], [['ok', '']])]
    """

    def __init__(self, given: object, name: str = "table", titles: Sequence[str] = ()) -> None:
        super().__init__(name)
        self.name = TableName(f"{name} ({type(given).__name__})")
        found, self._columns = _take_apart(given, self.name, titles)
        self.titles = [" ".join(str(title).split()) for title in found]
        if not self.titles:
            raise FormatError("has no columns; name them, as 'case' and 'label'", path=self.name)
        lengths = [len(column) for column in self._columns]
        for number, length in enumerate(lengths, 1):
            if length != lengths[0]:
                raise FormatError(
                    f"has {length} values, and column 1 has {lengths[0]}; make them the same",
                    path=self.name,
                    line=1,
                    column=Column(number, self.titles[number - 1]),
                )
        self._rows = lengths[0]

    @property
    def rewindable(self) -> bool:
        return True

    @property
    def stem(self) -> str:
        return self.path

    def lines(self, bad: BadLines | None = None) -> Iterator[tuple[int, str]]:
        """A table is no text: nobody who reads lines can mean it."""
        raise InputError(f"{self.name}: is a table, where text is expected; give a path")

    def values(self, place: int) -> list[Any]:
        """A column as it was given, as Python values."""
        return self._columns[place].values(0, self._rows)

    def blocks(
        self, places: Sequence[int], held: int = BYTES
    ) -> Iterator[tuple[range, list[Sequence[str]]]]:
        """The cells of some columns, by their places: for some rows at a time, with their lines."""
        arrays: list[Any] = []
        if self._rows >= LARGE and has_arrow():
            arrays = [self._columns[place].as_arrow() for place in places]
        if not arrays or any(array is None for array in arrays):
            for start in range(0, self._rows, ROWS):
                stop = min(start + ROWS, self._rows)
                cells = [self._cells(place, start, stop) for place in places]
                yield range(start + FIRST_LINE, stop + FIRST_LINE), cells
            return
        step = max(1, held // BYTES_OF_ROW)
        for start in range(0, self._rows, step):
            coded = [encode(array.slice(start, step), as_cell) for array in arrays]
            yield range(start + FIRST_LINE, min(start + step, self._rows) + FIRST_LINE), coded

    def _cells(self, place: int, start: int, stop: int) -> Sequence[str]:
        """A part of a column as text; what no cell can hold is an error."""
        values = self._columns[place].values(start, stop)
        kinds = set(map(type, values))
        try:
            if kinds == {str}:
                cells = values
            elif kinds == {int}:
                return list(map(str, values))
            else:
                cells = [value if type(value) is str else as_cell(value) for value in values]
            if is_text("".join(cells)):
                return cells
        except ValueError:
            pass
        number = next(row for row, value in enumerate(values) if fault(value))
        raise FormatError(
            fault(values[number]),
            path=self.name,
            line=start + number + FIRST_LINE,
            column=Column(place + 1, self.titles[place]),
        )

    @contextmanager
    def as_table(self) -> Iterator[MemoryTable]:
        yield self

    def _open_stored(self) -> io.BufferedReader:
        blocks = self.blocks(range(len(self.titles)))
        return io.BufferedReader(MadeBytes(as_csv(self.titles, blocks)))


def as_csv(
    titles: Sequence[str], blocks: Iterable[tuple[range, list[Sequence[str]]]]
) -> Iterator[bytes]:
    """A table as CSV, piece by piece; titles are quoted, so that none looks like JSON."""
    rows: Iterable[Sequence[str]] = [titles]
    for part in chain([rows], (zip(*cells, strict=True) for _, cells in blocks)):
        out = io.StringIO()
        csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(part)
        yield out.getvalue().encode()


class MadeBytes(io.RawIOBase):
    """Bytes that are made when they are read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or next(self._pieces, b"")
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def as_cell(value: Any) -> str:
    """A value as the cell of a table; ValueError if none can hold it.

    >>> [as_cell(value) for value in (None, float("nan"), 3.0, 0.5, True, ["at", "in"])]
    ['', '', '3', '0.5', 'True', '["at", "in"]']
    """
    if isinstance(value, str):
        return str(value)
    if is_missing(value):
        return ""
    if isinstance(value, float):
        is_whole = value.is_integer() and abs(value) < EXACT
        return str(int(value)) if is_whole else repr(float(value))
    if hasattr(value, "tolist") and getattr(value, "shape", None):
        value = value.tolist()
    if isinstance(value, list | tuple | dict):
        try:
            return json.dumps(value, ensure_ascii=False)
        except (TypeError, RecursionError) as error:
            raise ValueError(str(error)) from None
    kind: Any = type(value)
    has_words = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
    if isinstance(value, bytes) or not has_words:
        raise ValueError("no cell")
    return "" if (text := str(value)) in ("NaT", "nan") else text


def is_missing(value: object) -> bool:
    """Whether a value stands for none: None, nan, and NA and NaT of pandas.

    >>> [is_missing(value) for value in (None, float("nan"), 0, "")]
    [True, True, False, False]
    """
    is_nan = isinstance(value, float) and value != value  # noqa: PLR0124
    return value is None or is_nan or type(value).__name__ in MISSING


def fault(value: Any) -> str:
    """What is wrong with a value that no cell can hold; nothing if nothing is."""
    try:
        text = as_cell(value)
    except ValueError:
        hint = "; decode it" if isinstance(value, bytes) else "; write text or a number"
        return f"a value of type {type(value).__name__} cannot be read{hint}"
    return "" if is_text(text) else "half a character (U+D800 to U+DFFF); decode the text as UTF-8"


# --- what a table can be ---


class _Column:
    """A column of whatever kind; `values` gives a part of it as a list."""

    def __init__(self, given: Any, get: Callable[[Any], Any] | None = None) -> None:
        self._given, self._get = given, get

    def __len__(self) -> int:
        return len(self._given)

    def as_arrow(self) -> Any:
        """An Arrow column of text, categories or numbers, copied only if need be; else None."""
        import pyarrow as pa

        if self._get is not None:
            return None
        try:
            array = self._given
            if hasattr(array, "to_arrow"):  # Polars
                array = array.to_arrow()
            elif not isinstance(array, pa.ChunkedArray | pa.Array):
                array = pa.array(array, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return None  # values of several types, or half a character: row by row
        whole = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
        return whole if holds_words(whole.type) else None

    def values(self, start: int, stop: int) -> list[Any]:
        part = getattr(self._given, "iloc", self._given)[start:stop]
        if self._get is not None:
            return list(map(self._get, part))
        for method in ("tolist", "to_pylist", "to_list"):
            if hasattr(part, method):
                return cast("list[Any]", getattr(part, method)())
        return list(part)


#: titles, and as many columns
_Parts: TypeAlias = tuple[Sequence[object], Sequence[_Column]]


def is_table(given: object, titles: Sequence[str] = ()) -> bool:
    """Whether something is one table, not a list of files; with `titles` rows need none.

    >>> is_table([{"case": 1}]), is_table({"case": [1]}), is_table(["a.csv"]), is_table([])
    (True, True, False, False)
    >>> is_table([("c1", "Ann", "ok")]), is_table([("c1", "Ann", "ok")], ("case", "rater", "label"))
    (False, True)
    """
    if isinstance(given, Mapping) or _is_frame(given):
        return True
    if not isinstance(given, list | tuple) or not given:
        return False
    return isinstance(given[0], Mapping) or bool(titles and _is_row(given[0]))


def holds_columns(given: Mapping[Any, Any]) -> bool:
    """Whether a dict holds columns, not one value for each key.

    >>> holds_columns({"case": ["c1"], "label": ["ok"]}), holds_columns({"c1": "ok"})
    (True, False)
    """
    are_single = (isinstance(v, str | bytes) or not hasattr(v, "__len__") for v in given.values())
    return bool(given) and not any(are_single)


def _is_frame(given: object) -> bool:
    return (
        any(hasattr(given, name) for name in ("columns", "__arrow_c_stream__", "__dataframe__"))
        or getattr(getattr(given, "dtype", None), "names", None) is not None
        or getattr(given, "ndim", 1) > 1
    )


def _is_row(given: object) -> bool:
    return isinstance(given, list | tuple) or getattr(given, "ndim", 0) == 1


def _take_apart(  # noqa: PLR0911  one for each kind of table
    given: Any, name: str, titles: Sequence[str]
) -> _Parts:
    if isinstance(given, list | tuple):
        return _records(given, name, titles)
    if isinstance(given, Mapping):
        return list(given), [_one_column(given[title], title, name) for title in given]
    if hasattr(given, "iloc") and hasattr(given, "columns"):
        return _pandas_columns(given, name)
    if hasattr(given, "get_columns"):  # Polars
        return list(given.columns), list(map(_Column, given.get_columns()))
    names = getattr(getattr(given, "dtype", None), "names", None)
    if names is not None:  # a structured array
        return names, [_Column(given[title]) for title in names]
    if not hasattr(given, "column_names") and hasattr(given, "__arrow_c_stream__"):
        given = _as_arrow(given, name)
    if hasattr(given, "column_names"):
        names = given.column_names
        return names, [_Column(given.column(place)) for place in range(len(names))]
    if getattr(given, "ndim", 1) == 2 and given.shape[1] == len(titles):
        return titles, [_Column(given[:, place]) for place in range(len(titles))]
    raise InputError(f"{name} is no table with titles; {WHAT}")


def _as_arrow(given: Any, name: str) -> Any:
    """An Arrow table of whatever speaks the Arrow protocol; a Series does, but is no table."""
    if hasattr(given, "name"):
        return given
    return need_arrow(name).table(given)


def _pandas_columns(given: Any, name: str) -> _Parts:
    """The columns of a DataFrame, behind those of its index that have a name."""
    if getattr(given.columns, "nlevels", 1) > 1:
        raise FormatError(
            "its columns have several levels (MultiIndex); give each column one title, as "
            "df.columns = ['case', 'rater', 'label']",
            path=name,
        )
    levels = [level for level, title in enumerate(given.index.names) if title is not None]
    titles: list[object] = [given.index.names[level] for level in levels]
    columns = [_Column(given.index.get_level_values(level)) for level in levels]
    places = range(len(given.columns))
    return [*titles, *given.columns], [*columns, *(_Column(given.iloc[:, p]) for p in places)]


def _one_column(given: Any, title: object, name: str) -> _Column:
    is_text_or_dict = isinstance(given, str | bytes | Mapping)
    if is_text_or_dict or not hasattr(given, "__len__") or not hasattr(given, "__getitem__"):
        if isinstance(given, Iterable) and not is_text_or_dict:
            return _Column(list(given))
        raise FormatError(
            f"'{title}' is {str(given)[:40]!r}, not a column; a dict holds a list for each title",
            path=name,
        )
    return _Column(given)


def _records(given: Sequence[Any], name: str, titles: Sequence[str]) -> _Parts:
    """Rows: dicts with the same keys or not, or tuples in the order of `titles`."""
    if all(isinstance(row, Mapping) for row in given):
        keys = list(dict.fromkeys(chain.from_iterable(given)))
        return keys, [_Column(given, methodcaller("get", key)) for key in keys]
    are_dicts = isinstance(given[0], Mapping)
    for number, row in enumerate(given):
        if are_dicts and isinstance(row, Mapping):
            continue
        if are_dicts or not (titles and _is_row(row) and len(row) == len(titles)):
            raise FormatError(
                f"{str(row)[:40]!r} is no row; give dicts with the same keys"
                + (f", or tuples of {', '.join(titles)}" if titles else ""),
                path=name,
                line=number + FIRST_LINE,
            )
    return titles, [_Column(given, itemgetter(place)) for place in range(len(titles))]
