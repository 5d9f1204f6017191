"""Contested cases: which they are, what is shown of them, what becomes of a decision."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import pytest

from jurybox.errors import InputError, UnknownNameError
from jurybox.formats.tables import judgments
from jurybox.serve.essays.exports import write_m2
from jurybox.serve.model import (
    UNDECIDED,
    ContestedCounts,
    EssayCorrection,
    NewCase,
    Project,
    Prolific,
    Role,
    SubmittedAnswer,
    User,
)
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store, adjudication
from serve.made_studies import hand, judge, judged, make_cases, make_project

PASSWORD = "long enough"

pytestmark = pytest.mark.usefixtures("quick_hashes")


@pytest.fixture
def bea(store: Store) -> User:
    return store.add_user("bea", PASSWORD, Role.ADJUDICATOR)


def judge_all(store: Store, project: int, given: Sequence[SubmittedAnswer], **join: Any) -> int:
    """A rater who answers all cases, c0 first."""
    rater = store.join(project, **join).id
    wanted = dict(enumerate(given))
    for _ in given:
        handed = hand(store, rater)
        number = int(handed.shown.left.split()[0][1:])
        store.answer(rater, handed.token, wanted[number], handed.token)
    return rater


def labelled(store: Store, *columns: str, **settings: Any) -> Project:
    """A project in which every rater gives the labels of a column: e, o, u for c0, c1 …"""
    words = {"e": "error", "o": "ok", "u": "unknown"}
    settings = {"per_case": len(columns), **settings}
    project = make_project(store, len(columns[0]), **settings)
    for column in columns:
        judge_all(store, project.id, [SubmittedAnswer(words[one]) for one in column])
    return project


def names_of(store: Store, project: int, **options: Any) -> list[str]:
    return [one.shown.left.split()[0] for one in store.contested(project, **options)]


def number_of(store: Store, project: int, name: str) -> int:
    found = store.contested(project, partial=True, limit=1000)
    return next(one.case for one in found if one.shown.left.split()[0] == name)


# --- which cases ---


def test_the_most_contested_cases_come_first_and_those_all_agree_on_are_none(store: Store) -> None:
    project = labelled(store, "eeeo", "eoeo", "eoou", "eouo")
    assert names_of(store, project.id) == ["c2", "c1", "c3"]
    assert names_of(store, project.id, order="file") == ["c1", "c2", "c3"]
    found = store.contested(project.id)
    assert [(one.judgments, one.minority) for one in found] == [(4, 0.5), (4, 0.25), (4, 0.25)]
    assert store.contested_counts(project.id) == ContestedCounts(3, 0)
    with pytest.raises(UnknownNameError, match="order"):
        store.contested(project.id, order="random")


def test_cases_count_when_they_have_all_their_judgments(store: Store) -> None:
    project = labelled(store, "eo", "oo", per_case=3)
    assert names_of(store, project.id) == []
    assert names_of(store, project.id, partial=True) == ["c0"]
    judge_all(store, project.id, [SubmittedAnswer("ok"), SubmittedAnswer("ok")])
    assert names_of(store, project.id) == ["c0"]


def test_what_is_known_is_counted_again_after_a_judgment_and_after_a_flag(store: Store) -> None:
    project = labelled(store, "ee", "ee", per_case=3)
    assert names_of(store, project.id, partial=True) == []
    dissenter = judge_all(store, project.id, [SubmittedAnswer("ok"), SubmittedAnswer("error")])
    assert names_of(store, project.id) == ["c0"]
    store.stop_rater(dissenter)
    assert names_of(store, project.id) == []
    store.readmit_rater(dissenter)
    assert names_of(store, project.id) == ["c0"]


def test_what_is_known_is_not_counted_twice(lite: Store) -> None:
    project = labelled(lite, "e", "o")
    assert names_of(lite, project.id) == ["c0"]
    known = adjudication.KNOWN[lite.database]
    state, _ = known[project.id, 2]
    known[project.id, 2] = state, {}
    assert names_of(lite, project.id) == []  # read from there: nothing has changed since


@pytest.mark.parametrize("few", [0, 1, 500])
@pytest.mark.slow
def test_counting_what_is_new_gives_what_counting_everything_gives(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(adjudication, "FEW", few)
    project = make_project(store, 4, per_case=3)
    other = make_project(store, 4, per_case=3, name="other")
    for number in range(3):
        raters = [store.join(one.id).id for one in (project, other)]
        for step in range(4):
            for rater in raters:
                judge(store, rater, ("error", "ok", "unknown")[(number * step) % 3])
            for is_partial in (True, False):
                found = store.contested(project.id, partial=is_partial)
                adjudication.KNOWN.pop(store.database)
                assert store.contested(project.id, partial=is_partial) == found
                store.contested(project.id, partial=not is_partial)
    assert len(store.contested(project.id)) > 1


def test_gold_practice_and_repeats_are_no_differences(store: Store) -> None:
    project = store.create_project(Settings("study", per_case=1, repeat_share=0.5, gold_rate=0.3))
    store.add_cases(project.id, make_cases(30))
    store.add_cases(project.id, make_cases(9, "g", gold=("error",)))
    rater = store.join(project.id).id
    for turn in range(40):
        judge(store, rater, ("error", "ok")[turn % 2])
    statuses = [row["status"] for row in judged(store, project.id)]
    assert "repeat" in statuses  # or the test shows nothing
    assert store.contested(project.id, partial=True) == ()


@pytest.mark.parametrize(
    ("first", "second", "is_contested"),
    [
        (SubmittedAnswer("wrong", ("on",)), SubmittedAnswer("wrong", ("in",)), True),
        (SubmittedAnswer("wrong", ("on",)), SubmittedAnswer("wrong", ("ON", "upon")), False),
        (SubmittedAnswer("wrong", ("on",)), SubmittedAnswer("extraneous"), True),
        (SubmittedAnswer("correct"), SubmittedAnswer("equal", ("upon",)), False),
    ],
)
def test_trained_raters_differ_by_label_or_by_the_best_word(
    store: Store, first: SubmittedAnswer, second: SubmittedAnswer, is_contested: bool
) -> None:
    project = make_project(store, 1, task=Task.TRAINED, per_case=2)
    for given in (first, second):
        judge_all(store, project.id, [given._replace(confidence="high")])
    assert bool(store.contested(project.id)) is is_contested


def test_words_of_a_cloze_are_the_same_whatever_their_letters(store: Store) -> None:
    project = make_project(store, 2, task=Task.CLOZE, per_case=2)
    judge_all(store, project.id, [SubmittedAnswer("In"), SubmittedAnswer("in")])
    judge_all(store, project.id, [SubmittedAnswer("in"), SubmittedAnswer("at")])
    assert names_of(store, project.id) == ["c1"]


def test_a_long_list_comes_in_parts_without_gaps(store: Store) -> None:
    project = labelled(store, "e" * 25, "o" * 25)
    for order in ("most", "file"):
        found: list[int] = []
        while some := store.contested(project.id, limit=7, order=order, after=(found or [0])[-1]):
            found += [one.case for one in some]
        assert found == sorted(found)
        assert len(found) == 25


# --- one case ---


def test_judgments_come_without_names_in_an_order_of_their_own(store: Store) -> None:
    project = labelled(store, *(["e" * 12, "o" * 12, "u" * 12]))
    orders = set()
    for one in store.contested(project.id):
        case = store.contested_case(project.id, one.case)
        assert [each.letter for each in case.judgments] == ["A", "B", "C"]
        orders.add(tuple(each.label for each in case.judgments))
        assert case == store.contested_case(project.id, one.case)  # it does not change either
    assert len(orders) > 1
    fields = {*case._fields, *case.judgments[0]._fields, *case.shown._fields}
    assert not fields & {"rater", "name", "id", "time", "submitted", "seconds", "stratum", "gold"}


def test_only_work_cases_of_the_project_with_two_judgments_are_shown(store: Store) -> None:
    project, other = labelled(store, "e", "o"), labelled(store, "e", "o", name="other")
    (foreign,) = store.contested(other.id)
    for case in (foreign.case, 10**6):
        with pytest.raises(InputError, match="no such case"):
            store.contested_case(project.id, case)


def test_a_flagged_raters_judgment_is_shown_as_one_that_does_not_count(store: Store) -> None:
    project = labelled(store, "eo", "oo", "oe")
    store.stop_rater(store.raters(project.id)[0].id)
    (one,) = store.contested(project.id)
    case = store.contested_case(project.id, one.case)
    assert sorted(each.is_flagged for each in case.judgments) == [False, False, True]
    assert len(case.counted) == one.judgments == 2


# --- decisions ---


def test_a_decision_is_stored_and_can_be_changed(store: Store, bea: User) -> None:
    project = labelled(store, "ee", "oo")
    case = number_of(store, project.id, "c0")
    made = store.decide(
        project.id, case, bea.id, SubmittedAnswer("error"), " No doubt.\r\n", now=100.25
    )
    assert made == ("error", "", (), (), "No doubt.", "bea", 100.25)
    assert store.contested_case(project.id, case).decision == made
    assert store.contested_counts(project.id) == ContestedCounts(2, 1)
    assert names_of(store, project.id, decided=True) == ["c0"]
    assert names_of(store, project.id, decided=False) == ["c1"]
    changed = store.decide(project.id, case, bea.id, SubmittedAnswer("ok"), over=100.25, now=200.5)
    assert (changed.label, changed.comment) == ("ok", "")
    assert store.contested_counts(project.id) == ContestedCounts(2, 1)


def test_a_case_can_be_left_undecided_with_a_comment(store: Store, bea: User) -> None:
    project = labelled(store, "ee", "oo")
    case = number_of(store, project.id, "c0")
    left = store.decide(project.id, case, bea.id, None, "ask Carol")
    assert (left.label, left.comment, left.is_made) == (UNDECIDED, "ask Carol", False)
    assert store.contested_counts(project.id) == ContestedCounts(2, 0)
    assert names_of(store, project.id, decided=False) == ["c0", "c1"]
    assert [one.state for one in store.contested(project.id)] == ["undecided", "open"]


def test_the_next_case_is_one_that_nobody_has_looked_at(store: Store, bea: User) -> None:
    project = labelled(store, "eeee", "oooo")
    line = [one.case for one in store.contested(project.id)]
    assert store.next_contested(project.id) == line[0]
    store.decide(project.id, line[1], bea.id, SubmittedAnswer("ok"))
    store.decide(project.id, line[3], bea.id, None)
    assert store.next_contested(project.id, after=line[0]) == line[2]
    assert store.next_contested(project.id, after=line[2]) == line[0]  # the line begins again
    store.decide(project.id, line[0], bea.id, SubmittedAnswer("ok"))
    assert store.next_contested(project.id, after=line[2]) is None
    assert store.next_contested(project.id) == line[2]


def test_whoever_did_not_see_a_decision_does_not_overwrite_it(store: Store, bea: User) -> None:
    project = labelled(store, "e", "o")
    carl = store.add_user("carl", PASSWORD, Role.ADJUDICATOR)
    case = number_of(store, project.id, "c0")
    first = store.decide(project.id, case, bea.id, SubmittedAnswer("ok"), over=0, now=5.5)
    with pytest.raises(InputError, match="Somebody else decided about this case meanwhile"):
        store.decide(project.id, case, carl.id, SubmittedAnswer("error"), "mine", over=0)
    with pytest.raises(InputError, match="You decided about this case meanwhile"):
        store.decide(project.id, case, bea.id, SubmittedAnswer("error"), over=0)
    assert store.contested_case(project.id, case).decision == first
    second = store.decide(
        project.id, case, carl.id, SubmittedAnswer("error"), "mine", over=first.time
    )
    assert (second.by, second.label) == ("carl", "error")


def test_the_same_form_sent_again_changes_nothing(store: Store, bea: User) -> None:
    project = labelled(store, "e", "o")
    case = number_of(store, project.id, "c0")
    first = store.decide(project.id, case, bea.id, SubmittedAnswer("ok"), "so", over=0, now=5.5)
    assert (
        store.decide(project.id, case, bea.id, SubmittedAnswer("ok"), "so", over=0, now=9.5)
        == first
    )


@pytest.mark.parametrize(
    ("given", "comment", "message"),
    [
        (SubmittedAnswer("perhaps"), "", "choose one"),
        (SubmittedAnswer(""), "", "choose one"),
        (SubmittedAnswer("ok"), "x" * 2001, "under 2000"),
        (SubmittedAnswer("ok"), "\0", "cannot be stored"),
    ],
)
def test_what_cannot_be_a_decision_is_refused(
    lite: Store, given: SubmittedAnswer, comment: str, message: str
) -> None:
    user = lite.add_user("bea", PASSWORD, Role.ADJUDICATOR)
    project = labelled(lite, "e", "o")
    case = number_of(lite, project.id, "c0")
    with pytest.raises(InputError, match=message):
        lite.decide(project.id, case, user.id, given, comment)
    assert lite.contested_case(project.id, case).decision is None


def test_a_choice_is_decided_for_the_word_whatever_its_side(store: Store, bea: User) -> None:
    project = make_project(store, 12, task=Task.CHOICE, per_case=2)
    for label in ("left", "bad"):
        judge_all(store, project.id, [SubmittedAnswer(label)] * 12)
    sides = set()
    for one in store.contested(project.id):
        case = store.contested_case(project.id, one.case)
        assert case.shown.fillers is not None
        side = "left" if case.shown.fillers[0] == "in" else "right"
        sides.add(side)
        assert (
            store.decide(project.id, one.case, bea.id, SubmittedAnswer(side)).label == "second"
        )  # in
    assert sides == {"left", "right"}


def test_trained_answers_keep_their_words_and_a_spoiled_context_is_one(
    store: Store, bea: User
) -> None:
    project = make_project(store, 2, task=Task.TRAINED, per_case=2)
    judge_all(store, project.id, [SubmittedAnswer("correct", confidence="high")] * 2)
    judge_all(store, project.id, [SubmittedAnswer("", context=("spelling",))] * 2)
    first, second = (one.case for one in store.contested(project.id))
    made = store.decide(project.id, first, bea.id, SubmittedAnswer("wrong", ("on", "upon")))
    assert made[:3] == ("wrong", "on", ("upon",))
    assert store.decide(project.id, second, bea.id, SubmittedAnswer("unknown")).label == "unknown"


# --- blindness ---


def test_whoever_can_still_be_given_cases_may_not_adjudicate(store: Store, bea: User) -> None:
    project = labelled(store, "ee", "oo", per_case=3)
    rater = store.join(project.id, user=bea.id)
    assert "You judge in study yourself" in store.refuse_adjudicator(project.id, bea.id)
    case = number_of(store, project.id, "c0")
    with pytest.raises(InputError, match="You judge in study yourself"):
        store.decide(project.id, case, bea.id, SubmittedAnswer("ok"))
    store.stop_rater(rater.id, flag=False)
    assert store.refuse_adjudicator(project.id, bea.id) == ""
    store.readmit_rater(rater.id)
    assert store.refuse_adjudicator(project.id, bea.id)
    store.change_project(project.id, Settings("study", per_case=3, is_open=False))
    assert store.refuse_adjudicator(project.id, bea.id) == ""
    assert store.decide(project.id, case, bea.id, SubmittedAnswer("ok")).label == "ok"


def test_whoever_decided_about_a_case_cannot_become_a_rater(store: Store, bea: User) -> None:
    project, other = labelled(store, "ee", "oo"), make_project(store, name="other")
    store.decide(project.id, number_of(store, project.id, "c0"), bea.id, None)
    with pytest.raises(InputError, match="cannot judge in it"):
        store.join(project.id, user=bea.id)
    assert store.join(other.id, user=bea.id).user == bea.id
    assert store.rater_of_user(project.id, bea.id) is None
    assert store.rater_of_user(other.id, bea.id) is not None


# --- exports ---


@pytest.fixture
def decided(store: Store, bea: User) -> Project:
    """c0 decided, c1 left undecided, c2 agreed on."""
    project = labelled(store, "eee", "ooe", "oee")
    store.decide(
        project.id, number_of(store, project.id, "c0"), bea.id, SubmittedAnswer("ok"), "so", now=0
    )
    store.decide(project.id, number_of(store, project.id, "c1"), bea.id, None, "hm")
    return project


def rows_of(store: Store, project: int, decisions: str) -> list[tuple[str, str, str]]:
    rows = judged(store, project, decisions=decisions)
    return [(row["case"], row["rater"], row["label"]) for row in rows]


def test_decisions_are_an_annotator_of_their_own_where_asked_for(
    store: Store, decided: Project
) -> None:
    plain = rows_of(store, decided.id, "no")
    made = [("c0", "ADJ", "ok")]
    assert len(plain) == 9
    assert rows_of(store, decided.id, "yes") == [*plain, *made]
    assert rows_of(store, decided.id, "only") == made
    instead = [row for row in plain if row[0] != "c0"] + made
    assert rows_of(store, decided.id, "instead") == instead
    with pytest.raises(UnknownNameError, match="decisions"):
        store.judgments(decided.id, decisions="perhaps")


def test_decisions_stand_in_files_with_their_comment(store: Store, decided: Project) -> None:
    out = io.StringIO()
    assert store.export(decided.id, out, "jsonl", decisions="only") == 1
    assert json.loads(out.getvalue()) == {
        "case": "c0",
        "rater": "ADJ",
        "label": "ok",
        "submitted": "1970-01-01T00:00:00Z",
        "status": "adjudicated",
        "comment": "so",
    }
    plain = io.StringIO()
    store.export(decided.id, plain)
    assert "comment" not in plain.getvalue()


def test_judgments_with_decisions_are_read_without_a_warning(
    store: Store, decided: Project
) -> None:
    given = store.judgments_input(decided.id, decisions="yes")
    assert judgments.read(given).table.raters == ["R1", "R2", "R3", "ADJ"]


def test_nobody_can_call_themselves_the_adjudicator(store: Store) -> None:
    project = make_project(store, 1)
    judge(store, store.join(project.id, prolific=Prolific("ADJ")).id)
    assert [row["rater"] for row in judged(store, project.id, names="own")] == ["ADJ (R1)"]


# --- essays ---

ESSAY = "He go home .\nIt rain .\n\nWe are late ."
GOES, RAINS = EssayCorrection(0, 1, 2, "goes", "SVA"), EssayCorrection(1, 1, 2, "rains", "SVA")
WENT = EssayCorrection(0, 1, 2, "went", "Vt")


def corrected(store: Store, *given: tuple[EssayCorrection, ...]) -> Project:
    project = store.create_project(Settings("essays", Task.CORRECT, per_case=len(given)))
    store.add_cases(project.id, [NewCase("e1", ESSAY)])
    for edits in given:
        rater = store.join(project.id).id
        handed = hand(store, rater)
        store.answer(rater, handed.token, SubmittedAnswer("", edits=edits), handed.token)
    return project


@pytest.mark.parametrize(
    ("given", "minority"),
    [
        ([(GOES, RAINS), (RAINS, GOES)], None),
        ([(GOES,), (GOES._replace(comment="!"),)], None),
        ([(), ()], None),
        ([(GOES, RAINS), (GOES,)], 0.5),
        ([(GOES,), (WENT,)], 1.0),
        ([(GOES,), (GOES._replace(category="Vform"),)], 1.0),
        ([(GOES,), ()], 1.0),
    ],
)
def test_essays_differ_by_a_correction_that_not_everybody_made(
    store: Store, given: list[tuple[EssayCorrection, ...]], minority: float | None
) -> None:
    project = corrected(store, *given)
    found = [one.minority for one in store.contested(project.id)]
    assert found == ([] if minority is None else [minority])


def test_a_decided_essay_is_that_of_the_annotator_adj(store: Store, bea: User) -> None:
    project = corrected(store, (GOES, RAINS), (WENT,))
    (one,) = store.contested(project.id)
    with pytest.raises(InputError, match="overlap"):
        store.decide(project.id, one.case, bea.id, SubmittedAnswer("", edits=(GOES, WENT)))
    made = store.decide(project.id, one.case, bea.id, SubmittedAnswer("", edits=(RAINS, WENT)))
    assert (made.label, made.edits) == ("error", (WENT, RAINS))
    (essay,) = store.annotated_essays(project.id, decisions=True)
    assert essay.edits == {"R1": (GOES, RAINS), "R2": (WENT,), "ADJ": (WENT, RAINS)}
    out = io.StringIO()
    write_m2([essay], out, annotator="ADJ")
    assert "went" in out.getvalue()
    assert "goes" not in out.getvalue()


def test_an_essay_without_errors_is_a_decision_too(store: Store, bea: User) -> None:
    project = corrected(store, (GOES,), ())
    (one,) = store.contested(project.id)
    assert store.decide(project.id, one.case, bea.id, SubmittedAnswer("")).label == "ok"
    (essay,) = store.annotated_essays(project.id, decisions=True)
    assert essay.edits["ADJ"] == ()
    assert store.contested_counts(project.id) == ContestedCounts(1, 1)
