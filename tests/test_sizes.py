"""A file has one reason to be opened: none grows until nobody reads it whole."""

from __future__ import annotations

from pathlib import Path

import jurybox

PACKAGE = Path(jurybox.__file__).parent
MOST_LINES = 400

#: file -> why it may be longer; best left empty: split a file instead
LONGER: dict[str, str] = {}


def lines_of(folder: Path) -> dict[str, int]:
    """The number of lines of every Python file, by its place in the folder."""
    return {
        path.relative_to(folder).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in sorted(folder.rglob("*.py"))
    }


def too_long(lines: dict[str, int], allowed: dict[str, str]) -> list[str]:
    """The files that are longer than they may be."""
    return [
        f"{name}: {count} lines"
        for name, count in lines.items()
        if count > MOST_LINES and name not in allowed
    ]


def test_no_file_of_the_package_is_too_long_to_be_read_whole() -> None:
    lines = lines_of(PACKAGE)
    assert len(lines) > 100, "files were not found: is the package laid out differently?"
    assert too_long(lines, LONGER) == []


def test_every_exception_has_a_reason_and_is_still_needed() -> None:
    lines = lines_of(PACKAGE)
    assert [name for name, reason in LONGER.items() if not reason.strip()] == []
    assert [name for name in LONGER if lines.get(name, 0) <= MOST_LINES] == []


def test_a_file_with_one_line_too_many_is_seen(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "long.py").write_text("pass\n" * (MOST_LINES + 1), "utf-8")
    (tmp_path / "room" / "full.py").write_text("pass\n" * MOST_LINES, "utf-8")
    found = lines_of(tmp_path)
    assert too_long(found, {}) == ["room/long.py: 401 lines"]
    assert too_long(found, {"room/long.py": "a table"}) == []
