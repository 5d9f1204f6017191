"""Labels that are numbers: what they stand for, and one spelling of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite


def as_number(label: str) -> float | None:
    """The number that a label stands for; None if it is a word.

    >>> [as_number(label) for label in ("2.5", "-1", "ok", "nan", "1_000")]
    [2.5, -1.0, None, None, None]
    """
    if "_" in label or not label.isascii():  # float() takes 1_0 and digits of any script
        return None
    try:
        number = float(label)
    except ValueError:
        return None
    return number if isfinite(number) else None


def as_numbers(labels: Sequence[str]) -> list[float] | None:
    """The numbers that labels stand for; None if one is a word.

    >>> as_numbers(["1", "2.5"]), as_numbers(["1", "ok"])
    ([1.0, 2.5], None)
    """
    numbers = [number for label in labels if (number := as_number(label)) is not None]
    return numbers if len(numbers) == len(labels) else None


def one_spelling(labels: Sequence[str], known: Iterable[str]) -> dict[str, str]:
    """Labels and known answers that are spelled otherwise than a label before -> that label.

    Only where all labels are numbers: as words, 1 and 1.0 are two.

    >>> one_spelling(["1", "2", "1.0"], ["2.00", "3"])
    {'1.0': '1', '2.00': '2'}
    >>> one_spelling(["1", "1.0", "ok"], [])
    {}
    """
    numbers = as_numbers(labels)
    if numbers is None:
        return {}
    first: dict[float, str] = {}
    found: dict[str, str] = {}
    for label in (*labels, *dict.fromkeys(known)):
        number = as_number(label)
        if number is not None and first.setdefault(number, label) != label:
            found[label] = first[number]
    return found


def note_spelling(merged: Mapping[str, str]) -> str:
    """What is said of labels that are the same number.

    >>> note_spelling({"1.0": "1"})
    'labels that are the same number count as one, in the spelling that came first: 1.0 is 1'
    """
    shown = ", ".join(f"{other} is {label}" for other, label in list(merged.items())[:3])
    more = ", …" if len(merged) > 3 else ""
    return (
        "labels that are the same number count as one, in the spelling that came first: "
        f"{shown}{more}"
    )
