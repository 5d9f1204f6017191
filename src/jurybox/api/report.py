"""`make_report`: everything jurybox can tell about some systems, on one page."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jurybox._version import __version__
from jurybox.api.counting import Progress
from jurybox.api.inputs import Gold, Hypothesis
from jurybox.api.report_work import Work
from jurybox.api.results import TabularResult
from jurybox.errors import UsageError
from jurybox.formats import Input
from jurybox.report.html import Browser, Page

Systems = Mapping[str, Hypothesis]


@dataclass(frozen=True)
class Report:
    """The results of a report and the page they make."""

    page: Page
    results: tuple[TabularResult, ...]

    def to_html(self) -> str:
        """One HTML document, with everything it needs inside."""
        from jurybox.report.html import render_page

        return render_page(self.page)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page; the file appears whole or not at all."""
        from jurybox.formats import writing

        text = self.to_html()
        with writing(path) as out:
            out.write(text)

    def summary(self) -> list[str]:
        """The headline numbers, a line each, and how much of what should be told is told."""
        width = max((len(tile.value) for tile in self.page.highlights), default=0)
        lines = [
            f"{tile.value.rjust(width)}  {': '.join(filter(None, (tile.title, tile.detail)))}"
            for tile in self.page.highlights
        ]
        asked = self.page.recommendations
        met = sum(one.state == "met" for one in asked)
        if asked:
            lines.append(f"{met} of {len(asked)} recommendations of Chodorow et al. (2012) are met")
        return lines


def make_report(
    results: Sequence[Any] = (),
    *,
    gold: Gold | None = None,
    systems: Systems | None = None,
    cases: Any = None,
    judgments: Any = None,
    decisions: Mapping[str, Any] | None = None,
    construction: str | Sequence[str] | None = "token",
    title: str = "",
    label: str = "",
    documents: Any = None,
    coverage: Any = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = 1,
    progress: Progress | None = None,
    **matching: Any,
) -> Report:
    r"""One page about some systems, from results that are there or straight from inputs.

    `results` are results, or files that `--format json` wrote. Without them everything is worked
    out from `gold` and `systems` (corrected texts), and from `cases`, `judgments` and `decisions`
    (raters, and detectors before them). With `gold` the page has a sentence browser.
    `construction` is what cases are made of the panel, None for none; the other options are those
    of `score`.

    >>> gold = Input.from_text("S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n")
    >>> made = make_report(gold=gold, systems={"mine": ["A dog ."]})
    >>> [section.title for section in made.page.sections]
    ['Scores by MaxMatch (M²)']
    >>> made.summary()[0]
    '1.0000  F0.5 of mine: (no interval: one sentence alone shows no variation)'
    """
    if not (results or gold is not None or judgments is not None):
        raise UsageError(
            "there is nothing to report: name result files, a panel with --gold, or judgments "
            "with --judgments"
        )
    work = Work(
        gold=_read_often(gold),
        systems={name: _read_often(one) for name, one in (systems or {}).items()},
        reading={"documents": _read_often(documents), "coverage": _read_often(coverage)},
        matching=matching,
        certainty={"resamples": resamples, "ci_level": ci_level, "seed": seed},
        ci_unit=ci_unit,
        progress=progress,
    )
    jury = {"cases": cases, "judgments": judgments, "systems": decisions}
    jury |= {"columns": columns, "labels": labels}
    with _each_warning_once():
        panel = work.open_panel() if gold is not None else None
        if results:
            made = [_result(one) for one in results]
        else:
            made = list(work.jury_results(jury)) if judgments is not None else []
            made += work.panel_results(panel, construction) if panel is not None else []
        browser = None if panel is None else work.browse(panel)
        return Report(_compose(made, browser, title=title, label=label), tuple(made))


@contextmanager
def _each_warning_once() -> Iterator[None]:
    """Every part of the report reads the same files, and would warn of the same things."""
    python_way = warnings.showwarning
    seen: set[str] = set()

    def show(message: Warning | str, *place: Any, **more: Any) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            python_way(message, *place, **more)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _result(given: Any) -> TabularResult:
    if isinstance(given, TabularResult):
        return given
    from jurybox.api.restore import read_result

    return read_result(given)


def _read_often(given: Any) -> Any:
    """Paths become files that keep their content: every part of the report reads them."""
    if isinstance(given, (str, os.PathLike)) and not _is_word(given):
        return Input(given).keep()
    if isinstance(given, Sequence) and given and all(_is_path(one) for one in given):
        return [Input(one).keep() for one in given]
    return given.keep() if isinstance(given, Input) else given


def _is_word(given: str | os.PathLike[str]) -> bool:
    """`--coverage all` names no file."""
    from jurybox.formats.selection import EVERYTHING

    return given in EVERYTHING


def _is_path(given: Any) -> bool:
    named = isinstance(given, str) and (given == "-" or os.path.isfile(given))  # noqa: PTH113  as quick as can be
    return named or isinstance(given, os.PathLike)


def _compose(
    results: Sequence[TabularResult],
    browser: Browser | None,
    *,
    title: str,
    label: str,
) -> Page:
    from jurybox.api.report_overview import highlights_of, recommendations_of
    from jurybox.api.report_sections import sections_of

    return Page(
        title=title or _title(browser),
        subtitle=_subtitle(browser),
        label=label,
        highlights=highlights_of(results),
        recommendations=recommendations_of(results),
        sections=tuple(sections_of(results)),
        browser=browser,
        inputs=_inputs(results),
        version=__version__,
    )


def _title(browser: Browser | None) -> str:
    if browser is None or not browser.systems:
        return "Before the jury"
    names = list(browser.systems)
    if len(names) > 4:
        return f"{len(names)} systems before the jury"
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"{listed} before the jury"


def _subtitle(browser: Browser | None) -> str:
    if browser is None:
        return ""
    people = len(browser.annotators)
    judges = "one annotator" if people == 1 else f"{people} annotators"
    return f"{len(browser.sentences):,} sentences, {judges}"


def _inputs(results: Sequence[TabularResult]) -> tuple[tuple[str, str], ...]:
    """Every file behind the numbers once, with its SHA-256."""
    found: dict[tuple[str, str], None] = {}
    for result in results:
        for given in result.to_dict()["inputs"]:
            found[_short(given["path"]), given["sha256"]] = None
    return tuple(found)


def _short(path: str) -> str:
    """A file and its folder: a page that is shown around need not tell where these are.

    >>> _short("/home/ann/data/A1.m2"), _short("A1.m2")
    ('data/A1.m2', 'A1.m2')
    """
    return "/".join(path.replace(os.sep, "/").split("/")[-2:])
