"""ARPA files: what is written is read back, what others write is read, damage is told."""

from __future__ import annotations

import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.detect.ngrams import arpa
from jurybox.detect.ngrams.arpa import read_arpa, write_arpa
from jurybox.detect.ngrams.model import NgramModel
from jurybox.detect.ngrams.training import train_lm_on
from jurybox.errors import FormatError, InputError, JuryboxWarning
from jurybox.formats import Input

TEXT = ["the cat sat on the mat", "the dog sat on the cat", "a dog ran", "naïve “the” 猫"]

#: as SRILM writes: n-grams sorted another way, weights left out, -99 for what is never asked
SMALL = r"""
\data\
ngram 1=5
ngram 2=3
ngram 3=1

\1-grams:
-1.0	</s>
-99	<s>	-0.5
-2.0	<unk>
-0.7	cat	-0.3
-0.6	a	-0.2

\2-grams:
-0.1	cat </s>
-0.2	a cat	-0.05
-0.4	<s> a

\3-grams:
-0.01	<s> a cat

\end\
"""


@pytest.fixture(scope="module")
def model() -> NgramModel:
    return train_lm_on(TEXT, fallback_discounts=(0.5, 1, 1.5))


def test_a_file_has_a_line_for_every_n_gram_order_by_order() -> None:
    out = StringIO()
    arpa.write(train_lm_on(["a", "a"], order=2, fallback_discounts=(0.5, 1, 1.5)), out)
    lines = [
        *("\\data\\", "ngram 1=4", "ngram 2=2", ""),
        *("\\1-grams:", "-0.7781513\t<unk>\t0.0", "0.0\t<s>\t-0.30103"),
        *("-0.38021123\t</s>\t0.0", "-0.38021123\ta\t-0.30103", ""),
        *("\\2-grams:", "-0.14976232\t<s> a", "-0.14976232\ta </s>", "", "\\end\\"),
    ]
    assert out.getvalue().splitlines() == lines


def read(text: str) -> NgramModel:
    return read_arpa(Input.from_text(text, "lm.arpa"))


def assert_same(ours: NgramModel, theirs: NgramModel) -> None:
    assert ours.vocabulary.words == theirs.vocabulary.words
    for one, other in zip(ours.orders, theirs.orders, strict=True):
        for left, right in zip(one, other, strict=True):
            np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("name", ["lm.arpa", "lm.arpa.gz", "lm.arpa.xz"])
def test_what_is_written_is_read_back_to_the_last_bit(
    model: NgramModel, tmp_path: Path, name: str
) -> None:
    write_arpa(model, tmp_path / name)
    assert_same(model, read_arpa(tmp_path / name))
    assert [path.name for path in tmp_path.iterdir()] == [name]


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=5), min_size=1, max_size=8))
def test_any_model_survives_the_way_through_a_file(text: list[list[str]]) -> None:
    made = train_lm_on(text, order=3, fallback_discounts=(0.5, 1, 1.5))
    out = StringIO()
    arpa.write(made, out)
    assert_same(made, read(out.getvalue()))


def test_scores_of_another_tools_file_follow_the_rule_of_the_format() -> None:
    scores = read(SMALL).score(["a cat", "cat a", "zebra cat"])
    # p(a|<s>), p(cat|<s> a), then </s>: "a cat </s>" is missing: weight of "a cat" + p(</s>|cat)
    assert scores.of(0) == pytest.approx([-0.4, -0.01, -0.05 - 0.1])
    # <s> cat is missing; cat a is missing, <s> cat is no context; a </s> is missing
    assert scores.of(1) == pytest.approx([-0.5 - 0.7, -0.3 - 0.6, -0.2 - 1.0])
    assert scores.of(2) == pytest.approx([-0.5 - 2.0, -0.7, -0.1])
    assert scores.unknown_words == 1


def test_line_ends_of_another_system_change_nothing() -> None:
    assert_same(read(SMALL), read(SMALL.replace("\n", "\r\n")))


def test_a_byte_order_mark_changes_nothing() -> None:
    assert_same(read(SMALL.strip()), read("\ufeff" + SMALL.strip()))


def test_a_pipe_is_read_to_its_end_and_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(SMALL.encode())))
    assert read_arpa("-").about.sha256 == (Input.from_text(SMALL).sha256,)


def test_a_sentence_does_not_go_on_after_its_end_whatever_the_file_says() -> None:
    odd = SMALL.replace("-0.1	cat </s>", "-0.1	</s> <s>	-5")
    together = read(odd).score(["a", "a"])
    np.testing.assert_array_equal(together.of(0), together.of(1))


