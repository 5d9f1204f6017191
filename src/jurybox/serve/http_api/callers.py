"""Who sends a request: signed bearer tokens, of people with passwords and of raters.

A token of somebody with a password expires after a day, and with the password. A rater's token
lasts as long as the cookie of the pages; if the rater has a password it expires with that. Cookies
are ignored, so that another site cannot make a browser send requests in somebody's name.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from jurybox.serve.model import Rater, Role, User
from jurybox.serve.requests import ADJUDICATING, REMEMBERED, Asked, RefusalError, Site, Visit
from jurybox.serve.tokens import SESSION_SECONDS

LOGIN, RATER = "api-login", "api-rater"


def _token_of(name: str, about: str) -> Any:
    scheme = HTTPBearer(
        scheme_name=name, bearerFormat="signed", description=about, auto_error=False
    )
    return Depends(scheme)


_Credentials = HTTPAuthorizationCredentials | None
_OfUser = Annotated[
    _Credentials, _token_of("login", "Anybody with a password: the token of POST /tokens.")
]
_OfAdmin = Annotated[_Credentials, _token_of("admin", "The same, of an admin.")]
_OfAdjudicator = Annotated[
    _Credentials, _token_of("adjudicator", "The same, of an adjudicator or an admin.")
]
_OfRater = Annotated[
    _Credentials, _token_of("rater", "The token of POST /join or of POST /work/{number}.")
]


def login_token(site: Site, user: User) -> str:
    """What somebody who gave their password sends along from now on."""
    return str(site.signer(LOGIN).dumps([user.id, user.session]))


def rater_token(site: Site, rater: Rater, user: User | None = None) -> str:
    """What a rater sends along; it holds the session of the user who judges, if one does."""
    session = 0 if user is None else user.session
    return str(site.signer(RATER).dumps([rater.project, rater.id, session]))


def bears_login(site: Site, request: Request) -> bool:
    """Whether a request brings the token of somebody with a password; no database is asked."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and _read_login(site, token) is not None


def _read_login(site: Site, token: str) -> tuple[int, int] | None:
    match site.read_signed(LOGIN, token, SESSION_SECONDS):
        case [int(user), int(session)]:
            return user, session
    return None


def _user(visit: Asked, given: _OfUser) -> User:
    """Anybody with a password, in any role."""
    found = None if given is None else _read_login(visit.site, given.credentials)
    user = None if found is None else _with_session(visit, *found)
    if user is None:
        raise _unknown()
    return user


def _with_session(visit: Visit, number: int, session: int) -> User | None:
    user = visit.store.user(number)
    if user is None or user.session != session or not user.has_access:
        return None
    return user


def _admin(visit: Asked, given: _OfAdmin) -> User:
    user = _user(visit, given)
    if user.role != Role.ADMIN:
        raise RefusalError(403, f"Only admins may do this; your role is {user.role}.")
    return user


def _adjudicator(visit: Asked, given: _OfAdjudicator) -> User:
    user = _user(visit, given)
    if user.role not in ADJUDICATING:
        raise RefusalError(403, f"Only adjudicators may do this; your role is {user.role}.")
    return user


def _a_rater(visit: Asked, given: _OfRater) -> Rater:
    """A rater; who judges by an account must still have access to it."""
    token = "" if given is None else given.credentials
    match visit.site.read_signed(RATER, token, REMEMBERED):
        case [int(project), int(number), int(session)]:
            rater = visit.store.rater(number)
        case _:
            raise _unknown()
    if rater is None or rater.project != project:
        raise _unknown()
    if rater.user is not None and _with_session(visit, rater.user, session) is None:
        raise _unknown()
    return rater


def _unknown() -> RefusalError:
    return RefusalError(401, headers={"WWW-Authenticate": "Bearer"})


#: a parameter of one of these types lets nobody else in
Known = Annotated[User, Depends(_user)]
Admin = Annotated[User, Depends(_admin)]
Adjudicator = Annotated[User, Depends(_adjudicator)]
ARater = Annotated[Rater, Depends(_a_rater)]
