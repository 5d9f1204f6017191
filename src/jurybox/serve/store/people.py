"""People: raters who join a project, and users with passwords (admins, adjudicators, experts).

A rater who asks to be forgotten loses what identifies them, and their judgments if that is asked
for too. The row stays, empty: their number and id are given to nobody else, so that exports still
call the others as before, and an old cookie opens nobody's work.

Passwords are hashed by argon2, with its defaults. Somebody who loses access keeps their row,
without a password: decisions and judgments name it, and a number that another user got one day
would open the old sessions to them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from secrets import token_urlsafe
from typing import Any, NamedTuple

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from jurybox.errors import InputError, UnknownNameError, UsageError, unknown_name
from jurybox.serve.model import Project, Prolific, Rater, Role, Standing, User
from jurybox.serve.settings import Settings, is_storable
from jurybox.serve.store.adjudication import has_decided
from jurybox.serve.store.database import StorePart, time_of
from jurybox.serve.store.leases import OPEN, end_expired, settle, withdraw
from jurybox.serve.store.projects import lock, lock_of_rater, next_lot_of
from jurybox.serve.store.projects import read_in as read_project
from jurybox.serve.store.tables import (
    answers,
    assignments,
    drafts,
    essay_feedback,
    matches,
    projects,
    raters,
    update,
    users,
)

LONGEST_NAME, LONGEST_ANSWER = 100, 2000
SHORTEST, LONGEST = 8, 1000  # of passwords
#: a rater of whom nothing is known any more
NOBODY = {
    "pseudonym": "",
    "prolific_pid": None,
    "prolific_study": "",
    "prolific_session": "",
    "survey": None,
    "user_id": None,
    "assignment_id": None,
    "standing": str(Standing.STOPPED),
}
DONE = ("practised", "answered", "gold_seen", "gold_right")
NO_ANSWERS = dict.fromkeys(DONE, 0)
#: fields of a rater that are called as in the table
SAME = ("id", "number", "pseudonym", "flagged", "joined", *DONE)
_RATER = sa.select(raters).where(*matches(raters, id="rater"))


class Forgotten(NamedTuple):
    """Who was forgotten, as exports call them, and how many judgments are left or gone."""

    rater: str
    kept: int
    removed: int


class RaterStore(StorePart):
    def join(
        self,
        project: int,
        *,
        pseudonym: str = "",
        prolific: Prolific | None = None,
        user: int | None = None,
        now: float | None = None,
    ) -> Rater:
        """A rater for somebody who opened the project's link.

        The same Prolific participant, and the same user, is always the same rater. Everybody else
        is new: somebody who comes back with a signed cookie is looked up by `rater` instead. A
        closed project is an InputError.
        """
        names = (pseudonym, *(prolific or ()))
        if any(len(text) > LONGEST_NAME for text in names):
            raise InputError(f"A name can have up to {LONGEST_NAME} characters.")
        if not all(map(is_storable, names)):
            raise InputError("There is a character in the name that cannot be stored.")
        if prolific is not None and not prolific.pid.strip():
            raise InputError("PROLIFIC_PID is empty: please open the link that Prolific gives you.")
        with self.database.writing() as connection:
            held = lock(connection, project)
            if known := _known(connection, project, prolific, user):
                return known
            if not held.settings.is_open:
                raise InputError(f"{held.name} is closed: nobody can join any more.")
            if user is not None and has_decided(connection, project, user):
                raise InputError(
                    f"You have decided about cases of {held.name}, or written feedback on them: "
                    "whoever has seen what others said cannot judge in it."
                )
            one_more = update(projects, "project", raters=projects.c.raters + 1)
            counted = connection.execute(
                one_more.returning(projects.c.raters), {"project": project}
            )
            values = {
                "project_id": project,
                "number": counted.scalar_one(),
                "user_id": user,
                "pseudonym": " ".join(pseudonym.split()),
                "prolific_pid": prolific.pid if prolific else None,
                "prolific_study": prolific.study if prolific else "",
                "prolific_session": prolific.session if prolific else "",
                "standing": str(Standing.ACTIVE),
                "joined": time_of(now),
                "cursors": "{}",
            }
            added = raters.insert().values(values).returning(raters.c.id)
            joined = connection.execute(added).scalar_one()
            return rater_of(connection.execute(_RATER, {"rater": joined}).one())

    def rater(self, rater: int) -> Rater | None:
        with self.database.reading() as connection:
            row = connection.execute(_RATER, {"rater": rater}).first()
            return None if row is None else rater_of(row)

    def raters(self, project: int) -> tuple[Rater, ...]:
        """All raters, in the order of their numbers; quick, however many answers there are."""
        wanted = sa.select(raters).where(raters.c.project_id == project).order_by(raters.c.number)
        with self.database.reading() as connection:
            return tuple(map(rater_of, connection.execute(wanted)))

    def rater_of_user(self, project: int, user: int) -> Rater | None:
        """The rater whom somebody with a password is in a project; None if they are none."""
        with self.database.reading() as connection:
            return _known(connection, project, None, user)

    def rater_at_work(self, rater: int) -> tuple[Rater, Project] | None:
        """A rater and the project in which they judge; None if there is no such rater."""
        with self.database.reading() as connection:
            row = connection.execute(_RATER, {"rater": rater}).first()
            if row is None:
                return None
            return rater_of(row), read_project(connection, row.project_id)

    def answer_questionnaire(self, rater: int, answers: Mapping[str, str]) -> None:
        """Store what a rater says of themselves; what is required and missing is an InputError."""
        with self.database.writing() as connection:
            project, _ = lock_of_rater(connection, rater)
            survey = json.dumps(_checked(answers, project.settings), ensure_ascii=False)
            connection.execute(raters.update().where(raters.c.id == rater).values(survey=survey))

    def stop_rater(self, rater: int, *, flag: bool = True) -> Rater:
        """An admin's decision: no more work, and their judgments flagged if `flag`.

        Where the project replaces flagged judgments, others get their cases at once.
        """
        return self._set_rater(rater, standing=str(Standing.STOPPED), flagged=flag)

    def readmit_rater(self, rater: int) -> Rater:
        """The opposite: work again, no flag; gold answers so far are forgotten.

        Judgments that were to be replaced count again. Cases that others judged meanwhile, or have
        open, then have more judgments than the project asks for; no judgment is lost.
        """
        values = {"standing": str(Standing.ACTIVE), "gold_seen": 0, "gold_right": 0}
        return self._set_rater(rater, flagged=False, **values)

    def _set_rater(self, rater: int, **values: object) -> Rater:
        with self.database.writing() as connection:
            project, next_lot = lock_of_rater(connection, rater)
            connection.execute(raters.update().where(raters.c.id == rater).values(values))
            settle(connection, project, rater, next_lot)
            return rater_of(connection.execute(_RATER, {"rater": rater}).one())

    def forget_rater(
        self, project: int, rater: str, *, with_judgments: bool = False, now: float | None = None
    ) -> Forgotten:
        """Remove what identifies a rater (`R7`, a Prolific id, a name), or their judgments too.

        Cases that lose a judgment are assigned again. It cannot be undone.
        """
        with self.database.writing() as connection:
            if self.database.is_sqlite:  # what is deleted is overwritten, too
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
            lock(connection, project)
            found = _find(connection, project, rater)
            # the case that they have open goes to others, as if its lease had expired
            theirs = assignments.c.rater_id == found.id
            held = assignments.update().where(theirs, assignments.c.state == OPEN)
            connection.execute(held.values(expires=0.0))
            given = sa.select(assignments.c.id).where(theirs)
            connection.execute(drafts.delete().where(drafts.c.assignment_id.in_(given)))
            end_expired(connection, project, time_of(now), next_lot_of(connection, project))
            of_rater = answers.c.rater_id == found.id
            count = connection.execute(
                sa.select(sa.func.count()).select_from(answers).where(of_rater)
            ).scalar_one()
            if with_judgments:
                if not found.replaced:  # others are asked instead, unless they were already
                    withdraw(connection, project, found.id, next_lot_of(connection, project))
                connection.execute(answers.delete().where(of_rater))
                connection.execute(assignments.delete().where(theirs))
            # written to them, perhaps by name
            connection.execute(essay_feedback.delete().where(essay_feedback.c.rater_id == found.id))
            values: dict[str, Any] = {**NOBODY, **(NO_ANSWERS if with_judgments else {})}
            connection.execute(raters.update().where(raters.c.id == found.id).values(values))
        if self.database.is_sqlite:  # the log still has the old pages, until it is written back
            raw = self.database.engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                raw.close()
        removed = count if with_judgments else 0
        return Forgotten(f"R{found.number}", count - removed, removed)


def rater_of(row: Any) -> Rater:
    prolific = None
    if row.prolific_pid is not None:
        prolific = Prolific(row.prolific_pid, row.prolific_study, row.prolific_session)
    return Rater(
        **{name: getattr(row, name) for name in SAME},
        project=row.project_id,
        standing=Standing(row.standing),
        is_surveyed=row.survey is not None,
        prolific=prolific,
        user=row.user_id,
    )


def _known(
    connection: sa.Connection, project: int, prolific: Prolific | None, user: int | None
) -> Rater | None:
    """One person is one rater, in whatever browser."""
    wanted = sa.select(raters).where(raters.c.project_id == project)
    if prolific is not None:
        wanted = wanted.where(raters.c.prolific_pid == prolific.pid)
    elif user is not None:
        wanted = wanted.where(raters.c.user_id == user)
    else:
        return None
    row = connection.execute(wanted).first()
    return None if row is None else rater_of(row)


def _checked(answers: Mapping[str, str], settings: Settings) -> dict[str, str]:
    questions = {question.key: question for question in settings.questionnaire}
    if unknown := [key for key in answers if key not in questions]:
        raise UsageError(f"the questionnaire has no question '{unknown[0][:LONGEST_NAME]}'")
    for question in settings.questionnaire:
        given = answers.get(question.key, "").strip()
        if question.required and not given:
            raise InputError(f"Please answer: {question.text}")
        if given and question.options and given not in question.options:
            raise InputError(f"Please choose one of the answers to: {question.text}")
        if len(given) > LONGEST_ANSWER or not is_storable(given):
            raise InputError(f"The answer is too long, or cannot be stored: {question.text}")
    # a table cannot keep CR LF
    lines = {key: text.strip().replace("\r\n", "\n") for key, text in answers.items()}
    return {key: text for key, text in lines.items() if text}


def _find(connection: sa.Connection, project: int, rater: str) -> Any:
    """By number, as R7; by Prolific's id; by the name that they gave, if only one has it."""
    wanted = sa.select(raters).where(raters.c.project_id == project)
    everybody = connection.execute(wanted.order_by(raters.c.number)).all()
    for name in (
        lambda row: f"R{row.number}",
        lambda row: row.prolific_pid,
        lambda row: row.pseudonym,
    ):
        found = [row for row in everybody if rater and name(row) == rater]
        if len(found) == 1:
            return found[0]
        if found:
            numbers = ", ".join(f"R{row.number}" for row in found)
            raise InputError(f"{numbers} all call themselves '{rater}'; name one by its number")
    raise UnknownNameError(
        f"there is no rater '{rater}' in this project; name one as R1, by the Prolific id or by "
        "the name that they gave"
    )


# --- people with passwords ---


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
            if _find_user(connection, name) is not None:
                raise UsageError(f"there is a user '{name}' already; choose another name")
            values = {"name": name, "password": hashed, "role": str(role), "session": 1}
            connection.execute(users.insert().values(values))
            return _user(_find_user(connection, name))

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
            row = _find_user(connection, name) if "\0" not in name else None
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
    if _find_user(connection, name) is None:
        names = connection.execute(sa.select(users.c.name)).scalars()
        raise unknown_name("user", name, names)
    connection.execute(users.update().where(users.c.name == name).values(values))
    return _user(_find_user(connection, name))


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


def _find_user(connection: sa.Connection, name: str) -> Any:
    return connection.execute(sa.select(users).where(users.c.name == name)).first()


def _user(row: Any) -> User:
    return User(row.id, row.name, Role(row.role), row.session, bool(row.password))
