"""Constructions in files: words and types of edits of other languages, in TOML."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

import jurybox as jb
from calling import Call
from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input
from jurybox.jury.cases import CONSTRUCTIONS as NAMES
from jurybox.jury.cases.constructions import (
    CONSTRUCTIONS,
    find_constructions,
    find_places,
    read_constructions,
)

UKRAINIAN = """\
[preposition-uk]
words = "в у на з до від й"
types = ["G/Prep"]

[comma]
like = "comma"
types = "Punctuation"
"""
GOLD = """\
S Вона їде У Львів , на море
A 2 3|||G/Prep|||до|||REQUIRED|||-NONE-|||0
A 4 5|||Punctuation||||||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "uk.toml"
    place.write_text(UKRAINIAN, "utf-8")
    return place


def read(text: str) -> dict[str, object]:
    return dict(read_constructions(Input.from_text(text, "uk.toml"), CONSTRUCTIONS))


def test_ours_are_written_like_those_of_users() -> None:
    assert set(CONSTRUCTIONS) == set(NAMES)
    assert len(CONSTRUCTIONS["preposition"].words) == 35  # 34, and towards
    assert CONSTRUCTIONS["missing-article"].words == CONSTRUCTIONS["article"].words
    assert all(one.file is None for one in CONSTRUCTIONS.values())


def test_words_of_another_language_are_cases(file: Path) -> None:
    derived = jb.derive_cases(Input.from_text(GOLD), str(file))
    assert [(case.written, case.construction) for case in derived.case_set.cases] == [
        ("У", "preposition-uk"),
        (",", "comma"),
        ("на", "preposition-uk"),
    ]
    assert derived.error_rate == pytest.approx(2 / 3)
    assert "one of 7 words (в, від, до, з, й, на, у)" in derived.description.enumeration
    assert "an edit of type G/Prep covers" in derived.description.error_rule


def test_words_match_in_every_unicode_form(file: Path) -> None:
    (one,) = find_constructions(f"{file}:preposition-uk", {"G/Prep"})
    decomposed = unicodedata.normalize("NFD", "Й")
    assert [place.start for place in find_places(one, ["так", decomposed])] == [1]


def test_the_signature_has_name_and_content(file: Path) -> None:
    derived = jb.derive_cases(Input.from_text(GOLD), f"{file}:comma")
    digest = Input(file).sha256
    assert f"construction:comma@{digest[:8]}" in derived.signature
    assert str(file) in [one.name for one in derived.inputs]
    file.write_text(UKRAINIAN.replace("Punctuation", "PUNCT"), "utf-8")
    with pytest.warns(jb.JuryboxWarning, match="no annotator has an edit of type PUNCT"):
        other = jb.derive_cases(Input.from_text(GOLD), f"{file}:comma")
    assert other.signature != derived.signature


def test_the_same_construction_by_file_and_by_name_gives_the_same_cases(tmp_path: Path) -> None:
    """Constructions of files are values like our own."""
    text = "S I sat in at home , and to go .\nA 3 4|||Prep||||||REQUIRED|||-NONE-|||0\n"
    copy = tmp_path / "copy.toml"
    copy.write_text("[preposition]\nlike = 'preposition'\n")
    ours = jb.derive_cases(Input.from_text(text), "preposition", tagger="words")
    theirs = jb.derive_cases(Input.from_text(text), str(copy), tagger="words")
    assert ours.case_set.cases == theirs.case_set.cases
    assert ours.judgments == theirs.judgments


def test_missing_words_and_their_trivial_positions() -> None:
    found = read_constructions(
        Input.from_text(
            "[missing-comma-zh]\nwords = '，'\nmissing = true\n"
            "trivial = ['beside-punctuation', 'end']\n"
        ),
        CONSTRUCTIONS,
    )
    one = found["missing-comma-zh"]
    places = find_places(one, ["我", "来", "，", "你", "去", "。"])
    assert [place.start for place in places if not place.trivial] == [0, 1, 4]
    assert one.trivial_rule == "beside a punctuation mark and at the end of the sentence"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("words = ['в']\n", 1, "words: is no construction; write it below"),
        ("[p]\nword = ['в']\n", 2, "p.word: there is no such key; did you mean 'words'"),
        ("[p]\nwords = 3\n", 2, "p.words: must be a list of texts"),
        ("[p]\nwords = []\n", 2, "p.words: is empty"),
        ("[p]\nwords = ['під час']\n", 2, "p.words: 'під час' is no single word"),
        ("[p]\nmissing = 'yes'\nwords = 'в'\n", 2, "p.missing: must be true or false"),
        ("[p]\nmissing = true\n", 2, "p.missing: needs the words"),
        (
            "[p]\nlike = 'prepositoin'\n",
            2,
            "is called .*did you mean 'preposition'",
        ),
        (
            "[p]\nwords='в'\nmissing=true\ntrivial=['ends']\n",
            4,
            "no rule 'ends'; did you mean 'end'",
        ),
        ("[p]\nwords = 'в'\ntrivial = ['end']\n", 3, "p.trivial: goes with missing"),
        ("['a b']\nwords = 'в'\n", 1, "no name for a construction"),
        ("[p\n", 1, "is not TOML"),
    ],
)
def test_a_bad_file_is_an_error_with_line_key_and_remedy(
    text: str, line: int, message: str
) -> None:
    with pytest.raises(FormatError, match=f"uk.toml:{line}: .*{message}"):
        read(text)


def test_a_file_without_constructions_and_names_it_lacks(file: Path) -> None:
    with pytest.raises(FormatError, match="holds no construction"):
        read("# nothing\n")
    with pytest.raises(jb.JuryboxError, match="did you mean 'comma'"):
        find_constructions(f"{file}:coma", {"Punctuation"})
    with pytest.raises(InputError, match="no such file"):
        find_constructions("nowhere/uk.toml", {"Punctuation"})
    file.write_text("[a]\nwords = 'в'\n[b]\nwords = 'в на'\n", "utf-8")
    with pytest.raises(UsageError, match=r"FILE.toml:NAME takes one"):
        find_constructions(str(file), ())


def test_ukrainian_commas_of_ua_gec(data_dir: Path, file: Path, call: Call) -> None:
    """UA-GEC (Syvokon and Romanyshyn 2023): commas by type Punctuation."""
    gold = data_dir / "formats" / "ua-gec-excerpt.m2"
    code, out, said = call("cases", "derive", gold, "--construction", f"{file}:comma")
    assert code == 0, said
    derived = jb.derive_cases(gold, f"{file}:comma")
    commas = sum(token == "," for sentence in jb.read_panel(gold) for token in sentence.tokens)
    assert derived.n == commas
    assert 0 < derived.error_rate < 0.2
    assert "comma@" in out


def test_a_missing_word_has_the_name_that_the_user_gives_it() -> None:
    text = '[fehlendes-Komma]\nwords = [","]\nmissing = true\ntrivial = ["beside-own"]\n'
    (one,) = read_constructions(Input.from_text(text, "de.toml"), CONSTRUCTIONS).values()
    assert one.noun == "one of its words"
    assert one.trivial_rule == "right before or after one of its words"


def test_german_commas_that_labels_call_wrong(data_dir: Path, tmp_path: Path) -> None:
    """A label says that the token itself is wrong, and not what would be right."""
    file = tmp_path / "de.toml"
    file.write_text('[Komma]\nwords = [","]\nmust-change = true\n', "utf-8")
    derived = jb.derive_cases(data_dir / "formats" / "multiged-german.tsv", str(file))
    assert derived.n == 171
    assert derived.error_rate * derived.n == pytest.approx(28)
