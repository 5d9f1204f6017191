"""People with passwords: roles, access, the last admin."""

from __future__ import annotations

from itertools import compress

import pytest

from jurybox.errors import UnknownNameError, UsageError
from jurybox.serve.model import Role
from jurybox.serve.store import Store
from serve.at_once import at_once

PASSWORD = "long enough"

pytestmark = pytest.mark.usefixtures("quick_hashes")


def test_a_role_can_be_changed_but_the_last_admin_keeps_theirs(store: Store) -> None:
    store.add_user("ada", PASSWORD)
    store.add_user("bea", PASSWORD, Role.RATER)
    with pytest.raises(UsageError, match="ada is the only admin"):
        store.set_role("ada", Role.RATER)
    assert store.set_role("ada", Role.ADMIN).role == Role.ADMIN  # what they are already
    assert store.set_role("bea", Role.ADMIN).role == Role.ADMIN
    assert store.set_role("ada", Role.ADJUDICATOR).role == Role.ADJUDICATOR
    with pytest.raises(UnknownNameError, match="eve"):
        store.set_role("eve", Role.RATER)


def test_who_lost_access_cannot_log_in_and_is_no_admin_to_rely_on(store: Store) -> None:
    store.add_user("ada", PASSWORD)
    bea = store.add_user("bea", PASSWORD)
    removed = store.remove_access("bea")
    assert (removed.has_access, removed.id) == (False, bea.id)
    assert removed.session != bea.session
    assert store.log_in("bea", PASSWORD) is None
    assert store.log_in("bea", "") is None
    with pytest.raises(UsageError, match="ada is the only admin"):
        store.remove_access("ada")
    assert store.set_password("bea", "a new password").has_access
    assert store.log_in("bea", "a new password") is not None
    assert not store.remove_access("ada").has_access


def remove_at_once(store: Store, names: list[str]) -> list[str]:
    """Who was refused."""

    def is_refused(name: str) -> bool:
        try:
            store.remove_access(name)
        except UsageError:
            return True
        return False

    return list(compress(names, at_once(is_refused, names)))


def test_two_admins_cannot_remove_each_other_at_once(store: Store) -> None:
    """On PostgreSQL each would see the other one still there."""
    for turn in range(5):
        names = [f"ada{turn}", f"bea{turn}"]
        for name in names:
            store.add_user(name, PASSWORD)
        for one in store.users():
            if one.name not in names and one.has_access:
                store.remove_access(one.name)
        refused = remove_at_once(store, names)
        assert len(refused) == 1
        assert [one.name for one in store.users() if one.has_access] == refused
