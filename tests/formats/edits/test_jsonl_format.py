"""Our own JSONL: lossless, and strict about what it does not know."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError
from jurybox.formats import Input
from jurybox.formats.edits import jsonl
from jurybox.model import Annotation, Edit, Sentence

FULL = Sentence(
    ("A", "dogs", "."),
    (
        Annotation("A1", (Edit(1, 2, "dog||-NONE-", "Nn", "OPTIONAL", "see |||"),)),
        Annotation("A2"),
    ),
    document="essay 3",
    paragraph=2,
)


def read(text: str) -> list[Sentence]:
    return list(jsonl.read(Input.from_text(text, name="panel.jsonl")))


def written(sentences: list[Sentence]) -> str:
    out = io.StringIO()
    jsonl.write(sentences, out)
    return out.getvalue()


def test_everything_a_sentence_knows_survives() -> None:
    assert read(written([FULL, Sentence(("x",))])) == [FULL, Sentence(("x",))]


def test_text_is_split_at_white_space_and_defaults_apply() -> None:
    line = '{"text": "A dogs .", "annotations": [{"annotator": "0", "edits": [%s]}]}'
    (sentence,) = read(line % '{"start": 1, "end": 2, "replacement": "dog"}')
    assert sentence == Sentence(
        ("A", "dogs", "."), (Annotation("0", (Edit(1, 2, "dog", "UNK", "REQUIRED", "-NONE-"),)),)
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"tokens": ["a"], "colour": 1, "size": 2}', 'unknown key "colour", "size" in the sent'),
        ('{"tokens": ["a"], "annotations": [{"annotator": "0", "id": 1}]}', 'unknown key "id"'),
        ('{"text": "a", "text": "b"}', "a key is given twice"),
        ("{tokens}", "not JSON: Expecting property name"),
        ("[1]", "not a JSON object"),
        ("{}", 'needs "tokens" or "text"'),
        ('{"tokens": ["a"], "text": "a"}', "and not both"),
        ('{"tokens": "a"}', '"tokens" must be a list'),
        ('{"tokens": [1]}', '"tokens" must be a list of strings'),
        ('{"tokens": ["a b"]}', "contains white space"),
        ('{"tokens": [""]}', "is empty or contains"),
        ('{"text": 5}', '"text" must be a string'),
        ('{"tokens": ["a"], "document": 5}', '"document" must be a string'),
        ('{"tokens": ["a"], "paragraph": true}', '"paragraph" must be a whole number'),
        ('{"tokens": ["a"], "annotations": [1]}', "the annotation is not a JSON object"),
        ('{"tokens": ["a"], "annotations": [{"edits": []}]}', '"annotator" must be a string'),
        ('{"tokens": ["\\ud800"]}', "half a character"),
        ('{"text": "\\udfff"}', "half a character"),
        (
            '{"tokens": ["a"], "annotations": [{"annotator": "0"}, {"annotator": "0"}]}',
            "an annotator is listed twice",
        ),
    ],
)
def test_bad_line_is_named_with_file_and_line(line: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(f'{{"text": "fine"}}\n\n{line}\n{{"bad"}}\n')
    assert str(caught.value).startswith("panel.jsonl:3: ")
    assert message in str(caught.value)
    assert caught.value.more == 1


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ('{"start": 2, "end": 1, "replacement": ""}', "span 2-1 ends before it starts"),
        ('{"start": 0, "end": 9, "replacement": ""}', "ends outside the sentence, which has 3"),
        ('{"start": -1, "end": 1, "replacement": ""}', '"start" is -1'),
        ('{"start": 0.5, "end": 1, "replacement": ""}', '"start" must be a whole number'),
        ('{"start": 0, "end": 1}', '"replacement" must be a string'),
        ('{"start": 0, "end": 1, "replacement": "", "cat": 1}', 'unknown key "cat" in the edit'),
    ],
)
def test_bad_edit_is_named(edit: str, message: str) -> None:
    line = '{"text": "a b c", "annotations": [{"annotator": "0", "edits": [%s]}]}' % edit  # noqa: UP031  braces
    with pytest.raises(FormatError, match=r"panel\.jsonl:1: ") as caught:
        read(line)
    assert message in str(caught.value)


def test_deep_nesting_is_our_error() -> None:
    with pytest.raises(FormatError):
        read("[" * 100_000)


def test_huge_number_is_our_error() -> None:
    with pytest.raises(FormatError, match=r"panel\.jsonl:1: "):
        read('{"paragraph": ' + "1" * 5000 + ', "text": ""}')


def test_half_a_character_is_refused_when_writing() -> None:
    with pytest.raises(InputError, match="sentence 1 holds half a character"):
        written([Sentence(("\ud800",))])


def test_file_of_blank_lines_says_it_holds_nothing() -> None:
    with pytest.raises(FormatError, match="holds no sentence"):
        read("\n\n")


words = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=4).filter(
    lambda word: word.split() == [word]
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    tokens = tuple(draw(st.lists(words, max_size=4)))
    annotations = []
    for name in draw(st.lists(texts, unique=True, max_size=3)):
        edits = []
        for _ in range(draw(st.integers(0, 2))):
            start = draw(st.integers(0, len(tokens)))
            end = draw(st.integers(start, len(tokens)))
            edits.append(Edit(start, end, *(draw(texts) for _ in range(4))))
        annotations.append(Annotation(name, tuple(edits)))
    document = draw(st.none() | texts)
    return Sentence(tokens, tuple(annotations), document, draw(st.none() | st.integers()))


@given(st.lists(sentences(), min_size=1, max_size=3))
def test_round_trip_is_lossless(many: list[Sentence]) -> None:
    assert read(written(many)) == many
