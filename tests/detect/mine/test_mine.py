"""Mining: which trigrams are asked for, how they are counted, and which are too rare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.detect.mine import counts as mine_counts
from jurybox.detect.mine.counts import (
    ORDERED_PREPOSITIONS,
    NgramCounts,
    Trigrams,
    count_in_files,
    count_in_text,
    find_trigrams,
)
from jurybox.detect.mine.mining import RareTrigram, rank_trigrams
from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.jury.cases.infinitives import choose_tagger

Text = Sequence[Sequence[str]]


def found_in(*sentences: str) -> Trigrams:
    return find_trigrams([one.split() for one in sentences], choose_tagger("words"))


def trigrams_of(found: Trigrams) -> list[str]:
    return [" ".join(found.wanted.trigram(int(row))) for row in found.rows]


# --- which trigrams ---


def test_only_prepositions_between_two_words_are_looked_up() -> None:
    found = found_in(
        "In May they marry with her .",  # "in" begins the sentence
        "The town , in which I live in .",  # beside punctuation
        "I want to go to school with",  # an infinitive; the last has nothing after it
    )
    assert trigrams_of(found) == ["marry with her", "go to school"]
    assert found.sentences.tolist() == [0, 2]
    assert found.places.tolist() == [4, 4]
    assert found.screened == 3


def test_capitals_make_no_other_trigram() -> None:
    found = found_in("Marry WITH her", "marry with Her")
    assert len(found.wanted.trigrams) == 1
    assert trigrams_of(found) == ["marry with her"] * 2


def test_the_bigram_of_a_trigram_is_the_trigram_without_its_preposition() -> None:
    found = found_in("near of the sea", "of of of", "go to on", "near by the sea")
    wanted = found.wanted
    for row, bigram in enumerate(wanted.bigram_rows()):
        before, _, after = wanted.trigram(row)
        assert wanted.bigram(int(bigram)) == (before, after)
    assert len(wanted.bigrams) == 3  # "near the" once


def test_prepositions_beside_each_other_are_words_like_others() -> None:
    assert trigrams_of(found_in("go up with to it")) == ["up with to", "with to it"]


# --- counts ---

WORDS = ("a", "B", "the", "Of", "of", "in", "to", "cat", ",")
sentences_of_few_words = st.lists(st.lists(st.sampled_from(WORDS), max_size=7), max_size=8)


class Naive:
    """Every n-gram counted, one by one."""

    def __init__(self, text: Text) -> None:
        small = [[token.lower() for token in tokens] for tokens in text]
        self.words = Counter(token for tokens in small for token in tokens)
        self.bigrams = Counter(pair for tokens in small for pair in pairwise(tokens))
        self.trigrams = Counter(
            tuple(tokens[i : i + 3]) for tokens in small for i in range(len(tokens) - 2)
        )


def assert_same(counts: NgramCounts, naive: Naive, found: Trigrams) -> None:
    wanted = found.wanted
    triples = [wanted.trigram(row) for row in range(len(wanted.trigrams))]
    pairs = [wanted.bigram(row) for row in range(len(wanted.bigrams))]
    assert counts.trigrams.tolist() == [naive.trigrams[triple] for triple in triples]
    assert counts.bigrams.tolist() == [naive.bigrams[pair] for pair in pairs]
    assert counts.prepositions.tolist() == [naive.words[word] for word in ORDERED_PREPOSITIONS]
    assert counts.words == naive.words.total()


@given(screened=sentences_of_few_words, text=sentences_of_few_words, block=st.integers(1, 30))
def test_counts_of_a_text_are_those_of_counting_one_by_one(
    screened: Text, text: Text, block: int
) -> None:
    found = find_trigrams(screened, choose_tagger("words"))
    if not len(found.rows) or not any(text):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mine_counts, "BLOCK", block)
        counts = count_in_text(text, found.wanted)
    assert counts.least == 1
    assert_same(counts, Naive(text), found)


@given(screened=sentences_of_few_words, text=sentences_of_few_words)
def test_counts_out_of_files_are_those_of_the_text_they_were_made_from(
    screened: Text, text: Text
) -> None:
    found = find_trigrams(screened, choose_tagger("words"))
    naive = Naive(text)
    if not len(found.rows) or not naive.trigrams:
        return
    lines = [f"{word}\t{count}" for word, count in naive.words.items()]
    for counted in (naive.trigrams, naive.bigrams):
        lines += [f"{' '.join(ngram)}\t{count}" for ngram, count in counted.items()]
    counts = count_in_files([Input.from_lines(lines)], found.wanted)
    assert counts.least == min(naive.trigrams.values())
    assert_same(counts, naive, found)


def test_no_ngram_goes_from_one_sentence_to_the_next() -> None:
    found = found_in("marry with her")
    counts = count_in_text([["marry"], ["with", "her"], ["marry"], ["her"]], found.wanted)
    assert (counts.trigrams.tolist(), counts.bigrams.tolist()) == ([0], [0])


def test_a_text_without_a_word_is_refused() -> None:
    with pytest.raises(InputError, match="no word to count in --counts-text"):
        count_in_text([], found_in("marry with her").wanted)


# --- what is too rare ---


def counts_of(
    found: Trigrams,
    bigrams: dict[str, int],
    trigrams: dict[str, int],
    share: float = 0.01,
    least: int = 1,
) -> NgramCounts:
    """Counts by hand: every preposition has the same share of a million words."""
    wanted = found.wanted
    pairs = [" ".join(wanted.bigram(row)) for row in range(len(wanted.bigrams))]
    triples = [" ".join(wanted.trigram(row)) for row in range(len(wanted.trigrams))]
    return NgramCounts(
        prepositions=np.full(len(ORDERED_PREPOSITIONS), int(share * 1e6), np.int64),
        bigrams=np.array([bigrams.get(pair, 0) for pair in pairs], np.int64),
        trigrams=np.array([trigrams.get(triple, 0) for triple in triples], np.int64),
        words=1_000_000,
        least=least,
    )


Ranking = tuple[list[RareTrigram], int]


def ranked(found: Trigrams, counts: NgramCounts, **limits: int) -> Ranking:
    return rank_trigrams(found, counts, **{"min_count": 1, "top": 9, "per_trigram": 9, **limits})


def words_of(ranking: Ranking) -> list[str]:
    return [" ".join(one.words) for one in ranking[0]]


def test_score_and_expectation_are_those_worked_out_by_hand() -> None:
    found = found_in("marry with her")
    counts = counts_of(found, {"marry her": 400}, {"marry with her": 1}, share=0.007)
    [one] = ranked(found, counts)[0]
    assert one.words == ("marry", "with", "her")
    assert (one.seen, one.bigram_seen) == (1, 400)
    assert one.expected == pytest.approx(2.8)  # 400 × 0.007
    assert one.score == pytest.approx(log2(3.3 / 1.5))  # (2.8 + ½) / (1 + ½)


def test_where_rare_ngrams_are_left_out_a_missing_one_says_less() -> None:
    found = found_in("marry with her")
    counts = counts_of(found, {"marry her": 4000}, {}, share=0.01, least=40)
    [one] = ranked(found, counts)[0]
    assert one.score == pytest.approx(log2((40 + 20) / 20))


def test_a_common_preposition_is_missed_more_than_a_rare_one() -> None:
    found = found_in("near of the", "near beyond the")
    counts = counts_of(found, {"near the": 1000}, {})
    counts.prepositions[ORDERED_PREPOSITIONS.index("beyond")] = 100
    assert words_of(ranked(found, counts)) == ["near of the", "near beyond the"]


def test_trigrams_as_frequent_as_expected_are_no_candidates() -> None:
    found = found_in("one of the", "town in the", "near of the")
    bigrams = {"one the": 100, "town the": 100, "near the": 100}
    counts = counts_of(found, bigrams, {"one of the": 50, "town in the": 1})
    ranking = ranked(found, counts)
    assert words_of(ranking) == ["near of the"]  # 1 is expected of each
    assert ranking[1] == 1


def test_a_bigram_that_is_rare_itself_leads_to_no_expectation() -> None:
    found = found_in("near of the", "marry with her")
    counts = counts_of(found, {"near the": 5, "marry her": 4}, {})
    assert words_of(ranked(found, counts, min_count=5)) == ["near of the"]
    with pytest.raises(InputError, match="--min-count 6"):
        ranked(found, counts, min_count=6)


def test_ties_are_in_order_of_words_and_limits_take_the_first() -> None:
    found = found_in("b of b", "a of b", "b in a", "a of b", "a of b")
    counts = counts_of(found, dict.fromkeys(("b b", "a b", "b a"), 100), {})
    assert words_of(ranked(found, counts)) == ["a of b", "b in a", "b of b"]
    ranking = ranked(found, counts, top=2, per_trigram=2)
    assert words_of(ranking) == ["a of b", "b in a"]
    assert ranking[1] == 3
    assert ranking[0][0].occurrences == 3
    assert ranking[0][0].places == ((1, 1), (3, 1))
