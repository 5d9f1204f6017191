"""The judgments that count for `agree`: people's, the first of each case, on clean contexts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from jurybox.api.agree_choices import Column
from jurybox.api.agree_options import AgreeOptions
from jurybox.api.agree_result import Sizes
from jurybox.api.known_answers import GivenGold
from jurybox.api.rater_inputs import GivenJudgments, RatingsInput, read_ratings
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.model import CaseSet
from jurybox.raters.kinds import ByKind, split_kinds
from jurybox.raters.ratings import BoolArray, Ratings, select

if TYPE_CHECKING:
    from jurybox.formats.judgments import WordColumn

#: further columns that are read where they are there
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

    def column(self, name: str, ratings: Ratings) -> Column | None:
        """A column of words beside these judgments; None if there is none."""
        return _column(self.read, name, ratings)


def gather(
    judgments: GivenJudgments,
    options: AgreeOptions,
    *,
    cases: CaseSet | None,
    gold: GivenGold | None,
    columns: Mapping[str, str] | None,
    input_format: str | None,
    show_raters: bool,
) -> Evidence:
    """Read judgments, and leave out what does not count."""
    given, form = judgments, input_format
    if input_format == "counts":
        from jurybox.api.agree_counts import lengthen_counts

        given, form = lengthen_counts(judgments), "long"
    with _first_ones_count():
        read = read_ratings(
            given,
            cases=cases,
            columns=columns,
            labels=options.labels,
            input_format=form,
            with_models=options.with_models,
            with_rejected=options.with_rejected,
            show_raters=show_raters,
            gold=gold,
            extra=COLUMNS,
            repeats="keep",
        )
    everybody = read.everybody
    kept, spoiled = _unspoiled(read, everybody, drop=options.spoiled == "drop")
    if spoiled:
        everybody = select(everybody, kept)
    first = select(everybody, _is_first(everybody))
    split = split_kinds(first, read.kinds or None)
    people = split.people
    if not len(people):
        what = "--spoiled drop leaves no judgment" if spoiled else "no person judged a case"
        raise InputError(f"{what}, so there is no agreement to measure")
    again = split_kinds(everybody, read.kinds or None).people
    per_case = np.bincount(people.case, minlength=people.cases)
    judged = per_case[per_case > 0]
    sizes = Sizes(
        cases=len(judged),
        raters=len(np.unique(people.rater)),
        judgments=len(people),
        per_case=(int(judged.min()), float(np.median(judged)), int(judged.max())),
        single=int(np.count_nonzero(judged == 1)),
        no_answer=everybody.left_out,
        repeats=len(again) - len(people),
        spoiled=spoiled,
        models=len(split.models),
        model_raters=len(np.unique(split.models.rater)),
        rejected=dict(read.left_out),
    )
    return Evidence(read, people, split, again, sizes, named=input_format != "counts")


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
            raise UsageError("--spoiled drop: the judgments have no column 'context'; see --map")
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
