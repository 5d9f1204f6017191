"""Confidence intervals of `evaluate`: over other cases, other documents, other raters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

from jurybox.counting.histogram import Histogram
from jurybox.errors import InputError
from jurybox.jury.bins import BIN_INTERVALS, Binning
from jurybox.jury.bootstrap import (
    CaseResamples,
    PairedDifference,
    paired_difference,
    resample_measures,
    spread_of,
)
from jurybox.jury.evaluate import Evaluate
from jurybox.jury.evaluate.jury import Jury, Settled
from jurybox.jury.evaluate.result import COMPARED, PairComparison, SystemEvaluation
from jurybox.jury.evaluate.tables import TRUTHS
from jurybox.jury.measure_arrays import measure_arrays
from jurybox.jury.rater_bootstrap import RaterResamples, resample_raters
from jurybox.jury.stability import KINDS, Stability, change_raters, flip_one, flip_one_each
from jurybox.jury.votes import FloatArray
from jurybox.jury.weighted import contributions, detection_counts, weighted_counts
from jurybox.metrics.measures import MEASURES
from jurybox.model import LABEL_BITS, JudgmentTable
from jurybox.stats.confidence import Bootstrap, few_units
from jurybox.stats.intervals import effective_units
from jurybox.stats.significance import holm
from jurybox.streams import stream

#: with fewer raters intervals over raters do not hold (docs/studies/coverage.md)
ENOUGH_RATERS = 100
FEW_RATERS = (
    "These raters say as much as {:.0f} who judge equally often. In simulations with ten "
    "annotators of real essays as the raters, 95 % intervals over 5, 10 and 20 of them held in 83 "
    "to 99, 86 to 100 and 90 to 98 %; with 50 crowd workers, some of whom judge far more than "
    "others, in 66 to 91 %."
)


def settle_units(options: Evaluate, jury: Jury) -> Bootstrap:
    """What is resampled: documents where they are known and enough, else cases."""
    how = Bootstrap(options.resamples, options.ci_level, options.ci_unit, options.seed)
    if not options.ci:
        return how
    if options.ci_unit == "rater":
        raters = effective_raters(jury.judgments)
        cautions = (FEW_RATERS.format(raters),) if raters < ENOUGH_RATERS else ()
        return how._replace(cautions=cautions)
    named = find_documents(jury)
    counts = np.flatnonzero(~np.isnan(jury.p)).tolist()
    return how.settled(None if named is None else [named[i] for i in counts], "case")


def effective_raters(judgments: JudgmentTable) -> float:
    """How many raters who judge equally often would say as much."""
    times = np.bincount(np.asarray(judgments.answer) >> np.uint32(LABEL_BITS))
    return effective_units(times.astype(np.float64))


def caution_few(drawn: Sequence[CaseResamples], names: Sequence[str]) -> tuple[str, ...]:
    """A caution about measures that rest on few cases or documents; raters have their own."""
    rests_on = {
        f"{TRUTHS[kind]} {MEASURES[name].title} of {system}": float(
            own.evidence[own.names.index(name), place]
        )
        for own, system in zip(drawn, names, strict=True)
        for place, kind in enumerate(KINDS)
        for name in COMPARED
    }
    return tuple(filter(None, [few_units(drawn[0].unit, rests_on)]))


def draw_systems(
    systems: Sequence[Settled], jury: Jury, binning: Binning, options: Evaluate
) -> list[CaseResamples]:
    """Every system on resamples of the unit asked for: plain, weighted, and every bin behind them.

    A system is resampled on its own, so that its numbers do not depend on the others. There are no
    bins with raters: others would agree on other cases.
    """
    if options.ci_unit == "rater":
        return _over_raters(systems, jury, options)
    drawn = []
    for system in systems:
        parts = _contributions(system, jury)
        bins = [np.where(binning.of_case == k, parts[0], 0.0) for k in range(binning.bins)]
        drawn.append(_draw([system], [*parts, *bins], jury, options))
    return drawn


def draw_pair(first: Settled, second: Settled, jury: Jury, options: Evaluate) -> CaseResamples:
    """Two systems on the same resamples of cases or documents: plain and weighted of each.

    They are drawn in an order that their decisions give: whoever was named first, and in whatever
    order cases stand, the digits stay.
    """
    own, other = (
        Histogram.of(np.column_stack([*decided, *jury.votes, jury.truth]), jury.sizes)
        for decided in ((first.decided, second.decided), (second.decided, first.decided))
    )
    turned = own.to_bytes() > other.to_bytes()
    pair = [second, first] if turned else [first, second]
    parts = [part for system in pair for part in _contributions(system, jury)]
    drawn = _draw(pair, parts, jury, options)
    order = [2, 3, 0, 1] if turned else [0, 1, 2, 3]
    return drawn._replace(
        observed=drawn.observed[:, order],
        scores=drawn.scores[:, order],
        evidence=drawn.evidence[:, order],
    )


def _contributions(system: Settled, jury: Jury) -> list[FloatArray]:
    return [contributions(system.decided, truth) for truth in (jury.truth, jury.p)]


def _draw(
    systems: Sequence[Settled],
    parts: Sequence[FloatArray],
    jury: Jury,
    options: Evaluate,
) -> CaseResamples:
    decided = np.stack([system.decided for system in systems])
    counted = ~np.isnan(jury.p) & (decided >= 0).any(axis=0)
    if not counted.any():
        raise InputError("no case has both a decision and a judgment; there is nothing to resample")
    documents = None
    if options.ci_unit == "document":
        named = find_documents(jury)
        if named is None:
            raise InputError(
                "--ci-unit document needs the document of every case, in the column 'document' of "
                "the cases; give them, or resample by case"
            )
        documents = [named[i] for i in np.flatnonzero(counted).tolist()]
    return resample_measures(
        [part[:, counted] for part in parts],
        tuple(MEASURES),
        stream(options.seed, "bootstrap"),
        options.resamples,
        documents=documents,
        beta=options.beta,
        sizes=jury.sizes[counted],
    )


def find_documents(jury: Jury) -> list[str] | None:
    """The document of every case, where every case that counts has one; gold ones do not."""
    if jury.case_set.is_bare:
        return None
    named = [case.document for case in jury.case_set.cases]
    counts = ~np.isnan(jury.p)
    if any(name is None for name, known in zip(named, counts.tolist(), strict=True) if known):
        return None
    return [name or "" for name in named]


def draw_raters(systems: Sequence[Settled], jury: Jury, options: Evaluate) -> RaterResamples:
    """Counts of all systems over resamples of the raters."""
    return resample_raters(
        jury.judgments,
        [system.decided for system in systems],
        stream(options.seed, "raters"),
        options.resamples,
        trivial=jury.trivial,
        ties=options.ties,
    )


def _over_raters(systems: Sequence[Settled], jury: Jury, options: Evaluate) -> list[CaseResamples]:
    drawn = draw_raters(systems, jury, options)
    names = tuple(MEASURES)
    evidence = np.full((len(names), 2), effective_raters(jury.judgments))
    found = []
    for place, system in enumerate(systems):
        decided = system.decided
        counts = (detection_counts(decided, jury.truth), weighted_counts(decided, jury.p))
        observed = np.array([astuple(one) for one in counts], dtype=np.float64)
        resampled = np.stack([drawn.plain[place], drawn.weighted[place]])
        found.append(
            CaseResamples(
                names,
                measure_arrays(names, observed, beta=options.beta),
                measure_arrays(names, resampled, beta=options.beta),
                "rater",
                drawn.raters,
                evidence,
            )
        )
    return found


def find_intervals(system: SystemEvaluation, drawn: CaseResamples, level: float) -> dict[str, Any]:
    """One system's intervals: every measure, plain and weighted; the measures of its bins."""
    intervals = {
        kind: {name: spread_of(drawn, place, name, level=level) for name in drawn.names}
        for place, kind in enumerate(KINDS)
    }
    if drawn.unit == "rater":
        return {"intervals": intervals}
    bins = []
    for place, one in enumerate(system.bins, start=len(KINDS)):
        own = {
            key: spread_of(drawn, place, name, level=level) for key, name in BIN_INTERVALS.items()
        }
        bins.append(replace(one, intervals=own))
    return {"intervals": intervals, "bins": tuple(bins)}