def test_a_word_that_is_not_utf8_is_told_with_its_line() -> None:
    source = Input.from_text("", "lm.arpa")
    source._data = SMALL.encode().replace(b"-0.6\ta", b"-0.6\t\xef")
    with pytest.raises(FormatError, match=r"lm\.arpa:12: the word .* is not UTF-8"):
        read_arpa(source)


def test_a_file_without_unk_gives_unknown_words_what_kenlm_gives_them() -> None:
    text = SMALL.replace("-2.0	<unk>\n", "").replace("ngram 1=5", "ngram 1=4")
    with pytest.warns(JuryboxWarning, match=r"lm\.arpa: has no '<unk>'"):
        model = read(text)
    assert model.score(["zebra"]).of(0)[0] == pytest.approx(-100.5)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("\\data\\", "S this is M2", r"lm\.arpa:2: is not an ARPA file"),
        ("ngram 2=3", "ngram 3=3", r"lm\.arpa:4: expected 'ngram 2=…'"),
        ("ngram 2=3", "ngram 2=x", r"lm\.arpa:4: expected 'ngram 2=…'"),
        ("ngram 2=3", "ngram 2=4", r"lm\.arpa:18: the 2-grams end here, before there are 4"),
        ("ngram 2=3", "ngram 2=2", r"lm\.arpa:17: expected '\\3-grams:' here"),
        ("ngram 3=1", "ngram 3=2", r"lm\.arpa:21: the 3-grams end here, before there are 2"),
        (
            "-0.7	cat	-0.3",
            "-0.7	dog	-0.3",
            r"lm\.arpa:15: 'cat' is not among the 1-grams",
        ),
        ("-0.7	cat	-0.3", "-0.7	a	-0.3", r"lm\.arpa:12: this word was given before"),
        ("-0.7	cat	-0.3", "-0.7x	cat	-0.3", r"lm\.arpa:11: expected a number, 1 words"),
        ("-0.7	cat	-0.3", "-0.7	cat	z", r"lm\.arpa:11: expected a number"),
        ("-0.7	cat	-0.3", "0.7	cat	-0.3", r"lm\.arpa:11: a log10 probability must be"),
        ("-0.7	cat	-0.3", "nan	cat	-0.3", r"lm\.arpa:11: a log10 probability must be"),
        ("-0.7	cat	-0.3", "-0.7	cat	inf", r"lm\.arpa:11: a log10 probability must be"),
        ("-0.7	cat	-0.3", "-0.7", r"lm\.arpa:11: expected a number and 1 words here"),
        ("-99	<s>	-0.5", "-99	<S>	-0.5", r"the 1-grams have no '<s>'"),
        ("-0.4	<s> a", "-0.2	a cat", r"lm\.arpa:17: this n-gram was given before"),
        (
            "-0.4	<s> a",
            "-0.2	a a",
            r"lm\.arpa:20: the first 2 words are not among the 2-grams",
        ),
        ("<s> a cat\n", "<s> a cat	-0.1\n", r"lm\.arpa:20: expected a number and 3 words"),
        ("\n\\end\\\n", "", r"lm\.arpa:21: the file ends here: it is cut off"),
        ("\\end\\", "\\4-grams:", r"lm\.arpa:22: expected '\\end\\' here"),
        ("\\end\\", "\\end\\\n\n\\data\\", r"lm\.arpa:24: there is more after"),
    ],
)
def test_damage_is_told_with_file_and_line(old: str, new: str, told: str) -> None:
    assert old in SMALL
    with pytest.raises(FormatError, match=told):
        read(SMALL.replace(old, new))


def test_a_compressed_file_that_is_cut_off_is_told(model: NgramModel, tmp_path: Path) -> None:
    path = tmp_path / "lm.arpa.gz"
    write_arpa(model, path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FormatError, match="broken or cut off"):
        read_arpa(path)


@pytest.mark.filterwarnings("ignore:lm.arpa. has no '<unk>'")
@given(st.data())
def test_any_damage_gives_a_model_or_one_of_our_errors(data: st.DataObject) -> None:
    lines = SMALL.strip().split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = data.draw(st.sampled_from(lines) | st.text("\\-0123.\t agn<s>/cat", max_size=12))
    try:
        found = read("\n".join(lines))
    except InputError:
        return
    assert np.isfinite(found.score(["a cat"]).totals).all()


def test_empty_input_is_told() -> None:
    with pytest.raises(FormatError, match=r"lm\.arpa:1: the file ends here"):
        read("")
