"""What `agree` says where the data allow: batches, raters who saw a case twice, models, sentences.

`agree_choices.py` is about choice tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from jurybox.api.agree_choices import ChoiceFindings
from jurybox.api.agree_pairs import tell_errors
from jurybox.api.agree_result import Coefficient, coefficients_record
from jurybox.api.results import number_or_none
from jurybox.model import CaseSet
from jurybox.raters.agreement import Agreement
from jurybox.raters.cohen import kappas_of
from jurybox.raters.corrections import judge_sentences
from jurybox.raters.kinds import ByKind, compare_kinds, fit_to_people
from jurybox.raters.pairs import agree_with_self
from jurybox.raters.ratings import CodeArray, Ratings, label_counts, labels_by, select
from jurybox.raters.resample import OF_NAMES, agree_together, tables_by_batch

__all__ = [
    "BatchRow",
    "ChoiceFindings",
    "ModelEffect",
    "RaterAgain",
    "RaterFitTold",
    "SelfFindings",
    "SentenceLevel",
]


#: whose alpha a comparison with models gives, and what it counts
ALPHAS = ("people", "added", "replaced")
CHANGES = ("cases_adding", "changed_by_adding", "cases_replacing", "changed_by_replacing")


class BatchRow(NamedTuple):
    """Agreement in one batch; `kappa` is Cohen's, where there are two raters in all.

    It is None otherwise, and where both give every case of the batch the same label.
    """

    batch: str
    cases: int
    raters: int
    judgments: int
    together: Mapping[str, Coefficient]
    kappa: float | None

    def to_dict(self) -> dict[str, Any]:
        record: dict[str, Any] = {
            name: getattr(self, name) for name in ("batch", "cases", "raters", "judgments")
        }
        return record | coefficients_record(self.together) | {"kappa": self.kappa}


def plain_coefficients(
    counts: CodeArray, names: Sequence[str], numbers: Sequence[float] | None = None
) -> dict[str, Coefficient]:
    """Coefficients of all raters by name, without what they are made of."""
    found = {name: agree_together(counts, name, numbers=numbers) for name in names}
    return {name: Coefficient(one.value, one.reason) for name, one in found.items()}


def find_batches(ratings: Ratings, words: Sequence[str], number: CodeArray) -> list[BatchRow]:
    """Agreement in every batch; `number[i]` is the place in `words` of judgment i's batch."""
    pair = np.unique(ratings.rater)
    kappas = _kappas(ratings, pair, number, len(words)) if len(pair) == 2 else None
    rows = []
    for batch, name in enumerate(words):
        own = select(ratings, number == batch)
        if not len(own):
            continue
        counts = label_counts(own)
        rows.append(
            BatchRow(
                name,
                len(np.unique(own.case)),
                len(np.unique(own.rater)),
                len(own),
                plain_coefficients(counts, OF_NAMES),
                None if kappas is None or np.isnan(kappas[batch]) else float(kappas[batch]),
            )
        )
    return sorted(rows, key=lambda row: _natural(row.batch))


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """B2 stands before B10."""
    import re

    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def _kappas(ratings: Ratings, pair: CodeArray, number: CodeArray, batches: int) -> CodeArray:
    """Cohen's kappa of two raters in each batch; a case belongs to the batch it is first in."""
    of_case = np.zeros(ratings.cases, dtype=np.int64)
    of_case[ratings.case[::-1]] = number[::-1]
    first, second = (labels_by(ratings, int(rater)) for rater in pair)
    tables = tables_by_batch(first, second, len(ratings.labels), of_case, batches)
    return np.asarray(kappas_of(tables.astype(np.float64)))


class RaterAgain(NamedTuple):
    """One rater who saw cases again."""

    rater: str
    repeats: int
    same: int

    def to_dict(self) -> dict[str, Any]:
        return self._asdict() | {"agreement": self.same / self.repeats}


class SelfFindings(NamedTuple):
    """How far raters agree with themselves."""

    pooled: Coefficient  # Cohen's kappa of earlier and later answers
    raters: tuple[RaterAgain, ...]

    @property
    def repeats(self) -> int:
        return sum(one.repeats for one in self.raters)

    @property
    def same(self) -> int:
        return sum(one.same for one in self.raters)

    def to_dict(self) -> dict[str, Any]:
        reason = {"reason": self.pooled.reason} if self.pooled.reason else {}
        return {
            "repeats": self.repeats,
            "same": self.same,
            "agreement": self.same / self.repeats,
            "kappa": number_or_none(self.pooled.value),
            **reason,
            "raters": [one.to_dict() for one in self.raters],
        }


