"""The documentation site, built and looked at: it asks no other host, and fits a phone."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, expect

from needs import need_module

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH = 390  # of a phone

pytestmark = pytest.mark.slow


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it: a warning is an error."""
    need_module("mkdocs", "docs")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_no_page_names_a_script_style_or_picture_of_another_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 80
    taken = re.compile(
        r"<(?:script|link|img|iframe|source|video)\b[^>]*\b(?:src|href)=.?(?:https?:)?//"
    )
    styles = re.compile(r"(?:url\(|@import\s+)['\"]?(?:https?:)?//")
    assert [page for page in pages if taken.search(page.read_text(encoding="utf-8"))] == []
    sheets = list(site.rglob("*.css"))
    assert [sheet for sheet in sheets if styles.search(sheet.read_text(encoding="utf-8"))] == []


def test_a_browser_asks_no_other_host_and_no_page_is_wider_than_a_phone(
    site: Path, address: str, chromium: Browser
) -> None:
    asked: set[str] = set()
    wide: set[str] = set()

    def note(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            asked.add(request.url)

    page = chromium.new_page(viewport={"width": WIDTH, "height": 844})
    page.on("request", note)
    for path in sorted(site.rglob("*.html")):
        page.goto(address + path.relative_to(site).as_posix())
        if page.evaluate("document.documentElement.scrollWidth") > WIDTH:
            wide.add(path.name)
    page.close()
    assert asked == set()
    assert wide == set()


def test_the_search_finds_a_card(address: str, chromium: Browser) -> None:
    page = chromium.new_page()
    page.goto(f"{address}index.html")
    page.click("input.md-search__input")
    # what is typed before the index is there may be lost; it is the keys that start a search
    expect(page.locator(".md-search-result__meta")).to_have_text(
        "Type to start searching", timeout=30_000
    )
    page.keyboard.type("spammer score")
    # every key starts a search: results of the first letters may stand there for a moment
    first = page.locator(".md-search-result__item a").first
    expect(first).to_have_attribute("href", re.compile("spammer_score"), timeout=30_000)
    page.close()
