"""Tables through pyarrow: Parquet, Arrow, object stores, and large CSV and JSONL in less time.

pyarrow is an extra (`parquet`). Without it only Parquet, Arrow and URLs cannot be read: text is
read line by line then, as small files always are, with the same cells. Text that pyarrow might
understand otherwise than the csv and json modules do is not given to it (`parse_csv`,
`parse_objects`): lines that are blank or of the wrong width, cells with line breaks, odd quotes,
lone CRs, bytes that are not UTF-8. Whoever reads line by line says what is wrong there.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from jurybox.errors import Column, FormatError, InputError, MissingExtraError
from jurybox.formats._io import COLUMN_MAGIC, is_table_file
from jurybox.formats.tables.coded import Coded

#: bytes of columns that are held before they become one block, and the rows there can be
BYTES, ROWS = 1 << 28, 1 << 24
#: rows of Parquet that are read at once
BATCH = 1 << 18
#: rows that tell whether a column has few words
SAMPLE = 1 << 16
#: words hashed at once: few enough to stay in the processor's cache
HASHED = 1 << 14
#: rows made into text at once for those who read lines
TEXT_ROWS = 1 << 10


@cache
def _factors() -> tuple[Any, Any]:
    """Odd numbers of 64 bits that spread bits evenly: the golden ratio, and one of MurmurHash3."""
    return np.uint64(0x9E3779B97F4A7C15), np.uint64(0xFF51AFD7ED558CCD)


def has_arrow() -> bool:
    """Whether pyarrow is installed; asked only where much is to be read."""
    from importlib.util import find_spec

    return find_spec("pyarrow") is not None


def need_arrow(name: str) -> Any:
    """The package pyarrow; `name` is what cannot be read without it."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(
            f"{name}: to read it, install pyarrow: pip install 'jurybox[parquet]'"
        ) from None
    return pyarrow


@contextmanager
def _own_errors(name: str) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError, NotImplementedError, KeyError, TypeError) as error:
        what = " ".join(str(error).split())[:200]
        raise InputError(
            f"{name}: cannot be read as Parquet or Arrow ({what}); is it whole? Write it again"
        ) from None


# --- columns ---


class _Kind(NamedTuple):
    """What can be done with a column of a type."""

    is_text: bool
    is_coded: bool  # as a dictionary of words
    is_plain: bool  # numbers, times: few enough kinds of value to be encoded


def _kind_of(arrow_type: Any) -> _Kind:
    from pyarrow import types

    is_text = any(
        is_one(arrow_type)
        for is_one in (types.is_string, types.is_large_string, types.is_string_view)
    )
    return _Kind(is_text, types.is_dictionary(arrow_type), types.is_primitive(arrow_type))


def holds_words(arrow_type: Any) -> bool:
    """Whether values of a type are text or numbers, or categories of them."""
    from pyarrow import types

    if types.is_dictionary(arrow_type):
        return holds_words(arrow_type.value_type)
    is_number = types.is_integer(arrow_type) or types.is_floating(arrow_type)
    return bool(_kind_of(arrow_type).is_text or is_number or types.is_boolean(arrow_type))


def encode(column: Any, as_cell: Callable[[Any], str]) -> Sequence[str]:
    """An Arrow column as cells: coded where it can be, else a list.

    ValueError if a value is none that a cell can hold.
    """
    import pyarrow as pa

    if pa.types.is_string_view(column.type):  # which little can be done with
        column = column.cast(pa.large_string())
    kind = _kind_of(column.type)
    if not (kind.is_text or kind.is_coded or kind.is_plain):
        return [as_cell(value) for value in column.to_pylist()]
    if kind.is_text and not column.null_count:
        return _encode_text(column)
    coded = column if kind.is_coded else column.dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = (coded.unify_dictionaries() if kind.is_coded else coded).combine_chunks()
    values = coded.dictionary.to_pylist()
    words = values if kind.is_text else [as_cell(value) for value in values]
    indices = coded.indices
    if indices.null_count:
        words, indices = [*words, ""], indices.fill_null(len(words))
    return Coded.tidy(words, indices.to_numpy(zero_copy_only=False))


