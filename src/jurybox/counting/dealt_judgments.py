"""Judgments of any number, counted in bounded memory: dealt by their cases, then counted.

Every part of every file is read by whoever does the work, by the reader that reads whole files. Its
rows are dealt into groups by a hash of the case (`counting.histogram`), so that all judgments of a
case, and what systems decide about it, come together in one group. What the groups add up to is all
that comes back: a histogram of cases, and how often each rater gave each label. It does not depend
on files, parts, groups or on who does the work.

A case is known by 128 bits of its hashes; its name is looked up in the file where a message needs
it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import (
    BUCKETS,
    BucketCounts,
    BucketRows,
    Hashes,
    add_counts,
    buckets_of,
    count_bucket,
    hash_words,
)
from jurybox.engine import Jobs, Progress, shuffle
from jurybox.errors import FormatError, name_line, warn
from jurybox.formats import Input
from jurybox.formats.tables._columns import find_again
from jurybox.formats.tables.decisions import NUMBERS, DecisionStream
from jurybox.formats.tables.judgments import place_repeat
from jurybox.formats.tables.table_parts import all_parts, right_lines
from jurybox.model import LABEL_BITS, CaseSet, JudgmentTable

More = TypeVar("More")
#: groups that cases are dealt into: a part of all buckets each
GROUPS = 32
NO_DECISION = -1
#: bytes of files from which on judgments are dealt without being asked
LARGE = 2 << 30


def are_large(given: object) -> bool:
    """Whether files of judgments are so large that they had better be dealt."""
    if not isinstance(given, str | os.PathLike | Input | list | tuple):
        return False
    listed = given if isinstance(given, list | tuple) else [given]
    paths = [getattr(one, "path", one) for one in listed]
    files = [Path(path) for path in paths if isinstance(path, str | os.PathLike)]
    return sum(path.stat().st_size for path in files if path.is_file()) > LARGE


class ReadPart(NamedTuple):
    """The judgments of a part of a file, repeats included, and where each row stands in it."""

    table: JudgmentTable
    cases: CaseSet
    place: Callable[[int], tuple[str, int]]


ReadJudgmentsOf = Callable[[Input], ReadPart]
ReadDecisionsOf = Callable[[Input], DecisionStream]


class Sources(NamedTuple):
    """What is counted, and how it is read."""

    judgments: Sequence[Input]
    read: ReadJudgmentsOf
    decisions: Sequence[Sequence[Input]] = ()  # of every system
    read_decisions: ReadDecisionsOf = DecisionStream
    skip_unknown: bool = False  # decisions on cases that nobody judged are left out


class Work(NamedTuple):
    """A part of a file that is to be dealt: judgments, or a system's decisions."""

    number: int
    source: Input
    system: int | None = None


class Dealt(NamedTuple):
    """Rows of one part and one group: cases by their hashes, and what is said about each."""

    number: int  # of the part
    system: int | None
    key: Hashes
    check: Hashes
    case: NDArray[np.uint32]  # a place in `key`
    value: NDArray[np.integer]  # rater and label, or what the system decided
    row: NDArray[np.uint32]


class Noted(NamedTuple):
    """What all must know of a part."""

    rows: int
    raters: list[str]
    labels: list[str]
    flags: bool = False  # whether a rater is a model or flagged
    corrects: bool = False
    gold: bool = False


class Names(NamedTuple):
    """Raters and labels of all parts, and those of every part by their numbers."""

    raters: list[str]
    labels: list[str]
    of_raters: list[NDArray[np.int64]]
    of_labels: list[NDArray[np.int64]]


Place = tuple[int, int]  # part and row


class GroupSums(NamedTuple, Generic[More]):
    """What one group adds."""

    counts: BucketCounts
    repeat: tuple[Place, Place] | None  # the first repeated judgment, and the one before it
    missing: tuple[tuple[int, Place] | None, ...]  # of every system: cases, and the first of them
    unknown: tuple[tuple[int, Place] | None, ...]  # decisions on cases that nobody judged
    twice: tuple[tuple[Place, Place] | None, ...]
    more: More


class DealtJudgments(NamedTuple, Generic[More]):
    """What all judgments and decisions add up to, and what messages need."""

    counts: BucketCounts
    raters: list[str]
    labels: list[str]
    rows: int  # judgments, repeats included
    first_repeat: str
    missing: list[tuple[int, str]]  # of every system: cases without a decision, and the first
    unknown: list[tuple[int, str]]  # of every system: decisions on other cases, and the first
    more: list[More]  # of every group
    notes: list[Noted]


