"""A PostgreSQL server of our own on loopback, in a temporary folder; it can be stopped and started.

It is Debian's. Where it is not installed its tests are skipped; where `CI` is set its absence is a
failure.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
#: nothing here must survive a power cut
QUICK = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=150")


class LocalPostgres:
    """One server with its data, on the same port however often it is stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = str(folder / "data")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = str(free.getsockname()[1])
        self.url = f"postgresql://jurybox@127.0.0.1:{self._port}"
        # PostgreSQL refuses to run as root
        user = {"user": "postgres"} if os.getuid() == 0 else {}
        self._quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder, **user}
        make = ["-D", self._data, "-A", "trust", "-U", "jurybox", "-N", "-E", "UTF8"]
        subprocess.run([_binary("initdb"), *make, "--locale=C"], check=True, **self._quiet)
        self.start()

    def start(self) -> None:
        """Returns when it takes connections."""
        place = ["-h", "127.0.0.1", "-p", self._port, "-k", str(self._folder)]
        self._process = subprocess.Popen(
            [_binary("postgres"), "-D", self._data, *place, *QUICK],
            stderr=subprocess.DEVNULL,
            **self._quiet,
        )
        wait = [_binary("pg_isready"), "-h", "127.0.0.1", "-p", self._port, "-t", "1"]
        for _ in range(60):
            if subprocess.run(wait, check=False, **self._quiet).returncode == 0:
                return
        pytest.fail("the PostgreSQL server did not start")

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """SIGQUIT: at once, as in a crash. SIGINT: all connections are cut, then it ends."""
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(60)


def _binary(name: str) -> str:
    return str(POSTGRES[-1].with_name(name))


@contextmanager
def local_postgres() -> Iterator[LocalPostgres]:
    """A running server, gone at the end."""
    if not POSTGRES:
        advice = "no PostgreSQL: install Debian's package postgresql"
        if os.environ.get("CI"):
            pytest.fail(advice)
        pytest.skip(advice)
    folder = Path(tempfile.mkdtemp(prefix="jurybox-postgres-"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    server = None
    try:
        server = LocalPostgres(folder)
        yield server
    finally:
        if server is not None:
            server.stop()  # nothing in it is needed any more
        shutil.rmtree(folder)
