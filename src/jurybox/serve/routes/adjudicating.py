"""Contested cases: judgments side by side without names, a decision, a comment, the next one.

Pages are plain forms, as raters' are. Who may come here: adjudicators and admins, unless they still
judge in the project themselves. On the page of an essay corrections are ticked, and missing ones
written.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError
from jurybox.serve import actions, categories, wording
from jurybox.serve.actions import split_words
from jurybox.serve.essays import decisions as essay_decisions
from jurybox.serve.essays import write_edits
from jurybox.serve.essays.decisions import Ticked, Writing
from jurybox.serve.model import ContestedCase, Project, SubmittedAnswer, User
from jurybox.serve.requests import Asked, Number, PageAdjudicator, Sent, Visit, shown_on
from jurybox.serve.settings import Task
from jurybox.serve.wording import SPOILED, AnswerButton

router = APIRouter()
CASES_AT_ONCE = 50
#: what the list shows: its name in the address, and what the store calls it
FILTERS: dict[str, bool | None] = {"undecided": False, "decided": True, "all": None}
TASKS = {
    Task.JUDGE: "judge",
    Task.EXTRANEOUS: "judge, extraneous words",
    Task.TRAINED: "judge, trained raters",
    Task.CLOZE: "cloze",
    Task.CHOICE: "choice",
    Task.CORRECT: "essays",
}
#: what is typed into the form of a case; nothing of it is lost if something is wrong
TYPED = ("other", "words_wrong", "words_equal")
NOTHING_KEPT = (
    "Nothing is ticked. If there is no error in this essay, please say so below; else tick what is "
    "kept."
)
UNFINISHED = (
    "You have begun a correction of your own. Please add it, or close its form, before you decide."
)


# --- lists ---


@router.get("/adjudicate")
def list_projects(visit: Asked, user: PageAdjudicator) -> Response:
    projects = [
        (
            one,
            TASKS[one.task],
            visit.store.contested_counts(one.id),
            visit.store.refuse_adjudicator(one.id, user.id),
        )
        for one in visit.store.projects()
    ]
    return visit.page("adjudicate", user=user, projects=projects)


@router.get("/adjudicate/{number}")
def list_cases(number: Number, visit: Asked, user: PageAdjudicator) -> Response:
    """The contested cases of a project, the most contested first."""
    project = actions.enter_adjudication(visit, number, user)
    show = visit.asked("show") if visit.asked("show") in FILTERS else "undecided"
    cases = visit.store.contested(
        number, decided=FILTERS[show], limit=CASES_AT_ONCE + 1, after=visit.number("after")
    )
    return visit.page(
        "adjudicate_project",
        user=user,
        project=project,
        counts=visit.store.contested_counts(number),
        next_case=visit.store.next_contested(number),
        cases=[(one, _excerpt(one.shown.essay)) for one in cases[:CASES_AT_ONCE]],
        has_more=len(cases) > CASES_AT_ONCE,
        show=show,
        filters=tuple(FILTERS),
        is_rater=visit.store.rater_of_user(number, user.id) is not None,
        is_finished=visit.asked("after_last") == "yes",
    )


def _excerpt(essay: tuple[tuple[str, ...], ...]) -> str:
    text = " ".join(sentence for paragraph in essay for sentence in paragraph)
    return text if len(text) <= 160 else text[:160].rsplit(" ", 1)[0] + " …"


# --- a case ---


@router.get("/adjudicate/{number}/{case}")
def show_case(number: Number, case: Number, visit: Asked, user: PageAdjudicator) -> Response:
    """A case with everybody's judgment of it, and the form for a decision."""
    project = actions.enter_adjudication(visit, number, user)
    found = actions.find_contested(visit, number, case)
    if found.task == Task.CORRECT:
        return essay_page(visit, user, project, found)
    return visit.page(
        "adjudicate_case",
        **_shared(visit, user, project, found),
        judgments=[
            (one, wording.judgment_text(found, one), wording.remarks(one))
            for one in found.judgments
        ],
        buttons=buttons_of(found, project),
        verdicts=(*wording.VERDICTS, SPOILED) if found.task == Task.TRAINED else (),
        filled={name: visit.text(name) for name in TYPED},
    )


@router.post("/adjudicate/{number}/{case}")
@shown_on(show_case)
def decide(number: Number, case: Number, visit: Sent, user: PageAdjudicator) -> Response:
    """A decision, or none; then the next case."""
    project = actions.enter_adjudication(visit, number, user)
    found = visit.store.contested_case(number, case)
    given = None
    if visit.text("do") == "leave":
        pass
    elif found.task != Task.CORRECT:
        given = answer_of(visit, found.task)
    elif visit.text("do") == "decide":
        given = essay_answer_of(visit, found)
    else:
        return prepare_decision(visit, user, project, found)
    try:  # the time of the decision that the page showed; 0 if it showed none
        over = float(visit.text("over") or 0)
    except ValueError:
        over = 0.0
    visit.store.decide(number, case, user.id, given, visit.text("comment"), over=over)
    following = visit.store.next_contested(number, after=case)
    if following is None:
        return visit.go_to(f"/adjudicate/{number}?after_last=yes")
    return visit.go_to(f"/adjudicate/{number}/{following}?before={case}")


