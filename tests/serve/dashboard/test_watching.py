"""When findings are counted anew: never in a page's way, never too often, never twice."""

from __future__ import annotations

import threading

import pytest

from jurybox.serve.dashboard import watching
from jurybox.serve.dashboard.findings import FAILED, Findings, failed
from jurybox.serve.dashboard.findings import find as find_findings
from jurybox.serve.dashboard.watching import Watch, find_in_background, watch
from jurybox.serve.model import Project
from jurybox.serve.store import Store
from serve.at_once import at_once
from serve.made_studies import judge, make_project
from serve.watched_studies import EVERYTHING, judge_some, make_study

NOW = 1_760_000_000.0
MANY = watching.FEW + 1


class Counted:
    """A find that tells how often it was called, and waits where it is told to."""

    def __init__(self) -> None:
        self.calls: list[float] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.has_begun = threading.Event()
        self.threads: set[str] = set()

    def __call__(self, store: Store, project: Project, now: float) -> Findings:
        self.calls.append(now)
        self.threads.add(threading.current_thread().name)
        self.has_begun.set()
        assert self.may_go_on.wait(30)
        return failed(now)._replace(mark=store.mark(project.id), judgments=1, took=5.0)


@pytest.fixture
def find() -> Counted:
    return Counted()


@pytest.fixture
def project(lite: Store) -> Project:
    return make_project(lite, 20)


def one_more(store: Store, project: Project) -> None:
    judge(store, store.join(project.id).id, now=NOW)


def test_few_judgments_are_counted_while_the_page_waits(
    lite: Store, project: Project, find: Counted
) -> None:
    found = Watch(find, find).latest(lite, project, 3, NOW)
    assert found is not None
    assert found.at == NOW
    assert find.threads == {threading.current_thread().name}


def test_nothing_is_counted_again_unless_somebody_judged(
    lite: Store, project: Project, find: Counted
) -> None:
    one = Watch(find, find)
    one.latest(lite, project, 3, NOW)
    one.latest(lite, project, 3, NOW + 60)
    assert len(find.calls) == 1
    one_more(lite, project)
    one.latest(lite, project, 4, NOW + 70)
    assert find.calls == [NOW, NOW + 70]


def test_pages_that_ask_at_once_share_what_was_counted(
    lite: Store, project: Project, find: Counted
) -> None:
    one = Watch(find, find)
    one.latest(lite, project, 3, NOW)
    one_more(lite, project)
    kept = one.latest(lite, project, 4, NOW + watching.SHORT_REST / 2)
    assert kept is not None
    assert kept.at == NOW
    one.latest(lite, project, 4, NOW + watching.SHORT_REST)
    assert len(find.calls) == 2


def test_charts_move_on_though_nobody_judges(lite: Store, project: Project, find: Counted) -> None:
    one = Watch(find, find)
    one.latest(lite, project, 3, NOW)
    one.latest(lite, project, 3, NOW + watching.OLD)
    assert len(find.calls) == 2


def test_many_judgments_are_counted_beside_the_pages(
    lite: Store, project: Project, find: Counted
) -> None:
    one = Watch(find, find)
    find.may_go_on.clear()
    assert one.latest(lite, project, MANY, NOW) is None  # the page does not wait
    assert find.has_begun.wait(30)
    assert one.latest(lite, project, MANY, NOW + 1) is None
    find.may_go_on.set()
    one.wait()
    found = one.latest(lite, project, MANY, NOW + 2)
    assert found is not None
    assert found.at == NOW
    assert find.calls == [NOW]
    assert find.threads == {"dashboard"}


def test_many_judgments_rest_ten_times_as_long_as_they_took(
    lite: Store, project: Project, find: Counted
) -> None:
    one = Watch(find, find)
    one.latest(lite, project, MANY, NOW)
    one.wait()
    one_more(lite, project)
    one.latest(lite, project, MANY, NOW + 49)
    one.wait()
    assert len(find.calls) == 1
    one.latest(lite, project, MANY, NOW + 50)
    one.wait()
    assert len(find.calls) == 2


