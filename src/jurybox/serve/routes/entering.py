"""How people with passwords come in, each to their own place; the first admin by a printed link."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import UsageError
from jurybox.serve.model import Role, User
from jurybox.serve.routes.joining import COOKIES
from jurybox.serve.visits import ENTRANCE_SECONDS, Asked, Sent, Site, Visit

router = APIRouter()
SETUP, ENTRANCE = "setup", "entrance"
#: where people begin
HOMES = {Role.ADMIN: "/admin", Role.ADJUDICATOR: "/adjudicate", Role.RATER: "/work"}


def setup_path(site: Site) -> str:
    """Where the first admin chooses a password; of no use as soon as there is one."""
    return f"/admin/setup/{site.signer(SETUP).dumps('first')}"


def entrance_path(site: Site, user: User) -> str:
    """A way in without a password, for the demo: whoever has it is this user, for a day."""
    return f"/admin/enter/{site.signer(ENTRANCE).dumps([user.id, user.session])}"


@router.get("/admin/login")
def ask_password(visit: Asked) -> Response:
    """The form for name and password."""
    user = visit.user()
    return _login_page(visit) if user is None else visit.go_to(HOMES[user.role])


@router.post("/admin/login")
def log_in(visit: Sent) -> Response:
    """Name and password; few tries from one address, and few for one name."""
    if not visit.is_own_form():
        return _login_page(visit, COOKIES, 403)
    name = visit.text("name")
    if not may_try(visit, name):
        return _login_page(visit, "Too many tries. Please wait some minutes.", 429)
    user = visit.store.log_in(name, visit.text("password"))
    if user is None:
        return _login_page(visit, "The name or the password is wrong.", 403)
    visit.begin_session(user)
    return visit.go_to(HOMES[user.role])


@router.post("/admin/logout")
def log_out(visit: Sent) -> Response:
    """The end of a session in this browser."""
    if visit.is_own_form():
        visit.end_session()
    return visit.go_to("/admin/login")


@router.get("/admin/setup/{token}")
def ask_first_password(token: str, visit: Asked) -> Response:
    """The form for the first admin."""
    return _refuse_setup(visit, token) or _setup_page(visit, token)


@router.post("/admin/setup/{token}")
def make_first_admin(token: str, visit: Sent) -> Response:
    """The first admin."""
    if refused := _refuse_setup(visit, token):
        return refused
    if not visit.is_own_form():
        return _setup_page(visit, token, COOKIES, 403)
    try:
        user = visit.store.add_user(visit.text("name").strip(), visit.text("password"))
    except UsageError as error:
        return _setup_page(visit, token, str(error), 422)
    visit.begin_session(user)
    return visit.go_to("/admin")


@router.get("/admin/enter/{token}")
def enter(token: str, visit: Asked) -> Response:
    """The demo's way in."""
    match visit.site.read_signed(ENTRANCE, token, ENTRANCE_SECONDS):
        case [int(number), int(session)]:
            user = visit.store.user(number)
            if user is not None and user.session == session and user.has_access:
                visit.begin_session(user)
                return visit.go_to(HOMES[user.role])
    return visit.message("This link does not work", "It is too old, or was cut off.", status=404)


def refuse(visit: Visit) -> Response:
    """For pages and forms that somebody may not use: logging in may help."""
    if visit.request.method == "GET":
        return visit.go_to("/admin/login")  # whoever is logged in comes to their own place
    if visit.user() is not None:
        return visit.message("You may not do this", "Please ask an admin.", status=403)
    return visit.message(
        "You are not logged in",
        "Log in, in another window if you have typed much, and send the form again.",
        status=403,
        link=("/admin/login", "Log in"),
    )


def may_try(visit: Visit, name: str) -> bool:
    """Few tries from one address, and few for one name."""
    logins = visit.site.logins
    return logins.allows(f"from {visit.address}") and logins.allows(f"as {name[:100]}")


def _refuse_setup(visit: Visit, token: str) -> Response | None:
    if visit.site.read_signed(SETUP, token, ENTRANCE_SECONDS) != "first":
        return visit.message(
            "This link does not work",
            "It is too old, or was cut off. Start the server again: it prints a new one.",
            status=404,
        )
    if visit.store.users():
        return visit.message(
            "There is an admin already",
            "This link was for the first one.",
            status=403,
            link=("/admin/login", "Log in"),
        )
    return None


def _login_page(visit: Visit, problem: str = "", status: int = 200) -> Response:
    return visit.page(
        "password",
        status,
        title="Log in",
        action="/admin/login",
        button="Log in",
        is_new=False,
        name=visit.text("name"),
        problem=problem,
    )


def _setup_page(visit: Visit, token: str, problem: str = "", status: int = 200) -> Response:
    return visit.page(
        "password",
        status,
        title="Choose a name and a password",
        action=f"/admin/setup/{token}",
        button="Become the admin",
        is_new=True,
        name=visit.text("name"),
        problem=problem,
    )
