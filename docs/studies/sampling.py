"""How often intervals of a sample hold the truth, on prepositions that ten people judged and on
texts that are made up. Takes three to five minutes of one processor.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sampled_designs import (
    DESIGNS,
    RETESTED,
    RETESTS,
    Design,
    try_design,
    try_retest,
    try_scores,
)
from studying import Findings, Study, essay_map, gold_files, points, run, system_files

import jurybox as jb
from jurybox.sample.estimate.detection_intervals import MEASURES
from jurybox.sample.estimate.result import TITLES
from jurybox.sample.options import ABOUT, About
from jurybox.sample.simulate.result import ALPHA, SampleSimulation, SimulatedSetting, marked
from jurybox.stats.proportions import binomial_test
from jurybox.tables import Column, Table

SEED = 2014
DRAWS, RESAMPLES = 2000, 200
FLAGGED, PASSED = (50, 100), (100, 300, 800)
#: methods in the order of the tables; what is recommended comes last
SHOWN = {
    "hits": ("paper", "wald", "bootstrap", "wilson", "corrected"),
    "recall": ("paper", "delta", "bootstrap", "score", "corrected"),
    "precision": ("paper", "wald", "bootstrap", "wilson", "exact"),
    "misses": ("paper", "wald", "bootstrap", "wilson", "corrected"),
}
OF_CORPUS = (
    *(("recall", "paper"), ("recall", "delta"), ("recall", "bootstrap"), ("recall", "corrected")),
    *(("precision", "wald"), ("precision", "exact"), ("misses", "wald"), ("misses", "exact")),
)
FEW = (
    *(("recall", "paper"), ("recall", "bootstrap"), ("recall", "corrected")),
    *(("misses", "paper"), ("misses", "corrected"), ("precision", "paper"), ("precision", "exact")),
)


def find(data: Path) -> Findings:
    found = Findings()
    derived = jb.derive_cases(
        gold_files(data),
        "preposition",
        system_files(data),
        tagger="words",
        documents=essay_map(data),
    )
    text, corpus = (
        jb.simulate_sample(
            derived=derived,
            error=FLAGGED,
            ok=PASSED,
            seed=SEED,
            draws=DRAWS,
            resamples=RESAMPLES,
            about=about,
        )
        for about in ABOUT
    )
    few = jb.simulate_sample(
        derived=derived, error=25, ok=(25, 50), seed=SEED, draws=DRAWS, resamples=RESAMPLES
    )
    tell_systems(text, found)
    tell_one_sample(text, found)
    for measure in SHOWN:
        found.table(measure, coverage_table(text, measure), "markdown")
    found.table("corpus", corpus_table(corpus), "markdown")
    found.figure("sampling-coverage.svg", text.figure())
    tell_tests(text, corpus, found)
    tell_few(few, found)
    tell_designs(found)
    tell_further(found)
    quote_others(found)
    return found


def tell_systems(result: SampleSimulation, found: Findings) -> None:
    """The truth: what everything judged says."""
    columns = [Column("system", text=True)]
    columns += [Column(title) for title in ("flagged", "hits", "misses")]
    columns += [Column("precision", digits=3), Column("recall", digits=3)]
    rows = [
        (one.name, one.flagged, round(one.hits), round(one.misses), one.precision, one.recall)
        for one in result.systems
    ]
    found.table("systems", Table(tuple(columns), tuple(rows)), "markdown")
    one = result.systems[0]
    found.says(
        f"Of the {one.cases:,} prepositions in them most of the ten call "
        f"{one.hits + one.misses:.0f} an error",
        f"AMU flags {one.flagged}: all of them",
    )


def tell_one_sample(result: SampleSimulation, found: Findings) -> None:
    """What one sample would have said, beside what all judgments say."""
    rng = np.random.default_rng(SEED)
    rows, inside = [], []
    for one in result.systems:
        passed = one.cases - one.flagged
        hits, misses = round(one.hits), round(one.misses)
        flagged, ok = min(100, one.flagged), 200
        estimate = jb.estimate_sample(
            parts={
                "error": (one.flagged, flagged, _draw(rng, hits, one.flagged, flagged)),
                "ok": (passed, ok, _draw(rng, misses, passed, ok)),
            },
            about="corpus",
        )
        row = [one.name, f"{flagged} + {ok}"]
        for name, truth in (("precision", one.precision), ("recall", one.recall)):
            sampled = estimate[name]
            low, high = sampled.low, sampled.high
            row += [points(truth), f"{points(sampled.estimate)} [{points(low)}, {points(high)}]"]
            inside.append(low - 1e-9 <= truth <= high + 1e-9)
        rows.append(tuple(row))
    titles = ("system", "judged", "precision, everything judged", "precision, sample")
    titles += ("recall, everything judged", "recall, sample")
    columns = tuple(Column(title, text=True) for title in titles)
    found.table("one-sample", Table(columns, tuple(rows)), "markdown")
    found.says("All six intervals hold the truth", when=all(inside))
    found.says("a tenth of the judgments", when=all(r < 0.11 for r in (260 / 2996, 300 / 2996)))


def _draw(rng: np.random.Generator, errors: int, size: int, drawn: int) -> int:
    """How many errors a sample without replacement holds."""
    return int(rng.hypergeometric(errors, size - errors, drawn))


def coverage_table(result: SampleSimulation, measure: str) -> Table:
    """Coverage of every method, the widths of the paper's and the recommended, and its p."""
    methods = SHOWN[measure]
    columns = [Column("system", text=True), Column("error"), Column("ok")]
    columns += [Column("misses expected", digits=1), *map(Column, methods)]
    columns += [Column(f"width {name}", digits=3) for name in (methods[0], methods[-1])]
    columns.append(Column("p", digits=2))
    rows = []
    for setting in result.settings:
        by_method = {one.method: one for one in setting.of(measure)}
        first, last = by_method[methods[0]], by_method[methods[-1]]
        if last.p_two_sided is not None:
            rows.append(
                (
                    *_place(setting),
                    *(marked(by_method[name]) for name in methods),
                    *(first.width, last.width, last.p_two_sided),
                )
            )
    return Table(tuple(columns), tuple(rows))


