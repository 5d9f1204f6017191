"""Plain text and parallel text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from jurybox.errors import FormatError, InputError, LengthError
from jurybox.formats import Input
from jurybox.formats.edits import text
from jurybox.formats.edits.tokens import tokenize
from jurybox.model import Annotation, Edit


def replace_all(source: Sequence[str], target: Sequence[str]) -> tuple[Edit, ...]:
    return () if source == target else (Edit(0, len(source), " ".join(target)),)


def memory(name: str, *lines: str) -> Input:
    return Input.from_lines(lines, name=name)


def test_blank_lines_are_sentences() -> None:
    assert list(text.read(Input.from_text("a .\n\n \nb\n\n"))) == ["a .", "", " ", "b", ""]


def test_writing_text_refuses_what_would_shift_the_lines() -> None:
    out = io.StringIO()
    text.write(["a", ""], out)
    assert out.getvalue() == "a\n\n"
    with pytest.raises(InputError, match="line 2 to write contains a line break"):
        text.write(["a", "b\nc"], out)


def test_every_corrected_file_is_an_annotator() -> None:
    files = [
        memory("src", "It are .", "Yes ."),
        memory("r0", "It is .", "Yes ."),
        memory("r1", "They are .", ""),
    ]
    first, second = text.read_parallel(files[0], files[1:], replace_all)
    assert first.annotations == (
        Annotation("0", (Edit(0, 3, "It is ."),)),
        Annotation("1", (Edit(0, 3, "They are ."),)),
    )
    assert second.annotations == (Annotation("0"), Annotation("1", (Edit(0, 2, ""),)))


def test_lines_can_be_tokenised_on_the_way() -> None:
    (sentence,) = text.read_parallel(
        memory("s", "It's."), [memory("r", "It's.")], replace_all, split=tokenize
    )
    assert sentence.tokens == ("It", "'s", ".")


def test_longer_file_and_first_line_without_partner_are_named() -> None:
    source, short, long = (
        memory("src", "a", "b"),
        memory("ref0", "a"),
        memory("ref1", "a", "b", "c"),
    )
    with pytest.raises(LengthError, match="src is longer than ref0: src:2 has no partner"):
        list(text.read_parallel(source, [short], replace_all))
    with pytest.raises(LengthError, match="ref1 is longer than src: ref1:3 has no partner"):
        list(text.read_parallel(source, [long], replace_all))


def test_no_corrected_file_is_an_error() -> None:
    with pytest.raises(InputError, match="at least one corrected file"):
        list(text.read_parallel(memory("src", "a"), [], replace_all))


def test_bad_bytes_in_one_file_name_that_file(tmp_path: Path) -> None:
    file = tmp_path / "ref"
    file.write_bytes(b"ok\n\xff\n")
    with pytest.raises(FormatError, match=r"ref:2: byte 3 of the file"):
        list(text.read_parallel(memory("src", "a", "b"), [file], replace_all))
