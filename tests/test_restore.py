"""`read_result`: what was saved as JSON comes back whole, to the last digit and the last dot."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jurybox as jb
from jurybox.errors import InputError
from jurybox.figures import save_figure
from jurybox.jury.evaluate import FIGURES
from jurybox.results import RecordedFile
from jurybox.saved_results import HOMES, read_result
from jurybox.score.result import ScoreResult
from made_panels import outputs, panels
from made_results import LABEL, RESULTS, SYSTEMS, decisions, jury, make, panel_of
from saved_results import check_restored

made = cache(make)


#: what JSON does not hold: counts per sentence; expected counts, which nothing shows; and files,
#: which come back by name and hash
NOT_SAVED = {"inputs", "counted", "gold_inputs", "saved_inputs", "saved_gold", "expected"}
#: cases, decisions and events in memory; JSON says how many there were
NOT_SAVED |= {"case_set", "decisions", "scores", "scored"}


def differences(first: Any, second: Any, path: str = "") -> Iterator[str]:
    """Where two values differ, all the way down; nan is like nan."""
    if type(first) is not type(second):
        yield f"{path}: {type(first)} became {type(second)}"
        return
    inside, other = parts_of(first), parts_of(second)
    if inside is None or other is None:
        if not (first == second or (first != first and second != second)):  # noqa: PLR0124  nan
            yield f"{path}: {first!r} became {second!r}"
    elif inside.keys() != other.keys():
        yield f"{path}: {[*inside]} became {[*other]}"
    else:
        for name in inside.keys() - NOT_SAVED:
            yield from differences(inside[name], other[name], f"{path}.{name}")


def parts_of(value: Any) -> dict[Any, Any] | None:
    """What a value is made of; None for a plain one."""
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.ndarray):
        return dict(enumerate(value.ravel().tolist())) | {"shape": value.shape}
    return dict(enumerate(value)) if isinstance(value, (list, tuple)) else None


def svg(figure: Any, folder: Path) -> bytes:
    target = folder / "figure.svg"
    save_figure(figure, target)
    return target.read_bytes()


# --- every result, every part of it ---


@pytest.mark.parametrize("title", RESULTS)
def test_a_result_comes_back_with_the_same_json_tables_and_rows(title: str) -> None:
    check_restored(made(title))


@pytest.mark.parametrize("title", [title for title in RESULTS if not title.startswith("cases")])
def test_every_value_in_a_result_comes_back_with_its_type(title: str) -> None:
    restored = read_result(made(title).to_json())
    assert list(differences(made(title), restored)) == []


def test_every_command_whose_result_can_be_read_back_is_tried() -> None:
    assert {title.replace(",", " ").split()[0] for title in RESULTS} == {*HOMES}


@pytest.mark.parametrize(
    "title",
    [
        *("ceiling", "ceiling, everything", "ceiling, extrapolated", "ceiling by gleu"),
        *("ceiling, gaps", "annotators", "annotators by gleu", "annotators, gaps"),
    ],
)
def test_a_figure_is_the_same_byte_for_byte(title: str, tmp_path: Path) -> None:
    result: Any = made(title)
    restored: Any = read_result(result.to_json())
    assert svg(restored.figure(), tmp_path) == svg(result.figure(), tmp_path)


@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize("title", ["evaluate, everything", "evaluate, no error"])
def test_a_figure_of_evaluate_is_the_same_byte_for_byte(
    title: str, kind: str, tmp_path: Path
) -> None:
    result: Any = made(title)
    restored: Any = read_result(result.to_json())
    drawn = []
    for one in (result, restored):
        try:
            drawn.append(svg(one.figure(kind), tmp_path))
        except InputError as error:  # nothing to draw, in both or in none
            drawn.append(str(error).encode())
    assert drawn[0] == drawn[1]
    assert title == "evaluate, no error" or drawn[0].startswith(b"<?xml")


# --- for any panel and any jury ---


@settings(max_examples=30)
@given(st.data())
def test_results_of_any_panel_come_back(data: st.DataObject) -> None:
    panel = data.draw(panels(3, gaps=True))
    lines = data.draw(outputs(panel))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jb.JuryboxWarning)
        check_restored(jb.annotators(panel))
        check_restored(jb.show(1, panel, {"s": lines}))
        ceiling = jb.ceiling(panel, {"s": lines}, sizes="all", by="type", ci=True, resamples=5)
        check_restored(ceiling)
        looked = jb.Panel(tuple(s for s in panel if s.annotations), panel.annotators)
        kept = [line for line, s in zip(lines, panel, strict=True) if s.annotations]
        if kept:
            check_restored(jb.score(kept, looked, by="type", ci=True, resamples=5))


@settings(max_examples=30)
@given(
    st.lists(st.text("".join(LABEL) + ".", min_size=3, max_size=3), min_size=1, max_size=6),
    st.data(),
)
def test_results_of_any_jury_come_back(marks: list[str], data: st.DataObject) -> None:
    marks = ["eo.", *marks]  # somebody decides something
    size = len(marks)
    said = data.draw(st.text("eo", min_size=size, max_size=size))
    numbers = st.sampled_from([0.0, 0.25, 1 / 3, 1.0, 7.0])
    scores = data.draw(st.lists(numbers, min_size=size, max_size=size))
    options: dict[str, Any] = {"ci": True, "resamples": 5, "stability": True, "develop": 0.5}
    options["choose"] = data.draw(st.sampled_from(["f_beta", "recall"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jb.JuryboxWarning)
        given_jury = jury(marks)
        cases = jb.Input.from_lines(["case", *(f"c{number}" for number in range(size))])
        systems = {"s": decisions(said, scores)}
        try:
            result = jb.evaluate(cases, given_jury["judgments"], systems, **options)
        except jb.JuryboxError:
            return  # too few cases for what was asked
    restored = check_restored(result)
    assert list(differences(result, restored)) == []


# --- where it is read from ---


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    target = tmp_path / "result.json"
    target.write_text(made("score").to_json(), encoding="utf-8")
    return target


def test_file_text_dict_and_input_give_the_same_result(saved: Path) -> None:
    text = saved.read_text(encoding="utf-8")
    record = made("score").to_dict()
    found = [saved, str(saved), text, f"\n {text}", json.loads(text), record, jb.Input(saved)]
    assert {read_result(one).to_json() for one in found} == {text}


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_compressed_file_is_read_like_a_plain_one(saved: Path, compress: Any) -> None:
    saved.write_bytes(compress(saved.read_bytes()))
    assert read_result(saved).to_json() == made("score").to_json()


def test_a_minus_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(made("measures").to_json()))
    assert read_result("-").to_json() == made("measures").to_json()


def test_what_a_command_writes_can_be_read(tmp_path: Path, call: Any) -> None:
    texts = tmp_path / "old.txt"
    texts.write_text("".join(f"{line}\n" for line in SYSTEMS["old"]), encoding="utf-8")
    gold, target = tmp_path / "gold.jsonl", tmp_path / "result.json"
    with gold.open("w", encoding="utf-8") as out:
        from jurybox.formats.edits import jsonl

        jsonl.write(panel_of(3), out)
    command = ["score", texts, "--gold", gold, "--ci", "--resamples", "9"]
    assert call(*command, "--format", "json", "-o", target)[0] == 0
    code, out_text, _ = call(*command)
    assert code == 0
    assert str(read_result(target)) == out_text.rstrip("\n")


# --- what is behind a result ---


def test_the_files_behind_a_result_are_named_and_not_touched(tmp_path: Path) -> None:
    text = tmp_path / "mine.txt"
    text.write_text("".join(f"{line}\n" for line in SYSTEMS["old"]), encoding="utf-8")
    result = jb.score(text, panel_of(3))
    record = result.to_dict()
    text.unlink()
    restored = read_result(record)
    assert isinstance(restored, ScoreResult)
    assert restored.inputs == (RecordedFile(str(text), result.inputs[0].sha256),)
    assert restored.to_dict() == record


def test_the_version_that_made_the_numbers_is_kept() -> None:
    record = made("compare").to_dict()
    signature = record["signature"].rpartition("|v:")[0]
    older = record | {"version": "0.0.1", "signature": f"{signature}|v:0.0.1"}
    assert read_result(older).to_dict() == older


def test_a_field_that_a_later_version_adds_does_no_harm() -> None:
    record = made("score").to_dict()
    assert str(read_result(record | {"surprise": 1})) == str(made("score"))


def test_counts_that_json_does_not_hold_are_asked_for_in_words(tmp_path: Path) -> None:
    restored = read_result(made("score").to_json())
    assert isinstance(restored, ScoreResult)
    with pytest.raises(InputError, match=r"'old' was read back .* --save-counts"):
        jb.save_counts(restored, tmp_path / "counts.json")
    assert not (tmp_path / "counts.json").exists()
