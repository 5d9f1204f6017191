"""Judging in a real browser: by keyboard, on a phone, without scripts, stopped by gold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import PHONE
from browser.serve_site import PRACTICE, Visitors, sentences, visited
from jurybox.serve.model import Project, Purpose
from jurybox.serve.settings import GoldRule, Question, Task
from serve.made_studies import judged


@pytest.fixture(scope="module")
def visitors(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    with visited(chromium, tmp_path_factory.mktemp("serve")) as found:
        yield found


@pytest.fixture(autouse=True)
def _close(visitors: Visitors) -> Iterator[None]:
    yield
    visitors.close()


def labels(visitors: Visitors, project: Project) -> list[str]:
    return [row["label"] for row in judged(visitors.store, project.id)]


def press_and_wait(page: Page, key: str, pattern: str = "**/case") -> None:
    with page.expect_navigation(url=pattern):
        page.keyboard.press(key)


def heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


@pytest.mark.quick
def test_a_rater_goes_all_the_way_by_keyboard_alone(visitors: Visitors) -> None:
    project = visitors.project(
        PRACTICE,
        *sentences(3),
        instructions="Look at the marked word.\n\nNothing else counts.",
        questionnaire=(Question("ease", "How was it?", ("easy", "hard"), True),),
        completion_code="THANKS-1",
    )
    page = visitors.open(visitors.site.link(project))
    page.keyboard.press("Tab")
    page.keyboard.type("Ann")
    press_and_wait(page, "Enter", f"**/r/{project.id}")
    expect(page.get_by_text("Nothing else counts.")).to_be_visible()
    page.keyboard.press("Tab")
    press_and_wait(page, "Enter")
    expect(page.locator("mark")).to_have_text("of")
    press_and_wait(page, "2", "**/feedback**")
    assert heading(page) == "Not quite"
    expect(page.get_by_text("an error", exact=True)).to_be_visible()
    expect(page.get_by_text("Things depend on something.")).to_be_visible()
    press_and_wait(page, "Enter")
    for number, key in enumerate("123"):
        expect(page.locator("mark")).to_have_text("at")
        expect(page.get_by_text(f"{number} of 3")).to_be_visible()
        press_and_wait(page, key, "**/case" if number < 2 else "**/end")
    assert labels(visitors, project) == ["error", "ok", "unknown"]
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    press_and_wait(page, "Enter", "**/end")
    expect(page.get_by_text("THANKS-1")).to_be_visible()
    rater = visitors.store.rater_progress(project.id)[0].rater
    assert (rater.pseudonym, rater.practised, rater.answered) == ("Ann", 1, 3)
    assert rater.is_surveyed


def test_a_key_held_down_does_not_answer_the_next_case(visitors: Visitors) -> None:
    project = visitors.project(*sentences(3))
    page = visitors.begin(project)
    with page.expect_navigation():
        page.keyboard.down("1")
    page.keyboard.down("1")  # the same key again without letting go: a repeat
    page.wait_for_timeout(200)
    assert labels(visitors, project) == ["error"]
    page.keyboard.up("1")
    press_and_wait(page, "1")
    assert labels(visitors, project) == ["error", "error"]


@pytest.mark.quick
def test_whoever_breaks_the_gold_rule_is_stopped_kindly_and_flagged(visitors: Visitors) -> None:
    gold = [replace(case, id=f"g{i}", gold=("ok",)) for i, case in enumerate(sentences(4))]
    rule = GoldRule(0.5, 2)
    project = visitors.project(*sentences(30), *gold, gold_rate=0.5, gold_rule=rule)
    page = visitors.begin(project)
    for _ in range(30):
        if heading(page) == "Thank you for your work":
            break
        press_and_wait(page, "1")
    expect(page.get_by_text("There are no more cases for you")).to_be_visible()
    expect(page.get_by_text("What you have answered so far is kept")).to_be_visible()
    found = judged(visitors.store, project.id)
    assert sum(bool(row["gold"]) for row in found) >= 2
    assert len(found) < 30
    assert {row["status"] for row in found} == {"flagged"}
    page.reload()
    assert heading(page) == "Thank you for your work"


def test_a_cloze_is_filled_by_typing_and_from_a_list_by_a_key(visitors: Visitors) -> None:
    free = visitors.project(*sentences(2), task=Task.CLOZE)
    page = visitors.begin(free)
    expect(page.get_by_label("The word in the gap")).to_be_focused()
    page.keyboard.type("  at 1 ")  # figures are typed, not taken for keys
    press_and_wait(page, "Enter")
    assert labels(visitors, free) == ["at 1"]
    closed = visitors.project(*sentences(2), task=Task.CLOZE, fillers=("in", "on", "at"))
    page = visitors.begin(closed)
    press_and_wait(page, "3")
    assert labels(visitors, closed) == ["at"]


def test_the_order_in_which_a_choice_was_shown_is_stored(visitors: Visitors) -> None:
    project = visitors.project(*sentences(12), task=Task.CHOICE)
    page = visitors.begin(project)
    shown = []
    for _ in range(11):
        shown.append(page.get_by_role("button").first.inner_text().split()[-1])
        press_and_wait(page, "1")
    found = judged(visitors.store, project.id)
    assert [row["shown"] for row in found] == shown
    assert set(shown) == {"at", "in"}
    # the left one was always taken; the case lists "at" first
    assert [row["label"] for row in found] == [
        "first" if word == "at" else "second" for word in shown
    ]


def test_trained_raters_give_words_and_confidence_by_keyboard(visitors: Visitors) -> None:
    project = visitors.project(*sentences(3), task=Task.TRAINED)
    page = visitors.begin(project)
    expect(page.get_by_label("The best words")).to_be_hidden()
    page.keyboard.press("1")
    page.keyboard.type("in, inside")
    page.keyboard.press("Tab")
    page.keyboard.press("h")
    press_and_wait(page, "Enter")
    page.keyboard.press("s")
    press_and_wait(page, "Enter")
    page.keyboard.press("2")
    page.keyboard.press("l")
    press_and_wait(page, "Enter", "**/end")
    found = judged(visitors.store, project.id)
    columns = ("label", "correction", "alternatives", "confidence", "context")
    assert [tuple(row[column] for column in columns) for row in found] == [
        ("wrong", "in", '["inside"]', "1", ""),
        ("unknown", "", "", "", "spelling"),
        ("correct", "", "", "0", ""),
    ]


@pytest.mark.parametrize("task", [Task.JUDGE, Task.CHOICE])
def test_buttons_do_without_scripts(visitors: Visitors, task: Task) -> None:
    project = visitors.project(*sentences(2), task=task, completion_code="DONE")
    page = visitors.begin(project, scripts=False)
    for _ in range(2):
        page.get_by_role("button").nth(1).click()
    expect(page.get_by_text("DONE")).to_be_visible()
    assert len(labels(visitors, project)) == 2


def test_forms_do_without_scripts_and_lose_nothing_that_was_typed(visitors: Visitors) -> None:
    project = visitors.project(*sentences(1), task=Task.TRAINED, completion_code="DONE")
    page = visitors.begin(project, scripts=False)
    page.get_by_label("another grammatical error").check()
    page.get_by_label("Wrong choice").check()
    page.get_by_label("The best words").fill("in, <b>inside</b>")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_have_text("Please say how sure you are: low or high.")
    expect(page.get_by_label("another grammatical error")).to_be_checked()
    expect(page.get_by_label("Wrong choice")).to_be_checked()
    expect(page.get_by_label("The best words")).to_have_value("in, <b>inside</b>")
    page.get_by_label("The best words").fill("in")
    page.get_by_label("High").check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("DONE")).to_be_visible()
    assert [row["correction"] for row in judged(visitors.store, project.id)] == ["in"]


def test_practice_goes_by_without_scripts(visitors: Visitors) -> None:
    practice = replace(PRACTICE, gold=("on",))
    project = visitors.project(practice, *sentences(1), task=Task.CLOZE)
    page = visitors.begin(project, scripts=False)
    page.get_by_label("The word in the gap").fill("ON")
    page.get_by_role("button", name="Send").click()
    assert heading(page) == "That is right"
    page.get_by_role("link", name="Go on").click()
    expect(page.get_by_text("Number 0 sat")).to_be_visible()


@pytest.mark.parametrize("task", list(Task))
def test_nothing_is_wider_than_a_phone_and_buttons_are_for_fingers(
    visitors: Visitors, task: Task
) -> None:
    long = replace(sentences(1)[0], sentence=f"It sat on {'Donaudampfschiff' * 4} at home .")
    case = replace(long, start=4, end=5)
    page = visitors.begin(visitors.project(case, task=task), size=PHONE)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE[0]
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_a_place_where_something_may_be_missing_can_be_seen_and_heard(visitors: Visitors) -> None:
    case = replace(sentences(1)[0], start=3, end=3, written="")
    assert case.purpose == Purpose.WORK
    page = visitors.begin(visitors.project(case))
    box = page.locator("mark").bounding_box()
    assert box is not None
    assert box["width"] > 20
    expect(page.locator("mark")).to_have_text("(here)")
    assert heading(page) == "Is something missing at the marked place?"
