"""People with passwords, for admins."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field, model_validator

from jurybox.serve.http_api.callers import Admin
from jurybox.serve.http_api.entering import Password
from jurybox.serve.http_api.problems import RefusalError
from jurybox.serve.http_api.shapes import RoleName, Shape, Short, example
from jurybox.serve.model import Role, User
from jurybox.serve.visits import Asked, Number, Visit

router = APIRouter(prefix="/people", tags=["people"])


class Person(Shape):
    """Somebody with a password."""

    id: int
    name: str
    role: RoleName
    has_access: bool = Field(description="Without it nobody can log in by this name.")

    @classmethod
    def of(cls, user: User) -> Person:
        return cls(id=user.id, name=user.name, role=user.role.value, has_access=user.has_access)


class NewPerson(Shape):
    """Somebody new, with a first password."""

    model_config = example(name="bert", password="correct horse", role="adjudicator")

    name: Short = Field(min_length=1)
    password: Password
    role: RoleName


class PersonChange(Shape):
    """Another role, a new password, or both."""

    model_config = example(role="adjudicator")

    role: RoleName | None = None
    password: Password | None = Field(None, description="Ends sessions and tokens of the old one.")

    @model_validator(mode="after")
    def _says_something(self) -> PersonChange:
        if self.role is None and self.password is None:
            raise ValueError("give a role, a password, or both")
        return self


@router.get("")
def list_people(_: Admin, visit: Asked) -> list[Person]:
    """Everybody with a password, by name."""
    return [Person.of(one) for one in visit.store.users()]


@router.post("", status_code=201)
def add_person(given: NewPerson, _: Admin, visit: Asked) -> Person:
    """Somebody new. A name that is taken is refused."""
    return Person.of(visit.store.add_user(given.name, given.password, Role(given.role)))


@router.patch("/{user:int}")
def change_person(user: Number, given: PersonChange, _: Admin, visit: Asked) -> Person:
    """Another role or a new password, which also gives access again. The last admin stays one."""
    found = _find(visit, user)
    if given.role is not None:
        found = visit.store.set_role(found.name, Role(given.role))
    if given.password is not None:
        found = visit.store.set_password(found.name, given.password)
    return Person.of(found)


@router.delete("/{user:int}")
def remove_person(user: Number, _: Admin, visit: Asked) -> Person:
    """No access any more. What they judged and decided stays, and so does their name."""
    return Person.of(visit.store.remove_access(_find(visit, user).name))


def _find(visit: Visit, number: int) -> User:
    user = visit.store.user(number)
    if user is None:
        raise RefusalError(404, f"There is nobody with the number {number}.")
    return user
