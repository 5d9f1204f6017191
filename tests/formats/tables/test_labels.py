"""Labels: what users map to ours, and the advice where a label is none of them."""

from __future__ import annotations

import pytest

from jurybox.errors import UsageError
from jurybox.formats.tables._labels import LabelNumbers
from jurybox.shared_options import pairs_of_meanings

DECISIONS = ("error", "ok")


def advice(
    *words: str, given: dict[str, str] | None = None, decisions: bool = False
) -> tuple[int | None, str]:
    """Line and message of the error for a column of these labels."""
    labels = LabelNumbers(given, DECISIONS) if decisions else LabelNumbers(given)
    labels.numbers(words, range(2, 2 + len(words)))
    error = labels.refuse("d.csv", more=0)
    return error.line, error.message


@pytest.mark.parametrize("word", ["unknown", "UNKNOWN", "?"])
def test_a_decision_that_decides_nothing_is_to_be_left_out_and_never_remapped(word: str) -> None:
    line, message = advice("ok", word, given={"?": "unknown"}, decisions=True)
    assert (line, message) == (
        3,
        f"label '{word}' is not one of error, ok; leave the row out and say with --missing what "
        "the case counts as",
    )


def test_unknown_is_in_no_advice_where_other_labels_are_strange_too() -> None:
    _, message = advice("Yes", "unknown", "No", decisions=True)
    assert message.endswith("--relabel Yes=error,No=ok")


@pytest.mark.parametrize("word", ["ok", "Error", "unknown"])
def test_our_own_words_keep_their_meaning(word: str) -> None:
    meaning = "error" if word != "Error" else "ok"
    with pytest.raises(UsageError, match=f"--relabel {word}={meaning}: {word} keeps its meaning"):
        LabelNumbers({word: meaning})
    assert LabelNumbers({word: word.lower()})[word] == LabelNumbers()[word]


def test_capital_letters_are_no_second_word_in_the_advice() -> None:
    _, message = advice("Yes", "YES", "no", "No")
    assert message.endswith("say what they mean, for example --relabel Yes=error,no=ok")


def test_one_word_with_two_meanings_is_refused_whatever_its_capitals() -> None:
    with pytest.raises(UsageError, match="--relabel yes=error: 'yes' means ok already"):
        LabelNumbers({"Yes": "ok", "yes": "error"})
    assert LabelNumbers({"Yes": "ok", "yes": "OK"})["YES"] == 1


def test_an_empty_label_is_to_be_filled_in_or_left_out() -> None:
    filled = "no label; it must be one of error, ok"
    assert advice("", decisions=True)[1] == (
        f"{filled}: fill it in, or leave the row out and say with --missing what the case counts as"
    )
    assert advice("")[1] == f"{filled}, unknown: fill it in, or leave the row out"
    assert advice("bad", " ")[1].endswith("--relabel bad=error")


def test_advice_keeps_what_is_mapped_and_takes_the_meaning_that_is_left() -> None:
    assert advice("No", "Yes", given={"No": "error"})[1].endswith("--relabel No=error,Yes=ok")
    assert advice("x", given={"y": "ok", "z": "error"})[1].endswith(
        "--relabel y=ok,z=error,x=unknown"
    )


@pytest.mark.parametrize(
    ("given", "pairs"),
    [
        ("No, never=error,Yes=ok", {"No, never": "error", "Yes": "ok"}),
        ("a=b=ok", {"a=b": "ok"}),
        ("p=1, q=2=Error,c=unknown", {"p=1, q=2": "Error", "c": "unknown"}),
        ("Yes=good,No=error", {"Yes": "good", "No": "error"}),
        ("Yes=eror,No=ok", {"Yes": "eror", "No": "ok"}),
    ],
)
def test_a_label_may_hold_commas_and_equals_signs(given: str, pairs: dict[str, str]) -> None:
    assert pairs_of_meanings([given], "--relabel") == pairs


@pytest.mark.parametrize("cell", ["TRUE", "false"])
def test_gold_that_says_whether_is_told_that_it_says_which(cell: str) -> None:
    with pytest.raises(ValueError, match="gold holds the label that is right, and is empty"):
        LabelNumbers().read_gold(cell)
    with pytest.raises(ValueError, match=r"right; if it is a label, .* --relabel Yes=ok"):
        LabelNumbers().read_gold("Yes")
