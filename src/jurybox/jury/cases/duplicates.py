"""Duplicates: cases at the same place of the same sentence as one before.

Madnani et al. (2011, footnote 3) found two among their thousand sentences and removed them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from jurybox.errors import plural
from jurybox.model import Case
from jurybox.records import Count


class Duplicates(NamedTuple):
    """Cases at the same place of the same sentence as one before."""

    cases: Annotated[Count, "How many there are."] = 0
    dropped: Annotated[bool, "Whether they were left out (--duplicates drop)."] = False

    def notes(self) -> tuple[str, ...]:
        """A line on them, where there are any.

        >>> Duplicates(2).notes()
        ('duplicates: 2 cases at the same place of the same sentence as one before, kept',)
        """
        if not self.cases:
            return ()
        found = f"{plural(self.cases, 'case')} at the same place of the same sentence as one before"
        return (f"duplicates: {found}, {'left out' if self.dropped else 'kept'}",)


def repeats(cases: Iterable[Case]) -> list[bool]:
    """Whether each case is about the same place of the same sentence as one before.

    Without a span the word tells the place; a case without its sentence is none.

    >>> text = "He came to outside ."
    >>> repeats([Case("a", text, 2, 3), Case("b", text, 3, 4), Case("c", text, 2, 3), Case("d")])
    [False, False, True, False]
    """
    met: set[tuple[object, ...]] = set()
    found = []
    for case in cases:
        word = case.written if case.start is None else ""
        place = (case.sentence, case.start, case.end, word)
        found.append(bool(case.sentence) and place in met)
        met.add(place)
    return found
