"""Panels in memory: documents selected, who looked at what, what is said where that is unclear."""

from __future__ import annotations

import warnings

import pytest

from jurybox.counting.panels import load_panel, need_two
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.model import Annotation, Edit, Panel, Sentence

EDIT = "A 0 1|||Nn|||b|||REQUIRED|||-NONE-|||"
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||"


def two_files(sentences: int = 4, edited_by_second: tuple[int, ...] = (0,)) -> list[Input]:
    """The first annotator edits every sentence, the second only some."""
    first = "\n".join(f"S a {k} .\n{EDIT}0\n" for k in range(sentences))
    second = "\n".join(
        f"S a {k} .\n" + (f"{EDIT}0\n" if k in edited_by_second else "") for k in range(sentences)
    )
    return [Input.from_text(first, name="one.m2"), Input.from_text(second, name="two.m2")]


def candidates(panel: Panel) -> list[list[str]]:
    return [[annotation.annotator for annotation in sentence.annotations] for sentence in panel]


def test_without_a_map_every_file_is_a_candidate_everywhere() -> None:
    loaded = load_panel(two_files())
    assert candidates(loaded.panel) == [["one", "two"]] * 4
    assert (loaded.numbers, loaded.total) == ((1, 2, 3, 4), 4)


def test_a_coverage_map_takes_away_who_skipped() -> None:
    coverage = Input.from_text("annotator,sentences\none,all\ntwo,1-2\n", name="map.csv")
    loaded = load_panel(two_files(), coverage=coverage)
    assert candidates(loaded.panel) == [["one", "two"]] * 2 + [["one"]] * 2
    assert [given.name for given in loaded.inputs] == ["one.m2", "two.m2", "map.csv"]


def test_a_dict_is_a_coverage_map_too() -> None:
    loaded = load_panel(two_files(), coverage={"one": "all", "two": "1"})
    assert candidates(loaded.panel) == [["one", "two"]] + [["one"]] * 3
    loaded = load_panel(
        two_files(), documents=["x", "x", "y", "y"], coverage={"one": "all", "two": "x"}
    )
    assert candidates(loaded.panel) == [["one", "two"]] * 2 + [["one"]] * 2


def test_sentences_nobody_looked_at_are_counted_and_told() -> None:
    with pytest.warns(JuryboxWarning, match="nobody looked at 1 of 4 sentences"):
        loaded = load_panel(two_files(edited_by_second=())[1:], coverage={"0": "1-3"})
    assert loaded.numbers == (1, 2, 3)
    assert candidates(loaded.panel) == [["0"]] * 3


def test_one_file_with_absent_annotators_says_so_and_takes_the_users_word() -> None:
    text = f"S a .\n{EDIT}0\n{NOOP}1\n\nS b .\n{EDIT}0\n"
    open_question = r"1 is missing from 1 of 2 sentences where others have edits.*--missing-annot"
    with pytest.warns(JuryboxWarning, match=open_question):
        loaded = load_panel(Input.from_text(text))
    assert candidates(loaded.panel) == [["0", "1"], ["0"]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rule in ("none", "same"):
            loaded = load_panel(Input.from_text(text), missing_annotator=rule)
            assert candidates(loaded.panel) == [["0", "1"], ["0", "1"]]
            assert loaded.signed["missing"] == rule
        loaded = load_panel(Input.from_text(text), missing_annotator="skipped")
    assert candidates(loaded.panel) == [["0", "1"], ["0"]]
    assert loaded.signed["missing"] is None


def edits_of(panel: Panel, annotator: str) -> list[int | None]:
    """How many edits an annotator has in each sentence; None where they did not look."""
    found = [{one.annotator: len(one.edits) for one in sentence.annotations} for sentence in panel]
    return [each.get(annotator) for each in found]


def test_coverage_says_who_looked_and_the_rule_what_those_did() -> None:
    text = f"S a .\n{EDIT}0\n{EDIT}1\n\nS b .\n{EDIT}0\n\nS c .\n{EDIT}0\n"
    seen = {"0": "all", "1": "1-2"}
    with pytest.warns(JuryboxWarning, match=r"1 of 3 .*--coverage says that they looked"):
        loaded = load_panel(Input.from_text(text), coverage=seen)
    assert edits_of(loaded.panel, "1") == [1, 0, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same = load_panel(Input.from_text(text), coverage=seen, missing_annotator="same")
        none = load_panel(Input.from_text(text), coverage=seen, missing_annotator="none")
    assert edits_of(same.panel, "1") == [1, 1, None]
    assert edits_of(none.panel, "1") == [1, 0, None]


def test_a_map_that_denies_an_edit_of_the_file_is_an_error_under_every_rule() -> None:
    text = f"S a .\n{EDIT}0\n\nS b .\n{EDIT}1\n"
    with pytest.raises(InputError, match="says that 1 skipped sentence 2"):
        load_panel(Input.from_text(text), coverage={"0": "all", "1": "1"}, missing_annotator="same")


def test_skipped_and_a_coverage_map_contradict_each_other() -> None:
    with pytest.raises(UsageError, match="leave one of them out"):
        load_panel(two_files(), coverage="all", missing_annotator="skipped")


def test_a_rule_for_a_panel_in_memory_is_refused() -> None:
    panel = Panel((Sentence(("a",), (Annotation("A", (Edit(0, 1, "b"),)),)),), ("A", "B"))
    with pytest.raises(InputError, match="missing_annotator='same' to read_panel"):
        load_panel(panel, missing_annotator="same")


def test_one_annotator_whose_number_is_not_0_stays_alone() -> None:
    loaded = load_panel(Input.from_text(f"S a .\n{EDIT}3\n\nS b .\n"))
    assert loaded.panel.annotators == ("3",)
    assert edits_of(loaded.panel, "3") == [1, 0]


def test_a_silent_document_among_busy_ones_is_pointed_at() -> None:
    documents = ["x"] * 6 + ["y"] * 6
    with pytest.warns(JuryboxWarning, match=r"two has no edit in 1 documents .*\(y\)"):
        load_panel(two_files(12, tuple(range(6))), documents=documents)


def test_documents_are_selected_after_the_map_is_settled() -> None:
    loaded = load_panel(
        two_files(), documents=["x", "x", "y", "y"], select="y", coverage={"one": "all", "two": "1"}
    )
    assert loaded.numbers == (3, 4)
    assert candidates(loaded.panel) == [["one"]] * 2
    assert loaded.kept("abcd") == ["c", "d"]


def test_a_selection_without_boundaries_asks_for_them() -> None:
    with pytest.raises(InputError, match=r"--documents 1-2 needs to know where documents begin"):
        load_panel(two_files(), select="1-2")


def test_one_annotator_is_told_why_two_are_needed() -> None:
    alone = Panel((Sentence(("a",), (Annotation("A", (Edit(0, 1, "b"),)),)),), ("A",))
    with pytest.raises(InputError, match=r"one annotator \(A\).*at least two are needed"):
        need_two(alone)


def test_an_empty_panel_is_an_error() -> None:
    with pytest.raises(InputError, match="no sentences"):
        load_panel(Panel((), ("A", "B")))
