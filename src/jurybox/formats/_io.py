r"""Where bytes come from and where text goes: files, pipes, standard input and output, memory.

Rules (docs/formats.md): UTF-8 only; a byte order mark and CRLF are accepted; a line ends at "\n"
and nowhere else, so that a lone "\r", U+0085 or U+2028 inside a sentence cannot shift the lines of
parallel files; compression is detected from the first bytes, not the name; whatever goes wrong
becomes one of our own errors that names the file and, where there is one, the line. A file that is
written appears whole or not at all.

Paths are taken apart with os.path where files are read: importing pathlib takes a fiftieth of the
time in which a test set is scored.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol, TextIO, TypeAlias, cast

from jurybox.errors import Column, FormatError, InputError, TableName, name_place

if TYPE_CHECKING:
    from pathlib import Path


BLOCK = 1 << 18
PEEK = 1 << 16
BOM = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
MEMORY = "<memory>"
STDIN = "<stdin>"
GZIP_MAGIC = b"\x1f\x8b"
XZ_MAGIC = b"\xfd7zXZ\x00"
#: how files begin that hold columns, not text: Parquet, Arrow, a stream of Arrow
COLUMN_MAGIC = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
#: endings of names of such files
COLUMN_ENDINGS = (".parquet", ".pq", ".arrow", ".arrows", ".feather", ".ipc")
#: endings of files with tables, as they are looked for in a folder
TABLE_ENDINGS = (".csv", ".tsv", ".jsonl", *COLUMN_ENDINGS)
#: how the places of object stores begin, and that of files in the same form
URLS = ("s3://", "gs://", "gcs://", "abfs://", "abfss://", "hdfs://", "file://")


class BadLines:
    """The malformed lines of one source: the first `shown` are reported, the others are counted.

    A column is a Column, or the field of ours that it serves: whoever reads the header of a table
    says which columns there are.

    >>> bad = BadLines("batch.csv")
    >>> bad.know(["HITId", "Answer.Q1"], {"case": 0, "label": 1})
    >>> bad.add(3, "empty", "label"); bad.add(4, "empty", "label")
    >>> bad.raise_first()
    Traceback (most recent call last):
    jurybox.errors.FormatError: batch.csv:3, column 2 (Answer.Q1): empty (and 1 more bad line in \
this file)
    """

    def __init__(self, name: str, shown: int = 1) -> None:
        self.name = name
        self.count = 0
        self.titles: Sequence[str] = ()
        self.columns: dict[str, Column] = {}  # our field -> the column, or the key, that serves it
        self._shown = shown
        self._reported: list[tuple[str, tuple[str, int | None, Column | None]]] = []

    def know(self, titles: Sequence[str], places: dict[str, int]) -> None:
        """The titles of the table, and the places of our fields among them, from 0."""
        self.titles = titles
        self.columns = {field: self.column(place + 1) for field, place in places.items()}

    def column(self, number: int, character: int = 0) -> Column:
        """A column by its number from 1, with its title if it has one."""
        title = self.titles[number - 1] if number <= len(self.titles) else ""
        return Column(number, title, character)

    def add(self, line: int | None, message: str, column: Column | str | None = None) -> None:
        """Complain of a line; without a message it is only counted."""
        self.count += 1
        if message and len(self._reported) < self._shown:
            if isinstance(column, str):
                column = self.columns.get(column, Column(title=column))
            self._reported.append((message, (self.name, line, column)))

    def raise_first(self) -> None:
        if self._reported:
            (first, (path, line, column)), *others = self._reported
            texts = [first, *(f"{name_place(*place)}: {text}" for text, place in others)]
            more = self.count - len(self._reported)
            raise FormatError("\n  ".join(texts), path=path, line=line, column=column, more=more)


class Input:
    r"""A named source of bytes: a path, `-` for standard input, or text in memory.

    Files are opened when they are read, as often as asked; standard input and other pipes can be
    read once (`rewindable` is false), unless `keep` was called before.

    >>> list(Input.from_text("one\r\ntwo\n").lines())
    [(1, 'one'), (2, 'two')]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.name = STDIN if self.path == "-" else self.path
        if self.path.lower().endswith(COLUMN_ENDINGS):
            self.name = TableName(self.path)  # messages name rows: it has no lines
        self._data: bytes | None = None  # what is held in memory
        self._pipe: HashedPipe | None = None  # the stored bytes of what can be read once
        self._unread: BinaryIO | None = None  # the same, decompressed, behind `_head`
        self._head = b""
        self._digest: str | None = None

    @classmethod
    def from_text(cls, text: str, name: str = MEMORY) -> Input:
        """Text in memory, read like a file of that content."""
        source = cls(name)
        source.name = name
        try:
            source._data = text.encode()
        except UnicodeEncodeError as error:
            what = f"U+{ord(text[error.start]):04X} is half a character"
            line = text.count("\n", 0, error.start) + 1
            raise source.error(f"{what}; decode the text as UTF-8", line) from None
        return source

    @classmethod
    def from_lines(cls, lines: Iterable[str], name: str = MEMORY) -> Input:
        """Lines in memory, given without their line ends."""
        given = list(lines)
        for number, line in enumerate(given, 1):
            if "\n" in line:
                message = "a line break inside a line; pass one sentence per item"
                raise FormatError(message, path=name, line=number)
        return cls.from_text("".join(f"{line}\n" for line in given), name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.name)!r})"

    def error(
        self, message: str, line: int | None = None, column: Column | None = None
    ) -> FormatError:
        """The error for what is wrong with this source."""
        return FormatError(message, path=self.name, line=line, column=column)

    def refuse_empty(self) -> FormatError:
        hint = "; was '-' given twice, or nothing piped in?" if self.name == STDIN else ""
        return self.error(f"is empty{hint}")

    @property
    def stem(self) -> str:
        """The file's name without folder, compression and last extension.

        >>> Input("gold/A1.m2.gz").stem, Input("-").stem
        ('A1', 'stdin')
        """
        if self.name.startswith("<"):
            return self.name.strip("<>")
        name = os.path.basename(self.path)  # noqa: PTH119  start-up, see above
        for ending in (".gz", ".xz"):
            name = name.removesuffix(ending) or name
        return os.path.splitext(name)[0] or self.path  # noqa: PTH122  start-up, see above

    @property
    def rewindable(self) -> bool:
        """Whether the source can be read more than once."""
        return self._data is not None or (self.path != "-" and not is_pipe(self.path))

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes as stored, as sha256sum prints it.

        A pipe is hashed while it is read, so its digest exists once it was read to its end.
        """
        if self._digest is None and not self.rewindable:
            if self._pipe is None or not self._pipe.ended:
                raise InputError(f"{self.name}: has no digest before it was read to its end")
            self._digest = self._pipe.sha256.hexdigest()
        elif self._digest is None:
            from hashlib import file_digest

            with self._own_errors(), self._open_stored() as stored:
                self._digest = file_digest(stored, "sha256").hexdigest()
        return self._digest

    def keep(self) -> Input:
        """Make a pipe readable more than once by holding its text in memory."""
        if not self.rewindable:
            with self._own_errors():
                data = b"".join(self._blocks())
            self._digest = self.sha256
            self._data = data
        return self

    def peek(self, size: int = PEEK) -> bytes:
        """The first bytes, decompressed, without consuming them."""
        with self._own_errors(), ExitStack() as stack:
            if self.rewindable:
                return read_up_to(self._open(stack), size)
            stream = self._open_pipe()
            self._head += read_up_to(stream, size - len(self._head))
            return self._head[:size]

    def head(self, size: int = PEEK) -> str:
        """The first characters, without a byte order mark; what is not UTF-8 is replaced."""
        return self.peek(size).removeprefix(BOM).decode(errors="replace")

    def lines(self, bad: BadLines | None = None) -> Iterator[tuple[int, str]]:
        """(number from 1, text without line end) of every line.

        Lines that are not UTF-8 go to `bad` and are left out; without `bad` reading ends before
        the first of them with an error that counts the others.
        """
        complaints = BadLines(self.name) if bad is None else bad
        number = offset = 0
        for stored in self.whole_lines():
            chunk = stored.removeprefix(BOM) if not offset else stored
            offset += len(stored) - len(chunk)
            try:
                texts = chunk.replace(b"\r\n", b"\n").decode().split("\n")
            except UnicodeDecodeError:
                for text in decode_one_by_one(chunk, number, offset, complaints):
                    number += 1
                    if text is not None and (bad is not None or not complaints.count):
                        yield number, text
            else:
                if not texts[-1]:
                    texts.pop()  # the last line end opens no further line
                if bad is not None or not complaints.count:
                    yield from enumerate(texts, number + 1)
                number += len(texts)
            offset += len(chunk)
        if not number:
            raise self.refuse_empty()
        if bad is None:
            complaints.raise_first()

    def whole_lines(self) -> Iterator[bytes]:
        """The bytes in pieces that end at a line end (the last one perhaps not)."""
        pending: list[bytes] = []
        lines_so_far = 0
        blocks = self._blocks()
        while True:
            with self._own_errors(lines_so_far):
                block = next(blocks, b"")
            if not block:
                break
            cut = block.rfind(b"\n") + 1
            pending.append(block[:cut] if cut else block)
            if cut:
                whole = b"".join(pending)
                pending = [block[cut:]]
                lines_so_far += whole.count(b"\n")
                yield whole
        if rest := b"".join(pending):
            yield rest

    @contextmanager
    def as_table(self) -> Iterator[StoredTable | None]:
        """The table, where one is stored in columns (Parquet, Arrow); None where there is text."""
        with ExitStack() as stack:
            stream: BinaryIO | None = None
            with self._own_errors():
                if self.rewindable:
                    stream = self._open(stack)
                elif self._pipe is None or self._unread is not None:
                    stream = self._open_pipe()
            yield getattr(stream, "table", None)

    def _blocks(self) -> Iterator[bytes]:
        with ExitStack() as stack:
            if self.rewindable:
                stream = self._open(stack)
            elif self._unread is None and self._pipe is not None:
                raise InputError(
                    f"{self.name}: can be read only once; save it to a file and name that file"
                )
            else:
                stream = stack.enter_context(self._open_pipe())
                self._unread = None
                if self._head:
                    yield self._head
            while block := cast("io.BufferedReader", stream).read1(BLOCK):
                yield block

    def _open(self, stack: ExitStack) -> BinaryIO:
        stored = stack.enter_context(self._open_stored())
        return stack.enter_context(decompressed(stored, self.name))

    def _open_stored(self) -> io.BufferedReader:
        if self._data is not None:
            # BufferedReader gives bytes in memory the `peek` that files have
            return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(self._data)))
        if self.path.startswith(URLS):
            from jurybox.formats.tables.arrow_tables import open_url

            return open_url(self.path)
        return open(self.path, "rb")  # noqa: PTH123  closed by the caller's stack

    def _open_pipe(self) -> BinaryIO:
        if self._pipe is None:
            self._pipe = HashedPipe(open_once(self.path))
            self._unread = decompressed(io.BufferedReader(self._pipe), self.name)
        if self._unread is None:
            raise InputError(f"{self.name}: was read already and can be read only once")
        return self._unread

    @contextmanager
    def _own_errors(self, lines_so_far: int = 0) -> Iterator[None]:
        """Turn what the operating system and the decompressors raise into our own errors."""
        try:
            yield
        except InputError:
            raise
        except FileNotFoundError:
            near = "" if self.path.startswith(URLS) else _near_name(self.path)
            raise InputError(f"{self.name}: no such file{near}") from None
        except IsADirectoryError:
            raise InputError(f"{self.name}: is a folder; name a file in it") from None
        except PermissionError:
            raise InputError(f"{self.name}: may not be read; check its permissions") from None
        except Exception as error:
            import gzip
            import lzma
            import zlib

            if isinstance(error, EOFError | gzip.BadGzipFile | lzma.LZMAError | zlib.error):
                raise self.error(
                    f"the compressed data is broken or cut off here ({error}); "
                    "copy or compress the file again",
                    lines_so_far + 1,
                ) from None
            if isinstance(error, OSError | ValueError):
                raise InputError(f"{self.name}: cannot be read ({error})") from None
            raise


class StoredTable(Protocol):
    """A table of columns: its titles, and its cells."""

    @property
    def titles(self) -> list[str]: ...

    def blocks(
        self, places: Sequence[int], held: int = ...
    ) -> Iterator[tuple[range, list[Sequence[str]]]]:
        """The cells of some columns, by their places: for some rows at a time, with their lines."""


class Frame(Protocol):
    """A table in memory with titles: a DataFrame of pandas or Polars, an Arrow table."""

    @property
    def columns(self) -> Any: ...

    def __len__(self) -> int: ...


File: TypeAlias = Input | str | os.PathLike[str]
#: a row of a table without titles
Row: TypeAlias = tuple[Any, ...]
#: a file, or a table in memory: a frame, a list of dicts, a dict of columns
Source: TypeAlias = File | Frame | Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Any]]


def as_input(source: Source, name: str = "table") -> Input:
    """An Input as it is; a string or path (`-` is standard input), or a table, as an Input.

    `name` is what messages call a table in memory.
    """
    if isinstance(source, Input):
        return source
    if isinstance(source, str | os.PathLike):
        return Input(source)
    from jurybox.formats.tables.memory_tables import MemoryTable

    return MemoryTable(source, name)


def as_inputs(
    given: Source | Iterable[Source] | Iterable[Row],
    name: str = "table",
    titles: Sequence[str] = (),
) -> list[Input]:
    """One source or several. Rows without titles are a table if `titles` says what they hold.

    Where tables are read (`titles`), a folder stands for the tables in it, and a pattern as
    `judgments/*.parquet` for the files that match it, in the order of their names.

    >>> [source.name for source in as_inputs(["a.csv", {"case": ["c1"]}], "cases")]
    ['a.csv', 'cases (dict)']
    """
    if isinstance(given, Input | str | os.PathLike):
        given = [given]
    if isinstance(given, list | tuple) and all(
        isinstance(one, str | os.PathLike | Input) for one in given
    ):  # without loading what is for tables
        found = map(_files_of, given) if titles else ([one] for one in given)
        return [as_input(one) for files in found for one in files]
    from jurybox.formats.tables.memory_tables import MemoryTable, is_table

    if is_table(given, titles):
        return [MemoryTable(given, name, titles)]
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        return [MemoryTable(given, name)]  # complains
    return [as_input(cast("Source", one), name) for one in given]


def _files_of(given: File) -> list[File]:
    """The files that a folder or a pattern stands for; any other file as it is."""
    path = "" if isinstance(given, Input) else os.fspath(given)
    is_url = path.startswith(URLS)
    is_pattern = any(sign in path for sign in "*?[") and not os.path.exists(path)  # noqa: PTH110
    if is_url and (is_pattern or path.endswith("/")):
        from jurybox.formats.tables.arrow_tables import list_url

        found = list_url(path)
    elif is_pattern:
        from glob import glob

        found = [one for one in glob(path, recursive=True) if not os.path.isdir(one)]  # noqa: PTH112,PTH207
    elif path and os.path.isdir(path):  # noqa: PTH112  start-up, see above
        inside = [os.path.join(folder, one) for folder, _, names in os.walk(path) for one in names]  # noqa: PTH118
        found = [one for one in inside if is_table_file(os.path.relpath(one, path))]
        if not found:
            endings = ", ".join(TABLE_ENDINGS)
            raise InputError(f"{path}: the folder holds no table; their names end in {endings}")
    else:
        return [given]
    if not found:
        raise InputError(
            f"{path}: no file matches; check the pattern, and the folder it begins with"
        )
    return [*sorted(found)]


def is_table_file(path: str) -> bool:
    """Whether a file in a folder is a table by its name; hidden ones, and those of tools, are not.

    >>> [is_table_file(path) for path in ("a.CSV.gz", "day=1/p.parquet", "_SUCCESS", ".x/a.csv")]
    [True, True, False, False]
    """
    name = path.lower().removesuffix(".gz").removesuffix(".xz")
    parts = path.replace(os.sep, "/").split("/")
    return name.endswith(TABLE_ENDINGS) and not any(one.startswith((".", "_")) for one in parts)


def is_text(text: str) -> bool:
    """Whether text can be written as UTF-8: it holds no half character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_whole_number(text: str) -> bool:
    """Whether text is a plain number of at most 18 digits.

    int() alone would also take "1_0" and "٣", and has an error of its own for 5,000 digits.
    """
    return text.isdecimal() and text.isascii() and len(text) < 19


