"""Who gets which case next."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
import sqlalchemy as sa

from jurybox.errors import UsageError
from jurybox.serve.model import REPEAT_GAP, Assignment, Nothing, Purpose, SubmittedAnswer
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store
from jurybox.serve.store.tables import cases, raters
from serve.made_studies import case_of, hand, judge, judged, make_cases, make_project

MINUTE = 60.0


def test_a_page_that_is_loaded_again_shows_the_same_case(store: Store) -> None:
    project = make_project(store, 5)
    rater = store.join(project.id).id
    assert store.next_case(rater, now=0) == store.next_case(rater, now=60)


def test_cases_with_fewest_judgments_and_leases_come_first(store: Store) -> None:
    project = make_project(store, 3, per_case=2)
    raters = [store.join(project.id).id for _ in range(6)]
    first = [case_of(hand(store, rater, 0)) for rater in raters[:3]]
    assert sorted(first) == ["c0", "c1", "c2"]
    assert sorted(case_of(hand(store, rater, 0)) for rater in raters[3:]) == ["c0", "c1", "c2"]


def test_nobody_judges_a_case_twice_and_all_get_their_number(store: Store) -> None:
    project = make_project(store, 7, per_case=3)
    raters = [store.join(project.id).id for _ in range(4)]
    for rater in raters * 7:
        if isinstance(store.next_case(rater), Assignment):
            judge(store, rater)
    found = [(row["case"], row["rater"]) for row in judged(store, project.id)]
    assert len(found) == len(set(found)) == 21
    assert set(Counter(case for case, _ in found).values()) == {3}


def test_a_case_not_answered_in_time_goes_to_somebody_else(store: Store) -> None:
    project = make_project(store, 1, lease_minutes=15)
    first, second = (store.join(project.id).id for _ in range(2))
    hand(store, first, 0)
    assert store.next_case(second, now=15 * MINUTE - 1) == Nothing("waiting", is_first=True)
    assert case_of(store.next_case(second, now=15 * MINUTE)) == "c0"
    assert store.next_case(first, now=16 * MINUTE) == Nothing("waiting")


def test_who_left_a_case_gets_it_again_if_nobody_else_took_it(store: Store) -> None:
    project = make_project(store, 4)
    rater = store.join(project.id).id
    before = hand(store, rater, 0)
    again = hand(store, rater, 60 * MINUTE)
    assert again.token == before.token
    assert again.expires == 75 * MINUTE


def test_a_case_that_two_raters_left_is_not_stuck(store: Store) -> None:
    project = make_project(store, 1)
    first, second = (store.join(project.id).id for _ in range(2))
    hand(store, first, 0)
    hand(store, second, 20 * MINUTE)
    assert isinstance(store.next_case(first, now=21 * MINUTE), Nothing)
    assert case_of(store.next_case(first, now=40 * MINUTE)) == "c0"


def test_a_case_that_comes_back_is_found_by_who_had_passed_it(store: Store) -> None:
    project = make_project(store, 3)
    leaves, stays = (store.join(project.id).id for _ in range(2))
    assert case_of(hand(store, leaves, 0)) == "c0"
    assert [case_of(judge(store, stays, now=1)[0]) for _ in range(2)] == ["c1", "c2"]
    assert store.next_case(stays, now=2) == Nothing("waiting", 2)
    assert case_of(store.next_case(stays, now=16 * MINUTE)) == "c0"


def test_practice_comes_first_in_its_order_for_everybody(store: Store) -> None:
    project = make_project(store, 2)
    practice = make_cases(3, "p", purpose=Purpose.PRACTICE, gold=("ok",), feedback="fine")
    store.add_cases(project.id, practice)
    for _ in range(2):
        rater = store.join(project.id).id
        seen = [judge(store, rater) for _ in range(4)]
        assert [case_of(handed) for handed, _ in seen][:3] == ["p0", "p1", "p2"]
        assert [handed.is_practice for handed, _ in seen] == [True, True, True, False]
        assert [(handed.done, handed.total) for handed, _ in seen][:3] == [(0, 3), (1, 3), (2, 3)]


def test_raters_are_told_whether_practice_was_right_and_nothing_of_other_cases(
    store: Store,
) -> None:
    project = make_project(store, 2)
    store.add_cases(
        project.id,
        make_cases(1, "p", purpose=Purpose.PRACTICE, gold=("ok",), feedback="At home is right."),
    )
    for label, right in (("error", False), ("ok", True)):
        rater = store.join(project.id).id
        feedback = judge(store, rater, label)[1].feedback
        assert feedback == (right, ("ok",), "At home is right.")
    assert judge(store, rater)[1].feedback is None


def test_gold_comes_at_its_rate_and_differently_for_every_rater(lite: Store) -> None:
    project = make_project(lite, 120, gold_rate=0.25, per_case=2)
    lite.add_cases(project.id, make_cases(80, "g", gold=("error",)))
    orders = []
    for _ in range(2):
        rater = lite.join(project.id).id
        orders.append([case_of(judge(lite, rater)[0])[0] for _ in range(120)])
    for order in orders:
        assert 11 <= order.count("g") <= 49  # 30 expected, standard deviation 4.7
    assert orders[0] != orders[1]


def test_no_gold_case_comes_twice_to_a_rater(lite: Store) -> None:
    project = make_project(lite, 60, gold_rate=0.5, per_case=2)
    lite.add_cases(project.id, make_cases(5, "g", gold=("error",)))
    for _ in range(2):
        rater = lite.join(project.id).id
        seen: list[str] = []
        while isinstance(handed := lite.next_case(rater), Assignment):
            seen.append(case_of(handed))
            lite.answer(rater, handed.token, SubmittedAnswer("error"), handed.token)
        assert len(seen) == len(set(seen)) == 65


def test_gold_and_work_are_handed_out_and_answered_by_the_same_statements(lite: Store) -> None:
    """What differs in what is done differs in time, and time would tell raters what is gold."""
    project = make_project(lite, 80, gold_rate=0.4, per_case=2)
    lite.add_cases(project.id, make_cases(80, "g", gold=("error",)))
    said: list[str] = []

    def note(*given: Any) -> None:
        said.append(given[2])

    sa.event.listen(lite.database.engine, "before_cursor_execute", note)
    rater = lite.join(project.id).id
    ways: dict[str, set[tuple[str, ...]]] = {"c": set(), "g": set()}
    for _ in range(60):
        said.clear()
        handed, _ = judge(lite, rater)
        ways[case_of(handed)[0]].add(tuple(said))
    assert len(ways["c"]) == 1
    assert ways["g"] == ways["c"]


def test_progress_of_raters_counts_gold_like_work(lite: Store) -> None:
    project = make_project(lite, 30, gold_rate=0.4)
    lite.add_cases(project.id, make_cases(30, "g", gold=("error",)))
    rater = lite.join(project.id).id
    assert [judge(lite, rater)[0].done for _ in range(20)] == list(range(20))


def test_a_rater_has_done_enough_after_per_rater_cases(store: Store) -> None:
    project = make_project(store, 9, per_rater=4)
    rater = store.join(project.id).id
    assert [judge(store, rater)[0].total for _ in range(4)] == [4] * 4
    assert store.next_case(rater) == Nothing("finished", 4)


def test_repeats_come_once_each_after_a_while_and_do_not_count(store: Store) -> None:
    project = make_project(store, 60, repeat_share=0.3)
    rater = store.join(project.id).id
    seen: list[str] = []
    while isinstance(handed := store.next_case(rater), Assignment):
        seen.append(case_of(handed))
        store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token)
    times = Counter(seen)
    assert set(times) == {f"c{i}" for i in range(60)}
    assert set(times.values()) == {1, 2}
    for case in (case for case, number in times.items() if number == 2):
        first = seen.index(case)
        assert seen.index(case, first + 1) - first >= REPEAT_GAP
    marked = [row["case"] for row in judged(store, project.id) if row["status"] == "repeat"]
    assert sorted(marked) == sorted(case for case, number in times.items() if number == 2)
    assert store.progress(project.id)[:4] == (60, 60, 60, 60)


def test_without_repeats_asked_for_nobody_sees_a_case_again(lite: Store) -> None:
    project = make_project(lite, 40)
    rater = lite.join(project.id).id
    assert len({case_of(judge(lite, rater)[0]) for _ in range(40)}) == 40
    assert lite.next_case(rater) == Nothing("finished", 40)


def test_a_closed_project_hands_nothing_out_and_still_takes_answers(store: Store) -> None:
    project = make_project(store, 3)
    rater = store.join(project.id).id
    handed = hand(store, rater)
    store.change_project(project.id, Settings("study", is_open=False))
    assert store.next_case(rater) == Nothing("closed")
    assert store.answer(rater, handed.token, SubmittedAnswer("ok"), "k").accepted


def test_cases_that_are_added_later_are_handed_out_to_those_who_had_finished(store: Store) -> None:
    project = make_project(store, 2)
    rater = store.join(project.id).id
    judge(store, rater), judge(store, rater)
    assert store.next_case(rater) == Nothing("finished", 2)
    store.add_cases(project.id, make_cases(1, "new"))
    assert case_of(store.next_case(rater)) == "new0"


def test_a_rater_who_does_not_exist_is_refused(lite: Store) -> None:
    with pytest.raises(UsageError, match="no rater 99"):
        lite.next_case(99)


def test_a_hand_out_looks_at_few_cases_however_many_a_rater_has_judged(lite: Store) -> None:
    """One rater's block of judged cases lies before everybody's: it must be passed over once."""
    project = make_project(lite, 60, per_case=2)
    first, second = (lite.join(project.id).id for _ in range(2))
    for rater in (first, second):
        for _ in range(30):
            judge(lite, rater)
    assert case_of(lite.next_case(first)) == "c30"
    with lite.database.reading() as connection:
        mine = sa.select(raters.c.cursors).where(raters.c.id == first)
        cursors = json.loads(connection.execute(mine).scalar_one())
        behind = sa.select(sa.func.count()).where(
            cases.c.taken == 1, cases.c.lot <= cursors["work1"]
        )
        assert connection.execute(behind).scalar_one() == 30
