"""The annotation server as an application: pages for raters and admins.

    app = make_app(open_store("study.db"))         any ASGI server runs it; `running.py` does

The pages are in `routes/`, their looks in `templates/` and `static/`, what goes wrong in
`error_pages.py`.
"""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from jurybox.serve.error_pages import explain, explain_page_error, explain_trouble
from jurybox.serve.guard import UPLOADS, Guard, Limits
from jurybox.serve.http_api import add_api
from jurybox.serve.pages import assets, media_type
from jurybox.serve.requests import PageError, Site
from jurybox.serve.routes import (
    accounts,
    adjudicating,
    auth,
    correcting,
    dashboard,
    exports,
    projects,
    rating,
)
from jurybox.serve.store import Store
from jurybox.serve.store.db_errors import TROUBLED

KEPT = "public, max-age=31536000, immutable"


def make_app(store: Store, limits: Limits | None = None, *, base: str = "") -> FastAPI:
    """The application on an open store; the caller closes the store.

    `base` is the public URL behind a reverse proxy, if there is one: links begin with it.
    """
    app = FastAPI(title="jurybox", docs_url=None, redoc_url=None, openapi_url=None)
    site = app.state.site = Site.of(store, limits or Limits(), base)
    for part in (rating, correcting, auth, projects, dashboard, accounts, adjudicating, exports):
        app.include_router(part.router)
    takes_upload = add_api(app)
    app.add_api_route("/static/{name}", _asset, include_in_schema=False)
    app.add_api_route("/", _door, include_in_schema=False)
    app.add_exception_handler(PageError, explain_page_error)
    for kind in (HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, explain)
    for kind in TROUBLED:
        app.add_exception_handler(kind, explain_trouble)
    app.add_middleware(Guard, uploads={UPLOADS: site.is_session, **takes_upload})
    return app


async def _asset(name: str) -> Response:
    if name not in assets():
        raise HTTPException(404)
    return Response(assets()[name], media_type=media_type(name), headers={"Cache-Control": KEPT})


async def _door() -> Response:
    return RedirectResponse("/admin", 303)
