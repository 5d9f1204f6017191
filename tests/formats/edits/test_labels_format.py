"""Labels of tokens, c or i, as MultiGED-2023 writes them."""

from __future__ import annotations

import io
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
from calling import Call
from jurybox.errors import FormatError, InputError, JuryboxWarning, UsageError
from jurybox.formats import Input, detect
from jurybox.formats.edits import labels
from jurybox.model import Annotation, Counts, Edit, Sentence

#: the example of MultiGED-2023's own page, reference and hypothesis
REFERENCE = "I\tc\nsaws\ti\nthe\tc\nshow\tc\nlast\tc\nnigt\ti\n.\tc\n\n"
HYPOTHESIS = "I\tc\nsaws\ti\nthe\tc\nshow\ti\nlast\tc\nnigt\tc\n.\tc\n\n"


def read(text: str) -> list[Sentence]:
    return list(labels.read(Input.from_text(text, name="gold.tsv")))


def wrong(sentence: Sentence) -> list[str]:
    return [sentence.tokens[edit.start] for edit in sentence.annotations[0].edits]


def written(sentences: list[Sentence]) -> str:
    out = io.StringIO()
    labels.write(sentences, out)
    return out.getvalue()


def test_a_wrong_token_is_an_edit_that_says_nothing_of_what_is_right() -> None:
    (sentence,) = read(REFERENCE)
    assert sentence.tokens == ("I", "saws", "the", "show", "last", "nigt", ".")
    assert sentence.annotations == (
        Annotation("0", (Edit(1, 2, "saws", "UNK"), Edit(5, 6, "nigt", "UNK"))),
    )


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffJe\tc\r\nsuis\ti\r\n\r\nOui\tc\r\n",
        "\n\n\nJe\tc\nsuis\ti\n\n \n\nOui\tc",
        "# sent_id = 1\nJe\tC\nsuis\tI\n\n# sent_id = 2\nOui\tc \n\n\n",
        "1\tJe\tc\n2\tsuis\ti\n\n1\tOui\tc\n",
        "Token\tLabel\nJe\tc\nsuis\ti\n\nOui\tc\n",
        "Je\tc\t\nsuis\ti \t\r\n\nOui\tc\t\n",
    ],
    ids=["BOM and CRLF", "blank lines", "comments and capitals", "numbers", "titles", "blanks"],
)
def test_what_may_stand_around_tokens(text: str) -> None:
    assert detect(Input.from_text(text)) == "labels"
    first, second = read(text)
    assert (first.tokens, wrong(first)) == (("Je", "suis"), ["suis"])
    assert (second.tokens, wrong(second)) == (("Oui",), [])


def test_tokens_are_composed_and_quotes_are_not_escaped() -> None:
    decomposed = unicodedata.normalize("NFD", 'Černý\ti\n\\"\tc\n#\tc\n„\tc\n')
    (sentence,) = read(decomposed)
    assert sentence.tokens == ("Černý", '"', "#", "„")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Ja\tc\nnein\tx\nso\ty\n", 2, "label 'x' is neither c .* 1 more bad line"),
        ("Ja\tc\nnein\n", 2, "no label in 'nein'"),
        ("Ja\tc\na\tb\tc\td\n", 2, "4 columns"),
        ("Ja\tc\n\tc\n", 2, "no token in"),
        ("Ja\tc\nToken\tLabel\n", 2, "label 'Label' is neither"),
        ("Ja\tc\n\n-DOCSTART-\tc\n\nnein\tc\n", 3, "documents before have no -DOCSTART-"),
    ],
)
def test_a_bad_line_is_named_with_what_to_write(text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError, match=f"gold.tsv:{line}: .*{message}"):
        read(text)


def test_a_line_docstart_begins_a_document() -> None:
    text = "-DOCSTART- -X- O O\n\nJe\tc\n\nsuis\ti\n-DOCSTART-\tc\nOui\tc\n"
    assert detect(Input.from_text(text)) == "labels"
    assert [(one.text, one.document) for one in read(text)] == [
        ("Je", "1"),
        ("suis", "1"),
        ("Oui", "2"),
    ]


def test_a_test_file_without_labels_is_told_so() -> None:
    text = "Je\t\nsuis\t\n\nOui\t\n"
    assert detect(Input.from_text(text)) == "labels"
    with pytest.raises(FormatError, match=r"gold.tsv:1: no label in 'Je\t'.* 2 more bad lines"):
        read(text)


