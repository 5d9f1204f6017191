"""Detectors of other packages are asked about places, and their answers are checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import jurybox as jb
from jurybox.detect.detector import PluginDetector, find_detector
from jurybox.detect.run.result import DetectionRun
from jurybox.errors import InputError
from jurybox.formats import Input
from plugin_packages import offered

CODE = """
class Sure:
    def decide(self, tokens, start, end):
        return 2, None

class Odd:
    def decide(self, tokens, start, end):
        return 0.5, 7

class Fails:
    def decide(self, tokens, start, end):
        return tokens[99]

class Mute: ...
"""
TEXT = "The the cat sat on on a mat ."


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield from offered(monkeypatch, tmp_path, "detectors", "odd-ones", CODE)


def detector(name: str) -> PluginDetector:
    found = find_detector(name)
    assert found is not None
    return PluginDetector(found)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("sure", "gives the score 2; it must be from 0 to 1"),
        ("odd", "suggests 7; it must be text, or None"),
        ("fails", "'fails' of package odd-ones failed to decide: IndexError"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_the_package(name: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        detector(name).decide(("a", "b"), 0, 1)


def test_what_cannot_decide_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="has no decide"):
        detector("mute")


def run(
    construction: str | None = None, *, text: str | None = None, cases: str | None = None
) -> DetectionRun:
    return jb.run_detectors(
        "doubled",
        text=None if text is None else Input.from_text(text),
        cases=None if cases is None else Input.from_text(cases, "cases.jsonl"),
        tokenised=text is not None,
        construction=construction,
    )


def test_it_decides_about_the_same_places_as_ours_by_default() -> None:
    found = run(text=TEXT)
    assert [case.id for case in found.case_set.cases] == ["S1:4-5", "S1:5-6"]
    assert list(found.decisions["doubled"].label) == [1, 0]
    assert found.decisions["doubled"].suggestion == ["", None]
    assert "|by:jurybox-exactmatch-1.0|" in found.signature
    assert found.detectors[0].learner == "plugin"


def test_alone_it_decides_about_any_construction() -> None:
    found = run("token", text=TEXT)
    assert len(found.case_set.cases) == len(TEXT.split())
    with pytest.raises(jb.JuryboxError, match="did you mean 'article'"):
        run("artikle", text=TEXT)


def test_given_cases_of_any_construction_are_decided() -> None:
    lines = [
        '{"case": "c1", "sentence": "A a cat .", "start": 0, "end": 1, "construction": "article"}',
        '{"case": "c2", "sentence": "a a cat .", "start": 0, "end": 1, "construction": "article"}',
        '{"case": "c3", "sentence": "a cat cat .", "start": 1, "end": 2, "construction": "noun"}',
        '{"case": "c4", "sentence": "a cat .", "start": 1, "end": 1, "construction": "noun"}',
    ]
    found = run(cases="\n".join(lines))
    assert list(found.decisions["doubled"].label) == [0, 1, 1, 0]


def test_positions_that_a_rule_rules_out_are_not_asked_about() -> None:
    found = run("missing-preposition", text="We sat .")
    assert all(score == 0 for score in found.decisions["doubled"].score or ())


def test_a_folder_of_the_same_name_wins(tmp_path: Path) -> None:
    (tmp_path / "doubled").mkdir()
    with pytest.raises(InputError, match="is not the folder of a model"):
        run(text=TEXT)


def test_a_name_that_nobody_has_is_told_what_there_is() -> None:
    with pytest.raises(InputError, match="or what a package brings: doubled, fails, mute"):
        jb.run_detectors("dubbled", text=Input.from_text(TEXT))
