"""Counts of systems against a panel: matching is done here, once, and nowhere else."""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from jurybox.api.checks import OutputCheck
from jurybox.api.inputs import System, lockstep, place_of_panel, read_sentences, read_tokens
from jurybox.api.options import Options
from jurybox.edits.bestpath import Gold
from jurybox.edits.maxmatch import FoundEdit, SentenceCount, as_gold, count_by_type, count_golds
from jurybox.engine.local import in_batches, map_batches
from jurybox.errors import FormatError
from jurybox.formats import Input, PanelStream, text
from jurybox.formats.panel import with_documents
from jurybox.model import Annotation, CountsTable, Panel, Sentence, apply_edits

Tokens = tuple[str, ...]
#: told how many more sentences are done, and 0 when all are and resampling begins
Progress = Callable[[int], None]


class Matched(NamedTuple):
    """One sentence of one system, with the edits found for each candidate annotator."""

    sentence: Sentence
    hypothesis: Tokens
    counts: tuple[SentenceCount, ...]


class Counted:
    """The counts of one system and what was noticed on the way."""

    def __init__(self, name: str, table: CountsTable, check: OutputCheck) -> None:
        self.name = name
        self.table = table
        self.check = check
        self.matched: list[Matched] = []  # where edits are kept, for the view per sentence


def count_maxmatch(
    systems: Sequence[System],
    panel: Panel | PanelStream,
    options: Options,
    *,
    source: Sequence[str] | Input | None = None,
    by_type: bool = False,
    keep_edits: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Counted]:
    """MaxMatch counts of all systems in one pass over the panel."""
    counted = [
        Counted(s.name, CountsTable(by_type=[] if by_type else None), OutputCheck(s.place))
        for s in systems
    ]
    work = partial(
        _count_batch,
        unchanged=options.max_unchanged_words,
        ignore_case_whitespace=options.ignore_case_whitespace,
        keep_edits=by_type or keep_edits,
    )
    rows: deque[tuple[Sentence, tuple[Tokens, ...]]] = deque()  # under way, in order

    def items() -> Iterator[Item]:
        for sentence, hypotheses in _rows(systems, panel, options, source):
            rows.append((sentence, hypotheses))
            golds = [as_gold(annotation.edits) for annotation in sentence.annotations]
            yield sentence.tokens, golds, hypotheses

    numbers: dict[str, int] = {}
    documents: list[str | None] = []
    for results in _map_counts(work, in_batches(items()), jobs):
        for counts_of_systems in results:
            sentence, hypotheses = rows.popleft()
            documents.append(sentence.document)
            names = [numbers.setdefault(a.annotator, len(numbers)) for a in sentence.annotations]
            for one, hypothesis, counts in zip(counted, hypotheses, counts_of_systems, strict=True):
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
        _name_annotators(one.table, numbers, panel.annotators)
        _set_documents(one.table, documents)
    return counted


def _rows(
    systems: Sequence[System],
    panel: Panel | PanelStream,
    options: Options,
    source: Sequence[str] | Input | None,
) -> Iterator[tuple[Sentence, tuple[Tokens, ...]]]:
    """Every sentence with all systems' hypotheses, checked against the source where given."""
    streams: list[tuple[str, Iterator[Any]]] = [(place_of_panel(panel), iter(panel))]
    streams += [(s.place, read_tokens(s, tokenized=not options.tokenize)) for s in systems]
    if source is not None:
        name = source.name if isinstance(source, Input) else "the source"
        lines = text.read(source) if isinstance(source, Input) else source
        streams.append((name, iter(lines)))
    for number, row in enumerate(lockstep(streams), 1):
        sentence: Sentence = row[0]
        if source is not None and tuple(row[-1].split()) != sentence.tokens:
            raise FormatError(
                f"is not sentence {number} of {streams[0][0]}: {_difference(row[-1], sentence)}; "
                "score against the gold file that was made from this source",
                path=streams[-1][0],
                line=number,
            )
        yield sentence, row[1 : 1 + len(systems)]


def _difference(line: str, sentence: Sentence) -> str:
    tokens = line.split()
    for place, (ours, theirs) in enumerate(zip(tokens, sentence.tokens, strict=False), 1):
        if ours != theirs:
            return f"token {place} is '{ours}', there '{theirs}'"
    return f"it has {len(tokens)} tokens, there {len(sentence.tokens)}"


