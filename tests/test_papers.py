"""The page about the five papers: its commands run, and print the numbers it says they print."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from jurybox.serve.model import Assignment, NewCase, SubmittedAnswer
from jurybox.serve.settings import Overlap, Settings, Task
from jurybox.serve.store import open_store
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
    written: set[str] = set()  # by commands on public data
    for row in rows():
        words = row.command.split()
        on_data = "DATA/" in row.command or not written.isdisjoint(words)
        if on_data:
            written |= {word for word in words if re.fullmatch(r"\w+\.\w+", word)}
        if row.command and on_data == with_data:
            found.setdefault(row.paper, []).append(row)
    return list(found.items())


def check(given: list[Row]) -> None:
    shell = Shell()
    printed: dict[str, str] = {}  # several rows look at the same result
    for row in given:
        for name, make in MADE.items():
            if name in row.command and not Path(name).exists():
                make(Path(name))
        if row.command not in printed:
            printed[row.command] = shell.output_of(row.command)
        output = printed[row.command]
        assert shell.exit_code == 0, f"$ {row.command}\n{output}"
        missing = [number for number in row.numbers if number not in output]
        assert not missing, f"{row.paper} {row.section}: no {missing} in\n$ {row.command}\n{output}"


# --- files with what the papers print, and with their examples ---


def said_in_table_3() -> list[tuple[str, str]]:
    """What both raters say of every case."""
    return [
        (LABELS[i], LABELS[j]) for i in range(3) for j in range(3) for _ in range(TABLE_3[i][j])
    ]


def write_table_3(file: Path) -> None:
    lines = [f"c{number},{','.join(both)}" for number, both in enumerate(said_in_table_3())]
    file.write_text("\n".join(["case,R1,R2", *lines, ""]), encoding="utf-8")


def judge_table_3(file: Path) -> None:
    """Two raters judge the cases of Table 3 on a server, in shared sets of 100."""
    spoiled = SubmittedAnswer("wrong", ("in",), "low", context=("spelling",))
    verdicts = {
        "extraneous": SubmittedAnswer("extraneous", confidence="high"),
        "wrong": SubmittedAnswer("wrong", ("in",), "high"),
        "ok": SubmittedAnswer("correct", confidence="low"),
        "equal": SubmittedAnswer("equal", ("near",), "high"),
        "spoiled": spoiled,
    }
    shared = [*said_in_table_3(), *[("spoiled", "spoiled")] * 3]
    sets = Overlap(100, 101)  # and after each set a case for one of them
    said: list[tuple[str, str]] = []
    while shared:
        said.append(shared.pop(0) if sets.batch(len(said)) else ("equal", "equal"))
    with open_store(str(file)) as store:
        project = store.create_project(Settings("two", Task.TRAINED, overlap=sets))
        cases = [NewCase(f"c{n}", f"Case {n} is at home .", 3, 4, "at") for n in range(len(said))]
        store.add_cases(project.id, cases, shuffle=False)
        raters = [store.join(project.id).id for _ in range(2)]
        working = True
        while working:
            working = False
            for place, rater in enumerate(raters):
                handed = store.next_case(rater)
                if isinstance(handed, Assignment):
                    working = True
                    verdict = said[int(handed.shown.left.split()[1])][place]
                    store.answer(rater, handed.token, verdicts[verdict], handed.token)


def write_choices(file: Path) -> None:
    places = ("first", "second")  # where the writer's word stands
    lines = [
        f"c{number},R1,{'equal' if number < 56 else places[number % 2]},"
        + ("in,on" if number % 2 == 0 else "on,in")
        + ",in"
        for number in range(200)
    ]
    file.write_text("\n".join(["case,rater,label,first,second,written", *lines, ""]), "utf-8")


def fill_blanks(file: Path) -> None:
    """R1 misses one of five, R2 one of four."""
    lines = ["case,rater,label"]
    for number, line in enumerate(Path("key.jsonl").read_text("utf-8").splitlines()[1:]):
        item = json.loads(line)
        for rater, every, other in (("R1", 5, "over"), ("R2", 4, "near")):
            lines.append(f"{item['case']},{rater},{item['writer'] if number % every else other}")
    file.write_text("\n".join([*lines, ""]), "utf-8")


def judge_drawn(file: Path) -> None:
    """What the raters of the sample said of the cases that were drawn."""
    key = Path("drawn.jsonl").read_text("utf-8").splitlines()
    drawn = {json.loads(line).get("case") for line in key}
    first, *lines = Path("sample/judgments.csv").read_text("utf-8").splitlines()
    kept = [line for line in lines if line.split(",")[0] in drawn]
    file.write_text("\n".join([first, *kept, ""]), "utf-8")


def pay_turkers(cases: int, each: int, raters: int, hours: float) -> Callable[[Path], None]:
    """Judgments as many as a row of Table 1 of 2010 says, by as many raters in as much time."""

    def write(file: Path) -> None:
        begun, number = datetime(2010, 1, 1, tzinfo=UTC), cases * each
        lines = ["case,rater,label,started,submitted"]
        for one in range(number):
            submitted = begun + timedelta(hours=hours) * one / (number - 1)
            times = f"{begun.isoformat()},{submitted.isoformat()}"
            lines.append(f"c{one // each},T{one % raters},ok,{times}")
        file.write_text("\n".join([*lines, ""]), "utf-8")

    return write


def write_text(text: str) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        file.write_text(text, "utf-8")

    return write


#: name of a file -> what makes it, before the first command that names it
MADE: dict[str, Callable[[Path], None]] = {
    "table3.csv": write_table_3,
    "table3.db": judge_table_3,
    "choice.csv": write_choices,
    "answers.csv": fill_blanks,
    "drawn.csv": judge_drawn,
    "selection.csv": pay_turkers(194, 10, 49, 0.5),
    "detection.csv": pay_turkers(152, 20, 74, 6),
    "similar.txt": write_text("development set similar to the test set\n"),
    "similar.m2": write_text(
        "S development set similar with test set\n"
        "A 3 4|||Prep|||to|||REQUIRED|||-NONE-|||0\n"
        "A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0\n"
    ),
    "fond.m2": write_text("S He is fond beer .\nA 3 3|||Prep|||of|||REQUIRED|||-NONE-|||0\n"),
}


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


#: paper -> its tables and figures: each has a row
PRINTED = {
    "2008": (
        "Table 1",
        "Table 2",
        "Table 3",
        "Table 4",
        "Table 5",
        "Table 6",
        "Table 7",
        "Figure 1",
    ),
    "2010": ("Table 1", "Figure 1", "Figure 2"),
    "2011": ("Table 1", "Figure 1", "Figure 2"),
    "2012": (*(f"Figure {number}" for number in range(5, 11)), "Figures 1, 2", "Figures 3, 4"),
    "2015": (
        "Table 1",
        "Table 2",
        "Table 3",
        "Table 4",
        "Table 5",
        "Figure 1",
        "Figure 2",
        "Figure 3",
    ),
}


@pytest.mark.parametrize("paper", PRINTED)
def test_every_table_and_figure_has_a_row(paper: str) -> None:
    sections = [row.section for row in rows() if row.paper == paper]
    for one in PRINTED[paper]:
        assert any(re.search(rf"{one}(?!\d)", section) for section in sections), one


def test_all_five_papers_have_their_rows() -> None:
    assert {row.paper for row in rows()} >= {*PRINTED}
    found = [row for row in rows() if row.paper in PRINTED]
    assert len(found) >= 119  # procedures, measures, tables, figures and notes
    assert len([row for row in found if row.command]) > 100
