"""One file or several as one panel."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from jurybox.errors import FormatError, InputError, LengthError
from jurybox.formats import Input, open_panel, read_panel
from jurybox.formats.edits import jsonl
from jurybox.model import Annotation, Edit, Sentence


def edit(correction: str, who: str = "0") -> str:
    return f"A 0 1|||X|||{correction}|||REQUIRED|||-NONE-|||{who}\n"


def m2_file(name: str, *blocks: str) -> Input:
    return Input.from_text("\n".join(blocks), name=name)


def candidates(sentence: Sentence) -> dict[str, list[str]]:
    return {a.annotator: [e.replacement for e in a.edits] for a in sentence.annotations}


def test_one_file_is_taken_as_it_is() -> None:
    panel = open_panel(m2_file("g.m2", "S a\n" + edit("x", "1"), "S b\n", "S c\n" + edit("y", "0")))
    assert [candidates(s) for s in panel] == [{"1": ["x"]}, {"0": []}, {"0": ["y"]}]
    assert panel.annotators == ("0", "1")
    assert panel.name == "g"


def test_annotators_are_known_so_far_and_complete_at_the_end() -> None:
    panel = open_panel(m2_file("g", "S a\n" + edit("x", "3"), "S b\n" + edit("y", "1")))
    sentences = iter(panel)
    next(sentences)
    assert list(panel.annotators) == ["3"]
    next(sentences)
    assert list(panel.annotators) == ["1", "3"]


def test_single_annotator_files_are_candidates_everywhere() -> None:
    panel = open_panel(
        [
            m2_file("x/A2.m2", "S a\n" + edit("x", "5"), "S b\n"),
            m2_file("x/A1.m2", "S a\n", "S b\n"),
        ]
    )
    assert panel.annotators == ("A2", "A1")
    assert [candidates(s) for s in panel] == [{"A2": ["x"], "A1": []}, {"A2": [], "A1": []}]


def test_files_with_several_annotators_keep_their_own_rule() -> None:
    both = "S a\n" + edit("x", "1") + edit("y", "0")
    panel = open_panel(
        [
            m2_file("gold.m2", both, "S b\n" + edit("z", "1"), "S c\n"),
            m2_file("A1.m2", "S a\n", "S b\n", "S c\n" + edit("w")),
        ]
    )
    assert [candidates(s) for s in panel] == [
        {"gold:0": ["y"], "gold:1": ["x"], "A1": []},
        {"gold:1": ["z"], "A1": []},
        {"gold:0": [], "A1": ["w"]},
    ]
    assert panel.annotators == ("gold:0", "gold:1", "A1")


def test_bare_sentence_adds_annotator_zero_before_the_others_of_its_file() -> None:
    gold = m2_file("gold", "S a\n" + edit("x", "1") + edit("y", "2"), "S b\n")
    panel = read_panel([gold, m2_file("A1", "S a\n", "S b\n")])
    assert candidates(panel.sentences[1]) == {"gold:0": [], "A1": []}
    assert panel.annotators == ("gold:0", "gold:1", "gold:2", "A1")


def test_jsonl_candidates_are_those_it_lists() -> None:
    lines = [
        '{"text": "a", "annotations": [{"annotator": "B"}]}',
        '{"text": "b", "annotations": [{"annotator": "A"}, {"annotator": "B"}]}',
        '{"text": "c"}',
    ]
    panel = open_panel(Input.from_lines(lines))
    assert [list(candidates(s)) for s in panel] == [["B"], ["A", "B"], []]
    assert panel.annotators == ("A", "B")
    one = Input.from_lines([lines[0], lines[2].replace("c", "b")], name="J")
    other = m2_file("M", "S a\n", "S b\n")
    assert [list(candidates(s)) for s in open_panel([one, other])] == [["J", "M"], ["M"]]


def test_numbered_annotators_are_in_number_order_whatever_the_file_says() -> None:
    line = '{"text": "a", "annotations": [{"annotator": "1"}, {"annotator": "0"}]}'
    panel = read_panel(Input.from_lines([line]))
    assert list(candidates(panel.sentences[0])) == list(panel.annotators) == ["0", "1"]


def test_files_with_the_same_name_are_told_apart() -> None:
    def names(*paths: str) -> tuple[str, ...]:
        return open_panel([m2_file(path, "S a\n") for path in paths]).annotators

    assert names("x/A1.m2", "y/A1.m2", "A2.m2") == ("x/A1", "y/A1", "A2")
    assert names("x/A1.m2", "x/A1.m2") == ("x/A1", "x/A1#2")
    assert names("A1.m2", "A1.m2.gz", "A1") == ("A1", "A1#2", "A1#3")


def test_different_source_names_both_files_line_and_token() -> None:
    files = [
        m2_file("A1.m2", "S a b\n", "S c d\n"),
        m2_file("A2.m2", "S a b\n" + edit("x"), "S c e\n"),
    ]
    with pytest.raises(
        FormatError,
        match=r"A2\.m2:4: sentence 2 differs from A1\.m2:3: token 1 \(from 0\) is 'e', there",
    ):
        list(open_panel(files))
    files[1] = m2_file("A2.m2", "S a b c\n", "S c d\n")
    with pytest.raises(FormatError, match=r"A2\.m2:1: .* it has 3 tokens, there 2"):
        list(open_panel(files))


def test_different_length_names_the_longer_file_and_the_lonely_sentence() -> None:
    files = [m2_file("A1.m2", "S a\n"), m2_file("A2.m2", "S a\n", "S b\n")]
    with pytest.raises(
        LengthError, match=r"A2\.m2 is longer than A1\.m2: its sentence 2 \(A2\.m2:3\) has no par"
    ):
        list(open_panel(files))


def test_plain_text_is_no_panel_and_unknown_formats_get_a_hint() -> None:
    with pytest.raises(FormatError, match=r"hyp\.txt:1: is plain text, but a panel needs edits"):
        open_panel(Input.from_text("Just text .\n", name="hyp.txt"))
    with pytest.raises(InputError, match="unknown panel format 'm3'; did you mean 'm2'"):
        open_panel(m2_file("g", "S a\n"), format="m3")
    with pytest.raises(InputError, match="at least one file"):
        open_panel([])


def test_what_begins_like_a_panel_is_judged_as_one() -> None:
    assert len(read_panel(Input.from_text("S a\n"))) == 1
    with pytest.raises(FormatError, match="p:1: not JSON"):
        read_panel(Input.from_text("{tokens: 1}\n", name="p"))
    with pytest.raises(FormatError, match="p:1: text '<essay>' has no place"):
        read_panel(Input.from_text("<essay>\n", name="p"))


def test_format_can_be_forced() -> None:
    with pytest.raises(FormatError, match="p:1: 'plain' begins neither"):
        read_panel(Input.from_text("plain\n", name="p"), format="m2")


def test_paths_can_be_iterated_again(tmp_path: Path) -> None:
    file = tmp_path / "gold.m2"
    file.write_text("S a\n\nS b\n", encoding="utf-8")
    panel = open_panel(file)
    assert list(panel) == list(panel)
    assert panel.inputs[0].name == str(file)


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(data))


def test_standard_input_alone_streams_once_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(b"S a\n\nS b\n"))
    panel = open_panel("-")
    assert len(list(panel)) == 2
    with pytest.raises(InputError, match="<stdin>: can be read only once"):
        list(panel)


def test_standard_input_can_be_one_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(("S a\n" + edit("x")).encode()))
    panel = open_panel(["-", m2_file("A1", "S a\n")])
    assert [candidates(s) for s in panel] == [{"stdin": ["x"], "A1": []}]


def test_document_map_goes_with_the_panel() -> None:
    gold = m2_file("gold", "S a\n", "S b\n")
    for documents in (["d", "e"], Input.from_text("d\ne\n")):
        assert [s.document for s in open_panel(gold, documents=documents)] == ["d", "e"]
    with pytest.raises(LengthError, match="map is shorter than gold: sentence 2 has no document"):
        list(open_panel(gold, documents=Input.from_text("d\n", name="map")))
    with pytest.raises(LengthError, match="documents is longer than gold: its entry 3 has no sent"):
        list(open_panel(gold, documents=["d", "e", "f"]))


def test_documents_of_one_file_serve_the_others() -> None:
    out = io.StringIO()
    jsonl.write([Sentence(("a",), (Annotation("x", (Edit(0, 1, "b"),)),), "d", 3)], out)
    files = [m2_file("A1", "S a\n"), Input.from_text(out.getvalue(), name="A2")]
    (sentence,) = open_panel(files)
    assert (sentence.document, sentence.paragraph) == ("d", 3)
    assert candidates(sentence) == {"A1": [], "A2": ["b"]}
