"""The nouns of jurybox: frozen values with names, and the counts that matching leaves behind.

Edits: `Sentence` holds the tokens and one `Annotation` per candidate annotator; an annotation is
a tuple of `Edit`s in file order. (These are named tuples: a test set has tens of thousands of them,
and a frozen dataclass takes three times as long to make.) A `Panel` is many sentences and the order
of its annotators. Counts: `Counts` are addable; a `CountsTable` keeps them per sentence and
annotator, so that every score, interval and comparison re-adds them and never looks at text again.

Cases: a `CaseSet` holds `Case`s and says what they are; judgments and decisions about them are
columns (`JudgmentTable`, `DecisionTable`), for there can be millions.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Annotated, NamedTuple, SupportsIndex, overload

from jurybox.errors import InputError, count_noun, item_at, unknown_key

NOOP = "noop"
NOTHING = "-NONE-"  # how M2 writes an empty correction


class Edit(NamedTuple):
    """One correction: source tokens start..end (half-open) become `replacement`.

    `replacement` is kept as the file has it (ERRANT compares the raw string); `alternatives`
    reads it the way MaxMatch does.

    >>> Edit(start=3, end=4, replacement="The||-NONE-", type="ArtOrDet").alternatives
    ('The', '')
    """

    start: int
    end: int
    replacement: str
    type: str = "UNK"
    required: str = "REQUIRED"
    comment: str = NOTHING

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The corrections any of which is right, in file order; '' is a deletion."""
        if "||" not in self.replacement:
            return ("",) if self.replacement == NOTHING else (self.replacement,)
        return tuple("" if a == NOTHING else a for a in self.replacement.split("||"))


class Annotation(NamedTuple):
    """What one annotator did with one sentence; no edits means they left it as it is."""

    annotator: str
    edits: tuple[Edit, ...] = ()


class Sentence(NamedTuple):
    """One tokenised source sentence and its candidate annotations.

    `annotations` holds exactly the candidates: an annotator who is not in it did not look at
    this sentence. Where the format cannot tell (a sentence without any A line in M2) the reader
    puts in the candidate the format's rule asks for.
    """

    tokens: tuple[str, ...]
    annotations: tuple[Annotation, ...] = ()
    document: str | None = None
    paragraph: int | None = None

    @property
    def text(self) -> str:
        """The tokens joined by single spaces."""
        return " ".join(self.tokens)


@dataclass(frozen=True, slots=True, repr=False)
class Panel:
    """Many sentences judged by the same annotators, held in memory; files can also be streamed.

    `annotators` fixes the order in which ties between annotators are broken. `panel[3]` is a
    sentence, from 0; `panel["A1"]` is what an annotator did with each sentence, None where they
    did not look at it.

    >>> looked = Sentence(("It", "are"), (Annotation("A1", (Edit(1, 2, "is"),)),))
    >>> panel = Panel((looked, Sentence(("Yes",))), ("A1",))
    >>> panel, panel[1].text, [a and len(a.edits) for a in panel["A1"]]
    (Panel(1 annotator, 2 sentences), 'Yes', [1, None])
    """

    sentences: tuple[Sentence, ...]
    annotators: tuple[str, ...]
    name: str = "panel"

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @overload
    def __getitem__(self, place: SupportsIndex) -> Sentence: ...
    @overload
    def __getitem__(self, place: str) -> tuple[Annotation | None, ...]: ...

    def __getitem__(self, place: SupportsIndex | str) -> Sentence | tuple[Annotation | None, ...]:
        if not isinstance(place, str):
            return item_at(self.sentences, place, "sentence")
        if place not in self.annotators:
            raise unknown_key("annotator", place, self.annotators)
        return tuple(
            next((one for one in sentence.annotations if one.annotator == place), None)
            for sentence in self.sentences
        )

    def __contains__(self, item: object) -> bool:
        """Whether a sentence, or an annotator of this name, is in the panel."""
        return item in (self.annotators if isinstance(item, str) else self.sentences)

    def __repr__(self) -> str:
        people = count_noun(len(self.annotators), "annotator")
        return f"Panel({people}, {count_noun(len(self), 'sentence')})"


@dataclass(frozen=True, slots=True)
class Counts:
    """True and false positives and negatives; addable, whole or weighted.

    >>> Counts(tp=1, fp=2, fn=3) + Counts(tp=4)
    Counts(tp=5, fp=2, fn=3, tn=0)
    """

    tp: float = 0
    fp: float = 0
    fn: float = 0
    tn: float = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn
        )


