"""Bootstrap: what is drawn, what comes of it, and that a seed means the same digits."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.stats import resample
from jurybox.stats.resample import (
    bootstrap,
    bootstrap_weights,
    estimate,
    random_swaps,
)
from jurybox.stats.statistic import EditScore, GleuScore
from made_tables import gleu_table, random_table, table_of


@given(st.integers(1, 30), st.integers(1, 20), st.integers(0, 99))
def test_every_resample_has_as_many_sentences_as_the_data(
    n: int, resamples: int, seed: int
) -> None:
    weights = bootstrap_weights(n, resamples, np.random.default_rng(seed))
    assert weights.shape == (resamples, n)
    assert (weights.sum(axis=1) == n).all()


def test_sentences_are_drawn_equally_often() -> None:
    weights = bootstrap_weights(50, 4000, np.random.default_rng(1))
    # the mean of 4000 multiplicities of mean 1 and variance 0.98
    assert weights.mean(axis=0) == pytest.approx(np.ones(50), abs=4.5 * sqrt(0.98 / 4000))
    assert weights.var() == pytest.approx(0.98, abs=0.02)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=20), st.integers(0, 99))
def test_documents_are_drawn_whole(documents: list[str], seed: int) -> None:
    weights = bootstrap_weights(len(documents), 10, np.random.default_rng(seed), documents)
    names = sorted(set(documents))
    first = [documents.index(name) for name in names]
    for i, name in enumerate(documents):
        assert (weights[:, i] == weights[:, documents.index(name)]).all()
    assert (weights[:, first].sum(axis=1) == len(names)).all()


def test_what_documents_are_called_does_not_matter() -> None:
    one = bootstrap_weights(4, 9, np.random.default_rng(2), ["a", "a", "b", "c"])
    other = bootstrap_weights(4, 9, np.random.default_rng(2), ["z", "z", "y", "x"])
    assert (one == other).all()


def test_a_sentence_drawn_over_255_times_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(np.random.Generator):
        """Draws the first unit every time."""

        def integers(self, *_: object, size: tuple[int, int], **__: object) -> np.ndarray:  # type: ignore[override]  # as called
            return np.zeros(size, dtype=np.int64)

    monkeypatch.setattr(resample, "DRAWN_AT_ONCE", 300)
    weights = bootstrap_weights(300, 2, Stuck(np.random.PCG64(0)))
    assert weights[:, 0].tolist() == [300, 300]


def test_swaps_are_a_fair_coin_and_documents_stay_together() -> None:
    swaps = random_swaps(40, 2000, np.random.default_rng(3))
    assert swaps.mean(axis=0) == pytest.approx(np.full(40, 0.5), abs=4.5 * sqrt(0.25 / 2000))
    documents = ["a"] * 10 + ["b"] * 30
    together = random_swaps(40, 50, np.random.default_rng(3), documents)
    assert (together[:, :10] == together[:, :1]).all()
    assert (together[:, 10:] == together[:, 10:11]).all()
    assert (together[:, 0] != together[:, 10]).any()


@pytest.mark.parametrize("documents", [None, [str(i // 3) for i in range(35)]])
@pytest.mark.parametrize("how", [EditScore(), EditScore(rule="sentence"), GleuScore(draws=3)])
def test_the_same_seed_gives_the_same_digits_whatever_the_chunks(
    how: EditScore | GleuScore, documents: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = gleu_table if isinstance(how, GleuScore) else random_table
    tables = [make(np.random.default_rng(seed), 35, 2) for seed in (4, 5)]
    whole = bootstrap(tables, how, rng=np.random.default_rng(6), resamples=41, documents=documents)
    swaps = random_swaps(35, 41, np.random.default_rng(6), documents)
    for weights_at_once, drawn_at_once in [(35 * 7, 35 * 3), (1, 1), (35 * 16, 10**6)]:
        monkeypatch.setattr(resample, "WEIGHTS_AT_ONCE", weights_at_once)
        monkeypatch.setattr(resample, "DRAWN_AT_ONCE", drawn_at_once)
        chunked = bootstrap(
            tables, how, rng=np.random.default_rng(6), resamples=41, documents=documents
        )
        assert chunked.scores == pytest.approx(whole.scores, rel=1e-13)
        assert (random_swaps(35, 41, np.random.default_rng(6), documents) == swaps).all()


def test_another_seed_gives_other_resamples() -> None:
    table = random_table(np.random.default_rng(7), 50)
    one, other = (
        bootstrap([table], EditScore(), rng=np.random.default_rng(seed)) for seed in (8, 9)
    )
    assert (one.scores != other.scores).mean() > 0.9


def test_interval_of_a_share_is_close_to_the_binomial_one() -> None:
    n, right = 400, 120
    table = table_of(*([[(1, 0, 0)]] * right + [[(0, 1, 0)]] * (n - right)))
    drawn = bootstrap([table], EditScore(), rng=np.random.default_rng(10), resamples=4000)
    found = estimate(drawn, 0, "precision")
    error = sqrt(0.3 * 0.7 / n)
    assert found.value == 0.3
    assert found.standard_error == pytest.approx(error, rel=0.05)
    assert found.interval.low == pytest.approx(0.3 - 1.96 * error, abs=0.004)
    assert found.interval.high == pytest.approx(0.3 + 1.96 * error, abs=0.004)


def test_documents_that_differ_make_the_interval_wider() -> None:
    # 20 documents, each all right or all wrong: there are only 20 independent observations
    documents = [str(i // 20) for i in range(400)]
    table = table_of(*[[(int(name) % 2, 1 - int(name) % 2, 0)] for name in documents])
    by_sentence = bootstrap([table], EditScore(), rng=np.random.default_rng(11))
    by_document = bootstrap(
        [table], EditScore(), rng=np.random.default_rng(11), documents=documents
    )
    assert (by_document.unit, by_document.units) == ("document", 20)
    ratio = (
        estimate(by_document, 0, "precision").standard_error
        / estimate(by_sentence, 0, "precision").standard_error
    )
    assert ratio == pytest.approx(sqrt(20), rel=0.1)


def test_a_wider_level_gives_a_wider_interval() -> None:
    drawn = bootstrap(
        [random_table(np.random.default_rng(12), 60)], EditScore(), rng=np.random.default_rng(13)
    )
    narrow, wide = (estimate(drawn, 0, level=level).interval for level in (0.5, 0.99))
    assert wide.low < narrow.low < estimate(drawn, 0).value < narrow.high < wide.high


def test_one_sentence_has_no_interval_and_says_why() -> None:
    found = estimate(
        bootstrap([table_of([(1, 1, 1)])], EditScore(), rng=np.random.default_rng(14)), 0
    )
    assert found.value == 0.5
    assert isnan(found.interval.low)
    assert isnan(found.interval.high)
    assert isnan(found.standard_error)
    assert found.interval.reason == "one sentence alone shows no variation"


def test_one_document_has_no_interval_and_says_what_to_do() -> None:
    table = random_table(np.random.default_rng(15), 5)
    drawn = bootstrap([table], EditScore(), rng=np.random.default_rng(16), documents=["d"] * 5)
    found = estimate(drawn, 0)
    assert isnan(found.interval.low)
    assert "one document" in found.interval.reason
    assert "resample sentences" in found.interval.reason


def test_scores_that_never_change_have_a_width_by_the_sentences_they_rest_on() -> None:
    unchanged_text = table_of(*[[(0, 0, 2)]] * 5)
    drawn = bootstrap([unchanged_text], EditScore(), rng=np.random.default_rng(17), resamples=50)
    f = estimate(drawn, 0, "f").interval
    # Wilson's interval of 0 of 5 with t = 2.776 (4 degrees of freedom): t² / (5 + t²)
    assert f.low == 0
    assert f.high == pytest.approx(2.776**2 / (5 + 2.776**2), abs=1e-4)
    # nothing was proposed: its precision is 1 by convention, and rests on nothing
    precision = estimate(drawn, 0, "precision").interval
    assert (precision.low, precision.high) == (0, 1)


def test_one_resample_has_no_standard_error() -> None:
    drawn = bootstrap(
        [random_table(np.random.default_rng(18), 9)],
        EditScore(),
        rng=np.random.default_rng(19),
        resamples=1,
    )
    assert isnan(estimate(drawn, 0).standard_error)


def test_bad_input_is_refused_with_a_reason() -> None:
    table, longer = (
        random_table(np.random.default_rng(20), 3),
        random_table(np.random.default_rng(20), 4),
    )
    with pytest.raises(InputError, match="no system"):
        bootstrap([], EditScore(), rng=np.random.default_rng(1))
    with pytest.raises(InputError, match="no sentences"):
        bootstrap([table_of()], EditScore(), rng=np.random.default_rng(1))
    with pytest.raises(LengthError, match="system 2 has 4 sentences where 3"):
        bootstrap([table, longer], EditScore(), rng=np.random.default_rng(1))
    with pytest.raises(LengthError, match="3 sentences but 2 document names"):
        bootstrap([table], EditScore(), rng=np.random.default_rng(1), documents=["a", "b"])
    with pytest.raises(UsageError, match="at least 1 resample"):
        bootstrap([table], EditScore(), rng=np.random.default_rng(1), resamples=0)
    drawn = bootstrap([table], EditScore(), rng=np.random.default_rng(1), resamples=9)
    with pytest.raises(UsageError, match=r"as 0\.95, not 95"):
        estimate(drawn, 0, level=95)
