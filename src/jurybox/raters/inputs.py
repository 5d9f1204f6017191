"""Judgments and known answers for the commands about raters, from anybody's files or from memory.

`agree`, `screen`, `aggregate` and `cost` read their judgments here: any format of
`formats/platforms`, labels spelled as they were read, people separated from models, and raters of a
platform shown as R1, R2 …: worker ids are about people.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import cast

import numpy as np

from jurybox.errors import Column, FormatError, InputError, UsageError, plural, unknown_name, warn
from jurybox.formats import Input, Source, as_inputs
from jurybox.formats.given_values import as_dict, as_word
from jurybox.formats.platforms import (
    EXPORTS,
    Judgments,
    place_in_memory,
    pseudonymise,
    read_judgments_of,
    title_of,
)
from jurybox.formats.platforms._export import LabelWords
from jurybox.formats.tables._columns import all_but_first_answers, find_repeats, leave_out
from jurybox.formats.tables.judgments import Repeats, WordColumn, note_repeats
from jurybox.formats.tables.long_tables import LongTable
from jurybox.formats.tables.memory_tables import is_missing
from jurybox.model import TRAINED_LABELS, CaseSet, JudgmentTable
from jurybox.options import verb
from jurybox.raters.agreement import MISSING
from jurybox.raters.ratings import (
    BoolArray,
    CodeArray,
    FloatArray,
    Ratings,
    gold_labels,
    has_gold,
    labels_by,
    ratings_of,
    split_kinds,
    without_raters,
)
from jurybox.raters.wide_tables import lengthen, with_own_line
from jurybox.shared_options import ExpertAnswers, GivenRatings, JudgmentReading

#: what the rows of a table without titles hold
TITLES = ("case", "rater", "label")
Said = tuple[str, str, str]
#: files, tables in memory, a `JudgmentTable` with its cases, or rows of `TITLES`
GivenJudgments = Source | Sequence[Source] | JudgmentTable | Sequence[Said]
#: files with known answers, or case -> the right label or labels
GivenGold = Source | Sequence[Source] | Mapping[str, str | Sequence[str]]
#: per case: the labels known to be right, () where unknown
Gold = tuple[tuple[str, ...], ...]

#: formats whose raters are shown by their names: they are the users' own, or no people
OWN_NAMES = ("long", "wide", "gug", "memory")
#: the label that counts as no answer, in any spelling; --relabel WORD=unknown makes others it
NO_ANSWER = "unknown"


@dataclass(frozen=True)
class RatingsInput:
    """Judgments as they were read, those of them that count, and what goes along with them."""

    table: JudgmentTable  # everybody, with the raters' own names
    case_set: CaseSet
    ratings: Ratings  # people, and models if they count; raters as they are shown
    everybody: Ratings  # people and models
    gold: Gold
    gold_from: str = ""  # what the known answers are called, '' where there are none
    extra: Mapping[str, array[float] | WordColumn] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()  # per rater: human or model
    left_out: Mapping[str, int] = field(default_factory=dict)  # reason -> rows
    format: str = "long"
    hidden: bool = False  # raters are shown as R1, R2 …
    currency: str = ""
    inputs: tuple[Input, ...] = ()
    #: the file and the line of a row of the table
    place: Callable[[int], tuple[str, int]] = field(default=place_in_memory, compare=False)

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases' names, as they were read."""
        return tuple(self.case_set.ids)

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

    def words(
        self, name: str, ratings: Ratings | None = None
    ) -> tuple[tuple[str, ...], CodeArray] | None:
        """A column of words: the words, and the number of one for each of `ratings`."""
        column = self.extra.get(name)
        if column is None:
            return None
        words = cast("WordColumn", column)
        rows = (self.ratings if ratings is None else ratings).row
        return tuple(words.words), np.asarray(words.number)[rows].astype(np.int64)

    def rater(self, name: str) -> int:
        """The number of a rater, by the name that is shown or by their own."""
        for names in (self.ratings.raters, self.table.raters):
            if name in names:
                return names.index(name)
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
    known, gold_from = {k: _answers(gold) for k, gold in read.cases.gold.items()}, "gold"
    if call.gold is not None:
        known, gold_from, files = _read_gold(call.gold, read.cases, call.relabel)
        inputs += files
    answers = [label for label in read.table.labels if label.lower() != NO_ANSWER]
    spelled = one_spelling(answers, (label for each in known.values() for label in each))
    if spelled:
        warn(note_spelling(spelled))
    gold: list[tuple[str, ...]] = [()] * len(read.cases)
    for place, each in known.items():
        gold[place] = tuple(dict.fromkeys(spelled.get(k, k) for k in each))
    names = None
    if hidden:
        key = call.pseudonymise if isinstance(call.pseudonymise, str) else ""
        names = tuple(pseudonymise(read.table.raters, key).values())
    everybody = _count_up(read, names, spelled)
    split = split_kinds(everybody, read.table.kinds)
    ratings = everybody if call.count_models else split.people
    if not len(ratings):
        raise InputError("all judgments are by models; --count-models counts them")
    if len(split.models) and not call.count_models:
        warn(
            f"{len(split.models)} judgments by {plural(int(split.is_model.sum()), 'rater')} of "
            "kind model are left out; --count-models counts them"
        )
    right = list(dict.fromkeys(label for place in known for label in gold[place]))
    if right and not any(label in ratings.labels for label in right):  # a mistake of spelling
        warn(
            f"no rater gave any of the right labels ({_listed(right)}); raters gave "
            f"{_listed(ratings.labels)}: --relabel can make them the same"
        )
    found = RatingsInput(
        table=read.table,
        case_set=read.cases,
        ratings=ratings,
        everybody=everybody,
        gold=tuple(gold),
        gold_from=gold_from if right else "",
        extra=read.extra,
        kinds=tuple(read.table.kinds or ["human"] * len(read.table.raters)),
        left_out=read.left_out,
        format=read.format,
        hidden=hidden,
        currency=read.currency,
        inputs=inputs,
        place=read.place,
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
    rest = without_raters(found.ratings, np.arange(len(ratings.raters)) == number)
    if not len(rest):
        raise InputError(f"--expert {name}: nobody else judged anything")
    return replace(
        found, ratings=rest, gold=gold, gold_from=f"expert {found.ratings.raters[number]}"
    )


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
    try:
        read = read_judgments_of(
            readable,
            format=form,
            columns=call.columns,
            labels=call.relabel,
            rejected=call.with_rejected,
            extra=call.extra,
            repeats=call.repeats,
        )
    except FormatError as error:
        raise with_own_line(error, readable) from None
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


def _count_up(
    read: Judgments, names: tuple[str, ...] | None, spelled: Mapping[str, str]
) -> Ratings:
    """All judgments with an answer, labels in the order of numbers or else of the alphabet.

    The order of labels must not depend on that of the rows. Those of trained raters come in the
    order of their form, ok last: as in Table 3 of Tetreault and Chodorow (2008).
    """
    silent = [label for label in read.table.labels if label.lower() == NO_ANSWER]
    merge = {name: label for name, label in spelled.items() if name in read.table.labels}
    ratings = ratings_of(read.table, len(read.cases), no_answer=silent, merge=merge)
    if not len(ratings):
        raise InputError(f"no judgment says anything but {NO_ANSWER}; is the answer elsewhere?")
    numbers = [as_number(label) for label in ratings.labels]
    form = [*TRAINED_LABELS, "ok"] if "extraneous" in ratings.labels else []
    places = [form.index(one) if one in form else len(form) for one in ratings.labels]
    order = sorted(
        range(len(numbers)),
        key=lambda k: (numbers[k] is None, numbers[k] or 0.0, places[k], ratings.labels[k]),
    )
    return replace(
        ratings,
        label=np.argsort(order).astype(ratings.label.dtype)[ratings.label],
        labels=tuple(ratings.labels[k] for k in order),
        raters=ratings.raters if names is None else names,
    )


# --- known answers ---


def _answers(gold: Iterable[str]) -> tuple[str, ...]:
    return tuple(label for label in gold if label.lower() != NO_ANSWER)


def _read_gold(
    given: GivenGold, cases: CaseSet, labels: Mapping[str, str] | None
) -> tuple[dict[int, tuple[str, ...]], str, tuple[Input, ...]]:
    """Known answers by the places of cases, what to call them, and the files they are from."""
    inputs: tuple[Input, ...] = ()
    known: dict[str, tuple[str, ...]] = {}
    name = "gold"
    if isinstance(given, Mapping):
        for case, right in as_dict(given, "gold").items():
            listed = right if isinstance(right, list | tuple | set) else [right]
            words = (as_word(one, "gold") for one in listed if not is_missing(one))
            known[case] = tuple(filter(None, words))
    else:
        inputs = tuple(as_inputs(given, "gold"))
        name = "+".join(source.stem for source in inputs)
        for source in inputs:
            _read_gold_file(source, labels or {}, known)
    found = {k: _answers(known[case]) for k, case in enumerate(cases.ids) if case in known}
    met = sum(map(bool, found.values()))
    if not met:
        raise InputError(
            f"--gold: none of its {len(known)} cases was judged (its first case is "
            f"'{next(iter(known), '')}', the first one judged is '{cases.ids[0]}')"
        )
    if met < len(known):
        warn(f"--gold: {len(known) - met} of {len(known)} cases were not judged")
    return found, name, inputs


def _read_gold_file(
    source: Input, labels: Mapping[str, str], known: dict[str, tuple[str, ...]]
) -> None:
    """A table with `case` and `gold`, or `case` and `label`; several labels as a JSON list."""
    table = LongTable(source, ("case", "gold", "label"), can_map=False)
    words = LabelWords(labels)
    for block in table.blocks():
        column = block.cells.get("gold") or block.cells.get("label")
        if column is None:
            table.bad.add(
                1,
                "no column 'gold': a file for --gold has the columns case and gold; rename one",
                Column(1, last=len(table.bad.titles)) if table.bad.titles else "gold",
            )
            break
        for line, case, cell in zip(block.lines, block.cells["case"], column, strict=True):
            right = words.right(cell)
            if right and known.setdefault(case.strip(), right) != right:
                table.bad.add(
                    line,
                    f"case '{case.strip()}' has other right labels before; give one set of them",
                    "gold" if "gold" in block.cells else "label",
                )
    table.bad.raise_first()


# --- labels that are numbers ---


def as_number(label: str) -> float | None:
    """The number that a label stands for; None if it is a word.

    >>> [as_number(label) for label in ("2.5", "-1", "ok", "nan", "1_000")]
    [2.5, -1.0, None, None, None]
    """
    if "_" in label or not label.isascii():  # float() takes 1_0 and digits of any script
        return None
    try:
        number = float(label)
    except ValueError:
        return None
    return number if isfinite(number) else None


def as_numbers(labels: Sequence[str]) -> list[float] | None:
    """The numbers that labels stand for; None if one is a word.

    >>> as_numbers(["1", "2.5"]), as_numbers(["1", "ok"])
    ([1.0, 2.5], None)
    """
    numbers = [number for label in labels if (number := as_number(label)) is not None]
    return numbers if len(numbers) == len(labels) else None


def one_spelling(labels: Sequence[str], known: Iterable[str]) -> dict[str, str]:
    """Labels and known answers that are spelled otherwise than a label before -> that label.

    Only where all labels are numbers: as words, 1 and 1.0 are two.

    >>> one_spelling(["1", "2", "1.0"], ["2.00", "3"])
    {'1.0': '1', '2.00': '2'}
    >>> one_spelling(["1", "1.0", "ok"], [])
    {}
    """
    if as_numbers(labels) is None:
        return {}
    first: dict[float, str] = {}
    found: dict[str, str] = {}
    for label in (*labels, *dict.fromkeys(known)):
        number = as_number(label)
        if number is not None and first.setdefault(number, label) != label:
            found[label] = first[number]
    return found


def note_spelling(merged: Mapping[str, str]) -> str:
    """A note on labels that are the same number.

    >>> note_spelling({"1.0": "1"})
    'labels that are the same number count as one, in the spelling that came first: 1.0 is 1'
    """
    shown = ", ".join(f"{other} is {label}" for other, label in list(merged.items())[:3])
    more = ", …" if len(merged) > 3 else ""
    return (
        "labels that are the same number count as one, in the spelling that came first: "
        f"{shown}{more}"
    )


# --- messages ---


def note_format(name: str) -> list[str]:
    """A note on the format of the files, unless it is a plain table: a wrong guess is seen at once.

    >>> note_format("mturk"), note_format("long")
    (['read as MTurk batch results'], [])
    """
    return [] if name == "long" or name not in EXPORTS else [f"read as {title_of(name)}"]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
