"""`estimate_sample`: precision and recall of a system out of a judged sample of a corpus.

Tetreault and Chodorow 2008, section 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.formats import Source
from jurybox.formats.given_values import as_dict
from jurybox.metrics.options import check_beta
from jurybox.options import Opt, Options, argument, verb
from jurybox.records import WHEN_SET
from jurybox.sample.options import AboutOption, Truth
from jurybox.shared_options import (
    CONFIDENCE,
    READING,
    Beta,
    Columns,
    CountModels,
    Level,
    Meanings,
    Resamples,
    Seed,
    SpoiledCases,
    WithFlagged,
    systems_option,
)

if TYPE_CHECKING:
    from jurybox.sample.estimate.result import SampleEstimateResult
    from jurybox.sample.inputs import GivenKeys
    from jurybox.sample.reading import GivenDecisions

METHODS = ("recommended", "paper", "wald", "wilson", "exact", "bootstrap")


def counts_by_part(given: Sequence[str], flag: str) -> dict[str, str]:
    """`error=1000:750:600` as name and counts.

    >>> counts_by_part(["error=1000:750:600", "ok=9000:1500:450"], "--part")
    {'error': '1000:750:600', 'ok': '9000:1500:450'}
    """
    parts: dict[str, str] = {}
    for one in given:
        name, equals, counts = one.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{flag} {one}: write it as error=1000:750:600")
        if name.strip() in parts:
            raise UsageError(f"{flag} {name.strip()} is given twice; call them error/a, error/b")
        parts[name.strip()] = counts.strip()
    return parts


def as_systems(given: object, flag: str) -> dict[str, Any]:
    """Decisions by the name of their system."""
    return as_dict(given, "systems")


class IntervalMethod(Options, group=CONFIDENCE):
    """How intervals are made."""

    method: Annotated[
        str,
        Opt(
            "interval: recommended (exact, or corrected where there is no exact one), paper "
            "(sizes of the parts taken as known), wald (for recall and F delta), wilson (score), "
            "exact or bootstrap",
            "METHOD",
            values=METHODS,
            noun="method",
        ),
    ] = "recommended"
    resamples: Annotated[int, Opt("resamples of the bootstrap", "N", least=1)] = 1000


class SystemThreshold(Options, group=READING):
    """When other systems call a case an error."""

    threshold: Annotated[
        float | None,
        Opt(
            "a system of --system calls a case an error if its score is T or more, whatever its "
            "label",
            "T",
        ),
        WHEN_SET,
    ] = None


class EstimateOptions(
    IntervalMethod,
    AboutOption,
    Truth,
    CountModels,
    WithFlagged,
    SpoiledCases,
    Beta,
    Level,
    Resamples,
    Seed,
    SystemThreshold,
):
    """Everything that changes a number."""

    verification: Annotated[
        bool, Opt("only what the system flags was judged: precision, and no recall")
    ] = False

    def check(self) -> None:
        super().check()
        check_beta(self.beta)


class EstimateSample(EstimateOptions, Columns, Meanings):
    """What `estimate_sample` is called with."""

    keys: GivenKeys | None = argument(kw_only=False, default=None)
    judgments: Source | Sequence[Source] | None = argument(kw_only=False, default=None)
    parts: Annotated[
        Mapping[str, str | Sequence[float]] | None,
        Opt(
            "counts instead of files: cases in the part, sampled cases, errors among them",
            "NAME=N:n:ERRORS",
            flag="--part",
            many=True,
            read=counts_by_part,
        ),
    ] = None
    systems: Annotated[
        Mapping[str, GivenDecisions] | None,
        systems_option(
            "another system's decisions on the corpus, tested on the same judgments",
            take=as_systems,
        ),
    ] = None
    assist: Annotated[
        GivenDecisions | None,
        Opt(
            "the decisions that were sampled, with a score for every case: scores make the "
            "estimate surer",
            "FILE",
        ),
    ] = None

    def check(self) -> None:
        super().check()
        if self.threshold is not None and not self.systems:
            raise UsageError(
                "--threshold is for the systems of --system; the key has that of the draw"
            )


@verb(EstimateSample)
def estimate_sample(call: EstimateSample) -> SampleEstimateResult:
    """Hits, false positives, misses, precision, recall and F of the system that was sampled.

    `keys` and `judgments` are files, or give counts as `parts`: size, sampled cases and errors
    among them. `systems` are re-tested on the same judgments; with `threshold` they call an error
    what has this score or more. `assist` holds scores of every case. `about` is what intervals are
    about: "text" of this kind, or this "corpus". Options are those of `jurybox sample estimate`.

    Figure 1 of the paper, whose own interval takes the share of flagged cases as known:

    >>> found = estimate_sample(parts={"error": (1000, 750, 600), "ok": (9000, 1500, 450)})
    >>> found["precision"].estimate, round(found["recall"].estimate, 3)
    (0.8, 0.229)
    >>> round(found["recall"].low, 3), round(found["recall"].high, 3), found["recall"].method
    (0.21, 0.248, 'corrected')
    >>> paper = found.methods["recall"]["paper"]
    >>> round(paper.low, 3), round(paper.high, 3)
    (0.214, 0.244)
    """
    from jurybox.sample.estimate.estimating import estimate

    return estimate(call)
