"""What the documentation site is made of: every page is in it, and what it tells of us is so.

The built site is looked at in tests/browser/test_site_pages.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import jurybox

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
#: files at the top of the repository that the site shows as pages
TAKEN = {"first-steps.md", "contributing.md", "changelog.md"}


def settings() -> dict[str, Any]:
    """What mkdocs.yml says, without the functions that it names."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(re.sub(r"!!python/\S+", "", text))
    return loaded


def pages_in(nav: object) -> Iterator[str]:
    match nav:
        case str():
            yield nav
        case list() | dict():
            for part in nav.values() if isinstance(nav, dict) else nav:
                yield from pages_in(part)


def test_the_navigation_holds_every_page_once() -> None:
    pages = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    assert sorted(pages_in(settings()["nav"])) == sorted([*pages, *TAKEN])


def test_the_theme_fetches_no_fonts_and_the_build_warns_of_every_broken_link() -> None:
    site = settings()
    assert site["theme"]["font"] is False
    warned = {what for kind in site["validation"].values() for what in kind.values()}
    assert warned == {"warn"}


def test_the_changes_begin_with_the_version_that_is_here() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (\S+)", text, flags=re.MULTILINE)
    assert first is not None
    assert first[1] == jurybox.__version__


def test_the_citation_names_this_version_licence_and_the_five_papers() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == jurybox.__version__
    assert cited["license"] == "Apache-2.0"
    assert cited["authors"] == [{"name": "The jurybox developers"}]
    assert [paper["year"] for paper in cited["references"]] == [2008, 2010, 2011, 2012, 2015]
    why = (DOCS / "why-many-judges.md").read_text(encoding="utf-8")
    told = " ".join(why.replace("*", "").split()).lower()
    assert [p["title"] for p in cited["references"] if p["title"].lower() not in told] == []
