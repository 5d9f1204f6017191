"""Decisions to strata: one pass over a file of any size, for planning and for drawing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import FormatError, InputError, UsageError, name_line, unknown_name, warn
from jurybox.formats import Input, Source, as_input
from jurybox.formats.given_values import as_list, as_word
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables.decisions import DecisionBlock, DecisionStream
from jurybox.formats.tables.long_tables import LongTable
from jurybox.formats.tables.memory_tables import holds_columns
from jurybox.formats.tables.sample_key import FIELDS, PARTS, Division
from jurybox.model import CaseSet

if TYPE_CHECKING:
    from jurybox.sample.draw.drawing import StratifiedReservoir

# --- which stratum a case belongs to: by label, score, construction, document ---

#: a document of its own for every case would be strata of one case
MOST_STRATA = 10_000


def read_division(given: str | Division) -> Division:
    """What divides the parts, as `--by` says it.

    >>> read_division("score=.2,.5")
    Division(field='score', edges=(0.2, 0.5))
    >>> read_division("document")
    Division(field='document', edges=())
    """
    if isinstance(given, Division):
        return given
    given = as_word(given, "by")
    name, equals, listed = given.partition("=")
    if name not in FIELDS:
        raise unknown_name("kind of strata (--by)", name, FIELDS)
    if name != "score":
        if equals:
            raise UsageError(f"--by {given}: only scores have edges; write --by {name}")
        return Division(name)
    try:
        edges = tuple(float(edge) for edge in listed.split(","))
    except ValueError:
        edges = ()
    rising = all(low < high for low, high in pairwise(edges))
    if not edges or not rising or not all(map(isfinite, edges)):
        raise UsageError(f"--by {given}: write rising edges of scores, as --by score=0.2,0.5")
    return Division(name, edges)


def read_divisions(given: str | Division | Iterable[str | Division] | None) -> list[Division]:
    """All that is given, each field once."""
    if given is None:
        return []
    listed = [given] if isinstance(given, str | Division) else as_list(given, "by")
    found = [read_division(one) for one in listed]
    if len({one.field for one in found}) < len(found):
        raise UsageError("--by: each of score, construction and document divides once")
    return found


def score_names(edges: Sequence[float]) -> list[str]:
    """What strata by score are called; each begins at its edge.

    >>> score_names((0.2, 0.5))
    ['under0.2', '0.2to0.5', 'from0.5']
    """
    shown = [f"{edge:g}" for edge in edges]
    between = [f"{low}to{high}" for low, high in pairwise(shown)]
    return [f"under{shown[0]}", *between, f"from{shown[-1]}"]


class Strata:
    """Numbers cases by their strata, block by block, and names the strata."""

    def __init__(self, by: Sequence[Division], of_case: Mapping[str, Mapping[str, str]]) -> None:
        self._by = tuple(by)
        self._of_case = of_case  # field -> case -> value, from the case file
        # label and values -> number, in order of appearance
        self._numbers: defaultdict[tuple[Any, ...], int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        if not by:
            self._numbers |= {(label,): label for label in range(len(PARTS))}

    def number(self, block: DecisionBlock) -> NDArray[np.int64]:
        """The number of every case's stratum."""
        if not self._by:
            return np.array(block.labels, dtype=np.int64)
        columns = [self._column(one, block) for one in self._by]
        keys = zip(block.labels, *columns, strict=True)
        found = np.fromiter(map(self._numbers.__getitem__, keys), np.int64, len(block.cases))
        if len(self._numbers) > MOST_STRATA:
            raise InputError(f"--by makes more than {MOST_STRATA} strata; divide by less")
        return found

    def _column(self, one: Division, block: DecisionBlock) -> Sequence[int | str | None]:
        if one.field == "score":
            scores = np.asarray(block.scores, dtype=np.float64)
            found: list[int] = np.digitize(scores, one.edges).tolist()
            return found
        if one.field in self._of_case:
            values = list(map(self._of_case[one.field].get, block.cases))
            if not all(values):
                case = next(c for c, value in zip(block.cases, values, strict=True) if not value)
                raise InputError(f"case '{case}' has no {one.field} in the file of cases (--cases)")
            return values
        if one.field not in block.groups:
            raise InputError(
                f"--by {one.field}: the decisions have no column '{one.field}'; name the file with "
                "the cases, which tells it, with --cases"
            )
        given = list(map(str.strip, block.groups[one.field]))
        if not all(given):
            raise InputError(f"case '{block.cases[given.index('')]}' has no {one.field}")
        return given

    def __len__(self) -> int:
        return len(self._numbers)

    def in_order(self) -> list[tuple[int, str, str]]:
        """Number, name and label of every stratum: errors first, then by name or score."""
        found = []
        for key, number in sorted(self._numbers.items()):
            values = (
                score_names(one.edges)[value] if one.field == "score" else value
                for one, value in zip(self._by, key[1:], strict=True)
            )
            found.append((number, "/".join((PARTS[key[0]], *values)), PARTS[key[0]]))
        return found