def _encode_text(column: Any) -> Coded:
    """The words of an Arrow array of text without nulls, in order of first appearance.

    Like `dictionary_encode`, in a third of the time where there are a million words: their hashes
    are sorted, so that no table is looked into at random. Rows are the same that have 40 bits of
    one hash and 32 of another in common.
    """
    rows = len(column)
    bits = np.uint64(max(rows - 1, 1).bit_length())
    keys, checks = np.empty(rows, np.uint64), np.empty(rows, np.uint32)
    filled = 0
    for text, ends in _characters(column):
        part = slice(filled, filled + len(ends) - 1)
        keys[part], checks[part] = _hash(text, ends)
        filled = part.stop
    keys >>= bits
    keys <<= bits
    keys |= np.arange(rows, dtype=np.uint64)
    keys.sort()
    row = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int32)
    keys >>= bits
    begins = np.concatenate([[True], keys[1:] != keys[:-1]])[:rows]
    del keys
    first = row[begins]
    groups = np.empty(rows, np.int32)
    places = np.cumsum(begins, dtype=np.int32)
    places -= 1
    groups[row] = places
    del row, begins, places
    others = np.flatnonzero(checks != checks[first][groups])  # few, if any
    _, again, own = np.unique(checks[others], return_index=True, return_inverse=True)
    groups[others] = len(first) + own
    first = np.concatenate([first, others[again]])
    order = np.argsort(first)
    codes = np.empty(len(first), np.int32)
    codes[order] = np.arange(len(first), dtype=np.int32)
    return Coded(_at(column, first[order]), codes[groups])


def _at(column: Any, rows: np.ndarray) -> list[str]:
    """The words in some rows, given in order."""
    words: list[str] = []
    before = 0
    for chunk in column.chunks:
        low, high = np.searchsorted(rows, (before, before + len(chunk))).tolist()
        words += chunk.take(rows[low:high] - before).to_pylist()
        before += len(chunk)
    return words


