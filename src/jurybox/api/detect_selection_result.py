"""What `detect_selection` gives back: choices of prepositions against what writers wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.cases_result import form_of
from jurybox.api.results import (
    GivenFile,
    TabularResult,
    describe_inputs,
    envelope,
    interval_record,
    number_or_none,
)
from jurybox.errors import UsageError
from jurybox.formats import writing
from jurybox.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.detect.selection_run import ScoredEvents
    from jurybox.stats.resample import Interval

COMMAND = "detect-selection"


class PrepositionScore(NamedTuple):
    """One preposition: how often it was written, chosen, and both."""

    preposition: str
    n: int
    chosen: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.chosen if self.chosen else nan

    @property
    def recall(self) -> float:
        return self.right / self.n if self.n else nan

    @property
    def f(self) -> float:
        """The harmonic mean: 2 right / (written + chosen)."""
        both = self.n + self.chosen
        return 2 * self.right / both if both else nan

    def to_dict(self) -> dict[str, Any]:
        scores = {"precision": self.precision, "recall": self.recall, "f": self.f}
        return {**self._asdict(), **{k: number_or_none(v) for k, v in scores.items()}}


class Confused(NamedTuple):
    """One preposition taken for another."""

    written: str
    chosen: str
    n: int


class ChanceBin(NamedTuple):
    """Choices of about the same probability: how sure they were, and how often they were right."""

    low: float
    high: float
    n: int
    predicted: float  # nan where there is none
    right: float

    def to_dict(self) -> dict[str, Any]:
        shares = {"predicted": self.predicted, "right": self.right}
        return {**self._asdict(), **{k: number_or_none(v) for k, v in shares.items()}}


@dataclass(frozen=True)
class ModelSelection:
    """One model: its confusion matrix and what does not follow from it."""

    name: str
    kind: str  # maxent, perceptron or lm
    events: int | None  # learnt from; None where that is not known
    training_majority: str | None  # the most frequent preposition of its training text, if told
    prepositions: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]  # [written][chosen]
    top2: int  # events whose written word is among the two likeliest
    top3: int
    log_loss: float
    bins: tuple[ChanceBin, ...]
    calibration_error: float
    level: float = 0.95

    @property
    def n(self) -> int:
        return sum(map(sum, self.confusion))

    @property
    def right(self) -> int:
        return sum(row[place] for place, row in enumerate(self.confusion))

    @property
    def accuracy(self) -> float:
        return self.right / self.n

    @property
    def interval(self) -> Interval:
        """Wilson's."""
        from jurybox.stats.proportions import wilson_interval
        from jurybox.stats.resample import Interval

        low, high = wilson_interval(self.right, self.n, self.level)
        return Interval(float(low), float(high), self.level)

    @property
    def written(self) -> tuple[int, ...]:
        """How often each preposition was written."""
        return tuple(map(sum, self.confusion))

    @property
    def by_preposition(self) -> tuple[PrepositionScore, ...]:
        """Those that were written or chosen, the most frequent first."""
        chosen = [sum(column) for column in zip(*self.confusion, strict=True)]
        every = (
            PrepositionScore(name, n, chosen[place], self.confusion[place][place])
            for place, (name, n) in enumerate(zip(self.prepositions, self.written, strict=True))
        )
        return tuple(sorted((one for one in every if one.n or one.chosen), key=lambda one: -one.n))

    @property
    def confusions(self) -> tuple[Confused, ...]:
        """Words taken for others, the most frequent first."""
        every = (
            Confused(name, self.prepositions[column], n)
            for name, row in zip(self.prepositions, self.confusion, strict=True)
            for column, n in enumerate(row)
            if n and self.prepositions[column] != name
        )
        return tuple(sorted(every, key=lambda one: -one.n))

    def share_of(self, preposition: str | None) -> float:
        """How often always choosing one preposition would be right."""
        if preposition not in self.prepositions:
            return nan
        return self.written[self.prepositions.index(preposition)] / self.n

    def to_dict(self) -> dict[str, Any]:
        known = self.training_majority
        return {
            "name": self.name,
            "kind": self.kind,
            "events": self.events,
            "right": self.right,
            "accuracy": self.accuracy,
            "interval": interval_record(self.interval),
            "top2": self.top2,
            "top2_accuracy": self.top2 / self.n,
            "top3": self.top3,
            "top3_accuracy": self.top3 / self.n,
            "log_loss": self.log_loss,
            "calibration_error": number_or_none(self.calibration_error),
            "training_majority": known,
            "training_majority_accuracy": number_or_none(self.share_of(known)),
            "by_preposition": [one.to_dict() for one in self.by_preposition],
            "confusion": {
                name: list(row) for name, row in zip(self.prepositions, self.confusion, strict=True)
            },
            "calibration": [one.to_dict() for one in self.bins],
        }


