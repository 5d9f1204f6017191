"""Correcting essays in a real browser: by mouse, by keyboard, with everything that goes wrong."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import PHONE
from browser.serve_site import Visitors, visited
from browser.test_serve_admin import violations
from jurybox.formats import Input
from jurybox.formats.edits import m2, sgml
from jurybox.serve.categories import Category
from jurybox.serve.essays import Draft
from jurybox.serve.model import EssayCorrection, NewCase, Project, Purpose, SubmittedAnswer
from jurybox.serve.routes.auth import entrance_path
from jurybox.serve.settings import Task
from serve.made_studies import hand

TEXT = (
    "She go to school yesterday .\nThe dog is in in house .\n\nI like cats , birds etc. and fish ."
)
ESSAY = NewCase("trip", TEXT)
WENT = EssayCorrection(0, 1, 2, "went", "Vt")
IN = EssayCorrection(1, 4, 5, "", "Rloc-")
THE = EssayCorrection(1, 5, 5, "the", "ArtOrDet", "which one?")


@pytest.fixture(scope="module")
def visitors(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    with visited(chromium, tmp_path_factory.mktemp("serve")) as found:
        # conflicts, forms of nobody, and a server that is away are what this is about
        found.expected += ["status of 409", "status of 403", "net::ERR_INTERNET_DISCONNECTED"]
        yield found


@pytest.fixture(autouse=True)
def _close(visitors: Visitors) -> Iterator[None]:
    yield
    visitors.close()


def essays(visitors: Visitors, *cases: NewCase, per_case: int = 2, **settings: object) -> Project:
    given = cases or (ESSAY,)
    return visitors.project(*given, task=Task.CORRECT, per_case=per_case, **settings)


def word(page: Page, sentence: int, place: int) -> Locator:
    return page.locator(f"#w-{sentence}-{place}")


def gap(page: Page, sentence: int, place: int) -> Locator:
    return page.locator(f".line[data-sentence='{sentence}'] .gap[data-at='{place}']")


def apply(page: Page, text: str, category: str, comment: str = "") -> None:
    page.get_by_label("Correction", exact=True).fill(text)
    page.get_by_label("Category").select_option(category)
    page.get_by_label("Comment").fill(comment)
    page.get_by_role("button", name="Apply").click()


def made(page: Page) -> list[str]:
    """What the list says, without categories and buttons."""
    return page.locator("#made > li > p:first-child").all_text_contents()


def is_saved(page: Page) -> None:
    expect(page.locator("#status")).to_have_text("Saved")


def finish(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Finish this essay").click()


def finished(visitors: Visitors, project: Project) -> dict[str, tuple[EssayCorrection, ...]]:
    (essay,) = visitors.store.annotated_essays(project.id)
    return essay.edits


def correct_by_mouse(page: Page, *, is_refused: bool = False) -> None:
    word(page, 0, 1).click()
    apply(page, "went", "Vt")
    word(page, 1, 4).click()
    apply(page, "", "Rloc-")
    if (page.viewport_size or {"width": 0})["width"] > PHONE[0]:
        gap(page, 1, 5).click()
    else:  # fingers do not hit a blank
        word(page, 1, 5).click()
        page.get_by_role("button", name="Insert before").click()
    apply(page, "the", "ArtOrDet", "which one?")
    if not is_refused:
        is_saved(page)


# --- by mouse and by keyboard, to files that other commands take ---


def test_two_people_correct_an_essay_and_the_files_are_scored(
    visitors: Visitors, tmp_path: Path
) -> None:
    project = essays(visitors)
    first = visitors.begin(project)
    correct_by_mouse(first)
    assert made(first) == ["“go” → “went”", "“in” deleted", "“the” inserted"]
    finish(first)
    expect(first.get_by_role("heading", level=1)).to_have_text("Thank you")

    second = visitors.begin(project)
    # nothing of what others did comes to the browser
    assert "went" not in second.content()
    second.locator("#essay").focus()
    type_keys(second, "ArrowRight", "Enter")
    second.keyboard.type("goes")
    type_keys(second, "Tab", "S", "V", "A", "Control+Enter", "End", *["ArrowRight"] * 5, "Delete")
    second.keyboard.type("Rloc")
    type_keys(second, "Control+Enter")
    expect(second.locator("#made > li")).to_have_count(2)
    is_saved(second)
    finish(second)
    assert finished(visitors, project) == {
        "R1": (WENT, IN, THE),
        "R2": (EssayCorrection(0, 1, 2, "goes", "SVA"), IN),
    }

    admin = log_in(visitors)
    admin.goto(f"{visitors.site.base}/admin/projects/{project.id}")
    together = download(admin, admin.get_by_role("link", name="M2", exact=True))
    alone = download(admin, admin.get_by_role("link", name="R2.m2"))
    marked = download(admin, admin.get_by_role("link", name="SGML"))
    packed = download(admin, admin.get_by_role("link", name="Everything (zip)"))
    assert [one[0] for one in (together, alone, marked, packed)] == [
        f"{project.name.replace(' ', '-')}{end}" for end in (".m2", "-R2.m2", ".sgml", ".zip")
    ]

    # M2 and SGML hold the same edits
    sentences = list(m2.read(Input.from_text(together[1].decode())))
    documents = sgml.read(Input.from_text(marked[1].decode()))
    read_back = list(sgml.to_sentences(documents))
    assert [one.annotations for one in read_back] == [one.annotations for one in sentences]
    assert [len(one.edits) for each in sentences for one in each.annotations] == [1, 1, 2, 1, 0, 0]
    assert len(list(m2.read(Input.from_text(alone[1].decode())))) == 3

    # and other commands take them as they are
    zipfile.ZipFile(io.BytesIO(packed[1])).extractall(tmp_path)
    (tmp_path / "fixed.txt").write_text(
        "She went to school yesterday .\nThe dog is in the house .\n"
        "I like cats , birds etc. and fish .\n",
        "utf-8",
    )
    scored = jurybox(tmp_path, "score", "fixed.txt", "--gold", "edits.m2")
    assert re.search(r"fixed\.txt +3 +0 +0 +1\.0000 +1\.0000 +1\.0000", scored)
    maps = ("--documents", "documents.txt", "--coverage", "coverage.csv")
    ceiling = jurybox(tmp_path, "ceiling", "--gold", "edits.m2", *maps, "--system", "fixed.txt")
    assert "2 annotators, 3 sentences of 1 document:" in ceiling
    human = next(line.split() for line in ceiling.splitlines() if line.startswith("human"))
    # each against the other: 1 of 3 edits, 1 of 2 edits
    assert float(human[1]) == pytest.approx((0.3571 + 0.4545) / 2, abs=1e-4)
    apart = jurybox(tmp_path, "ceiling", "--gold", "m2/R1.m2", "m2/R2.m2", *maps)
    assert human in [line.split() for line in apart.splitlines()]


def log_in(visitors: Visitors) -> Page:
    known = [user for user in visitors.store.users() if user.name == "ada"]
    user = known[0] if known else visitors.store.add_user("ada", "correct horse")
    return visitors.open(visitors.site.base + entrance_path(visitors.site.site, user))


def download(page: Page, link: Locator) -> tuple[str, bytes]:
    with page.expect_download() as started:
        link.click()
    file = started.value
    return file.suggested_filename, Path(file.path()).read_bytes()


def jurybox(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "jurybox", *arguments],
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


def type_keys(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.quick
def test_everything_is_done_by_keyboard_alone(visitors: Visitors) -> None:
    project = essays(visitors, instructions="Read it.")
    page = visitors.open(visitors.site.link(project))
    type_keys(page, "Tab", "Enter")
    expect(page.get_by_text("Read it.")).to_be_visible()
    type_keys(page, "Tab")
    with page.expect_navigation(url="**/case"):
        page.keyboard.press("Enter")
    essay = page.locator("#essay")
    for _ in range(5):
        if essay.evaluate("it => it === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(essay).to_be_focused()

    # two words, marked with Shift, changed to one
    type_keys(page, "ArrowRight", "Shift+ArrowRight", "Enter")
    expect(page.get_by_role("heading", name="“go to”")).to_be_visible()
    page.keyboard.type("attended")
    type_keys(page, "Tab", "W", "c", "Tab")
    page.keyboard.type("better")
    type_keys(page, "Enter")
    expect(essay).to_be_focused()
    is_saved(page)
    assert made(page) == ["“go to” → “attended”"]

    # the line below; a deletion, by Delete
    type_keys(page, "End", "ArrowRight", "End", "ArrowLeft", "ArrowLeft", "Delete")
    expect(page.get_by_label("Category")).to_be_focused()
    page.keyboard.type("Rloc")
    type_keys(page, "Control+Enter")
    expect(page.locator("#made > li")).to_have_count(2)

    # insertions, before and after a word
    type_keys(page, "ArrowRight", "i")
    expect(page.get_by_role("heading", name="Insert between “in” and “house”")).to_be_visible()
    page.keyboard.type("the")
    type_keys(page, "Tab")
    page.keyboard.type("Art")
    type_keys(page, "Control+Enter", "Home", "a")
    expect(page.get_by_role("heading", name="Insert between “The” and “dog”")).to_be_visible()
    type_keys(page, "Escape")
    expect(page.locator("#panel")).to_be_hidden()

    # undo, undo, redo
    expect(page.locator("#made > li")).to_have_count(3)
    type_keys(page, "Control+z", "Control+z")
    expect(page.locator("#made > li")).to_have_count(1)
    type_keys(page, "Control+y")
    expect(page.locator("#made > li")).to_have_count(2)
    is_saved(page)

    button = page.get_by_role("button", name="Finish this essay")
    for _ in range(20):
        if button.evaluate("it => it === document.activeElement"):
            break
        page.keyboard.press("Tab")
    with page.expect_navigation(url="**/end"):
        page.keyboard.press("Enter")
    assert finished(visitors, project) == {
        "R1": (
            EssayCorrection(0, 1, 3, "attended", "Wci", "better"),
            EssayCorrection(1, 4, 5, "", "Rloc-"),
        )
    }


def test_words_are_marked_by_drawing_over_them_and_by_the_panels_buttons(
    visitors: Visitors,
) -> None:
    project = essays(visitors)
    page = visitors.begin(project)
    draw(page, word(page, 1, 1), word(page, 1, 3))
    title = page.locator("#marked")
    expect(title).to_have_text("“dog is in”")
    page.get_by_role("button", name="– word").click()
    expect(title).to_have_text("“dog is”")
    page.get_by_role("button", name="+ word before").click()
    expect(title).to_have_text("“The dog is”")
    page.get_by_role("button", name="Insert after").click()
    expect(title).to_have_text("Insert between “is” and “in”")
    # what is drawn over two sentences ends with the first
    draw(page, word(page, 0, 3), word(page, 1, 1))
    expect(title).to_have_text("“school yesterday.”")
    expect(page.locator("#panel-problem")).to_have_text("A correction stays within one sentence.")
    # a contraction is shown, and may be written, as people write it
    apply(page, "school, isn't it?", "Others")
    is_saved(page)
    assert made(page) == ["“yesterday.” → “, isn't it?”"]
    assert word(page, 0, 4).get_attribute("aria-label") == "yesterday, corrected: , isn't it?"
    # the corrected text can be read
    page.get_by_text("The corrected text").click()
    expect(page.locator("#preview p").first).to_have_text(
        "She go to school, isn't it? The dog is in in house."
    )


def draw(page: Page, start: Locator, end: Locator) -> None:
    first, last = start.bounding_box(), end.bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 2, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] - 2, last["y"] + last["height"] / 2, steps=4)
    page.mouse.up()


def test_a_correction_is_changed_removed_and_brought_back(visitors: Visitors) -> None:
    page = visitors.begin(essays(visitors))
    correct_by_mouse(page)
    word(page, 0, 1).click()
    expect(page.get_by_label("Correction", exact=True)).to_have_value("went")
    page.get_by_label("Correction", exact=True).fill("walked")
    # half-done changes are not swept away by other buttons
    page.get_by_role("button", name="Undo").click()
    problem = page.locator("#panel-problem")
    expect(problem).to_have_text("Please apply or cancel this correction first.")
    page.get_by_role("button", name="Remove “in” deleted").click()
    expect(problem).to_be_visible()
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="Remove “in” deleted").click()
    assert made(page) == ["“go” → “walked”", "“the” inserted"]
    page.locator(".added", has_text="walked").click()
    page.locator("#remove").click()
    assert made(page) == ["“the” inserted"]
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    assert made(page) == ["“go” → “walked”", "“in” deleted", "“the” inserted"]
    page.get_by_role("button", name="Redo").click()
    is_saved(page)
    assert made(page) == ["“go” → “walked”", "“the” inserted"]


def test_what_cannot_be_a_correction_is_said_and_keeps_what_was_typed(visitors: Visitors) -> None:
    page = visitors.begin(essays(visitors))
    problem = page.locator("#panel-problem")
    draw(page, word(page, 1, 1), word(page, 1, 3))
    apply(page, "dogs are at", "SVA")
    is_saved(page)
    draw(page, word(page, 1, 2), word(page, 1, 4))
    apply(page, "lives in", "Wci")
    expect(problem).to_have_text(
        "This overlaps with “dog is in” → “dogs are at”. Change or remove that correction first."
    )
    expect(page.get_by_label("Correction", exact=True)).to_have_value("lives in")
    page.get_by_role("button", name="Cancel").click()
    word(page, 0, 1).click()
    apply(page, "go", "Vt")
    expect(problem).to_contain_text("This is what stands there already.")
    apply(page, "went", "")
    expect(problem).to_have_text("Please choose a category.")
    expect(page.get_by_label("Category")).to_be_focused()
    apply(page, "we|nt", "Vt")
    expect(problem).to_have_text("Please do without the sign |.")
    gap(page, 0, 1).click()
    apply(page, "", "Vt")
    expect(problem).to_have_text("Please write what is to be inserted.")
    # what only the server knows stands above the essay, and the rest of the work is kept
    apply(page, "-NONE-", "Vt")
    expect(page.locator("#trouble")).to_contain_text("-NONE- is no word")
    expect(page.locator("#status")).to_have_text("Not saved")
    page.get_by_role("button", name="Undo").click()
    is_saved(page)
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_projects_own_categories_explain_themselves(visitors: Visitors) -> None:
    own = (Category("Verb", "Verbs", "Tense and form."), Category("Rest"))
    project = essays(visitors, categories=own)
    page = visitors.begin(project)
    word(page, 0, 1).click()
    assert page.locator("#category option").all_inner_texts() == [
        "Choose one",
        "Verb – Verbs",
        "Rest",
    ]
    page.get_by_label("Category").select_option("Verb")
    expect(page.locator("#help")).to_have_text("Tense and form.")
    apply(page, "went", "Verb")
    is_saved(page)
    finish(page)
    assert finished(visitors, project)["R1"] == (WENT._replace(category="Verb"),)
    page = visitors.begin(essays(visitors))
    assert page.locator("#category option").count() == 29


# --- nothing is lost ---


def test_a_draft_outlives_the_page_and_the_browser(visitors: Visitors) -> None:
    project = essays(visitors)
    page = visitors.begin(project)
    correct_by_mouse(page)
    wanted = made(page)
    page.reload()
    assert made(page) == wanted
    # half a correction as well
    word(page, 2, 1).click()
    page.get_by_label("Correction", exact=True).fill("love")
    page.get_by_label("Category").select_option("Wci")
    page.reload()
    expect(page.locator("#marked")).to_have_text("“like”")
    expect(page.get_by_label("Correction", exact=True)).to_have_value("love")
    expect(page.get_by_label("Category")).to_have_value("Wci")
    page.get_by_role("button", name="Apply").click()
    is_saved(page)
    page.reload()
    expect(page.locator("#panel")).to_be_hidden()
    # another browser that has no more than the cookie
    cookies, url = page.context.cookies(), page.url
    page.context.close()
    later = visitors.open(visitors.site.link(project))
    later.context.add_cookies(cookies)  # type: ignore[arg-type]  # what it gives, it takes
    later.goto(url)
    assert made(later) == [*wanted, "“like” → “love”"]


def test_a_server_that_is_away_costs_nothing(visitors: Visitors) -> None:
    project = essays(visitors)
    page = visitors.begin(project)
    page.context.set_offline(True)
    word(page, 0, 1).click()
    apply(page, "went", "Vt")
    expect(page.locator("#status")).to_contain_text("the server does not answer")
    word(page, 1, 4).click()
    apply(page, "", "Rloc-")
    page.get_by_role("button", name="Finish this essay").click()
    expect(page.locator("#finish-problem")).to_have_text(
        "This is sent as soon as everything is saved."
    )
    with page.expect_navigation(url="**/end"):
        page.context.set_offline(False)
    assert finished(visitors, project) == {"R1": (WENT, IN)}


def test_a_browser_that_ends_while_the_server_is_away_still_has_the_corrections(
    visitors: Visitors,
) -> None:
    page = visitors.begin(essays(visitors))
    context, url = page.context, page.url
    context.set_offline(True)
    word(page, 0, 1).click()
    apply(page, "went", "Vt")
    expect(page.locator("#status")).to_contain_text("the server does not answer")
    page.close()  # at once, as if it had crashed
    context.set_offline(False)
    later = context.new_page()
    later.goto(url)
    assert made(later) == ["“go” → “went”"]
    is_saved(later)
    assert later.evaluate("Object.keys(localStorage)") == []


@pytest.mark.parametrize("choice", ["ours", "theirs"])
def test_two_windows_do_not_overwrite_each_other(visitors: Visitors, choice: str) -> None:
    project = essays(visitors)
    page = visitors.begin(project)
    other = page.context.new_page()
    other.goto(page.url)
    word(page, 0, 1).click()
    apply(page, "went", "Vt")
    is_saved(page)
    word(other, 1, 4).click()
    apply(other, "", "Rloc-")
    expect(other.get_by_text("This essay was changed in another window")).to_be_visible()
    expect(other.locator("#status")).to_have_text("Not saved")
    if choice == "ours":
        other.get_by_role("button", name="The one on this page").click()
        wanted = (IN,)
    else:
        with other.expect_navigation():
            other.get_by_role("button", name="The other window's").click()
        wanted = (WENT,)
    is_saved(other)
    finish(other)
    assert finished(visitors, project) == {"R1": wanted}
    # the window that was left open learns of it
    word(page, 2, 1).click()
    apply(page, "love", "Wci")
    expect(page.locator("#trouble")).to_contain_text("You have finished this essay already")


def test_a_lease_that_ran_out_is_told_and_renewed_while_the_essay_is_needed(
    visitors: Visitors,
) -> None:
    project = essays(visitors, per_case=1, lease_minutes=1e-6)
    page = visitors.begin(project)
    word(page, 0, 1).click()
    apply(page, "went", "Vt")
    is_saved(page)
    store = visitors.store
    rater = store.join(project.id).id
    handed = hand(store, rater)
    assert store.answer(rater, handed.token, SubmittedAnswer("", edits=(IN,)), "key").accepted
    word(page, 1, 4).click()
    apply(page, "", "Rloc-")
    expect(page.locator("#trouble")).to_contain_text("Others have finished this essay")
    finish(page)
    expect(page.get_by_text("your answer was not needed")).to_be_visible()
    assert finished(visitors, project) == {"R2": (IN,)}


def test_cookies_that_are_gone_are_told_and_the_corrections_stay(visitors: Visitors) -> None:
    page = visitors.begin(essays(visitors))
    cookies = page.context.cookies()
    page.context.clear_cookies()
    word(page, 0, 1).click()
    apply(page, "went", "Vt")
    expect(page.locator("#trouble")).to_contain_text("cookies")
    page.context.add_cookies(cookies)  # type: ignore[arg-type]  # what it gives, it takes
    finish(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")


# --- ends ---


def test_an_essay_without_errors_is_finished_after_a_question(visitors: Visitors) -> None:
    project = essays(visitors)
    page = visitors.begin(project)
    page.get_by_role("button", name="Finish this essay").click()
    expect(page.get_by_role("heading", name="Is there no error in it?")).to_be_visible()
    page.get_by_role("button", name="Go back").click()
    page.get_by_role("button", name="Finish this essay").click()
    with page.expect_navigation(url="**/end"):
        page.get_by_role("button", name="There is no error").click()
    assert finished(visitors, project) == {"R1": ()}


def test_practice_comes_first_with_what_is_said_of_it(visitors: Visitors) -> None:
    practice = NewCase("p", "So it go .", purpose=Purpose.PRACTICE, feedback="It goes.")
    project = essays(visitors, practice, ESSAY)
    page = visitors.begin(project)
    expect(page.get_by_text("practice")).to_be_visible()
    word(page, 0, 2).click()
    apply(page, "goes", "SVA")
    finish(page)
    expect(page.get_by_text("1 correction", exact=True)).to_be_visible()
    expect(page.get_by_text("It goes.")).to_be_visible()
    page.get_by_role("link", name="Go on").click()
    expect(word(page, 0, 1)).to_have_text("go")
    assert finished(visitors, project) == {}


def test_without_scripts_it_is_said_that_they_are_needed(visitors: Visitors) -> None:
    page = visitors.begin(essays(visitors), scripts=False)
    told = page.locator("noscript p")
    expect(told).to_be_visible()
    expect(told).to_contain_text("your browser must run JavaScript")


# --- for everybody ---


@pytest.mark.slow
def test_axe_finds_nothing_whatever_is_open(visitors: Visitors) -> None:
    project = essays(visitors)
    page = visitors.begin(project, size=PHONE)
    assert violations(page) == []
    page.get_by_role("button", name="Finish this essay").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Go back").click()
    other = page.context.new_page()
    other.goto(page.url)
    word(other, 2, 1).click()
    apply(other, "love", "Wci")
    is_saved(other)
    correct_by_mouse(page, is_refused=True)
    expect(page.get_by_text("This essay was changed in another window")).to_be_visible()
    for one in page.locator("details").all():
        one.locator("summary").click()
    word(page, 2, 1).click()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#panel-problem")).to_be_visible()
    assert violations(page) == []
    admin = log_in(visitors)
    admin.goto(f"{visitors.site.base}/admin/projects/{project.id}")
    assert violations(admin) == []
    finish(other)
    admin.reload()
    expect(admin.get_by_role("link", name="Everything (zip)")).to_be_visible()
    assert violations(admin) == []


def test_on_a_phone_the_marked_word_and_the_buttons_stay_in_sight(visitors: Visitors) -> None:
    long = NewCase("long", "\n".join(f"Number {i} sat at home ." for i in range(40)))
    page = visitors.begin(essays(visitors, long), size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    word(page, 30, 2).click()
    panel = page.locator("#panel").bounding_box()
    marked = word(page, 30, 2).bounding_box()
    assert panel is not None
    assert marked is not None
    assert marked["y"] + marked["height"] <= panel["y"]
    for name in ("Apply", "Cancel"):
        button = page.get_by_role("button", name=name)
        expect(button).to_be_in_viewport(ratio=1)
    for button in page.locator("#panel").get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    apply(page, "was", "Wci")
    expect(page.locator("#status")).to_be_in_viewport(ratio=1)
    is_saved(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_screen_reader_hears_words_corrections_and_what_happened(visitors: Visitors) -> None:
    page = visitors.begin(essays(visitors))
    correct_by_mouse(page)
    essay = page.get_by_role("listbox", name="The words of the essay")
    essay.focus()
    type_keys(page, "ArrowRight")
    at = essay.get_attribute("aria-activedescendant")
    chosen = page.locator(f"#{at}")
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(chosen).to_have_role("option")
    expect(page.get_by_role("option", name="go, corrected: went")).to_have_count(1)
    expect(page.get_by_role("option", name="in, deleted")).to_have_count(1)
    expect(page.get_by_role("option", name="house, before it inserted: the")).to_have_count(1)
    type_keys(page, "Control+z")
    expect(page.locator("#said")).to_have_text("Undone")


def test_drafts_are_no_answers(visitors: Visitors) -> None:
    project = essays(visitors)
    page = visitors.begin(project)
    correct_by_mouse(page)
    assert finished(visitors, project) == {}
    token = page.locator("[name=token]").get_attribute("value")
    rater = visitors.store.rater_progress(project.id)[0].rater
    draft = visitors.store.draft(rater.id, token or "")
    assert isinstance(draft, Draft)
    assert draft.edits == (WENT, IN, THE)
