"""Words in a figure: how wide they are, how they are wrapped and shortened, which have no letters.

Widths are in points, in the font that the figures are drawn with. matplotlib is imported when
something is measured.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from jurybox.errors import JuryboxWarning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: comes with matplotlib and is wider than the other fonts of a figure: what fits in it, fits
FONT = "DejaVu Sans"


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, weight: str = "normal") -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0])


def widest(texts: Iterable[str], size: float, weight: str = "normal") -> float:
    return max((width_of(text, size, weight) for text in texts), default=0.0)


def wrap(text: str, width: float, size: float, weight: str = "normal") -> list[str]:
    """Lines that are no wider than this."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        rest = " ".join(printable(paragraph).split())
        while width_of(rest, size, weight) > width:
            cut = _break_point(rest, _fitting(rest, width, size, weight))
            lines.append(rest[:cut].rstrip())
            rest = rest[cut:].lstrip()
        if rest:
            lines.append(rest)
    return lines


def _fitting(text: str, width: float, size: float, weight: str) -> int:
    """How many of the first letters fit; one at least."""
    lengths = range(1, len(text))
    return max(1, bisect_right(lengths, width, key=lambda k: width_of(text[:k], size, weight)))


def _break_point(text: str, fitting: int) -> int:
    """Where a line of so many letters is best broken: the second half is looked through.

    >>> _break_point("beta:0.5|sizes:all", 12)
    9
    """
    for signs in (" ", "|;,", "-_/+:."):
        cut = 1 + max(text.rfind(sign, 0, fitting + (sign == " ")) for sign in signs)
        if 2 * cut > fitting:
            return cut
    return fitting


def shorten(text: str, width: float, size: float, weight: str = "normal") -> str:
    """The text, with its middle left out if it is too wide."""
    text = printable(text)

    def keep(number: int) -> str:
        return text[: (number + 1) // 2] + "…" + text[len(text) - number // 2 :]

    if width_of(text, size, weight) <= width:
        return text
    lengths = range(2, len(text))
    return keep(
        max(2, 1 + bisect_right(lengths, width, key=lambda k: width_of(keep(k), size, weight)))
    )


def printable(text: str) -> str:
    """Without signs that have no look, which would also break the XML of an SVG file."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def warn_of_missing_letters(figure: Figure) -> None:
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.text import Text

    known = get_font(findfont(FontProperties(family=FONT))).get_charmap()
    texts = (artist.get_text() for artist in figure.findobj(Text) if isinstance(artist, Text))
    missing = sorted({sign for text in texts for sign in text if ord(sign) not in known})
    if missing:
        warnings.warn(
            f"no font here can draw {' '.join(missing)}; save the figure as .svg, where the"
            " reader's fonts are used",
            JuryboxWarning,
            stacklevel=3,
        )
