"""What is known of a model: its kind, its text, how it was trained, how large it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from jurybox.records import Count, Limits
from jurybox.results import Inputs, Signature, TabularResult, Warnings
from jurybox.tables import Column, Table

MEGABYTE = 1e6
PLUGIN = "plugin"


class TemplateInWords(NamedTuple):
    """A kind of feature."""

    number: Annotated[int, "From 1.", Limits(minimum=1)]
    template: Annotated[str, "Its parts, by short names."]
    words: Annotated[str, "The same in words."]


class TrainingOptions(NamedTuple):
    """Options of the training; null where a learner has no such option."""

    least: Annotated[int | None, "Features of fewer events were left out."] = None
    nothing_rate: Annotated[
        float | None, "Share of the places without a preposition that were learnt from."
    ] = None
    passes: Annotated[int | None, "Passes over the events."] = None
    strength: Annotated[float | None, "How far weights could grow: scikit-learn's C."] = None
    seed: Annotated[int | None, "Seed of the random numbers."] = None
    split: Annotated[
        float | None, "The share of the text that was learnt from; null: all of it."
    ] = None
    smoothing: Annotated[
        str | None,
        "kneser-ney or stupid-backoff; null for another kind of model, or where an ARPA file does "
        "not tell.",
    ] = None
    order: Annotated[int | None, "Words of the longest n-grams."] = None
    prune: Annotated[
        tuple[int, ...] | None,
        "N-grams seen at most so often were left out, by order; empty: none were.",
    ] = None
    fallback_discounts: Annotated[
        tuple[float, ...] | None, "Discounts that were offered for orders with too few n-grams."
    ] = None


class PackageVersion(NamedTuple):
    """A package that made a model."""

    package: str
    version: str


class ModelFacts(NamedTuple):
    """A model as its folder describes it; what a kind of model does not have is null or empty."""

    learner: Annotated[
        str, "maxent, perceptron or lm; plugin: a package brings it, and `folder` is its name."
    ]
    folder: Annotated[str, "Its folder, as it was named."]
    bytes: Annotated[Count, "Size of all its files."] = 0
    made_from: Annotated[str, "What it was made from: text; lm only: counts, or an ARPA file."] = ""
    sha256: Annotated[tuple[str, ...], "SHA-256 of every file it was made from."] = ()
    sentences: Annotated[int | None, "Sentences of the text; null where unknown."] = None
    tokens: Annotated[int | None, "Tokens of the text; null where unknown."] = None
    options: TrainingOptions = TrainingOptions()
    versions: Annotated[tuple[PackageVersion, ...], "The packages that made it."] = ()
    tagger: Annotated[
        str | None,
        "What tagged the text: versions of spaCy and of its model; null for a language model.",
    ] = None
    events: Annotated[
        int | None,
        "Events it was learnt from; null for a language model, as all that follow but ngrams.",
    ] = None
    nothing: Annotated[int | None, "Of these, places without a preposition."] = None
    held_out: Annotated[int | None, "Held-out events, for calibration and the figures below."] = (
        None
    )
    accuracy: Annotated[
        float | None,
        Limits(minimum=0, maximum=1),
        "Share of the held-out prepositions that it chooses; null without any.",
    ] = None
    log_loss: Annotated[
        float | None, "Mean log loss on the held-out events, in nats, among all classes."
    ] = None
    temperature: Annotated[float | None, "Factor that calibrates the scores."] = None
    features: Annotated[int | None, "Features with weights."] = None
    ngrams: Annotated[
        tuple[int, ...],
        "N-grams of each order, from single words on; empty for another kind of model.",
    ] = ()

    @property
    def by_package(self) -> bool:
        """Whether a package brings it."""
        return self.learner == PLUGIN

    def rows(self) -> Iterator[tuple[str, str]]:
        """The rows of a table about it, without what it does not have."""
        kept_aside = [
            ("right preposition on these", self.accuracy),
            ("log loss on these", self.log_loss),
        ]
        numbers = [
            ("sentences", self.sentences),
            ("tokens", self.tokens),
            ("tagger", self.tagger),
            ("events", self.events),
            ("of these without a preposition", self.nothing),
            ("features", self.features),
            ("events kept aside", self.held_out),
            *(kept_aside if self.held_out else []),
            ("temperature", self.temperature),
            *((f"{order}-grams", size) for order, size in enumerate(self.ngrams, 1)),
        ]
        yield "made from", self.made_from
        for name, value in numbers:
            if value is not None:
                yield name, f"{value:.4f}" if isinstance(value, float) else str(value)
        yield "size", f"{self.bytes / MEGABYTE:.1f} MB"


@dataclass(frozen=True, repr=False)
class DetectorInfo(TabularResult):
    """What a trained detector is and where it comes from."""

    command = "detect-info"

    model: ModelFacts
    checked: Annotated[bool, "Whether every byte was looked at, and is as it was saved."]
    templates: Annotated[
        tuple[TemplateInWords, ...],
        "The features, where they were asked for; none for a language model.",
    ]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()

    def records(self) -> list[dict[str, Any]]:
        """One row per fact, then one per template."""
        facts = [("learner", self.model.learner), *self.model.rows(), *self._origins()]
        facts += [(one.template, one.words) for one in self.templates]
        return [{"what": name, "value": value} for name, value in facts]

    def tables(self) -> list[Table]:
        """What it is and where it comes from; the features, where they are asked for."""
        columns = (Column("model", text=True), Column(self.model.learner, text=True))
        rows = (*self.model.rows(), *self._origins())
        notes = [f"folder: {self.model.folder}"]
        if self.checked:
            notes.append("every byte is as it was saved")
        tables = [Table(columns, rows, notes=(*notes, f"signature: {self.signature}"))]
        if self.templates:
            titles = (Column("no."), Column("feature", text=True), Column("in words", text=True))
            tables.append(Table(titles, self.templates, title="Features"))
        return tables

    def _origins(self) -> Iterator[tuple[str, str]]:
        for name, value in self.model.options._asdict().items():
            if value not in (None, ()):
                values = value if isinstance(value, tuple) else (value,)
                shown = ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)
                yield f"option {name}", shown
        for digest in self.model.sha256:
            yield "SHA-256 of the text", digest
        for package, version in self.model.versions:
            yield f"version of {package}", version
