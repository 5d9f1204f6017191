"""A whole report as one HTML page that needs nothing else: no other file, no server, no network.

`Page` and what it holds are plain values; `render_page` turns them into the page. The template,
its style and its scripts are in the folder `page/`, and are all that the page's look and behaviour
depend on. What a page says is escaped by the template; the scripts make elements out of data and
never markup. A Content-Security-Policy forbids every request, and every script but ours.

jinja2 is imported when a page is made.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from jurybox.errors import InputError
from jurybox.tables import Table

if TYPE_CHECKING:
    from jinja2 import Environment

#: how far a recommendation is followed
STATES = ("met", "partly", "missing")

#: later rules override earlier ones
STYLES = ("style.css", "content.css", "sentences.css", "media.css")

#: what the page names itself: its own parts, and sentences by number
OWN_NAMES = frozenset({"overview", "sentences", "inputs", "sentence-data"}) | {
    *("browser", "filters", "count", "found", "range", "previous", "next", "clear")
}
_SENTENCE_ANCHOR = re.compile(r"s\d+")
_ANCHOR = re.compile(r"[A-Za-z][\w-]*")

#: how many tables are named where they are folded away
MOST_TITLES = 4

#: the text of an A4 or letter sheet is so wide, upright and across, in points
SHEET_WIDTH, SHEET_ACROSS = 500.0, 745.0
#: type sizes of printed tables; below the smaller one a table lies across
LARGEST_PRINT, SMALLEST_PRINT = 8.5, 5.5
#: in ems: a letter of a wide font, what is around a cell; and letters before words wrap
LETTER, CELL_PADDING, WRAPPED = 0.64, 0.8, 40

#: where results write their signature in a table's notes
SIGNATURE_NOTE = "signature: "

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
#: what a page has no use for in a figure, or says in its own way
LEFT_OUT_OF_SVG = frozenset({"metadata", "title", "desc", "style", "script"})
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
#: the page's own font stands in; DejaVu Sans, which was measured with, is wider than most
_FONT = re.compile(r"font-family:[^;]*;?\s*")


class Figure(NamedTuple):
    """A drawing, what there is to see on it for whoever cannot, and its numbers if wanted."""

    svg: str
    alt: str
    caption: str = ""
    numbers: Table | None = None


class Section(NamedTuple):
    """One part of the report; `key` is its anchor, sections of one `group` stand together.

    `signature` holds for every figure, and for every table that has none in its own notes. `folded`
    tables are shown on demand.
    """

    key: str
    title: str
    lead: str = ""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    signature: str = ""
    group: str = ""
    folded: tuple[Table, ...] = ()


class Recommendation(NamedTuple):
    """What a paper recommends to report, how far this report does (`STATES`), and where."""

    title: str
    state: str
    detail: str
    section: str = ""


class Highlight(NamedTuple):
    """A number at the top of the page."""

    value: str
    title: str
    detail: str = ""
    section: str = ""


class BrowserEdit(NamedTuple):
    """Tokens start..end become `replacement` ('' deletes), by these annotators and systems.

    Annotators and systems are indices into the names of the `Browser`.
    """

    start: int
    end: int
    replacement: str
    types: tuple[str, ...] = ()
    annotators: tuple[int, ...] = ()
    systems: tuple[int, ...] = ()


class BrowserSentence(NamedTuple):
    """A source sentence, every different edit of it, and the annotators who did not look at it."""

    number: int
    document: str
    tokens: tuple[str, ...]
    edits: tuple[BrowserEdit, ...] = ()
    skipped: tuple[int, ...] = ()


class Browser(NamedTuple):
    """All sentences, to look through, with everybody's edits."""

    annotators: tuple[str, ...]
    systems: tuple[str, ...]
    sentences: tuple[BrowserSentence, ...]
    signature: str = ""

    @property
    def types(self) -> tuple[str, ...]:
        """Every type of edit there is, in alphabetical order."""
        edits = (edit for sentence in self.sentences for edit in sentence.edits)
        return tuple(sorted({kind for edit in edits for kind in edit.types}))

    @property
    def documents(self) -> tuple[str, ...]:
        """Every document there is, in the order of the sentences."""
        return tuple(dict.fromkeys(s.document for s in self.sentences if s.document))


