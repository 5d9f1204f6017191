"""Batches of work on the cores of this machine, results in order, memory bounded."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Work = TypeVar("Work")
Result = TypeVar("Result")

BATCH = 1000  # sentences: large enough that passing them on costs little


def in_batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """Cut a stream into lists.

    >>> list(in_batches(range(5), 2))
    [[0, 1], [2, 3], [4]]
    """
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def cores() -> int:
    """How many processors this process may use."""
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def map_batches(
    function: Callable[[Work], Result], batches: Iterable[Work], *, jobs: int = 1
) -> Iterator[Result]:
    """Apply a function to every batch, in order; with several jobs, in as many processes.

    At most three batches per process are under way, so that a long stream is never read ahead.

    >>> list(map_batches(sum, [[1, 2], [3]]))
    [3, 3]
    """
    if jobs == 1:
        yield from map(function, batches)
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        under_way: deque[Future[Result]] = deque()
        try:
            for batch in batches:
                under_way.append(pool.submit(function, batch))
                if len(under_way) >= 3 * jobs:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for future in under_way:
                future.cancel()