def answer_of(visit: Visit, task: Task) -> SubmittedAnswer:
    """The answer that the form means: one of the buttons, or what was written."""
    label, other = visit.text("label"), visit.text("other")
    if visit.text("do") == "other":
        if task == Task.CLOZE:
            return SubmittedAnswer(other)
        if not other:
            raise InputError("Please choose one of the answers, or press one of the buttons.")
        words = {"wrong": visit.text("words_wrong"), "equal": visit.text("words_equal")}
        return SubmittedAnswer(other, split_words(words.get(other, "")))
    if task != Task.TRAINED:
        return SubmittedAnswer(label)
    label, _, typed = label.partition(":")
    return SubmittedAnswer(label, split_words(typed))


def _shared(visit: Visit, user: User, project: Project, case: ContestedCase) -> dict[str, Any]:
    """What the pages of all tasks show."""
    decision, comment = case.decision, visit.text("comment")
    if decision is not None and not visit.is_sent:
        comment = decision.comment
    question, decided = wording.question(case.task, case.shown), ""
    if case.task == Task.CORRECT:
        question = "Which corrections are kept?"
    if decision is not None and decision.is_made:
        decided = (
            wording.corrections(len(decision.edits))
            if case.task == Task.CORRECT
            else wording.judgment_text(case, decision)
        )
    return {
        "user": user,
        "project": project,
        "case": case,
        "shown": case.shown,
        "question": question,
        "counts": visit.store.contested_counts(project.id),
        "decision": decision,
        "decided": decided,
        "over": "" if decision is None else repr(decision.time),
        "comment": comment,
        "before": visit.number("before"),
    }


def buttons_of(case: ContestedCase, project: Project) -> tuple[AnswerButton, ...]:
    """The answers that one key gives: those of the task, or where words are free, those given."""
    known = wording.answers(case.task, case.shown, project.settings.fillers)
    if known and case.task != Task.TRAINED:
        return known
    found: dict[str, AnswerButton] = {}
    for one in case.judgments:
        text = wording.judgment_text(case, one)
        value = one.label
        if case.task == Task.TRAINED:  # in one value: its words stand behind a colon
            given = wording.as_submitted(case.task, one, swapped=False)
            value = ":".join(filter(None, (given.label, ", ".join(given.words))))
        found.setdefault(text.casefold(), AnswerButton(value, text))
    keys = iter("123456789")
    return tuple(one._replace(key=next(keys, "")) for one in found.values())


# --- essays ---


def essay_answer_of(visit: Visit, case: ContestedCase) -> SubmittedAnswer:
    """The decision that the form of an essay means."""
    if _writing(visit).is_begun:
        raise InputError(UNFINISHED)
    edits = essay_decisions.edits_of(case, _ticked(visit))
    if not edits and visit.text("no_error") != "yes":
        raise InputError(NOTHING_KEPT)
    return SubmittedAnswer("", edits=edits)


def prepare_decision(visit: Visit, user: User, project: Project, case: ContestedCase) -> Response:
    """The page once more, for what is no decision: writing a correction, adding it, closing it."""
    do, _, asked = visit.text("do").partition(":")
    ticked, writing, note = _ticked(visit), _writing(visit), ""
    if do == "write":
        if writing.is_begun:
            raise InputError(UNFINISHED)
        writing = essay_decisions.begin_writing(case, ticked, asked)
    elif do == "add":
        own = project.settings.categories
        ticked, writing = essay_decisions.add_written(case, ticked, writing, own), Writing(-1)
        note = "Your correction is ticked. What it takes the place of is not."
    elif do == "close":
        writing = Writing(-1)
    return essay_page(visit, user, project, case, ticked=ticked, writing=writing, note=note)


def essay_page(
    visit: Visit,
    user: User,
    project: Project,
    case: ContestedCase,
    *,
    ticked: Ticked | None = None,
    writing: Writing | None = None,
    note: str = "",
) -> Response:
    """The essay with everybody's corrections, and the form."""
    if ticked is None and visit.is_sent:
        with suppress(InputError):
            ticked = _ticked(visit)
    ticked = ticked or essay_decisions.first_ticked(case)
    parts = essay_decisions.parts_of(case, ticked)
    listed = categories.of(project.settings.categories)
    numbers = iter(range(len(parts)))
    return visit.page(
        "adjudicate_essay",
        **_shared(visit, user, project, case),
        parts={part.number: part for part in parts},
        # the sentences' numbers, by paragraph
        paragraphs=[[next(numbers) for _ in paragraph] for paragraph in case.shown.essay],
        differing=[part.number for part in parts if not part.is_agreed],
        own=[write_edits([one]) for one in ticked.own],
        writing=writing or _writing(visit),
        categories=listed,
        titles={one.name: one.title for one in listed},
        flagged=[one.letter for one in case.judgments if one.is_flagged],
        remarks=[(one.letter, one.comment) for one in case.judgments if one.comment],
        is_empty=visit.is_sent and not ticked.kept,
        note=note,
    )


def _ticked(visit: Visit) -> Ticked:
    return essay_decisions.read_ticked(visit.texts("keep"), visit.texts("own"))


def _writing(visit: Visit) -> Writing:
    """The form for an own correction; sentence -1 where it is closed."""
    number = visit.number("sentence", -1)
    return Writing(number, *map(visit.text, Writing._fields[1:])) if number >= 0 else Writing(-1)
