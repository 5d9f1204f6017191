"""`aggregate`: one label per case out of many judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jurybox.api.aggregate_crowdkit import CROWDKIT, label_by_crowdkit
from jurybox.api.aggregate_result import (
    AggregateResult,
    BesideMajority,
    CaseLabel,
    Fitted,
    GoldCheck,
)
from jurybox.api.counting import Progress
from jurybox.api.known_answers import GivenGold, warn
from jurybox.api.rater_inputs import GivenJudgments, RatingsInput, read_ratings
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.model import CaseSet
from jurybox.signature import signature

if TYPE_CHECKING:
    import numpy as np

    from jurybox.raters.aggregate import Aggregate
    from jurybox.raters.dawid_skene import DawidSkene
    from jurybox.raters.majority import Labelling, Ties
    from jurybox.raters.ratings import BoolArray, CodeArray, Ratings

OWN = ("majority", "gold-weighted", "dawid-skene")
METHODS = (*OWN, *CROWDKIT)


@dataclass(frozen=True)
class AggregateOptions:
    """Everything that changes a label."""

    method: str = "majority"
    ties: str = "random"
    smoothing: float = 0.0
    with_models: bool = False
    with_rejected: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown_name("method (--method)", self.method, METHODS)
        if not self.smoothing >= 0 or self.smoothing == float("inf"):
            raise UsageError(f"--smoothing must be a number from 0 up, not {self.smoothing}")
        if self.smoothing and self.method != "dawid-skene":
            raise UsageError("--smoothing is for --method dawid-skene only")
        if self.method in CROWDKIT and self.ties != "random":
            raise UsageError(f"--ties {self.ties}: {self.method} settles ties in its own way")
        if self.seed < 0:
            raise UsageError(f"--seed must be 0 or more, not {self.seed}")

    def sign(self, gold: str) -> str:
        """What the labels depend on, in one line."""
        own = self.method in OWN
        return signature(
            "aggregate",
            method=self.method,
            ties=plain(self.ties) if own else None,
            smoothing=float(self.smoothing) if self.method == "dawid-skene" else None,
            gold=plain(gold) or None,
            models="yes" if self.with_models else None,
            rejected="yes" if self.with_rejected else None,
            seed=self.seed if not own or self.ties == "random" else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "method": self.method,
            "ties": self.ties,
            "smoothing": self.smoothing,
            "with_models": self.with_models,
            "with_rejected": self.with_rejected,
            "seed": self.seed,
        }


def plain(text: str) -> str:
    """Words of a user's as a signature can hold them."""
    return text.replace("|", "/")


def aggregate(
    judgments: GivenJudgments,
    *,
    method: str = "majority",
    ties: str = "random",
    smoothing: float = 0.0,
    gold: GivenGold | None = None,
    expert: str | None = None,
    seed: int = 1,
    cases: CaseSet | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    input_format: str | None = None,
    with_models: bool = False,
    with_rejected: bool = False,
    show_raters: bool = False,
    progress: Progress | None = None,
) -> AggregateResult:
    """One label per case, how sure it is, and how right where answers are known.

    `judgments` are files, or (case, rater, label) in memory. `ties` is random, drop, first, or a
    label that every tied case gets. Options are those of `jurybox aggregate`.

    >>> said = [("c1", "Ann", "ok"), ("c1", "Bob", "ok"), ("c1", "Cem", "error")]
    >>> result = aggregate(said, gold={"c1": "ok"})
    >>> result.labels, round(result["c1"].confidence, 2), result.accuracy
    ({'c1': 'ok'}, 0.67, 1.0)
    """
    options = AggregateOptions(method, ties, smoothing, with_models, with_rejected, seed)
    with collecting_warnings() as messages:
        found = read_ratings(
            judgments,
            cases=cases,
            columns=columns,
            labels=labels,
            input_format=input_format,
            with_models=with_models,
            with_rejected=with_rejected,
            show_raters=show_raters,
            gold=gold,
            expert=expert,
            progress=progress,
        )
        result = _aggregate(found, options)
    return replace(result, warnings=tuple(messages))


def _aggregate(found: RatingsInput, options: AggregateOptions) -> AggregateResult:
    import numpy as np

    from jurybox.raters.majority import ties_named
    from jurybox.raters.ratings import label_counts

    ratings = found.ratings
    ties = ties_named(options.ties, ratings.labels)
    counts = label_counts(ratings)
    made = _label(found, options, ties, counts)
    labelling = made.labelling
    return AggregateResult(
        method=options.method,
        cases=_rows(found, labelling, counts.sum(axis=1)),
        label_names=ratings.labels,
        raters=len(np.unique(ratings.rater)),
        judgments=len(ratings),
        no_answer=ratings.left_out,
        format=found.format,
        options=options.to_dict(),
        signature=options.sign(found.gold_from),
        gold=_check(found, made, ties, counts) if found.gold_from else None,
        weights=_weights(made, ratings),
        model=None if made.model is None else _fitted(made.model, ratings),
        beside_majority=(
            None if options.method == "majority" else _beside(labelling.label, counts)
        ),
        inputs=found.inputs,
    )


