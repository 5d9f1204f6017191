"""Flags out of declared options: what argparse is told, and the options it gives back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
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


def add_flags(parser: ArgumentParser, kind: type[Options]) -> None:
    """An argument for every declared option, in its group."""
    groups: dict[str, Any] = {"": parser}
    for name, opt in kind.notes().items():
        option = kind.__options__[name]
        title = "" if opt.positional else option.group
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        names, keywords = _argument(name, opt, kind.hints()[name], option.default)
        groups[title].add_argument(*names, **keywords)


def _argument(name: str, opt: Opt, hint: Any, default: Any) -> tuple[list[str], dict[str, Any]]:
    """What `add_argument` is given."""
    inner = inner_kind(hint)
    value: dict[str, Any] = {"help": _help(opt, default), "metavar": opt.metavar or name.upper()}
    if opt.values:
        value["type"] = OneOf(*opt.values)
    elif inner in (int, float):
        value["type"] = inner
    if opt.positional:
        optional = default is not ...
        value["nargs"] = {True: "*" if optional else "+", False: "?" if optional else None}[
            opt.many
        ]
        return [name], value
    names = [*([opt.short] if opt.short else []), flag_of(name, opt)]
    value["dest"] = name
    if inner is bool:
        del value["metavar"]
        return names, {**value, "action": f"store_{str(not default).lower()}"}
    if opt.optional_value:
        return names, {**value, "nargs": "?", "const": True, "default": default}
    if takes_many(opt, inner):
        return names, {**value, "nargs": "+", "action": "extend", "required": default is ...}
    return names, {
        **value,
        "required": default is ...,
        "default": None if default is ... else default,
    }


def takes_many(opt: Opt, inner: Any) -> bool:
    """Whether several values may follow the flag; one that is read as a whole has but one word."""
    origin = get_origin(inner)
    is_list = isinstance(origin, type) and issubclass(origin, (Sequence, Mapping))
    return opt.many or (is_list and opt.read is None)


def default_of(opt: Opt, default: Any) -> str:
    """The default as the help and the pages tell it; nothing where there is none.

    >>> default_of(Opt(""), 0.95), default_of(Opt(""), None), default_of(Opt(""), False)
    ('0.95', '', '')
    """
    if opt.default or isinstance(default, bool) or default in (None, ..., (), ""):
        return opt.default
    return "" if isinstance(default, Mapping) else str(default)


def _help(opt: Opt, default: Any) -> str:
    told = default_of(opt, default)
    text = f"{opt.help} (default: {told})" if told else opt.help
    return text.replace("%", "%%")  # argparse fills in %(names)s


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
