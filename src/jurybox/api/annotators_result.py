"""What `annotators` gives back: values, dict, records. Its tables are in annotators_tables.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.edits.consensus import PlaceCounts, Places, Spread, TextCounts
from jurybox.edits.profile import AnnotatorProfile, CorpusSize
from jurybox.errors import UsageError
from jurybox.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.raters.agreement import Agreement


class PairKappa(NamedTuple):
    """Whether two annotators left the same sentences as they are."""

    first: str
    second: str
    sentences: int  # that both looked at
    kappa: Agreement


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """Is the sentence correct or not: agreement on what was left as it is."""

    sentences: int  # that two annotators or more looked at
    all_left: int
    all_changed: int
    pairs: tuple[PairKappa, ...]
    fleiss: Agreement
    alpha: Agreement

    @property
    def unanimous_share(self) -> float:
        """The share of sentences that all who looked at them left, or all changed."""
        return (self.all_left + self.all_changed) / self.sentences

    @property
    def defined(self) -> list[PairKappa]:
        """The pairs whose kappa has a value, lowest first."""
        pairs = [pair for pair in self.pairs if not isnan(pair.kappa.value)]
        return sorted(pairs, key=lambda pair: pair.kappa.value)

    @property
    def mean_kappa(self) -> float:
        values = [pair.kappa.value for pair in self.defined]
        return sum(values) / len(values) if values else nan

    def to_dict(self) -> dict[str, Any]:
        defined = self.defined
        return {
            "sentences": self.sentences,
            "all_left": self.all_left,
            "all_changed": self.all_changed,
            "unanimous_share": self.unanimous_share,
            "cohen_kappa": {
                "mean": number_or_none(self.mean_kappa),
                "min": defined[0].kappa.value if defined else None,
                "max": defined[-1].kappa.value if defined else None,
                "pairs": [
                    {
                        "first": pair.first,
                        "second": pair.second,
                        "sentences": pair.sentences,
                        **agreement_to_dict(pair.kappa),
                    }
                    for pair in self.pairs
                ],
            },
            "fleiss_kappa": agreement_to_dict(self.fleiss),
            "krippendorff_alpha": agreement_to_dict(self.alpha),
        }


class AnnotatorPair(NamedTuple):
    """One annotator's text scored against another's edits (or, by GLEU, text)."""

    hypothesis: str
    annotator: str
    scores: Mapping[str, float]  # precision, recall and f; GLEU: score
    reason: str = ""  # where there is no score

    @property
    def main(self) -> float:
        """F, or GLEU."""
        return self.scores["f"] if "f" in self.scores else self.scores["score"]

    def to_dict(self) -> dict[str, Any]:
        record: dict[str, Any] = {"hypothesis": self.hypothesis, "annotator": self.annotator}
        record |= {name: number_or_none(value) for name, value in self.scores.items()}
        return record | ({"reason": self.reason} if self.reason else {})


@dataclass(frozen=True)
class AnnotatorsResult(TabularResult):
    """A panel described: its text, its annotators, and how far they agree.

    What could not be computed is None, and `undefined` says why.
    """

    signature: str
    corpus: CorpusSize
    annotators: tuple[AnnotatorProfile, ...]
    #: level of agreement -> (made by, of how many who looked) -> distinct edits
    consensus: Mapping[str, Spread] | None = None
    places: Places | None = None
    texts: TextCounts | None = None
    sentence_agreement: SentenceAgreement | None = None
    pairwise: tuple[AnnotatorPair, ...] | None = None
    metric: str | None = None  # of the pairwise scores
    options: Mapping[str, Any] | None = None
    undefined: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The annotators in the order of the panel."""
        return tuple(profile.annotator for profile in self.annotators)

    @property
    def score_title(self) -> str:
        """What the main score of a pair is called."""
        if self.metric == "gleu" or self.options is None:
            return "GLEU"
        return f"F{self.options['beta']:g}"

    def matrix(self) -> list[list[float]]:
        """The main score of every annotator's text (rows) against every annotator (columns).

        nan on the diagonal, and where two annotators have no sentence in common.
        """
        scores = {(pair.hypothesis, pair.annotator): pair.main for pair in self.pairwise or ()}
        return [[scores.get((row, column), nan) for column in self.names] for row in self.names]

    def figure(self) -> Figure:
        """The matrix as a heat map; save it with `jurybox.report.figures.save_figure`."""
        if self.pairwise is None:
            raise UsageError(f"there is no heat map to draw: {self.undefined['pairwise']}")
        from jurybox.report.figures import draw_heat_map

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

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.annotators/1 describes."""
        agreement, places, texts = self.sentence_agreement, self.places, self.texts
        return envelope("annotators", self.signature, describe_inputs(self.inputs)) | {
            "metric": self.metric,
            "options": None if self.options is None else dict(self.options),
            "corpus": _corpus_to_dict(self.corpus),
            "annotators": {one.annotator: _profile_to_dict(one) for one in self.annotators},
            "pairwise": None if self.pairwise is None else [p.to_dict() for p in self.pairwise],
            "consensus": None if self.consensus is None else _consensus_to_dict(self.consensus),
            "places": None if places is None else _places_to_dict(places),
            "texts": None if texts is None else _texts_to_dict(texts),
            "sentence_agreement": None if agreement is None else agreement.to_dict(),
            "undefined": dict(self.undefined),
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """Every number in a row of its own: what it is about, its name, its value."""
        return [
            {name: row.get(name) for name in RECORD_COLUMNS} | {"signature": self.signature}
            for row in _flatten(self.to_dict())
        ]

    def tables(self) -> list[Table]:
        """The panel at a glance, then a table per question."""
        from jurybox.api.annotators_tables import tables_of

        return tables_of(self)


#: columns of the records; what a number is not about is empty
RECORD_COLUMNS = (
    *("section", "annotator", "against", "type", "level", "k", "of"),
    *("name", "value"),
)


def agreement_to_dict(agreement: Agreement) -> dict[str, Any]:
    """A coefficient, what it is made of, and the reason where there is none."""
    record: dict[str, Any] = {
        name: number_or_none(getattr(agreement, name)) for name in ("value", "observed", "expected")
    }
    return record | ({"reason": agreement.reason} if agreement.reason else {})


def _corpus_to_dict(corpus: CorpusSize) -> dict[str, Any]:
    average = corpus.per_document()
    sizes = ("paragraphs", "sentences", "tokens")
    return {
        "documents": corpus.documents,
        **{name: getattr(corpus, name) for name in sizes},
        "per_document": None if average is None else {name: average.get(name) for name in sizes},
    }


def _profile_to_dict(profile: AnnotatorProfile) -> dict[str, Any]:
    return {
        "total": profile.total,
        "by_type": dict(profile.by_type),
        "sentences": profile.sentences,
        "edits_per_sentence": number_or_none(profile.edits_per_sentence),
        "untouched": profile.untouched,
        "untouched_share": number_or_none(profile.untouched_share),
    }


def _consensus_to_dict(consensus: Mapping[str, Spread]) -> dict[str, Any]:
    return {
        level: [
            {"made_by": made_by, "of": of, "distinct": count}
            for (made_by, of), count in sorted(spread.items())
        ]
        for level, spread in consensus.items()
    }


def _places_to_dict(places: Places) -> dict[str, Any]:
    def one(counts: PlaceCounts) -> dict[str, Any]:
        shares = {name: number_or_none(share) for name, share in counts.shares().items()}
        return {"comparisons": counts.comparisons, **counts._asdict(), "shares": shares}

    return {
        "overall": one(places.overall),
        "by_type": {kind: one(counts) for kind, counts in places.by_type.items()},
    }


def _texts_to_dict(texts: TextCounts) -> dict[str, Any]:
    return {
        "sentences": texts.sentences,
        "mean": number_or_none(texts.mean),
        "all_same": texts.all_same,
        "all_untouched": texts.all_untouched,
        "all_differ": texts.all_differ,
        "spread": [
            {"distinct": distinct, "of": of, "sentences": count}
            for (distinct, of), count in sorted(texts.spread.items())
        ],
    }


def _flatten(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The sections of the dict as rows."""
    corpus = result["corpus"]
    for section, sizes in (("corpus", corpus), ("per_document", corpus["per_document"] or {})):
        yield from _named(section, {name: n for name, n in sizes.items() if n is not None})
    for annotator, profile in result["annotators"].items():
        yield from _named("annotators", profile, annotator=annotator)
        for kind, count in profile["by_type"].items():
            yield from _named("by_type", {"edits": count}, annotator=annotator, type=kind)
    for pair in result["pairwise"] or ():
        who = {"annotator": pair["hypothesis"], "against": pair["annotator"]}
        scores = {name: value for name, value in pair.items() if name not in PAIR_WORDS}
        yield from _named("pairwise", scores, **who)
    for level, spread in (result["consensus"] or {}).items():
        for row in spread:
            where = {"level": level, "k": row["made_by"], "of": row["of"]}
            yield from _named("consensus", {"distinct": row["distinct"]}, **where)
    if result["places"]:
        places = [("", result["places"]["overall"]), *result["places"]["by_type"].items()]
        for kind, counts in places:
            yield from _named("places", counts, type=kind)
            shares = {f"{name}_share": share for name, share in counts["shares"].items()}
            yield from _named("places", shares, type=kind)
    if result["texts"]:
        yield from _named("texts", result["texts"])
        for row in result["texts"]["spread"]:
            counted = {"sentences": row["sentences"]}
            yield from _named("texts", counted, k=row["distinct"], of=row["of"])
    if result["sentence_agreement"]:
        yield from _flatten_agreement(result["sentence_agreement"])


def _flatten_agreement(agreement: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    section = "sentence_agreement"
    yield from _named(section, agreement)
    for name in ("fleiss_kappa", "krippendorff_alpha"):
        yield from _named(section, {name: agreement[name]["value"]})
    cohen = agreement["cohen_kappa"]
    yield from _named(
        section, {f"cohen_kappa_{name}": cohen[name] for name in ("mean", "min", "max")}
    )
    for pair in cohen["pairs"]:
        who = {"annotator": pair["first"], "against": pair["second"]}
        yield from _named(section, {"cohen_kappa": pair["value"]}, **who)


PAIR_WORDS = ("hypothesis", "annotator", "reason")


def _named(section: str, values: Mapping[str, Any], **where: Any) -> Iterator[dict[str, Any]]:
    """A row for every plain value; what has parts of its own is left to others."""
    for name, value in values.items():
        if not isinstance(value, (dict, list)):
            yield {"section": section, **where, "name": name, "value": value}
