"""Tokens for passwords, one's own password, and joining as a rater."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, StringConstraints

from jurybox.errors import InputError
from jurybox.serve.http_api.callers import Known, login_token, rater_token
from jurybox.serve.http_api.problems import RefusalError
from jurybox.serve.http_api.rater_shapes import Joined, Joining, WorkProject
from jurybox.serve.http_api.shapes import RoleName, Secret, Shape, Short, example
from jurybox.serve.model import Project, Prolific, Rater, User
from jurybox.serve.routes.entering import may_try
from jurybox.serve.routes.joining import TOO_MANY, find_project
from jurybox.serve.tokens import SESSION_SECONDS
from jurybox.serve.visits import REMEMBERED, Asked, Number, Site, Visit

router = APIRouter()
Password = Annotated[str, StringConstraints(min_length=8, max_length=1000)]


class Login(Shape):
    """Name and password."""

    model_config = example(name="ada", password="correct horse")

    name: Short
    password: Secret


class Token(Shape):
    """A bearer token of somebody with a password."""

    token: str = Field(description="To be sent as `Authorization: Bearer …`.")
    role: RoleName
    expires: float = Field(description="When it ends, in seconds since 1970.")


class Me(Shape):
    """Whose token it is."""

    id: int
    name: str
    role: RoleName


class NewPassword(Shape):
    """Another password of one's own; the old one must be known."""

    old: Secret
    new: Password


@router.post("/tokens", tags=["people"], status_code=201)
def get_token(given: Login, visit: Asked) -> Token:
    """A token for name and password. Few tries from one address, and few for one name."""
    if not may_try(visit, given.name):
        raise too_often(visit)
    user = visit.store.log_in(given.name, given.password)
    if user is None:
        raise RefusalError(
            401,
            "The name or the password is wrong.",
            remedy="Try again, or ask an admin for a new password.",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return _token(visit.site, user)


@router.get("/me", tags=["people"])
def read_me(user: Known) -> Me:
    """Whose token it is, and what they may do."""
    return Me(id=user.id, name=user.name, role=user.role.value)


@router.put("/me/password", tags=["people"])
def change_my_password(given: NewPassword, user: Known, visit: Asked) -> Token:
    """Another password. Tokens of the old one are over; the answer has a new one."""
    if not visit.site.logins.allows(f"as {user.name[:100]}"):
        raise too_often(visit)
    if visit.store.log_in(user.name, given.old) is None:
        raise RefusalError(403, "The old password is wrong.", remedy="Try again.")
    return _token(visit.site, visit.store.set_password(user.name, given.new))


@router.post("/join", tags=["raters"], status_code=201)
def join(given: Joining, visit: Asked) -> Joined:
    """Become a rater of the link's project. Many joins from one address are refused."""
    try:
        project = find_project(visit, given.link.rstrip("/").rpartition("/")[2].partition("?")[0])
    except InputError as error:
        raise RefusalError(
            404, str(error), title="This link does not work", remedy="Ask for a new link."
        ) from None
    prolific = None if given.prolific is None else Prolific(**given.prolific.model_dump())
    _refuse_many(visit)
    rater = visit.store.join(project.id, pseudonym=given.pseudonym, prolific=prolific)
    return _joined(visit, project, rater)


@router.get("/work", tags=["raters"])
def list_work(_: Known, visit: Asked) -> list[WorkProject]:
    """The open projects, for whoever judges with an account."""
    return [
        WorkProject(id=one.id, name=one.name, task=one.task.value)
        for one in visit.store.projects()
        if one.settings.is_open
    ]


@router.post("/work/{number:int}", tags=["raters"], status_code=201)
def begin_work(number: Number, user: Known, visit: Asked) -> Joined:
    """Judge as oneself: the same rater every time. The token ends with the password."""
    _refuse_many(visit)
    project = visit.store.project_by_id(number)
    rater = visit.store.join(number, pseudonym=user.name, user=user.id)
    return _joined(visit, project, rater, user)


def too_often(visit: Visit) -> RefusalError:
    """Who tries too often is told when to try again."""
    return RefusalError(429, headers={"Retry-After": str(visit.site.logins.seconds)})


def _refuse_many(visit: Visit) -> None:
    if not visit.site.joins.allows(visit.address):
        headers = {"Retry-After": str(visit.site.joins.seconds)}
        raise RefusalError(429, TOO_MANY, headers=headers)


def _token(site: Site, user: User) -> Token:
    expires = time.time() + SESSION_SECONDS
    return Token(token=login_token(site, user), role=user.role.value, expires=expires)


def _joined(visit: Visit, project: Project, rater: Rater, user: User | None = None) -> Joined:
    return Joined(
        token=rater_token(visit.site, rater, user),
        project=project.name,
        expires=time.time() + REMEMBERED,
    )
