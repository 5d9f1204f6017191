"""The same thing done by many at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Result = TypeVar("Result")


def at_once(work: Callable[[Given], Result], given: Sequence[Given]) -> list[Result]:
    """What each thread found; they all begin together, and an error of one is raised here."""
    start = threading.Barrier(len(given))

    def one(item: Given) -> Result:
        start.wait()
        return work(item)

    with ThreadPoolExecutor(len(given)) as threads:
        return list(threads.map(one, given))
