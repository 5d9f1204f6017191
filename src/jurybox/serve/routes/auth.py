"""How people with passwords log in, each to their own place; the first admin by a printed link."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import JuryboxError
from jurybox.serve import actions
from jurybox.serve.model import Role, User
from jurybox.serve.requests import ENTRANCE_SECONDS, Asked, PageError, Sent, Site, Visit

router = APIRouter()
SETUP, ENTRANCE = "setup", "entrance"
#: where people begin
HOMES = {Role.ADMIN: "/admin", Role.ADJUDICATOR: "/adjudicate", Role.RATER: "/work"}


def setup_path(site: Site) -> str:
    """Where the first admin chooses a password; of no use as soon as there is one."""
    return f"/admin/setup/{site.signer(SETUP).dumps('first')}"


def entrance_path(site: Site, user: User) -> str:
    """A login without a password, for the demo: whoever has the link is this user, for a day."""
    return f"/admin/enter/{site.signer(ENTRANCE).dumps([user.id, user.session])}"


@router.get("/admin/login")
def ask_password(visit: Asked) -> Response:
    """The form for name and password."""
    user = visit.user()
    return _login_page(visit) if user is None else visit.go_to(HOMES[user.role])


@router.post("/admin/login")
def log_in(visit: Sent) -> Response:
    """Name and password."""
    try:
        visit.check_form()
        user = actions.log_in(visit, visit.text("name"), visit.text("password"))
    except JuryboxError as error:
        return _login_page(visit, error)
    visit.begin_session(user)
    return visit.go_to(HOMES[user.role])


@router.post("/admin/logout")
def log_out(visit: Sent) -> Response:
    """The end of a session in this browser."""
    try:
        visit.check_form()
        visit.end_session()
    except JuryboxError:  # a form of another site logs nobody out
        pass
    return visit.go_to("/admin/login")


@router.get("/admin/setup/{token}")
def ask_first_password(token: str, visit: Asked) -> Response:
    """The form for the first admin."""
    _check_setup(visit, token)
    return _setup_page(visit, token)


@router.post("/admin/setup/{token}")
def make_first_admin(token: str, visit: Sent) -> Response:
    """The first admin."""
    _check_setup(visit, token)
    try:
        visit.check_form()
        user = visit.store.add_user(visit.text("name").strip(), visit.text("password"))
    except JuryboxError as error:
        return _setup_page(visit, token, error)
    visit.begin_session(user)
    return visit.go_to("/admin")


@router.get("/admin/enter/{token}")
def enter(token: str, visit: Asked) -> Response:
    """The demo's login."""
    match visit.site.read_signed(ENTRANCE, token, ENTRANCE_SECONDS):
        case [int(number), int(session)]:
            user = visit.store.user(number)
            if user is not None and user.session == session and user.has_access:
                visit.begin_session(user)
                return visit.go_to(HOMES[user.role])
    raise PageError("This link does not work", "It is too old, or was cut off.")


def _check_setup(visit: Visit, token: str) -> None:
    if visit.site.read_signed(SETUP, token, ENTRANCE_SECONDS) != "first":
        raise PageError(
            "This link does not work",
            "It is too old, or was cut off. Start the server again: it prints a new one.",
        )
    if visit.store.users():
        raise PageError(
            "There is an admin already",
            "This link was for the first one.",
            status=403,
            link=("/admin/login", "Log in"),
        )


def _login_page(visit: Visit, error: Exception | None = None) -> Response:
    return visit.page(
        "password",
        error,
        title="Log in",
        action="/admin/login",
        button="Log in",
        is_new=False,
        name=visit.text("name"),
    )


def _setup_page(visit: Visit, token: str, error: Exception | None = None) -> Response:
    return visit.page(
        "password",
        error,
        title="Choose a name and a password",
        action=f"/admin/setup/{token}",
        button="Become the admin",
        is_new=True,
        name=visit.text("name"),
    )
