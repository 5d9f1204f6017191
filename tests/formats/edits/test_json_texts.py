"""Corrected sentences in others' JSON: which shapes are read, and what is said of the others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, InputError, JuryboxWarning
from jurybox.formats import Input
from jurybox.formats.edits import json_texts
from jurybox.formats.edits.json_texts import HYPOTHESIS_KEYS, SOURCE_KEYS, is_json, is_ours

SENTENCES = ["He goes home .", "", 'She said " yes " .', "naïve — ünïcode 漢字"]


def lines(*values: Any) -> Input:
    return Input.from_text("".join(f"{json.dumps(value)}\n" for value in values), "hyp.jsonl")


def texts(given: Input, key: str | None = None) -> list[str]:
    return [one.text for one in json_texts.read(given, key)]


def refusal(given: Input, key: str | None = None) -> str:
    with pytest.raises(InputError) as caught:
        list(json_texts.read(given, key))
    return str(caught.value)


@pytest.mark.parametrize("key", [*HYPOTHESIS_KEYS, "text"])
def test_every_known_key_is_read(key: str) -> None:
    given = lines(*({"id": n, key: text} for n, text in enumerate(SENTENCES)))
    assert is_json(given)
    assert texts(given) == SENTENCES


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_strings_objects_and_lists_hold_the_same_sentences(sentences: list[str]) -> None:
    shapes = [
        lines(*sentences),
        lines(*({"output": one} for one in sentences)),
        Input.from_text(json.dumps(sentences)),
        Input.from_text(json.dumps([{"output": one} for one in sentences], indent=2)),
    ]
    for file in shapes:
        assert is_json(file)
        assert texts(file) == sentences


@pytest.mark.parametrize("key", SOURCE_KEYS)
def test_a_source_is_read_beside_the_hypothesis(key: str) -> None:
    (found,) = json_texts.read(lines({key: "He go .", "pred": "He goes ."}))
    assert found == (1, "He goes .", "He go .")


def test_text_is_no_hypothesis_beside_another_one() -> None:
    assert texts(lines({"text": "He go .", "output": "He goes ."})) == ["He goes ."]


def test_a_list_of_one_response_is_that_response() -> None:
    assert texts(lines({"completion": ["He goes ."]})) == ["He goes ."]


def test_blank_lines_and_a_byte_order_mark_are_no_sentences() -> None:
    given = Input.from_text('\ufeff\n{"hyp": "a"}\r\n\n  \n{"hyp": "b"}')
    assert is_json(given)
    assert texts(given) == ["a", "b"]


def test_an_unknown_shape_is_refused_with_what_was_found() -> None:
    message = refusal(lines({"id": 3, "fixed": "He goes ."}))
    assert message.startswith("hyp.jsonl:1: ")
    assert "keys there: id, fixed" in message
    assert "hypothesis, hyp, prediction" in message
    assert "--hyp-key KEY" in message


def test_a_named_key_is_read_whatever_it_is_called() -> None:
    assert texts(lines({"id": 3, "fixed": "He goes ."}), "fixed") == ["He goes ."]
    assert "no key 'fixd'; keys there: id, fixed" in refusal(lines({"id": 3, "fixed": ""}), "fixd")
    assert "leave out --hyp-key" in refusal(lines("He goes ."), "fixed")


def test_two_possible_keys_are_asked_about() -> None:
    given = lines({"output": "a", "corrected": "b"})
    message = refusal(given)
    assert "output, corrected; say which, as --hyp-key output" in message
    assert texts(given, "corrected") == ["b"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "'hyp' is null"),
        (3, "'hyp' is a number"),
        (["a", "b"], "'hyp' is a list"),
        ({"text": "a"}, "'hyp' is an object"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(value: Any, said: str) -> None:
    message = refusal(lines({"hyp": "a"}, {"hyp": value}, {"hyp": value}))
    assert message.startswith(f"hyp.jsonl:2: {said}")
    assert "(and 1 more bad line in this file)" in message


def test_a_line_of_another_shape_is_refused() -> None:
    assert "hyp.jsonl:2: no key 'hyp'; keys there: pred" in refusal(
        lines({"hyp": ""}, {"pred": ""})
    )
    assert "hyp.jsonl:2: a string, where the file began with objects" in refusal(
        lines({"hyp": ""}, "b")
    )
    assert "hyp.jsonl:2: an object, where the file began with strings" in refusal(
        lines("a", {"hyp": ""})
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n  "hyp": "a"\n}\n', "hyp.jsonl:1: not JSON"),
        ("{'hyp': 'a'}\n", "hyp.jsonl:1: not JSON"),
        ('{"hyp": "a"}\n{"hyp": \n', "hyp.jsonl:2: not JSON"),
        ('["a"]\n["b"]\n', "hyp.jsonl:2: not one JSON list"),
        ('["a",\n 3]', "hyp.jsonl: item 2: a number"),
        ("[]", "hyp.jsonl: holds no corrected sentence"),
        ('["\\ud800"]', "hyp.jsonl: item 1: half a character"),
        ('{"hyp": "\\ud800"}', "hyp.jsonl:1: half a character"),
    ],
)
def test_broken_json_is_refused_and_not_taken_for_prose(text: str, said: str) -> None:
    given = Input.from_text(text, "hyp.jsonl")
    assert is_json(given)
    assert refusal(given).startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "He goes .\n",
        "{ sic } He goes .\n",
        "{ He : goes }\n",
        "[ 1 ] He goes .\n",
        '[ sic ] " He goes . "\n',
        '" Go ! " he said .\n',
        '"He goes ."\nShe goes .\n',
        '"He said "go" ."\n',
        '"\n',
        "-\n",
    ],
)
def test_prose_is_not_taken_for_json(text: str) -> None:
    assert not is_json(Input.from_text(text))


def test_quoted_lines_are_json_only_if_all_of_the_beginning_are() -> None:
    many = '"He goes ."\n' * 20_000
    assert is_json(Input.from_text(many))
    assert not is_json(Input.from_text('"He goes ."\n' * 3000 + "She goes .\n" + many))


def test_quotes_are_told_of_unless_a_backslash_shows_that_it_is_json() -> None:
    with pytest.warns(JuryboxWarning, match="every line is in quotes: read as JSON strings"):
        json_texts.warn_of_quotes(Input.from_text('"He goes ."\n'))
    json_texts.warn_of_quotes(Input.from_text('"He said \\"go\\" ."\n'))


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ('{"tokens": ["a"]}', True),
        ('{"text": "a", "annotations": []}', True),
        ('{"text": "a"}\n{"text": "b", "annotations": []}', True),
        ('{"text": "a"}\n{"text": "b"}', False),
        ('{"text": "a", "prediction": "b"}', False),
        ('{"document": "d", "hyp": "b"}', False),
        ('{"text": ', True),
    ],
)
def test_our_own_jsonl_is_told_from_others(text: str, ours: bool) -> None:
    assert is_ours(Input.from_text(text)) == ours


# --- lm-evaluation-harness -----------------------------------------------------------------------


def sample(place: int, response: Any, **more: Any) -> dict[str, Any]:
    return {
        "doc_id": place,
        "doc": {"source": f"source {place}", "references": []},
        "target": f"target {place}",
        "arguments": {"gen_args_0": {"arg_0": f"Correct: source {place}"}},
        "resps": [[f" {response}"]],
        "filtered_resps": response if isinstance(response, list) else [response],
        "exact_match": 0.0,
        **more,
    }


def test_samples_come_in_the_order_of_their_documents() -> None:
    given = lines(sample(2, "c"), sample(0, "a"), sample(1, ["b"]))
    assert list(json_texts.read(given)) == [
        (2, "a", "source 0"),
        (3, "b", "source 1"),
        (1, "c", "source 2"),
    ]
    assert texts(given, "resps") == [" a", " ['b']", " c"]


def test_nested_responses_are_taken_apart_and_several_are_told_of() -> None:
    assert texts(lines(sample(0, [["a"]]))) == ["a"]
    with pytest.warns(JuryboxWarning, match="2 samples hold several responses; the first counts"):
        found = texts(lines(sample(0, [["a", "b"]]), sample(1, ["c", "d"]), sample(2, "e")))
    assert found == ["a", "c", "e"]


def test_of_several_filters_the_first_counts_and_the_others_are_named() -> None:
    given = lines(
        *(sample(place, f"{name} {place}", filter=name) for name in "xyz" for place in (1, 0))
    )
    with pytest.warns(JuryboxWarning, match="those of 'x' count, those of y, z do not"):
        assert texts(given) == ["x 0", "x 1"]


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ([sample(0, "a"), sample(2, "b")], "doc_id 1 is missing (there are 2, up to 2)"),
        ([sample(0, "a"), sample(0, "b")], "hyp.jsonl:2: doc_id 0 is on line 1 already"),
        ([sample(0, [[-3.0, False]])], "'filtered_resps' holds a number, not generated text"),
        ([sample(0, [])], "'filtered_resps' holds a list, not generated text"),
        ([sample("0", "a")], "doc_id must be a whole number from 0"),  # type: ignore[arg-type]
    ],
)
def test_samples_that_cannot_be_put_in_order_are_refused(samples: list[Any], said: str) -> None:
    assert said in refusal(lines(*samples))


def test_plain_text_is_asked_for_by_name() -> None:
    json_texts.refuse_json(Input.from_text("He goes .\n"), "a source text")
    with pytest.raises(FormatError, match=r"s\.jsonl:1: is JSON, but a source text is plain text"):
        json_texts.refuse_json(Input.from_text('{"source": "a"}\n', "s.jsonl"), "a source text")
