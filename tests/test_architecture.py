"""The shape of the package: imports point one way, and scoring does not wait for numpy."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import jurybox

PACKAGE = Path(jurybox.__file__).parent

#: A room may import itself and the rooms before it in this list. `api` comes after `report`, so
#: that results can render themselves as tables.
ROOMS = [
    *("_version", "model", "errors", "signature", "plugins"),
    *("formats", "measures"),
    *("edits", "cases", "raters"),
    "stats",
    "engine",
    "detect",
    "report",
    "api",
    "serve",
    "cli",
]

#: heavy packages that must not be loaded before they are needed
HEAVY = ("numpy", "scipy", "rich", "pandas", "matplotlib", "jinja2")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    """The room a file belongs to: the first name under the package."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_names(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a file imports, inside functions too."""
    package = ["jurybox", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"


def rooms_imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and room of every import from jurybox itself."""
    for line, name in imported_names(path):
        parts = name.split(".")
        if parts[0] == "jurybox" and len(parts) > 1:
            yield line, "_version" if parts[1] == "__version__" else parts[1]


def test_every_module_is_in_a_room_of_the_list() -> None:
    rooms = {room_of(path) for path in modules()} - {"__init__", "__main__"}
    assert rooms <= set(ROOMS), "give the new room its place in ROOMS"


def test_imports_between_rooms_point_one_way() -> None:
    wrong: list[str] = []
    checked = 0
    for path in modules():
        room = room_of(path)
        if room in ("__init__", "__main__"):  # the doors of the house lead into every room
            continue
        for line, other in rooms_imported(path):
            checked += 1
            if other not in ROOMS[: ROOMS.index(room) + 1]:
                wrong.append(f"{path.relative_to(PACKAGE)}:{line} imports {other}")
    assert checked > 50, "imports were not found: is the package laid out differently?"
    assert wrong == []


def test_late_and_relative_imports_are_seen_by_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    path = tmp_path / "edits" / "example.py"
    path.parent.mkdir()
    path.write_text(
        "from jurybox import model\n"
        "from ..formats import m2\n"
        "from . import align\n"
        "import numpy\n"
        "def late():\n"
        "    import jurybox.cli\n"
        "    from jurybox import __version__\n",
        "utf-8",
    )
    assert list(rooms_imported(path)) == [
        (1, "model"),
        (2, "formats"),
        (3, "edits"),
        (6, "cli"),
        (7, "_version"),
    ]


def test_no_module_is_named_after_nothing() -> None:
    assert [path.name for path in modules() if path.stem in ("utils", "util", "helpers")] == []


@pytest.mark.parametrize(
    "name", ["jurybox", "jurybox.formats", "jurybox.edits.maxmatch", "jurybox.api.score"]
)
def test_importing_what_scoring_needs_loads_no_heavy_package(name: str) -> None:
    program = (
        f"import sys, {name}\nprint(*[heavy for heavy in {HEAVY!r} if heavy in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