class ModelPair(NamedTuple):
    """Two models on the same events; `p` of McNemar's exact test, and adjusted for the pairs."""

    first: str
    second: str
    only_first: int  # events that only the first got right
    only_second: int
    difference: float  # of accuracies
    low: float
    high: float
    p: float
    p_holm: float


@dataclass(frozen=True)
class SelectionResult(TabularResult):
    """How often models choose what writers wrote; `scored` has the events, which JSON does not."""

    models: tuple[ModelSelection, ...]
    pairs: tuple[ModelPair, ...]
    sentences: int
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()
    scored: ScoredEvents | None = field(default=None, repr=False, compare=False)
    #: what was written: cloze, choice, key
    saved: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def n(self) -> int:
        """How many events there are."""
        return self.models[0].n

    @property
    def majority(self) -> str:
        """The most frequent preposition of the held-out text."""
        first = self.models[0]
        return first.prepositions[first.written.index(max(first.written))]

    @property
    def baseline(self) -> float:
        """The accuracy of always choosing it."""
        return self.models[0].share_of(self.majority)

    def save_task(
        self,
        task: str,
        target: str | os.PathLike[str],
        key: str | os.PathLike[str],
        *,
        items: int | None = None,
        seed: int = 1,
    ) -> None:
        """Write a `cloze` or `choice` task for raters, and its key."""
        from jurybox.detect import selection_key
        from jurybox.detect.selection_tasks import draw_task, write_items

        if self.scored is None:
            raise UsageError("a saved result has no sentences; call detect_selection again")
        if task == selection_key.CHOICE and len(self.models) > 1:
            raise UsageError("--choices is between the writer and one system; name one model")
        form = form_of(os.fspath(target))
        text = [
            selection_key.KeyText(one["path"], one["sha256"])
            for one in describe_inputs(self.inputs[: len(self.inputs) - len(self.models)])
        ]
        names = [one.name for one in self.models]
        drawn = draw_task(task, self.scored, names, items=items, seed=seed, text=text)
        with writing(os.fspath(target)) as out:
            write_items(drawn.items, out, form)
        with writing(os.fspath(key)) as out:
            selection_key.write(drawn.key, out)
        self.saved.update({task: os.fspath(target), "key": os.fspath(key)})

    def figure(self, kind: str | None = None) -> Figure:
        """`confusion` of the first model, `calibration`, or the learning `curve`."""
        from jurybox.api.detect_selection_figures import draw

        return draw(self, kind)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the sentences, in the form of the JSON Schema."""
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "task": "selection",
            "events": self.n,
            "sentences": self.sentences,
            "majority": self.majority,
            "majority_accuracy": self.baseline,
            "prepositions": list(self.models[0].prepositions),
            "models": [one.to_dict() for one in self.models],
            "pairs": [one._asdict() for one in self.pairs],
            "written": [{"what": what, "file": name} for what, name in self.saved.items()],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One number a row."""
        return [
            dict(zip(("model", "section", "item", "name", "value"), row, strict=True))
            for row in self._numbers()
        ]

    def _numbers(self) -> Iterator[tuple[str, str, str, str, Any]]:
        yield "", "baseline", self.majority, "accuracy", self.baseline
        for one in self.models:
            record = one.to_dict()
            for name in ("events", "right", "accuracy", "top2_accuracy", "top3_accuracy"):
                yield one.name, "overall", "", name, record[name]
            yield one.name, "overall", "", "low", one.interval.low
            yield one.name, "overall", "", "high", one.interval.high
            for name in ("log_loss", "calibration_error"):
                yield one.name, "overall", "", name, record[name]
            for part in record["by_preposition"]:
                item = part.pop("preposition")
                for name, value in part.items():
                    yield one.name, "preposition", item, name, value
            for confused in one.confusions:
                item = f"{confused.written} > {confused.chosen}"
                yield one.name, "confusion", item, "n", confused.n
            for part in record["calibration"]:
                item = f"{part.pop('low'):g}-{part.pop('high'):g}"
                for name, value in part.items():
                    yield one.name, "calibration", item, name, value
        for pair in self.pairs:
            told = pair._asdict()
            names = f"{told.pop('first')} / {told.pop('second')}"
            for name, value in told.items():
                yield names, "difference", "", name, value

    def tables(self) -> list[Table]:
        """What people read; CSV and JSON have all of it."""
        from jurybox.api.detect_selection_tables import tables_of

        return list(tables_of(self))
