"""The choice experiment: whose word is better, the writer's or the system's?

A system is marked wrong wherever it differs from the text, but many places take more than one word.
Tetreault and Chodorow (2008, section 4.2) show people both words, in random order and without
saying whose they are. Where the system's is as good or better, it was not wrong.

In a table of judgments the columns `first` and `second` hold the two words as the task lists them,
in any order; `written` is the writer's word, one of the two; and `shown` is the one that stood
first on the rater's screen, where that may differ. `jurybox agree` and `jurybox detect selection`
both ask `judge_choices` what a label says. Only whence they know `written` differs: the second has
the task's key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, nan
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.errors import FormatError, InputError
from jurybox.raters.agreement import krippendorff_alpha
from jurybox.raters.intervals import share_interval
from jurybox.raters.ratings import CodeArray, Codes, Ratings, places
from jurybox.records import FLAT, Count, Limits, Reason, Share

WRITER, SYSTEM, EQUAL, BAD, OTHER = range(5)
VERDICTS = ("writer", "system", "equal", "bad", "other")

#: what raters may say, in lower case, beside one of the two words
_SAID = {
    **{"writer": WRITER, "system": SYSTEM},
    **dict.fromkeys(("equal", "both", "same", "equally good", "good"), EQUAL),
    **dict.fromkeys(("bad", "neither", "none", "equally bad"), BAD),
}
#: places in the task
_LISTED = {"first": 0, "second": 1}
#: places on the screen: the one that `shown` names, and the other one
_PLACES = {"left": 0, "a": 0, "1": 0, "right": 1, "b": 1, "2": 1}


class Choices(NamedTuple):
    """Judgments on cases where system and writer differ: how often each answer was given."""

    writer: Annotated[Count, "The writer's word is better."]
    system: Annotated[Count, "The system's word is better."]
    equal: Annotated[Count, "Both are equally good."]
    bad: Annotated[Count, "Both are equally bad."] = 0

    @property
    def total(self) -> int:
        return self.writer + self.system + self.equal + self.bad


class AcceptedChoices(NamedTuple):
    """How often the system's word is equal or better, and accuracy if that counts as right."""

    share: float
    accuracy: float
    corrected: float
    reason: str = ""  # why there is no share


def correct_accuracy(
    choices: Choices, accuracy: float, *, accept_bad: bool = False
) -> AcceptedChoices:
    """An accuracy of exact matches, corrected by how often a mismatch is equal or better.

    corrected = accuracy + (1 - accuracy) · share, where share is how often people call the system's
    word better, or both equally good. Whether its authors also counted what is equally bad, the
    paper does not say: a word that is bad is not accepted here unless `accept_bad`. Undefined
    without choices.

    In the paper 28 % of the mismatches are equal or better, which lifts 75 % to 82 %:

    >>> found = correct_accuracy(Choices(writer=144, system=20, equal=36), accuracy=0.75)
    >>> found.share, round(found.corrected, 4)
    (0.28, 0.82)
    """
    if not all(0 <= count < float("inf") for count in choices):
        raise InputError(f"choices are counts from 0 up, not {tuple(choices)}")
    if not 0 <= accuracy <= 1:
        raise InputError(f"an accuracy is a share from 0 to 1, not {accuracy}")
    if not choices.total:
        return AcceptedChoices(nan, accuracy, nan, "nobody chose between the two words")
    accepted = choices.system + choices.equal + (choices.bad if accept_bad else 0)
    share = accepted / choices.total
    return AcceptedChoices(share, accuracy, accuracy + (1 - accuracy) * share)


class RaterChoices(NamedTuple):
    """How one rater chose."""

    rater: str
    choices: Annotated[Choices, FLAT]
    share: Annotated[Share, "Share in which the system's word is equal or better."]
    low: Annotated[Share, "Lower end of its interval; null if there is none."] = nan
    high: Annotated[Share, "Upper end."] = nan


class ChoiceFindings(NamedTuple):
    """A choice task: how often the system's word is equal or better."""

    choices: Annotated[Choices, FLAT]
    other: Annotated[Count, "Judgments that say something else, and are left out."]
    share: Annotated[
        Share, "Share in which the system's word is equal or better; null without choices."
    ]
    corrected_accuracy: Annotated[
        float | None,
        "The accuracy of the options, corrected by the share; null without one.",
        Limits(minimum=0, maximum=1),
    ]
    krippendorff_alpha: Annotated[
        float,
        "Krippendorff's alpha of the raters on whose word is better; null where undefined.",
        Limits(maximum=1),
    ]
    raters: Annotated[tuple[RaterChoices, ...], "Rater by rater."]
    reason: Reason = ""
    low: Annotated[Share, "Lower end of its interval; null if there is none."] = nan
    high: Annotated[Share, "Upper end."] = nan
    corrected_low: Annotated[
        float | None,
        "Lower end of the corrected accuracy, the given one taken as it is; null if none.",
        Limits(minimum=0, maximum=1),
    ] = None
    corrected_high: Annotated[float | None, "Upper end.", Limits(minimum=0, maximum=1)] = None


class Column(NamedTuple):
    """A column of words: `words[number[i]]` stands beside judgment i."""

    words: Sequence[str]
    number: Codes


class ChoiceColumns(NamedTuple):
    """The two words of each judgment, the one shown first, and the writer's; None: not known."""

    first: Column
    second: Column
    shown: Column | None
    written: Column | None


