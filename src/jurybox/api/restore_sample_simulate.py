"""The result of `sample simulate` out of its JSON."""

from __future__ import annotations

from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs
from jurybox.api.sample_simulated import SampleSimulation, SimulatedSetting, SimulatedSystem
from jurybox.stats.binomial_test import BinomialTest
from jurybox.stats.simulation import Coverage


def restore(record: Fields) -> SampleSimulation:
    """A simulation: every setting with every interval."""
    return SampleSimulation(
        systems=tuple(
            SimulatedSystem(
                one.text("name"),
                one.whole("cases"),
                one.whole("flagged"),
                one.number("hits"),
                one.number("misses"),
            )
            for one in record.parts("systems", least=1)
        ),
        settings=tuple(_setting(one) for one in record.parts("settings", least=1)),
        options=record.as_given("options", "beta", "ci_level", "draws"),
        signature=record.text("signature"),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _setting(record: Fields) -> SimulatedSetting:
    intervals = record.parts("intervals", least=1)
    return SimulatedSetting(
        record.text("system"),
        record.whole("error"),
        record.whole("ok"),
        record.number("expected_misses"),
        tuple(_coverage(one) for one in intervals),
        {one.text("measure"): one.text("method") for one in intervals if one.flag("recommended")},
    )


def _coverage(record: Fields) -> Coverage:
    test = None
    if record.has("p_two_sided"):
        test = BinomialTest(record.number("p_two_sided"), record.number("p_too_low"))
    return Coverage(
        record.text("measure"),
        record.text("method"),
        record.number("truth"),
        record.whole("draws"),
        record.whole("covered"),
        record.number("below"),
        record.number("above"),
        record.number("width"),
        test,
    )
