"""MaxMatch: worked examples of the specification, and agreement with its letter everywhere.

`reference_maxmatch` is the specification (spec/scoring.md, section 1) as a slow program; whatever
the fast implementation does with islands, automata and pruned arcs must not change a single count.
"""

from __future__ import annotations

import csv
import lzma
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurybox.errors import JuryboxWarning
from jurybox.formats import Input, read_panel
from jurybox.metrics import maxmatch as maxmatch_module
from jurybox.metrics.maxmatch import (
    FoundEdit,
    SentenceCount,
    as_gold,
    count_by_type,
    count_matches,
    count_sentence,
    find_edits,
    lattice,
)
from jurybox.metrics.maxmatch.bestpath import Gold
from jurybox.model import Annotation, Edit, Panel, Sentence, apply_edits
from jurybox.score import score
from reference_maxmatch import equals, extract, maxmatch

EVERYTHING_IS_LARGE = 0
SOME_ISLANDS_ARE_LARGE = 12
NOTHING_IS_LARGE = 10**9


@contextmanager
def islands_large_from(vertices: int) -> Iterator[None]:
    """Islands of more vertices are pruned instead of searched; remembered ones are forgotten."""
    forget_islands()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice, "LARGE", vertices)
        yield
    forget_islands()


def forget_islands() -> None:
    lattice.REMEMBERED.forget()


# -- Agreement with the specification


class Problem(NamedTuple):
    """One sentence, a hypothesis, and what one annotator says."""

    source: list[str]
    hypothesis: list[str]
    gold: list[Gold]
    unchanged: int


@st.composite
def problems(draw: st.DrawFn, longest: int = 7, vocabulary: str = "abcd") -> Problem:
    """Few words and repeated phrases, and gold edits that are often among the changes made."""
    word = st.sampled_from(vocabulary)
    length = draw(st.integers(0, longest))
    source = draw(st.lists(word, min_size=length, max_size=length))

    def span(tokens: Sequence[str]) -> tuple[int, int]:
        first, second = (draw(st.integers(0, len(tokens))) for _ in range(2))
        return min(first, second), max(first, second)

    changes: list[Edit] = []
    cuts = sorted(draw(st.lists(st.integers(0, length), min_size=2, max_size=6)))
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        phrase = draw(st.lists(word, min_size=start == end, max_size=3))
        changes.append(Edit(start, end, " ".join(phrase * draw(st.integers(1, 2)))))
    hypothesis = apply_edits(source, changes)
    pool = [Gold(*plain(change)[:2], (change.replacement,)) for change in changes]
    for _ in range(draw(st.integers(1, 3))):
        start, end = span(source)
        if draw(st.booleans()):
            end = start
        pool.append(Gold(start, end, (" ".join(hypothesis[slice(*span(hypothesis))]),)))
    # Drawn from a pool gold edits come in any order, and some of them twice.
    gold = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=6))
    if draw(st.booleans()):
        gold.sort(key=lambda edit: edit[:2])
    if draw(st.booleans()):
        gold[0] = gold[0]._replace(texts=(draw(word), *gold[0].texts))
    return Problem(source, hypothesis, gold, draw(st.sampled_from([2, 2, 0, 1, 3])))


@st.composite
def crowded_insertions(draw: st.DrawFn, longest: int = 6) -> Problem:
    """Much inserted in few places, and many gold insertions there to share among the words."""
    source = draw(st.lists(st.sampled_from("ab"), max_size=2))
    hypothesis = draw(st.lists(st.sampled_from("apq"), min_size=2, max_size=longest))
    gold: list[Gold] = []
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(source)))
        start = draw(st.integers(0, len(hypothesis) - 1))
        text = " ".join(hypothesis[start : start + draw(st.sampled_from([1, 1, 2]))])
        gold.append(Gold(place, place, (text,)))
    return Problem(source, hypothesis, gold, draw(st.integers(0, 2)))


