"""What `annotators` gives back: profiles, scores of people against people, agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isnan, nan
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, overload

from jurybox.annotators import AnnotatorsOptions
from jurybox.annotators.tables import tables_of
from jurybox.errors import UsageError
from jurybox.metrics.options import title_of_score
from jurybox.raters.agreement import Agreement
from jurybox.records import FLAT, NOT_EMPTY, Count, Reason, Share, computed, plain
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings
from jurybox.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- who did what ---


class AnnotatorProfile(NamedTuple):
    """What one annotator did.

    >>> profile = AnnotatorProfile(by_type={"Nn": 4, "Prep": 2}, sentences=4, untouched=1)
    >>> profile.total, profile.edits_per_sentence, profile.untouched_share
    (6, 1.5, 0.25)
    """

    by_type: Annotated[
        Mapping[str, int],
        "Edits of each type; every annotator has the same types, 0 where a type was never used.",
    ]
    sentences: Annotated[Count, "Sentences they looked at."]
    untouched: Annotated[Count, "Sentences they looked at and left as they are."]

    @computed
    def total(self) -> Count:
        """Edits, as many as the files have."""
        return sum(self.by_type.values())

    @computed
    def edits_per_sentence(self) -> float:
        """Edits per sentence they looked at; null if there is none."""
        return self.total / self.sentences if self.sentences else nan

    @computed
    def untouched_share(self) -> Share:
        """Share of sentences they left as they are; null if they looked at nothing."""
        return self.untouched / self.sentences if self.sentences else nan


class PerDocument(NamedTuple):
    """Averages per document."""

    paragraphs: Annotated[float, "Null where paragraphs are not known."]
    sentences: float
    tokens: float


class CorpusSize(NamedTuple):
    """How much text a panel has."""

    documents: Annotated[int | None, "Documents; null where not every sentence has one."]
    paragraphs: Annotated[int | None, "Paragraphs; null where not every sentence has one."]
    sentences: Count
    tokens: Count

    @computed
    def per_document(self) -> PerDocument | None:
        """Averages per document; null where documents are not known.

        >>> CorpusSize(50, None, 1312, 30144).per_document
        PerDocument(paragraphs=nan, sentences=26.24, tokens=602.88)
        """
        if not self.documents:
            return None
        paragraphs = nan if self.paragraphs is None else self.paragraphs / self.documents
        return PerDocument(
            paragraphs, self.sentences / self.documents, self.tokens / self.documents
        )


class EditPairScores(NamedTuple):
    """How edits of two annotators match."""

    precision: Annotated[float, "Null where the two looked at no sentence in common."]
    recall: Annotated[float, "Null where the two looked at no sentence in common."]
    f: Annotated[float, "F with the beta of the options."]


class TextPairScore(NamedTuple):
    """The score of a metric that compares texts."""

    score: Annotated[float, "Null where the two looked at no sentence in common."]


class AnnotatorPair(NamedTuple):
    """One annotator's text scored against another's edits (by GLEU: against their text)."""

    hypothesis: Annotated[str, "The annotator whose text is scored."]
    annotator: Annotated[str, "The annotator against whom it is scored."]
    scores: Annotated[EditPairScores | TextPairScore, FLAT]
    reason: Reason = ""

    @property
    def main(self) -> float:
        """F, or the metric's one score."""
        return self.scores[-1]


# --- how far they agree ---


class EditsMadeBy(NamedTuple):
    """How many distinct things were made by so many annotators."""

    made_by: Annotated[int, "How many annotators made it."]
    of: Annotated[int, "How many annotators looked at the sentence."]
    distinct: Annotated[int, "How many different things, each counted once."]


class Consensus(NamedTuple):
    """How many annotators made the same edit, by what makes two edits the same."""

    edit: Annotated[tuple[EditsMadeBy, ...], "Same span and correction."]
    span_type: Annotated[tuple[EditsMadeBy, ...], "Same span and type."]
    span: Annotated[tuple[EditsMadeBy, ...], "Same span."]
    type: Annotated[tuple[EditsMadeBy, ...], "Same type, anywhere in the sentence."]


class PlaceShares(NamedTuple):
    """Shares of the comparisons; null where there are none."""

    same_edit: Share
    other_correction: Annotated[Share, "Same span, other correction."]
    other_boundary: Annotated[Share, "Same place, other boundary."]
    nothing: Share


class PlaceCounts(NamedTuple):
    """What other annotators have where one has an edit."""

    same_edit: Annotated[Count, "The other made the same edit."] = 0
    other_correction: Annotated[Count, "The other corrected the same span in another way."] = 0
    other_boundary: Annotated[
        Count, "The other has no edit of that span, but one at the same place."
    ] = 0
    nothing: Annotated[Count, "The other has nothing there."] = 0

    @computed
    def comparisons(self) -> Count:
        """Pairs of an edit and another annotator who looked at its sentence."""
        return sum(self)

    @computed
    def shares(self) -> PlaceShares:
        """Each count as a share of all comparisons.

        >>> PlaceCounts(6, 1, 1, 2).shares
        PlaceShares(same_edit=0.6, other_correction=0.1, other_boundary=0.1, nothing=0.2)
        """
        total = self.comparisons
        return PlaceShares(*(count / total if total else nan for count in self))


