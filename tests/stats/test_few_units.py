"""Cautions about scores that rest on few units."""

from __future__ import annotations

import pytest

from jurybox.stats.confidence import FEW_UNITS, few_units


@pytest.mark.parametrize("unit", ["sentence", "case", "document"])
def test_every_unit_that_is_resampled_is_cautioned_about_where_it_is_scarce(unit: str) -> None:
    least = FEW_UNITS[unit]
    assert f"recall rests on {least - 1} {unit}s" in few_units(unit, {"recall": least - 1})
    assert few_units(unit, {"recall": least}) == ""