def plain(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.replacement


def check_counts(problem: Problem, *, limits: Sequence[int]) -> None:
    source, hypothesis, gold, unchanged = problem
    expected = maxmatch(source, hypothesis, gold, max_unchanged_words=unchanged)
    for limit in limits:
        with islands_large_from(limit):
            counts = count_matches(source, hypothesis, gold, unchanged=unchanged)
        assert counts == expected, f"islands large from {limit} vertices"


def check_edits(problem: Problem, *, limits: Sequence[int]) -> None:
    source, hypothesis, gold, unchanged = problem
    expected = extract(source, hypothesis, gold, max_unchanged_words=unchanged)
    for limit in limits:
        with islands_large_from(limit):
            found = find_edits(source, hypothesis, gold, unchanged=unchanged)
        assert [edit[:3] for edit in found] == expected, f"islands large from {limit} vertices"
        check_found(problem, found)


def check_found(problem: Problem, found: Sequence[FoundEdit]) -> None:
    """Edits make the hypothesis, say truly which gold they equal, and are as many as counted."""
    source, hypothesis, gold, unchanged = problem
    assert applied(source, found) == hypothesis
    assert all(equals(edit[:3], gold[number]) for edit in found for number in edit.correct)
    correct, proposed, _ = maxmatch(source, hypothesis, gold, max_unchanged_words=unchanged)
    assert (sum(len(edit.correct) for edit in found), len(found)) == (correct, proposed)


def applied(source: Sequence[str], found: Sequence[FoundEdit]) -> list[str]:
    return apply_edits(source, [Edit(edit.start, edit.end, edit.replacement) for edit in found])


LIMITS = (lattice.LARGE, SOME_ISLANDS_ARE_LARGE, EVERYTHING_IS_LARGE)


@given(problem=problems())
def test_counts_are_those_of_the_specification(problem: Problem) -> None:
    check_counts(problem, limits=LIMITS)


@given(problem=crowded_insertions())
def test_crowded_insertions_are_counted_as_the_specification_says(problem: Problem) -> None:
    check_counts(problem, limits=LIMITS)


@given(problem=problems())
def test_edits_are_those_of_the_specification(problem: Problem) -> None:
    check_edits(problem, limits=LIMITS)


@given(problem=problems())
def test_edits_of_huge_lattices_count_the_same_although_any_best_path_will_do(
    problem: Problem,
) -> None:
    source, hypothesis, gold, unchanged = problem
    with islands_large_from(EVERYTHING_IS_LARGE), pytest.MonkeyPatch.context() as patch:
        patch.setattr(maxmatch_module, "HUGE", 0)
        found = find_edits(source, hypothesis, gold, unchanged=unchanged)
    check_found(problem, found)


@pytest.mark.slow
@settings(max_examples=5_000)
@given(problem=problems())
def test_counts_are_those_of_the_specification_in_many_sentences(problem: Problem) -> None:
    check_counts(problem, limits=LIMITS)


@pytest.mark.slow
@settings(max_examples=5_000)
@given(problem=crowded_insertions(longest=9))
def test_more_crowded_insertions_are_counted_as_the_specification_says(problem: Problem) -> None:
    check_counts(problem, limits=LIMITS)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(problem=problems(longest=14, vocabulary="abcdefgh"))
def test_counts_are_those_of_the_specification_in_long_sentences(problem: Problem) -> None:
    check_counts(problem, limits=LIMITS)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(problem=problems(longest=14, vocabulary="abcdefgh"))
def test_edits_are_those_of_the_specification_in_long_sentences(problem: Problem) -> None:
    check_edits(problem, limits=LIMITS)


def official_rows(data_dir: Path, name: str, step: int) -> Iterator[tuple[int, str, list[int]]]:
    """Sentence, annotator and official counts, of every `step`-th sentence."""
    with lzma.open(data_dir / "oracle" / "m2-counts.csv.xz", "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            sentence = int(row["sentence"])
            if row["hypothesis"] == name and sentence % step == 0:
                counts = [int(row[column]) for column in ("correct", "proposed", "gold")]
                yield sentence, row["annotator"], counts


@pytest.mark.parametrize("step", [120, pytest.param(4, marks=pytest.mark.slow)])
def test_the_specification_as_a_program_gives_the_official_counts(
    data_dir: Path, step: int
) -> None:
    panel = read_panel([data_dir / "conll14-10" / f"A{k}.m2" for k in range(1, 11)])
    checked = 0
    for number, annotator, counts in official_rows(data_dir, "A2", step):
        sentence = panel.sentences[number]
        edits = {one.annotator: one.edits for one in sentence.annotations}
        hypothesis = apply_edits(sentence.tokens, edits["A2"])
        gold = as_gold(edits[annotator])
        assert list(maxmatch(sentence.tokens, hypothesis, gold)) == counts, (number, annotator)
        checked += 1
    assert checked == len(range(0, len(panel), step)) * 10


# -- Examples


def counted(source: str, hypothesis: str, *gold: Gold, unchanged: int = 2) -> tuple[int, int, int]:
    """Correct, proposed, gold; it must not matter how the specification is followed."""
    problem = Problem(source.split(), hypothesis.split(), list(gold), unchanged)
    check_counts(problem, limits=LIMITS)
    return count_matches(*problem[:3], unchanged=unchanged)


README_EXAMPLE = """\
S The cat sat at mat .
A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the||a|||REQUIRED|||-NONE-|||0

S The dog .
A 1 2|||NN|||dogs|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||-NONE-|||-NONE-|||1

S Giant otters is an apex predator .
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||0
A 3 4|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0
A 5 6|||NN|||predators|||REQUIRED|||-NONE-|||0
A 1 2|||NN|||otter|||REQUIRED|||-NONE-|||1
"""


def panel_of(text: str) -> Panel:
    return read_panel(Input.from_text(text))


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("A cat sat on the mat .", (0.8, 0.8, 0.8)),
        ("A cat sat on mat .", (0.75, 0.6, 0.7143)),
    ],
)
def test_the_example_of_the_official_readme(
    first: str, expected: tuple[float, float, float]
) -> None:
    hypotheses = [first, "The dog .", "Giant otters are apex predator ."]
    (system,) = score(hypotheses, panel_of(README_EXAMPLE)).systems
    assert system.precision is not None
    assert system.recall is not None
    assert system.f is not None
    assert (round(system.precision, 4), round(system.recall, 4), round(system.f, 4)) == expected


