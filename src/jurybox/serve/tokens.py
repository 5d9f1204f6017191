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
    """Makes and reads signed values.

    >>> from jurybox.serve.model import Project
    >>> from jurybox.serve.settings import Settings
    >>> tokens = Tokens("secret")
    >>> link = tokens.link(Project(7, Settings("prepositions"), 0, 0, 0, 0))
    >>> tokens.read_link(link), Tokens("other").read_rater(link)
    (7, None)
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def link(self, project: Project) -> str:
        """What stands in the address that raters are sent."""
        return self._sign("link", project.id)

    def read_link(self, token: str, *, max_age: float | None = None) -> int:
        """The project of a link; InputError if it is forged, cut off, or older than `max_age`."""
        found = self._read("link", token, max_age)
        if not isinstance(found, int):
            raise InputError(
                "This link is not valid: it was cut off, changed or is too old. "
                "Please ask for a new one."
            )
        return found

    def rater(self, rater: Rater) -> str:
        """The cookie by which a browser comes back as the same rater."""
        return self._sign("rater", [rater.project, rater.id])

    def read_rater(self, token: str, *, project: int | None = None) -> int | None:
        """The rater of a cookie; None if it is none, or that of another project."""
        match self._read("rater", token, None):
            case [int(found), int(rater)] if project in (None, found):
                return rater
        return None

    def session(self, user: User) -> str:
        return self._sign("session", [user.id, user.session])

    def read_session(self, token: str, *, max_age: float = SESSION_SECONDS) -> Session | None:
        """Who it is; None if it is forged or too old. Compare `session` with the user's."""
        match self._read("session", token, max_age):
            case [int(user), int(session)]:
                return Session(user, session)
        return None

    def _sign(self, kind: str, value: Any) -> str:
        return str(_serializer(self._secret, kind).dumps(value))

    def _read(self, kind: str, token: str, max_age: float | None) -> Any:
        try:
            return _serializer(self._secret, kind).loads(
                token, max_age=None if max_age is None else int(max_age)
            )
        except BadData:
            return None


@cache
def _serializer(secret: str, kind: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret, salt=f"jurybox.{kind}")
