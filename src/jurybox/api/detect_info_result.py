"""What is known of a model: its kind, its text, how it was trained, how large it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope
from jurybox.report.tables import Column, Table

COMMAND = "detect-info"
MEGABYTE = 1e6
PLUGIN = "plugin"
#: options of training, by learner
LEARNING = ("least", "nothing_rate", "passes", "strength", "seed")
LANGUAGE_MODEL = ("order", "prune", "fallback_discounts")


class TemplateInWords(NamedTuple):
    """A feature template, and what it looks at."""

    number: int
    template: str
    words: str


@dataclass(frozen=True)
class ModelFacts:
    """A model as its folder describes it; what a kind of model does not have is None or empty."""

    learner: str  # maxent, perceptron or lm; plugin: of a package, and `folder` is its name
    folder: str
    bytes: int  # of all its files
    made_from: str  # text, or arpa
    sha256: tuple[str, ...]  # of the files of text
    sentences: int | None
    tokens: int | None
    options: Mapping[str, Any]
    versions: Mapping[str, str]
    tagger: str | None = None
    events: int | None = None
    nothing: int | None = None  # of the events, places without a preposition
    held_out: int | None = None
    accuracy: float | None = None
    log_loss: float | None = None
    temperature: float | None = None
    features: int | None = None
    ngrams: tuple[int, ...] = ()  # of each order

    @property
    def by_package(self) -> bool:
        """Whether a package brings it."""
        return self.learner == PLUGIN

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **self.__dict__,
            "sha256": list(self.sha256),
            "options": {
                name: _plain(self.options.get(name)) for name in (*LEARNING, *LANGUAGE_MODEL)
            },
            "versions": [
                {"package": name, "version": number} for name, number in self.versions.items()
            ],
            "ngrams": list(self.ngrams),
        }

    def rows(self) -> Iterator[tuple[str, str]]:
        """What a table says of it, without what it does not have."""
        yield "made from", self.made_from
        yield from _told("sentences", self.sentences)
        yield from _told("tokens", self.tokens)
        if self.tagger is not None:
            yield "tagger", self.tagger
        yield from _told("events", self.events)
        yield from _told("of these without a preposition", self.nothing)
        yield from _told("features", self.features)
        yield from _told("events kept aside", self.held_out)
        if self.held_out:
            yield from _told("right preposition on these", self.accuracy)
            yield from _told("log loss on these", self.log_loss)
        yield from _told("temperature", self.temperature)
        for order, size in enumerate(self.ngrams, 1):
            yield f"{order}-grams", str(size)
        yield "size", f"{self.bytes / MEGABYTE:.1f} MB"


@dataclass(frozen=True)
class DetectorInfo(TabularResult):
    """A model that was looked at; `checked`: every byte is what it was when it was saved."""

    model: ModelFacts
    checked: bool
    templates: tuple[TemplateInWords, ...]  # none for a language model, or unless asked for
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the form of the JSON Schema jurybox.detect-info/1."""
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "model": self.model.to_dict(),
            "checked": self.checked,
            "templates": [one._asdict() for one in self.templates],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per fact, then one per template."""
        facts = [("learner", self.model.learner), *self.model.rows(), *self._origins()]
        rows = [{"what": name, "value": value} for name, value in facts]
        return [*rows, *({"what": one.template, "value": one.words} for one in self.templates)]

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
        for name, value in self.model.options.items():
            if value not in (None, []):
                yield f"option {name}", _shown(value)
        for digest in self.model.sha256:
            yield "SHA-256 of the text", digest
        for name, version in self.model.versions.items():
            yield f"version of {name}", version


def _told(name: str, value: float | None) -> Iterator[tuple[str, str]]:
    if value is not None:
        yield name, str(value) if isinstance(value, int) else f"{value:.4f}"


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(_shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
