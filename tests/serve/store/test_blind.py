"""Attacks: raters who watch everything that happens to them, and try to tell gold from work.

What a rater can watch besides the pages: whether a late answer is still wanted, what comes back,
when there is nothing left, when a warning comes; in two browsers, what the other one gets. Each
test looks at one such sign, and at how many of the cases with and without it are gold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pytest
import sqlalchemy as sa

from jurybox.serve.model import Assignment, Nothing, Purpose, SubmittedAnswer
from jurybox.serve.settings import GoldRule
from jurybox.serve.store import Store
from jurybox.serve.store.assignment import APPLIED_EVERY
from jurybox.serve.store.tables import assignments, cases
from serve.made_studies import case_of, hand, judge, make_cases, make_project

MINUTE = 60.0
LATE = 16 * MINUTE


class Seen(NamedTuple):
    """A case, and whether the rater saw the sign."""

    case: str
    sign: bool

    @property
    def is_gold(self) -> bool:
        return self.case.startswith("g")


def share(seen: Iterable[Seen], *, sign: bool) -> float:
    """How many of the cases with (without) the sign are gold."""
    found = [one.is_gold for one in seen if one.sign == sign]
    assert len(found) >= 30, "too few to tell"
    return sum(found) / len(found)


def check_tells_nothing(seen: list[Seen], *, within: float = 0.15) -> None:
    """Gold is as frequent with the sign as without."""
    assert abs(share(seen, sign=True) - share(seen, sign=False)) < within


def check_rate(seen: list[Seen], rate: float, *, within: float = 0.15) -> None:
    """Gold is as frequent with the sign as it is among all hand-outs."""
    assert abs(share(seen, sign=True) - rate) < within


@pytest.fixture
def study(lite: Store) -> Store:
    """Random numbers hang on the database's secret: the same ones whenever the tests run."""
    lite.database.__dict__["secret"] = "the same for every run of the tests"
    return lite


@pytest.mark.slow
def test_whether_a_late_answer_is_wanted_does_not_tell_gold(study: Store) -> None:
    """One rater leaves a case until its lease is over; others judge few or many of the rest."""
    seen = []
    for number in range(100):
        project = make_project(study, 4, gold=10, name=f"study {number}", gold_rate=0.5)
        slow, other = (study.join(project.id).id for _ in range(2))
        handed = hand(study, slow, now=0)
        for _ in range(number % 10):
            if isinstance(study.next_case(other, now=LATE), Assignment):
                judge(study, other, now=LATE)
        outcome = study.answer(slow, handed.token, SubmittedAnswer("ok"), "key", now=LATE)
        seen.append(Seen(case_of(handed), outcome.accepted))
    check_tells_nothing(seen)


def test_in_a_long_study_late_answers_are_wanted_whether_they_are_gold_or_not(study: Store) -> None:
    project = make_project(study, 200, gold=100, gold_rate=0.5)
    slow, other = (study.join(project.id).id for _ in range(2))
    kinds = set()
    for now in range(0, 20 * int(LATE), int(LATE)):
        handed = hand(study, slow, now)
        judge(study, other, now=now), judge(study, other, now=now + LATE)
        assert study.answer(
            slow, handed.token, SubmittedAnswer("ok"), handed.token, now=now + LATE
        ).accepted
        kinds.add(case_of(handed)[0])
    assert kinds == {"c", "g"}


def test_what_a_second_browser_gets_does_not_tell_whether_the_first_holds_gold(
    study: Store,
) -> None:
    """With one work case left, whoever holds it makes others wait; so must whoever holds gold."""
    seen = []
    for number in range(45):
        project = make_project(study, 1, gold=3, name=f"study {number}", gold_rate=0.5)
        first, second = (study.join(project.id).id for _ in range(2))
        handed = hand(study, first)
        seen.append(Seen(case_of(handed), isinstance(study.next_case(second), Assignment)))
    assert {one.sign for one in seen} == {False}, "the only case went to two people"
    assert 12 < sum(one.is_gold for one in seen) < 33


def finish(store: Store, rater: int, now: float = 0.0, said: str = "ok") -> list[str]:
    """Everything that there is for a rater, in order."""
    seen = []
    while isinstance(handed := store.next_case(rater, now=now), Assignment):
        seen.append(case_of(handed))
        store.answer(rater, handed.token, SubmittedAnswer(said), handed.token, now=now)
    return seen


@pytest.mark.slow
def test_the_last_case_is_gold_as_often_as_any_other(study: Store) -> None:
    seen = []
    for number in range(60):
        project = make_project(study, 3, gold=20, name=f"study {number}", gold_rate=0.4)
        last = finish(study, study.join(project.id).id)[-1]
        seen.append(Seen(last, sign=True))
    check_rate(seen, 0.4)


