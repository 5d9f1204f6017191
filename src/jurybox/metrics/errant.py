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
a sentence is decided later (metrics/choice.py), so every pair gets its row.

The comparison is exact only if both sides come from ERRANT's own extraction
(metrics/extraction.py): other tools and people draw other boundaries around the same correction.
`EditTypes` recognises such edits by their types. And where corrections are compared, edits of type
UNK are dropped, so a file of UNK edits alone scores as if nothing were wrong with the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from jurybox.errors import (
    InputError,
    LengthError,
    explain_difference,
    same_tokens,
    unknown_name,
    warn,
)
from jurybox.formats import Input
from jurybox.metrics.options import NOT_COUNTED
from jurybox.model import Annotation, CountsTable, Edit, Sentence

TypeCounts = dict[str, tuple[int, int, int]]
Entries = dict[tuple[object, ...], list[str]]

#: the type of an error that was found, but has no correction
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
    unseen = 0
    for number, (hypothesis, reference) in enumerate(zip_longest(hypotheses, references), start=1):
        if hypothesis is None or reference is None:
            shorter, longer = names if hypothesis is None else reversed(names)
            raise LengthError(
                f"{longer} is longer than {shorter}: sentence {number} has no partner in "
                f"{shorter}, which ends after {number - 1}; both must annotate the same sentences "
                "in the same order"
            )
        if not same_tokens(hypothesis.tokens, reference.tokens, *names):
            difference = explain_difference(hypothesis.tokens, reference.tokens)
            raise InputError(
                f"sentence {number} of {names[0]} differs from {names[1]}: {difference}; "
                "both must annotate the same tokenised source"
            )
        rows = _count(hypothesis, reference, make_entries, by_type)
        if not reference.annotations:  # nothing can be compared
            unseen += 1
            rows = [PairCounts(*next(iter(pairs), ("0", "0")), 0, 0, 0)]
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
    # one name per pair: the reference's alone where there is only one hypothesis coder
    alone = len({coder for coder, _ in pairs}) == 1
    table.annotators = [coder if alone else f"{hyp}/{coder}" for hyp, coder in pairs]
    if documents and all(documents):
        table.documents = [document for document in documents if document]
    type_filter.warn_of_unused(names)
    if unseen:
        warn(f"{names[1]}: {unseen} of {len(table)} sentences {NOT_COUNTED}")
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
                warn(
                    f"no edit of type '{wanted}' was compared in {places[0]} or {places[1]} "
                    f"(types there: {met})"
                )


