"""A rater's way: the link, instructions, case after case, the questionnaire, thanks.

Gold, work and repeats take the same way through this file: nothing in it can distinguish them.
Forms are plain: an answer is sent by POST, and its response is a redirect to the next case. What is
wrong with an answer comes back with the form as it was filled in. Essays have a page of their own:
what is marked on it is saved as a draft after every change, by a script; "Finish" sends it as the
answer.

A form must not lead to another site (the policy forbids it, and browsers look through redirects).
So the way back to a platform is a link, which the browser also follows by itself after a moment.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count, pairwise
from secrets import token_urlsafe
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from jurybox.errors import InputError, JuryboxError
from jurybox.serve import actions, categories, wording
from jurybox.serve.actions import NOTES, Filled
from jurybox.serve.essays import Draft, is_close, read_edits, write_edits
from jurybox.serve.model import Assignment, Nothing, Project, Prolific, Rater, SubmittedAnswer
from jurybox.serve.requests import (
    COOKIES,
    Asked,
    Number,
    RefusalError,
    Sent,
    Visit,
    shown_on,
    whole_number,
)
from jurybox.serve.settings import Task

router = APIRouter()
#: the parameters with which Prolific sends participants, in the order of `Prolific`
PARAMETERS = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
RETURN = "There is no completion code: please return your place on the platform that sent you."
REFRESH_SECONDS = 3
OTHER_ESSAY = "What you had marked in the other essay is kept as you left it."


# --- the beginning ---


@router.get("/j/{link}")
def open_link(link: str, visit: Asked) -> Response:
    """A rater who comes back goes on; everybody else is asked to begin."""
    project = actions.find_linked_project(visit, link)
    given = {name: (visit.text(name) or visit.asked(name)).strip() for name in PARAMETERS}
    if not visit.is_sent and _is_known(visit, project, given["PROLIFIC_PID"]):
        return visit.go_to(f"/r/{project.id}")
    if not visit.is_sent and not project.settings.is_open:
        return visit.message("This study is closed", "Thank you for your interest.", status=403)
    return visit.page(
        "join", project=project, link=link, given=given, pseudonym=visit.text("pseudonym")
    )


@router.post("/j/{link}")
@shown_on(open_link)
def join(link: str, visit: Sent) -> Response:
    project = actions.find_linked_project(visit, link)
    given = [visit.text(name).strip() for name in PARAMETERS]
    if not _is_known(visit, project, given[0]):  # else it is the same form, sent again
        prolific = Prolific(*given) if given[0] else None
        rater = actions.join(visit, project, visit.text("pseudonym"), prolific)
        visit.remember_rater(rater)
    return visit.go_to(f"/r/{project.id}")


def _is_known(visit: Visit, project: Project, pid: str) -> bool:
    """Whether the browser's cookie is of this person: another may come from Prolific to it."""
    rater = visit.rater(project.id)
    if rater is None:
        return False
    return not pid or (rater.prolific is not None and rater.prolific.pid == pid)


@router.get("/r/{number}")
def instruct(number: Number, visit: Asked) -> Response:
    """The instructions, or the first case where there are none."""
    rater = visit.known_rater(number)
    project = visit.project(number)
    if not project.settings.instructions.strip():
        return visit.go_to(f"/r/{number}/case")
    return visit.page("instructions", project=project, rater=rater)


# --- cases and answers ---


@router.get("/r/{number}/case")
async def ask(number: Number, visit: Asked) -> Response:
    return await visit.in_turn(_ask, number)


def _ask(number: int, visit: Visit) -> Response:
    """The page of the rater's case; or where there is none, what comes then."""
    rater = visit.known_rater(number)
    project = visit.project(number)
    assigned = visit.store.next_case(rater.id)
    if isinstance(assigned, Nothing):
        return _nothing_page(visit, project, rater, assigned)
    if project.task == Task.CORRECT:
        return _essay_page(visit, rater, project, assigned)
    filled, lost = _filled(visit), ""
    if visit.is_sent and visit.text("token") != assigned.token:
        # another case by now: what was typed must not become its answer, nor be lost
        lost = ", ".join(filter(None, (filled.words_wrong, filled.words_equal)))
        if project.task == Task.CLOZE:
            lost = filled.label
        filled = Filled()
    answers = wording.answers(project.task, assigned.shown, project.settings.fillers)
    choices: dict[str, Any] = {"buttons": answers}
    if project.task == Task.TRAINED:
        choices = {
            "buttons": (),
            "context": wording.CONTEXT,
            "verdicts": answers,
            "confidence": wording.CONFIDENCE,
        }
    return visit.page(
        "case",
        project=project,
        assigned=assigned,
        shown=assigned.shown,
        packed=actions.pack(visit, assigned),
        key=token_urlsafe(12),
        filled=filled,
        note=_note(visit),
        lost=lost,
        question=wording.question(project.task, assigned.shown),
        **choices,
    )


