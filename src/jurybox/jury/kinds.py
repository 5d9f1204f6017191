"""Kinds of errors: extraneous, wrong choice, missing (Madnani et al. 2011, section 2).

Raters of the paper judged one kind at a time: "They came to outside" has an extraneous preposition,
"They arrived to the town" a wrong one, which is not extraneous. So each kind is a question of its
own. A construction such as extraneous-preposition asks about one kind; a position between tokens
about what is missing there. Elsewhere the words tell: a judge who would delete the token says
extraneous, one who would put something else there says wrong choice, and is against extraneous.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from jurybox.jury.cases.naming import KINDS, kind_named
from jurybox.jury.votes import (
    ERROR,
    OK,
    UNKNOWN,
    BoolArray,
    LabelArray,
    VoteArray,
    Votes,
    judgment_blocks,
)
from jurybox.model import Case, JudgmentTable

#: what a word that is put in place of a token makes of the error: deletions, and all others
_BY_WORDS = {"extraneous": True, "wrong": False}


class KindVotes(NamedTuple):
    """Votes on one kind of error."""

    kind: str
    places: BoolArray  # cases that can be an error of this kind
    by_words: BoolArray  # those where words tell the kind
    votes: Votes  # error: of this kind; unknown: an error of no known kind too


def vote_by_kind(judgments: JudgmentTable, cases: Collection[Case]) -> list[KindVotes]:
    """The votes on every kind that cases ask about, or that corrections tell.

    A judge with several equally good corrections may vote for both kinds.

    >>> table = JudgmentTable()
    >>> for rater, words in (("Ann", ("",)), ("Bob", ("in",)), ("Cem", ())):
    ...     table.append(0, rater, "error", words)
    >>> for one in vote_by_kind(table, [Case("c1", "He came to outside", 2, 3, "to")]):
    ...     print(one.kind, *(int(votes[0]) for votes in one.votes))
    extraneous 1 1 1
    wrong 1 1 1
    """
    n = len(cases)
    asked = [kind_named(one.construction) or _kind_of_span(one) for one in cases]
    open_places = np.fromiter((not kind for kind in asked), dtype=bool, count=n)
    sets = judgments.corrections
    tells = {
        kind: np.array([any((not word) == empty for word in words) for words in sets], dtype=bool)
        for kind, empty in _BY_WORDS.items()
    }
    told: BoolArray = np.array([bool(words) for words in sets], dtype=bool)
    votes = {kind: np.zeros((3, n), dtype=np.int32) for kind in KINDS}
    some_told = False
    for block in judgment_blocks(judgments, n):
        given = np.zeros_like(block.case) if block.correction is None else block.correction
        by_words = open_places[block.case] & (block.label == ERROR)
        some_told |= bool((by_words & told[given]).any())
        for kind in votes:
            label = block.label.copy()
            if kind in tells:
                label[by_words & ~tells[kind][given]] = OK
                label[by_words & ~told[given]] = UNKNOWN
            place = label.astype(np.int64) * n + block.case
            votes[kind] += np.bincount(place, minlength=3 * n).astype(np.int32).reshape(3, n)
    by_kind = []
    for kind, found in votes.items():
        own = np.fromiter((one == kind for one in asked), dtype=bool, count=n)
        by_words = open_places & np.bool_(some_told and kind in tells)
        places: BoolArray = own | by_words
        if places.any():
            counted: list[VoteArray] = [np.where(places, row, 0).astype(np.int32) for row in found]
            by_kind.append(KindVotes(kind, places, by_words, Votes(*counted)))
    return by_kind


def _kind_of_span(case: Case) -> str:
    return "missing" if case.start is not None and case.start == case.end else ""


def decide_kind(
    kind: KindVotes, decided: LabelArray, suggestions: Sequence[str | None] | None
) -> tuple[LabelArray, int]:
    """A system's decisions on one kind, and how many of its reports have no suggestion.

    A report of another kind is no report of this one. A report without a suggestion may be of any
    kind and counts as one of each: recall is right then, precision a lower bound.
    """
    own: LabelArray = np.where(kind.places, decided, np.int8(-1))
    unclear = 0
    for case in np.flatnonzero(kind.by_words & (own == 1)).tolist():
        word = None if suggestions is None else suggestions[case]
        if word is None:
            unclear += 1
        elif (not word) != _BY_WORDS[kind.kind]:
            own[case] = 0
    return own, unclear
