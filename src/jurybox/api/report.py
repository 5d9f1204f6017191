"""`make_report`: everything jurybox can tell about some systems, on one page."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from jurybox._version import __version__
from jurybox.api.counting import Progress
from jurybox.api.inputs import Gold, Hypothesis, System, systems_from
from jurybox.api.options import Options
from jurybox.api.panels import LoadedPanel, load_panel
from jurybox.api.people import PanelCounts, choose_jobs, count_people
from jurybox.api.results import TabularResult
from jurybox.errors import UsageError
from jurybox.formats import Input
from jurybox.report.html import Browser, Page

#: with up to so many annotators all sizes of reference sets are scored, else all but one
MOST_FOR_ALL_SIZES = 12
#: with up to so many systems every pair is compared, else each with the first
MOST_FOR_ALL_PAIRS = 12
#: options of `score` that say how to read and run, not what to count
NOT_METRIC = ("jobs", "hyp_format", "gold_format")

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
    (detectors before a jury). With `gold` the page has a sentence browser. `construction` is what
    cases are made of the panel, None for none; the other options are those of `score`.

    >>> gold = Input.from_text("S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n")
    >>> made = make_report(gold=gold, systems={"mine": ["A dog ."]})
    >>> [section.title for section in made.page.sections]
    ['Scores by MaxMatch (M²)']
    >>> made.summary()[0]
    '1.0000  F0.5 of mine: (no interval: one sentence alone shows no variation)'
    """
    _check(results, gold, judgments, decisions)
    work = _Work(
        gold=_read_often(gold),
        systems={name: _read_often(one) for name, one in (systems or {}).items()},
        reading={"documents": _read_often(documents), "coverage": _read_often(coverage)},
        matching=matching,
        certainty={"resamples": resamples, "ci_level": ci_level, "seed": seed},
        ci_unit=ci_unit,
        progress=progress,
    )
    jury = {"cases": cases, "judgments": judgments, "systems": decisions}
    jury |= {"columns": columns, "labels": labels, "stability": True}
    panel = work.open_panel() if gold is not None else None
    if results:
        made = [_result(one) for one in results]
    else:
        made = [work.evaluate(**jury)] if judgments is not None else []
        made += work.panel_results(panel, construction) if panel is not None else []
    browser = None if panel is None else work.browse(panel)
    return Report(_compose(made, browser, title=title, label=label), tuple(made))


def _check(results: Sequence[Any], gold: Any, judgments: Any, decisions: Any) -> None:
    """Complain before the work."""
    if not (results or gold is not None or judgments is not None):
        raise UsageError(
            "there is nothing to report: name result files, a panel with --gold, or judgments "
            "with --judgments"
        )
    if judgments is not None and not decisions:
        raise UsageError("there is no detector to evaluate: name one with --detector NAME=FILE")


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


class _Opened(NamedTuple):
    """A panel in memory, and the systems beside it."""

    panel: LoadedPanel
    systems: Sequence[System]


@dataclass(frozen=True)
class _Work:
    """What there is to work with."""

    gold: Any
    systems: dict[str, Any]
    reading: dict[str, Any]  # documents and coverage of the panel
    matching: dict[str, Any]  # metric and its options
    certainty: dict[str, Any]
    ci_unit: str  # sentence or document
    progress: Progress | None

    def _form(self) -> dict[str, Any]:
        """How files are read, for the verbs that have no metric."""
        names = ("gold_format", "hyp_format", "tokenize")
        return {name: self.matching[name] for name in names if name in self.matching}

    def open_panel(self) -> _Opened:
        form = self._form()
        loaded = load_panel(self.gold, gold_format=form.get("gold_format"), **self.reading)
        if not self.systems:
            return _Opened(loaded, [])
        return _Opened(loaded, systems_from(self.systems, hyp_format=form.get("hyp_format")))

    def browse(self, opened: _Opened) -> Browser:
        from jurybox.api.report_browser import browse

        tokenize = bool(self.matching.get("tokenize"))
        return browse(opened.panel, opened.systems, tokenize=tokenize, progress=self.progress)

    def panel_results(
        self, opened: _Opened, construction: str | Sequence[str] | None
    ) -> Iterator[TabularResult]:
        """Everything that corrected texts and a panel give; people are matched with people once."""
        people, systems = len(opened.panel.panel.annotators), len(opened.systems)
        counts = self._count(opened) if people > 1 else None
        if counts is not None:
            yield self._annotators(counts)
        if systems:
            yield self._score()
        if systems > 1:
            yield self._compare()
        if counts is not None:
            yield self._ceiling(counts)
        if counts is not None and systems and construction:
            yield self._derived(construction)

    def _count(self, opened: _Opened) -> PanelCounts:
        options = Options(**{k: v for k, v in self.matching.items() if k not in NOT_METRIC})
        panel, systems = opened
        jobs = choose_jobs(panel.panel, len(systems), self.matching.get("jobs", 1))
        return count_people(panel, systems, options, jobs=jobs, progress=self.progress)

    def _annotators(self, counts: PanelCounts) -> TabularResult:
        from jurybox.api.annotators import annotators

        options = {k: v for k, v in self.matching.items() if k not in ("hyp_format", "tokenize")}
        return annotators(self.gold, counts=counts, **options, **self.reading)

    def _score(self) -> TabularResult:
        from jurybox.api.score import score

        metric = self.matching.get("metric", "m2")
        return score(
            self.systems,
            self.gold,
            by=None if metric == "gleu" else "type",
            graded=metric == "m2",
            ci=True,
            progress=self.progress,
            documents=self.reading["documents"],
            ci_unit=self.ci_unit,
            **self._one_job(),
            **self.certainty,
        )

    def _compare(self) -> TabularResult:
        from jurybox.api.compare import compare

        return compare(
            self.systems,
            self.gold,
            all_pairs=len(self.systems) <= MOST_FOR_ALL_PAIRS,
            progress=self.progress,
            documents=self.reading["documents"],
            ci_unit=self.ci_unit,
            **self._one_job(),
            **self.certainty,
        )

    def _one_job(self) -> dict[str, Any]:
        """`score` and `compare` take a number of processes; None is for those who choose."""
        return {name: value for name, value in self.matching.items() if value is not None}

    def _ceiling(self, counts: PanelCounts) -> TabularResult:
        from jurybox.api.ceiling import ceiling

        return ceiling(
            self.gold,
            self.systems or None,
            sizes="all" if len(counts.annotators) <= MOST_FOR_ALL_SIZES else "loo",
            seed=self.certainty["seed"],
            counts=counts,
            progress=self.progress,
            **self.matching,
            **self.reading,
        )

    def _derived(self, construction: str | Sequence[str]) -> TabularResult:
        from jurybox.api.cases import derive_cases

        derived = derive_cases(
            self.gold, construction, self.systems, **self._form(), **self.reading
        )
        return self.evaluate(derived=derived)

    def evaluate(self, **evidence: Any) -> TabularResult:
        """Detectors before a jury."""
        from jurybox.api.evaluate import evaluate

        return evaluate(
            ci=True,
            ci_unit="document" if self.ci_unit == "document" else "case",
            progress=self.progress,
            **self.certainty,
            **evidence,
        )


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
            found[given["path"], given["sha256"]] = None
    return tuple(found)
