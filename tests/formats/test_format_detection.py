"""Formats are auto-detected from content."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from jurybox.errors import FormatError, InputError
from jurybox.formats import FORMATS, FormatName, Input, detect, load
from jurybox.formats.edits import essays, jsonl, labels, m2, sgml, text

EDIT = "A 0 1|||X|||b|||REQUIRED|||-NONE-|||0"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"S a b\n{EDIT}\n", "m2"),
        (f"\ufeffS a b\r\n{EDIT}\r\n", "m2"),
        ("S a\n\nS b\n\n", "m2"),
        ("S a\n\n", "m2"),
        (f"{EDIT}\nS a\n", "m2"),
        (f"S a b\nrubbish\n{EDIT}\n", "m2"),
        ("S a b\nA 0 x|||X\n", "m2"),
        ("S Club 7 sang .\nThey danced .\n", "text"),
        ("S Club 7 sang .\n", "text"),
        ("S Club 7 sang .\nS Club 7 danced .\n", "text"),
        ("A dog .\nA 2 4 rhythm .\n", "text"),
        ("A dog .\n\nS Club .\n", "text"),
        ('{"tokens": ["a"]}\n', "jsonl"),
        ('\n{ "text" : "a"}\n', "jsonl"),
        ('{"document": "x", "tokens": [', "jsonl"),
        ("{ curly } brackets begin this sentence .\n", "text"),
        ('{"hello" , he said .\n', "text"),
        ('<DOC nid="1">\n<TEXT>\n', "sgml"),
        ("<!-- essays -->\n<doc nid='1'>", "sgml"),
        ("<DOCTOR> is no tag of ours\n", "text"),
        ("<b>bold</b> .\n", "text"),
        ("\n\n", "text"),
        ("plain .\n", "text"),
    ],
)
def test_content_decides(content: str, expected: str) -> None:
    assert detect(Input.from_text(content)) == expected


def test_name_does_not_decide_and_compression_is_seen_through(tmp_path: Path) -> None:
    file = tmp_path / "essays.sgml"
    file.write_bytes(gzip.compress(f"S a\n{EDIT}\n".encode()))
    assert detect(file) == "m2"


def test_bytes_that_are_no_text_are_left_to_the_reader(tmp_path: Path) -> None:
    file = tmp_path / "gold"
    file.write_bytes(b"S caf\xe9\n" + EDIT.encode() + b"\n")
    assert detect(file) == "m2"


def test_empty_file_has_no_format(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(FormatError, match="empty: is empty"):
        detect(tmp_path / "empty")


def test_registry_names_every_format_that_detection_knows() -> None:
    assert list(FORMATS) == list(get_args(FormatName))
    assert [load(name) for name in FORMATS] == [m2, sgml, jsonl, labels, text, essays]
    with pytest.raises(InputError, match="unknown format 'json'; did you mean 'jsonl'"):
        load("json")


def test_scoring_m2_does_not_wait_for_the_other_formats() -> None:
    code = (
        "import sys; from jurybox.formats import Input, open_panel; "
        "list(open_panel(Input.from_text('S a\\n\\n'))); "
        "print(*{'json', 'numpy', 'hashlib', 'gzip', 'lzma'} & sys.modules.keys(), "
        "*[m for m in sys.modules if m.startswith('jurybox.formats.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("jurybox.formats.") for name in done.stdout.split()}
    edits = {"edits", "edits.m2", "edits.missing_annotators", "edits.panel"}
    assert loaded == {"_io", *edits}
