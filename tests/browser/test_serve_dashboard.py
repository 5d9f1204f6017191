"""The admin's dashboard in a real browser: it updates while raters judge, and is whole without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import DESKTOP, PHONE
from browser.serve_site import Visitors, sentences, visited
from browser.test_serve_admin import violations
from jurybox.serve.model import Project
from jurybox.serve.routes import projects as routes
from jurybox.serve.routes.auth import entrance_path
from jurybox.serve.settings import Task
from serve.watched_studies import EVERYTHING, judge_some, make_study


@pytest.fixture
def visitors(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Visitors]:
    monkeypatch.setattr(routes, "EVERY", 0.2)
    with visited(chromium, tmp_path) as found:
        found.store.add_user("ada", "correct horse")
        yield found


def enter(
    visitors: Visitors, project: Project, *, size: tuple[int, int] = DESKTOP, scripts: bool = True
) -> Page:
    """The dashboard, as the admin sees it."""
    site = visitors.site
    entrance = entrance_path(site.site, visitors.store.users()[0])
    page = visitors.open(site.base + entrance, size=size, scripts=scripts)
    page.goto(f"{site.base}/admin/projects/{project.id}/dashboard")
    return page


def judged(page: Page, number: int) -> None:
    """Wait until the page says that there are so many judgments."""
    expect(page.locator("#board-figures .figure").first.locator(".big")).to_have_text(str(number))


def test_the_dashboard_updates_while_raters_judge(visitors: Visitors) -> None:
    project = visitors.project(*sentences(3), pay="$0.50")
    admin = enter(visitors, project)
    judged(admin, 0)
    expect(admin.get_by_text("Nobody has joined yet.")).to_be_visible()
    admin.get_by_text("As a table").first.click()
    rater = visitors.begin(project)
    for number in (1, 2, 3):
        with rater.expect_navigation():
            rater.get_by_role("button", name="Error").click()
        judged(admin, number)
    expect(admin.locator("#board-raters tbody tr")).to_have_count(1)
    expect(admin.locator("#board-figures")).to_contain_text("$1.50")
    expect(admin.locator("#board-agreement")).to_contain_text("error 100 %")
    expect(admin.locator("#board-pace .bar").first).to_be_attached()
    expect(admin.locator("#day-table")).to_have_attribute("open", "")  # as its reader left it


def test_updates_can_be_paused_and_go_on(visitors: Visitors) -> None:
    project = make_study(visitors.store, 3)
    admin = enter(visitors, project)
    admin.get_by_role("button", name="Pause updates").click()
    expect(admin.get_by_role("button", name="Pause updates")).to_have_attribute(
        "aria-pressed", "true"
    )
    asked: list[str] = []
    admin.on("request", lambda request: asked.append(request.url))
    judge_some(visitors.store, project, 2)
    admin.wait_for_timeout(700)
    assert asked == []
    judged(admin, 0)
    admin.get_by_role("button", name="Pause updates").click()
    judged(admin, 2)


def test_what_a_reader_does_survives_an_update(visitors: Visitors) -> None:
    """Keyboard focus and scrolled tables stay where they are; so does what is typed."""
    project = make_study(visitors.store, **EVERYTHING)
    judge_some(visitors.store, project, 40)
    admin = enter(visitors, project, size=PHONE)
    admin.get_by_text("Pay, and how precise it should be").click()
    admin.get_by_label("Pay", exact=True).fill("$0.0")
    table = admin.get_by_role("region", name="All raters")
    table.evaluate("table => { table.scrollLeft = 60; }")
    table.focus()
    done = visitors.store.progress(project.id).judgments
    answers = admin.locator("#board-raters").inner_text()
    judge_some(visitors.store, project, 3, raters=1, seed=3)
    judged(admin, visitors.store.progress(project.id).judgments)
    assert visitors.store.progress(project.id).judgments > done
    expect(admin.locator("#board-raters")).not_to_have_text(answers)
    expect(admin.get_by_role("region", name="All raters")).to_be_focused()
    assert admin.get_by_role("region", name="All raters").evaluate("it => it.scrollLeft") == 60
    expect(admin.get_by_label("Pay", exact=True)).to_have_value("$0.0")


def test_it_is_whole_without_a_script(visitors: Visitors) -> None:
    project = make_study(visitors.store, **EVERYTHING)
    judge_some(visitors.store, project, 40)
    admin = enter(visitors, project, scripts=False)
    judged(admin, visitors.store.progress(project.id).judgments)
    expect(admin.get_by_role("button", name="Pause updates")).to_be_hidden()
    judge_some(visitors.store, project, 2, raters=1, seed=3)
    admin.get_by_role("link", name="Reload").click()
    judged(admin, visitors.store.progress(project.id).judgments)
    admin.get_by_text("Pay, and how precise it should be").click()
    admin.get_by_label("Pay", exact=True).fill("$0.10")
    admin.get_by_role("button", name="Save").click()
    expect(admin.locator("#board-cost")).to_contain_text("$0.10 a judgment")


def test_a_server_that_is_silent_is_told_and_found_again(visitors: Visitors) -> None:
    project = make_study(visitors.store, 2)
    admin = enter(visitors, project)
    path = "**/dashboard/board"

    def hang_up(route: Route) -> None:
        route.abort()

    admin.route(path, hang_up)
    expect(admin.get_by_role("status")).to_contain_text("these numbers are old")
    admin.unroute(path)
    judge_some(visitors.store, project, 1)
    judged(admin, 1)
    expect(admin.locator("#trouble")).to_be_hidden()
    visitors.complaints[:] = [one for one in visitors.complaints if "ERR_FAILED" not in one]


def test_whoever_was_logged_out_is_told(visitors: Visitors) -> None:
    project = make_study(visitors.store, 2)
    admin = enter(visitors, project)
    admin.context.clear_cookies()
    expect(admin.get_by_role("status")).to_contain_text("You are not logged in any more")
    visitors.complaints[:] = [one for one in visitors.complaints if "status of 403" not in one]


@pytest.mark.parametrize(
    "task",
    [
        Task.JUDGE,
        pytest.param(Task.CHOICE, marks=pytest.mark.slow),
        pytest.param(Task.CORRECT, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(
    visitors: Visitors, task: Task
) -> None:
    more = EVERYTHING if task == Task.JUDGE else {}
    project = make_study(visitors.store, 15, task=task, pay="$0.05", precise_within=0.2, **more)
    admin = enter(visitors, project, size=PHONE)
    found = violations(admin)
    judge_some(visitors.store, project, 60)
    judged(admin, visitors.store.progress(project.id).judgments)
    admin.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    found += violations(admin)
    assert found == []
    for width in (PHONE[0], 390, 700, DESKTOP[0]):
        admin.set_viewport_size({"width": width, "height": 800})
        assert admin.evaluate("document.documentElement.scrollWidth") <= width
