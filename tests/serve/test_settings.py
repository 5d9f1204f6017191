"""Settings of a project that contradict themselves are refused with the option's name."""

from __future__ import annotations

from typing import Any

import pytest

from jurybox.errors import UsageError
from jurybox.serve.settings import GoldRule, Settings, Task


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"name": " "}, "the project name"),
        ({"name": "a/b"}, "slash"),
        ({"task": "guess"}, "unknown task 'guess'"),
        ({"per_case": 0}, "--per-case"),
        ({"per_rater": 0}, "--per-rater"),
        ({"lease_minutes": 0}, "--lease"),
        ({"gold_rate": 0.6}, "--gold-rate"),
        ({"repeat_share": -0.1}, "--repeats"),
        ({"gold_rate": 0.5, "repeat_share": 0.5}, "together"),
        ({"gold_rule": GoldRule(1.5, 3)}, "--gold-rule"),
        ({"gold_rule": GoldRule(0.5, 3, "shout")}, "unknown action 'shout'"),
        ({"completion_url": "javascript:alert(1)"}, "--completion-url"),
        ({"fillers": ("at",), "task": Task.JUDGE}, "--fillers"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        Settings(**{"name": "study", **given})


def test_the_gold_rule_waits_for_enough_answers_and_allows_its_threshold() -> None:
    rule = GoldRule(threshold=0.5, after=4)
    assert not rule.is_broken(right=0, seen=3)
    assert not rule.is_broken(right=2, seen=4)
    assert rule.is_broken(right=1, seen=4)
