"""Keys of samples: they come back whole, and no edit of them goes unseen."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError
from jurybox.formats import Input
from jurybox.formats.tables.sample_key import (
    Division,
    DrawnCase,
    KeySource,
    KeyStratum,
    SampleKey,
    check_together,
    looks_like_key,
    read,
    write,
)

KEY = SampleKey(
    strata=(KeyStratum("error", "error", 10, 2), KeyStratum("ok", "ok", 90, 1)),
    drawn=(
        DrawnCase("kkkkkkkk", "c3", "error"),
        DrawnCase("mmmmmmmm", "c7", "ok"),
        DrawnCase("nnnnnnnn", "c1", "error"),
    ),
    seed=7,
    by=(Division("score", (0.25, 0.5)),),
    decisions=KeySource("mine.csv", "0" * 64),
    after=("a" * 64,),
)


def text_of(key: SampleKey) -> str:
    out = io.StringIO()
    write(key, out)
    return out.getvalue()


def test_a_key_comes_back_as_it_was_written() -> None:
    again = read(Input.from_text(text_of(KEY), "key.jsonl"))
    assert again == KEY
    assert again.checksum == KEY.checksum
    assert again.name == "key.jsonl"
    assert again.stratum("error") == KeyStratum("error", "error", 10, 2)


def test_line_ends_and_blank_lines_are_no_edit() -> None:
    text = text_of(KEY).replace("\n", "\r\n") + "\r\n"
    assert read(Input.from_text(text)) == KEY


EDITS = {
    "another case": ('"c7"', '"c8"'),
    "another id": ('"mmmmmmmm"', '"mmmmmmmn"'),
    "another size": ('"size": 90', '"size": 900'),
    "another seed": ('"seed": 7', '"seed": 8'),
    "other edges": ("0.25", "0.2"),
    "other decisions": ("mine.csv", "yours.csv"),
    "an earlier draw left out": (f'["{"a" * 64}"]', "[]"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_after_drawing_is_seen(edit: str) -> None:
    old, new = EDITS[edit]
    text = text_of(KEY)
    assert old in text
    with pytest.raises(FormatError, match=r"key\.jsonl: was changed after it was drawn"):
        read(Input.from_text(text.replace(old, new), "key.jsonl"))


def test_cases_that_were_swapped_are_seen() -> None:
    head, *lines = text_of(KEY).splitlines()
    with pytest.raises(FormatError, match="was changed after it was drawn"):
        read(Input.from_lines([head, *reversed(lines)]))


def test_a_line_taken_away_is_seen_with_the_stratum_it_came_from() -> None:
    lines = text_of(KEY).splitlines()
    with pytest.raises(FormatError, match="stratum 'error' has 1 cases, 2 were drawn"):
        read(Input.from_lines(lines[:-1]))


def test_a_case_twice_is_refused() -> None:
    twice = (DrawnCase("kkkkkkkk", "c3", "error"), DrawnCase("nnnnnnnn", "c3", "error"))
    key = SampleKey((KeyStratum("error", "error", 10, 2),), twice, seed=1)
    with pytest.raises(InputError, match="case 'c3' is there twice"):
        text_of(key)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("case,label\nc1,ok\n", ":1: not JSON"),
        ('{"schema": "jurybox.caseset/1"}\n', "is jurybox.caseset/1, not jurybox.samplekey/1"),
        ('{"case": "c1"}\n', "has no schema, not jurybox.samplekey/1"),
        ('{"schema": "jurybox.samplekey/1"}\n', "first line is not that of a key"),
        ('{"schema": "jurybox.samplekey/1"}\n{"id": 3}\n', ":2: not a drawn case"),
    ],
)
def test_what_is_no_key_is_told_so_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(Input.from_text(text, "key.jsonl"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(
    field=st.sampled_from(["seed", "by", "strata", "decisions", "after", "checksum"]),
    value=json_values,
)
def test_any_value_in_the_first_line_gives_a_key_or_our_own_error(
    field: str, value: object
) -> None:
    head, *lines = text_of(KEY).splitlines()
    changed = json.dumps({**json.loads(head), field: value})
    with suppress(InputError):
        assert read(Input.from_lines([changed, *lines])) == KEY


def test_a_key_is_told_from_judgments_by_its_first_line() -> None:
    assert looks_like_key(Input.from_text(text_of(KEY)))
    assert not looks_like_key(Input.from_text("case,rater,label\nc1,Ann,ok\n"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_key_in_utf_16_is_known_for_a_key_and_its_reader_says_how_to_convert_it(
    encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "key.jsonl"
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    path.write_bytes((mark + text_of(KEY)).encode(encoding))
    assert looks_like_key(path)
    with pytest.raises(FormatError, match=r"key\.jsonl:1: .* iconv -f UTF-16 -t UTF-8"):
        read(path)


def test_a_key_that_is_named_twice_is_told_so() -> None:
    with pytest.raises(InputError, match="is the same key as <memory>; name the key of each draw"):
        check_together([KEY, KEY])


def test_draws_that_share_a_case_or_differ_in_size_do_not_go_together() -> None:
    other = SampleKey(KEY.strata, tuple(one._replace(id=f"z{one.id}") for one in KEY.drawn), seed=8)
    with pytest.raises(InputError, match="case 'c3' is in <memory> and in <memory>"):
        check_together([KEY, other])
    larger = SampleKey((KEY.strata[0], KeyStratum("ok", "ok", 91, 0)), (), seed=8)
    with pytest.raises(InputError, match="was drawn from other strata"):
        check_together([KEY, larger])
    more = SampleKey(KEY.strata, (DrawnCase("zzzzzzzz", "c9", "ok"),), seed=8)
    check_together([KEY, more])


def test_a_threshold_comes_back_and_a_key_without_one_has_the_checksum_it_always_had() -> None:
    out = io.StringIO()
    write(replace(KEY, threshold=0.5), out)
    assert read(Input.from_text(out.getvalue())).threshold == 0.5
    assert "threshold" not in json.loads(text_of(KEY).splitlines()[0])


def test_draws_with_other_thresholds_do_not_belong_together() -> None:
    with pytest.raises(InputError, match="another --threshold"):
        check_together([KEY, replace(KEY, threshold=0.5)][::-1])