def deal_judgments(
    sources: Sources,
    count_more: Callable[[BucketRows, int, Names], More],
    *,
    jobs: Jobs,
    progress: Progress | None = None,
    groups: int | None = None,
) -> DealtJudgments[More]:
    """Deal and count; `count_more` counts what else is needed of every group."""
    groups = GROUPS if groups is None else groups
    work = [Work(0, part) for part in all_parts(sources.judgments)]
    for system, files in enumerate(sources.decisions):
        work += [Work(0, part, system) for part in all_parts(files)]
    work = [one._replace(number=number) for number, one in enumerate(work)]
    notes: list[Noted] = []

    def dealt(note: Noted) -> None:
        notes.append(note)
        if progress is not None and note.raters:
            progress(note.rows, "judgments")

    gather = partial(_count_group, count_more, len(sources.decisions))
    deal = partial(_deal, sources.read, sources.read_decisions, groups)
    found = list(shuffle(deal, work, _share, gather, groups, jobs=jobs, dealt=dealt))
    names = _share(notes)
    look_up = partial(_look_up, sources, work)
    for each in found:
        for system, twice in enumerate(each.twice):
            if twice is not None:
                raise _refuse_twice(look_up, min(t for g in found if (t := g.twice[system])))
    unknown = [_first(each.unknown[s] for each in found) for s in range(len(sources.decisions))]
    for first in unknown:
        if first is not None and not sources.skip_unknown:
            name, line, case = look_up(first[1])
            raise FormatError(
                f"there is no case '{case}' among those that were judged", path=name, line=line
            )
    repeats = [each.repeat for each in found if each.repeat is not None]
    first_repeat = ""
    if repeats:
        (name, line, case), (name_before, before, _) = map(look_up, min(repeats))
        first_repeat = place_repeat((name, line), (name_before, before), case)
    missing = [_first(each.missing[s] for each in found) for s in range(len(sources.decisions))]
    return DealtJudgments(
        add_counts(each.counts for each in found),
        names.raters,
        names.labels,
        sum(note.rows for note in notes if note.raters),
        first_repeat,
        [(0, "") if one is None else (one[0], look_up(one[1])[2]) for one in missing],
        [(0, "") if one is None else (one[0], look_up(one[1])[2]) for one in unknown],
        [each.more for each in found],
        notes,
    )


# --- by whoever does the work ---


