"""The annotation server in a real browser: pages that are opened, typed into and looked at.

Whatever a test does, pages ask this server alone, and report no error but those that are expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from browser.conftest import DESKTOP
from jurybox.serve.model import NewCase, Project, Purpose
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store, open_store
from serve.running_site import Running, running

PRACTICE = NewCase(
    "p1",
    "It depends of you .",
    2,
    3,
    "of",
    first="of",
    second="on",
    purpose=Purpose.PRACTICE,
    gold=("error",),
    feedback="Things depend on something.",
)


class Visitors:
    """Opens pages, each in a browser of its own."""

    def __init__(self, browser: Browser, site: Running) -> None:
        self.site = site
        self.store: Store = site.store
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.strange: list[str] = []
        self.complaints: list[str] = []
        #: what browsers say of answers that tests provoke
        self.expected = ["status of 422"]
        self._number = 0

    def project(self, *cases: NewCase, **settings: Any) -> Project:
        """A project with a name of its own."""
        self._number += 1
        made = self.store.create_project(Settings(f"Study {self._number}", **settings))
        return self.store.add_cases(made.id, cases)

    def open(
        self,
        address: str,
        *,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        scripts: bool = True,
    ) -> Page:
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
        )
        context.set_default_timeout(10_000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: self._note_request(request.url))
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address)
        return page

    def begin(self, project: Project, **options: Any) -> Page:
        """A rater who has joined and sees the first page behind that."""
        page = self.open(self.site.link(project), **options)
        with page.expect_navigation():
            page.get_by_role("button", name="Begin").click()
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def _note_request(self, url: str) -> None:
        if not url.startswith(self.site.base):
            self.strange.append(url)

    def _note_message(self, message: ConsoleMessage) -> None:
        # an answer that is refused comes back with its form: browsers tell of the status
        expected = any(words in message.text for words in self.expected)
        if message.type in ("error", "warning") and not expected:
            self.complaints.append(message.text)


@contextmanager
def visited(browser: Browser, folder: Path) -> Iterator[Visitors]:
    with open_store(f"{folder}/study.db") as store, running(store) as site:
        visitors = Visitors(browser, site)
        yield visitors
        visitors.close()
        assert visitors.strange == [], visitors.strange
        assert visitors.complaints == [], visitors.complaints


def sentences(number: int, **fields: Any) -> list[NewCase]:
    """Cases c0, c1 …"""
    given = {"first": "at", "second": "in", "before": "He is tired .", **fields}
    return [
        NewCase(f"c{i}", f"Number {i} sat at home .", 3, 4, "at", **given) for i in range(number)
    ]
