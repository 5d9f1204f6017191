"""Feedback to an annotator in a real browser, by keyboard alone (Bryant and Ng 2015, section 4)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import PHONE
from browser.serve_site import Visitors, visited
from browser.test_serve_admin import violations
from browser.test_serve_correct import apply, finish, is_saved, log_in, word
from jurybox.serve.model import NewCase
from jurybox.serve.settings import Task

TEXT = "She go to school .\nThe dog is in in house ."


@pytest.fixture
def visitors(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    with visited(chromium, tmp_path_factory.mktemp("serve")) as found:
        yield found


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the button or field of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        if focused.count() and name in (focused.get_attribute("id") or focused.inner_text()):
            return
    raise AssertionError(f"Tab never comes to {name}")


def title(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


@pytest.mark.slow
def test_an_annotator_pauses_an_admin_writes_and_the_annotator_goes_on(visitors: Visitors) -> None:
    cases = [NewCase(f"e{i}", TEXT) for i in range(3)]
    project = visitors.project(*cases, task=Task.CORRECT, feedback_after=1)
    annotator = visitors.begin(project, size=PHONE)
    word(annotator, 0, 1).click()
    apply(annotator, "went", "Vt", "yesterday")
    is_saved(annotator)
    finish(annotator)
    title(annotator, "Feedback comes first")
    assert violations(annotator) == []

    admin = log_in(visitors)
    admin.goto(f"{visitors.site.base}/admin/projects/{project.id}")
    expect(admin.get_by_text("waits for feedback")).to_be_visible()
    admin.get_by_role("link", name="Feedback to R1").press("Enter")
    title(admin, "Feedback to R1")
    expect(admin.locator("article del")).to_have_text("go")
    expect(admin.locator("article ins")).to_have_text("went")
    assert violations(admin) == []
    tab_to(admin, "text")
    admin.keyboard.type("Well done. Please mark as few words as you can.")
    with admin.expect_navigation():
        admin.keyboard.press("Tab")
        admin.keyboard.press("Enter")
    expect(admin.get_by_role("status")).to_contain_text("R1 reads it before the next essay")

    annotator.get_by_role("link", name="Look again").press("Enter")
    title(annotator, "Feedback on your essays")
    expect(annotator.get_by_text("mark as few words")).to_be_visible()
    assert violations(annotator) == []
    tab_to(annotator, "I have read it")
    with annotator.expect_navigation():
        annotator.keyboard.press("Enter")
    expect(annotator.locator("#essay")).to_be_visible()
    (given,) = visitors.store.feedback(1)
    assert given.confirmed is not None
    admin.reload()
    expect(admin.get_by_text("not read yet")).to_have_count(0)
