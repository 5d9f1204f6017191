"""Scores at one size."""

from __future__ import annotations

from bryant_ng_2015 import TABLE_5
from made_figures import drawn, lines_of, texts_of, xs


def test_one_size_gives_dots_with_error_bars_best_first() -> None:
    figure = drawn("one size")
    texts = texts_of(figure)
    assert [t for t in texts if t in TABLE_5] == ["human", "CAMB", "CUUI", "AMU"]
    assert "72.5 (70.5–74.5)" in texts
    assert "F0.5 at 9 reference annotators" in texts
    bars = [[round(x, 2) for x in xs(line)] for line in lines_of(figure)]
    assert [51.47, 55.47] in bars
