"""A value, its JSON and its schema say the same, whatever the value is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from jurybox.errors import FormatError
from jurybox.records import (
    FLAT,
    HIDDEN,
    NOT_EMPTY,
    WHEN_SET,
    Count,
    Limits,
    Reason,
    Share,
    computed,
    plain,
    restore,
    schema,
)


class Ends(NamedTuple):
    """An interval."""

    low: float
    high: float


class Pair(NamedTuple):
    """Two raters."""

    names: tuple[str, str]
    kappa: Annotated[float, "Cohen's kappa."]
    kind: Literal["plain", "weighted"] = "plain"
    reason: Reason = ""


@dataclass(frozen=True)
class Found:
    """Everything a record may hold."""

    cases: Count
    share: Annotated[Share, "Of all cases."]
    pairs: tuple[Pair, ...]
    ends: Annotated[Ends | None, FLAT]
    by_name: Mapping[str, int]
    by_size: dict[int, float]
    listed: list[str]
    either: int | str | None
    known: bool
    measures: Annotated[Mapping[Literal["p", "r"], float], FLAT] = field(
        default_factory=lambda: {"p": 0.5, "r": nan}
    )
    notes: Annotated[tuple[str, ...], WHEN_SET] = ()
    table: Annotated[Any, HIDDEN] = None

    @computed
    def double(self) -> int:
        """Twice the cases."""
        return 2 * self.cases


numbers = st.floats(allow_infinity=False).map(lambda number: number + 0.0)  # no negative zero
pairs = st.builds(
    Pair,
    st.tuples(st.text(), st.text()),
    numbers,
    st.sampled_from(["plain", "weighted"]),
    st.text(),
)
records = st.builds(
    Found,
    cases=st.integers(0, 100),
    share=st.one_of(st.just(nan), st.floats(0, 1).map(abs)),
    pairs=st.lists(pairs, max_size=3).map(tuple),
    ends=st.one_of(st.none(), st.builds(Ends, numbers, numbers)),
    by_name=st.dictionaries(st.text(), st.integers(), max_size=3),
    by_size=st.dictionaries(st.integers(0, 9), numbers, max_size=3),
    listed=st.lists(st.text(), max_size=3),
    either=st.one_of(st.none(), st.integers(), st.text()),
    known=st.booleans(),
    measures=st.builds(lambda p, r: {"p": p, "r": r}, numbers, numbers),
    notes=st.lists(st.text(), max_size=2).map(tuple),
)


@given(records)
def test_what_is_written_is_valid_and_comes_back_the_same(record: Found) -> None:
    written = json.loads(json.dumps(plain(record), allow_nan=False))
    Draft202012Validator(schema(Found)).validate(written)
    again = restore(Found, written)
    assert repr(again) == repr(record)  # in which nan equals nan
    assert plain(again) == written


def test_the_schema_is_one_and_strict() -> None:
    found = schema(Found)
    Draft202012Validator.check_schema(found)
    assert found["properties"]["share"] == {
        "description": "Of all cases.",
        "type": ["number", "null"],
        "minimum": 0,
        "maximum": 1,
    }
    assert found["properties"]["double"] == {"description": "Twice the cases.", "type": "integer"}
    assert {"low", "high", "notes"}.isdisjoint(found["required"])
    assert {"p", "r", "double"} <= {*found["required"]}
    assert "table" not in found["properties"]
    assert found["additionalProperties"] is False
    assert found["$defs"]["Pair"]["properties"]["kind"] == {"enum": ["plain", "weighted"]}


def test_undefined_numbers_are_null_and_zero_has_no_sign() -> None:
    assert plain([nan, inf, -inf, -0.0, np.float64("nan"), np.int64(3), np.array([1, 2])]) == [
        *(None, None, None, 0.0, None, 3),
        [1, 2],
    ]
    assert str(plain(-0.0)) == "0.0"
    assert isnan(restore(Ends, {"low": None, "high": 1}).low)
    assert restore(Ends, {"low": 0, "high": 1}) == Ends(0, 1)  # whole numbers stay whole


class Listed(NamedTuple):
    """A list that must not be empty."""

    pairs: Annotated[tuple[Pair, ...], NOT_EMPTY]
    level: Annotated[float, Limits(exclusiveMinimum=0)] = 0.95


PAIR = {"names": ["A", "B"], "kappa": 0.5, "kind": "plain"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kappa": "x"}, "'pairs[0].kappa' must be a number or null, not 'x'"),
        ({"kappa": True}, "'pairs[0].kappa' must be a number or null, not True"),
        ({"names": ["A"]}, "'pairs[0].names' must be a list of 2, not ['A']"),
        ({"names": "AB"}, "'pairs[0].names' must be a list, not 'AB'"),
        ({"names": ["A", 1]}, "'pairs[0].names[1]' must be text, not 1"),
        ({"kind": "odd"}, "'pairs[0].kind' must be one of plain, weighted, not 'odd'"),
    ],
)
def test_wrong_values_are_named_with_file_and_place(changed: Any, message: str) -> None:
    with pytest.raises(FormatError) as error:
        restore(Listed, {"pairs": [PAIR | changed], "level": 0.9}, file="r.json")
    assert str(error.value).startswith(f"r.json: the field {message}; make the result again")


def test_missing_and_empty_values_are_named() -> None:
    with pytest.raises(FormatError, match=r"lacks the field 'pairs\[0\].kappa'"):
        restore(Listed, {"pairs": [{"names": ["A", "B"], "kind": "plain"}], "level": 0.9})
    with pytest.raises(FormatError, match="'pairs' must be a list, not an empty one"):
        restore(Listed, {"pairs": [], "level": 0.9})
    with pytest.raises(FormatError, match="'pairs' must be a list, not None"):
        restore(Listed, {"pairs": None, "level": 0.9})


class Odd(NamedTuple):
    """What JSON does not know."""

    z: complex


def test_what_has_no_form_in_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no form in JSON"):
        plain(object())
    with pytest.raises(TypeError, match="complex"):
        schema(Odd)
