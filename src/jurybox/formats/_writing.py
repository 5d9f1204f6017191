"""Where text goes: a file that appears whole or not at all, standard output, .gz, .xz."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from jurybox.errors import InputError
from jurybox.formats._pipes import is_pipe

if TYPE_CHECKING:
    from pathlib import Path


class _Finished(NamedTuple):
    """A file that is written and not yet in its place."""

    draft: Path
    place: Path
    target: str  # what the user calls it


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
            with _own_errors(finished):
                _put_in_place(finished)
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
        with _own_errors(finished):
            with ExitStack() as stack:
                yield _open_draft(finished.draft, place.suffix, stack)
            if waiting is None:
                _put_in_place(finished)
            else:
                waiting.append(finished)
                kept = True
    finally:
        if not kept:
            finished.draft.unlink(missing_ok=True)


def _put_in_place(finished: _Finished) -> None:
    if finished.place.exists():
        finished.draft.chmod(stat.S_IMODE(finished.place.stat().st_mode))
    finished.draft.replace(finished.place)


@contextmanager
def _own_errors(finished: _Finished) -> Iterator[None]:
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
