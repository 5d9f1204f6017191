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
    PageError,
    PageUser,
    RefusalError,
    Sent,
    Site,
    Visit,
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
    return f"/admin/setup/{site.signer(SETUP).dumps('first')}"


def entrance_path(site: Site, user: User) -> str:
    """A login without a password, for the demo: whoever has the link is this user, for a day."""
    return f"/admin/enter/{site.signer(ENTRANCE).dumps([user.id, user.session])}"


@router.get("/admin/login")
def ask_password(visit: Asked) -> Response:
    user = visit.user()
    return _login_page(visit) if user is None else visit.go_to(HOMES[user.role])


@router.post("/admin/login")
def log_in(visit: Sent) -> Response:
    try:
        visit.check_form()
        user = actions.log_in(visit, visit.text("name"), visit.text("password"))
    except JuryboxError as error:
        return _login_page(visit, error)
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
    return _setup_page(visit, token)


@router.post("/admin/setup/{token}")
def make_first_admin(token: str, visit: Sent) -> Response:
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
    name = visit.text("name")
    action = "/admin/login"
    return visit.page(
        "password", error, title="Log in", action=action, button="Log in", is_new=False, name=name
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


# --- for admins ---


@router.get("/admin/people")
def list_people(visit: Asked, _: PageAdmin) -> Response:
    """Everybody with a password, and the form for one more."""
    return _people_page(visit)


@router.post("/admin/people")
def add_person(visit: Sent, _: PageAdmin) -> Response:
    try:
        visit.check_form()
        visit.store.add_user(visit.text("name").strip(), visit.text("password"), _role(visit))
    except JuryboxError as error:
        return _people_page(visit, error)
    return visit.go_to("/admin/people?done=added")


@router.post("/admin/people/{user}")
def change_person(user: Number, visit: Sent, admin: PageAdmin) -> Response:
    """Another role, a new password, or no access any more."""
    try:
        visit.check_form()
        found = actions.find_user(visit, user)
        match visit.text("do"):
            case "role":
                changed = visit.store.set_role(found.name, _role(visit))
            case "password":
                changed = visit.store.set_password(found.name, visit.text("password"))
            case "remove":
                changed = visit.store.remove_access(found.name)
            case _:
                raise UsageError(
                    "it was not said what is to be changed; use the buttons of the page"
                )
    except RefusalError as error:
        if error.status == 404:
            link = ("/admin/people", "All people")
            raise PageError("There is nobody with this number", link=link) from None
        return _people_page(visit, error)
    except JuryboxError as error:
        return _people_page(visit, error)
    if changed.id == admin.id and changed.has_access:
        visit.begin_session(changed)  # their own password: they stay logged in
    return visit.go_to(f"/admin/people?done={visit.text('do')}")


def _role(visit: Visit) -> Role:
    try:
        return Role(visit.text("role"))
    except ValueError:
        raise UsageError("choose a role: rater, adjudicator or admin") from None


def _people_page(visit: Visit, error: Exception | None = None) -> Response:
    is_adding = visit.request.url.path == "/admin/people"
    return visit.page(
        "accounts",
        error,
        users=sorted(visit.store.users(), key=lambda one: not one.has_access),
        roles=ROLES,
        names={role: text.partition(":")[0] for role, text in ROLES.items()},
        note=DONE.get(visit.request.query_params.get("done", ""), ""),
        name=visit.text("name") if is_adding else "",
        role=visit.text("role") if is_adding else Role.RATER,
    )


# --- for everybody with a password ---


@router.get("/account")
def ask_new_password(visit: Asked, user: PageUser) -> Response:
    return _account_page(visit, user)


@router.post("/account")
def change_own_password(visit: Sent, user: PageUser) -> Response:
    try:
        visit.check_form()
        old, new = visit.text("old"), visit.text("password")
        changed = actions.change_own_password(visit, user, old, new)
    except JuryboxError as error:
        return _account_page(visit, user, error)
    visit.begin_session(changed)
    return visit.go_to("/account?done=password")


def _account_page(visit: Visit, user: User, error: Exception | None = None) -> Response:
    note = DONE.get(visit.request.query_params.get("done", ""), "")
    return visit.page("account", error, user=user, note=note)


@router.get("/work")
def list_work(visit: Asked, user: PageUser) -> Response:
    return _work_page(visit, user)


@router.post("/work/{number}")
def begin_work(number: Number, visit: Sent, user: PageUser) -> Response:
    """Judge with one's account: the same rater in whatever browser."""
    try:
        visit.check_form()
        rater = actions.begin_work(visit, number, user)
    except UnknownNameError:
        return _work_page(visit, user, RefusalError(404, "There is no such project."))
    except JuryboxError as error:
        return _work_page(visit, user, error)
    visit.remember_rater(rater)
    return visit.go_to(f"/r/{number}")


def _work_page(visit: Visit, user: User, error: Exception | None = None) -> Response:
    projects = [one for one in visit.store.projects() if one.settings.is_open]
    return visit.page("work", error, user=user, projects=projects)
