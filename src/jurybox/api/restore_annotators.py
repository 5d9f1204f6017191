"""The result of `annotators` out of its JSON."""

from __future__ import annotations

from jurybox.api.annotators_result import (
    AnnotatorPair,
    AnnotatorsResult,
    PairKappa,
    SentenceAgreement,
)
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs, restore_options
from jurybox.edits.consensus import LEVELS, PlaceCounts, Places, Spread, TextCounts
from jurybox.edits.profile import AnnotatorProfile, CorpusSize
from jurybox.raters.agreement import Agreement


def restore(record: Fields) -> AnnotatorsResult:
    """A panel described; what could not be computed is None."""
    metric = record.text_or_none("metric")
    agreement = "sentence_agreement"
    return AnnotatorsResult(
        signature=record.text("signature"),
        corpus=_corpus(record.part("corpus")),
        annotators=tuple(
            AnnotatorProfile(
                name, one.whole("sentences"), one.whole("untouched"), one.wholes_by_name("by_type")
            )
            for name, one in record.parts_by_name("annotators").items()
        ),
        consensus=_consensus(record.part("consensus")) if record.has("consensus") else None,
        places=_places(record.part("places")) if record.has("places") else None,
        texts=_texts(record.part("texts")) if record.has("texts") else None,
        sentence_agreement=_agreement(record.part(agreement)) if record.has(agreement) else None,
        pairwise=_pairwise(record, metric) if record.has("pairwise") else None,
        metric=metric,
        options=restore_options(record) if record.has("options") else None,
        undefined=record.texts_by_name("undefined"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _corpus(record: Fields) -> CorpusSize:
    return CorpusSize(
        documents=record.whole_or_none("documents"),
        paragraphs=record.whole_or_none("paragraphs"),
        sentences=record.whole("sentences"),
        tokens=record.whole("tokens"),
    )


def _pairwise(record: Fields, metric: str | None) -> tuple[AnnotatorPair, ...]:
    names = ("score",) if metric == "gleu" else ("precision", "recall", "f")
    return tuple(
        AnnotatorPair(
            pair.text("hypothesis"),
            pair.text("annotator"),
            {name: pair.number(name) for name in names},
            pair.reason(),
        )
        for pair in record.parts("pairwise")
    )


def _consensus(record: Fields) -> dict[str, Spread]:
    return {level: _counted(record, level, ("made_by", "of", "distinct")) for level in LEVELS}


def _counted(record: Fields, name: str, columns: tuple[str, str, str]) -> Spread:
    """A list of (so many, of so many, how often) as the dict it was."""
    rows = ([row.whole(column) for column in columns] for row in record.parts(name))
    return {(made_by, of): count for made_by, of, count in rows}


def _places(record: Fields) -> Places:
    by_type = record.parts_by_name("by_type")
    return Places(_place(record.part("overall")), {kind: _place(o) for kind, o in by_type.items()})


def _place(record: Fields) -> PlaceCounts:
    return PlaceCounts(*(record.whole(name) for name in PlaceCounts._fields))


def _texts(record: Fields) -> TextCounts:
    return TextCounts(
        spread=_counted(record, "spread", ("distinct", "of", "sentences")),
        all_same=record.whole("all_same"),
        all_untouched=record.whole("all_untouched"),
        all_differ=record.whole("all_differ"),
    )


def _agreement(record: Fields) -> SentenceAgreement:
    return SentenceAgreement(
        sentences=record.whole("sentences"),
        all_left=record.whole("all_left"),
        all_changed=record.whole("all_changed"),
        pairs=tuple(
            PairKappa(
                pair.text("first"), pair.text("second"), pair.whole("sentences"), _coefficient(pair)
            )
            for pair in record.part("cohen_kappa").parts("pairs", least=1)
        ),
        fleiss=_coefficient(record.part("fleiss_kappa")),
        alpha=_coefficient(record.part("krippendorff_alpha")),
    )


def _coefficient(record: Fields) -> Agreement:
    return Agreement(
        value=record.number("value"),
        observed=record.number("observed"),
        expected=record.number("expected"),
        reason=record.reason(),
    )
