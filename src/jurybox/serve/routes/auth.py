"""People with passwords: how they log in, each to their own place, and who adds them.

The first admin comes by a printed link. Admins add people, give roles and new passwords; raters
find work.
"""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import JuryboxError, UnknownNameError, UsageError
from jurybox.serve import actions
from jurybox.serve.model import Role, User
from jurybox.serve.requests import (
    ENTRANCE_SECONDS,
    Asked,
    Number,
    PageAdmin,
    PageUser,
    RefusalError,
    Sent,
    Site,
    Visit,
    shown_on,
)

router = APIRouter()
SETUP, ENTRANCE = "setup", "entrance"
#: where people begin
HOMES = {Role.ADMIN: "/admin", Role.ADJUDICATOR: "/adjudicate", Role.RATER: "/work"}
ROLES = {
    Role.RATER: "Rater: judges in open projects",
    Role.ADJUDICATOR: "Adjudicator: decides contested cases",
    Role.ADMIN: "Admin: may do everything",
}
DONE = {
    "added": "The name can log in now. Tell them the password; they can choose another one.",
    "role": "The role is changed.",
    "password": "The password is changed, and sessions with the old one are over.",
    "remove": "They can no longer log in. A new password gives access again.",
}


def setup_path(site: Site) -> str:
    """Where the first admin chooses a password; of no use as soon as there is one."""
    return f"/admin/setup/{site.tokens.sign(SETUP, 'first')}"


def entrance_path(site: Site, user: User) -> str:
    """A login without a password, for the demo: whoever has the link is this user, for a day."""
    return f"/admin/enter/{site.tokens.session(user, ENTRANCE)}"


@router.get("/admin/login")
def ask_password(visit: Asked) -> Response:
    user = visit.user()
    return _login_page(visit) if user is None else visit.go_to(HOMES[user.role])


def _login_page(visit: Visit) -> Response:
    return visit.page(
        "password",
        title="Log in",
        action="/admin/login",
        button="Log in",
        is_new=False,
        name=visit.text("name"),
    )


@router.post("/admin/login")
@shown_on(_login_page)
def log_in(visit: Sent) -> Response:
    user = actions.log_in(visit, visit.text("name"), visit.text("password"))
    visit.begin_session(user)
    return visit.go_to(HOMES[user.role])


@router.post("/admin/logout")
def log_out(visit: Sent) -> Response:
    try:
        visit.check_form()
        visit.end_session()
    except JuryboxError:  # a form of another site logs nobody out
        pass
    return visit.go_to("/admin/login")


@router.get("/admin/setup/{token}")
def ask_first_password(token: str, visit: Asked) -> Response:
    _check_setup(visit, token)
    return visit.page(
        "password",
        title="Choose a name and a password",
        action=f"/admin/setup/{token}",
        button="Become the admin",
        is_new=True,
        name=visit.text("name"),
    )


@router.post("/admin/setup/{token}")
@shown_on(ask_first_password)
def make_first_admin(token: str, visit: Sent) -> Response:
    _check_setup(visit, token)
    user = visit.store.add_user(visit.text("name").strip(), visit.text("password"))
    visit.begin_session(user)
    return visit.go_to("/admin")


@router.get("/admin/enter/{token}")
def enter(token: str, visit: Asked) -> Response:
    session = visit.site.tokens.read_session(token, kind=ENTRANCE, max_age=ENTRANCE_SECONDS)
    if (user := visit.user_of(session)) is not None:
        visit.begin_session(user)
        return visit.go_to(HOMES[user.role])
    raise RefusalError(404, "It is too old, or was cut off.", title="This link does not work")


def _check_setup(visit: Visit, token: str) -> None:
    if visit.site.tokens.read(SETUP, token, ENTRANCE_SECONDS) != "first":
        raise RefusalError(
            404,
            "It is too old, or was cut off. Start the server again: it prints a new one.",
            title="This link does not work",
        )
    if visit.store.users():
        raise RefusalError(
            403,
            "This link was for the first one.",
            title="There is an admin already",
            link=("/admin/login", "Log in"),
        )


# --- for admins ---


@router.get("/admin/people")
def list_people(visit: Asked, admin: PageAdmin) -> Response:
    """Everybody with a password, and the form for one more."""
    is_adding = visit.request.url.path == "/admin/people"
    return visit.page(
        "accounts",
        users=sorted(visit.store.users(), key=lambda one: not one.has_access),
        roles=ROLES,
        names={role: text.partition(":")[0] for role, text in ROLES.items()},
        note=DONE.get(visit.asked("done"), ""),
        name=visit.text("name") if is_adding else "",
        role=visit.text("role") if is_adding else Role.RATER,
    )


@router.post("/admin/people")
@shown_on(list_people)
def add_person(visit: Sent, admin: PageAdmin) -> Response:
    visit.store.add_user(visit.text("name").strip(), visit.text("password"), _role(visit))
    return visit.go_to("/admin/people?done=added")


@router.post("/admin/people/{user}")
@shown_on(list_people)
def change_person(user: Number, visit: Sent, admin: PageAdmin) -> Response:
    """Another role, a new password, or no access any more."""
    found = actions.find_user(visit, user)
    match visit.text("do"):
        case "role":
            changed = visit.store.set_role(found.name, _role(visit))
        case "password":
            changed = visit.store.set_password(found.name, visit.text("password"))
        case "remove":
            changed = visit.store.remove_access(found.name)
        case _:
            raise UsageError("it was not said what is to be changed; use the buttons of the page")
    if changed.id == admin.id and changed.has_access:
        visit.begin_session(changed)  # their own password: they stay logged in
    return visit.go_to(f"/admin/people?done={visit.text('do')}")


def _role(visit: Visit) -> Role:
    try:
        return Role(visit.text("role"))
    except ValueError:
        raise UsageError("choose a role: rater, adjudicator or admin") from None


# --- for everybody with a password ---


@router.get("/account")
def ask_new_password(visit: Asked, user: PageUser) -> Response:
    return visit.page("account", user=user, note=DONE.get(visit.asked("done"), ""))


@router.post("/account")
@shown_on(ask_new_password)
def change_own_password(visit: Sent, user: PageUser) -> Response:
    old, new = visit.text("old"), visit.text("password")
    visit.begin_session(actions.change_own_password(visit, user, old, new))
    return visit.go_to("/account?done=password")


@router.get("/work")
def list_work(visit: Asked, user: PageUser) -> Response:
    projects = [one for one in visit.store.projects() if one.settings.is_open]
    return visit.page("work", user=user, projects=projects)


@router.post("/work/{number}")
@shown_on(list_work)
def begin_work(number: Number, visit: Sent, user: PageUser) -> Response:
    """Judge with one's account: the same rater in whatever browser."""
    try:
        rater = actions.begin_work(visit, number, user)
    except UnknownNameError:
        raise RefusalError(404, "There is no such project.") from None
    visit.remember_rater(rater)
    return visit.go_to(f"/r/{number}")
