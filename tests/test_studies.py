"""The worked studies: their pages are what the data gives, and their scripts notice if not."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
STUDIES = ROOT / "docs" / "studies"
PAGES = sorted(page for page in STUDIES.glob("*.md") if page.stem != "index")
each_study = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@pytest.fixture
def studying(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(STUDIES))
    return importlib.import_module("studying")


@each_study
def test_a_study_has_its_script_tells_how_it_is_run_and_where_the_data_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert page.with_suffix(".py").is_file()
    assert f"JURYBOX_DATA=DATA python docs/studies/{page.stem}.py" in text
    data = re.search(r"<!-- table: data -->\n(.*?)<!-- end -->", text, flags=re.DOTALL)
    assert data is not None
    assert "https://" in data[1]
    assert f"]({page.name})" in (STUDIES / "index.md").read_text(encoding="utf-8")


def test_every_figure_is_shown_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    figures = [figure.name for figure in STUDIES.glob("*.svg")]
    assert figures
    assert [name for name in figures if f"]({name})" not in text] == []


@pytest.mark.slow
@each_study
def test_tables_figures_and_numbers_are_what_the_data_gives(page: Path, data_dir: Path) -> None:
    done = subprocess.run(
        [sys.executable, page.with_suffix(".py"), "--check", "--data", data_dir],
        cwd=ROOT,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# --- what the scripts notice ---

PAGE = """Of 12 people 7 agree (Ng 2015).

<!-- table: votes -->
a  7
<!-- end -->

![Votes](votes.svg)
"""


def test_examples_of_what_scripts_share_are_right(studying: ModuleType) -> None:
    found = doctest.testmod(studying)
    assert found.attempted >= 4
    assert found.failed == 0


def test_a_page_that_is_right_is_not_complained_about(studying: ModuleType) -> None:
    found = studying.Findings()
    found.table("votes", "a  7")
    found.says("Of 12 people 7 agree")
    assert list(studying.complaints(PAGE, found)) == []
    assert list(studying.stale(PAGE, found)) == []


def test_a_number_that_changed_or_that_nobody_checks_is_told(studying: ModuleType) -> None:
    found = studying.Findings()
    found.table("votes", "a  8")
    found.says("Of 12 people 8 agree")
    (changed,) = studying.stale(PAGE, found)
    assert "+a  8" in changed
    told = list(studying.complaints(PAGE, found))
    assert told[0] == "the page does not say: Of 12 people 8 agree"
    assert len(told) == 3, "12 and 7 stand in no phrase that is checked"


def test_a_claim_that_the_data_refutes_is_told(studying: ModuleType) -> None:
    found = studying.Findings()
    found.table("votes", "a  7")
    found.says("Of 12 people 7 agree", when=False)
    assert list(studying.complaints(PAGE, found)) == ["the data does not say: Of 12 people 7 agree"]


def test_tables_without_a_place_and_figures_that_are_missing_are_told(studying: ModuleType) -> None:
    found = studying.Findings()
    found.says("Of 12 people 7 agree")
    found.table("other", "b")
    found.figures["drawn.svg"] = "<svg/>"
    told = list(studying.complaints(PAGE, found))
    assert "table other: the page has no place for it" in told
    assert "table votes: nobody makes it" in told
    assert "figure drawn.svg: the page does not show it" in told
    assert "figure drawn.svg is missing" in list(studying.stale(PAGE, found))


def test_data_that_is_missing_is_told_with_its_address(
    studying: ModuleType, tmp_path: Path
) -> None:
    lines = "\n".join(studying.missing_data(tmp_path, ["gug"]))
    assert "gug_annotations.tsv" in lines
    assert "https://github.com/EducationalTestingService/gug-data" in lines