def corpus_table(result: SampleSimulation) -> Table:
    """About these very cases: the intervals of three measures."""
    columns = [Column("system", text=True), Column("error"), Column("ok")]
    columns += [Column("misses expected", digits=1)]
    columns += [Column(f"{measure} {method}") for measure, method in OF_CORPUS]
    rows = []
    for setting in result.settings:
        by_name = {(one.measure, one.method): one for one in setting.intervals}
        rows.append((*_place(setting), *(marked(by_name[name]) for name in OF_CORPUS)))
    return Table(tuple(columns), tuple(rows))


def _place(setting: SimulatedSetting) -> tuple[str, int, int, float]:
    return setting.system, setting.error, setting.ok, setting.expected_misses


def tell_tests(text: SampleSimulation, corpus: SampleSimulation, found: Findings) -> None:
    by_question = {}
    for about, result in (("text", text), ("corpus", corpus)):
        by_question[about] = [
            one
            for setting in result.settings
            for one in setting.intervals
            if setting.recommended[one.measure] == one.method and one.p_two_sided is not None
        ]
    told = []
    for about, name in (("text", "about text of this kind"), ("corpus", "about this corpus")):
        intervals = by_question[about]
        assert all(one.p_two_sided is not None for one in intervals)
        two, low = (
            sum(getattr(one, side) < ALPHA for one in intervals)
            for side in ("p_two_sided", "p_too_low")
        )
        told.append(
            f"{name}, the two-sided test rejects {two} and the one-sided test {low} of "
            f"{len(intervals)}"
        )
    found.says(*told)
    every = [one.coverage for intervals in by_question.values() for one in intervals]
    found.says(
        f"They hold the truth in {100 * min(every):.1f} to {100 * max(every):.1f} % of the draws"
    )
    found.says(
        f"samples are drawn {DRAWS:,} times in each of {len(text.settings)} settings",
        f"the share of the {DRAWS:,} intervals that hold the truth",
    )
    fits = [k for k in range(DRAWS) if binomial_test(k, DRAWS, 0.95).two_sided >= ALPHA]
    found.says(
        f"at 1 % it rejects what lies below {100 * fits[0] / DRAWS:.1f} % or above "
        f"{100 * fits[-1] / DRAWS:.1f} %"
    )
    hits = [one.coverage for s in text.settings for one in s.of("hits") if one.method == "paper"]
    found.says(
        f"holds the share of hits in {100 * min(hits):.0f} to {100 * max(hits):.0f} % of the draws"
    )
    recall = [
        one.coverage for s in text.settings for one in s.of("recall") if one.method == "paper"
    ]
    found.says(
        f"It holds recall in {100 * min(recall):.0f} to {100 * max(recall):.0f} % of the draws"
    )


