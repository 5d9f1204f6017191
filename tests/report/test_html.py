"""The HTML page as text: words stay words, ids stay apart, nothing is asked of the network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError
from jurybox.report.html import (
    LARGEST_PRINT,
    OWN_NAMES,
    Browser,
    BrowserEdit,
    BrowserSentence,
    Figure,
    Highlight,
    Page,
    Recommendation,
    Section,
    browser_json,
    check_page,
    inline_svg,
    print_fit,
    render_page,
)
from jurybox.tables import Column, Table

#: as matplotlib saves it: a clip path and a marker that are referred to, ids that are not
SVG = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="300pt" height="200pt"
 viewBox="0 0 300 200" xmlns="http://www.w3.org/2000/svg" version="1.1">
 <title>Curves</title>
 <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
 <defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <g id="figure_1"><g id="line"><defs><path id="m1" d="M 0 0
L 1 1"/></defs>
 <g clip-path="url(#p1)"><use xlink:href="#m1" x="1" y="2" style="fill: #0072b2"/></g></g>
 <text style="font-size: 8px; font-family: 'DejaVu Sans', serif; text-anchor: end"
  >A &lt; B</text></g>
 <defs><clipPath id="p1"><rect x="0" y="0" width="9" height="9"/></clipPath></defs>
</svg>"""

TABLE = Table(
    (Column("system", text=True), Column("TP"), Column("F0.5", digits=2)),
    (("CAMB", 12, 0.37333), ("AMU", 7, None)),
    title="Scores",
    notes=("P: precision", "signature: jurybox m2|refs:2"),
)
EDITS = (
    BrowserEdit(1, 2, "saw", ("Vt",), annotators=(0, 1), systems=(0,)),
    BrowserEdit(3, 3, "big", ("Wci", "Mec"), systems=(0,)),
)
BROWSER = Browser(
    ("Ann", "Bob"),
    ("CAMB",),
    (
        BrowserSentence(1, "essay 1", ("I", "see", "a", "dog", "."), EDITS),
        BrowserSentence(2, "", ("Fine", "."), (), skipped=(1,)),
    ),
    "jurybox browser|v:1",
)
PAGE = Page(
    title="A report",
    label="constructed sample data",
    highlights=(Highlight("0.37", "F0.5", "CAMB", section="scores"),),
    recommendations=(
        Recommendation("Four counts", "met", "TP to TN", section="scores"),
        Recommendation("Unit size", "missing", "not said"),
        Recommendation("Intervals", "partly", "of F only", section="sentences"),
    ),
    sections=(
        Section(
            "scores",
            "Scores",
            tables=(TABLE, TABLE._replace(notes=())),
            figures=(Figure(SVG, "Two curves"), Figure(SVG, "The same")),
            signature="jurybox score|v:1",
        ),
        Section("people", "People", figures=(Figure(SVG, "Third"),), signature="jurybox people"),
    ),
    browser=BROWSER,
    inputs=(("gold.m2", "ab" * 32),),
    version="1.0",
    command="jurybox report",
)


class Elements(HTMLParser):
    """Every element with its attributes and its own text; complains of what is closed wrongly."""

    VOID = ("meta", "link", "input")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[int] = []
        self.feed(page)
        self.close()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.texts.append("")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(len(self.found) - 1)

    def handle_endtag(self, tag: str) -> None:
        closed = self.found[self.open.pop()][0]
        assert closed == tag, f"</{tag}> closes <{closed}>"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]] += data

    def attributes(self, name: str) -> list[str]:
        return [value for _, given in self.found if (value := given.get(name)) is not None]

    def text_of(self, tag: str) -> list[str]:
        pairs = zip(self.found, self.texts, strict=True)
        return [text for (found, _), text in pairs if found == tag]


@pytest.fixture(scope="module")
def made() -> str:
    return render_page(PAGE)


@pytest.fixture(scope="module")
def elements(made: str) -> Elements:
    return Elements(made)


def test_every_element_is_closed_in_its_order(elements: Elements) -> None:
    assert elements.open == []


def test_no_id_is_given_twice_and_every_reference_leads_somewhere(elements: Elements) -> None:
    ids = elements.attributes("id")
    assert len(set(ids)) == len(ids)
    links = [href[1:] for href in elements.attributes("href") if href.startswith("#")]
    labels = elements.attributes("aria-labelledby")
    clips = [clip[5:-1] for clip in elements.attributes("clip-path")]
    assert links
    assert len(clips) == 3, "each of three figures has a clip path"
    assert set(links + labels + clips) <= set(ids)


def test_the_page_names_nothing_that_a_browser_would_fetch(made: str, elements: Elements) -> None:
    assert all(href.startswith(("#", "data:")) for href in elements.attributes("href"))
    assert elements.attributes("src") == []
    assert "@import" not in made
    assert "http://" not in made
    assert "https://" not in made


