"""The tables of options in the documentation, from the options' declarations.

    python tools/option_tables.py            writes them into the pages
    python tools/option_tables.py --check    writes nothing; exit code 1 if one is not current

A page says where: between ``<!-- options: sample draw -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import re
import sys
from argparse import SUPPRESS, Action
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from jurybox.cli._app import build_parser  # noqa: E402

PLACE = re.compile(r"<!-- options: ([a-z ]+) -->\n.*?<!-- end -->", re.DOTALL)
DEFAULT = re.compile(r" \(default: ([^()]*)\)$|; default: ([^()]*)(?=\)$)")


def tables(call: str) -> str:
    """The options of a call, a table for each group of its help."""
    parts = []
    # argparse has no other way to list them
    for group in build_parser(call)[0]._action_groups:
        rows = [row_of(action) for action in group._group_actions if is_shown(action)]
        if rows:
            title = group.title if group.title not in ("options", "arguments") else ""
            head = "| option | default | meaning |\n|---|---|---|\n"
            parts.append((f"{title.capitalize()}:\n\n" if title else "") + head + "\n".join(rows))
    return "\n\n".join(parts)


def is_shown(action: Action) -> bool:
    return bool(action.option_strings) and action.dest != "help" and action.help is not SUPPRESS


def row_of(action: Action) -> str:
    long = max(action.option_strings, key=len)
    short = min(action.option_strings, key=len)
    value = "" if action.nargs == 0 else f" {action.metavar}"
    name = f"`{long}{f'[{value}]' if action.nargs == '?' else value}".replace("|", " or ")
    name += "...`" if action.nargs in ("+", "*") else "`"
    name += f" or `{short}`" if short != long else ""
    is_told = action.default is not None and not isinstance(action.default, bool)
    default = f"`{action.default}`" if is_told else ""
    if not default and (in_words := DEFAULT.search(action.help or "")):
        default = in_words[1] or in_words[2]
    default = "required" if action.required else default
    meaning = DEFAULT.sub("", action.help or "").replace("%%", "%").replace("|", "/")
    meaning = re.sub(r"(?<![\w`-])(--[a-z][a-z-]+)", r"`\1`", meaning)
    return f"| {name} |{f' {default} ' if default else ' '}| {meaning} |"


def written(text: str) -> str:
    """A page with its tables as they should be."""
    return PLACE.sub(
        lambda found: f"<!-- options: {found[1]} -->\n{tables(found[1])}\n<!-- end -->", text
    )


def main() -> None:
    stale = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text("utf-8")
        if (current := written(text)) != text:
            stale.append(page.name)
            if "--check" not in sys.argv:
                page.write_text(current, "utf-8")
    print("not current:" if "--check" in sys.argv else "written:", ", ".join(stale) or "none")
    sys.exit(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    main()