def _deal(
    read: ReadJudgmentsOf, read_decisions: ReadDecisionsOf, groups: int, work: Work
) -> tuple[Noted, list[Dealt | None]]:
    with right_lines(work.source):
        if work.system is None:
            found = read(work.source)
            table, names = found.table, found.cases.ids
            case, value = np.asarray(table.case), np.asarray(table.answer)
            flags = table.kinds is not None or table.flagged is not None
            corrects, gold = table.correction is not None, bool(found.cases.gold)
            note = Noted(len(case), table.raters, table.labels, flags, corrects, gold)
        else:
            names, labels = [], []
            stream = read_decisions(work.source)
            for block in stream.blocks():
                names += block.cases
                labels += block.labels
            warn(*filter(None, [stream.note]))
            decided = np.array([*NUMBERS, *[NO_DECISION] * 256], dtype=np.int8)
            value = decided[np.array(labels, dtype=np.int64)]
            case = np.arange(len(names), dtype=np.uint32)
            note = Noted(len(names), [], [])
    key, check = hash_words(names), hash_words(names, seed=1)
    of_case = (buckets_of(key).astype(np.uint32) * groups // BUCKETS).astype(np.uint8)
    cases = _split(of_case, groups)
    rows = _split(of_case[case], groups)
    place = np.zeros(len(names), dtype=np.uint32)
    parts: list[Dealt | None] = []
    for own, chosen in zip(cases, rows, strict=True):
        place[own] = np.arange(len(own), dtype=np.uint32)
        parts.append(
            Dealt(
                work.number,
                work.system,
                key[own],
                check[own],
                place[case[chosen]],
                value[chosen],
                chosen.astype(np.uint32),
            )
            if len(chosen)
            else None
        )
    return note, parts


def _split(group: NDArray[np.uint8], groups: int) -> list[NDArray[np.intp]]:
    """The places of every group, in order."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.cumsum(np.bincount(group, minlength=groups))[:-1])


def _share(notes: Sequence[Noted]) -> Names:
    """Raters and labels in order of first appearance, whoever met them."""
    raters: dict[str, int] = {}
    labels: dict[str, int] = {}
    of_raters: list[NDArray[np.int64]] = []
    of_labels: list[NDArray[np.int64]] = []
    for note in notes:
        for found, known, numbers in (
            (note.raters, raters, of_raters),
            (note.labels, labels, of_labels),
        ):
            numbers.append(
                np.array([known.setdefault(one, len(known)) for one in found], dtype=np.int64)
            )
    return Names(list(raters), list(labels), of_raters, of_labels)


def _count_group(
    count_more: Callable[[BucketRows, int, Names], More],
    systems: int,
    names: Names,
    _number: int,
    given: Iterable[Dealt],
) -> GroupSums[More]:
    parts = list(given)
    judged = [part for part in parts if part.system is None]
    known, case = _number_cases(judged)
    label_mask = (1 << LABEL_BITS) - 1
    rows = BucketRows(
        case,
        _joined(names.of_raters[part.number][part.value >> LABEL_BITS] for part in judged),
        _joined(names.of_labels[part.number][part.value & label_mask] for part in judged),
    )
    number = _joined(np.full(len(part.row), part.number) for part in judged)
    row = _joined(part.row for part in judged)

    def place(index: int) -> Place:
        return int(number[index]), int(row[index])

    decisions, missing, unknown, twice = [], [], [], []
    for system in range(systems):
        settled = _settle([part for part in parts if part.system == system], known)
        decisions.append(settled.decided)
        unknown.append(settled.unknown)
        twice.append(settled.twice)
        gaps = settled.decided[case] == NO_DECISION
        first = place(int(np.argmax(gaps))) if gaps.any() else None
        count = int(np.count_nonzero(settled.decided == NO_DECISION))
        missing.append(None if first is None else (count, first))
    counts = count_bucket(
        rows,
        cases=len(known),
        raters=max(1, len(names.raters)),
        labels=max(1, len(names.labels)),
        decisions=decisions,
    )
    repeat = None
    if counts.repeats:
        again = find_again(rows.case, rows.rater, rows.order)
        repeat = place(int(again.rows[0])), place(int(again.first[0]))
    more = count_more(rows, len(known), names)
    return GroupSums(counts, repeat, tuple(missing), tuple(unknown), tuple(twice), more)


def _joined(columns: Iterable[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate([*columns, np.zeros(0, dtype=np.int64)])


Cases = NDArray[np.void]  # hashes, sorted: `key` and `check`


def _pairs(parts: Sequence[Dealt]) -> Cases:
    pairs: Cases = np.zeros(
        sum(len(part.key) for part in parts), dtype=[("key", "<u8"), ("check", "<u8")]
    )
    for name in ("key", "check"):
        if parts:
            pairs[name] = np.concatenate([getattr(part, name) for part in parts])
    return pairs


def _number_cases(parts: Sequence[Dealt]) -> tuple[Cases, NDArray[np.int64]]:
    """The cases of some parts, and the case of every row."""
    pairs = _pairs(parts)
    order = np.argsort(pairs["key"], kind="stable")
    ordered = pairs[order]
    same_key = ordered["key"][1:] == ordered["key"][:-1]
    if (ordered["check"][1:][same_key] != ordered["check"][:-1][same_key]).any():  # next to never
        order = np.lexsort((pairs["check"], pairs["key"]))
        ordered = pairs[order]
    begins = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]
    number = np.empty(len(pairs), dtype=np.int64)
    number[order] = np.cumsum(begins) - 1
    before = np.cumsum([0] + [len(part.key) for part in parts])
    return ordered[begins], _joined(
        number[start + part.case] for start, part in zip(before, parts, strict=False)
    )


class _Settled(NamedTuple):
    decided: NDArray[np.int8]
    unknown: tuple[int, Place] | None
    twice: tuple[Place, Place] | None


def _settle(parts: Sequence[Dealt], known: Cases) -> _Settled:
    """What a system decides on every case."""
    pairs = _pairs(parts)
    place = np.searchsorted(known["key"], pairs["key"])
    found = np.zeros(len(pairs), dtype=bool)
    while len(known) and ((inside := place < len(known)) & ~found).any():
        here = known[np.minimum(place, len(known) - 1)]
        found |= inside & (here == pairs)
        further = inside & ~found & (here["key"] == pairs["key"])  # next to never
        if not further.any():
            break
        place[further] += 1
    value = _joined(part.value for part in parts).astype(np.int8)
    places = [(part.number, row) for part in parts for row in part.row.tolist()]
    decided: NDArray[np.int8] = np.full(len(known), NO_DECISION, dtype=np.int8)
    decided[place[found]] = value[found]
    unknown = None
    if not found.all():
        others = np.flatnonzero(~found)
        unknown = len(others), min(places[one] for one in others.tolist())
    twice = None
    order = np.argsort(pairs, order=("key", "check"), kind="stable")
    again = np.flatnonzero(pairs[order][1:] == pairs[order][:-1])
    if len(again):
        both = [sorted(places[order[at + k]] for k in (0, 1)) for at in again.tolist()]
        twice = min((later, before) for before, later in both)
    return _Settled(decided, unknown, twice)


# --- messages ---


def _first(found: Iterable[tuple[int, Place] | None]) -> tuple[int, Place] | None:
    listed = [one for one in found if one is not None]
    return (sum(n for n, _ in listed), min(place for _, place in listed)) if listed else None


def _look_up(sources: Sources, work: Sequence[Work], place: Place) -> tuple[str, int, str]:
    """File, line and case of a row: its part is read again."""
    part, row = work[place[0]], place[1]
    shift = getattr(part.source, "shift", 0)
    if part.system is None:
        found = sources.read(part.source)
        name, line = found.place(row)
        return name, line + shift, found.cases.ids[found.table.case[row]]
    for block in sources.read_decisions(part.source).blocks():
        if row < len(block.cases):
            return part.source.name, block.lines[row] + shift, block.cases[row]
        row -= len(block.cases)
    raise AssertionError("a row that was read is there")


def _refuse_twice(look_up: Callable[[Place], Any], twice: tuple[Place, Place]) -> FormatError:
    (name, line, case), (_, before, _) = map(look_up, twice)
    return FormatError(
        f"case '{case}' is decided before, in {name_line(name, before)}; keep one decision",
        path=name,
        line=line,
    )
