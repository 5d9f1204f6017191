"""The record of a study: a result holds exactly as long as everything it was made of does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.study.lock import LOCK, MadeFrom, digest_of, read_lock, reasons_to_make, write_lock

BEFORE = MadeFrom(
    "score",
    {"gold": ["A1.m2"], "ci": True},
    {"A1.m2": "5f", "mine.txt": "0a"},
    {"results/scores.json": "c0"},
)


def test_what_did_not_change_holds() -> None:
    assert reasons_to_make(BEFORE, BEFORE) == []


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        (BEFORE._replace(inputs={"A1.m2": "5f", "mine.txt": "0b"}), "mine.txt changed"),
        (BEFORE._replace(inputs={"A1.m2": "5f"}), "mine.txt is gone"),
        (BEFORE._replace(inputs={**BEFORE.inputs, "new.txt": "1"}), "new.txt is new"),
        (BEFORE._replace(options={"gold": ["A2.m2"], "ci": True}), "gold changed"),
        (BEFORE._replace(options={"gold": ["A1.m2"]}), "ci changed"),
        (BEFORE._replace(options={**BEFORE.options, "seed": ["7"]}), "seed changed"),
        (BEFORE._replace(outputs={"results/scores.json": ""}), "results/scores.json is missing"),
        (BEFORE._replace(outputs={"results/scores.json": "d"}), "results/scores.json was changed"),
        (BEFORE._replace(version="9.9.9"), f"made by jurybox {BEFORE.version}"),
        (BEFORE._replace(plugins={"jurybox-mine": "1.0"}), "jurybox-mine changed"),
        (BEFORE._replace(command="compare"), "it was score"),
    ],
)
def test_what_changed_is_named(now: MadeFrom, reason: str) -> None:
    assert reasons_to_make(now, BEFORE) == [reason]


def test_the_number_of_processes_is_no_reason() -> None:
    assert reasons_to_make(BEFORE._replace(options={**BEFORE.options, "jobs": ["4"]}), BEFORE) == []


files = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["1", "2"]), max_size=3)
made = st.builds(
    MadeFrom,
    command=st.sampled_from(["score", "compare"]),
    options=files,
    inputs=files,
    outputs=st.just({"r.json": "1"}),
    exit=st.just(0),
    headline=st.just(""),
    version=st.sampled_from(["1.0", "1.1"]),
    plugins=files,
)


@given(made, made)
def test_a_result_holds_if_and_only_if_nothing_differs(now: MadeFrom, before: MadeFrom) -> None:
    assert (reasons_to_make(now, before) == []) == (now == before)


@given(st.dictionaries(st.text("xyz", min_size=1), made, max_size=3))
def test_what_is_kept_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, kept: dict[str, MadeFrom]
) -> None:
    folder = str(tmp_path_factory.mktemp("lock"))
    write_lock(folder, kept)
    assert read_lock(folder) == kept


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"form": 2, "made": {}}',
        '{"form": 1, "made": 3}',
        '{"form": 1, "made": {"a": {}}}',
    ],
)
def test_a_record_that_cannot_be_read_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / LOCK).write_text(text, "utf-8")
    assert read_lock(str(tmp_path)) is None
    assert read_lock(str(tmp_path / "nowhere")) is None


def test_the_record_is_plain_json_for_others_to_read(tmp_path: Path) -> None:
    write_lock(str(tmp_path), {"scores": BEFORE})
    record = json.loads((tmp_path / LOCK).read_text("utf-8"))
    assert record["made"]["scores"]["inputs"]["A1.m2"] == "5f"


def test_the_digest_of_a_folder_tells_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one").write_text("1", "utf-8")
    before = digest_of(str(tmp_path / "a"))
    (tmp_path / "a" / "one").write_text("2", "utf-8")
    changed = digest_of(str(tmp_path / "a"))
    (tmp_path / "a" / "one").rename(tmp_path / "a" / "two")
    renamed = digest_of(str(tmp_path / "a"))
    assert len({before, changed, renamed, digest_of(str(tmp_path / "none"))}) == 4
    assert digest_of(str(tmp_path / "none")) == ""
