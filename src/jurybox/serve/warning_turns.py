"""Warnings of the library in a server of many threads.

`warnings.catch_warnings` changes what holds for the whole process, so only one thread at a time may
collect warnings: another one would take them for its own.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from jurybox.errors import JuryboxWarning

_turn = threading.Lock()


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Our own warnings as text, complete when the block is left; they go no further."""
    notes: list[str] = []
    with _turn:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", JuryboxWarning)
            yield notes
            own = [one for one in caught if issubclass(one.category, JuryboxWarning)]
            notes += dict.fromkeys(str(one.message) for one in own)
        for one in caught:
            if one not in own:  # nobody here knows what to do with it
                warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
