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

import jurybox as jb
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.metrics.measures import precision_recall_f
from jurybox.model import Annotation, Counts, Edit, Panel, Sentence, apply_edits
from made_panels import outputs, panels, restricted


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
        assert size.human == pytest.approx(mean_of_known(human), nan_ok=True)
        assert size.systems["mine"].score == pytest.approx(mean_of_known(system), nan_ok=True)


@pytest.mark.parametrize("metric", ["m2", "errant", "gleu"])
@given(data=st.data())
@settings(max_examples=8)
def test_the_source_unchanged_is_scored_like_a_system_that_returns_it(
    metric: str, data: st.DataObject
) -> None:
    panel = data.draw(panels(3, gaps=True))
    assume(any(sentence.annotations for sentence in panel))
    # an M2 file without edits: errant would have to segment plain text
    copy = Input.from_text("".join(f"S {' '.join(sentence.tokens)}\n\n" for sentence in panel))
    options: dict[str, Any] = {"sizes": "all", "metric": metric, "ci": True, "resamples": 9}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        result = jb.ceiling(panel, {"copy": copy}, hyp_format="m2", **options)
        alone = jb.ceiling(panel, **options)
    for size, without in zip(result.sizes, alone.sizes, strict=True):
        # by repr, since nan is not equal to itself
        assert repr(size.unchanged) == repr(size.systems["copy"]) == repr(without.unchanged)
        assert repr(size.human_spread) == repr(without.human_spread)


def test_the_source_unchanged_proposes_nothing_and_finds_nothing() -> None:
    """Official convention: P = 1 and R = 0 where gold has edits, all 1 where it has none."""
    (size,) = jb.ceiling(one_word("goes", "went")).sizes
    found = size.unchanged
    assert (found.precision, found.recall, found.score) == (1.0, 0.0, 0.0)
    fine = Panel((Sentence(("a",), (Annotation("A1"), Annotation("A2"))),), ("A1", "A2"))
    with pytest.warns(JuryboxWarning, match="nobody made an edit"):
        found = jb.ceiling(fine).sizes[0].unchanged
    assert (found.precision, found.recall, found.score) == (1.0, 1.0, 1.0)


def test_precision_and_recall_are_means_over_the_sets() -> None:
    panel = one_word("goes", "went", "goes")
    found = jb.ceiling(panel, {"mine": ["She goes ."]}, sizes=1).sizes[0].systems["mine"]
    assert [found.precision, found.recall] == pytest.approx([2 / 3, 2 / 3])
    gleu = jb.ceiling(panel, {"mine": ["She goes ."]}, sizes=1, metric="gleu")
    assert isnan(gleu.sizes[0].systems["mine"].recall)
    assert gleu.to_dict()["sizes"][0]["systems"]["mine"]["recall"] is None


def test_a_share_above_100_is_explained_and_one_below_is_not() -> None:
    panel = one_word("goes", "goes", "went")
    above = str(jb.ceiling(panel, {"mine": ["She goes ."], "poor": ["She gone ."]}))
    assert "above 100% of human performance: mine\n" in above
    assert "does not mean superhuman" in above
    below = str(jb.ceiling(panel, {"poor": ["She gone ."]}))
    assert "superhuman" not in below


def test_a_share_that_is_above_100_at_a_smaller_size_only_is_explained_too() -> None:
    orders = [("goes", "goes", "went"), ("goes", "went", "goes"), ("went", "goes", "goes")] * 2
    panel = Panel(tuple(one_word(*words).sentences[0] for words in orders), ("A1", "A2", "A3"))
    lines = ["She goes .", "She gone .", "She go .", "She goes .", "She go .", "She go ."]
    result = jb.ceiling(panel, {"mine": lines}, sizes="all")
    # people 1/3 and 2/3; the system has P 2/3 and R 1/3, but nothing against A3 alone
    shares = [size.systems["mine"].ratio for size in result.sizes]
    assert shares == [pytest.approx(5 / 9 * 2 / 3 * 3), pytest.approx(5 / 9 * 3 / 2)]
    assert "above 100% of human performance: mine" in str(result)


def test_a_system_that_does_little_is_told_to_be_flattered() -> None:
    sentences = [one_word("goes", "goes", "went").sentences[0]] * 30
    panel = Panel(tuple(sentences), ("A1", "A2", "A3"))
    timid, idle, bold = (["She goes ."] * n + ["She go ."] * (30 - n) for n in (1, 0, 2))
    text = str(jb.ceiling(panel, {"timid": timid, "idle": idle, "bold": bold}))
    # one of 30 edits is a recall of .0333, two are .0667
    assert "below 50% with a recall under 0.05: timid (0.0333) and idle (0.0000)\n" in text
    assert "flatters a system that does little. 'source unchanged' is the score of doing" in text
    assert "no better than the text left as it is ('source unchanged'): idle\n" in text


