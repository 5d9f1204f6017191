"""`ceiling` equals brute force over `score`, and says what it cannot know."""

from __future__ import annotations

import warnings
from itertools import combinations
from math import comb, isnan, nan
from statistics import fmean
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from made_panels import outputs, panels, restricted

import jurybox as jb
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.measures import precision_recall_f
from jurybox.model import Annotation, Counts, Edit, Panel, Sentence, apply_edits


def brute_force(
    hypothesis: list[str | None], panel: Panel, names: tuple[str, ...], **options: Any
) -> float:
    """The score of one hypothesis against some annotators, by `score` on a panel of them alone.

    Sentences the hypothesis or all of these annotators have not looked at are left out.
    """
    places = [
        place
        for place, sentence in enumerate(panel)
        if hypothesis[place] is not None
        and any(annotation.annotator in names for annotation in sentence.annotations)
    ]
    if not places:
        return nan
    gold = restricted(Panel(tuple(panel.sentences[p] for p in places), panel.annotators), names)
    lines = [str(hypothesis[p]) for p in places]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        return jb.score(lines, gold, **options).score


def texts_of(panel: Panel, name: str) -> list[str | None]:
    texts: list[str | None] = []
    for sentence in panel:
        given_by = {annotation.annotator: annotation.edits for annotation in sentence.annotations}
        looked = name in given_by
        texts.append(" ".join(apply_edits(sentence.tokens, given_by[name])) if looked else None)
    return texts


