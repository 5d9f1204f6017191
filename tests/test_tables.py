"""One table, many forms: nothing is lost, and no cell can break out of its form."""

from __future__ import annotations

import html
import re
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.tables import FORMS, MISSING, Cell, Column, Table, show_number

COLUMNS = (
    Column("system", text=True),
    Column("TP"),
    Column("F0.5"),
    Column("change", digits=2, signed=True),
)
TABLE = Table(
    COLUMNS,
    (("CAMB", 772, 0.37333, 1.0), ("a & b_c|d", 0, nan, -0.5), ("", None, 1.0, None)),
    title="Systems",
    notes=("signature: jurybox m2|refs:2",),
)

#: what names and sentences may hold: anything printable, the special signs of every form first
words = st.text(
    st.sampled_from("ab |&%$#_{}~^\\\"',;<>*`–é漢")
    | st.characters(categories=("L", "N", "P", "S")),
    max_size=12,
)


def one_cell(text: str) -> Table:
    return Table((Column("t", text=True), Column("n")), ((text, 1),))


def test_text_aligns_words_left_and_numbers_right() -> None:
    assert TABLE.to_text().splitlines() == [
        "Systems",
        "system      TP    F0.5  change",
        "CAMB       772  0.3733   +1.00",
        f"a & b_c|d    0       {MISSING}   -0.50",
        f"             {MISSING}  1.0000       {MISSING}",
        "signature: jurybox m2|refs:2",
    ]


def test_markdown_marks_the_alignment_and_escapes_pipes() -> None:
    assert TABLE.to_markdown().splitlines() == [
        "**Systems**",
        "",
        "| system | TP | F0.5 | change |",
        "| --- | ---: | ---: | ---: |",
        "| CAMB | 772 | 0.3733 | +1.00 |",
        rf"| a & b_c\|d | 0 | {MISSING} | -0.50 |",
        f"|  | {MISSING} | 1.0000 | {MISSING} |",
        "",
        r"signature: jurybox m2\|refs:2",
    ]


def test_latex_is_a_booktabs_tabular_with_escaped_cells() -> None:
    assert TABLE.to_latex().splitlines() == [
        "% Systems",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"system & TP & F0.5 & change \\",
        r"\midrule",
        r"CAMB & 772 & 0.3733 & +1.00 \\",
        r"a \& b\_c|d & 0 & -- & -0.50 \\",
        r" & -- & 1.0000 & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% signature: jurybox m2|refs:2",
    ]


def test_html_has_a_caption_a_head_a_body_and_the_notes() -> None:
    made = TABLE.to_html()
    assert "<caption>Systems</caption>" in made
    assert "<th>F0.5</th>" in made
    assert "<td>a &amp; b_c|d</td>" in made
    assert "signature: jurybox m2|refs:2" in made
    assert made.count("<tr>") == 4


@pytest.mark.parametrize("form", FORMS)
def test_every_form_shows_every_name_and_value(form: str) -> None:
    made = TABLE.render(form)
    for shown in ("system", "CAMB", "772", "0.3733"):
        assert shown in made


@pytest.mark.parametrize("form", FORMS)
def test_a_table_without_rows_still_shows_its_columns(form: str) -> None:
    assert "F0.5" in Table(COLUMNS, ()).render(form)


@pytest.mark.parametrize(
    ("cell", "column", "shown"),
    [
        (0.12345, Column("x"), "0.1235"),
        (0.12345, Column("x", digits=2), "0.12"),
        (12, Column("x"), "12"),
        (0.5, Column("x", digits=1, signed=True), "+0.5"),
        (-0.5, Column("x", digits=1, signed=True), "-0.5"),
        (nan, Column("x"), MISSING),
        (None, Column("x"), MISSING),
        (inf, Column("x"), "inf"),
    ],
)
def test_a_number_is_rounded_only_for_people(cell: Cell, column: Column, shown: str) -> None:
    table = Table((column,), ((cell,),))
    assert table.to_text().splitlines()[1].strip() == shown


def test_a_row_of_the_wrong_length_is_refused_and_not_cut() -> None:
    with pytest.raises(ValueError, match="zip"):
        Table(COLUMNS, (("CAMB", 772),)).to_text()


@given(words)
def test_markdown_cells_never_open_a_new_column(text: str) -> None:
    row = one_cell(text).to_markdown().splitlines()[2]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3


@given(words)
def test_latex_cells_hold_no_bare_special_sign(text: str) -> None:
    row = one_cell(text).to_latex().splitlines()[4]
    cell = row.removesuffix(r" & 1 \\")
    without_commands = re.sub(r"\\(textbackslash|textasciitilde|textasciicircum)\{\}", "", cell)
    assert not re.search(r"(?<!\\)[&%$#_{}~^]", without_commands)
    assert re.fullmatch(r"(?:[^\\]|\\[&%$#_{}])*", without_commands)


@given(words)
def test_html_gives_back_any_cell_and_no_markup_of_its_own(text: str) -> None:
    found = re.search(r"<tbody><tr><td>(.*?)</td>", one_cell(text).to_html(), re.DOTALL)
    assert found is not None
    assert "<" not in found[1]
    assert html.unescape(found[1]) == text


@pytest.mark.parametrize("value", [-0.0, -1e-9, -0.00004, 0.0, 0.00004])
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_zero_has_no_sign_in_any_form(value: float, form: str) -> None:
    columns = (Column("plain"), Column("signed", signed=True), Column("share", percent=True))
    shown = Table(columns, ((value, value, value / 100),)).render(form)
    assert shown.count("0.0000") == 3
    assert "-0.0" not in shown
    assert "+0.0" not in shown


@given(st.floats(-2, 2), st.integers(0, 6), st.booleans())
def test_a_sign_is_shown_exactly_where_the_rounded_number_is_not_zero(
    value: float, digits: int, signed: bool
) -> None:
    shown = show_number(value, digits, signed=signed)
    assert float(shown) == float(f"{value:.{digits}f}")
    expected = "-" if float(shown) < 0 else "+" if signed and float(shown) > 0 else ""
    assert shown == f"{expected}{shown.lstrip('+-')}"