@pytest.mark.parametrize("choice", ["running", "sentence"])
@given(data=st.data())
@settings(max_examples=15)
def test_all_sizes_equal_brute_force_over_score(choice: str, data: st.DataObject) -> None:
    panel = data.draw(panels(4))
    assert_brute_force_agrees(panel, data.draw(outputs(panel)), choice=choice)


@given(data=st.data())
@settings(max_examples=8)
def test_gleu_of_all_sizes_equals_brute_force_over_score(data: st.DataObject) -> None:
    panel = data.draw(panels(3))
    assert_brute_force_agrees(panel, data.draw(outputs(panel)), metric="gleu")


@given(data=st.data())
@settings(max_examples=8)
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
    assert result.sizes[0].human == pytest.approx(mean_of_known(values), nan_ok=True)


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
@settings(max_examples=15)
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
    with pytest.warns(JuryboxWarning, match="not extracted by ERRANT: 3 of 3 edits"):
        result = jb.ceiling(panel, metric="errant", sizes="all")
    # against one: three ordered pairs of six agree in nothing but two; against two: A1 and A2 hit
    assert result.sizes[0].human == pytest.approx(2 / 6)
    assert result.sizes[1].human == pytest.approx(2 / 3)
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
    one, two, half, most = (size.human_spread for size in result.sizes)
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
    assert [at.human for at in kinds["Nn"].sizes] == [1.0, 1.0]
    # A3 never uses a preposition: against A1 or A2 recall is 0; nobody hits anybody
    assert [at.human for at in kinds["Prep"].sizes] == [0.0, 0.0]


def test_types_score_as_if_nothing_else_had_been_annotated() -> None:
    annotations = (Annotation("A1", (Edit(0, 1, "b", "Cit"),)), Annotation("A2"), Annotation("A3"))
    panel = Panel((Sentence(("a",), annotations),), ("A1", "A2", "A3"))
    (curve,) = jb.ceiling(panel, sizes="1", by="type").types
    (at,) = curve.sizes
    # A2 against A3 and the other way round have no edit at all: 1 by convention, and told
    assert at.human == pytest.approx(2 / 6)
    assert at.empty == pytest.approx(2 / 6)


@pytest.mark.parametrize("name", ["human", "source unchanged"])
def test_a_system_may_not_be_called_as_a_row_that_every_table_has(name: str) -> None:
    with pytest.raises(UsageError, match=f"cannot be called '{name}'"):
        jb.ceiling(one_word("goes", "went"), {name: ["She goes ."]})


def test_people_who_share_no_sentence_have_no_score_and_no_interval() -> None:
    goes = Annotation("A1", (Edit(1, 2, "goes"),))
    went = Annotation("A2", (Edit(1, 2, "went"),))
    tokens = ("She", "go", ".")
    panel = Panel((Sentence(tokens, (goes,)), Sentence(tokens, (went,))), ("A1", "A2"))
    with pytest.warns(JuryboxWarning, match="not every annotator is in every sentence"):
        result = jb.ceiling(panel, {"mine": ["She goes .", "She goes ."]}, ci=True, resamples=20)
    (size,) = result.sizes
    assert isnan(size.human)
    assert size.human_interval is not None
    assert isnan(size.human_interval.low)
    assert size.human_interval.reason
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
    assert size.human_interval is not None
    assert size.human_interval.low < size.human < size.human_interval.high
    mine = size.systems["mine"]
    assert mine.ratio_interval is not None
    assert mine.ratio_interval.low < mine.ratio < mine.ratio_interval.high
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
    human, mine = result.extrapolation["human"], result.extrapolation["mine"]
    assert human.score.sizes == (6, 7, 8)
    assert human.ratio is None
    assert mine.ratio is not None
    low, score, high = (v[-1] for v in (mine.score.low, mine.score.scores, mine.score.high))
    assert low <= score <= high
    assert "Extrapolated, not measured" in str(result)


def test_figures_draw_the_source_unchanged_where_it_scores_above_0() -> None:
    short = one_word("goes", "goes", "went").sentences[0]
    longer = short._replace(tokens=("She", "go", "to", "school", "by", "bus", "every", "day", "."))
    panel = Panel((longer,), ("A1", "A2", "A3"))
    for metric, drawn in (("m2", False), ("gleu", True)):
        figure = jb.ceiling(panel, sizes="all", metric=metric).figure()
        words = " ".join(text.get_text() for text in figure.texts)
        assert ("source unchanged" in words) is drawn