class Places(NamedTuple):
    """Agreement on places: over all edits, and by the type of the edit that is looked for."""

    overall: PlaceCounts
    by_type: Mapping[str, PlaceCounts]


class TextSpread(NamedTuple):
    """How many sentences have so many different corrected texts."""

    distinct: Annotated[int, "How many different texts."]
    of: Annotated[int, "How many annotators looked at the sentence."]
    sentences: int


class TextCounts(NamedTuple):
    """How many different corrected texts sentences have."""

    spread: tuple[TextSpread, ...]
    all_same: Annotated[Count, "Sentences on which all annotators agree to the letter."]
    all_untouched: Annotated[Count, "Those among them that all left as they are."]
    all_differ: Annotated[Count, "Sentences that no two annotators correct in the same way."]

    @computed
    def sentences(self) -> Count:
        """Sentences that two annotators or more looked at."""
        return sum(row.sentences for row in self.spread)

    @computed
    def mean(self) -> float:
        """Distinct texts per sentence; null where no sentence was seen by two."""
        texts = sum(row.distinct * row.sentences for row in self.spread)
        return texts / self.sentences if self.sentences else nan


class PairKappa(NamedTuple):
    """Whether two annotators left the same sentences as they are."""

    first: str
    second: str
    sentences: Annotated[Count, "Sentences that both looked at."]
    kappa: Annotated[Agreement, FLAT]


class PairwiseKappa(NamedTuple):
    """Cohen's kappa of every two annotators, and its mean, lowest and highest value."""

    pairs: Annotated[tuple[PairKappa, ...], NOT_EMPTY]

    @property
    def defined(self) -> list[PairKappa]:
        """The pairs whose kappa has a value, lowest first."""
        pairs = [pair for pair in self.pairs if not isnan(pair.kappa.value)]
        return sorted(pairs, key=lambda pair: pair.kappa.value)

    @computed
    def mean(self) -> float:
        values = [pair.kappa.value for pair in self.defined]
        return sum(values) / len(values) if values else nan

    @computed
    def min(self) -> float:
        return self.defined[0].kappa.value if self.defined else nan

    @computed
    def max(self) -> float:
        return self.defined[-1].kappa.value if self.defined else nan


class SentenceAgreement(NamedTuple):
    """Is the sentence correct or not: agreement on what was left as it is."""

    sentences: Annotated[Count, "Sentences that two annotators or more looked at."]
    all_left: Annotated[Count, "Those that all who looked left as they are."]
    all_changed: Annotated[Count, "Those that all who looked changed."]
    cohen_kappa: PairwiseKappa
    fleiss_kappa: Agreement
    krippendorff_alpha: Agreement

    @computed
    def unanimous_share(self) -> Share:
        """The share of sentences that all who looked at them left, or all changed."""
        return (self.all_left + self.all_changed) / self.sentences


# --- the whole result ---


