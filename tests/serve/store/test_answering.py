"""Answers: stored once, refused when too late, counted for the gold rule."""

from __future__ import annotations

import pytest

from jurybox.errors import InputError, UsageError
from jurybox.serve.model import Nothing, Outcome, Standing, SubmittedAnswer
from jurybox.serve.settings import GoldRule, Task
from jurybox.serve.store import Store
from jurybox.serve.store.assignment import APPLIED_EVERY
from serve.made_studies import case_of, hand, judge, judged, make_cases, make_project

LATE = 20 * 60.0


def test_the_same_form_sent_twice_is_stored_once(store: Store) -> None:
    project = make_project(store, 2)
    rater = store.join(project.id).id
    handed = hand(store, rater)
    assert store.answer(rater, handed.token, SubmittedAnswer("error"), "k1") == Outcome(True)
    again = Outcome(True, is_again=True)
    assert store.answer(rater, handed.token, SubmittedAnswer("error"), "k1") == again
    assert store.answer(rater, handed.token, SubmittedAnswer("error"), "k2") == again
    other = Outcome(True, is_again=True, is_other=True)
    assert store.answer(rater, handed.token, SubmittedAnswer("ok"), "k1") == other
    assert store.answer(rater, handed.token, SubmittedAnswer("ok"), "k2") == other
    assert [row["label"] for row in judged(store, project.id)] == ["error"]
    assert store.progress(project.id).judgments == 1


def test_a_key_names_one_answer_of_one_rater(store: Store) -> None:
    project = make_project(store, 2, per_case=2)
    first, second = (store.join(project.id).id for _ in range(2))
    store.answer(first, hand(store, first).token, SubmittedAnswer("error"), "key")
    assert store.answer(first, hand(store, first).token, SubmittedAnswer("ok"), "key").is_again
    assert not store.answer(
        second, hand(store, second).token, SubmittedAnswer("ok"), "key"
    ).is_again
    assert len(judged(store, project.id)) == 2


def test_a_late_answer_is_accepted_while_the_case_needs_it(store: Store) -> None:
    project = make_project(store, 1)
    rater = store.join(project.id).id
    handed = hand(store, rater, 0)
    assert store.answer(rater, handed.token, SubmittedAnswer("ok"), "k", now=LATE).accepted
    assert [row["status"] for row in judged(store, project.id)] == ["late"]
    assert store.progress(project.id, now=LATE)[:3] == (1, 1, 1)


def test_a_late_answer_is_refused_when_somebody_else_holds_or_answered_the_case(
    store: Store,
) -> None:
    project = make_project(store, 1)
    late, prompt = (store.join(project.id).id for _ in range(2))
    old, new = hand(store, late, 0), hand(store, prompt, LATE)
    for _ in range(2):
        outcome = store.answer(late, old.token, SubmittedAnswer("ok"), "k", now=LATE + 1)
        assert outcome == Outcome(accepted=False)
    assert judged(store, project.id) == []
    assert store.answer(prompt, new.token, SubmittedAnswer("error"), "k", now=LATE + 2).accepted
    assert not store.answer(late, old.token, SubmittedAnswer("ok"), "k", now=LATE + 3).accepted
    assert [row["label"] for row in judged(store, project.id)] == ["error"]
    assert store.next_case(late, now=LATE + 4) == Nothing("finished")


def test_a_late_answer_to_gold_or_a_repeat_shares_the_fate_of_the_work_it_stands_in_for(
    store: Store,
) -> None:
    """Whoever is refused must not learn by it that the case was work."""
    project = make_project(store, 1, gold=1, gold_rate=0.5)
    holders = [store.join(project.id).id for _ in range(40)]
    gold = [
        (rater, handed)
        for turn, rater in enumerate(holders)
        if case_of(handed := hand(store, rater, LATE * turn)).startswith("g")
    ]
    assert len(gold) >= 2
    now = LATE * 100
    (kind, early), (late, handed) = gold[:2]
    assert store.answer(kind, early.token, SubmittedAnswer("ok"), "k", now=now).accepted
    work = next(r for r in holders if r not in dict(gold))
    assert judge(store, work, now=now)[1].accepted  # the only work case has its judgment
    assert not store.answer(late, handed.token, SubmittedAnswer("ok"), "k", now=now).accepted
    assert store.rater(late).gold_seen == 0  # type: ignore[union-attr]  # it joined above
    assert isinstance(store.next_case(late, now=now), Nothing)


def test_a_late_answer_is_accepted_again_when_the_other_left_too(store: Store) -> None:
    project = make_project(store, 1)
    late, other = (store.join(project.id).id for _ in range(2))
    old = hand(store, late, 0)
    hand(store, other, LATE)
    assert store.answer(late, old.token, SubmittedAnswer("ok"), "k", now=3 * LATE).accepted


def test_nobody_answers_for_somebody_else_or_what_was_never_handed_out(store: Store) -> None:
    project = make_project(store, 2)
    first, second = (store.join(project.id).id for _ in range(2))
    handed = hand(store, first)
    for token in (handed.token, "made-up", "\0", "' OR 1=1 --"):
        with pytest.raises(InputError, match="not given to you"):
            store.answer(second, token, SubmittedAnswer("ok"), "k")
    assert judged(store, project.id) == []


