"""Judgments for the commands about raters, out of anybody's files or out of memory.

`agree`, `screen`, `aggregate` and `cost` read their judgments here: any format of
`formats/platforms`, labels spelled as they were read, people separated from models, and raters of a
platform shown as R1, R2 …: worker ids are about people.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from jurybox.errors import InputError, UsageError, plural, unknown_name
from jurybox.formats import Input, Source, as_inputs
from jurybox.formats.platforms import EXPORTS, pseudonymise, read_judgments_of, title_of
from jurybox.formats.platforms.collect import Judgments
from jurybox.formats.tables._columns import all_but_first_answers, find_repeats, leave_out
from jurybox.formats.tables.judgments import Repeats, WordColumn, note_repeats
from jurybox.model import CaseSet, JudgmentTable
from jurybox.options import verb
from jurybox.raters.agreement import MISSING
from jurybox.raters.gold_labels import (
    NO_ANSWER,
    answers_in,
    check_gold_labels,
    read_gold,
    warn,
)
from jurybox.raters.kinds import split_kinds
from jurybox.raters.label_numbers import as_number, note_spelling, one_spelling
from jurybox.raters.ratings import (
    BoolArray,
    CodeArray,
    FloatArray,
    Ratings,
    gold_labels,
    has_gold,
    labels_by,
    ratings_of,
    without_raters,
)
from jurybox.raters.wide_tables import lengthen, naming_own_lines
from jurybox.shared_options import ExpertAnswers, GivenRatings, JudgmentReading

#: what the rows of a table without titles hold
TITLES = ("case", "rater", "label")
Said = tuple[str, str, str]
#: files, tables in memory, a `JudgmentTable` with its cases, or rows of `TITLES`
GivenJudgments = Source | Sequence[Source] | JudgmentTable | Sequence[Said]

#: formats whose raters are shown by their names: they are the users' own, or no people
OWN_NAMES = ("long", "wide", "gug", "memory")


@dataclass(frozen=True)
class RatingsInput:
    """Judgments as they were read, those of them that count, and what goes along with them."""

    table: JudgmentTable  # everybody, with the raters' own names
    case_set: CaseSet
    ratings: Ratings  # people, and models if they count; raters as they are shown
    everybody: Ratings  # people and models
    gold: tuple[tuple[str, ...], ...]  # per case: the labels known to be right, () where unknown
    gold_from: str = ""  # what the known answers are called, '' where there are none
    extra: Mapping[str, array[float] | WordColumn] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()  # per rater: human or model
    models: int = 0  # judgments by models that are left out
    left_out: Mapping[str, int] = field(default_factory=dict)  # reason -> rows
    repeats: Repeats | None = None
    format: str = "long"
    hidden: bool = False  # raters are shown as R1, R2 …
    currency: str = ""
    notes: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases' names, as they were read."""
        return tuple(case.id for case in self.case_set.cases)

    @property
    def is_gold(self) -> BoolArray:
        """Which cases have known answers: [cases]."""
        return has_gold(self.gold)

    @property
    def right(self) -> BoolArray:
        """Which labels are right: [cases, labels]; see `raters.ratings.gold_labels`."""
        return gold_labels(self.gold, self.ratings.labels)

    def numbers(self, name: str) -> FloatArray | None:
        """A column of numbers, one for each of `ratings`; None if there is no such column."""
        column = self.extra.get(name)
        if column is None:
            return None
        return np.asarray(column, dtype=np.float64)[self.ratings.row]

    def words(self, name: str) -> tuple[tuple[str, ...], CodeArray] | None:
        """A column of words: the words, and the number of one for each of `ratings`."""
        column = self.extra.get(name)
        if column is None:
            return None
        words = cast("WordColumn", column)
        return tuple(words.words), np.asarray(words.number, dtype=np.int64)[self.ratings.row]

    def rater(self, name: str) -> int:
        """The number of a rater, by the name that is shown or by their own."""
        if name in self.ratings.raters:
            return self.ratings.raters.index(name)
        if name in self.table.raters:
            return self.table.raters.index(name)
        raise unknown_name("rater", name, self.ratings.raters)


