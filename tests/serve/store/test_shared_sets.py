"""Shared sets: cases that several raters judge, now and then, among cases that one rater judges.

Tetreault and Chodorow (2008, section 5.2): "we periodically provided identical sets of 100
preposition occurrences for both annotators to judge".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from jurybox.errors import InputError, UsageError
from jurybox.formats import Input
from jurybox.raters.agree import agree
from jurybox.serve.model import Assignment, NewCase, SubmittedAnswer
from jurybox.serve.projects import Files, make_project, read_cases
from jurybox.serve.settings import Overlap, Settings, read_overlap, settings_of
from jurybox.serve.store import Store, open_store
from serve import made_studies
from serve.at_once import at_once
from serve.made_studies import case_of, hand, judge, judged, make_cases


def shared_study(store: Store, cases: int, overlap: Overlap, **settings: Any) -> int:
    return made_studies.make_project(store, cases, overlap=overlap, **settings).id


def judge_all(store: Store, rater: int, label: str = "ok") -> list[str]:
    found = []
    while isinstance(handed := store.next_case(rater), Assignment):
        store.answer(rater, handed.token, SubmittedAnswer(label), handed.token)
        found.append(case_of(handed))
    return found


def test_two_raters_of_the_2008_paper_share_a_set_now_and_then(store: Store) -> None:
    """Section 5.2: both judge set 1, then each some cases alone, then both set 2."""
    project = shared_study(store, 12, Overlap(2, 6))
    ann, bob = (store.join(project).id for _ in range(2))
    seen: dict[int, list[str]] = {ann: [], bob: []}
    for rater in [ann, bob] * 8:
        seen[rater].append(case_of(judge(store, rater)[0]))
    first, second = ["c0", "c1"], ["c6", "c7"]
    for cases in seen.values():
        assert cases[:2] == first
        assert cases[4:6] == second
    assert Counter([*seen[ann], *seen[bob]]) == {
        f"c{i}": 2 if f"c{i}" in first + second else 1 for i in range(12)
    }
    assert store.progress(project)[:4] == (12, 12, 16, 16)
    batches = {row["case"]: row["batch"] for row in judged(store, project)}
    assert {case: batch for case, batch in batches.items() if batch} == {
        **dict.fromkeys(first, "1"),
        **dict.fromkeys(second, "2"),
    }


def test_whoever_comes_later_first_gets_the_sets_that_others_began(store: Store) -> None:
    project = shared_study(store, 10, Overlap(1, 5, 3))
    ann, bob, cem, dan = (store.join(project).id for _ in range(4))
    assert judge_all(store, ann) == [f"c{i}" for i in range(10)]
    assert judge_all(store, bob) == judge_all(store, cem) == ["c0", "c5"]
    assert judge_all(store, dan) == []
    assert Counter(row["case"] for row in judged(store, project))["c5"] == 3


def test_a_set_that_is_left_open_comes_back_and_a_late_answer_is_refused_once_it_is_full(
    store: Store,
) -> None:
    project = shared_study(store, 3, Overlap(1, 3))
    ann, bob, cem = (store.join(project).id for _ in range(3))
    left = hand(store, ann, now=0.0)
    assert case_of(left) == "c0"
    later = 16 * 60.0
    seen = [case_of(judge(store, rater, now=later)[0]) for rater in (bob, cem, bob, cem)]
    assert seen == ["c1", "c2", "c0", "c0"]
    late = store.answer(ann, left.token, SubmittedAnswer("ok"), "late", now=later)
    assert not late.accepted
    assert Counter(row["case"] for row in judged(store, project)) == {"c0": 2, "c1": 1, "c2": 1}


def test_sets_go_on_where_cases_are_added_and_gold_is_in_none(store: Store) -> None:
    project = shared_study(store, 4, Overlap(2, 4))
    more = [*make_cases(3, "d"), *make_cases(2, "g", gold=("ok",))]
    store.add_cases(project, more, shuffle=True)
    judge_all(store, store.join(project).id)
    batches = Counter(row["batch"] for row in judged(store, project) if row["case"][0] in "cdg")
    assert batches == {"1": 2, "2": 2, "": 3}  # shuffled: two of the three new ones
    assert store.progress(project).wanted == 7 + 4


def test_a_flagged_rater_of_a_shared_case_is_replaced_by_one_more(store: Store) -> None:
    project = shared_study(store, 2, Overlap(1, 2), replace_flagged=True)
    ann, bob, cem = (store.join(project).id for _ in range(3))
    for rater in (ann, bob):
        judge(store, rater)
    store.stop_rater(ann)
    assert case_of(judge(store, cem)[0]) == "c0"
    assert sorted(row["rater"] for row in judged(store, project, flagged=False)) == ["R2", "R3"]


def test_adjudicators_get_shared_cases_that_have_all_their_judgments(store: Store) -> None:
    project = shared_study(store, 4, Overlap(2, 4, 3))
    raters = [store.join(project).id for _ in range(3)]
    for rater, label in zip(raters, ("error", "ok"), strict=False):
        for _ in range(2):
            judge(store, rater, label)
    assert store.contested(project) == ()
    assert len(store.contested(project, partial=True)) == 2
    judge(store, raters[2], "ok")
    assert [round(one.minority, 2) for one in store.contested(project)] == [0.33]


def test_an_export_gives_the_kappa_of_every_set(store: Store) -> None:
    """2008, section 5.2: kappa of the doubly judged sets, and the pooled one."""
    project = shared_study(store, 20, Overlap(4, 10))
    ann, bob = (store.join(project).id for _ in range(2))
    for rater in (ann, bob):
        while isinstance(handed := store.next_case(rater), Assignment):
            number = int(case_of(handed)[1:])
            is_error = number % 2 == 0 and not (rater == bob and number == 10)
            said = SubmittedAnswer("error" if is_error else "ok")
            store.answer(rater, handed.token, said, handed.token)
    found = agree(store.judgments_input(project), by_batch=True)
    rows = {one.batch: (one.cases, one.judgments, one.kappa) for one in found.batches or ()}
    assert rows["1"] == (4, 8, 1.0)
    assert rows["2"] == (4, 8, 0.5)
    assert rows["(none)"][:2] == (12, 12)
    assert found.pairs[0].n == 8
    alone = made_studies.make_project(store, 2, name="alone").id
    judge(store, store.join(alone).id)
    with pytest.raises(UsageError, match="no column 'batch', or it is empty"):
        agree(store.judgments_input(alone), by_batch=True)


# --- a number of judgments in the case file ---


def test_a_case_file_says_how_many_judgments_a_case_needs_and_names_batches(store: Store) -> None:
    text = (
        "case,sentence,start,end,per_case,batch\n"
        "c0,c0 is at home .,2,3,3,June\nc1,c1 is at home .,2,3,,\nc2,c2 is at home .,2,3,1,June\n"
    )
    files = Files(cases=(Input.from_text(text, "cases.csv"),))
    project = make_project(store, Settings("pilot", per_case=2), files, shuffle=False).project.id
    assert store.progress(project).wanted == 6
    for _ in range(4):
        judge_all(store, store.join(project).id)
    found = judged(store, project)
    assert Counter(row["case"] for row in found) == {"c0": 3, "c1": 2, "c2": 1}
    assert {row["case"]: row["batch"] for row in found} == {"c0": "June", "c1": "", "c2": "June"}


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("0", "needs from 1 to 1000 judgments, not 0"),
        ("two", "per_case 'two' is not a whole number; how many judgments it needs"),
    ],
)
def test_a_number_of_judgments_that_cannot_be_is_refused_with_its_line(
    cell: str, message: str
) -> None:
    text = f"case,sentence,start,end,per_case\nc0,He sat .,1,2,{cell}\n"
    with pytest.raises(InputError, match=rf"j\.csv:2, column 5 \(per_case\): .*{message}"):
        read_cases(Input.from_text(text, "j.csv"))


# --- settings ---


def test_overlap_reads_as_it_is_written() -> None:
    assert read_overlap("100/500") == read_overlap("100 every 500") == Overlap(100, 500, 2)
    assert settings_of({"name": "a", "overlap": "5/20:3"}).overlap == Overlap(5, 20, 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"overlap": "100"}, "as 100/500 or 100/500:3"),
        ({"overlap": "0/5"}, "--overlap 0/5: the shared cases are some of all"),
        ({"overlap": "5/5"}, "--overlap 5/5: the shared cases are some of all"),
        ({"overlap": "1/5", "per_case": "2"}, "they need more, as 1/5:3"),
    ],
)
def test_sets_that_cannot_be_are_refused_with_what_to_write(
    given: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        settings_of({"name": "a", **given})


def test_sets_are_made_with_the_cases_and_not_changed_later(store: Store) -> None:
    project = made_studies.make_project(store, 3)
    with pytest.raises(UsageError, match="shared sets are made when cases are added"):
        store.change_project(project.id, replace(project.settings, overlap=Overlap(1, 2)))
    other = store.create_project(Settings("other", overlap=Overlap(1, 2)))
    case = NewCase("c0", "He sat .", 1, 2, batch="mine")
    with pytest.raises(InputError, match="leave out the option, or the columns per_case and batch"):
        store.add_cases(other.id, [case])


@pytest.mark.slow
def test_50_raters_at_once_give_every_case_exactly_what_it_needs(url: str) -> None:
    with open_store(url) as store:
        project = shared_study(store, 60, Overlap(5, 15, 4))

        def work(rater: int) -> None:
            judge_all(store, rater)

        at_once(work, [store.join(project).id for _ in range(50)])
        found = [(row["case"], row["rater"]) for row in judged(store, project)]
        assert len(found) == len(set(found))
        counts = Counter(case for case, _ in found)
        assert counts == {f"c{i}": 4 if i % 15 < 5 else 1 for i in range(60)}
