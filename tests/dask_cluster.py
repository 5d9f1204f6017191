"""A Dask cluster on this machine, in processes of its own that a test may kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from needs import need_module


class DaskCluster:
    """A scheduler and its workers; `address` is what `--engine` is given."""

    def __init__(self, folder: Path, workers: int) -> None:
        need_module("distributed", "dask")
        self._folder = folder
        self._note = folder / "scheduler.json"
        quiet = ("--no-dashboard",)
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", *quiet)
        deadline = time.monotonic() + 60
        while not self._note.exists() or not self._note.read_text("utf-8").endswith("}"):
            assert self.scheduler.poll() is None, "the scheduler did not start"
            assert time.monotonic() < deadline, "the scheduler did not start in time"
            time.sleep(0.05)
        self.address = json.loads(self._note.read_text("utf-8"))["address"].replace("tcp", "dask")
        self.workers = [self.start_worker() for _ in range(workers)]

    def start_worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        # tests send functions of their own: workers must find their files
        path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *command, "--scheduler-file", str(self._note)],
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def dask_cluster(workers: int = 2) -> Iterator[DaskCluster]:
    with TemporaryDirectory() as folder:
        cluster = DaskCluster(Path(folder), workers)
        try:
            yield cluster
        finally:
            cluster.end()
