"""Where work runs: a map over shards, results in order, on this machine or on a Dask cluster.

`map_batches` is all that most work needs. `shuffle` is for work in which what belongs together lies
in many shards: every shard is dealt into groups, then every group is gathered. Both do the same
wherever they run, so that the digits do not depend on it; both bring back the warnings and errors
of whoever does the work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from jurybox.errors import UsageError

Item = TypeVar("Item")
Work = TypeVar("Work")
Note = TypeVar("Note")
Part = TypeVar("Part")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

BATCH = 1000  # sentences: large enough that passing them on costs little

#: so many processes of this machine, or a Dask scheduler as `dask://HOST:PORT`
Jobs: TypeAlias = int | str
LOCAL, DASK = "local", "dask://"


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


def read_engine(given: Any, flag: str = "--engine") -> Jobs | None:
    """What an engine's name stands for.

    >>> read_engine("local:4"), read_engine("dask://10.0.0.5:8786"), read_engine(None)
    (4, 'dask://10.0.0.5:8786', None)
    """
    if given is None:
        return None
    text = str(given)
    kind, colon, number = text.partition(":")
    if text == LOCAL:
        return cores()
    if kind == LOCAL and colon and number.isdecimal() and number.isascii() and int(number) > 0:
        return int(number)
    host, colon, port = text.removeprefix(DASK).rpartition(":")
    if text.startswith(DASK) and host and port.isdecimal() and "/" not in host:
        return text
    raise UsageError(
        f"{flag} {text}: write local (all cores), local:N (N processes) or dask://HOST:PORT"
    )


def check_engine(given: Any, flag: str) -> Any:
    """An engine's name as it was given, if it is one."""
    read_engine(given, flag)
    return given


def jobs_of(call: Any, otherwise: int = 1) -> Jobs:
    """Where the work of a call runs, by its options `engine` and `jobs`; neither: `otherwise`."""
    named, jobs = read_engine(call.engine), getattr(call, "jobs", None)
    if named is not None and jobs not in (None, 1, named):
        raise UsageError(f"--engine {call.engine} and --jobs {jobs}: leave out one of them")
    if named is not None:
        return named
    return otherwise if jobs is None else int(jobs)


def map_batches(
    function: Callable[[Work], Result], batches: Iterable[Work], *, jobs: Jobs = 1
) -> Iterator[Result]:
    """Apply a function to every batch, in order; with several jobs, in as many processes.

    At most three batches per process are under way, so that a long stream is never read ahead.
    Whoever stops before the end, by an error or by Ctrl-C, leaves no process behind.

    >>> list(map_batches(sum, [[1, 2], [3]]))
    [3, 3]
    """
    if jobs == 1:
        yield from map(function, batches)
    elif isinstance(jobs, str):
        from jurybox.engine.cluster import map_on_cluster

        yield from map_on_cluster(function, batches, jobs)
    else:
        from jurybox.engine.processes import map_on_processes

        yield from map_on_processes(function, batches, jobs)


def shuffle(
    deal: Callable[[Work], tuple[Note, Sequence[Part | None]]],
    shards: Iterable[Work],
    share: Callable[[list[Note]], Shared],
    gather: Callable[[Shared, int, Iterable[Part]], Result],
    groups: int,
    *,
    jobs: Jobs = 1,
    dealt: Callable[[Note], None] = lambda _: None,
) -> Iterator[Result]:
    """Deal every shard into groups, then gather every group: its number and parts, in order.

    Parts that are None are left out. On this machine parts wait in a temporary folder, on a cluster
    with whoever dealt them: what is in memory is a few shards, then a few groups. `dealt` is called
    with what was noted of every shard; what all notes come to is shared by those who gather.
    """
    if isinstance(jobs, str):
        from jurybox.engine.cluster import shuffle_on_cluster

        yield from shuffle_on_cluster(
            deal, shards, share, gather, groups, address=jobs, dealt=dealt
        )
    else:
        from jurybox.engine.processes import shuffle_on_disk

        yield from shuffle_on_disk(deal, shards, share, gather, groups, jobs=jobs, dealt=dealt)


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
