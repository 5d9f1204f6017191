"""What `estimate_sample` gives back: every number with its intervals; for JSON and CSV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Annotated, Any, NamedTuple

from jurybox.raters.flagged import FlaggedRaters
from jurybox.records import (
    FLAT,
    NOT_EMPTY,
    WHEN_SET,
    Count,
    Key,
    Keys,
    Limits,
    Share,
    computed,
    plain,
)
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings
from jurybox.sample.estimate import EstimateOptions
from jurybox.sample.options import about_sentence
from jurybox.tables import Cell, Column, Table, signed

#: as they are listed, and what they are called in tables
TITLES = {
    "hits": "hits",
    "false_positives": "false positives",
    "misses": "misses",
    "precision": "precision",
    "recall": "recall",
    "f": "F",
    "error_rate": "error rate",
}
#: measures that are shares of all cases, and so numbers of cases as well
SHARES_OF_ALL = ("hits", "false_positives", "misses", "error_rate")
#: measures of another system
RETESTED = ("hits", "false_positives", "misses", "precision", "recall")
Maybe = Annotated[Share, "The number; null where it is open."]
Low = Annotated[float, "Lower end of the interval."]
High = Annotated[float, "Upper end of the interval."]
Why = Annotated[str, "Why there is no number, or no width.", WHEN_SET]


class Estimated(NamedTuple):
    """A number with the interval that was asked for, or the reason why there is none."""

    estimate: Maybe
    low: Low
    high: High
    method: Annotated[str | None, "How the interval was made; null where there is none."]
    standard_error: Annotated[float, "Standard error; of recall and F by the delta method."]
    reason: Why = ""


class EstimatedCases(NamedTuple):
    """A share of all cases as a number of cases of the corpus."""

    estimate: Annotated[float, "The number of cases; null where it is open."]
    low: Low
    high: High


class MethodInterval(NamedTuple):
    """The interval of a measure by one method."""

    low: Low
    high: High
    reason: Why = ""


class StratumCounts(NamedTuple):
    """A part of the corpus, and what was judged of it."""

    name: str
    label: Annotated[str, "What the system calls all of it.", Limits(enum=["error", "ok"])]
    size: Annotated[
        Count,
        "Cases in the corpus; with --spoiled drop, an estimate of those with a clean context.",
    ]
    drawn: Annotated[Count, "Cases drawn."]
    judged: Annotated[Count, "Cases somebody decided about."]
    errors: Annotated[float, "Errors among them; shares of raters add up."]
    spoiled: Annotated[
        Count, "Drawn cases with a spoiled context, which --spoiled drop leaves out.", WHEN_SET
    ] = 0


class AgreementValue(NamedTuple):
    """A coefficient of agreement."""

    value: Annotated[float, "The coefficient; null where it is undefined."]
    reason: Why = ""


class RaterNumbers(NamedTuple):
    """Who judged the sample, and how far they agree in it."""

    raters: Count
    judgments: Annotated[Count, "Judgments that were read."]
    unknown: Annotated[Count, "Judgments that decide nothing."]
    shared: Annotated[Count, "Cases that two raters or more decided."]
    observed: Annotated[AgreementValue, "Share of pairs of judgments that agree."]
    fleiss: Annotated[AgreementValue, "Fleiss' kappa."]
    alpha: Annotated[AgreementValue, "Krippendorff's alpha."]


class RetestedMeasure(NamedTuple):
    """An estimate for another system than the sample was drawn for."""

    estimate: Maybe
    low: Low
    high: High
    standard_error: Annotated[float, "Standard error by linearisation."]
    effective: Annotated[float, "Cases drawn for this system that would be as sure."]
    cases: Annotated[Count, "Judged cases it is made of."]
    reason: Why = ""


class RetestedSystem(NamedTuple):
    """Another system on the same judgments."""

    name: str
    flagged: Annotated[Share, "Share of all cases that it flags."]
    known: Annotated[
        bool, Key("flagged_known"), "Whether that is known, or estimated from the sample."
    ]
    measures: Annotated[Mapping[str, RetestedMeasure], Keys(RETESTED), FLAT]


class AssistedNumbers(NamedTuple):
    """The same measures with the help of scores on every case."""

    measures: Annotated[Mapping[str, Estimated], Keys(TITLES), FLAT]
    slopes: Annotated[Mapping[str, float], "How much scores weigh in each part, error and ok."]
    gains: Annotated[
        Mapping[str, float],
        "How many times as many judgments scores are worth in each part; null: no doubt is left.",
    ]


@dataclass(frozen=True, repr=False)
class SampleEstimateResult(TabularResult, NamedParts[str, Estimated]):
    """What a judged sample says about a system on the whole corpus.

    `measures` are hits, false positives, misses and error rate as shares of all cases, precision,
    recall and F. `methods` holds every interval of each, the one that was asked for among them.
    """

    command = "sample-estimate"

    options: EstimateOptions
    strata: Annotated[tuple[StratumCounts, ...], "Every part of the corpus.", NOT_EMPTY]
    measures: Annotated[Mapping[str, Estimated], Keys(TITLES), FLAT]
    methods: Annotated[
        Mapping[str, Mapping[str, MethodInterval]],
        "Every interval of every measure; none where a measure is open.",
        Keys(TITLES),
    ]
    design_effects: Annotated[
        Mapping[str, float],
        "Variance by that of as many cases drawn at one rate; null where open.",
        Keys(("precision", "recall", "error_rate")),
    ]
    signature: Signature
    raters: Annotated[
        RaterNumbers | None, "Who judged; not there where counts were given.", WHEN_SET
    ] = None
    retested: Annotated[
        tuple[RetestedSystem, ...], "Other systems on the same judgments.", WHEN_SET
    ] = ()
    assisted: Annotated[AssistedNumbers | None, WHEN_SET] = None
    flagged: Annotated[
        FlaggedRaters | None,
        "Raters whom the annotation server flagged (gold rule, or an admin), and what their "
        "judgments change; only where there are any.",
        WHEN_SET,
    ] = None
    inputs: Inputs = ()
    warnings: Warnings = ()

    @computed
    def cases(self) -> Count:
        """Cases of the corpus."""
        return self.size

    @computed
    def counts(self) -> Annotated[Mapping[str, EstimatedCases], Keys(SHARES_OF_ALL)]:
        """Shares of all cases as numbers of cases."""
        return {
            name: EstimatedCases(*(end * self.size for end in self.measures[name][:3]))
            for name in SHARES_OF_ALL
        }

    @property
    def size(self) -> int:
        """Cases of the corpus."""
        return sum(one.size for one in self.strata)

    noun = "measure"

    def parts(self) -> Mapping[str, Estimated]:
        return self.measures

    def records(self) -> list[dict[str, Any]]:
        """A row for every measure and method; for re-tests and scores, one for every measure."""
        rows: list[dict[str, Any]] = []
        for name, found in self.methods.items():
            one = self.measures[name]
            if not found:
                rows.append({"measure": name, **plain(one), "asked_for": True})
            for method, ends in found.items():
                row = {"measure": name, "estimate": one.estimate, "low": ends.low}
                row |= {"high": ends.high, "method": method, "asked_for": method == one.method}
                rows.append(plain(row))
        rows += [
            {"system": system.name, "measure": name, **plain(one), "method": "reweighted"}
            for system in self.retested
            for name, one in system.measures.items()
        ]
        helped = {} if self.assisted is None else self.assisted.measures
        return rows + [
            {"measure": name, **plain(one), "with_scores": True} for name, one in helped.items()
        ]

    def tables(self) -> list[Table]:
        """What people read first comes first; the signature is under the last table."""
        tables = [self._estimates(), self._judged(), self._intervals()]
        if self.raters is not None and self.raters.raters > 1:
            tables.append(_agreement(self.raters))
        tables += [_retested(one) for one in self.retested]
        if self.assisted is not None:
            tables.append(self._assisted(self.assisted))
        return signed(tables, self.signature)

    def _title(self, name: str) -> str:
        return f"F{self.options.beta:g}" if name == "f" else TITLES[name]

    def _reasons(self, measures: Mapping[str, Estimated]) -> list[str]:
        """Why there are gaps, each reason once."""
        reasons: dict[str, list[str]] = {}
        for name, one in measures.items():
            if one.reason:
                reasons.setdefault(one.reason, []).append(self._title(name))
        return [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]

    def _estimates(self) -> Table:
        size, options = self.size, self.options
        rows = []
        for name, one in self.measures.items():
            is_count = name in SHARES_OF_ALL and not isnan(one.estimate)
            cases = round(one.estimate * size) if is_count else None
            rows.append((self._title(name), *one[:3], one.method or "–", cases))
        judged = sum(one.judged for one in self.strata)
        notes = [f"{size} cases, {judged} of them judged; shares of all cases above the rates"]
        if spoiled := sum(one.spoiled for one in self.strata):
            notes.append(
                f"{spoiled} of {spoiled + judged} drawn cases have a spoiled context and are left "
                "out; parts are as large as their share of clean contexts says"
            )
        notes += self._reasons(self.measures)
        other = "corpus: these very cases" if options.about == "text" else "text: text of this kind"
        notes.append(f"{about_sentence(options.about, size, options.method)} (--about {other})")
        effects = {name: one for name, one in self.design_effects.items() if not isnan(one)}
        if effects:
            listed = ", ".join(f"{TITLES[name]} {one:.2f}" for name, one in effects.items())
            notes.append(
                f"design effect: {listed} (below 1, drawing at rates of their own from the parts "
                "paid)"
            )
        ends = _numbers("estimate", f"{options.ci_level:.0%} from", "to")
        columns = (MEASURE, *ends, METHOD, Column("cases", digits=0))
        return Table(columns, tuple(rows), "Estimate", tuple(notes))

    def _judged(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for one in self.strata:
            errors = int(one.errors) if not one.errors % 1 else one.errors
            share = one.errors / one.judged if one.judged else None
            spoiled = (one.spoiled,) if self.options.spoiled == "drop" else ()
            rows.append((one.name, one.size, one.drawn, *spoiled, one.judged, errors, share))
        counts = ("cases", "drawn", *(["spoiled"] if spoiled else []), "judged")
        columns = (
            *(Column("part", text=True), *map(Column, counts)),
            *(Column("errors", digits=2), Column("share", digits=3)),
        )
        return Table(columns, tuple(rows), "What was judged")

    def _intervals(self) -> Table:
        rows = tuple(
            (self._title(name), method, ends.low, ends.high)
            for name, found in self.methods.items()
            for method, ends in found.items()
        )
        notes = []
        if any(ends.reason for found in self.methods.values() for ends in found.values()):
            notes.append("without width: all judged cases are alike, which is no certainty")
        if any("paper" in found for found in self.methods.values()):
            notes.append(
                "paper: takes the sizes of the parts as known, whatever the others are about "
                "(Tetreault and Chodorow 2008)"
            )
        columns = (MEASURE, METHOD, *_numbers("from", "to", digits=4))
        return Table(columns, rows, "Every interval", tuple(notes))

    def _assisted(self, assisted: AssistedNumbers) -> Table:
        rows = tuple(
            (self._title(name), *one[:3], one.method or "–")
            for name, one in assisted.measures.items()
        )
        notes = [
            f"{label}: scores weigh {assisted.slopes[label]:z.2f}, worth "
            + ("any number of" if isnan(gain) else f"{gain:.2f} times as many")
            + " judgments"
            for label, gain in assisted.gains.items()
        ]
        notes += self._reasons(assisted.measures)
        columns = (MEASURE, *_numbers("estimate", "from", "to"), METHOD)
        return Table(columns, rows, "With the help of scores", tuple(notes))


MEASURE, METHOD = Column("measure", text=True), Column("method", text=True)


def _numbers(*titles: str, digits: int = 3) -> tuple[Column, ...]:
    return tuple(Column(title, digits=digits) for title in titles)


def _agreement(raters: RaterNumbers) -> Table:
    columns = (
        *map(Column, ("raters", "judgments", "unknown", "shared cases")),
        *_numbers("observed", "Fleiss' kappa", "alpha"),
    )
    found = (raters.observed, raters.fleiss, raters.alpha)
    row = (*raters[:4], *(one.value for one in found))
    reasons = dict.fromkeys(one.reason for one in found if one.reason)
    notes = (*reasons, "in the sample, which holds more errors than the corpus")
    return Table(columns, (row,), "Agreement of the raters", notes)


def _retested(system: RetestedSystem) -> Table:
    rows = tuple(
        (TITLES[name], one.estimate, one.low, one.high, one.cases, one.effective)
        for name, one in system.measures.items()
    )
    source = "known" if system.known else "estimated"
    notes = (
        f"it flags {system.flagged:.2%} of the cases ({source})",
        "worth: cases drawn for this system that would be as sure",
        *dict.fromkeys(one.reason for one in system.measures.values() if one.reason),
    )
    numbers = _numbers("estimate", "from", "to")
    columns = (MEASURE, *numbers, Column("judged"), Column("worth", digits=1))
    return Table(columns, rows, f"Re-test of {system.name}", notes)
