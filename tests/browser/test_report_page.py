"""The HTML report as people use it: sorting, filters, keys, phones, the dark, paper, no scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Locator, Page, expect

from browser.conftest import DESKTOP, PHONE, Opener
from browser.made_report import NUMBER, SIGNATURE, large_browser, report
from jurybox.report.html import Page as Report
from jurybox.report.html import render_page

ESSAY_3 = range(9, NUMBER + 1)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(report(), "utf-8")
    return file


@pytest.fixture
def page(open_file: Opener, path: Path) -> Page:
    return open_file(path)


@pytest.fixture(scope="module")
def sentences(open_files: Opener, path: Path) -> Page:
    """One page for all who look through sentences; each begins by clearing the filters."""
    return open_files(path)


@pytest.fixture
def cleared(sentences: Page) -> Page:
    sentences.get_by_role("button", name="Clear").click()
    return sentences


# ---- tables ----


def scores(page: Page) -> Locator:
    return page.get_by_role("table", name="Scores of four systems")


def systems_in_order(page: Page) -> list[str]:
    return scores(page).get_by_role("rowheader").all_inner_texts()


def press(page: Page, title: str) -> str | None:
    """Press a column's title; what the column then says of itself."""
    head = scores(page).get_by_role("columnheader", name=title, exact=True)
    head.get_by_role("button").click()
    return head.get_attribute("aria-sort")


@pytest.mark.quick
def test_numbers_sort_as_numbers_largest_first(page: Page) -> None:
    assert press(page, "TP") == "descending"
    assert systems_in_order(page) == ["S2", "S1", "S10", "S3"]
    assert press(page, "TP") == "ascending"
    assert systems_in_order(page) == ["S3", "S10", "S1", "S2"]


def test_a_third_press_gives_the_first_order_back(page: Page) -> None:
    assert [press(page, "TP") for _ in range(3)][-1] is None
    assert systems_in_order(page) == ["S10", "S2", "S1", "S3"]


def test_what_is_undefined_stays_last_and_unrounded_values_decide(page: Page) -> None:
    press(page, "P")
    assert systems_in_order(page) == ["S3", "S10", "S1", "S2"]
    press(page, "P")
    assert systems_in_order(page) == ["S1", "S10", "S3", "S2"]


def test_names_sort_as_people_count(page: Page) -> None:
    assert press(page, "system") == "ascending"
    assert systems_in_order(page) == ["S1", "S2", "S3", "S10"]


def test_only_one_column_says_that_it_is_sorted(page: Page) -> None:
    press(page, "TP")
    press(page, "system")
    assert scores(page).locator("[aria-sort]").all_inner_texts() == ["system"]


def test_tables_sort_by_keyboard(page: Page) -> None:
    scores(page).get_by_role("button", name="system").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert systems_in_order(page) == ["S2", "S1", "S10", "S3"]


def test_only_boxes_that_scroll_are_stops_of_the_tab_key(page: Page) -> None:
    box = "xpath=.."
    wide = page.get_by_role("table", name="One annotator against another").locator(box)
    expect(wide).to_have_attribute("tabindex", "0")
    expect(scores(page).locator(box)).not_to_have_attribute("tabindex", "0")


def test_a_wide_table_keeps_its_first_column_in_sight(page: Page) -> None:
    wide = page.get_by_role("table", name="One annotator against another")
    box = wide.locator("xpath=..")
    expect(box).to_have_class("scroll scrolls")
    first = wide.get_by_role("rowheader").first
    before = first.bounding_box()
    box.evaluate("box => { box.scrollLeft = 300; }")
    assert box.evaluate("box => box.scrollLeft") > 100
    assert before is not None
    assert first.bounding_box() == before


