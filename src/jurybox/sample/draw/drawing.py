"""Random draws from the strata of a corpus that is read once and never held.

Every case gets a random number as it passes, and a stratum keeps the cases with the smallest ones
(bottom-k sampling; Efraimidis and Spirakis 2006 without weights). So each set of k cases is as
likely as any other, nobody needs to know beforehand how large a stratum is, and the k smallest of
what was kept are a random sample again, for any smaller k.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, UsageError

IntArray = NDArray[np.int64]
#: letters of blind ids: no vowels, so that they spell nothing, and no signs that look alike
LETTERS = "bcdfghjkmnpqrstvwxz23456789"
ID_LENGTH = 8
#: cases held at most, some 150 bytes each: many strata keep many cases
MOST_HELD = 4_000_000
#: a stratum should have so many cases at least: from one, nobody sees how cases differ
LEAST = 2


class Kept(NamedTuple):
    """A case that may be drawn: its random number, and its id."""

    number: float
    case: str


class StratifiedReservoir:
    """Cases of strata that are met one after another; of each, up to `most` are kept.

    >>> reservoir = StratifiedReservoir(np.random.default_rng(1), most=2)
    >>> reservoir.take(["a", "b", "c", "d"], np.array([0, 1, 1, 1]))
    >>> reservoir.sizes
    [1, 3]
    >>> [len(cases) for cases in reservoir.draw([1, 2])]
    [1, 2]
    """

    def __init__(
        self, rng: np.random.Generator, most: int, leave_out: Collection[str] = ()
    ) -> None:
        self._rng = rng
        self._most = most
        self._leave_out = leave_out  # cases of earlier draws: they count, but are not drawn again
        self._kept: list[list[Kept]] = []
        self._limits = np.ones(0)  # a case with a larger number cannot be among the smallest
        self.sizes: list[int] = []

    def take(self, cases: Sequence[str], strata: IntArray) -> None:
        """Further cases, each with the number of its stratum."""
        counts = np.bincount(strata, minlength=len(self.sizes))
        self.reach(len(counts))
        self.sizes = (np.array(self.sizes, dtype=np.int64) + counts).tolist()
        numbers = self._rng.random(len(cases))
        for place in np.flatnonzero(numbers < self._limits[strata]).tolist():
            if cases[place] not in self._leave_out:
                stratum = int(strata[place])
                self._kept[stratum].append(Kept(float(numbers[place]), cases[place]))
                if len(self._kept[stratum]) > 2 * self._most + 100:
                    self._thin_out(stratum)
        if len(self._kept) * self._most > MOST_HELD:
            self._check_memory()

    def _check_memory(self) -> None:
        held = sum(map(len, self._kept))
        if held > MOST_HELD:
            raise InputError(
                f"{len(self._kept)} strata of which up to {self._most} cases may be drawn are more "
                "than can be held; ask for fewer strata or fewer cases"
            )

    def reach(self, strata: int) -> None:
        """There are so many strata at least, perhaps without a case."""
        for _ in range(strata - len(self.sizes)):
            self.sizes.append(0)
            self._kept.append([])
            self._limits = np.append(self._limits, 1.0 if self._most else 0.0)

    def _thin_out(self, stratum: int) -> None:
        kept = sorted(self._kept[stratum])[: self._most]
        self._kept[stratum] = kept
        self._limits[stratum] = kept[-1].number

    def draw(self, wanted: Sequence[int]) -> list[list[str]]:
        """So many cases from each stratum, in random order."""
        return [
            [one.case for one in sorted(kept)[:number]]
            for kept, number in zip(self._kept, wanted, strict=True)
        ]


def allocate(wanted: int, sizes: Sequence[int], drawn_before: Sequence[int] = ()) -> list[int]:
    """A number of cases shared out among strata by their size, the largest remainders first.

    No stratum gives more than it has left. Each gives two at least, those of earlier draws among
    them, or one where `wanted` is too small for two: a stratum without a judgment would leave all
    of them without an estimate.

    >>> allocate(10, [600, 300, 3])
    [5, 3, 2]
    >>> allocate(0, [600, 300])
    [0, 0]
    """
    before = list(drawn_before) or [0] * len(sizes)
    left = [size - drawn for size, drawn in zip(sizes, before, strict=True)]
    if not wanted:
        return [0] * len(sizes)
    if wanted > sum(left):
        raise InputError(f"{wanted} cases cannot be drawn from {sum(left)}")
    for least in range(LEAST, -1, -1):
        floor = [min(max(least - drawn, 0), rest) for drawn, rest in zip(before, left, strict=True)]
        if sum(floor) <= wanted:
            break
    if not least and len(sizes) > 1:
        needed = sum(1 for drawn, rest in zip(before, left, strict=True) if rest and not drawn)
        raise InputError(
            f"{wanted} cases for {needed} strata without any; ask for {needed} at least, or for "
            "fewer strata"
        )
    return _share_out(wanted, sizes, floor, left)


def _share_out(
    wanted: int, sizes: Sequence[int], floor: Sequence[int], left: Sequence[int]
) -> list[int]:
    """By size, between the least and the most that each stratum gives."""
    low, high = 0.0, 1.0 + wanted / max(min((s for s in sizes if s), default=1), 1)
    for _ in range(200):  # the rate at which all that is given adds up to what is wanted
        middle = (low + high) / 2
        given = sum(_between(middle * s, f, m) for s, f, m in zip(sizes, floor, left, strict=True))
        low, high = (middle, high) if given < wanted else (low, middle)
    exact = [_between(high * s, f, m) for s, f, m in zip(sizes, floor, left, strict=True)]
    shares = [int(share + 1e-9) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda k: (shares[k] - exact[k], -sizes[k], k))
    while sum(shares) < wanted:
        for place in by_remainder:
            if sum(shares) < wanted and shares[place] < left[place]:
                shares[place] += 1
    return shares


def _between(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def make_blind_ids(
    number: int, rng: np.random.Generator, taken: Collection[str] = ()
) -> tuple[str, ...]:
    """So many random ids, all different, none of them taken. They say nothing about what is named.

    >>> len(set(make_blind_ids(1000, np.random.default_rng(1))))
    1000
    """
    made: dict[str, None] = {}
    known = frozenset(taken)
    while len(made) < number:
        for row in rng.integers(len(LETTERS), size=(number - len(made), ID_LENGTH)).tolist():
            name = "".join(LETTERS[letter] for letter in row)
            if name not in known:
                made[name] = None
    return tuple(made)


def check_seed(seed: int) -> None:
    if seed < 0:
        raise UsageError(f"--seed is a whole number from 0 up, not {seed}")