#: what matching needs of a sentence and nothing else, for it may go to another process
Item = tuple[Tokens, list[list[Gold]], tuple[Tokens, ...]]
Counts = list[list[list[SentenceCount]]]  # [sentence][system][annotator]


def _map_counts(
    work: Callable[[Sequence[Item]], Counts], batches: Iterable[Sequence[Item]], jobs: int
) -> Iterator[Counts]:
    """The counts of every batch, by other processes where there are several jobs.

    Matching takes less than a tenth of a millisecond a sentence, so passing sentences on must be
    cheaper still: `marshal` knows only plain values but is several times as fast as pickling.
    """
    if jobs == 1:
        yield from map(work, batches)
        return
    packed = map_batches(partial(_count_packed, work), map(_pack, batches), jobs=jobs)
    for results in packed:
        yield [
            [
                [
                    SentenceCount(tp, fp, fn, tuple(FoundEdit(*edit) for edit in edits))
                    for tp, fp, fn, edits in annotators
                ]
                for annotators in systems
            ]
            for systems in marshal.loads(results)
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
            [[Gold(*edit) for edit in gold] for gold in golds],
            tuple(tuple(text.split(" ")) if text else () for text in hypotheses),
        )
        for source, golds, hypotheses in marshal.loads(packed)
    ]
    return marshal.dumps(
        [
            [
                [
                    (count.tp, count.fp, count.fn, [tuple(edit) for edit in count.edits])
                    for count in annotators
                ]
                for annotators in systems
            ]
            for systems in work(batch)
        ]
    )


def _count_batch(
    batch: Sequence[Item], *, unchanged: int, ignore_case_whitespace: bool, keep_edits: bool
) -> Counts:
    return [
        [
            count_golds(
                source,
                hypothesis,
                golds,
                unchanged=unchanged,
                ignore_case_whitespace=ignore_case_whitespace,
                keep_edits=keep_edits,
            )
            for hypothesis in hypotheses
        ]
        for source, golds, hypotheses in batch
    ]


def _name_annotators(table: CountsTable, numbers: dict[str, int], order: Sequence[str]) -> None:
    """Number annotators in tie-break order, which a stream knows only at its end."""
    present = [name for name in order if name in numbers]
    table.annotators = present
    new_number = {numbers[name]: place for place, name in enumerate(present)}
    if any(old != new for old, new in new_number.items()):
        for row, old in enumerate(table.annotator):
            table.annotator[row] = new_number[old]


def _set_documents(table: CountsTable, documents: Sequence[str | None]) -> None:
    known = [document for document in documents if document is not None]
    if known and len(known) == len(documents):
        table.documents = known


def count_errant(
    systems: Sequence[System],
    panel: Panel | PanelStream,
    options: Options,
    *,
    by_type: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Counted]:
    """ERRANT counts; a hypothesis in plain text is turned into typed edits by errant itself."""
    from jurybox.edits import errant

    if len(systems) > 1 and isinstance(panel, PanelStream):
        for given in panel.inputs:
            given.keep()
    counted = []
    for system in systems:
        check = OutputCheck(system.place)
        if system.format == "text":
            hypotheses = _extracted(system, panel, options, check, jobs)
        else:
            hypotheses = _looked_at(read_sentences(system), check, options)
        table = errant.count_table(
            _told(hypotheses, progress),
            panel,
            level=options.level,
            types=options.types,
            size=options.size,
            by_type=by_type,
            names=(system.place, place_of_panel(panel)),
        )
        counted.append(Counted(system.name, table, check))
    return counted


def _told(sentences: Iterable[Sentence], progress: Progress | None) -> Iterator[Sentence]:
    for sentence in sentences:
        yield sentence
        if progress is not None:
            progress(1)


def _looked_at(
    sentences: Iterable[Sentence], check: OutputCheck, options: Options
) -> Iterator[Sentence]:
    """Count sentences, and the edits that comparing corrections will leave out."""
    untyped = options.level.startswith("correction")
    for sentence in sentences:
        check.sentences += 1
        if untyped:
            edits = [edit for annotation in sentence.annotations for edit in annotation.edits]
            check.left_out += sum(edit.type == "UNK" for edit in edits)
        yield sentence


