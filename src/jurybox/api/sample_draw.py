"""`draw_sample`: cases to judge, drawn from what a system calls an error and what it calls ok.

Steps 2 and 3 of Tetreault and Chodorow (2008, section 6.1). The decisions are read once, and only
those that may be drawn are held.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.aggregate import plain
from jurybox.api.sample_draw_result import SampleDraw
from jurybox.api.sample_reading import (
    CountedStratum,
    DecisionFile,
    GivenDecisions,
    read_strata,
)
from jurybox.api.sample_strata import read_divisions
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, JuryboxWarning, UsageError, near_name
from jurybox.formats import Input, Source, as_input
from jurybox.formats.blind import pick_cases, show_only
from jurybox.formats.long_tables import encode_json
from jurybox.formats.sample_key import (
    PARTS,
    Division,
    DrawnCase,
    KeySource,
    KeyStratum,
    SampleKey,
    check_together,
)
from jurybox.formats.sample_key import read as read_key
from jurybox.model import Case, CaseSet
from jurybox.signature import signature

if TYPE_CHECKING:
    import numpy as np

GivenKeys = Source | SampleKey | Sequence[Source | SampleKey] | None
GivenDivisions = str | Division | Iterable[str | Division] | None


def draw_sample(
    decisions: GivenDecisions,
    *,
    error: int,
    ok: int,
    cases: Source | CaseSet | None = None,
    by: GivenDivisions = None,
    strata: Mapping[str, int] | None = None,
    after: GivenKeys = None,
    seed: int = 1,
    threshold: float | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
) -> SampleDraw:
    """A random sample of `error` cases that a system flags and `ok` cases that it does not.

    `decisions` is a file with case and label, or a dict of them. `by` divides both parts further
    ("construction", "document", "score=0.2,0.5"); numbers are then shared out by size, but for
    strata with a number of their own in `strata` ("error/article"). Cases drawn `after` others
    never repeat them. `cases` has what raters see.

    >>> decided = {f"c{k}": "error" if k < 10 else "ok" for k in range(100)}
    >>> drawn = draw_sample(decided, error=3, ok=6)
    >>> [(one.name, one.size, one.sampled) for one in drawn.key.strata]
    [('error', 10, 3), ('ok', 90, 6)]
    >>> len(drawn.blind), drawn.blind[0].id == drawn.key.drawn[0].id
    (9, True)
    """
    import numpy as np

    from jurybox.stats.drawing import StratifiedReservoir

    wanted = _Wanted(error, ok, dict(strata or {}))
    wanted.check(seed)
    shown = cases if cases is None or isinstance(cases, CaseSet) else as_input(cases)
    with collecting_warnings() as messages:
        earlier = _earlier(after)
        divided = _divisions(by, earlier)
        threshold = _threshold(threshold, earlier)
        read = DecisionFile.of(decisions, columns=columns, labels=labels, threshold=threshold)
        before = {one.case: one.stratum for key in earlier for one in key.drawn}
        # a further draw with the same seed is another one: its number is part of the seed
        rng = np.random.default_rng([seed, len(earlier)])
        reservoir = StratifiedReservoir(rng, wanted.most, leave_out=before)
        found = read_strata(read, divided, reservoir, cases=shown, drawn_before=before)
        _check_sizes(found, earlier)
        source = None if read.in_memory else KeySource(*_named(read.source))
        _check_source(source, earlier)
        numbers = _numbers(found, wanted, _count(found, before), read.source.name)
        by_number = {one.number: n for one, n in zip(found, numbers, strict=True)}
        taken = reservoir.draw([by_number[k] for k in range(len(reservoir.sizes))])
        key = SampleKey(
            strata=tuple(
                KeyStratum(one.name, one.label, one.size, n)
                for one, n in zip(found, numbers, strict=True)
            ),
            drawn=_shuffled(found, taken, rng, earlier),
            seed=seed,
            by=tuple(divided),
            decisions=source,
            after=tuple(one.checksum for one in earlier),
            threshold=None if threshold is None else float(threshold),
        )
        blind = _blind(key, shown)
        _note_missing_parts(key, before)
    return SampleDraw(
        key=key,
        blind=blind,
        earlier=tuple(_count(found, before)),
        signature=signature(
            "sample",
            task="draw",
            error=error,
            ok=ok,
            by=[_shown(one) for one in divided] or None,
            strata=[f"{plain(name)}={number}" for name, number in wanted.strata.items()] or None,
            after=len(earlier) or None,
            threshold=threshold,
            seed=seed,
        ),
        inputs=(
            *([] if read.in_memory else [read.source]),
            *([shown] if isinstance(shown, Input) else []),
        ),
        warnings=tuple(messages),
    )


class _Wanted(NamedTuple):
    """How many cases: of each label, and of strata that have a number of their own."""

    error: int
    ok: int
    strata: dict[str, int]

    @property
    def most(self) -> int:
        return max(self.error, self.ok, *self.strata.values())

    def check(self, seed: int) -> None:
        from jurybox.stats.drawing import check_seed

        check_seed(seed)
        flags = {"--error": self.error, "--ok": self.ok}
        flags |= {f"--stratum {name}": number for name, number in self.strata.items()}
        for flag, number in flags.items():
            if number < 0:
                raise UsageError(f"{flag}: a number of cases from 0 up, not {number}")
        if not self.most:
            raise UsageError("nothing to draw: --error and --ok are both 0")


class _Room(NamedTuple):
    """How many cases a part has, and how many of them are taken."""

    part: str
    size: int
    drawn: int
    file: str

    def check(self, flag: str, number: int) -> None:
        left = self.size - self.drawn
        if number <= left:
            return
        held = f"{self.file} has {self.size} cases in part '{self.part}'"
        if self.drawn:
            held += f", of which {self.drawn} were drawn before"
        raise InputError(f"{flag}: {held}; draw {left} at most")


def _earlier(after: GivenKeys) -> list[SampleKey]:
    """The keys of earlier draws, all of them."""
    if after is None:
        return []
    given = [after] if isinstance(after, str | PathLike | Input | SampleKey) else list(after)
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


def _divisions(by: GivenDivisions, earlier: Sequence[SampleKey]) -> list[Division]:
    """As asked for; a later draw has the strata of the earlier ones."""
    asked = read_divisions(by)
    if not earlier:
        return asked
    if by is not None and tuple(asked) != earlier[0].by:
        raise InputError(
            f"{earlier[0].name} was drawn with other strata; leave --by out: they stay the same"
        )
    return list(earlier[0].by)


def _threshold(given: float | None, earlier: Sequence[SampleKey]) -> float | None:
    """As asked for; a later draw has that of the earlier ones."""
    if not earlier:
        return given
    before = earlier[0].threshold
    if given is not None and given != before:
        raise InputError(
            f"{earlier[0].name} was drawn with "
            + ("no --threshold" if before is None else f"--threshold {before:g}")
            + "; leave --threshold out: it stays the same"
        )
    return before


def _check_source(source: KeySource | None, earlier: Sequence[SampleKey]) -> None:
    """Other decisions may have as many errors: sizes alone do not tell."""
    for key in earlier:
        if source and key.decisions and source.sha256 != key.decisions.sha256:
            raise InputError(
                f"{key.name} was drawn from other decisions ({key.decisions.path}) than "
                f"{source.path}: their SHA-256 differ; with --after, give the decisions that the "
                "earlier cases were drawn from"
            )


def _check_sizes(found: Sequence[CountedStratum], earlier: Sequence[SampleKey]) -> None:
    now = {one.name: one.size for one in found}
    for key in earlier:
        for one in key.strata:
            if now.get(one.name) != one.size:
                raise InputError(
                    f"{key.name} was drawn from other decisions: '{one.name}' had {one.size} "
                    f"cases, here it has {now.get(one.name, 0)}; with --after, give the decisions "
                    "that the earlier cases were drawn from"
                )


def _count(found: Sequence[CountedStratum], before: Mapping[str, str]) -> list[int]:
    """How many cases of each stratum were drawn before."""
    drawn = Counter(before.values())
    return [drawn[one.name] for one in found]


def _numbers(
    found: Sequence[CountedStratum], wanted: _Wanted, before: Sequence[int], file: str
) -> list[int]:
    """How many cases to draw from each stratum."""
    from jurybox.stats.drawing import allocate

    known = [one.name for one in found]
    for name in wanted.strata:
        if name not in known:
            listed = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
            hint = near_name(name, known)
            raise InputError(f"--stratum {name}: unknown stratum{hint} (one of: {listed})")
    numbers = [wanted.strata.get(one.name, 0) for one in found]
    for one, number, drawn in zip(found, numbers, before, strict=True):
        room = _Room(one.name, one.size, drawn, file)
        room.check(f"--stratum {one.name}={number}", number)
    for label, number in zip(PARTS, (wanted.error, wanted.ok), strict=True):
        places = [
            k for k, one in enumerate(found) if one.label == label and one.name not in wanted.strata
        ]
        sizes, drawn_before = [found[k].size for k in places], [before[k] for k in places]
        _Room(label, sum(sizes), sum(drawn_before), file).check(f"--{label} {number}", number)
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
    import numpy as np

    from jurybox.stats.drawing import make_blind_ids

    rows = [(case, one.name) for one in found for case in taken[one.number]]
    rows = [rows[place] for place in rng.permutation(len(rows)).tolist()]
    taken_ids = frozenset(one.id for key in earlier for one in key.drawn)
    # another draw has other ids, also with the same seed: judgments of two draws never mix
    content = sha256(encode_json([int(rng.integers(2**62)), rows]).encode()).digest()
    ids = make_blind_ids(len(rows), np.random.default_rng(list(content)), taken_ids)
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
            _warn(f"nothing was drawn from {', '.join(names)}: {what} cannot be estimated")


def _warn(message: str) -> None:
    warnings.warn(message, JuryboxWarning, stacklevel=3)


def _named(source: Input) -> tuple[str, str]:
    return source.name, source.sha256


def _shown(one: Division) -> str:
    """A division as `--by` says it."""
    return one.field + (f"={','.join(f'{edge:g}' for edge in one.edges)}" if one.edges else "")
