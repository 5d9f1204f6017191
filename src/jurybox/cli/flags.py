"""Flags out of declared options: what argparse is told, their help, the options it gives back."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, get_origin

from jurybox.options import Opt, Options, flag_of, inner_kind

Call = TypeVar("Call", bound=Options)


class OneOf:
    """The values an option can have: what shell completion offers.

    The options know them as well and complain, with the near name, about any other.

    >>> OneOf("m2", "errant")("m3")
    'm3'
    """

    def __init__(self, *values: str) -> None:
        self.values = values

    def __call__(self, given: str) -> str:
        return given


class HelpText(RawDescriptionHelpFormatter):
    """Help as wide as the terminal, up to a readable width.

    The width is looked up here because argparse would import half the standard library for it,
    for every option that is added.
    """

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = 80
        super().__init__(prog, width=min(width, 100) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Prose is wrapped; what has indented lines, as examples have, stays as it stands."""
        from textwrap import fill

        parts = text.split("\n\n")
        return "\n\n".join(part if "\n  " in part else fill(part, width) for part in parts)


def add_flags(parser: ArgumentParser, kind: type[Options]) -> None:
    """An argument for every declared option, in its group."""
    groups: dict[str, Any] = {"": parser}
    for name, opt in kind.notes().items():
        option = kind.__options__[name]
        title = "" if opt.positional else option.group
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        names = [name]
        if not opt.positional:
            names = [*filter(None, [opt.short]), flag_of(name, opt)]
        keywords = _keywords(name, opt, inner_kind(kind.hints()[name]), option.default)
        groups[title].add_argument(*names, **keywords)


def _keywords(name: str, opt: Opt, inner: Any, default: Any) -> dict[str, Any]:
    """What `add_argument` is told of an option besides its names."""
    told, required = default_of(opt, default), default is ...
    text = f"{opt.help} (default: {told})" if told else opt.help
    value: dict[str, Any] = {"help": text.replace("%", "%%")}  # argparse fills in %(names)s
    if inner is not bool:
        value["metavar"] = opt.metavar or name.upper()
    if opt.values:
        value["type"] = OneOf(*opt.values)
    elif inner in (int, float):
        value["type"] = inner
    if opt.positional:
        many, one = ("+", None) if required else ("*", "?")
        return {**value, "nargs": many if opt.many else one}
    value["dest"] = name
    if inner is bool:
        return {**value, "action": f"store_{str(not default).lower()}"}
    if opt.optional_value:
        return {**value, "nargs": "?", "const": True, "default": default}
    # several values may follow the flag; one that is read as a whole has but one word
    origin = get_origin(inner)
    is_list = isinstance(origin, type) and issubclass(origin, (Sequence, Mapping))
    if opt.many or (is_list and opt.read is None):
        return {**value, "nargs": "+", "action": "extend", "required": required}
    return {**value, "required": required, "default": None if required else default}


def default_of(opt: Opt, default: Any) -> str:
    """The default as the help and the pages tell it; nothing where there is none.

    >>> default_of(Opt(""), 0.95), default_of(Opt(""), None), default_of(Opt(""), False)
    ('0.95', '', '')
    """
    if opt.default or isinstance(default, bool) or default in (None, ..., (), ""):
        return opt.default
    return "" if isinstance(default, Mapping) else str(default)


def options_from(parsed: Namespace, kind: type[Call]) -> Call:
    """The options of a command line."""
    given: dict[str, Any] = {}
    for name, opt in kind.notes().items():
        value = getattr(parsed, name)
        if value is None or value is kind.__option_fields__[name]:
            continue
        if opt.read is not None:
            value = opt.read(value, flag_of(name, opt))
        given[name] = tuple(value) if isinstance(value, list) else value
    return kind(**given)