def test_a_file_without_tokens_is_refused() -> None:
    with pytest.raises(FormatError, match="holds no token"):
        read("\n\n# nothing\n")


def test_text_with_tabs_is_no_labels() -> None:
    assert detect(Input.from_text("He said\tso .\nAnd\tc\nthen\tnothing .\n")) == "text"


word = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1).map(
    lambda text: unicodedata.normalize("NFC", text).replace("\\", "/")
)


@given(st.lists(st.lists(st.tuples(word, st.booleans()), min_size=1), min_size=1))
def test_what_is_written_reads_back(sentences: list[list[tuple[str, bool]]]) -> None:
    given_sentences = []
    for pairs in sentences:
        edits = tuple(Edit(n, n + 1, token) for n, (token, bad) in enumerate(pairs) if bad)
        tokens = tuple(token for token, _ in pairs)
        given_sentences.append(Sentence(tokens, (Annotation("0", edits),)))
    assert read(written(given_sentences)) == given_sentences


def test_edits_mark_what_they_cover_and_insertions_the_token_on_their_right() -> None:
    edits = (Edit(0, 2, "x"), Edit(3, 3, "the"), Edit(5, 5, "!"))
    sentence = Sentence(tuple("abcde"), (Annotation("0", edits),))
    with pytest.warns(JuryboxWarning, match="1 insertion at the end"):
        text = written([sentence])
    assert text == "a\ti\nb\ti\nc\tc\nd\ti\ne\tc\n\n"


def test_labels_are_those_of_one_annotator() -> None:
    with pytest.raises(InputError, match="several annotators"):
        written([Sentence(("a",), (Annotation("0"), Annotation("1")))])


def test_detection_is_scored_as_in_multiged(tmp_path: Path) -> None:
    """MultiGED-2023, Evaluation: one token of the example is found, one wrongly, one missed."""
    (tmp_path / "ref.tsv").write_text(REFERENCE, "utf-8")
    (tmp_path / "hyp.tsv").write_text(HYPOTHESIS, "utf-8")
    scored = jb.score(tmp_path / "hyp.tsv", tmp_path / "ref.tsv", metric="errant", level="token")
    (system,) = scored.systems
    assert system.counts == Counts(tp=1, fp=1, fn=1)
    assert (system.precision, system.recall, system.f) == (0.5, 0.5, 0.5)
    assert not scored.warnings
    with pytest.raises(UsageError, match="--metric errant --level token"):
        jb.score(tmp_path / "hyp.tsv", tmp_path / "ref.tsv")


def test_labels_are_cases_with_a_judge_and_a_system_that_decides(tmp_path: Path) -> None:
    (tmp_path / "ref.tsv").write_text(REFERENCE, "utf-8")
    (tmp_path / "hyp.tsv").write_text(HYPOTHESIS, "utf-8")
    derived = jb.derive_cases(tmp_path / "ref.tsv", "token", {"mine": tmp_path / "hyp.tsv"})
    assert derived.n == 7
    assert derived.error_rate == pytest.approx(2 / 7)
    assert list(derived.decisions["mine"].label) == [0, 1, 0, 1, 0, 0, 0]


def test_several_files_are_several_annotators(tmp_path: Path) -> None:
    (tmp_path / "A.tsv").write_text(REFERENCE, "utf-8")
    (tmp_path / "B.tsv").write_text(HYPOTHESIS, "utf-8")
    panel = jb.read_panel([tmp_path / "A.tsv", tmp_path / "B.tsv"])
    assert panel.annotators == ("A", "B")
    assert [len(one.edits) for one in panel[0].annotations] == [2, 2]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("czech", (88, 1413, 221)), ("german", (133, 2368, 316))],
)
def test_multiged_files_are_read_and_written_as_they_are(
    data_dir: Path, tmp_path: Path, call: Call, name: str, sizes: tuple[int, int, int]
) -> None:
    file = data_dir / "formats" / f"multiged-{name}.tsv"
    panel = jb.read_panel(file)
    tokens = sum(len(sentence.tokens) for sentence in panel)
    assert (len(panel), tokens, sum(len(wrong(sentence)) for sentence in panel)) == sizes
    code, _, said = call("convert", file, tmp_path / "copy.labels")
    assert code == 0, said
    assert (tmp_path / "copy.labels").read_text("utf-8").strip() == file.read_text("utf-8").strip()
