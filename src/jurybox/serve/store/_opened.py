"""An open database, which all calls of a `Store` share."""

from __future__ import annotations

import time

from jurybox.serve.store.database import Database


class Opened:
    """What all parts of a `Store` have."""

    def __init__(self, database: Database) -> None:
        self.database = database


def time_of(now: float | None) -> float:
    """The time that was given, else the clock's; seconds since 1970."""
    return time.time() if now is None else now
