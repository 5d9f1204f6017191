"""When a project is counted again: without delaying pages, and not too often.

Few judgments are counted at once, for the page that asks. Many are counted in a background process,
which is niced, while pages show the earlier findings; then it rests, so that raters have the
server. Nothing is counted twice, and nothing unless somebody looks.

A thread of the server that counts for seconds would delay every page: only one thread of a Python
process runs at a time. The other process gets the database and the project, and returns what
`findings.find` gives, both as pickles over its pipes, so that no password is in the list of
processes.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from typing import BinaryIO, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from jurybox.serve.dashboard.findings import Findings, failed, find
from jurybox.serve.model import Progress, Project
from jurybox.serve.store import Store, open_store

#: up to so many judgments are counted while the page waits: it takes about a third of a second
FEW = 2000
#: seconds for which few judgments are not counted again, however many pages ask
SHORT_REST = 2.0
#: seconds for which many judgments are not counted again, and how many times as long as it took
REST, REST_TIMES = 30.0, 10
#: seconds that a page waits for its turn
PATIENCE = 1.0
#: after so many seconds the charts have moved on, even if nobody judged
OLD = 600.0
#: up to so many cases are gone through for every page; more only once in so many seconds
FEW_CASES, CASES_REST = 5000, 10.0
#: projects that are remembered
MOST = 32
#: niceness of the background process; 19 would be for idle times only
NICE = 10
PROGRAM = f"import sys; from {__name__} import main; main(sys.stdin.buffer, sys.stdout.buffer)"

Find = Callable[[Store, Project, float], Findings]
K = TypeVar("K")


def find_in_background(store: Store, project: Project, now: float) -> Findings:
    """`findings.find`, by another process; what went wrong there is an error here."""
    url = store.database.engine.url.render_as_string(hide_password=False)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=pickle.dumps((url, project.id, now)),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise RuntimeError(f"counting ended with {done.returncode}: {said}")
    found: Findings = pickle.loads(done.stdout)
    return found


def main(asked: BinaryIO, out: BinaryIO) -> None:
    """The other process, out of the way of those that people wait for."""
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICE)
    url, project, now = pickle.load(asked)
    with open_store(url) as store:
        pickle.dump(find(store, store.project_by_id(project), now), out)


class ProgressCounts(NamedTuple):
    """How far a project and its strata have come, as of a moment."""

    at: float
    progress: Progress
    strata: Mapping[str, Progress]


class Watch:
    """What is known of the projects of a store; `find_many` is for many judgments."""

    def __init__(self, find: Find = find, find_many: Find = find_in_background) -> None:
        self._find = find
        self._find_many = find_many
        self._kept: dict[int, Findings] = {}
        self._counts: dict[int, ProgressCounts] = {}
        self._busy: dict[int, threading.Thread] = {}
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def latest(self, store: Store, project: Project, judgments: int, now: float) -> Findings | None:
        """What is known by now, `judgments` being those of now.

        None while they are counted for the first time.
        """
        kept = self._kept.get(project.id)
        is_small = judgments <= FEW
        if kept is not None:
            # counting many takes a tenth of the time at most
            rest = SHORT_REST if is_small else max(REST, REST_TIMES * kept.took)
            if now - kept.at < rest:
                return kept
        if not _is_due(kept, store, project.id, now):
            return kept
        if not is_small:
            with self._lock:
                if project.id not in self._busy:
                    # a daemon: the end of the server does not wait for it
                    given = (store, project, now)
                    thread = threading.Thread(
                        target=self._finish, args=given, daemon=True, name="dashboard"
                    )
                    self._busy[project.id] = thread
                    thread.start()
            return kept
        if not self._turn.acquire(timeout=PATIENCE):  # somebody else's many are being counted
            return kept
        try:
            return self._count(self._find, store, project, now)
        finally:
            self._turn.release()

    def counts(self, store: Store, project: Project, now: float) -> ProgressCounts:
        """How far it has come: as it is now, or with many cases as it was seconds ago."""
        kept = self._counts.get(project.id)
        if kept is not None and 0 <= now - kept.at < CASES_REST and project.cases > FEW_CASES:
            return kept
        progress = store.progress(project.id, now=now)
        found = ProgressCounts(now, progress, store.strata_progress(project.id))
        with self._lock:
            _keep(self._counts, project.id, found)
        return found

    def wait(self) -> None:
        """Until everything that was begun is counted."""
        for thread in tuple(self._busy.values()):
            thread.join()

    def _count(self, find: Find, store: Store, project: Project, now: float) -> Findings:
        """Count, unless somebody did so while this one waited for its turn."""
        kept = self._kept.get(project.id)
        try:
            if kept is not None and not _is_due(kept, store, project.id, now):
                return kept
            found = find(store, project, now)
        except Exception:
            logging.getLogger("jurybox.serve").exception("the dashboard of %s", project.name)
            found = failed(now)
        with self._lock:
            _keep(self._kept, project.id, found)
        return found

    def _finish(self, store: Store, project: Project, now: float) -> None:
        try:
            with self._turn:
                self._count(self._find_many, store, project, now)
        finally:
            with self._lock:
                del self._busy[project.id]


def _is_due(kept: Findings | None, store: Store, project: int, now: float) -> bool:
    return kept is None or now - kept.at >= OLD or store.mark(project) != kept.mark


def _keep(known: dict[int, K], project: int, found: K) -> None:
    """What was found last, with the projects that were asked for last behind."""
    known.pop(project, None)
    known[project] = found
    if len(known) > MOST:
        del known[next(iter(known))]


_watches: WeakKeyDictionary[Store, Watch] = WeakKeyDictionary()
_watches_lock = threading.Lock()


def watch(store: Store) -> Watch:
    """The one of a store: pages and the HTTP API share what is known."""
    with _watches_lock:
        return _watches.setdefault(store, Watch())
