"""Tables of `annotators` about who agrees on what: edits, places, texts, whole sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING

from jurybox.api.annotators_page import fits
from jurybox.edits.consensus import LEVELS, Places, Spread, TextCounts
from jurybox.errors import plural
from jurybox.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    from jurybox.api.annotators_result import SentenceAgreement
    from jurybox.raters.agreement import Agreement

#: rows a histogram may have before its numbers are put together
MANY = 15
#: Bryant and Ng (2015), section 2, in our words
CAVEAT = (
    "Low values need not mean careless annotators. A sentence can be corrected in different and "
    "equally good ways,",
    "and these statistics see only that people differ (Bryant and Ng 2015, section 2).",
)


def consensus_table(consensus: Mapping[str, Spread]) -> Table:
    """How many annotators made the same edit, or one like it."""
    counts = {level: _added_up(spread) for level, spread in consensus.items()}
    totals = {level: sum(by.values()) for level, by in counts.items()}
    columns = [Column("made by")]
    for level in LEVELS:
        columns += [Column(LEVELS[level].title), Column("share", digits=1, percent=True)]
    rows: list[Sequence[Cell]] = []
    for label, numbers in _bins({number for by in counts.values() for number in by}):
        row: list[Cell] = [label]
        for level, by in counts.items():
            made = sum(by.get(number, 0) for number in numbers)
            row += [made, made / totals[level]]
        rows.append(row)
    notes = [
        "Edits: same span and correction. Spans and types: same span and type. Spans: same span. "
        "Types: same type,",
        "anywhere in the sentence. Each thing is counted once, in the row of how many made it.",
    ]
    if len({of for spread in consensus.values() for _, of in spread}) > 1:
        notes.append(
            "Not every sentence was seen by as many; JSON has the numbers by how many saw it."
        )
    title = "How many annotators agree on an edit"
    return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))


def _added_up(spread: Spread) -> dict[int, int]:
    """Added up over how many looked."""
    counts: dict[int, int] = {}
    for (made_by, _), count in spread.items():
        counts[made_by] = counts.get(made_by, 0) + count
    return counts


def _bins(numbers: set[int]) -> Iterator[tuple[str, range]]:
    """Numbers one by one; of many, the small ones so and the others by five and ten.

    >>> [label for label, _ in _bins({1, 2, 4})], [label for label, _ in _bins({1, 7, 30})]
    (['1', '2', '4'], ['1', '6–10', '21–30'])
    """
    largest = max(numbers, default=0)
    bins = [range(number, number + 1) for number in range(1, min(largest, MANY) + 1)]
    if largest > MANY:
        tens = (range(start, start + 10) for start in range(11, largest + 1, 10))
        bins = [*bins[:5], range(6, 11), *tens]
    for each in bins:
        if not numbers.isdisjoint(each):
            yield str(each[0]) if len(each) == 1 else f"{each[0]}–{each[-1]}", each


def places_table(places: Places) -> Table:
    """What the others have where one annotator has an edit."""
    columns = (
        Column("type", text=True),
        Column("comparisons"),
        Column("same edit", digits=1, percent=True),
        Column("other correction", digits=1, percent=True),
        Column("other boundary", digits=1, percent=True),
        Column("nothing", digits=1, percent=True),
    )
    overall, by_type = places
    rows: list[Sequence[Cell]] = [
        [kind, counts.comparisons, *counts.shares().values()]
        for kind, counts in [("(all)", overall), *by_type.items()]
    ]
    notes = (
        "For each edit of one annotator, what each of the others has there. Other correction: of "
        "the same span.",
        "Other boundary: an edit that shares a token, or an insertion in or beside the other's "
        "tokens.",
    )
    return Table(columns, tuple(rows), title="Same place, same edit?", notes=notes)


def texts_table(texts: TextCounts) -> Table:
    """How many different texts a sentence was corrected to."""
    columns = (
        Column("different texts"),
        Column("sentences"),
        Column("share", digits=1, percent=True),
    )
    counts = _added_up(texts.spread)
    rows: list[Sequence[Cell]] = []
    for label, numbers in _bins(set(counts)):
        sentences = sum(counts.get(number, 0) for number in numbers)
        rows.append((label, sentences, sentences / texts.sentences))
    notes = (
        f"{texts.mean:.2f} on average. All agree: {texts.all_same} (on leaving the sentence as it "
        f"is: {texts.all_untouched}). No two agree: {texts.all_differ}.",
    )
    return Table(columns, tuple(rows), title="Corrected texts of a sentence", notes=notes)


def agreement_tables(names: Sequence[str], found: SentenceAgreement) -> Iterator[Table]:
    """The coefficients, and kappa of every two annotators where the matrix is not too wide."""
    defined = found.defined
    rows: list[Sequence[Cell]] = []
    if len(found.pairs) == 1:
        rows.append(_coefficient("Cohen's kappa", found.pairs[0].kappa))
    elif not defined:
        rows.append(("Cohen's kappa", nan, "", "", found.pairs[0].kappa.reason))
    else:
        title = f"Cohen's kappa, mean of {plural(len(defined), 'pair')}"
        rows.append((title, found.mean_kappa, "", "", ""))
        for title, pair in (("  lowest", defined[0]), ("  highest", defined[-1])):
            who = f"{pair.first} and {pair.second}"
            rows.append((*_coefficient(title, pair.kappa)[:-1], who))
    rows.append(_coefficient("Fleiss' kappa", found.fleiss))
    rows.append(_coefficient("Krippendorff's alpha", found.alpha))
    columns = (
        Column("", text=True),
        Column("value"),
        Column("observed"),
        Column("by chance"),
        Column("", text=True),
    )
    agree = found.all_left + found.all_changed
    all_agree = (
        f"All who looked agree on {agree} of {found.sentences} sentences "
        f"({found.unanimous_share:.1%}): {found.all_left} left as they are, "
        f"{found.all_changed} changed."
    )
    title = "Is the sentence correct? Left as it is or changed"
    yield Table(columns, tuple(rows), title=title, notes=(all_agree, *CAVEAT))
    if len(names) < 3:
        return
    kappas = {frozenset(pair[:2]): pair.kappa.value for pair in found.pairs}
    head = (Column("Cohen's kappa", text=True), *(Column(name, digits=2) for name in names))
    matrix: list[Sequence[Cell]] = [
        [row, *(kappas.get(frozenset((row, name)), nan) for name in names)] for row in names
    ]
    whole = Table(head, tuple(matrix))
    if fits(whole):
        yield whole


def _coefficient(title: str, found: Agreement) -> Sequence[Cell]:
    return (title, found.value, found.observed, found.expected, found.reason)