class RatingsReading(JudgmentReading, ExpertAnswers, GivenRatings):
    """Which judgments are read, and how."""

    pseudonymise: bool | str = False
    extra: Sequence[str] = ()
    repeats: str = "first"


@verb(RatingsReading)
def read_ratings(call: RatingsReading) -> RatingsInput:
    r"""Read judgments; `gold` takes the place of what their column `gold` says.

    The labels of an `expert` do the same, and are no longer among the judgments.
    `extra` names other columns to keep, as `seconds` or `batch`. Of a rater's judgments of one
    case the first counts, unless `repeats` is "keep". `pseudonymise` is True for R1, R2 …, or the
    key of names that are the same in every file.

    >>> text = "case,rater,label,gold\nc1,Ann,Yes,Yes\nc1,Bob,No,Yes\nc2,Ann,unknown,\n"
    >>> found = read_ratings(Input.from_text(text))
    >>> found.ratings.labels, found.ratings.label.tolist(), found.gold, found.ratings.left_out
    (('No', 'Yes'), [1, 0], (('Yes',), ()), 1)
    >>> read_ratings([("c1", "Ann", "ok"), ("c1", "Bob", "error")]).ratings.raters
    ('Ann', 'Bob')
    """
    read, inputs = _read(call)
    own = read.format in OWN_NAMES and not read.are_workers
    hidden = bool(call.pseudonymise) or not (call.show_raters or own)
    known, gold_from = tuple(answers_in(case.gold) for case in read.cases.cases), "gold"
    if call.gold is not None:
        known, gold_from, files = read_gold(call.gold, read.cases, call.relabel)
        inputs += files
    spelled = _one_spelling(read.table.labels, known)
    known = tuple(tuple(dict.fromkeys(spelled.get(k, k) for k in each)) for each in known)
    names = None
    if hidden:
        key = call.pseudonymise if isinstance(call.pseudonymise, str) else ""
        names = tuple(pseudonymise(read.table.raters, key).values())
    everybody = _count_up(read, names, spelled)
    split = split_kinds(everybody, read.table.kinds)
    models = len(split.models)
    ratings = everybody if call.count_models else split.people
    if not len(ratings):
        raise InputError("all judgments are by models; --count-models counts them")
    if models and not call.count_models:
        count = int(split.is_model.sum())
        warn(
            f"{models} judgments by {plural(count, 'rater')} of kind model are left "
            "out; --count-models counts them"
        )
    check_gold_labels(known, ratings.labels)
    found = RatingsInput(
        table=read.table,
        case_set=read.cases,
        ratings=ratings,
        everybody=everybody,
        gold=known,
        gold_from=gold_from if any(known) else "",
        extra=read.extra,
        kinds=tuple(read.table.kinds or ["human"] * len(read.table.raters)),
        models=0 if call.count_models else models,
        left_out=read.left_out,
        repeats=read.repeats,
        format=read.format,
        hidden=hidden,
        currency=read.currency,
        notes=read.notes,
        inputs=inputs,
    )
    if call.expert is not None:
        found = trust_expert(found, call.expert)
    if call.progress is not None:
        call.progress(len(found.ratings), "judgments")
    return found


def trust_expert(found: RatingsInput, name: str) -> RatingsInput:
    """One rater's labels as the known answers, and no longer among the judgments.

    >>> found = read_ratings([("c1", "Ann", "ok"), ("c1", "Bob", "error"), ("c2", "Bob", "ok")])
    >>> trusted = trust_expert(found, "Ann")
    >>> trusted.gold, len(trusted.ratings)
    ((('ok',), ()), 2)
    """
    number = found.rater(name)
    ratings = found.everybody
    said = labels_by(ratings, number)
    gold = tuple(() if code == MISSING else (ratings.labels[code],) for code in said.tolist())
    if not any(gold):
        raise InputError(f"--expert {name}: this rater labelled no case")
    expert = np.arange(len(ratings.raters)) == number
    rest = without_raters(found.ratings, expert)
    if not len(rest):
        raise InputError(f"--expert {name}: nobody else judged anything")
    return replace(
        found, ratings=rest, gold=gold, gold_from=f"expert {found.ratings.raters[number]}"
    )


