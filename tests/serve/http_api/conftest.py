"""A server with an admin (ada), an adjudicator (bert) and a rater with a password (cleo)."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from jurybox.serve import http_api
from jurybox.serve.store import Store
from serve.http_api.api_clients import OFTEN, Caller, World
from serve.running_site import hash_quickly, running


@pytest.fixture(scope="session")
def shared_api() -> FastAPI:
    """Its addresses are made ready with the first request, which takes long: once for all tests."""
    return http_api.make_api()


@pytest.fixture
def world(lite: Store, monkeypatch: pytest.MonkeyPatch, shared_api: FastAPI) -> Iterator[World]:
    hash_quickly(monkeypatch)
    monkeypatch.setattr(http_api, "make_api", lambda: shared_api)
    # there is no TLS here, and reading certificates takes long
    with (
        running(lite, OFTEN) as site,
        httpx.Client(base_url=site.base, timeout=60, verify=False) as client,
    ):
        yield World(site, client)


@pytest.fixture
def admin(world: World) -> Caller:
    return world.admin
