"""A result whose tables come in parts, as sections of the report: one for each part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from jurybox.figures import svg_text
from jurybox.report.html import Figure, Section
from jurybox.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


class SignedResult(Protocol):
    """What every result says of itself."""

    @property
    def signature(self) -> str: ...

    @property
    def warnings(self) -> tuple[str, ...]: ...


def part_sections(
    result: SignedResult,
    parts: Mapping[str, Sequence[Table]],
    *,
    kind: str,
    group: str,
    titles: Mapping[str, str],
    leads: Mapping[str, str],
    figures: Mapping[str, Sequence[Figure]],
) -> list[Section]:
    """The parts in their order, under the titles given; warnings are told in the first."""
    return [
        Section(
            key=f"{kind}-{part}",
            title=titles[part],
            lead=leads.get(part, ""),
            tables=tuple(tables),
            figures=tuple(figures.get(part, ())),
            notes=() if number else result.warnings,
            signature=result.signature,
            group=group,
        )
        for number, (part, tables) in enumerate(parts.items())
    ]


def drawn(draw: Callable[[], Drawing], alt: str) -> Figure:
    """A figure as it stands in the page; `alt` says in words what it shows."""
    return Figure(svg_text(draw()), alt)
