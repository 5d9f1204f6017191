"""How far long work is: what a caller may pass as `progress`, and how it is told."""

from __future__ import annotations

from collections.abc import Callable

#: told how many more sentences are done (or, with a second argument, how many more of what), and 0
#: when all are and resampling begins; `cli/_progress.py` has one that draws a line in a terminal
Progress = Callable[..., None]


def expect(progress: Progress | None, total: float, what: str = "sentences") -> bool:
    """Say how many are to come, to a progress that has `expect`; a plain function is not told.

    Gives back whether it was: only such a progress is told of resamples, too.

    >>> expect(print, 100)
    False
    """
    listens = getattr(progress, "expect", None)
    if listens is None:
        return False
    listens(total, what)
    return True
