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

if TYPE_CHECKING:
    from jurybox.annotators import annotators
    from jurybox.annotators.result import AnnotatorsResult
    from jurybox.ceiling import ceiling
    from jurybox.ceiling.result import CeilingResult
    from jurybox.compare import compare
    from jurybox.compare.result import CompareResult
    from jurybox.convert import convert
    from jurybox.convert.converting import align_edits
    from jurybox.data import get_data, list_data
    from jurybox.detect.info import describe_detector
    from jurybox.detect.mine import mine_candidates
    from jurybox.detect.run import run_detectors
    from jurybox.detect.selection import detect_selection, judge_selection
    from jurybox.detect.train import train_detector
    from jurybox.errors import FormatError, InputError, JuryboxError, JuryboxWarning, LengthError
    from jurybox.formats import Input, open_panel, read_panel
    from jurybox.jury.cases import derive_cases
    from jurybox.jury.cases.result import DerivedCases
    from jurybox.jury.evaluate import evaluate
    from jurybox.jury.evaluate.result import EvaluateResult
    from jurybox.measures import measure
    from jurybox.metaeval import metaeval
    from jurybox.metaeval.result import MetaevalResult
    from jurybox.model import (
        Annotation,
        Case,
        CaseDescription,
        CaseSet,
        Counts,
        CountsTable,
        DecisionTable,
        Edit,
        JudgmentTable,
        Panel,
        Sentence,
        apply_edits,
    )
    from jurybox.raters.aggregate import aggregate
    from jurybox.raters.aggregate.result import AggregateResult
    from jurybox.raters.agree import agree
    from jurybox.raters.agree.result import AgreeResult
    from jurybox.raters.cost import cost
    from jurybox.raters.cost.result import CostResult
    from jurybox.raters.screen import screen
    from jurybox.raters.screen.kept_judgments import save_screened
    from jurybox.raters.screen.result import ScreenResult
    from jurybox.report import make_report
    from jurybox.report.compose import Report
    from jurybox.sample.draw import draw_sample
    from jurybox.sample.draw.result import SampleDraw
    from jurybox.sample.estimate import estimate_sample
    from jurybox.sample.estimate.result import SampleEstimateResult
    from jurybox.sample.plan import plan_sample
    from jurybox.sample.plan.result import SamplePlan
    from jurybox.sample.simulate import simulate_sample
    from jurybox.sample.simulate.result import SampleSimulation
    from jurybox.saved_results import read_result
    from jurybox.score import score
    from jurybox.score.result import ScoreResult
    from jurybox.score.saved_counts import save_counts, score_counts
    from jurybox.show import show
    from jurybox.show.result import ShowResult

_HOMES = {
    "train_detector": "jurybox.detect.train",
    "run_detectors": "jurybox.detect.run",
    "describe_detector": "jurybox.detect.info",
    "detect_selection": "jurybox.detect.selection",
    "judge_selection": "jurybox.detect.selection",
    "mine_candidates": "jurybox.detect.mine",
    "aggregate": "jurybox.raters.aggregate",
    "AggregateResult": "jurybox.raters.aggregate.result",
    "cost": "jurybox.raters.cost",
    "CostResult": "jurybox.raters.cost.result",
    "estimate_sample": "jurybox.sample.estimate",
    "SampleEstimateResult": "jurybox.sample.estimate.result",
    "simulate_sample": "jurybox.sample.simulate",
    "SampleSimulation": "jurybox.sample.simulate.result",
    "screen": "jurybox.raters.screen",
    "ScreenResult": "jurybox.raters.screen.result",
    "save_screened": "jurybox.raters.screen.kept_judgments",
    "agree": "jurybox.raters.agree",
    "AgreeResult": "jurybox.raters.agree.result",
    "draw_sample": "jurybox.sample.draw",
    "get_data": "jurybox.data",
    "list_data": "jurybox.data",
    "SampleDraw": "jurybox.sample.draw.result",
    "plan_sample": "jurybox.sample.plan",
    "SamplePlan": "jurybox.sample.plan.result",
    "evaluate": "jurybox.jury.evaluate",
    "EvaluateResult": "jurybox.jury.evaluate.result",
    "derive_cases": "jurybox.jury.cases",
    "DerivedCases": "jurybox.jury.cases.result",
    "Case": "jurybox.model",
    "CaseDescription": "jurybox.model",
    "CaseSet": "jurybox.model",
    "DecisionTable": "jurybox.model",
    "JudgmentTable": "jurybox.model",
    "annotators": "jurybox.annotators",
    "AnnotatorsResult": "jurybox.annotators.result",
    "ceiling": "jurybox.ceiling",
    "CeilingResult": "jurybox.ceiling.result",
    "make_report": "jurybox.report",
    "Report": "jurybox.report.compose",
    "read_result": "jurybox.saved_results",
    "show": "jurybox.show",
    "ShowResult": "jurybox.show.result",
    "compare": "jurybox.compare",
    "align_edits": "jurybox.convert.converting",
    "convert": "jurybox.convert",
    "measure": "jurybox.measures",
    "metaeval": "jurybox.metaeval",
    "MetaevalResult": "jurybox.metaeval.result",
    "CompareResult": "jurybox.compare.result",
    "ScoreResult": "jurybox.score.result",
    "save_counts": "jurybox.score.saved_counts",
    "score": "jurybox.score",
    "score_counts": "jurybox.score.saved_counts",
    "FormatError": "jurybox.errors",
    "InputError": "jurybox.errors",
    "JuryboxError": "jurybox.errors",
    "JuryboxWarning": "jurybox.errors",
    "LengthError": "jurybox.errors",
    "Input": "jurybox.formats",
    "open_panel": "jurybox.formats",
    "read_panel": "jurybox.formats",
    "Annotation": "jurybox.model",
    "Counts": "jurybox.model",
    "CountsTable": "jurybox.model",
    "Edit": "jurybox.model",
    "Panel": "jurybox.model",
    "Sentence": "jurybox.model",
    "apply_edits": "jurybox.model",
}

__all__ = [
    "AggregateResult",
    "AgreeResult",
    "Annotation",
    "AnnotatorsResult",
    "Case",
    "CaseDescription",
    "CaseSet",
    "CeilingResult",
    "CompareResult",
    "CostResult",
    "Counts",
    "CountsTable",
    "DecisionTable",
    "DerivedCases",
    "Edit",
    "EvaluateResult",
    "FormatError",
    "Input",
    "InputError",
    "JudgmentTable",
    "JuryboxError",
    "JuryboxWarning",
    "LengthError",
    "MetaevalResult",
    "Panel",
    "Report",
    "SampleDraw",
    "SampleEstimateResult",
    "SamplePlan",
    "SampleSimulation",
    "ScoreResult",
    "ScreenResult",
    "Sentence",
    "ShowResult",
    "__version__",
    "aggregate",
    "agree",
    "align_edits",
    "annotators",
    "apply_edits",
    "ceiling",
    "compare",
    "convert",
    "cost",
    "derive_cases",
    "describe_detector",
    "detect_selection",
    "draw_sample",
    "estimate_sample",
    "evaluate",
    "get_data",
    "judge_selection",
    "list_data",
    "make_report",
    "measure",
    "metaeval",
    "mine_candidates",
    "open_panel",
    "plan_sample",
    "read_panel",
    "read_result",
    "run_detectors",
    "save_counts",
    "save_screened",
    "score",
    "score_counts",
    "screen",
    "show",
    "simulate_sample",
    "train_detector",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'jurybox' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
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
