"""A drawn figure as an element of an HTML page.

What matplotlib saves is a document of its own. Several in one page clash: their ids are the same,
and the rules of their style elements hold for the whole page. So ids that something refers to get
the figure's name in front, all others go, and so do styles and metadata. Text stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from jurybox.errors import InputError

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
#: what a page has no use for, or says in its own way
LEFT_OUT = frozenset({"metadata", "title", "desc", "style", "script"})

_REFERENCE = re.compile(r"url\(#([^)]+)\)")
#: the page's own font stands in; DejaVu Sans, which was measured with, is wider than most
_FONT = re.compile(r"font-family:[^;]*;?\s*")


def inline_svg(svg: str, *, name: str, alt: str) -> str:
    """The figure as an `<svg>` element that is an image to whoever cannot see it.

    `name` goes in front of its ids and must be the figure's own in the page; `alt` says what there
    is to see. The width of the drawing is left to the page, in the property `--width`.

    >>> drawn = (
    ...     '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20pt">'
    ...     '<g id="axes"><path id="p" d="M 0 0"/><use href="#p"/></g></svg>'
    ... )
    >>> print(inline_svg(drawn, name="fig1", alt="A line"))
    <svg viewBox="0 0 20 10" role="img" aria-label="A line" style="--width: 20"><g>\
<path d="M 0 0" id="fig1-p" /><use href="#fig1-p" /></g></svg>
    """
    try:
        root = ElementTree.fromstring(svg)
        box = root.attrib["viewBox"]
        width = float(box.split()[2])
    except (ElementTree.ParseError, KeyError, IndexError, ValueError) as error:
        raise InputError(f"{name}: not an SVG figure with a viewBox ({error})") from None
    _leave_out(root)
    referred_to = set(_references(root))
    for element in root.iter():
        _rewrite(element, name, referred_to)
    root.attrib = {
        "viewBox": box,
        "role": "img",
        "aria-label": alt,
        "style": f"--width: {width:g}",
    }
    return ElementTree.tostring(root, encoding="unicode")


def _leave_out(element: Element) -> None:
    for child in list(element):
        if not child.tag.startswith(SVG) or child.tag.removeprefix(SVG) in LEFT_OUT:
            element.remove(child)
            continue
        if not (child.tail or "").strip():
            child.tail = None
        _leave_out(child)
    if len(element) and not (element.text or "").strip():
        element.text = None


def _references(root: Element) -> Iterator[str]:
    for element in root.iter():
        for key, value in element.attrib.items():
            if key in ("href", HREF) and value.startswith("#"):
                yield value[1:]
            yield from _REFERENCE.findall(value)


def _rewrite(element: Element, name: str, referred_to: set[str]) -> None:
    """Plain tags and attributes, ids that are this figure's own."""
    element.tag = element.tag.removeprefix(SVG)
    attributes: dict[str, str] = {}
    for key, value in element.attrib.items():
        if key == "id":
            continue
        if key in ("href", HREF):
            attributes["href"] = f"#{name}-{value[1:]}" if value.startswith("#") else value
        elif not key.startswith(("{", "on")):
            attributes[key] = _REFERENCE.sub(rf"url(#{name}-\1)", value)
    if "style" in attributes:
        attributes["style"] = _FONT.sub("", attributes["style"])
    if (own := element.attrib.get("id")) in referred_to:
        attributes["id"] = f"{name}-{own}"
    element.attrib = attributes