def test_a_signature_can_be_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.locator("#scores").get_by_role("button", name="Copy")
    button.click()
    expect(page.locator("#scores .copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == SIGNATURE


# ---- sentences ----


def ask(page: Page, **filters: str) -> list[int]:
    """Choose filters by what they are called; the numbers of the sentences on the page."""
    form = page.get_by_role("form", name="Which sentences to show")
    for name, value in filters.items():
        field = form.locator(f"[name={name}]")
        if name == "words":
            field.fill(value)
        else:
            field.select_option(label=value)
    return shown(page)


def shown(page: Page) -> list[int]:
    ids = page.locator("#found article").evaluate_all("all => all.map((one) => one.id)")
    return [int(name[1:]) for name in ids]


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({"agreement": "everybody: something is wrong"}, [1, 5, 8]),
        ({"agreement": "everybody, in the same place"}, [1, 5]),
        ({"agreement": "more than half"}, [1, 5, 6, 8]),
        ({"agreement": "contested: a third to two thirds"}, [2]),
        ({"agreement": "only systems"}, [4]),
        ({"agreement": "nobody", "document": "essay 2"}, [3, 7]),
        ({"type": "SVA"}, [1]),
        ({"type": "Mec"}, [8]),
        ({"system": "Careful"}, [1, 6]),
        ({"system": "Careful", "change": "an edit somebody made too"}, [1]),
        ({"system": "Careful", "change": "an edit nobody made"}, [6]),
        ({"system": "Careful", "change": "missed what most corrected"}, [5]),
        ({"system": "Bold", "change": "changed something"}, [2, 4]),
        ({"system": "Bold", "change": "an edit somebody made too"}, []),
        ({"system": "Bold", "change": "missed what most corrected"}, [1, 5, 6]),
        ({"change": "an edit nobody made"}, [2, 4, 6]),
        # one and the same edit: Bold did change sentence 2, but made no edit of the type Nn
        ({"type": "Wci", "system": "Bold"}, [2]),
        ({"type": "Nn", "system": "Bold"}, []),
        ({"type": "Vt", "change": "missed what most corrected"}, [5]),
        ({"document": "essay 2"}, [3, 4, 5, 6, 7, 8]),
        ({"words": "FILM"}, [5]),
        ({"words": "had seen"}, [5]),
        ({"words": "dogs", "agreement": "only systems"}, []),
    ],
)
def test_filters_find(cleared: Page, filters: dict[str, str], numbers: list[int]) -> None:
    assert ask(cleared, **filters) == numbers
    expect(cleared.locator("#count")).to_have_text(f"{len(numbers)} of {NUMBER} sentences")


def test_clearing_shows_everything_again(cleared: Page) -> None:
    assert ask(cleared, words="film", document="essay 2") == [5]
    cleared.get_by_role("button", name="Clear").click()
    expect(cleared.locator("#count")).to_have_text(f"{NUMBER} of {NUMBER} sentences")
    assert shown(cleared) == list(range(1, 21))


def test_twenty_are_shown_at_a_time(cleared: Page) -> None:
    before, after = (cleared.get_by_role("button", name=name) for name in ("Previous", "Next"))
    expect(before).to_be_disabled()
    after.click()
    assert shown(cleared) == list(range(21, 41))
    expect(cleared.locator("#range")).to_have_text(f"21–40 of {NUMBER}")
    expect(cleared.locator("#s21")).to_be_focused()
    after.click()
    assert shown(cleared) == list(range(41, NUMBER + 1))
    expect(after).to_be_disabled()
    before.click()
    assert shown(cleared) == list(range(21, 41))


def test_pages_are_pages_of_what_was_found(cleared: Page) -> None:
    ask(cleared, document="essay 3")
    cleared.get_by_role("button", name="Next").click()
    assert shown(cleared) == list(ESSAY_3)[20:]
    assert ask(cleared, document="essay 1") == [1, 2]


def test_a_link_opens_one_sentence(open_file: Opener, path: Path) -> None:
    page = open_file(path, "#s33")
    expect(page.locator("#s33")).to_be_focused()
    expect(page.locator("#s33")).to_be_in_viewport()


def test_a_number_opens_a_sentence_that_the_filters_hide(page: Page) -> None:
    ask(page, document="essay 1")
    page.get_by_label("Sentence", exact=True).fill("33")
    page.keyboard.press("Enter")
    expect(page.locator("#s33")).to_be_focused()
    assert page.url.endswith("#s33")
    expect(page.get_by_label("Document")).to_have_value("")


def test_a_number_that_does_not_exist_is_told(cleared: Page) -> None:
    cleared.get_by_label("Sentence", exact=True).fill("999")
    cleared.keyboard.press("Enter")
    expect(cleared.get_by_role("status")).to_have_text("There is no sentence 999.")


def versions(page: Page, number: int) -> list[tuple[str, str]]:
    rows = page.locator(f"#s{number} .versions > div")
    parts = ((row.locator("dt"), row.locator("dd")) for row in rows.all())
    # not inner_text: what is out of sight is not laid out and has none
    return [(who.text_content() or "", what.text_content() or "") for who, what in parts]


def test_people_who_wrote_the_same_stand_together(cleared: Page) -> None:
    assert versions(cleared, 5) == [
        ("Ann, Bob", "She see saw the film yesterday . Vt"),
        ("Cem", "She see had seen the film yesterday . Vt"),
        ("Careful, Bold", "left as it is"),
    ]
    assert cleared.locator("#s5 dd del").all_text_contents() == ["see", "see"]
    assert cleared.locator("#s5 dd ins").all_text_contents() == ["saw", "had seen"]
    about = "essay 2 · 3 of 3 changed it; not looked at by Dee"
    expect(cleared.locator("#s5 .about")).to_have_text(about)


