"""The panel at a glance: what a reader of `annotators` should know first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from typing import TYPE_CHECKING

from jurybox.api.annotators_page import mean, scale_of
from jurybox.errors import plural
from jurybox.report.tables import Column, Table

if TYPE_CHECKING:
    from jurybox.api.annotators_result import AnnotatorsResult

SCORES = "scores of one annotator against another"


def glance_table(result: AnnotatorsResult) -> Table:
    """Findings in one table, and what had to be left out."""
    edits = sum(profile.total for profile in result.annotators)
    title = ", ".join(
        (
            plural(len(result.names), "annotator"),
            plural(result.corpus.sentences, "sentence"),
            plural(result.corpus.tokens, "token"),
            plural(edits, "edit"),
        )
    )
    return Table(
        (Column("at a glance", text=True), Column("", text=True)),
        tuple(_findings(result)),
        title=title,
        notes=tuple(_left_out(result.undefined)),
    )


def _left_out(undefined: Mapping[str, str]) -> Iterator[str]:
    """What is missing and why, in as few lines as there are reasons."""
    missing: dict[str, list[str]] = {}
    for section, reason in undefined.items():
        missing.setdefault(reason, []).append(section)
    for reason, sections in missing.items():
        parts = [SCORES] if "pairwise" in sections else []
        parts += ["agreement"] if set(sections) - {"pairwise"} else []
        yield f"Left out: {' and '.join(parts)} ({reason})."


def _findings(result: AnnotatorsResult) -> Iterator[tuple[str, str]]:
    """What a reader should know first, and the numbers behind it."""
    seen = {_called(p.annotator): p for p in result.annotators if p.sentences}
    rates = {name: profile.edits_per_sentence for name, profile in seen.items()}
    left = {name: profile.untouched_share for name, profile in seen.items()}
    yield "edits per sentence", _range(rates, ".2f")
    yield "sentences left as they are", _range(left, ".1%")
    if result.consensus is not None:
        edits = result.consensus["edit"]
        distinct = sum(edits.values())
        if distinct:
            alone = sum(count for (made_by, _), count in edits.items() if made_by == 1)
            everybody = sum(count for (made_by, of), count in edits.items() if made_by == of)
            yield "different edits", str(distinct)
            yield "  made by one annotator only", _part(alone, distinct)
            yield "  made by all who looked", _part(everybody, distinct)
    if result.texts is not None:
        texts = result.texts
        yield "sentences on which no two agree", _part(texts.all_differ, texts.sentences)
        yield "sentences on which all agree", _part(texts.all_same, texts.sentences)
    if result.pairwise is not None:
        scale, digits = scale_of(result)
        scores = {f"{p.hypothesis} against {p.annotator}": scale * p.main for p in result.pairwise}
        defined = {pair: value for pair, value in scores.items() if not isnan(value)}
        title = f"one annotator against another, {result.score_title}"
        yield title, _mean_and_range(defined, digits)
    if result.sentence_agreement is not None:
        kappas = {f"{p[0]} and {p[1]}": p.kappa.value for p in result.sentence_agreement.defined}
        yield "sentence correct or not, Cohen's kappa", _mean_and_range(kappas, 4)


def _called(annotator: str) -> str:
    """A bare number beside a number would be taken for another number."""
    return f"annotator {annotator}" if annotator.isdigit() else annotator


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
    average = f"{mean(values.values()):.{digits}f}"
    return average if len(values) == 1 else f"{average} on average, {_range(values, f'.{digits}f')}"
