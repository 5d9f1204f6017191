"""What `read_result` refuses: in words of our own, with file, field and remedy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
from jurybox.errors import FormatError, JuryboxError
from jurybox.records import restore
from jurybox.results import RecordedFile
from jurybox.saved_results import read_result
from made_results import make

#: one of each command, with as much in it as there can be
WHOLE = (
    *("score, everything", "score by gleu", "compare all", "ceiling, everything", "annotators"),
    *("show", "cases", "evaluate, everything", "evaluate commas", "measures"),
)


@cache
def record_of(title: str) -> Any:
    return json.loads(make(title).to_json())


def refusal(given_result: Any) -> str:
    with pytest.raises(FormatError) as caught:
        read_result(given_result)
    return str(caught.value)


# --- what is no result ---


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('{\n  "schema": "jurybox.score/1",\n  oops\n}\n', 3, "is not JSON"),
        ('{"schema": "jurybox.score/1"}\n{"more": 1}\n', 2, "is not JSON"),
        ("system  TP  FP\n", 1, "is not JSON"),
        ('{"schema": "jurybox.score/1",\n  "command":', 2, "is not JSON"),
    ],
)
def test_what_is_not_json_is_told_with_file_and_line(
    text: str, line: int, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "result.json"
    file.write_text(text, encoding="utf-8")
    message = refusal(file)
    assert message.startswith(f"{file}:{line}: {why}")
    assert "--format json" in message


@pytest.mark.parametrize("text", ["[]", "3", '"score"', "{}", '{"schema": 3}', '{"schema": "x/1"}'])
def test_json_of_something_else_is_no_result(text: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    message = refusal(file)
    assert message.startswith(f"{file}: is no result of jurybox")
    assert "--format json" in message


def test_nan_is_refused_for_our_json_has_none() -> None:
    text = make("measures").to_json().replace("12.5", "NaN")
    assert "NaN is no number in JSON" in refusal(text)


def test_nesting_without_end_is_refused() -> None:
    assert "is not JSON" in refusal('{"a":' * 100_000)


def test_an_empty_file_and_a_missing_one_are_told_apart(tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.touch()
    assert "is empty" in refusal(empty)
    with pytest.raises(JuryboxError, match="no such file"):
        read_result(tmp_path / "missing.json")


def test_saved_counts_and_summaries_of_convert_say_what_they_are() -> None:
    counts = {"schema": "jurybox.counts/1", "version": "0.1.0"}
    assert "saved counts, no result: score them with jurybox score" in refusal(counts)
    assert "jurybox convert" in refusal({"schema": "jurybox.convert/1"})


@pytest.mark.parametrize("schema", ["jurybox.score/2", "jurybox.foresee/1"])
def test_a_result_of_a_newer_jurybox_says_so(schema: str) -> None:
    record = make("score").to_dict() | {"schema": schema, "version": "9.1"}
    message = refusal(record)
    assert f"was made by a newer jurybox: 9.1, form {schema}" in message
    assert jb.__version__ in message


# --- fields ---


def places(record: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of everything in a record."""
    inside = record.items() if isinstance(record, dict) else enumerate(record)
    for key, value in inside:
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*path, key))


def at(record: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        record = record[step]
    return record


def changed(record: Any, path: tuple[str | int, ...], value: Any) -> Any:
    copy = deepcopy(record)
    at(copy, path[:-1])[path[-1]] = value
    return copy


def dotted(path: tuple[str | int, ...]) -> str:
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return shown.removeprefix(".")


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("score, everything", "systems[1].tp"),
        ("score, everything", "systems[0].intervals.f.low"),
        ("score, everything", "systems[0].details[0].gold"),
        ("compare all", "options.ci.seed"),
        ("compare all", "pairs[0].p_randomisation_holm"),
        ("ceiling, everything", "sizes[0].human_spread.sd"),
        ("ceiling, everything", "extrapolation.old.ratio.limit"),
        ("annotators", "sentence_agreement.fleiss_kappa.value"),
        ("show", "annotators.A1.edits"),
        ("cases", "constructions[0].on_cases"),
        ("evaluate, everything", "systems[0].curves.plain.points[1].tn"),
        ("evaluate, everything", "systems[0].suggests"),
        ("evaluate, everything", "options.bin_by"),
        ("evaluate, everything", "other_corpus.pairs[0].bins[0].counts"),
        ("measures", "beta"),
    ],
)
def test_a_missing_field_is_named_with_its_place(title: str, field: str, tmp_path: Path) -> None:
    record = deepcopy(record_of(title))
    [path] = [path for path in places(record) if dotted(path) == field]
    del at(record, path[:-1])[path[-1]]
    file = tmp_path / "result.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert refusal(file).startswith(f"{file}: lacks the field '{field}'")


def test_a_field_of_another_kind_is_named_with_what_it_must_be() -> None:
    record = changed(record_of("score, everything"), ("systems", 0, "tp"), "many")
    assert "the field 'systems[0].tp' must be a whole number, not 'many'" in refusal(record)
    record = changed(record_of("score, everything"), ("systems",), [])
    assert "the field 'systems' must be a list, not an empty one" in refusal(record)
    record = changed(record_of("score, everything"), ("systems", 0, "tp"), True)
    assert "must be a whole number, not True" in refusal(record)


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(FormatError) as caught:
        restore(RecordedFile, {"path": ["x" * 1000], "sha256": ""}, file="r.json")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("title", "path", "value"),
    [
        ("evaluate, everything", ("systems", 0, "bins", 1, "kappa"), 0.123),
        ("evaluate, everything", ("systems", 1, "n"), 70),
        ("annotators", ("annotators", "A1", "total"), 1000),
        ("annotators", ("texts", "mean"), 9.5),
        ("show", ("distinct",), 40),
    ],
)
def test_a_number_changed_by_hand_is_found_where_it_follows_from_others(
    title: str, path: tuple[str | int, ...], value: float
) -> None:
    message = refusal(changed(record_of(title), path, value))
    assert f"the field '{dotted(path)}' does not follow from the others" in message


def test_the_last_digit_of_another_machine_is_no_complaint() -> None:
    record = record_of("annotators")
    share = record["texts"]["mean"]
    read_result(changed(record, ("texts", "mean"), share * (1 + 1e-15)))


def test_parts_that_do_not_fit_together_are_refused() -> None:
    record = deepcopy(record_of("ceiling, everything"))
    del record["sizes"][1]["systems"]["old"]
    assert "does not fit together" in refusal(record)
    record = deepcopy(record_of("evaluate, everything"))
    del record["systems"][0]["stability"][0]["movements"][0]
    assert "does not fit together" in refusal(record)


# overflow in counts of 1e300
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(st.sampled_from(WHOLE), st.data())
def test_a_damaged_result_is_read_or_refused_in_our_own_words(
    title: str, data: st.DataObject
) -> None:
    record = record_of(title)
    path = data.draw(st.sampled_from(list(places(record))))
    wrong = data.draw(st.sampled_from([None, True, -1, 0.5, 1e300, "x", [], {}, [1], {"x": 1}]))
    damaged = changed(record, path, wrong)
    if data.draw(st.booleans()):
        damaged = deepcopy(record)
        del at(damaged, path[:-1])[path[-1]]
    with suppress(JuryboxError):
        result = read_result(damaged)
        assert str(result)
        assert result.to_json()
