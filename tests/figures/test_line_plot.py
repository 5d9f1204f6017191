"""Names at the ends of the lines: with their values, apart from each other, in order."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bryant_ng_2015 import TABLE_5
from jurybox.figures._curves import spread
from made_figures import drawn, texts_of


def test_names_and_last_values_stand_at_the_ends_of_the_lines_of_the_paper() -> None:
    texts = texts_of(drawn("paper"))
    assert [t for t in texts if t.split()[0] in TABLE_5] == [
        "human 72.5",
        "AMU 49.3",
        "CAMB 53.5",
        "CUUI 51.0",
    ]


def test_only_the_curve_that_is_extrapolated_is_said_to_be_so() -> None:
    texts = " ".join(texts_of(drawn("one extrapolated")))
    assert "human 72.5 → 74.0 at 9 → 12 (extrapolated)" in texts
    assert "CAMB 53.5 at 9" in texts


def test_a_curve_that_ends_early_says_where_its_value_is() -> None:
    texts = texts_of(drawn("gaps"))
    assert "human 66.0 at 8" in texts
    assert "AMU 43.8 at 5" in texts
    assert "CAMB 53.5 at 9" in texts


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(1, 20)), min_size=1, max_size=15),
    st.floats(0, 50),
)
def test_labels_never_overlap_nor_leave_the_plot_nor_change_order(
    labels: list[tuple[float, float]], spare: float
) -> None:
    wanted, heights = [y for y, _ in labels], [h for _, h in labels]
    high = max(100.0, sum(heights)) + spare
    places = spread(wanted, heights, 0, high)
    spans = sorted(
        (y - h / 2, y + h / 2, want) for y, h, want in zip(places, heights, wanted, strict=True)
    )
    for (_, end, lower), (start, _, upper) in pairwise(spans):
        assert end <= start + 1e-6
        assert lower <= upper
    assert spans[0][0] >= -1e-6
    assert spans[-1][1] <= high + 1e-6


def test_labels_with_room_stay_where_they_are() -> None:
    assert spread([10, 50, 30], [10, 10, 10], 0, 100) == [10, 50, 30]
