"""The annotation server as an application, and running it: a port, and a clean end.

    app = make_app(open_store("study.db"))         any ASGI server runs it; `run_app` does

The pages are in `routes/`, their looks in `templates/` and `static/`, what goes wrong in
`error_pages.py`.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from ipaddress import ip_network

from jurybox.errors import InputError, MissingExtraError, UnknownNameError, UsageError

try:
    import uvicorn
    from fastapi import FastAPI
except ImportError:
    raise MissingExtraError(
        "the annotation server needs further packages: pip install 'jurybox[serve]'"
    ) from None

from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from jurybox.serve import downloads
from jurybox.serve.error_pages import explain, explain_db_error, explain_refusal, explain_unknown
from jurybox.serve.guard import UPLOADS, Guard, Limits
from jurybox.serve.http_api import add_api
from jurybox.serve.pages import assets, media_type
from jurybox.serve.requests import RefusalError, Site, only_admins
from jurybox.serve.routes import adjudicating, auth, projects, rating
from jurybox.serve.store import Store
from jurybox.serve.store.db_errors import DRIVER_ERRORS

HOST, PORT = "127.0.0.1", 8000
#: seconds in which requests are finished when the server is stopped
PATIENCE = 5
BACKLOG = 2048
#: assets have another address when they change
KEPT = "public, max-age=31536000, immutable"


def make_app(store: Store, limits: Limits | None = None, *, base: str = "") -> FastAPI:
    """The application on an open store; the caller closes the store.

    `base` is the public URL behind a reverse proxy, if there is one: links begin with it.
    """
    app = FastAPI(title="jurybox", docs_url=None, redoc_url=None, openapi_url=None)
    site = app.state.site = Site(store, limits or Limits(), base)
    for part in (rating, auth, projects, adjudicating):
        app.include_router(part.router)
    app.include_router(downloads.router, prefix="/admin", dependencies=[only_admins])
    takes_upload = add_api(app)
    app.add_api_route("/static/{name}", _asset, include_in_schema=False)
    app.add_api_route("/", _door, include_in_schema=False)
    app.add_exception_handler(RefusalError, explain_refusal)
    app.add_exception_handler(UnknownNameError, explain_unknown)
    for kind in (HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, explain)
    for kind in DRIVER_ERRORS:
        app.add_exception_handler(kind, explain_db_error)
    app.add_middleware(Guard, uploads={UPLOADS: site.is_session, **takes_upload})
    return app


async def _asset(name: str) -> Response:
    if name not in assets():
        raise HTTPException(404)
    return Response(assets()[name], media_type=media_type(name), headers={"Cache-Control": KEPT})


async def _door() -> Response:
    return RedirectResponse("/admin", 303)


# --- running ---


def listen(host: str = HOST, port: int = PORT) -> socket.socket:
    """A socket that takes connections; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small pieces at once (TCP_NODELAY) only where the protocol is named: without it
    # a page waits some 40 ms for the browser to acknowledge the headers
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        found.close()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise InputError(
                f"port {port} is in use, perhaps by another jurybox; choose another one with "
                "--port, or --port 0 for any that is free"
            ) from None
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot listen at {host}, port {port} ({reason}); choose others with --host, --port"
        ) from None
    return found


def port_of(found: socket.socket) -> int:
    return int(found.getsockname()[1])


def address_of(found: socket.socket, host: str = HOST) -> str:
    """Where browsers find the server."""
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port_of(found)}"


def check_proxies(given: Sequence[str]) -> list[str]:
    """Addresses of web servers that stand before this one."""
    for one in given:
        try:
            ip_network(one)
        except ValueError:
            raise UsageError(
                f"--proxy {one}: give the address of a machine, as 10.0.0.2, or of a network, as "
                "10.0.0.0/24"
            ) from None
    return list(given)


def config_of(app: FastAPI, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """How the application is served.

    What `X-Forwarded-For` and `X-Forwarded-Proto` say is believed when one of `proxies` says it.
    Of the addresses that stand there the last counts that is not one of `proxies` itself: whatever
    a browser wrote stands before it.
    """
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
        lifespan="off",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )


def run_app(app: FastAPI, found: socket.socket, proxies: Sequence[str] = ()) -> None:
    """Answer requests until Ctrl-C or SIGTERM; requests under way are finished first."""
    try:
        uvicorn.Server(config_of(app, proxies)).run(sockets=[found])
    except KeyboardInterrupt:  # how uvicorn passes on what ended it
        pass
    finally:
        found.close()