def _filled(visit: Visit) -> Filled:
    label, wrong, equal, sure = map(visit.text, Filled._fields[:4])
    return Filled(label, wrong, equal, sure, visit.texts("context"))


@router.post("/r/{number}/case")
async def take(number: Number, visit: Sent) -> Response:
    """An answer: in the database before it is acknowledged."""
    return await visit.in_turn(_take, number)


@shown_on(_ask)
def _take(number: int, visit: Visit) -> Response:
    rater = visit.known_rater(number)
    project = visit.project(number)
    token, filled = visit.text("token"), _filled(visit)
    if project.task == Task.CORRECT:
        given = actions.essay_answer(
            visit.store.draft(rater.id, token),
            read_edits(visit.text("edits")),
            version=visit.number("version"),
            no_error=visit.text("no_error") == "yes",
        )
        filled = Filled(wording.corrections(len(given.edits)))
    else:
        given = actions.answer_of(filled, project.task)
    outcome = visit.store.answer(rater.id, token, given, visit.text("key"))
    path = f"/r/{number}/case"
    if not outcome.accepted:
        return visit.go_to(f"{path}?after=late")
    if outcome.is_other:
        return visit.go_to(f"{path}?after=first")
    if outcome.feedback is None:
        return visit.go_to(path)
    # the case came with the form, signed: it is shown once more with its feedback
    values = {
        "token": token,
        "label": filled.label[:100],
        "words": filled.words[:100],
        "shown": visit.site.tokens.read("shown", visit.text("shown")),
    }
    case = visit.site.tokens.sign("practice", values)
    return visit.go_to(f"/r/{number}/feedback?{urlencode({'case': case})}")


@router.get("/r/{number}/feedback")
def explain(number: Number, visit: Asked) -> Response:
    """What is said after a practice case."""
    rater = visit.known_rater(number)
    match visit.site.tokens.read("practice", visit.asked("case")):
        case {"token": str(token), "label": str(label), "words": str(words), "shown": shown}:
            pass
        case _:
            return visit.go_to(f"/r/{number}/case")
    project = visit.project(number)
    try:  # a case that is answered is not answered again: the outcome is read
        feedback = visit.store.answer(rater.id, token, SubmittedAnswer(""), token).feedback
    except InputError:
        feedback = None
    if feedback is None:
        return visit.go_to(f"/r/{number}/case")
    seen = None if shown is None else actions.unpack(shown)
    return visit.page(
        "feedback",
        project=project,
        shown=seen,
        said=wording.answer_text(project.task, label, words, seen),
        expected=wording.expected(project.task, feedback, label, seen),
        feedback=feedback,
    )


def _note(visit: Visit) -> str:
    """What is said of the answer before; '' where nothing is."""
    return NOTES.get(visit.asked("after"), "")


def _nothing_page(visit: Visit, project: Project, rater: Rater, nothing: Nothing) -> Response:
    if nothing.why == "finished":
        after = visit.asked("after")
        return visit.go_to(f"/r/{project.id}/end" + (f"?after={after}" if after in NOTES else ""))
    if nothing.why == "feedback":
        return show_feedback(project.id, visit)
    title, *text = actions.NOTHING[nothing.why]
    link: tuple[str, str] | None = None
    if nothing.why == "stopped" and (link := actions.way_back(project, rater)):
        text.append(RETURN)
    elif nothing.why in ("pause", "waiting"):
        link = (f"/r/{project.id}/case", "Look again")
    note = _note(visit) if nothing.why == "waiting" else ""
    return visit.message(title, *filter(None, (note, *text)), link=link)


# --- essays ---


