"""What the scripts of the studies share: the data, the marked places of a page, figures, claims.

A study is a page (`ten-annotators.md`) and a script of the same name beside it. The script makes
`Findings` out of data. Three kinds of them keep the page honest:

- tables stand in the page between `<!-- table: name -->` and `<!-- end -->`, and are written there;
- figures are SVG files beside the page, and are written there;
- prose is written by hand. `says` names a phrase with its numbers, which the page must hold word
  for word; `quotes` names one whose numbers are others' or were measured once. A number of the
  prose that stands in neither is complained about.

    python docs/studies/ten-annotators.py            writes tables and figures
    python docs/studies/ten-annotators.py --check    writes nothing; fails where it would
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import JuryboxWarning
from jurybox.figures import svg_text
from jurybox.tables import Column, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SYSTEMS = ("AMU", "CAMB", "CUUI")
ANNOTATORS = tuple(f"A{number}" for number in range(1, 11))


# --- the data ---


class Origin(NamedTuple):
    """What is in a folder of the data, where to get it, and on which terms."""

    folder: str
    files: tuple[str, ...]
    what: str
    address: str
    terms: str


ORIGINS = {
    one.folder: one
    for one in (
        Origin(
            "conll14-10",
            (*(f"{name}.m2" for name in ANNOTATORS), "sgml/A1.sgml"),
            "the CoNLL-2014 essays by ten annotators (Bryant and Ng 2015)",
            "https://github.com/borgr/assess_learner_language (data/references/10gec_annotations)",
            "free, cite the paper",
        ),
        Origin(
            "systems",
            SYSTEMS,
            "output of three systems of the shared task",
            "https://github.com/grammatical/evaluation (official submissions)",
            "none stated",
        ),
        Origin(
            "gug",
            ("gug_annotations.tsv",),
            "learners' sentences, an expert's score and five of a crowd (Heilman et al. 2014)",
            "https://github.com/EducationalTestingService/gug-data",
            "CC BY-NC-SA 4.0",
        ),
        Origin(
            "text",
            ("enwiki-a.txt.xz", "openstax.txt.xz", "selection-heldout.jsonl.xz"),
            "English Wikipedia of 2015, OpenStax textbooks, held-out preposition events",
            "https://github.com/jason-feng/wikiVisual, https://github.com/openstax (osbooks-*)",
            "CC BY-SA; CC BY, some CC BY-NC-SA 4.0",
        ),
    )
}


def find_data(given: str | None = None) -> Path:
    """The folder that holds the data: the one given, $JURYBOX_DATA, or the one beside us."""
    return Path(given or os.environ.get("JURYBOX_DATA") or ROOT.parent / "shared" / "data")


def missing_data(data: Path, needs: Sequence[str]) -> list[str]:
    """What is missing, and where to get it; a line each."""
    lines = []
    for origin in map(ORIGINS.__getitem__, needs):
        absent = [name for name in origin.files if not (data / origin.folder / name).is_file()]
        if absent:
            lines.append(f"{data / origin.folder}: without {', '.join(absent)}")
            lines.append(f"  {origin.what}: {origin.address}")
    return lines


def data_table(needs: Sequence[str]) -> str:
    """The data of a study, for its page."""
    titles = ("folder", "holds", "from", "terms")
    columns = tuple(Column(title, text=True) for title in titles)
    rows = tuple(
        (f"`{one.folder}`", one.what, one.address, one.terms)
        for one in map(ORIGINS.get, needs)
        if one
    )
    return Table(columns, rows).to_markdown()


def gold_files(data: Path) -> list[Path]:
    """The ten annotators' M2 files, in order."""
    return [data / "conll14-10" / f"{name}.m2" for name in ANNOTATORS]


def essay_map(data: Path) -> Path:
    """Where essays begin and end."""
    return data / "conll14-10" / "sgml" / "A1.sgml"


def system_files(data: Path) -> dict[str, Path]:
    return {name: data / "systems" / name for name in SYSTEMS}


# --- findings ---


class Findings:
    """What a script found, to be written into its page or held against it."""

    def __init__(self) -> None:
        self.tables: dict[str, str] = {}
        self.figures: dict[str, str] = {}
        self.phrases: list[str] = []
        self.quoted: list[str] = []
        self.refuted: list[str] = []

    def table(self, name: str, table: Table | str, form: str = "text") -> None:
        """A table for a marked place, without title and notes; text goes into a fence."""
        if isinstance(table, Table):
            table = table._replace(title="", notes=()).render(form)
            if form == "text":
                table = f"```text\n{table}\n```"
        self.tables[name] = table

    def figure(self, file: str, figure: Figure) -> None:
        self.figures[file] = svg_text(figure)

    def says(self, *phrases: str, when: bool = True) -> None:
        """Phrases that the page must hold; with `when`, what they say must be so."""
        self.phrases += phrases
        if not when:
            self.refuted += phrases

    def quotes(self, *phrases: str) -> None:
        """Phrases with numbers that this script does not make: of papers, or measured once."""
        self.quoted += phrases


def table_of(tables: Sequence[Table], title: str) -> Table:
    """The table whose title begins so."""
    return next(table for table in tables if table.title.startswith(title))


def points(value: float, digits: int = 3) -> str:
    """A share as the prose writes it, without the leading 0.

    >>> points(0.7252, 4), points(-0.05, 2), points(1)
    ('.7252', '-.05', '1.000')
    """
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.{digits}f}")


def share(value: float, digits: int = 1) -> str:
    """A share in per cent.

    >>> share(0.7173), share(0.44, 0)
    ('71.7 %', '44 %')
    """
    return f"{100 * value:.{digits}f} %"


