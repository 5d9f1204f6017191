"""People with passwords: admins, adjudicators, experts. Hashes are argon2's, with its defaults.

Somebody who loses access keeps their row, without a password: decisions and judgments name it, and
a number that another user got one day would open the old sessions to them.
"""

from __future__ import annotations

from functools import cache
from secrets import token_urlsafe
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from jurybox.errors import UsageError, unknown_name
from jurybox.serve.model import Role, User
from jurybox.serve.settings import is_storable
from jurybox.serve.store.database import StorePart
from jurybox.serve.store.tables import users

SHORTEST, LONGEST = 8, 1000


class UserStore(StorePart):
    def add_user(self, name: str, password: str, role: Role = Role.ADMIN) -> User:
        """Somebody with a password (argon2); a name that is taken is a UsageError."""
        if not name.strip() or name != name.strip() or len(name) > 100:
            raise UsageError(
                f"the user name {name[:100]!r} is empty, too long or has blanks around it"
            )
        if not is_storable(name):
            raise UsageError("there is a character in the user name that cannot be stored")
        hashed = _hash(password)
        with self.database.writing() as connection:
            if _find(connection, name) is not None:
                raise UsageError(f"there is a user '{name}' already; choose another name")
            values = {"name": name, "password": hashed, "role": str(role), "session": 1}
            connection.execute(users.insert().values(values))
            return _user(_find(connection, name))

    def set_password(self, name: str, password: str) -> User:
        """Another password; sessions that were begun with the old one are over."""
        hashed = _hash(password)
        with self.database.writing() as connection:
            values = {"password": hashed, "session": users.c.session + 1}
            return _change(connection, name, values)

    def set_role(self, name: str, role: Role) -> User:
        """Another role, from the next page on; the last admin keeps theirs (UsageError)."""
        with self.database.writing() as connection:
            if role != Role.ADMIN:
                _keep_an_admin(connection, name, "another role")
            return _change(connection, name, {"role": str(role)})

    def remove_access(self, name: str) -> User:
        """No access any more, sessions are over; a new password gives it back.

        What they judged and decided stays. The last admin cannot be removed (UsageError).
        """
        with self.database.writing() as connection:
            _keep_an_admin(connection, name, "no access")
            return _change(connection, name, {"password": "", "session": users.c.session + 1})

    def log_in(self, name: str, password: str) -> User | None:
        """The user, or None; an unknown name takes as long as a wrong password.

        Hashing takes long on purpose: no transaction is open meanwhile.
        """
        with self.database.reading() as connection:
            row = _find(connection, name) if "\0" not in name else None
        stored = "" if row is None else row.password
        try:
            _hasher().verify(stored or _nobodys_hash(), password[:LONGEST])
        except VerificationError:
            return None
        return _user(row) if stored else None

    def user(self, user: int) -> User | None:
        with self.database.reading() as connection:
            row = connection.execute(sa.select(users).where(users.c.id == user)).first()
            return None if row is None else _user(row)

    def users(self) -> tuple[User, ...]:
        with self.database.reading() as connection:
            return tuple(map(_user, connection.execute(sa.select(users).order_by(users.c.name))))


def _keep_an_admin(connection: sa.Connection, name: str, what: str) -> None:
    """The rows of all admins are locked: two of them could remove each other at once."""
    admins = (
        sa.select(users.c.name)
        .where(users.c.role == str(Role.ADMIN), users.c.password != "")
        .order_by(users.c.id)
        .with_for_update()
    )
    if connection.execute(admins).scalars().all() == [name]:
        raise UsageError(f"{name} is the only admin and cannot have {what}; make another one first")


def _change(connection: sa.Connection, name: str, values: dict[str, Any]) -> User:
    if _find(connection, name) is None:
        names = connection.execute(sa.select(users.c.name)).scalars()
        raise unknown_name("user", name, names)
    connection.execute(users.update().where(users.c.name == name).values(values))
    return _user(_find(connection, name))


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobodys_hash() -> str:
    """Verified for names that do not exist, so that timing does not reveal which names do."""
    return _hasher().hash(token_urlsafe(16))


def _hash(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(f"a password has at least {SHORTEST} characters, and at most {LONGEST}")
    return _hasher().hash(password)


def _find(connection: sa.Connection, name: str) -> Any:
    return connection.execute(sa.select(users).where(users.c.name == name)).first()


def _user(row: Any) -> User:
    return User(row.id, row.name, Role(row.role), row.session, bool(row.password))
