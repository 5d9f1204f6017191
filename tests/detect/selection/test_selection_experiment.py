"""Choices among prepositions: what is read, chosen, compared, drawn for raters."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jurybox.detect.ngrams.model import save_model
from jurybox.detect.ngrams.training import train_lm_on
from jurybox.detect.prepositions import CLASSES, NONE, class_of
from jurybox.detect.selection.choosing import compare_right, confusion, log_loss
from jurybox.detect.selection.events import (
    HeldOutSentence,
    Picks,
    ScoredEvents,
    join_events,
    pick,
    read_held_out,
    score_events,
    set_up,
)
from jurybox.detect.selection.tasks import (
    BLANK,
    JudgedSystem,
    KeyItem,
    SelectionKey,
    draw_task,
    read_key,
    write_key,
)
from jurybox.errors import FormatError, InputError
from jurybox.formats import Input

EVENT = {"id": "e1", "tokens": ["He", "sat", "on", "it"], "target": 2, "written": "on"}


def events_of(*records: object) -> list[HeldOutSentence]:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in records)
    return list(read_held_out(Input.from_text(text, "held.jsonl")))


# --- reading ---


def test_events_of_one_sentence_are_read_together_so_that_it_is_tagged_once() -> None:
    other = {**EVENT, "id": "e2", "tokens": ["Go", "to", "bed"], "target": 1, "written": "to"}
    tokens = ["In", "fact", "he", "sat", "towards", "it"]
    both = [
        {"id": name, "tokens": tokens, "target": place, "written": written}
        for name, place, written in (("a", 0, "in"), ("b", 4, "toward"))
    ]
    found = events_of(both[0], other, both[1])
    assert [[target.id for target in one.targets or ()] for one in found] == [["a", "b"], ["e2"]]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"target": 4}, "held.jsonl:1, key target: 4 is not a token of the sentence, which has 4"),
        ({"target": -1}, "key target: -1 is not a token"),
        ({"target": True}, "key target: True is not a token"),
        ({"target": None}, "key target: nothing is not a token"),
        ({"written": "in"}, "key written: 'in' is not token 2 (from 0), which is 'on'"),
        ({"written": "upon"}, "key written: 'upon' is not one of the 34 prepositions"),
        ({"written": 3}, "key written: 3 is not one of the 34 prepositions"),
        ({"tokens": "He sat"}, "key tokens: 'He sat' is no list of words"),
        ({"tokens": ["He", "", "on"]}, "key tokens: token 1 (from 0) is empty"),
        ({"id": 7}, "key id: 7 is no id"),
    ],
)
def test_a_bad_event_is_told_with_file_line_key_and_remedy(
    change: dict[str, object], complaint: str
) -> None:
    with pytest.raises(FormatError) as caught:
        events_of({**EVENT, **change})
    assert complaint in str(caught.value)
    assert ";" in str(caught.value)


def test_bad_lines_are_counted_and_an_id_that_comes_again_is_one_of_them() -> None:
    with pytest.raises(FormatError, match=r":2, key id: 'e1' is there before, at held.jsonl:1"):
        events_of(EVENT, EVENT)
    with pytest.raises(FormatError, match=r":1, column 2.*and 1 more bad line"):
        events_of("{nonsense", EVENT, {**EVENT, "id": "x", "target": 9})


def test_prose_and_tokenised_text_are_told_from_events_by_content() -> None:
    prose = read_held_out(Input.from_text("He sat on it. She stood."))
    assert [one.sentence for one in prose] == ["He sat on it.", "She stood."]
    tokens = read_held_out(Input.from_text("He sat on it .\n"), tokenised=True)
    assert [(one.sentence, one.targets) for one in tokens] == [
        (("He", "sat", "on", "it", "."), None)
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)


@given(st.sampled_from(list(EVENT)), JSON)
def test_any_value_of_a_key_is_read_or_refused_by_our_own_error(key: str, value: object) -> None:
    with suppress(FormatError):
        events_of({**EVENT, key: value})


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_by_our_own_error(given_bytes: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(InputError):
        place = Path(folder) / "text"
        place.write_bytes(b"{" + given_bytes)
        list(read_held_out(place))


# --- choosing ---


@given(st.lists(st.integers(-3, 3), min_size=NONE, max_size=NONE), st.integers(0, NONE - 1))
def test_the_choice_is_right_exactly_where_the_written_word_comes_first(
    odds: list[int], written: int
) -> None:
    row = np.array([[*odds, 50]], np.float32)  # "nothing" is never chosen, however likely
    picks = pick(row, np.array([written], np.int8))
    assert (picks.choice[0] == written) == (picks.rank[0] == 0)
    order = sorted(range(NONE), key=lambda place: (-odds[place], place))
    assert picks.choice[0] == order[0]
    assert picks.rank[0] == order.index(written)
    shares = np.exp(np.array(odds, np.float64))
    assert picks.written_chance[0] == pytest.approx(shares[written] / shares.sum(), rel=1e-5)


def test_log_loss_is_the_mean_surprise_and_finite_for_what_was_thought_impossible() -> None:
    chances = np.array([0.5, 0.25], np.float32)
    nothing = np.zeros(2, np.int8)
    assert log_loss(Picks(nothing, nothing, chances, chances)) == pytest.approx(np.log(2) * 1.5)
    assert np.isfinite(log_loss(Picks(nothing, nothing, chances, np.zeros(2, np.float32))))


def test_confusion_has_what_was_written_in_rows() -> None:
    written = np.array([class_of("in"), class_of("in"), class_of("at")], np.int8)
    chosen = np.array([class_of("at"), class_of("in"), class_of("at")], np.int8)
    table = confusion(written, chosen)
    assert table[class_of("in"), class_of("at")] == 1
    assert table[class_of("at"), class_of("in")] == 0
    assert table.sum() == 3


def test_mcnemar_asks_only_where_one_of_two_models_is_right() -> None:
    # 10 against 2 of 12: p = 2 · (1 + 12 + 66) / 2^12
    first = np.array([True] * 10 + [False] * 2 + [True] * 50 + [False] * 38)
    second = np.array([False] * 10 + [True] * 2 + [True] * 50 + [False] * 38)
    found = compare_right(first, second)
    assert (found.only_first, found.only_second) == (10, 2)
    assert found.p == pytest.approx(2 * 79 / 4096)
    assert found.difference == pytest.approx(0.08)
    # by hand: 11/102 and 3/102 after one was added to each
    middle = 8 / 102
    half = 1.959964 * np.sqrt((14 / 102 - middle**2) / 102)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half))


def test_models_that_are_right_on_the_same_events_do_not_differ() -> None:
    right = np.array([True, False, True])
    found = compare_right(right, right)
    assert (found.difference, found.p) == (0, 1)
    assert found.low < 0 < found.high


# --- running ---


@pytest.fixture
def model(tmp_path: Path) -> str:
    said = ["he sat on it", "she sat on a chair", "we live in a town", "they live in a house"]
    save_model(train_lm_on(said, order=3, fallback_discounts=(0.5, 1, 1.5)), tmp_path / "lm")
    return str(tmp_path / "lm")


def scored(model: str, *sentences: HeldOutSentence) -> ScoredEvents:
    setup = set_up([model], tagger=None, cache=lambda: None, finds=False)
    return join_events(list(score_events(sentences, setup)), 1)


def test_every_preposition_of_plain_text_is_an_event_but_not_to_before_a_verb(model: str) -> None:
    sentence = "they live in a house close to the sea to see ships"
    found = scored(model, HeldOutSentence("S1", tuple(sentence.split())))
    assert found.ids == ["S1:2-3", "S1:6-7"]
    assert [CLASSES[number] for number in found.written] == ["in", "to"]
    assert CLASSES[found.picks[0].choice[0]] == "in"


def test_batches_in_several_processes_give_the_same_events_in_order(model: str) -> None:
    sentences = [
        HeldOutSentence(f"S{number}", tuple(f"{number} live in a house".split()))
        for number in range(1200)
    ]
    setup = set_up([model], tagger=None, cache=lambda: None, finds=False)
    found = join_events(list(score_events(sentences, setup, jobs=2)), 1)
    assert found.ids == [f"S{number}:2-3" for number in range(1200)]
    assert [found.sentences[which][0] for which in found.sentence] == [*map(str, range(1200))]
    assert len(found.picks[0].choice) == 1200


# --- tasks for raters ---


def made_events(size: int = 40) -> ScoredEvents:
    """The writer wrote `in` everywhere; the system chooses `at` in every second place."""
    chosen = np.array([class_of("in"), class_of("at")] * (size // 2), np.int8)
    chances = np.full(size, 0.5, np.float32)
    return ScoredEvents(
        [f"e{number}" for number in range(size)],
        [("It", f"is{number}", "\xa0", "in", "the", "1\xa0000", "box") for number in range(size)],
        np.arange(size),
        np.full(size, 3),
        np.full(size, class_of("in"), np.int8),
        (Picks(chosen, (chosen != class_of("in")).astype(np.int8), chances, chances),),
    )


def test_a_cloze_shows_a_blank_and_nothing_of_the_answer() -> None:
    drawn, key = draw_task("cloze", made_events(), ["me"], items=10)
    assert len(drawn) == len(key.items) == 10
    for item, opened in zip(drawn, key.items, strict=True):
        tokens = item.sentence.split()
        assert tokens[item.start] == BLANK
        assert item.start == 2  # white space that was a token does not count
        assert "in" not in tokens
        assert item.case == opened.case != opened.event
        assert (item.first, item.second) == ("", "")
    assert key.systems == (JudgedSystem("me", 0.5, 40),)


def test_no_item_gives_away_what_stood_in_the_blank_of_another() -> None:
    events = made_events(40)
    three_each = replace(events, sentence=np.arange(40) // 3)
    drawn, _ = draw_task("cloze", three_each, ["me"])
    assert len(drawn) == 14
    assert len({one.sentence for one in drawn}) == 14


def test_a_choice_is_drawn_where_system_and_writer_differ_in_random_order() -> None:
    drawn, key = draw_task("choice", made_events(400), ["me"])
    assert len(drawn) == 200
    assert {(one.writer, one.systems) for one in key.items} == {("in", ("at",))}
    assert {frozenset((one.first, one.second)) for one in drawn} == {frozenset(("in", "at"))}
    firsts = [one.first for one in drawn]
    assert firsts == [one.first for one in key.items]
    assert 60 < firsts.count("in") < 140  # 200 tosses of a coin


def test_the_same_seed_draws_the_same_and_another_one_other_events_with_other_ids() -> None:
    first, again, other = (
        draw_task("cloze", made_events(), ["me"], items=10, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert {one.case for one in first[0]}.isdisjoint(one.case for one in other[0])
    assert [one.event for one in first[1].items] != [one.event for one in other[1].items]


def test_more_items_than_there_are_is_refused_with_the_number_there_is() -> None:
    with pytest.raises(InputError, match=r"--items 30: there are 20 sentences .* ask for 1 to 20"):
        draw_task("choice", made_events(40), ["me"], items=30)


# --- the key ---


def key_text(**changes: object) -> str:
    key = SelectionKey(
        "choice",
        1,
        (JudgedSystem("me", 0.75, 200),),
        (),
        (KeyItem("a", "e1", "in", ("at",), "at"), KeyItem("b", "e2", "on", ("in",), "on")),
    )
    out = io.StringIO()
    write_key(key, out)
    lines = out.getvalue().splitlines()
    lines[0] = json.dumps({**json.loads(lines[0]), **changes})
    return "\n".join(lines)


@given(st.sampled_from(["task", "seed", "systems", "text", "checksum", "schema"]), JSON)
def test_any_value_in_the_head_of_a_key_is_refused_by_our_own_error(
    name: str, value: object
) -> None:
    assume(value not in ([], 1))  # what text and seed are
    with pytest.raises(FormatError):
        read_key(Input.from_text(key_text(**{name: value}), "key.jsonl"))


def test_a_key_that_was_edited_is_refused() -> None:
    assert len(read_key(Input.from_text(key_text())).items) == 2
    edited = key_text().replace('"writer": "on"', '"writer": "by"').replace('"on"', '"by"')
    with pytest.raises(FormatError, match="was changed after it was drawn"):
        read_key(Input.from_text(edited, "key.jsonl"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (key_text(schema="jurybox.samplekey/1"), "key.jsonl:1: is jurybox.samplekey/1, not"),
        (key_text(task="guess"), "the field 'task' must be one of cloze, choice, not 'guess'"),
        (key_text(systems=[{}]), "key.jsonl:1: lacks the field 'systems[0].name'; take the key"),
        (key_text() + '\n{"case": 3}', "key.jsonl:4: the field 'case' must be text, not 3"),
        (key_text().replace('"b"', '"a"'), "case 'a' is there twice"),
        (key_text().replace('"systems": ["in"]', '"systems": []'), "for every system"),
        ("case,rater,label", "key.jsonl:1: not JSON"),
    ],
)
def test_what_is_no_key_is_refused_at_its_line(text: str, complaint: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_key(Input.from_text(text, "key.jsonl"))
    assert complaint in str(caught.value)