# --- the page ---

PLACE = re.compile(r"(<!-- table: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
VERSION = re.compile(r"\bv:\d+\.\d+\.\d+\w*")
#: not prose: marked places, fences, code, comments, where links lead
NOT_PROSE = (
    PLACE,
    re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE),
    re.compile(r"`[^`]*`"),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"\]\([^)]*\)"),
)
#: not numbers: years, annotators, F0.5, M2, headings of papers
NAMES = re.compile(r"\b(?:(?:19|20)\d\d|A\d+|F0\.5|M2)\b|\b(?:Table|Figure|section) \d+")
NUMBER = re.compile(r"[\w.,]*\d[\w.,]*")


def fill(page: str, tables: dict[str, str]) -> str:
    r"""The page with the tables in their places.

    >>> fill("<!-- table: a -->\nold\n<!-- end -->\n", {"a": "new"})
    '<!-- table: a -->\nnew\n<!-- end -->\n'
    """
    return PLACE.sub(lambda found: f"{found[1]}{tables.get(found[2], '?')}\n{found[4]}", page)


def places_of(page: str) -> list[str]:
    """The names of the marked places, in order."""
    return [found[2] for found in PLACE.finditer(page)]


def same(first: str, second: str) -> bool:
    """Whether texts are equal but for the version of jurybox in signatures."""
    return VERSION.sub("", first) == VERSION.sub("", second)


def one_line(text: str) -> str:
    return " ".join(text.split())


def unchecked_numbers(page: str, phrases: Sequence[str]) -> list[str]:
    """Numbers of the prose that stand in none of the phrases, with what is around them.

    >>> unchecked_numbers("Of 12 people (Ng 2015) 7 agree.", ["Of 12 people"])
    ['  (Ng 2015) 7 agree.']
    """
    for pattern in NOT_PROSE:
        page = pattern.sub(" ", page)
    prose = one_line(page)
    for phrase in sorted(map(one_line, phrases), key=len, reverse=True):
        prose = prose.replace(phrase, " ")
    named = [found.span() for found in NAMES.finditer(prose)]
    return [
        prose[max(0, found.start() - 25) : found.end() + 15]
        for found in NUMBER.finditer(prose)
        if not any(start < found.end() and found.start() < end for start, end in named)
    ]


def complaints(page: str, found: Findings) -> Iterator[str]:
    """What is wrong with the prose and the marks of a page."""
    marked = places_of(page)
    for name in sorted(set(marked) ^ set(found.tables)):
        where = "the page has no place for it" if name in found.tables else "nobody makes it"
        yield f"table {name}: {where}"
    for file in found.figures:
        if f"]({file})" not in page:
            yield f"figure {file}: the page does not show it"
    prose = one_line(page)
    for phrase in (*found.phrases, *found.quoted):
        if one_line(phrase) not in prose:
            yield f"the page does not say: {phrase}"
    for phrase in found.refuted:
        yield f"the data does not say: {phrase}"
    for around in unchecked_numbers(page, (*found.phrases, *found.quoted)):
        yield f"nobody checks a number: …{around}…"


def stale(page: str, found: Findings) -> Iterator[str]:
    """Tables and figures that are not what the data gives."""
    filled = fill(page, found.tables)
    if not same(page, filled):
        changes = unified_diff(page.splitlines(), filled.splitlines(), "page", "data", "", "", 0)
        yield "tables differ:\n" + "\n".join(changes)
    for file, drawn in found.figures.items():
        path = HERE / file
        if not path.is_file():
            yield f"figure {file} is missing"
        elif not same(path.read_text("utf-8"), drawn):
            yield f"figure {file} is not what the data gives"


def write(path: Path, found: Findings) -> Iterator[str]:
    """Write what is stale; gives the files that were written."""
    targets = {HERE / file: drawn for file, drawn in found.figures.items()}
    targets[path] = fill(path.read_text("utf-8"), found.tables)
    for target, text in targets.items():
        if not target.is_file() or not same(target.read_text("utf-8"), text):
            target.write_text(text, "utf-8")
            yield target.name


# --- the command ---


class Study(NamedTuple):
    """A page, the folders of data it needs, and what is found in them."""

    name: str
    needs: tuple[str, ...]
    find: Callable[[Path], Findings]

    @property
    def page(self) -> Path:
        return HERE / f"{self.name}.md"


def find_all(study: Study, data: Path) -> Findings:
    """The findings, and the table of the data they are from."""
    if lines := missing_data(data, study.needs):
        lines.append("Put the files there, or name another folder with --data or JURYBOX_DATA.")
        sys.exit("\n".join(lines))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)  # the pages tell what they are about
        found = study.find(data)
    found.table("data", data_table(study.needs))
    return found


def parser_of(study: Study, description: str | None) -> ArgumentParser:
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder of the data (JURYBOX_DATA, or ../shared/data)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where stale")
    parser.epilog = f"The page: docs/studies/{study.page.name}"
    return parser


def carry_out(study: Study, options: Namespace) -> None:
    """Write the page's tables and figures, or check them; ends with 1 where something is wrong."""
    found = find_all(study, find_data(options.data))
    wrong = []
    if options.check:
        wrong += stale(study.page.read_text("utf-8"), found)
    else:
        written = list(write(study.page, found))
        print(f"written: {', '.join(written) or 'nothing, all was up to date'}")
    wrong += complaints(study.page.read_text("utf-8"), found)
    if wrong:
        sys.exit("\n".join([f"{study.page.name}:", *wrong]))


def run(study: Study, description: str | None) -> None:
    """The command line of a script."""
    carry_out(study, parser_of(study, description).parse_args())
