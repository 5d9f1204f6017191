"""Flagged raters' cases are judged again, where the project asks for it: exactly, and blindly."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from jurybox.serve.model import Assignment, Nothing, Project, Standing, SubmittedAnswer
from jurybox.serve.settings import GoldRule
from jurybox.serve.store import Store, open_store
from jurybox.serve.store.leases import GONE
from serve.at_once import at_once
from serve.made_studies import case_of, hand, judge, judged, make_project
from serve.store.test_blind import check_reserved, finish

ALWAYS = GoldRule(1.0, 1)  # one wrong answer to gold is enough


def counted(store: Store, project: int) -> Counter[str]:
    """Judgments of every work case by raters who are not flagged."""
    return Counter(row["case"] for row in judged(store, project, gold=False, flagged=False))


def stopped_after(store: Store, cases: int, **settings: Any) -> tuple[Project, int]:
    """A rater who judged so many cases of four, and whom an admin stopped."""
    project = make_project(store, 4, replace_flagged=True, **settings)
    rater = store.join(project.id).id
    for _ in range(cases):
        judge(store, rater)
    store.stop_rater(rater)
    return project, rater


def test_cases_of_a_flagged_rater_are_judged_again_and_nothing_is_deleted(store: Store) -> None:
    project, _ = stopped_after(store, 3)
    assert store.progress(project.id)[:4] == (4, 0, 0, 4)
    check_reserved(store, project.id)
    assert sorted(finish(store, store.join(project.id).id)) == ["c0", "c1", "c2", "c3"]
    assert store.progress(project.id)[:4] == (4, 4, 4, 4)
    assert counted(store, project.id) == dict.fromkeys(["c0", "c1", "c2", "c3"], 1)
    flagged = [row for row in judged(store, project.id) if "flagged" in row["status"]]
    assert len(flagged) == 3
    assert store.next_case(store.join(project.id).id) == Nothing("finished", is_first=True)


def test_unless_the_project_asks_for_it_nothing_is_judged_again(store: Store) -> None:
    project = make_project(store, 2)
    rater = store.join(project.id).id
    judge(store, rater), judge(store, rater)
    store.stop_rater(rater)
    assert store.progress(project.id)[:4] == (2, 2, 2, 2)
    assert store.next_case(store.join(project.id).id) == Nothing("finished", is_first=True)


def test_a_rater_who_is_stopped_without_a_flag_keeps_their_judgments(store: Store) -> None:
    project, rater = stopped_after(store, 3)
    store.stop_rater(rater, flag=False)
    assert store.progress(project.id).judgments == 3
    check_reserved(store, project.id)


def test_an_answer_of_a_stopped_rater_is_stored_and_counts_for_no_case(store: Store) -> None:
    project = make_project(store, 2, replace_flagged=True)
    rater = store.join(project.id).id
    handed = hand(store, rater)
    store.stop_rater(rater)
    assert store.answer(rater, handed.token, SubmittedAnswer("ok"), "key").accepted
    assert len(judged(store, project.id)) == 1
    assert store.progress(project.id).judgments == 0
    check_reserved(store, project.id)
    assert len(finish(store, store.join(project.id).id)) == 2


def test_readmitting_counts_again_what_was_judged_and_what_replaced_it(store: Store) -> None:
    """Two of three cases were judged again meanwhile: these have one judgment more than asked."""
    project, rater = stopped_after(store, 3)
    other = store.join(project.id).id
    again = {case_of(judge(store, other)[0]) for _ in range(3)}
    store.readmit_rater(rater)
    counts = counted(store, project.id)
    first = {row["case"] for row in judged(store, project.id) if row["rater"] == "R1"}
    assert counts == {case: 1 + (case in again & first) for case in again | first}
    check_reserved(store, project.id)
    done = store.progress(project.id)
    assert (done.judgments, done.wanted) == (len(again | first), 4), "never more than is wanted"
    left = {"c0", "c1", "c2", "c3"} - (again | first)
    finish(store, store.join(project.id).id)
    assert store.progress(project.id)[:4] == (4, 4, 4, 4)
    for case in left:
        assert counted(store, project.id)[case] == 1


def test_a_case_in_somebodys_hands_when_its_rater_is_readmitted_is_accepted(store: Store) -> None:
    project, rater = stopped_after(store, 4)
    other = store.join(project.id).id
    handed = hand(store, other)
    store.readmit_rater(rater)
    assert store.answer(other, handed.token, SubmittedAnswer("ok"), "key").accepted
    assert counted(store, project.id)[case_of(handed)] == 2
    check_reserved(store, project.id)
    assert store.next_case(other) == Nothing("finished", 1)


def test_judgments_that_are_replaced_and_forgotten_are_taken_back_once(store: Store) -> None:
    project, _ = stopped_after(store, 3, per_case=2)
    store.forget_rater(project.id, "R1", with_judgments=True)
    check_reserved(store, project.id)
    for _ in range(2):
        assert len(finish(store, store.join(project.id).id)) == 4
    assert store.progress(project.id)[:4] == (4, 4, 8, 8)


def test_a_project_may_ask_for_it_when_raters_are_flagged_already(store: Store) -> None:
    project = make_project(store, 2)
    rater = store.join(project.id).id
    judge(store, rater)
    store.stop_rater(rater)
    store.change_project(project.id, replace(project.settings, replace_flagged=True))
    assert store.progress(project.id).judgments == 0
    assert len(finish(store, store.join(project.id).id)) == 2


# --- the gold rule: nothing may tell which case was gold ---


def test_nobody_gets_the_cases_before_the_gold_rule_speaks(store: Store) -> None:
    """Two browsers: what the second one gets must not tell that the first one failed on gold."""
    waited = 0
    for number in range(6):
        project = make_project(
            store,
            12,
            gold=12,
            name=f"s{number}",
            gold_rate=0.5,
            gold_rule=ALWAYS,
            replace_flagged=True,
        )
        first, second = (store.join(project.id).id for _ in range(2))
        own: set[str] = set()
        while isinstance(handed := store.next_case(first), Assignment):
            own.add(case_of(handed))
            store.answer(first, handed.token, SubmittedAnswer("error"), handed.token)
            rater = store.rater(first)
            assert rater is not None
            if rater.flagged:
                break
        if isinstance(handed, Nothing):
            continue
        work = {case for case in own if case.startswith("c")}
        assert work.isdisjoint(finish(store, second)), "replaced before the rule spoke"
        # admins see at once that these do not count
        assert store.progress(project.id).judgments == 12 - len(work)
        check_reserved(store, project.id)
        while isinstance(handed := store.next_case(first), Assignment):
            store.answer(first, handed.token, SubmittedAnswer("error"), handed.token)
        assert handed.why == "stopped"
        check_reserved(store, project.id)
        assert {case for case in finish(store, second) if case.startswith("c")} == work
        assert store.progress(project.id)[:4] == (12, 12, 12, 12)
        waited += 1
    assert waited > 2


def test_cases_of_a_rater_who_does_not_come_back_wait_for_a_day(store: Store) -> None:
    project = make_project(
        store, 20, gold=20, gold_rate=0.5, gold_rule=ALWAYS, replace_flagged=True
    )
    gone, other = (store.join(project.id).id for _ in range(2))
    own = set()
    while not (rater := store.rater(gone)) or not rater.flagged:
        own.add(case_of(judge(store, gone, now=0)[0]))
    work = {case for case in own if case.startswith("c")}
    assert work.isdisjoint(finish(store, other, now=GONE - 1))
    found = finish(store, other, now=GONE)
    assert {case for case in found if case.startswith("c")} == work
    assert store.progress(project.id)[:4] == (20, 20, 20, 20)


def test_whoever_is_warned_goes_on_without_being_counted(store: Store) -> None:
    """Right answers to gold end the warning; the flag stays, for others judge the cases by now."""
    project = make_project(
        store,
        40,
        gold=40,
        gold_rate=0.5,
        gold_rule=GoldRule(0.5, 1, "warn"),
        replace_flagged=True,
    )
    rater = store.join(project.id).id
    said, warned = "error", False
    while isinstance(handed := store.next_case(rater), Assignment):
        warned = warned or handed.is_warned
        said = "ok" if warned else "error"
        store.answer(rater, handed.token, SubmittedAnswer(said), handed.token)
        check_reserved(store, project.id)
    assert warned
    found = store.rater(rater)
    assert found is not None
    assert (found.standing, found.flagged) == (Standing.ACTIVE, True)
    assert store.progress(project.id).judgments == 0
    finish(store, store.join(project.id).id)
    assert counted(store, project.id) == dict.fromkeys((f"c{i}" for i in range(40)), 1)


# --- many at once ---


@pytest.mark.slow
def test_whoever_is_stopped_meanwhile_every_case_gets_exactly_its_judgments(url: str) -> None:
    """A third of the raters are stopped while all judge; the rest give every case its three."""
    cases, per_case = 40, 3
    with open_store(url) as store:
        project = make_project(store, cases, per_case=per_case, replace_flagged=True).id
        joined = [store.join(project).id for _ in range(24)]

        def work(rater: int) -> None:
            done = 0
            while isinstance(handed := store.next_case(rater), Assignment):
                store.answer(rater, handed.token, SubmittedAnswer("ok"), handed.token)
                done += 1
                if rater % 3 == 0 and done == 4:
                    store.stop_rater(rater)

        at_once(work, joined)
        # whoever was told that nothing is left comes again, for cases that came back since
        for rater in joined:
            finish(store, rater, now=time.time())
        check_reserved(store, project)
        assert counted(store, project) == dict.fromkeys((f"c{i}" for i in range(cases)), per_case)
        wanted = cases * per_case
        assert store.progress(project)[:4] == (cases, cases, wanted, wanted)