def _characters(column: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Some words at a time: bytes, and where in them each word begins and the last one ends."""
    from pyarrow import types

    kind = np.dtype(np.int64 if types.is_large_string(column.type) else np.int32)
    for chunk in column.chunks:
        _, places, text = chunk.buffers()
        if not len(chunk):
            continue
        ends = np.frombuffer(places, kind, len(chunk) + 1, kind.itemsize * chunk.offset)
        for start in range(0, len(chunk), HASHED):
            yield np.frombuffer(text or b"", np.uint8), ends[start : start + HASHED + 1]


def _hash(text: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two hashes of 64 bits of every word, eight bytes at a time."""
    low, high = int(ends[0]), int(ends[-1])
    padded = np.concatenate([text[low:high], np.zeros(8, np.uint8)])
    eights = np.ndarray(len(padded) - 7, "<u8", padded.data, strides=(1,))
    starts, lengths = ends[:-1] - low, np.diff(ends).astype(np.int64)
    factors = _factors()
    hashes = [lengths.astype(np.uint64) * factor for factor in factors]
    longest, shortest = int(lengths.max(initial=0)), int(lengths.min(initial=0))
    for done in range(0, longest, 8):
        open_words = slice(None) if done < shortest else np.flatnonzero(lengths > done)
        left = np.minimum(lengths[open_words] - done, 8).astype(np.uint64)
        part = eights[starts[open_words] + done]
        part &= np.uint64(2**64 - 1) >> (np.uint64(64) - np.uint64(8) * left)
        for place, factor in enumerate(factors):
            mixed = (hashes[place][open_words] ^ part) * factor
            hashes[place][open_words] = mixed ^ (mixed >> np.uint64(29 + place))
    return hashes[0] * factors[1], (hashes[1] * factors[0]) >> np.uint64(32)


def holds_cells(column: Any) -> bool:
    """Whether the values of a column of JSON were written as `encode` would write them.

    Arrow makes numbers of 3 and 3.0 that cannot be told apart where one of the column is 0.5.
    """
    import pyarrow.compute as pc
    from pyarrow import types

    if types.is_floating(column.type):
        return not pc.any(pc.equal(pc.round(column), column)).as_py()
    return bool(
        types.is_string(column.type)
        or types.is_int64(column.type)
        or types.is_boolean(column.type)
        or types.is_null(column.type)
    )


def gathered(tables: Iterable[Any], most: int = BYTES) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same rows in fewer, larger tables, so that their words are numbered once.

    A table is its number of rows and its columns by name, to be taken out one by one: what nobody
    needs any more is not held here either.
    """
    import pyarrow as pa

    parts: list[Any] = []
    schema, few, rows, held = None, set[str](), 0, 0
    for table in tables:
        if parts and (table.schema != schema or rows >= ROWS or held >= most):
            yield rows, _columns_of(parts)
            rows, held = 0, 0
        if not parts:
            schema, few = table.schema, {one for one in table.column_names if _has_few(table[one])}
        columns = {
            name: table[name].dictionary_encode() if name in few else table[name]
            for name in table.column_names
        }
        parts.append(pa.table(columns))
        rows, held = rows + len(table), held + parts[-1].nbytes
        del table, columns
    if parts:
        yield rows, _columns_of(parts)


def _columns_of(parts: list[Any]) -> dict[str, Any]:
    """The columns of all parts, which are let go."""
    import pyarrow as pa

    whole = pa.concat_tables(parts)
    parts.clear()
    pa.default_memory_pool().release_unused()  # what was read is freed, but not given back
    return dict(zip(whole.column_names, whole.columns, strict=True))


def _has_few(column: Any) -> bool:
    """Whether a column of text repeats few words, as far as its first rows tell."""
    from pyarrow import types

    if not (types.is_string(column.type) or types.is_large_string(column.type)):
        return False
    start = column.slice(0, SAMPLE)
    return len(start.unique()) * 8 < len(start)


# --- files of columns ---


class ArrowFile:
    """A Parquet or Arrow file: its titles, and its cells as text, block by block."""

    def __init__(self, stored: Any, name: str) -> None:
        pyarrow = need_arrow(name)
        self._name = name
        self._stored = stored if stored.seekable() else io.BytesIO(stored.read())
        self._start = self._stored.read(8)
        self._stored.seek(0)
        with _own_errors(name):
            self._read = self._open(pyarrow)

    def _open(self, pyarrow: Any) -> Callable[[Sequence[int], int], Iterator[Any]]:
        if self._start.startswith(COLUMN_MAGIC[0]):
            from pyarrow import parquet

            file = parquet.ParquetFile(self._stored, pre_buffer=False)
            self.titles = _tidy_titles(file.schema_arrow.names)

            def read(places: Sequence[int], rows: int) -> Iterator[Any]:
                names = [file.schema_arrow.names[place] for place in places]
                for batch in file.iter_batches(rows, columns=names):
                    read_names = batch.schema.names
                    yield _chosen(batch, [read_names.index(name) for name in names])

            return read
        if self._start.startswith(COLUMN_MAGIC[1]):
            whole = pyarrow.ipc.open_file(self._stored)
            self.titles = _tidy_titles(whole.schema.names)
            numbers = range(whole.num_record_batches)
            return lambda places, _: (_chosen(whole.get_batch(n), places) for n in numbers)
        self.titles = _tidy_titles(pyarrow.ipc.open_stream(self._stored).schema.names)

        def stream(places: Sequence[int], _: int) -> Iterator[Any]:
            self._stored.seek(0)
            return (_chosen(batch, places) for batch in pyarrow.ipc.open_stream(self._stored))

        return stream

    def blocks(
        self, places: Sequence[int], held: int = BYTES
    ) -> Iterator[tuple[range, list[Sequence[str]]]]:
        """The cells of some columns, by their places: for some rows at a time, with their lines."""
        yield from self._cells(places, gathered(self._tables(places, BATCH), held))

    def _tables(self, places: Sequence[int], rows: int) -> Iterator[Any]:
        """Some rows at a time; columns are called by their places, for titles may come twice."""
        chosen = list(dict.fromkeys(places))
        with _own_errors(self._name):
            for table in self._read(chosen, rows):
                yield table.rename_columns([str(place) for place in chosen])

    def _cells(
        self, places: Sequence[int], tables: Iterable[tuple[int, dict[str, Any]]]
    ) -> Iterator[tuple[range, list[Sequence[str]]]]:
        from jurybox.formats.tables.memory_tables import FIRST_LINE

        line = FIRST_LINE
        for rows, columns in tables:
            cells = [self._column(place, columns.pop(str(place)), line) for place in places]
            yield range(line, line + rows), cells
            line += rows

    def _column(self, place: int, column: Any, line: int) -> Sequence[str]:
        from jurybox.formats.tables.memory_tables import as_cell, fault

        try:
            return encode(column, as_cell)
        except ValueError:
            values = column.to_pylist()
            row = next((row for row, value in enumerate(values) if fault(value)), 0)
            raise FormatError(
                fault(values[row]) or "cannot be read; write text or numbers",
                path=self._name,
                line=line + row,
                column=Column(place + 1, self.titles[place]),
            ) from None

    def text(self) -> Iterator[bytes]:
        """The table as CSV."""
        from jurybox.formats.tables.memory_tables import as_csv

        places = range(len(self.titles))
        tables = self._tables(places, TEXT_ROWS)
        parts = ((len(table), _columns_of([table])) for table in tables)
        return as_csv(self.titles, self._cells(places, parts))


def _tidy_titles(names: Iterable[object]) -> list[str]:
    return [" ".join(str(name).split()) for name in names]


def _chosen(batch: Any, places: Sequence[int]) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches([batch]).select(list(places))


class TableText(io.BufferedReader):
    """A table as the text of a CSV file, for those who read lines; `table` is the table itself."""

    def __init__(self, table: ArrowFile) -> None:
        from jurybox.formats.tables.memory_tables import MadeBytes

        self.table = table
        super().__init__(MadeBytes(table.text()))


# --- text ---


def parse_csv(data: bytes, lines: int, delimiter: str, width: int, places: Sequence[int]) -> Any:
    r"""The columns at these places of whole lines, as an Arrow table; None where anything is odd.

    >>> parse_csv(b"c1,Ann,ok\nc2,Ann,error\n", 2, ",", 3, [0, 2]).to_pydict()
    {'0': ['c1', 'c2'], '2': ['ok', 'error']}
    >>> parse_csv(b"c1,Ann,ok\n\n", 2, ",", 3, [0]) is None
    True
    """
    has_quotes = b'"' in data
    # where a table has one column, a line of blanks is no row
    if (
        width < 2
        or not is_plain_text(data)
        or (has_quotes and not are_quotes_right(data, delimiter))
    ):
        return None
    from pyarrow import ArrowInvalid, BufferReader, csv, string

    names = [str(place) for place in range(width)]
    chosen = [str(place) for place in places]
    try:
        table = csv.read_csv(
            BufferReader(data),
            csv.ReadOptions(column_names=names, block_size=1 << 22),
            csv.ParseOptions(delimiter=delimiter, newlines_in_values=has_quotes),
            csv.ConvertOptions(
                include_columns=chosen,
                column_types=dict.fromkeys(chosen, string()),
                strings_can_be_null=False,
                check_utf8=False,
            ),
        )
    except ArrowInvalid:
        return None
    return table if len(table) == lines else None


def is_plain_text(data: bytes) -> bool:
    """Whether bytes are UTF-8 without a lone CR."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return False
    try:
        return data.isascii() or data.decode() is not None
    except UnicodeDecodeError:
        return False


def are_quotes_right(data: bytes, delimiter: str) -> bool:
    r"""Whether quotes stand around whole cells only, doubled inside them.

    >>> are_quotes_right(b'"a","b ""c"" d",e\n', ","), are_quotes_right(b'a"b",c\n', ",")
    (True, False)
    """
    text = np.frombuffer(b"\n" + data + b"\n", np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    if len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    return _ends_cell(text[opening - 1], f'"\n{delimiter}') and _ends_cell(
        text[closing + 1], f'"\r\n{delimiter}'
    )


def _ends_cell(signs: np.ndarray, allowed: str) -> bool:
    ends = np.zeros(256, bool)
    ends[list(allowed.encode())] = True
    return bool(ends[signs].all())


def parse_objects(data: bytes, lines: int, example: dict[str, Any]) -> Any:
    """Lines of JSON objects as an Arrow table with a column for every key; None if any is odd.

    `example` is an object with the keys that matter: their values have the same types everywhere.
    """
    # no JSON holds these signs but between two objects: then every line is an object of its own
    if data.count(b"}\n{") != lines - 1 or not is_plain_text(data) or data[:1] != b"{":
        return None
    import pyarrow as pa
    from pyarrow import json

    types = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    known = [(key, types.get(type(value))) for key, value in example.items()]
    schema = pa.schema([(key, found) for key, found in known if found is not None])
    try:
        table = json.read_json(
            pa.BufferReader(data),
            json.ReadOptions(block_size=1 << 22),
            json.ParseOptions(explicit_schema=schema),
        )
    except pa.ArrowInvalid:
        return None
    return table if len(table) == lines else None


# --- object stores ---


def open_url(url: str) -> io.BufferedReader:
    """The bytes behind a URL (s3://, gs://, file://); OSError as for files."""
    need_arrow(url)
    from pyarrow import fs

    system, path = fs.FileSystem.from_uri(url)
    return io.BufferedReader(_Seekable(system.open_input_file(path)))


def list_url(url: str) -> list[str]:
    """The URLs of the tables in a folder, or of the files that match a pattern."""
    need_arrow(url)
    from fnmatch import fnmatch

    from pyarrow import fs

    signs = [place for sign in "*?[" if (place := url.find(sign)) >= 0]
    folder = url[: url.rindex("/", 0, min(signs))] if signs else url.rstrip("/")
    system, path = fs.FileSystem.from_uri(folder)
    chosen = fs.FileSelector(path, recursive=True, allow_not_found=True)
    files = [one.path for one in system.get_file_info(chosen) if one.type == fs.FileType.File]
    found = [f"{folder}/{file[len(path) :].lstrip('/')}" for file in files]
    if signs:
        return [one for one in found if fnmatch(one, url) and one.count("/") == url.count("/")]
    return [one for one in found if is_table_file(one[len(folder) + 1 :])]


class _Seekable(io.RawIOBase):
    """A file of pyarrow's as Python's own readers want it."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._file.seek(offset, whence)
        return int(self._file.tell())

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()
