"""From edits to cases, rule by rule: hand-worked sentences, then properties for any panel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.jury.cases.constructions import (
    CONSTRUCTIONS,
    PREPOSITIONS,
    Construction,
    Place,
    find_constructions,
    find_places,
)
from jurybox.jury.cases.derive import (
    ERROR,
    PanelCases,
    any_edit,
    by_type,
    decide,
    derive,
    edit_types,
    find_errors,
    insertions,
    put_at,
    trim,
    without_types,
)
from jurybox.jury.cases.infinitives import Tagger, choose_tagger, is_infinitive
from jurybox.metrics.maxmatch import smallest_edits
from jurybox.model import LABEL_BITS, Annotation, Edit, Sentence

WORDS = choose_tagger("words")
SPAN = tuple[int, int]


def places_of(name: str, text: str, infinitives: Collection[int] = ()) -> list[SPAN]:
    found = find_places(CONSTRUCTIONS[name], text.split(), infinitives)
    return [place[:2] for place in found]


def errors_in(
    name: str, text: str, *edits: Edit, rule: object = by_type
) -> dict[SPAN, tuple[str, ...]]:
    """Span of every error -> corrections, for one annotator."""
    tokens = text.split()
    (construction,) = find_constructions(name, {edit.type for edit in edits} or {"Prep"})
    places = list(find_places(construction, tokens))
    errors = find_errors(tokens, edits, places, any_edit if rule is any_edit else by_type)
    return {places[number][:2]: put for number, put in errors.at.items()}


def derived_from(sentences: Sequence[Sentence], *names: str, tagger: Tagger = WORDS) -> PanelCases:
    annotators = sorted({a.annotator for s in sentences for a in s.annotations})
    return derive(
        sentences,
        annotators,
        find_constructions(names, edit_types(sentences)),
        numbers=range(1, len(sentences) + 1),
        tagger=tagger,
    )


def said(cases: PanelCases) -> set[tuple[str, str, bool, tuple[str, ...]]]:
    """Every judgment: case, rater, whether it is an error, corrections."""
    table = cases.judgments
    given = table.correction or [0] * len(table)
    return {
        (
            cases.cases[case].id,
            table.raters[answer >> LABEL_BITS],
            answer & 255 == ERROR,
            table.corrections[put],
        )
        for case, answer, put in zip(table.case, table.answer, given, strict=True)
    }


# --- which places are cases ---


def test_prepositions_are_the_34_of_the_list_and_towards() -> None:
    assert len(PREPOSITIONS - {"towards"}) == 34
    assert places_of("preposition", "Towards noon I went out of the house .") == [(0, 1), (5, 6)]


def test_capital_letters_do_not_hide_a_case() -> None:
    assert places_of("preposition", "IN Rome On foot") == [(0, 1), (2, 3)]
    assert places_of("article", "The cat , an owl , A dog") == [(0, 1), (3, 4), (6, 7)]


def test_to_before_a_verb_is_no_case_and_to_before_a_noun_is() -> None:
    tokens = ["To", "be", "close", "to", "the", "sea", "I", "have", "to", "go", "to", "Rome"]
    (infinitives,) = WORDS.find([tokens])
    assert infinitives == {0, 8}
    text = " ".join(tokens)
    assert places_of("preposition", text, infinitives) == [(3, 4), (10, 11)]


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("to carefully read it", True),
        ("to not go", True),
        ("to family members", True),  # the words cannot tell: docs/cases.md has how often
        ("to .", False),
        ("looking forward to seeing you", False),
        ("due to rain", False),
        ("go to school", False),
        ("have to work", True),
        ("go to work", False),
        ("add to these", False),
        ("to bring", True),
        ("to need", True),
        ("IT IS EASY TO GO", True),
    ],
)
def test_words_tell_most_infinitives(text: str, verb: bool) -> None:
    tokens = text.split()
    place = [token.lower() for token in tokens].index("to")
    assert is_infinitive(tokens, place) is verb


def test_spacy_is_not_asked_where_words_are_wanted_and_bad_names_are_refused() -> None:
    assert choose_tagger("words").name == "words"
    with pytest.raises(InputError, match="did you mean 'spacy'"):
        choose_tagger("spcy")


def test_every_token_and_every_comma_is_a_case() -> None:
    assert places_of("token", "So , no") == [(0, 1), (1, 2), (2, 3)]
    assert places_of("comma", "So , no") == [(1, 2)]


def test_positions_are_before_every_token_and_at_the_end() -> None:
    assert places_of("missing-comma", "So no") == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize(
    ("name", "ordinary"),
    [
        ("missing-preposition", [0, 1, 3]),  # not after "in", before "." or at the end
        ("missing-article", [0]),  # not before "in", beside "the", before "." or at the end
        ("missing-comma", [1, 2, 3]),  # not at the beginning, before "." or at the end
    ],
)
def test_positions_that_a_rule_decides_are_trivial(name: str, ordinary: list[int]) -> None:
    found = find_places(CONSTRUCTIONS[name], ["sit", "in", "the", "sun", "."])
    assert [place.start for place in found if not place.trivial] == ordinary


def test_the_position_after_an_infinitives_to_is_not_trivial() -> None:
    tokens = ["to", "go"]
    found = list(find_places(CONSTRUCTIONS["missing-preposition"], tokens, {0}))
    assert [place.trivial for place in found] == [False, False, True]


def test_constructions_that_share_places_are_refused() -> None:
    both = find_constructions(["preposition", "missing-preposition"], {"Prep"})
    assert [one.missing for one in both] == [False, True]
    for names in (["token", "comma"], ["missing-comma", "missing-article"], ["comma", "comma"]):
        with pytest.raises(UsageError, match="one by one"):
            find_constructions(names, {"Prep"})


def test_unknown_constructions_and_types_are_refused_with_the_near_name() -> None:
    with pytest.raises(InputError, match="did you mean 'preposition'"):
        find_constructions("prepositions", {"Prep"})
    with pytest.raises(InputError, match="did you mean 'Prep'"):
        find_constructions("type=Perp", {"Prep", "Nn"})
    with pytest.raises(InputError, match="have no types"):
        find_constructions("type=Prep", ())
    with pytest.raises(UsageError, match="name a construction"):
        find_constructions([], {"Prep"})


# --- which cases are errors ---


def test_an_edit_of_the_type_makes_the_covered_token_an_error_and_no_other() -> None:
    text = "He sat at mat in Rome"
    assert errors_in("preposition", text, Edit(2, 3, "on", "Prep")) == {(2, 3): ("on",)}
    assert errors_in("preposition", text, Edit(2, 3, "on", "R:PREP")) == {(2, 3): ("on",)}
    assert errors_in("preposition", text, Edit(2, 3, "on", "Wci")) == {}


def test_any_edit_counts_where_that_is_the_rule() -> None:
    text = "He sat at mat"
    assert errors_in("preposition", text, Edit(2, 3, "on", "Wci"), rule=any_edit) == {
        (2, 3): ("on",)
    }


def test_an_insertion_makes_no_token_an_error() -> None:
    assert errors_in("token", "He sat mat", Edit(2, 2, "on", "Prep")) == {}
    assert errors_in("token", "He sat", Edit(0, 0, "Then", "Wci"), Edit(2, 2, ".", "Mec")) == {}


@pytest.mark.parametrize("position", [0, 1, 2])
def test_an_insertion_belongs_to_the_position_before_the_next_token(position: int) -> None:
    edit = Edit(position, position, "on", "Prep")
    expected = {(position, position): ("on",)}
    assert errors_in("missing-preposition", "He sat", edit) == expected


def test_an_insertion_written_as_a_replacement_is_an_insertion_too() -> None:
    text = "He explained me it"
    before, after = Edit(2, 3, "to me", "Prep"), Edit(1, 2, "explained to", "Prep")
    assert errors_in("missing-preposition", text, before) == {(2, 2): ("to",)}
    assert errors_in("missing-preposition", text, after) == {(2, 2): ("to",)}


def test_a_replacement_is_no_insertion_unless_a_word_of_the_construction_is_added() -> None:
    text = "He sat at mat"
    assert errors_in("missing-preposition", text, Edit(2, 3, "on", "Prep")) == {}
    fused = Edit(2, 3, "on the")
    assert errors_in("missing-article", text, fused, rule=any_edit) == {(3, 3): ("the",)}
    assert (
        errors_in("missing-article", "He ate the it", Edit(2, 4, "it the a"), rule=any_edit) == {}
    )


def test_every_insertion_of_one_edit_is_found() -> None:
    text = "I go school morning"
    whole = Edit(1, 4, "go to school in the morning", "Prep")
    assert errors_in("missing-preposition", text, whole) == {(2, 2): ("to",), (3, 3): ("in the",)}
    both = Edit(0, 4, "I , however , go school morning")
    expected = {(1, 1): (", however ,",)}
    assert errors_in("missing-comma", text, both, rule=any_edit) == expected
    around = Edit(1, 3, ", go , school")
    assert errors_in("missing-comma", text, around, rule=any_edit) == {
        (1, 1): (",",),
        (2, 2): (",",),
    }


def test_without_a_type_only_the_constructions_own_words_are_missing() -> None:
    text = "He sat mat"
    the = Edit(2, 2, "the", "ArtOrDet")
    assert errors_in("missing-preposition", text, the, rule=any_edit) == {}
    assert errors_in("missing-article", text, the, rule=any_edit) == {(2, 2): ("the",)}
    their = Edit(2, 2, "their", "ArtOrDet")
    assert errors_in("missing-article", text, their) == {(2, 2): ("their",)}
    assert errors_in("missing-article", text, their, rule=any_edit) == {}


def test_only_edits_that_change_the_comma_itself_count() -> None:
    text = "However , he left"
    assert errors_in("comma", text, Edit(0, 2, "Yet ,", "Mec")) == {}
    assert errors_in("comma", text, Edit(1, 2, "", "Mec")) == {(1, 2): ("",)}
    assert errors_in("comma", text, Edit(1, 3, "; he", "PUNCT")) == {(1, 2): (";",)}
    assert errors_in("missing-comma", text, Edit(4, 4, ".", "Mec")) == {}
    assert errors_in("missing-comma", text, Edit(2, 3, "he ,", "Mec")) == {(3, 3): (",",)}


def test_a_deletion_is_an_error_whose_correction_is_nothing() -> None:
    edit = Edit(1, 3, "-NONE-", "Prep")
    assert errors_in("preposition", "sat in at mat", edit) == {(1, 2): ("",), (2, 3): ("",)}


def test_alternatives_are_equally_good_corrections() -> None:
    edit = Edit(1, 2, "on||-NONE-||on", "Prep")
    assert errors_in("preposition", "sat at mat", edit) == {(1, 2): ("on", "")}


def test_moved_words_make_all_tokens_of_the_edit_errors() -> None:
    edit = Edit(0, 3, "in Rome always", "WOadv")
    errors = errors_in("token", "always in Rome", edit)
    assert list(errors) == [(0, 1), (1, 2), (2, 3)]


def test_of_several_edits_the_shortest_says_what_is_put_there_then_the_first() -> None:
    text = "He sat at mat"
    wide, first, second = (
        Edit(1, 4, "x", "Prep"),
        Edit(2, 3, "on", "Prep"),
        Edit(2, 3, "in", "Prep"),
    )
    assert errors_in("preposition", text, wide, first, second) == {(2, 3): ("on",)}
    assert errors_in("preposition", text, wide, second, first) == {(2, 3): ("in",)}
    assert errors_in("preposition", text, wide) == {(2, 3): ("x",)}


def test_an_edit_that_repeats_the_source_is_an_error_without_a_correction() -> None:
    assert errors_in("token", "He sat", Edit(1, 2, "sat", "UNK")) == {(1, 2): ()}


def test_only_edits_of_the_type_count_for_every_token() -> None:
    edits = (Edit(0, 1, "She", "Pref"), Edit(2, 3, "on", "Prep"))
    assert errors_in("type=Prep", "He sat at mat", *edits) == {(2, 3): ("on",)}


# --- what is put in a place ---


@pytest.mark.parametrize(
    ("source", "replacement", "put"),
    [
        ("at", "on", "on"),
        ("at", "on the", "on"),  # the one preposition for the one preposition
        ("at mat", "on mats", "on"),
        ("at mat", "mats", "mats"),
        ("in at", "on by", "by"),  # word for word
        ("at", "because at", "because at"),  # kept: only the whole says what changed
        ("at mat", "at mats", "at mats"),
        ("at", "in front of", "in front of"),  # two prepositions: which of them cannot be told
    ],
)
def test_the_part_of_an_edit_that_replaces_the_target(
    source: str, replacement: str, put: str
) -> None:
    tokens = source.split()
    place = Place(tokens.index("at"), tokens.index("at") + 1, CONSTRUCTIONS["preposition"])
    assert put_at(tokens, 0, len(tokens), replacement, place) == put


tokens_of = st.lists(st.sampled_from(("a", "in", "x", ",")), max_size=5)


@given(tokens_of, tokens_of)
def test_trimming_changes_nothing_and_leaves_nothing_to_trim(
    source: list[str], words: list[str]
) -> None:
    change = trim(source, 0, len(source), " ".join(words))
    assert [*source[: change.start], *change.words, *source[change.end :]] == words
    covered = source[change.start : change.end]
    if covered and change.words:
        assert covered[0] != change.words[0]
        assert covered[-1] != change.words[-1]


@given(tokens_of, st.integers(0, 5), st.lists(st.sampled_from(("a", "in")), min_size=1, max_size=2))
def test_a_pure_insertion_is_found_where_it_was_made(
    source: list[str], place: int, words: list[str]
) -> None:
    place = min(place, len(source))
    made = insertions(source, place, place, " ".join(words), CONSTRUCTIONS["missing-article"])
    assert made == ((place, " ".join(words), "a" in words),)


def test_of_several_insertions_the_type_is_about_the_constructions_own_words() -> None:
    text = "He saw relatives"
    the = Edit(2, 3, "the relatives .", "ArtOrDet")
    assert errors_in("missing-article", text, the) == {(2, 2): ("the",)}
    their = Edit(2, 3, "their relatives ,", "ArtOrDet")
    assert errors_in("missing-article", text, their) == {(2, 2): ("their",)}


@given(tokens_of, st.lists(st.sampled_from(("", "the")), min_size=7, max_size=7))
def test_articles_put_anywhere_are_found_where_a_system_would_have_put_them(
    source: list[str], put: list[str]
) -> None:
    tokens = [token for token in source if token != "a"]
    made = [word for pair in zip(put, [*tokens, ""], strict=False) for word in pair if word]
    text, corrected = " ".join(tokens), " ".join(made)
    person = errors_in("missing-article", text, Edit(0, len(tokens), corrected), rule=any_edit)
    system = errors_in("missing-article", text, *smallest_edits(tokens, made), rule=any_edit)
    assert person == system


# --- cases and judgments of a panel ---


def test_whoever_gave_no_edit_a_type_is_known_by_name() -> None:
    def looked(*types: str) -> tuple[Edit, ...]:
        return tuple(Edit(0, 1, "On", name) for name in types)

    first = (
        Annotation("Ann", looked("Prep")),
        Annotation("Bob", looked("", "UNK")),
        Annotation("Cem", looked("UNK")),
        Annotation("Dee"),
    )
    second = (Annotation("Cem", looked("Nn")), Annotation("Bob", looked("UNK")))
    panel = [Sentence(("At", "night"), first), Sentence(("At", "day"), second)]
    assert without_types(panel) == ("Bob",)


def test_every_edit_of_an_annotator_without_types_counts_and_only_of_theirs() -> None:
    edits = (Edit(1, 2, "in", "Prep"), Edit(2, 3, "at", "Vt"))
    bare = tuple(edit._replace(type="UNK") for edit in edits)
    sentence = Sentence(
        ("sat", "on", "at"), (Annotation("Ann", edits), Annotation("Bob", bare), Annotation("Cem"))
    )
    (construction,) = find_constructions("preposition", {"Prep"})
    found = derive(
        [sentence],
        ["Ann", "Bob", "Cem"],
        [construction],
        numbers=[1],
        tagger=WORDS,
        untyped=("Bob",),
    )
    errors = {(case, rater) for case, rater, error, _ in said(found) if error}
    assert errors == {("S1:1-2", "Ann"), ("S1:1-2", "Bob"), ("S1:2-3", "Bob")}
    tally = found.tallies["preposition"]
    assert (tally.edits, tally.on_cases) == (3, 3)


def test_ids_name_sentence_and_tokens_or_document_sentence_and_tokens() -> None:
    looked = (Annotation("A"),)
    plain = [Sentence(("at", "home"), looked), Sentence(("go", "in"), looked)]
    assert [case.id for case in derived_from(plain, "preposition").cases] == ["S1:0-1", "S2:1-2"]
    essays = [s._replace(document=name) for s, name in zip([*plain, plain[1]], "xyx", strict=True)]
    cases = derived_from(essays, "preposition").cases
    assert [case.id for case in cases] == ["x:1:0-1", "y:1:1-2", "x:2:1-2"]
    assert [case.document for case in cases] == ["x", "y", "x"]


def test_only_those_who_looked_judge_and_a_sentence_nobody_saw_has_no_case() -> None:
    sentences = [
        Sentence(("at", "home"), (Annotation("A", (Edit(0, 1, "-NONE-", "Prep"),)),)),
        Sentence(("in", "bed"), (Annotation("A"), Annotation("B"))),
        Sentence(("on", "air")),
    ]
    cases = derived_from(sentences, "preposition")
    assert len(cases.cases) == 2
    assert said(cases) == {
        ("S1:0-1", "A", True, ("",)),
        ("S2:0-1", "A", False, ()),
        ("S2:0-1", "B", False, ()),
    }


def test_trivial_places_are_not_judged_unless_an_annotator_finds_an_error_there() -> None:
    stranded = Edit(2, 2, "in", "Prep")  # before the full stop, which is trivial by the rule
    tokens = ("we", "live", ".")
    sentences = [Sentence(tokens, (Annotation("A", (stranded,)), Annotation("B")))]
    cases = derived_from(sentences, "missing-preposition")
    assert [(case.id, case.trivial) for case in cases.cases] == [
        ("S1:0-0", False),
        ("S1:1-1", False),
        ("S1:2-2", False),
        ("S1:3-3", True),
    ]
    assert len(cases.judgments) == 6
    assert ("S1:2-2", "A", True, ("in",)) in said(cases)
    assert cases.tallies["missing-preposition"].overruled == 1


def test_edits_that_make_no_case_an_error_are_counted() -> None:
    edits = (Edit(0, 1, "in", "Prep"), Edit(1, 1, "of", "Prep"), Edit(1, 2, "house", "Nn"))
    cases = derived_from([Sentence(("at", "home"), (Annotation("A", edits),))], "preposition")
    tally = cases.tallies["preposition"]
    assert (tally.edits, tally.on_cases) == (2, 1)


def test_cases_of_several_constructions_stand_in_the_order_of_the_text() -> None:
    sentences = [Sentence(("at", "home"), (Annotation("A", (Edit(0, 1, "in", "Prep"),)),))]
    cases = derived_from(sentences, "preposition", "missing-preposition").cases
    assert [case.id for case in cases] == ["S1:0-0", "S1:0-1", "S1:1-1", "S1:2-2"]


def test_data_without_types_has_none_and_one_type_is_enough() -> None:
    plain = Sentence(("a",), (Annotation("A", (Edit(0, 1, "b"),)),))
    typed = Sentence(("a",), (Annotation("A", (Edit(0, 1, "b", "Nn"),)),))
    assert edit_types([plain]) == frozenset()
    assert edit_types([plain, typed]) == {"UNK", "Nn"}


# --- systems ---


def decisions_on(name: str, source: str, corrected: str) -> dict[str, str | None]:
    """Id -> suggestion of the cases that a text decides to be errors."""
    sentence = Sentence(tuple(source.split()), (Annotation("A"),))
    cases = derived_from([sentence], name)
    table = decide(
        "S", [sentence], cases.places, [smallest_edits(sentence.tokens, corrected.split())]
    )
    assert table.suggestion is not None
    flagged = {}
    for case, label, put in zip(cases.cases, table.label, table.suggestion, strict=True):
        assert (label, put is None) in ((1, False), (0, True))
        if label:
            flagged[case.id] = put
    return flagged


@pytest.mark.parametrize(
    ("name", "corrected", "flagged"),
    [
        ("preposition", "He sat at mat in Rome", {}),
        ("preposition", "He sat on mat in Rome", {"S1:2-3": "on"}),
        ("preposition", "He sat on the mat in Rome", {"S1:2-3": "on"}),
        ("missing-article", "He sat on the mat in Rome", {"S1:3-3": "the"}),
        ("preposition", "He sat mat Rome", {"S1:2-3": "", "S1:4-5": ""}),
        ("preposition", "She lay at a mat in Rome", {}),  # changes around it are none of it
        ("missing-article", "The He sat at mat in Rome", {"S1:0-0": "The"}),
        ("missing-preposition", "He sat at mat in Rome on", {"S1:6-6": "on"}),
        ("preposition", "In Rome He sat at mat", {"S1:4-5": ""}),  # moved: gone from here
        ("token", "He sits at mat in Rome", {"S1:1-2": "sits"}),
    ],
)
def test_a_text_decides_by_the_smallest_edits(
    name: str, corrected: str, flagged: dict[str, str]
) -> None:
    assert decisions_on(name, "He sat at mat in Rome", corrected) == flagged


# --- properties ---

VOCABULARY = ("in", "the", ",", "to", "go", "x")
TYPES = ("Prep", "ArtOrDet", "Mec", "Nn")
NAMES = ("preposition", "article", "comma", "token", "missing-preposition", "missing-comma")


@st.composite
def annotated_sentences(draw: st.DrawFn) -> list[Sentence]:
    """Sentences of three annotators, with edits of any kind, overlapping ones too."""
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        tokens = tuple(draw(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=6)))
        annotations = []
        for name in "ABC":
            edits = []
            for _ in range(draw(st.integers(0, 3))):
                start = draw(st.integers(0, len(tokens)))
                end = draw(st.integers(start, min(len(tokens), start + 2)))
                words = " ".join(draw(st.lists(st.sampled_from(VOCABULARY), max_size=2)))
                kind = draw(st.sampled_from(TYPES))
                if words or start < end:
                    edits.append(Edit(start, end, words or "-NONE-", kind))
            annotations.append(Annotation(name, tuple(edits)))
        sentences.append(Sentence(tokens, tuple(annotations)))
    return sentences


@given(annotated_sentences(), st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_judgments_do_not_depend_on_the_order_of_annotators(
    sentences: list[Sentence], name: str, rng: Random
) -> None:
    shuffled = []
    for sentence in sentences:
        annotations = list(sentence.annotations)
        rng.shuffle(annotations)
        shuffled.append(sentence._replace(annotations=tuple(annotations)))
    one, other = derived_from(sentences, name), derived_from(shuffled, name)
    assert one.cases == other.cases
    assert said(one) == said(other)
    assert one.tallies == other.tallies


@given(annotated_sentences(), st.sampled_from(["preposition", "article", "token"]))
def test_exactly_the_tokens_covered_by_an_edit_of_the_type_are_errors(
    sentences: list[Sentence], name: str
) -> None:
    construction: Construction = CONSTRUCTIONS[name]
    cases = derived_from(sentences, name)
    answers = {(which, rater): wrong for which, rater, wrong, _ in said(cases)}
    for sentence, number in zip(sentences, range(1, len(sentences) + 1), strict=True):
        for annotation in sentence.annotations:
            for case in cases.cases:
                if not case.id.startswith(f"S{number}:"):
                    continue
                assert case.start is not None
                covered = any(
                    edit.start <= case.start < edit.end and construction.is_about(edit.type)
                    for edit in annotation.edits
                )
                assert answers[case.id, annotation.annotator] is covered


@given(annotated_sentences(), st.sampled_from(NAMES))
def test_every_case_is_judged_once_by_everybody_or_trivial(
    sentences: list[Sentence], name: str
) -> None:
    cases = derived_from(sentences, name)
    judged = [cases.cases[place].id for place in cases.judgments.case]
    for case in cases.cases:
        assert judged.count(case.id) == (0 if case.trivial else 3)
    assert len({case.id for case in cases.cases}) == len(cases.cases)


@given(annotated_sentences(), st.sampled_from(NAMES))
def test_a_text_left_as_it_is_decides_ok_everywhere(sentences: list[Sentence], name: str) -> None:
    cases = derived_from(sentences, name)
    edits = [smallest_edits(sentence.tokens, sentence.tokens) for sentence in sentences]
    table = decide("S", sentences, cases.places, edits)
    assert len(table) == len(cases.cases)
    assert not any(table.label)
