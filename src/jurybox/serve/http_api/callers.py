"""Who sends a request: signed bearer tokens, of people with passwords and of raters.

A token of somebody with a password expires after a day, and with the password. A rater's token
lasts as long as the cookie of the pages; if the rater has a password it expires with that. Cookies
are ignored, so that another site cannot make a browser send requests in somebody's name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from jurybox.serve.model import Rater, Role, User
from jurybox.serve.requests import ADJUDICATING, REMEMBERED, Asked, RefusalError, Site
from jurybox.serve.tokens import Session

LOGIN, RATER = "page.api-login", "page.api-rater"


def _bearer(name: str, about: str) -> HTTPBearer:
    return HTTPBearer(scheme_name=name, bearerFormat="signed", description=about, auto_error=False)


def rater_token(site: Site, rater: Rater, user: User | None = None) -> str:
    """What a rater sends along; it holds the session of the user who judges, if one does."""
    session = 0 if user is None else user.session
    return site.tokens.sign(RATER, [rater.project, rater.id, session])


def bears_login(site: Site, request: Request) -> bool:
    """Whether a request brings the token of somebody with a password; no database is asked."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and site.tokens.read_session(token, kind=LOGIN) is not None


def _user_with(roles: Collection[Role], name: str, about: str) -> Callable[..., User]:
    """Finds the user whose token it is; those in other roles are refused."""
    token = Depends(_bearer(name, about))

    def find(visit: Asked, given: HTTPAuthorizationCredentials | None = token) -> User:
        bearer = "" if given is None else given.credentials
        user = visit.user_of(visit.site.tokens.read_session(bearer, kind=LOGIN))
        if user is None:
            raise _unknown()
        if user.role not in roles:
            raise RefusalError(403, f"Only {name}s may do this; your role is {user.role}.")
        return user

    return find


_of_rater = Depends(_bearer("rater", "The token of POST /join or of POST /work/{number}."))


def _a_rater(
    visit: Asked, given: Annotated[HTTPAuthorizationCredentials | None, _of_rater]
) -> Rater:
    """A rater; who judges by an account must still have access to it."""
    token = "" if given is None else given.credentials
    match visit.site.tokens.read(RATER, token, REMEMBERED):
        case [int(project), int(number), int(session)]:
            rater = visit.store.rater(number)
        case _:
            raise _unknown()
    if rater is None or rater.project != project:
        raise _unknown()
    if rater.user is not None and visit.user_of(Session(rater.user, session)) is None:
        raise _unknown()
    return rater


def _unknown() -> RefusalError:
    return RefusalError(401, headers={"WWW-Authenticate": "Bearer"})


_about = "Anybody with a password: the token of POST /tokens."
_user = _user_with(tuple(Role), "login", _about)
only_admins = Depends(_user_with((Role.ADMIN,), "admin", "The same, of an admin."))
_adjudicator = _user_with(ADJUDICATING, "adjudicator", "The same, of an adjudicator or an admin.")
#: a parameter of one of these types lets nobody else in
Known = Annotated[User, Depends(_user)]
Admin = Annotated[User, only_admins]
Adjudicator = Annotated[User, Depends(_adjudicator)]
ARater = Annotated[Rater, Depends(_a_rater)]