# --- reading ---


def _read(call: RatingsReading) -> tuple[Judgments, tuple[Input, ...]]:
    given, form = call.judgments, call.input_format
    if isinstance(given, JudgmentTable):
        if call.cases is None:
            raise UsageError("a JudgmentTable holds no cases: give them too")
        return _in_memory(given, call.cases, call.repeats), ()
    if call.cases is not None:
        raise UsageError("cases are given with a JudgmentTable; files name their own")
    sources = as_inputs(given, "judgments", TITLES)
    if not sources:
        raise UsageError("no judgments given; name a file")
    if form == "counts":
        raise UsageError(
            "--input-format counts: nobody is named in such a table, so only agree can read it"
        )
    readable = list(sources)
    if form == "wide":
        readable, form = [lengthen(source) for source in sources], "long"
    with naming_own_lines(readable):
        read = read_judgments_of(
            readable,
            format=form,
            columns=call.columns,
            labels=call.relabel,
            rejected=call.with_rejected,
            extra=call.extra,
            repeats=call.repeats,
        )
    return read, tuple(sources)


def _in_memory(table: JudgmentTable, cases: CaseSet, repeats: str) -> Judgments:
    """A table that was given; of judgments by one rater on one case the first answer counts."""
    again = Repeats()
    if repeats != "keep" and len((found := find_repeats(table.case, table.answer)).rows):
        row, before = int(found.rows[0]), int(found.first[0])
        place = f"judgment {row + 1} of the table, judged in {before + 1}"
        again = Repeats(found.same, len(found.rows) - found.same, place)
        warn(*note_repeats(again, "the first answer counts"))
        table = deepcopy(table)  # what was given stays as it is
        dropped = all_but_first_answers(found, table.answer, table.labels)
        for column in (table.case, table.answer, table.correction):
            if column is not None:
                leave_out(column, dropped)
    return Judgments(table, cases, {}, again, {}, "memory", "", ())


def _one_spelling(labels: Sequence[str], known: Sequence[Sequence[str]]) -> dict[str, str]:
    """Labels that are the same number as one before -> that one; told."""
    answers = [label for label in labels if label.lower() != NO_ANSWER]
    spelled = one_spelling(answers, (label for each in known for label in each))
    if spelled:
        warn(note_spelling(spelled))
    return spelled


def _count_up(
    read: Judgments, names: tuple[str, ...] | None, spelled: Mapping[str, str]
) -> Ratings:
    """All judgments with an answer, labels in the order of numbers or else of the alphabet.

    The order of labels must not hang on that of the rows.
    """
    silent = [label for label in read.table.labels if label.lower() == NO_ANSWER]
    merge = {name: label for name, label in spelled.items() if name in read.table.labels}
    ratings = ratings_of(read.table, len(read.cases), no_answer=silent, merge=merge)
    if not len(ratings):
        raise InputError(f"no judgment says anything but {NO_ANSWER}; is the answer elsewhere?")
    numbers = [as_number(label) for label in ratings.labels]
    order = sorted(
        range(len(numbers)),
        key=lambda k: (numbers[k] is None, numbers[k] or 0.0, ratings.labels[k]),
    )
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return replace(
        ratings,
        label=rank[ratings.label],
        labels=tuple(ratings.labels[k] for k in order),
        raters=ratings.raters if names is None else names,
    )


def note_format(name: str) -> list[str]:
    """A note on the format of the files, unless it is a plain table: a wrong guess is seen at once.

    >>> note_format("mturk"), note_format("long")
    (['read as MTurk batch results'], [])
    """
    if name == "long" or name not in EXPORTS:
        return []
    return [f"read as {title_of(name)}"]
