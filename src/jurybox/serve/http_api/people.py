"""People with passwords: tokens, one's own password, and (for admins) everybody."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, StringConstraints, model_validator

from jurybox.serve import actions
from jurybox.serve.http_api.callers import LOGIN, Admin, Known
from jurybox.serve.http_api.shapes import ApiShape, RoleName, Secret, Short, example
from jurybox.serve.model import Role, User
from jurybox.serve.requests import Asked, Number, Site
from jurybox.serve.tokens import SESSION_SECONDS

router = APIRouter(tags=["people"])
Password = Annotated[str, StringConstraints(min_length=8, max_length=1000)]


class Login(ApiShape):
    """Name and password."""

    model_config = example(name="ada", password="correct horse")

    name: Short
    password: Secret


class Token(ApiShape):
    """A bearer token of somebody with a password."""

    token: str = Field(description="To be sent as `Authorization: Bearer …`.")
    role: RoleName
    expires: float = Field(description="When it ends, in seconds since 1970.")


class Me(ApiShape):
    """Whose token it is."""

    id: int
    name: str
    role: RoleName


class NewPassword(ApiShape):
    """Another password of one's own; the old one must be known."""

    old: Secret
    new: Password


class Person(Me):
    """Somebody with a password."""

    has_access: bool = Field(description="Without it nobody can log in by this name.")


class NewPerson(ApiShape):
    """Somebody new, with a first password."""

    model_config = example(name="bert", password="correct horse", role="adjudicator")

    name: Short = Field(min_length=1)
    password: Password
    role: RoleName


class PersonChange(ApiShape):
    """Another role, a new password, or both."""

    model_config = example(role="adjudicator")

    role: RoleName | None = None
    password: Password | None = Field(None, description="Ends sessions and tokens of the old one.")

    @model_validator(mode="after")
    def _says_something(self) -> PersonChange:
        if self.role is None and self.password is None:
            raise ValueError("give a role, a password, or both")
        return self


@router.post("/tokens", status_code=201)
def get_token(given: Login, visit: Asked) -> Token:
    """A token for name and password. Few tries from one address, and few for one name."""
    return _token(visit.site, actions.log_in(visit, given.name, given.password))


@router.get("/me")
def read_me(user: Known) -> Me:
    """Whose token it is, and what they may do."""
    return Me.of(user)


@router.put("/me/password")
def change_my_password(given: NewPassword, user: Known, visit: Asked) -> Token:
    """Another password. Tokens of the old one are over; the answer has a new one."""
    changed = actions.change_own_password(visit, user, given.old, given.new)
    return _token(visit.site, changed)


def _token(site: Site, user: User) -> Token:
    expires = time.time() + SESSION_SECONDS
    return Token(token=site.tokens.session(user, LOGIN), role=user.role.value, expires=expires)


@router.get("/people")
def list_people(_: Admin, visit: Asked) -> list[Person]:
    """Everybody with a password, by name."""
    return [Person.of(one) for one in visit.store.users()]


@router.post("/people", status_code=201)
def add_person(given: NewPerson, _: Admin, visit: Asked) -> Person:
    """Somebody new. A name that is taken is refused."""
    return Person.of(visit.store.add_user(given.name, given.password, Role(given.role)))


@router.patch("/people/{user:int}")
def change_person(user: Number, given: PersonChange, _: Admin, visit: Asked) -> Person:
    """Another role or a new password, which also gives access again. The last admin stays one."""
    found = actions.find_user(visit, user)
    if given.role is not None:
        found = visit.store.set_role(found.name, Role(given.role))
    if given.password is not None:
        found = visit.store.set_password(found.name, given.password)
    return Person.of(found)


@router.delete("/people/{user:int}")
def remove_person(user: Number, _: Admin, visit: Asked) -> Person:
    """No access any more. What they judged and decided stays, and so does their name."""
    return Person.of(visit.store.remove_access(actions.find_user(visit, user).name))
