"""The OpenAPI document, and a page that shows it to people; nothing is loaded from elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from jurybox._version import __version__
from jurybox.serve.http_api.problems import KNOWN, MEDIA_TYPE, Problem
from jurybox.serve.pages import render

DESCRIPTION = """\
Everything that the pages of the annotation server do: projects, people, exports and adjudication
for those with a password, judging for raters.

Who is asking says a bearer token: `POST /tokens` gives one for name and password, `POST /join` one
for a project's link. Cookies are not looked at. Whatever goes wrong comes as
`application/problem+json` with title, detail and remedy.
"""
TAGS = {
    "people": "Tokens, one's own password, and (for admins) everybody with a password.",
    "projects": "For admins: make projects, fill and change them, watch them, stop raters.",
    "exports": "For admins: judgments, essays, cases and questionnaires as files.",
    "adjudication": "For adjudicators and admins: contested cases.",
    "raters": "Join, read the instructions, judge, finish. As blind as the pages.",
}
ABOUT: dict[str, Any] = {
    "title": "jurybox annotation server",
    "version": __version__,
    "description": DESCRIPTION,
    "openapi_tags": [{"name": name, "description": text} for name, text in TAGS.items()],
}
#: what every address may answer
ANYWHERE = (400, 404, 405, 413, 422, 500)
REFUSED: dict[int | str, dict[str, Any]] = {
    **{
        status: {"description": KNOWN.get(status, ("The request is not as it should be",))[0]}
        for status in (*ANYWHERE, 401, 403, 429)
    },
    503: {"description": "The database does not answer; try again"},
    507: {"description": "The database is full"},
}


class Route(NamedTuple):
    """One address with one method, for people."""

    method: str
    path: str
    tag: str
    title: str
    about: str
    who: str
    parameters: tuple[tuple[str, str, str], ...]  # name, where it stands, what it is
    sends: str  # name of the shape that is sent
    gets: str

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return re.sub(r"[^a-z]+", "-", f"{self.method}{self.path}".lower()).strip("-")


def add_document(api: FastAPI, prefix: str) -> None:
    """The document at /openapi.json, the page at /docs."""
    document = cache(partial(make_document, api, prefix))  # made when somebody asks for it

    async def send_document() -> JSONResponse:
        return JSONResponse(document())

    async def send_page() -> HTMLResponse:
        return HTMLResponse(
            render(
                "api_docs",
                prefix=prefix,
                about=DESCRIPTION,
                tags=TAGS,
                routes=list(routes_of(document())),
                shapes=shapes_of(document()),
            )
        )

    async def lead() -> RedirectResponse:
        return RedirectResponse(f"{prefix}/docs", 303)

    api.openapi = document  # type: ignore[method-assign]  # FastAPI's own way to replace it
    for path, send in (("/openapi.json", send_document), ("/docs", send_page), ("/", lead)):
        api.add_api_route(path, send, include_in_schema=False)


def make_document(api: FastAPI, prefix: str) -> dict[str, Any]:
    """FastAPI's document, with problems in their own media type."""
    made = get_openapi(
        title=api.title,
        version=api.version,
        description=api.description,
        routes=api.routes,
        tags=api.openapi_tags,
        servers=[{"url": prefix}],
    )
    schemas = made["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = Problem.model_json_schema()
    for _, _, operation in operations(made):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                schema = {"$ref": "#/components/schemas/Problem"}
                response["content"] = {MEDIA_TYPE: {"schema": schema}}
    # shapes without the ending that distinguishes them from the values of `model.py`
    named: dict[str, Any] = json.loads(re.sub(r'(\w+)Shape"', r'\1"', json.dumps(made)))
    return named


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def routes_of(document: dict[str, Any]) -> Iterator[Route]:
    """All addresses in the order of their tags, as the page and docs/api.md list them."""
    found = []
    for method, path, operation in operations(document):
        text = operation.get("description", "")
        title, _, about = text.partition("\n\n")
        found.append(
            Route(
                method,
                path,
                operation["tags"][0],
                " ".join(title.split()),
                " ".join(about.split()),
                # whose token the address takes
                next((name for one in operation.get("security", ()) for name in one), "anybody"),
                tuple(map(_parameter, operation.get("parameters", ()))),
                _shape_name(operation.get("requestBody", {})),
                _shape_name(
                    next(one for status, one in operation["responses"].items() if status[0] == "2")
                ),
            )
        )
    yield from sorted(found, key=lambda route: [*TAGS].index(route.tag))


def _parameter(given: dict[str, Any]) -> tuple[str, str, str]:
    schema = given["schema"]
    words = schema.get("enum") or []
    about = [f"one of {', '.join(words)}"] if words else [_kind(schema)]
    if "default" in schema and schema["default"] != "":
        about.append(f"default {schema['default']}")
    text = given.get("description", "")
    return given["name"], given["in"], "; ".join([*about, *([text] if text else [])])


def _shape_name(body: dict[str, Any]) -> str:
    """What a body is, in a word or two."""
    content = body.get("content", {})
    if not content:
        return ""
    kind, first = next(iter(content.items()))
    if kind != "application/json" or "$ref" not in str(first):
        return ", ".join(content)
    return _kind(first["schema"])


def _kind(schema: dict[str, Any]) -> str:
    """The type of a value, for people.

    >>> _kind({"type": "array", "items": {"$ref": "#/components/schemas/Person"}})
    'list of Person'
    >>> _kind({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    'integer or null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"“{one}”" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    return str(schema.get("type", "anything"))


class ShapeLine(NamedTuple):
    """A shape, for people."""

    name: str
    about: str
    fields: tuple[tuple[str, str, str, bool], ...]  # name, type, what it is, whether required


def shapes_of(document: dict[str, Any]) -> list[ShapeLine]:
    """All shapes by name."""
    found = []
    for name, schema in sorted(document["components"]["schemas"].items()):
        required = schema.get("required", ())
        fields = tuple(
            (field, _kind(one), one.get("description", ""), field in required)
            for field, one in schema.get("properties", {}).items()
        )
        found.append(ShapeLine(name, " ".join(schema.get("description", "").split()), fields))
    return found