def find_choices(
    ratings: Ratings, verdict: CodeArray, accuracy: float | None, *, level: float = 0.95
) -> ChoiceFindings | None:
    """The analysis of judgments that say whose word is better; None if none do.

    `verdict` is what `judge_choices` gives.
    """
    asked = np.flatnonzero(verdict >= 0)
    if not len(asked):
        return None
    said = verdict[asked]
    counts = np.bincount(said, minlength=5)
    choices = Choices(*counts[:OTHER].tolist())
    found = correct_accuracy(choices, 0.0 if accuracy is None else accuracy)
    case, clear = ratings.case[asked], said != OTHER
    accepted = (said == SYSTEM) | (said == EQUAL)
    share = share_interval(  # answers on one case go together
        np.bincount(case[accepted], minlength=ratings.cases),
        np.bincount(case[clear], minlength=ratings.cases),
        level=level,
    )
    by_case = np.bincount(places(case[clear], OTHER, said[clear]), minlength=ratings.cases * OTHER)
    ends: list[float | None] = [None, None]
    if accuracy is not None and not isnan(share.low):
        ends = [accuracy + (1 - accuracy) * end for end in (share.low, share.high)]
    return ChoiceFindings(
        choices,
        int(counts[OTHER]),
        found.share,
        None if accuracy is None or found.reason else found.corrected,
        krippendorff_alpha(by_case.reshape(ratings.cases, OTHER)).value,
        tuple(_by_rater(ratings, asked, said, level)),
        found.reason,
        share.low,
        share.high,
        *ends,
    )


def judge_choices(
    ratings: Ratings, columns: ChoiceColumns, place: Callable[[int], tuple[str, int]]
) -> CodeArray:
    """What each judgment says, as a place in `VERDICTS`; -1 where there was nothing to choose.

    Where that cannot be known, the first such judgment is named: `place` gives the file and the
    line of a row.
    """
    zeros = np.zeros_like(ratings.label)
    shown = columns.shown or Column(("first",), zeros)
    written = columns.written or Column(("",), zeros)
    known = (Column(ratings.labels, ratings.label), *columns[:2], shown, written)
    kinds, kind = np.unique(np.stack([one.number for one in known]), axis=1, return_inverse=True)
    kind = kind.ravel()
    verdicts, faults = np.full(kinds.shape[1], -1), {}
    for number, cells in enumerate(kinds.T.tolist()):
        words = (column.words[cell] for column, cell in zip(known, cells, strict=True))
        try:
            verdicts[number] = judge_choice(*words)
        except ValueError as error:
            faults[number] = str(error)
    if faults:
        first = int(np.flatnonzero(np.isin(kind, list(faults)))[0])
        path, line = place(int(ratings.row[first]))
        raise FormatError(faults[int(kind[first])], path=path, line=line)
    return verdicts[kind]


def judge_choice(
    label: str, first: str, second: str, shown: str = "first", written: str = ""
) -> int:
    """What a label says of two words; -1 where they are not two, ValueError if nobody can tell.

    A label is one of the words, `first` or `second` as the task lists them, a place on the screen
    (left, right; a, b; 1, 2), writer or system, or says that both are equally good or bad. The
    screen has the order of the task unless `shown` names the word that stood first on it.

    >>> judge_choice("in", "in", "at", written="at"), judge_choice("second", "in", "at", "", "at")
    (1, 0)
    >>> judge_choice("left", "in", "at", "at", "at"), judge_choice("both", "in", "at")
    (0, 2)
    """
    cells = (label, shown, written, first, second)
    said, stood, writer, *pair = (cell.strip().lower() for cell in cells)
    if not all(pair) or pair[0] == pair[1]:
        return -1
    two = f"'{first}' and '{second}'"
    if writer and writer not in pair:
        raise ValueError(f"written is '{written}', which is neither of {two}; name one of them")
    if said in pair:
        chosen = said
    elif said in _LISTED:
        chosen = pair[_LISTED[said]]
    elif said in _PLACES:
        stood = pair[_LISTED[stood]] if stood in _LISTED else stood
        if stood not in pair:
            raise ValueError(
                f"the label '{label}' is a place on the screen, and the column shown does not say "
                f"which of {two} stood first; fill it in, or leave the column out if all raters "
                "saw them in this order"
            )
        chosen = stood if _PLACES[said] == 0 else pair[1 - pair.index(stood)]
    else:
        return _SAID.get(said, OTHER)
    if not writer:
        raise ValueError(
            f"is a choice between {two}, and nothing says which is the writer's; add the column "
            "written, or if jurybox detect selection wrote the task, give it these judgments and "
            "the key (--judgments FILE --key KEY)"
        )
    return WRITER if chosen == writer else SYSTEM


def _by_rater(
    ratings: Ratings, asked: CodeArray, said: CodeArray, level: float
) -> list[RaterChoices]:
    raters = len(ratings.raters)
    place = places(ratings.rater[asked], OTHER + 1, said)
    table = np.bincount(place, minlength=raters * (OTHER + 1)).reshape(raters, OTHER + 1)
    found = []
    for name, row in zip(ratings.raters, table.tolist(), strict=True):
        choices = Choices(*row[:OTHER])
        if choices.total:
            accepted = choices.system + choices.equal
            share = share_interval(
                [1, 0], 1, cases=[accepted, choices.total - accepted], level=level
            )
            found.append(RaterChoices(name, choices, share.value, share.low, share.high))
    return found
