"""Judgments per hour, and what changes with every answer."""

from __future__ import annotations

from jurybox.serve.model import Purpose
from jurybox.serve.store import Store
from serve.made_studies import judge, make_cases, make_project
from serve.watched_studies import add_key

HOUR = 3600
EDGE = 470_000 * HOUR


def test_an_hour_begins_with_its_first_second_and_ends_before_the_next(store: Store) -> None:
    project = make_project(store, 6)
    rater = store.join(project.id).id
    for moment in (EDGE - 0.25, EDGE + 0.0, EDGE + 1800.5, EDGE + HOUR - 0.25, EDGE + HOUR):
        judge(store, rater, now=moment)
    found = store.judgments_per_hour(project.id, since=0)
    assert found == {469_999: 1, 470_000: 3, 470_001: 1}
    assert store.judgments_per_hour(project.id, since=EDGE + HOUR) == {470_001: 1}
    assert store.first_judgment(project.id) == EDGE - 0.25


def test_gold_practice_and_repeats_are_no_judgments_of_the_pace(store: Store) -> None:
    project = make_project(store, 40, gold_rate=0.3, repeat_share=0.3)
    store.add_cases(project.id, make_cases(3, "g", purpose=Purpose.GOLD, gold=("error",)))
    store.add_cases(project.id, make_cases(2, "p", purpose=Purpose.PRACTICE, gold=("error",)))
    rater = store.join(project.id).id
    for step in range(30):
        judge(store, rater, now=EDGE + step)
    done = store.progress(project.id).judgments
    assert 0 < done < 28
    assert store.judgments_per_hour(project.id, since=0) == {470_000: done}
    first = store.first_judgment(project.id)
    assert first is not None
    assert first >= EDGE + 2  # practice came first


def test_other_projects_do_not_count(store: Store) -> None:
    project, other = make_project(store, 2), make_project(store, 2, name="other")
    judge(store, store.join(other.id).id, now=EDGE)
    assert store.judgments_per_hour(project.id, since=0) == {}
    assert store.first_judgment(project.id) is None
    assert store.mark(project.id) == (0, 0, ())


def test_every_answer_every_key_and_every_flag_leaves_its_mark(store: Store) -> None:
    project = make_project(store, 6)
    marks = [store.mark(project.id)]
    rater = store.join(project.id).id
    for step in range(2):
        judge(store, rater, now=EDGE + step)
        marks.append(store.mark(project.id))
    add_key(store, project, 6)
    marks.append(store.mark(project.id))
    store.stop_rater(rater)
    marks.append(store.mark(project.id))
    store.readmit_rater(rater)
    assert store.mark(project.id) == marks.pop(-2)
    marks.append(store.mark(project.id))
    assert len(set(marks)) == 5
    assert store.mark(project.id) == marks[-1]
