"""Any bytes give a parsed result or one of our own errors, whatever the reader."""

from __future__ import annotations

import gzip
import lzma
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jurybox.errors import JuryboxError, JuryboxWarning
from jurybox.formats import detect, open_panel
from jurybox.formats.edits import documents, jsonl, m2, sgml, text
from jurybox.model import Edit

Read = Callable[[Path], Iterable[object]]

READERS: dict[str, Read] = {
    "m2": m2.read,
    "m2 annotators": m2.read_annotators,
    "jsonl": jsonl.read,
    "sgml": sgml.read,
    "sgml sentences": lambda path: sgml.to_sentences(sgml.read(path)),
    "text": text.read,
    "documents": documents.read,
    "panel": open_panel,
    "two files": lambda path: open_panel([path, path]),
    "mapped": lambda path: open_panel(path, documents=path, tokens=path),
    "parallel": lambda path: text.read_parallel(path, [path], lambda a, b: (Edit(0, 0, ""),)),
    "detect": lambda path: [detect(path)],
}

M2_PIECES = ["S a b\n", "A 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n", "\n", "A 1", "|||", "S\n", "-1 "]
JSON_PIECES = ['{"tokens": ["a"]', ', "annotations": [', '{"annotator": "0", "edits": []}', "]}\n"]
SGML_PIECES = [
    '<DOC nid="1">\n',
    "<TEXT>\n",
    "<P>\na b. C\n</P>\n",
    "</TEXT>\n",
    "</DOC>\n",
    "&#9;",
]
SGML_PIECES += ['<ANNOTATION teacher_id="8">', "</ANNOTATION>", "<TYPE>X</TYPE>", "</MISTAKE>"]
SGML_PIECES += ['<MISTAKE start_par="0" start_off="0" end_par="0" end_off="3">', "<CORRECTION>d"]
OTHER_PIECES = [
    "</CORRECTION>",
    "sentence,document\n",
    "1,x\n",
    "\r\n",
    "\ufeff",
    "é",
    "\u2028",
    '"',
]

pieces = st.sampled_from(M2_PIECES + JSON_PIECES + SGML_PIECES + OTHER_PIECES).map(str.encode)
contents = st.binary(max_size=60) | st.lists(pieces | st.binary(max_size=3), max_size=14).map(
    b"".join
)
packings = st.sampled_from([bytes, gzip.compress, lzma.compress])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "input"


def read_all(reader: Read, path: Path) -> None:
    """Read to the end; an error of ours must name the file, any other one fails the test."""
    complaint = str(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", JuryboxWarning)
            for _ in reader(path):
                pass
    except JuryboxError as error:
        complaint = str(error)
    assert str(path) in complaint or "the tokens go on after" in complaint


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=contents, pack=packings)
def test_any_bytes_are_read_or_refused_by_name(
    file: Path, name: str, content: bytes, pack: Callable[[bytes], bytes]
) -> None:
    file.write_bytes(pack(content))
    read_all(READERS[name], file)


@pytest.mark.parametrize("name", ["m2", "panel", "text"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), pack=st.sampled_from([gzip.compress, lzma.compress]))
def test_damaged_compression_is_read_or_refused_by_name(
    file: Path, name: str, data: st.DataObject, pack: Callable[[bytes], bytes]
) -> None:
    packed = bytearray(pack(b"S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n\n" * 5))
    packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(bytes(packed[: data.draw(st.integers(1, len(packed)))]))
    read_all(READERS[name], file)
