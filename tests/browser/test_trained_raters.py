"""Two trained raters judge in the browser; Table 3 of Tetreault and Chodorow (2008) comes out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.serve_site import Visitors, visited
from calling import Call
from jurybox.serve.model import Assignment, NewCase, Project, SubmittedAnswer
from jurybox.serve.settings import Overlap, Task

#: rater 1 down, rater 2 across: extraneous, wrong choice, OK
TABLE_3 = ((17, 0, 6), (1, 42, 20), (4, 33, 1213))
VERDICTS = ("extraneous", "wrong", "ok")
#: contexts that a rater finds spoiled: nothing else is said, or a verdict as well
SPOILED = [("spelling", "ok"), ("wrong", "grammar 1")]
#: sets of 100 for both raters, with a case for one of them after each
SETS = Overlap(100, 101)
#: pairs that are judged in the browser, each of them twice; the rest would take too long
TWICE = 2


@pytest.fixture
def visitors(chromium: Browser, tmp_path: Path) -> Iterator[Visitors]:
    with visited(chromium, tmp_path) as found:
        yield found


def contexts() -> list[tuple[str, str]]:
    """What the raters say of every context, in the order of the queue: each pair, then the rest."""
    cells = {
        (first, second): number
        for first, row in zip(VERDICTS, TABLE_3, strict=True)
        for second, number in zip(VERDICTS, row, strict=True)
    }
    begun = [pair for pair in chain(SPOILED, cells) for _ in range(min(TWICE, cells.get(pair, 2)))]
    rest = ([pair] * (number - TWICE) for pair, number in cells.items())
    shared = iter([*begun, *chain.from_iterable(rest)])
    said: list[tuple[str, str]] = []
    while True:
        pair = ("ok", "ok") if not SETS.batch(len(said)) else next(shared, None)
        if pair is None:
            return said
        said.append(pair)


def press(page: Page, verdict: str, number: int) -> None:
    """The form by its keys: what spoils the context, 0 / 1 / 2 / e with the words, confidence."""
    context, _, key = verdict.partition(" ") if verdict[0] in "sg" else ("", "", "")
    key = key or {"extraneous": "0", "wrong": "1", "ok": "2e"[number % 2]}.get(verdict, "")
    if context:
        page.keyboard.press(context[0])
    if key:
        page.keyboard.press(key)
    if key and key in "1e":
        page.keyboard.type("in, on")
        page.keyboard.press("Tab")
    if key:
        page.keyboard.press("lh"[number % 2])
    with page.expect_navigation():
        page.keyboard.press("Enter")


def number_of(text: str) -> int:
    """Which context this is."""
    found = re.search(r"Number (\d+) sat", text)
    assert found is not None, text
    return int(found[1])


def judge_all(visitors: Visitors, project: Project, said: list[tuple[str, str]]) -> None:
    pages = [visitors.begin(project) for _ in range(2)]
    for _ in range(said.index(("ok", "ok")) + TWICE):
        for rater, page in enumerate(pages):
            number = number_of(page.locator("main").inner_text())
            press(page, said[number][rater], number)
    visitors.close()
    words = {"wrong": ("in", "on")}
    for place, one in enumerate(visitors.store.rater_progress(project.id)):
        while isinstance(handed := visitors.store.next_case(one.rater.id), Assignment):
            verdict = said[number_of(handed.shown.left)][place].replace("ok", "correct")
            answer = SubmittedAnswer(verdict, words.get(verdict, ()), "high")
            visitors.store.answer(one.rater.id, handed.token, answer, handed.token)


def test_table_3_of_the_2008_paper_comes_out_of_a_project_judged_in_the_browser(
    visitors: Visitors, call: Call, tmp_path: Path
) -> None:
    """2008, sections 5.1 and 5.2: agreement .952, kappa .630, and 26 of 86 and 37 of 97."""
    said = contexts()
    cases = [
        NewCase(f"c{i}", f"Number {i} sat at home .", 3, 4, "at", before="He is tired .")
        for i in range(len(said))
    ]
    project = visitors.project(*cases, task=Task.TRAINED, overlap=SETS)
    judge_all(visitors, project, said)
    with (tmp_path / "export.csv").open("w", encoding="utf-8") as out:
        visitors.store.export(project.id, out)
    stored = ["--db", f"{tmp_path}/study.db", "--project", project.name]
    as_printed = ["--relabel", "correct=ok,equal=ok", "--spoiled", "drop", "--by-batch"]
    for source in (stored, [tmp_path / "export.csv"]):
        code, text, err = call("agree", *source, *as_printed, "--format", "json")
        assert (code, err) == (0, "")
        found = json.loads(text)
        [pair], [confusion] = found["pairs"], found["confusion"]
        assert pair["n"] == sum(map(sum, TABLE_3)) == 1336
        assert (round(pair["agreement"], 3), round(pair["kappa"], 3)) == (0.952, 0.630)
        assert confusion["table"] == dict(zip(VERDICTS, map(list, TABLE_3), strict=True))
        rates = [confusion["disagreement"][one] for one in ("first", "second")]
        assert [(one["denied"], one["errors"]) for one in rates] == [(26, 86), (37, 97)]
        batches = [one["batch"] for one in found["batches"]]
        assert batches == [*map(str, range(1, 15)), "(none)"]
        # the four labels as they were given, with the words of "wrong" and "equally good"
        found = json.loads(call("agree", *source, "--spoiled", "drop", "--format", "json")[1])
        assert list(found["labels"]) == ["extraneous", "wrong", "correct", "equal"]
        assert found["labels"]["equal"] > 0
        rates = [found["confusion"][0]["disagreement"][one] for one in ("first", "second")]
        assert [(one["denied"], one["errors"]) for one in rates] == [(26, 86), (37, 97)]
