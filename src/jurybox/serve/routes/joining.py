"""The beginning of a rater's way: the link they were sent, a name if they like, instructions."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError
from jurybox.serve.model import Project, Prolific, Rater
from jurybox.serve.visits import Asked, Number, Sent, Visit

router = APIRouter()
#: how Prolific names them, and how we do
PARAMETERS = {"PROLIFIC_PID": "pid", "STUDY_ID": "study", "SESSION_ID": "session"}
COOKIES = (
    "Your browser did not send our cookie back. Please allow cookies for this site, and try again."
)
TOO_MANY = "Too many people joined from your network. Please try again in some minutes."


@router.get("/j/{link}")
def open_link(link: str, visit: Asked) -> Response:
    """Who comes back goes on; everybody else is asked to begin."""
    try:
        project = find_project(visit, link)
    except InputError as error:
        return _bad_link(visit, error)
    given = {name: visit.request.query_params.get(name, "").strip() for name in PARAMETERS}
    rater = visit.rater(project.id)
    if rater is not None and _is_same_person(rater, given["PROLIFIC_PID"]):
        return visit.go_to(f"/r/{project.id}")
    if not project.settings.is_open:
        return visit.message("This study is closed", "Thank you for your interest.", status=403)
    return _join_page(visit, project, link, given)


@router.post("/j/{link}")
def join(link: str, visit: Sent) -> Response:
    """Take somebody in."""
    try:
        project = find_project(visit, link)
    except InputError as error:
        return _bad_link(visit, error)
    given = {name: visit.text(name).strip() for name in PARAMETERS}
    if not visit.is_own_form():
        return _join_page(visit, project, link, given, problem=COOKIES, status=403)
    known = visit.rater(project.id)  # the same form, sent again
    if known is not None and _is_same_person(known, given["PROLIFIC_PID"]):
        return visit.go_to(f"/r/{project.id}")
    if not visit.site.joins.allows(visit.address):
        return _join_page(visit, project, link, given, problem=TOO_MANY, status=429)
    prolific = Prolific(*given.values()) if given["PROLIFIC_PID"] else None
    try:
        rater = visit.store.join(project.id, pseudonym=visit.text("pseudonym"), prolific=prolific)
    except InputError as error:
        return _join_page(visit, project, link, given, problem=str(error), status=422)
    visit.remember_rater(rater)
    return visit.go_to(f"/r/{project.id}")


@router.get("/r/{number}")
def instruct(number: Number, visit: Asked) -> Response:
    """The instructions, or the first case where there are none."""
    rater = visit.rater(number)
    if rater is None:
        return unknown_rater(visit)
    project = visit.project(number)
    if not project.settings.instructions.strip():
        return visit.go_to(f"/r/{number}/case")
    return visit.page("instructions", project=project, rater=rater)


def find_project(visit: Visit, link: str) -> Project:
    """The project of a link; what is wrong with it is an InputError for the rater."""
    number = visit.site.tokens.read_link(link)
    return visit.project(number)


def unknown_rater(visit: Visit) -> Response:
    """Whoever has no cookie needs the link."""
    return visit.message(
        "Please open your link again",
        "This browser does not know you, or no longer. Open the link that you were sent: "
        "that is the way in.",
        status=403,
    )


def _is_same_person(rater: Rater, pid: str) -> bool:
    """Not if somebody else came from Prolific on the same computer."""
    return not pid or (rater.prolific is not None and rater.prolific.pid == pid)


def _bad_link(visit: Visit, error: InputError) -> Response:
    text = str(error) if "link" in str(error) else "The study of this link is no longer there."
    return visit.message("This link does not work", text, status=404)


def _join_page(
    visit: Visit,
    project: Project,
    link: str,
    given: dict[str, str],
    *,
    problem: str = "",
    status: int = 200,
) -> Response:
    return visit.page(
        "join",
        status,
        project=project,
        link=link,
        given=given,
        problem=problem,
        pseudonym=visit.text("pseudonym"),
    )
