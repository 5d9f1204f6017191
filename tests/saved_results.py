"""Results as JSON: what their schema says, and the same again when they are read."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator

from jurybox.results import TabularResult
from jurybox.saved_results import read_result

SCHEMAS = files("jurybox") / "schemas"


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}-1.json").read_text(encoding="utf-8"))


@cache
def validator(name: str) -> Any:
    return Draft202012Validator(schema(name))


def complaints(record: object, name: str) -> list[str]:
    """What the schema of this name has against a record."""
    errors = validator(name).iter_errors(record)
    return [f"{error.json_path}: {error.message}" for error in errors]


def refuse(constant: str) -> None:
    """For `parse_constant`: NaN and Infinity."""
    raise AssertionError(f"{constant} is no JSON")


def check_schema(result: TabularResult, name: str) -> dict[str, Any]:
    """The result as JSON gives it, which is what the schema says."""
    record: dict[str, Any] = json.loads(result.to_json(), parse_constant=refuse)
    assert complaints(record, name) == []
    return record


def check_restored(result: TabularResult) -> TabularResult:
    """The same JSON, tables and rows; types too, so that 3 does not come back as 3.0."""
    restored = read_result(result.to_json())
    assert restored.to_dict() == result.to_dict()
    assert restored.to_json() == result.to_json()
    assert str(restored) == str(result)
    assert restored.to_csv() == result.to_csv()
    for table, other in zip(restored.tables(), result.tables(), strict=True):
        assert table.to_html() == other.to_html()
        assert table.to_latex() == other.to_latex()
    return restored
