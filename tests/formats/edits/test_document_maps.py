"""Document maps."""

from __future__ import annotations

import io

import pytest

from jurybox.errors import FormatError
from jurybox.formats import Input
from jurybox.formats.edits import documents


def read(text: str) -> list[str]:
    return list(documents.read(Input.from_text(text, name="map.txt")))


def test_plain_map_has_a_document_per_line() -> None:
    assert read("a\n a \nb, c\n") == ["a", "a", "b, c"]


def test_table_may_come_in_any_order_and_be_quoted() -> None:
    assert read('Sentence, Document\n2,"b, c"\n\n1,a\n') == ["a", "b, c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n\nb\n", "map.txt:2: no document id"),
        ("sentence,document\n1,a\n1,b\n", "map.txt:3: sentence 1 is listed before"),
        ("sentence,document\n1,a\n3,b\n", "map.txt: sentence 2 has no document"),
        ("sentence,document\n1,a,b\n", "map.txt:2: 3 cells"),
        ("sentence,document\n1,\n", "map.txt:2: no document id"),
        ("sentence,document\nx,a\n", "map.txt:2: 'x' is no sentence number"),
        ("sentence,document\n0,a\n", "map.txt:2: '0' is no sentence number"),
        ('sentence,document\n1,"a\n', "map.txt:2: not CSV"),
        ("sentence,document\n", "map.txt: holds no sentence"),
    ],
)
def test_bad_map_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert message in str(caught.value)


def test_bad_lines_are_counted() -> None:
    with pytest.raises(FormatError, match="and 1 more bad line"):
        read("a\n\n\n")


def test_written_map_reads_back() -> None:
    out = io.StringIO()
    documents.write(["1", "1", "2"], out)
    assert read(out.getvalue()) == ["1", "1", "2"]
