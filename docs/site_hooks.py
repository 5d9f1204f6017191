"""What the site needs beyond Markdown (mkdocs calls these by their names).

README.md, CONTRIBUTING.md and CHANGELOG.md stand at the top of the repository, where people look
for them. The site shows them as pages of its own, and links between them and `docs/` lead to the
same places in both.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
#: at the top of the repository -> in the site
TAKEN = {
    "README.md": "first-steps.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
LINK = re.compile(r"(\]\()([^)\s#]+)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that live outside the folder."""
    for name, page in TAKEN.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=from_top(text)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links out of the folder lead to their pages; every page links to the glossary."""
    up = "../" * (page.file.src_uri.count("/") + 1)
    home = "../" * page.file.src_uri.count("/")
    for name, shown in TAKEN.items():
        markdown = markdown.replace(f"]({up}{name}", f"]({home}{shown}")
    return f"{markdown}\n\nWords: see the [glossary]({home}glossary.md).\n"


def from_top(text: str) -> str:
    """The text of a file at the top, as a page of the folder would say it.

    >>> from_top("[way](docs/architecture.md#rooms), [rules](CONTRIBUTING.md), [web](https://a.org)")
    '[way](architecture.md#rooms), [rules](contributing.md), [web](https://a.org)'
    """

    def moved(found: re.Match[str]) -> str:
        return found[1] + TAKEN.get(found[2], found[2].removeprefix("docs/"))

    return LINK.sub(moved, text)
