"""An option declared once: keyword, check, flag with help and completion, signature, JSON.

The options of a verb are the fields of a class. What a field is for stands beside its type:

>>> class Draws(Options, group="crowds"):
...     draws: Annotated[int, Opt("how often crowds are drawn", "N", least=1, sign="draws")] = 100
>>> Draws(draws=5), Draws(draws=5).signed()
(Draws(draws=5), {'draws': 5})
>>> Draws(draws=0)
Traceback (most recent call last):
jurybox.errors.UsageError: --draws must be 1 or more, not 0

Options that several verbs share are base classes. A verb takes one value of such a class; the
decorator `verb` turns it into a function with keywords, which type checkers know as well. The
command line makes its flags from the same fields (`jurybox.cli.flags`), and the pages of the
documentation their tables. Options are records (`jurybox.records`): their fields are their JSON.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, wraps
from typing import (
    Annotated,
    Any,
    ClassVar,
    ParamSpec,
    Protocol,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
)

from jurybox._version import __version__
from jurybox.errors import UsageError, near_name, unknown_name

P = ParamSpec("P")
Given = TypeVar("Given", bound="Options")
Result = TypeVar("Result")
Given_contra = TypeVar("Given_contra", bound="Options", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class Opt:
    """What is said of an option beside its type and default.

    `metavar` is what its value is called; `flag` is only given where it is not the field's name.
    `values` are the only ones it may have, unless `open_values`; `noun` is what such a value is
    called in a message. Numbers lie between `least` and `most`, or strictly between `above` and
    `below`. `many`: several values may follow the flag. `positional`: an argument without a flag.
    `optional_value`: a switch that may be given a value. `sign` is its name in the signature.
    `take` turns what a caller gives into the field's value, `read` does so with the words of a
    command line; both are given the flag for their messages. `default` is the default in words,
    where the help should say more than the value itself.
    """

    def __init__(
        self,
        help: str,  # noqa: A002  as argparse calls it
        metavar: str = "",
        *,
        flag: str = "",
        short: str = "",
        values: Sequence[str] = (),
        open_values: bool = False,
        noun: str = "",
        least: float | None = None,
        most: float | None = None,
        above: float | None = None,
        below: float | None = None,
        many: bool = False,
        positional: bool = False,
        optional_value: bool = False,
        sign: str = "",
        take: Callable[[Any, str], Any] | None = None,
        read: Callable[[Any, str], Any] | None = None,
        default: str = "",
    ) -> None:
        self.help, self.metavar, self.flag, self.short = help, metavar, flag, short
        self.values, self.open_values, self.noun = tuple(values), open_values, noun
        self.least, self.most, self.above, self.below = least, most, above, below
        self.many, self.positional, self.sign = many, positional, sign
        self.optional_value = optional_value
        self.take, self.read, self.default = take, read, default

    def check(self, value: Any, flag: str) -> None:
        """Refuse a value that the option cannot have."""
        if self.values and not self.open_values:
            for one in value if isinstance(value, tuple) else (value,):
                if one not in self.values:
                    raise unknown_name(f"{self.noun or 'value'} ({flag})", str(one), self.values)
        limits = (self.least, self.most, self.above, self.below)
        if limits == (None,) * 4:
            return
        if isinstance(value, bool) or not hasattr(value, "__float__"):
            raise UsageError(f"{flag} takes a number, not {value!r}")
        too_low = (self.least is not None and not value >= self.least) or (
            self.above is not None and not value > self.above
        )
        too_high = (self.most is not None and not value <= self.most) or (
            self.below is not None and not value < self.below
        )
        if too_low or too_high:
            raise UsageError(f"{flag} {self.limits()}, not {value}")

    def limits(self) -> str:
        """The limits in words.

        >>> Opt("", least=1).limits(), Opt("", above=0, below=1).limits()
        ('must be 1 or more', 'must lie between 0 and 1')
        """
        low = self.least if self.above is None else self.above
        high = self.most if self.below is None else self.below
        if high is None:
            return f"must be {'above ' if self.least is None else ''}{low:g}" + (
                " or more" if self.least is not None else ""
            )
        if low is None:
            return f"must be at most {high:g}"
        return f"must lie between {low:g} and {high:g}"


def argument(*, kw_only: bool, default: Any = ...) -> Any:
    """The value of a field that can be given by its place: `argument(kw_only=False)`."""
    return _Positional(default)


class _Positional:
    def __init__(self, default: Any) -> None:
        self.default = default


class Option:
    """A field of a class of options: its name, type, default and what is said of it."""

    def __init__(self, name: str, default: Any, group: str, positional: bool) -> None:
        self.name, self.default, self.group, self.by_place = name, default, group, positional


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(argument,))
class Options:
    """Values of options, checked when they are made. Subclasses declare fields, like dataclasses.

    The keyword `group` of a class is the title under which the help lists its own fields, and
    inherited ones that have no title yet. A subclass may declare a field again, to change what is
    said of it or its default.
    """

    __option_fields__: ClassVar[dict[str, Any]] = {}
    __options__: ClassVar[dict[str, Option]] = {}
    __places__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, group: str = "") -> None:
        found: dict[str, Option] = {}
        for base in cls.__bases__:
            for name, one in getattr(base, "__options__", {}).items():
                titled = Option(name, one.default, one.group or group, one.by_place)
                found.setdefault(name, titled)
        for name, annotated in _annotations(cls).items():
            if str(annotated).startswith("ClassVar"):
                continue
            default = cls.__dict__.get(name, ...)
            by_place = isinstance(default, _Positional)
            if by_place:
                default = default.default
            before = found.get(name)
            title = before.group if before and not group else group
            found[name] = Option(name, default, title, by_place)
        cls.__options__ = found
        cls.__option_fields__ = {name: one.default for name, one in found.items()}
        # as type checkers order the fields of dataclasses: those of the last base class first
        declared = (name for base in reversed(cls.__mro__) for name in _annotations(base))
        cls.__places__ = tuple(
            dict.fromkeys(name for name in declared if name in found and found[name].by_place)
        )

    def __init__(self, *args: Any, **given: Any) -> None:
        options = type(self).__options__
        places = type(self).__places__
        if len(args) > len(places):
            raise TypeError(f"takes {len(places)} values by place, not {len(args)}")
        given = {**dict(zip(places, args, strict=False)), **given}
        for name in given:
            if name not in options:
                raise TypeError(f"there is no option '{name}'{near_name(name, options)}")
        notes = type(self).notes()
        for name, one in options.items():
            if name not in given and one.default is ...:
                raise TypeError(f"{name} is missing")
            value = given.get(name, one.default)
            if (opt := notes.get(name)) and value is not one.default:
                flag = flag_of(name, opt)
                if opt.take is not None:
                    value = opt.take(value, flag)
                if value is not None:
                    opt.check(value, flag)
                elif type(None) not in get_args(type(self).hints()[name].__origin__):
                    raise UsageError(f"{flag} needs a value, not None")
            object.__setattr__(self, name, value)
        self.check()

    def check(self) -> None:
        """Refuse values that do not go together; subclasses say which."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"options do not change: use replace({name}=…)")

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return ((name, getattr(self, name)) for name in type(self).__options__)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.changed().items())
        return f"{type(self).__name__}({shown})"

    @classmethod
    @cache
    def hints(cls) -> dict[str, Any]:
        """The type of every option, with what is said of it; Any where it was not imported."""
        found: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            names = _Names(vars(sys.modules[base.__module__]))
            for name, hint in _annotations(base).items():
                if name in cls.__options__:
                    found[name] = eval(hint, {}, names) if isinstance(hint, str) else hint
        return {name: found[name] for name in cls.__options__}

    @classmethod
    @cache
    def notes(cls) -> dict[str, Opt]:
        """What is said of each option; keywords that are no options are not among them."""
        return {
            name: note
            for name, hint in cls.hints().items()
            for note in getattr(hint, "__metadata__", ())
            if isinstance(note, Opt)
        }

    def changed(self) -> dict[str, Any]:
        """The options whose value is not their default."""
        defaults = type(self).__option_fields__
        return {name: value for name, value in self if not _same(value, defaults[name])}

    def flags_given(self, names: Collection[str]) -> list[str]:
        """The flags of those among some options whose value is not their default."""
        changed, notes = self.changed(), type(self).notes()
        return [flag_of(name, notes[name]) for name in notes if name in names and name in changed]

    def replace(self: Given, **changes: Any) -> Given:
        """The same with other values."""
        return type(self)(**{**dict(iter(self)), **changes})

    def only(self, kind: type[Given], **changes: Any) -> Given:
        """The options that another class has too, such as a base class; some with other values."""
        shared = {name: value for name, value in self if name in kind.__options__}
        return kind(**{**shared, **changes})

    def signed(self, **changes: Any) -> dict[str, Any]:
        """What the signature holds of these options, by its name there; None is left out.

        A switch that is on is "yes", one that is off is left out. `changes` are values, by the
        name in the signature, that take the place of the options' own; others follow at the end.
        """
        found: dict[str, Any] = {}
        for name, opt in type(self).notes().items():
            if opt.sign:
                value = changes.pop(opt.sign) if opt.sign in changes else getattr(self, name)
                if isinstance(value, bool):
                    value = "yes" if value else None
                found[opt.sign] = None if value in ((), {}) else value
        return {**found, **changes}