def test_only_scripts_with_the_hash_of_the_policy_are_in_the_page(elements: Elements) -> None:
    policy = next(p for p in elements.attributes("content") if "script-src" in p)
    scripts = [
        text
        for (tag, given), text in zip(elements.found, elements.texts, strict=True)
        if tag == "script" and given.get("type") is None
    ]
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert len(hashes) == 2
    assert policy.startswith("default-src 'none';")
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]


def test_no_element_handles_events_in_an_attribute(elements: Elements) -> None:
    assert [name for _, given in elements.found for name in given if name.startswith("on")] == []


def test_every_table_and_figure_shows_one_signature(made: str) -> None:
    shown = re.findall(r'<code data-copy="signature">([^<]+)</code>', made)
    assert sorted(shown) == [
        "jurybox browser|v:1",  # the sentence browser
        "jurybox m2|refs:2",  # the table that has its own
        "jurybox people",
        "jurybox score|v:1",  # the table without, and two figures
        "jurybox score|v:1",
        "jurybox score|v:1",
    ]
    assert "signature: jurybox" not in made
    assert "<p>P: precision</p>" in made


def test_cells_are_rounded_for_people_and_keep_their_value_for_sorting(made: str) -> None:
    assert '<td data-key="0.37333">0.37</td>' in made
    assert "<td>12</td>" in made, "a whole number is shown as it is"
    assert '<td data-key="">–</td>' in made


def test_recommendations_are_counted_and_lead_to_where_they_are_shown(made: str) -> None:
    assert re.search(r"1 of 3 met, 1 in part, 1 missing\.", made)
    assert re.search(r'of F only</span> <a href="#sentences">Sentences</a>', made)


def test_groups_hold_neighbours_in_the_contents() -> None:
    keys = [("a", "One"), ("b", "One"), ("c", ""), ("d", "Two")]
    sections = tuple(Section(key, f"Title {key}", group=group) for key, group in keys)
    nav = render_page(Page("Groups", sections=sections)).split("</nav>")[0]
    assert nav.count('<li class="group">') == 2
    assert nav.index("One") < nav.index("Title a") < nav.index("Title b") < nav.index("Title c")