def test_any_alternative_is_correct_and_counts_once() -> None:
    gold = Gold(1, 1, ("the", "a"))
    assert counted("sat mat .", "sat the mat .", gold) == (1, 1, 1)
    assert counted("sat mat .", "sat a mat .", gold) == (1, 1, 1)
    assert counted("sat mat .", "sat my mat .", gold) == (0, 1, 1)


@pytest.mark.parametrize("gold", [Gold(0, 0, ("The", "")), Gold(0, 1, ("The", ""))])
def test_an_untouched_source_misses_an_edit_that_might_be_left_out(gold: Gold) -> None:
    assert counted("dogs bark", "dogs bark", gold) == (0, 0, 1)


def test_an_insertion_of_nothing_is_wanted_and_never_found() -> None:
    nothing = Gold(0, 0, ("",))
    assert counted("a b", "a b", nothing) == (0, 0, 1)
    assert counted("a b", "x a b", nothing, Gold(0, 0, ("x",))) == (1, 1, 2)


def test_a_gold_edit_that_stands_twice_counts_twice() -> None:
    twice = [Gold(0, 1, ("x",))] * 2
    assert counted("a b", "x b", *twice) == (2, 1, 2)
    assert counted("a b", "y a b", *[Gold(0, 0, ("y",))] * 2) == (2, 1, 2)


def test_a_precision_above_one_is_given_with_a_warning() -> None:
    line = "A 0 1|||Nn|||x|||REQUIRED|||-NONE-|||0\n"
    with pytest.warns(JuryboxWarning, match="precision is above 1"):
        result = score(["x b"], panel_of(f"S a b\n{line}{line}"))
    assert result.systems[0].precision == 2.0


