"""When the findings of a project are counted anew: never in a page's way, never too often.

Few judgments are counted at once, for the page that asks. Many are counted in a thread of their
own while pages show what was found before; then it rests, so that raters have the server. Nothing
is counted twice, and nothing unless somebody looks.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from weakref import WeakKeyDictionary

from jurybox.serve.findings import Findings, failed, find
from jurybox.serve.model import Project
from jurybox.serve.store import Store

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
#: projects that are remembered
MOST = 32

Find = Callable[[Store, Project, float], Findings]


class Watch:
    """The latest findings of the projects of a store."""

    def __init__(self, find: Find = find) -> None:
        self._find = find
        self._kept: dict[int, Findings] = {}
        self._busy: dict[int, threading.Thread] = {}
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def latest(self, store: Store, project: Project, judgments: int, now: float) -> Findings | None:
        """What is known by now, `judgments` being those of now.

        None while they are counted for the first time.
        """
        kept = self._kept.get(project.id)
        is_small = judgments <= FEW
        if kept is not None and now - kept.at < (SHORT_REST if is_small else _rest(kept)):
            return kept
        if not self._is_due(kept, store, project.id, now):
            return kept
        if not is_small:
            self._begin(store, project, now)
            return kept
        if not self._turn.acquire(timeout=PATIENCE):  # somebody else's many are being counted
            return kept
        try:
            return self._count(store, project, now)
        finally:
            self._turn.release()

    def wait(self) -> None:
        """Until everything that was begun is counted."""
        for thread in tuple(self._busy.values()):
            thread.join()

    def _is_due(self, kept: Findings | None, store: Store, project: int, now: float) -> bool:
        return kept is None or now - kept.at >= OLD or store.mark(project) != kept.mark

    def _begin(self, store: Store, project: Project, now: float) -> None:
        with self._lock:
            if project.id in self._busy:
                return
            # a daemon: whoever ends the server need not wait for it
            thread = threading.Thread(
                target=self._finish, args=(store, project, now), daemon=True, name="dashboard"
            )
            self._busy[project.id] = thread
            thread.start()

    def _count(self, store: Store, project: Project, now: float) -> Findings:
        """Count, unless somebody did so while this one waited for its turn."""
        kept = self._kept.get(project.id)
        try:
            if kept is not None and not self._is_due(kept, store, project.id, now):
                return kept
            found = self._find(store, project, now)
        except Exception:
            logging.getLogger("jurybox.serve").exception("the dashboard of %s", project.name)
            found = failed(now)
        with self._lock:
            self._kept.pop(project.id, None)
            self._kept[project.id] = found
            if len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]
        return found

    def _finish(self, store: Store, project: Project, now: float) -> None:
        try:
            with self._turn:
                self._count(store, project, now)
        finally:
            with self._lock:
                del self._busy[project.id]


def _rest(kept: Findings) -> float:
    """How long many judgments are left alone: counting takes a tenth of the time at most."""
    return max(REST, REST_TIMES * kept.took)


_watches: WeakKeyDictionary[Store, Watch] = WeakKeyDictionary()
_watches_lock = threading.Lock()


def watch(store: Store) -> Watch:
    """The one that belongs to a store, whoever asks: pages and the HTTP API share what is known."""
    with _watches_lock:
        return _watches.setdefault(store, Watch())
