"""Counts, probabilities and back-off weights, against the definition and by hand."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.detect.ngrams.model import between_marks
from jurybox.detect.ngrams.training import (
    count_ngrams,
    discounts_of,
    encode_files,
    encode_sentences,
    train_lm,
    train_lm_on,
)
from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input
from reference_kneser_ney import SlowModel

FALLBACK = (0.5, 1.0, 1.5)
CATS = ["a cat sat", "a dog sat", "a cat ran"]

a_sentence = st.lists(st.sampled_from("abcde"), max_size=7)
a_text = st.lists(a_sentence, min_size=1, max_size=25)
a_query = st.lists(st.lists(st.sampled_from("abcdez"), max_size=8), max_size=4)
limits = st.tuples(*[st.integers(0, 2)] * 3).map(lambda more: (0, *sorted(more)))


def test_counts_below_the_highest_order_are_of_preceding_words_but_after_a_sentence_start() -> None:
    text = encode_sentences(CATS)
    words, pairs = count_ngrams(text.ids, len(text.vocabulary), 2)
    names = text.vocabulary.words
    # "a" only ever follows <s>; "sat" follows cat and dog; </s> follows sat and ran
    assert dict(zip(names, words.counts.tolist(), strict=True)) == {
        b"<unk>": 0,
        b"<s>": 0,
        b"</s>": 2,
        b"a": 1,
        b"cat": 1,
        b"dog": 1,
        b"ran": 1,
        b"sat": 2,
    }
    told = [(names[key // len(names)], names[key % len(names)]) for key in pairs.keys.tolist()]
    assert dict(zip(told, pairs.counts.tolist(), strict=True)) == {
        (b"<s>", b"a"): 3,
        (b"a", b"cat"): 2,
        (b"a", b"dog"): 1,
        (b"cat", b"ran"): 1,
        (b"cat", b"sat"): 1,
        (b"dog", b"sat"): 1,
        (b"ran", b"</s>"): 1,
        (b"sat", b"</s>"): 2,
    }


def test_probabilities_worked_out_by_hand() -> None:
    model = train_lm_on(CATS, order=2, fallback_discounts=FALLBACK)
    # words: 8 in all, 2 taken from two counts of 2 and 4 * 0.5 from four of 1, shared by 7 words
    everywhere = (2 + 2) / 8 / 7
    sat, unknown = (2 - 1) / 8 + everywhere, everywhere
    # after "cat": ran and sat once each, 0.5 taken from both
    cat_sat = 0.5 / 2 + (0.5 + 0.5) / 2 * sat
    # after "a": cat twice, dog once; nothing else was seen
    a_unknown = (1 + 0.5) / 3 * unknown
    scores = model.score(["a cat sat", "a zebra"])
    assert scores.of(0)[2] == pytest.approx(log10(cat_sat), abs=1e-6)
    assert scores.of(1)[1] == pytest.approx(log10(a_unknown), abs=1e-6)


@given(a_text, st.integers(2, 4), a_query)
def test_every_probability_equals_the_definition(
    text: list[list[str]], order: int, asked: list[list[str]]
) -> None:
    slow = SlowModel(text, order, FALLBACK)
    model = train_lm_on(text, order=order, fallback_discounts=FALLBACK)
    expected = [p for words in asked + text for p in slow.sentence(words)]
    found = 10 ** model.score(asked + text).log10
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@given(a_text, limits, a_query)
def test_a_pruned_model_backs_off_to_the_definition_where_n_grams_are_missing(
    text: list[list[str]], prune: tuple[int, ...], asked: list[list[str]]
) -> None:
    slow = SlowModel(text, 4, FALLBACK, prune)
    model = train_lm_on(text, prune=prune, fallback_discounts=FALLBACK)
    expected = [p for words in asked + text for p in slow.sentence(words)]
    np.testing.assert_allclose(10 ** model.score(asked + text).log10, expected, rtol=1e-5)
    kept = [sum(n > limit for n in slow.raw[i + 1].values()) for i, limit in enumerate(prune)]
    assert model.sizes[1:] == tuple(kept[1:])


@given(a_text, st.integers(2, 4), st.lists(st.sampled_from("abcde"), max_size=3))
def test_probabilities_after_any_context_add_up_to_one(
    text: list[list[str]], order: int, context: list[str]
) -> None:
    model = train_lm_on(text, order=order, fallback_discounts=FALLBACK)
    words = [word.decode() for word in model.vocabulary.words[3:]]
    after = model.score([[*context, word] for word in [*words, "<unk>"]])
    total = sum(10 ** after.of(i)[-2] for i in range(len(after)))
    total += 10 ** model.score([context]).of(0)[-1]  # the end
    assert total == pytest.approx(1, abs=1e-5)


def test_discounts_are_refused_where_one_of_the_four_counts_never_occurs() -> None:
    assert discounts_of(np.repeat([1, 2, 3], [50, 20, 10])) is None
    assert discounts_of(np.array([], np.int32)) is None


def test_discounts_out_of_range_are_refused() -> None:
    # D(2) = 2 - 3 * (1/21) * 90/10 > 0, but D(1) = 1 - 2 * (1/21) * 10/1 is tiny, D(3) below 0
    assert discounts_of(np.repeat([1, 2, 3, 4], [1, 1, 1, 90])) is None


def test_a_text_too_small_for_discounts_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"too small.*fallback_discounts=\(0\.5, 1, 1\.5\)"):
        train_lm_on(CATS)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"order": 1}, "order 1 cannot be used"),
        ({"order": 10}, "order 10 cannot be used"),
        ({"fallback_discounts": (0.5, 1)}, "three numbers"),
        ({"fallback_discounts": (0, 1, 1)}, "above 0"),
        ({"fallback_discounts": (1.5, 1, 1)}, "at most 1"),
        ({"prune": (0, 1)}, "each of the 4 orders"),
        ({"prune": (1, 1, 1, 1)}, "0 for the first"),
        ({"prune": (0, 2, 1, 1)}, "none smaller"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_the_text_is_read(
    options: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        train_lm(Input("no-such-file.txt"), **options)  # type: ignore[arg-type]  # a wrong option


@pytest.mark.parametrize("mark", ["<s>", "</s>", "<unk>"])
def test_a_mark_in_the_text_is_an_error_that_names_its_line(mark: str) -> None:
    text = Input.from_text(f"a cat\na {mark} sat\n", "text.txt")
    with pytest.raises(FormatError, match=rf"text\.txt:2: '{mark}' is a mark"):
        train_lm(text)


def test_text_that_is_not_utf8_is_an_error_that_names_its_line() -> None:
    source = Input.from_text("", "text.txt")
    source._data = b"a cat\nna\xefve\n"
    with pytest.raises(FormatError, match=r"text\.txt:2: .*not UTF-8"):
        train_lm(source)


@pytest.mark.parametrize("token", ["a b", "a\nb", "", " ", "a\0", "\ud800"])
def test_a_token_that_no_file_can_hold_is_an_error(token: str) -> None:
    with pytest.raises(InputError, match=r"is not one word|is not UTF-8"):
        train_lm_on([["a", token]], fallback_discounts=FALLBACK)


def test_no_sentence_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="no sentence"):
        train_lm_on([])


def test_a_no_break_space_is_part_of_a_word_and_nul_is_not() -> None:
    text = encode_files(Input.from_text("a\u00a0b c\0d\te\n"))
    assert text.vocabulary.words[3:] == [b"a\xc2\xa0b", b"c", b"d", b"e"]


def test_blank_lines_are_sentences() -> None:
    text = encode_files(Input.from_text("a\n\nb\n"))
    assert text.sentences == 3
    assert text.words == 2


def test_several_files_are_one_text() -> None:
    one = train_lm(Input.from_text("a cat\na dog\n"), order=2, fallback_discounts=FALLBACK)
    parts = [Input.from_text("a cat\n"), Input.from_text("a dog\n")]
    two = train_lm(parts, order=2, fallback_discounts=FALLBACK)
    assert one.vocabulary.words == two.vocabulary.words
    for ours, theirs in zip(one.orders, two.orders, strict=True):
        np.testing.assert_array_equal(ours.log10, theirs.log10)
    assert len(two.about.sha256) == 2


def test_sentences_in_memory_have_the_digest_of_their_file() -> None:
    text = Input.from_text("a cat\na dog\n")
    assert encode_sentences([["a", "cat"], "a dog"]).sha256 == (text.sha256,)


def test_progress_hears_of_every_order() -> None:
    heard: list[tuple[object, ...]] = []
    train_lm_on(CATS, fallback_discounts=FALLBACK, progress=lambda *told: heard.append(told))
    assert heard == [(1, "orders")] * 4


@given(st.lists(a_sentence, max_size=6))
def test_marks_stand_around_every_sentence(text: list[list[str]]) -> None:
    words = np.array([ord(word) for sentence in text for word in sentence], np.int32)
    expected = [number for words_ in text for number in (1, *map(ord, words_), 2)]
    lengths = np.array([len(sentence) for sentence in text], np.int64)
    assert between_marks(words, lengths).tolist() == expected
