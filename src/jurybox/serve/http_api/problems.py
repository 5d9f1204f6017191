"""Errors of the API, all in one shape, in plain words; nothing that was sent is repeated.

It is the shape of RFC 9457 with one field more, `remedy`: what to do now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from jurybox.errors import UnknownNameError
from jurybox.serve.error_pages import WAIT, log_db_error, problem_of
from jurybox.serve.requests import RefusalError
from jurybox.serve.settings import API_NAMES, in_words

MEDIA_TYPE = "application/problem+json"
LONGEST = 1000
READ = "Read /api/v1/docs: it names every address and every field."
#: status -> title, detail, remedy
KNOWN = {
    400: ("That cannot be read", "The body of the request is broken off or malformed.", READ),
    401: (
        "Nobody is known by this token",
        "The request has no bearer token, or one that is forged, too old or of another kind.",
        "Get one: POST /api/v1/tokens with name and password, or POST /api/v1/join as a rater.",
    ),
    403: ("You may not do this", "Your role does not allow it.", "Ask an admin."),
    404: ("There is nothing here", "No address of the API, or nothing with this number.", READ),
    405: ("This address does not take this method", "Others may.", READ),
    413: (
        "That is too much",
        "The body of the request is larger than this address takes.",
        "Send cases in several requests.",
    ),
    429: ("Too many tries", "There were many requests from your address.", "Wait some minutes."),
    500: (
        "Something went wrong",
        "It is our fault, not yours. What was acknowledged is stored.",
        "Send it again: with the same key nothing is stored twice.",
    ),
}
OTHER = ("This did not work", "The request could not be answered.", READ)


class Problem(BaseModel):
    """What went wrong and what to do now."""

    title: str = Field(description="What went wrong, in short.", examples=["You may not do this"])
    status: int = Field(description="The status of the answer, once more.", examples=[403])
    detail: str = Field(description="What exactly.", examples=["Your role does not allow it."])
    remedy: str = Field(description="What to do now.", examples=["Ask an admin."])


async def answer_refusal(_: Request, error: Exception) -> JSONResponse:
    """For what we refuse ourselves; `KNOWN` has the words for what is not said."""
    assert isinstance(error, RefusalError)
    given, known = (error.title, error.detail, error.remedy), KNOWN.get(error.status, OTHER)
    parts = (own or usual for own, usual in zip(given, known, strict=True))
    return problem(error.status, *parts, headers=error.headers)


async def answer_http(_: Request, error: Exception) -> JSONResponse:
    """For addresses that are none, methods, sizes."""
    assert isinstance(error, HTTPException)
    known = KNOWN.get(error.status_code, OTHER)
    return problem(error.status_code, *known, headers=error.headers)


async def answer_invalid(_: Request, error: Exception) -> JSONResponse:
    """For requests that are not as the document says; what was sent is not said again."""
    assert isinstance(error, RequestValidationError)
    faults = error.errors()
    if all(fault["loc"][:1] == ("path",) for fault in faults):
        return problem(404, *KNOWN[404])
    detail = "; ".join(map(_fault, faults[:5]))
    if len(faults) > 5:
        detail += f"; and {len(faults) - 5} more"
    return problem(422, "The request is not as it should be", detail, READ)


def _fault(fault: Any) -> str:
    """One of pydantic's complaints: where, and what should be there.

    >>> _fault({"loc": ("body", "cases", 3, "start"), "msg": "Input should be a valid integer"})
    'cases.3.start: Input should be a valid integer'
    """
    where = [str(part)[:40] for part in fault["loc"][1:]] or map(str, fault["loc"])
    return f"{'.'.join(where)}: {fault['msg']}"


async def answer_ours(_: Request, error: Exception) -> JSONResponse:
    """For what the library refuses: it says itself what is wrong and how to mend it."""
    detail = in_words(str(error), API_NAMES)
    if isinstance(error, UnknownNameError):
        return problem(404, "There is no such thing", detail, "Use one that there is.")
    remedy = "Change what the detail names, and send it again."
    return problem(422, "That cannot be taken", detail, remedy)


async def answer_trouble(_: Request, error: Exception) -> JSONResponse:
    """For a database that is away, busy or full; anything else is a mistake of ours."""
    found = problem_of(error)
    if not found.is_passing:
        raise error
    log_db_error(error)
    remedy = f"Nothing of this request is stored. Send it again in {WAIT} seconds, as it was."
    return problem(found.status, found.title, found.text, remedy, headers=found.headers)


async def answer_mistake(_: Request, _error: Exception) -> JSONResponse:
    """For mistakes of ours; the server's log has them."""
    return problem(500, *KNOWN[500])


def problem(
    status: int,
    title: str,
    detail: str,
    remedy: str,
    *,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """The response in the one shape, without halves of characters."""
    plain = detail[:LONGEST].encode("utf-8", "replace").decode()
    found = Problem(title=title, status=status, detail=plain, remedy=remedy)
    sent = dict(headers or {})
    return JSONResponse(found.model_dump(), status, headers=sent, media_type=MEDIA_TYPE)
