"""Raters whom the annotation server flagged: who is left out, and what counting them would change.

A rater is flagged who fell below the gold rule, or whom an admin flagged. Exports say so in the
column `status`. `agree`, `evaluate`, `estimate_sample` and `aggregate` leave flagged raters out
unless they are asked to count them; the first three give their headline numbers both ways. `screen`
and `cost` count everybody and say how many are flagged.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from jurybox.errors import InputError, JuryboxWarning, UsageError, plural
from jurybox.jury.votes import keep_judgments
from jurybox.model import LABEL_BITS, JudgmentTable
from jurybox.raters.ratings import BoolArray, Ratings, select
from jurybox.records import WHEN_SET, Count, Key, plain

if TYPE_CHECKING:
    from jurybox.raters.inputs import RatingsInput

#: the two numbers of a change, as the JSON calls them
SIDES = ("without", "with")


class FlaggedChange(NamedTuple):
    """A number without and with flagged raters."""

    measure: Annotated[str, "What is measured."]
    without: Annotated[float | None, "Without flagged raters; null where undefined."]
    with_flagged: Annotated[float | None, Key("with"), "With them; null where undefined."]
    system: Annotated[str | None, "The system, where there are several."] = None
    undefined: Annotated[Mapping[str, str], "Why `without` or `with` is undefined.", WHEN_SET] = (
        MappingProxyType({})
    )

    @property
    def is_defined(self) -> bool:
        """Whether there is a number at all, without or with them."""
        return self.without is not None or self.with_flagged is not None


def show_number(value: float | None, reason: str, form: str) -> str:
    """A number, or why there is none.

    >>> show_number(0.5, "", ".4f"), show_number(None, "nothing is flagged", ".4f")
    ('0.5000', 'undefined (nothing is flagged)')
    """
    if value is not None:
        return format(value, form)
    return f"undefined ({reason})" if reason else "undefined"


class FlaggedRaters(NamedTuple):
    """How many raters are flagged, their judgments among all, and what these change."""

    raters: Annotated[Count, "Raters who are flagged."]
    judgments: Annotated[Count, "Their judgments."]
    of: Annotated[Count, "Judgments of everybody."]
    counted: Annotated[bool, "Whether they count."]
    changes: Annotated[
        tuple[FlaggedChange, ...], "Headline numbers without and with flagged raters."
    ] = ()

    def to_dict(self) -> dict[str, Any]:
        """For results that write their own JSON."""
        record: dict[str, Any] = plain(self)
        return record

    def sentence(self) -> str:
        """How many they are, whether they count, and what would change otherwise.

        >>> FlaggedRaters(3, 120, 1417, False, (FlaggedChange("alpha", 0.612, 0.588),)).sentence()
        '3 flagged raters (gold rule, or an admin): 120 of 1417 judgments are left out; \
--with-flagged counts them (alpha 0.5880 instead of 0.6120)'
        """
        changed = "; ".join(self._changed())
        if self.counted:
            without = f" (without them {changed})" if changed else ""
            return f"{self._judgments()} are counted, by --with-flagged{without}"
        with_them = f" ({changed})" if changed else ""
        return f"{self._judgments()} are left out; --with-flagged counts them{with_them}"

    def counted_anyway(self, why: str) -> str:
        """For commands that count everybody.

        >>> FlaggedRaters(3, 120, 1417, True).counted_anyway("they were paid")
        '3 flagged raters (gold rule, or an admin): 120 of 1417 judgments are counted: they were \
paid'
        """
        return f"{self._judgments()} are counted: {why}"

    def _judgments(self) -> str:
        who = f"{plural(self.raters, 'flagged rater')} (gold rule, or an admin)"
        return f"{who}: {self.judgments} of {plural(self.of, 'judgment')}"

    def _changed(self) -> list[str]:
        found = []
        known = (one for one in self.changes if one.is_defined)
        for system, group in groupby(known, key=lambda one: one.system):
            changes = list(group)
            without, with_them = (
                [
                    show_number(getattr(one, name), one.undefined.get(side, ""), ".4f")
                    for one in changes
                ]
                for name, side in zip(("without", "with_flagged"), SIDES, strict=True)
            )
            there, here = (without, with_them) if self.counted else (with_them, without)
            named = (f"{one.measure} {text}" for one, text in zip(changes, there, strict=True))
            before = f"{system}: " if system else ""
            found.append(f"{before}{', '.join(named)} instead of {', '.join(here)}")
        return found


def flagged_rows(table: JudgmentTable) -> BoolArray | None:
    """Which judgments are by flagged raters; None if none is.

    >>> table = JudgmentTable(flagged=[False, True])
    >>> table.append(0, "Ann", "ok"), table.append(0, "Bob", "ok")
    (None, None)
    >>> flagged_rows(table).tolist()
    [False, True]
    """
    if not table.flagged or not any(table.flagged):
        return None
    rows: BoolArray = np.array(table.flagged)[np.asarray(table.answer) >> LABEL_BITS]
    return rows if rows.any() else None


def count_flagged(table: JudgmentTable, rows: BoolArray, *, counted: bool) -> FlaggedRaters:
    """How many they are; judgments of theirs alone are an InputError unless they are counted."""
    if rows.all() and not counted:
        raise InputError(
            f"all judgments are by flagged raters ({len(rows)}); --with-flagged counts them"
        )
    raters = np.unique(np.asarray(table.answer)[rows] >> LABEL_BITS)
    return FlaggedRaters(len(raters), int(rows.sum()), len(rows), counted)


def find_flagged(table: JudgmentTable, *, counted: bool) -> FlaggedRaters | None:
    """How many raters of a table are flagged; None if nobody is."""
    rows = flagged_rows(table)
    return None if rows is None else count_flagged(table, rows, counted=counted)


def check_expert(read: RatingsInput, name: str) -> None:
    """A rater who is flagged, and left out, is no expert by accident."""
    if read.table.flagged and read.table.flagged[read.rater(name)]:
        raise UsageError(f"--expert {name}: this rater is flagged; --with-flagged counts them")


class FlaggedSplit(NamedTuple):
    """The judgments that count, those that would the other way round, and who is flagged."""

    counting: JudgmentTable
    other: JudgmentTable
    flagged: FlaggedRaters


def split_flagged(table: JudgmentTable, *, counted: bool) -> FlaggedSplit | None:
    """Judgments without and with those of flagged raters; None if nobody is flagged."""
    rows = flagged_rows(table)
    if rows is None:
        return None
    flagged = count_flagged(table, rows, counted=counted)
    without = keep_judgments(table, ~rows)
    tables = (table, without) if counted else (without, table)
    return FlaggedSplit(*tables, flagged)


def without_flagged(read: RatingsInput) -> RatingsInput:
    r"""What was read without flagged raters; raters keep their numbers, unused labels go.

    >>> from jurybox.raters.inputs import read_ratings
    >>> from jurybox.formats import Input
    >>> text = "case,rater,label,status\nc1,Ann,ok,\nc1,Bob,a,flagged\n"
    >>> found = without_flagged(read_ratings(Input.from_text(text)))
    >>> found.ratings.labels, found.ratings.label.tolist()
    (('ok',), [0])
    """
    return replace(
        read, ratings=_trusted(read.ratings, read), everybody=_trusted(read.everybody, read)
    )


def _trusted(ratings: Ratings, read: RatingsInput) -> Ratings:
    rows = flagged_rows(read.table)
    if rows is None:
        return ratings
    kept = select(ratings, ~rows[ratings.row])
    silent = int(rows.sum()) - int(rows[read.everybody.row].sum())
    used = np.bincount(kept.label, minlength=len(kept.labels)) > 0
    return replace(
        kept,
        label=(np.cumsum(used) - 1)[kept.label],
        labels=tuple(np.array(kept.labels, dtype=object)[used]),
        left_out=ratings.left_out - silent,
    )


def changes_of(
    names: Sequence[str],
    main: Sequence[tuple[float, str]],
    other: Sequence[tuple[float, str]],
    *,
    counted: bool,
    system: str | None = None,
) -> tuple[FlaggedChange, ...]:
    """Numbers as they are and as they would be the other way round; nan with its reason.

    >>> from math import nan
    >>> changes_of(["alpha"], [(0.5, "")], [(nan, "one label")], counted=True)[0].undefined
    {'without': 'one label'}
    """
    found = []
    for name, here, there in zip(names, main, other, strict=True):
        sides = (there, here) if counted else (here, there)
        reasons = {
            side: reason
            for side, (value, reason) in zip(SIDES, sides, strict=True)
            if isnan(value) and reason
        }
        without, with_flagged = (None if isnan(value) else value for value, _ in sides)
        found.append(FlaggedChange(name, without, with_flagged, system, reasons))
    return tuple(found)


@contextmanager
def quietly() -> Iterator[None]:
    """What is counted the other way round was said before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        yield