def tell_designs(found: Findings) -> None:
    """Texts that are made up: the paper's example, small corpora, strata, judges."""
    titles = [TITLES[name] for name in MEASURES]
    columns = [Column("design", text=True), Column("about", text=True)]
    columns += [Column("hits, paper"), Column("recall, paper"), *map(Column, titles)]
    columns += [Column("width of recall, paper", digits=3), Column("width of recall", digits=3)]
    rows, every = [], []
    for number, design in enumerate(DESIGNS):
        for about in ABOUT:
            if about == "corpus" and _all_is_judged(design):
                continue
            rng = np.random.default_rng([SEED, number])
            held = try_design(design, about, DRAWS, rng)
            ours = [held[name]["recommended"] for name in MEASURES]
            every += [one.coverage for one in ours if one.width > 1e-9]
            rows.append(
                (
                    *(design.name, about),
                    *(_percent(held[name]["paper"].coverage) for name in ("hits", "recall")),
                    *(_percent(one.coverage) if one.width > 1e-9 else "known" for one in ours),
                    *(held["recall"][name].width for name in ("paper", "recommended")),
                )
            )
    found.table("designs", Table(tuple(columns), tuple(rows)), "markdown")
    found.says(
        f"recommended intervals hold the truth in {100 * min(every):.1f} to "
        f"{100 * max(every):.1f} % of the draws"
    )
    found.says(f"({DRAWS:,} corpora or samples each)")


def _all_is_judged(design: Design) -> bool:
    return all(part.judged >= design.cases for part in design.parts)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def tell_further(found: Findings) -> None:
    """A new system on old judgments, and scores that assist."""
    columns = [Column("use", text=True), Column("design", text=True), Column("about", text=True)]
    columns += [Column(TITLES[name]) for name in RETESTED]
    rows, every = [], []
    for about in ABOUT:
        for number, design in enumerate((RETESTS[0], RETESTS[2])):
            held = try_retest(design, about, DRAWS, np.random.default_rng([SEED, 100 + number]))
            every += [one.coverage for one in held.values()]
            shown = [_percent(held[name].coverage) for name in RETESTED]
            rows.append(("re-test", design.name, about, *shown))
        rows.append(_scores_row(about, every))
    found.table("further", Table(tuple(columns), tuple(sorted(rows))), "markdown")
    found.says(
        f"Their intervals hold the truth in {100 * min(every):.1f} to {100 * max(every):.1f} % of "
        "the draws"
    )


def _scores_row(about: About, every: list[float]) -> tuple[str, ...]:
    assisted = try_scores(about, DRAWS, np.random.default_rng([SEED, 200]))
    held = [assisted[name]["recommended"].coverage for name in RETESTED]
    every += held
    return ("scores", RETESTS[1].name, about, *map(_percent, held))


def tell_few(result: SampleSimulation, found: Findings) -> None:
    columns = [Column("system", text=True), Column("error"), Column("ok")]
    columns += [Column("misses expected", digits=1)]
    columns += [Column(f"{measure} {method}") for measure, method in FEW]
    rows, paper, ours, rejected = [], [], [], 0
    for setting in result.settings:
        by_name = {(one.measure, one.method): one for one in setting.intervals}
        rows.append((*_place(setting), *(marked(by_name[name]) for name in FEW)))
        paper.append(by_name["recall", "paper"].coverage)
        if setting.expected_misses < 2.5:
            ours += [by_name[name, "corrected"].coverage for name in ("recall", "misses")]
        rejected += sum(
            one.p_too_low is not None and one.p_too_low < ALPHA
            for one in setting.intervals
            if setting.recommended[one.measure] == one.method
        )
    found.table("few", Table(tuple(columns), tuple(rows)), "markdown")
    found.says(
        f"hold recall in {100 * min(paper):.0f} to {100 * max(paper):.0f} % of the samples",
        f"hold the truth in {100 * min(ours):.0f} to {100 * max(ours):.0f} % of the samples",
    )
    found.says("the one-sided test rejects none of them", when=rejected == 0)


def quote_others(found: Findings) -> None:
    """Numbers of the settings, of the tests and of the paper."""
    found.quotes(
        "50 or 100 cases of what the system flags",
        "100 to 800 of what it calls ok",
        "its intervals of 95 %",
        "whether it could be 95 %",
        "With 25 or 50 cases of what the system calls ok",
        "by the rule of three (up to 3 / n)",
        "100 flagged cases (AMU: all 60) and 200 others",
        "precision .80 and recall .12 by one way, .79 and .14 by the other",
        "750 judgments in place of 22,000",
        "One test in a hundred rejects by chance",
        "Coverage is above 97 % only where",
        "an error with a chance of .85, another case with .03",
    )


STUDY = Study("sampling", ("conll14-10", "systems"), find)

if __name__ == "__main__":
    run(STUDY, __doc__)
