"""Any bytes give judgments or one of our own errors, and the error names the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from exported import FOLDER, quietly
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jurybox.errors import JuryboxError
from jurybox.formats.platforms import EXPORTS

FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}
SCRAPS = [
    b'"',
    b",",
    b"\t",
    b"\n",
    b"{",
    b"}",
    b"[",
    b"]",
    b"null",
    b"-1",
    b"\xff",
    b"\xef\xbb\xbf",
]
SCRAPS += [
    b"\\ud800",
    b"1e999",
    b"<b>",
    b"",
    b'"label":',
    b"[[0, 1]]",
    b"true",
    b"\r",
    b"\0",
    b"{}",
]


@st.composite
def spoiled(draw: st.DrawFn) -> bytes:
    """A real export with a few places overwritten, cut out or put in."""
    data = draw(st.sampled_from(sorted(FILES.values())))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.sampled_from([0, 0, 1, 2, 7, 60]))
        data = data[:start] + draw(st.sampled_from(SCRAPS) | st.binary(max_size=3)) + data[end:]
    return data[: draw(st.sampled_from([len(data)] * 3 + [len(data) // 2]))]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "export"


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(data=spoiled() | st.binary(max_size=80), name=st.none() | st.sampled_from(sorted(EXPORTS)))
def test_no_bytes_break_a_reader(file: Path, data: bytes, name: str | None) -> None:
    file.write_bytes(data)
    extra = ("seconds", "confidence", "trust", "reward", "started", "submitted", "batch")
    complaint = ""
    try:
        found = quietly(file, format=name, extra=extra)
    except JuryboxError as error:
        complaint = str(error)
    if complaint:
        assert str(file) in complaint
    else:
        assert len(found.table) == len(found.table.answer)
        assert all(
            len(getattr(each, "number", each)) == len(found.table) for each in found.extra.values()
        )