@pytest.mark.slow
def test_a_case_that_comes_after_waiting_is_gold_as_often_as_any_other(study: Store) -> None:
    seen = []
    for number in range(60):
        project = make_project(study, 2, gold=20, name=f"study {number}", gold_rate=0.4)
        leaves, stays = (study.join(project.id).id for _ in range(2))
        hand(study, leaves, now=0)
        before = finish(study, stays, now=1)
        assert study.next_case(stays, now=2) == Nothing("waiting", len(before))
        seen.append(Seen(case_of(study.next_case(stays, now=LATE)), sign=True))
    check_rate(seen, 0.4)


def test_whoever_comes_when_all_is_judged_gets_no_gold_either(study: Store) -> None:
    project = make_project(study, 2, gold=30, gold_rate=0.5)
    finish(study, study.join(project.id).id)
    for _ in range(20):
        found = study.next_case(study.join(project.id).id)
        assert found == Nothing("finished", is_first=True)


def test_a_case_that_is_shown_twice_is_gold_as_often_as_any_other(study: Store) -> None:
    project = make_project(study, 150, gold=150, gold_rate=0.3, repeat_share=0.3)
    order = finish(study, study.join(project.id).id)
    seen = [Seen(case, order.count(case) == 2) for case in dict.fromkeys(order)]
    check_tells_nothing(seen)


def test_gold_that_is_shown_twice_counts_once_for_the_rule(study: Store) -> None:
    project = make_project(study, 60, gold=60, gold_rate=0.3, repeat_share=0.4)
    rater = study.join(project.id).id
    order = finish(study, rater)
    gold = [case for case in order if case.startswith("g")]
    found = study.rater(rater)
    assert found is not None
    assert len(gold) > len(set(gold)) == found.gold_seen


def test_gold_that_was_given_up_does_not_come_again_where_work_would_not(study: Store) -> None:
    """A rater is late, others take the case; only a case that is needed again may come again."""
    project = make_project(study, 40, gold=4, gold_rate=0.5)
    slow, other = (study.join(project.id).id for _ in range(2))
    now, given_up = 0.0, []
    while isinstance(handed := study.next_case(slow, now=now), Assignment):
        given_up.append(case_of(handed))
        now += LATE
        finish(study, other, now)
    assert len(given_up) == len(set(given_up))


@pytest.mark.slow
def test_warnings_come_as_often_as_gold_at_places_that_gold_does_not_decide(study: Store) -> None:
    rule = GoldRule(0.8, 1, "warn")
    seen = []
    for number in range(8):
        project = make_project(
            study, 60, gold=30, name=f"s{number}", gold_rate=0.25, gold_rule=rule
        )
        rater = study.join(project.id).id
        order, warned = [], []
        while isinstance(handed := study.next_case(rater), Assignment):
            order.append(case_of(handed))
            warned.append(handed.is_warned)
            said = "error" if len(order) % 3 else "ok"
            study.answer(rater, handed.token, SubmittedAnswer(said), handed.token)
        # the sign: what was answered right before a warning, and what stands under one
        seen += [Seen(case, sign) for case, sign in zip(order, warned[1:], strict=False)]
        seen += [Seen(case, sign) for case, sign in zip(order, warned, strict=True)]
    check_tells_nothing(seen)


@pytest.mark.slow
def test_being_stopped_comes_at_a_place_that_gold_does_not_decide(study: Store) -> None:
    """Everything is answered wrong; the sign: the very last case, among those since the last place.

    Being stopped shows that one of these is gold, but not which.
    """
    seen = []
    for number in range(150):
        rule = GoldRule(0.8, 1 + number % 3)
        project = make_project(study, 60, gold=30, name=f"s{number}", gold_rate=0.2, gold_rule=rule)
        order = finish(study, rater := study.join(project.id).id, said="error")
        assert study.next_case(rater) == Nothing("stopped", len(order))
        assert len(order) < 60
        last = order[-APPLIED_EVERY:]
        assert any(case.startswith("g") for case in last)
        seen += [Seen(case, place == len(last)) for place, case in enumerate(last, 1)]
    check_tells_nothing(seen, within=0.1)


def test_whoever_is_to_be_stopped_is_stopped_at_the_end_at_the_latest(study: Store) -> None:
    for number in range(20):
        rule = GoldRule(1.0, 1)
        project = make_project(study, 3, gold=1, name=f"s{number}", gold_rate=0.5, gold_rule=rule)
        order = finish(study, rater := study.join(project.id).id, said="error")
        why = "stopped" if "g0" in order else "finished"
        assert study.next_case(rater) == Nothing(why, len(order))