def compare_systems(
    systems: Sequence[Settled],
    drawn: Sequence[CaseResamples],
    jury: Jury,
    options: Evaluate,
) -> tuple[PairComparison, ...]:
    """Every pair of systems; p-values of one measure are adjusted for the number of pairs."""
    found: list[tuple[str, str, dict[str, dict[str, PairedDifference]]]] = []
    for a, b in combinations(range(len(systems)), 2):
        if options.ci_unit == "rater":  # all systems were drawn on the same resamples
            one, other = drawn[a], drawn[b]
            both = one._replace(
                observed=np.concatenate([one.observed, other.observed], axis=1),
                scores=np.concatenate([one.scores, other.scores], axis=1),
                evidence=np.concatenate([one.evidence, other.evidence], axis=1),
            )
        else:
            both = draw_pair(systems[a], systems[b], jury, options)
        differences = {
            kind: {
                name: paired_difference(
                    both, offset, len(KINDS) + offset, name, level=options.ci_level
                )
                for name in COMPARED
            }
            for offset, kind in enumerate(KINDS)
        }
        found.append((systems[a].name, systems[b].name, differences))
    for kind in KINDS:
        for name in COMPARED:
            tests = [differences[kind] for _, _, differences in found]
            known = [own for own in tests if not isnan(own[name].p)]
            for own, p in zip(known, holm([own[name].p for own in known]), strict=True):
                own[name] = own[name]._replace(p_holm=p)
    return tuple(PairComparison(*pair) for pair in found)


def find_stability(
    systems: Sequence[Settled], jury: Jury, options: Evaluate
) -> list[tuple[Stability, ...]]:
    """Flip one judgment, one of every case, or draw the raters anew; p is never smoothed here."""
    drawn = draw_raters(systems, jury, options)
    found: list[tuple[Stability, ...]] = []
    for place, system in enumerate(systems):
        decided = system.decided
        if not ((jury.votes.deciding > 0) & (decided >= 0)).any():
            found.append(())
            continue
        plain = detection_counts(decided, jury.truth)
        weighted = weighted_counts(decided, jury.plain_p)
        measured: dict[str, Any] = {"measures": COMPARED, "beta": options.beta}
        flips = {"ties": options.ties, "trivial": jury.trivial, **measured}
        rng = stream(options.seed, "flips")
        found.append(
            (
                flip_one(jury.votes, decided, **flips),
                flip_one_each(jury.votes, decided, rng, options.resamples, **flips),
                change_raters(plain, weighted, drawn, place, **measured),
            )
        )
    return found
