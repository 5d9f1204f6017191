"""The same map over shards on a Dask cluster, which is named by the address of its scheduler.

Workers need the same version of jurybox, and the same files under the same paths where they read
files themselves. What a worker leaves behind when it dies is done again by another one.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeAlias, TypeVar

from jurybox._version import __version__
from jurybox.engine.reporting import Report, call_and_report, take_report
from jurybox.errors import EngineError, JuryboxError, MissingExtraError

#: those of `distributed`, which has no types to speak of
Client: TypeAlias = Any
Future: TypeAlias = Any
Work = TypeVar("Work")
Note = TypeVar("Note")
Part = TypeVar("Part")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

#: seconds to wait for the scheduler, and for a first worker
PATIENCE = 20
#: tasks under way at least, so that a cluster that grows with its work has a reason to
UNDER_WAY = 32


class Task(NamedTuple):
    """What a worker is asked to do, and the version of jurybox that asks."""

    function: Callable[..., Any]
    version: str = __version__

    def __call__(self, *given: Any) -> Report:
        if self.version != __version__:
            raise EngineError(
                f"a worker has jurybox {__version__}, but {self.version} is asking; install the "
                "same version everywhere"
            )
        return call_and_report(self.function, *given)


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """A client of the cluster; whatever goes wrong with the cluster is an EngineError."""
    try:
        import distributed
        from distributed.client import FutureCancelledError
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise MissingExtraError(
            f"--engine {address} needs Dask; install it with: pip install 'jurybox[dask]'"
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we say it in our own words
    try:
        open_client: Any = distributed.Client
        url = address.replace("dask://", "tcp://", 1)
        client: Client = open_client(url, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise EngineError(
            f"no Dask scheduler answers at {address} ({type(error).__name__}); start one with: "
            "dask scheduler"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise EngineError(
                f"the Dask cluster at {address} has no worker; start one with: "
                f"dask worker {address.removeprefix('dask://')} --nthreads 1"
            ) from None
        yield client
    except JuryboxError:
        raise
    except KilledWorker as error:
        raise EngineError(
            f"the same piece of work ended several workers of {address}, the last one "
            f"{error.last_worker.address}: it was killed, perhaps for want of memory; nothing was "
            "written"
        ) from None
    except ModuleNotFoundError as error:
        raise EngineError(
            f"a worker of {address} has no module {error.name}; install the same jurybox, with its "
            "extras, on all workers"
        ) from None
    except (CommClosedError, FutureCancelledError, TimeoutError) as error:
        raise EngineError(
            f"the Dask scheduler at {address} went away in the middle of the work "
            f"({type(error).__name__}); nothing was written; start it and its workers again"
        ) from None
    finally:
        with suppress(Exception):  # a scheduler that is gone cannot say goodbye
            client.close(timeout=2)


def map_on_cluster(
    function: Callable[[Work], Result], batches: Iterable[Work], address: str
) -> Iterator[Result]:
    """Apply a function to every batch on the workers of a cluster."""
    with connect(address) as client:
        most = max(UNDER_WAY, 3 * sum(client.nthreads().values()))
        under_way: deque[Future] = deque()
        work = Task(function)
        for batch in batches:
            under_way.append(client.submit(work, batch, pure=False))
            if len(under_way) >= most:
                yield take_report(under_way.popleft().result())
        while under_way:
            yield take_report(under_way.popleft().result())


def shuffle_on_cluster(
    deal: Callable[[Work], tuple[Note, Sequence[Part | None]]],
    shards: Iterable[Work],
    share: Callable[[list[Note]], Shared],
    gather: Callable[[Shared, int, Iterable[Part]], Result],
    groups: int,
    *,
    address: str,
    dealt: Callable[[Note], None],
) -> Iterator[Result]:
    """Deal and gather on the workers of a cluster, which keep the parts in between."""
    with connect(address) as client:
        parts: list[list[Future]] = [[] for _ in range(groups)]
        reports = []
        for shard in shards:
            found: Future = client.submit(Task(deal), shard, pure=False)
            reports.append(client.submit(_note, found, pure=False))
            for number, group in enumerate(parts):
                group.append(client.submit(_part, found, number, pure=False))
            del found  # the parts are kept, not the whole
        notes: list[Note] = []
        for report in reports:
            notes.append(take_report(report.result()))
            dealt(notes[-1])
        shared = client.scatter([share(notes)], hash=False)[0]
        gathered: deque[Future] = deque(
            client.submit(Task(_gather_dealt), gather, shared, number, group, pure=False)
            for number, group in enumerate(parts)
        )
        del parts
        while gathered:
            yield take_report(gathered.popleft().result())


def _gather_dealt(
    gather: Callable[[Shared, int, Iterable[Any]], Result],
    shared: Shared,
    number: int,
    parts: Sequence[Any],
) -> Result:
    return gather(shared, number, (part for part in parts if part is not None))


def _part(report: Report, number: int) -> Any:
    return report.result[1][number]


def _note(report: Report) -> Report:
    """What was noted of a shard, without its parts."""
    return report._replace(result=report.result[0])
