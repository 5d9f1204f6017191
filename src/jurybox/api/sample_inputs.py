"""What `estimate_sample` was given: keys and judgments, or counts; as strata with their errors."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import isnan
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from jurybox.api.evaluate_inputs import JUDGMENT_COLUMNS, warn
from jurybox.api.sample_votes import (
    RaterNumbers,
    describe_raters,
    once_each,
    shares_of,
    votes_on,
    without_models,
)
from jurybox.errors import FormatError, InputError, UsageError, near_name, unknown_name
from jurybox.formats import Input, Source, as_input
from jurybox.formats import judgments as judgment_files
from jurybox.formats.long_tables import LongTable
from jurybox.formats.sample_key import PARTS, DrawnCase, KeySource, SampleKey, check_together
from jurybox.formats.sample_key import read as read_key
from jurybox.model import Case

if TYPE_CHECKING:
    from jurybox.cases.votes import FloatArray
    from jurybox.stats.sampling import Stratum

GivenKeys = Source | SampleKey | Sequence[Source | SampleKey]
VERIFY = "say --verification for precision alone"


class JudgedStratum(NamedTuple):
    """A stratum of the corpus with what was drawn from it and judged."""

    name: str
    label: str  # error or ok: what the system calls all of it
    size: int
    drawn: int
    cases: tuple[str, ...]  # ids in the corpus of the judged cases; none where counts were given
    shares: tuple[float, ...]  # of judges who call each of them an error
    counted: tuple[int, float] | None = None  # judged cases and errors, where counts were given

    @property
    def judged(self) -> int:
        return len(self.shares) if self.counted is None else self.counted[0]

    @property
    def errors(self) -> float:
        return sum(self.shares) if self.counted is None else self.counted[1]

    def stratum(self) -> Stratum:
        """The same for `stats.sampling`."""
        from jurybox.stats.sampling import Stratum

        squares = self.errors if self.counted else sum(share**2 for share in self.shares)
        return Stratum(
            self.size, self.judged, self.errors, self.label == "error", squares, self.name
        )


@dataclass(frozen=True)
class JudgedSample:
    """All strata, who judged them, and where chance comes from."""

    strata: tuple[JudgedStratum, ...]
    lot: str  # what settles exact intervals: fixed when the sample was drawn
    raters: RaterNumbers | None = None  # None where counts were given
    inputs: tuple[Input, ...] = ()
    keys: int = 0
    source: KeySource | None = None  # the decisions that were drawn from, where the key tells
    threshold: float | None = None  # with which they were read

    @property
    def size(self) -> int:
        return sum(one.size for one in self.strata)

    def part(self, label: str) -> tuple[JudgedStratum, ...]:
        """The strata that hold cases with this label."""
        return tuple(one for one in self.strata if one.label == label and one.size)

    def weight(self, label: str) -> float:
        """A number from 0 to 1, as good as drawn at random, the same whenever this is asked.

        >>> round(JudgedSample((), "seed 1").weight("error"), 4)
        0.9287
        """
        digest = sha256(f"{self.lot}/{label}".encode()).digest()
        return int.from_bytes(digest[:7], "big") / 256**7


def read_parts(given: Mapping[str, str | Sequence[float]], seed: int) -> JudgedSample:
    """Strata out of counts: `size:sampled:errors` of each part.

    >>> found = read_parts({"error": "1000:750:600", "ok": "9000:1500:450"}, 1)
    >>> [(one.name, one.size, one.judged, one.errors) for one in found.strata]
    [('error', 1000, 750, 600.0), ('ok', 9000, 1500, 450.0)]
    """
    strata = []
    for name, numbers in given.items():
        label = name.partition("/")[0]
        if label not in PARTS:
            raise UsageError(
                f"--part {name}: a part is called error or ok, or error/NAME and ok/NAME where "
                f"there are several{near_name(label, PARTS)}"
            )
        size, judged, errors = _three_numbers(name, numbers)
        strata.append(JudgedStratum(name, label, size, judged, (), (), (judged, errors)))
    for label in PARTS:
        if not any(one.label == label for one in strata):
            raise UsageError(
                f"--part: there is no part {label}; give it too, as {label}=9000:0:0 if nothing "
                f"was sampled from it, or {label}=0:0:0 if there is none"
            )
    counts = sorted(f"{one.name}={one.size}:{one.judged}" for one in strata)
    return JudgedSample(tuple(strata), " ".join([f"seed {seed}", *counts]))


def _three_numbers(name: str, given: str | Sequence[float]) -> tuple[int, int, float]:
    listed = given.split(":") if isinstance(given, str) else list(given)
    shown = given if isinstance(given, str) else ":".join(map(str, given))
    try:
        size, judged, errors = (float(one) for one in listed)
    except (ValueError, TypeError):
        size = judged = errors = -1.0
    if not (0 <= errors <= judged <= size < 2**53 and size % 1 == judged % 1 == 0):
        wrong = ""
        if 0 <= size < judged:
            wrong = f"{judged:g} sampled of {size:g} cases; "
        elif 0 <= judged < errors:
            wrong = f"{errors:g} errors among {judged:g} sampled cases; "
        raise UsageError(
            f"--part {name}={shown}: {wrong}write how many cases there are, how many were sampled, "
            f"and how many of these are errors, as {name}=1000:750:600"
        )
    return int(size), int(judged), errors


def read_sample(
    keys: GivenKeys,
    judgments: Source | Sequence[Source],
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    truth: str = "graded",
    ties: str = "ok",
    with_models: bool = False,
    verification: bool = False,
) -> JudgedSample:
    """Strata out of keys and judgments; every judgment must be on a drawn case."""
    for field, title in (columns or {}).items():
        if field not in JUDGMENT_COLUMNS:
            message = str(unknown_name("column", field, JUDGMENT_COLUMNS))
            raise UsageError(f"--map {field}={title}: {message}")
    read, key_files = _read_keys(keys)
    check_together(read)
    _warn_of_missing_draws(read)
    sources = [as_input(one) for one in _as_list(judgments)]
    if not sources:
        raise UsageError("the judgments are missing: name their files after the key")
    found = judgment_files.read(sources, columns=columns, labels=labels)
    names = ", ".join(source.name for source in sources)
    drawn = _drawn_cases(read)
    places, strangers = _find_cases(found.cases.cases, drawn)
    if strangers:
        _refuse_strangers(strangers, sources, columns, [key.name for key in read])
    table = once_each(without_models(found.table, with_models), places, drawn)
    votes = votes_on(table, places, len(drawn))
    shares = shares_of(votes, truth, ties)
    strata = tuple(
        JudgedStratum(
            first.name,
            first.label,
            first.size,
            sum(key.stratum(first.name).sampled for key in read),
            *_judged_in(first.name, drawn, shares),
        )
        for first in read[0].strata
    )
    _check_judged(strata, names, verification)
    return JudgedSample(
        strata,
        "+".join(sorted(key.lot for key in read)),
        describe_raters(table, votes),
        (*key_files, *sources),
        len(read),
        next((key.decisions for key in read if key.decisions), None),
        read[0].threshold,
    )


def _warn_of_missing_draws(keys: Sequence[SampleKey]) -> None:
    known = {one.checksum for one in keys}
    for one in keys:
        if not known.issuperset(one.after):
            warn(
                f"{one.name} was drawn after another draw, whose key is not given; its cases are "
                "taken for the whole sample: give the keys and judgments of all draws"
            )


def _as_list(given: Source | Sequence[Source]) -> list[Source]:
    return [given] if isinstance(given, Input | str | os.PathLike) else list(given)


def _read_keys(given: GivenKeys) -> tuple[list[SampleKey], list[Input]]:
    listed = [given] if isinstance(given, SampleKey | Input | str | os.PathLike) else list(given)
    if not listed:
        raise UsageError("the key is missing: name the one that jurybox sample draw wrote")
    read, files = [], []
    for one in listed:
        if isinstance(one, SampleKey):
            read.append(one)
            continue
        source = as_input(one)
        files.append(source)
        read.append(read_key(source))
    return read, files


def _drawn_cases(keys: Sequence[SampleKey]) -> list[DrawnCase]:
    return [one for key in keys for one in key.drawn]


def _find_cases(judged: Sequence[Case], drawn: Sequence[DrawnCase]) -> tuple[list[int], list[str]]:
    """For each judged case its place among the drawn ones, or -1; and those that were not drawn.

    Raters see blind ids; judgments may also name cases as the corpus does. Cases with known answers
    may be among them.
    """
    place = {one.case: number for number, one in enumerate(drawn)}
    place |= {one.id: number for number, one in enumerate(drawn)}
    found = []
    strangers = []
    for case in judged:
        at = place.get(case.id, -1)
        if at < 0 and not case.gold:
            strangers.append(case.id)
        found.append(at)
    return found, strangers


def _refuse_strangers(
    strangers: Sequence[str],
    sources: Sequence[Input],
    columns: Mapping[str, str] | None,
    keys: Sequence[str],
) -> NoReturn:
    others = f" (and {len(strangers) - 1} more)" if len(strangers) > 1 else ""
    name, line = _place_of(strangers[0], sources, columns)
    raise FormatError(
        f"case '{strangers[0]}'{others} is not in {' or '.join(keys)}; name the keys of all draws "
        "that were judged, or take these judgments out",
        path=name,
        line=line,
    )


def _place_of(
    case: str, sources: Sequence[Input], columns: Mapping[str, str] | None
) -> tuple[str, int | None]:
    """File and line of the first judgment on a case; without the line in what is read once."""
    mapped = {"case": columns["case"]} if columns and "case" in columns else None
    for source in (one for one in sources if one.rewindable):
        for block in LongTable(source, ("case",), columns=mapped).blocks():
            for line, found in zip(block.lines, block.cells["case"], strict=True):
                if found.strip() == case:
                    return source.name, line
    return ", ".join(source.name for source in sources), None


def _judged_in(
    name: str, drawn: Sequence[DrawnCase], shares: FloatArray
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The judged cases of a stratum and their shares."""
    judged = [
        (one.case, float(share))
        for one, share in zip(drawn, shares, strict=True)
        if one.stratum == name and not isnan(share)
    ]
    return tuple(case for case, _ in judged), tuple(share for _, share in judged)


def _check_judged(strata: Sequence[JudgedStratum], names: str, verification: bool) -> None:
    """Refuse strata of which nothing was judged, and tell of those of which not all was."""
    unjudged = [
        one.name
        for one in strata
        if one.drawn and not one.judged and not (verification and one.label == "ok")
    ]
    if unjudged:
        only_ok = all(one.startswith("ok") for one in unjudged)
        remedy = f", or {VERIFY}" if only_ok else ""
        raise InputError(
            f"{names}: nobody decided about any case drawn from {', '.join(unjudged)}; give the "
            f"judgments of these as well{remedy}"
        )
    for one in strata:
        if one.judged < one.drawn and one.judged:
            warn(
                f"{one.name}: {one.judged} of {one.drawn} drawn cases are judged; the estimate is "
                "from these, as if the others were left out by chance"
            )