def test_an_edit_of_a_system_says_how_many_people_made_it(cleared: Page) -> None:
    assert versions(cleared, 1)[1:] == [
        ("Careful", "He go goes 4 of 4 home . SVA"),
        ("Bold", "left as it is"),
    ]
    inserted = cleared.locator("#s6 .made-by")
    expect(inserted).to_have_text("0 of 4")
    expect(inserted).to_have_attribute(
        "title", "0 of 4 people made this edit; 3 made another one here"
    )


@pytest.mark.parametrize(
    ("number", "source", "levels"),
    [
        (1, "He go4/4 home .", ["level-4"]),
        (2, "I like cat2/4 .", ["level-2"]),
        (3, "All is well .", []),
        (4, "It is fine .", []),
        (6, "We went +3/4 cinema .", ["level-3"]),
        (8, "a1/4 b1/4 c1/4 d1/4 .", ["level-1"]),
    ],
)
def test_places_show_how_many_changed_them(
    cleared: Page, number: int, source: str, levels: list[str]
) -> None:
    shown = cleared.locator(f"#s{number} .source")
    assert (shown.text_content() or "").strip() == source
    marks = shown.locator("mark").evaluate_all("all => all.map((one) => one.className)")
    assert sorted(set(marks)) == levels


def test_a_word_that_only_systems_changed_is_marked_in_another_way(cleared: Page) -> None:
    assert cleared.locator("#s4 .source .system-only").all_text_contents() == ["fine"]


def test_words_that_look_like_markup_are_shown_as_words(cleared: Page) -> None:
    source = cleared.locator("#s7 .source")
    expect(source).to_have_text('<img src=x onerror="fail()"> </script> &amp; <!--')
    assert cleared.locator("img").count() == 0


def test_scripts_that_are_not_ours_do_not_run(open_file: Opener, path: Path) -> None:
    foreign = path.with_name("foreign.html")
    hostile = "<script>document.title = 'broken'</script>"
    foreign.write_text(report().replace("</main>", f"{hostile}</main>"), "utf-8")
    refused: list[str] = []
    page = open_file(path)
    second = page.context.new_page()  # not watched: the browser complains of what it refuses
    second.on("console", lambda message: refused.append(message.text))
    second.goto(foreign.as_uri())
    assert second.title() == "Two systems before four annotators"
    assert any("Content Security Policy" in text for text in refused)


@pytest.mark.slow
def test_the_largest_report_is_small_and_filters_at_once(open_file: Opener, tmp_path: Path) -> None:
    made = render_page(Report("Large", browser=large_browser()))
    assert len(made.encode()) < 4_000_000
    path = tmp_path / "large.html"
    path.write_text(made, "utf-8")
    page = open_file(path)
    # the best of three: the machine may be busy with something else
    taken = page.evaluate(
        """() => {
          const agreement = document.querySelector("[name=agreement]");
          const words = document.querySelector("[name=words]");
          const time = (field, value) => {
            const start = performance.now();
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            document.body.getBoundingClientRect();
            return performance.now() - start;
          };
          const best = (field, values) => Math.min(...values.map((value) => time(field, value)));
          return [best(agreement, ["most", "contested", ""]), best(words, ["the", "people", "h"])];
        }"""
    )
    assert max(taken) < 200


# ---- for everybody, everywhere ----


@pytest.mark.parametrize(
    ("size", "dark"),
    [(DESKTOP, False), (DESKTOP, True), (PHONE, False)],
    ids=["light", "dark", "phone"],
)
def test_no_barrier_is_found(
    open_file: Opener, path: Path, size: tuple[int, int], dark: bool
) -> None:
    page = open_file(path, size=size, dark=dark)
    for details in page.locator("details").all():
        details.evaluate("one => { one.open = true; }")
    # what is out of sight is not laid out, and would not be looked at
    page.add_style_tag(content=".sentence { content-visibility: visible !important; }")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [360, 700, 1000])
def test_the_page_never_scrolls_sideways(
    open_file: Opener, path: Path, width: int, scripts: bool
) -> None:
    page = open_file(path, size=(width, 740), scripts=scripts)
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths == [width, width]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_figures_stay_in_their_column(open_file: Opener, path: Path, size: tuple[int, int]) -> None:
    page = open_file(path, size=size)
    for image in page.locator(".drawing").all():
        box, column = image.bounding_box(), page.locator("main").bounding_box()
        assert box is not None
        assert column is not None
        assert box["x"] >= column["x"]
        assert box["x"] + box["width"] <= column["x"] + column["width"] + 0.5
    expect(page.get_by_role("img")).to_have_count(2)


def test_contents_are_folded_away_on_a_phone_and_fold_again_after_use(
    open_file: Opener, path: Path
) -> None:
    page = open_file(path, size=PHONE)
    contents = page.get_by_role("navigation", name="Contents")
    link = contents.get_by_role("link", name="Scores")
    expect(link).to_be_hidden()
    contents.get_by_text("Contents").click()
    link.click()
    expect(link).to_be_hidden()
    expect(page.get_by_role("heading", name="Scores")).to_be_in_viewport()


