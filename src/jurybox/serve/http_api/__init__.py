"""Everything the pages do, as a documented HTTP API under /api/v1.

It is a separate application next to the pages: it takes no cookies and answers in JSON, errors
included (`problems.py`). A signed bearer token identifies the caller (`callers.py`).
"""

from __future__ import annotations

import re
from functools import partial

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Mount

from jurybox.errors import JuryboxError
from jurybox.serve import downloads
from jurybox.serve.guard import Check
from jurybox.serve.http_api import adjudicating, document, people, problems, projects, rating
from jurybox.serve.http_api.callers import bears_login, only_admins
from jurybox.serve.requests import RefusalError
from jurybox.serve.store.db_errors import DRIVER_ERRORS

PREFIX = "/api/v1"


def add_api(app: FastAPI) -> dict[str, Check]:
    """Mount the API next to the pages; where it takes large bodies, and from whom."""
    api = make_api()
    api.state.site = app.state.site
    mount = Mount(PREFIX, api)
    # line ends in an address, which Starlette's pattern leaves to the pages
    mount.path_regex = re.compile(mount.path_regex.pattern, re.DOTALL)
    app.router.routes.append(mount)
    return {f"{PREFIX}/projects": partial(bears_login, app.state.site)}


def make_api() -> FastAPI:
    """The application, without a store yet."""
    api = FastAPI(
        **document.ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        responses=document.REFUSED,
    )
    for part in (people, projects, adjudicating, rating):
        api.include_router(part.router)
    api.include_router(downloads.router, dependencies=[only_admins])
    document.add_document(api, PREFIX)
    api.add_exception_handler(RefusalError, problems.answer_refusal)
    api.add_exception_handler(HTTPException, problems.answer_http)
    api.add_exception_handler(RequestValidationError, problems.answer_invalid)
    api.add_exception_handler(JuryboxError, problems.answer_ours)
    for kind in DRIVER_ERRORS:
        api.add_exception_handler(kind, problems.answer_trouble)
    api.add_exception_handler(Exception, problems.answer_mistake)
    return api
