"""MaxMatch counts of several systems in one pass over a panel, on one core or several."""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from jurybox.counting import Counted, Matched, Tokens, set_documents
from jurybox.counting.output_checks import OutputCheck
from jurybox.counting.systems import (
    System,
    check_source,
    lockstep,
    only_annotation,
    place_of_panel,
    read_sentences,
    read_tokens,
)
from jurybox.engine import BATCH, Jobs, Progress, in_batches, map_batches
from jurybox.errors import FormatError, explain_difference, warn
from jurybox.formats import Input, PanelStream
from jurybox.formats.edits import text
from jurybox.metrics.maxmatch import FoundEdit, SentenceCount, as_gold, count_by_type, count_golds
from jurybox.metrics.maxmatch.bestpath import Gold
from jurybox.metrics.options import NOT_COUNTED, MetricOptions
from jurybox.model import Annotation, CountsTable, Panel, Sentence, apply_edits

#: sentences in a batch where somebody looks on and wants to see the work go on
LOOKED_AT = 100


def count_maxmatch(
    systems: Sequence[System],
    panel: Panel | PanelStream,
    options: MetricOptions,
    *,
    source: Sequence[str] | Input | None = None,
    by_type: bool = False,
    keep_edits: bool = False,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> list[Counted]:
    """MaxMatch counts of all systems in one pass over the panel."""
    counted = [
        Counted(s.name, CountsTable(by_type=[] if by_type else None), OutputCheck(s.place))
        for s in systems
    ]
    numbers = count_rows(
        _rows(systems, panel, options, source),
        counted,
        options,
        keep_edits=keep_edits,
        jobs=jobs,
        progress=progress,
    )
    # annotators are numbered in tie-break order, which a stream knows only at its end
    present = [name for name in panel.annotators if name in numbers]
    new_number = {numbers[name]: place for place, name in enumerate(present)}
    for one in counted:
        one.table.annotators, one.in_order = list(present), True
        if any(old != new for old, new in new_number.items()):
            for row, old in enumerate(one.table.annotator):
                one.table.annotator[row] = new_number[old]
    return counted


def count_rows(
    sentences: Iterable[tuple[Sentence, tuple[Tokens | None, ...]]],
    counted: Sequence[Counted],
    options: MetricOptions,
    *,
    annotators: Sequence[str] = (),
    keep_edits: bool = False,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Match sentences with the hypotheses of all systems, and fill the systems' tables.

    A hypothesis that is None was never written: its system gets no counts in that sentence. Gives
    back the numbers under which the tables know the annotators: those known beforehand in their
    order, then as they come.
    """
    with_edits = keep_edits or any(one.table.by_type is not None for one in counted)
    work = partial(
        _count_batch,
        unchanged=options.max_unchanged_words,
        ignore_case_whitespace=options.ignore_case_whitespace,
        keep_edits=with_edits,
    )
    rows: deque[_Row] = deque()  # under way, in order

    def items() -> Iterator[Item]:
        for sentence, hypotheses in sentences:
            row, item = _distinct(sentence, hypotheses)
            rows.append(row)
            yield item

    numbers = {name: number for number, name in enumerate(annotators)}
    documents: list[str | None] = []
    # many hypotheses make a sentence long work: batches must be many enough for all processes
    size = max(1, BATCH // len(counted))
    if progress is not None:
        size = min(size, LOOKED_AT)
    for results in _map_counts(work, in_batches(items(), size), jobs, with_edits):
        for found in results:
            sentence, hypotheses, texts, golds = rows.popleft()
            documents.append(sentence.document)
            names = [numbers.setdefault(a.annotator, len(numbers)) for a in sentence.annotations]
            by_text = [[counts[gold] for gold in golds] for counts in found]
            for one, hypothesis, place in zip(counted, hypotheses, texts, strict=True):
                if hypothesis is None or place is None:
                    one.table.append(())
                    continue
                counts = by_text[place]
                one.check.look(sentence.tokens, hypothesis)
                one.table.append(zip(names, [count[:3] for count in counts], strict=True))
                if one.table.by_type is not None:
                    one.table.by_type += [
                        count_by_type(annotation.edits, count.edits)
                        for annotation, count in zip(sentence.annotations, counts, strict=True)
                    ]
                if keep_edits:
                    one.matched.append(Matched(sentence, hypothesis, tuple(counts)))
        if progress is not None:
            progress(len(results))
    for one in counted:
        set_documents(one.table, documents)
    return numbers


class _Row(NamedTuple):
    """A sentence under way: which of its different texts each hypothesis is (None: not written),
    and which of the different golds each annotator's is.
    """

    sentence: Sentence
    hypotheses: tuple[Tokens | None, ...]
    texts: list[int | None]
    golds: list[int]


def _distinct(sentence: Sentence, hypotheses: tuple[Tokens | None, ...]) -> tuple[_Row, Item]:
    """What has to be matched of a sentence: what is the same is matched once."""
    golds: dict[tuple[Gold, ...], int] = {}
    of_annotators = [
        golds.setdefault(tuple(as_gold(annotation.edits)), len(golds))
        for annotation in sentence.annotations
    ]
    texts: dict[Tokens, int] = {}
    of_systems = [
        None if text is None else texts.setdefault(text, len(texts)) for text in hypotheses
    ]
    row = _Row(sentence, hypotheses, of_systems, of_annotators)
    return row, (sentence.tokens, list(golds), tuple(texts))


def _rows(
    systems: Sequence[System],
    panel: Panel | PanelStream,
    options: MetricOptions,
    source: Sequence[str] | Input | None,
) -> Iterator[tuple[Sentence, tuple[Tokens, ...]]]:
    """Every sentence with all systems' hypotheses, checked against the source where given."""
    streams: list[tuple[str, Iterator[Any]]] = [(place_of_panel(panel), iter(panel))]
    for system in systems:
        if system.is_text:
            tokens = read_tokens(system, tokenized=not options.tokenize)
            streams.append((system.place, tokens))
        else:
            streams.append((system.place, read_sentences(system)))
    if source is not None:
        name = source.name if isinstance(source, Input) else "the source"
        lines = text.read(source) if isinstance(source, Input) else source
        streams.append((name, iter(lines)))
    unseen = 0
    with_edits = any(not system.is_text for system in systems)
    number = 0
    for number, row in enumerate(lockstep(streams), 1):
        sentence: Sentence = row[0]
        if source is not None and tuple(row[-1].split()) != sentence.tokens:
            parting = explain_difference(row[-1].split(), sentence.tokens)
            raise FormatError(
                f"is not sentence {number} of {streams[0][0]}: {parting}; "
                "score against the gold file that was made from this source",
                path=streams[-1][0],
                line=number,
            )
        hypotheses = row[1 : 1 + len(systems)]
        if with_edits:
            hypotheses = tuple(
                given if system.is_text else _corrected(given, system, number, sentence.tokens)
                for given, system in zip(hypotheses, systems, strict=True)
            )
        if not sentence.annotations:  # nothing can be compared: as if all had left it as it is
            unseen += 1
            who = Annotation(panel.annotators[0] if panel.annotators else "0")
            sentence = sentence._replace(annotations=(who,))
            hypotheses = (sentence.tokens,) * len(systems)
        yield sentence, hypotheses
    if unseen and unseen == number:  # said last: a malformed line further down matters more
        raise FormatError(
            "no sentence has an annotator, so there is nothing to compare with; give those that "
            "need no edit an annotation without edits",
            path=streams[0][0],
        )
    if unseen:
        warn(f"{streams[0][0]}: {unseen} of {number} sentences {NOT_COUNTED}")


def _corrected(given: Sentence, system: System, number: int, source: Tokens) -> Tokens:
    """The text of a hypothesis that is stored as edits on the same source."""
    check_source(system, number, given.tokens, source)
    return tuple(apply_edits(source, only_annotation(given, system)))


#: what matching needs of a sentence and nothing else, for it may go to another process
Item = tuple[Tokens, list[tuple[Gold, ...]], tuple[Tokens, ...]]
Counts = list[list[list[SentenceCount]]]  # [sentence][text][gold]


def _map_counts(
    work: Callable[[Sequence[Item]], Counts],
    batches: Iterable[Sequence[Item]],
    jobs: Jobs,
    with_edits: bool,
) -> Iterator[Counts]:
    """The counts of every batch, by other processes where there are several jobs.

    Matching takes less than a tenth of a millisecond a sentence, so passing sentences on must be
    cheaper still: `marshal` knows only plain values but is several times as fast as pickling.
    Where no edits are asked for, the counts stay the plain tuples that it gives back.
    """
    if jobs == 1:
        yield from map(work, batches)
        return
    packed = map_batches(partial(_count_packed, work), map(_pack, batches), jobs=jobs)
    for results in map(marshal.loads, packed):
        if not with_edits:
            yield results
            continue
        yield [
            [
                [
                    SentenceCount(tp, fp, fn, tuple(FoundEdit(*edit) for edit in edits))
                    for tp, fp, fn, edits in counts
                ]
                for counts in texts
            ]
            for texts in results
        ]


def _pack(batch: Iterable[Item]) -> bytes:
    return marshal.dumps(
        [
            (
                " ".join(source),
                [[tuple(edit) for edit in gold] for gold in golds],
                [" ".join(hypothesis) for hypothesis in hypotheses],
            )
            for source, golds, hypotheses in batch
        ]
    )


def _count_packed(work: Callable[[Sequence[Item]], Counts], packed: bytes) -> bytes:
    batch = [
        (
            tuple(source.split(" ")) if source else (),
            [tuple(Gold(*edit) for edit in gold) for gold in golds],
            tuple(tuple(text.split(" ")) if text else () for text in hypotheses),
        )
        for source, golds, hypotheses in marshal.loads(packed)
    ]
    return marshal.dumps(
        [
            [
                [(*count[:3], [tuple(edit) for edit in count.edits]) for count in counts]
                for counts in texts
            ]
            for texts in work(batch)
        ]
    )


def _count_batch(
    batch: Sequence[Item], *, unchanged: int, ignore_case_whitespace: bool, keep_edits: bool
) -> Counts:
    return [
        [
            count_golds(
                source,
                text,
                golds,
                unchanged=unchanged,
                ignore_case_whitespace=ignore_case_whitespace,
                keep_edits=keep_edits,
            )
            for text in texts
        ]
        for source, golds, texts in batch
    ]