def mean_of_known(values: list[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return fmean(known) if known else nan


def assert_brute_force_agrees(panel: Panel, lines: list[str], **options: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        result = jb.ceiling(panel, {"mine": lines}, sizes="all", jobs=1, **options)
    names = panel.annotators

    def as_person(one: str, subset: tuple[str, ...]) -> float:
        """The system on the sentences one person looked at: as many references as they have."""
        looked = [text is not None for text in texts_of(panel, one)]
        own = [line if seen else None for line, seen in zip(lines, looked, strict=True)]
        return brute_force(own, panel, subset, **options)

    for size in result.sizes:
        human, system = [], []
        for subset in combinations(names, size.annotators):
            others = [name for name in names if name not in subset]
            human.append(
                mean_of_known(
                    [brute_force(texts_of(panel, one), panel, subset, **options) for one in others]
                )
            )
            system.append(mean_of_known([as_person(one, subset) for one in others]))
        assert size.subsets == comb(len(names), size.annotators)
        assert size.human.mean == pytest.approx(mean_of_known(human), nan_ok=True)
        assert size.systems["mine"].score.mean == pytest.approx(mean_of_known(system), nan_ok=True)


@pytest.mark.parametrize("choice", ["running", "sentence"])
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_all_sizes_equal_brute_force_over_score(choice: str, data: st.DataObject) -> None:
    panel = data.draw(panels(4))
    assert_brute_force_agrees(panel, data.draw(outputs(panel)), choice=choice)


@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_gleu_of_all_sizes_equals_brute_force_over_score(data: st.DataObject) -> None:
    panel = data.draw(panels(3))
    assert_brute_force_agrees(panel, data.draw(outputs(panel)), metric="gleu")


@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_errant_with_gaps_equals_brute_force_over_the_edits(data: st.DataObject) -> None:
    panel = data.draw(panels(3, gaps=True))
    assume(any(sentence.annotations for sentence in panel))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        result = jb.ceiling(panel, sizes="all", metric="errant")
    counted = {
        (a, b): pair
        for a in panel.annotators
        for b in panel.annotators
        if a != b and (pair := errant_counts(panel, a, b)) is not None
    }
    values = []
    for subset in panel.annotators:
        scores = [counted[a, subset] for a in panel.annotators if (a, subset) in counted]
        values.append(fmean(scores) if scores else nan)
    assert result.sizes[0].human.mean == pytest.approx(mean_of_known(values), nan_ok=True)


def errant_counts(panel: Panel, person: str, reference: str) -> float | None:
    """One person's edits against another's, on the sentences both looked at, by hand."""
    tp = fp = fn = sentences = 0
    for sentence in panel:
        edits = {a.annotator: {e[:3] for e in a.edits} for a in sentence.annotations}
        if person in edits and reference in edits:
            ours, theirs = edits[person], edits[reference]
            tp += len(ours & theirs)
            fp += len(ours - theirs)
            fn += len(theirs - ours)
            sentences += 1
    return precision_recall_f(Counts(tp, fp, fn))[2] if sentences else None


@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_with_gaps_each_subset_counts_the_sentences_it_looked_at(data: st.DataObject) -> None:
    panel = data.draw(panels(3, gaps=True))
    assume(any(sentence.annotations for sentence in panel))
    assert_brute_force_agrees(panel, data.draw(outputs(panel)))


def one_word(*words: str) -> Panel:
    """One sentence, corrected by each annotator with a word of their own."""
    annotations = tuple(
        Annotation(f"A{number}", (Edit(1, 2, word, "SVA"),)) for number, word in enumerate(words, 1)
    )
    names = tuple(annotation.annotator for annotation in annotations)
    return Panel((Sentence(("She", "go", "."), annotations),), names)


def test_errant_takes_peoples_edits_as_they_stand() -> None:
    panel = one_word("goes", "goes", "went")
    result = jb.ceiling(panel, metric="errant", sizes="all")
    # against one: three ordered pairs of six agree in nothing but two; against two: A1 and A2 hit
    assert result.sizes[0].human.mean == pytest.approx(2 / 6)
    assert result.sizes[1].human.mean == pytest.approx(2 / 3)
    assert "people:edits" in result.signature


def test_two_annotators_are_enough() -> None:
    result = jb.ceiling(one_word("goes", "went"), {"mine": ["She went ."]})
    assert (result.human, result.score("mine")) == (0.0, 0.5)
    assert isnan(result.ratio("mine"))  # nothing to divide by


def test_one_annotator_is_an_error_that_explains_why() -> None:
    with pytest.raises(InputError, match=r"one annotator \(A1\).*at least two are needed"):
        jb.ceiling(one_word("goes"))


def test_many_annotators_are_sampled_with_an_error_bar() -> None:
    words = ["goes"] * 25 + ["went"] * 15 + ["has gone"] * 10
    result = jb.ceiling(
        one_word(*words), {"mine": ["She goes ."]}, sizes="1,2,25,49", max_subsets=60
    )
    assert [size.subsets for size in result.sizes] == [50, 60, 60, 50]
    assert [size.combinations for size in result.sizes] == [50, 1225, comb(50, 25), 50]
    one, two, half, most = (size.human for size in result.sizes)
    assert one.standard_error == most.standard_error == 0
    # two people share a word with probability (25·24 + 15·14 + 10·9) / (50·49)
    assert one.mean == pytest.approx(900 / 2450)
    assert two.standard_error > 0
    assert most.mean == 1.0
    assert half.mean > two.mean > one.mean
    assert "subsets:60-random|seed:1" in result.signature


def test_the_same_seed_draws_the_same_subsets() -> None:
    panel = one_word(*(f"word{number % 7}" for number in range(20)))

    def human(seed: int) -> float:
        return jb.ceiling(panel, sizes="5", max_subsets=30, seed=seed).human

    assert human(1) == human(1)
    assert human(1) != human(2)


def test_types_are_held_against_people_one_at_a_time() -> None:
    def edits(noun: str, preposition: str | None) -> tuple[Edit, ...]:
        found = (Edit(1, 2, noun, "Nn"),)
        return found if preposition is None else (*found, Edit(2, 3, preposition, "Prep"))

    people = {"A1": edits("dog", "in"), "A2": edits("dog", "at"), "A3": edits("dog", None)}
    annotations = tuple(Annotation(name, made) for name, made in people.items())
    panel = Panel((Sentence(("a", "dogs", "on", "it"), annotations),), tuple(people))
    result = jb.ceiling(panel, sizes="all", by="type")
    kinds = {kind.type: kind for kind in result.types}
    assert {kind: curve.edits for kind, curve in kinds.items()} == {"Nn": 3, "Prep": 2}
    assert [at.human.mean for at in kinds["Nn"].sizes] == [1.0, 1.0]
    # A3 never uses a preposition: against A1 or A2 recall is 0; nobody hits anybody
    assert [at.human.mean for at in kinds["Prep"].sizes] == [0.0, 0.0]


def test_types_score_as_if_nothing_else_had_been_annotated() -> None:
    annotations = (Annotation("A1", (Edit(0, 1, "b", "Cit"),)), Annotation("A2"), Annotation("A3"))
    panel = Panel((Sentence(("a",), annotations),), ("A1", "A2", "A3"))
    (curve,) = jb.ceiling(panel, sizes="1", by="type").types
    (at,) = curve.sizes
    # A2 against A3 and the other way round have no edit at all: 1 by convention, and told
    assert at.human.mean == pytest.approx(2 / 6)
    assert at.empty == pytest.approx(2 / 6)


def test_a_system_may_not_be_called_human() -> None:
    with pytest.raises(UsageError, match="cannot be called 'human'"):
        jb.ceiling(one_word("goes", "went"), {"human": ["She goes ."]})


def test_people_who_share_no_sentence_have_no_score_and_no_interval() -> None:
    goes = Annotation("A1", (Edit(1, 2, "goes"),))
    went = Annotation("A2", (Edit(1, 2, "went"),))
    tokens = ("She", "go", ".")
    panel = Panel((Sentence(tokens, (goes,)), Sentence(tokens, (went,))), ("A1", "A2"))
    with pytest.warns(JuryboxWarning, match="not every annotator is in every sentence"):
        result = jb.ceiling(panel, {"mine": ["She goes .", "She goes ."]}, ci=True, resamples=20)
    (size,) = result.sizes
    assert isnan(size.human.mean)
    assert size.interval is not None
    assert isnan(size.interval.low)
    assert size.interval.reason
    assert "no person looked at a sentence" in result.to_dict()["sizes"][0]["reason"]
    assert "100.0%" not in str(result)


def test_a_ratio_that_many_resamples_cannot_give_has_no_interval_but_a_reason() -> None:
    words = [("goes", "goes"), ("goes", "went"), ("has", "went")]
    sentences = [one_word(*pair).sentences[0] for pair in words]
    result = jb.ceiling(
        Panel(tuple(sentences), ("A1", "A2")),
        {"mine": ["She goes ."] * 3},
        ci=True,
        resamples=200,
    )
    ratio = result.sizes[0].systems["mine"].ratio_interval
    assert ratio is not None
    assert isnan(ratio.high)
    assert "of 200 resamples" in ratio.reason


def test_a_panel_without_edits_is_pointed_out() -> None:
    panel = Panel((Sentence(("a",), (Annotation("A1"), Annotation("A2"))),), ("A1", "A2"))
    with pytest.warns(JuryboxWarning, match="nobody made an edit"):
        assert jb.ceiling(panel).human == 1.0


def test_selections_and_coverage_may_be_lists() -> None:
    panel = Panel(
        tuple(sentence for _ in range(4) for sentence in one_word("goes", "went")),
        ("A1", "A2"),
    )
    documents = ["x", "x", "y", "z"]
    assert jb.ceiling(panel, documents=documents, select=["x", 3]).sentences == 3
    assert jb.ceiling(panel, documents=documents, select=1).sentences == 2
    assert jb.ceiling(panel, {}, select="y", documents=documents).sentences == 1
    with pytest.raises(InputError, match="not a dict"):
        jb.ceiling({"A1": "a.m2"})  # type: ignore[arg-type]  # meant to be wrong


def test_sizes_that_cannot_be_are_refused_with_those_that_can() -> None:
    panel = one_word("goes", "went", "goes")
    for sizes in ("3", "0", "1-9", "many"):
        with pytest.raises(UsageError, match="sizes go from 1 to 2"):
            jb.ceiling(panel, sizes=sizes)
    assert [size.annotators for size in jb.ceiling(panel, sizes=[2, 1]).sizes] == [1, 2]


def test_a_system_of_another_length_is_refused() -> None:
    with pytest.raises(jb.LengthError, match="2 sentences against 1"):
        jb.ceiling(one_word("goes", "went"), {"mine": ["a", "b"]})


def test_intervals_cover_the_score_and_name_their_unit() -> None:
    panel = Panel(
        tuple(
            Sentence(("She", "go", "."), one_word(*words).sentences[0].annotations, document=str(k))
            for k, words in enumerate([("goes", "goes"), ("goes", "went"), ("went", "went")] * 4)
        ),
        ("A1", "A2"),
    )
    lines = ["She goes ."] * 12
    result = jb.ceiling(panel, {"mine": lines}, ci=True, ci_unit="document", resamples=200)
    (size,) = result.sizes
    assert size.interval is not None
    assert size.interval.low < size.human.mean < size.interval.high
    mine = size.systems["mine"]
    assert mine.ratio_interval is not None
    assert mine.ratio_interval.low < mine.ratio.value < mine.ratio_interval.high
    assert "ci:bootstrap-200-document" in result.signature


def test_extrapolation_needs_sizes_annotators_and_room() -> None:
    panel = one_word("goes", "goes", "went", "goes", "went", "has")
    with pytest.raises(UsageError, match="add --sizes all"):
        jb.ceiling(panel, extrapolate=10)
    with pytest.raises(UsageError, match="at least 3 sizes below 5"):
        jb.ceiling(panel, sizes="1,2,5", extrapolate=10)
    with pytest.raises(UsageError, match="measured up to 5"):
        jb.ceiling(panel, sizes="all", extrapolate=5)
    with pytest.raises(UsageError, match="up to 1000"):
        jb.ceiling(panel, sizes="all", extrapolate=10**9)
    with pytest.raises(UsageError, match="at least 5 annotators, and there are 4"):
        jb.ceiling(one_word("goes", "goes", "went", "has"), sizes="all", extrapolate=6)
    result = jb.ceiling(panel, {"mine": ["She went ."]}, sizes="all", extrapolate=8)
    human, mine = result.curves
    assert human.scores.sizes == (6, 7, 8)
    assert human.ratios is None
    assert mine.ratios is not None
    low, score, high = (v[-1] for v in (mine.scores.low, mine.scores.scores, mine.scores.high))
    assert low <= score <= high
    assert "Extrapolated, not measured" in str(result)