def find_self_agreement(ratings: Ratings) -> SelfFindings | None:
    """Raters who judged a case again; None if nobody did."""
    found = agree_with_self(ratings)
    if not found.repeats.any():
        return None
    raters = [
        RaterAgain(ratings.raters[k], int(found.repeats[k]), int(found.same[k]))
        for k in np.flatnonzero(found.repeats).tolist()
    ]
    return SelfFindings(_plain(found.pooled), tuple(raters))


class RaterFitTold(NamedTuple):
    """How far a rater agrees with the (other) people."""

    rater: str
    kind: str
    pairs: int
    agreement: float

    def to_dict(self) -> dict[str, Any]:
        return self._asdict() | {"agreement": number_or_none(self.agreement)}


class ModelEffect(NamedTuple):
    """What models would change if they were added to people, or put in their place.

    `alphas` are Krippendorff's of people, with models added, and of models alone. Shares are of
    pairs of judgments of a case that agree. `changed_…` counts cases with another majority.
    """

    models: int
    judgments: int
    alphas: Mapping[str, Coefficient]
    within_people: float
    between: float
    within_models: float
    cases_adding: int
    changed_by_adding: int
    cases_replacing: int
    changed_by_replacing: int
    raters: tuple[RaterFitTold, ...]  # the models, and the least and most agreeing people

    def to_dict(self) -> dict[str, Any]:
        shares = ("within_people", "between", "within_models")
        alphas = self.alphas.items()
        return {
            "models": self.models,
            "judgments": self.judgments,
            "krippendorff_alpha": {name: number_or_none(one.value) for name, one in alphas},
            "undefined": {name: one.reason for name, one in alphas if one.reason},
            **{name: number_or_none(getattr(self, name)) for name in shares},
            **{name: getattr(self, name) for name in CHANGES},
            "raters": [one.to_dict() for one in self.raters],
        }


def find_model_effect(split: ByKind, raters: Sequence[str]) -> ModelEffect:
    """What adding models, or taking them instead of people, would change."""
    fit = fit_to_people(split)
    told = [
        RaterFitTold(raters[k], "model" if split.is_model[k] else "human", int(pairs), share)
        for k, (share, pairs) in enumerate(
            zip(fit.agreement.tolist(), fit.pairs.tolist(), strict=True)
        )
        if pairs
    ]
    people = sorted((one for one in told if one.kind == "human"), key=lambda one: one.agreement)
    models = [one for one in told if one.kind == "model"]
    ends = people if len(people) < 3 else [people[0], people[-1]]
    effect = compare_kinds(split)
    return ModelEffect(
        len(np.unique(split.models.rater)),
        len(split.models),
        {name: _plain(getattr(effect, name)) for name in ALPHAS},
        effect.within_people,
        effect.between,
        effect.within_models,
        **{name: getattr(effect, name) for name in CHANGES},
        raters=(*models, *ends),
    )


def _plain(one: Agreement) -> Coefficient:
    return Coefficient(one.value, one.reason)


class SentenceLevel(NamedTuple):
    """Agreement on whether anything in a sentence is an error."""

    sentences: int
    label: str  # that is looked for: error
    together: Mapping[str, Coefficient]

    def to_dict(self) -> dict[str, Any]:
        sizes = {"sentences": self.sentences, "label": self.label}
        return sizes | coefficients_record(self.together)


def find_sentence_level(ratings: Ratings, cases: CaseSet) -> SentenceLevel | None:
    """Agreement on sentences, where cases are places in them and one label is error.

    Cases without a place are about something else: two versions of a sentence, say.
    """
    errors, _ = tell_errors(ratings.labels)
    if len(errors) != 1:
        return None
    places: dict[tuple[str | None, str], int] = {}
    of_case = []
    for case in cases.cases:
        if not case.sentence or case.start is None:
            return None
        of_case.append(places.setdefault((case.document, case.sentence), len(places)))
    if len(places) == len(of_case):
        return None
    lifted = judge_sentences(ratings, np.array(of_case), len(places), errors[0])
    counts = label_counts(lifted)
    return SentenceLevel(
        len(np.unique(lifted.case)),
        ratings.labels[errors[0]],
        plain_coefficients(counts, OF_NAMES),
    )
