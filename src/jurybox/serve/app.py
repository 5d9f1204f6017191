"""The annotation server as an application: pages for raters and admins, and what goes wrong.

    app = make_app(open_store("study.db"))         any ASGI server runs it; `running.py` does

The pages are in `routes/`, their looks in `templates/` and `static/`.
"""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from jurybox.serve.guard import Guard, Limits, add_headers
from jurybox.serve.http_api import add_api
from jurybox.serve.pages import assets, media_type
from jurybox.serve.routes import (
    accounts,
    adjudicating,
    correcting,
    dashboard,
    ending,
    entering,
    exports,
    joining,
    projects,
    rating,
)
from jurybox.serve.store import Store
from jurybox.serve.visits import Site, Visit

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
KEPT = "public, max-age=31536000, immutable"


def make_app(store: Store, limits: Limits | None = None, *, base: str = "") -> FastAPI:
    """The application on an open store; whoever opened the store closes it.

    `base` is the address of the server that stands before it, if one does: links begin with it.
    """
    app = FastAPI(title="jurybox", docs_url=None, redoc_url=None, openapi_url=None)
    site = app.state.site = Site.of(store, limits or Limits(), base)
    raters = (joining, rating, correcting, ending)
    for part in (*raters, entering, projects, dashboard, accounts, adjudicating, exports):
        app.include_router(part.router)
    add_api(app)
    app.add_api_route("/static/{name}", _asset, include_in_schema=False)
    app.add_api_route("/", _door, include_in_schema=False)
    app.add_exception_handler(HTTPException, _explain)
    app.add_exception_handler(RequestValidationError, _explain)
    app.add_exception_handler(Exception, _explain)
    app.add_middleware(Guard, is_logged_in=site.is_session)
    return app


async def _asset(name: str) -> Response:
    if name not in assets():
        raise HTTPException(404)
    return Response(assets()[name], media_type=media_type(name), headers={"Cache-Control": KEPT})


async def _door() -> Response:
    return RedirectResponse("/admin", 303)


async def _explain(request: Request, error: Exception) -> Response:
    """What went wrong, in plain words."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if isinstance(error, RequestValidationError):
        status = 404  # a number in the address that is none
    title, text = PROBLEMS.get(status, ("This did not work", "Please go back and try again."))
    response = Visit(request.app.state.site, request).message(title, text, status=status)
    if status == 500:  # made outside of the guard
        add_headers({"headers": response.raw_headers})
    return response
