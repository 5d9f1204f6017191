"""The OpenAPI document, the page that shows it, and the list in docs/api.md, which are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jurybox.serve.http_api import PREFIX, make_api
from jurybox.serve.http_api.document import TAGS, make_document, operations, routes_of
from serve.http_api.api_clients import World

PAGE = Path(__file__).parents[3] / "docs" / "api.md"
DOCUMENT = make_document(make_api(), PREFIX)
ROUTES = list(routes_of(DOCUMENT))


def listed() -> str:
    """The list of all addresses, as docs/api.md holds it."""
    parts = []
    for tag, about in TAGS.items():
        rows = [
            f"| `{one.method} {one.path}` | {one.who} | {one.title} |"
            for one in ROUTES
            if one.tag == tag
        ]
        head = "| address | token of | what it does |\n|---|---|---|"
        parts.append(f"**{tag.capitalize()}.** {about}\n\n{head}\n" + "\n".join(rows))
    return "\n\n".join(parts)


def test_the_documentation_lists_every_address() -> None:
    text = PAGE.read_text("utf-8")
    found = re.search(r"<!-- addresses:.*?-->\n(.*)<!-- end of addresses -->", text, re.DOTALL)
    assert found is not None
    assert found[1].strip() == listed(), f"write this into {PAGE.name}:\n{listed()}"


def test_the_document_is_sent_as_it_is(world: World) -> None:
    answer = world.nobody.ask("GET", "/openapi.json")
    assert answer.json() == DOCUMENT
    assert DOCUMENT["servers"] == [{"url": "/api/v1"}]


def test_every_address_says_what_it_does_and_for_whom() -> None:
    for method, path, operation in operations(DOCUMENT):
        assert operation["description"], path
        assert operation["tags"][0] in TAGS
        statuses = operation["responses"].keys()
        assert {"404", "413", "422"} <= statuses
        for status, response in operation["responses"].items():
            kinds = response.get("content", {})
            assert (list(kinds) == ["application/problem+json"]) == (int(status) >= 400), path
        if operation.get("security"):
            assert {"401", "403"} <= statuses, (method, path)


def test_every_number_in_an_address_has_bounds() -> None:
    for _, path, operation in operations(DOCUMENT):
        for one in operation.get("parameters", ()):
            if one["schema"].get("type") == "integer":
                assert one["schema"]["maximum"] <= 2**31 - 1, path
                assert one["schema"]["minimum"] >= 0, path


def test_every_shape_is_described() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert schema.get("description"), name


def test_the_page_shows_every_address_and_every_field(world: World) -> None:
    page = world.client.get("/api/v1/docs")
    assert page.headers["content-type"].startswith("text/html")
    for route in ROUTES:
        assert page.text.count(f'id="{route.anchor}"') == 1, route
        assert f'href="#{route.anchor}"' in page.text
    for schema in DOCUMENT["components"]["schemas"].values():
        for field in schema.get("properties", ()):
            assert f"<code>{field}</code>" in page.text
    addresses = re.findall(r'(?:src|href)="([^"#][^"]*)"', page.text)
    assert addresses
    assert all(one.startswith("/") and not one.startswith("//") for one in addresses)


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/"])
def test_the_way_in_leads_to_the_page(world: World, path: str) -> None:
    assert world.client.get(path, follow_redirects=True).url.path == "/api/v1/docs"