def test_contents_follow_the_reader(page: Page) -> None:
    link = page.get_by_role("navigation").get_by_role("link", name="Figures")
    link.click()
    expect(link).to_have_attribute("aria-current", "true")


def test_the_first_tab_offers_to_skip_the_contents(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the report")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#overview")).to_be_focused()


BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
DRAWING = "getComputedStyle(document.querySelector('.drawing svg')).filter"
WHITE, DARK = "rgb(255, 255, 255)", "rgb(26, 26, 26)"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_follow_the_machine_until_the_button_is_pressed(
    open_file: Opener, path: Path, dark: bool
) -> None:
    page = open_file(path, dark=dark)
    light_name, dark_name = "Light colours", "Dark colours"
    for is_dark in (dark, not dark, dark):
        assert page.evaluate(BACKGROUND) == (DARK if is_dark else WHITE)
        assert (page.evaluate(DRAWING) != "none") == is_dark
        page.get_by_role("button", name=light_name if is_dark else dark_name).click()
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert page.context.cookies() == []


def test_paper_is_white_and_has_no_buttons(open_file: Opener, path: Path) -> None:
    page = open_file(path, dark=True)
    page.get_by_role("button", name="Light colours").click()
    page.get_by_role("button", name="Dark colours").click()
    page.emulate_media(media="print")
    assert page.evaluate(BACKGROUND) == WHITE
    assert page.evaluate(DRAWING) == "none"
    expect(page.get_by_role("navigation")).to_have_count(0)
    expect(page.get_by_role("form")).to_have_count(0)
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    expect(page.locator("#s1")).to_be_visible()


def test_the_page_prints_with_every_column_of_a_wide_table(page: Page, tmp_path: Path) -> None:
    made = page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert made.startswith(b"%PDF")
    assert 3 <= made.count(b"/Type /Page\n") <= 15
    # A4 less the margins in CSS pixels, upright and across
    upright, across = 672, 1001
    page.set_viewport_size({"width": upright, "height": 900})
    page.emulate_media(media="print")
    figures = page.locator("figure.table").all()
    turned = [box.evaluate("box => box.classList.contains('turned')") for box in figures]
    assert turned == [False, False, True]
    for figure, is_turned in zip(figures, turned, strict=True):
        box = figure.get_by_role("table").bounding_box()
        assert box is not None
        assert box["width"] <= (across if is_turned else upright)


def test_everything_but_the_browser_works_without_scripts(open_file: Opener, path: Path) -> None:
    page = open_file(path, size=PHONE, scripts=False)
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator("#browser")).to_be_hidden()
    expect(page.get_by_text("Looking through sentences needs JavaScript")).to_be_visible()
    expect(scores(page)).to_be_visible()
    page.get_by_role("link", name="Figures").click()
    expect(page.get_by_role("img").first).to_be_in_viewport()


STILL = """() => new Promise((done) => {
  let changes = 0;
  const watcher = new MutationObserver((seen) => { changes += seen.length; });
  watcher.observe(document.querySelector("main"), {
    attributes: true, attributeFilter: ["class", "tabindex"], subtree: true,
  });
  setTimeout(() => done(changes), 400);
})"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the bundled sample: real tables of all widths."""
    from jurybox.cli import run

    file = tmp_path_factory.mktemp("demo") / "report.html"
    assert run(["demo", "-o", str(file)]) == 0
    return file


@pytest.mark.parametrize("width", [390, 1280, 1366, 1920])
def test_the_page_comes_to_rest_at_every_width(open_file: Opener, demo: Path, width: int) -> None:
    page = open_file(demo, size=(width, 900))
    page.wait_for_timeout(200)
    assert page.evaluate(STILL) == 0


def test_tables_with_several_rows_for_a_thing_cannot_be_sorted_apart(
    open_file: Opener, demo: Path
) -> None:
    page = open_file(demo)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    deciding = page.get_by_role("table", name="Sentences that decide").first
    assert deciding.get_by_role("button").count() == 0
    assert page.get_by_role("table", name="bold by type").get_by_role("button").count() > 0


def test_paper_says_which_sentences_it_shows(open_file: Opener, demo: Path) -> None:
    page = open_file(demo)
    page.emulate_media(media="print")
    after = "getComputedStyle(document.getElementById('count'), '::after').content"
    assert page.evaluate(after) == '", of which 1 to 20 are shown here"'


@pytest.mark.slow
def test_no_barrier_is_found_in_the_report_of_the_sample(open_file: Opener, demo: Path) -> None:
    page = open_file(demo)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
