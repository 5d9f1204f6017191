"""Two raters and an adjudicator in a real browser: labels by keyboard, essays by ticking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import PHONE
from browser.serve_site import Visitors, sentences, visited
from browser.test_serve_admin import violations
from browser.test_serve_correct import apply, finish, is_saved, word
from jurybox.serve.model import EssayCorrection, NewCase, Project, Role, SubmittedAnswer
from jurybox.serve.routes.auth import entrance_path
from jurybox.serve.settings import Task
from serve.made_contests import ESSAY, GOES, RAINS, WENT
from serve.made_studies import hand
from serve.running_site import hash_quickly

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def visitors(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    folder = tmp_path_factory.mktemp("serve")
    with pytest.MonkeyPatch.context() as patch, visited(chromium, folder) as found:
        hash_quickly(patch)
        for name, role in (("ada", Role.ADMIN), ("bea", Role.ADJUDICATOR)):
            found.store.add_user(name, PASSWORD, role)
        yield found


@pytest.fixture(autouse=True)
def _close(visitors: Visitors) -> Iterator[None]:
    yield
    visitors.close()


def enter(visitors: Visitors, name: str = "bea", **options: object) -> Page:
    """Somebody with an account, without typing the password every time."""
    user = next(one for one in visitors.store.users() if one.name == name)
    site = visitors.site
    return visitors.open(site.base + entrance_path(site.site, user), **options)  # type: ignore[arg-type]  # size, dark, scripts


def contested(
    visitors: Visitors, *given: SubmittedAnswer, cases: int = 2, **settings: object
) -> Project:
    """A project in which every rater gives the same answer to all cases."""
    project = visitors.project(*sentences(cases), per_case=len(given), **settings)
    for one in given:
        rater = visitors.store.join(project.id).id
        for _ in range(cases):
            handed = hand(visitors.store, rater)
            visitors.store.answer(rater, handed.token, one, handed.token)
    return project


def essay(visitors: Visitors, *given: tuple[EssayCorrection, ...]) -> Project:
    project = visitors.project(NewCase("e1", ESSAY), task=Task.CORRECT, per_case=len(given))
    for edits in given:
        rater = visitors.store.join(project.id).id
        handed = hand(visitors.store, rater)
        visitors.store.answer(rater, handed.token, SubmittedAnswer("", edits=edits), handed.token)
    return project


def begin(page: Page, visitors: Visitors, project: Project) -> None:
    page.goto(f"{visitors.site.base}/adjudicate/{project.id}")
    with page.expect_navigation():
        page.get_by_role("link", name="Begin").click()


def press(page: Page, key: str) -> None:
    with page.expect_navigation():
        page.keyboard.press(key)


def decided(visitors: Visitors, project: Project) -> list[tuple[str, str]]:
    found = visitors.store.contested(project.id, order="file")
    cases = [visitors.store.contested_case(project.id, one.case).decision for one in found]
    return [("-", "") if one is None else (one.label, one.comment) for one in cases]


def test_two_raters_differ_an_adjudicator_decides_and_the_admin_downloads_it(
    visitors: Visitors,
) -> None:
    project = visitors.project(*sentences(3), per_case=2)
    for keys in ("111", "122"):
        rater = visitors.begin(project)
        for key in keys:
            press(rater, key)
    bea = visitors.open(f"{visitors.site.base}/admin/login")
    bea.get_by_label("Name").fill("bea")
    bea.get_by_label("Password").fill(PASSWORD)
    bea.get_by_role("button", name="Log in").click()
    expect(bea.get_by_role("heading", level=1)).to_have_text("Adjudicate")
    bea.get_by_role("link", name=project.name).click()
    expect(bea.get_by_text("0 of 2")).to_be_visible()
    with bea.expect_navigation():
        bea.get_by_role("link", name="Begin").click()
    expect(bea.locator(".judgments li")).to_have_count(2)
    texts = sorted(bea.locator(".judgments b").all_inner_texts())
    assert texts == ["Error", "OK"]
    assert "R1" not in bea.content()
    bea.get_by_label("Comment").fill("1 is no answer while I type")
    bea.get_by_role("heading", name="Your decision").click()  # out of the field
    press(bea, "2")
    expect(bea.get_by_role("status")).to_contain_text("That is stored.")
    press(bea, "u")
    expect(bea.get_by_text("no further case that nobody has looked at")).to_be_visible()
    assert sorted(decided(visitors, project)) == [("", ""), ("ok", "1 is no answer while I type")]
    expect(bea.get_by_text("left undecided")).to_be_visible()
    bea.get_by_role("link", name="Decided", exact=True).click()
    expect(bea.locator(".contested li")).to_have_count(1)

    ada = enter(visitors, "ada")
    address = f"/admin/projects/{project.id}/judgments.csv?decisions=only"
    ada.goto(f"{visitors.site.base}/admin/projects/{project.id}")
    with ada.expect_download() as started:
        ada.evaluate("address => { location.href = address }", address)
    lines = Path(started.value.path()).read_text("utf-8").splitlines()
    assert len(lines) == 2
    assert ",ADJ,ok," in lines[1]


def test_two_annotators_correct_an_essay_and_an_adjudicator_makes_one_of_it(
    visitors: Visitors,
) -> None:
    project = visitors.project(NewCase("e1", ESSAY), task=Task.CORRECT, per_case=2)
    for verb in (GOES, WENT):
        annotator = visitors.begin(project)
        for one in (verb, RAINS):
            word(annotator, one.sentence, one.start).click()
            apply(annotator, one.replacement, one.category)
        is_saved(annotator)
        finish(annotator)
    page = enter(visitors)
    begin(page, visitors, project)
    expect(page.get_by_role("checkbox", name="“rain” → “rains”")).to_be_checked()
    went = page.get_by_role("checkbox", name="“go” → “went”")
    expect(went).not_to_be_checked()
    went.check()
    page.get_by_label("Comment").fill("yesterday")
    # a correction of one's own, by keyboard
    add = page.get_by_role("button", name="Add a correction of your own in sentence 3")
    add.focus()
    press(page, "Enter")
    expect(page.get_by_label("From the word")).to_be_focused()
    expect(went).to_be_checked()
    page.keyboard.type("3")  # the third word
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("very late")
    press(page, "Enter")  # adds it, as far as it can be
    expect(page.get_by_role("alert")).to_contain_text("Please choose a category")
    expect(page.get_by_label("Correction", exact=True)).to_have_value("very late")
    page.get_by_label("Category").select_option("Wci")
    with page.expect_navigation():
        page.get_by_role("button", name="Add it").click()
    # as small as it can be
    own = page.get_by_role("checkbox", name="“very” inserted")
    expect(own).to_be_checked()
    expect(own).to_be_in_viewport()
    # somebody's correction changed: it takes the other one's place
    with page.expect_navigation():
        page.get_by_role("button", name="Change “go” → “went”").click()
    page.get_by_label("Correction", exact=True).fill("was going")
    with page.expect_navigation():
        page.get_by_role("button", name="Add it").click()
    expect(went).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="“go” → “was going”")).to_be_checked()
    expect(page.get_by_label("Comment")).to_have_value("yesterday")
    with page.expect_navigation():
        page.get_by_role("button", name="Keep what is ticked").click()
    assert decided(visitors, project) == [("error", "yesterday")]
    (found,) = visitors.store.annotated_essays(project.id, decisions=True)
    assert found.edits["ADJ"] == (
        EssayCorrection(0, 1, 2, "was going", "Vt"),
        RAINS,
        EssayCorrection(2, 2, 2, "very", "Wci"),
    )


def test_enter_in_the_field_for_another_word_decides_for_it(visitors: Visitors) -> None:
    project = contested(
        visitors, SubmittedAnswer("in"), SubmittedAnswer("on"), cases=1, task=Task.CLOZE
    )
    page = enter(visitors)
    begin(page, visitors, project)
    page.get_by_label("Another word").fill("upon")
    press(page, "Enter")
    assert decided(visitors, project) == [("upon", "")]


def test_a_key_takes_what_a_rater_said(visitors: Visitors) -> None:
    said = SubmittedAnswer("wrong", ("in", "inside"), "high"), SubmittedAnswer("correct", (), "low")
    project = contested(visitors, *said, cases=1, task=Task.TRAINED)
    page = enter(visitors)
    begin(page, visitors, project)
    wrong = page.get_by_role("button", name="Wrong choice: in, inside")
    press(page, wrong.get_attribute("data-key") or "")
    (case,) = visitors.store.contested(project.id)
    decision = visitors.store.contested_case(project.id, case.case).decision
    assert decision is not None
    assert decision[:3] == ("wrong", "in", ("inside",))


@pytest.mark.parametrize("task", [Task.JUDGE, Task.CORRECT])
def test_decisions_do_without_scripts(visitors: Visitors, task: Task) -> None:
    if task == Task.CORRECT:
        project = essay(visitors, (GOES,), (WENT,))
    else:
        project = contested(visitors, SubmittedAnswer("error"), SubmittedAnswer("ok"), cases=1)
    page = enter(visitors, scripts=False)
    begin(page, visitors, project)
    if task == Task.CORRECT:
        page.get_by_role("button", name="Change “go” → “goes”").click()
        page.get_by_label("Correction", exact=True).fill("goeth")
        page.get_by_role("button", name="Add it").click()
        page.get_by_role("button", name="Keep what is ticked").click()
    else:
        page.get_by_label("Comment").fill("so")
        page.get_by_role("button", name="Error").click()
    expect(page.get_by_text("That is stored.")).to_be_visible()
    assert decided(visitors, project) == [("error", "" if task == Task.CORRECT else "so")]


def pages(visitors: Visitors, page: Page) -> Iterator[str]:
    """Every page of an adjudicator, by what it shows."""
    base = visitors.site.base
    trained = (
        SubmittedAnswer("wrong", ("in", "inside"), "high", comment="surely"),
        SubmittedAnswer("correct"),
    )
    said = {
        Task.JUDGE: (SubmittedAnswer("error"), SubmittedAnswer("ok"), SubmittedAnswer("unknown")),
        Task.TRAINED: (trained[0], trained[1]._replace(confidence="low")),
        Task.CLOZE: (SubmittedAnswer("in"), SubmittedAnswer("on")),
        Task.CHOICE: (SubmittedAnswer("left"), SubmittedAnswer("bad")),
    }
    for task, given in said.items():
        project = contested(visitors, *given, task=task)
        begin(page, visitors, project)
        if task == Task.TRAINED:
            page.get_by_text("Something else").click()
            page.get_by_label("Wrong choice").check()
            with page.expect_navigation():
                page.get_by_role("button", name="Decide for this").click()
            expect(page.get_by_role("alert")).to_be_visible()
        yield task
    press(page, "1")
    yield "the next one"
    for path in ("/adjudicate", f"/adjudicate/{project.id}?show=all", "/account", "/work"):
        page.goto(base + path)
        yield path
    begin(page, visitors, essay(visitors, (GOES, RAINS), (WENT, RAINS), ()))
    yield "essay"
    with page.expect_navigation():
        page.get_by_role("button", name="Add a correction of your own in sentence 2").click()
    yield "essay, writing"


@pytest.mark.slow
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(visitors: Visitors) -> None:
    page = enter(visitors, size=PHONE)
    seen = []
    for name in pages(visitors, page):
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], name
        seen.append(name)
    assert len(seen) == 11


def test_axe_finds_nothing_on_the_page_of_people(visitors: Visitors) -> None:
    page = enter(visitors, "ada", size=PHONE)
    page.goto(f"{visitors.site.base}/admin/people")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
