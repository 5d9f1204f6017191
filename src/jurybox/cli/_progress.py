"""How far the work is: one line on standard error, in a terminal only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

#: seconds before anything is shown, and between two looks
PATIENCE, INTERVAL = 1.0, 0.1
CELLS = 20
WIPE = "\r\033[K"
RESAMPLING = "resampling"
#: what is done, where it is not what the command is about
TITLES = {"resamples": RESAMPLING, "texts": "sets of annotators", "rows checked": "checking"}


class ProgressLine:
    """Told how many more of what are done, and shows it: a bar where the total is known.

    The library calls it with a number (of sentences, or of what the second argument says), and
    `expect` beforehand where it knows how many there will be. 0 says that resampling begins.

    >>> from io import StringIO
    >>> line = ProgressLine("matching", StringIO())
    >>> line.expect(40)
    >>> line(10)
    >>> line.text(seconds=2.0, width=79)
    'matching [#####...............] 25 %, 6 s left: 10 of 40 sentences, 5/s'
    """

    def __init__(self, title: str, stream: TextIO) -> None:
        self._title = title
        self._stream = stream
        self._begun = self._stage_begun = monotonic()
        self._shown = 0.0  # when; 0 is never
        self._done, self._total, self._what = 0.0, 0.0, "sentences"

    def expect(self, total: float, what: str = "sentences") -> None:
        """So many are to come, from now on."""
        self._stage_begun = monotonic()
        self._done, self._total, self._what = 0.0, total, what

    def __call__(self, more: float, what: str = "sentences") -> None:
        """So many more are done."""
        if not more and what == "sentences":
            what = RESAMPLING
        new_stage = what != self._what
        if new_stage:
            self.expect(0.0, what)
        self._done += more
        now = monotonic()
        if now - self._begun > PATIENCE and (new_stage or now - self._shown > INTERVAL):
            self._shown = now
            self._write(self.text(now - self._stage_begun, _columns(self._stream)))

    def text(self, seconds: float, width: int) -> str:
        """What the line says after so many seconds of this stage, cut to a width."""
        if self._what == RESAMPLING:
            return f"{RESAMPLING} …"
        done = f"{self._done:,.0f}"
        title = TITLES.get(self._what, self._title)
        rate = f", {_rate(self._done / seconds)}" if seconds > 0 and self._done > 0 else ""
        if not self._total:
            return f"{title}: {done} {self._what}, {seconds:.0f} s{rate}"[:width]
        share = min(1.0, self._done / self._total)
        filled = int(CELLS * share)
        told = f"{100 * share:.0f} %"
        if share:
            told += f", {_duration(seconds * (1 - share) / share)} left"
        bar = f"[{'#' * filled}{'.' * (CELLS - filled)}]"
        return f"{title} {bar} {told}: {done} of {self._total:,.0f} {self._what}{rate}"[:width]

    def wipe(self) -> None:
        """Leave nothing behind."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        print(f"{WIPE}{text}", end="", file=self._stream, flush=True)


def _rate(a_second: float) -> str:
    """How many a second, or a minute where that is a number one can see.

    >>> _rate(1234.5), _rate(5), _rate(0.2)
    ('1,234/s', '5/s', '12/min')
    """
    return f"{a_second:,.0f}/s" if a_second >= 1 else f"{60 * a_second:,.0f}/min"


def _duration(seconds: float) -> str:
    """Seconds as a person says them.

    >>> _duration(5.2), _duration(200), _duration(9000)
    ('5 s', '3 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _columns(stream: TextIO) -> int:
    """One less than the terminal has, so that the cursor never goes to the next line."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return (columns or 80) - 1


def is_watched() -> bool:
    """Whether somebody looks at standard error: it is no pipe and no file."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress_line(title: str) -> Iterator[ProgressLine | None]:
    """A line that tells how far the work is; None where nobody looks."""
    if not is_watched():
        yield None
        return
    line = ProgressLine(title, sys.stderr)
    try:
        yield line
    finally:
        line.wipe()
