"""What a panel, corrected texts, judgments and decisions give for a report: every result of them.

Files are read by every verb anew; matching people with people, which takes longest, is done once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, NamedTuple

from jurybox.api.counting import Progress
from jurybox.api.inputs import System, systems_from
from jurybox.api.options import Options
from jurybox.api.panels import LoadedPanel, load_panel
from jurybox.api.people import PanelCounts, choose_jobs, count_people, read_hypotheses
from jurybox.api.results import TabularResult
from jurybox.report.html import Browser

#: with up to so many annotators all sizes of reference sets are scored, else all but one
MOST_FOR_ALL_SIZES = 12
#: with up to so many systems every pair is compared, else each with the first
MOST_FOR_ALL_PAIRS = 12
#: with fewer, no corrected p-value of so many pairs could be below .05 (2 / R, times the pairs)
RESAMPLES_PER_PAIR = 50
#: options of `score` that say how to read and run, not what to count
NOT_METRIC = ("jobs", "hyp_format", "gold_format")


class Opened(NamedTuple):
    """A panel in memory, and the systems beside it."""

    panel: LoadedPanel
    systems: Sequence[System]


@dataclass(frozen=True)
class Work:
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

    def open_panel(self) -> Opened:
        form = self._form()
        loaded = load_panel(self.gold, gold_format=form.get("gold_format"), **self.reading)
        if not self.systems:
            return Opened(loaded, [])
        return Opened(loaded, systems_from(self.systems, hyp_format=form.get("hyp_format")))

    def browse(self, opened: Opened) -> Browser:
        from jurybox.api.report_browser import browse

        tokenize = bool(self.matching.get("tokenize"))
        return browse(opened.panel, opened.systems, tokenize=tokenize, progress=self.progress)

    def panel_results(
        self, opened: Opened, construction: str | Sequence[str] | None
    ) -> Iterator[TabularResult]:
        """Everything that corrected texts and a panel give; people are matched with people once."""
        people, systems = len(opened.panel.panel.annotators), len(opened.systems)
        counts = self._count(opened) if people > 1 else None
        if counts is not None:
            yield self._annotators(counts)
        if systems:
            yield self._score(opened)
        if systems > 1:
            yield self._compare(opened)
        if counts is not None:
            yield self._ceiling(counts)
        if counts is not None and systems and construction:
            yield self._derived(construction)

    def _count(self, opened: Opened) -> PanelCounts:
        options = Options(**{k: v for k, v in self.matching.items() if k not in NOT_METRIC})
        panel, systems = opened
        jobs = choose_jobs(panel.panel, len(systems), self.matching.get("jobs", 1))
        return count_people(panel, systems, options, jobs=jobs, progress=self.progress)

    def _annotators(self, counts: PanelCounts) -> TabularResult:
        from jurybox.api.annotators import annotators

        options = {k: v for k, v in self.matching.items() if k not in ("hyp_format", "tokenize")}
        return annotators(self.gold, counts=counts, **options, **self.reading)

    def _score(self, opened: Opened) -> TabularResult:
        from jurybox.api.score import score

        metric = self.matching.get("metric", "m2")
        systems, gold = self._scored_material(opened)
        result = score(
            systems,
            gold,
            by=None if metric == "gleu" else "type",
            graded=metric == "m2",
            ci=True,
            progress=self.progress,
            ci_unit=self.ci_unit,
            **self._one_job(),
            **self.certainty,
        )
        return replace(result, signature=self._sign_coverage(result.signature))

    def _compare(self, opened: Opened) -> TabularResult:
        from jurybox.api.compare import compare

        all_pairs = len(self.systems) <= MOST_FOR_ALL_PAIRS
        pairs = comb(len(self.systems), 2) if all_pairs else len(self.systems) - 1
        systems, gold = self._scored_material(opened)
        result = compare(
            systems,
            gold,
            all_pairs=all_pairs,
            progress=self.progress,
            ci_unit=self.ci_unit,
            **self._one_job(),
            **self._certain_enough(pairs),
        )
        return replace(result, signature=self._sign_coverage(result.signature))

    def _certain_enough(self, pairs: int) -> dict[str, Any]:
        """Resamples for so many tests: corrected for their number, p must be able to be small."""
        resamples = max(self.certainty["resamples"], RESAMPLES_PER_PAIR * pairs)
        return {**self.certainty, "resamples": resamples}

    def _scored_material(self, opened: Opened) -> tuple[Any, Any]:
        """Systems and gold for `score` and `compare`; they know no coverage: it is settled here."""
        if self.reading["coverage"] is None:
            return self.systems, self.gold
        tokenized = not self.matching.get("tokenize")
        written = [
            read_hypotheses(one, opened.panel, tokenized=tokenized) for one in opened.systems
        ]
        texts = {one.name: [" ".join(tokens or ()) for tokens in one.sentences] for one in written}
        return texts, opened.panel.panel

    def _sign_coverage(self, signature: str) -> str:
        """A score of part of the annotators says so."""
        if self.reading["coverage"] is None:
            return signature
        head, _, version = signature.rpartition("|v:")
        word = "all" if isinstance(self.reading["coverage"], str) else "map"
        return f"{head}|coverage:{word}|v:{version}"

    def _one_job(self) -> dict[str, Any]:
        """`score` and `compare` take a number of processes; None is for those who choose."""
        given = {name: value for name, value in self.matching.items() if value is not None}
        if self.reading["coverage"] is None:
            return {**given, "documents": self.reading["documents"]}
        return {
            k: v for k, v in given.items() if k not in ("hyp_format", "gold_format", "tokenize")
        }

    def _ceiling(self, counts: PanelCounts) -> TabularResult:
        from jurybox.api.ceiling import ceiling

        return ceiling(
            self.gold,
            self.systems or None,
            sizes="all" if len(counts.annotators) <= MOST_FOR_ALL_SIZES else "loo",
            ci=True,
            ci_unit=self.ci_unit,
            counts=counts,
            progress=self.progress,
            **self.certainty,
            **self.matching,
            **self.reading,
        )

    def _derived(self, construction: str | Sequence[str]) -> TabularResult:
        from jurybox.api.cases import derive_cases

        derived = derive_cases(
            self.gold, construction, self.systems, **self._form(), **self.reading
        )
        return self.evaluate(derived=derived)

    def jury_results(self, jury: dict[str, Any]) -> Iterator[TabularResult]:
        """What judgments give: detectors before the raters, and the raters themselves."""
        from jurybox.api.agree import agree
        from jurybox.api.screen import screen

        if jury["systems"]:
            yield self.evaluate(**jury, stability=True)
        reading = {name: jury[name] for name in ("columns", "labels")}
        yield agree(jury["judgments"], ci=True, **self.certainty, **reading)
        yield screen(jury["judgments"], **reading)

    def evaluate(self, **evidence: Any) -> TabularResult:
        """Detectors before a jury."""
        from jurybox.api.evaluate import evaluate

        return evaluate(
            ci=True,
            ci_unit="document" if self.ci_unit == "document" else "case",
            progress=self.progress,
            **self._certain_enough(comb(len(evidence.get("systems") or self.systems), 2)),
            **evidence,
        )
