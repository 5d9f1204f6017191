"""Writer, annotator, system: counts of correction (Chodorow et al. 2012, Figure 4).

Where the system reports a case that a judge calls an error too, detection is right whatever either
would put there. Correction is right only if the system's suggestion is one of the judge's
corrections. If it is another (X Y Z: all three differ), that is a false positive and a false
negative at once (footnote 2 of the paper), so the counts of correction do not sum to N and there is
no true negative among them. Where the system made no suggestion or the judge gave no correction
nothing can be compared: that is `uncomparable`, in none of the other counts.

With several judges every judge is counted alone and a case is the mean of its judges; or the counts
of each judge are averaged (`average_judges`); or, plain, the case is what the majority says of it.
Suggestions and corrections are compared case-sensitively, runs of white space as one blank.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import LengthError
from jurybox.jury.votes import (
    ERROR,
    BoolArray,
    FloatArray,
    LabelArray,
    Sizes,
    VoteArray,
    Votes,
    check_lengths,
    judgment_blocks,
)
from jurybox.jury.weighted import TruthArray, contributions
from jurybox.metrics.measures import total
from jurybox.model import Counts, JudgmentTable
from jurybox.records import Limits, Share, computed

CodeArray = NDArray[np.int64]
#: the code of a case for which the system suggests nothing
NO_SUGGESTION = -1


Amount = Annotated[float, Limits(minimum=0)]


class CorrectionCounts(NamedTuple):
    """Counts of correction; they do not sum to n. Fractions where they are means over judges."""

    tp: Amount = 0
    fp: Amount = 0
    fn: Amount = 0
    xyz: Annotated[
        Amount, "Cases where writer, judges and system all differ, in fp and fn of correction."
    ] = 0
    uncomparable: Annotated[
        Amount,
        "Cases found without suggestion or correction to compare; in no count of correction.",
    ] = 0


class Comparison(NamedTuple):
    """Of the judges who call a reported case an error: how many want what the system suggests.

    Whole numbers per case; 0 where the system reports no error.
    """

    same: VoteArray
    different: VoteArray
    uncomparable: VoteArray


class TextAccuracy(NamedTuple):
    """Accuracy of the text at the cases, before and after a system's corrections.

    The share of cases with the right words (Rozovskaya and Roth 2010, 2011; Chodorow et al. 2012,
    section 3.4). Before correction it is the accuracy of always OK.
    """

    n: Annotated[Amount, "Cases counted."]
    errors: Annotated[Amount, "Cases that are wrong before correction."]
    fixed: Annotated[Amount, "Errors that the system makes right (X Y Y)."]
    broken: Annotated[Amount, "Right cases that the system changes (X X Y)."]
    uncomparable: Annotated[
        Amount,
        "Errors that the system changes where there are no words to compare; they count as wrong.",
    ] = 0

    @computed
    def before(self) -> Annotated[Share, "Share of cases that are right in the writer's text."]:
        return 1 - self.errors / self.n if self.n else nan

    @computed
    def after(self) -> Annotated[Share, "Share of cases that are right in the system's text."]:
        return self.before + self.change

    @computed
    def change(self) -> Annotated[float, "After less before: fixed less broken, per case."]:
        return (self.fixed - self.broken) / self.n if self.n else nan


def text_accuracy(
    detection: Counts, correction: CorrectionCounts, *, binary: bool = False
) -> TextAccuracy:
    """How many cases are right before and after correction, by the counts of both.

    An error that becomes another one (X Y Z) is wrong before and after. Where a construction is
    there or not (`binary`), finding an error is correcting it.

    >>> found = text_accuracy(Counts(tp=7, fp=3, fn=6, tn=84), CorrectionCounts(tp=6, xyz=1))
    >>> round(found.before, 2), round(found.after, 2)
    (0.87, 0.9)
    """
    fixed, unknown = (detection.tp, 0) if binary else (correction.tp, correction.uncomparable)
    errors = detection.tp + detection.fn
    return TextAccuracy(total(detection), errors, fixed, detection.fp, unknown)


class JudgeMean(NamedTuple):
    """Every judge alone as the annotator, on the cases they judged: the mean of their counts."""

    judges: Annotated[int, "Those who decided some of the cases that the system decided."]
    detection: Counts
    correction: CorrectionCounts


class Cell(NamedTuple):
    """One of the eight cells of Figure 3 of Chodorow et al. (2012)."""

    system: Annotated[bool, "Whether the system's text has it."]
    annotator: Annotated[bool, "Whether the judges want it."]
    writer: Annotated[bool, "Whether the writer has it."]
    outcome: Annotated[str, "tp, fp, fn or tn."]
    amount: Annotated[Amount, "Cases, against the majority."]


def compare_corrections(
    judgments: JudgmentTable,
    decided: LabelArray,
    suggestions: Sequence[str | None] | None,
) -> Comparison:
    """Compare a system's suggestions with every judge's corrections.

    A suggestion is right for a judge if it equals any of their equally good corrections.

    >>> table = JudgmentTable()
    >>> table.append(0, "Ann", "error", ("in", "at"))
    >>> table.append(0, "Bob", "error", ("on",))
    >>> table.append(0, "Cem", "error")
    >>> compare_corrections(table, np.array([1]), ["at"])
    Comparison(same=array([1], dtype=int32), different=array([1], dtype=int32), \
uncomparable=array([1], dtype=int32))
    """
    n = len(decided)
    words = _Words(judgments, decided, suggestions)
    found = np.zeros((3, n), dtype=np.int32)
    for block in judgment_blocks(judgments, n):
        both = (block.label == ERROR) & (decided[block.case] == 1)
        case = block.case[both]
        given = np.zeros_like(case) if block.correction is None else block.correction[both]
        comparable = (words.of_case[case] != NO_SUGGESTION) & words.some[given]
        same = comparable & words.is_among(words.of_case[case], given)
        for row, mask in enumerate((same, comparable & ~same, ~comparable)):
            found[row] += np.bincount(case[mask], minlength=n).astype(np.int32)
    return Comparison(*found)


def compare_with_majority(
    judgments: JudgmentTable,
    decided: LabelArray,
    suggestions: Sequence[str | None] | None,
    truth: LabelArray,
) -> Comparison:
    """Compare a system's suggestions with what most judges would put there.

    Only cases that the system reports and that `truth` calls an error. Every judge who calls such a
    case an error has one vote for each of their corrections; right are the corrections with the
    most votes, all of them where several have as many. The three numbers of a case are 0 or 1.

    >>> table = JudgmentTable()
    >>> for rater, words in (("Ann", ("in", "at")), ("Bob", ("at",)), ("Cem", ("on",))):
    ...     table.append(0, rater, "error", words)
    >>> [compare_with_majority(table, np.array([1]), [word], np.array([1])).same.tolist()
    ...  for word in ("at", "in")]
    [[1], [0]]
    """
    n = check_lengths(decided=decided, truth=truth)
    both = (decided == 1) & (truth == 1)
    words = _Words(judgments, decided, suggestions)
    voted = [
        words.votes(block.case[chosen], block.correction[chosen])
        for block in judgment_blocks(judgments, n)
        if block.correction is not None
        for chosen in [(block.label == ERROR) & both[block.case]]
    ]
    keys, votes = np.unique(np.concatenate([*voted, np.zeros(0, np.int64)]), return_counts=True)
    case = keys // words.number
    most = np.zeros(n, dtype=np.int64)
    np.maximum.at(most, case, votes)
    right = (votes == most[case]) & (keys % words.number == words.of_case[case])
    same: BoolArray = np.zeros(n, dtype=bool)
    same[case[right]] = True
    comparable = both & (most > 0) & (words.of_case != NO_SUGGESTION)
    kinds = (same & comparable, comparable & ~same, both & ~comparable)
    return Comparison(*(kind.astype(np.int32) for kind in kinds))


def correction_contributions(
    decided: LabelArray, truth: TruthArray, votes: Votes | None, compared: Comparison
) -> FloatArray:
    """What every case adds to tp, fp, fn, xyz and uncomparable of correction: [5, cases].

    With `votes`, `truth` is the share p of them that are errors and every judge of a case counts
    alike; smooth p and it no longer fits them. Without, `truth` is the majority and the comparison
    is the one with it.
    """
    check_lengths(decided=decided, truth=truth, compared=compared.same)
    _, false_alarms, misses, _ = contributions(decided, truth)
    judges = np.ones(len(decided)) if votes is None else np.maximum(votes.deciding, 1)
    known = ~np.isnan(truth) & (truth >= 0)
    same, different, uncomparable = (np.where(known, kind / judges, 0.0) for kind in compared)
    return np.stack([same, false_alarms + different, misses + different, different, uncomparable])


def nothing_compared(
    decided: LabelArray, votes: Votes, truth: LabelArray
) -> tuple[Comparison, Comparison]:
    """Comparisons with every judge and with the majority where no words are known.

    What the system reports and judges call an error cannot be compared.

    >>> votes = Votes(np.array([2, 1]), np.array([1, 2]), np.array([0, 0]))
    >>> each, agreed = nothing_compared(np.array([1, 1]), votes, np.array([1, 0]))
    >>> each.uncomparable.tolist(), agreed.uncomparable.tolist()
    ([2, 1], [1, 0])
    """
    none: VoteArray = np.zeros(len(decided), dtype=np.int32)
    each = np.where(decided == 1, votes.errors, 0).astype(np.int32)
    agreed = ((decided == 1) & (truth == 1)).astype(np.int32)
    return Comparison(none, none, each), Comparison(none, none, agreed)


def average_judges(each: Iterable[Counts], compared: Comparison, sizes: Sizes = None) -> JudgeMean:
    """The mean of every judge's own counts, of detection and of correction.

    `each` are the counts of detection against every judge alone, `compared` is what
    `compare_corrections` gives. Where every judge judged every case this is the sum over the cases
    of their means. Where some judged more than others it is not: here every judge weighs alike,
    there every case. Judges without a case are left out; without any judge all is 0.

    >>> nothing = np.zeros(1, dtype=np.int32)
    >>> compared = Comparison(nothing + 1, nothing, nothing)
    >>> mean = average_judges([Counts(tp=1, tn=1), Counts(fp=1, tn=1)], compared)
    >>> mean.detection, mean.correction.tp
    (Counts(tp=0.5, fp=0.5, fn=0.0, tn=1.0), 0.5)
    """
    judges = [counts for counts in each if total(counts)]
    number = max(1, len(judges))
    tp, fp, fn, tn = (
        sum(getattr(counts, name) for counts in judges) for name in ("tp", "fp", "fn", "tn")
    )
    number_of = np.ones(len(compared.same), dtype=np.int64) if sizes is None else sizes
    same, different, uncomparable = (int(kind @ number_of) for kind in compared)
    parts = (same, fp + different, fn + different, different, uncomparable)
    return JudgeMean(
        len(judges),
        Counts(*(part / number for part in (tp, fp, fn, tn))),
        CorrectionCounts(*(part / number for part in parts)),
    )


def eight_cells(decided: LabelArray, truth: TruthArray, present: BoolArray) -> tuple[Cell, ...]:
    """The eight cells of Figure 3: system, annotator and writer each have the form or do not.

    For constructions that are either there or not, such as commas. `present` says where the writer
    has it; judge and system then want the other where they call the case an error. Weighted where
    `truth` is. In the order of the figure, row by row.

    >>> cells = eight_cells(np.array([1, 0]), np.array([1, 1]), np.array([True, False]))
    >>> [(cell.outcome, cell.amount) for cell in cells if cell.amount]
    [('fn', 1.0), ('tp', 1.0)]
    """
    check_lengths(decided=decided, truth=truth, present=present)
    parts = contributions(decided, truth)
    sums = {form: parts[:, present == form].sum(axis=1).tolist() for form in (True, False)}
    cells = []
    for system in (True, False):
        for annotator in (True, False):
            for writer in (True, False):
                place = 2 * (system == writer) + (annotator == writer)
                outcome = ("tp", "fp", "fn", "tn")[place]
                cells.append(Cell(system, annotator, writer, outcome, sums[writer][place]))
    return tuple(cells)


class _Words:
    """Suggestions and corrections as numbers: equal numbers are equal words."""

    def __init__(
        self,
        judgments: JudgmentTable,
        decided: LabelArray,
        suggestions: Sequence[str | None] | None,
    ) -> None:
        numbers: dict[str, int] = {}

        def number(word: str) -> int:
            return numbers.setdefault(" ".join(word.split()), len(numbers))

        sets = [sorted({number(word) for word in words}) for words in judgments.corrections]
        self.of_case: CodeArray = np.full(len(decided), NO_SUGGESTION, dtype=np.int64)
        if suggestions is not None:
            if len(suggestions) != len(decided):
                raise LengthError(f"{len(decided)} decisions have {len(suggestions)} suggestions")
            for case in np.flatnonzero(decided == 1).tolist():
                if (word := suggestions[case]) is not None:
                    self.of_case[case] = number(word)
        self.number = max(1, len(numbers))
        self.some: BoolArray = np.array([bool(words) for words in sets])
        #: the words of set i are members[starts[i] : starts[i + 1]]
        self.members: CodeArray = np.array([w for words in sets for w in words], dtype=np.int64)
        self.sizes: CodeArray = np.array([len(words) for words in sets], dtype=np.int64)
        self.starts: CodeArray = np.cumsum(self.sizes) - self.sizes
        owners = np.repeat(np.arange(len(sets)), self.sizes)
        self.pairs: CodeArray = owners * self.number + self.members

    def is_among(self, word: CodeArray, given: CodeArray) -> BoolArray:
        """Whether each word is in the set of corrections given with it."""
        if not len(self.pairs):
            return np.zeros(len(word), dtype=bool)
        pair = given * self.number + word
        place = np.minimum(np.searchsorted(self.pairs, pair), len(self.pairs) - 1)
        found: BoolArray = (self.pairs[place] == pair) & (word != NO_SUGGESTION)
        return found

    def votes(self, case: CodeArray, given: CodeArray) -> CodeArray:
        """One key, case and word together, for every correction that these judgments give."""
        sizes = self.sizes[given]
        ends = np.cumsum(sizes)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        words = self.members[np.repeat(self.starts[given], sizes) + within]
        keys: CodeArray = np.repeat(case, sizes) * self.number + words
        return keys
