"""The end of a rater's way: questionnaire, thanks, completion code or the way back to Prolific.

A form must not lead to another site (the policy forbids it, and browsers look through redirects),
so the way back is a link, which the browser also follows by itself after a moment.
"""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError
from jurybox.serve.model import Nothing, Project, Rater
from jurybox.serve.routes.joining import COOKIES, unknown_rater
from jurybox.serve.visits import Asked, Number, Sent, Visit

router = APIRouter()
REFRESH_SECONDS = 3
#: for those who come when all cases are judged, and did no more than practise
TOO_LATE = (
    "This study has all the answers that it needs, so there was no case for you. Thank you for "
    "coming.",
    "If a platform sent you here, please return your place there: there is no completion code for "
    "practice alone.",
)
#: what is said of an answer that was not stored, on whatever page comes next
NOTES = {
    "late": "Thank you. Others had answered that case in the meantime, so your answer was not "
    "needed.",
    "first": "You had answered that case before. Your first answer is kept: answers cannot be "
    "changed.",
}


@router.get("/r/{number}/end")
def end(number: Number, visit: Asked) -> Response:
    """The questionnaire, then thanks; whoever still has cases is sent back to them."""
    rater = visit.rater(number)
    if rater is None:
        return unknown_rater(visit)
    nothing = _nothing_left(visit, rater)
    if nothing is None:
        return visit.go_to(f"/r/{number}/case")
    if nothing.is_first:
        back = way_back(visit.project(number), rater)
        return visit.message("There is nothing left to do", *TOO_LATE, link=back)
    project = visit.project(number)
    if project.settings.questionnaire and not rater.is_surveyed:
        return _questionnaire(visit, project, {})
    return _thanks(visit, project)


@router.post("/r/{number}/end")
def take_questionnaire(number: Number, visit: Sent) -> Response:
    """What a rater says of themselves."""
    rater = visit.rater(number)
    if rater is None:
        return unknown_rater(visit)
    project = visit.project(number)
    asked = project.settings.questionnaire
    filled = {question.key: visit.text(f"q_{question.key}") for question in asked}
    if not visit.is_own_form():
        return _questionnaire(visit, project, filled, COOKIES, 403)
    try:
        visit.store.answer_questionnaire(rater.id, filled)
    except InputError as error:
        return _questionnaire(visit, project, filled, str(error), 422)
    return visit.go_to(f"/r/{number}/end")


def note_on(visit: Visit) -> str:
    """What is to be said of the answer before; '' where nothing is."""
    return NOTES.get(visit.request.query_params.get("after", ""), "")


def way_back(project: Project, rater: Rater) -> tuple[str, str] | None:
    """For participants who get no code: the platform that sent them, where they return their place.

    Only its name is taken from the completion address, or it would be the code.
    """
    place = urlsplit(project.settings.completion_url)
    if rater.prolific is None or not place.hostname:
        return None
    return f"{place.scheme}://{place.hostname}/", f"Back to {place.hostname}"


def _nothing_left(visit: Visit, rater: Rater) -> Nothing | None:
    found = visit.store.next_case(rater.id)
    return found if isinstance(found, Nothing) and found.why == "finished" else None


def _questionnaire(
    visit: Visit,
    project: Project,
    filled: dict[str, str],
    problem: str = "",
    status: int = 200,
) -> Response:
    note = note_on(visit)
    values = {"project": project, "filled": filled, "problem": problem, "note": note}
    return visit.page("questionnaire", status, **values)


def _thanks(visit: Visit, project: Project) -> Response:
    note = note_on(visit)
    response = visit.page("done", project=project, seconds=REFRESH_SECONDS, note=note)
    if url := project.settings.completion_url:
        # nothing in a URL may end the header
        safe = quote(url, safe=":/?#[]@!$&'()*+,;=%~-._")
        response.headers["Refresh"] = f"{REFRESH_SECONDS}; url={safe}"
    return response
