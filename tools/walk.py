"""How far a command's work walks through the code: files it enters, and ways between files.

    python tools/walk.py score sample/bold.txt --gold sample/A*.m2
    python tools/walk.py --list agree sample/judgments.csv --ci

A file counts when one of its functions is called while the command runs (imports do not count). A
hop is a call from a function of one file to a function of another; each pair of files counts once.
Calls that pass through other packages count for the file they started in.
"""

from __future__ import annotations

import os
import sys
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(os.environ.get("PYTHONPATH", str(ROOT / "src")).split(os.pathsep)[0])
sys.path.insert(0, str(SOURCE))

PACKAGE = str(SOURCE / "jurybox") + os.sep


def caller_of(frame: FrameType) -> FrameType | None:
    """The nearest frame of ours on the way to a frame."""
    before = frame.f_back
    while before is not None and not before.f_code.co_filename.startswith(PACKAGE):
        before = before.f_back
    return before


def is_imported(frame: FrameType | None) -> bool:
    """Whether a module's or class's own lines run, as they do at import."""
    return frame is not None and not frame.f_code.co_flags & CO_OPTIMIZED


def walk(arguments: list[str]) -> tuple[set[str], set[tuple[str, str]]]:
    """The files that a command enters, and the hops between them."""
    files: set[str] = set()
    hops: set[tuple[str, str]] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(PACKAGE) or is_imported(frame):
            return
        before = caller_of(frame)
        if is_imported(before):
            return
        here = name.removeprefix(PACKAGE)
        files.add(here)
        if before is not None and before.f_code.co_filename != name:
            hops.add((before.f_code.co_filename.removeprefix(PACKAGE), here))

    from jurybox.cli import run

    sys.setprofile(look)
    try:
        run(arguments)
    finally:
        sys.setprofile(None)
    return files, hops


def main() -> None:
    arguments = sys.argv[1:]
    listed = arguments[:1] == ["--list"]
    printed, sys.stdout = sys.stdout, Path(os.devnull).open("w")  # noqa: SIM115  until the end
    files, hops = walk(arguments[listed:])
    sys.stdout = printed
    if listed:
        print("\n".join(f"{before} -> {after}" for before, after in sorted(hops)))
    print(f"{len(files)} files, {len(hops)} hops")


if __name__ == "__main__":
    main()