@dataclass(frozen=True, repr=False)
class AnnotatorsResult(
    TabularResult, NamedParts[str | tuple[str, str], AnnotatorProfile | AnnotatorPair]
):
    """A panel described: its text, its annotators, and how far they agree.

    What could not be computed is None, and `undefined` says why.
    """

    command = "annotators"

    metric: Annotated[str | None, "The metric of the pairwise scores; null without them."]
    options: AnnotatorsOptions
    corpus: CorpusSize
    annotators: Annotated[
        Mapping[str, AnnotatorProfile], "Every annotator by name: as given, but A2 before A10."
    ]
    signature: Signature
    pairwise: Annotated[
        tuple[AnnotatorPair, ...] | None,
        "Every annotator's text scored against every other annotator alone; null if not asked for "
        "or impossible.",
    ] = None
    consensus: Annotated[
        Consensus | None,
        "How many annotators made the same edit; null where no two annotators can be compared.",
    ] = None
    places: Annotated[
        Places | None,
        "What other annotators have at the place of an edit; null where no two can be compared.",
    ] = None
    texts: Annotated[
        TextCounts | None,
        "Different corrected texts per sentence; null where no two annotators can be compared.",
    ] = None
    sentence_agreement: Annotated[
        SentenceAgreement | None,
        "Agreement on which sentences to leave as they are; null where no two annotators can be "
        "compared.",
    ] = None
    undefined: Annotated[Mapping[str, str], "The reason for every part that is null."] = field(
        default_factory=dict
    )
    inputs: Inputs = ()
    warnings: Warnings = ()

    noun = "annotator"

    def parts(self) -> Mapping[str | tuple[str, str], AnnotatorProfile | AnnotatorPair]:
        """Annotators by name; pairs by whose text is scored and who is the reference."""
        pairs = {(pair.hypothesis, pair.annotator): pair for pair in self.pairwise or ()}
        return dict(chain(self.annotators.items(), pairs.items()))

    @overload
    def __getitem__(self, name: str) -> AnnotatorProfile: ...
    @overload
    def __getitem__(self, name: tuple[str, str]) -> AnnotatorPair: ...

    def __getitem__(self, name: str | tuple[str, str]) -> AnnotatorProfile | AnnotatorPair:
        return super().__getitem__(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The annotators as tables list them: as given, but A2 before A10."""
        return tuple(self.annotators)

    @property
    def score_title(self) -> str:
        """What the main score of a pair is called."""
        return title_of_score(self.options.metric, self.options.beta)

    def matrix(self) -> list[list[float]]:
        """The main score of every annotator's text (rows) against every annotator (columns).

        nan on the diagonal, and where two annotators have no sentence in common.
        """
        scores = {(pair.hypothesis, pair.annotator): pair.main for pair in self.pairwise or ()}
        return [[scores.get((row, column), nan) for column in self.names] for row in self.names]

    def figure(self) -> Figure:
        """The matrix as a heat map; save it with `jurybox.figures.save_figure`."""
        if self.pairwise is None:
            raise UsageError(f"there is no heat map to draw: {self.undefined['pairwise']}")
        from jurybox.figures import draw_heat_map

        return draw_heat_map(
            self.names,
            self.names,
            self.matrix(),
            title="Annotators against each other",
            score=self.score_title,
            row_label="text by",
            column_label="scored against",
            note=f"{self.corpus.sentences} sentences. {self.signature}",
        )

    def tables(self) -> list[Table]:
        """The main findings, then a table per question."""
        return tables_of(self)

    def records(self) -> list[dict[str, Any]]:
        """Every number in a row of its own: what it is about, its name, its value."""
        return [
            {name: row.get(name) for name in RECORD_COLUMNS} | {"signature": self.signature}
            for row in self._rows()
        ]

    def _rows(self) -> Iterator[dict[str, Any]]:
        corpus, sizes = self.corpus, ("paragraphs", "sentences", "tokens")
        yield from _rows_of("corpus", corpus, ("documents", *sizes), known=True)
        yield from _rows_of("per_document", corpus.per_document, sizes, known=True)
        for annotator, profile in self.annotators.items():
            names = ("total", "sentences", "edits_per_sentence", "untouched", "untouched_share")
            yield from _rows_of("annotators", profile, names, annotator=annotator)
            for kind, count in profile.by_type.items():
                yield _row("by_type", "edits", count, annotator=annotator, type=kind)
        for pair in self.pairwise or ():
            for score, value in pair.scores._asdict().items():
                who = {"annotator": pair.hypothesis, "against": pair.annotator}
                yield _row("pairwise", score, value, **who)
        for level, spread in (self.consensus._asdict() if self.consensus else {}).items():
            for made in spread:
                where = {"level": level, "k": made.made_by, "of": made.of}
                yield _row("consensus", "distinct", made.distinct, **where)
        if self.places:
            for kind, counts in [("", self.places.overall), *self.places.by_type.items()]:
                yield _row("places", "comparisons", counts.comparisons, type=kind)
                yield from _rows_of("places", counts, counts._fields, type=kind)
                for name, share in counts.shares._asdict().items():
                    yield _row("places", f"{name}_share", share, type=kind)
        if self.texts:
            numbers = ("sentences", "mean", "all_same", "all_untouched", "all_differ")
            yield from _rows_of("texts", self.texts, numbers)
            for row in self.texts.spread:
                yield _row("texts", "sentences", row.sentences, k=row.distinct, of=row.of)
        if self.sentence_agreement:
            yield from _agreement_rows(self.sentence_agreement)


#: columns of the records; what a number is not about is empty
RECORD_COLUMNS = ("section", "annotator", "against", "type", "level", "k", "of", "name", "value")


def _row(section: str, name: str, value: Any, **where: Any) -> dict[str, Any]:
    return {"section": section, **where, "name": name, "value": plain(value)}


def _rows_of(
    section: str, values: object, names: Sequence[str], *, known: bool = False, **where: Any
) -> Iterator[dict[str, Any]]:
    """A row for each of some values; `known`: only for those that are known."""
    rows = (_row(section, name, getattr(values, name, None), **where) for name in names)
    return (row for row in rows if not known or row["value"] is not None)


def _agreement_rows(found: SentenceAgreement) -> Iterator[dict[str, Any]]:
    section = "sentence_agreement"
    numbers = ("sentences", "all_left", "all_changed", "unanimous_share")
    yield from _rows_of(section, found, numbers)
    for name in ("fleiss_kappa", "krippendorff_alpha"):
        yield _row(section, name, getattr(found, name).value)
    for name in ("mean", "min", "max"):
        yield _row(section, f"cohen_kappa_{name}", getattr(found.cohen_kappa, name))
    for two in found.cohen_kappa.pairs:
        who = {"annotator": two.first, "against": two.second}
        yield _row(section, "cohen_kappa", two.kappa.value, **who)
