"""Batches of work on the cores of this machine, in order, memory bounded; how far long work is."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

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
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _live_and_die_with_the_parent() -> None:
    """What a worker does first: Ctrl-C is the parent's business, and so is when to end.

    A parent that is killed can tell its workers nothing. So each of them waits for its end, on the
    side, and ends too.
    """
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the command line's own way is not for workers
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def map_batches(
    function: Callable[[Work], Result], batches: Iterable[Work], *, jobs: int = 1
) -> Iterator[Result]:
    """Apply a function to every batch, in order; with several jobs, in as many processes.

    At most three batches per process are under way, so that a long stream is never read ahead.
    Whoever stops before the end, by an error or by Ctrl-C, leaves no process behind.

    >>> list(map_batches(sum, [[1, 2], [3]]))
    [3, 3]
    """
    if jobs == 1:
        yield from map(function, batches)
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs, initializer=_live_and_die_with_the_parent)
    under_way: deque[Future[Result]] = deque()
    finished = False
    try:
        for batch in batches:
            under_way.append(pool.submit(function, batch))
            if len(under_way) >= 3 * jobs:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
        finished = True
    finally:
        if finished:
            pool.shutdown()
        else:
            _abandon(pool)


def _abandon(pool: ProcessPoolExecutor) -> None:
    """End the workers in the midst of their batches: nobody waits for the results any more."""
    workers = list((pool._processes or {}).values())  # Python 3.14 has kill_workers for this
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.join()


# --- how far long work is ---

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
