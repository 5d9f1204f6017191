"""What a `Store` does for people: raters who join, and users with a password."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jurybox.serve.model import Project, Prolific, Rater, Role, User
from jurybox.serve.store._opened import Opened, time_of

if TYPE_CHECKING:
    from jurybox.serve.store.forgetting import Forgotten


class PeopleCalls(Opened):
    """Raters and users."""

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
        is new: who comes back with a signed cookie is looked up by `rater` instead. A closed
        project is an InputError.
        """
        from jurybox.serve.store import people

        return people.join(
            self.database, project, pseudonym, prolific=prolific, user=user, now=time_of(now)
        )

    def rater(self, rater: int) -> Rater | None:
        """A rater by number; None if there is none."""
        from jurybox.serve.store import people

        return people.read_rater(self.database, rater)

    def rater_of_user(self, project: int, user: int) -> Rater | None:
        """The rater whom somebody with a password is in a project; None if they are none."""
        from jurybox.serve.store import people

        return people.read_rater_of_user(self.database, project, user)

    def rater_at_work(self, rater: int) -> tuple[Rater, Project] | None:
        """A rater and the project in which they judge; None if there is no such rater."""
        from jurybox.serve.store import people

        return people.read_at_work(self.database, rater)

    def answer_questionnaire(self, rater: int, answers: Mapping[str, str]) -> None:
        """Store what a rater says of themselves; what is required and missing is an InputError."""
        from jurybox.serve.store import people

        people.answer_questionnaire(self.database, rater, answers)

    def stop_rater(self, rater: int, *, flag: bool = True) -> Rater:
        """An admin's decision: no more work, and their judgments flagged if `flag`."""
        from jurybox.serve.store import people

        return people.stop(self.database, rater, flag=flag)

    def readmit_rater(self, rater: int) -> Rater:
        """The other way round: work again, no flag; gold answers so far are forgotten."""
        from jurybox.serve.store import people

        return people.readmit(self.database, rater)

    def forget_rater(
        self, project: int, rater: str, *, with_judgments: bool = False, now: float | None = None
    ) -> Forgotten:
        """Remove what tells who a rater is (`R7`, a Prolific id, a name), or their judgments too.

        Cases that lose a judgment are handed out again. Nothing of it can be undone.
        """
        from jurybox.serve.store import forgetting

        return forgetting.forget(
            self.database, project, rater, with_judgments=with_judgments, now=time_of(now)
        )

    def add_user(self, name: str, password: str, role: Role = Role.ADMIN) -> User:
        """Somebody with a password (argon2); a name that is taken is a UsageError."""
        from jurybox.serve.store import users

        return users.add(self.database, name, password, role)

    def set_password(self, name: str, password: str) -> User:
        """Another password; sessions that were begun with the old one are over."""
        from jurybox.serve.store import users

        return users.set_password(self.database, name, password)

    def set_role(self, name: str, role: Role) -> User:
        """Another role, from the next page on; the last admin keeps theirs (UsageError)."""
        from jurybox.serve.store import users

        return users.set_role(self.database, name, role)

    def remove_access(self, name: str) -> User:
        """No way in any more, sessions are over; a new password gives it back.

        What they judged and decided stays. The last admin cannot be removed (UsageError).
        """
        from jurybox.serve.store import users

        return users.remove_access(self.database, name)

    def log_in(self, name: str, password: str) -> User | None:
        """The user, or None; a name that is unknown takes as long as a wrong password."""
        from jurybox.serve.store import users

        return users.log_in(self.database, name, password)

    def user(self, user: int) -> User | None:
        """A user by number."""
        from jurybox.serve.store import users

        return users.read(self.database, user)

    def users(self) -> tuple[User, ...]:
        """All users, by name."""
        from jurybox.serve.store import users

        return users.read_all(self.database)
