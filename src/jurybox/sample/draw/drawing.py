"""Random draws from the strata of a corpus that is read once and never held.

Every case gets a random number as it passes, and a stratum keeps the cases with the smallest ones
(bottom-k sampling; Efraimidis and Spirakis 2006 without weights). So each set of k cases is as
likely as any other, nobody needs to know beforehand how large a stratum is, and the k smallest of
what was kept are a random sample again, for any smaller k.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, UsageError, collecting_warnings, near_name, warn
from jurybox.formats import Input, as_input
from jurybox.formats.given_values import one_or_several
from jurybox.formats.tables.cases import pick_cases, show_only
from jurybox.formats.tables.long_tables import encode_json
from jurybox.formats.tables.sample_key import (
    PARTS,
    Division,
    DrawnCase,
    KeySource,
    KeyStratum,
    SampleKey,
    check_together,
)
from jurybox.formats.tables.sample_key import read as read_key
from jurybox.model import Case, CaseSet
from jurybox.options import signature, signed_text
from jurybox.sample.draw import DrawSample
from jurybox.sample.draw.result import DrawnStratum, SampleDraw
from jurybox.sample.reading import CountedStratum, DecisionFile, read_divisions, read_strata
from jurybox.streams import stream

IntArray = NDArray[np.int64]
#: letters of blind ids: no vowels, so that they spell nothing, and no signs that look alike
LETTERS = "bcdfghjkmnpqrstvwxz23456789"
ID_LENGTH = 8
#: cases held at most, some 150 bytes each: many strata keep many cases
MOST_HELD = 4_000_000
#: a stratum should have so many cases at least: from one, nobody sees how cases differ
LEAST = 2


def draw(call: DrawSample) -> SampleDraw:
    """Read the decisions, draw from every stratum, and hide which case is which."""
    shown = call.cases
    if shown is not None and not isinstance(shown, CaseSet):
        shown = as_input(shown, "cases")
    with collecting_warnings() as messages:
        earlier = _earlier(call)
        divided, threshold = _as_before(call, earlier)
        read = DecisionFile.of(
            call.decisions, columns=call.columns, labels=call.relabel, threshold=threshold
        )
        before = {one.case: one.stratum for key in earlier for one in key.drawn}
        # a further draw with the same seed is another one: its number is part of the seed
        rng = stream(call.seed, "draw", len(earlier))
        reservoir = StratifiedReservoir(rng, call.most, leave_out=before)
        found = read_strata(read, divided, reservoir, cases=shown, drawn_before=before)
        source = None if read.in_memory else KeySource(read.source.name, read.source.sha256)
        _check_same(found, source, earlier)
        drawn_before = Counter(before.values())
        drawn = [drawn_before[one.name] for one in found]
        numbers = _numbers(found, call, drawn, read.source.name)
        by_number = {one.number: n for one, n in zip(found, numbers, strict=True)}
        taken = reservoir.draw([by_number[k] for k in range(len(reservoir.sizes))])
        strata = tuple(
            KeyStratum(one.name, one.label, one.size, n)
            for one, n in zip(found, numbers, strict=True)
        )
        key = SampleKey(
            strata=strata,
            drawn=_shuffled(found, taken, rng, earlier),
            seed=call.seed,
            by=tuple(divided),
            decisions=source,
            after=tuple(one.checksum for one in earlier),
            threshold=None if threshold is None else float(threshold),
        )
        blind = _blind(key, shown)
        _note_missing_parts(key, before)
    by = [
        one.field + (f"={','.join(f'{edge:g}' for edge in one.edges)}" if one.edges else "")
        for one in divided
    ]
    return SampleDraw(
        seed=call.seed,
        drawn=len(key.drawn),
        strata=tuple(
            DrawnStratum(*one, earlier=number) for one, number in zip(strata, drawn, strict=True)
        ),
        checksum=key.checksum,
        after=key.after,
        signature=signature(
            "sample",
            task="draw",
            error=call.error,
            ok=call.ok,
            by=by or None,
            strata=[f"{signed_text(name)}={number}" for name, number in call.strata.items()]
            or None,
            after=len(earlier) or None,
            threshold=threshold,
            seed=call.seed,
        ),
        inputs=(
            *([] if read.in_memory else [read.source]),
            *([shown] if isinstance(shown, Input) else []),
        ),
        warnings=tuple(messages),
        key=key,
        blind=blind,
        with_before=None if shown is None else sum(bool(case.before) for case in blind),
    )


def _earlier(call: DrawSample) -> list[SampleKey]:
    """The keys of earlier draws, all of them."""
    if call.after is None:
        return []
    given = (
        [call.after] if isinstance(call.after, SampleKey) else one_or_several(call.after, "after")
    )
    keys = [one if isinstance(one, SampleKey) else read_key(one) for one in given]
    if keys:
        check_together(keys)
    known = {one.checksum for one in keys}
    for one in keys:
        if not known.issuperset(one.after):
            raise InputError(
                f"{one.name} was drawn after another draw, whose key is not among those of "
                "--after; name the keys of all earlier draws"
            )
    return keys


def _as_before(
    call: DrawSample, earlier: Sequence[SampleKey]
) -> tuple[list[Division], float | None]:
    """Strata and threshold as asked for; a later draw has those of the earlier ones."""
    asked = read_divisions(call.by)
    if not earlier:
        return asked, call.threshold
    first = earlier[0]
    if call.by is not None and tuple(asked) != first.by:
        raise InputError(
            f"{first.name} was drawn with other strata; leave --by out: they stay the same"
        )
    if call.threshold is not None and call.threshold != first.threshold:
        raise InputError(
            f"{first.name} was drawn with "
            + ("no --threshold" if first.threshold is None else f"--threshold {first.threshold:g}")
            + "; leave --threshold out: it stays the same"
        )
    return list(first.by), first.threshold


def _check_same(
    found: Sequence[CountedStratum], source: KeySource | None, earlier: Sequence[SampleKey]
) -> None:
    """Earlier draws are from the same decisions; others may have as many errors."""
    now = {one.name: one.size for one in found}
    for key in earlier:
        for one in key.strata:
            if now.get(one.name) != one.size:
                raise InputError(
                    f"{key.name} was drawn from other decisions: '{one.name}' had {one.size} "
                    f"cases, here it has {now.get(one.name, 0)}; with --after, give the decisions "
                    "that the earlier cases were drawn from"
                )
    for key in earlier:
        if source and key.decisions and source.sha256 != key.decisions.sha256:
            raise InputError(
                f"{key.name} was drawn from other decisions ({key.decisions.path}) than "
                f"{source.path}: their SHA-256 differ; with --after, give the decisions that the "
                "earlier cases were drawn from"
            )


def _numbers(
    found: Sequence[CountedStratum], call: DrawSample, before: Sequence[int], file: str
) -> list[int]:
    """How many cases to draw from each stratum."""
    known = [one.name for one in found]
    for name in call.strata:
        if name not in known:
            listed = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
            hint = near_name(name, known)
            raise InputError(f"--stratum {name}: unknown stratum{hint} (one of: {listed})")

    def check(flag: str, number: int, part: str, size: int, drawn: int) -> None:
        if number > size - drawn:
            held = f"{file} has {size} cases in part '{part}'"
            if drawn:
                held += f", of which {drawn} were drawn before"
            raise InputError(f"{flag}: {held}; draw {size - drawn} at most")

    numbers = [call.strata.get(one.name, 0) for one in found]
    for one, number, drawn in zip(found, numbers, before, strict=True):
        check(f"--stratum {one.name}={number}", number, one.name, one.size, drawn)
    for label, number in zip(PARTS, (call.error, call.ok), strict=True):
        places = [
            k for k, one in enumerate(found) if one.label == label and one.name not in call.strata
        ]
        sizes, drawn_before = [found[k].size for k in places], [before[k] for k in places]
        check(f"--{label} {number}", number, label, sum(sizes), sum(drawn_before))
        try:
            shares = allocate(number, sizes, drawn_before)
        except InputError as error:
            raise InputError(f"--{label} {number}: {error}") from None
        for place, share in zip(places, shares, strict=True):
            numbers[place] = share
    return numbers


def _shuffled(
    found: Sequence[CountedStratum],
    taken: Sequence[Sequence[str]],
    rng: np.random.Generator,
    earlier: Sequence[SampleKey],
) -> tuple[DrawnCase, ...]:
    """All drawn cases in random order, under random ids."""
    rows = [(case, one.name) for one in found for case in taken[one.number]]
    rows = [rows[place] for place in rng.permutation(len(rows)).tolist()]
    taken_ids = frozenset(one.id for key in earlier for one in key.drawn)
    # another draw has other ids, also with the same seed: judgments of two draws never mix
    content = sha256(encode_json([int(rng.integers(2**62)), rows]).encode()).digest()
    ids = make_blind_ids(len(rows), stream(0, "blind ids", *content), taken_ids)
    return tuple(DrawnCase(blind_id, *row) for blind_id, row in zip(ids, rows, strict=True))


def _blind(key: SampleKey, cases: Input | CaseSet | None) -> tuple[Case, ...]:
    """What raters see of the drawn cases."""
    drawn = [one.case for one in key.drawn]
    if cases is None:
        shown = {case: Case(case) for case in drawn}
    elif isinstance(cases, CaseSet):
        wanted = set(drawn)
        shown = {case.id: case for case in cases.cases if case.id in wanted}
        if missing := [case for case in drawn if case not in shown]:
            raise InputError(f"there is no case '{missing[0]}' among the cases, and it was drawn")
    else:
        shown = pick_cases(cases, frozenset(drawn))
    return tuple(show_only(shown[one.case], one.id) for one in key.drawn)


def _note_missing_parts(key: SampleKey, before: Mapping[str, str]) -> None:
    """A part of which nothing is judged leaves something unknown."""
    drawn = {one.stratum for one in key.drawn} | set(before.values())
    empty = [one for one in key.strata if one.size and one.name not in drawn]
    for label, what in (("error", "precision and recall"), ("ok", "recall")):
        names = [f"'{one.name}'" for one in empty if one.label == label]
        if names:
            message = f"nothing was drawn from {', '.join(names)}: {what} cannot be estimated"
            warn(message)


# --- strata, shares of them, blind ids ---


class StratifiedReservoir:
    """Cases of strata that are met one after another; of each, up to `most` are kept."""

    def __init__(
        self, rng: np.random.Generator, most: int, leave_out: Collection[str] = ()
    ) -> None:
        self._rng = rng
        self._most = most
        self._leave_out = leave_out  # cases of earlier draws: they count, but are not drawn again
        self._kept: list[list[tuple[float, str]]] = []  # random number and case, by stratum
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
                self._kept[stratum].append((float(numbers[place]), cases[place]))
                if len(self._kept[stratum]) > 2 * self._most + 100:
                    self._kept[stratum] = sorted(self._kept[stratum])[: self._most]
                    self._limits[stratum] = self._kept[stratum][-1][0]
        known = len(self._kept)
        if known * self._most > MOST_HELD and sum(map(len, self._kept)) > MOST_HELD:
            raise InputError(
                f"{known} strata of which up to {self._most} cases may be drawn are more than can "
                "be held; ask for fewer strata or fewer cases"
            )

    def reach(self, strata: int) -> None:
        """There are so many strata at least, perhaps without a case."""
        for _ in range(strata - len(self.sizes)):
            self.sizes.append(0)
            self._kept.append([])
            self._limits = np.append(self._limits, 1.0 if self._most else 0.0)

    def draw(self, wanted: Sequence[int]) -> list[list[str]]:
        """So many cases from each stratum, in random order."""
        return [
            [case for _, case in sorted(kept)[:number]]
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

    def shares_at(rate: float) -> list[float]:
        limits = zip(sizes, floor, left, strict=True)
        return [min(max(rate * size, least), most) for size, least, most in limits]

    low, high = 0.0, 1.0 + wanted / max(min((s for s in sizes if s), default=1), 1)
    for _ in range(200):  # the rate at which all that is given adds up to what is wanted
        middle = (low + high) / 2
        low, high = (middle, high) if sum(shares_at(middle)) < wanted else (low, middle)
    exact = shares_at(high)
    shares = [int(share + 1e-9) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda k: (shares[k] - exact[k], -sizes[k], k))
    while sum(shares) < wanted:
        for place in by_remainder:
            if sum(shares) < wanted and shares[place] < left[place]:
                shares[place] += 1
    return shares


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
