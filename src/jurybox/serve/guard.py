"""Before every page: headers, a limit for bodies, limits for how often somebody tries.

No page needs a script or a style but ours, so the policy forbids all others, inline ones too.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, NamedTuple

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
#: the same as they are sent, for every answer needs them
_RAW = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}
#: bytes of a form, and of a file of cases
LARGEST_FORM, LARGEST_UPLOAD = 64 * 1024, 64 * 1024 * 1024
#: below this there are uploads, for those who are logged in
UPLOADS = "/admin/projects"

#: whether somebody is logged in, as their request says
Check = Callable[[Request], bool]


class Limits(NamedTuple):
    """How many tries one address has within `seconds`; a class joins from one address."""

    joins: int = 300
    logins: int = 10
    seconds: float = 300.0


class RateLimit:
    """Counts tries within a sliding window."""

    #: addresses that are remembered; the oldest are forgotten
    MOST = 10_000

    def __init__(
        self, tries: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tries = tries
        self._seconds = seconds
        self._clock = clock
        self._seen: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    @property
    def seconds(self) -> int:
        """How long it may last until somebody can try again."""
        return int(self._seconds)

    def allows(self, who: str) -> bool:
        """Count a try; whether it is one of those that are allowed."""
        with self._lock:
            now = self._clock()
            tries = self._seen.pop(who, None) or deque()
            while tries and tries[0] <= now - self._seconds:
                tries.popleft()
            allowed = len(tries) < self._tries
            if allowed:
                tries.append(now)
            self._seen[who] = tries
            if len(self._seen) > self.MOST:
                del self._seen[next(iter(self._seen))]
            return allowed


class Guard:
    """Adds the headers to every answer, and refuses bodies that are too large.

    `uploads` says below which addresses large bodies are taken, and from whom.
    """

    def __init__(self, app: ASGIApp, uploads: Mapping[str, Check]) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        takes_upload = any(
            str(scope["path"]).startswith(prefix) and is_logged_in(Request(scope))
            for prefix, is_logged_in in self._uploads.items()
        )
        limit = LARGEST_UPLOAD if takes_upload else LARGEST_FORM
        announced = Headers(scope=scope).get("content-length", "")
        is_announced_too_large = announced.isdecimal() and int(announced) > limit
        read = 0

        async def receive_up_to_limit() -> Message:
            nonlocal read
            if is_announced_too_large:
                raise HTTPException(413)
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                raise HTTPException(413)
            return message

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(message)
            await send(message)

        await self._app(scope, receive_up_to_limit, send_with_headers)


def add_headers(message: MutableMapping[str, Any]) -> None:
    """The headers of every answer; pages are not kept unless they say so themselves."""
    own = [header for header in message["headers"] if header[0] not in _RAW]
    if not any(name == b"cache-control" for name, _ in own):
        own.append((b"cache-control", b"no-store"))
    message["headers"][:] = [*own, *_RAW.items()]
