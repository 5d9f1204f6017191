"""How the dashboard says numbers."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from jurybox.serve.dashboard import Dashboard, RaterLine, dashboard_of
from jurybox.serve.dashboard.findings import Measured
from jurybox.serve.dashboard.text import (
    MOST_RATERS,
    label_shares,
    percent_of,
    say,
    shown_raters,
)
from jurybox.serve.model import Standing
from jurybox.serve.settings import Task
from jurybox.serve.store import Store
from serve.watched_studies import NOW, judge_some, make_study


def test_a_narrow_interval_deserves_three_digits() -> None:
    assert say(Measured("recall", 0.638, 0.6333, 0.6427)).interval == "[0.633, 0.643]"
    assert say(Measured("recall", 0.638, 0.6, 0.7)).interval == "[0.60, 0.70]"


def test_below_zero_the_line_has_its_end_and_the_number_stays() -> None:
    said = say(Measured("fleiss_kappa", -0.1, -0.25, 0.05))
    assert (said.value, said.interval) == ("-0.10", "[-0.25, 0.05]")
    assert (said.left, said.width, said.place) == (0.0, 5.0, 0.0)


def test_nothing_is_a_negative_zero() -> None:
    said = say(Measured("fleiss_kappa", -0.004, -0.0049, 0.4))
    assert (said.value, said.interval) == ("0.00", "[0.00, 0.40]")
    assert say(Measured("fleiss_kappa", -0.001)).value == "0.00"


def test_what_is_undefined_has_its_reason_and_no_line() -> None:
    said = say(Measured("recall", None, reason="no error was found"))
    assert (said.value, said.interval, said.width) == ("–", "", 0.0)
    assert said.reason == "no error was found"


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_hundred_percent_are_all(done: int, total: int) -> None:
    done = min(done, total)
    assert (percent_of(done, total) == 100) == (done == total)
    assert 100 * done / total - 1 < percent_of(done, total) <= 100 * done / total


def board_of(store: Store, task: Task = Task.JUDGE) -> Dashboard:
    project = make_study(store, 20, task=task)
    judge_some(store, project, 30)
    return dashboard_of(store, project, now=NOW)


def test_among_many_raters_those_come_first_whom_something_is_wrong_with(lite: Store) -> None:
    board = board_of(lite)
    one = board.raters[0]

    def line(number: int, **fields: object) -> RaterLine:
        rater = one.rater._replace(number=number, answered=number, **fields)  # type: ignore[arg-type]  # fields of a rater
        return one._replace(rater=rater)

    lines = [line(number) for number in range(1, MOST_RATERS + 6)]
    lines[2] = line(3, standing=Standing.STOPPED, flagged=True)
    lines[4] = line(5)._replace(is_below=True)
    few = replace(board, raters=tuple(lines[:MOST_RATERS]))
    assert shown_raters(few) == few.raters
    many = shown_raters(replace(board, raters=tuple(lines)))
    assert len(many) == MOST_RATERS
    assert [one.rater.number for one in many[:4]] == [5, 3, 30, 29]


def test_shares_of_labels_are_of_all_that_was_said(lite: Store) -> None:
    board = board_of(lite, Task.CLOZE)
    assert board.findings is not None
    said = {f"w{number}": 20 - number for number in range(12)}
    agreement = board.findings.agreement._replace(labels=said)
    board = replace(board, findings=board.findings._replace(agreement=agreement))
    shares = label_shares(board)
    assert shares[0] == ("“w0”", "11 %", 20)
    assert shares[-1] == ("4 other words", "24 %", 42)
    assert sum(number for _, _, number in shares) == sum(said.values())
