"""Counts on disk: what was saved comes back, and anything damaged is our own error."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
from jurybox.errors import FormatError, JuryboxError
from jurybox.formats import Input
from jurybox.metrics.options import MetricOptions
from jurybox.model import CountsTable
from jurybox.results import RecordedFile
from jurybox.score import is_counts
from jurybox.score.saved_counts import SavedCounts, read_counts, write_counts

SENTENCES = ["S a b c\nA 0 1|||X|||d|||REQUIRED|||-NONE-|||0\n", "S e f\n"]


def saved_example() -> SavedCounts:
    table = CountsTable(annotators=["0", "é"], by_type=[])
    table.append([(0, (1, 0, 2)), (1, (0, 1, 3))])
    table.append([(1, (4, 5, 6))])
    assert table.by_type is not None
    table.by_type += [{"Nn": (1, 0, 2)}, {}, {"": (0, 5, 0), "Prep": (4, 0, 6)}]
    table.documents = ["one", "two"]
    return SavedCounts(
        options=MetricOptions(metric="errant", beta=1, types=["R:NOUN"], edit_size="single"),
        signature="jurybox m2|refs:2|v:0",
        inputs=(RecordedFile("x.txt", "00"), RecordedFile("g.m2", "11")),
        gold=(RecordedFile("g.m2", "11"),),
        tables={"x.txt": table},
    )


def written(saved: SavedCounts) -> str:
    out = io.StringIO()
    write_counts(saved, out)
    return out.getvalue()


def record() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(written(saved_example()))
    return made


def read_record(changed: object) -> SavedCounts:
    return read_counts(Input.from_text(json.dumps(changed), name="c.json"))


def test_what_was_written_is_read_back() -> None:
    saved = saved_example()
    assert read_counts(Input.from_text(written(saved))) == saved


@st.composite
def tables(draw: st.DrawFn, *, sentences: int, documents: list[str] | None) -> CountsTable:
    annotators = draw(st.lists(st.text(min_size=1), min_size=1, max_size=3, unique=True))
    number = st.integers(0, 2**40)
    table = CountsTable(annotators=annotators, documents=documents)
    for _ in range(sentences):
        rows = st.tuples(st.integers(0, len(annotators) - 1), st.tuples(number, number, number))
        table.append(draw(st.lists(rows, max_size=3)))
    if draw(st.booleans()):
        types = st.dictionaries(st.text(max_size=3), st.tuples(number, number, number), max_size=2)
        size = len(table.annotator)
        table.by_type = draw(st.lists(types, min_size=size, max_size=size))
    return table


@given(st.data())
def test_any_tables_come_back_as_they_were(data: st.DataObject) -> None:
    sentences = data.draw(st.integers(0, 4))
    ids = st.lists(st.text(), min_size=sentences, max_size=sentences)
    documents = data.draw(st.none() | ids)
    one = tables(sentences=sentences, documents=documents)
    systems = data.draw(st.dictionaries(st.text(), one, min_size=1, max_size=3))
    saved = SavedCounts(MetricOptions(beta=1.5), "jurybox m2|v:0", (), (), systems)
    assert read_counts(Input.from_text(written(saved))) == saved


def test_saved_counts_say_that_alignment_found_the_gold_edits(tmp_path: Path) -> None:
    texts = {"src.txt": "It rain .\n", "ref.txt": "It rains .\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    scored = jb.score(["It rains ."], source=tmp_path / "src.txt", refs=tmp_path / "ref.txt")
    jb.save_counts(scored, tmp_path / "counts.json")
    assert "|gold:aligned|" in scored.signature
    assert jb.score_counts(tmp_path / "counts.json").signature == scored.signature


def test_a_counts_file_is_told_by_its_beginning() -> None:
    assert is_counts(Input.from_text(written(saved_example())))
    indented = json.dumps(record(), indent=2)
    assert is_counts(Input.from_text(indented)), "what went through jq is still counts"
    assert not is_counts(Input.from_text('{"tokens": ["a"]}\n'))
    assert not is_counts(Input.from_text("S a b\n"))


Change = Callable[[dict[str, Any]], object]


def with_system(key: str, value: object) -> Change:
    return lambda made: made["systems"][0].update({key: value})


DAMAGES: dict[str, tuple[Change, str]] = {
    "another schema": (lambda made: made.update(schema="jurybox.counts/99"), "counts/99"),
    "no schema": (lambda made: made.pop("schema"), "schema"),
    "no systems": (lambda made: made.pop("systems"), "systems"),
    "no options": (lambda made: made.pop("options"), "options"),
    "an empty list of systems": (lambda made: made.update(systems=[]), "system"),
    "options that are no object": (lambda made: made.update(options=3), ""),
    "systems that are no list": (lambda made: made.update(systems=7), ""),
    "a system that is no object": (lambda made: made.update(systems=[1]), ""),
    "the same system twice": (lambda made: made.update(systems=made["systems"] * 2), "own name"),
    "a column too short": (
        lambda made: made["systems"][0]["values"].update(tp=[1]),
        "differ in length",
    ),
    "a column missing": (lambda made: made["systems"][0]["values"].pop("fn"), "fn"),
    "starts not from 0": (with_system("starts", [1, 2, 3]), ""),
    "starts that go back": (with_system("starts", [0, 4, 3]), "order"),
    "no starts at all": (with_system("starts", []), ""),
    "an annotator out of range": (with_system("annotator", [0, 2, 1]), "annotator"),
    "an annotator below 0": (with_system("annotator", [0, -1, 1]), "annotator"),
    "text instead of a number": (
        lambda made: made["systems"][0]["values"].update(tp=[1, "2", 3]),
        "",
    ),
    "half an edit": (lambda made: made["systems"][0]["values"].update(tp=[1, 0.5, 3]), ""),
    "a number too large": (lambda made: made["systems"][0]["values"].update(tp=[1, 2**70, 3]), ""),
    "types of too few rows": (with_system("by_type", [{}]), "differ in length"),
    "types that are no counts": (with_system("by_type", [{}, {}, {"Nn": [1]}]), ""),
    "too few documents": (lambda made: made.update(documents=["one"]), "documents"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_with_its_name_and_what_to_do(damage: str) -> None:
    change, hint = DAMAGES[damage]
    made = record()
    change(made)
    with pytest.raises(FormatError) as caught:
        read_record(made)
    message = str(caught.value)
    assert message.startswith("c.json: ")
    assert hint in message
    assert "--save-counts" in message


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_refused(share: float) -> None:
    whole = written(saved_example()).rstrip("\n")
    with pytest.raises(FormatError, match=r"^c\.json: "):
        read_counts(Input.from_text(whole[: int(share * len(whole))], name="c.json"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(json_values)
def test_any_json_gives_our_own_error(value: object) -> None:
    with pytest.raises(FormatError):
        read_record(value)


def places(made: object, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside a JSON value."""
    inside: list[tuple[Any, Any]] = []
    if isinstance(made, dict):
        inside = list(made.items())
    elif isinstance(made, list):
        inside = list(enumerate(made))
    return [here, *(way for key, value in inside for way in places(value, (*here, key)))]


def put(made: Any, way: tuple[Any, ...], value: object) -> Any:
    if not way:
        return value
    copy = made.copy()
    copy[way[0]] = put(made[way[0]], way[1:], value)
    return copy


@pytest.fixture(scope="module")
def real_record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A counts file as `save_counts` makes it, so that scoring it works."""
    path = tmp_path_factory.mktemp("counts") / "counts.json"
    gold = jb.read_panel(Input.from_text("\n".join(SENTENCES)))
    result = jb.score({"one": ["d b c", "e"], "two": ["a c", "e f"]}, gold, by="type")
    jb.save_counts(result, path)
    made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return made


@given(data=st.data())
def test_whatever_one_value_is_changed_to_scoring_works_or_gives_our_own_error(
    real_record: dict[str, Any], data: st.DataObject
) -> None:
    way = data.draw(st.sampled_from(places(real_record)))
    changed = put(real_record, way, data.draw(json_values))
    try:
        jb.score_counts(Input.from_text(json.dumps(changed), name="c.json")).to_json()
    except JuryboxError as error:
        assert str(error)  # noqa: PT017  either outcome is right, no other exception is