_KEYS: dict[str, Callable[[Edit], list[tuple[object, ...]]]] = {
    "correction": lambda edit: [(edit.start, edit.end, edit.replacement)],
    "correction-type": lambda edit: [(edit.start, edit.end, edit.type, edit.replacement)],
    "span": lambda edit: [(edit.start, edit.end)],
    "token": lambda edit: [(token,) for token in range(edit.start, max(edit.end, edit.start + 1))],
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
            if size != "any":
                # two or more tokens on either side
                is_multi = edit.end - edit.start >= 2 or len(edit.replacement.split()) >= 2
                if (size == "multi") != is_multi:
                    continue
            if type_filter.keeps(edit.type):
                for key in keys(edit):
                    entries.setdefault(key, []).append(edit.type)
        return entries

    return make_entries


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


OPERATIONS = ("M", "R", "U")
#: of ERRANT 2 and 3 for English (Bryant et al. 2017, table 2)
CATEGORIES = frozenset(
    (
        *("ADJ", "ADJ:FORM", "ADV", "CONJ", "CONTR", "DET", "MORPH"),
        *("NOUN", "NOUN:INFL", "NOUN:NUM", "NOUN:POSS", "ORTH", "OTHER", "PART", "PREP", "PRON"),
        *("PUNCT", "SPELL", "VERB", "VERB:FORM", "VERB:INFL", "VERB:SVA", "VERB:TENSE", "WO"),
    )
)
#: missing, redundant, substituted, out of order: ChERRANT for Chinese (Zhang et al. 2022)
CHERRANTS = ("M", "R", "S", "W")
#: types, and files, that a message lists
LISTED = 4


def is_errants(name: str, *, any_language: bool = False) -> bool:
    """Whether ERRANT gives edits this type; `any_language`: or a version for another language.

    >>> is_errants("R:NOUN:NUM"), is_errants("ArtOrDet"), is_errants("UNK")
    (True, False, False)
    >>> is_errants("R:ADP"), is_errants("R:ADP", any_language=True)
    (False, True)
    """
    operation, _, category = name.partition(":")
    if any_language and operation in CHERRANTS:
        return name == operation or category.replace(":", "").isupper()
    if operation not in OPERATIONS:
        return False
    return category in CATEGORIES or (any_language and category.replace(":", "").isupper())


class EditTypes:
    """The types in one gold or hypothesis, by annotator, and what is wrong with them.

    `place` is what messages call it; `files` are named in the command that repairs it. `extracted`
    says that the other side is extracted here, by ERRANT for English; if it is not, both files may
    be those of an ERRANT for another language.
    """

    def __init__(
        self, place: str, *, level: str, extracted: bool = False, files: Sequence[Input] = ()
    ) -> None:
        self.place = place
        self.drops = level.startswith("correction")
        self.extracted = extracted
        self.files = files
        self.by_annotator: dict[str, dict[str, int]] = {}
        #: whether there are corrections, not only marks on wrong tokens (labels of tokens)
        self.corrects = False

    def add(self, sentences: Iterable[Sentence]) -> EditTypes:
        """Count the edits of sentences."""
        for _ in self.watch(sentences):
            pass
        return self

    def watch(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The same sentences; their edits are counted as they pass."""
        for sentence in sentences:
            for annotation in sentence.annotations:
                if annotation.edits:
                    counts = self.by_annotator.setdefault(annotation.annotator, {})
                    for edit in annotation.edits:
                        counts[edit.type] = counts.get(edit.type, 0) + 1
                    self.corrects = self.corrects or any(
                        edit.replacement != " ".join(sentence.tokens[edit.start : edit.end])
                        for edit in annotation.edits
                    )
            yield sentence

    def refuse_dropped(self) -> None:
        """An annotator whose edits are all dropped would count as one who found no error."""
        if not self.drops:
            return
        lost = [
            name for name, counts in self.by_annotator.items() if counts.keys() == {UNCORRECTED}
        ]
        if not lost:
            return
        edits = sum(self.by_annotator[name][UNCORRECTED] for name in lost)
        who = "" if len(lost) == len(self.by_annotator) else f" of annotator {', '.join(lost)}"
        raise InputError(
            f"{self.place}: all {edits} edits{who} have type UNK, which ERRANT drops where "
            f"corrections are compared: nothing is left to score. {self._remedy()}, or compare "
            "only where the edits are, with --level span"
        )

    def warnings(self) -> list[str]:
        """A line for types that are not ERRANT's, and one for edits that are dropped."""
        types: dict[str, int] = {}
        for counts in self.by_annotator.values():
            for name, count in counts.items():
                types[name] = types.get(name, 0) + count
        total = sum(types.values())
        unknown = types.get(UNCORRECTED, 0)
        foreign = {
            name: count
            for name, count in types.items()
            if name != UNCORRECTED and not is_errants(name, any_language=not self.extracted)
        }
        lines = []
        if foreign or (self.corrects and total and unknown == total):
            common = sorted(foreign or types, key=lambda name: -types[name])
            listed = ", ".join(common[:LISTED]) + (" …" if len(common) > LISTED else "")
            lines.append(
                f"{self.place}: not extracted by ERRANT: {sum(foreign.values()) or unknown} of "
                f"{total} edits have other types than ERRANT's ({listed}). Other boundaries around "
                "the same correction count as wrong, so this is not the ERRANT score. "
                f"{self._remedy()}"
            )
        if self.drops and unknown:
            lines.append(
                f"{self.place}: {unknown} of {total} edits have type UNK and are dropped, because "
                f"corrections are compared{self._by_annotator()}; they count with --level span or "
                "token"
            )
        return lines

    def _by_annotator(self) -> str:
        if len(self.by_annotator) < 2:
            return ""
        shares = ", ".join(
            f"{name}: {counts[UNCORRECTED]} of {sum(counts.values())}"
            for name, counts in self.by_annotator.items()
            if UNCORRECTED in counts
        )
        return f" (annotator {shares})"

    def _remedy(self) -> str:
        paths = [file.path for file in self.files if not file.name.startswith("<")]
        named = " ".join(paths) if 0 < len(paths) <= LISTED else "FILE.m2"
        return (
            f"Extract the edits with ERRANT (jurybox convert {named} errant.m2 --reextract) or "
            "score with --metric m2"
        )
