"""Findings counted in a background process, which is niced.

A thread of the server that counts for seconds would delay every page: only one thread of a Python
process runs at a time. The other process gets the database and the project, and returns what
`findings.find` gives, both as pickles over its pipes, so that no password is in the list of
processes.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import BinaryIO

from jurybox.serve.dashboard.findings import Findings, find
from jurybox.serve.model import Project
from jurybox.serve.store import Store, open_store

#: its niceness; 19 would be for idle times only
NICE = 10


def find_in_background(store: Store, project: Project, now: float) -> Findings:
    """`findings.find`, by another process; what went wrong there is an error here."""
    url = store.database.engine.url.render_as_string(hide_password=False)
    done = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import main; main()"],
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
    url, project, now = pickle.load(asked)
    with open_store(url) as store:
        found = find(store, store.project_by_id(project), now)
    pickle.dump(found, out)


def main() -> None:
    """The other process, out of the way of those that people wait for."""
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICE)
    answer(sys.stdin.buffer, sys.stdout.buffer)
