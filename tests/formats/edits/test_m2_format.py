"""The M2 reader and writer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
from jurybox.errors import FormatError, InputError, JuryboxWarning
from jurybox.formats import Input
from jurybox.formats.edits import m2
from jurybox.model import Annotation, Counts, Edit, Sentence

GOOD = "S The cat sat at mat .\nA 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0\n\n"


def read(text: str) -> list[Sentence]:
    return list(m2.read(Input.from_text(text, name="gold.m2")))


def written(sentences: list[Sentence], **options: m2.Noop) -> str:
    out = io.StringIO()
    m2.write(sentences, out, **options)
    return out.getvalue()


def complaint(text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(text)
    return caught.value


def edit_line(span: str = "3 4", kind: str = "Prep", correction: str = "on", who: str = "0") -> str:
    return f"A {span}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{who}"


def test_candidates_are_those_with_a_line() -> None:
    (sentence,) = read(f"S a b c d\n{edit_line(who='0')}\n{edit_line(who='2')}\n")
    assert [a.annotator for a in sentence.annotations] == ["0", "2"]


def test_noop_makes_a_candidate_without_edits() -> None:
    noop = edit_line("-1 -1", "noop", "-NONE-", "1")
    (sentence,) = read(f"S a b c d\n{edit_line()}\n{noop}\n")
    assert sentence.annotations[1] == Annotation("1", ())


def test_sentence_without_a_lines_has_candidate_zero() -> None:
    assert read("S a\n\nS b\n") == [
        Sentence(("a",), (Annotation("0"),)),
        Sentence(("b",), (Annotation("0"),)),
    ]


def test_annotators_are_ordered_by_number_then_by_appearance() -> None:
    lines = "\n".join(edit_line(who=who) for who in ("B", "10", "2", "A"))
    (sentence,) = read(f"S a b c d\n{lines}\n")
    assert [a.annotator for a in sentence.annotations] == ["2", "10", "B", "A"]


def test_edits_keep_file_order_also_when_annotators_alternate() -> None:
    lines = [edit_line("3 4", who="1"), edit_line("0 1"), edit_line("1 2", who="1")]
    (sentence,) = read("S a b c d\n" + "\n".join(lines))
    assert [edit.start for edit in sentence.annotations[1].edits] == [3, 1]


def test_fields_are_kept_raw() -> None:
    line = "A 0 1|||R:X|||the||a ||-NONE-|||OPTIONAL|||see p. 4|||7"
    (sentence,) = read(f"S a b\n{line}\n")
    assert sentence.annotations == (
        Annotation("7", (Edit(0, 1, "the||a ||-NONE-", "R:X", "OPTIONAL", "see p. 4"),)),
    )


def test_empty_correction_stays_empty_and_deletes() -> None:
    (sentence,) = read(f"S a b c d\n{edit_line(correction='')}\n")
    (edit,) = sentence.annotations[0].edits
    assert (edit.replacement, edit.alternatives) == ("", ("",))


def test_empty_sentence_is_a_sentence() -> None:
    assert [s.tokens for s in read("S \n\nS\n\nS a\n")] == [(), (), ("a",)]


def test_missing_blank_line_between_sentences_does_not_join_them() -> None:
    sentences = read(f"S a b c d\n{edit_line()}\nS e\n")
    assert [len(s.annotations[0].edits) for s in sentences] == [1, 0]


def test_crlf_and_blanks_on_blank_lines_change_nothing() -> None:
    assert read(GOOD.replace("\n", "\r\n").replace("\r\n\r\n", "\r\n \t\r\n")) == read(GOOD)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (edit_line("4 3"), "span 4-3 ends before it starts"),
        (edit_line("3 9"), "span 3-9 ends outside the sentence, which has 6 tokens"),
        (edit_line("x 4"), "offset 'x' is not a whole number"),
        (edit_line("3 4.5"), "offset '4.5' is not a whole number"),
        (edit_line("٣ 4"), "offset '٣' is not a whole number"),
        (edit_line("1_0 4"), "offset '1_0' is not a whole number"),
        (edit_line("3 " + "9" * 5000), "is not a whole number"),
        (edit_line("-1 2"), "is negative; only a noop"),
        (edit_line("-1 -1"), "is negative; only a noop"),
        (edit_line("3"), "does not give two offsets"),
        (edit_line("3 4 5"), "does not give two offsets"),
        ("A 3 4|||Prep|||on|||0", "has 4 of 6 fields"),
        (edit_line(who=" "), "the annotator's id is missing"),
        (edit_line("-1 -1", "noop", "on"), "a noop with a span or a correction"),
        (edit_line("3 4", "noop", "-NONE-"), "a noop with a span or a correction"),
        ("X marks the spot", "begins neither with 'S ' nor with 'A '"),
        ("Sentence", "begins neither with"),
    ],
)
def test_bad_line_is_named_with_file_and_line(line: str, message: str) -> None:
    error = complaint(f"{GOOD}S The cat sat at mat .\n{line}\n")
    assert error.line == 5
    assert str(error).startswith("gold.m2:5: ")
    assert message in str(error)


def test_a_line_before_any_s_line_is_an_error() -> None:
    assert "gold.m2:1: an A line without an S line" in str(complaint(f"{edit_line()}\n{GOOD}"))


def test_a_line_apart_from_its_sentence_is_an_error() -> None:
    assert complaint(f"S a b c d\n\n{edit_line()}\n").line == 3


def test_later_bad_lines_are_counted_and_good_sentences_before_arrive() -> None:
    text = GOOD + f"S a b c d\n{edit_line('4 3')}\n{edit_line('1 2')}\nrubbish\n\nS e\nA\n"
    sentences = m2.read(Input.from_text(text, name="gold.m2"))
    assert [next(sentences)] == read(GOOD)
    with pytest.raises(FormatError) as caught:
        next(sentences)
    assert (caught.value.line, caught.value.more) == (5, 2)
    assert "and 2 more bad lines in this file" in str(caught.value)


def test_undecodable_line_counts_among_the_bad_ones(tmp_path: Path) -> None:
    file = tmp_path / "gold.m2"
    file.write_bytes(b"S caf\xe9\n\nrubbish\n")
    with pytest.raises(FormatError, match="byte 5 of the file") as caught:
        list(m2.read(file))
    assert (caught.value.line, caught.value.more) == (1, 1)


def test_file_without_sentences_says_so() -> None:
    assert "holds no sentence" in str(complaint("\n \n"))


def test_annotator_ids_are_collected_in_rank_order() -> None:
    lines = "\n".join(edit_line(who=who) for who in ("b", "10", "9", "b"))
    assert m2.read_annotators(Input.from_text(f"S a b c d\n{lines}\n")) == ["9", "10", "b"]


def test_noop_is_written_where_needed_or_always() -> None:
    untouched = read("S a\n")
    assert written(untouched) == "S a\n\n"
    assert written(untouched, noop="always") == (
        "S a\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )
    other = [Sentence(("a",), (Annotation("1"),))]
    assert read(written(other)) == other


def test_what_m2_cannot_hold_is_refused() -> None:
    for edit in (
        Edit(0, 1, "a|||b"),
        Edit(0, 1, "a|"),
        Edit(0, 1, "a\nb"),
        Edit(0, 1, "x", type="noop\n"),
        Edit(0, 9, "a"),
        Edit(1, 0, "a"),
    ):
        with pytest.raises(InputError, match="sentence 1: M2 cannot hold"):
            written([Sentence(("a",), (Annotation("0", (edit,)),))])
    for tokens in (("a b",), ("",), ("a", "\n")):
        with pytest.raises(InputError, match="sentence 1: a token"):
            written([Sentence(tokens, (Annotation("0"),))])
    with pytest.raises(InputError, match="M2 cannot hold noop of annotator ' 1'"):
        written([Sentence(("a",), (Annotation(" 1"),))])


def test_lost_context_is_counted_in_a_warning() -> None:
    with pytest.warns(JuryboxWarning, match="those of 1 sentences were not written"):
        written([Sentence(("a",), (Annotation("0"),), document="d")])
    with pytest.warns(JuryboxWarning, match="1 sentences have no annotator"):
        written([Sentence(("a",))])


field = st.text(alphabet="ab |-\r\u2028é", max_size=5)
token = st.text(alphabet="abS|é\u200b", min_size=1, max_size=3)


@st.composite
def m2_texts(draw: st.DrawFn) -> str:
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        tokens = draw(st.lists(token, max_size=4))
        lines.append(" ".join(["S", *tokens]))
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(0, len(tokens)))
            end = draw(st.integers(start, len(tokens)))
            fields = [draw(field) for _ in range(4)]
            who = draw(st.sampled_from(["0", "1", "10", "x", "2"]))
            lines.append(f"A {start} {end}|||" + "|||".join([*fields, who]))
        if draw(st.booleans()):
            lines.append("")
    return "\n".join(lines) + "\n"


@given(m2_texts())
def test_reading_what_was_written_gives_the_same_sentences(text: str) -> None:
    sentences = read(text)
    assert read(written(sentences, noop="needed")) == sentences
    assert read(written(sentences, noop="always")) == sentences


CHERRANT = """S 我 喜 欢 书 ：
T0-A0 我 很 喜 欢 书 ：
A 1 1|||M|||很|||REQUIRED|||-NONE-|||0
T1 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 好 。
T0 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S ？ 了
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0
"""


def test_corrected_texts_of_cherrant_are_passed_by() -> None:
    """Zhang et al. (2022): T lines stand above the edits; type NA is no annotation."""
    for text in (CHERRANT, f"\ufeff{CHERRANT}\n\n".replace("\n", "\r\n")):
        first, second, third = read(text)
        assert first.tokens == tuple("我喜欢书：")
        assert first.annotations == (Annotation("0", (Edit(1, 1, "很", "M"),)), Annotation("1"))
        assert second.annotations == (Annotation("0"),)
        assert third.annotations == ()
    source = Input.from_text(CHERRANT)
    assert m2.read_annotators(source, unedited=True) == ["0", "1"]
    assert complaint("T0-A0 好\nS 好\n").line == 1


def test_a_second_alignment_counts_as_in_cherrants_scorer() -> None:
    again = "T0-A1 我 很 喜 欢 书 ：\nA 1 2|||S|||很 喜|||REQUIRED|||-NONE-|||0\n\nS 好 。"
    with pytest.warns(JuryboxWarning, match="1 corrected texts have a second alignment"):
        first, *_ = read(CHERRANT.replace("\nS 好 。", again, 1))
    assert len(first.annotations[0].edits) == 2


def test_a_sentence_that_cannot_be_annotated_does_not_count() -> None:
    gold = Input.from_text(CHERRANT, name="gold.m2")
    hypotheses = ["我 很 喜 欢 书 ：", "好 。", "什 么"]
    with pytest.warns(JuryboxWarning, match="1 of 3 sentences have no annotator and do not count"):
        scored = jb.score(hypotheses, gold, details=True)
    assert scored.systems[0].counts == Counts(tp=1)
    only = Input.from_text(CHERRANT.rpartition("\n\n")[2], name="gold.m2")
    with pytest.raises(FormatError, match="no sentence has an annotator"):
        jb.score(hypotheses[2:], only)


def test_full_width_marks_and_composed_letters_are_the_same_source() -> None:
    gold = Input.from_text("\n\n".join(CHERRANT.split("\n\n")[:2]), name="gold.m2")
    one = Input.from_text(
        "S 我 喜 欢 书 :\nA 1 1|||M|||很|||REQUIRED|||-NONE-|||0\n\nS 好 。\n", "h"
    )
    for metric in ("m2", "errant"):
        with pytest.warns(JuryboxWarning, match="different Unicode characters"):
            scored = jb.score(one, gold, metric=metric)
        assert scored.systems[0].counts == Counts(tp=1)


def test_cherrants_own_score(data_dir: Path) -> None:
    """The demo of ChERRANT (Zhang et al. 2022), by character: 8, 19, 35 and F0.5 .2649."""
    folder = data_dir / "formats"
    with pytest.warns(JuryboxWarning) as told:
        scored = jb.score(
            folder / "cherrant-hyp.m2.char", folder / "cherrant-ref.m2.char", metric="errant"
        )
    assert [str(one.message) for one in told if "Unicode" not in str(one.message)] == []
    assert scored.systems[0].counts == Counts(tp=8, fp=19, fn=35)
    assert round(scored.f, 4) == 0.2649


def test_ua_gec_is_read_with_its_types(data_dir: Path) -> None:
    """UA-GEC (Syvokon and Romanyshyn 2023): two annotators, types like G/Case."""
    panel = jb.read_panel(data_dir / "formats" / "ua-gec-excerpt.m2")
    assert (len(panel), panel.annotators) == (234, ("0", "1"))
    types = {edit.type for s in panel for a in s.annotations for edit in a.edits}
    assert {"Punctuation", "Spelling", "G/Case"} <= types