def test_gold_edits_are_scanned_in_file_order_and_only_forwards() -> None:
    first, last = Gold(0, 1, ("x",)), Gold(6, 7, ("y",))
    sides = "a m n o p q b", "x m n o p q y"
    assert counted(*sides, first, last) == (2, 2, 2)
    assert counted(*sides, last, first) == (1, 2, 2)


def test_insertions_that_match_are_scanned_in_the_order_of_the_hypothesis() -> None:
    # x p | q | p: the first p is no edit of its own, so q comes before p, as in the gold file
    gold = [Gold(0, 0, ("q",)), Gold(0, 0, ("p",))]
    assert counted("a", "x p q p a", *gold) == (2, 3, 2)


def test_a_match_beats_a_path_of_fewer_steps() -> None:
    # a b -> a x matches, although keeping a would be an edit of one step
    assert counted("a b c", "a x c", Gold(0, 2, ("a x",))) == (1, 1, 1)


def test_two_matches_beat_one_that_spans_both() -> None:
    both = Gold(0, 2, ("x y",))
    parts = [Gold(0, 1, ("x",)), Gold(1, 2, ("y",))]
    assert counted("a b", "x y", both) == (1, 1, 1)
    assert counted("a b", "x y", both, *parts) == (2, 2, 3)


def test_an_edit_keeps_at_most_the_unchanged_words() -> None:
    gold = Gold(0, 4, ("x m n y",))
    assert counted("a m n b", "x m n y", gold) == (1, 1, 1)
    assert counted("a m n b", "x m n y", gold, unchanged=1) == (0, 2, 1)
    assert counted("a m n b", "x m n y", gold, unchanged=0) == (0, 2, 1)


def test_at_equal_cost_more_and_smaller_edits_stay() -> None:
    # a b -> c d b a, found twice, costs 4.002; so do a -> c d and b -> b a
    assert counted("a b", "c d b a") == (0, 2, 0)


@pytest.mark.parametrize(("before", "edits"), [(0, 2), (14, 2), (15, 1), (29, 1), (30, 2)])
def test_at_equal_cost_the_last_bits_of_sums_from_the_first_word_on_decide(
    before: int, edits: int
) -> None:
    # the same tie, later in the sentence: sixteen and thirty-two are where floats get coarser
    words = " ".join(f"w{number}" for number in range(before))
    assert counted(f"{words} a b", f"{words} c d b a") == (0, edits, 0)


def test_a_match_that_was_found_twice_pays_for_its_other_copy() -> None:
    # Matching q: b a -> p b p (3.001), and 0.001 for q. Matching p q: b -> p b (2.001), and the
    # deletion of a (1.001). They tie, so the three edits stay.
    gold = [Gold(1, 1, ("p q",)), Gold(2, 2, ("q",))]
    assert counted("b a", "p b p q", *gold) == (1, 3, 2)


def test_case_matters() -> None:
    assert counted("the cat", "The cat", Gold(0, 1, ("The",))) == (1, 1, 1)
    assert counted("the cat", "The cat", Gold(0, 1, ("THE",))) == (0, 1, 1)


@pytest.mark.parametrize(
    ("source", "hypothesis", "expected"),
    [
        ("", "", (0, 0, 0)),
        ("", "a b", (0, 1, 0)),
        ("a b", "", (0, 1, 0)),
        ("a b", "a b", (0, 0, 0)),
    ],
)
def test_blank_and_unchanged_sentences(
    source: str, hypothesis: str, expected: tuple[int, int, int]
) -> None:
    assert counted(source, hypothesis) == expected


def test_edits_say_which_gold_edits_they_count_for() -> None:
    gold = [Gold(0, 1, ("x",)), Gold(5, 6, ("z",)), Gold(5, 6, ("y",)), Gold(5, 6, ("y", "w"))]
    source, hypothesis = "a m n o p b", "x m n o p y"
    assert find_edits(source.split(), hypothesis.split(), gold) == [
        FoundEdit(0, 1, "x", (0,)),
        FoundEdit(5, 6, "y", (2, 3)),
    ]


