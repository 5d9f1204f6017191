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

#: A file may import what is in its own row and in the rows above it (docs/architecture.md).
ROWS = [
    {"_version", "errors", "model", "streams", "plugins"},
    {"records", "options"},
    {"formats"},
    {"tables"},
    {"metrics"},
    {"results", "engine", "stats", "figures"},
    {
        *("counting", "score", "compare", "ceiling", "annotators", "metaeval", "show", "convert"),
        *("measures", "data", "jury", "raters", "sample", "detect", "saved_results"),
        "shared_options",
    },
    {"report", "study"},
    {"serve"},
    {"cli"},
]

#: heavy packages that must not be loaded before they are needed
HEAVY = ("numpy", "scipy", "rich", "pandas", "pyarrow", "matplotlib", "jinja2")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    """The part of the house a file belongs to: the first name under the package."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def row_of(part: str) -> int:
    return next(place for place, row in enumerate(ROWS) if part in row)


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


def parts_imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and part of every import from jurybox itself."""
    for line, name in imported_names(path):
        parts = name.split(".")
        if parts[0] == "jurybox" and len(parts) > 1:
            yield line, "_version" if parts[1] == "__version__" else parts[1]


def test_every_module_is_in_a_row() -> None:
    parts = {part_of(path) for path in modules()} - {"__init__", "__main__"}
    assert parts == set().union(*ROWS), "give the new folder its place in ROWS"


def test_imports_point_one_way() -> None:
    wrong: list[str] = []
    checked = 0
    for path in modules():
        part = part_of(path)
        if part in ("__init__", "__main__"):  # the doors of the house lead everywhere
            continue
        for line, other in parts_imported(path):
            checked += 1
            if row_of(other) > row_of(part):
                wrong.append(f"{path.relative_to(PACKAGE)}:{line} imports {other}")
    assert checked > 50, "imports were not found: is the package laid out differently?"
    assert wrong == []


def test_late_and_relative_imports_are_seen_by_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    path = tmp_path / "metrics" / "example.py"
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
    assert list(parts_imported(path)) == [
        (1, "model"),
        (2, "formats"),
        (3, "metrics"),
        (6, "cli"),
        (7, "_version"),
    ]


def test_no_module_is_named_after_nothing() -> None:
    assert [path.name for path in modules() if path.stem in ("utils", "util", "helpers")] == []


def test_agreement_does_not_load_what_matches_edits() -> None:
    program = (
        "import sys, jurybox\n"
        "jurybox.agree([(c, r, c + r) for c in ('case', 'other') for r in ('Ann', 'Bob')])\n"
        "print(*[name for name in sys.modules if name.startswith('jurybox.metrics')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    "name",
    ["jurybox", "jurybox.score.scoring", "jurybox.counting.maxmatch", "jurybox.cli.score"],
)
def test_importing_what_scoring_needs_loads_no_heavy_package(name: str) -> None:
    program = (
        f"import sys, {name}\nprint(*[heavy for heavy in {HEAVY!r} if heavy in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
