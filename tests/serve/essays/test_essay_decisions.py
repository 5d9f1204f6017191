"""Differing corrections as they are shown and ticked."""

from __future__ import annotations

import pytest

from jurybox.errors import InputError
from jurybox.serve.essays import paragraphs_of, write_edits
from jurybox.serve.essays.decisions import (
    MOST_OWN,
    Ticked,
    Writing,
    add_written,
    begin_writing,
    edits_of,
    first_ticked,
    mark_of,
    parts_of,
    pieces_of,
    read_ticked,
)
from jurybox.serve.model import (
    AdjudicatorDecision,
    ContestedCase,
    EssayCorrection,
    Judgment,
    Shown,
)
from jurybox.serve.settings import Task
from serve.made_contests import ESSAY, GOES, RAINS, WENT


def case_of(
    *given: tuple[EssayCorrection, ...],
    flagged: int | None = None,
    decision: tuple[EssayCorrection, ...] | None = None,
) -> ContestedCase:
    judgments = tuple(
        Judgment("ABC"[place], "error", edits=edits, is_flagged=place == flagged)
        for place, edits in enumerate(given)
    )
    made = (
        None if decision is None else AdjudicatorDecision("error", "", (), decision, "", "bea", 1.0)
    )
    shown = Shown("", "", "", "", has_target=False, essay=paragraphs_of(ESSAY))
    return ContestedCase(1, Task.CORRECT, shown, False, judgments, made)


def test_what_everybody_who_is_trusted_made_is_ticked() -> None:
    case = case_of((GOES, RAINS), (RAINS, WENT))
    assert edits_of(case, first_ticked(case)) == (RAINS,)
    case = case_of((GOES, RAINS), (GOES, RAINS), (), flagged=2)
    assert edits_of(case, first_ticked(case)) == (GOES, RAINS)
    assert all(part.is_agreed for part in parts_of(case, first_ticked(case)))


def test_nothing_is_ticked_where_nobody_is_trusted() -> None:
    case = case_of((GOES,), flagged=0)
    assert edits_of(case, first_ticked(case)) == ()


def test_a_decision_is_ticked_with_the_adjudicators_own_corrections() -> None:
    own = EssayCorrection(2, 2, 2, "very", "Wci")
    case = case_of((GOES,), (WENT,), decision=(WENT, own))
    ticked = first_ticked(case)
    assert edits_of(case, ticked) == (WENT, own)
    assert [option.is_own for part in parts_of(case, ticked) for option in part.options] == [
        False,
        False,
        True,
    ]


def test_who_did_the_same_stands_in_one_line() -> None:
    case = case_of((GOES,), (), (GOES._replace(comment="!"),))
    first, second, _ = parts_of(case, first_ticked(case))
    assert [one.letters for one in first.versions] == [("A", "C"), ("B",)]
    assert [one.corrections for one in first.versions] == [1, 0]
    assert second.versions == ()
    (option,) = first.options
    assert option.letters == ("A", "C")
    assert option.comments == ("C: !",)
    assert not first.is_agreed


def text_of(*edits: EssayCorrection, sentence: str) -> str:
    return "".join(
        one.blank + {"": "{}", "struck": "[{}]", "added": "<{}>"}[one.kind].format(one.text)
        for one in pieces_of(sentence.split(), edits)
    )


@pytest.mark.parametrize(
    ("edits", "shown"),
    [
        ([], "He don't (go)."),
        ([EssayCorrection(0, 0, 0, "So ,", "Trans")], "<So,> He don't (go)."),
        ([EssayCorrection(0, 7, 7, "!", "Mec")], "He don't (go).<!>"),
        ([EssayCorrection(0, 3, 6, "", "Rloc-")], "He don't [(go)]."),
    ],
)
def test_sentences_read_like_prose_with_corrections_in_them(
    edits: list[EssayCorrection], shown: str
) -> None:
    assert text_of(*edits, sentence="He do n't ( go ) .") == shown


def test_a_written_correction_unticks_what_it_overlaps_and_nothing_else() -> None:
    case = case_of((GOES, RAINS), (WENT, RAINS))
    ticked = Ticked(frozenset(map(mark_of, (GOES, RAINS))))
    writing = Writing(0, "1", "3", "walked out", "Wci")
    ticked = add_written(case, ticked, writing, ())
    own = EssayCorrection(0, 1, 3, "walked out", "Wci")
    assert edits_of(case, ticked) == (own, RAINS)
    again = add_written(case, ticked, Writing(0, "1", "", "walks", "SVA", mark_of(own)), ())
    assert edits_of(case, again) == (EssayCorrection(0, 1, 2, "walks", "SVA"), RAINS)


def test_writing_what_somebody_made_ticks_theirs() -> None:
    case = case_of((GOES,), (WENT,))
    ticked = add_written(case, Ticked(frozenset()), Writing(0, "1", "2", "went", "Vt"), ())
    assert edits_of(case, ticked) == (WENT,)
    assert not any(option.is_own for part in parts_of(case, ticked) for option in part.options)


def test_the_end_of_a_sentence_is_a_place_to_insert_at() -> None:
    case = case_of((GOES,), ())
    ticked = add_written(case, Ticked(frozenset()), Writing(0, "4", "", "( so )", "Wci"), ())
    assert [(one.start, one.end) for one in edits_of(case, ticked)] == [(4, 4)]


def test_a_form_can_begin_with_a_correction_of_any_kind() -> None:
    inserted = EssayCorrection(1, 1, 1, "will", "Vm")
    case = case_of((GOES, inserted), ())
    ticked = first_ticked(case)
    assert begin_writing(case, ticked, "2") == Writing(2)
    assert begin_writing(case, ticked, mark_of(GOES))[:5] == (0, "1", "2", "goes", "SVA")
    assert begin_writing(case, ticked, mark_of(inserted))[:4] == (1, "1", "insert", "will")
    for asked in ("3", "-1", "", "x"):
        with pytest.raises(InputError, match="no such sentence"):
            begin_writing(case, ticked, asked)


def test_own_corrections_that_are_not_ticked_are_gone_and_too_many_are_refused() -> None:
    own = [EssayCorrection(0, 1, 2, str(number), "Wci") for number in range(MOST_OWN + 1)]
    texts = [write_edits([one]) for one in own]
    assert read_ticked([mark_of(own[1])], texts[:2]).own == (own[1],)
    with pytest.raises(InputError, match=f"more than {MOST_OWN}"):
        read_ticked([], texts)
