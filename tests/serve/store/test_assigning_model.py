"""Hand-outs, answers and expiring leases against a model that is obviously right."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from jurybox.serve.model import Assignment, Nothing, SubmittedAnswer
from jurybox.serve.settings import Overlap
from jurybox.serve.store import Store
from serve.made_studies import case_of, judged, make_project

LEASE = 15 * 60
_numbers = count()


class Lease(NamedTuple):
    """A hand-out: whose, of what, until when, and by what name."""

    rater: int
    case: str
    ends: float
    token: str


class Study(RuleBasedStateMachine):
    """Raters come, take cases, answer, or leave; time goes by."""

    store: Store  # set by the tests

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.raters: list[int] = []
        self.answered: set[tuple[int, str]] = set()
        self.leases: dict[tuple[int, str], Lease] = {}  # handed out and not answered
        self.last: dict[int, Lease] = {}  # per rater

    @initialize(cases=st.integers(1, 4), per_case=st.integers(1, 3), is_shared=st.booleans())
    def begin(self, cases: int, per_case: int, is_shared: bool) -> None:
        name = f"model {next(_numbers)}"
        overlap = Overlap(1, 2, per_case + 1) if is_shared else None
        made = make_project(self.store, cases, name=name, per_case=per_case, overlap=overlap)
        self.project = made.id
        self.cases = [f"c{i}" for i in range(cases)]
        self.shared = set(self.cases[::2]) if is_shared else set()
        self.needs = {case: per_case + (case in self.shared) for case in self.cases}
        for _ in range(2):
            self.join()

    @rule()
    def join(self) -> None:
        if len(self.raters) < 5:
            self.raters.append(self.store.join(self.project).id)

    @rule(minutes=st.sampled_from([1, 7, 15, 40]))
    def wait(self, minutes: int) -> None:
        self.now += 60 * minutes

    @rule(place=st.integers(0, 4))
    def ask(self, place: int) -> None:
        rater = self.raters[place % len(self.raters)]
        handed = self.store.next_case(rater, now=self.now)
        held = self.last.get(rater)
        if held is not None and (held.ends > self.now or self.is_wanted(held.case)):
            assert isinstance(handed, Assignment)
            assert handed.token == held.token
        else:
            can = [case for case in self.cases if (rater, case) not in self.answered]
            can = [case for case in can if self.is_wanted(case)]
            if not can:
                assert isinstance(handed, Nothing)
                return
            begun = [case for case in can if case in self.shared and self.load(case)]
            fewest = min(map(self.load, can))
            few = [case for case in can if self.load(case) == fewest]
            assert case_of(handed) in (begun or few)
        assert isinstance(handed, Assignment)
        is_kept = held is not None and held.ends > self.now
        ends = held.ends if held is not None and is_kept else self.now + LEASE
        assert handed.expires == ends
        lease = Lease(rater, case_of(handed), ends, handed.token)
        self.leases[rater, lease.case] = self.last[rater] = lease

    @rule(place=st.integers(0, 20), key=st.integers(0, 3))
    def answer(self, place: int, key: int) -> None:
        if not self.leases:
            return
        lease = list(self.leases.values())[place % len(self.leases)]
        needs = lease.ends > self.now or self.is_wanted(lease.case)
        name = f"{lease.token} {key}"
        for again in (False, True):
            outcome = self.store.answer(
                lease.rater, lease.token, SubmittedAnswer("ok"), name, now=self.now
            )
            assert outcome.accepted == needs
            assert outcome.is_again == (again and needs)
        if needs:
            self.answered.add((lease.rater, lease.case))
            del self.leases[lease.rater, lease.case]
            if self.last.get(lease.rater) == lease:
                del self.last[lease.rater]

    @invariant()
    def no_case_has_more_judgments_than_wanted(self) -> None:
        if not hasattr(self, "project"):
            return
        progress = self.store.progress(self.project, now=self.now)
        assert progress.judgments == len(self.answered)
        assert all(self.load(case) <= needed for case, needed in self.needs.items())

    def is_wanted(self, case: str) -> bool:
        return self.load(case) < self.needs[case]

    def load(self, case: str) -> int:
        """Judgments and leases that hold."""
        given = sum(judged_case == case for _, judged_case in self.answered)
        held = sum(o.case == case and o.ends > self.now for o in self.leases.values())
        return given + held

    def teardown(self) -> None:
        if not hasattr(self, "project"):
            return
        self.finish()
        found = Counter(row["case"] for row in judged(self.store, self.project))
        assert found == self.needs, "a case is stuck, or has too many"

    def finish(self) -> None:
        """Enough raters judge what is left when everybody else has gone."""
        self.now += LEASE
        for rater in [*self.raters, *(self.store.join(self.project).id for _ in range(4))]:
            while isinstance(handed := self.store.next_case(rater, now=self.now), Assignment):
                self.store.answer(
                    rater, handed.token, SubmittedAnswer("ok"), handed.token, now=self.now
                )


def run_study(store: Store, examples: int) -> None:
    class OnThisStore(Study):
        pass

    OnThisStore.store = store
    run_state_machine_as_test(
        OnThisStore,
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_store_assigns_as_the_model_says_on_sqlite(lite: Store) -> None:
    run_study(lite, 15)


def test_the_store_assigns_as_the_model_says_on_postgresql(postgres_store: Store) -> None:
    run_study(postgres_store, 3)


@pytest.mark.slow
def test_the_store_assigns_as_the_model_says_on_sqlite_at_length(lite: Store) -> None:
    run_study(lite, 100)


@pytest.mark.slow
def test_the_store_assigns_as_the_model_says_on_postgresql_at_length(
    postgres_store: Store,
) -> None:
    run_study(postgres_store, 40)
