"""FigureWords in a figure are wrapped without a loss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.figures._page import printable, width_of, wrap
from made_figures import SIGNATURE, drawn, texts_of


def test_a_long_note_is_kept_to_the_last_letter() -> None:
    texts = texts_of(drawn("paper"))
    assert SIGNATURE.replace(" ", "") in "".join(texts).replace(" ", "")


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
@given(st.text(max_size=200), st.floats(20, 300))
def test_wrapping_loses_nothing_but_blanks(text: str, width: float) -> None:
    lines = wrap(text, width, 8)
    kept = printable(text)
    assert "".join("".join(lines).split()) == "".join(kept.split())
    assert all(len(line) == 1 or width_of(line, 8) <= width for line in lines)
