"""ERRANT comparison: typed edits of a hypothesis against typed edits of a reference.

The rules are those of `errant_compare` (Bryant, Felice and Briscoe 2017; ERRANT is MIT licensed).
Both sides are sentences whose edits are already extracted: no text is aligned here. Edits are put
under keys; what a key holds depends on the level:

    correction        (start, end, correction)         errant_compare -cs, the default
    correction-type   (start, end, type, correction)   -cse
    span              (start, end)                     -ds, detection
    token             one key per token touched        -dt, detection; an insertion belongs to the
                                                       token on its right

A correction is compared as the raw string of the file. Edits of type UNK say that something is
wrong but not what would be right: they count for detection only. Which pair of coders counts in
a sentence is decided later (edits/choice.py), so every pair gets its row.

edits/extraction.py asks the errant package itself for the edits between two texts.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from jurybox.errors import (
    InputError,
    JuryboxWarning,
    LengthError,
    unknown_name,
)
from jurybox.model import Annotation, CountsTable, Edit, Sentence

TypeCounts = dict[str, tuple[int, int, int]]
Entries = dict[tuple[object, ...], list[str]]

UNCORRECTED = "UNK"
SIZES = ("any", "single", "multi")
TIERS = ("full", "category", "operation")


class PairCounts(NamedTuple):
    """One hypothesis coder against one reference coder, in one sentence."""

    hypothesis: str
    reference: str
    tp: int
    fp: int
    fn: int
    #: {type: (tp, fp, fn)} where asked for
    by_type: TypeCounts | None = None


def count(
    hypothesis: Sentence,
    reference: Sentence,
    *,
    level: str = "correction",
    types: Iterable[str] | None = None,
    size: str = "any",
    by_type: bool = False,
) -> list[PairCounts]:
    """Compare every hypothesis coder (outer) with every reference coder (inner), in order.

    A key both sides have adds the *reference's* edits under it to tp; a key of one side alone
    adds that side's edits to fp or fn. Per type, tp and fn go by the reference's types, fp by the
    hypothesis's. `types` keeps only edits of these types (see `selects`), `size` only "single"
    or "multi"-token ones, on both sides.

    >>> tokens = ("The", "cat", "sit", "on", "mat")
    >>> hyp = Sentence(tokens, (Annotation("0", (Edit(2, 3, "sat", "R:VERB"),)),))
    >>> ref = Sentence(tokens, (Annotation("0", (Edit(2, 3, "sits", "R:VERB:SVA"),)),))
    >>> [(pair.tp, pair.fp, pair.fn) for pair in count(hyp, ref)]
    [(0, 1, 1)]
    >>> [(pair.tp, pair.fp, pair.fn) for pair in count(hyp, ref, level="span")]
    [(1, 0, 0)]
    """
    return _count(hypothesis, reference, _entry_maker(level, size, TypeFilter(types)), by_type)


def count_table(
    hypotheses: Iterable[Sentence],
    references: Iterable[Sentence],
    *,
    level: str = "correction",
    types: Iterable[str] | None = None,
    size: str = "any",
    by_type: bool = False,
    names: tuple[str, str] = ("the hypothesis", "the reference"),
) -> CountsTable:
    """Fill a table from two parallel streams, one row per pair of coders.

    A row is named after the reference's coder, or "hypothesis/reference" where the hypothesis has
    several coders. `names` are what error messages call the two sides.

    >>> sentence = Sentence(("Hi",), (Annotation("0"), Annotation("1", (Edit(0, 1, "Ho"),))))
    >>> table = count_table([sentence], [sentence], level="span")
    >>> table.annotators, list(table.values["tp"])
    (['0/0', '0/1', '1/0', '1/1'], [0, 0, 0, 1])
    """
    type_filter = TypeFilter(types)
    make_entries = _entry_maker(level, size, type_filter)
    table = CountsTable(by_type=[] if by_type else None)
    pairs: dict[tuple[str, str], int] = {}
    documents: list[str | None] = []
    for number, (hypothesis, reference) in enumerate(zip_longest(hypotheses, references), start=1):
        if hypothesis is None or reference is None:
            raise _length_error(number, hypothesis is None, names)
        if hypothesis.tokens != reference.tokens:
            raise _source_error(number, hypothesis, reference, names)
        rows = _count(hypothesis, reference, make_entries, by_type)
        table.append(
            (
                pairs.setdefault((row.hypothesis, row.reference), len(pairs)),
                (row.tp, row.fp, row.fn),
            )
            for row in rows
        )
        if table.by_type is not None:
            table.by_type.extend(row.by_type or {} for row in rows)
        documents.append(reference.document or hypothesis.document)
    table.annotators = _pair_names(pairs)
    if documents and all(documents):
        table.documents = [document for document in documents if document]
    type_filter.warn_of_unused(names)
    return table


def group_types(by_type: Mapping[str, Sequence[int]], tier: str = "full") -> TypeCounts:
    """Add up counts per type by operation (M, R, U), by category (NOUN:NUM) or not at all.

    These are errant_compare's tiers -cat 1, 2 and 3. A type without an operation, such as UNK or
    those of CoNLL, stays as it is.

    >>> group_types({"R:NOUN": (1, 0, 2), "M:NOUN": (0, 3, 0), "UNK": (0, 0, 1)}, "category")
    {'NOUN': (1, 3, 2), 'UNK': (0, 0, 1)}
    """
    if tier not in TIERS:
        raise unknown_name("tier", tier, TIERS)
    grouped: TypeCounts = {}
    for name, (tp, fp, fn) in by_type.items():
        operation, category = split_type(name)
        group = {"full": name, "category": category, "operation": operation}[tier]
        before = grouped.get(group, (0, 0, 0))
        grouped[group] = (before[0] + tp, before[1] + fp, before[2] + fn)
    return grouped


def split_type(name: str) -> tuple[str, str]:
    """Operation and category of an ERRANT type; any other type is both.

    >>> split_type("R:NOUN:NUM"), split_type("Prep")
    (('R', 'NOUN:NUM'), ('Prep', 'Prep'))
    """
    if name[:2] in ("M:", "R:", "U:"):
        return name[0], name[2:]
    return name, name


def selects(wanted: str, name: str) -> bool:
    """Whether the name someone asked for covers the type of an edit.

    It does if it is the whole type (R:NOUN:NUM, Prep), its category (NOUN:NUM) or its operation
    (R); with a colon at its end it also covers everything below.

    >>> [selects(wanted, "R:NOUN:NUM") for wanted in ("NOUN:NUM", "R", "NOUN:", "R:NOUN:")]
    [True, True, True, True]
    >>> selects("NOUN", "R:NOUN:NUM"), selects("NOUN", "U:NOUN")
    (False, True)
    """
    operation, category = split_type(name)
    if wanted in (name, category, operation):
        return True
    return wanted.endswith(":") and (
        f"{name}:".startswith(wanted) or f"{category}:".startswith(wanted)
    )


class TypeFilter:
    """Keeps the types asked for, all if None, and remembers which types it met."""

    def __init__(self, wanted: Iterable[str] | None) -> None:
        self.wanted = None if wanted is None else tuple(wanted)
        self._met: dict[str, bool] = {}

    def keeps(self, name: str) -> bool:
        if self.wanted is None:
            return True
        if name not in self._met:
            self._met[name] = any(selects(wanted, name) for wanted in self.wanted)
        return self._met[name]

    def warn_of_unused(self, places: tuple[str, str]) -> None:
        """A mistyped name would keep nothing and look like a perfect score."""
        for wanted in self.wanted or ():
            if not any(selects(wanted, name) for name in self._met):
                met = ", ".join(sorted(self._met)) or "none"
                warnings.warn(
                    f"no edit of type '{wanted}' was compared in {places[0]} or {places[1]} "
                    f"(types there: {met})",
                    JuryboxWarning,
                    stacklevel=3,
                )


def _correction_keys(edit: Edit) -> list[tuple[object, ...]]:
    return [(edit.start, edit.end, edit.replacement)]


def _correction_type_keys(edit: Edit) -> list[tuple[object, ...]]:
    return [(edit.start, edit.end, edit.type, edit.replacement)]


def _span_keys(edit: Edit) -> list[tuple[object, ...]]:
    return [(edit.start, edit.end)]


def _token_keys(edit: Edit) -> list[tuple[object, ...]]:
    return [(token,) for token in range(edit.start, max(edit.end, edit.start + 1))]


_KEYS: dict[str, Callable[[Edit], list[tuple[object, ...]]]] = {
    "correction": _correction_keys,
    "correction-type": _correction_type_keys,
    "span": _span_keys,
    "token": _token_keys,
}
LEVELS = tuple(_KEYS)


def _entry_maker(level: str, size: str, type_filter: TypeFilter) -> Callable[[Annotation], Entries]:
    """The function that sorts one coder's edits under their keys: {key: types of its edits}."""
    if level not in _KEYS:
        raise unknown_name("level", level, LEVELS)
    if size not in SIZES:
        raise unknown_name("size", size, SIZES)
    keys = _KEYS[level]
    needs_correction = level.startswith("correction")

    def make_entries(annotation: Annotation) -> Entries:
        entries: Entries = {}
        for edit in annotation.edits:
            if needs_correction and edit.type == UNCORRECTED:
                continue
            if size != "any" and (size == "multi") != _is_multi(edit):
                continue
            if type_filter.keeps(edit.type):
                for key in keys(edit):
                    entries.setdefault(key, []).append(edit.type)
        return entries

    return make_entries


