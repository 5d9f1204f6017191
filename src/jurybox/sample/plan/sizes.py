"""How many cases to judge: sample sizes for a wished certainty, and certainty for a sample size.

A corpus has two parts, what a system calls an error and what it calls ok. Precision is the share of
errors in the first, so it depends on the first sample alone; recall depends on both. With
h = W₁p₁ hits and m = W₂p₂ misses as shares of all cases, recall is h / (h + m), and by the delta
method its variance is (m² W₁² v₁ + h² W₂² v₂) / (h + m)⁴, where v = (1/n - 1/N) S² is the variance
of a share in a sample of n of N cases without replacement, S² = p (1 - p) N / (N - 1) (Cochran
1977, chapters 2 and 5). About this corpus, a part that is judged as a whole leaves no doubt, so
every wish can be met. About text of this kind, the corpus is itself a draw: its own variance comes
to that of the samples, as if all of it were judged. It is p₁ (1 - p₁) / N₁ for precision and, for
recall r, r (1 - r) by the number of errors. What a corpus of this size leaves unknown, no plan can
make up for. No plan asks for more cases than there are.

These are expectations by the normal approximation. Where only a handful of misses is expected in
the sample, intervals will be wider than planned.
"""

from __future__ import annotations

from decimal import Decimal
from math import ceil, floor, inf, sqrt
from typing import Annotated, NamedTuple

from jurybox.errors import InputError, UsageError
from jurybox.records import Key, Limits, Share, computed
from jurybox.sample.options import About
from jurybox.stats.proportions import normal_quantile

#: fewer misses, hits or false positives in the sample than this make the plan a rough guess
FEW = 10
#: from the part that the system calls ok, twice as many (Tetreault and Chodorow 2008, section 6.3)
PAPERS_RATIO = 2
#: what is left of rounding when a wish is just met
SLACK = 1e-12


class Expected(NamedTuple):
    """What is expected of the corpus."""

    flagged: Annotated[
        int, Key("error"), "Cases that the system calls an error.", Limits(minimum=1)
    ]
    passed: Annotated[int, Key("ok"), "Cases that it calls ok.", Limits(minimum=1)]
    precision: Annotated[Share, "Share of errors among the cases called an error."]
    miss_rate: Annotated[Share, "Share of errors among the cases called ok."]

    @property
    def size(self) -> int:
        return self.flagged + self.passed

    @property
    def hits(self) -> float:
        """As a share of all cases."""
        return self.flagged * self.precision / self.size

    @property
    def misses(self) -> float:
        """As a share of all cases."""
        return self.passed * self.miss_rate / self.size

    @computed
    def error_rate(self) -> Share:
        """Share of errors among all cases."""
        return self.hits + self.misses

    @computed
    def recall(self) -> Share:
        """Share of all errors that the system finds."""
        return self.hits / self.error_rate


class Wish(NamedTuple):
    """How sure it should be; null is no wish."""

    precision: Annotated[
        float | None, Key("precision_within"), "Wished half-width of the interval of precision."
    ] = None
    recall: Annotated[
        float | None, Key("recall_within"), "Wished half-width of the interval of recall."
    ] = None
    level: Annotated[Share, "Level of the intervals."] = 0.95
    about: Annotated[
        About,
        "What intervals are about: text of this kind, of which the corpus is a random draw, or "
        "this corpus, these very cases.",
    ] = "text"
    budget: Annotated[Decimal | None, "What may be spent; null: not given."] = None


class Allocation(NamedTuple):
    """How many cases to draw from each part."""

    flagged: int
    passed: int

    @property
    def cases(self) -> int:
        return self.flagged + self.passed


class Certainty(NamedTuple):
    """Half-widths of intervals; inf where nothing can be said."""

    precision: float
    recall: float


def expect(flagged: int, passed: int, *, precision: float, error_rate: float) -> Expected:
    """What the parts hold, given the share of errors among the flagged and among all cases.

    >>> expect(1000, 9000, precision=0.8, error_rate=0.35).miss_rate
    0.3
    """
    for name, size in (("error", flagged), ("ok", passed)):
        if size < 1:
            raise InputError(f"the part '{name}' has {size} cases; there is nothing to sample")
    errors, hits = error_rate * (flagged + passed), precision * flagged
    misses = errors - hits
    if misses < 0:
        raise UsageError(
            f"--precision {precision:g} makes {hits:.0f} of the {flagged} flagged cases errors, "
            f"more than the {errors:.0f} errors of --error-rate {error_rate:g}; expect a lower "
            "precision or a higher error rate"
        )
    if misses > passed:
        raise UsageError(
            f"--error-rate {error_rate:g} and --precision {precision:g} leave {misses:.0f} errors "
            f"to the {passed} cases called ok; expect a lower error rate or a higher precision"
        )
    return Expected(flagged, passed, precision, misses / passed)


