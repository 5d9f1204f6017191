"""People with passwords: admins add them, give roles and new passwords; raters find work."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError, UnknownNameError, UsageError
from jurybox.serve.model import Role, User
from jurybox.serve.routes.entering import refuse
from jurybox.serve.routes.joining import COOKIES
from jurybox.serve.visits import Asked, Number, Sent, Visit

router = APIRouter()
ROLES = {
    Role.RATER: "Rater: judges in open projects",
    Role.ADJUDICATOR: "Adjudicator: decides contested cases",
    Role.ADMIN: "Admin: may do everything",
}
TOO_OFTEN = "Too many tries. Please wait some minutes."


# --- for admins -----------------------------------------------------------------------------------


@router.get("/admin/people")
def list_people(visit: Asked) -> Response:
    """Everybody with a password, and the form for one more."""
    return refuse(visit) if visit.admin() is None else _people_page(visit)


@router.post("/admin/people")
def add_person(visit: Sent) -> Response:
    """Somebody new, with a role and a first password."""
    if visit.admin() is None:
        return refuse(visit)
    if not visit.is_own_form():
        return _people_page(visit, COOKIES, 403)
    name = visit.text("name").strip()
    try:
        visit.store.add_user(name, visit.text("password"), _role(visit))
    except UsageError as error:
        return _people_page(visit, str(error), 422)
    return visit.go_to("/admin/people?done=added")


@router.post("/admin/people/{user}")
def change_person(user: Number, visit: Sent) -> Response:
    """Another role, a new password, or no access any more."""
    admin = visit.admin()
    if admin is None:
        return refuse(visit)
    if not visit.is_own_form():
        return _people_page(visit, COOKIES, 403)
    found = visit.store.user(user)
    if found is None:
        link = ("/admin/people", "All people")
        return visit.message("There is nobody with this number", status=404, link=link)
    try:
        changed = _change(visit, found)
    except UsageError as error:
        return _people_page(visit, str(error), 422)
    if changed.id == admin.id and changed.has_access:
        visit.begin_session(changed)  # their own password: they stay
    return visit.go_to(f"/admin/people?done={visit.text('do')}")


def _change(visit: Visit, found: User) -> User:
    match visit.text("do"):
        case "role":
            return visit.store.set_role(found.name, _role(visit))
        case "password":
            return visit.store.set_password(found.name, visit.text("password"))
        case "remove":
            return visit.store.remove_access(found.name)
    raise UsageError("it was not said what is to be changed; use the buttons of the page")


def _role(visit: Visit) -> Role:
    try:
        return Role(visit.text("role"))
    except ValueError:
        raise UsageError("choose a role: rater, adjudicator or admin") from None


DONE = {
    "added": "The name can log in now. Tell them the password; they can choose another one.",
    "role": "The role is changed.",
    "password": "The password is changed, and sessions with the old one are over.",
    "remove": "They can no longer log in. A new password gives access again.",
}


def _people_page(visit: Visit, problem: str = "", status: int = 200) -> Response:
    is_adding = visit.request.url.path == "/admin/people"
    return visit.page(
        "accounts",
        status,
        users=sorted(visit.store.users(), key=lambda one: not one.has_access),
        roles=ROLES,
        names={role: text.partition(":")[0] for role, text in ROLES.items()},
        problem=problem,
        note=DONE.get(visit.request.query_params.get("done", ""), ""),
        name=visit.text("name") if is_adding else "",
        role=visit.text("role") if is_adding else Role.RATER,
    )


# --- for everybody with a password ----------------------------------------------------------------


@router.get("/account")
def ask_new_password(visit: Asked) -> Response:
    """The form for a password of one's own."""
    user = visit.user()
    return refuse(visit) if user is None else _account_page(visit, user)


@router.post("/account")
def change_own_password(visit: Sent) -> Response:
    """The old one must be known: a browser that was left open is not enough."""
    user = visit.user()
    if user is None:
        return refuse(visit)
    if not visit.is_own_form():
        return _account_page(visit, user, COOKIES, 403)
    if not visit.site.logins.allows(f"as {user.name[:100]}"):
        return _account_page(visit, user, TOO_OFTEN, 429)
    if visit.store.log_in(user.name, visit.text("old")) is None:
        return _account_page(visit, user, "The old password is wrong.", 403)
    try:
        changed = visit.store.set_password(user.name, visit.text("password"))
    except UsageError as error:
        return _account_page(visit, user, str(error), 422)
    visit.begin_session(changed)
    return visit.go_to("/account?done=password")


def _account_page(visit: Visit, user: User, problem: str = "", status: int = 200) -> Response:
    note = DONE.get(visit.request.query_params.get("done", ""), "")
    return visit.page("account", status, user=user, problem=problem, note=note)


@router.get("/work")
def list_work(visit: Asked) -> Response:
    """The open projects, for whoever judges with an account."""
    user = visit.user()
    return refuse(visit) if user is None else _work_page(visit, user)


@router.post("/work/{number}")
def begin_work(number: Number, visit: Sent) -> Response:
    """Judge as oneself: the same rater in whatever browser."""
    user = visit.user()
    if user is None:
        return refuse(visit)
    if not visit.is_own_form():
        return _work_page(visit, user, COOKIES, 403)
    if not visit.site.joins.allows(visit.address):
        return _work_page(visit, user, TOO_OFTEN, 429)
    try:
        rater = visit.store.join(number, pseudonym=user.name, user=user.id)
    except UnknownNameError:
        return _work_page(visit, user, "There is no such project.", 404)
    except InputError as error:
        return _work_page(visit, user, str(error), 422)
    visit.remember_rater(rater)
    return visit.go_to(f"/r/{number}")


def _work_page(visit: Visit, user: User, problem: str = "", status: int = 200) -> Response:
    projects = [one for one in visit.store.projects() if one.settings.is_open]
    return visit.page("work", status, user=user, projects=projects, problem=problem)
