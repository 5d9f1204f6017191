"""`compare`: is the difference between systems more than chance, and where does it come from?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from jurybox.metrics.options import MetricOptions
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import CONFIDENCE, Jobs, Matching, Resamples, Seed, Unit, Watched

if TYPE_CHECKING:
    from jurybox.compare.result import CompareResult
    from jurybox.counting.systems import Systems


class LevelByAlpha(Options, group=CONFIDENCE):
    """The level of intervals, which is that of significance unless it is given."""

    ci_level: Annotated[
        float | None,
        Opt("level of the intervals", "L", above=0, below=1, default="1 - alpha"),
    ] = None


class Compare(Matching, MetricOptions, Jobs, Resamples, LevelByAlpha, Unit, Seed, Watched):
    """What `compare` is called with."""

    hypotheses: Annotated[
        Systems,
        Opt(
            "two or more systems' output, or files written with score --save-counts",
            "HYP",
            positional=True,
            many=True,
        ),
    ] = argument(kw_only=False)
    baseline: Annotated[
        str | None,
        Opt("the system the others are compared with", "NAME", default="the first"),
    ] = None
    all_pairs: Annotated[bool, Opt("compare each with each instead of all with the first")] = False
    top: Annotated[int, Opt("how many deciding sentences to show on each side", "N", least=0)] = 5
    alpha: Annotated[
        float,
        Opt(
            "level of significance for --fail-if-worse and the verdict",
            "A",
            above=0,
            below=1,
        ),
    ] = 0.05
    by: str | None = None  # this and the next two add to the scores, as they do in `score`
    graded: bool = False
    details: bool = False


@verb(Compare)
def compare(call: Compare) -> CompareResult:
    r"""Compare systems on the same sentences: approximate randomisation and paired bootstrap.

    Every system is compared with the first (or `baseline`), or each with each (`all_pairs`).
    Randomisation decides, and the interval is its own: at the level 1 - alpha, unless another
    `ci_level` is given, it leaves out 0 exactly where the two systems differ significantly.
    The other options are those of `score`. A file written with `--save-counts` can stand in place
    of hypotheses: its systems are compared without matching again.

    >>> from jurybox.formats import Input, read_panel
    >>> gold = read_panel(Input.from_text(
    ...     "S A dogs bark .\nA 0 1|||ArtOrDet||||||REQUIRED|||-NONE-|||0\n" * 1 + "\nS Yes .\n"))
    >>> result = compare({"old": ["A dogs bark .", "Yes ."], "new": ["dogs bark .", "Yes ."]}, gold)
    >>> result.pairs[0].first, result.pairs[0].second, result.pairs[0].difference
    ('old', 'new', 1.0)
    """
    from jurybox.compare.comparing import compare_systems

    return compare_systems(call)
