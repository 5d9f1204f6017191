"""Where text goes: a file that appears whole or not at all, standard output, .gz, .xz."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from jurybox.errors import InputError
from jurybox.formats._io import is_pipe

if TYPE_CHECKING:
    from pathlib import Path


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
    draft = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with ExitStack() as stack:
            yield _open_draft(draft, place.suffix, stack)
        if place.exists():
            draft.chmod(stat.S_IMODE(place.stat().st_mode))
        draft.replace(place)
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.filename not in (None, str(draft)):
            raise  # about another file or pipe that the caller uses meanwhile
        reason = error.strerror or str(error)
        raise InputError(f"{target}: cannot be written ({reason}); name another place") from None
    finally:
        draft.unlink(missing_ok=True)


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
