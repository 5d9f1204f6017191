"""Test sets: found, loaded or copied, checked, all files or none. Loading is from loopback only."""

from __future__ import annotations

import gzip
import io
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from jurybox.data import get_data, list_data, read_catalogue
from jurybox.data.result import DataFile, DataSet
from jurybox.data.sources import load
from jurybox.errors import InputError, UnknownNameError

GOLD = b"S He go .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n\nS So .\n\n"
TEXT = b"He goes .\nSo .\n"


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def a_set(*files: DataFile) -> Mapping[str, DataSet]:
    return {"tiny": DataSet("tiny", "Tiny", "two sentences", "", "ours", "nobody", files)}


def tar(**members: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(f"folder/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"folder/{name}", content)
    return out.getvalue()


@pytest.fixture
def serve() -> Iterator[Callable[[Mapping[str, bytes]], str]]:
    """Serves what it is given; tells its address."""
    pages: dict[str, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = pages.get(self.path)
            self.send_response(200 if content is not None else 404)
            cut = self.path.startswith("/cut")
            length = len(content or b"") + (5 if cut else 0)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def start(given: Mapping[str, bytes]) -> str:
        pages.update(given)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(("pack", "name"), [(tar, "tiny.tar.gz"), (zipped, "tiny.zip")])
def test_the_files_of_an_archive_are_loaded_once_and_put_in_the_folder(
    tmp_path: Path,
    serve: Callable[[Mapping[str, bytes]], str],
    pack: Callable[..., bytes],
    name: str,
) -> None:
    base = serve({f"/{name}": pack(gold=GOLD, text=TEXT)})
    from_ = (f"{base}/missing", f"{base}/{name}")
    files = (
        DataFile("gold.m2", from_, "folder/gold", digest(GOLD)),
        DataFile("text", from_, "folder/text", sentences=2),
    )
    got = get_data("tiny", tmp_path / "new" / "tiny", catalogue=a_set(*files))
    assert (tmp_path / "new/tiny/gold.m2").read_bytes() == GOLD
    assert [one.checked_by for one in got.files] == ["SHA-256", "sentences"]
    assert got.files[0].source == f"{base}/{name}"
    again = get_data("tiny", tmp_path / "new" / "tiny", catalogue=a_set(*files))
    assert {one.source for one in again.files} == {"there already"}


def test_a_changed_file_is_refused_and_nothing_is_written(
    tmp_path: Path, serve: Callable[[Mapping[str, bytes]], str]
) -> None:
    base = serve({"/a": TEXT, "/b": GOLD[:-9]})
    files = (
        DataFile("a", (f"{base}/a",), sha256=digest(TEXT)),
        DataFile("b.m2", (f"{base}/b",), sha256=digest(GOLD)),
    )
    with pytest.raises(InputError, match=r"b is not the file that is meant|holds no b\.m2"):
        get_data("tiny", tmp_path / "tiny", catalogue=a_set(*files))
    assert not (tmp_path / "tiny").exists()


def test_a_file_that_is_cut_off_is_refused(
    tmp_path: Path, serve: Callable[[Mapping[str, bytes]], str]
) -> None:
    base = serve({"/cut": TEXT, "/short": TEXT[:10]})
    for path, says in (("/cut", "IncompleteRead|cut off"), ("/short", "has 1 sentences, not 2")):
        files = (DataFile(path[1:], (f"{base}{path}",), sentences=2),)
        with pytest.raises(InputError, match=says):
            get_data("tiny", tmp_path / "tiny", catalogue=a_set(*files))
    assert not (tmp_path / "tiny").exists()


def test_an_address_that_does_not_answer_names_the_way_out(tmp_path: Path) -> None:
    files = (DataFile("a", ("http://127.0.0.1:1/a", "ftp://127.0.0.1/a"), sentences=2),)
    with pytest.raises(InputError, match=r"refused.*not an https address.*--from FILE"):
        get_data("tiny", tmp_path / "tiny", catalogue=a_set(*files))


def test_a_copy_is_known_by_its_bytes_under_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "deep"
    folder.mkdir(parents=True)
    (folder / "renamed.txt").write_bytes(GOLD)
    (folder / "gold.m2").write_bytes(b"another one")
    files = (DataFile("gold.m2", (), sha256=digest(GOLD)),)
    get_data("tiny", tmp_path / "tiny", copy=tmp_path / "mine", catalogue=a_set(*files))
    assert (tmp_path / "tiny/gold.m2").read_bytes() == GOLD


def test_a_copy_that_is_something_else_or_not_there_is_refused(tmp_path: Path) -> None:
    files = (DataFile("gold.m2", (), sha256=digest(GOLD)),)
    (tmp_path / "other.m2").write_bytes(b"x")
    (tmp_path / "gold.m2").write_bytes(b"x")
    (tmp_path / "broken.tar.gz").write_bytes(tar(gold=GOLD)[:40])
    for name, says in (
        ("other.m2", "holds no gold.m2"),
        ("gold.m2", "not the file that is meant"),
        ("nowhere", "cannot be read"),
        ("broken.tar.gz", r"no whole archive.*load it again"),
    ):
        with pytest.raises(InputError, match=says):
            get_data("tiny", tmp_path / "t", copy=tmp_path / name, catalogue=a_set(*files))
    assert not (tmp_path / "t").exists()


def test_an_archive_that_is_damaged_inside_is_refused(tmp_path: Path) -> None:
    files = (DataFile("gold.m2", (), "folder/gold", digest(GOLD)),)
    packed = bytearray(zipped(gold=GOLD))
    packed[packed.index(GOLD)] ^= 1  # its checksum is another one now
    (tmp_path / "damaged.zip").write_bytes(packed)
    (tmp_path / "cut.tar").write_bytes(gzip.decompress(tar(gold=GOLD, more=b"x" * 4000))[:900])
    for name, says in (("damaged.zip", "cannot be read .*CRC"), ("cut.tar", "no whole archive")):
        with pytest.raises(InputError, match=says):
            get_data("tiny", tmp_path / "t", copy=tmp_path / name, catalogue=a_set(*files))
    assert not (tmp_path / "t").exists()


def test_only_safe_addresses_are_loaded_from() -> None:
    for address in ("http://example.org/a", "http://127.0.0.1.example.org/a", "file:///etc/passwd"):
        with pytest.raises(ValueError, match="not an https address"):
            load(address)


def test_a_file_in_the_folder_that_is_not_right_is_not_written_over(tmp_path: Path) -> None:
    files = (DataFile("gold.m2", (), sha256=digest(GOLD)),)
    (tmp_path / "gold.m2").write_bytes(b"my notes")
    with pytest.raises(InputError, match=r"gold\.m2: has the SHA-256 .*take it away"):
        get_data("tiny", tmp_path, catalogue=a_set(*files))
    assert (tmp_path / "gold.m2").read_bytes() == b"my notes"


def test_nothing_is_unpacked_outside_the_folder(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../evil.m2", GOLD)
    (tmp_path / "tiny.zip").write_bytes(out.getvalue())
    files = (DataFile("evil.m2", (), sha256=digest(GOLD)),)
    place = tmp_path / "a" / "b" / "c"
    get_data("tiny", place, copy=tmp_path / "tiny.zip", catalogue=a_set(*files))
    assert [one.name for one in tmp_path.rglob("evil.m2")] == ["evil.m2"]
    assert (place / "evil.m2").is_file()


def test_the_catalogue_is_whole() -> None:
    for name, found in read_catalogue().items():
        assert found.name == name
        assert all((found.title, found.about, found.home, found.licence, found.citation))
        for file in found.files:
            assert "/" not in file.name
            assert file.addresses, f"{name}: {file.name} has no address"
            assert all(address.startswith("https://") for address in file.addresses)
            assert file.sha256 is None or len(file.sha256) == 64


def test_an_unknown_set_suggests_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'conll14'"):
        list_data("conl14")


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("conll14", "conll14"),
        ("conll14-10", "conll14-10"),
        ("conll14-systems", "systems"),
        ("jfleg-dev", "jfleg"),
        ("gug", "gug"),
    ],
)
def test_real_copies_are_accepted(tmp_path: Path, data_dir: Path, name: str, folder: str) -> None:
    got = get_data(name, tmp_path / name, copy=data_dir / folder)
    assert {one.checked_by for one in got.files} == {"SHA-256"}
