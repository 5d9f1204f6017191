"""People with passwords: admins add them, give roles and new passwords; raters find work."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import JuryboxError, UnknownNameError, UsageError
from jurybox.serve import actions
from jurybox.serve.model import Role, User
from jurybox.serve.requests import (
    Asked,
    Number,
    PageAdmin,
    PageError,
    PageUser,
    RefusalError,
    Sent,
    Visit,
)

router = APIRouter()
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


# --- for admins ---


@router.get("/admin/people")
def list_people(visit: Asked, _: PageAdmin) -> Response:
    """Everybody with a password, and the form for one more."""
    return _people_page(visit)


@router.post("/admin/people")
def add_person(visit: Sent, _: PageAdmin) -> Response:
    """Somebody new, with a role and a first password."""
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
    """The form for one's own password."""
    return _account_page(visit, user)


@router.post("/account")
def change_own_password(visit: Sent, user: PageUser) -> Response:
    """Another password of one's own."""
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
    """The open projects, for raters with an account."""
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
