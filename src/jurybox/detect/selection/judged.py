"""How `judge_selection` works: raters' answers to a cloze or choice task, opened with its key.

Cloze: how far writer, raters and system fill blanks alike (Tetreault and Chodorow 2008, Table 2).
Choice: how often the system's word is as good as the writer's or better (section 4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import nan
from typing import Any, NamedTuple

import numpy as np

from jurybox.detect.prepositions import CLASSES, class_of
from jurybox.detect.selection import JudgeSelection
from jurybox.detect.selection.result import JudgedSelection, JudgedSystem, TwoParties
from jurybox.detect.selection.tasks import CLOZE, KeyItem, SelectionKey, read_key
from jurybox.errors import InputError, collecting_warnings, warn
from jurybox.formats import as_input
from jurybox.options import signature
from jurybox.raters.agree.choices import OTHER, SYSTEM, Column, find_choices, judge_choice
from jurybox.raters.cohen import confusion_table, estimate_kappa
from jurybox.raters.inputs import RatingsInput, read_ratings
from jurybox.raters.pairs import agree_in_pairs, average_pairs
from jurybox.raters.ratings import CodeArray, Ratings, labels_by, ratings_from_codes

WRITER = "writer"
#: with more raters than this, pairs of them are averaged
FEW_RATERS = 10
SAID = ("writer", "system", "equal", "bad", "other")


def judge(call: JudgeSelection) -> JudgedSelection:
    """Read the answers, and open them with the key."""
    with collecting_warnings() as messages:
        given = as_input(call.key)
        opened = read_key(given)
        found = read_ratings(
            call.judgments,
            count_models=call.count_models,
            extra=() if opened.task == CLOZE else ("first", "second", "shown"),
        )
        found = replace(found, ratings=_on_items(found, opened))
        judged = len(set(found.ratings.case.tolist()))
        if judged < len(opened.items):
            warn(f"{len(opened.items) - judged} of {len(opened.items)} items were not judged")
        parts = (_cloze if opened.task == CLOZE else _choice)(found, opened, call.level)
    return JudgedSelection(
        task="cloze" if opened.task == CLOZE else "choice",
        systems=tuple(JudgedSystem(*one) for one in opened.systems),
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


def _on_items(found: RatingsInput, key: SelectionKey) -> Ratings:
    """The judgments with their cases numbered as the items of the key."""
    places = {one.case: place for place, one in enumerate(key.items)}
    for name in found.cases:
        if name not in places:
            raise InputError(
                f"{key.name}: has no case '{name}', which was judged; give the key of these "
                "judgments"
            )
    numbers = np.array([places[name] for name in found.cases], np.int64)
    ratings = found.ratings
    return replace(ratings, case=numbers[ratings.case], cases=len(key.items))


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
    verdicts = np.array(list(_verdicts(found, key)), np.int64)
    said = Ratings(
        ratings.case, ratings.rater, verdicts, ratings.cases, ratings.raters, SAID, ratings.row
    )
    zeros = np.zeros(len(verdicts), np.int64)
    one, other = Column((WRITER,), zeros), Column(("system",), zeros)
    choice = find_choices(said, one, other, None, key.systems[0].accuracy, level=level)
    if choice is None:
        raise InputError(f"nobody judged any of the items of {key.name}")
    rows = zip(said.case.tolist(), said.rater.tolist(), said.label.tolist(), strict=True)
    joined = []
    for case, rater, label in rows:  # the writer's word first, as `jurybox agree` reads it
        item = key.items[case]
        words = {"first": item.writer, "second": item.systems[0]}
        named = {"case": item.case, "rater": said.raters[rater], "label": SAID[label]}
        joined.append({**named, **words})
    return {"choice": choice, "joined": tuple(joined)}


def _verdicts(found: RatingsInput, key: SelectionKey) -> Iterator[int]:
    """What each judgment says, as a place in `SAID`."""
    ratings = found.ratings
    columns = [_cells(found, name) for name in ("first", "second", "shown")]
    rows = zip(ratings.case.tolist(), ratings.label.tolist(), *columns, strict=True)
    for case, label, first, second, shown in rows:
        item = key.items[case]
        one, other = _words(item, first, second)
        verdict = judge_choice(ratings.labels[label], one, other, shown or one)
        if verdict < 0:
            verdict = OTHER
        # the first word is the system's in half of the items
        yield 1 - verdict if verdict <= SYSTEM and one != item.writer else verdict


def _cells(found: RatingsInput, name: str) -> list[str]:
    """A column of words; empty where the judgments do not have it."""
    column = found.words(name)
    if column is None:
        return [""] * len(found.ratings)
    return [column[0][number].strip().lower() for number in column[1].tolist()]


def _words(item: KeyItem, first: str, second: str) -> tuple[str, str]:
    """The two words in the order in which labels count them."""
    system = item.systems[0]
    if not first and not second:
        return (item.writer, system) if item.first == item.writer else (system, item.writer)
    if {first, second} != {item.writer, system}:
        raise InputError(
            f"case '{item.case}' is a choice between '{item.writer}' and '{system}' in the key, "
            f"and between '{first}' and '{second}' in the judgments; give the key they belong to"
        )
    return first, second
