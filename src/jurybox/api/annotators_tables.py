"""The tables of `annotators`: what matters first, then one table per question.

A panel of ten fits on a page. Where a table of all annotators would be wider than `WIDTH` of
`annotators_page.py`, a summary stands in its place; JSON and CSV always have everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING

from jurybox.api.annotators_agreement_tables import (
    agreement_tables,
    consensus_table,
    places_table,
    texts_table,
)
from jurybox.api.annotators_glance import glance_table
from jurybox.api.annotators_page import CUT, ends, fits, mean, scale_of
from jurybox.report.tables import Cell, Column, Table, signed

if TYPE_CHECKING:
    from jurybox.api.annotators_result import AnnotatorPair, AnnotatorsResult


def tables_of(result: AnnotatorsResult) -> list[Table]:
    """All tables, the panel at a glance first; the signature is below the last one."""
    tables = [glance_table(result)]
    if result.corpus.documents:
        tables.append(_corpus(result))
    tables.append(_profiles(result))
    if any(profile.total for profile in result.annotators):
        tables.append(_by_type(result))
    if result.pairwise is not None:
        tables.append(_pairwise(result, result.pairwise))
    if result.consensus is not None and result.consensus["edit"]:
        tables.append(consensus_table(result.consensus))
    if result.places is not None and result.places.overall.comparisons:
        tables.append(places_table(result.places))
    if result.texts is not None:
        tables.append(texts_table(result.texts))
    if result.sentence_agreement is not None:
        tables += agreement_tables(result.names, result.sentence_agreement)
    return signed(tables, result.signature)


# --- what there is, and who did what ---


def _corpus(result: AnnotatorsResult) -> Table:
    """Table 2 of the paper."""
    corpus = result.corpus
    average = corpus.per_document() or {}
    rows: list[Sequence[Cell]] = [("documents", corpus.documents, "")]
    for name in ("paragraphs", "sentences", "tokens"):
        if name in average:
            rows.append((name, getattr(corpus, name), average[name]))
    columns = (Column("", text=True), Column("total"), Column("per document", digits=1))
    return Table(columns, tuple(rows), title="Text")


def _profiles(result: AnnotatorsResult) -> Table:
    columns = (
        Column("annotator", text=True),
        Column("sentences seen"),
        Column("edits"),
        Column("per sentence", digits=2),
        Column("left as they are"),
        Column("share", digits=1, percent=True),
    )
    rows = tuple(
        (p.annotator, p.sentences, p.total, p.edits_per_sentence, p.untouched, p.untouched_share)
        for p in result.annotators
    )
    return Table(columns, rows, title="Annotators")


def _by_type(result: AnnotatorsResult) -> Table:
    """Table 3 of the paper; of a large panel only who used a type least and most."""
    title = "Edits by type"
    people = result.annotators
    types = list(people[0].by_type)
    rows: list[Sequence[Cell]] = []
    summary: list[Sequence[Cell]] = []
    edits = sum(profile.total for profile in people)
    for kind in types:
        by = {profile.annotator: profile.by_type[kind] for profile in people}
        total = sum(by.values())
        rows.append([kind, *by.values(), total])
        summary.append([kind, total, total / edits, total / len(by), *ends(by)])
    rows.append(["total", *(profile.total for profile in people), edits])
    columns = [Column("type", text=True), *map(Column, result.names), Column("total")]
    if len(people) == 1:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    whole = Table(tuple(columns), tuple(rows), title=title)
    if fits(whole):
        return whole
    columns = [Column("type", text=True), Column("total"), Column("share", digits=1, percent=True)]
    columns += [Column("mean", digits=1), Column("least"), Column("by", text=True)]
    columns += [Column("most"), Column("by", text=True)]
    return Table(tuple(columns), tuple(summary), title=title, notes=(CUT,))


# --- one against another ---


def _pairwise(result: AnnotatorsResult, pairs: Sequence[AnnotatorPair]) -> Table:
    """Everybody's text against everybody's edits; of a large panel means, lowest and highest."""
    scale, digits = scale_of(result)
    title = f"One annotator against another, {result.score_title}"
    rows: list[Sequence[Cell]] = []
    summary: list[Sequence[Cell]] = []
    for name in result.names:
        own = {pair.annotator: pair for pair in pairs if pair.hypothesis == name}
        scores = {other: scale * pair.main for other, pair in own.items()}
        means: list[Cell] = [mean(scores.values())]
        if result.metric != "gleu":
            for part in ("precision", "recall"):
                means.append(mean(pair.scores[part] for pair in own.values()))
        rows.append([name, *(scores.get(other, nan) for other in result.names), *means])
        summary.append([name, *means, *ends(scores)])
    against = [
        scale * mean(pair.main for pair in pairs if pair.annotator == name) for name in result.names
    ]
    overall = scale * mean(pair.main for pair in pairs)
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
    if fits(whole):
        return whole
    lowest = (Column("lowest", digits), Column("against", text=True))
    highest = (Column("highest", digits), Column("against", text=True))
    columns = (head, *mean_columns, *lowest, *highest)
    return Table(columns, tuple(summary), title=title, notes=(CUT,))