@pytest.mark.parametrize("key", ["", "x" * 201, "\0"])
def test_a_key_that_cannot_be_kept_is_refused(lite: Store, key: str) -> None:
    project = make_project(lite)
    rater = lite.join(project.id).id
    with pytest.raises(UsageError, match="idempotency key"):
        lite.answer(rater, hand(lite, rater).token, SubmittedAnswer("ok"), key)


def test_an_answer_the_task_does_not_know_leaves_the_case_in_the_raters_hands(
    store: Store,
) -> None:
    project = make_project(store)
    rater = store.join(project.id).id
    handed = hand(store, rater, 0)
    with pytest.raises(InputError, match="choose one of the answers"):
        store.answer(rater, handed.token, SubmittedAnswer("maybe"), "k", now=1)
    assert store.next_case(rater, now=2) == handed
    assert store.answer(rater, handed.token, SubmittedAnswer("ok"), "k", now=3).accepted


def test_time_is_taken_from_hand_out_to_answer(store: Store) -> None:
    project = make_project(store)
    rater = store.join(project.id).id
    handed = hand(store, rater, 1_000_000_000)
    store.answer(rater, handed.token, SubmittedAnswer("ok"), "k", now=1_000_000_007.25)
    (row,) = judged(store, project.id)
    assert row["seconds"] == "7.250"
    assert row["started"] == "2001-09-09T01:46:40Z"
    assert row["submitted"] == "2001-09-09T01:46:47Z"


def test_the_gold_rule_stops_a_rater_and_flags_what_they_said(store: Store) -> None:
    rule = GoldRule(threshold=0.7, after=3)
    project = make_project(store, 30, gold_rate=0.5, gold_rule=rule)
    store.add_cases(project.id, make_cases(10, "g", gold=("error",)))
    rater = store.join(project.id)
    standings, gold = [], []
    while not isinstance(store.next_case(rater.id), Nothing):
        handed, outcome = judge(store, rater.id, "ok")
        standings.append(outcome.standing)
        gold.append(case_of(handed).startswith("g"))
    broken = standings.index(Standing.STOPPING)
    assert (sum(gold[: broken + 1]), gold[broken]) == (3, True)
    assert set(standings[:broken]) == {Standing.ACTIVE}
    assert set(standings[broken:]) == {Standing.STOPPING}
    assert len(standings) - broken <= APPLIED_EVERY
    assert store.next_case(rater.id) == Nothing("stopped", len(standings))
    found = store.rater(rater.id)
    assert found is not None
    assert (found.standing, found.gold_right, found.flagged) == (Standing.STOPPED, 0, True)
    assert found.gold_seen == sum(gold)
    assert {row["status"] for row in judged(store, project.id)} == {"flagged"}
    assert judged(store, project.id, flagged=False) == []


def test_the_gold_rule_can_warn_and_takes_the_warning_back(store: Store) -> None:
    rule = GoldRule(threshold=0.5, after=1, action="warn")
    project = make_project(store, 40, gold_rate=0.5, gold_rule=rule)
    store.add_cases(project.id, make_cases(10, "g", gold=("error",)))
    rater = store.join(project.id).id
    while case_of(handed := hand(store, rater))[0] != "g":
        judge(store, rater)
    outcome = store.answer(rater, handed.token, SubmittedAnswer("ok"), "wrong")
    assert outcome.standing == Standing.WARNED
    while case_of(handed := hand(store, rater))[0] != "g":
        assert judge(store, rater)[1].standing == Standing.WARNED
    outcome = store.answer(rater, handed.token, SubmittedAnswer("error"), "right")
    assert outcome.standing == Standing.ACTIVE


def test_a_good_rater_is_never_stopped(lite: Store) -> None:
    project = make_project(lite, 20, gold_rate=0.5, gold_rule=GoldRule(1.0, 1))
    lite.add_cases(project.id, make_cases(20, "g", gold=("error", "unknown")))
    rater = lite.join(project.id).id
    for _ in range(20):
        assert judge(lite, rater, "unknown")[1].standing == Standing.ACTIVE
    found = lite.rater(rater)
    assert found is not None
    assert found.gold_right == found.gold_seen > 0


def test_an_admin_stops_a_rater_and_lets_them_work_again(store: Store) -> None:
    project = make_project(store, 3)
    rater = store.join(project.id).id
    judge(store, rater)
    assert store.stop_rater(rater, flag=False).standing == Standing.STOPPED
    assert store.next_case(rater) == Nothing("stopped", 1)
    assert judged(store, project.id)[0]["status"] == ""
    assert store.readmit_rater(rater).standing == Standing.ACTIVE
    assert case_of(store.next_case(rater)) == "c1"


def test_in_a_choice_the_order_shown_decides_whose_word_was_meant(store: Store) -> None:
    project = make_project(store, 24, task=Task.CHOICE)
    rater = store.join(project.id).id
    meant = {}
    for _ in range(24):
        handed, _ = judge(store, rater, "left")
        assert handed.shown.fillers is not None
        meant[case_of(handed)] = handed.shown.fillers[0]
    found = {row["case"]: row for row in judged(store, project.id)}
    assert {case: row["shown"] for case, row in found.items()} == meant
    for case, word in meant.items():
        assert found[case]["label"] == {"at": "first", "in": "second"}[word]
    assert set(meant.values()) == {"at", "in"}  # chance 2 in 2 ** 24 that one never stood first