def _same(value: Any, default: Any) -> bool:
    """Whether a value is the default; tables in memory never are."""
    plain = isinstance(value, (str, int, float, tuple, Mapping))
    return value is default or (plain and bool(value == default))


class _Names(dict[str, Any]):
    """The names an annotation may use; what only a type checker imports may be anything."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


def flag_of(name: str, opt: Opt) -> str:
    """The flag of an option, as messages name it."""
    if opt.positional:
        return opt.metavar or name.upper()
    return opt.flag or f"--{name.replace('_', '-')}"


class Verb(Protocol[P, Given_contra, Result_co]):
    """A function with the fields of a class of options as its keywords."""

    def __call__(self, *args: P.args, **keywords: P.kwargs) -> Result_co: ...

    def of(self, call: Given_contra) -> Result_co:
        """The same with options that are made already, as the command line does."""


def verb(
    options: Callable[P, Given],
) -> Callable[[Callable[[Given], Result]], Verb[P, Given, Result]]:
    """A function of one value of options, to be called with its fields as keywords.

    >>> class Times(Options):
    ...     number: int = argument(kw_only=False)
    ...     by: Annotated[int, Opt("how many times", "N", least=0)] = 2
    >>> @verb(Times)
    ... def times(call: Times) -> int:
    ...     return call.number * call.by
    >>> times(4), times(4, by=3), times.of(Times(5))
    (8, 12, 10)
    """

    def decorate(function: Callable[[Given], Result]) -> Verb[P, Given, Result]:
        @wraps(function)
        def called(*args: P.args, **keywords: P.kwargs) -> Result:
            try:
                given = options(*args, **keywords)
            except TypeError as error:
                raise TypeError(f"{function.__name__}(): {error}") from None
            return function(given)

        made = cast("Verb[P, Given, Result]", called)
        vars(called).update(of=function, options=options)
        return made

    return decorate


def _annotations(kind: type) -> dict[str, Any]:
    """The annotations of a class's own fields; `inspect` would cost start-up."""
    return dict(vars(kind).get("__annotations__", {}))


