"""How `make_report` works out results and puts them on a page.

Files are read by every verb anew; matching people with people, which takes longest, is done once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from jurybox._version import __version__
from jurybox.annotators import Annotators, annotators
from jurybox.ceiling import Ceiling, ceiling
from jurybox.ceiling.result import listed as listed_names
from jurybox.compare import Compare, compare
from jurybox.compare.result import CompareResult
from jurybox.counting.panels import LoadedPanel, load_panel
from jurybox.counting.people import choose_jobs, count_people, read_hypotheses
from jurybox.counting.systems import Gold, System, by_name, systems_from
from jurybox.engine import Progress
from jurybox.errors import UsageError, collecting_warnings, count_noun
from jurybox.formats import Input, writing
from jurybox.formats.edits.documents import EVERYTHING
from jurybox.formats.given_values import as_dict, one_or_several
from jurybox.jury.cases import DeriveCases, derive_cases
from jurybox.jury.evaluate import evaluate
from jurybox.metrics.options import MetricOptions
from jurybox.options import Options
from jurybox.raters.agree import agree
from jurybox.raters.screen import screen
from jurybox.report import MakeReport
from jurybox.report.contents import highlights_of, recommendations_of, sections_of
from jurybox.report.html import Browser, BrowserEdit, BrowserSentence, Page, render_page
from jurybox.results import TabularResult
from jurybox.saved_results import read_result
from jurybox.score import Score, score
from jurybox.score.result import ScoreResult
from jurybox.shared_options import Resampling
from jurybox.show.showing import lay_out, sign
from jurybox.tables import shown_order

Given = TypeVar("Given", bound=Options)
AnyScores = TypeVar("AnyScores", ScoreResult, CompareResult)
#: with up to so many annotators all sizes of reference sets are scored, else all but one
MOST_FOR_ALL_SIZES = 12
#: with up to so many systems every pair is compared, else each with the first
MOST_FOR_ALL_PAIRS = 12


@dataclass(frozen=True, repr=False)
class Report:
    """The results of a report and the page they make."""

    page: Page
    results: tuple[TabularResult, ...]

    def __repr__(self) -> str:
        counts = ((len(self.page.sections), "section"), (len(self.results), "result"))
        return f"Report({', '.join(count_noun(*one) for one in counts)})"

    def to_html(self) -> str:
        """One HTML document, with everything it needs inside."""
        return render_page(self.page)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page; the file appears whole or not at all."""
        text = self.to_html()
        with writing(path) as out:
            out.write(text)

    def summary(self) -> list[str]:
        """The headline numbers, a line each, and how many recommendations are met."""
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


def compose_report(call: MakeReport) -> Report:
    """The results, given or worked out, and their page."""
    given: Any = () if call.results is None else call.results
    is_one = isinstance(given, TabularResult)
    listed = [given] if is_one else one_or_several(given, "results")
    if not (listed or call.gold is not None or call.judgments is not None):
        raise UsageError(
            "there is nothing to report: name result files, a panel with --gold, or judgments "
            "with --judgments"
        )
    systems = as_dict(by_name(call.systems), "systems")
    call = call.replace(
        gold=_read_often(call.gold),
        systems={name: _read_often(one) for name, one in systems.items()},
        documents=_read_often(call.documents),
        coverage=_read_often(call.coverage),
    )
    with collecting_warnings():  # every part of the report reads the same files
        panel = PanelResults(call) if call.gold is not None else None
        if listed:
            made = [one if isinstance(one, TabularResult) else read_result(one) for one in listed]
        else:
            made = list(_jury_results(call)) if call.judgments is not None else []
            made += panel.all() if panel is not None else []
        browser = None if panel is None else panel.browser()
    inputs = dict.fromkeys(
        (_short(given["path"]), given["sha256"])
        for result in made
        for given in result.to_dict()["inputs"]
    )
    title, subtitle = _titles(browser)
    page = Page(
        title=call.title or title,
        subtitle=subtitle,
        label=call.label,
        highlights=tuple(highlights_of(made)),
        recommendations=recommendations_of(made),
        sections=tuple(sections_of(made)),
        browser=browser,
        inputs=tuple(inputs),
        version=__version__,
    )
    return Report(page, tuple(made))


def _read_often(given: Any) -> Any:
    """Paths become files that keep their content: every part of the report reads them."""

    def is_path(one: Any) -> bool:
        named = isinstance(one, str) and (one == "-" or os.path.isfile(one))  # noqa: PTH113  as quick as can be
        return named or isinstance(one, os.PathLike)

    if isinstance(given, (str, os.PathLike)) and given not in EVERYTHING:  # --coverage all
        return Input(given).keep()
    if isinstance(given, Sequence) and given and all(map(is_path, given)):
        return [Input(one).keep() for one in given]
    return given.keep() if isinstance(given, Input) else given


def _titles(browser: Browser | None) -> tuple[str, str]:
    """What the page is called where nobody says it, and what is under the title."""
    title, subtitle = "Detection against raters", ""
    if browser is not None:
        names, people = browser.systems, len(browser.annotators)
        if names:
            several = f"{len(names)} systems" if len(names) > 4 else listed_names(names)
            title = f"{several} before the jury"
        judges = "one annotator" if people == 1 else f"{people} annotators"
        subtitle = f"{len(browser.sentences):,} sentences, {judges}"
    return title, subtitle


def _short(path: str) -> str:
    """A file and its folder: a page that is shown around need not tell where these are.

    >>> _short("/home/ann/data/A1.m2"), _short("A1.m2")
    ('data/A1.m2', 'A1.m2')
    """
    return "/".join(path.replace(os.sep, "/").split("/")[-2:])


