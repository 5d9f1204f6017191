"""Where the files of test sets come from: an address, or a copy on disk; archives are looked into.

Nothing of an archive is unpacked to a place that the archive names: files are read out of it one by
one, under names of ours.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.error import HTTPError, URLError

from jurybox.data.result import DataFile, DataSet
from jurybox.errors import InputError

if TYPE_CHECKING:
    from jurybox.data import Watch

#: the largest archive or file that is taken
MOST = 300_000_000
SECONDS = 30
PIECE = 1 << 16
#: what archives that are cut off or damaged raise
BROKEN = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error)


class Held(NamedTuple):
    """Files by name, with their sizes, read when they are asked for."""

    sizes: Mapping[str, int]
    read: Callable[[str], bytes]
    where: str


def open_copy(path: Path) -> Held:
    """A file, an archive or a folder that the user has."""
    if path.is_dir():
        files = [one for one in sorted(path.rglob("*")) if one.is_file()]
        names = dict.fromkeys((str(one.relative_to(path)) for one in files), 0)  # any size will do
        return Held(names, lambda name: (path / name).read_bytes(), str(path))
    try:
        return _look_into(path.read_bytes(), path.name, str(path))
    except OSError as error:
        raise InputError(f"--from {path}: cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise InputError(f"--from {error}; load it again") from None


def open_address(found: DataSet, file: DataFile, watch: Watch | None) -> Held:
    """Load from the first address that answers."""
    failures = []
    for address in file.addresses:
        try:
            name = PurePosixPath(address.partition("?")[0]).name
            return _look_into(load(address, watch), name, address)
        except (OSError, ValueError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(error, HTTPError):
                reason = f"the server says {error.code}"
            failures.append(f"{address} ({reason})")
    raise InputError(
        f"{found.name}: cannot be downloaded from {' or '.join(failures)}; download it with a "
        f"browser, and name the file: jurybox data get {found.name} --from FILE"
    )


def load(address: str, watch: Watch | None = None) -> bytes:
    """What is found at an address."""
    from urllib.request import Request, urlopen

    from jurybox._version import __version__

    if not address.startswith(("https://", "http://127.0.0.1:")):
        raise ValueError("not an https address")
    request = Request(address, headers={"User-Agent": f"jurybox/{__version__}"})
    out = io.BytesIO()
    with urlopen(request, timeout=SECONDS) as answer:
        while piece := answer.read(PIECE):
            out.write(piece)
            if out.tell() > MOST:
                raise ValueError(f"larger than {MOST // 1_000_000} MB")
            if watch is not None:
                watch(len(piece) / 1e6, "MB")
        promised = answer.headers.get("Content-Length", "")
    if promised.isdecimal() and int(promised) != out.tell():
        raise ValueError(f"cut off after {out.tell()} of {promised} bytes")
    return out.getvalue()


def look_in(held: Held, file: DataFile, where: str) -> tuple[bytes, str]:
    """The file among what is held: by its path, its name, or the checksum; and where it was."""
    by_path = [name for name in held.sizes if file.member and name == file.member]
    endings = {PurePosixPath(file.member or "").name, file.name} - {""}
    by_name = [name for name in held.sizes if PurePosixPath(name).name in endings]
    for name in (*by_path, *by_name):
        content = _read(held, name, where)
        if not file.sha256 or sha256(content).hexdigest() == file.sha256:
            return content, held.where
    if file.sha256:
        for name in held.sizes:
            content = _read(held, name, where)
            if sha256(content).hexdigest() == file.sha256:
                return content, held.where
    if by_name:
        raise InputError(
            f"{where}: {by_name[0]} is not the file that is meant: its SHA-256 is not "
            f"{(file.sha256 or '')[:12]}…; it is another version, or was changed"
        )
    raise InputError(f"{where}: holds no {file.name}; is it the right file?")


def _read(held: Held, name: str, where: str) -> bytes:
    """One of the files; archives may turn out to be damaged or locked only now."""
    try:
        if held.sizes[name] > MOST:
            raise ValueError(f"{name} is larger than {MOST // 1_000_000} MB")
        return held.read(name)
    except (*BROKEN, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"{where}: {name} cannot be read ({error}); load it again") from None


def _look_into(content: bytes, name: str, where: str) -> Held:
    """An archive's files, or the one file that it is."""
    file = io.BytesIO(content)
    try:
        if zipfile.is_zipfile(file):
            packed = zipfile.ZipFile(file)
            sizes = {one.filename: one.file_size for one in packed.infolist()}
            return Held(sizes, packed.read, where)
        file.seek(0)
        if name.endswith((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")):
            tar = tarfile.open(fileobj=file)  # noqa: SIM115  closed with the bytes it reads
            sizes = {one.name: one.size for one in tar.getmembers() if one.isfile()}
            return Held(sizes, lambda one: tar.extractfile(one).read(), where)  # type: ignore[union-attr]  # it is a file
    except BROKEN as error:
        raise ValueError(f"{where} is no whole archive: {error}") from error
    return Held({name: 0}, lambda _: content, where)
