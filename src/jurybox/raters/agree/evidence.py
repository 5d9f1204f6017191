"""The judgments that count for `agree`: people's, the first of each case, on clean contexts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from jurybox.errors import InputError, JuryboxWarning, UsageError, plural
from jurybox.formats.tables.judgments import WordColumn
from jurybox.raters.agree import Agree, AgreeOptions
from jurybox.raters.agree.choices import Column
from jurybox.raters.agree.result import LeftOut, PerCase, Sizes
from jurybox.raters.flagged import (
    FlaggedRaters,
    count_flagged,
    flagged_rows,
    without_flagged,
)
from jurybox.raters.gold_labels import warn
from jurybox.raters.inputs import RatingsInput, RatingsReading, read_ratings
from jurybox.raters.kinds import ByKind, split_kinds
from jurybox.raters.ratings import BoolArray, Ratings, select
from jurybox.raters.wide_tables import lengthen_counts
from jurybox.shared_options import COUNTS

#: other columns that are read where they are there
COLUMNS = ("batch", "context", "first", "second", "shown")


@dataclass(frozen=True)
class Evidence:
    """The judgments that count, and what stands beside them."""

    read: RatingsInput
    people: Ratings  # a rater's first judgment of every case
    split: ByKind  # the same with the models
    again: Ratings  # people's judgments, all of them
    sizes: Sizes
    named: bool  # whether raters are somebody: a table of counts has none
    flagged: FlaggedRaters | None = None  # None if nobody is flagged
    other: Ratings | None = (
        None  # as `people`, with flagged raters if these are left out, or without
    )

    def column(self, name: str, ratings: Ratings) -> Column | None:
        """A column of words beside these judgments; None if there is none."""
        return _column(self.read, name, ratings)


def gather(call: Agree) -> Evidence:
    """Read judgments, and leave out what does not count."""
    # models are set apart below: `agree` can show what they would change
    reading = call.only(
        RatingsReading, extra=COLUMNS, repeats="keep", progress=None, count_models=True
    )
    if call.input_format == COUNTS:
        made = lengthen_counts(call.judgments)
        reading = reading.replace(judgments=made, input_format="long")
    with _first_ones_count():
        read = read_ratings.of(reading)
    flagged, other = None, None
    if (rows := flagged_rows(read.table)) is not None:
        flagged = count_flagged(read.table, rows, counted=call.with_flagged)
        trusted = without_flagged(read)
        other = _counting(trusted if call.with_flagged else read, call).split.people
        read = read if call.with_flagged else trusted
    everybody, split, spoiled = _counting(read, call)
    people = split.people
    if not len(people):
        what = "--spoiled drop leaves no judgment" if spoiled else "no person judged a case"
        raise InputError(f"{what}, so there is no agreement to measure")
    if len(split.models) and not call.show_models:
        count = len(np.unique(split.models.rater))
        warn(
            f"{plural(len(split.models), 'judgment')} by {plural(count, 'rater')} of kind model "
            "are left out; --show-models shows what they would change"
        )
    again = split_kinds(everybody, read.kinds or None).people
    per_case = np.bincount(people.case, minlength=people.cases)
    judged = per_case[per_case > 0]
    sizes = Sizes(
        cases=len(judged),
        raters=len(np.unique(people.rater)),
        judgments=len(people),
        per_case=PerCase(int(judged.min()), float(np.median(judged)), int(judged.max())),
        single=int(np.count_nonzero(judged == 1)),
        left_out=LeftOut(
            no_answer=everybody.left_out,
            repeats=len(again) - len(people),
            spoiled_cases=spoiled,
            by_models=len(split.models),
            models=len(np.unique(split.models.rater)),
            rows=dict(read.left_out),
        ),
    )
    is_named = call.input_format != COUNTS
    return Evidence(read, people, split, again, sizes, is_named, flagged, other)


class _Counting(NamedTuple):
    """Judgments on clean contexts, all of them and the first of each rater, and spoiled cases."""

    everybody: Ratings
    split: ByKind
    spoiled: int


def _counting(read: RatingsInput, options: AgreeOptions) -> _Counting:
    everybody = read.everybody
    kept, spoiled = _unspoiled(read, everybody, drop=options.spoiled == "drop")
    if spoiled:
        everybody = select(everybody, kept)
    first = select(everybody, _is_first(everybody))
    return _Counting(everybody, split_kinds(first, read.kinds or None), spoiled)


@contextmanager
def _first_ones_count() -> Iterator[None]:
    """Judgments are read with repeats, which the reader says all count; here the first ones do."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        yield
    for one in caught:
        text = str(one.message).replace(
            "all of them count", "the first answer counts; the others say how steady raters are"
        )
        warnings.warn(text, one.category, stacklevel=4)


def _column(read: RatingsInput, name: str, ratings: Ratings) -> Column | None:
    found = read.extra.get(name)
    if found is None:
        return None
    words = cast("WordColumn", found)
    return Column(words.words, np.asarray(words.number, dtype=np.int64)[ratings.row])


def _unspoiled(read: RatingsInput, ratings: Ratings, *, drop: bool) -> tuple[BoolArray, int]:
    """Which judgments are about cases that nobody calls spoiled, and how many cases are.

    A context is spoiled by errors of spelling or grammar around the place that is judged; both
    annotators of Tetreault and Chodorow (2008, 5.2) had to find it clean.
    """
    every = np.ones(len(ratings), dtype=bool)
    column = _column(read, "context", ratings)
    if column is None:
        if drop:
            missing = "the judgments have no column 'context'; see --columns"
            raise UsageError(f"--spoiled drop: {missing}")
        return every, 0
    flagged = np.array([bool(word.strip()) for word in column.words], dtype=bool)
    of_case = np.zeros(ratings.cases, dtype=bool)
    of_case[ratings.case[flagged[column.number]]] = True
    if not drop:
        return every, 0
    return ~of_case[ratings.case], int(of_case.sum())


def _is_first(ratings: Ratings) -> BoolArray:
    """Whether each judgment is its rater's first of the case."""
    key = ratings.case * max(1, len(ratings.raters)) + ratings.rater
    chosen = np.zeros(len(key), dtype=bool)
    chosen[np.unique(key, return_index=True)[1]] = True
    return chosen