EDIT_COLUMNS = ("tp", "fp", "fn")


@dataclass(slots=True, repr=False)
class CountsTable:
    """The counts of one system: for every sentence, one row per candidate annotator.

    Rows of sentence i are `starts[i]` to `starts[i + 1]`; `annotator[row]` indexes `annotators`;
    `values[column][row]` is the count. Plain arrays: small, no numpy needed to fill them, and
    numpy reads them without copying.

    >>> table = CountsTable(columns=("tp", "fp", "fn"), annotators=["0", "1"])
    >>> table.append([(0, (1, 0, 2)), (1, (0, 1, 0))])
    >>> len(table), list(table.rows(0)), list(table.values["fn"])
    (1, [0, 1], [2, 0])
    """

    columns: tuple[str, ...] = EDIT_COLUMNS
    annotators: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q", [0]))
    annotator: array[int] = field(default_factory=lambda: array("q"))
    values: dict[str, array[int]] = field(default_factory=dict)
    #: per row: {type: (tp, fp, fn)}; None unless counting by type was asked for
    by_type: list[dict[str, tuple[int, int, int]]] | None = None
    #: per sentence: the document it belongs to; None where the data has no documents
    documents: list[str] | None = None

    def __post_init__(self) -> None:
        for column in self.columns:
            self.values.setdefault(column, array("q"))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __repr__(self) -> str:
        people = count_noun(len(self.annotators), "annotator")
        return f"CountsTable({people}, {count_noun(len(self), 'sentence')})"

    def append(self, candidates: Iterable[tuple[int, Sequence[int]]]) -> None:
        """Add one sentence: (annotator index, values in the order of `columns`) per candidate."""
        rows = list(candidates)
        if rows:
            annotators, values = zip(*rows, strict=True)
            self.annotator.extend(annotators)
            by_column = zip(*values, strict=True)
            for column, numbers in zip(self.columns, by_column, strict=True):
                self.values[column].extend(numbers)
        self.starts.append(len(self.annotator))

    def rows(self, sentence: int) -> range:
        """The row numbers of one sentence's candidates."""
        return range(self.starts[sentence], self.starts[sentence + 1])

    def _without_rows(self, documents: list[str] | None) -> CountsTable:
        """A table of the same columns, which may take fewer than eight bytes a number."""
        values = {name: array(column.typecode) for name, column in self.values.items()}
        return CountsTable(
            self.columns,
            list(self.annotators),
            annotator=array(self.annotator.typecode),
            values=values,
            documents=documents,
        )

    def only(self, kept: Sequence[bool]) -> CountsTable:
        """The table with all other sentences emptied, so that they do not count.

        >>> table = CountsTable(annotators=["0"])
        >>> for tp in (1, 2):
        ...     table.append([(0, (tp, 0, 0))])
        >>> part = table.only([False, True])
        >>> len(part), list(part.rows(0)), list(part.values["tp"])
        (2, [], [2])
        """
        part = self._without_rows(self.documents)
        for sentence, keep in enumerate(kept):
            if keep:
                rows = slice(self.starts[sentence], self.starts[sentence + 1])
                part.annotator.extend(self.annotator[rows])
                for column in self.columns:
                    part.values[column].extend(self.values[column][rows])
            part.starts.append(len(part.annotator))
        return part

    def select(self, sentences: Iterable[int]) -> CountsTable:
        """The table of some sentences alone, in the order given.

        >>> table = CountsTable(annotators=["0"])
        >>> for tp in (1, 2, 3):
        ...     table.append([(0, (tp, 0, 0))])
        >>> list(table.select([2, 0]).values["tp"])
        [3, 1]
        """
        chosen = list(sentences)
        documents = None if self.documents is None else [self.documents[i] for i in chosen]
        by_type: list[dict[str, tuple[int, int, int]]] | None = None if self.by_type is None else []
        part = self._without_rows(documents)
        part.by_type = by_type
        for sentence in chosen:
            rows = slice(self.starts[sentence], self.starts[sentence + 1])
            part.annotator.extend(self.annotator[rows])
            for column in self.columns:
                part.values[column].extend(self.values[column][rows])
            if part.by_type is not None and self.by_type is not None:
                part.by_type.extend(self.by_type[rows])
            part.starts.append(len(part.annotator))
        return part