class Page(NamedTuple):
    """A report. `label` is a badge by the title, such as "constructed sample data"."""

    title: str
    subtitle: str = ""
    label: str = ""
    highlights: tuple[Highlight, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    sections: tuple[Section, ...] = ()
    browser: Browser | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    version: str = ""
    command: str = ""


def render_page(page: Page) -> str:
    """The page as the text of one HTML file."""
    from markupsafe import Markup

    check_page(page)
    scripts = [_part("script.js")]
    if page.browser is not None:
        scripts.append(_part("browser.js"))
    hashes = (b64encode(sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    policy = (  # the browser loads nothing but these scripts, and styles (figures have them)
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
    return (
        _templates()
        .get_template("report.html.j2")
        .render(
            page=page,
            # neighbours of one group stand together in the list of contents
            groups=[(name, [*some]) for name, some in groupby(page.sections, lambda s: s.group)],
            figures={
                section.key: [
                    Markup(inline_svg(one.svg, name=f"{section.key}-{number}", alt=one.alt))
                    for number, one in enumerate(section.figures, start=1)
                ]
                for section in page.sections
            },
            titles={"sentences": "Sentences"} | {one.key: one.title for one in page.sections},
            counts=Counter(one.state for one in page.recommendations),
            policy=policy,
            style=Markup("\n".join(map(_part, STYLES))),
            scripts=[Markup(script) for script in scripts],
            data=Markup(browser_json(page.browser) if page.browser else ""),
        )
    )


def check_page(page: Page) -> None:
    """Refuse a page whose links would lead nowhere or to two places, or that some cannot read."""
    keys = [section.key for section in page.sections]
    if (repeated := _repeated(keys)) is not None:
        raise InputError(f"two sections of the page have the key '{repeated}'; each needs its own")
    for key in keys:
        if key in OWN_NAMES or _SENTENCE_ANCHOR.fullmatch(key) or not _ANCHOR.fullmatch(key):
            raise InputError(f"a section of the page cannot have the key '{key}'; choose another")
    anchors = {"", *keys, *(["sentences"] if page.browser is not None else [])}
    linked = [one.section for one in page.highlights]
    for key in (*linked, *(one.section for one in page.recommendations)):
        if key not in anchors:
            raise InputError(f"the page links to the section '{key}', which it does not have")
    for asked in page.recommendations:
        if asked.state not in STATES:
            listed = ", ".join(STATES)
            raise InputError(f"'{asked.state}' is no state of a recommendation: {listed}")
    for section in page.sections:
        if not all(figure.alt for figure in section.figures):
            raise InputError(f"a figure of '{section.key}' lacks words for who cannot see it (alt)")
    if page.browser is not None:
        number = _repeated(sentence.number for sentence in page.browser.sentences)
        if number is not None:
            raise InputError(f"two sentences of the page have the number {number}")


def _repeated(values: Iterable[Hashable]) -> Hashable | None:
    """The first value that comes twice."""
    return next((value for value, times in Counter(values).items() if times > 1), None)


def browser_json(browser: Browser) -> str:
    r"""The sentence browser's data, as short as JSON can say it, safe inside a script element.

    Names, types and documents stand once and are indices elsewhere; so a thousand sentences with
    twenty versions of each take about a megabyte.

    >>> edit = BrowserEdit(1, 2, "</b>", ("Mec",), annotators=(0,))
    >>> made = browser_json(Browser(("Ann",), (), (BrowserSentence(7, "", ("a", "b"), (edit,)),)))
    >>> print(made[made.index('"sentences"'):])
    "sentences":[[7,-1,"a b",[[1,2,"\u003c/b>",[0],[0],[]]],[]]]}
    """
    types, documents = browser.types, browser.documents
    type_numbers = {name: number for number, name in enumerate(types)}
    document_numbers = {name: number for number, name in enumerate(documents)}
    data = {
        "annotators": browser.annotators,
        "systems": browser.systems,
        "types": types,
        "documents": documents,
        "sentences": [
            (
                sentence.number,
                document_numbers.get(sentence.document, -1),
                # one string where it can be split again at blanks, which is shorter
                text if tuple(text.split(" ")) == sentence.tokens else sentence.tokens,
                [
                    (one.start, one.end, one.replacement, kinds, one.annotators, one.systems)
                    for one in sentence.edits
                    for kinds in [[type_numbers[kind] for kind in one.types]]
                ],
                sentence.skipped,
            )
            for sentence in browser.sentences
            for text in [" ".join(sentence.tokens)]
        ],
    }
    # "<" could end the script element, or begin a comment in it
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def sorts(table: Table) -> bool:
    """Whether rows can change places: each stands alone, and every column has a name.

    >>> from jurybox.tables import Column
    >>> columns = (Column("sentence"), Column("words", text=True))
    >>> sorts(Table(columns, ((7, "source"), ("", "its correction")))), sorts(Table(columns, ()))
    (False, True)
    """
    named = all(column.title for column in table.columns)
    return named and all(row and row[0] != "" for row in table.rows)


def titles_of(tables: tuple[Table, ...]) -> str:
    """What tables are about, the first few of them.

    >>> titles_of((Table((), (), "Types"), Table((), ())))
    ': Types'
    """
    titles = [table.title for table in tables if table.title]
    shown = "; ".join(titles[:MOST_TITLES])
    return f": {shown}{' …' if len(titles) > MOST_TITLES else ''}" if titles else ""


def signature_of(table: Table, section: Section) -> str:
    """The signature in a table's own notes, or else that of its section.

    >>> signature_of(Table((), (), notes=("signature: jurybox m2",)), Section("scores", "Scores"))
    'jurybox m2'
    """
    own = (n.removeprefix(SIGNATURE_NOTE) for n in table.notes if n.startswith(SIGNATURE_NOTE))
    return next(own, section.signature)


def plain_notes(table: Table) -> list[str]:
    """A table's notes without its signature, which stands in a place of its own."""
    return [note for note in table.notes if not note.startswith(SIGNATURE_NOTE)]


class PrintFit(NamedTuple):
    """How a table fits on a sheet of paper: its type size in points, and whether across."""

    size: float
    turned: bool


def print_fit(table: Table) -> PrintFit:
    """The type size at which a table fits on the width of a sheet; a very wide one lies across."""
    shown = [[cell.text for cell in row] for row in table.cells()]
    ems = 0.0
    for number, column in enumerate(table.columns):
        longest = max((len(word) for word in column.title.split()), default=0)
        cells = max((len(row[number]) for row in shown), default=0)
        if column.text and number:  # these wrap
            cells = min(cells, WRAPPED)
        ems += LETTER * max(longest, cells) + CELL_PADDING
    upright = SHEET_WIDTH / ems if ems else LARGEST_PRINT
    turned = upright < SMALLEST_PRINT
    fitting = upright * SHEET_ACROSS / SHEET_WIDTH if turned else upright
    return PrintFit(round(min(LARGEST_PRINT, fitting), 1), turned)


@cache
def _part(name: str) -> str:
    return (files("jurybox.report") / "page" / name).read_text("utf-8")


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    # every page is HTML: what is not Markup is escaped, whatever the template's name
    environment = Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["wrapped"] = WRAPPED
    for helper in (sorts, titles_of, signature_of, plain_notes, print_fit):
        environment.globals[helper.__name__] = helper
    return environment


# --- figures ---


def inline_svg(svg: str, *, name: str, alt: str) -> str:
    """The figure as an `<svg>` element that is an image to whoever cannot see it.

    What matplotlib saves is a document of its own. Several in one page clash: their ids are the
    same, and the rules of their style elements hold for the whole page. So ids that something
    refers to get the figure's name in front, all others go, and so do styles and metadata.

    `name` goes in front of its ids and must be the figure's own in the page; `alt` says what there
    is to see. The width of the drawing is left to the page, in the property `--width`.
    """
    try:
        root = ElementTree.fromstring(svg)
        box = root.attrib["viewBox"]
        width = float(box.split()[2])
    except (ElementTree.ParseError, KeyError, IndexError, ValueError) as error:
        raise InputError(f"{name}: not an SVG figure with a viewBox ({error})") from None
    _leave_out(root)
    referred_to: set[str] = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            if key in ("href", HREF) and value.startswith("#"):
                referred_to.add(value[1:])
            referred_to.update(_REFERENCE.findall(value))
    for element in root.iter():
        _rewrite(element, name, referred_to)
    style = f"--width: {width:g}"
    root.attrib = {"viewBox": box, "role": "img", "aria-label": alt, "style": style}
    return ElementTree.tostring(root, encoding="unicode")


def _leave_out(element: Element) -> None:
    for child in list(element):
        if not child.tag.startswith(SVG) or child.tag.removeprefix(SVG) in LEFT_OUT_OF_SVG:
            element.remove(child)
            continue
        if not (child.tail or "").strip():
            child.tail = None
        _leave_out(child)
    if len(element) and not (element.text or "").strip():
        element.text = None


def _rewrite(element: Element, name: str, referred_to: set[str]) -> None:
    """Plain tags and attributes, ids that are this figure's own."""
    element.tag = element.tag.removeprefix(SVG)
    attributes: dict[str, str] = {}
    for key, value in element.attrib.items():
        if key == "id":
            continue
        if key in ("href", HREF):
            attributes["href"] = f"#{name}-{value[1:]}" if value.startswith("#") else value
        elif not key.startswith(("{", "on")):
            attributes[key] = _REFERENCE.sub(rf"url(#{name}-\1)", value)
    if "style" in attributes:
        attributes["style"] = _FONT.sub("", attributes["style"])
    if (own := element.attrib.get("id")) in referred_to:
        attributes["id"] = f"{name}-{own}"
    element.attrib = attributes
