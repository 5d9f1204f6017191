"""`ceiling`: how far is a system from a person?

People are scored like systems, at the same number of reference annotators (Bryant and Ng 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.metrics.options import EDIT_METRICS, MetricOptions, title_of_score
from jurybox.options import Opt, Options, verb
from jurybox.shared_options import (
    PanelMatching,
    PanelOptions,
    PanelReading,
    PanelSystems,
    Resampling,
    Seed,
    Watched,
    WithIntervals,
)
from jurybox.stats.confidence import ScoringOptions

if TYPE_CHECKING:
    from jurybox.ceiling.result import CeilingResult
    from jurybox.counting.people import PanelCounts

LEAVE_ONE_OUT = "loo"
#: the row of the people in all tables
HUMAN = "human"
#: the source text, scored like a system that changes nothing
UNCHANGED = "source unchanged"


def as_sizes(given: Any, _flag: str) -> str | int | tuple[int, ...]:
    """Numbers of reference annotators: a word or list in a string, a number, or several."""
    return given if isinstance(given, str | int) else tuple(int(size) for size in given)


class CeilingSizes(Options):
    """Which sets of reference annotators are scored, and what else is shown."""

    sizes: Annotated[
        str | int | Sequence[int],
        "The numbers of reference annotators asked for: loo, all, or a list.",
        Opt(
            "numbers of reference annotators: loo (all but one), all, or a list as 1,3,9 or 1-6",
            "WHICH",
            values=(LEAVE_ONE_OUT, "all"),
            open_values=True,
            take=as_sizes,
        ),
    ] = LEAVE_ONE_OUT
    max_subsets: Annotated[
        int,
        Opt(
            "score every combination of annotators if a size has up to N, and N drawn at random, "
            "with a standard error, if it has more",
            "N",
            least=2,
        ),
    ] = 500
    by: Annotated[
        str | None,
        Opt(
            "type: people against people on one error type at a time",
            "WHAT",
            values=("type",),
            noun="way to split results",
        ),
    ] = None
    pairwise: Annotated[bool, Opt("every system against every annotator alone as well")] = False
    extrapolate: Annotated[
        int | None,
        Opt("how scores would grow up to N annotators, by a curve fitted on --sizes", "N"),
    ] = None


class CeilingOptions(ScoringOptions, CeilingSizes, PanelReading, Seed):
    """Every option that changes a number."""


class Ceiling(
    CeilingSizes,
    PanelOptions,
    PanelSystems,
    MetricOptions,
    PanelMatching,
    WithIntervals,
    Resampling,
    Watched,
):
    """What `ceiling` is called with."""

    counts: PanelCounts | None = None

    def check(self) -> None:
        super().check()
        if self.by and self.metric not in EDIT_METRICS:
            title = title_of_score(self.metric, self.beta)
            raise UsageError(
                f"{title} has no edits and so no types: --by type goes with m2 and errant"
            )
        if self.by and self.types is not None:
            raise UsageError("--by type shows every type: leave out --types")
        if self.pairwise and not self.systems:
            raise UsageError(
                "--pairwise holds systems against single annotators: name some with --system "
                "(for people against people: jurybox annotators)"
            )


@verb(Ceiling)
def ceiling(call: Ceiling) -> CeilingResult:
    r"""How people score against each other, and systems against the same people.

    `gold` is the panel, two annotators or more; `systems` a dict of outputs by name. `sizes` is
    "loo" (each person against all others), "all", or numbers of reference annotators. Options
    are those of `jurybox ceiling`. `counts` is what `count_people` made of the same panel, systems
    and options before: nothing is matched again.

    >>> from jurybox.formats import Input
    >>> def edit(who, replacement):
    ...     return f"A 1 2|||SVA|||{replacement}|||REQUIRED|||-NONE-|||{who}\n"
    >>> gold = Input.from_text("S She go .\n" + edit(0, "goes") + edit(1, "goes") + edit(2, "went"))
    >>> result = ceiling(gold, {"mine": ["She goes ."]})
    >>> round(result.human, 4), round(result.ratio("mine"), 4)
    (0.6667, 1.5)
    """
    from jurybox.ceiling.measure import measure_ceiling

    return measure_ceiling(call)
