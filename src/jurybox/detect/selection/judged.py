"""How `judge_selection` works: raters' answers to a cloze or choice task, opened with its key.

Cloze: how far writer, raters and system fill blanks alike (Tetreault and Chodorow 2008, Table 2).
Choice: how often the system's word is as good as the writer's or better (section 4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.prepositions import CLASSES, class_of
from jurybox.detect.selection import JudgeSelection
from jurybox.detect.selection.result import JudgedSelection, TwoParties
from jurybox.detect.selection.tasks import CLOZE, SelectionKey, read_key
from jurybox.errors import FormatError, InputError, collecting_warnings, warn
from jurybox.formats import as_input
from jurybox.options import signature
from jurybox.raters.agree.choices import (
    VERDICTS,
    ChoiceColumns,
    Column,
    find_choices,
    judge_choices,
)
from jurybox.raters.cohen import confusion_table, estimate_kappa
from jurybox.raters.inputs import RatingsInput, read_ratings
from jurybox.raters.pairs import agree_in_pairs, average_pairs
from jurybox.raters.ratings import CodeArray, labels_by, ratings_from_codes

WRITER = "writer"
#: with more raters than this, pairs of them are averaged
FEW_RATERS = 10


def judge(call: JudgeSelection) -> JudgedSelection:
    """Read the answers, and open them with the key."""
    with collecting_warnings() as messages:
        given = as_input(call.key)
        opened = read_key(given)
        found = read_ratings(
            call.judgments,
            count_models=call.count_models,
            extra=() if opened.task == CLOZE else ChoiceColumns._fields,
        )
        places = {one.case: place for place, one in enumerate(opened.items)}
        for name in found.cases:
            if name not in places:
                raise InputError(
                    f"{opened.name}: has no case '{name}', which was judged; give the key of these "
                    "judgments"
                )
        numbers = np.array([places[name] for name in found.cases], np.int64)
        ratings = found.ratings  # their cases are numbered as the items of the key
        ratings = replace(ratings, case=numbers[ratings.case], cases=len(opened.items))
        found = replace(found, ratings=ratings)
        judged = len(set(found.ratings.case.tolist()))
        if judged < len(opened.items):
            warn(f"{len(opened.items) - judged} of {len(opened.items)} items were not judged")
        parts = (_cloze if opened.task == CLOZE else _choice)(found, opened, call.level)
    return JudgedSelection(
        task=opened.task,
        systems=opened.systems,
        items=len(opened.items),
        judged=judged,
        judgments=len(found.ratings),
        raters=len(set(found.ratings.rater.tolist())),
        level=call.level,
        signature=signature("detect", task=opened.task, seed=opened.seed, items=len(opened.items)),
        inputs=(*found.inputs, given),
        warnings=tuple(messages),
        **parts,
    )


# --- cloze ---


class _Party(NamedTuple):
    """Writer, a system or a rater, and the number of the word that each filled in; -1: none."""

    name: str
    words: CodeArray
    kind: str = "human"


def _cloze(found: RatingsInput, key: SelectionKey, level: float) -> dict[str, Any]:
    ratings = found.ratings
    numbers: dict[str, int] = {}

    def numbered(words: Sequence[str]) -> CodeArray:
        """Words as they are compared: small letters, `towards` as toward."""
        small = [word.strip().lower() for word in words]
        plain = [CLASSES[class_of(word)] if class_of(word) >= 0 else word for word in small]
        return np.array([numbers.setdefault(word, len(numbers)) for word in plain], np.int64)

    writer = _Party(WRITER, numbered([one.writer for one in key.items]))
    systems = [
        _Party(f"system {one.name}", numbered([item.systems[place] for item in key.items]), "model")
        for place, one in enumerate(key.systems)
    ]
    labels = numbered(ratings.labels)
    raters = []
    for rater in sorted(set(ratings.rater.tolist())):
        said = labels_by(ratings, rater)
        raters.append(_Party(ratings.raters[rater], np.where(said < 0, -1, labels[said])))
    parties = [writer, *systems, *raters]
    for name, count in Counter(one.name for one in parties).items():
        if count > 1:
            raise InputError(
                f"a rater is called '{name}', as the writer or a system is; rename them"
            )

    def agree(first: _Party, second: _Party) -> TwoParties:
        table = confusion_table(first.words, second.words, len(numbers))
        found = estimate_kappa(table, level=level)
        shares = (found.n, found.observed, found.value, found.low, found.high)
        return TwoParties(first.name, second.name, *shares, found.reason)

    if len(raters) <= FEW_RATERS:
        among = [agree(first, second) for first, second in combinations(raters, 2)]
    else:
        codes = np.stack([one.words for one in raters], axis=1)
        every = agree_in_pairs(ratings_from_codes(codes, len(numbers)))
        mean, n = average_pairs(every), int(every.cases.sum())
        told = f"mean of {mean.pairs} pairs"
        among = [TwoParties("raters", "raters", n, mean.agreement, mean.kappa, nan, nan, told)]
    words = list(numbers)
    odd = {number for number, label in enumerate(ratings.labels) if class_of(label.strip()) < 0}
    return {
        "pairs": (
            *(agree(writer, one) for one in (*raters, *systems)),
            *among,
            *(agree(system, one) for system in systems for one in raters),
        ),
        "other_words": sum(label in odd for label in ratings.label.tolist()),
        # everybody as a rater, systems as models: `jurybox agree` shows every two of them
        "joined": tuple(
            {"case": item.case, "rater": one.name, "label": words[word], "kind": one.kind}
            for one in parties
            for item, word in zip(key.items, one.words.tolist(), strict=True)
            if word >= 0
        ),
    }


# --- choice ---


def _choice(found: RatingsInput, key: SelectionKey, level: float) -> dict[str, Any]:
    ratings = found.ratings
    verdict = judge_choices(ratings, _columns(found, key), found.place)
    choice = find_choices(ratings, verdict, key.systems[0].accuracy, level=level)
    if choice is None:
        raise InputError(f"nobody judged any of the items of {key.name}")
    joined = []
    rows = zip(ratings.case.tolist(), ratings.rater.tolist(), verdict.tolist(), strict=True)
    for case, rater, said in rows:
        item = key.items[case]
        words = {"first": item.writer, "second": item.systems[0], "written": item.writer}
        named = {"case": item.case, "rater": ratings.raters[rater], "label": VERDICTS[said]}
        joined.append({**named, **words})
    return {"choice": choice, "joined": tuple(joined)}


def _columns(found: RatingsInput, key: SelectionKey) -> ChoiceColumns:
    """What is known of the judgments, filled up by the key; they must not contradict each other."""
    numbers: dict[str, int] = {"": 0}

    def numbered(words: Iterable[str], which: NDArray[np.integer]) -> CodeArray:
        small = [word.strip().lower() for word in words]
        known = np.array([numbers.setdefault(word, len(numbers)) for word in small], np.int64)
        return known.take(which)

    def given(name: str) -> CodeArray:
        column = found.words(name)
        return np.zeros(len(case), np.int64) if column is None else numbered(*column)

    case = found.ratings.case
    writer = numbered([item.writer for item in key.items], case)
    system = numbered([item.systems[0] for item in key.items], case)
    listed = numbered([item.first for item in key.items], case)
    first, second, written = (given(name) for name in ("first", "second", "written"))
    unsaid = (first == 0) & (second == 0)
    first = np.where(unsaid, listed, first)
    second = np.where(unsaid, writer + system - listed, second)
    fits = ((first == writer) & (second == system)) | ((first == system) & (second == writer))
    fits &= (written == 0) | (written == writer)
    if not fits.all():
        row = int(np.flatnonzero(~fits)[0])
        item, (one, other, own) = (
            key.items[case[row]],
            (list(numbers)[column[row]] for column in (first, second, written)),
        )
        told = f"'{one}' and '{other}'" + (f", written '{own}'" if own else "")
        path, line = found.place(int(found.ratings.row[row]))
        raise FormatError(
            f"case '{item.case}' is a choice between '{item.writer}', which was written, and "
            f"'{item.systems[0]}' in {key.name}, and here between {told}; give the key that these "
            "judgments belong to",
            path=path,
            line=line,
        )
    words, shown = tuple(numbers), found.words("shown")
    return ChoiceColumns(
        Column(words, first),
        Column(words, second),
        None if shown is None else Column(*shown),
        Column(words, writer),
    )
