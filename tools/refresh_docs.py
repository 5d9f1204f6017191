"""Write into the documentation what its commands print now.

    python tools/refresh_docs.py                 every page
    python tools/refresh_docs.py docs/score.md   this page

Outputs in ``console`` blocks are replaced where they no longer match (tests/test_docs.py says how
they are run). A shown line ``...`` stays: of the lines around it the most similar one is taken, and
a block without one is named, to be mended by hand. Prose is never touched: read the diff.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import warnings
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

import test_docs  # noqa: E402
from test_docs import FENCE, PACKAGE, PAGES, Shell, matches, without_version  # noqa: E402


def words_of(line: str) -> list[str]:
    """What of a line stays when numbers change."""
    return re.findall(r"[^\W\d_]+", line)


def alike(line: str, other: str) -> float:
    """How much of two lines' words is the same, from 0 to 1."""
    return SequenceMatcher(None, words_of(line), words_of(other)).ratio()


def find(line: str, lines: list[str], start: int) -> int | None:
    """The place of the most similar line from a place on."""
    best, place = max(
        ((alike(one, line), -i) for i, one in enumerate(lines) if i >= start), default=(0.0, 0)
    )
    return -place if best >= 0.5 else None


def shortened(output: str, shown: str) -> str | None:
    """The output with ``...`` where the page has it, or None where its lines cannot be found.

    Of every stretch between two ``...`` the first and the last line are looked up.
    """
    if "..." not in shown.splitlines():
        return output
    lines, result, place = output.splitlines(), [], 0
    for number, stretch in enumerate(re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)):
        result += ["..."] * bool(number)
        own = stretch.strip("\n").splitlines()
        if not own:
            continue
        first = find(own[0], lines, place) if number else 0
        last = None if first is None else find(own[-1], lines, first + (len(own) > 1))
        if first is None or last is None:
            return None
        result += lines[first : last + 1]
        place = last + 1
    return "\n".join(result)


def refresh(page: Path) -> list[str]:
    """Mend one page; the commands whose outputs could not be mended."""
    shell, unmended = Shell(), []

    def mend(fence: re.Match[str]) -> str:
        if fence[1] != "console":
            return fence[0]
        parts = re.split(r"^(?=\$ )", fence[2], flags=re.MULTILINE)
        mended = []
        for part in parts:
            if not part.startswith("$ "):
                mended.append(part)
                continue
            command = re.match(r"\$ (?:.*\\\n)*.*\n", part)
            assert command is not None, part
            shown = part[command.end() :].rstrip("\n")
            output = shell.output_of(command[0][2:].replace("\\\n", " ").rstrip("\n"))
            if not matches(output, shown):
                new = shortened(output, shown)
                if new is None or not matches(output, new):
                    unmended.append(f"{page}: {command[0].strip()}")
                else:
                    shown = new
            mended.append(command[0] + (f"{shown}\n" if shown else ""))
        return f"```console\n{''.join(mended)}```"

    text = page.read_text(encoding="utf-8")
    new = FENCE.sub(mend, text)
    if without_version(new) != without_version(text):
        page.write_text(new, encoding="utf-8")
        print(f"mended: {page.relative_to(ROOT)}")
    return unmended


def main() -> int:
    warnings.simplefilter("ignore")
    chosen = [Path(name).resolve() for name in sys.argv[1:]] or PAGES
    left = []
    for page in chosen:
        if not any("$ " in block for block in test_docs.blocks(page, "console")):
            continue
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(PACKAGE / "data" / "sample", Path(folder) / "sample")
            os.chdir(folder)
            left += refresh(page)
            os.chdir(ROOT)
    print(*left, sep="\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