def decode_one_by_one(
    chunk: bytes, number: int, offset: int, bad: BadLines
) -> Iterator[str | None]:
    start = 0
    for index, line in enumerate(io.BytesIO(chunk), 1):
        try:
            yield line.removesuffix(b"\r\n").removesuffix(b"\n").decode()
        except UnicodeDecodeError as error:
            byte = start + error.start
            encoding = "UTF-16" if not offset and chunk.startswith(UTF16_MARKS) else "LATIN1"
            bad.add(
                number + index,
                f"byte {offset + byte} of the file (0x{chunk[byte]:02x}) is not UTF-8; "
                f"convert the file, for example with iconv -f {encoding} -t UTF-8",
            )
            yield None
        start += len(line)


def _near_name(path: str) -> str:
    from difflib import get_close_matches
    from pathlib import Path

    folder = Path(path).parent
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return f"; the folder '{folder}' does not exist either"
    near = get_close_matches(Path(path).name, names, n=1)
    return f"; did you mean '{folder / near[0]}'?" if near else ""


class HashedPipe(io.RawIOBase):
    """The bytes of a pipe, hashed as they pass.

    The first read waits until there are enough bytes to tell the compression.
    """

    def __init__(self, pipe: BinaryIO) -> None:
        from hashlib import sha256

        self._source = pipe
        self.sha256 = sha256()
        self._started = False
        self.ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._started:
            data = cast("io.BufferedReader", self._source).read1(len(buffer))
        else:
            data = read_up_to(self._source, len(XZ_MAGIC))
            self._started = True
        self.ended = not data
        self.sha256.update(data)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if self._source is not getattr(sys.stdin, "buffer", None):
            self._source.close()
        super().close()


