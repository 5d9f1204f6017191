"""What raters are shown and may answer."""

from __future__ import annotations

import pytest

from jurybox.errors import InputError
from jurybox.model import NOTHING
from jurybox.serve.answers import Said, chance, check, is_right, show
from jurybox.serve.model import Given, NewCase, Settings, Shown, Task

TRAINED = Settings("study", Task.TRAINED)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Given("extraneous"), Said("error", NOTHING)),
        (
            Given("wrong", (" on  top of ", "", "over", "over")),
            Said("error", "on top of", ("over",)),
        ),
        (Given("correct", confidence="high"), Said("ok", confidence=1.0)),
        (Given("equal", ("on",), "low"), Said("ok", alternatives=("on",), confidence=0.0)),
        (Given("", context=("grammar", "spelling")), Said("unknown", context="spelling grammar")),
        (Given("correct", comment=" a\r\nb "), Said("ok", comment="a\nb")),
    ],
)
def test_the_trained_raters_form_becomes_labels_and_words(given: Given, said: Said) -> None:
    assert check(given, TRAINED, swapped=False) == said


@pytest.mark.parametrize(
    ("settings", "given", "advice"),
    [
        (TRAINED, Given("wrong"), "write the best word"),
        (TRAINED, Given("equal", (" ",)), "write the others that are as good"),
        (TRAINED, Given(""), "or say what spoils the context"),
        (TRAINED, Given("correct", confidence="very"), "low or high"),
        (TRAINED, Given("correct", context=("rain",)), "spelling, determiner, grammar"),
        (TRAINED, Given("wrong", (NOTHING,)), "is no word"),
        (TRAINED, Given("wrong", ("x" * 201,)), "too long"),
        (TRAINED, Given("correct", comment="x" * 2001), "keep the comment under 2000"),
        (TRAINED, Given("correct", comment="\0"), "cannot be stored"),
        (Settings("s"), Given("Error"), "choose one of the answers"),
        (Settings("s", Task.CLOZE), Given("  "), "fill in the blank"),
        (Settings("s", Task.CLOZE), Given("\ud800"), "cannot be stored"),
        (Settings("s", Task.CLOZE, fillers=("in",)), Given("at"), "from the list"),
        (Settings("s", Task.CHOICE), Given("first"), "choose one of the answers"),
    ],
)
def test_what_a_form_should_not_send_is_refused_in_words_for_a_rater(
    settings: Settings, given: Given, advice: str
) -> None:
    with pytest.raises(InputError, match=advice):
        check(given, settings, swapped=False)


@pytest.mark.parametrize("swapped", [False, True])
def test_places_on_the_screen_become_the_words_that_stood_there(swapped: bool) -> None:
    settings = Settings("s", Task.CHOICE)
    said = [check(Given(label), settings, swapped=swapped).label for label in ("left", "right")]
    assert said == (["second", "first"] if swapped else ["first", "second"])
    for label in ("equal", "bad"):
        assert check(Given(label), settings, swapped=swapped).label == label


def test_a_missing_word_and_a_whole_sentence_can_be_shown() -> None:
    missing = show(NewCase("c", "He sat mat .", 2, 2), Task.JUDGE, swapped=False)
    assert missing[1:5] == ("He sat", "", "mat .", True)
    whole = show(NewCase("c", "He sat mat .", before="So ."), Task.JUDGE, swapped=False)
    assert whole == Shown("So .", "He sat mat .", "", "", has_target=False)


def test_known_answers_are_compared_without_regard_to_capitals() -> None:
    assert is_right(Said("At"), ("in", "at")) is True
    assert is_right(Said("on"), ("in", "at")) is False
    assert is_right(Said("on"), ()) is None


def test_chances_are_spread_evenly_and_depend_on_the_secret() -> None:
    drawn = [chance("secret", rater, turn) for rater in range(50) for turn in range(100)]
    tenths = [sum(i / 10 <= x < (i + 1) / 10 for x in drawn) for i in range(10)]
    assert sum(tenths) == 5000
    assert all(400 <= count <= 600 for count in tenths)  # 500 expected, standard deviation 21
    assert chance("secret", 1, 2) != chance("other", 1, 2)
