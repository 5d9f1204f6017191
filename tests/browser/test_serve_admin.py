"""The admin's way in a real browser, and every page of the server looked at by axe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import PHONE
from browser.serve_site import PRACTICE, Visitors, sentences, visited
from jurybox.serve.routes.auth import entrance_path, setup_path
from jurybox.serve.settings import Question, Task


@pytest.fixture
def visitors(chromium: Browser, tmp_path: Path) -> Iterator[Visitors]:
    with visited(chromium, tmp_path) as found:
        yield found


def test_from_an_empty_database_to_judgments_in_the_browser_alone(
    visitors: Visitors, tmp_path: Path
) -> None:
    site = visitors.site
    page = visitors.open(site.base + setup_path(site.site))
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Become the admin").click()
    page.get_by_role("link", name="New project").first.click()
    page.get_by_label("Name").fill("Prepositions")
    cases = tmp_path / "cases.csv"
    cases.write_text("case,sentence,start,end\nc1,He sat at mat .,2,9\n", "utf-8")
    page.get_by_label("Cases", exact=True).set_input_files(cases)
    page.get_by_label("Instructions").fill("Look at the marked word.")
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("alert")).to_contain_text("span 2-9 is not inside the sentence")
    expect(page.get_by_label("Instructions")).to_have_value("Look at the marked word.")
    cases.write_text("case,sentence,start,end\nc1,He sat at mat .,2,3\n", "utf-8")
    page.get_by_label("Cases", exact=True).set_input_files(cases)
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Prepositions")

    rater = visitors.open(page.get_by_role("textbox", name="Link for raters").input_value())
    rater.get_by_role("button", name="Begin").click()
    rater.get_by_role("link", name="Start").click()
    rater.get_by_role("button", name="Error").click()
    expect(rater.get_by_role("heading", level=1)).to_have_text("Thank you")

    page.reload()
    expect(page.get_by_text("1 of 1 (1 per case)")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("link", name="JSONL").click()
    file = started.value
    assert file.suggested_filename == "Prepositions.jsonl"
    (line,) = Path(file.path()).read_text("utf-8").splitlines()
    assert json.loads(line)["label"] == "error"
    page.get_by_role("button", name="Stop R1").click()
    expect(page.get_by_text("stopped, flagged")).to_be_visible()
    page.get_by_role("button", name="Close the project").click()
    expect(page.get_by_text("· closed")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")


CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def violations(page: Page) -> list[str]:
    """What axe finds by day, and what becomes too faint by night."""
    page.wait_for_load_state()
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += Axe().run(page, options=CONTRAST).response["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{page.url}: {one['id']}: {one['nodes'][0]['html']}" for one in found]


def follow(page: Page, button: Locator) -> None:
    with page.expect_navigation():
        button.click()


def rater_pages(visitors: Visitors) -> Iterator[Page]:
    """Every page of a rater's way."""
    project = visitors.project(
        PRACTICE,
        *sentences(1),
        instructions="Look.",
        questionnaire=(Question("l", "Language?"), Question("e", "Easy?", ("yes", "no"))),
        completion_code="CODE",
    )
    page = visitors.open(visitors.site.link(project))
    yield page
    follow(page, page.get_by_role("button", name="Begin"))
    yield page
    follow(page, page.get_by_role("link", name="Start"))
    yield page
    follow(page, page.get_by_role("button", name="OK"))
    yield page
    follow(page, page.get_by_role("link", name="Go on"))
    follow(page, page.get_by_role("button", name="OK"))
    yield page
    follow(page, page.get_by_role("button", name="Send"))
    expect(page.locator("#code")).to_have_text("CODE")
    yield page


def test_axe_finds_nothing_on_a_raters_way(visitors: Visitors) -> None:
    found = [violations(page) for page in rater_pages(visitors)]
    assert found == [[]] * 6


def test_axe_finds_nothing_where_there_is_no_work(visitors: Visitors) -> None:
    """Waiting while somebody else has the last case; stopped; closed."""
    project = visitors.project(*sentences(1), per_case=1)
    visitors.begin(project)
    page = visitors.begin(project)
    headings = [page.get_by_role("heading", level=1).inner_text()]
    assert violations(page) == []
    for one in visitors.store.rater_progress(project.id):
        visitors.store.stop_rater(one.rater.id)
    page.reload()
    headings.append(page.get_by_role("heading", level=1).inner_text())
    assert violations(page) == []
    other = visitors.project(*sentences(1))
    page = visitors.begin(other)
    visitors.store.change_project(other.id, replace(other.settings, is_open=False))
    page.reload()
    headings.append(page.get_by_role("heading", level=1).inner_text())
    assert violations(page) == []
    assert len({*headings}) == 3


@pytest.mark.parametrize(
    ("task", "fillers"),
    [(Task.TRAINED, ()), (Task.CLOZE, ()), (Task.CLOZE, ("in", "at")), (Task.CHOICE, ())],
)
def test_axe_finds_nothing_on_the_page_of_a_task(
    visitors: Visitors, task: Task, fillers: tuple[str, ...]
) -> None:
    page = visitors.begin(visitors.project(*sentences(2), task=task, fillers=fillers))
    assert violations(page) == []
    if task == Task.TRAINED:
        page.get_by_label("Wrong choice").check()
        follow(page, page.get_by_role("button"))  # the form comes back
        assert page.get_by_role("alert").count() == 1
        assert violations(page) == []


@pytest.mark.slow
def test_axe_finds_nothing_on_the_admins_pages_and_none_is_wider_than_a_phone(
    visitors: Visitors,
) -> None:
    site = visitors.site
    user = visitors.store.add_user("ada", "correct horse")
    project = visitors.project(*sentences(2))
    visitors.begin(project)
    page = visitors.open(f"{site.base}/admin/login", size=PHONE)
    found = violations(page)
    page.goto(site.base + entrance_path(site.site, user))
    for path in ("/admin", "/admin/new", f"/admin/projects/{project.id}"):
        page.goto(site.base + path)
        found += violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], path
    assert found == []