def is_pipe(path: str) -> bool:
    """Whether a path can be read only once."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  a path may hold what Path refuses
    except (OSError, ValueError):
        return False  # opening it will say what is wrong
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def open_once(path: str) -> BinaryIO:
    """The stored bytes of a pipe; `-` is standard input."""
    if path != "-":
        return open(path, "rb")  # noqa: PTH123  closed by the pipe that reads it
    if sys.stdin is None:
        raise InputError(f"{STDIN}: there is no standard input here; name a file")
    if hasattr(sys.stdin, "buffer"):
        return sys.stdin.buffer
    return io.BytesIO(sys.stdin.read().encode())  # a notebook's or a test's stand-in


def read_up_to(stream: BinaryIO, size: int) -> bytes:
    """As many bytes, or fewer where the stream ends before."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def decompressed(stored: io.BufferedReader, name: str = "") -> BinaryIO:
    """The bytes inside gzip or xz, detected from the first bytes; others as they are.

    Tables that are stored in columns are given as CSV.
    """
    magic = stored.peek(len(XZ_MAGIC))
    if magic.startswith(GZIP_MAGIC):
        import gzip

        return cast("BinaryIO", gzip.GzipFile(fileobj=stored))
    if magic.startswith(XZ_MAGIC):
        import lzma

        return cast("BinaryIO", lzma.LZMAFile(stored))
    if magic.startswith(COLUMN_MAGIC):
        from jurybox.formats.tables.arrow_tables import ArrowFile, TableText

        return TableText(ArrowFile(stored, name))
    return stored


