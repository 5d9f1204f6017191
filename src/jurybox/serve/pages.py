"""Pages out of templates, and the few files they need; everything is in the package.

Templates escape what they are given.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@cache
def assets() -> dict[str, bytes]:
    folder = files("jurybox.serve") / "static"
    return {
        one.name: one.read_bytes()
        for one in folder.iterdir()
        if "." + one.name.rpartition(".")[2] in MEDIA_TYPES
    }


def media_type(name: str) -> str:
    """What kind of file it is.

    >>> media_type("rate.js")
    'text/javascript'
    """
    return MEDIA_TYPES["." + name.rpartition(".")[2]]


@cache
def address(name: str) -> str:
    """Where a file is found; another content has another address, so that browsers may keep it.

    >>> address("rate.js").partition("?")[0]
    '/static/rate.js'
    """
    return f"/static/{name}?{sha256(assets()[name]).hexdigest()[:10]}"


def render(template: str, **values: Any) -> str:
    return environment().get_template(f"{template}.html.j2").render(**values)


@cache
def environment() -> Environment:
    folder = files("jurybox.serve") / "templates"
    made = Environment(
        loader=FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["address"] = address
    for function in (paragraphs, percent, day, ticks, second):
        made.filters[function.__name__] = function
    return made


def paragraphs(text: str) -> list[str]:
    r"""Text in paragraphs, as blank lines part them.

    >>> paragraphs("One.\nStill one.\n\n\nTwo.\n")
    ['One.\nStill one.', 'Two.']
    """
    normal = "\n".join(line.rstrip() for line in text.splitlines())
    return [part.strip("\n") for part in normal.split("\n\n") if part.strip()]


def ticks(text: str) -> str:
    """What stands between backticks as code; all the rest escaped.

    >>> print(ticks("`a` & b"))
    <code>a</code> &amp; b
    """
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def percent(share: float | None) -> str:
    """A share for people.

    >>> percent(0.333), percent(None)
    ('33 %', '–')
    """
    return "–" if share is None else f"{100 * share:.0f} %"


def day(moment: float | None) -> str:
    """A time for people, in UTC.

    >>> day(0), day(None)
    ('1970-01-01 00:00', '–')
    """
    return "–" if moment is None else f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M}"


def second(moment: float) -> str:
    """A time for people, to the second, in UTC.

    >>> second(0)
    '1970-01-01 00:00:00'
    """
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S}"
