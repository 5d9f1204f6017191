"""Run a fixed list of calls on the sample and keep what they print and write, to compare versions.

    python tools/outputs.py save before            a file for each call, in the folder before/
    ... change the code ...
    python tools/outputs.py save after
    python tools/outputs.py compare before after   what differs, as a diff; exit code 1 if anything

The calls stand in tools/calls.txt, one a line. They run in order in a folder that holds the sample
as ``sample/``. ``{forms}`` at the end of a line runs it in all five output formats. A call's file
holds its exit code, standard output, standard error, and the text of every file that it wrote or
changed. Times, signed links and the version of jurybox are blanked; databases are left out.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CALLS = ROOT / "tools" / "calls.txt"
FORMS = ("text", "json", "csv", "markdown", "latex")
#: longer files are kept as their checksum
MOST_CHARACTERS = 20_000
BLANKED = (
    (re.compile(r"\bv:\d+\.\d+\.\d+\w*"), "v:VERSION"),
    (re.compile(r'"version": "[^"]*"'), '"version": "VERSION"'),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+00:00|Z)?"), "TIME"),
    (re.compile(r"\d+(\.\d+)? s\b"), "SECONDS"),
    (re.compile(r"\d+ per minute"), "N per minute"),
    (re.compile(r"/j/\S+"), "/j/LINK"),
)


def calls() -> Iterator[str]:
    """Every call of the list, with its output format where it is run in all of them."""
    for line in CALLS.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.endswith(" {forms}"):
            yield from (line.replace("{forms}", f"--format {form}") for form in FORMS)
        else:
            yield line


def save(folder: Path) -> int:
    """Run all calls and write a file for each."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copytree(ROOT / "src" / "jurybox" / "data" / "sample", work / "sample")
        before = contents(work)
        for number, call in enumerate(calls(), 1):
            print(call, file=sys.stderr)
            done = subprocess.run(
                [sys.executable, "-m", "jurybox", *words(call, work)],
                cwd=work,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"},
                check=False,
            )
            after = contents(work)
            parts = [f"$ jurybox {call}", f"exit code {done.returncode}"]
            parts += ["--- standard output", done.stdout, "--- standard error", done.stderr]
            for path in sorted(after):
                if after[path] != before.get(path):
                    parts += [f"--- {path}", after[path]]
            before = after
            text = "\n".join(parts).replace(str(work), "WORK")
            for pattern, blank in BLANKED:
                text = pattern.sub(blank, text)
            slug = re.sub(r"\W+", "-", call)[:60].strip("-")
            (folder / f"{number:03}-{slug}.txt").write_text(text, "utf-8")
    return 0


def words(call: str, work: Path) -> list[str]:
    """The arguments of a call; patterns stand for the files that they fit, in order."""
    found: list[str] = []
    for word in shlex.split(call):
        fitting = sorted(
            path.relative_to(work).as_posix() for path in work.glob(word) if "*" in word
        )
        found += fitting or [word]
    return found


def contents(work: Path) -> dict[str, str]:
    """Every file's text, by its place; of long files and files that are no text the checksum."""
    found = {}
    for path in work.rglob("*"):
        if path.is_file() and ".db" not in path.name:
            data = path.read_bytes()
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                text = ""
            short = text and len(text) <= MOST_CHARACTERS
            found[path.relative_to(work).as_posix()] = (
                text if short else f"SHA-256 {hashlib.sha256(data).hexdigest()}"
            )
    return found


def compare(first: Path, second: Path) -> int:
    """Print what differs, call by call."""
    texts = [
        {path.name: path.read_text("utf-8") for path in folder.glob("*.txt")}
        for folder in (first, second)
    ]
    for folder, text in zip((first, second), texts, strict=True):
        if not text:
            print(f"{folder}: no outputs there; make some with save", file=sys.stderr)
            return 2
    different = 0
    for name in sorted({*texts[0], *texts[1]}):
        one, other = (text.get(name, "") for text in texts)
        if one != other:
            different += 1
            lines = (text.splitlines(keepends=True) for text in (one, other))
            sys.stdout.writelines(unified_diff(*lines, f"{first}/{name}", f"{second}/{name}", n=1))
    print(f"{different} of {len(texts[1])} calls differ", file=sys.stderr)
    return min(1, different)


def main(arguments: list[str]) -> int:
    match arguments:
        case ["save", folder]:
            return save(Path(folder))
        case ["compare", first, second]:
            return compare(Path(first), Path(second))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