class _Finished(NamedTuple):
    """A file that is written and not yet in its place."""

    draft: Path
    place: Path
    target: str  # what the user calls it

    def put_in_place(self) -> None:
        if self.place.exists():
            self.draft.chmod(stat.S_IMODE(self.place.stat().st_mode))
        self.draft.replace(self.place)


#: where finished files wait inside `written_together`
_WAITING: ContextVar[list[_Finished] | None] = ContextVar("waiting", default=None)


@contextmanager
def written_together() -> Iterator[None]:
    """Files written inside appear when all of them are finished, and none of them otherwise.

    >>> from os import listdir
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with written_together():
    ...         for name in ("table.txt", "figure.svg"):
    ...             with writing(f"{folder}/{name}") as out:
    ...                 _ = out.write("done")
    ...         seen_before = [name for name in listdir(folder) if not name.startswith(".")]
    ...     seen_before, sorted(listdir(folder))
    ([], ['figure.svg', 'table.txt'])
    """
    waiting: list[_Finished] = []
    token = _WAITING.set(waiting)
    try:
        yield
        for finished in waiting:
            with _writing_errors(finished):
                finished.put_in_place()
    finally:
        _WAITING.reset(token)
        for finished in waiting:
            finished.draft.unlink(missing_ok=True)


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    r"""A handle for UTF-8 text with "\n" line ends; `-` is standard output, .gz and .xz compress.

    A file appears whole or not at all: it is written beside its place and moved there at the end,
    and taken away again if anything fails.
    """
    target = os.fspath(path)
    if target == "-":
        with _standard_output() as out:
            yield out
        return
    from pathlib import Path

    place = Path(target).resolve()
    if is_pipe(target):  # also /dev/null, which must not be replaced by a file
        with place.open("w", encoding="utf-8", newline="\n") as out:
            yield out
        return
    if place.is_dir():
        raise InputError(f"{target}: is a folder; name a file in it")
    waiting = _WAITING.get()
    number = f"{os.getpid()}.{len(waiting)}" if waiting else f"{os.getpid()}"
    finished = _Finished(place.with_name(f".{place.name}.{number}.part"), place, target)
    kept = False
    try:
        with _writing_errors(finished):
            with ExitStack() as stack:
                yield _open_draft(finished.draft, place.suffix, stack)
            if waiting is None:
                finished.put_in_place()
            else:
                waiting.append(finished)
                kept = True
    finally:
        if not kept:
            finished.draft.unlink(missing_ok=True)


@contextmanager
def _writing_errors(finished: _Finished) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        ours = (None, str(finished.draft))
        if isinstance(error, BrokenPipeError) or error.filename not in ours:
            raise  # about another file or pipe that the caller uses meanwhile
        reason = error.strerror or str(error)
        message = f"{finished.target}: cannot be written ({reason}); name another place"
        raise InputError(message) from None


def _open_draft(path: Path, suffix: str, stack: ExitStack) -> TextIO:
    plain = stack.enter_context(path.open("wb"))
    stored: Any = plain
    if suffix == ".gz":
        import gzip

        # no name and no time inside: the same text gives the same bytes
        stored = stack.enter_context(gzip.GzipFile("", "wb", fileobj=plain, mtime=0))
    elif suffix == ".xz":
        import lzma

        stored = lzma.LZMAFile(plain, "wb")  # noqa: SIM115  closed by the stack, next line
        stack.callback(stored.close)
    return stack.enter_context(io.TextIOWrapper(stored, encoding="utf-8", newline="\n"))


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    if sys.stdout is None:
        raise InputError("standard output is closed; write to a file with -o FILE")
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        yield sys.stdout
        return
    sys.stdout.flush()
    out = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
    try:
        yield out
    finally:
        out.flush()
        out.detach()
