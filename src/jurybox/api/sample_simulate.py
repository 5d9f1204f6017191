"""`simulate_sample`: which intervals of a sample can be trusted, tried out on judged data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from jurybox.api.cases_result import DerivedCases
from jurybox.api.counting import Progress, expect
from jurybox.api.evaluate_inputs import (
    Evidence,
    GivenJudgments,
    GivenSystems,
    read_evidence,
    warn,
)
from jurybox.api.sample_simulated import SampleSimulation, SimulatedSetting, SimulatedSystem
from jurybox.api.sample_votes import TRUTHS
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats import Source
from jurybox.measures import check_beta
from jurybox.model import CaseSet
from jurybox.signature import signature

if TYPE_CHECKING:
    import numpy as np

    from jurybox.cases.votes import BoolArray, FloatArray
    from jurybox.stats.simulation import KnownPart

TIES = ("ok", "error", "drop")


@dataclass(frozen=True)
class SimulateOptions:
    """Everything that changes a number."""

    error: tuple[int, ...]
    ok: tuple[int, ...]
    draws: int = 4000
    truth: str = "majority"
    ties: str = "ok"
    finite: bool = True
    with_models: bool = False
    beta: float = 0.5
    ci_level: float = 0.95
    resamples: int = 500
    seed: int = 1

    def __post_init__(self) -> None:
        for flag, numbers in (("--error", self.error), ("--ok", self.ok)):
            if not numbers or min(numbers) < 1:
                raise UsageError(f"{flag}: say how many cases are drawn, as {flag} 50 100")
        for name, given, known in (
            ("truth (--truth)", self.truth, TRUTHS),
            ("way to settle ties (--ties)", self.ties, TIES),
        ):
            if given not in known:
                raise unknown_name(name, given, known)
        check_beta(self.beta)
        if not 0 < self.ci_level < 1:
            raise UsageError(f"--ci-level lies between 0 and 1, as 0.95, not {self.ci_level}")
        for flag, number, least in (
            ("--draws", self.draws, 1),
            ("--resamples", self.resamples, 0),
            ("--seed", self.seed, 0),
        ):
            if number < least:
                raise UsageError(f"{flag} must be {least} or more, not {number}")

    def sign(self) -> str:
        return signature(
            "sample",
            task="simulate",
            error=self.error,
            ok=self.ok,
            draws=self.draws,
            truth=self.truth,
            ties=self.ties if self.truth == "majority" else None,
            finite="yes" if self.finite else "no",
            models="yes" if self.with_models else None,
            beta=self.beta,
            level=self.ci_level,
            resamples=self.resamples,
            seed=self.seed,
        )


def simulate_sample(
    cases: Source | CaseSet | None = None,
    judgments: GivenJudgments | None = None,
    systems: GivenSystems | None = None,
    *,
    error: int | Sequence[int],
    ok: int | Sequence[int],
    derived: DerivedCases | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    draws: int = 4000,
    truth: str = "majority",
    ties: str = "ok",
    finite: bool = True,
    with_models: bool = False,
    beta: float = 0.5,
    ci_level: float = 0.95,
    resamples: int = 500,
    seed: int = 1,
    progress: Progress | None = None,
) -> SampleSimulation:
    r"""Draw samples of judged cases again and again, and see how often intervals hold the truth.

    Inputs are those of `evaluate`; `error` and `ok` are how many cases to draw from what a system
    flags and from what it calls ok, every pair of them a setting. Options are those of `jurybox
    sample simulate`.

    >>> from jurybox.formats import Input
    >>> judged = "".join(f"{k},Ann,{'error' if k < 9 else 'ok'}\n" for k in range(90))
    >>> decided = "".join(f"{k},{'error' if 4 < k < 24 else 'ok'}\n" for k in range(90))
    >>> found = simulate_sample(
    ...     None,
    ...     Input.from_text(f"case,rater,label\n{judged}"),
    ...     {"mine": Input.from_text(f"case,label\n{decided}")},
    ...     error=10,
    ...     ok=20,
    ...     draws=500,
    ...     resamples=0,
    ... )
    >>> [one.method for one in found.settings[0].of("recall")]
    ['delta', 'score', 'corrected']
    """
    options = SimulateOptions(
        error=_numbers(error),
        ok=_numbers(ok),
        draws=draws,
        truth=truth,
        ties=ties,
        finite=finite,
        with_models=with_models,
        beta=beta,
        ci_level=ci_level,
        resamples=resamples,
        seed=seed,
    )
    with collecting_warnings() as messages:
        evidence = read_evidence(
            cases, judgments, systems, derived=derived, columns=columns, labels=labels
        )
        result = _simulate(evidence, options, progress)
    return replace(result, warnings=tuple(messages))


def _numbers(given: int | Sequence[int]) -> tuple[int, ...]:
    return (given,) if isinstance(given, int) else tuple(given)


def _simulate(
    evidence: Evidence, options: SimulateOptions, progress: Progress | None
) -> SampleSimulation:
    truth = _truth(evidence, options)
    systems, settings = [], []
    expect(progress, len(evidence.decisions) * len(options.error) * len(options.ok), "settings")
    for number, (name, table) in enumerate(evidence.decisions.items()):
        flagged, passed = _parts(name, table.label, truth)
        systems.append(_describe(name, flagged, passed))
        for setting in _settings(name, flagged, passed, options):
            settings.append(_try(name, flagged, passed, setting, options=options, number=number))
            if progress is not None:
                progress(1)
    return SampleSimulation(
        systems=tuple(systems),
        settings=tuple(settings),
        options=_plain(asdict(options)),
        signature=options.sign(),
        inputs=evidence.inputs,
    )


def _plain(options: dict[str, Any]) -> dict[str, Any]:
    return {name: list(one) if isinstance(one, tuple) else one for name, one in options.items()}


def _truth(evidence: Evidence, options: SimulateOptions) -> FloatArray:
    """The share of every case that is an error; nan where nobody decided."""
    import numpy as np

    from jurybox.api.evaluate_jury import call_jury

    jury = call_jury(
        evidence,
        ties=options.ties,
        smooth=None,
        with_models=options.with_models,
        judges=None,
        rng=np.random.default_rng(options.seed),
    )
    if options.truth == "graded":
        return jury.plain_p
    return np.where(jury.truth < 0, np.nan, jury.truth.astype(np.float64))


def _parts(name: str, labels: Sequence[int], truth: FloatArray) -> tuple[KnownPart, KnownPart]:
    import numpy as np

    from jurybox.stats.simulation import know_part

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


def _describe(name: str, flagged: KnownPart, passed: KnownPart) -> SimulatedSystem:
    hits, misses = flagged.share * flagged.size, passed.share * passed.size
    return SimulatedSystem(
        name,
        cases=flagged.size + passed.size,
        flagged=flagged.size,
        hits=round(hits, 9),
        misses=round(misses, 9),
    )


def _settings(
    name: str, flagged: KnownPart, passed: KnownPart, options: SimulateOptions
) -> list[tuple[int, int]]:
    """Every pair of sizes, none larger than the part: then all of it is drawn."""
    errors = [min(one, flagged.size) for one in options.error]
    oks = [min(one, passed.size) for one in options.ok]
    for asked, size, what in (
        (max(options.error), flagged.size, "flags"),
        (max(options.ok), passed.size, "calls ok"),
    ):
        if asked > size:
            warn(f"{name} {what} {size} cases: where {asked} are asked for, all are drawn")
    return list(dict.fromkeys((error, ok) for error in errors for ok in oks))


def _try(
    name: str,
    flagged: KnownPart,
    passed: KnownPart,
    sizes: tuple[int, int],
    *,
    options: SimulateOptions,
    number: int,
) -> SimulatedSetting:
    import numpy as np

    from jurybox.stats.detection_intervals import choose_method
    from jurybox.stats.simulation import Setting, simulate

    setting = Setting(*sizes)
    rng: np.random.Generator = np.random.default_rng([options.seed, number, *sizes])
    found = simulate(
        flagged,
        passed,
        setting,
        rng,
        draws=options.draws,
        resamples=options.resamples,
        level=options.ci_level,
        beta=options.beta,
        finite=options.finite,
    )
    recommended = {}
    for one in found:
        methods = {other.method: other for other in found if other.measure == one.measure}
        recommended[one.measure] = choose_method(one.measure, "recommended", methods)
    return SimulatedSetting(
        system=name,
        error=setting.error,
        ok=setting.ok,
        expected_misses=passed.share * setting.ok,
        intervals=tuple(found),
        recommended=recommended,
    )
