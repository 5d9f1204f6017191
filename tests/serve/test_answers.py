"""What raters are shown and may answer."""

from __future__ import annotations

import pytest

from jurybox.errors import InputError
from jurybox.model import NOTHING
from jurybox.serve.answers import StoredAnswer, chance, check, is_right, show
from jurybox.serve.model import NewCase, Shown, SubmittedAnswer
from jurybox.serve.settings import Settings, Task

TRAINED = Settings("study", Task.TRAINED)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (SubmittedAnswer("extraneous"), StoredAnswer("extraneous", NOTHING)),
        (
            SubmittedAnswer("wrong", (" on  top of ", "", "over", "over")),
            StoredAnswer("wrong", "on top of", ("over",)),
        ),
        (SubmittedAnswer("correct", confidence="high"), StoredAnswer("correct", confidence=1.0)),
        (
            SubmittedAnswer("equal", ("on",), "low"),
            StoredAnswer("equal", alternatives=("on",), confidence=0.0),
        ),
        (
            SubmittedAnswer("", context=("grammar", "spelling")),
            StoredAnswer("unknown", context="spelling grammar"),
        ),
        (
            SubmittedAnswer("correct", comment=" a\r\nb "),
            StoredAnswer("correct", comment="a\nb"),
        ),
    ],
)
def test_the_trained_raters_form_becomes_labels_and_words(
    given: SubmittedAnswer, said: StoredAnswer
) -> None:
    assert check(given, TRAINED, swapped=False) == said


@pytest.mark.parametrize(
    ("settings", "given", "advice"),
    [
        (TRAINED, SubmittedAnswer("wrong"), "write the best word"),
        (TRAINED, SubmittedAnswer("equal", (" ",)), "write the others that are as good"),
        (TRAINED, SubmittedAnswer(""), "or say what spoils the context"),
        (TRAINED, SubmittedAnswer("correct", confidence="very"), "low or high"),
        (TRAINED, SubmittedAnswer("correct", context=("rain",)), "spelling, determiner, grammar"),
        (TRAINED, SubmittedAnswer("wrong", (NOTHING,)), "is no word"),
        (TRAINED, SubmittedAnswer("wrong", ("x" * 201,)), "too long"),
        (TRAINED, SubmittedAnswer("correct", comment="x" * 2001), "keep the comment under 2000"),
        (TRAINED, SubmittedAnswer("correct", comment="\0"), "cannot be stored"),
        (Settings("s"), SubmittedAnswer("Error"), "choose one of the answers"),
        (Settings("s", Task.CLOZE), SubmittedAnswer("  "), "fill in the blank"),
        (Settings("s", Task.CLOZE), SubmittedAnswer("\ud800"), "cannot be stored"),
        (Settings("s", Task.CLOZE, fillers=("in",)), SubmittedAnswer("at"), "from the list"),
        (Settings("s", Task.CHOICE), SubmittedAnswer("first"), "choose one of the answers"),
    ],
)
def test_what_a_form_should_not_send_is_refused_in_words_for_a_rater(
    settings: Settings, given: SubmittedAnswer, advice: str
) -> None:
    with pytest.raises(InputError, match=advice):
        check(given, settings, swapped=False)


@pytest.mark.parametrize("swapped", [False, True])
def test_places_on_the_screen_become_the_words_that_stood_there(swapped: bool) -> None:
    settings = Settings("s", Task.CHOICE)
    said = [
        check(SubmittedAnswer(label), settings, swapped=swapped).label
        for label in ("left", "right")
    ]
    assert said == (["second", "first"] if swapped else ["first", "second"])
    for label in ("equal", "bad"):
        assert check(SubmittedAnswer(label), settings, swapped=swapped).label == label


def test_a_missing_word_and_a_whole_sentence_can_be_shown() -> None:
    missing = show(NewCase("c", "He sat mat .", 2, 2), Settings("p"), swapped=False)
    assert missing[1:5] == ("He sat", "", "mat .", True)
    whole = show(NewCase("c", "He sat mat .", before="So ."), Settings("p"), swapped=False)
    assert whole == Shown("So .", "He sat mat .", "", "", has_target=False)


def test_known_answers_are_compared_without_regard_to_capitals() -> None:
    assert is_right(StoredAnswer("At"), ("in", "at")) is True
    assert is_right(StoredAnswer("on"), ("in", "at")) is False
    assert is_right(StoredAnswer("on"), ()) is None


def test_chances_are_spread_evenly_and_depend_on_the_secret() -> None:
    drawn = [chance("secret", rater, turn) for rater in range(50) for turn in range(100)]
    tenths = [sum(i / 10 <= x < (i + 1) / 10 for x in drawn) for i in range(10)]
    assert sum(tenths) == 5000
    assert all(400 <= count <= 600 for count in tenths)  # 500 expected, standard deviation 21
    assert chance("secret", 1, 2) != chance("other", 1, 2)