def _is_multi(edit: Edit) -> bool:
    """Two or more tokens on either side."""
    return edit.end - edit.start >= 2 or len(edit.replacement.split()) >= 2


def _candidates(sentence: Sentence) -> tuple[Annotation, ...]:
    """The coders; a sentence nobody annotated is one that coder 0 left as it is, as in M2."""
    return sentence.annotations or (Annotation("0"),)


def _count(
    hypothesis: Sentence,
    reference: Sentence,
    make_entries: Callable[[Annotation], Entries],
    by_type: bool,
) -> list[PairCounts]:
    references = [(coder.annotator, make_entries(coder)) for coder in _candidates(reference)]
    rows = []
    for coder in _candidates(hypothesis):
        proposed = make_entries(coder)
        for name, gold in references:
            hits, wrong, missed = _compare(proposed, gold)
            types = _tally(hits, wrong, missed) if by_type else None
            rows.append(
                PairCounts(coder.annotator, name, len(hits), len(wrong), len(missed), types)
            )
    return rows


def _compare(proposed: Entries, gold: Entries) -> tuple[list[str], list[str], list[str]]:
    """The types of the edits found, of those wrongly proposed and of those missed."""
    hits: list[str] = []
    wrong: list[str] = []
    for key, types in proposed.items():
        if key in gold:
            hits += gold[key]
        else:
            wrong += types
    missed = [name for key, types in gold.items() if key not in proposed for name in types]
    return hits, wrong, missed


