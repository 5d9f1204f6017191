"""Findings counted in a process of its own, which steps back before all others.

A thread of the server that counts for seconds would hold up every page: only one thread of a Python
process runs at a time. The other process is told the database and the project, and answers what
`findings.find` gives, both as pickles over its pipes; so no password stands in a list of processes.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from jurybox.serve.findings import Findings
    from jurybox.serve.model import Project
    from jurybox.serve.store import Store

#: how far it steps back; 19 would be for idle times only
NICE = 10


def find_apart(store: Store, project: Project, now: float) -> Findings:
    """`findings.find`, by another process; what went wrong there is an error here."""
    url = store.database.engine.url.render_as_string(hide_password=False)
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=pickle.dumps((url, project.id, now)),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise RuntimeError(f"counting ended with {done.returncode}: {said}")
    found: Findings = pickle.loads(done.stdout)
    return found


def answer(asked: BinaryIO, out: BinaryIO) -> None:
    """What the other process does."""
    from jurybox.serve.findings import find
    from jurybox.serve.store import open_store

    url, project, now = pickle.load(asked)
    with open_store(url) as store:
        found = find(store, store.project_by_id(project), now)
    pickle.dump(found, out)


if __name__ == "__main__":
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICE)
    answer(sys.stdin.buffer, sys.stdout.buffer)
