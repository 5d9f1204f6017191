"""Batches of work on the cores of this machine, in order, memory bounded."""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from jurybox.engine.reporting import reporting, take_report
from jurybox.errors import EngineError, InputError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Work = TypeVar("Work")
Note = TypeVar("Note")
Part = TypeVar("Part")
Shared = TypeVar("Shared")
Result = TypeVar("Result")


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


def map_on_processes(
    function: Callable[[Work], Result], batches: Iterable[Work], jobs: int
) -> Iterator[Result]:
    """Apply a function to every batch in other processes."""
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = ProcessPoolExecutor(jobs, initializer=_live_and_die_with_the_parent)
    under_way: deque[Future[Any]] = deque()
    work = reporting(function)
    finished = False
    try:
        for batch in batches:
            under_way.append(pool.submit(work, batch))
            if len(under_way) >= 3 * jobs:
                yield take_report(under_way.popleft().result())
        while under_way:
            yield take_report(under_way.popleft().result())
        finished = True
    except BrokenProcessPool:
        raise EngineError(
            "a worker process ended in the middle of its work: it was killed, perhaps for want of "
            "memory; nothing was written; try again with fewer processes (--jobs N)"
        ) from None
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


# --- parts that wait on the disk ---


class Spilled(NamedTuple):
    """A part of a shard that waits in a file."""

    path: str
    start: int
    size: int

    def load(self) -> Any:
        with open(self.path, "rb") as file:  # noqa: PTH123  thousands of times
            file.seek(self.start)
            return pickle.loads(file.read(self.size))


def shuffle_on_disk(
    deal: Callable[[Work], tuple[Note, Sequence[Part | None]]],
    shards: Iterable[Work],
    share: Callable[[list[Note]], Shared],
    gather: Callable[[Shared, int, Iterable[Part]], Result],
    groups: int,
    *,
    jobs: int,
    dealt: Callable[[Note], None],
) -> Iterator[Result]:
    """Deal and gather in processes of this machine; parts wait in a temporary folder."""
    from jurybox.engine import map_batches

    with TemporaryDirectory(prefix="jurybox-") as folder:
        parts: list[list[Spilled]] = [[] for _ in range(groups)]
        notes: list[Note] = []
        work = partial(_deal_to_disk, deal, folder)
        for note, of_shard in map_batches(work, enumerate(shards), jobs=jobs):
            for group, part in zip(parts, of_shard, strict=True):
                if part.size:
                    group.append(part)
            notes.append(note)
            dealt(note)
        put_together = partial(_gather_spilled, gather, share(notes))
        yield from map_batches(put_together, enumerate(parts), jobs=jobs)


def _deal_to_disk(
    deal: Callable[[Work], tuple[Note, Sequence[Any]]], folder: str, numbered: tuple[int, Work]
) -> tuple[Note, list[Spilled]]:
    number, shard = numbered
    path = os.path.join(folder, str(number))  # noqa: PTH118  as quick as can be
    found = []
    note, parts = deal(shard)
    try:
        with open(path, "wb") as file:  # noqa: PTH123  see above
            for part in parts:
                start = file.tell()
                if part is not None:
                    pickle.dump(part, file, protocol=pickle.HIGHEST_PROTOCOL)
                found.append(Spilled(path, start, file.tell() - start))
    except OSError as error:
        raise InputError(
            f"{folder}: what waits for its turn cannot be written ({error.strerror}); free some "
            "disk space, or name another folder in the environment variable TMPDIR"
        ) from None
    return note, found


def _gather_spilled(
    gather: Callable[[Shared, int, Iterable[Any]], Result],
    shared: Shared,
    numbered: tuple[int, Sequence[Spilled]],
) -> Result:
    number, parts = numbered
    return gather(shared, number, (part.load() for part in parts))
