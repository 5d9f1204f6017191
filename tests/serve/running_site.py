"""A server that runs in this process on a port of its own, and people who use it over HTTP."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import unescape
from typing import Any

import httpx
import pytest
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI

from jurybox.serve.app import address_of, listen, make_app
from jurybox.serve.guard import Limits
from jurybox.serve.model import Project
from jurybox.serve.requests import Site
from jurybox.serve.store import Store, people

PASSWORD = "correct horse"


class Running:
    """Where the server is, and what it works on."""

    def __init__(self, store: Store, base: str, site: Site) -> None:
        self.store = store
        self.base = base
        self.site = site

    def link(self, project: Project) -> str:
        return f"{self.base}/j/{self.site.tokens.link(project)}"


def hash_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords of tests need not be safe: hashing takes long on purpose."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(people, "_hasher", lambda: quick)


class PromptServer(uvicorn.Server):
    """Stops at once: uvicorn's own looks ten times a second whether it should, and then waits."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def stop(self) -> None:
        """Ask for the end, from another thread."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def main_loop(self) -> None:
        ticks = 0
        while not await self.on_tick(ticks):
            ticks += 1
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), 0.1)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """What uvicorn does, requests under way finished first, without its tenth of a second."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        while self.server_state.connections or self.server_state.tasks:
            await asyncio.sleep(0.001)
        for server in self.servers:
            await server.wait_closed()
        await self.lifespan.shutdown()


@contextmanager
def served(store: Store, app: FastAPI, config: uvicorn.Config) -> Iterator[Running]:
    """The application on a port of its own, in a thread."""
    server = PromptServer(config)
    with listen(port=0) as found:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [found]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.005)
            yield Running(store, address_of(found), app.state.site)
        finally:
            server.stop()
            thread.join()


@contextmanager
def running(store: Store, limits: Limits | None = None, base: str = "") -> Iterator[Running]:
    app = make_app(store, limits, base=base)
    config = uvicorn.Config(
        app, log_level="critical", access_log=False, server_header=False, lifespan="off"
    )
    with served(store, app, config) as site:
        yield site


class Person:
    """A browser without eyes: keeps cookies, fills in the forms it was shown."""

    def __init__(self, site: Running) -> None:
        self.site = site
        # there is no TLS here, and reading certificates takes long
        self.client = httpx.Client(
            base_url=site.base, follow_redirects=True, timeout=60, verify=False
        )
        self.page: httpx.Response | None = None

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def open(self, path: str) -> httpx.Response:
        self.page = self.client.get(path)
        return self.page

    def fields(self) -> dict[str, str]:
        """The hidden fields of the page that is open."""
        assert self.page is not None
        found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', self.page.text)
        return {name: unescape(value) for name, value in found}

    def send(self, path: str, **values: Any) -> httpx.Response:
        """Fill in the form that is shown, and send it."""
        files = values.pop("files", None)
        self.page = self.client.post(path, data={**self.fields(), **values}, files=files)
        return self.page

    def join(self, project: Project, query: str = "", **values: str) -> httpx.Response:
        link = self.site.link(project)
        self.open(link + query)
        return self.send(link, **values)

    def judge(self, project: Project, label: str = "error", **values: Any) -> httpx.Response:
        """One case, asked for and answered."""
        self.open(f"/r/{project.id}/case")
        return self.send(f"/r/{project.id}/case", label=label, **values)

    def log_in(self, name: str = "ada", password: str = PASSWORD) -> httpx.Response:
        """Log in; where nobody can yet, ada is added, the admin."""
        if not self.site.store.users():
            self.site.store.add_user("ada", PASSWORD)
        self.open("/admin/login")
        return self.send("/admin/login", name=name, password=password)


def heading(page: httpx.Response | None) -> str:
    """What a page is about."""
    assert page is not None
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page.text)
    return unescape(found[1]) if found else ""
