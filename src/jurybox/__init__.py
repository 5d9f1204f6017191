"""jurybox: put a grammar checker before a jury.

    import jurybox as jb
    result = jb.score("output.txt", "gold.m2")
    result.f, result.signature

Names are loaded when they are first used, so that importing jurybox costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jurybox._version import __version__

if TYPE_CHECKING:
    from jurybox.api.aggregate import aggregate
    from jurybox.api.aggregate_result import AggregateResult
    from jurybox.api.agree import agree
    from jurybox.api.agree_result import AgreeResult
    from jurybox.api.annotators import annotators
    from jurybox.api.annotators_result import AnnotatorsResult
    from jurybox.api.cases import derive_cases
    from jurybox.api.cases_result import DerivedCases
    from jurybox.api.ceiling import ceiling
    from jurybox.api.ceiling_result import CeilingResult
    from jurybox.api.compare import compare
    from jurybox.api.comparison import CompareResult
    from jurybox.api.convert import align_edits, convert
    from jurybox.api.cost import cost
    from jurybox.api.cost_result import CostResult
    from jurybox.api.data_sets import get_data, list_data
    from jurybox.api.detect_info import describe_detector
    from jurybox.api.detect_mine import mine_candidates
    from jurybox.api.detect_run import run_detectors
    from jurybox.api.detect_selection import detect_selection
    from jurybox.api.detect_selection_judged import judge_selection
    from jurybox.api.detect_train import train_detector
    from jurybox.api.evaluate import evaluate
    from jurybox.api.evaluation import EvaluateResult
    from jurybox.api.measure import measure
    from jurybox.api.meta import meta
    from jurybox.api.meta_result import MetaResult
    from jurybox.api.report import Report, make_report
    from jurybox.api.restore import read_result
    from jurybox.api.results import ScoreResult
    from jurybox.api.sample_draw import draw_sample
    from jurybox.api.sample_draw_result import SampleDraw
    from jurybox.api.sample_estimate import estimate_sample
    from jurybox.api.sample_estimated import SampleEstimateResult
    from jurybox.api.sample_plan import plan_sample
    from jurybox.api.sample_plan_result import SamplePlan
    from jurybox.api.sample_simulate import simulate_sample
    from jurybox.api.sample_simulated import SampleSimulation
    from jurybox.api.saved import save_counts, score_counts
    from jurybox.api.score import score
    from jurybox.api.screen import screen
    from jurybox.api.screen_result import ScreenResult
    from jurybox.api.screened_judgments import save_screened
    from jurybox.api.show import show
    from jurybox.api.shown import ShowResult
    from jurybox.errors import FormatError, InputError, JuryboxError, JuryboxWarning, LengthError
    from jurybox.formats import Input, open_panel, read_panel
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

_HOMES = {
    "train_detector": "jurybox.api.detect_train",
    "run_detectors": "jurybox.api.detect_run",
    "describe_detector": "jurybox.api.detect_info",
    "detect_selection": "jurybox.api.detect_selection",
    "judge_selection": "jurybox.api.detect_selection_judged",
    "mine_candidates": "jurybox.api.detect_mine",
    "aggregate": "jurybox.api.aggregate",
    "AggregateResult": "jurybox.api.aggregate_result",
    "cost": "jurybox.api.cost",
    "CostResult": "jurybox.api.cost_result",
    "estimate_sample": "jurybox.api.sample_estimate",
    "SampleEstimateResult": "jurybox.api.sample_estimated",
    "simulate_sample": "jurybox.api.sample_simulate",
    "SampleSimulation": "jurybox.api.sample_simulated",
    "screen": "jurybox.api.screen",
    "ScreenResult": "jurybox.api.screen_result",
    "save_screened": "jurybox.api.screened_judgments",
    "agree": "jurybox.api.agree",
    "AgreeResult": "jurybox.api.agree_result",
    "draw_sample": "jurybox.api.sample_draw",
    "get_data": "jurybox.api.data_sets",
    "list_data": "jurybox.api.data_sets",
    "SampleDraw": "jurybox.api.sample_draw_result",
    "plan_sample": "jurybox.api.sample_plan",
    "SamplePlan": "jurybox.api.sample_plan_result",
    "evaluate": "jurybox.api.evaluate",
    "EvaluateResult": "jurybox.api.evaluation",
    "derive_cases": "jurybox.api.cases",
    "DerivedCases": "jurybox.api.cases_result",
    "Case": "jurybox.model",
    "CaseDescription": "jurybox.model",
    "CaseSet": "jurybox.model",
    "DecisionTable": "jurybox.model",
    "JudgmentTable": "jurybox.model",
    "annotators": "jurybox.api.annotators",
    "AnnotatorsResult": "jurybox.api.annotators_result",
    "ceiling": "jurybox.api.ceiling",
    "CeilingResult": "jurybox.api.ceiling_result",
    "make_report": "jurybox.api.report",
    "Report": "jurybox.api.report",
    "read_result": "jurybox.api.restore",
    "show": "jurybox.api.show",
    "ShowResult": "jurybox.api.shown",
    "compare": "jurybox.api.compare",
    "align_edits": "jurybox.api.convert",
    "convert": "jurybox.api.convert",
    "measure": "jurybox.api.measure",
    "meta": "jurybox.api.meta",
    "MetaResult": "jurybox.api.meta_result",
    "CompareResult": "jurybox.api.comparison",
    "ScoreResult": "jurybox.api.results",
    "save_counts": "jurybox.api.saved",
    "score": "jurybox.api.score",
    "score_counts": "jurybox.api.saved",
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
    "MetaResult",
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
    "meta",
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


def __dir__() -> list[str]:
    return sorted(__all__)
