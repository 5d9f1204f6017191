"""How sure the numbers of `evaluate` are: other cases, other documents, other raters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isnan

import numpy as np

from jurybox.api.evaluate_jury import Jury
from jurybox.api.evaluate_options import EvaluateOptions
from jurybox.api.evaluate_system import Settled
from jurybox.api.evaluation import BIN_INTERVALS, KINDS, PairComparison
from jurybox.cases.bins import Binning
from jurybox.cases.bootstrap import (
    CaseResamples,
    Spread,
    paired_difference,
    resample_measures,
    spread_of,
)
from jurybox.cases.measure_arrays import measure_arrays
from jurybox.cases.rater_bootstrap import RaterResamples, resample_raters
from jurybox.cases.stability import Stability, change_raters, flip_one, flip_one_each
from jurybox.cases.weighted import contributions, detection_counts, weighted_counts
from jurybox.errors import InputError
from jurybox.measures import MEASURES
from jurybox.stats.significance import holm

#: measures two systems are compared by, and whose stability is looked at
COMPARED = ("precision", "recall", "f_beta", "cohen_kappa")


def draw_resamples(
    systems: Sequence[Settled],
    jury: Jury,
    binning: Binning,
    options: EvaluateOptions,
    rng: np.random.Generator,
) -> CaseResamples:
    """All systems on the same resamples of the unit asked for: plain and weighted in turn.

    Behind them every bin of every system, but not with raters: others would agree on other cases.
    """
    if options.ci_unit == "rater":
        return _over_raters(draw_raters(systems, jury, options, rng), systems, jury, options)
    decided = np.stack([system.decided for system in systems])
    counted = ~np.isnan(jury.p) & (decided >= 0).any(axis=0)
    if not counted.any():
        raise InputError("no case has both a decision and a judgment; there is nothing to resample")
    parts = [
        contributions(row[counted], truth[counted])
        for row in decided
        for truth in (jury.truth, jury.p)
    ]
    place = binning.of_case[counted]
    parts += [
        np.where(place == one, contributions(row[counted], jury.truth[counted]), 0.0)
        for row in decided
        for one in range(binning.bins)
    ]
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
        parts, tuple(MEASURES), rng, options.resamples, documents=documents, beta=options.beta
    )


def find_documents(jury: Jury) -> list[str] | None:
    """The document of every case, where every case that counts has one; gold ones do not."""
    named = [case.document for case in jury.case_set.cases]
    counts = ~np.isnan(jury.p)
    if any(name is None for name, known in zip(named, counts.tolist(), strict=True) if known):
        return None
    return [name or "" for name in named]


def draw_raters(
    systems: Sequence[Settled], jury: Jury, options: EvaluateOptions, rng: np.random.Generator
) -> RaterResamples:
    """Counts of all systems over resamples of the raters."""
    return resample_raters(
        jury.judgments,
        [system.decided for system in systems],
        rng,
        options.resamples,
        trivial=jury.trivial,
        ties=options.ties,
    )


def _over_raters(
    drawn: RaterResamples, systems: Sequence[Settled], jury: Jury, options: EvaluateOptions
) -> CaseResamples:
    names = tuple(MEASURES)
    observed, counts = [], []
    for place, system in enumerate(systems):
        for found, resampled in (
            (detection_counts(system.decided, jury.truth), drawn.plain),
            (weighted_counts(system.decided, jury.p), drawn.weighted),
        ):
            observed.append([found.tp, found.fp, found.fn, found.tn])
            counts.append(resampled[place])
    return CaseResamples(
        names,
        measure_arrays(names, np.array(observed, dtype=np.float64), beta=options.beta),
        measure_arrays(names, np.stack(counts), beta=options.beta),
        "rater",
        drawn.raters,
    )


def find_intervals(
    drawn: CaseResamples, systems: int, level: float
) -> list[dict[str, dict[str, Spread]]]:
    """For every system, plain and weighted: every measure with its interval."""
    return [
        {
            kind: {
                name: spread_of(drawn, 2 * place + offset, name, level=level)
                for name in drawn.names
            }
            for offset, kind in enumerate(KINDS)
        }
        for place in range(systems)
    ]


def find_bin_intervals(
    drawn: CaseResamples, systems: int, bins: int, level: float
) -> list[tuple[dict[str, Spread], ...]]:
    """For every system and bin: the measures a bin is shown with and their intervals."""
    if drawn.unit == "rater":
        return [()] * systems
    return [
        tuple(
            {
                name: spread_of(drawn, 2 * systems + place * bins + one, measure, level=level)
                for name, measure in BIN_INTERVALS.items()
            }
            for one in range(bins)
        )
        for place in range(systems)
    ]


def compare_systems(
    drawn: CaseResamples, names: Sequence[str], level: float
) -> tuple[PairComparison, ...]:
    """Every pair of systems; p-values of one measure are adjusted for the number of pairs."""
    pairs = list(combinations(range(len(names)), 2))
    found = [
        {
            kind: {
                name: paired_difference(drawn, 2 * a + offset, 2 * b + offset, name, level=level)
                for name in COMPARED
            }
            for offset, kind in enumerate(KINDS)
        }
        for a, b in pairs
    ]
    adjusted: list[dict[str, dict[str, float]]] = [{kind: {} for kind in KINDS} for _ in pairs]
    for kind in KINDS:
        for name in COMPARED:
            values = [one[kind][name].p_value for one in found]
            known = [i for i, p in enumerate(values) if not isnan(p)]
            fixed = dict(zip(known, holm([values[i] for i in known]), strict=True))
            for i, p in enumerate(values):
                adjusted[i][kind][name] = fixed.get(i, p)
    return tuple(
        PairComparison(names[a], names[b], differences, fixed)
        for (a, b), differences, fixed in zip(pairs, found, adjusted, strict=True)
    )


def find_stability(
    systems: Sequence[Settled], jury: Jury, options: EvaluateOptions, rng: np.random.Generator
) -> list[tuple[Stability, ...]]:
    """Flip one judgment, one of every case, or draw the raters anew; p is never smoothed here."""
    drawn = draw_raters(systems, jury, options, rng)
    found: list[tuple[Stability, ...]] = []
    for place, system in enumerate(systems):
        decided = system.decided
        if not ((jury.votes.deciding > 0) & (decided >= 0)).any():
            found.append(())
            continue
        plain = detection_counts(decided, jury.truth)
        weighted = weighted_counts(decided, jury.plain_p)
        ties, trivial = options.ties, jury.trivial
        found.append(
            (
                flip_one(
                    jury.votes,
                    decided,
                    ties=ties,
                    trivial=trivial,
                    measures=COMPARED,
                    beta=options.beta,
                ),
                flip_one_each(
                    jury.votes,
                    decided,
                    rng,
                    options.resamples,
                    measures=COMPARED,
                    beta=options.beta,
                    ties=ties,
                    trivial=trivial,
                ),
                change_raters(plain, weighted, drawn, place, measures=COMPARED, beta=options.beta),
            )
        )
    return found