# -- One sentence against its annotators


def sentence_of(source: str, *annotations: Sequence[Edit]) -> Sentence:
    return Sentence(
        tuple(source.split()),
        tuple(Annotation(str(n), tuple(edits)) for n, edits in enumerate(annotations)),
    )


def triples(counts: Sequence[SentenceCount]) -> list[tuple[int, int, int]]:
    return [(count.tp, count.fp, count.fn) for count in counts]


def test_every_candidate_is_counted_and_one_without_edits_is_a_candidate() -> None:
    sentence = sentence_of("The dog .", [Edit(1, 2, "dogs")], [])
    assert triples(count_sentence(sentence, ("The", "dogs", "."))) == [(1, 0, 0), (0, 1, 0)]
    assert triples(count_sentence(sentence, ("The", "dog", "."))) == [(0, 0, 1), (0, 0, 0)]


def test_a_noop_is_chosen_where_a_system_changes_nothing() -> None:
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n"
    edit = "A 1 2|||Nn|||dogs|||REQUIRED|||-NONE-|||0\n"
    (system,) = score(["The dog ."], panel_of(f"S The dog .\n{edit}{noop}")).systems
    assert system.counts is not None
    assert (system.counts.tp, system.counts.fp, system.counts.fn) == (0, 0, 0)


def ignoring(source: str, hypothesis: str, *gold: Edit) -> tuple[int, int, int]:
    (count,) = triples(
        count_sentence(
            sentence_of(source, gold), tuple(hypothesis.split()), ignore_case_whitespace=True
        )
    )
    return count


def test_edits_of_case_and_white_space_are_dropped_from_the_hypothesis_but_not_from_gold() -> None:
    case, word = Edit(0, 1, "The"), Edit(4, 5, "sits")
    assert ignoring("the cat m n sat", "The cat m n sits", case, word) == (1, 0, 1)
    assert ignoring("the cat m n sat", "The cat m n sat") == (0, 0, 0)
    assert ignoring("an other cat", "another cat") == (0, 0, 0)
    assert ignoring("another cat", "An other cat", Edit(0, 1, "An other")) == (0, 0, 1)
    assert ignoring("an other cat", "another cats") == (0, 1, 0)


def test_a_dropped_edit_uses_up_no_gold() -> None:
    # in file order the gold of the dropped edit comes last, so nothing would be left after it
    word, case = Edit(4, 5, "sits"), Edit(0, 1, "The")
    assert ignoring("the m n o sat", "The m n o sits", word, case) == (1, 0, 1)


def typed(gold: Sequence[Gold]) -> tuple[Edit, ...]:
    """Gold as an annotator's edits, with three types in turn."""
    return tuple(
        Edit(start, end, "||".join(text or "-NONE-" for text in texts), type="ABC"[number % 3])
        for number, (start, end, texts) in enumerate(gold)
    )


@given(problem=problems(vocabulary="aAbB"), ignore_case_whitespace=st.booleans())
def test_rows_by_type_add_up_to_the_counts_of_the_sentence(
    problem: Problem, ignore_case_whitespace: bool
) -> None:
    source, hypothesis, gold, unchanged = problem
    edits = typed(gold)
    sentence = sentence_of(" ".join(source), edits)
    (count,) = count_sentence(
        sentence,
        tuple(hypothesis),
        unchanged=unchanged,
        ignore_case_whitespace=ignore_case_whitespace,
        keep_edits=True,
    )
    rows = count_by_type(edits, count.edits)
    assert tuple(map(sum, zip(*rows.values(), strict=True))) == (count.tp, count.fp, count.fn)


@given(problem=problems())
def test_keeping_the_edits_does_not_change_the_counts(problem: Problem) -> None:
    source, hypothesis, gold, unchanged = problem
    sentence = sentence_of(" ".join(source), typed(gold))
    kept, bare = (
        count_sentence(sentence, tuple(hypothesis), unchanged=unchanged, keep_edits=keep)
        for keep in (True, False)
    )
    assert triples(kept) == triples(bare)


