"""NUCLE / CoNLL SGML: reading, writing, onto tokens and back."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, JuryboxWarning, LengthError
from jurybox.formats import Input, open_panel
from jurybox.formats.edits import m2, sgml
from jurybox.formats.edits.sgml import Document, Mistake, Paragraph
from jurybox.model import Annotation, Edit, Sentence

ESSAY = """<DOC nid="7">
<TEXT>
<TITLE>
On genes
</TITLE>
<P>
It are known. We knows it.
</P>
</TEXT>
<ANNOTATION teacher_id="8">
<MISTAKE start_par="1" start_off="3" end_par="1" end_off="6">
<TYPE>SVA</TYPE>
<CORRECTION>is</CORRECTION>
<COMMENT>easy</COMMENT>
</MISTAKE>
</ANNOTATION>
</DOC>

"""


def read(text: str) -> list[Document]:
    return list(sgml.read(Input.from_text(text, name="essays.sgml")))


def written(documents: list[Document]) -> str:
    out = io.StringIO()
    sgml.write(documents, out)
    return out.getvalue()


def edits_of(
    text: str, start: int, end: int, correction: str, tokens: list[str] | None = None
) -> list[tuple[int, int, int, str]]:
    """(sentence, start, end, replacement) of one mistake in one paragraph."""
    document = Document(
        "1", (Paragraph(text),), ("8",), (Mistake(0, start, 0, end, "X", correction, teacher="8"),)
    )
    given = None if tokens is None else [Sentence(tuple(each.split())) for each in tokens]
    return [
        (number, edit.start, edit.end, edit.replacement)
        for number, sentence in enumerate(sgml.to_sentences([document], given))
        for edit in sentence.annotations[0].edits
    ]


def test_documents_paragraphs_and_mistakes_are_read() -> None:
    assert read(ESSAY) == [
        Document(
            "7",
            (Paragraph("On genes", title=True), Paragraph("It are known. We knows it.")),
            ("8",),
            (Mistake(1, 3, 1, 6, "SVA", "is", "easy", "8"),),
        )
    ]


def test_canonical_file_is_written_as_it_was() -> None:
    assert written(read(ESSAY * 2)) == ESSAY * 2


def test_what_can_be_understood_is_understood() -> None:
    loose = (
        ESSAY.replace("<P>\n", "<p>")
        .replace("\n</P>", "</p>")
        .replace('nid="7"', "nid=7")
        .replace('start_par="1"', "start_par='1'")
        .replace("<TEXT>\n", "<TEXT> ")
    )
    assert read(loose) == read(ESSAY)


def test_text_that_looks_like_markup_is_text() -> None:
    text = "a < b & <b>c</b> &lt;P> &amp;lt; &#233; &#xD800; &unknown;"
    (document,) = read(f'<DOC nid="1">\n<TEXT>\n<P>\n{text}\n</P>\n</TEXT>\n</DOC>\n')
    expected = "a < b & <b>c</b> <P> &lt; é &#xD800; &unknown;"
    assert document.paragraphs[0].text == expected
    assert read(written([document])) == [document]


def bad(text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (' nid="7"', "", 1, "<DOC> without nid"),
        (' nid="7"', ' nid="7" lang="en"', 1, "<DOC> with 'lang', which has no meaning here"),
        (' nid="7"', ' nid="7', 1, "which has no meaning here"),
        ('start_off="3"', 'start_off="x"', 11, "start_off 'x' is not a whole number"),
        ('start_off="3" ', "", 11, "<MISTAKE> without start_off"),
        ('start_off="3"', 'start_off="9"', 11, "span 1:9 to 1:6 ends before it starts"),
        ('end_off="6"', 'end_off="99"', 11, "offset 99 is outside paragraph 1, which has 26 char"),
        ('_par="1"', '_par="2"', 11, "paragraph 2 does not exist; the document has 2"),
        ("<TYPE>SVA</TYPE>\n", "", 11, "<MISTAKE> without <TYPE>"),
        ("<CORRECTION>is</CORRECTION>\n", "", 11, "<MISTAKE> without <CORRECTION>"),
        ("<TYPE>", "<TYPE>X</TYPE><TYPE>", 11, "<MISTAKE> with two <TYPE>; keep one"),
        ("<TITLE>\n", "stray\n<TITLE>\n", 3, "text 'stray' has no place in <TEXT>"),
        ("</P>\n", "", 8, "</TEXT> comes before </P> (opened in line 6)"),
        ("</DOC>\n", "", 1, "<DOC> is opened here and never closed"),
        ("<P>\n", "", 6, "text 'It are known. We kno' has no place in <TEXT>"),
        ("<TEXT>\n", "<TEXT>\n<TYPE>\n", 3, "<TYPE> inside <TEXT>"),
    ],
)
def test_malformed_line_is_named(old: str, new: str, line: int, message: str) -> None:
    error = bad(ESSAY.replace(old, new))
    assert message in str(error)
    assert str(error).startswith(f"essays.sgml:{line}: ")


def test_further_malformed_lines_are_counted() -> None:
    broken = ESSAY.replace('start_off="3"', 'start_off="x"')
    assert bad(broken * 3).more == 2


def test_good_documents_before_a_bad_one_arrive() -> None:
    documents = sgml.read(Input.from_text(ESSAY + ESSAY.replace(' nid="7"', "")))
    assert next(documents).nid == "7"
    with pytest.raises(FormatError):
        next(documents)


def test_file_without_documents_says_so() -> None:
    assert "holds no document" in str(bad("\n\n"))
    assert "essays.sgml:1: text 'hello' has no place in the file" in str(bad("hello\n"))


def test_sentences_carry_document_paragraph_and_teacher() -> None:
    title, first, second = sgml.to_sentences(read(ESSAY))
    assert [s.paragraph for s in (title, first, second)] == [0, 1, 1]
    assert {s.document for s in (title, first, second)} == {"7"}
    assert title.annotations == second.annotations == (Annotation("8"),)
    assert first.annotations == (Annotation("8", (Edit(1, 2, "is", "SVA", comment="easy"),)),)


def test_document_without_annotation_has_no_candidates() -> None:
    (sentence,) = sgml.to_sentences([Document("1", (Paragraph("Hello."),))])
    assert sentence.annotations == ()


def test_part_of_a_token_grows_to_the_whole_token() -> None:
    assert edits_of("We knows it.", 7, 8, "") == [(0, 1, 2, "know")]
    assert edits_of("time,they go.", 4, 9, ". They") == [(0, 0, 1, "time . They")]


def test_tokens_on_both_sides_are_cut_off() -> None:
    assert edits_of("However it is.", 0, 7, "However,") == [(0, 1, 1, ",")]
    assert edits_of("the old days .", 0, 12, "the good old days") == [(0, 1, 1, "good")]
    assert edits_of("He can't go.", 3, 8, "cannot") == [(0, 1, 3, "can not")]


def test_blanks_around_a_mistake_do_not_matter() -> None:
    assert edits_of("It are so.", 2, 7, " is ") == [(0, 1, 2, "is")]


def test_deletion_is_an_empty_replacement() -> None:
    assert edits_of("the the cat.", 4, 8, "") == [(0, 1, 2, "")]


def test_insertion_stands_between_tokens() -> None:
    assert edits_of("It is.", 3, 3, "really ") == [(0, 1, 1, "really")]
    assert edits_of("It is. Yes.", 6, 6, " So.") == [(0, 3, 3, "So .")]
    assert edits_of("Itis so.", 2, 2, " ") == [(0, 0, 1, "It is")]


def test_old_end_of_paragraph_offset_is_drawn_back() -> None:
    assert edits_of("It are", 3, 7, "is") == [(0, 1, 2, "is")]


def test_given_tokens_decide_sentences_and_edits() -> None:
    tokens = ["It are so .", "We know ."]
    assert edits_of("It are so. We know.", 14, 18, "knew", tokens) == [(1, 1, 2, "knew")]


def test_treebank_quotes_and_brackets_are_found_in_the_text() -> None:
    tokens = ["`` It '' -LRB- are -RRB- ."]
    assert edits_of('"It" (are).', 6, 9, "is", tokens) == [(0, 4, 5, "is")]


@pytest.mark.parametrize(
    ("text", "start", "end", "correction", "reason"),
    [
        ("It is. We go.", 5, 9, ", we", "joins two sentences"),
        ("It is. We go.", 5, 7, ",", "joins two sentences"),
        ("It is.", 3, 5, "is", "changes nothing"),
        ("It is.", 3, 3, " ", "changes nothing"),
        ("", 0, 0, "x", "in a paragraph without text"),
    ],
)
def test_what_no_sentence_can_hold_is_reported(
    text: str, start: int, end: int, correction: str, reason: str
) -> None:
    mistake = Mistake(0, start, 0, end, "X", correction, teacher="8", line=12)
    document = Document("1", (Paragraph(text),), ("8",), (mistake, mistake), path="e.sgml")
    unused: list[str] = []
    list(sgml.to_sentences([document], unused=unused))
    assert [each.startswith("e.sgml:12: ") and reason in each for each in unused] == [True, True]
    with pytest.warns(JuryboxWarning, match=r"e\.sgml:12: .*left out \(and 1 more such mistakes\)"):
        list(sgml.to_sentences([document]))


def test_mistake_across_paragraphs_is_reported() -> None:
    mistake = Mistake(0, 1, 1, 1, "X", "y", teacher="8")
    document = Document("1", (Paragraph("ab"), Paragraph("cd")), ("8",), (mistake,))
    unused: list[str] = []
    list(sgml.to_sentences([document], unused=unused))
    assert ["crosses paragraphs" in each for each in unused] == [True]


def test_tokens_of_other_text_are_refused() -> None:
    document = Document("1", (Paragraph("It is.", line=5),), path="e.sgml")
    with pytest.raises(FormatError, match=r"e\.sgml:5: token 'was' of sentence 1 is not what sta"):
        list(sgml.to_sentences([document], [Sentence(("It", "was"))]))
    with pytest.raises(LengthError, match=r"e\.sgml:5: the tokens end after 1 sentences, before"):
        list(sgml.to_sentences([document], [Sentence(("It",))]))
    more = [Sentence(("It", "is", ".")), Sentence(("So",))]
    with pytest.raises(LengthError, match="sentence 2 has no text"):
        list(sgml.to_sentences([document], more))


def test_panel_lays_sgml_onto_tokens_and_takes_documents_from_it() -> None:
    essay = Input.from_text(ESSAY, name="T8.sgml")
    tokens = Input.from_text(
        "S On genes\n\nS It are known .\n\nS We knows it .\n", name="tokens.m2"
    )
    panel = open_panel(essay, tokens=tokens)
    assert [len(s.annotations[0].edits) for s in panel] == [0, 1, 0]
    assert panel.annotators == ("8",)
    both = list(open_panel([essay, tokens], tokens=tokens))
    assert [a.annotator for a in both[1].annotations] == ["T8", "tokens"]
    placed = list(open_panel(tokens, documents=essay))
    assert [(s.document, s.paragraph) for s in placed] == [("7", 0), ("7", 1), ("7", 1)]


def test_several_teachers_are_several_annotators() -> None:
    document = Document(
        "1",
        (Paragraph("It are."),),
        ("9", "8"),
        (Mistake(0, 3, 0, 6, "X", "is", teacher="9"),),
    )
    assert read(written([document])) == [document]
    (sentence,) = sgml.to_sentences([document])
    assert sentence.annotations == (Annotation("8"), Annotation("9", (Edit(1, 2, "is", "X"),)))
    assert sgml.read_annotators(Input.from_text(written([document]))) == ["8", "9"]


def test_sentences_become_documents_and_come_back() -> None:
    text = (
        "S It are known .\nA 1 2|||SVA|||is||was|||REQUIRED|||note|||0\n"
        "A 4 4|||Mec|||!|||REQUIRED|||-NONE-|||0\nA 0 0|||X|||So ,|||REQUIRED|||-NONE-|||0\n\n"
        "S We knows .\nA 1 2|||SVA||||||REQUIRED|||-NONE-|||0\n\n"
    )
    sentences = [Sentence(s.tokens, s.annotations, "d", 0) for s in m2.read(Input.from_text(text))]
    (document,) = sgml.from_sentences(sentences)
    assert document.paragraphs == (Paragraph("It are known . We knows ."),)
    assert read(written([document])) == [document]
    assert list(sgml.to_sentences([document], sentences)) == sentences


def test_sentences_without_paragraph_get_one_each() -> None:
    sentences = [Sentence(("a",), (Annotation("0"),)), Sentence(("b",), (Annotation("0"),))]
    (document,) = sgml.from_sentences(sentences)
    assert [paragraph.text for paragraph in document.paragraphs] == ["a", "b"]
    assert document.nid == "1"


def test_documents_are_told_apart_by_their_id() -> None:
    sentences = [Sentence(("a",), document=name) for name in ("x", "x", "y")]
    assert [len(d.paragraphs) for d in sgml.from_sentences(sentences)] == [2, 1]


def test_what_sgml_cannot_hold_is_counted() -> None:
    seen = Sentence(("a",), (Annotation("0"), Annotation("1")))
    with pytest.warns(JuryboxWarning, match="which 1 sentences do"):
        list(sgml.from_sentences([seen, Sentence(("b",), (Annotation("0"),))]))


words = st.text(alphabet='ab<>&;"#lt/P é\r\n', max_size=8)
names = words.filter(lambda name: bool(name.strip()))


@st.composite
def essays(draw: st.DrawFn) -> Document:
    texts = draw(st.lists(words, min_size=1, max_size=3))
    paragraphs = tuple(Paragraph(text, draw(st.booleans())) for text in texts)
    teachers = tuple(draw(st.lists(names, unique=True, max_size=2)))
    mistakes = []
    for teacher in teachers:
        for _ in range(draw(st.integers(0, 2))):
            number = draw(st.integers(0, len(texts) - 1))
            start = draw(st.integers(0, len(texts[number])))
            end = draw(st.integers(start, len(texts[number])))
            kind, comment = draw(words).strip(), draw(st.none() | words)
            mistakes.append(
                Mistake(number, start, number, end, kind, draw(words), comment, teacher)
            )
    return Document(draw(names), paragraphs, teachers, tuple(mistakes))


@given(st.lists(essays(), min_size=1, max_size=2))
def test_any_documents_survive_writing_and_reading(documents: list[Document]) -> None:
    assert read(written(documents)) == documents


@given(essays())
def test_any_document_can_be_laid_onto_our_own_tokens(document: Document) -> None:
    unused: list[str] = []
    sentences = list(sgml.to_sentences([document], unused=unused))
    kept = sum(len(a.edits) for s in sentences for a in s.annotations)
    assert kept + len(unused) == len(document.mistakes)
    for sentence in sentences:
        for annotation in sentence.annotations:
            for edit in annotation.edits:
                assert 0 <= edit.start <= edit.end <= len(sentence.tokens)
