"""What all judgments of a project together say: agreement, the sampled system, pace and times.

The numbers are those of `jurybox agree --ci` and `jurybox sample estimate`, by the same functions,
on all judgments but gold and those of flagged raters; of a case that a rater saw twice the first
judgment counts. It takes a while where there are many, so `watching.py` decides when it is done.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import isnan
from typing import Any, NamedTuple

from jurybox.errors import JuryboxError
from jurybox.formats import Input
from jurybox.raters.agree import agree
from jurybox.raters.agree.choices import ChoiceFindings
from jurybox.raters.agree.result import AgreeResult
from jurybox.raters.flagged import FlaggedRaters
from jurybox.records import Reason
from jurybox.sample.estimate import estimate_sample
from jurybox.sample.estimate.result import StratumCounts
from jurybox.sample.options import about_sentence
from jurybox.serve.model import Project, RaterProgress
from jurybox.serve.settings import Task
from jurybox.serve.store import Store
from jurybox.serve.store.progress import Mark
from jurybox.serve.warning_turns import collected_warnings

#: agreement on fewer cases that two raters judged says next to nothing
ENOUGH_SHARED = 10
LEVEL = 0.95
DAY, WEEK = 24 * 3600, 7 * 24 * 3600

NONE_YET = "There are no judgments yet."
ESSAYS = "Not for essays: download M2 and compare annotators with jurybox annotators."
ONE_EACH = "Every case is judged once, so nobody can agree with anybody."
NO_KEY = "This project has no key of jurybox sample draw, so nothing is known of a corpus."
OTHER_TASK = "Only for tasks in which raters say what is an error."
FAILED = "This could not be counted; what the server prints says why."


class Measured(NamedTuple):
    """A number with its interval; None and a reason where it cannot be told."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: Reason = ""

    @property
    def half(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


class AgreementSoFar(NamedTuple):
    """How far raters agree; no measures but a reason where there is too little to tell."""

    measures: tuple[Measured, ...] = ()
    cases: int = 0
    shared: int = 0  # cases that two raters or more judged
    raters: int = 0
    judgments: int = 0
    no_answer: int = 0  # too hard to decide
    labels: Mapping[str, int] = {}  # what was said how often, the most frequent first
    reason: str = ""
    flagged: FlaggedRaters | None = None  # who is left out; None if nobody is flagged
    #: a choice: how often the system's word is equal or better (2008, section 4.2); None if no case
    #: says which word is the writer's
    choices: ChoiceFindings | None = None


class Again(NamedTuple):
    """How often a rater saw a case again, and said the same."""

    repeats: int
    same: int


class EstimateSoFar(NamedTuple):
    """The sampled system's precision and recall; no measures but a reason where it cannot be."""

    measures: tuple[Measured, ...] = ()
    strata: tuple[StratumCounts, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str = ""
    flagged: FlaggedRaters | None = None  # who is left out; None if nobody is flagged

    def measure(self, name: str) -> Measured:
        return next(one for one in self.measures if one.name == name)


class Findings(NamedTuple):
    """All of it, as of a moment."""

    at: float
    mark: Mark  # of the store: another one means that there is more by now
    judgments: int  # there were then
    agreement: AgreementSoFar
    again: Mapping[str, Again]  # by the raters' names; empty without repeats
    estimate: EstimateSoFar
    hours: Mapping[int, int]  # judgments of the last week by hour since 1970
    first: float | None  # when the first judgment came
    raters: tuple[RaterProgress, ...]
    took: float  # seconds of work


def find(store: Store, project: Project, now: float) -> Findings:
    begun = time.perf_counter()
    mark = store.mark(project.id)
    progress = store.progress(project.id, now=now)
    judgments = progress.judgments
    labels = store.labels_input(project.id) if judgments and project.task != Task.CORRECT else None
    is_single = progress.wanted == progress.cases
    agreement, again = agreement_of(project, labels, is_single=is_single)
    return Findings(
        at=now,
        mark=mark,
        judgments=judgments,
        agreement=agreement,
        again=again,
        estimate=estimate_of(store, project, labels),
        hours=store.judgments_per_hour(project.id, since=now - WEEK - DAY),
        first=store.first_judgment(project.id),
        raters=store.rater_progress(project.id),
        took=time.perf_counter() - begun,
    )


def failed(now: float) -> Findings:
    """Nothing but that something went wrong; it is tried again."""
    agreement, estimate = AgreementSoFar(reason=FAILED), EstimateSoFar(reason=FAILED)
    return Findings(now, (-1, -1, ()), 0, agreement, {}, estimate, {}, None, (), 0.0)


# --- agreement ---


def agreement_of(
    project: Project, labels: Input | None, *, is_single: bool
) -> tuple[AgreementSoFar, Mapping[str, Again]]:
    """How far raters agree with each other, and with themselves."""
    if project.task == Task.CORRECT:
        return AgreementSoFar(reason=ESSAYS), {}
    if labels is None:
        return AgreementSoFar(reason=NONE_YET), {}
    try:
        with collected_warnings():
            result = agree([labels], ci=True, ci_level=LEVEL)
    except JuryboxError as error:
        return AgreementSoFar(reason=_sentence(error)), {}
    itself = result.self_agreement.raters if result.self_agreement else ()
    again = {one.rater: Again(one.repeats, one.same) for one in itself}
    return _agreed(result, is_single=is_single), again


def _agreed(result: AgreeResult, *, is_single: bool) -> AgreementSoFar:
    sizes = result.sizes
    shared = sizes.cases - sizes.single
    found = AgreementSoFar(
        cases=sizes.cases,
        shared=shared,
        raters=sizes.raters,
        judgments=sizes.judgments,
        no_answer=sizes.left_out.no_answer,
        labels=dict(sorted(result.labels.items(), key=lambda one: (-one[1], one[0]))),
        flagged=result.flagged,
        choices=result.choices,
    )
    if is_single and not shared:
        return found._replace(reason=ONE_EACH)
    if shared < ENOUGH_SHARED:
        verb = "case has" if shared == 1 else "cases have"
        return found._replace(
            reason=f"{shared} {verb} two answers or more; from {ENOUGH_SHARED} on, agreement is "
            "shown."
        )
    names: tuple[str, ...] = ("observed", "fleiss_kappa", "alpha_nominal")
    if result.scale != "nominal":
        names = (*names, f"alpha_{result.scale}")
    assert result.intervals is not None  # asked for above
    measures = []
    for name in names:
        one, spread = result.coefficients[name], result.intervals[name]
        bounds = _defined(spread.low), _defined(spread.high)
        reason = one.reason or spread.reason
        measures.append(Measured(name, _defined(one.value), *bounds, reason))
    return found._replace(measures=tuple(measures))


# --- the system that was sampled ---


def estimate_of(store: Store, project: Project, labels: Input | None) -> EstimateSoFar:
    """Precision, recall and the share of errors in the corpus."""
    if project.task not in (Task.JUDGE, Task.EXTRANEOUS, Task.TRAINED):
        return EstimateSoFar(reason=OTHER_TASK)
    keys = store.sample_keys(project.id)
    if not keys:
        return EstimateSoFar(reason=NO_KEY)
    if labels is None:
        return EstimateSoFar(reason=NONE_YET)
    try:
        with collected_warnings():
            found = estimate_sample(keys, [labels], ci_level=LEVEL)
    except JuryboxError as error:
        return EstimateSoFar(reason=_sentence(error))
    measures = tuple(
        Measured(name, _defined(one.estimate), _defined(one.low), _defined(one.high), one.reason)
        for name in ("precision", "recall", "error_rate")
        for one in (found[name],)
    )
    # what is said of lines of a file means nothing where there is no file, nor do options
    said = {found.flagged.sentence()} if found.flagged else set()
    notes = (one for one in found.warnings if labels.name not in one and one not in said)
    told = [about_sentence(found.options.about, found.size), *notes]
    return EstimateSoFar(measures, found.strata, tuple(map(_sentence, told)), flagged=found.flagged)


def _defined(value: float) -> float | None:
    return None if isnan(value) else float(value)


def _sentence(said: Any) -> str:
    """A message of the library as a sentence on a page.

    >>> _sentence("nothing was judged")
    'Nothing was judged.'
    """
    text = str(said).strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', ')')) else '.'}"
