"""`make_report`: everything jurybox can tell about some systems, on one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.jury.cases import CONSTRUCTIONS
from jurybox.metrics.options import MetricOptions
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import (
    GOLD_EDITS,
    SYSTEM_TEXTS,
    Columns,
    GoldFormat,
    HypothesisReading,
    Meanings,
    PanelMatching,
    PanelReading,
    Resampling,
    Watched,
    systems_option,
)

if TYPE_CHECKING:
    from jurybox.counting.systems import Gold, Hypothesis
    from jurybox.report.compose import Report


class ReportedResults(Options):
    """Results that are there already."""

    results: Annotated[
        Any,
        Opt(
            "results of other commands, written with --format json",
            "RESULT",
            positional=True,
            many=True,
        ),
    ] = argument(kw_only=False, default=())


class ReportedPanel(Options, group="panel"):
    """The panel, where there is one."""

    gold: Annotated[Gold | None, Opt(GOLD_EDITS, "FILE", many=True)] = None


class ReportedPanelReading(ReportedPanel, PanelReading, GoldFormat, group="panel"):
    """The panel, and how it is read."""


class ReportedSystems(Options, group="systems"):
    """Systems that correct text."""

    systems: Annotated[
        Mapping[str, Hypothesis] | None,
        systems_option(SYSTEM_TEXTS),
    ] = None


class ReportedSystemReading(ReportedSystems, HypothesisReading, group="systems"):
    """Systems that correct text, and how their output is read."""


def constructions_or_none(given: Sequence[str], _flag: str) -> Sequence[str] | None:
    """The constructions of a command line; the word none stands for none of them."""
    return None if list(given) == ["none"] else given


class Detectors(Options, group="detectors before a jury"):
    """Judgments of raters, and detectors that are held against them."""

    cases: Annotated[Any, Opt("the cases: CSV, TSV or JSONL with 'case'", "FILE")] = None
    judgments: Annotated[
        Any, Opt("judgments: CSV, TSV or JSONL with case,rater,label", "FILE", many=True)
    ] = None
    decisions: Annotated[
        Mapping[str, Any] | None,
        systems_option(
            "a system's decisions (CSV, TSV or JSONL with case,label), and what to call it",
            "--detector",
        ),
    ] = None
    construction: Annotated[
        str | Sequence[str] | None,
        Opt(
            "which cases to make of the panel: token, preposition, article, comma, one kind of "
            "error alone (extraneous-, wrong- or missing-preposition …, missing-comma), "
            "type=NAME, or none",
            "NAME",
            values=(*CONSTRUCTIONS, "none"),
            open_values=True,
            many=True,
            read=constructions_or_none,
        ),
    ] = "token"


class ReportPage(Options, group="page"):
    """What the page is called, and a badge by its title."""

    title: Annotated[str | None, Opt("the title of the page", "TEXT")] = None
    label: str = ""


class MakeReport(
    ReportedResults,
    ReportedPanelReading,
    ReportedSystemReading,
    Detectors,
    Columns,
    Meanings,
    MetricOptions,
    PanelMatching,
    Resampling,
    ReportPage,
    Watched,
):
    """What `make_report` is called with."""

    def check(self) -> None:
        super().check()
        if self.select is not None:
            raise UsageError("report takes all documents: give --documents the file alone")


@verb(MakeReport)
def make_report(call: MakeReport) -> Report:
    r"""One page about some systems, from results that are there or straight from inputs.

    `results` are results, or files that `--format json` wrote. Without them everything is worked
    out from `gold` and `systems` (corrected texts), and from `cases`, `judgments` and `decisions`
    (raters, and detectors before them). With `gold` the page has a sentence browser.
    `construction` is what cases are made of the panel, None for none; `label` is a badge by the
    title. The other options are those of `score`.

    >>> from jurybox.formats import Input
    >>> gold = Input.from_text("S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n")
    >>> made = make_report(gold=gold, systems={"mine": ["A dog ."]})
    >>> [section.title for section in made.page.sections]
    ['Scores by MaxMatch (M²)']
    >>> made.summary()[0]
    '1.0000  F0.5 of mine: (no interval: one sentence alone shows no variation)'
    """
    from jurybox.report.compose import compose_report

    return compose_report(call)
