"""Scores of sentences: what is asked, in which form, and what is added up."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.detect.ngrams import model as ngram_model
from jurybox.detect.ngrams.model import NgramModel
from jurybox.detect.ngrams.training import train_lm_on

TEXT = ["the cat sat on the mat", "the dog sat on the cat", "a dog ran", "", "the cat ran"]


@pytest.fixture(scope="module")
def model() -> NgramModel:
    return train_lm_on(TEXT, fallback_discounts=(0.5, 1, 1.5))


def test_lists_of_tokens_score_as_strings_do(model: NgramModel) -> None:
    strings = model.score(TEXT)
    lists = model.score([line.split() for line in TEXT])
    np.testing.assert_array_equal(strings.log10, lists.log10)
    np.testing.assert_array_equal(strings.bounds, lists.bounds)


def test_sentences_do_not_see_each_other(model: NgramModel) -> None:
    together = model.score(TEXT)
    for number, line in enumerate(TEXT):
        np.testing.assert_array_equal(together.of(number), model.score([line]).of(0))


@given(st.lists(st.lists(st.sampled_from(["the", "cat", "zebra", "sat"]), max_size=6), max_size=9))
@pytest.mark.slow
def test_batches_change_nothing(model: NgramModel, asked: list[list[str]]) -> None:
    whole = model.score(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngram_model, "BATCH", 2)
        parts = model.score(iter(asked))
    np.testing.assert_array_equal(whole.log10, parts.log10)
    np.testing.assert_array_equal(whole.unknown, parts.unknown)
    np.testing.assert_array_equal(whole.bounds, parts.bounds)


def test_no_sentences_have_no_scores_and_no_perplexity(model: NgramModel) -> None:
    scores = model.score([])
    assert (len(scores), scores.words, scores.totals.tolist()) == (0, 0, [])
    assert isnan(scores.perplexity())


def test_a_blank_sentence_is_its_end(model: NgramModel) -> None:
    scores = model.score(["", "   "])
    assert scores.words == 2
    assert scores.of(0) == scores.of(1) == scores.totals[0]


def test_totals_are_sums_of_the_words(model: NgramModel) -> None:
    scores = model.score(TEXT)
    sums = [scores.of(number).sum() for number in range(len(scores))]
    np.testing.assert_allclose(scores.totals, sums)
    assert scores.perplexity() == pytest.approx(10 ** (-sum(sums) / scores.words))


def test_perplexity_without_unknown_words_leaves_only_them_out(model: NgramModel) -> None:
    scores = model.score(["the zebra sat"])
    the, _, sat, end = scores.of(0)
    assert scores.unknown.tolist() == [False, True, False, False]
    assert scores.perplexity(unknown=False) == pytest.approx(10 ** (-(the + sat + end) / 3))


@pytest.mark.parametrize("mark", ["<s>", "</s>", "<unk>", "zebra", "\ud800", "the\u00a0cat"])
def test_marks_and_odd_letters_in_a_sentence_are_unknown_words(
    model: NgramModel, mark: str
) -> None:
    scores = model.score([["the", mark, "sat"]])
    assert scores.unknown.tolist() == [False, True, False, False]
    np.testing.assert_array_equal(scores.log10, model.score(["the qqqq sat"]).log10)


def test_a_likely_sentence_is_likelier_than_the_same_words_in_disorder(model: NgramModel) -> None:
    good, bad = model.score(["the dog sat on the mat", "mat the on sat dog the"]).totals
    assert good > bad


def test_a_model_of_nothing_but_blank_lines_can_be_asked() -> None:
    model = train_lm_on(["", ""], fallback_discounts=(0.5, 1, 1.5))
    assert model.sizes == (3, 1, 0, 0)
    assert model.score(["", "a"]).words == 3
