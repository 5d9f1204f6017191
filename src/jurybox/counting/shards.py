"""Files counted in shards, each a run of the same sentences of all files.

Whoever counts a shard reads its part of every file itself. So nothing but packed counts passes
through the hands of the caller, who puts the tables of all shards together: the same table as if
the files had been read from beginning to end. A shard that fails, or has something to warn of,
hands over to that plain way, which names the line or counts the cases in the whole file.
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any, NamedTuple

from jurybox.counting import Counted
from jurybox.counting.output_checks import OutputCheck
from jurybox.counting.systems import System
from jurybox.engine import Jobs, Progress, map_batches
from jurybox.errors import InputError, JuryboxWarning
from jurybox.formats import Input, PanelStream
from jurybox.formats.edits import m2
from jurybox.formats.edits.panel import PanelFile, stream_members
from jurybox.formats.file_parts import can_be_cut, cut_sentences, parts_between
from jurybox.model import CountsTable

#: sentences of a shard: enough that starting one costs nothing, few enough for progress
SHARD = 5000
#: whole numbers by the bytes they take
TYPECODES = ("b", "h", "i", "q")


class Texts(NamedTuple):
    """Everything that is read in step: systems, the panel or the source and its references."""

    systems: Sequence[System]
    panel: Any = None  # a panel; of a shard, its files
    source: Any = None
    refs: Sequence[Any] = ()

    def open(self) -> Texts:
        """A shard as it is read: its panel is opened by whoever reads it."""
        if self.panel is None:
            return self
        return self._replace(panel=stream_members(self.panel))


class ShardCounts(NamedTuple):
    """What was counted in a shard, one entry per system."""

    counted: list[Counted]
    annotators: tuple[str, ...] = ()  # of the panel, in its order


Counting = Callable[[Texts], list[Counted]]


def count_shards(
    texts: Texts,
    counting: Counting,
    *,
    jobs: Jobs,
    progress: Progress | None = None,
    passes: int = 1,
) -> list[Counted] | None:
    """Count by shards; None where only reading from beginning to end can do it.

    `counting` counts a shard in the same way as the whole, in so many `passes` over its sentences.
    """
    shards = cut_texts(texts, SHARD)
    if shards is None or len(shards) < 2:
        return None
    found: list[list[Counted]] = []
    annotators: dict[str, None] = {}
    for shard in map_batches(partial(_count_shard, counting), shards, jobs=jobs):
        if shard is None:
            return None
        annotators.update(dict.fromkeys(shard.annotators))
        found.append(shard.counted)
        if progress is not None:
            progress(passes * len(shard.counted[0].table))
    if isinstance(texts.panel, PanelStream):
        if len(set(map(m2.rank, annotators))) < len(annotators) and len(texts.panel.files) == 1:
            return None  # their order depends on which sentence brings in whom
        texts.panel.meet(list(annotators))
    return [_join(parts, texts.panel) for parts in zip(*found, strict=True)]


def cut_texts(texts: Texts, every: int) -> list[Texts] | None:
    """Shards of the same sentences of all files; None if a file cannot be cut, or they differ."""
    members: Sequence[PanelFile] = ()
    if texts.panel is not None:
        members = getattr(texts.panel, "files", ())
        if not members or texts.panel.aligned or texts.panel.has_documents:
            return None
    files: list[tuple[Any, str]] = [(one.source, one.format) for one in texts.systems]
    files += [(one.source, one.format) for one in members]
    files += [(one, "text") for one in (texts.source, *texts.refs) if one is not None]
    parts: list[list[Input]] = []
    lengths = set()
    for source, form in files:
        if form not in ("text", "m2") or not isinstance(source, Input) or not can_be_cut(source):
            return None
        found = cut_sentences(source, every, is_m2=form == "m2")
        if found is None:
            return None
        cuts, length = found
        lengths.add(length)
        if len(lengths) > 1:
            return None
        parts.append([*parts_between(source, cuts)])
    shards = []
    for row in zip(*parts, strict=True):
        given = iter(row)
        systems = [one._replace(source=next(given)) for one in texts.systems]
        panel = [one._replace(source=next(given)) for one in members] or None
        source = None if texts.source is None else next(given)
        shards.append(Texts(systems, panel, source, list(given)))
    return shards


def _count_shard(counting: Counting, shard: Texts) -> ShardCounts | None:
    """Count a shard, in whatever process; None if it fails or has something to warn of."""
    texts = shard.open()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        try:
            counted = counting(texts)
        except InputError:
            return None
    if caught:
        return None
    for one in counted:
        one.table = pack(one.table)
    panel = texts.panel
    return ShardCounts(counted, () if panel is None else panel.annotators)


# --- packed columns ---


def pack(table: CountsTable) -> CountsTable:
    """The table with columns of as few bytes as their numbers need."""
    table.annotator = _packed([table.annotator])
    table.values = {name: _packed([column]) for name, column in table.values.items()}
    return table


def _packed(columns: Sequence[array[int]]) -> array[int]:
    """Columns in a row, in the smallest type that holds all their numbers."""
    least = min((min(column) for column in columns if column), default=0)
    most = max((max(column) for column in columns if column), default=0)
    code = next(
        code
        for code in TYPECODES
        if -(1 << (8 * array(code).itemsize - 1)) <= least
        and most < 1 << (8 * array(code).itemsize - 1)
    )
    whole = array(code)
    for column in columns:
        whole.extend(column if column.typecode == code else array(code, column))
    return whole


def _join(parts: Sequence[Counted], panel: Any) -> Counted:
    """The counts of one system in all shards; annotators in the order of the panel, or as met."""
    tables = [one.table for one in parts]
    names = list(dict.fromkeys(chain.from_iterable(table.annotators for table in tables)))
    if parts[0].in_order:
        names = [name for name in panel.annotators if name in names]
    numbers = {name: place for place, name in enumerate(names)}
    whole = CountsTable(tables[0].columns, names)
    rows = accumulate((len(table.annotator) for table in tables), initial=0)
    for table, before in zip(tables, rows, strict=False):
        whole.starts.extend(map(before.__add__, table.starts[1:]) if before else table.starts[1:])
    whole.annotator = _packed([_renumbered(table, numbers) for table in tables])
    whole.values = {
        name: _packed([table.values[name] for table in tables]) for name in whole.columns
    }
    if tables[0].by_type is not None:
        whole.by_type = [row for table in tables for row in table.by_type or ()]
    joined = Counted(parts[0].name, whole, _add_checks(one.check for one in parts))
    joined.extractor = parts[0].extractor
    return joined


def _renumbered(table: CountsTable, numbers: dict[str, int]) -> array[int]:
    new = [numbers[name] for name in table.annotators]
    if new == list(range(len(new))):
        return table.annotator
    return array("q", map(new.__getitem__, table.annotator))


def _add_checks(checks: Iterator[OutputCheck]) -> OutputCheck:
    whole = next(checks)
    for check in checks:
        whole.add(check)
    return whole
