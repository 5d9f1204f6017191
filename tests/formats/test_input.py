"""Input and writing: where bytes come from and where text goes."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import lzma
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError
from jurybox.formats import Input, writing
from jurybox.formats._io import BLOCK


class Stdin:
    """A stand-in for standard input that holds bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(data))


def pipe_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(data))


def texts(source: Input) -> list[str]:
    return [text for _, text in source.lines()]


def test_only_newline_ends_a_line() -> None:
    odd = "a\rb\u2028c\u0085d\x0be\x1cf"
    assert texts(Input.from_text(f"{odd}\r\nlast\n")) == [odd, "last"]


def test_lines_are_numbered_from_one_and_the_final_newline_opens_no_line() -> None:
    assert list(Input.from_text("a\n\nb").lines()) == [(1, "a"), (2, ""), (3, "b")]
    assert list(Input.from_text("a\n\n").lines()) == [(1, "a"), (2, "")]


def test_byte_order_mark_is_dropped_at_the_start_only(tmp_path: Path) -> None:
    file = tmp_path / "bom.txt"
    file.write_bytes(b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n")
    assert texts(Input(file)) == ["one", "\ufefftwo"]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, lambda data: data])
def test_compression_is_told_by_content_not_by_name(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    file = tmp_path / "name-says-nothing.txt"
    file.write_bytes(pack("ä\nb\n".encode()))
    source = Input(file)
    assert source.peek() == "ä\nb\n".encode()
    assert texts(source) == ["ä", "b"]
    assert source.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


def test_long_lines_and_many_blocks_arrive_whole(tmp_path: Path) -> None:
    lines = ["x" * (BLOCK + 7), "", "y" * 10, "é" * BLOCK, "end"]
    file = tmp_path / "long.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert texts(Input(file)) == lines


@given(st.text(alphabet="ab\r\n\u2028é", max_size=40))
def test_lines_are_those_between_newlines(text: str) -> None:
    if not text:
        return
    *ended, rest = text.split("\n")
    expected = [line.removesuffix("\r") for line in ended] + ([rest] if rest else [])
    assert texts(Input.from_text(text)) == expected


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_truncated_compression_is_our_error_with_the_line(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    file = tmp_path / "cut.gz"
    noise = "\n".join(hashlib.sha256(bytes([i])).hexdigest() for i in range(200))
    file.write_bytes(pack(noise.encode())[:-20])
    with pytest.raises(FormatError, match=r"cut\.gz:\d+: the compressed data is broken or cut off"):
        texts(Input(file))


def test_damaged_gzip_is_our_error(tmp_path: Path) -> None:
    file = tmp_path / "bad.gz"
    data = bytearray(gzip.compress(b"some text\n" * 50))
    data[15] ^= 0xFF
    file.write_bytes(bytes(data))
    with pytest.raises(FormatError, match="compressed data is broken"):
        texts(Input(file))


def test_invalid_utf8_names_line_and_byte_and_counts_the_others(tmp_path: Path) -> None:
    file = tmp_path / "latin.txt"
    file.write_bytes("é\n".encode() + b"caf\xe9\nfine\n\xff\n")
    lines = Input(file).lines()
    assert next(lines) == (1, "é")
    with pytest.raises(FormatError) as caught:
        next(lines)
    assert caught.value.line == 2
    assert caught.value.more == 1
    assert f"{file}:2: byte 6 of the file (0xe9) is not UTF-8" in str(caught.value)
    assert "1 more bad line" in str(caught.value)


def test_byte_offset_counts_the_byte_order_mark_and_earlier_blocks(tmp_path: Path) -> None:
    file = tmp_path / "far.txt"
    before = b"\xef\xbb\xbf" + b"line of text\n" * (BLOCK // 10)
    file.write_bytes(before + b"ab\xff\n")
    with pytest.raises(FormatError, match=f"byte {len(before) + 2} of the file"):
        texts(Input(file))


def test_utf16_gets_the_right_remedy(tmp_path: Path) -> None:
    file = tmp_path / "wide.txt"
    file.write_bytes("hello".encode("utf-16"))
    with pytest.raises(FormatError, match="iconv -f UTF-16"):
        texts(Input(file))


@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)], ids=["nothing", "mark", "gzip"]
)
def test_empty_file_is_an_error(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "empty.m2"
    file.write_bytes(data)
    with pytest.raises(FormatError, match=r"empty\.m2: is empty"):
        texts(Input(file))


def test_missing_file_suggests_the_near_name(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("S a\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"golf\.m2: no such file; did you mean '.*gold\.m2'\?"):
        texts(Input(tmp_path / "golf.m2"))
    with pytest.raises(InputError, match="does not exist either"):
        Input(tmp_path / "nowhere" / "gold.m2").peek()


def test_folder_is_our_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        texts(Input(tmp_path))
    with pytest.raises(InputError, match="is a folder"):
        Input(tmp_path).peek()


def test_unreadable_file_is_our_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret.txt"
    file.write_text("x\n", encoding="utf-8")

    def refuse(path: str, mode: str) -> None:  # root would be let in whatever the permissions are
        raise PermissionError(13, "Permission denied", path)

    with monkeypatch.context() as patched:
        patched.setattr("builtins.open", refuse)
        with pytest.raises(InputError, match="may not be read; check its permissions"):
            texts(Input(file))


def test_impossible_path_is_our_error() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        texts(Input("a\0b"))


def test_stdin_can_be_looked_at_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(b"one\ntwo\n")
    pipe_in(monkeypatch, data)
    source = Input("-")
    assert source.name == "<stdin>"
    assert source.peek(3) == b"one"
    assert source.peek() == b"one\ntwo\n"
    assert texts(source) == ["one", "two"]
    assert source.sha256 == hashlib.sha256(data).hexdigest()


def test_stdin_is_hashed_as_read_and_says_it_can_be_read_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipe_in(monkeypatch, b"one\n")
    source = Input("-")
    with pytest.raises(InputError, match="no digest before it was read"):
        _ = source.sha256
    assert texts(source) == ["one"]
    assert source.sha256 == hashlib.sha256(b"one\n").hexdigest()
    with pytest.raises(InputError, match="<stdin>: can be read only once"):
        texts(source)


def test_kept_stdin_can_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    data = lzma.compress(b"one\ntwo\n")
    pipe_in(monkeypatch, data)
    source = Input("-").keep()
    assert texts(source) == texts(source) == ["one", "two"]
    assert source.sha256 == hashlib.sha256(data).hexdigest()


def test_empty_stdin_says_what_may_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe_in(monkeypatch, b"")
    with pytest.raises(FormatError, match="<stdin>: is empty; was '-' given twice"):
        texts(Input("-"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_named_pipe_is_read_and_hashed_in_one_pass(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"one\ntwo\n",))
    writer.start()
    source = Input(pipe)
    assert source.peek() == b"one\ntwo\n"
    assert texts(source) == ["one", "two"]
    assert source.sha256 == hashlib.sha256(b"one\ntwo\n").hexdigest()
    writer.join()


def test_text_in_memory_is_hashed_as_utf8() -> None:
    assert Input.from_text("é\n").sha256 == hashlib.sha256("é\n".encode()).hexdigest()
    assert texts(Input.from_lines(["a", "", "b"])) == ["a", "", "b"]


def test_text_in_memory_that_is_no_text_is_our_error() -> None:
    with pytest.raises(FormatError, match=r"hyp:2: U\+D800 is half a character"):
        Input.from_text("a\n\ud800", name="hyp")
    with pytest.raises(FormatError, match="hyp:2: a line break inside a line"):
        Input.from_lines(["a", "b\nc"], name="hyp")


def test_stem_drops_folder_compression_and_one_extension() -> None:
    stems = {
        "x/A1.m2": "A1",
        "official-2014.0.m2.xz": "official-2014.0",
        "CAMB": "CAMB",
        ".gz": ".gz",
        "-": "stdin",
    }
    assert {path: Input(path).stem for path in stems} == stems


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz", "out.txt.xz"])
def test_written_text_reads_back(tmp_path: Path, name: str) -> None:
    with writing(tmp_path / name) as out:
        out.write("é\nb\n")
    assert texts(Input(tmp_path / name)) == ["é", "b"]
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_compressed_output_depends_on_the_text_only(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with writing(tmp_path / name) as out:
            out.write("same\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_failure_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("old", encoding="utf-8")
    failing = writing(file)
    failing.__enter__().write("new")
    assert failing.__exit__(RuntimeError, RuntimeError(), None) is False
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_writing_keeps_the_mode_and_follows_links(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(file)
    with writing(link) as out:
        out.write("new")
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_writing_to_impossible_places_is_our_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"), writing(tmp_path / "no" / "x"):
        pass
    with pytest.raises(InputError, match="is a folder"), writing(tmp_path):
        pass


def test_full_disk_is_our_error_and_leaves_nothing(tmp_path: Path) -> None:
    failing = writing(tmp_path / "out.txt")
    failing.__enter__().write("new")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with pytest.raises(InputError, match=r"out\.txt: cannot be written \(No space left"):
        failing.__exit__(OSError, full, None)
    assert not list(tmp_path.iterdir())


def test_device_is_written_to_and_not_replaced() -> None:
    with writing(os.devnull) as out:
        out.write("gone")
    assert not Path(os.devnull).is_file()


def test_dash_writes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    with writing("-") as out:
        out.write("é\n")
    print("after")
    assert capsys.readouterr().out == "é\nafter\n"
