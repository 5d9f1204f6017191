"""`score`: how well do systems correct? Count once, choose the annotator, add up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from jurybox.errors import UsageError
from jurybox.metrics.options import EDIT_METRICS, MetricOptions, title_of_score
from jurybox.options import Opt, argument, verb
from jurybox.shared_options import Jobs, Matching, Resampling, Watched, WithIntervals

if TYPE_CHECKING:
    from jurybox.counting.systems import Systems
    from jurybox.formats import Input
    from jurybox.score.result import ScoreResult


#: what matching depends on: saved counts are scored and compared as they were made
MATCHING = {
    *("by", "graded", "details"),
    *(name for group in (Matching, MetricOptions, Jobs) for name in group.__options__),
} - {"hypotheses"}
#: what a file with saved counts begins with
COUNTS = re.compile(rb'\s*\{\s*"schema"\s*:\s*"jurybox\.counts/')


def is_counts(file: Input) -> bool:
    """Whether a file begins like one with saved counts."""
    return COUNTS.match(file.peek()) is not None


class Intervals(WithIntervals, Resampling, Watched):
    """Whether and how intervals are made."""


class Score(Matching, MetricOptions, Jobs, Intervals):
    """What `score` is called with."""

    hypotheses: Annotated[
        Systems,
        Opt(
            "a system's corrected sentences, one per line (or M2, SGML, JSONL); - is standard "
            "input; a file written with --save-counts is scored again without matching",
            "HYP",
            positional=True,
            many=True,
        ),
    ] = argument(kw_only=False)
    by: Annotated[
        str | None,
        Opt(
            "type: one row per error type as well",
            "WHAT",
            values=("type",),
            noun="way to split results",
        ),
    ] = None
    graded: Annotated[
        bool, Opt("also weigh every edit by the share of annotators who made it (m2)")
    ] = False
    details: Annotated[
        bool,
        Opt(
            "show every sentence: edits found, gold of the chosen annotator, what matched",
            flag="--verbose",
            short="-v",
        ),
    ] = False

    def check(self) -> None:
        super().check()
        if self.by and self.metric not in EDIT_METRICS:
            title = title_of_score(self.metric, self.beta)
            raise UsageError(
                f"{title} has no edits and so no types: --by type goes with m2 and errant"
            )
        if self.details and self.metric != "m2":
            raise UsageError("the view per sentence (--verbose) goes with --metric m2")
        if self.graded and self.metric != "m2":
            raise UsageError(
                "--graded goes with --metric m2: it weighs the edits that MaxMatch finds"
            )


@verb(Score)
def score(call: Score) -> ScoreResult:
    r"""Score one or several systems against a panel (m2, errant) or reference texts (gleu).

    `hypotheses` is a path, a list of sentences, or a dict of several systems; `gold` is one path,
    several, or a panel read before with `read_panel`, which is how to score again and again while
    training. Options are those of `jurybox score`; `by="type"` adds the table per error type,
    `graded=True` scores in which an edit counts by the share of annotators who made it.

    >>> from jurybox.formats import Input, read_panel
    >>> gold = read_panel(Input.from_text(
    ...     "S A dogs bark .\nA 0 1|||ArtOrDet||||||REQUIRED|||-NONE-|||0\n"))
    >>> score(["dogs bark ."], gold).f
    1.0
    """
    from jurybox.score.scoring import score_systems

    return score_systems(call)