def test_types_come_from_gold_and_a_wrong_edit_goes_to_the_gold_edit_it_touches() -> None:
    gold = [Edit(0, 1, "x", "Prep"), Edit(3, 4, "y", "Nn"), Edit(9, 9, "z", "ArtOrDet")]
    found = [
        FoundEdit(0, 1, "x", (0,)),
        FoundEdit(4, 5, "w"),  # begins where the Nn ends
        FoundEdit(6, 7, "v"),  # near nothing
    ]
    assert count_by_type(gold, found) == {
        "Prep": (1, 0, 0),
        "Nn": (0, 1, 1),
        "": (0, 1, 0),
        "ArtOrDet": (0, 0, 1),
    }


def test_an_edit_that_equals_two_gold_edits_is_proposed_once_in_the_rows_by_type() -> None:
    gold = [Edit(0, 1, "x", "Prep"), Edit(0, 1, "x", "Nn")]
    assert count_by_type(gold, [FoundEdit(0, 1, "x", (0, 1))]) == {
        "Prep": (1, -1, 0),
        "Nn": (1, 0, 0),
    }


# -- Sentences on which the official scorer hangs. None of these tests looks at the clock: that
# they end is the point, and that it does not matter how the islands were searched.

SOURCE = ["the", "cat", "sat", "on", "the", "mat", "and", "it", "was", "good", "."]
PHRASE = ["on", "the", "mat", "and", "it", "was", "good", "of", "the", "cat"]


def repeating(times: int) -> list[str]:
    return [*SOURCE[:3], *PHRASE * times, *SOURCE[-1:]]


def check_agreement(
    source: Sequence[str], hypothesis: Sequence[str], gold: Sequence[Gold], *limits: int
) -> tuple[int, int, int]:
    """The counts, which must not depend on what is large; the edits must have them too."""
    answers = set()
    for limit in limits:
        with islands_large_from(limit):
            answers.add(count_matches(source, hypothesis, gold))
            found = find_edits(source, hypothesis, gold)
        assert applied(source, found) == list(hypothesis)
        answers.add((sum(len(edit.correct) for edit in found), len(found), len(gold)))
    (answer,) = answers
    return answer


REPEATED_GOLD = [Gold(3, 3, ("on the mat",)), Gold(4, 5, ("",))]


@pytest.mark.parametrize("times", [2, 6])
def test_a_phrase_repeated_is_scored_as_by_searching_every_arc(times: int) -> None:
    limits = lattice.LARGE, EVERYTHING_IS_LARGE, NOTHING_IS_LARGE
    assert check_agreement(SOURCE, repeating(times), REPEATED_GOLD, *limits)[2] == 2


def test_a_phrase_repeated_forty_times_is_scored() -> None:
    hypothesis = repeating(40)
    assert len(hypothesis) > 400
    limits = lattice.LARGE, EVERYTHING_IS_LARGE
    assert check_agreement(SOURCE, hypothesis, REPEATED_GOLD, *limits) == (1, 3, 2)


def rewritten(tokens: int) -> tuple[list[str], list[str], list[Gold]]:
    """Nothing in common; two gold edits, one at the beginning and one in the middle."""
    source, hypothesis = ([f"{side}{n}" for n in range(tokens)] for side in "sh")
    middle = tokens // 2
    gold = [
        Gold(0, 1, ("h0",)),
        Gold(middle, middle + 1, (" ".join(hypothesis[middle : middle + 2]),)),
    ]
    return source, hypothesis, gold


# Both matches are edits of their own; so is what lies between them, and what comes after.
REWRITTEN = (2, 4, 2)


def test_a_short_sentence_rewritten_is_scored_as_by_searching_every_arc() -> None:
    limits = lattice.LARGE, EVERYTHING_IS_LARGE, NOTHING_IS_LARGE
    assert check_agreement(*rewritten(14), *limits) == REWRITTEN


def test_a_hundred_tokens_rewritten_are_scored() -> None:
    assert check_agreement(*rewritten(100), lattice.LARGE) == REWRITTEN
