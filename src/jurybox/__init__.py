"""jurybox: put a grammar checker before a jury.

    import jurybox as jb
    result = jb.score("output.txt", "gold.m2")
    result.f, result.signature

Names are loaded when they are first used, so that importing jurybox costs nothing.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jurybox._version import __version__

# ruff: noqa: I001  several names of a module in one import, each "as" itself: they are public
if TYPE_CHECKING:
    from jurybox.annotators import annotators as annotators
    from jurybox.annotators.result import AnnotatorsResult as AnnotatorsResult
    from jurybox.ceiling import ceiling as ceiling
    from jurybox.ceiling.result import CeilingResult as CeilingResult
    from jurybox.compare import compare as compare
    from jurybox.compare.result import CompareResult as CompareResult
    from jurybox.convert import convert as convert
    from jurybox.convert.converting import align_edits as align_edits
    from jurybox.data import get_data as get_data, list_data as list_data
    from jurybox.detect.info import describe_detector as describe_detector
    from jurybox.detect.mine import mine_candidates as mine_candidates
    from jurybox.detect.run import run_detectors as run_detectors
    from jurybox.detect.selection import (
        detect_selection as detect_selection,
        judge_selection as judge_selection,
    )
    from jurybox.detect.train import train_detector as train_detector
    from jurybox.errors import (
        FormatError as FormatError,
        InputError as InputError,
        JuryboxError as JuryboxError,
        JuryboxWarning as JuryboxWarning,
        LengthError as LengthError,
    )
    from jurybox.formats import Input as Input, open_panel as open_panel, read_panel as read_panel
    from jurybox.jury.balance import balance_cases as balance_cases
    from jurybox.jury.balance.result import BalancedCases as BalancedCases
    from jurybox.jury.cases import derive_cases as derive_cases
    from jurybox.jury.cases.result import DerivedCases as DerivedCases
    from jurybox.jury.evaluate import evaluate as evaluate
    from jurybox.jury.evaluate.result import EvaluateResult as EvaluateResult
    from jurybox.measures import measure as measure
    from jurybox.metaeval import metaeval as metaeval
    from jurybox.metaeval.result import MetaevalResult as MetaevalResult
    from jurybox.model import (
        Annotation as Annotation,
        Case as Case,
        CaseDescription as CaseDescription,
        CaseSet as CaseSet,
        Counts as Counts,
        CountsTable as CountsTable,
        DecisionTable as DecisionTable,
        Edit as Edit,
        JudgmentTable as JudgmentTable,
        Panel as Panel,
        Sentence as Sentence,
        apply_edits as apply_edits,
    )
    from jurybox.raters.aggregate import aggregate as aggregate
    from jurybox.raters.aggregate.result import AggregateResult as AggregateResult
    from jurybox.raters.agree import agree as agree
    from jurybox.raters.agree.result import AgreeResult as AgreeResult
    from jurybox.raters.cost import cost as cost
    from jurybox.raters.cost.result import CostResult as CostResult
    from jurybox.raters.screen import screen as screen
    from jurybox.raters.screen.kept_judgments import save_screened as save_screened
    from jurybox.raters.screen.result import ScreenResult as ScreenResult
    from jurybox.report import make_report as make_report
    from jurybox.report.compose import Report as Report
    from jurybox.sample.draw import draw_sample as draw_sample
    from jurybox.sample.draw.result import SampleDraw as SampleDraw
    from jurybox.sample.estimate import estimate_sample as estimate_sample
    from jurybox.sample.estimate.result import SampleEstimateResult as SampleEstimateResult
    from jurybox.sample.plan import plan_sample as plan_sample
    from jurybox.sample.plan.result import SamplePlan as SamplePlan
    from jurybox.sample.simulate import simulate_sample as simulate_sample
    from jurybox.sample.simulate.result import SampleSimulation as SampleSimulation
    from jurybox.saved_results import read_result as read_result
    from jurybox.score import score as score
    from jurybox.score.result import ScoreResult as ScoreResult
    from jurybox.score.saved_counts import save_counts as save_counts, score_counts as score_counts
    from jurybox.show import show as show
    from jurybox.show.result import ShowResult as ShowResult

#: where every public name is: module -> names
_NAMES = {
    "annotators": "annotators",
    "annotators.result": "AnnotatorsResult",
    "ceiling": "ceiling",
    "ceiling.result": "CeilingResult",
    "compare": "compare",
    "compare.result": "CompareResult",
    "convert": "convert",
    "convert.converting": "align_edits",
    "data": "get_data list_data",
    "detect.info": "describe_detector",
    "detect.mine": "mine_candidates",
    "detect.run": "run_detectors",
    "detect.selection": "detect_selection judge_selection",
    "detect.train": "train_detector",
    "errors": "FormatError InputError JuryboxError JuryboxWarning LengthError",
    "formats": "Input open_panel read_panel",
    "jury.balance": "balance_cases",
    "jury.balance.result": "BalancedCases",
    "jury.cases": "derive_cases",
    "jury.cases.result": "DerivedCases",
    "jury.evaluate": "evaluate",
    "jury.evaluate.result": "EvaluateResult",
    "measures": "measure",
    "metaeval": "metaeval",
    "metaeval.result": "MetaevalResult",
    "model": "Annotation Case CaseDescription CaseSet Counts CountsTable DecisionTable Edit "
    "JudgmentTable Panel Sentence apply_edits",
    "raters.aggregate": "aggregate",
    "raters.aggregate.result": "AggregateResult",
    "raters.agree": "agree",
    "raters.agree.result": "AgreeResult",
    "raters.cost": "cost",
    "raters.cost.result": "CostResult",
    "raters.screen": "screen",
    "raters.screen.kept_judgments": "save_screened",
    "raters.screen.result": "ScreenResult",
    "report": "make_report",
    "report.compose": "Report",
    "sample.draw": "draw_sample",
    "sample.draw.result": "SampleDraw",
    "sample.estimate": "estimate_sample",
    "sample.estimate.result": "SampleEstimateResult",
    "sample.plan": "plan_sample",
    "sample.plan.result": "SamplePlan",
    "sample.simulate": "simulate_sample",
    "sample.simulate.result": "SampleSimulation",
    "saved_results": "read_result",
    "score": "score",
    "score.result": "ScoreResult",
    "score.saved_counts": "save_counts score_counts",
    "show": "show",
    "show.result": "ShowResult",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  all are names


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'jurybox' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f"jurybox.{_HOMES[name]}"), name)
    if hasattr(value, "options"):  # a verb
        from jurybox.options import signature_of

        value.__signature__ = signature_of(value.options)  # for help()
    globals()[name] = value
    return value


class _Package(ModuleType):
    """Keeps a verb (`jb.score`) from being hidden by the folder of its name (`jurybox/score/`)."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in _HOMES):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted(__all__)
