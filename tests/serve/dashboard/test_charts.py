"""Bars of judgments per hour and per day."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jurybox.serve.dashboard.charts import HEIGHT, HOUR, WIDTH, draw, of_last_day, of_last_week

#: 2025-10-09 09:30 UTC
NOW = 1_760_002_200.0
LAST = int(NOW // HOUR)


def test_the_last_day_ends_with_the_hour_that_is_not_over() -> None:
    chart = of_last_day({LAST: 3, LAST - 23: 5, LAST - 24: 70, LAST + 1: 9}, NOW)
    assert len(chart.bars) == 24
    assert (chart.bars[-1].title, chart.bars[-1].number) == ("2025-10-09 09:00", 3)
    assert (chart.bars[0].title, chart.bars[0].number) == ("2025-10-08 10:00", 5)
    assert (chart.total, chart.most) == (8, 5)


def test_the_last_week_has_whole_days_and_today() -> None:
    midnight = LAST // 24 * 24
    hours = {LAST: 1, midnight: 2, midnight - 1: 4, midnight - 6 * 24: 8, midnight - 6 * 24 - 1: 99}
    chart = of_last_week(hours, NOW)
    assert [bar.number for bar in chart.bars] == [8, 0, 0, 0, 0, 4, 3]
    assert chart.bars[-1].title == "2025-10-09"
    assert chart.is_daily


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 10**6), min_size=1, max_size=30))
def test_bars_stand_on_the_ground_inside_the_drawing_and_say_their_numbers(
    counts: dict[str, int],
) -> None:
    chart = draw("", counts)
    assert chart.to_dict() == counts
    most = max(counts.values())
    for bar, after in zip(chart.bars, (*chart.bars[1:], None), strict=True):
        assert abs(bar.y + bar.height - HEIGHT) < 0.11
        assert bar.x >= 0
        assert bar.x + bar.width <= (after.x if after else WIDTH) + 0.11
        assert abs(bar.height - HEIGHT * bar.number / max(most, 1)) <= 0.051


def test_nothing_is_drawn_where_nobody_judged() -> None:
    chart = of_last_day({}, NOW)
    assert (chart.total, chart.most) == (0, 0)
    assert {bar.height for bar in chart.bars} == {0.0}