def test_few_judgments_do_not_wait_for_the_many_of_another_project(
    lite: Store, project: Project, find: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 0.01)
    other = make_project(lite, 2, name="other")
    one = Watch(find, find)
    find.may_go_on.clear()
    one.latest(lite, project, MANY, NOW)
    assert find.has_begun.wait(30)
    assert one.latest(lite, other, 1, NOW) is None
    find.may_go_on.set()
    one.wait()
    assert one.latest(lite, other, 1, NOW) is not None


def test_two_pages_that_ask_together_count_once(
    lite: Store, project: Project, find: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 30.0)
    one = Watch(find, find)
    find.may_go_on.clear()
    pages = [
        threading.Thread(target=one.latest, args=(lite, project, 3, NOW + turn))
        for turn in range(4)
    ]
    for page in pages:
        page.start()
    assert find.has_begun.wait(30)
    find.may_go_on.set()
    for page in pages:
        page.join()
    assert len(find.calls) == 1


def test_what_cannot_be_counted_is_told_and_tried_again(
    lite: Store, project: Project, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[float] = []

    def break_once(store: Store, project: Project, now: float) -> Findings:
        calls.append(now)
        if len(calls) == 1:
            raise ZeroDivisionError("on purpose")
        return failed(now)._replace(mark=store.mark(project.id), judgments=7)

    one = Watch(break_once, break_once)
    found = one.latest(lite, project, 3, NOW)
    assert found is not None
    assert (found.agreement.reason, found.estimate.reason) == (FAILED, FAILED)
    assert "on purpose" in caplog.text
    again = one.latest(lite, project, 3, NOW + 5)
    assert again is not None
    assert again.judgments == 7


def test_a_thread_that_breaks_leaves_nothing_stuck(lite: Store, project: Project) -> None:
    def broken(store: Store, project: Project, now: float) -> Findings:
        raise ZeroDivisionError("on purpose")

    one = Watch(broken, broken)
    one.latest(lite, project, MANY, NOW)
    one.wait()
    found = one.latest(lite, project, MANY, NOW + 1)
    assert found is not None
    assert found.agreement.reason == FAILED


@pytest.mark.slow
def test_another_process_finds_the_same(store: Store) -> None:
    """Also where a number is undefined: alpha of the one rater who is not flagged."""
    project = make_study(store, 20, **EVERYTHING)
    judge_some(store, project, 60)
    for rater in store.raters(project.id):
        store.stop_rater(rater.id, flag=rater.number > 1)
    here, there = find_findings(store, project, NOW), find_in_background(store, project, NOW)
    assert there._replace(took=here.took) == here
    assert here.agreement.flagged is not None
    assert [one.without for one in here.agreement.flagged.changes] == [None]


def test_what_goes_wrong_in_another_process_is_told(lite: Store, project: Project) -> None:
    with pytest.raises(RuntimeError, match="unknown project '77'"):
        find_in_background(lite, project._replace(id=77), NOW)


def test_progress_is_that_of_now_unless_there_are_very_many_cases(
    lite: Store, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Watch()
    assert one.counts(lite, project, NOW).progress.judgments == 0
    one_more(lite, project)
    assert one.counts(lite, project, NOW).progress.judgments == 1
    monkeypatch.setattr(watching, "FEW_CASES", 1)
    one_more(lite, project)
    assert one.counts(lite, project, NOW + watching.CASES_REST - 1).progress.judgments == 1
    assert one.counts(lite, project, NOW + watching.CASES_REST).progress.judgments == 2


def test_old_projects_are_forgotten_first(
    lite: Store, find: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "MOST", 2)
    one = Watch(find, find)
    made = [make_project(lite, 1, name=f"study {number}") for number in range(3)]
    for project in made:
        one.latest(lite, project, 1, NOW)
    for project in made[1:]:
        one.latest(lite, project, 1, NOW)
    assert len(find.calls) == 3
    one.latest(lite, made[0], 1, NOW)
    assert len(find.calls) == 4


def test_a_store_has_one_watch_whoever_asks(lite: Store) -> None:
    first, second = at_once(watch, [lite, lite])
    assert first is second
