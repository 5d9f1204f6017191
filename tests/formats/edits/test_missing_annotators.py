"""An annotator without a line in a sentence: same edits, no edit, or not looked at."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import UnknownNameError
from jurybox.formats import Input, open_panel, read_panel
from jurybox.formats.edits import m2
from jurybox.formats.edits.missing_annotators import (
    Implied,
    explain_gaps,
    fill,
    find_gaps,
    recognise,
)
from jurybox.model import Annotation, Edit, Panel, Sentence

EDIT = "A 0 1|||Nn|||{}|||REQUIRED|||-NONE-|||{}\n"
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}\n"
#: both edit; only 0 edits; nobody has a line; 0 has a noop line and 1 edits
COMBINED = (
    f"S a\n{EDIT.format('x', 0)}{EDIT.format('y', 1)}\nS b\n{EDIT.format('x', 0)}\nS c\n\n"
    f"S d\n{NOOP.format(0)}{EDIT.format('z', 1)}"
)


def corrections(panel: Panel) -> list[dict[str, list[str]]]:
    return [
        {one.annotator: [edit.replacement for edit in one.edits] for one in sentence.annotations}
        for sentence in panel
    ]


@pytest.mark.parametrize(
    ("rule", "second", "third"),
    [
        ("skipped", {"0": ["x"]}, {"0": []}),
        ("auto", {"0": ["x"]}, {"0": []}),
        ("none", {"0": ["x"], "1": []}, {"0": [], "1": []}),
        ("same", {"0": ["x"], "1": ["x"]}, {"0": [], "1": []}),
    ],
)
def test_each_rule_reads_the_missing_annotator_its_own_way(
    rule: str, second: dict[str, list[str]], third: dict[str, list[str]]
) -> None:
    read = read_panel(Input.from_text(COMBINED), missing_annotator=rule)
    first, last = {"0": ["x"], "1": ["y"]}, {"0": [], "1": ["z"]}
    assert corrections(read) == [first, second, third, last]
    assert read.annotators == ("0", "1")


def test_same_takes_the_edits_of_the_first_annotator_who_is_there() -> None:
    text = f"S a\n{EDIT.format('x', 0)}\nS b\n{EDIT.format('y', 2)}{EDIT.format('z', 1)}"
    read = read_panel(Input.from_text(text), missing_annotator="same")
    assert corrections(read)[1] == {"0": ["z"], "1": ["z"], "2": ["y"]}


@pytest.mark.parametrize("rule", ["same", "none"])
def test_a_sentence_without_lines_brings_in_nobody_who_has_no_line_anywhere(rule: str) -> None:
    text = f"S a\n{EDIT.format('x', 1)}{EDIT.format('y', 2)}\nS b\n"
    read = read_panel(Input.from_text(text), missing_annotator=rule)
    assert read.annotators == ("1", "2")
    assert corrections(read)[1] == {"1": [], "2": []}
    assert read_panel(Input.from_text(text)).annotators == ("0", "1", "2")  # M2 by the letter


@pytest.mark.parametrize("rule", ["same", "none"])
def test_a_file_without_any_line_is_unchanged_by_0(rule: str) -> None:
    read = read_panel(Input.from_text("S a\n\nS b\n"), missing_annotator=rule)
    assert corrections(read) == [{"0": []}] * 2


def test_files_of_a_panel_never_share_edits() -> None:
    other = Input.from_text(f"S a\n\nS b\n{EDIT.format('o', 0)}\nS c\n\nS d\n", name="other.m2")
    both = Input.from_text(COMBINED, name="both.m2")
    read = read_panel([other, both], missing_annotator="same")
    assert read.annotators == ("other", "both:0", "both:1")
    assert corrections(read)[1] == {"other": ["o"], "both:0": ["x"], "both:1": ["x"]}


def test_jsonl_is_read_by_the_same_rules() -> None:
    lines = (
        '{"text": "a", "annotations": [{"annotator": "A"}, {"annotator": "B"}]}\n'
        '{"text": "b", "annotations": [{"annotator": "B", "edits": '
        '[{"start": 0, "end": 1, "replacement": "x"}]}]}\n'
    )
    assert corrections(read_panel(Input.from_text(lines)))[1] == {"B": ["x"]}
    for rule, edits in (("none", []), ("same", ["x"])):
        read = read_panel(Input.from_text(lines), missing_annotator=rule)
        assert corrections(read)[1] == {"A": edits, "B": ["x"]}


def test_a_rule_that_is_unknown_is_refused_with_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'same'"):
        open_panel(Input.from_text("S a\n"), missing_annotator="sane")


def test_what_was_put_in_is_told_apart_from_what_was_read() -> None:
    read = read_panel(Input.from_text(COMBINED), missing_annotator="same")
    implied = [[isinstance(one, Implied) for one in s.annotations] for s in read]
    # by the letter of M2, annotator 0 left the third sentence unchanged
    assert implied == [[False, False], [False, True], [False, True], [False, False]]


def test_the_question_an_m2_file_leaves_open_is_asked_in_numbers() -> None:
    sentences = tuple(m2.read(Input.from_text(COMBINED)))
    gaps = find_gaps(sentences, ("0", "1"))
    assert (gaps.edited, gaps.unedited, gaps.noop) == ({"1": 1}, {"1": 1}, True)
    told = explain_gaps(gaps, "both.m2")
    assert told.startswith(
        "both.m2: annotator 1 is missing from 1 of 4 sentences where others have edits: M2 does "
        "not say whether they made the same edits, made none, or did not look; annotator 1 is "
        "missing from 1 of 4 sentences where nobody has an edit"
    )
    assert "--missing-annotator same or none" in told
    assert "noop lines" in told


def test_a_complete_file_leaves_nothing_open() -> None:
    text = f"S a\n{EDIT.format('x', 0)}{NOOP.format(1)}"
    assert not find_gaps(tuple(m2.read(Input.from_text(text))), ("0", "1"))


def sentences_of(annotators: Sequence[str]) -> st.SearchStrategy[Sentence]:
    edits = st.sampled_from([(), (Edit(0, 1, "x"),), (Edit(0, 1, "y"),)])
    given_by = st.dictionaries(st.sampled_from(annotators), edits)
    return given_by.map(
        lambda by: Sentence(("a",), tuple(Annotation(w, by[w]) for w in annotators if w in by))
    )


@given(sentences_of(("0", "1", "2")), st.sampled_from(["same", "none"]))
def test_filling_completes_a_sentence_and_changes_no_line(sentence: Sentence, rule: str) -> None:
    filled = fill(sentence, ("0", "1", "2"), rule)
    assert [one.annotator for one in filled.annotations] == ["0", "1", "2"]
    assert set(sentence.annotations) <= set(filled.annotations)
    assert fill(filled, ("0", "1", "2"), rule) is filled
    first = sentence.annotations[0].edits if sentence.annotations and rule == "same" else ()
    assert all(one.edits == first for one in filled.annotations if isinstance(one, Implied))


@given(sentences_of(("0", "1")))
def test_dropping_equal_edits_is_undone_by_same(sentence: Sentence) -> None:
    complete = fill(sentence, ("0", "1"), "none")
    first, second = complete.annotations
    dropped = complete._replace(
        annotations=(first,) if second.edits == first.edits else (first, second)
    )
    assert fill(dropped, ("0", "1"), "same") == complete


# --- the files of CoNLL-2014 ---


@pytest.fixture(scope="module")
def conll14(data_dir: Path) -> Path:
    return data_dir / "conll14"


def spans(annotation: Annotation) -> list[tuple[int, int, str]]:
    return [(edit.start, edit.end, edit.replacement) for edit in annotation.edits]


def test_combined_is_its_two_single_files_but_for_15_types(conll14: Path) -> None:
    combined = read_panel(conll14 / "official-2014.combined.m2", missing_annotator="auto")
    single = read_panel([conll14 / f"official-2014.{number}.m2" for number in (0, 1)])
    other_types = 0
    for ours, theirs in zip(combined, single, strict=True):
        for one, other in zip(ours.annotations, theirs.annotations, strict=True):
            assert spans(one) == spans(other)
            other_types += one.edits != other.edits
            assert one.edits == other.edits or isinstance(one, Implied)
    assert other_types == 15
    implied = [one for s in combined for one in s.annotations if isinstance(one, Implied)]
    with_edits = sum(bool(one.edits) for one in implied)
    assert (with_edits, len(implied) - with_edits) == (88, 136)


def test_a_compressed_copy_is_recognised_and_a_changed_one_is_not(
    conll14: Path, tmp_path: Path
) -> None:
    content = (conll14 / "official-2014.combined.m2").read_bytes()
    packed, changed = tmp_path / "c.m2.gz", tmp_path / "c.m2"
    packed.write_bytes(gzip.compress(content))
    changed.write_bytes(content + b"\n")
    known = recognise(Input(packed))
    assert known is not None
    assert (known.name, known.rule) == ("official-2014.combined.m2", "same")
    assert recognise(Input(changed)) is None


def test_the_file_with_alternatives_is_known_not_to_number_persons(conll14: Path) -> None:
    file = conll14 / "official-2014.combined-withalt.m2"
    known = recognise(Input(file))
    assert known is not None
    assert (known.rule, "not the same person" in known.caution) == ("skipped", True)
    # what the caution says: 1 is somebody else than annotator 1 in 42 sentences
    second = read_panel([conll14 / "official-2014.0.m2", conll14 / "official-2014.1.m2"])
    strangers = 0
    for ours, theirs in zip(read_panel(file), second, strict=True):
        for one in ours.annotations:
            strangers += one.annotator == "1" and spans(one) != spans(theirs.annotations[1])
    assert strangers == 42
