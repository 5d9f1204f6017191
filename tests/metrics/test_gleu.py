"""GLEU: the statistics against a slow reading of the papers, the zero rules, draws and lengths."""

from __future__ import annotations

from collections import Counter
from math import exp, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.metrics import gleu
from jurybox.model import CountsTable

words = st.lists(st.sampled_from("abcd"), max_size=9)


def slow_row(source: list[str], hypothesis: list[str], reference: list[str]) -> list[int]:
    """Straight from the specification, with Counters."""
    row = [len(hypothesis), len(reference)]
    for n in (1, 2, 3, 4):
        h, s, r = (
            Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
            for words in (hypothesis, source, reference)
        )
        absent = Counter({ngram: times for ngram, times in s.items() if ngram not in r})
        row += [max((h & r).total() - (h & absent).total(), 0), max(len(hypothesis) + 1 - n, 0)]
    return row


@given(source=words, hypothesis=words, references=st.lists(words, min_size=1, max_size=3))
def test_statistics_equal_a_slow_reading_of_the_specification(
    source: list[str], hypothesis: list[str], references: list[list[str]]
) -> None:
    rows = gleu.count(source, hypothesis, references)
    assert [list(row) for row in rows] == [slow_row(source, hypothesis, r) for r in references]


@given(
    sentences=st.lists(st.tuples(words, words, st.lists(words, max_size=3)), min_size=1, max_size=6)
)
@pytest.mark.parametrize("different", [1, 300])  # tokens are numbered up to 255
def test_many_sentences_at_once_count_like_one_by_one(
    sentences: list[tuple[list[str], list[str], list[list[str]]]], different: int
) -> None:
    long = [str(number % different) for number in range(300)]
    if any(references for _, _, references in sentences):
        sentences.insert(1, (long, [*long, "x"], [long[::-1], [], long]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gleu, "BATCH", 1)
        found = gleu.count_batch(sentences)
    assert found == [gleu.count(*versions) for versions in sentences]


def test_a_source_ngram_is_a_fault_only_if_its_type_is_absent_from_the_reference() -> None:
    # "a" stands twice in the source and once in the reference: present, so no fault
    [row] = gleu.count(["a", "a", "b"], ["a", "a", "b"], [["a", "c"]])
    assert dict(zip(gleu.COLUMNS, row, strict=True))["num1"] == 1 - 1


def test_a_new_wrong_word_costs_no_more_than_its_place() -> None:
    [kept] = gleu.count(["x", "b"], ["x", "b"], [["a", "b"]])
    [new] = gleu.count(["x", "b"], ["y", "b"], [["a", "b"]])
    assert (kept[2], new[2]) == (0, 1)


def test_more_faults_than_matches_are_zero_not_negative() -> None:
    [row] = gleu.count(["x", "y", "z", "b"], ["x", "y", "z", "b"], [["b"]])
    assert min(row) == 0


def test_a_hypothesis_shorter_than_n_has_no_ngrams_and_an_empty_one_none_at_all() -> None:
    assert gleu.count(["a", "b"], ["a", "b"], [["a", "b"]]) == [(2, 2, 2, 2, 1, 1, 0, 0, 0, 0)]
    assert gleu.count(["a"], [], [["a"]]) == [(0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]


# --- scores ---

TEXT = ["the cat sat on the mat .", "it was not my cat ."]


def single(hypotheses: list[str], references: list[str]) -> float:
    return gleu.score_draws(gleu.count_table(TEXT, hypotheses, [references])).score


def test_the_reference_itself_scores_1() -> None:
    other = ["a dog sat on the mat .", "it was not my dog ."]
    assert single(other, other) == 1.0


def test_one_empty_order_makes_the_score_0() -> None:
    assert single(["mat the on sat", "cat"], TEXT) == 0.0


def test_an_all_empty_hypothesis_scores_0() -> None:
    assert single(["", ""], TEXT) == 0.0


def test_an_empty_hypothesis_line_costs_length_but_is_no_error() -> None:
    missing = single([TEXT[0], ""], TEXT)
    assert missing == pytest.approx(exp(1 - 13 / 7))


def test_being_longer_than_the_reference_has_no_penalty_of_its_own() -> None:
    totals = {"hyp_len": 8.0, "ref_len": 4.0, **dict.fromkeys(gleu.COLUMNS[2:], 1.0)}
    assert gleu.score_from_totals(totals) == 1.0


lines = words.map(" ".join)


@given(rows=st.lists(st.tuples(lines, lines, lines, lines), min_size=1, max_size=5))
def test_scores_lie_between_0_and_1(rows: list[tuple[str, str, str, str]]) -> None:
    source, hypothesis, *references = zip(*rows, strict=True)
    table = gleu.count_table(source, hypothesis, references)
    assert 0 <= gleu.score_expected(table) <= 1 + 1e-12
    assert 0 <= gleu.score_draws(table, draws=3).score <= 1 + 1e-12


# --- several references ---

OTHER = ["the cat sat on the mat !", "this was not my cat ."]
SECOND = ["the cat is sitting on the mat .", "it was not my cat ."]


def two_references() -> CountsTable:
    return gleu.count_table(TEXT, OTHER, [TEXT, SECOND], names=["src", "hyp", "A", "B"])


def test_draw_j_takes_one_reference_per_sentence_from_a_twister_seeded_101_j() -> None:
    drawn = list(gleu.draw_rows(two_references(), draws=20))
    for j, rows in enumerate(drawn):
        random = Random(101 * j)
        assert rows.tolist() == [int(random.random() * 2), 2 + int(random.random() * 2)]
    assert len({tuple(rows) for rows in drawn}) == 4


def test_a_sentence_with_fewer_references_draws_among_its_own() -> None:
    table = CountsTable(columns=gleu.COLUMNS, annotators=["A", "B"])
    zeros = (0,) * len(gleu.COLUMNS)
    table.append([(0, zeros)])
    table.append([(0, zeros), (1, zeros)])
    drawn = list(gleu.draw_rows(table, draws=20))
    assert {rows[0] for rows in drawn} == {0}
    assert {rows[1] for rows in drawn} == {1, 2}


def test_the_score_is_mean_and_spread_over_the_draws() -> None:
    table = two_references()
    scores = []
    for rows in gleu.draw_rows(table, draws=7):
        totals = {name: sum(values[row] for row in rows) for name, values in table.values.items()}
        scores.append(gleu.score_from_totals(totals))
    assert len(set(scores)) > 1
    mean = sum(scores) / 7
    sd = sqrt(sum((score - mean) ** 2 for score in scores) / 7)
    drawn = gleu.score_draws(table, draws=7)
    assert drawn.draws == 7
    assert drawn.score == pytest.approx(mean)
    assert drawn.sd == pytest.approx(sd)
    assert drawn.low == pytest.approx(mean - 1.959964 * sd, abs=1e-6)
    assert drawn.high == pytest.approx(mean + 1.959964 * sd, abs=1e-6)


def test_one_reference_is_scored_directly_without_draws() -> None:
    table = gleu.count_table(TEXT, OTHER, [TEXT])
    drawn = gleu.score_draws(table)
    totals = {name: sum(values) for name, values in table.values.items()}
    assert drawn.draws == 1
    assert drawn.score == pytest.approx(gleu.score_from_totals(totals))
    assert drawn.low == drawn.high == drawn.score


def test_expected_statistics_are_means_over_each_sentences_references() -> None:
    totals = gleu.expected_totals(two_references())
    assert totals["ref_len"] == (7 + 8) / 2 + 6
    assert totals["hyp_len"] == 13


def test_equal_references_make_draws_and_expectation_the_same_number() -> None:
    table = gleu.count_table(TEXT, OTHER, [TEXT, TEXT])
    assert gleu.score_expected(table) == pytest.approx(gleu.score_draws(table).score)


def test_references_give_the_table_its_annotators() -> None:
    assert two_references().annotators == ["A", "B"]


# --- bad input ---


def test_the_shorter_file_is_named_with_the_first_line_without_partner() -> None:
    with pytest.raises(LengthError, match="line 2 of src and r0 has no partner in hyp and r1"):
        gleu.count_table(TEXT, TEXT[:1], [TEXT, TEXT[:1]], names=["src", "hyp", "r0", "r1"])


def test_no_reference_is_an_error_that_names_the_option() -> None:
    with pytest.raises(InputError, match="--refs"):
        gleu.count_table(TEXT, TEXT, [])


def test_no_draws_are_refused() -> None:
    with pytest.raises(UsageError, match="draws must be 1 or more, not 0"):
        gleu.score_draws(two_references(), draws=0)
