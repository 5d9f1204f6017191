"""What crowds are held against: experts, known answers, the writer's own word."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jurybox.api.agree_crowd import GOLD, WRITER, Reference
from jurybox.api.label_numbers import as_numbers
from jurybox.api.rater_inputs import RatingsInput
from jurybox.errors import InputError, JuryboxWarning
from jurybox.raters.agreement import MISSING
from jurybox.raters.kinds import ByKind
from jurybox.raters.ratings import (
    BoolArray,
    Ratings,
    gold_labels,
    labels_by,
    one_right_label,
    without_raters,
)


def find_references(
    read: RatingsInput, split: ByKind, experts: Sequence[int]
) -> tuple[Ratings, list[Reference]]:
    """The crowd without experts, with a label for everything that may be right; what is known.

    Experts come first, then known answers, then the writers' words.
    """
    written = [case.written for case in read.case_set.cases]
    own_words = _are_words_written(written, split.people.labels)
    more = [label for right in read.gold for label in right]
    more += written if own_words else []
    people, models = (_with_labels(side, more) for side in (split.people, split.models))
    dropped = np.zeros(len(people.raters), dtype=bool)
    dropped[np.asarray(experts, dtype=np.intp)] = True
    crowd = without_raters(people, dropped)
    found: list[Reference] = []
    for number in experts:
        said = labels_by(models if split.is_model[number] else people, number)
        if not (said != MISSING).any():
            raise InputError(f"--expert {people.raters[number]}: this rater labelled no case")
        found.append(Reference(people.raters[number], "expert", said))
    if any(read.gold):
        right = gold_labels(read.gold, people.labels)
        several = int((right.sum(axis=1) > 1).sum())
        found.append(_named(Reference(GOLD, "gold", one_right_label(right), several), found))
    if own_words:
        numbers = {name: number for number, name in enumerate(people.labels)}
        codes = np.array([numbers.get(word, MISSING) for word in written], dtype=np.int64)
        found.append(_named(Reference(WRITER, "writer", codes), found))
    if found and not len(crowd):
        raise InputError(
            "--expert: nobody but the experts judged a case; name fewer of them, so that there is "
            "a crowd"
        )
    judged = np.zeros(people.cases, dtype=bool)
    judged[crowd.case] = True
    return crowd, [one for one in found if _meets(one, judged)]


def _named(one: Reference, others: Sequence[Reference]) -> Reference:
    """A reference whose name no expert has."""
    taken = {other.name for other in others}
    return one._replace(name=f"{one.name} (known)") if one.name in taken else one


def _meets(reference: Reference, judged: BoolArray) -> bool:
    if ((reference.labels != MISSING) & judged).any():
        return True
    warnings.warn(
        f"no case has both a judgment of the crowd and one label by {reference.name}: no crowd is "
        "held against it",
        JuryboxWarning,
        stacklevel=2,
    )
    return False


def _are_words_written(written: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether raters fill a gap: half of what the writers wrote, or more, is among the labels."""
    words = {word for word in written if word}
    return bool(words) and 2 * len(words & set(labels)) >= len(words)


def _with_labels(ratings: Ratings, more: Sequence[str]) -> Ratings:
    """The same judgments where further labels can be right; numbers stay in their order."""
    names = list(dict.fromkeys([*ratings.labels, *filter(None, more)]))
    if len(names) == len(ratings.labels):
        return ratings
    numbers = as_numbers(names)
    if numbers is not None:
        names = [name for _, name in sorted(zip(numbers, names, strict=True))]
    place = np.array([names.index(name) for name in ratings.labels], dtype=np.int64)
    return replace(ratings, label=place[ratings.label], labels=tuple(names))
