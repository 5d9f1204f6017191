"""How a crowd of one to five compares with an expert, on the sentences of GUG. Takes some
seconds.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from studying import Findings, Study, points, run, share, table_of

import jurybox as jb
from jurybox.tables import Column, Table

FOUR = {"0": "unknown"}
PERFECT = {"0": "unknown", "1": "error", "2": "error", "3": "error", "4": "ok"}
UNDERSTOOD = {"0": "unknown", "1": "low", "2": "low", "3": "high", "4": "high"}
QUESTIONS = {"four scores": FOUR, "perfect or not": PERFECT, "understood or not": UNDERSTOOD}


class Scores(NamedTuple):
    """What a sentence got."""

    expert: str
    crowd: tuple[str, ...]


def find(data: Path) -> Findings:
    found = Findings()
    file = data / "gug" / "gug_annotations.tsv"
    results = {name: jb.agree(file, relabel=labels, ci=True) for name, labels in QUESTIONS.items()}
    sentences, judged = read_scores(file)
    tell_data(sentences, judged, found)
    tell_four(results["four scores"], found)
    tell_perfect(results["perfect or not"], found)
    tell_understood(results["understood or not"], judged, found)
    tell_steps(results, judged, found)
    tell_doubts(judged, found)
    found.quotes(
        "from 1 (incomprehensible) to 4 (perfect)",
        "a crowd of 1, 2, … 5",
        'the expert calls "other" (score 0)',
        "the kappas of 1 and 2 differ",
        "At N = 5",
        "(3 and 4 against 1 and 2)",
        "± 1.96 standard errors",
        "three experts' own kappa of .606",
    )
    return found


def read_scores(file: Path) -> tuple[int, list[Scores]]:
    """How many sentences there are, and the scores of those that the crowd saw."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    scores = [
        Scores(row["Expert Judgement"], tuple(re.findall(r"\d", row["Crowd Flower Judgements"])))
        for row in rows
    ]
    return len(rows), [one for one in scores if len(one.crowd) == 5]


def tell_data(sentences: int, judged: Sequence[Scores], found: Findings) -> None:
    found.says(
        f"has {sentences:,} sentences by learners",
        f"{sentences - len(judged)} sentences",
        f"{len(judged):,} remain, with {5 * len(judged):,} judgments of the crowd",
    )


def tell_four(result: jb.AgreeResult, found: Findings) -> None:
    found.table("four", table_of(result.tables(), "A crowd of N"))
    found.figure("gug-scores.svg", result.figure())
    curve = result.curve()
    found.says(
        "One person gives the expert's score to half of the sentences; "
        f"five, to {share(curve[4].agreement, 0)}",
        when=round(curve[0].agreement, 1) == 0.5,
    )
    weighted = [point.weighted_kappa for point in curve]
    found.says(
        f"Weighted kappa (linear) is higher, {points(weighted[0], 2)} to {points(weighted[-1], 2)}",
        f"alpha: {points(result.alpha(), 2)} on the nominal scale, "
        f"{points(result.alpha('ordinal'), 2)} on the ordinal one",
    )


def tell_perfect(result: jb.AgreeResult, found: Findings) -> None:
    found.table("perfect", table_of(result.tables(), "A crowd of N"))
    found.figure("gug-yes-or-no.svg", result.figure())
    exact = [point.agreement for point in result.curve()]
    found.says(
        "an even crowd is exactly as good as the odd one before it",
        when=abs(exact[0] - exact[1]) < 1e-12 and abs(exact[2] - exact[3]) < 1e-12,
    )


def tell_understood(result: jb.AgreeResult, judged: Sequence[Scores], found: Findings) -> None:
    one, three, five = (result.curve()[place] for place in (0, 2, 4))
    found.says(
        f"gives {points(one.agreement)}, {points(three.agreement, 4)} and "
        f"{points(five.agreement, 4)} for one, three and five, kappa "
        f"{points(one.kappa, 2)}, {points(three.kappa, 2)} and "
        f"{points(five.kappa, 2)}"
    )
    scores = [score for one in judged for score in (one.expert, *one.crowd)]
    high = fmean(UNDERSTOOD[score] == "high" for score in scores)
    found.says("four of five sentences can be understood", when=0.78 < high < 0.82)


# --- which N ---


def chance_of_expert(scores: Scores, n: int, labels: dict[str, str]) -> float:
    """The chance that the majority of n of the five, ties by lot, is what the expert says.

    >>> chance_of_expert(Scores("4", ("4", "4", "3", "3", "2")), 2, {})
    0.4
    """
    expert = labels.get(scores.expert, scores.expert)
    crowd = [labels.get(score, score) for score in scores.crowd]
    right = 0.0
    for drawn in combinations(crowd, n):
        votes = Counter(drawn)
        winners = [label for label, count in votes.items() if count == max(votes.values())]
        right += (expert in winners) / len(winners)
    return right / comb(len(crowd), n)


def tell_steps(
    results: dict[str, jb.AgreeResult], judged: Sequence[Scores], found: Findings
) -> None:
    chances = {
        (name, n): [chance_of_expert(one, n, labels) for one in judged]
        for name, labels in QUESTIONS.items()
        for n in (1, 3, 5)
    }
    # what is counted here must be what `agree` says
    found.says(
        "The exact agreement of each sentence is known",
        when=all(
            abs(fmean(chances[name, n]) - results[name].curve()[n - 1].agreement) < 1e-9
            for name, n in chances
        ),
    )
    found.says(
        "Five agrees best, by every measure",
        when=all(
            point.agreement < result.curve()[4].agreement and point.kappa < result.curve()[4].kappa
            for result in results.values()
            for point in result.curve()[:4]
        ),
    )
    rows = []
    for first, second in ((1, 3), (3, 5)):
        steps = [step_between(chances[name, first], chances[name, second]) for name in QUESTIONS]
        rows.append((f"{first} to {second}", *steps))
    columns = tuple(Column(title, text=True) for title in ("step", *QUESTIONS))
    found.table("steps", Table(columns, tuple(rows)), "markdown")
    gains = [fmean(chances["perfect or not", n]) for n in (1, 3, 5)]
    third = (gains[2] - gains[1]) / (gains[1] - gains[0])
    found.says(
        "for yes or no it is a third of the step from one to three", when=0.28 < third < 0.38
    )


def step_between(first: Sequence[float], second: Sequence[float]) -> str:
    """The mean of the paired differences, with 1.96 standard errors."""
    gains = [b - a for a, b in zip(first, second, strict=True)]
    return f"+{points(fmean(gains))} ± {points(1.96 * stdev(gains) / sqrt(len(gains)))}"


def tell_doubts(judged: Sequence[Scores], found: Findings) -> None:
    said = [(PERFECT[one.expert], [PERFECT[score] for score in one.crowd]) for one in judged]
    unanimous = [(expert, crowd[0]) for expert, crowd in said if len(set(crowd)) == 1]
    found.says(
        f"({len(unanimous):,} sentences, {share(len(unanimous) / len(said), 0)}), "
        "the expert says the "
        f"same in {share(fmean(expert == crowd for expert, crowd in unanimous), 0)} of the cases"
    )
    perfect = [crowd.count("ok") > 2 for expert, crowd in said if expert == "ok"]
    found.says(
        f"of {len(perfect)} sentences that are perfect to the expert, {sum(perfect)} "
        "are perfect to most of the five"
    )


STUDY = Study("crowd-of-five", ("gug",), find)

if __name__ == "__main__":
    run(STUDY, __doc__)
