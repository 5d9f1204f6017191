"""Error pages, in plain words: pages that do not exist, a database that cannot be used.

A database that is away, busy or full is no mistake of ours, and passes. Somebody who sent a form
meanwhile gets a page that holds it: one press sends it again, with the same key, so nothing that
was typed is lost and nothing is stored twice.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from jurybox.errors import UnknownNameError
from jurybox.serve.guard import add_headers
from jurybox.serve.requests import RefusalError, Visit
from jurybox.serve.store.db_errors import DbError, db_error_of

PROBLEMS = {
    403: ("You may not see this", "Please open the link that you were sent."),
    404: ("There is nothing here", "The address may have been cut off. Please check the link."),
    405: ("There is nothing here", "Please open the link that you were sent."),
    413: ("That is too much", "What you sent is larger than this page can take."),
    500: (
        "Something went wrong",
        "It is our fault, not yours. What was acknowledged is stored. Please go back and send it "
        "again: nothing is stored twice.",
    ),
}
DB_ERRORS = {
    DbError.AWAY: (503, "Please wait a moment", "The database of this site does not answer."),
    DbError.BUSY: (503, "Please wait a moment", "Very many people are here just now."),
    DbError.FULL: (507, "There is no room left", "The database of this site is full."),
    DbError.READ_ONLY: (503, "Nothing can be stored now", "The database of this site is locked."),
}
KEPT = "Everything that was acknowledged is stored. Please try again in a minute."
NOT_YET = (
    "What you have just sent is not stored yet, but it is kept on this page. Please send it again "
    "in a minute: nothing is stored twice."
)
GO_BACK = "What you have just sent is not stored. Please go back in a minute, and send it again."
#: seconds after which programs may try again
WAIT = "20"
#: words that no page repeats
SECRET_FIELDS = frozenset(("password", "old"))

_log = logging.getLogger("jurybox.serve")


class PageProblem(NamedTuple):
    status: int
    title: str
    text: str
    is_passing: bool = False  # over after a while: trying again helps

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": WAIT} if self.is_passing else {}


def problem_of(error: Exception) -> PageProblem:
    """What an error means to the sender of the request.

    >>> problem_of(HTTPException(404))[:2]
    (404, 'There is nothing here')
    """
    found = db_error_of(error)
    if found is not None:
        return PageProblem(*DB_ERRORS[found], is_passing=True)
    status = error.status_code if isinstance(error, HTTPException) else 500
    if isinstance(error, RequestValidationError):  # what is no number, or no kind of file
        if any(fault["loc"] == ("path", "form") for fault in error.errors()):
            return PageProblem(404, "There is no such file", "Please check the ending of its name.")
        status = 404
    title, text = PROBLEMS.get(status, ("This did not work", "Please go back and try again."))
    return PageProblem(status, title, text)


async def explain(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    visit = Visit(request.app.state.site, request)
    if problem.is_passing:
        log_db_error(error)
        response = _db_error_page(visit, problem)
    else:
        response = visit.message(problem.title, problem.text, status=problem.status)
    if problem.status == 500:  # made outside of the guard
        add_headers({"headers": response.raw_headers})
    return response


def log_db_error(error: Exception) -> None:
    """Log what is wrong with the database, for the operator of the server."""
    reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    _log.warning("the database cannot be used: %s", reason)


async def explain_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusalError)
    visit = Visit(request.app.state.site, request)
    if error.status == 303 and error.link is not None:
        return visit.go_to(error.link[0])
    text = filter(None, [error.detail])
    return visit.message(error.title, *text, status=error.status, link=error.link)


async def explain_unknown(request: Request, error: Exception) -> Response:
    """For what there is none of; each part of the site has a list of projects."""
    assert isinstance(error, UnknownNameError)
    visit = Visit(request.app.state.site, request)
    title, section = f"There is no such {error.kind}", request.url.path.split("/")[1]
    if error.kind == "project":
        return visit.message(title, status=404, link=(f"/{section}", "All projects"))
    return visit.message(title, str(error), status=404)


async def explain_db_error(request: Request, error: Exception) -> Response:
    """What a driver raises: a database that cannot be used, or else a mistake of ours."""
    if db_error_of(error) is None:
        raise error
    return await explain(request, error)


def _db_error_page(visit: Visit, problem: PageProblem) -> Response:
    form = getattr(visit.request.state, "form", None)
    fields: list[tuple[str, str]] = []
    text = KEPT
    if form is not None:
        given = form.multi_items()
        can_be_kept = all(isinstance(one, str) for _, one in given)
        if can_be_kept and not SECRET_FIELDS & {name for name, _ in given}:
            fields, text = given, NOT_YET
        else:
            text = GO_BACK
    response = visit.page(
        "trouble",
        status=problem.status,
        title=problem.title,
        text=(problem.text, text),
        is_form=form is not None,
        fields=fields,
    )
    response.headers.update(problem.headers)
    return response
