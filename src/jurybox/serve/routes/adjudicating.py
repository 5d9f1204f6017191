"""Contested cases: judgments side by side without names, a decision, a comment, the next one.

Pages are plain forms, as raters' are. Essays have a page of their own (`adjudicating_essays.py`)
and take the same way. Who may come here: adjudicators and admins, unless they still judge in the
project themselves.
"""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError, JuryboxError, UnknownNameError
from jurybox.serve import contested, wording
from jurybox.serve.contested import SPOILED, ContestedCase
from jurybox.serve.model import Given, Project, Task, User
from jurybox.serve.routes import adjudicating_essays
from jurybox.serve.routes.adjudicating_essays import Entered
from jurybox.serve.routes.entering import refuse
from jurybox.serve.routes.joining import COOKIES
from jurybox.serve.visits import Asked, Number, Sent, Visit
from jurybox.serve.wording import Answer

router = APIRouter()
CASES_AT_ONCE = 50
#: what the list shows: its name in the address, and what the store calls it
FILTERS: dict[str, bool | None] = {"undecided": False, "decided": True, "all": None}
TASKS = {
    Task.JUDGE: "judge",
    Task.TRAINED: "judge, trained raters",
    Task.CLOZE: "cloze",
    Task.CHOICE: "choice",
    Task.CORRECT: "essays",
}


class Filled(NamedTuple):
    """What stands in the form; nothing that was typed is lost if something is wrong."""

    other: str = ""  # a word, or one of the answers of trained raters
    words_wrong: str = ""
    words_equal: str = ""


# --- lists ----------------------------------------------------------------------------------------


@router.get("/adjudicate")
def list_projects(visit: Asked) -> Response:
    """All projects, and how many of their cases are contested."""
    user = visit.adjudicator()
    if user is None:
        return refuse(visit)
    projects = [
        (
            one,
            TASKS[one.task],
            visit.store.contested_counts(one.id, partial=_partial(one)),
            visit.store.refuse_adjudicator(one.id, user.id),
        )
        for one in visit.store.projects()
    ]
    return visit.page("adjudicate", user=user, projects=projects)


@router.get("/adjudicate/{number}")
def list_cases(number: Number, visit: Asked) -> Response:
    """The contested cases of a project, the most contested first."""
    entered = _enter(visit, number)
    if not isinstance(entered, Entered):
        return entered
    asked = visit.request.query_params
    show = asked.get("show", "")
    show = show if show in FILTERS else "undecided"
    after = asked.get("after", "")
    is_partial = _partial(entered.project)
    cases = visit.store.contested(
        number,
        decided=FILTERS[show],
        limit=CASES_AT_ONCE + 1,
        after=int(after) if after.isdecimal() and len(after) < 10 else 0,
        partial=is_partial,
    )
    return visit.page(
        "adjudicate_project",
        user=entered.user,
        project=entered.project,
        counts=visit.store.contested_counts(number, partial=is_partial),
        next_case=visit.store.next_contested(number, partial=is_partial),
        cases=[(one, _excerpt(one.shown.essay)) for one in cases[:CASES_AT_ONCE]],
        has_more=len(cases) > CASES_AT_ONCE,
        show=show,
        filters=tuple(FILTERS),
        is_partial=is_partial,
        is_rater=visit.store.rater_of_user(number, entered.user.id) is not None,
        is_finished=asked.get("after_last") == "yes",
    )


def _excerpt(essay: tuple[tuple[str, ...], ...]) -> str:
    """How an essay begins."""
    text = " ".join(sentence for paragraph in essay for sentence in paragraph)
    return text if len(text) <= 160 else text[:160].rsplit(" ", 1)[0] + " …"


def _partial(project: Project) -> bool:
    """A closed project gets no more judgments: cases are contested as they are."""
    return not project.settings.is_open


# --- a case ---------------------------------------------------------------------------------------


@router.get("/adjudicate/{number}/{case}")
def show_case(number: Number, case: Number, visit: Asked) -> Response:
    """A case with what everybody said of it, and the form for a decision."""
    entered = _enter(visit, number)
    if not isinstance(entered, Entered):
        return entered
    return _case_page(visit, entered, case)