def _tally(hits: list[str], wrong: list[str], missed: list[str]) -> TypeCounts:
    names = dict.fromkeys(hits + wrong + missed)
    return {name: (hits.count(name), wrong.count(name), missed.count(name)) for name in names}


def _pair_names(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """One name per pair: the reference's alone where there is only one hypothesis coder."""
    pairs = list(pairs)
    if len({hypothesis for hypothesis, _ in pairs}) == 1:
        return [reference for _, reference in pairs]
    return [f"{hypothesis}/{reference}" for hypothesis, reference in pairs]


def _length_error(number: int, hypothesis_ended: bool, names: tuple[str, str]) -> LengthError:
    shorter, longer = names if hypothesis_ended else reversed(names)
    return LengthError(
        f"{longer} is longer than {shorter}: sentence {number} has no partner in {shorter}, which "
        f"ends after {number - 1}; both must annotate the same sentences in the same order"
    )


def _source_error(
    number: int, hypothesis: Sentence, reference: Sentence, names: tuple[str, str]
) -> InputError:
    pairs = zip_longest(hypothesis.tokens, reference.tokens, fillvalue="(end of sentence)")
    place, ours, theirs = next((i, a, b) for i, (a, b) in enumerate(pairs) if a != b)
    return InputError(
        f"sentence {number}: token {place} is '{ours}' in {names[0]} but '{theirs}' in {names[1]}; "
        "both must annotate the same tokenised source"
    )
