"""When estimates will be precise enough: held against the intervals of the library itself."""

from __future__ import annotations

from math import ceil

import pytest

from jurybox.sample.estimate import estimate_sample
from jurybox.sample.estimate.result import StratumCounts
from jurybox.serve.dashboard.findings import EstimateSoFar, Measured
from jurybox.serve.dashboard.forecast import NO_PACE, JudgmentPace, forecast, pace_of

HOUR = 3600.0
#: 2025-10-09 09:30 UTC
NOW = 1_760_002_200.0
LAST = int(NOW // HOUR)


def estimate(*strata: StratumCounts, precision: float, recall: float | None) -> EstimateSoFar:
    """Half the widths of the two intervals."""
    measures = [Measured("precision", 0.5, 0.5 - precision, 0.5 + precision)]
    if recall is None:
        measures.append(Measured("recall", None, reason="no error was found"))
    else:
        measures.append(Measured("recall", 0.5, 0.5 - recall, 0.5 + recall))
    return EstimateSoFar(tuple(measures), strata)


#: a corpus so large that it leaves next to nothing unknown
ERROR = StratumCounts("error", "error", 10**12, 400, 50, 25)
OK = StratumCounts("ok", "ok", 9 * 10**12, 800, 100, 5)


def test_half_the_width_takes_four_times_the_cases() -> None:
    found = forecast(
        estimate(ERROR, OK, precision=0.05, recall=0.1),
        0.05,
        JudgmentPace(60.0, 5.0),
        NOW,
        left=5000,
    )
    assert [(one.needed, one.more) for one in found.strata] == [(200, 150), (400, 300)]
    # strata are handed out alike: 150 of 350 and 300 of 700 are the same share
    assert found.more == 450
    assert found.when == NOW + 450 / 60 * HOUR


def test_precision_asks_for_cases_that_the_system_flags_and_for_no_others() -> None:
    found = forecast(
        estimate(ERROR, OK, precision=0.1, recall=0.04),
        0.05,
        JudgmentPace(60.0, 5.0),
        NOW,
        left=5000,
    )
    assert [one.more for one in found.strata] == [150, 0]
    # 150 of the 350 flagged ones come among as large a share of the others
    assert found.more == 450


def test_what_is_precise_enough_is_said_to_be() -> None:
    found = forecast(estimate(ERROR, OK, precision=0.05, recall=0.05), 0.05, None, NOW, left=9)
    assert found.is_reached
    assert (found.more, found.reason) == (0, "")


def test_a_sample_that_is_too_small_is_told_with_the_way_out() -> None:
    found = forecast(
        estimate(ERROR, OK, precision=0.2, recall=0.05),
        0.05,
        JudgmentPace(60.0, 5.0),
        NOW,
        left=5000,
    )
    assert "too small for it (error)" in found.reason
    assert "--after KEY" in found.reason
    assert found.when is None


def test_nothing_is_promised_of_judgments_that_will_not_come() -> None:
    """All have been given, some of them too hard to decide: those cases stay unjudged."""
    board = estimate(ERROR, OK, precision=0.05, recall=0.1)
    assert "too small" in forecast(board, 0.05, JudgmentPace(60.0, 5.0), NOW, left=449).reason
    assert forecast(board, 0.05, JudgmentPace(60.0, 5.0), NOW, left=450).when is not None


def test_a_corpus_that_is_small_takes_more_cases_or_is_too_small() -> None:
    """Recall of text is not known better than its share of flagged cases."""
    small = ERROR._replace(size=1000), OK._replace(size=9000)
    # recall .5: 1.96 · .25 √(10,000 / (1,000 · 9,000)) = .01633 is left whatever is judged
    board = estimate(*small, precision=0.05, recall=0.1)
    found = forecast(board, 0.05, JudgmentPace(60.0, 5.0), NOW, left=5000)
    times = (0.1**2 - 0.01633**2) / (0.05**2 - 0.01633**2)
    assert found.strata[1].needed == ceil(100 * times)
    assert (
        "however many of its cases are judged"
        in forecast(board, 0.016, JudgmentPace(60.0, 5.0), NOW, left=5000).reason
    )


def test_without_a_pace_there_is_a_number_and_no_date() -> None:
    found = forecast(estimate(ERROR, OK, precision=0.05, recall=0.1), 0.05, None, NOW, left=5000)
    assert (found.more, found.when, found.reason) == (450, None, NO_PACE)


def test_recall_that_is_undefined_is_told() -> None:
    found = forecast(estimate(ERROR, OK, precision=0.1, recall=None), 0.05, None, NOW, left=9)
    assert found.reason == "It cannot be told yet: no error was found."


def test_verification_asks_for_precision_alone() -> None:
    none_drawn = OK._replace(drawn=0, judged=0, errors=0)
    found = forecast(
        estimate(ERROR, none_drawn, precision=0.1, recall=None),
        0.05,
        JudgmentPace(60.0, 5.0),
        NOW,
        left=5000,
    )
    assert [one.name for one in found.measures] == ["precision"]
    assert [one.more for one in found.strata] == [150, 0]


@pytest.mark.parametrize("within", [0.02, 0.03, 0.05])
@pytest.mark.slow
def test_what_is_foretold_comes_true_if_raters_go_on_as_they_did(within: float) -> None:
    """As many judgments as are foretold, with the same shares, give the width that was wished."""

    def judged(times: float) -> EstimateSoFar:
        sizes = {"error": (20_000, round(75 * times), round(60 * times))}
        sizes["ok"] = (180_000, round(150 * times), round(6 * times))
        said = {part: f"{size}:{n}:{errors}" for part, (size, n, errors) in sizes.items()}
        found = estimate_sample(parts=said)
        strata = tuple(one._replace(drawn=one.size) for one in found.strata)
        measures = tuple(
            Measured(name, found[name].estimate, found[name].low, found[name].high)
            for name in ("precision", "recall")
        )
        return EstimateSoFar(measures, strata)

    before = judged(1.0)
    found = forecast(before, within, JudgmentPace(60.0, 5.0), NOW, left=10**9)
    times = found.strata[1].needed / found.strata[1].judged
    assert times > 3
    widest = max(one.half or 0.0 for one in judged(times).measures)
    assert widest == pytest.approx(within, rel=0.2)


# --- pace ---


def test_pace_is_over_the_last_24_hours() -> None:
    hours = {LAST - 30: 1000, LAST - 23: 100, LAST: 35}
    found = pace_of(hours, (LAST - 30) * HOUR, NOW)
    assert found is not None
    assert found.hours == 23.5
    assert found.per_hour == 135 / 23.5


def test_a_project_that_has_just_begun_has_the_pace_since_then() -> None:
    found = pace_of({LAST: 12}, NOW - 600, NOW)
    assert found is not None
    assert found.per_hour == pytest.approx(72)


def test_a_burst_of_seconds_is_no_pace_of_thousands() -> None:
    found = pace_of({LAST: 12}, NOW - 0.5, NOW)
    assert found is not None
    assert found.per_hour == pytest.approx(720)


def test_few_judgments_tell_no_pace() -> None:
    assert pace_of({LAST: 9, LAST - 24: 500}, NOW - 48 * HOUR, NOW) is None
    assert pace_of({}, None, NOW) is None
