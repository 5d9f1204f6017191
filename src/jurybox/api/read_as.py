"""What judgments were read as: a file that is taken for another kind is seen at once."""

from __future__ import annotations


def note_format(name: str) -> list[str]:
    """A note on the format, unless it is a plain table.

    >>> note_format("mturk"), note_format("long")
    (['read as MTurk batch results'], [])
    """
    from importlib import import_module

    from jurybox.formats.exports import EXPORTS

    if name == "long" or name not in EXPORTS:
        return []
    return [f"read as {import_module(EXPORTS[name]).TITLE}"]
