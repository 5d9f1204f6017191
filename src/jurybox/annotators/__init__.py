"""`annotators`: who corrected what, and how far people agree (Bryant and Ng 2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from jurybox.metrics.options import MetricOptions
from jurybox.options import Opt, verb
from jurybox.shared_options import PanelMatching, PanelOptions, PanelReading, Watched

if TYPE_CHECKING:
    from jurybox.annotators.result import AnnotatorsResult
    from jurybox.counting.people import PanelCounts


class AnnotatorsOptions(MetricOptions, PanelReading):
    """How the panel was read and, where annotators were scored, by which metric."""

    def check(self) -> None:
        """All was checked before the work; a plug-in's result is read without the plug-in."""


class Annotators(PanelOptions, MetricOptions, PanelMatching, Watched):
    """What `annotators` is called with."""

    pairwise: Annotated[
        bool,
        Opt(
            "do not score annotators against each other, which takes most of the time",
            flag="--no-pairwise",
        ),
    ] = True
    counts: PanelCounts | None = None


@verb(Annotators)
def annotators(call: Annotators) -> AnnotatorsResult:
    r"""Describe a panel: who made which edits, how far people agree, and how they would score.

    `gold` is one path, several, or a panel read before. `metric` and its options are those of
    `score`; they matter for the pairwise scores, in which every annotator's corrected text is a
    hypothesis and every other annotator alone is the gold. `pairwise=False` leaves them out, which
    is quick. `coverage` says who looked at what where the files cannot (see `load_panel`). `counts`
    is what `count_people` made of the same panel and options before.

    >>> from jurybox.formats import Input
    >>> gold = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n"
    >>> gold += "A 0 1|||ArtOrDet|||The|||REQUIRED|||-NONE-|||1\n"
    >>> result = annotators(Input.from_text(gold))
    >>> dict(result["0"].by_type), result.texts.all_differ, result.matrix()[0][1]
    ({'ArtOrDet': 0, 'Nn': 1}, 1, 0.0)
    """
    from jurybox.annotators.describe import describe_panel

    return describe_panel(call)
