"""Numbers of the house that may only fall: a change that needs more gives its reason here.

A file has no limit: it ends where its subject ends. What makes code hard to live in is how much of
it there is, how it is scattered, and how often one has to jump.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import jurybox

PACKAGE = Path(jurybox.__file__).parent
#: a private function that is shorter than this and called once is often better said in place
SHORT = 10
#: files of Python in one folder
MOST_FILES = 25

#: what is counted, and the most it may be; a new capability raises it by what it is, with a reason
MOST = {
    # the five papers to the letter: 4,300; pyarrow, kinds of cases, the engine: 3,700
    "lines": 83_970,
    "files": 375,
    "imports inside functions": 231,
    "short private functions used once": 174,
    "class names used twice": 32,
}
#: folders with more files; each may only get emptier
FULL_FOLDERS: dict[str, int] = {}


def nodes_of(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """Every node of a file, and whether it stands in a function."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, is_inside = waiting.pop()
        yield node, is_inside
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        waiting += [(one, is_inside or is_function) for one in ast.iter_child_nodes(node)]


def measure(folder: Path) -> dict[str, int]:
    """Every number of the table."""
    found = dict.fromkeys(MOST, 0)
    classes: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        text = path.read_text("utf-8")
        found["lines"] += len(text.splitlines())
        found["files"] += 1
        used: Counter[str] = Counter()  # names, of whatever they are
        short: list[str] = []  # private functions and methods
        for node, is_inside in nodes_of(ast.parse(text, str(path))):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    used[name] += 1
                case ast.Import() | ast.ImportFrom():
                    found["imports inside functions"] += is_inside
                case ast.ClassDef(name=name):
                    classes[name] += 1
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    is_private = name.startswith("_") and not name.startswith("__")
                    lines = (node.end_lineno or 0) - node.lineno + 1
                    if is_private and not node.decorator_list and lines < SHORT:
                        short.append(name)
        found["short private functions used once"] += sum(used[name] == 1 for name in short)
    found["class names used twice"] = sum(count > 1 for count in classes.values())
    return found


def files_by_folder(folder: Path) -> Counter[str]:
    return Counter(path.parent.relative_to(folder).as_posix() for path in folder.rglob("*.py"))


def test_no_number_of_the_house_rises() -> None:
    found = measure(PACKAGE)
    assert found["files"] > 100, "files were not found: is the package laid out differently?"
    risen = [
        f"{name}: {found[name]}, at most {most}"
        for name, most in MOST.items()
        if found[name] > most
    ]
    assert risen == []


def test_no_folder_gets_fuller() -> None:
    too_full = [
        f"{name}: {count} files"
        for name, count in files_by_folder(PACKAGE).items()
        if count > FULL_FOLDERS.get(name, MOST_FILES)
    ]
    assert too_full == []


def test_folders_of_the_list_are_still_full() -> None:
    counts = files_by_folder(PACKAGE)
    assert [name for name in FULL_FOLDERS if counts[name] <= MOST_FILES] == []


def test_everything_that_is_counted_is_seen(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        "class Thing: ...\n"
        "def late():\n"
        "    import json\n"
        "    return _once()\n"
        "def _once():\n"
        "    return 1\n"
        "def _twice():\n"
        "    return _twice() + _twice()\n",
        "utf-8",
    )
    (tmp_path / "two.py").write_text("class Thing: ...\n", "utf-8")
    assert measure(tmp_path) == dict(zip(MOST, (9, 2, 1, 1, 1), strict=True))
