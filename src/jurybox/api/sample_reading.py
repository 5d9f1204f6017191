"""Decisions to strata: one pass over a file of any size, for planning and for drawing."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.sample_strata import Strata, read_groups
from jurybox.errors import FormatError, InputError, JuryboxWarning
from jurybox.formats import Input, Source, as_input
from jurybox.formats.decision_stream import DecisionBlock, DecisionStream
from jurybox.formats.long_tables import encode_json
from jurybox.formats.sample_key import Division
from jurybox.model import CaseSet

if TYPE_CHECKING:
    from jurybox.stats.drawing import StratifiedReservoir

GivenDecisions = Source | Mapping[str, str]


@dataclass(frozen=True)
class DecisionFile:
    """Decisions and how to read them."""

    source: Input
    columns: Mapping[str, str] | None = None
    labels: Mapping[str, str] | None = None
    threshold: float | None = None
    in_memory: bool = False

    @classmethod
    def of(cls, given: GivenDecisions, **reading: Any) -> DecisionFile:
        """A file, or a dict of case and label."""
        if not isinstance(given, Mapping):
            return cls(as_input(given), **reading)
        lines = (encode_json({"case": case, "label": label}) for case, label in given.items())
        return cls(Input.from_lines(lines), in_memory=True, **reading)

    def open(self, *, need_scores: bool = False) -> DecisionStream:
        """The decisions from the first on."""
        return DecisionStream(
            self.source,
            columns=self.columns,
            labels=self.labels,
            threshold=self.threshold,
            need_scores=need_scores,
        )


class CountedStratum(NamedTuple):
    """A stratum: its number among those that were met, its name, its label and its size."""

    number: int
    name: str
    label: str
    size: int


def read_strata(
    decisions: DecisionFile,
    divided: Sequence[Division],
    reservoir: StratifiedReservoir,
    *,
    cases: Input | CaseSet | None = None,
    drawn_before: Mapping[str, str] | None = None,
) -> list[CountedStratum]:
    """The strata of all decisions, whose cases go to the reservoir.

    `drawn_before` are the cases of earlier draws with the strata they were drawn from: they must
    still be there. A case that is decided twice is an error (in files of more than four million
    decisions it is looked for among a part of the cases).
    """
    from jurybox.stats.repeat_watch import RepeatWatch

    stream = decisions.open(need_scores=any(one.field == "score" for one in divided))
    strata = Strata(divided, _groups(divided, cases))
    watch = RepeatWatch()
    before = drawn_before or {}
    met: dict[str, int] = {}  # cases of earlier draws -> the stratum they are in now
    for block in stream.blocks():
        numbers = strata.number(block)
        reservoir.take(block.cases, numbers)
        watch.add(block.cases)
        if before:
            numbered = zip(block.cases, numbers.tolist(), strict=True)
            met |= {case: number for case, number in numbered if case in before}
    if watch.repeated is not None:
        _complain_of_repeat(decisions, watch.repeated)
    if stream.note:
        warnings.warn(stream.note, JuryboxWarning, stacklevel=2)
    reservoir.reach(len(strata))
    found = [CountedStratum(*one, reservoir.sizes[one[0]]) for one in strata.in_order()]
    _check_before(before, met, found, decisions.source.name)
    return found


def _groups(
    divided: Sequence[Division], cases: Input | CaseSet | None
) -> dict[str, dict[str, str]]:
    """Constructions and documents out of the cases, where they are asked for."""
    fields = [one.field for one in divided if one.field != "score"]
    if not fields or cases is None:
        return {}
    if not isinstance(cases, CaseSet):
        return read_groups(cases.keep(), fields)
    found = {f: {case.id: getattr(case, f) or "" for case in cases.cases} for f in fields}
    return {field: values for field, values in found.items() if any(values.values())}


def _complain_of_repeat(decisions: DecisionFile, repeated: int) -> None:
    """Say which case stands twice, if the decisions can be read once more."""
    name = decisions.source.name
    if not decisions.source.rewindable:
        raise InputError(f"{name}: a case is decided twice; keep one decision for each")
    lines: dict[str, int] = {}
    for line, case in _numbered_cases(decisions.open().blocks()):
        if hash(case) == repeated:
            if case in lines:
                message = f"case '{case}' is decided before, in line {lines[case]}"
                raise FormatError(f"{message}; keep one decision", path=name, line=line)
            lines[case] = line


def _numbered_cases(blocks: Iterator[DecisionBlock]) -> Iterator[tuple[int, str]]:
    for block in blocks:
        yield from zip(block.lines, block.cases, strict=True)


def _check_before(
    before: Mapping[str, str],
    met: Mapping[str, int],
    strata: Sequence[CountedStratum],
    file: str,
) -> None:
    names = {one.number: one.name for one in strata}
    for case, stratum in before.items():
        if names.get(met.get(case, -1)) != stratum:
            raise InputError(
                f"case '{case}' was drawn from '{stratum}' before, and is not there in {file}; "
                "with --after, give the decisions that the earlier cases were drawn from"
            )