def read_groups(source: Source, fields: Sequence[str]) -> dict[str, dict[str, str]]:
    r"""Field -> case -> its value, out of a case file; fields that the file lacks are left out.

    >>> from jurybox.formats import Input
    >>> read_groups(Input.from_text("case,document\nc1,d1\n"), ["document", "construction"])
    {'document': {'c1': 'd1'}}
    """
    table = LongTable(source, case_files.COLUMNS, schema=case_files.SCHEMA, can_map=False)
    found: dict[str, dict[str, str]] = {}
    shared: dict[str, str] = {}  # few values, many cases: each value is held once
    for block in table.blocks():
        ids = list(map(str.strip, block.cells.get("case", ())))
        for field in fields:
            if field in block.cells:
                values = (shared.setdefault(v, v) for v in map(str.strip, block.cells[field]))
                found.setdefault(field, {}).update(zip(ids, values, strict=True))
    table.bad.raise_first()
    return found


# --- Ids that come twice among tens of millions, in bounded memory ---

#: hashes held at most, 8 bytes each; a file of no more rows is checked as a whole
MOST = 1 << 22


class RepeatWatch:
    """Notice an id that is met twice, by hashes of 64 bits.

    All hashes are kept until there are `most` of them; then only those whose last bit is 0, then
    the last two bits, and so on. The ids whose hashes are kept are followed through the whole
    file. So a file with a few more rows than ids is found out for certain up to `most` rows, and
    beyond where one of the repeated ids is among those that are followed.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._repeated: int | None = None
        self._mask = np.int64(0)
        self._kept: list[NDArray[np.int64]] = []
        self._held = 0

    def add(self, ids: Sequence[str]) -> None:
        """Look at further ids."""
        if self._repeated is not None:
            return
        hashes = np.fromiter(map(hash, ids), np.int64, len(ids))
        if self._mask:
            hashes = hashes[(hashes & self._mask) == 0]
        self._kept.append(hashes)
        self._held += len(hashes)
        while self._held > self._most and not self.found:  # then follow half of the ids only
            self._mask = np.int64(self._mask * 2 + 1)
            kept = np.concatenate(self._kept)
            self._kept = [kept[(kept & self._mask) == 0]]
            self._held = len(self._kept[0])

    @property
    def found(self) -> bool:
        """Whether some id was met twice, as far as ids are followed."""
        return self.repeated is not None

    @property
    def repeated(self) -> int | None:
        """The hash of an id that was met twice."""
        if self._repeated is None and self._kept:
            ordered = np.sort(np.concatenate(self._kept))
            places = np.flatnonzero(ordered[1:] == ordered[:-1])
            self._repeated = int(ordered[places[0]]) if len(places) else None
        return self._repeated


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
        """A file, a table in memory, or a dict of case and label."""
        if not isinstance(given, Mapping) or holds_columns(given):
            return cls(as_input(given, "decisions"), **reading)
        decided: dict[str, list[Any]] = {"case": list(given), "label": list(given.values())}
        return cls(as_input(decided, "decisions"), in_memory=True, **reading)

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
        warn(stream.note)
    reservoir.reach(len(strata))
    found = [CountedStratum(*one, reservoir.sizes[one[0]]) for one in strata.in_order()]
    names = {one.number: one.name for one in found}
    for case, stratum in before.items():
        if names.get(met.get(case, -1)) != stratum:
            raise InputError(
                f"case '{case}' was drawn from '{stratum}' before, and is not there in "
                f"{decisions.source.name}; with --after, give the decisions that the earlier cases "
                "were drawn from"
            )
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
    for block in decisions.open().blocks():
        for line, case in zip(block.lines, block.cases, strict=True):
            if hash(case) == repeated:
                if case in lines:
                    message = f"case '{case}' is decided before, in {name_line(name, lines[case])}"
                    raise FormatError(f"{message}; keep one decision", path=name, line=line)
                lines[case] = line
