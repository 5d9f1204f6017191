"""Signed values: the link of a project, the cookie of a rater, the session of a user.

Signed by the database's own secret (`Store.secret`), so that links and cookies outlive a restart.
Each kind has a salt of its own: a link is no cookie.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from itsdangerous import BadData, URLSafeTimedSerializer

from jurybox.errors import InputError
from jurybox.serve.model import Project, Rater, User

DAY = 24 * 60 * 60
#: how long somebody stays logged in
SESSION_SECONDS = DAY


class Session(NamedTuple):
    """Who logged in; over as soon as the user's `session` is another number."""

    user: int
    session: int


class Tokens:
    def __init__(self, secret: str) -> None:
        self._secret = secret

    def link(self, project: Project) -> str:
        """What stands in the address that raters are sent."""
        return self.sign("link", project.id)

    def read_link(self, token: str, *, max_age: int | None = None) -> int:
        """The project of a link; InputError if it is forged, cut off, or older than `max_age`."""
        found = self.read("link", token, max_age)
        if not isinstance(found, int):
            raise InputError(
                "This link is not valid: it was cut off, changed or is too old. "
                "Please ask for a new one."
            )
        return found

    def rater(self, rater: Rater) -> str:
        """The cookie by which a browser comes back as the same rater."""
        return self.sign("rater", [rater.project, rater.id])

    def read_rater(self, token: str, *, project: int | None = None) -> int | None:
        """The rater of a cookie; None if it is none, or that of another project."""
        match self.read("rater", token):
            case [int(found), int(rater)] if project in (None, found):
                return rater
        return None

    def session(self, user: User, kind: str = "session") -> str:
        return self.sign(kind, [user.id, user.session])

    def read_session(
        self, token: str, *, kind: str = "session", max_age: int = SESSION_SECONDS
    ) -> Session | None:
        """Who it is; None if it is forged or too old. Compare `session` with the user's."""
        match self.read(kind, token, max_age):
            case [int(user), int(session)]:
                return Session(user, session)
        return None

    def sign(self, kind: str, value: Any) -> str:
        return str(_serializer(self._secret, kind).dumps(value))

    def read(self, kind: str, token: str, max_age: int | None = None) -> Any:
        """What was signed; None if it was not, or too long ago."""
        try:
            return _serializer(self._secret, kind).loads(token, max_age=max_age)
        except BadData:
            return None


@cache
def _serializer(secret: str, kind: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret, salt=f"jurybox.{kind}")
