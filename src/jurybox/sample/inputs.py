"""What `estimate_sample` was given: keys and judgments, or counts; as strata with their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import compress
from math import isnan
from typing import NamedTuple

import numpy as np

from jurybox.errors import (
    FormatError,
    InputError,
    UsageError,
    near_name,
    plural,
    unknown_name,
    warn,
)
from jurybox.formats import Input, Source, as_input, as_inputs
from jurybox.formats.given_values import as_dict, as_list, one_or_several
from jurybox.formats.tables import judgments as judgment_files
from jurybox.formats.tables.long_tables import LongTable
from jurybox.formats.tables.sample_key import PARTS, DrawnCase, KeySource, SampleKey, check_together
from jurybox.formats.tables.sample_key import read as read_key
from jurybox.jury.evaluate.inputs import JUDGMENT_COLUMNS
from jurybox.jury.votes import Votes, count_votes, error_share, keep_judgments, majority
from jurybox.model import LABEL_BITS, JudgmentTable
from jurybox.raters.agreement import fleiss_kappa, krippendorff_alpha, observed_agreement
from jurybox.raters.flagged import FlaggedRaters, quietly, split_flagged
from jurybox.raters.spoiled import CONTEXT, spoiled_cases
from jurybox.sample.estimate import EstimateSample
from jurybox.sample.estimate.result import AgreementValue, RaterNumbers
from jurybox.sample.estimate.sampled_parts import SampledStratum


def without_models(table: JudgmentTable, count_models: bool) -> JudgmentTable:
    """Models do not count unless they are asked for."""
    if count_models or table.kinds is None or "model" not in table.kinds:
        return table
    human = np.array([kind != "model" for kind in table.kinds])
    kept = human[np.asarray(table.answer) >> LABEL_BITS]
    warn(
        f"raters that are models are left out: {int((~human).sum())}, with "
        f"{int((~kept).sum())} judgments (--count-models counts them)"
    )
    return keep_judgments(table, kept)


def once_each(
    table: JudgmentTable, places: Sequence[int], drawn: Sequence[DrawnCase]
) -> JudgmentTable:
    """One judgment of each rater on a case that is called by both of its names."""
    twice = {place for place, names in Counter(places).items() if place >= 0 and names > 1}
    if not twice:
        return table
    first: dict[tuple[int, int], tuple[int, int]] = {}
    kept = np.ones(len(table), dtype=bool)
    for row, (case, answer) in enumerate(zip(table.case, table.answer, strict=True)):
        place, rater = places[case], answer >> LABEL_BITS
        if place not in twice:
            continue
        met, said = first.setdefault((place, rater), (case, answer))
        if met == case:
            continue
        if said != answer:
            one = drawn[place]
            raise InputError(
                f"rater '{table.raters[rater]}' judged case '{one.case}' twice, also as "
                f"'{one.id}', and differently; keep one of the two"
            )
        kept[row] = False
    return keep_judgments(table, kept)


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
    spoiled: int = 0  # drawn cases that are left out since their context is spoiled

    @property
    def judged(self) -> int:
        return len(self.shares) if self.counted is None else self.counted[0]

    @property
    def errors(self) -> float:
        return sum(self.shares) if self.counted is None else self.counted[1]

    def clean(self) -> JudgedStratum:
        """With the number of cases that have a clean context, as the sample tells it.

        A part with more spoiled contexts than others weighs less: only clean ones are counted.

        >>> judged = (("a", "b", "c", "d"), (1.0, 1.0, 0.0, 0.0))
        >>> JudgedStratum("error", "error", 1000, 5, *judged, spoiled=1).clean().size
        800
        """
        if not self.spoiled:
            return self
        return self._replace(size=round(self.size * self.judged / (self.judged + self.spoiled)))

    def sampled(self) -> SampledStratum:
        """The same as sums."""
        squares = self.errors if self.counted else sum(share**2 for share in self.shares)
        return SampledStratum(self.size, self.judged, np.array([self.errors]), np.array([squares]))


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
    flagged: FlaggedRaters | None = None  # None if nobody is flagged
    other: JudgedSample | None = None  # with flagged raters if these are left out, or without

    @property
    def size(self) -> int:
        return sum(one.size for one in self.strata)

    @property
    def spoiled(self) -> int:
        return sum(one.spoiled for one in self.strata)

    def clean(self) -> JudgedSample:
        """The sample of the cases of the corpus that have a clean context."""
        return replace(self, strata=tuple(one.clean() for one in self.strata))

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
    for name, numbers in as_dict(given, "parts").items():
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
    listed = given.split(":") if isinstance(given, str) else as_list(given, f"parts {name}")
    shown = given if isinstance(given, str) else ":".join(map(str, listed))
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
    call: EstimateSample, keys: GivenKeys, judgments: Source | Sequence[Source]
) -> JudgedSample:
    """Strata out of keys and judgments; every judgment must be on a drawn case."""
    columns = call.columns or {}
    for field, title in columns.items():
        if field not in JUDGMENT_COLUMNS:
            message = str(unknown_name("column", field, JUDGMENT_COLUMNS))
            raise UsageError(f"--columns {field}={title}: {message}")
    read, key_files = read_keys(keys)
    check_together(read)
    known = {one.checksum for one in read}
    for one in read:
        if not known.issuperset(one.after):
            warn(
                f"{one.name} was drawn after another draw, whose key is not given; its cases are "
                "taken for the whole sample: give the keys and judgments of all draws"
            )
    sources = as_inputs(judgments, "judgments", judgment_files.REQUIRED)
    if not sources:
        raise UsageError("the judgments are missing: name their files after the key")
    extra = [CONTEXT] if call.spoiled == "drop" else []
    found = judgment_files.read(sources, columns=columns, labels=call.relabel, extra=extra)
    drawn = [one for key in read for one in key.drawn]
    # raters see blind ids; judgments may also name cases as the corpus does
    place = {one.case: number for number, one in enumerate(drawn)}
    place |= {one.id: number for number, one in enumerate(drawn)}
    judged_cases = found.cases.cases
    places = [place.get(case.id, -1) for case in judged_cases]
    # cases with known answers may be among them
    strangers = [c.id for c, at in zip(judged_cases, places, strict=True) if at < 0 and not c.gold]
    if strangers:
        raise _stranger(strangers, read, sources, columns)
    at = np.asarray(places, dtype=np.int64)
    on = at >= 0

    def sample_of(judged: JudgmentTable, with_flagged: bool) -> JudgedSample:
        table = once_each(without_models(judged, call.count_models), places, drawn)
        dropped = np.zeros(len(drawn), dtype=bool)
        if call.spoiled == "drop":
            named = spoiled_cases(
                *(found.table, found.extra, len(places)),
                with_flagged=with_flagged,
                count_models=call.count_models,
            )
            dropped[at[on & named]] = True  # under either name
            table = keep_judgments(table, ~(on & dropped[at])[np.asarray(table.case)])
        # two names of one case come together
        votes = Votes(
            *(
                np.bincount(at[on], weights=column[on], minlength=len(drawn)).astype(np.int32)
                for column in count_votes(table, len(places))
            )
        )
        if call.truth == "graded":
            shares = error_share(votes)  # nan where nobody decided
        else:
            settled = majority(votes, call.ties).truth
            shares = np.where(settled < 0, np.nan, settled.astype(np.float64))
        by_stratum: dict[str, list[tuple[str, float]]] = {one.name: [] for one in read[0].strata}
        dropped_of = Counter(compress((one.stratum for one in drawn), dropped.tolist()))
        for one, share in zip(drawn, shares.tolist(), strict=True):
            if not isnan(share):
                by_stratum[one.stratum].append((one.case, share))
        strata = tuple(
            JudgedStratum(
                name=first.name,
                label=first.label,
                size=first.size,
                drawn=sum(key.stratum(first.name).sampled for key in read),
                cases=tuple(case for case, _ in by_stratum[first.name]),
                shares=tuple(share for _, share in by_stratum[first.name]),
                spoiled=dropped_of[first.name],
            )
            for first in read[0].strata
        )
        return JudgedSample(
            strata,
            "+".join(sorted(key.lot for key in read)),
            _describe_raters(table, votes),
            (*key_files, *sources),
            len(read),
            next((key.decisions for key in read if key.decisions), None),
            read[0].threshold,
        )

    split = split_flagged(found.table, counted=call.with_flagged)
    sample = sample_of(found.table if split is None else split.counting, call.with_flagged)
    left_out = 0 if split is None or call.with_flagged else split.flagged.judgments
    _check_judged(sample.strata, sources, call.verification, left_out)
    if split is None:
        return sample
    with quietly():
        other = sample_of(split.other, not call.with_flagged)
        return replace(sample, flagged=split.flagged, other=other)


def _describe_raters(table: JudgmentTable, votes: Votes) -> RaterNumbers:
    counts = np.stack([votes.errors, votes.oks], axis=1)
    found = [f(counts) for f in (observed_agreement, fleiss_kappa, krippendorff_alpha)]
    return RaterNumbers(
        len(table.raters),
        len(table),
        int(votes.unknowns.sum()),
        int(np.count_nonzero(votes.deciding > 1)),
        *(AgreementValue(one.value, one.reason) for one in found),
    )


def read_keys(given: GivenKeys) -> tuple[list[SampleKey], list[Input]]:
    """Keys, and the files that they were read from."""
    listed = [given] if isinstance(given, SampleKey) else one_or_several(given, "key")
    if not listed:
        raise UsageError("the key is missing: name the one that jurybox sample draw wrote")
    sources = [one if isinstance(one, SampleKey) else as_input(one) for one in listed]
    read = [one if isinstance(one, SampleKey) else read_key(one) for one in sources]
    return read, [one for one in sources if not isinstance(one, SampleKey)]


def _stranger(
    cases: Sequence[str],
    keys: Sequence[SampleKey],
    sources: Sequence[Input],
    columns: Mapping[str, str],
) -> FormatError:
    """Judgments on cases that no key knows; the line is that of the first, unless read once."""
    others = f" (and {len(cases) - 1} more)" if len(cases) > 1 else ""
    message = (
        f"case '{cases[0]}'{others} is not in {' or '.join(key.name for key in keys)}; "
        "name the keys of all draws that were judged, or take these judgments out"
    )
    mapped = {"case": columns["case"]} if "case" in columns else None
    for source in (one for one in sources if one.rewindable):
        for block in LongTable(source, ("case",), columns=mapped).blocks():
            for line, found in zip(block.lines, block.cells["case"], strict=True):
                if found.strip() == cases[0]:
                    return FormatError(message, path=source.name, line=line)
    return FormatError(message, path=", ".join(source.name for source in sources))


def _check_judged(
    strata: Sequence[JudgedStratum], sources: Sequence[Input], verification: bool, left_out: int
) -> None:
    """Refuse strata of which nothing was judged, and tell of those of which not all was."""
    if dropped := sum(one.spoiled for one in strata):
        warn(f"{plural(dropped, 'drawn case')} with a spoiled context left out (--spoiled drop)")
    unjudged = [
        one.name
        for one in strata
        if one.drawn and not one.judged and not (verification and one.label == "ok")
    ]
    if unjudged:
        only_ok = all(one.startswith("ok") for one in unjudged)
        remedy = f", or {VERIFY}" if only_ok else ""
        if left_out:
            remedy += f" ({left_out} judgments of flagged raters are left out; --with-flagged)"
        if dropped:
            remedy += f" ({dropped} drawn cases have a spoiled context; --spoiled keep counts them)"
        names = ", ".join(source.name for source in sources)
        raise InputError(
            f"{names}: nobody decided about any case drawn from {', '.join(unjudged)}; give the "
            f"judgments of these as well{remedy}"
        )
    for one in strata:
        looked_at = one.drawn - one.spoiled
        if one.judged < looked_at and one.judged:
            warn(
                f"{one.name}: {one.judged} of {looked_at} drawn cases are judged; the estimate is "
                "from these, as if the others were left out by chance"
            )
