"""The page about the five papers: its commands run, and print the numbers it says they print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from test_docs import DOCS, Shell, folder

__all__ = ["folder"]

PAGE = DOCS / "papers.md"
#: Table 3 of Tetreault and Chodorow (2008): rater 1 down, rater 2 across
LABELS = ("extraneous", "wrong", "ok")
TABLE_3 = ((17, 0, 6), (1, 42, 20), (4, 33, 1213))


class Row(NamedTuple):
    """A line of a table of the page."""

    paper: str
    section: str
    command: str
    numbers: list[str]


def rows() -> Iterator[Row]:
    paper = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] != "§":
            assert len(cells) == 5, line
            found = re.fullmatch(r"`(jurybox .*)`", cells[2])
            numbers = re.findall(r"`([^`]+)`", cells[4])
            yield Row(paper, cells[0], found[1] if found else "", numbers)


def papers(*, with_data: bool) -> list[tuple[str, list[Row]]]:
    """The rows of each paper, in order: a command may use what one above it wrote."""
    found: dict[str, list[Row]] = {}
    for row in rows():
        if row.command and ("DATA/" in row.command) == with_data:
            found.setdefault(row.paper, []).append(row)
    return list(found.items())


def check(given: list[Row]) -> None:
    cases = [
        (LABELS[i], LABELS[j]) for i in range(3) for j in range(3) for _ in range(TABLE_3[i][j])
    ]
    lines = [f"c{number},{','.join(both)}" for number, both in enumerate(cases)]
    Path("table3.csv").write_text("\n".join(["case,R1,R2", *lines, ""]), encoding="utf-8")
    places = ("first", "second")  # where the writer's word stands
    lines = [
        f"c{number},R1,{'equal' if number < 56 else places[number % 2]},"
        + ("in,on" if number % 2 == 0 else "on,in")
        + ",in"
        for number in range(200)
    ]
    choices = "\n".join(["case,rater,label,first,second,written", *lines, ""])
    Path("choice.csv").write_text(choices, encoding="utf-8")
    shell = Shell()
    for row in given:
        output = shell.output_of(row.command)
        assert shell.exit_code == 0, f"$ {row.command}\n{output}"
        missing = [number for number in row.numbers if number not in output]
        assert not missing, f"{row.paper} {row.section}: no {missing} in\n$ {row.command}\n{output}"


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "given"), papers(with_data=False))
@pytest.mark.usefixtures("folder")
def test_every_command_runs_and_prints_the_numbers_of_the_page(
    paper: str, given: list[Row]
) -> None:
    check(given)


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "given"), papers(with_data=True))
@pytest.mark.usefixtures("folder")
def test_commands_on_public_data_print_the_numbers_of_the_page(
    paper: str, given: list[Row], data_dir: Path
) -> None:
    Path("DATA").symlink_to(data_dir)
    check(given)


def test_all_five_papers_have_their_rows() -> None:
    assert {row.paper for row in rows()} >= {"2008", "2010", "2011", "2012", "2015"}
    assert len([row for row in rows() if row.command]) > 30
