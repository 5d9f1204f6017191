"""Zips: a report that was packed, or doccano's one file per user."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib

from jurybox.errors import Column, FormatError
from jurybox.formats._io import Input
from jurybox.formats._table_faults import find_stray_title

ZIP_MAGIC = b"PK\x03\x04"
#: a packed file that unpacks to more than this is not held in memory
MOST_BYTES = 1 << 30


def is_zip(given: Input) -> bool:
    return given.peek(len(ZIP_MAGIC)) == ZIP_MAGIC


def unpack(given: Input) -> list[tuple[str, Input]]:
    """(stem of its name, file) of every file in a zip, held in memory."""
    data = b"".join(given.keep().whole_lines())
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = [each for each in packed.infolist() if _is_file(each)]
            if sum(each.file_size for each in members) > MOST_BYTES:
                raise FormatError("unpacks to more than 1 GB; unpack it first", path=given.name)
            files = [_unpacked(given, each.filename, packed.read(each)) for each in members]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise FormatError(
            f"the zip is broken or cut off ({error}); download it again", path=given.name
        ) from None
    if not files:
        raise FormatError("the zip is empty; download it again", path=given.name)
    return files


def _is_file(member: zipfile.ZipInfo) -> bool:
    base = posixpath.basename(member.filename)
    return bool(base) and not base.startswith(".") and "__MACOSX" not in member.filename


def _not_utf8(name: str, data: bytes, place: int) -> FormatError:
    before, line = data[:place].rpartition(b"\n")[::2], data.count(b"\n", 0, place) + 1
    text = data[len(before[0]) + bool(before[0]) :].partition(b"\n")[0]
    message, column = find_stray_title(text.decode(errors="surrogateescape")) or ("", Column(1))
    if data.lstrip().startswith((b"{", b"[")):  # where a column is a character
        column = Column(column.character)
    return FormatError(f"{message} (unpack it first)", path=name, line=line, column=column)


def _unpacked(given: Input, member: str, data: bytes) -> tuple[str, Input]:
    name = f"{given.name}/{member}"
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(name, data, error.start) from None
    return posixpath.splitext(posixpath.basename(member))[0], Input.from_text(text, name)
