"""How large a table of a page is printed, so that it is not cut off at the edge of the sheet."""

from __future__ import annotations

from typing import NamedTuple

from jurybox.report.tables import Table

#: the text of an A4 or letter sheet is so wide, upright and across, in points
SHEET_WIDTH, SHEET_ACROSS = 500.0, 745.0
#: type sizes of printed tables; below the smaller one a table lies across
LARGEST_PRINT, SMALLEST_PRINT = 8.5, 5.5
#: in ems: a letter of a wide font, what is around a cell; and letters before words wrap
LETTER, CELL_PADDING, WRAPPED = 0.64, 0.8, 40


class PrintFit(NamedTuple):
    """How a table fits on a sheet of paper: its type size in points, and whether across."""

    size: float
    turned: bool


def print_fit(table: Table) -> PrintFit:
    """The type size at which a table fits on the width of a sheet; a very wide one lies across.

    >>> from jurybox.report.tables import Column
    >>> print_fit(Table((Column("system", text=True), Column("F0.5")), (("CAMB", 0.37333),)))
    PrintFit(size=8.5, turned=False)
    """
    shown = [[cell.text for cell in row] for row in table.cells()]
    ems = 0.0
    for number, column in enumerate(table.columns):
        longest = max((len(word) for word in column.title.split()), default=0)
        cells = max((len(row[number]) for row in shown), default=0)
        if column.text and number:  # these wrap
            cells = min(cells, WRAPPED)
        ems += LETTER * max(longest, cells) + CELL_PADDING
    upright = SHEET_WIDTH / ems if ems else LARGEST_PRINT
    turned = upright < SMALLEST_PRINT
    fitting = upright * SHEET_ACROSS / SHEET_WIDTH if turned else upright
    return PrintFit(round(min(LARGEST_PRINT, fitting), 1), turned)
