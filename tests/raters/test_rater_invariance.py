"""Numbers about raters depend on what they said: not on names, the order of rows, or others."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from jurybox.metaeval import metaeval
from jurybox.raters.aggregate import aggregate
from jurybox.raters.agree import agree
from jurybox.raters.agree.crowd import MEAN
from jurybox.raters.screen import screen
from jurybox.records import plain

Said = tuple[str, str, str]


def crowd(cases: int = 60, raters: int = 6) -> list[Said]:
    """Raters who are right three times in four; an even number, so that there are ties."""
    lots = random.Random(3)
    said = []
    for case in range(cases):
        for rater in range(raters):
            error = (case % 4 == 0) == (lots.random() < 0.75)
            said.append((f"c{case}", f"R{rater}", "error" if error else "ok"))
    return said


GOLD = {f"c{case}": "error" if case % 4 == 0 else "ok" for case in range(0, 60, 2)}
#: other names that sort the other way round
NAMES = {f"R{rater}": f"{9 - rater}-zoe" for rater in range(6)}


def renamed(said: Sequence[Said]) -> list[Said]:
    return [(case, NAMES[rater], label) for case, rater, label in said]


def shuffled(said: Sequence[Said]) -> list[Said]:
    return random.Random(5).sample(list(said), len(said))


CHANGES = [renamed, shuffled]


def points(found: Any, reference: str) -> list[dict[str, Any]]:
    return [plain(point._replace(reference="")) for point in found.curve(reference)]


@pytest.mark.parametrize("change", CHANGES)
def test_agree_gives_the_same_digits(change: Callable[[Sequence[Said]], list[Said]]) -> None:
    said = crowd()
    one = agree(said, gold=GOLD, ci=True)
    other = agree(change(said), gold=GOLD, ci=True)
    assert points(one, "gold") == points(other, "gold")
    assert one.intervals is not None
    assert other.intervals is not None
    for name in one.coefficients.names:
        assert other[name].value == pytest.approx(one[name].value, rel=1e-9)
        assert other.intervals[name][:3] == pytest.approx(one.intervals[name][:3], rel=1e-9)
    ends = [np.array(sorted(pair[4:8] for pair in found.pairs)) for found in (one, other)]
    assert ends[0] == pytest.approx(ends[1])


def test_a_curve_does_not_depend_on_the_names_order_or_number_of_experts() -> None:
    said = crowd()
    experts = [(f"c{n}", "X", "ok" if n % 5 else "error") for n in range(60)]
    again = [(case, "A", label) for case, _, label in experts]
    alone = agree(said + experts, experts="X")
    both = agree(experts + said + again, experts=["A", "X"])
    assert points(alone, "X") == points(both, "X") == points(both, "A")
    with_gold = agree(said + experts, experts="X", gold=GOLD)
    assert points(with_gold, "X") == points(alone, "X")
    other = [(case, "B", "error" if n % 7 else "ok") for n, (case, *_) in enumerate(experts)]
    named = [["X", "B"], ["B", "X"]]
    one, turned = (agree(said + experts + other, experts=names) for names in named)
    assert points(one, MEAN) == points(turned, MEAN)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("method", ["majority", "dawid-skene", "gold-weighted"])
def test_aggregate_settles_ties_the_same_way(
    method: str, change: Callable[[Sequence[Said]], list[Said]]
) -> None:
    said = crowd()
    one, other = (aggregate(given, method=method, gold=GOLD) for given in (said, change(said)))
    assert one.labels == other.labels


def test_ties_of_a_case_do_not_depend_on_other_cases_but_on_the_seed() -> None:
    said = crowd()
    whole = aggregate(said)
    half = aggregate([one for one in said if int(one[0][1:]) % 2])
    assert len(whole.ties.cases) > len(half.ties.cases) > 3
    assert half.labels.items() <= whole.labels.items()
    assert aggregate(said, seed=2).labels != whole.labels


@pytest.mark.parametrize("change", CHANGES)
def test_screen_finds_the_same_raters(change: Callable[[Sequence[Said]], list[Said]]) -> None:
    said = crowd() + [(f"c{case}", "R5b", "ok") for case in range(60)]
    names: Mapping[str, str] = {**NAMES, "R5b": "0-always"}
    given = [(case, names[rater], label) for case, rater, label in said]
    one, other = (
        screen(said, gold=GOLD),
        screen(given if change is renamed else change(said), gold=GOLD),
    )

    back = {new: old for old, new in names.items()} if change is renamed else {}
    first, second = told(one, {}), told(other, back)
    assert first.keys() == second.keys()
    assert any(record["flags"] for record in first.values())
    for rater, record in first.items():
        for listed in ("flags", "reasons"):
            assert second[rater].pop(listed) == record.pop(listed)
        assert second[rater] == pytest.approx(record)


def told(found: Any, names: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """What is said of each rater, under the first names."""
    records = {one.pop("rater"): one for one in found.to_dict()["raters"]}
    return {names.get(name, name): record for name, record in records.items()}


def test_p_values_of_meta_do_not_depend_on_the_order_of_systems() -> None:
    lots = random.Random(1)
    human = {f"s{k}": lots.random() for k in range(9)}
    metric = {name: value + lots.random() for name, value in human.items()}
    one = metaeval({"m": metric}, human)
    other = metaeval(
        {"m": dict(reversed(metric.items()))}, dict(sorted(human.items(), key=lambda one: -one[1]))
    )
    assert one.of("m").measures == other.of("m").measures