def signature_of(options: Any) -> Any:
    """The keywords of a verb, as `help` and editors show them."""
    from inspect import Parameter, Signature  # late: start-up of the command line, which has flags

    places, found = options.__places__, options.__option_fields__
    return Signature(
        [
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD if name in places else Parameter.KEYWORD_ONLY,
                default=Parameter.empty if found[name] is ... else found[name],
            )
            for name in dict.fromkeys((*places, *found))
        ]
    )


def inner_kind(hint: Any) -> Any:
    """A field's type without what stands beside it, and without None.

    >>> inner_kind(Annotated[int | None, "so many"])
    <class 'int'>
    """
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    parts = [one for one in get_args(hint) if one is not type(None)]
    is_optional = type(None) in get_args(hint)
    return inner_kind(parts[0]) if is_optional and len(parts) == 1 else hint


def signature(metric: str, **fields: object) -> str:
    """What a number depends on: the metric, every option that changes it, and the version.

    Like sacreBLEU's (Post 2018): a reader who has the files and the signature gets the same number.
    Fields that are None are left out.

    >>> signature("m2", refs=2, choice="running", beta=0.5)  # doctest: +ELLIPSIS
    'jurybox m2|refs:2|choice:running|beta:0.5|v:...'
    """

    def show(value: object) -> str:
        if isinstance(value, float):
            return f"{value:g}"
        return "+".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)

    parts = [f"{name}:{show(value)}" for name, value in fields.items() if value is not None]
    return "|".join([f"jurybox {metric}", *parts, f"v:{__version__}"])


def signed_text(text: str) -> str:
    """A user's words as a signature can hold them: its parts are set apart by bars."""
    return text.replace("|", "/")