def certainty(
    expected: Expected, drawn: Allocation, level: float = 0.95, about: About = "text"
) -> Certainty:
    """Expected half-widths for a sample.

    Figure 1 of the paper, about text of its kind and about its corpus:

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> found = certainty(corpus, Allocation(750, 1500))
    >>> round(found.precision, 4), round(found.recall, 4)
    (0.0286, 0.0189)
    >>> found = certainty(corpus, Allocation(750, 1500), about="corpus")
    >>> round(found.precision, 4), round(found.recall, 4)
    (0.0143, 0.0128)
    """
    z = normal_quantile(level)
    of_flagged = _spread(expected.flagged, expected.precision, about)
    for_flagged, for_passed = _weights(expected, about)
    flagged = _doubt(expected.flagged, drawn.flagged)
    passed = _doubt(expected.passed, drawn.passed)
    of_corpus = left_unknown(expected, about)
    return Certainty(
        z * sqrt(_times(of_flagged, flagged) + of_corpus.precision),
        z * sqrt(_times(for_flagged, flagged) + _times(for_passed, passed) + of_corpus.recall),
    )


def left_unknown(expected: Expected, about: About) -> Certainty:
    """Variances of precision and recall where every case of the corpus is judged."""
    if about == "corpus":
        return Certainty(0.0, 0.0)
    p, r = expected.precision, expected.recall
    errors = expected.error_rate * expected.size
    return Certainty(p * (1 - p) / expected.flagged, r * (1 - r) / errors)


def at_random(
    expected: Expected, cases: int, level: float = 0.95, about: About = "text"
) -> Certainty:
    """Half-widths if as many cases are drawn from all alike, as in exhaustive annotation.

    The flagged cases among them are a sample of those flagged; the errors among them a sample of
    all errors, whose share of hits is recall.
    """
    z = normal_quantile(level)
    share = cases / expected.size
    rest = max(1 - share, 0.0) if about == "corpus" else 1.0
    flagged, errors = share * expected.flagged, share * expected.error_rate * expected.size
    p, r = expected.precision, expected.recall
    return Certainty(
        z * sqrt(rest * p * (1 - p) / flagged) if flagged else inf,
        z * sqrt(rest * r * (1 - r) / errors) if errors else inf,
    )


def plan_neyman(expected: Expected, wish: Wish) -> Allocation:
    """The fewest cases that meet the wishes (Neyman 1934).

    For recall alone, parts are sampled in proportion to what they add to its doubt; a wish for
    precision may ask for more of the flagged, which then spares some of the others.

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> plan_neyman(corpus, Wish(precision=0.03, recall=0.02))
    Allocation(flagged=683, passed=1247)
    >>> plan_neyman(corpus, Wish(precision=0.03, recall=0.02, about="corpus"))
    Allocation(flagged=407, passed=720)
    """
    _check_wish(wish)
    z = normal_quantile(wish.level)
    least = 1
    of_corpus = left_unknown(expected, wish.about)
    if wish.precision is not None:
        least = _needed(
            expected.flagged,
            _spread(expected.flagged, expected.precision, wish.about),
            (wish.precision / z) ** 2 - of_corpus.precision,
        )
    if wish.recall is None:
        return Allocation(least, 0)
    ours, theirs = _weights(expected, wish.about)
    target = (wish.recall / z) ** 2 - of_corpus.recall
    if target <= 0:
        return Allocation(expected.flagged, expected.passed)
    allowed = target + ours / expected.flagged + theirs / expected.passed
    flagged = ceil(sqrt(ours) * (sqrt(ours) + sqrt(theirs)) / allowed - SLACK)
    flagged = min(max(flagged, least, 1), expected.flagged)
    passed = _others(theirs, allowed - ours / flagged, expected.passed)
    # as many of the others as there are may not be enough: then more of the flagged
    flagged = max(flagged, _others(ours, allowed - theirs / passed, expected.flagged))
    return Allocation(flagged, passed)


def plan_ratio(expected: Expected, wish: Wish, ratio: float = PAPERS_RATIO) -> Allocation:
    """The fewest cases that meet the wishes with `ratio` times as many of those called ok.

    A part that has fewer is judged as a whole.

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> plan_ratio(corpus, Wish(precision=0.03, recall=0.02, about="corpus"))
    Allocation(flagged=407, passed=814)
    """
    _check_wish(wish)
    low, high = 0, max(expected.flagged, ceil(expected.passed / ratio))
    while high - low > 1:
        middle = (low + high) // 2
        drawn = _in_ratio(expected, middle, ratio)
        met = meets(certainty(expected, drawn, wish.level, wish.about), wish)
        low, high = (low, middle) if met else (middle, high)
    return _in_ratio(expected, high, ratio)