# --- judgments, and detectors before a jury ---


def _jury_results(call: MakeReport) -> Iterator[TabularResult]:
    """What judgments give: detectors before the raters, and the raters themselves."""
    reading: dict[str, Any] = {"columns": call.columns, "relabel": call.relabel}
    if call.decisions:
        yield _evaluate(
            call,
            cases=call.cases,
            judgments=call.judgments,
            systems=call.decisions,
            stability=True,
            **reading,
        )
    yield agree(call.judgments, ci=True, ci_level=call.ci_level, seed=call.seed, **reading)
    yield screen(call.judgments, **reading)


def _evaluate(call: MakeReport, **evidence: Any) -> TabularResult:
    resampling = call.only(Resampling, ci_unit=call.ci_unit.replace("sentence", "case"))
    return evaluate(ci=True, progress=call.progress, **dict(resampling), **evidence)


# --- corrected texts and a panel ---


class PanelResults:
    """A panel in memory, the systems, and every result of them."""

    def __init__(self, call: MakeReport) -> None:
        self._call = call
        self._panel: LoadedPanel = load_panel(
            cast(Gold, call.gold),  # there is one
            documents=call.documents,
            coverage=call.coverage,
            missing_annotator=call.missing_annotator,
            gold_format=call.gold_format,
        )
        reading = {"hyp_format": call.hyp_format, "hyp_key": call.hyp_key}
        self._systems: Sequence[System] = (
            systems_from(call.systems, **reading) if call.systems else []
        )

    def all(self) -> Iterator[TabularResult]:
        """Everything that corrected texts and a panel give; people are matched with people once."""
        call, systems = self._call, self._systems
        people = len(self._panel.panel.annotators)
        counts = None
        if people > 1:
            jobs = choose_jobs(self._panel.panel, len(systems), call)
            metric = call.only(MetricOptions)
            counts = count_people(self._panel, systems, metric, jobs=jobs, progress=call.progress)
            # --tokenize is about hypotheses
            of_people = call.only(Annotators, counts=counts, tokenize=False, progress=None)
            yield annotators.of(of_people)
        if systems:
            by, graded = None if call.metric == "gleu" else "type", call.metric == "m2"
            yield self._settled(score.of(self._scored(Score, by=by, graded=graded, ci=True)))
        if len(systems) > 1:
            every = len(systems) <= MOST_FOR_ALL_PAIRS
            yield self._settled(compare.of(self._scored(Compare, all_pairs=every)))
        if counts is not None:
            sizes = "all" if people <= MOST_FOR_ALL_SIZES else "loo"
            named = call.systems or None
            yield ceiling.of(call.only(Ceiling, systems=named, sizes=sizes, ci=True, counts=counts))
        if counts is not None and systems and call.construction:
            yield _evaluate(call, derived=derive_cases.of(call.only(DeriveCases, progress=None)))

    def _scored(self, kind: type[Given], **options: Any) -> Given:
        """What `score` or `compare` is called with. They know no coverage: it is settled here."""
        call = self._call
        options["jobs"] = call.jobs or 1  # None is for those who choose
        if call.coverage is None:
            return call.only(kind, hypotheses=call.systems, **options)
        # what systems made of the sentences that somebody looked at
        whole = not call.tokenize
        read = [read_hypotheses(one, self._panel, tokenized=whole) for one in self._systems]
        texts = {one.name: [" ".join(words or ()) for words in one.sentences] for one in read}
        in_memory = call.replace(gold=self._panel.panel, tokenize=False, documents=None)
        in_memory = in_memory.replace(gold_format=None, hyp_format=None, hyp_key=None)
        return in_memory.only(kind, hypotheses=texts, **options)

    def _settled(self, result: AnyScores) -> AnyScores:
        """The result, whose signature tells the coverage."""
        if self._call.coverage is None:
            return result
        head, _, version = result.signature.rpartition("|v:")
        signed = f"{head}|coverage:{self._panel.coverage}|v:{version}"
        return replace(result, signature=signed)

    def browser(self) -> Browser:
        """All sentences, to look through."""
        call = self._call
        return browse(self._panel, self._systems, tokenize=call.tokenize, progress=call.progress)


# --- the sentence browser ---


def browse(
    loaded: LoadedPanel,
    opened: Sequence[System] = (),
    *,
    tokenize: bool = False,
    progress: Progress | None = None,
) -> Browser:
    """All sentences of a panel, each edit with everybody who made it."""
    written = [read_hypotheses(system, loaded, tokenized=not tokenize) for system in opened]
    people = {name: place for place, name in enumerate(shown_order(loaded.panel.annotators))}
    machines = {system.name: place for place, system in enumerate(opened)}
    sentences = []
    for place, sentence in enumerate(loaded.panel):
        laid_out = lay_out(sentence, written, place)
        edits = tuple(
            BrowserEdit(
                edit.start,
                edit.end,
                edit.replacement,
                edit.types,
                tuple(sorted(people[name] for name in edit.annotators)),
                tuple(sorted(machines[name] for name in edit.systems)),
            )
            for edit in laid_out.edits
        )
        skipped = tuple(place for name, place in people.items() if name not in laid_out.annotators)
        sentences.append(
            BrowserSentence(
                loaded.numbers[place], sentence.document or "", sentence.tokens, edits, skipped
            )
        )
        if progress is not None:
            progress(1)
    return Browser(
        tuple(people), tuple(machines), tuple(sentences), sign(loaded, opened, tokenize=tokenize)
    )