def test_a_page_without_anything_is_still_a_page() -> None:
    empty = Elements(render_page(Page("Nothing yet")))
    assert empty.text_of("h1") == ["Nothing yet"]
    assert empty.open == []
    assert "sentence-data" not in empty.attributes("id")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            PAGE._replace(sections=(*PAGE.sections, Section("scores", "x"))),
            "two sections.*'scores'",
        ),
        *((Page("x", sections=(Section(k, "x"),)), f"'{k}'") for k in ("inputs", "s12", "a b", "")),
        (PAGE._replace(sections=PAGE.sections[1:]), "'scores', which it does not have"),
        (PAGE._replace(browser=None), "'sentences', which it does not have"),
        (Page("x", recommendations=(Recommendation("y", "done", ""),)), "'done' is no state"),
        (Page("x", sections=(Section("f", "F", figures=(Figure(SVG, ""),)),)), "'f' lacks words"),
        (
            PAGE._replace(browser=BROWSER._replace(sentences=BROWSER.sentences[:1] * 2)),
            "two sentences of the page have the number 1",
        ),
    ],
)
def test_a_page_that_would_lead_astray_is_refused(page: Page, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_page(page)


def test_every_name_of_the_page_itself_is_kept_from_sections(elements: Elements) -> None:
    given = {name for name in elements.attributes("id") if "-" not in name}
    assert given - OWN_NAMES == {"scores", "people"}


# ---- what is written stays text ----

hostile = st.text(
    st.sampled_from("<>&\"'/=`{}% ab!-") | st.characters(categories=("L", "N", "P", "S")),
    min_size=1,
    max_size=20,
) | st.sampled_from(["</script>", "<!--", "<b onclick=x()>", "{{ 7*7 }}", "' autofocus x='"])


@given(hostile)
def test_no_word_of_a_report_becomes_markup(text: str) -> None:
    table = Table((Column(text, text=True), Column(text)), ((text, 1),), text, (text,))
    page = Page(
        text,
        text,
        text,
        (Highlight(text, text, text, "x"),),
        (Recommendation(text, "met", text, "x"),),
        (
            Section(
                "x", text, text, (table,), (Figure(SVG, text, text, table),), (text,), text, text
            ),
        ),
        Browser(
            (text,),
            (text,),
            (BrowserSentence(1, text, (text,), (BrowserEdit(0, 1, text, (text,)),)),),
            text,
        ),
        ((text, text),),
        text,
        text,
    )
    harmless = re.sub(r"[^ab]", "a", text) or "a"
    calm = with_other_words(page, text, harmless)
    assert [tag for tag, _ in Elements(render_page(page)).found] == [
        tag for tag, _ in Elements(render_page(calm)).found
    ]


def with_other_words(value: Any, old: str, new: str) -> Any:
    """The same values with other words."""
    if value == old:
        return new
    if isinstance(value, tuple):
        parts = (with_other_words(part, old, new) for part in value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


# ---- the data of the sentence browser ----


def unpacked(data: dict[str, Any]) -> Browser:
    """The data read back, as the script does."""
    sentences = []
    for number, document, text, edits, skipped in data["sentences"]:
        tokens = tuple(text.split(" ") if isinstance(text, str) else text)
        name = data["documents"][document] if document >= 0 else ""
        read = [
            BrowserEdit(
                a, b, new, tuple(data["types"][t] for t in types), tuple(people), tuple(systems)
            )
            for a, b, new, types, people, systems in edits
        ]
        sentences.append(BrowserSentence(number, name, tokens, tuple(read), tuple(skipped)))
    return Browser(tuple(data["annotators"]), tuple(data["systems"]), tuple(sentences))


indices = st.lists(st.integers(0, 3), unique=True).map(tuple)
edits = st.builds(
    BrowserEdit,
    st.integers(0, 5),
    st.integers(0, 5),
    hostile,
    st.lists(hostile).map(tuple),
    indices,
)
sentences = st.builds(
    BrowserSentence,
    st.integers(1, 999),
    hostile | st.just(""),
    st.lists(hostile | st.just(""), max_size=5).map(tuple),
    st.lists(edits, max_size=3).map(tuple),
    indices,
)


@given(st.lists(sentences, max_size=3))
def test_the_browser_data_says_every_sentence_again(given: list[BrowserSentence]) -> None:
    browser = Browser(tuple("ABCD"), ("S",), tuple(given))
    written = browser_json(browser)
    assert "<" not in written
    assert unpacked(json.loads(written)) == browser


# ---- figures ----


def test_a_figure_is_an_image_with_words_and_keeps_its_text() -> None:
    made = inline_svg(SVG, name="f1", alt='Line "A" < B')
    assert 'role="img" aria-label="Line &quot;A&quot; &lt; B"' in made
    assert ">A &lt; B</text>" in made
    assert "<metadata" not in made
    assert "<style" not in made, "its rules would hold for the whole page"
    assert 'style="font-size: 8px; text-anchor: end"' in made


def test_ids_of_two_figures_never_meet() -> None:
    one, other = (inline_svg(SVG, name=name, alt="x") for name in ("f1", "f2"))
    ids = [set(re.findall(r' id="([^"]+)"', made)) for made in (one, other)]
    assert ids == [{"f1-m1", "f1-p1"}, {"f2-m1", "f2-p1"}]
    assert 'href="#f1-m1"' in one
    assert 'clip-path="url(#f2-p1)"' in other


def test_every_kind_of_figure_can_be_put_into_a_page(tmp_path: Any) -> None:
    from jurybox.figures import save_figure
    from made_figures import drawn

    for name in ("paper", "10 x 10", "50 x 50"):
        save_figure(drawn(name), tmp_path / "figure.svg")
        made = inline_svg((tmp_path / "figure.svg").read_text("utf-8"), name="f", alt=name)
        references = set(re.findall(r'(?:url\(|href=")#([^)"]+)', made))
        assert references <= set(re.findall(r' id="([^"]+)"', made))
        assert "xlink" not in made
    assert 'href="data:image/png' in made, "the colour bar of the last one is a picture"


@pytest.mark.parametrize("text", ["", "<svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"])
def test_what_is_no_drawing_is_refused_by_name(text: str) -> None:
    with pytest.raises(InputError, match="f1: not an SVG figure"):
        inline_svg(text, name="f1", alt="x")


# ---- tables on paper ----


def numbers(columns: int) -> Table:
    titles = (Column("annotator", text=True), *(Column(f"A{k}") for k in range(columns)))
    return Table(titles, (("A1", *(0.25 for _ in range(columns))),))


def test_a_table_is_printed_smaller_the_wider_it_is_and_lies_across_in_the_end() -> None:
    fits = [print_fit(numbers(columns)) for columns in range(1, 40)]
    upright = [fit.size for fit in fits if not fit.turned]
    assert upright[0] == LARGEST_PRINT
    assert upright == sorted(upright, reverse=True)
    assert [fit.turned for fit in fits] == [False] * len(upright) + [True] * (39 - len(upright))
    assert fits[30].size >= 5, "thirty columns can still be read"


def test_long_words_that_wrap_do_not_make_a_table_small() -> None:
    table = Table((Column("a", text=True), Column("b", text=True)), (("x", "word " * 100),))
    assert print_fit(table).size == LARGEST_PRINT


def test_what_makes_pages_is_imported_when_a_page_is_made() -> None:
    program = (
        "import sys, jurybox.report.html\n"
        "print(*[name for name in ('jinja2', 'matplotlib', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
