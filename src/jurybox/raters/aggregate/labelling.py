"""How `aggregate` labels cases, and how right the labels are where answers are known."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from jurybox.counting.histogram import fixed_order
from jurybox.errors import InputError, JuryboxError, collecting_warnings, warn
from jurybox.options import signature, signed_text
from jurybox.raters.aggregate import CROWDKIT, OWN, AggregateOptions, Aggregation
from jurybox.raters.aggregate.methods import (
    Aggregate,
    aggregate,
    check_against_gold,
    label_by_crowdkit,
    label_by_posterior,
    vote_by_gold,
)
from jurybox.raters.aggregate.result import (
    AgainstMajority,
    AggregateResult,
    Fitted,
    GoldCheck,
    TiedCases,
)
from jurybox.raters.agreement import MISSING
from jurybox.raters.flagged import changes_of, check_expert, find_flagged, quietly, without_flagged
from jurybox.raters.inputs import RatingsInput, RatingsReading, read_ratings
from jurybox.raters.majority import (
    SAME_SCORE,
    CaseLots,
    Labelling,
    Ties,
    take_majority,
    ties_named,
)
from jurybox.raters.ratings import CodeArray, label_counts

NO_LABEL = "no case with a known answer has a label"


def label_judgments(call: Aggregation) -> AggregateResult:
    """Read the judgments and label every case.

    Flagged raters are left out or counted; accuracy is given both ways where answers are known.
    """
    options = call.only(AggregateOptions, gold=None)  # a result need not hold them
    with collecting_warnings() as messages:
        found = read_ratings.of(call.only(RatingsReading))
        flagged = find_flagged(found.table, counted=options.with_flagged)
        if flagged is None:
            return replace(_aggregate(found, options), warnings=tuple(messages))
        if call.expert is not None and not flagged.counted:
            check_expert(found, call.expert)
        trusted = without_flagged(found)
        main, other = (found, trusted) if flagged.counted else (trusted, found)
        if not len(main.ratings):
            raise InputError("all answers are by flagged raters; --with-flagged counts them")
        result = _aggregate(main, options)
        if result.gold is not None and len(other.ratings):
            with quietly(), suppress(JuryboxError):  # only flagged raters may give --ties' label
                here, there = (
                    [(one.accuracy, NO_LABEL)] for one in (result, _aggregate(other, options))
                )
                changes = changes_of(["accuracy"], here, there, counted=flagged.counted)
                flagged = flagged._replace(changes=changes)
        warn(flagged.sentence())
    return replace(result, flagged=flagged, warnings=tuple(messages))


def _aggregate(found: RatingsInput, options: AggregateOptions) -> AggregateResult:
    ratings = found.ratings
    ties = ties_named(options.ties, ratings.labels)
    counts = label_counts(ratings)
    made = _label(found, options, ties, counts)
    labelling, model = made.labelling, made.model
    names = (*ratings.labels, None)  # the code of no label is -1: the last
    cases = found.cases
    weights = None
    if made.weights is not None:
        voted = ratings.judging.tolist()
        weights = {ratings.raters[number]: float(made.weights[number]) for number in voted}
    fitted = None
    if model is not None:
        prior = dict(zip(ratings.labels, model.prior.tolist(), strict=True))
        fitted = Fitted(
            model.iterations, model.converged, model.change, model.log_likelihood, prior
        )
    against = None
    if options.method != "majority":
        voted_label = take_majority(counts, Ties("drop")).label
        both = (labelling.label != MISSING) & (voted_label != MISSING)
        changed = int(np.count_nonzero(labelling.label[both] != voted_label[both]))
        against = AgainstMajority(int(both.sum()), changed)
    own = options.method in OWN
    return AggregateResult(
        options=options,
        format=found.format,
        raters=len(ratings.judging),
        judgments=len(ratings),
        no_answer=ratings.left_out,
        label_names=ratings.labels,
        ties=TiedCases(
            options.ties, tuple(cases[place] for place in np.flatnonzero(labelling.tied).tolist())
        ),
        labels=dict(zip(cases, (names[code] for code in labelling.label.tolist()), strict=True)),
        confidence=dict(zip(cases, labelling.confidence.tolist(), strict=True)),
        judgments_of=dict(zip(cases, counts.sum(axis=1).tolist(), strict=True)),
        signature=signature(
            "aggregate",
            method=options.method,
            ties=signed_text(options.ties) if own else None,
            smoothing=float(options.smoothing) if options.method == "dawid-skene" else None,
            gold=signed_text(found.gold_from) or None,
            **options.signed(),
            seed=options.seed if not own or options.ties == "random" else None,
        ),
        gold=_check(found, made, ties, counts) if found.gold_from else None,
        weights=weights,
        model=fitted,
        against_majority=against,
        inputs=found.inputs,
    )


def _label(
    found: RatingsInput, options: AggregateOptions, ties: Ties, counts: CodeArray
) -> Aggregate:
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
    made = aggregate(
        ratings,
        options.method,
        ties=ties,
        lots=CaseLots(options.seed, found.cases),
        gold=found.right if options.method == "gold-weighted" else None,
        is_gold=found.is_gold if options.method == "gold-weighted" else None,
        smoothing=options.smoothing,
        order=fixed_order(found.cases) if options.method == "dawid-skene" else None,
        counts=counts,
    )
    if made.model is not None and not made.model.converged:
        warn(
            f"Dawid and Skene's model did not converge in {made.model.iterations} iterations "
            f"(last change {made.model.change:.2g}); --smoothing 1 often helps"
        )
    return made


def _check(found: RatingsInput, made: Aggregate, ties: Ties, counts: CodeArray) -> GoldCheck:
    """Accuracy where answers are known; under random ties its exact expectation."""
    right, is_gold = found.right, found.is_gold
    drawn = check_against_gold(made.labelling.label, right, is_gold)
    accuracy = drawn.value
    tied = made.labelling.tied & is_gold
    if ties.policy == "random" and tied.any():
        settled = check_against_gold(made.labelling.label, right, is_gold & ~tied)
        # the confidence that a tied case has in each label, were ties to get that label, tells
        # which labels are tied; the chance of a right one is its share of these
        support = np.stack(
            [
                _settled_by(found, made, Ties("label", k), counts).confidence[tied]
                for k in range(len(found.ratings.labels))
            ],
            axis=1,
        )
        level = support >= support.max(axis=1, keepdims=True) - SAME_SCORE
        chances = (level & right[tied]).sum(axis=1) / level.sum(axis=1)
        accuracy = (settled.right + float(chances.sum())) / drawn.cases
    return GoldCheck(found.gold_from, drawn.cases, drawn.right, drawn.unlabelled, accuracy)


def _settled_by(found: RatingsInput, made: Aggregate, ties: Ties, counts: CodeArray) -> Labelling:
    """The same labels with ties settled in another way."""
    if made.model is not None:
        return label_by_posterior(made.model.posterior, ties)
    if made.method == "gold-weighted":
        return vote_by_gold(found.ratings, found.right, found.is_gold, ties=ties)[0]
    return take_majority(counts, ties)
