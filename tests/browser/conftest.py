"""A real browser, Debian's Chromium, for pages that are looked at and used.

Where it is not installed these tests are skipped; where `CI` is set its absence is a failure.
A browser takes its time: these tests are slow ones, but for those marked `quick`, a few for every
page that each run of `make test` makes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    sync_playwright,
)

CHROMIUM = Path("/usr/bin/chromium")
#: no sandbox, for containers; nothing that reaches for the network on its own
ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
)
DESKTOP, PHONE = (1280, 900), (360, 740)

Opener = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        is_here = item.path.parent == Path(__file__).parent
        if is_here and item.get_closest_marker("quick") is None:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        advice = f"no browser: install Debian's package chromium ({CHROMIUM})"
        if os.environ.get("CI"):
            pytest.fail(advice)
        pytest.skip(advice)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=list(ARGUMENTS), headless=True
        )
        yield browser
        browser.close()


@contextmanager
def opening(browser: Browser) -> Iterator[Opener]:
    """A way to open files; at the end nothing may have gone wrong in any of them.

    Whatever a test does, a page asks for nothing but itself, and reports no error.
    """
    contexts: list[BrowserContext] = []
    requests: list[str] = []
    complaints: list[str] = []

    def open_it(
        path: Path,
        fragment: str = "",
        *,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        scripts: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()

        def note_request(request: Request) -> None:
            if not request.url.startswith(("data:", path.as_uri())):
                requests.append(request.url)

        def note_message(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                complaints.append(message.text)

        page.on("request", note_request)
        page.on("console", note_message)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri() + fragment)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert requests == []
    assert complaints == []


@pytest.fixture
def open_file(chromium: Browser) -> Iterator[Opener]:
    """Open files for one test."""
    with opening(chromium) as open_it:
        yield open_it


@pytest.fixture(scope="module")
def open_files(chromium: Browser) -> Iterator[Opener]:
    """Open files for all tests of a module."""
    with opening(chromium) as open_it:
        yield open_it