def _label(
    found: RatingsInput, options: AggregateOptions, ties: Ties, counts: CodeArray
) -> Aggregate:
    import numpy as np

    from jurybox.raters.aggregate import Aggregate
    from jurybox.raters.aggregate import aggregate as label_cases

    ratings = found.ratings
    if options.method in CROWDKIT:
        judged = counts.sum(axis=1) > 0
        labelling = label_by_crowdkit(ratings, options.method, judged, options.seed)
        return Aggregate(options.method, labelling)
    if options.method == "gold-weighted" and not found.gold_from:
        raise InputError(
            "--method gold-weighted needs known answers: a column gold, --gold FILE or --expert "
            "NAME"
        )
    made = label_cases(
        ratings,
        options.method,
        ties=ties,
        rng=np.random.default_rng(options.seed),
        gold=found.right,
        is_gold=found.is_gold,
        smoothing=options.smoothing,
    )
    if made.model is not None and not made.model.converged:
        warn(
            f"Dawid and Skene's model did not come to rest in {made.model.iterations} iterations "
            f"(last change {made.model.change:.2g}); --smoothing 1 often helps"
        )
    return made


def _rows(found: RatingsInput, labelling: Labelling, judgments: CodeArray) -> tuple[CaseLabel, ...]:
    names = (*found.ratings.labels, None)  # the code of no label is -1: the last
    columns = zip(
        found.cases,
        labelling.label.tolist(),
        labelling.confidence.tolist(),
        judgments.tolist(),
        labelling.tied.tolist(),
        strict=True,
    )
    return tuple(
        CaseLabel(case, names[code], sure, count, tied) for case, code, sure, count, tied in columns
    )


def _check(found: RatingsInput, made: Aggregate, ties: Ties, counts: CodeArray) -> GoldCheck:
    """Accuracy where answers are known; under random ties its exact expectation."""
    from jurybox.raters.aggregate import check_against_gold

    right, is_gold = found.right, found.is_gold
    drawn = check_against_gold(made.labelling.label, right, is_gold)
    accuracy = drawn.value
    lots = made.labelling.tied & is_gold
    if ties.policy == "random" and lots.any():
        settled = check_against_gold(made.labelling.label, right, is_gold & ~lots)
        chances = _chances(found, made, lots, counts)
        accuracy = (settled.right + float(chances.sum())) / drawn.cases
    return GoldCheck(found.gold_from, drawn.cases, drawn.right, drawn.unlabelled, accuracy)


def _chances(
    found: RatingsInput, made: Aggregate, lots: BoolArray, counts: CodeArray
) -> np.ndarray[Any, Any]:
    """How likely each tied case is to get a right label: the share of its tied labels.

    The confidence that a tied case has in each label, were the ties to get that label, tells which
    labels are tied.
    """
    import numpy as np

    from jurybox.raters.majority import SAME_SCORE, Ties

    labels = range(len(found.ratings.labels))
    support = np.stack(
        [_settled_by(found, made, Ties("label", k), counts).confidence[lots] for k in labels],
        axis=1,
    )
    level = support >= support.max(axis=1, keepdims=True) - SAME_SCORE
    chances: np.ndarray[Any, Any] = (level & found.right[lots]).sum(axis=1) / level.sum(axis=1)
    return chances


def _settled_by(found: RatingsInput, made: Aggregate, ties: Ties, counts: CodeArray) -> Labelling:
    """The same labels with ties settled in another way."""
    from jurybox.raters.aggregate import vote_by_gold
    from jurybox.raters.dawid_skene import label_by_posterior
    from jurybox.raters.majority import take_majority

    if made.model is not None:
        return label_by_posterior(made.model.posterior, ties)
    if made.method == "gold-weighted":
        return vote_by_gold(found.ratings, found.right, found.is_gold, ties=ties)[0]
    return take_majority(counts, ties)


def _weights(made: Aggregate, ratings: Ratings) -> dict[str, float] | None:
    if made.weights is None:
        return None
    import numpy as np

    voted = np.unique(ratings.rater).tolist()
    return {ratings.raters[number]: float(made.weights[number]) for number in voted}


def _fitted(model: DawidSkene, ratings: Ratings) -> Fitted:
    prior = dict(zip(ratings.labels, model.prior.tolist(), strict=True))
    return Fitted(model.iterations, model.converged, model.change, model.log_likelihood, prior)


def _beside(label: CodeArray, counts: CodeArray) -> BesideMajority:
    import numpy as np

    from jurybox.raters.agreement import MISSING
    from jurybox.raters.majority import Ties, take_majority

    voted = take_majority(counts, Ties("drop")).label
    both = (label != MISSING) & (voted != MISSING)
    return BesideMajority(int(both.sum()), int(np.count_nonzero(label[both] != voted[both])))
