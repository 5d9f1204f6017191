"""How `simulate_sample` tries intervals out: the truth of judged cases, then every setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jurybox.errors import InputError, collecting_warnings
from jurybox.jury.evaluate.inputs import Evidence, read_evidence, warn
from jurybox.jury.evaluate.jury import call_jury
from jurybox.jury.votes import BoolArray, FloatArray
from jurybox.progress import expect
from jurybox.sample.estimate.detection_intervals import choose_method
from jurybox.sample.simulate import SimulateOptions, SimulateSample
from jurybox.sample.simulate.result import SampleSimulation, SimulatedSetting, SimulatedSystem
from jurybox.sample.simulate.simulation import KnownPart, Setting, know_part, simulate
from jurybox.signature import signature
from jurybox.streams import stream


def simulate_intervals(call: SimulateSample) -> SampleSimulation:
    """Read what was judged, and draw samples in every setting."""
    with collecting_warnings() as messages:
        evidence = read_evidence(
            call.cases,
            call.judgments,
            call.systems,
            derived=call.derived,
            columns=call.columns,
            labels=call.relabel,
        )
        result = _simulate(evidence, call)
    return replace(result, warnings=tuple(messages))


def _simulate(evidence: Evidence, call: SimulateSample) -> SampleSimulation:
    options, progress = call.only(SimulateOptions), call.progress
    truth = _truth(evidence, options)
    systems, settings = [], []
    expect(progress, len(evidence.decisions) * len(options.error) * len(options.ok), "settings")
    for number, (name, table) in enumerate(evidence.decisions.items()):
        flagged, passed = _parts(name, table.label, truth)
        hits, misses = flagged.share * flagged.size, passed.share * passed.size
        systems.append(
            SimulatedSystem(
                name,
                cases=flagged.size + passed.size,
                flagged=flagged.size,
                hits=round(hits, 9),
                misses=round(misses, 9),
            )
        )
        for setting in _settings(name, flagged, passed, options):
            settings.append(_try(name, flagged, passed, setting, options=options, number=number))
            if progress is not None:
                progress(1)
    return SampleSimulation(
        options=options,
        systems=tuple(systems),
        settings=tuple(settings),
        signature=signature(
            "sample",
            task="simulate",
            error=options.error,
            ok=options.ok,
            draws=options.draws,
            truth=options.truth,
            ties=options.ties if options.truth == "majority" else None,
            about=options.about,
            models="yes" if options.count_models else None,
            beta=options.beta,
            level=options.ci_level,
            resamples=options.resamples,
            seed=options.seed,
        ),
        inputs=evidence.inputs,
    )


def _truth(evidence: Evidence, options: SimulateOptions) -> FloatArray:
    """The share of every case that is an error; nan where nobody decided."""
    jury = call_jury(
        evidence,
        ties=options.ties,
        smooth=None,
        count_models=options.count_models,
        judges=None,
        rng=stream(options.seed, "simulate"),
    )
    if options.truth == "graded":
        return jury.plain_p
    return np.where(jury.truth < 0, np.nan, jury.truth.astype(np.float64))


def _parts(name: str, labels: Sequence[int], truth: FloatArray) -> tuple[KnownPart, KnownPart]:
    decided = np.asarray(labels)
    known: BoolArray = ~np.isnan(truth)
    open_cases = int(np.count_nonzero(known & (decided < 0)))
    if open_cases:
        warn(f"{name}: {open_cases} judged cases have no decision and are left out")
    flagged, passed = truth[known & (decided == 1)], truth[known & (decided == 0)]
    if not len(flagged) or not len(passed):
        what = "an error" if not len(flagged) else "ok"
        raise InputError(f"{name} calls no judged case {what}: there is nothing to draw from")
    return know_part(flagged), know_part(passed)


def _settings(
    name: str, flagged: KnownPart, passed: KnownPart, options: SimulateOptions
) -> list[Setting]:
    """Every pair of sizes; where a part holds fewer, all of it is drawn.

    About text of this kind that depends on the corpus, which is drawn anew.
    """
    errors, oks = list(options.error), list(options.ok)
    if options.about == "corpus":
        errors = [min(one, flagged.size) for one in errors]
        oks = [min(one, passed.size) for one in oks]
    for asked, size, what in (
        (max(options.error), flagged.size, "flags"),
        (max(options.ok), passed.size, "calls ok"),
    ):
        if asked > size:
            warn(f"{name} {what} {size} cases: where {asked} are asked for, all are drawn")
    return list(dict.fromkeys(Setting(error, ok) for error in errors for ok in oks))


def _try(
    name: str,
    flagged: KnownPart,
    passed: KnownPart,
    setting: Setting,
    *,
    options: SimulateOptions,
    number: int,
) -> SimulatedSetting:
    found = simulate(
        flagged,
        passed,
        setting,
        stream(options.seed, "corpus", number, *setting),
        draws=options.draws,
        resamples=options.resamples,
        level=options.ci_level,
        beta=options.beta,
        about=options.about,
    )
    intervals = []
    for one in found:
        methods = {other.method: other for other in found if other.measure == one.measure}
        best = choose_method(one.measure, "recommended", methods)
        intervals.append(one._replace(recommended=one.method == best))
    return SimulatedSetting(
        system=name,
        error=setting.error,
        ok=setting.ok,
        expected_misses=passed.share * min(setting.ok, passed.size),
        intervals=tuple(intervals),
    )
