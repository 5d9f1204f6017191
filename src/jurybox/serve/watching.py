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

#: up to so many judgments are counted while the page waits: it takes about a tenth of a second
FEW = 2000
#: seconds for which many judgments are not counted again, and how many times as long as it took
REST, REST_TIMES = 30.0, 10
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

    def latest(self, store: Store, project: Project, now: float) -> Findings | None:
        """What is known by now; None while many judgments are counted for the first time."""
        kept = self._kept.get(project.id)
        if not self._is_due(kept, store, project.id, now):
            return kept
        if store.progress(project.id, now=now).judgments <= FEW:
            return self._count(store, project, now)
        if kept is None or now - kept.at >= max(REST, REST_TIMES * kept.took):
            self._begin(store, project, now)
        return kept

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
                target=self._count, args=(store, project, now), daemon=True, name="dashboard"
            )
            self._busy[project.id] = thread
            thread.start()

    def _count(self, store: Store, project: Project, now: float) -> Findings:
        try:
            with self._turn:  # one project after the other
                found = self._find(store, project, now)
        except Exception:
            logging.getLogger("jurybox.serve").exception("the dashboard of %s", project.name)
            found = failed(now)
        with self._lock:
            self._kept.pop(project.id, None)
            self._kept[project.id] = found
            self._busy.pop(project.id, None)
            if len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]
        return found


_watches: WeakKeyDictionary[Store, Watch] = WeakKeyDictionary()
_watches_lock = threading.Lock()


def watch(store: Store) -> Watch:
    """The one that belongs to a store, whoever asks: pages and the HTTP API share what is known."""
    with _watches_lock:
        return _watches.setdefault(store, Watch())
