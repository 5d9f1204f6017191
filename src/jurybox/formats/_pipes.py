"""What lies below a source of bytes: pipes that can be read once, and compression."""

from __future__ import annotations

import io
import os
import stat
import sys
from typing import Any, BinaryIO, cast

from jurybox.errors import InputError

GZIP_MAGIC = b"\x1f\x8b"
XZ_MAGIC = b"\xfd7zXZ\x00"
STDIN = "<stdin>"


class HashedPipe(io.RawIOBase):
    """The bytes of a pipe, hashed as they pass.

    The first read waits until there are enough bytes to tell the compression.
    """

    def __init__(self, pipe: BinaryIO) -> None:
        from hashlib import sha256

        self._source = pipe
        self._sha256 = sha256()
        self._started = False
        self.ended = False

    @property
    def digest(self) -> str:
        return self._sha256.hexdigest()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._started:
            data = cast("io.BufferedReader", self._source).read1(len(buffer))
        else:
            data = read_up_to(self._source, len(XZ_MAGIC))
            self._started = True
        self.ended = not data
        self._sha256.update(data)
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


def decompressed(stored: io.BufferedReader) -> BinaryIO:
    """The bytes behind gzip or xz, told by the first of them; others as they are."""
    magic = stored.peek(len(XZ_MAGIC))
    if magic.startswith(GZIP_MAGIC):
        import gzip

        return cast("BinaryIO", gzip.GzipFile(fileobj=stored))
    if magic.startswith(XZ_MAGIC):
        import lzma

        return cast("BinaryIO", lzma.LZMAFile(stored))
    return stored


def decompression_errors() -> tuple[type[Exception], ...]:
    """What the decompressors raise."""
    import gzip
    import lzma
    import zlib

    return (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)
