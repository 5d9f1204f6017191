"""Figures as files: whole or not at all, the same bytes every time, fonts that can be read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib
import pytest
from matplotlib.figure import Figure

from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.figures import check_figure_path, save_figure
from made_figures import FIGURES, PAPER, curves_figure, extended


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.svg.gz", "svg", "-", ".png"])
def test_other_names_are_refused_and_the_three_forms_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.pdf"):
        check_figure_path(name)
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.pdf"):
        save_figure(Figure(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.svg", "b.PNG", "folder/c.pdf"])
def test_the_three_forms_are_taken_in_any_case(name: str) -> None:
    check_figure_path(name)
    check_figure_path(Path(name))


def loaded_after(program: str, *packages: str) -> list[str]:
    """Which of these packages a program loads."""
    told = f"{program}\nimport sys\nprint(*[name for name in {packages} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_checking_a_name_waits_for_no_heavy_package() -> None:
    program = "from jurybox.figures import *\ncheck_figure_path('figure.svg')"
    assert loaded_after(program, "jurybox", "matplotlib", "numpy") == ["jurybox"]


@pytest.mark.slow
def test_drawing_waits_for_matplotlib_but_never_for_pyplot() -> None:
    program = (
        "from jurybox.figures import *\n"
        "draw_curves([Curve('A', (1, 2), (0.1, 0.2))], title='', score='F0.5')"
    )
    assert loaded_after(program, "matplotlib", "matplotlib.pyplot") == ["matplotlib"]


def saved(figure: Figure, folder: Path, form: str) -> bytes:
    path = folder / f"figure.{form}"
    save_figure(figure, path)
    return path.read_bytes()


def small_figure() -> Figure:
    return curves_figure([extended(c, 10) for c in PAPER[:2]])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    figure, folder = small_figure(), tmp_path_factory.mktemp("figures")
    return {form: saved(figure, folder, form) for form in ("svg", "png", "pdf")}


@pytest.mark.parametrize("form", ["svg", "png", pytest.param("pdf", marks=pytest.mark.slow)])
def test_the_same_figure_gives_the_same_bytes_whatever_the_users_settings(
    form: str, files: dict[str, bytes], tmp_path: Path
) -> None:
    with matplotlib.rc_context(
        {"font.size": 20, "svg.hashsalt": None, "axes.facecolor": "red", "savefig.bbox": "tight"}
    ):
        assert saved(small_figure(), tmp_path, form) == files[form]


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_no_file_holds_a_date(form: str, files: dict[str, bytes]) -> None:
    assert b"CreationDate" not in files[form]
    assert b"dc:date" not in files[form]


def test_the_users_settings_are_left_as_they_were(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    save_figure(FIGURES["2 x 2"](), tmp_path / "figure.svg")
    assert dict(matplotlib.rcParams) == before


def test_svg_keeps_words_as_words_with_fonts_to_fall_back_on(tmp_path: Path) -> None:
    names = ["A & B <b>", "costs $5 or $6", "漢字", 'quote " and \x07 bell']
    curves = [c._replace(name=name) for c, name in zip(PAPER, names, strict=True)]
    content = saved(curves_figure(curves), tmp_path, "svg").decode("utf-8")
    words = " ".join(text or "" for text in ET.fromstring(content).itertext())
    for name in ("A & B <b> 72.5", "costs $5 or $6 49.3", "漢字 53.5", 'quote " and bell 51.0'):
        assert name in words
    assert "sans-serif" in content


def test_letters_no_font_has_are_told_of_except_in_svg(tmp_path: Path) -> None:
    figure = curves_figure([PAPER[0]._replace(name="漢")])
    save_figure(figure, tmp_path / "figure.svg")
    with pytest.warns(JuryboxWarning, match=r"漢.*\.svg"):
        save_figure(figure, tmp_path / "figure.png")


def test_pdf_holds_truetype_fonts_which_publishers_ask_for(files: dict[str, bytes]) -> None:
    assert b"/FontFile2" in files["pdf"]
    assert b"/Type3" not in files["pdf"]


def test_png_has_200_dots_per_inch(files: dict[str, bytes]) -> None:
    pixels = [int.from_bytes(files["png"][at : at + 4]) for at in (16, 20)]
    assert pixels == [int(inches * 200) for inches in small_figure().get_size_inches()]


def test_a_figure_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "figure.svg"
    path.write_text("old", "utf-8")

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    figure = curves_figure(PAPER)
    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(MemoryError):
        save_figure(figure, path)
    assert [p.name for p in tmp_path.iterdir()] == ["figure.svg"]
    assert path.read_text("utf-8") == "old"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing/figure\.svg: cannot be written"):
        save_figure(curves_figure(PAPER), tmp_path / "missing" / "figure.svg")