@router.post("/adjudicate/{number}/{case}")
def decide(number: Number, case: Number, visit: Sent) -> Response:
    """A decision, or none; the next case behind it."""
    entered = _enter(visit, number)
    if not isinstance(entered, Entered):
        return entered
    if not visit.is_own_form():
        return _case_page(visit, entered, case, COOKIES, 403)
    try:
        found = visit.store.contested_case(number, case)
        given: Given | None
        if visit.text("do") == "leave":
            given = None
        elif found.task == Task.CORRECT:
            if (page := adjudicating_essays.before_decision(visit, entered, found)) is not None:
                return page
            given = adjudicating_essays.given_of(visit, found)
        else:
            given = given_of(visit, found.task)
        visit.store.decide(
            number, case, entered.user.id, given, visit.text("comment"), over=_over(visit)
        )
    except JuryboxError as error:
        return _case_page(visit, entered, case, str(error), 422)
    behind = visit.store.next_contested(number, after=case, partial=_partial(entered.project))
    if behind is None:
        return visit.go_to(f"/adjudicate/{number}?after_last=yes")
    return visit.go_to(f"/adjudicate/{number}/{behind}?before={case}")


def given_of(visit: Visit, task: Task) -> Given:
    """The answer that the form means: one of the buttons, or what was written beside them."""
    label, other = visit.text("label"), visit.text("other")
    if visit.text("do") == "other":
        if task == Task.CLOZE:
            return Given(other)
        if not other:
            raise InputError("Please choose one of the answers, or press one of the buttons.")
        words = {"wrong": visit.text("words_wrong"), "equal": visit.text("words_equal")}
        return Given(other, _words(words.get(other, "")))
    if task != Task.TRAINED:
        return Given(label)
    label, _, typed = label.partition(":")
    return Given(label, _words(typed))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _over(visit: Visit) -> float:
    """The time of the decision that the page showed; 0 if it showed none."""
    try:
        return float(visit.text("over") or 0)
    except ValueError:
        return 0.0


def _case_page(
    visit: Visit, entered: Entered, case: int, problem: str = "", status: int = 200
) -> Response:
    try:
        found = visit.store.contested_case(entered.project.id, case)
    except InputError as error:
        link = (f"/adjudicate/{entered.project.id}", "All contested cases")
        return visit.message("There is nothing to decide here", str(error), status=404, link=link)
    if found.task == Task.CORRECT:
        return adjudicating_essays.essay_page(visit, entered, found, problem=problem, status=status)
    return visit.page(
        "adjudicate_case",
        status,
        **adjudicating_essays.shared(visit, entered, found, problem),
        judgments=[
            (one, contested.said(found, one), contested.remarks(one)) for one in found.judgments
        ],
        buttons=buttons_of(found, entered.project),
        verdicts=(*wording.VERDICTS, SPOILED) if found.task == Task.TRAINED else (),
        filled=Filled(*(visit.text(name) for name in Filled._fields)),
    )


def buttons_of(case: ContestedCase, project: Project) -> tuple[Answer, ...]:
    """The answers that one key gives: those of the task, or where words are free, those given."""
    match case.task:
        case Task.JUDGE:
            return wording.JUDGE
        case Task.CHOICE:
            return wording.choices(case.shown)
        case Task.CLOZE if project.settings.fillers:
            return wording.listed(project.settings.fillers)
    found: dict[str, Answer] = {}
    for one in case.judgments:
        text = contested.said(case, one)
        value = _value(case, one) if case.task == Task.TRAINED else one.label
        found.setdefault(text.casefold(), Answer(value, text))
    keys = iter("123456789")
    return tuple(one._replace(key=next(keys, "")) for one in found.values())


def _value(case: ContestedCase, judgment: contested.Judgment) -> str:
    """An answer of trained raters in one word: its words stand behind a colon."""
    given = contested.as_given(
        case.task, judgment.label, judgment.correction, judgment.alternatives, swapped=False
    )
    return ":".join(filter(None, (given.label, ", ".join(given.words))))


def _enter(visit: Visit, number: int) -> Entered | Response:
    """Who is there, and the project; or why they may not see it."""
    user: User | None = visit.adjudicator()
    if user is None:
        return refuse(visit)
    link = ("/adjudicate", "All projects")
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return visit.message("There is no such project", status=404, link=link)
    if refused := visit.store.refuse_adjudicator(number, user.id):
        return visit.message("You judge in this project", refused, status=403, link=link)
    return Entered(user, project)