def test_an_answer_to_an_old_page_does_not_undo_being_stopped(study: Store) -> None:
    project = make_project(study, 60, gold=30, gold_rate=0.5, gold_rule=GoldRule(1.0, 1))
    rater = study.join(project.id).id
    left = hand(study, rater, now=0)
    order = finish(study, rater, LATE, said="error")  # the one that was left comes first
    assert study.next_case(rater, now=LATE) == Nothing("stopped", len(order))
    study.answer(rater, left.token, SubmittedAnswer("ok"), "again", now=LATE)
    assert study.next_case(rater, now=LATE) == Nothing("stopped", len(order))


def hold_the_last(study: Store, name: str, *, gold: bool) -> tuple[int, int, Assignment | Nothing]:
    """A study of one work case, and somebody who has it; or, if it comes, gold after it."""
    project = make_project(study, 1, gold=6, name=name, gold_rate=0.5)
    slow = study.join(project.id).id
    while case_of(last := hand(study, slow, now=0)) != "c0":
        study.answer(slow, last.token, SubmittedAnswer("ok"), last.token, now=0)
    if gold:
        study.answer(slow, last.token, SubmittedAnswer("ok"), last.token, now=0)
        return project.id, slow, study.next_case(slow, now=0)
    return project.id, slow, last


def test_the_very_last_case_goes_to_the_next_one_be_it_gold_or_work(study: Store) -> None:
    """Left until the lease is over, it comes to a second browser; then a late answer is refused."""
    kinds = []
    for number in range(40):
        project, slow, handed = hold_the_last(study, f"study {number}", gold=number % 2 == 0)
        if isinstance(handed, Nothing):
            continue
        kinds.append(case_of(handed)[0])
        other = study.join(project).id
        if number % 4 < 2:  # nobody else comes: it is still wanted
            assert study.answer(
                slow, handed.token, SubmittedAnswer("ok"), "late", now=LATE
            ).accepted
            assert study.next_case(other, now=LATE) == Nothing("finished", is_first=True)
            continue
        waiting = study.next_case(other, now=1)
        assert waiting == Nothing("waiting", is_first=True)
        taken = [case_of(hand(study, other, now=LATE))]
        assert not study.answer(
            slow, handed.token, SubmittedAnswer("ok"), "late", now=LATE
        ).accepted
        taken += finish(study, other, now=LATE)
        assert case_of(handed) in taken
        after = study.next_case(slow, now=LATE)
        assert isinstance(after, Nothing) or case_of(after) != case_of(handed)
    assert min(kinds.count("c"), kinds.count("g")) > 5


# --- the reservation that this takes ---


def check_reserved(store: Store, project: int) -> None:
    """A case is taken by its judgments, its leases, and by gold and repeats that stand for it."""
    held = sa.func.coalesce(assignments.c.shadow_id, assignments.c.case_id)
    leased = sa.select(held).where(
        assignments.c.project_id == project,
        assignments.c.state == "open",
        sa.or_(assignments.c.purpose == str(Purpose.WORK), assignments.c.shadow_id.is_not(None)),
    )
    work = sa.select(cases).where(cases.c.project_id == project, cases.c.counts == 1)
    with store.database.reading() as connection:
        open_ = list(connection.execute(leased).scalars())
        for row in connection.execute(work):
            assert row.taken == row.answered + open_.count(row.id), row.name


def test_work_that_gold_stands_for_is_free_again_however_the_gold_case_ends(store: Store) -> None:
    project = make_project(store, 6, gold=20, per_case=2, gold_rate=0.4, repeat_share=0.3)
    raters = [store.join(project.id).id for _ in range(6)]
    now = 0.0
    for turn in range(12):
        for place, rater in enumerate(raters):
            handed = store.next_case(rater, now=now)
            check_reserved(store, project.id)
            if isinstance(handed, Assignment) and (turn + place) % 3:
                now += 7 * MINUTE * (place % 2)
                store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token, now=now)
                check_reserved(store, project.id)
    for rater in [*raters, *(store.join(project.id).id for _ in range(2))]:
        finish(store, rater, now + LATE)
    assert store.progress(project.id, now=now + LATE)[:4] == (6, 6, 12, 12)


def test_gold_that_comes_again_at_the_end_gives_back_no_work_that_is_done(study: Store) -> None:
    """A work case was kept for gold that was left; it is done by now, and stays so."""
    found = 0
    for number in range(30):
        project = make_project(study, 1, gold=1, name=f"s{number}", per_case=3, gold_rate=0.5)
        rater = study.join(project.id).id
        if case_of(hand(study, rater, now=0)) != "g0":
            continue
        others = [study.join(project.id).id for _ in range(3)]
        for other in others:
            hand(study, other, now=LATE)
        assert study.next_case(rater, now=LATE) == Nothing("waiting")
        study.add_cases(project.id, make_cases(1, "more"))
        judge(study, rater, now=LATE)
        hand(study, others[0], now=3 * LATE)
        found += finish(study, rater, now=3 * LATE) == ["c0", "g0"]
        check_reserved(study, project.id)
    assert found > 1
