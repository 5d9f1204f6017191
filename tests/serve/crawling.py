"""Every page and every form that somebody can reach: new ones are found by themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
from fastapi.routing import APIRoute

from jurybox.serve.app import make_app
from jurybox.serve.routes.auth import setup_path
from jurybox.serve.store import Store
from serve.running_site import Running

NUMBER = re.compile(r"\d+")


@dataclass
class Form:
    """A form, with what stands in it."""

    page: str
    action: str
    has_file: bool = False
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> tuple[str, tuple[str, ...]]:
        """Forms of one kind differ in numbers only."""
        path = urlsplit(self.action).path
        if path.startswith("/j/"):
            path = "/j/LINK"
        return NUMBER.sub("N", path), tuple(sorted(self.fields))


class PageParser(HTMLParser):
    """Links and forms of a page; of radio buttons and submit buttons the first counts."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._area = self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in given:
            self.links.append(urljoin(self._address, given["href"]))
        elif tag == "form":
            if given.get("method", "get").lower() == "post":
                action = urljoin(self._address, given.get("action", ""))
                self._form = Form(self._address, action)
                self.forms.append(self._form)
        elif self._form is not None:
            self._field(tag, given, self._form)

    def _field(self, tag: str, given: dict[str, str], form: Form) -> None:
        name = given.get("name", "")
        if tag == "input" and given.get("type") == "file":
            form.has_file = True
        elif tag in ("input", "button") and name:
            form.fields.setdefault(name, given.get("value", ""))
        elif tag == "textarea":
            self._area = name
            form.fields.setdefault(name, "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in form.fields or "selected" in given):
            form.fields[self._select] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._area and self._form is not None:
            self._form.fields[self._area] += data


def parse(page: httpx.Response) -> PageParser:
    found = PageParser(str(page.url))
    found.feed(page.text)
    return found


def is_page(answer: httpx.Response) -> bool:
    return "text/html" in answer.headers.get("content-type", "")


def crawl(client: httpx.Client, starts: list[str]) -> tuple[dict[str, httpx.Response], list[Form]]:
    """All answers by address, and one form of every kind."""
    answers: dict[str, httpx.Response] = {}
    forms: dict[Any, Form] = {}
    waiting = [str(client.base_url.join(start)) for start in starts]
    kinds: dict[str, int] = {}
    while waiting:
        address = waiting.pop().partition("#")[0]
        if address in answers or not address.startswith(str(client.base_url)):
            continue
        kind = NUMBER.sub("N", address)
        kinds[kind] = kinds.get(kind, 0) + 1
        # raters' pages differ from task to task, others in their numbers only
        if kinds[kind] > (8 if "/r/" in address or "/adjudicate" in address else 3):
            continue
        answers[address] = answer = client.get(address)
        if is_page(answer):
            found = parse(answer)
            waiting += found.links
            for form in found.forms:
                forms.setdefault(form.kind, form)
    return answers, list(forms.values())


def routes(store: Store, method: str) -> list[str]:
    """All addresses of pages that take a method, as the application lists them."""
    found: list[str] = []

    def collect(listed: Any, below: str = "") -> None:
        for route in listed:
            if isinstance(route, APIRoute):
                if method in (route.methods or ()):
                    found.append(below + re.sub(r":int\}", "}", route.path))
            elif hasattr(route, "original_router"):
                collect(route.original_router.routes, below + route.include_context.prefix)

    collect(make_app(store).routes)
    return found


class Values(dict[str, Any]):
    """What stands in addresses; numbers of raters, users and cases are 1."""

    def __missing__(self, name: str) -> int:
        return 1


def filled(path: str, site: Running, project: int) -> str:
    """An address as the application lists it, with what leads to a project."""
    link = site.site.tokens.link(site.store.project_by_id(project))
    if "setup" in path:
        return setup_path(site.site)
    values = Values(link=link, number=project, form="csv", name="style.css", token="x")
    return path.format_map(values)
