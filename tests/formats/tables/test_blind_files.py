"""Blind files: what raters may see, and nothing else."""

from __future__ import annotations

import io
from typing import Any

import pytest

from jurybox.errors import FormatError, InputError
from jurybox.formats import Input
from jurybox.formats.tables import cases as case_files
from jurybox.model import Case

AROUND: dict[str, Any] = {"before": "It was late .", "after": "He slept ."}
FULL = Case("d1:3", "He sat at mat .", 2, 3, "at", "preposition", "d1", ("error",), True, **AROUND)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
def test_only_sentences_span_and_written_word_reach_the_file(form: str) -> None:
    """Raters see the sentence before, too (Tetreault and Chodorow 2008, section 5)."""
    out = io.StringIO()
    case_files.write_blind([case_files.show_only(FULL, "k7mw3hqx")], out, form)
    (case,) = case_files.read(Input.from_text(out.getvalue())).cases
    assert case == Case("k7mw3hqx", "He sat at mat .", 2, 3, "at", **AROUND)
    for told in ("d1", "preposition", "error", "true"):
        assert told not in out.getvalue()


def test_a_case_with_more_than_that_is_refused() -> None:
    with pytest.raises(InputError, match="fields that raters must not see"):
        case_files.write_blind([FULL], io.StringIO())


def test_wanted_cases_are_found_among_others() -> None:
    head = "case,start,end,sentence,document,before"
    text = f"{head}\n c1 ,0,1,So .,d,Hi .\nc2,,,No .,d,\nc3,x,,Bad .,d,\n"
    found = case_files.pick_cases(Input.from_text(text), {"c1", "c2"})
    assert found == {"c1": Case("c1", "So .", 0, 1, before="Hi ."), "c2": Case("c2", "No .")}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("c1,x,1", ":2: start 'x' is not a whole number"),
        ("c1,1,", ":2: start without end"),
        ("c1,0,1\nc1,0,1", ":3: case 'c1' is listed before"),
    ],
)
def test_what_is_wrong_with_a_wanted_case_is_told_with_its_line(rows: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"cases.csv{message}"):
        case_files.pick_cases(Input.from_text(f"case,start,end\n{rows}\n", "cases.csv"), {"c1"})


def test_a_drawn_case_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"cases\.csv: has no case 'c9'.*1 of 2 are missing"):
        case_files.pick_cases(Input.from_text("case\nc1\n", "cases.csv"), ["c1", "c9"])