#: what a judge can call a case; a label's place here is its number in a `JudgmentTable`
LABELS = ("error", "ok", "unknown")
#: labels of trained raters (Tetreault and Chodorow 2008, section 5.1: 0, 1, 2, e), and what they
#: are where only errors count
TRAINED_LABELS = {"extraneous": "error", "wrong": "error", "correct": "ok", "equal": "ok"}
#: the bits of an answer that hold its label; the others hold the rater
LABEL_BITS = 8


class Case(NamedTuple):
    """One place in a writer's text that people judge and systems decide about.

    `start` to `end` are its tokens (half-open); where both are equal it is the position before
    that token, where something may be missing. A case with `gold` has known answers and takes no
    part in an evaluation. A `trivial` case was decided to be no error by a rule, before any
    judgment. `before` and `after` are the neighbouring sentences of its document, which raters
    may see (Tetreault and Chodorow 2008, section 5).
    """

    id: str
    sentence: str = ""
    start: int | None = None
    end: int | None = None
    written: str = ""
    construction: str = ""
    document: str | None = None
    gold: tuple[str, ...] = ()
    trivial: bool = False
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class CaseDescription:
    """What N consists of (Chodorow et al. 2012): no count can be read without it."""

    construction: Annotated[str, "The construction, or several joined by +."] = ""
    unit: Annotated[str, "What one case is."] = ""
    enumeration: Annotated[str, "How cases, and so negatives, were enumerated."] = ""
    trivial_rule: Annotated[
        str, "Which of them a rule decided before any judgment; empty: none."
    ] = ""
    error_rule: Annotated[str, "When a case is an error for an annotator."] = ""
    origin: Annotated[str, "Where the cases come from."] = ""


class NamedCases(Sequence[Case]):
    """Cases of which nothing is known but the ids, and the gold of some; made when asked for.

    A million judged cases are a million strings, not as many tuples.

    >>> cases = NamedCases(["c1", "c2"], {1: ("ok",)})
    >>> cases[1].gold, [case.id for case in cases], cases == (Case("c1"), Case("c2", gold=("ok",)))
    (('ok',), ['c1', 'c2'], True)
    """

    __slots__ = ("gold", "ids")

    def __init__(
        self, ids: Sequence[str], gold: Mapping[int, tuple[str, ...]] | None = None
    ) -> None:
        self.ids, self.gold = ids, dict(gold or {})

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Case: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Case, ...]: ...

    def __getitem__(self, place: int | slice) -> Case | tuple[Case, ...]:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(len(self.ids))[place])
        number = range(len(self.ids))[place]
        return Case(self.ids[number], gold=self.gold.get(number, ()))

    def __iter__(self) -> Iterator[Case]:
        return map(self.__getitem__, range(len(self.ids))) if self.gold else map(Case, self.ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedCases | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True, repr=False)
class CaseSet:
    """Cases, and what they are; `cases[0]` is the first, `cases["c1"]` that of this id.

    >>> cases = CaseSet((Case("c1"), Case("c2")))
    >>> cases, cases["c2"].id, [case.id for case in cases], "c3" in cases
    (CaseSet(2 cases), 'c2', ['c1', 'c2'], False)
    """

    cases: Sequence[Case]
    description: CaseDescription = CaseDescription()

    @property
    def is_bare(self) -> bool:
        """Whether no case has anything but its id, and perhaps gold."""
        return isinstance(self.cases, NamedCases)

    @property
    def ids(self) -> Sequence[str]:
        """The cases' ids, without making cases of which nothing else is known."""
        cases = self.cases
        return cases.ids if isinstance(cases, NamedCases) else [case.id for case in cases]

    @property
    def gold(self) -> dict[int, tuple[str, ...]]:
        """The labels known to be right, by the places of the cases that have some."""
        cases = self.cases
        if isinstance(cases, NamedCases):
            return cases.gold
        return {place: case.gold for place, case in enumerate(cases) if case.gold}

    def with_gold(self, gold: Mapping[int, tuple[str, ...]]) -> CaseSet:
        """The same cases with other gold labels where `gold`, by place, has some."""
        if not gold:
            return self
        if isinstance(self.cases, NamedCases):
            known = NamedCases(self.cases.ids, {**self.cases.gold, **gold})
            return CaseSet(known, self.description)
        cases = list(self.cases)
        for place, labels in gold.items():
            cases[place] = cases[place]._replace(gold=labels)
        return CaseSet(tuple(cases), self.description)

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def __getitem__(self, place: SupportsIndex | str) -> Case:
        if not isinstance(place, str):
            return item_at(self.cases, place, "case")
        found = next((case for case in self.cases if case.id == place), None)
        if found is None:
            raise unknown_key("case", place, (case.id for case in self.cases))
        return found

    def __contains__(self, item: object) -> bool:
        """Whether a case, or one of this id, is in the set."""
        if isinstance(item, str):
            return any(case.id == item for case in self.cases)
        return item in self.cases

    def __repr__(self) -> str:
        return f"CaseSet({count_noun(len(self), 'case')})"