def spend(expected: Expected, cases: int, *, for_recall: bool = True) -> Allocation:
    """So many cases, shared out such that recall is as sure as it can be.

    >>> spend(expect(1000, 9000, precision=0.8, error_rate=0.35), 750)
    Allocation(flagged=185, passed=565)
    """
    cases = min(cases, expected.size)
    if not for_recall:
        return Allocation(min(cases, expected.flagged), 0)
    # what the corpus leaves unknown is the same for all samples
    ours, theirs = (sqrt(weight) for weight in _weights(expected, "corpus"))
    exact = cases * ours / (ours + theirs) if ours + theirs else cases / 2
    around = [_within(expected, cases, number) for number in (floor(exact), ceil(exact))]
    return min(around, key=lambda drawn: certainty(expected, drawn).recall)


def spend_ratio(expected: Expected, cases: int, ratio: float = PAPERS_RATIO) -> Allocation:
    """So many cases, `ratio` times as many of those called ok, as far as the parts go.

    >>> spend_ratio(expect(1000, 9000, precision=0.8, error_rate=0.35), 750)
    Allocation(flagged=250, passed=500)
    """
    cases = min(cases, expected.size)
    return _within(expected, cases, round(cases / (1 + ratio)))


def _within(expected: Expected, cases: int, flagged: int) -> Allocation:
    """Such a share of the cases, or the nearest that the parts can give; one of each at least."""
    least, most = max(cases - expected.passed, 1), min(cases - 1, expected.flagged)
    flagged = max(min(flagged, most), least)
    return Allocation(flagged, cases - flagged)


def plan_at_random(expected: Expected, wish: Wish) -> int:
    """How many cases, drawn from all alike, meet the wishes.

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> plan_at_random(corpus, Wish(precision=0.03, recall=0.02, about="corpus"))
    4058
    """
    _check_wish(wish)
    low, high = 0, expected.size
    while high - low > 1:
        middle = (low + high) // 2
        met = meets(at_random(expected, middle, wish.level, wish.about), wish)
        low, high = (low, middle) if met else (middle, high)
    return high


def meets(found: Certainty, wish: Wish) -> bool:
    """Whether every wish is met."""
    return all(
        asked is None or half <= asked + SLACK
        for half, asked in ((found.precision, wish.precision), (found.recall, wish.recall))
    )


def _check_wish(wish: Wish) -> None:
    wishes = {"--precision-within": wish.precision, "--recall-within": wish.recall}
    if all(asked is None for asked in wishes.values()):
        raise UsageError("say how sure it should be, with --precision-within or --recall-within")
    for flag, asked in wishes.items():
        if asked is not None and not 0 < asked < 1:
            raise UsageError(f"{flag} must be between 0 and 1, not {asked:g}")


def _spread(size: int, share: float, about: About) -> float:
    """S² of a part: how far its cases differ; in text of this kind, on average over corpora."""
    if about == "text":
        return share * (1 - share)
    return share * (1 - share) * size / (size - 1) if size > 1 else 0.0


def _weights(expected: Expected, about: About) -> tuple[float, float]:
    """What (1/n - 1/N) of each part is multiplied by in the variance of recall."""
    h, m = expected.hits, expected.misses
    ours = (m * expected.flagged / expected.size) ** 2 / (h + m) ** 4
    theirs = (h * expected.passed / expected.size) ** 2 / (h + m) ** 4
    return (
        ours * _spread(expected.flagged, expected.precision, about),
        theirs * _spread(expected.passed, expected.miss_rate, about),
    )


def _doubt(size: int, drawn: int) -> float:
    return 1 / drawn - 1 / size if drawn else inf


def _times(weight: float, doubt: float) -> float:
    """A part that nothing was drawn from is unknown, whatever it weighs."""
    return inf if doubt == inf else weight * doubt


def _needed(size: int, spread: float, variance: float) -> int:
    """How many of a part give its share of errors with such a variance."""
    if variance <= 0:
        return size
    return min(max(ceil(spread / (variance + spread / size) - SLACK), 1), size)


def _others(weight: float, left: float, size: int) -> int:
    """How many of a part, if `left` of the variance may be its own."""
    if left <= weight / size:  # only all of it leaves as little
        return size
    return min(max(ceil(weight / left - SLACK), 1), size)


def _in_ratio(expected: Expected, number: int, ratio: float) -> Allocation:
    return Allocation(min(number, expected.flagged), min(ceil(number * ratio), expected.passed))