def _extracted(
    system: System,
    panel: Panel | PanelStream,
    options: Options,
    check: OutputCheck,
    jobs: int,
) -> Iterator[Sentence]:
    """The hypothesis as typed edits: spaCy takes its time, so this runs on all jobs."""
    from jurybox.edits.errant import load_errant

    if isinstance(panel, PanelStream):
        for given in panel.inputs:
            given.keep()  # the panel is read twice: here for its source sentences
    load_errant()  # says what to install before any work is done
    tokens = read_tokens(system, tokenized=not options.tokenize)
    pairs: Iterator[tuple[Any, ...]] = lockstep(
        [(place_of_panel(panel), iter(panel)), (system.place, tokens)]
    )

    def checked() -> Iterator[tuple[Sentence, Tokens]]:
        for sentence, hypothesis in pairs:
            check.look(sentence.tokens, hypothesis)
            yield sentence, hypothesis

    batches = map_batches(_extract_batch, in_batches(checked(), 100), jobs=jobs)
    return chain.from_iterable(batches)


def _extract_batch(batch: Sequence[tuple[Sentence, Tokens]]) -> list[Sentence]:
    from jurybox.edits.errant import extract

    return [
        Sentence(
            sentence.tokens,
            (Annotation("0", extract(sentence.tokens, hypothesis)),),
            sentence.document,
        )
        for sentence, hypothesis in batch
    ]


def count_gleu(
    systems: Sequence[System],
    options: Options,
    *,
    source: Sequence[str] | Input | None,
    refs: Sequence[Sequence[str] | Input],
    panel: Panel | PanelStream | None = None,
    documents: Any = None,
    progress: Progress | None = None,
) -> list[Counted]:
    """GLEU statistics against reference files, or against a panel's corrected texts."""
    from jurybox.edits import gleu

    for given in (source, *refs, *(panel.inputs if isinstance(panel, PanelStream) else ())):
        if isinstance(given, Input):
            given.keep()
    counted = []
    for system in systems:
        check = OutputCheck(system.place)
        table = CountsTable(columns=gleu.COLUMNS)
        known: list[str | None] = []
        rows = _gleu_rows(system, options, source, refs, panel, documents=documents)
        for sentence, hypothesis, references in rows:
            check.look(sentence.tokens, hypothesis)
            names = [a.annotator for a in sentence.annotations]
            table.annotators += [name for name in names if name not in table.annotators]
            counts = gleu.count(sentence.tokens, hypothesis, references)
            table.append(
                (table.annotators.index(name), row) for name, row in zip(names, counts, strict=True)
            )
            known.append(sentence.document)
            if progress is not None:
                progress(1)
        _set_documents(table, known)
        counted.append(Counted(system.name, table, check))
    return counted


def _gleu_rows(
    system: System,
    options: Options,
    source: Sequence[str] | Input | None,
    refs: Sequence[Sequence[str] | Input],
    panel: Panel | PanelStream | None,
    *,
    documents: Any,
) -> Iterator[tuple[Sentence, Tokens, list[list[str]]]]:
    """Source sentence, hypothesis and references, whichever way they were given."""
    hypothesis = (system.place, read_tokens(system, tokenized=not options.tokenize))
    if panel is not None:
        streams: list[tuple[str, Iterator[Any]]] = [
            (place_of_panel(panel), iter(panel)),
            hypothesis,
        ]
        for sentence, tokens in lockstep(streams):
            corrected = [apply_edits(sentence.tokens, a.edits) for a in sentence.annotations]
            yield sentence, tokens, corrected
        return
    named = [
        ("the source" if i == 0 else f"reference {i - 1}", one)
        for i, one in enumerate((source, *refs))
    ]
    streams = [
        (one.name, text.read(one)) if isinstance(one, Input) else (name, iter(one or ()))
        for name, one in named
    ]
    annotations = tuple(Annotation(name) for name, _ in streams[1:])
    origin, *references = streams
    name, lines = origin
    sentences: Iterator[Sentence] = (Sentence(tuple(line.split()), annotations) for line in lines)
    if documents is not None:
        sentences = with_documents(sentences, documents, name)
    streams = [(name, sentences), *references, hypothesis]
    for sentence, *versions, tokens in lockstep(streams):
        yield sentence, tokens, [version.split() for version in versions]
