"""The tables of `annotators`: the main findings first, then one table per question.

A panel of ten fits on a page. Where a table of all annotators would be wider than `WIDTH`, a
summary stands in its place; JSON and CSV always have everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

from jurybox.errors import plural
from jurybox.tables import Cell, Column, Table, signed

if TYPE_CHECKING:
    from jurybox.annotators.result import (
        AnnotatorPair,
        AnnotatorsResult,
        Consensus,
        Places,
        SentenceAgreement,
        TextCounts,
    )

WIDTH = 120
CUT = "Shortened to fit the page; --format json or csv has every number."
#: rows a histogram may have before its numbers are put together
MANY = 15
#: levels of agreement on edits, as columns name them
LEVEL_TITLES = {"edit": "edits", "span_type": "spans and types", "span": "spans", "type": "types"}
#: Bryant and Ng (2015), section 2, in our words
CAVEAT = (
    "Low values need not mean careless annotators. A sentence can be corrected in different and "
    "equally good ways,",
    "and these statistics see only that people differ (Bryant and Ng 2015, section 2).",
)


def tables_of(result: AnnotatorsResult) -> list[Table]:
    """All tables, the main findings first; the signature is below the last one."""
    tables = [_summary(result)]
    if result.corpus.documents:
        tables.append(_corpus(result))
    tables.append(_profiles(result))
    if any(profile.total for profile in result.annotators.values()):
        tables.append(_by_type(result))
    if result.pairwise is not None:
        tables.append(_pairwise(result, result.pairwise))
    if result.consensus is not None and result.consensus.edit:
        tables.append(_consensus_table(result.consensus))
    if result.places is not None and result.places.overall.comparisons:
        tables.append(_places_table(result.places))
    if result.texts is not None:
        tables.append(_texts_table(result.texts))
    if result.sentence_agreement is not None:
        tables += _agreement_tables(result.names, result.sentence_agreement)
    return signed(tables, result.signature)


def _fits(table: Table) -> bool:
    """Whether a table is narrow enough as text."""
    return max(map(len, table.to_text().splitlines())) <= WIDTH


def _share(title: str) -> Column:
    return Column(title, digits=1, percent=True)


def _scale_of(result: AnnotatorsResult) -> tuple[float, int]:
    """The factor by which scores are shown, and digits: GLEU is shown from 0 to 100."""
    return (100, 2) if result.metric == "gleu" else (1, 4)


def _mean(values: Iterable[float]) -> float:
    """The mean of what is defined."""
    defined = [value for value in values if not isnan(value)]
    return sum(defined) / len(defined) if defined else nan


def _ends(values: Mapping[str, float]) -> Sequence[Cell]:
    """The lowest value and whose it is, then the highest; nothing where nothing is defined."""
    defined = {name: value for name, value in values.items() if not isnan(value)}
    if not defined:
        return (nan, "", nan, "")
    low, high = min(defined, key=defined.__getitem__), max(defined, key=defined.__getitem__)
    return (defined[low], low, defined[high], high)


# --- the main findings ---


def _summary(result: AnnotatorsResult) -> Table:
    """Findings in one table, and what had to be left out."""
    edits = sum(profile.total for profile in result.annotators.values())
    corpus = result.corpus
    counts = {"annotator": len(result.names), "sentence": corpus.sentences}
    counts |= {"token": corpus.tokens, "edit": edits}
    missing: dict[str, list[str]] = {}  # what is left out, in as few lines as there are reasons
    for section, reason in result.undefined.items():
        missing.setdefault(reason, []).append(section)
    notes = []
    for reason, sections in missing.items():
        parts = ["scores of one annotator against another"] if "pairwise" in sections else []
        parts += ["agreement"] if set(sections) - {"pairwise"} else []
        notes.append(f"Left out: {' and '.join(parts)} ({reason}).")
    return Table(
        (Column("at a glance", text=True), Column("", text=True)),
        tuple(_findings(result)),
        title=", ".join(plural(count, noun) for noun, count in counts.items()),
        notes=tuple(notes),
    )


def _findings(result: AnnotatorsResult) -> Iterator[tuple[str, str]]:
    """What a reader should know first, and the numbers behind it."""
    # a bare number next to a number would be taken for another number
    called = {name: f"annotator {name}" if name.isdigit() else name for name in result.names}
    seen = {called[name]: one for name, one in result.annotators.items() if one.sentences}
    rates = {name: profile.edits_per_sentence for name, profile in seen.items()}
    left = {name: profile.untouched_share for name, profile in seen.items()}
    yield "edits per sentence", _range(rates, ".2f")
    yield "sentences left as they are", _range(left, ".1%")
    if result.consensus is not None:
        edits = result.consensus.edit
        distinct = sum(made.distinct for made in edits)
        if distinct:
            alone = sum(made.distinct for made in edits if made.made_by == 1)
            everybody = sum(made.distinct for made in edits if made.made_by == made.of)
            yield "different edits", str(distinct)
            yield "  made by one annotator only", _part(alone, distinct)
            yield "  made by all who looked", _part(everybody, distinct)
    if result.texts is not None:
        texts = result.texts
        yield "sentences on which no two agree", _part(texts.all_differ, texts.sentences)
        yield "sentences on which all agree", _part(texts.all_same, texts.sentences)
    if result.pairwise is not None:
        scale, digits = _scale_of(result)
        scores = {f"{p.hypothesis} against {p.annotator}": scale * p.main for p in result.pairwise}
        defined = {pair: value for pair, value in scores.items() if not isnan(value)}
        title = f"one annotator against another, {result.score_title}"
        yield title, _mean_and_range(defined, digits)
    if result.sentence_agreement is not None:
        pairs = result.sentence_agreement.cohen_kappa.defined
        kappas = {f"{pair.first} and {pair.second}": pair.kappa.value for pair in pairs}
        yield "sentence correct or not, Cohen's kappa", _mean_and_range(kappas, 4)


def _part(count: int, total: int) -> str:
    return f"{count} of {total} ({count / total:.1%})"


def _range(values: Mapping[str, float], form: str) -> str:
    """The lowest and the highest, and whose they are."""
    if not values:
        return "undefined: nobody looked at anything"
    low, high = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    shown = [f"{values[name]:{form}}" for name in (low, high)]
    if values[low] == values[high]:
        return shown[0] if len(values) == 1 else f"{shown[0]} (all)"
    return f"{shown[0]} ({low}) to {shown[1]} ({high})"


def _mean_and_range(values: Mapping[str, float], digits: int) -> str:
    if not values:
        return "undefined for every pair"
    average = f"{_mean(values.values()):.{digits}f}"
    return average if len(values) == 1 else f"{average} on average, {_range(values, f'.{digits}f')}"


# --- what there is, and who did what ---


def _corpus(result: AnnotatorsResult) -> Table:
    """Table 2 of the paper."""
    corpus = result.corpus
    rows: list[Sequence[Cell]] = [("documents", corpus.documents, "")]
    for name in ("paragraphs", "sentences", "tokens"):
        if getattr(corpus, name) is not None:
            rows.append((name, getattr(corpus, name), getattr(corpus.per_document, name)))
    columns = (Column("", text=True), Column("total"), Column("per document", digits=1))
    return Table(columns, tuple(rows), title="Text")


def _profiles(result: AnnotatorsResult) -> Table:
    columns = (
        *(Column("annotator", text=True), Column("sentences seen"), Column("edits")),
        *(Column("per sentence", digits=2), Column("left as they are"), _share("share")),
    )
    rows = tuple(
        (name, p.sentences, p.total, p.edits_per_sentence, p.untouched, p.untouched_share)
        for name, p in result.annotators.items()
    )
    return Table(columns, rows, title="Annotators")


def _by_type(result: AnnotatorsResult) -> Table:
    """Table 3 of the paper; of a large panel only who used a type least and most."""
    title = "Edits by type"
    people = result.annotators
    types = next(iter(people.values())).by_type
    rows: list[Sequence[Cell]] = []
    summary: list[Sequence[Cell]] = []
    edits = sum(profile.total for profile in people.values())
    for kind in types:
        by = {name: profile.by_type[kind] for name, profile in people.items()}
        total = sum(by.values())
        rows.append([kind, *by.values(), total])
        summary.append([kind, total, total / edits, total / len(by), *_ends(by)])
    rows.append(["total", *(profile.total for profile in people.values()), edits])
    columns = [Column("type", text=True), *map(Column, result.names), Column("total")]
    if len(people) == 1:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    whole = Table(tuple(columns), tuple(rows), title=title)
    if _fits(whole):
        return whole
    columns = [Column("type", text=True), Column("total"), _share("share"), Column("mean", 1)]
    columns += [Column("least"), Column("by", text=True), Column("most"), Column("by", text=True)]
    return Table(tuple(columns), tuple(summary), title=title, notes=(CUT,))


# --- one against another ---


def _pairwise(result: AnnotatorsResult, pairs: Sequence[AnnotatorPair]) -> Table:
    """Everybody's text against everybody's edits; of a large panel means, lowest and highest."""
    scale, digits = _scale_of(result)
    title = f"One annotator against another, {result.score_title}"
    rows: list[Sequence[Cell]] = []
    summary: list[Sequence[Cell]] = []
    for name in result.names:
        own = {pair.annotator: pair for pair in pairs if pair.hypothesis == name}
        scores = {other: scale * pair.main for other, pair in own.items()}
        means: list[Cell] = [_mean(scores.values())]
        if result.metric != "gleu":
            for part in ("precision", "recall"):
                means.append(_mean(getattr(pair.scores, part) for pair in own.values()))
        rows.append([name, *(scores.get(other, nan) for other in result.names), *means])
        summary.append([name, *means, *_ends(scores)])
    against = [
        scale * _mean(pair.main for pair in pairs if pair.annotator == name)
        for name in result.names
    ]
    overall = scale * _mean(pair.main for pair in pairs)
    mean_columns = [Column("mean", digits)]
    notes = ["Row: whose text is scored. Column: whose edits it is scored against."]
    if result.metric == "gleu":
        notes = ["Row: whose text is scored. Column: whose text it is scored against."]
        rows.append(["mean", *against, overall])
    else:
        mean_columns = [Column(f"mean {part}", digits) for part in "FPR"]
        notes.append("Precision and recall of every pair: --format json or csv.")
        rows.append(["mean", *against, overall, "", ""])
    head = Column("text by", text=True)
    columns = (head, *(Column(name, digits) for name in result.names), *mean_columns)
    whole = Table(columns, tuple(rows), title=title, notes=tuple(notes))
    if _fits(whole):
        return whole
    against_whom = Column("against", text=True)
    ends = (Column("lowest", digits), against_whom, Column("highest", digits), against_whom)
    columns = (head, *mean_columns, *ends)
    return Table(columns, tuple(summary), title=title, notes=(CUT,))


# --- how far people agree ---


def _consensus_table(consensus: Consensus) -> Table:
    """How many annotators made the same edit, or one like it."""
    counts = {level: _added_up(made) for level, made in consensus._asdict().items()}
    totals = {level: sum(by.values()) for level, by in counts.items()}
    columns = [Column("made by")]
    for title in LEVEL_TITLES.values():
        columns += [Column(title), _share("share")]
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
    if len({made.of for spread in consensus for made in spread}) > 1:
        notes.append(
            "Not every sentence was seen by as many; JSON has the numbers by how many saw it."
        )
    title = "How many annotators agree on an edit"
    return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))


def _added_up(rows: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """Counts by their first column, added up over how many looked (the second)."""
    counts: dict[int, int] = {}
    for number, _, count in rows:
        counts[number] = counts.get(number, 0) + count
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


def _places_table(places: Places) -> Table:
    """What the others have where one annotator has an edit."""
    columns = (
        *(Column("type", text=True), Column("comparisons")),
        *map(_share, ("same edit", "other correction", "other boundary", "nothing")),
    )
    overall, by_type = places
    rows: list[Sequence[Cell]] = [
        [kind, counts.comparisons, *counts.shares]
        for kind, counts in [("(all)", overall), *by_type.items()]
    ]
    notes = (
        "For each edit of one annotator, what each of the others has there. Other correction: of "
        "the same span.",
        "Other boundary: an edit that shares a token, or an insertion in or beside the other's "
        "tokens.",
    )
    return Table(columns, tuple(rows), title="Same place, same edit?", notes=notes)


def _texts_table(texts: TextCounts) -> Table:
    """How many different texts a sentence was corrected to."""
    columns = (Column("different texts"), Column("sentences"), _share("share"))
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


def _agreement_tables(names: Sequence[str], found: SentenceAgreement) -> Iterator[Table]:
    """The coefficients, and kappa of every two annotators where the matrix is not too wide."""
    pairs, defined = found.cohen_kappa.pairs, found.cohen_kappa.defined
    rows: list[Sequence[Cell]] = []
    if len(pairs) == 1:
        rows.append(("Cohen's kappa", *pairs[0].kappa))
    elif not defined:
        rows.append(("Cohen's kappa", nan, "", "", pairs[0].kappa.reason))
    else:
        title = f"Cohen's kappa, mean of {plural(len(defined), 'pair')}"
        rows.append((title, found.cohen_kappa.mean, "", "", ""))
        for title, pair in (("  lowest", defined[0]), ("  highest", defined[-1])):
            who = f"{pair.first} and {pair.second}"
            rows.append((title, *pair.kappa[:-1], who))
    rows.append(("Fleiss' kappa", *found.fleiss_kappa))
    rows.append(("Krippendorff's alpha", *found.krippendorff_alpha))
    words = Column("", text=True)
    columns = (words, *map(Column, ("value", "observed", "by chance")), words)
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
    kappas = {frozenset(pair[:2]): pair.kappa.value for pair in pairs}
    head = (Column("Cohen's kappa", text=True), *(Column(name, digits=2) for name in names))
    matrix: list[Sequence[Cell]] = [
        [row, *(kappas.get(frozenset((row, name)), nan) for name in names)] for row in names
    ]
    whole = Table(head, tuple(matrix))
    if _fits(whole):
        yield whole
