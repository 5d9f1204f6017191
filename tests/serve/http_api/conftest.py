"""A server with an admin (ada), an adjudicator (bert) and a rater with a password (cleo)."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from jurybox.serve.store import Store
from serve.http_api.api_clients import OFTEN, Caller, World
from serve.running_site import hash_quickly, running


@pytest.fixture
def world(lite: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    hash_quickly(monkeypatch)
    # there is no TLS here, and reading certificates takes long
    with (
        running(lite, OFTEN) as site,
        httpx.Client(base_url=site.base, timeout=60, verify=False) as client,
    ):
        yield World(site, client)


@pytest.fixture
def admin(world: World) -> Caller:
    return world.admin