@router.post("/r/{number}/draft")
def save(number: Number, visit: Sent) -> Response:
    """Keep what is marked so far. Responses are for the page's script."""
    try:
        rater = visit.rater(number)
        visit.check_form()
        if rater is None:
            raise RefusalError(403, COOKIES)
        edits, version = read_edits(visit.text("edits")), visit.number("version")
        saved = visit.store.save_draft(rater.id, visit.text("token"), edits, version=version)
    except JuryboxError as error:
        return JSONResponse({"problem": str(error)}, getattr(error, "status", 422))
    draft = saved.draft
    told = {"version": draft.version, "edits": draft.edits, "is_wanted": saved.is_wanted}
    return JSONResponse(told, 200 if saved.accepted else 409)


def _essay_page(visit: Visit, rater: Rater, project: Project, assigned: Assignment) -> Response:
    """The essay with its draft; or with what was sent and could not be accepted."""
    draft, is_sent, lost = visit.store.draft(rater.id, assigned.token), False, ""
    if visit.text("token") == assigned.token:
        is_sent = True
        with suppress(InputError):  # the page's script saves it again
            draft = Draft(visit.number("version"), read_edits(visit.text("edits")))
    elif visit.text("token"):
        lost = OTHER_ESSAY
    numbers = count()
    return visit.page(
        "correct",
        project=project,
        assigned=assigned,
        # paragraphs of (number of the sentence, its tokens and whether they are close to the left)
        paragraphs=[
            [
                (
                    next(numbers),
                    [
                        (token, bool(before) and is_close(before, token))
                        for before, token in pairwise(["", *text.split()])
                    ],
                )
                for text in part
            ]
            for part in assigned.shown.essay
        ],
        categories=categories.of(project.settings.categories),
        draft=draft,
        edits=write_edits(draft.edits),
        is_sent=is_sent,
        key=token_urlsafe(12),
        note=_note(visit),
        lost=lost,
        question=wording.question(project.task, assigned.shown),
        has_feedback=bool(visit.store.feedback(rater.id)),
    )


@router.get("/r/{number}/notes")
def show_feedback(number: Number, visit: Asked) -> Response:
    """All feedback that an annotator was given: what is new, to be confirmed, and the rest."""
    rater = visit.known_rater(number)
    given = visit.store.feedback(rater.id)
    return visit.page(
        "essay_feedback",
        project=visit.project(number),
        unread=[one for one in given if one.confirmed is None],
        read=[one for one in given if one.confirmed is not None],
    )


@router.post("/r/{number}/notes")
@shown_on(show_feedback)
def confirm_feedback(number: Number, visit: Sent) -> Response:
    """An annotator has read feedback, and goes on."""
    rater = visit.known_rater(number)
    for read in visit.texts("feedback"):
        visit.store.confirm_feedback(rater.id, whole_number(read))
    return visit.go_to(f"/r/{number}/case")


# --- the end ---


@router.get("/r/{number}/end")
def end(number: Number, visit: Asked) -> Response:
    """The questionnaire, then thanks; a rater who still has cases is sent back to them."""
    rater = visit.known_rater(number)
    project = visit.project(number)
    found = visit.store.next_case(rater.id)
    if not isinstance(found, Nothing) or found.why != "finished":
        return visit.go_to(f"/r/{number}/case")
    if found.is_first:
        back = actions.way_back(project, rater)
        return visit.message(*actions.NOTHING["nothing-left"], link=back)
    if project.settings.questionnaire and not rater.is_surveyed:
        return _ask_questions(number, visit)
    response = visit.page("done", project=project, seconds=REFRESH_SECONDS, note=_note(visit))
    if url := project.settings.completion_url:
        # nothing in a URL may end the header
        safe = quote(url, safe=":/?#[]@!$&'()*+,;=%~-._")
        response.headers["Refresh"] = f"{REFRESH_SECONDS}; url={safe}"
    return response


def _ask_questions(number: int, visit: Visit) -> Response:
    project = visit.project(number)
    filled = _survey(visit, project) if visit.is_sent else {}
    return visit.page("questionnaire", project=project, filled=filled, note=_note(visit))


@router.post("/r/{number}/end")
@shown_on(_ask_questions)
def take_questionnaire(number: Number, visit: Sent) -> Response:
    rater = visit.known_rater(number)
    visit.store.answer_questionnaire(rater.id, _survey(visit, visit.project(number)))
    return visit.go_to(f"/r/{number}/end")


def _survey(visit: Visit, project: Project) -> dict[str, str]:
    return {one.key: visit.text(f"q_{one.key}") for one in project.settings.questionnaire}