@dataclass(slots=True, repr=False)
class JudgmentTable:
    """Judgments as columns, 8 bytes each; whatever else was given stands in columns of its own.

    `case[i]` is a place in the case set, `answer[i]` the rater's number, shifted by `LABEL_BITS`,
    and the label's. `correction[i]` is a place in `corrections`, which holds every set of equally
    good corrections once; the first is the empty one.

    >>> table = JudgmentTable()
    >>> table.append(0, "Ann", "error", ("at",))
    >>> table.append(0, "Bob", "ok")
    >>> [(table.raters[a >> LABEL_BITS], table.labels[a & 255]) for a in table.answer]
    [('Ann', 'error'), ('Bob', 'ok')]
    """

    raters: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=lambda: list(LABELS))
    case: array[int] = field(default_factory=lambda: array("I"))
    answer: array[int] = field(default_factory=lambda: array("I"))
    corrections: list[tuple[str, ...]] = field(default_factory=lambda: [()])
    correction: array[int] | None = None
    kinds: list[str] | None = None  # per rater: human or model; None: all human
    flagged: list[bool] | None = None  # per rater: whether a server flagged them; None: nobody

    def __len__(self) -> int:
        return len(self.case)

    def __repr__(self) -> str:
        judgments, raters = len(self.case), len(self.raters)
        return f"JudgmentTable({count_noun(judgments, 'judgment')}, {count_noun(raters, 'rater')})"

    def append(self, case: int, rater: str, label: str, corrections: tuple[str, ...] = ()) -> None:
        """Add one judgment; readers of large files fill the columns themselves."""
        if rater not in self.raters:
            self.raters.append(rater)
        number = self.raters.index(rater) << LABEL_BITS | self.labels.index(label)
        if corrections and self.correction is None:
            self.correction = array("I", bytes(4 * len(self.case)))
        self.case.append(case)
        self.answer.append(number)
        if self.correction is not None:
            if corrections not in self.corrections:
                self.corrections.append(corrections)
            self.correction.append(self.corrections.index(corrections))


@dataclass(slots=True, repr=False)
class DecisionTable:
    """One system's decisions, one per case of a case set, in its order."""

    name: str
    label: array[int] = field(default_factory=lambda: array("b"))  # 1 error, 0 ok, -1 missing
    score: array[float] | None = None  # larger: more of an error; nan where missing
    suggestion: list[str | None] | None = None  # what the system would put there

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        errors = count_noun(self.label.count(1), "error")
        return f"DecisionTable('{self.name}', {count_noun(len(self), 'decision')}, {errors})"

    def only(self, kept: Sequence[bool]) -> DecisionTable:
        """The decisions on some of the cases.

        >>> DecisionTable("mine", array("b", [1, 0, 1])).only([True, True, False])
        DecisionTable('mine', 2 decisions, 1 error)
        """
        return DecisionTable(
            self.name,
            array("b", compress(self.label, kept)),
            None if self.score is None else array("d", compress(self.score, kept)),
            None if self.suggestion is None else list(compress(self.suggestion, kept)),
        )


def apply_edits(tokens: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """The corrected tokens: edits applied left to right, the first alternative of each.

    Order is (start, end), ties in file order; each edit acts at its span shifted by what earlier
    edits added or removed, so edits that share a span or overlap are applied one after another,
    as in the ten-annotator study of Bryant and Ng (2015).

    >>> apply_edits("The cat sat at mat .".split(), [Edit(3, 4, "on"), Edit(4, 4, "the||a")])
    ['The', 'cat', 'sat', 'on', 'the', 'mat', '.']
    """
    corrected = list(tokens)
    shift = 0
    try:
        in_order = sorted(edits, key=lambda e: (e.start, e.end))
    except (AttributeError, TypeError):
        raise InputError("edits are a list of jb.Edit, as [jb.Edit(1, 2, 'is')]") from None
    for edit in in_order:
        replacement = edit.alternatives[0].split()
        corrected[max(0, edit.start + shift) : max(0, edit.end + shift)] = replacement
        shift += len(replacement) - (edit.end - edit.start)
    return corrected
