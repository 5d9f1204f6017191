"""How `draw_sample` draws: the decisions are read once; only those that may be drawn are held."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np

from jurybox.errors import InputError, JuryboxWarning, collecting_warnings, near_name
from jurybox.formats import Input, as_input
from jurybox.formats.given_values import one_or_several
from jurybox.formats.tables.blind import pick_cases, show_only
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
from jurybox.sample.draw import DrawSample
from jurybox.sample.draw.drawing import StratifiedReservoir, allocate, make_blind_ids
from jurybox.sample.draw.result import DrawnStratum, SampleDraw
from jurybox.sample.reading import CountedStratum, DecisionFile, read_divisions, read_strata
from jurybox.signature import signature, signed_text
from jurybox.streams import stream


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
    edges = {one: f"={','.join(f'{edge:g}' for edge in one.edges)}" for one in divided if one.edges}
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
            by=[f"{one.field}{edges.get(one, '')}" for one in divided] or None,
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
            warnings.warn(message, JuryboxWarning, stacklevel=2)
