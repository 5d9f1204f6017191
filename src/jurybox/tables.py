"""One table, many printed forms: text, Markdown, LaTeX (booktabs), HTML.

Numbers are rounded here and nowhere else: these are the forms people read. JSON and CSV keep every
digit, and are made from the results themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import isnan
from typing import NamedTuple, TypeVar

T = TypeVar("T")
Cell = str | int | float | None

#: shown where a value is undefined or missing
MISSING = "–"


class Column(NamedTuple):
    """A title, a format for floats, and whether the column holds text (aligned left).

    A `percent` column holds shares and shows them as such: 0.7367 is 73.67% with two digits.
    """

    title: str
    digits: int = 4
    text: bool = False
    signed: bool = False
    percent: bool = False


class ShownCell(NamedTuple):
    """A cell as people read it, and what it is sorted by; None where the value is missing."""

    text: str
    key: str | int | float | None


class Table(NamedTuple):
    """Rows under columns, with a title above and notes below.

    >>> table = Table((Column("system", text=True), Column("F0.5")), (("CAMB", 0.37333),))
    >>> print(table.to_text())
    system    F0.5
    CAMB    0.3733
    """

    columns: tuple[Column, ...]
    rows: tuple[Sequence[Cell], ...]
    title: str = ""
    notes: tuple[str, ...] = ()

    def noted(self, *notes: str) -> Table:
        """The same table with more notes below."""
        return self._replace(notes=(*self.notes, *notes))

    def render(self, form: str) -> str:
        """The table in one of the forms of `FORMS`."""
        return FORMS[form](self)

    def _shown(self) -> list[list[str]]:
        return [
            [_show(cell, column) for cell, column in zip(row, self.columns, strict=True)]
            for row in self.rows
        ]

    def cells(self) -> list[list[ShownCell]]:
        """Every cell as it is shown, with its unrounded value to sort by.

        >>> Table((Column("F0.5", digits=2),), ((0.37333,), (None,))).cells()
        [[ShownCell(text='0.37', key=0.37333)], [ShownCell(text='–', key=None)]]
        """
        return [
            [
                ShownCell(shown, None if _is_missing(cell) else cell)
                for shown, cell in zip(texts, row, strict=True)
            ]
            for texts, row in zip(self._shown(), self.rows, strict=True)
        ]

    def to_text(self) -> str:
        """Aligned columns, two blanks apart."""
        rows = [[column.title for column in self.columns], *self._shown()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(self.columns))]
        lines = [self.title] if self.title else []
        for row in rows:
            cells = [
                cell.ljust(width) if column.text else cell.rjust(width)
                for cell, width, column in zip(row, widths, self.columns, strict=True)
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join([*lines, *self.notes])

    def to_markdown(self) -> str:
        """A pipe table."""
        lines = [f"**{self.title}**", ""] if self.title else []
        titles = (_escape_pipes(column.title) for column in self.columns)
        lines.append(f"| {' | '.join(titles)} |")
        rules = ("---" if column.text else "---:" for column in self.columns)
        lines.append(f"| {' | '.join(rules)} |")
        lines += [f"| {' | '.join(map(_escape_pipes, row))} |" for row in self._shown()]
        for note in self.notes:
            lines += ["", _escape_pipes(note)]
        return "\n".join(lines)

    def to_latex(self) -> str:
        """A tabular with booktabs rules; notes as comments."""
        kinds = "".join("l" if column.text else "r" for column in self.columns)
        lines = [f"% {self.title}"] if self.title else []
        lines += [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule"]
        lines.append(" & ".join(_escape_latex(c.title) for c in self.columns) + r" \\")
        lines.append(r"\midrule")
        lines += [" & ".join(map(_escape_latex, row)) + r" \\" for row in self._shown()]
        lines += [r"\bottomrule", r"\end{tabular}"]
        return "\n".join([*lines, *(f"% {note}" for note in self.notes)])

    def to_html(self) -> str:
        """A plain table element, for notebooks."""
        from html import escape

        heads = "".join(f"<th>{escape(column.title)}</th>" for column in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._shown()
        )
        caption = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in self.notes)
        head = f"<thead><tr>{heads}</tr></thead>"
        return f"<table>{caption}{head}<tbody>{body}</tbody></table>{notes}"


FORMS = {
    "text": Table.to_text,
    "markdown": Table.to_markdown,
    "latex": Table.to_latex,
    "html": Table.to_html,
}


def _is_missing(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and isnan(cell))


def _show(cell: Cell, column: Column) -> str:
    if _is_missing(cell):
        return MISSING
    if isinstance(cell, float):
        kind = "%" if column.percent else "f"
        return show_number(cell, column.digits, signed=column.signed, kind=kind)
    return str(cell)


def show_number(value: float, digits: int = 4, *, signed: bool = False, kind: str = "f") -> str:
    """A number as people read it; what is rounded to zero has no sign.

    >>> show_number(-0.00004), show_number(-0.0, signed=True), show_number(0.25, 1, signed=True)
    ('0.0000', '0.0000', '+0.2')
    >>> show_number(-0.0004, 1, kind="%")
    '0.0%'
    """
    shown = f"{value:z.{digits}{kind}}"
    if signed and value > 0 and shown.strip("0.%"):
        return f"+{shown}"
    return shown


def _escape_pipes(text: str) -> str:
    return text.replace("|", r"\|")


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    MISSING: "--",
}


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def signed(tables: Sequence[Table], signature: str, *notes: str) -> list[Table]:
    """The same tables; below the last one notes, and what the numbers depend on.

    >>> [table.notes for table in signed([Table((), ()), Table((), (), notes=("a",))], "s", "b")]
    [(), ('a', 'b', 'signature: s')]
    """
    return [*tables[:-1], tables[-1].noted(*notes, f"signature: {signature}")]


# --- the order in which names of annotators and raters are shown ---


def natural_key(name: str) -> list[tuple[bool, int, str]]:
    """Sort key by which numbers inside names count as numbers.

    >>> sorted(["A10", "A2", "A1", "B"], key=natural_key)
    ['A1', 'A2', 'A10', 'B']
    """
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def shown_order(names: Sequence[str]) -> tuple[str, ...]:
    """Names as tables list them: in natural order where they come sorted as strings.

    `A*.m2` on a command line gives A1, A10, A2: nobody chose that order. Names in any other order
    were put there by somebody and stay. Only what is shown moves: ties between annotators are
    broken in the order in which their files were given.

    >>> shown_order(["A1", "A10", "A2"]), shown_order(["expert", "A10", "A2"])
    (('A1', 'A2', 'A10'), ('expert', 'A10', 'A2'))
    """
    given = list(names)
    if given in (sorted(given), sorted(given, key=str.casefold)):
        given.sort(key=natural_key)
    return tuple(given)


def in_shown_order(items: Iterable[T], names: Sequence[str], name: Callable[[T], str]) -> list[T]:
    """Things that each have one of the names, in the order in which the names are shown."""
    place = {one: number for number, one in enumerate(shown_order(names))}
    return sorted(items, key=lambda item: place[name(item)])


def names_of_pairs(pairs: Iterable[Sequence[object]]) -> tuple[str, ...]:
    """Everybody in a list of pairs as they are shown; the first two fields are the names.

    >>> names_of_pairs([("A1", "A10"), ("A1", "A2"), ("A10", "A2")])
    ('A1', 'A2', 'A10')
    """
    both = [[str(name) for name in pair[:2]] for pair in pairs]
    names = dict.fromkeys([*(first for first, _ in both), *(second for _, second in both)])
    return shown_order(list(names))
