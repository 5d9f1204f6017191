"""`read_result`: a result again, out of the JSON that a command or `to_json` wrote."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from math import isclose
from typing import Any

from jurybox._version import __version__
from jurybox.errors import FormatError
from jurybox.formats import Input, as_input
from jurybox.records import MAKE_AGAIN
from jurybox.results import TabularResult

#: command -> the folder and, in its `result.py`, the class of its results
HOMES = {
    "score": "score:ScoreResult",
    "compare": "compare:CompareResult",
    "metaeval": "metaeval:MetaevalResult",
    "ceiling": "ceiling:CeilingResult",
    "annotators": "annotators:AnnotatorsResult",
    "show": "show:ShowResult",
    "cases": "jury.cases:DerivedCases",
    "evaluate": "jury.evaluate:EvaluateResult",
    "agree": "raters.agree:AgreeResult",
    "screen": "raters.screen:ScreenResult",
    "aggregate": "raters.aggregate:AggregateResult",
    "cost": "raters.cost:CostResult",
    "measures": "measures:MeasureResult",
    "sample-plan": "sample.plan:SamplePlan",
    "sample-estimate": "sample.estimate:SampleEstimateResult",
    "sample-simulate": "sample.simulate:SampleSimulation",
    "detect-train": "detect.train:TrainedDetector",
    "detect-run": "detect.run:DetectionRun",
    "detect-info": "detect.info:DetectorInfo",
    "detect-mine": "detect.mine:MinedCandidates",
    "detect-selection": "detect.selection:SelectionResult",
}
#: results that are not read back: what they say is in the files that they name
REPORTS = {
    "convert": "convert:ConvertResult",
    "cases-balance": "jury.balance:BalancedCases",
    "data-list": "data:DataList",
    "data-get": "data:DataGot",
    "sample-draw": "sample.draw:SampleDraw",
}
#: what else has a schema of ours, and what to do instead
NO_RESULT = {
    "counts": "holds saved counts, no result: score them with jurybox score … --format json",
    "convert": "says what jurybox convert wrote, and has no numbers to show",
    "cases-balance": "says what jurybox cases balance wrote, and has no numbers to show",
    "data-list": "says which test sets there are, and has no numbers to show",
    "data-get": "says what jurybox data get wrote, and has no numbers to show",
    "sample-draw": "says what jurybox sample draw wrote, and has no numbers to show",
}
SCHEMA = re.compile(r"jurybox\.([a-z-]+)/([0-9]{1,9})")
#: the newest form of results that is understood
NEWEST = 1
MAKE_ONE = "write one with --format json, as in jurybox score … --format json -o result.json"

#: what results that do not fit together raise when they are put together or shown
_ODD = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, StopIteration)

Given = str | os.PathLike[str] | Input | Mapping[str, Any]


def read_result(given: Given) -> TabularResult:
    """The result that was saved: the same values, tables, figures and JSON.

    `given` is a file that a command wrote with `--format json` (compressed or not, `-` is standard
    input), its text, or the dict of `to_dict`. The files behind the result are not read. What JSON
    does not hold is not there again: counts per sentence (`save_counts` keeps those) and cases.

    >>> from jurybox.measures import measure
    >>> saved = measure(12, 18, 28, 42).to_json()
    >>> read_result(saved) == measure(12, 18, 28, 42)
    True
    """
    record, name = _read(given)
    command = _command_of(record, name)
    try:
        result = result_kind(command).from_dict(record, file=name)
        differing = next(_differences(record, result.to_dict()), None)
        str(result)  # what cannot be shown is refused here, where the file is known
    except _ODD as error:
        why = f"{type(error).__name__}: {error}"
        raise FormatError(f"does not fit together ({why}); {MAKE_AGAIN}", path=name) from None
    if differing is not None:  # changed by hand, or made when a definition was another one
        message = f"the field '{differing}' does not follow from the others; {MAKE_AGAIN}"
        raise FormatError(message, path=name)
    return result


def result_kind(command: str) -> type[TabularResult]:
    """The class of a command's results."""
    folder, _, name = (HOMES | REPORTS)[command].partition(":")
    kind: type[TabularResult] = getattr(import_module(f"jurybox.{folder}.result"), name)
    return kind


def _read(given: Given) -> tuple[Any, str]:
    """What was given as plain values, and what to call it in messages."""
    if isinstance(given, Mapping):
        return given, "<memory>"
    if isinstance(given, str) and given.lstrip().startswith("{"):
        given = Input.from_text(given)
    source = as_input(given)
    return _parse("\n".join(line for _, line in source.lines()), source.name), source.name


def _parse(text: str, name: str) -> Any:
    import json

    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        message = f"is not JSON ({error.msg}); {MAKE_ONE}"
        raise FormatError(message, path=name, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON of ours ({error}); {MAKE_ONE}", path=name) from None


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no number in JSON")


def _differences(saved: Any, restored: Any, place: str = "") -> Iterator[str]:
    """Fields that say something else than what was read; those only one side has may do so.

    Numbers that follow from others, such as shares of counts, are computed anew. On another machine
    they may differ in the last digit.

    >>> list(_differences({"n": 4, "share": 0.5, "new": 1}, {"n": 4, "share": 0.25}))
    ['share']
    """
    if isinstance(saved, Mapping) and isinstance(restored, Mapping):
        for name in restored:
            if name in saved:
                inside = f"{place}.{name}" if place else name
                yield from _differences(saved[name], restored[name], inside)
    elif isinstance(saved, (list, tuple)) and isinstance(restored, (list, tuple)):
        if len(saved) != len(restored):
            yield place
        for number, both in enumerate(zip(saved, restored, strict=False)):
            yield from _differences(*both, f"{place}[{number}]")
    elif isinstance(saved, float) and isinstance(restored, float):
        if not isclose(saved, restored, rel_tol=1e-9, abs_tol=1e-12):
            yield place
    elif saved != restored:
        yield place


def _command_of(record: Any, name: str) -> str:
    """The command that made a result; anything else is refused with what to do about it."""
    schema = record.get("schema") if isinstance(record, Mapping) else None
    found = SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if found is None:
        raise FormatError(
            f"is no result of jurybox (it has no field 'schema' such as \"jurybox.score/1\"); "
            f"{MAKE_ONE}",
            path=name,
        )
    command, form = found[1], int(found[2])
    if command in NO_RESULT:
        raise FormatError(NO_RESULT[command], path=name)
    if command not in HOMES or form > NEWEST:
        raise FormatError(
            f"was made by a newer jurybox: {record.get('version', '?')}, form {schema}; this is "
            f"{__version__}: upgrade it, or make the result again",
            path=name,
        )
    return command
