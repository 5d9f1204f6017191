"""Running the server: a port, a few lines that say where it is, a clean end."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from ipaddress import ip_network

from jurybox.errors import InputError, MissingExtraError, UsageError

try:
    import uvicorn
    from fastapi import FastAPI
except ImportError:
    raise MissingExtraError(
        "the annotation server needs further packages: pip install 'jurybox[serve]'"
    ) from None

HOST, PORT = "127.0.0.1", 8000
#: seconds in which requests are finished when the server is stopped
PATIENCE = 5
BACKLOG = 2048


def listen(host: str = HOST, port: int = PORT) -> socket.socket:
    """A socket that takes connections; port 0 is any that is free.

    >>> with listen(port=0) as found:
    ...     port_of(found) > 0
    True
    """
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
    """Where browsers find the server.

    >>> with listen(port=0) as found:
    ...     address_of(found) == f"http://127.0.0.1:{port_of(found)}"
    True
    """
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port_of(found)}"


def check_proxies(given: Sequence[str]) -> list[str]:
    """Addresses of web servers that stand before this one.

    >>> check_proxies(["127.0.0.1", "10.0.0.0/8"])
    ['127.0.0.1', '10.0.0.0/8']
    """
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
