"""A value to JSON, back, and its JSON Schema: all three from its type.

A record is a NamedTuple, a frozen dataclass or a class of options. Its fields are its JSON. What
else there is to say stands beside the field, in `Annotated`:

- a text describes the field in the schema;
- `Limits` are further keywords of the schema, such as a minimum;
- `WHEN_SET`: the key is left out while the field has its default value;
- `FLAT`: the fields of the value (a record, one of several records, or a mapping with fixed keys)
  stand among the others;
- `HIDDEN`: the field is not in the JSON; it is read back as its default;
- `NOT_EMPTY`: a list with one element at least;
- `Key("from")`: the key in the JSON, where it is not the field's name;
- `Keys("low", "high")`: a mapping has these keys and no others.

NaN and infinity are null. A `computed` property stands in the JSON after the fields, and is
computed anew when a result is read back.

>>> class Score(NamedTuple):
...     "How well a system does."
...     name: str
...     f: Annotated[float, "The F score."]
...     reason: Reason = ""
>>> plain(Score("CAMB", nan, "no edits"))
{'name': 'CAMB', 'f': None, 'reason': 'no edits'}
>>> restore(Score, {"name": "AMU", "f": 0.5})
Score(name='AMU', f=0.5, reason='')
>>> schema(Score)["properties"]["f"]
{'description': 'The F score.', 'type': ['number', 'null']}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from math import isfinite, nan
from types import MappingProxyType, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from jurybox.errors import FormatError

Kind = TypeVar("Kind")
MAKE_AGAIN = "make the result again with --format json"
#: a wrong value in a message is cut after so many characters
SHOWN = 40


class Mark(Enum):
    """How a field stands in the JSON (see above)."""

    WHEN_SET = "when set"
    FLAT = "flat"
    HIDDEN = "hidden"
    NOT_EMPTY = "not empty"


WHEN_SET, FLAT, HIDDEN, NOT_EMPTY = Mark


class Limits:
    """Further keywords of a field's schema: `Limits(minimum=0)`."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


class Key(str):
    """The key of a field in the JSON, where a field cannot have that name: `Key("from")`."""


class Keys(tuple[str, ...]):
    """The only keys of a mapping, all of them there.

    >>> class Shares(NamedTuple):
    ...     by_label: Annotated[Mapping[str, float], Keys(("ok", "error"))]
    >>> schema(Shares)["properties"]["by_label"]["required"]
    ['ok', 'error']
    """


Count = Annotated[int, Limits(minimum=0)]
Share = Annotated[float, Limits(minimum=0, maximum=1)]
Reason = Annotated[str, "Why there is no value.", WHEN_SET]

if TYPE_CHECKING:
    computed = property
else:

    class computed(property):  # noqa: N801  a decorator, as property
        """A property that stands in the JSON."""


class Field(NamedTuple):
    """A field of a record, or a computed property."""

    name: str
    kind: Any
    description: str = ""
    marks: frozenset[Mark] = frozenset()
    limits: Mapping[str, Any] = MappingProxyType({})
    default: Any = ...
    is_computed: bool = False
    key: str = ""

    @property
    def has_default(self) -> bool:
        return self.default is not ...


def is_record(kind: Any) -> bool:
    """Whether values of a type have named fields."""
    return isinstance(kind, type) and (
        hasattr(kind, "__dataclass_fields__")
        or hasattr(kind, "__option_fields__")
        or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
    )


@cache
def fields_of(kind: type) -> tuple[Field, ...]:
    """The fields of a record in their order, computed properties last."""
    hints_of = getattr(kind, "hints", None)  # options know their own
    hints = get_type_hints(kind, include_extras=True) if hints_of is None else hints_of()
    defaults = _defaults(kind)
    found = [_field(name, hints[name], default) for name, default in defaults.items()]
    for base in reversed(kind.__mro__):
        for name, value in vars(base).items():
            if not TYPE_CHECKING and isinstance(value, computed):
                own = get_type_hints(value.fget, include_extras=True)["return"]
                described = (value.__doc__ or "").partition("\n")[0]
                made = _field(name, own, ...)._replace(is_computed=True)
                found.append(made._replace(description=made.description or described))
    return tuple(found)


def _defaults(kind: Any) -> dict[str, Any]:
    """Every field and its default; ... where there is none."""
    if hasattr(kind, "__option_fields__"):
        return dict(kind.__option_fields__)
    if not hasattr(kind, "__dataclass_fields__"):
        return {name: kind._field_defaults.get(name, ...) for name in kind._fields}
    from dataclasses import MISSING, fields

    found = {}
    for one in fields(kind):
        made = one.default_factory() if one.default_factory is not MISSING else ...
        found[one.name] = made if one.default is MISSING else one.default
    return found


def _field(name: str, kind: Any, default: Any) -> Field:
    """A field with what stands beside its type; what is written first counts."""
    texts: list[str] = []
    marks: set[Mark] = set()
    limits: dict[str, Any] = {}
    key, keys = name, Keys()
    while get_origin(kind) is Annotated:
        for note in kind.__metadata__:
            if isinstance(note, Mark):
                marks.add(note)
            elif isinstance(note, Limits):
                limits.update(note.keywords)
            elif isinstance(note, Key):
                key = str(note)
            elif isinstance(note, Keys):
                keys = note
            else:
                texts.append(getattr(note, "help", note))
        kind = kind.__origin__
    if keys:
        kind = Mapping[Literal[tuple(keys)], get_args(kind)[1]]  # type: ignore[misc]
    text = texts[0] if texts else ""
    return Field(name, kind, text, frozenset(marks), limits, default, key=key)


# --- to JSON ---


def plain(value: Any) -> Any:
    """A value as JSON has it: dicts, lists, text, numbers, true, false and null."""
    if isinstance(value, float) or _is_exact(type(value)):
        return float(value) + 0.0 if isfinite(value) else None  # no negative zero
    if value is None or isinstance(value, (str, int)):
        return value
    if is_record(type(value)):
        return _plain_record(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return plain(value.tolist())
    if isinstance(value, Iterable):
        return [plain(one) for one in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _is_exact(kind: Any) -> bool:
    """Whether values of a type are exact fractions, such as Decimal: numbers in JSON.

    >>> from decimal import Decimal
    >>> restore(Decimal, plain(Decimal("0.10")))
    Decimal('0.1')
    """
    is_number = isinstance(kind, type) and hasattr(kind, "as_integer_ratio")
    return is_number and kind not in (int, bool, float)


def _plain_record(record: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields_of(type(record)):  # type: ignore[arg-type]  # classes are hashable
        value = getattr(record, field.name)
        if HIDDEN in field.marks or (WHEN_SET in field.marks and value == _unset(field)):
            continue
        if FLAT in field.marks:
            found.update({} if value is None else plain(value))
        else:
            found[field.key] = plain(value)
    return found


def _unset(field: Field) -> Any:
    """The value at which a key is left out: the default; for computed properties None."""
    return field.default if field.has_default else None


# --- back from JSON ---


def restore(
    kind: type[Kind],
    given: Any,
    *,
    file: str = "<memory>",
    line: int | None = None,
    place: str = "",
    remedy: str = MAKE_AGAIN,
) -> Kind:
    """The value that `plain` wrote; complaints name the file and the field, and say what to do."""
    value: Kind = _Reader(file, line, remedy).read(kind, given, place)
    return value


class _Reader:
    """Values out of one file's JSON, each as its type says."""

    def __init__(self, file: str, line: int | None, remedy: str) -> None:
        self._file, self._line, self._remedy = file, line, remedy

    def read(self, kind: Any, given: Any, place: str) -> Any:  # noqa: PLR0911  one for each kind
        origin, inner = get_origin(kind), get_args(kind)
        if kind is Any or kind is object:
            return given
        if origin is Annotated:
            return self.read(_field("", kind, ...).kind, given, place)
        if origin in (Union, UnionType):
            return self._one_of(inner, given, place)
        if origin is Literal:
            if given not in inner or isinstance(given, bool) is not isinstance(inner[0], bool):
                raise self._wrong(place, f"one of {', '.join(map(str, inner))}", given)
            return given
        if is_record(kind):
            return self._record(kind, given, place)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(inner, given, place)
        if isinstance(origin, type) and issubclass(origin, (tuple, list, Sequence)):
            return self._sequence(origin, inner, given, place)
        return self._scalar(kind, given, place)

    def _scalar(self, kind: Any, given: Any, place: str) -> Any:
        if kind is float:  # whole numbers stay whole; null is nan
            if given is None:
                return nan
            if isinstance(given, (int, float)) and not isinstance(given, bool):
                return given
            raise self._wrong(place, "a number or null", given)
        if _is_exact(kind):  # as it is written: 0.05 is five hundredths
            if isinstance(given, (int, float)) and not isinstance(given, bool):
                return kind(str(given))
            raise self._wrong(place, "a number", given)
        named = {str: "text", int: "a whole number", bool: "true or false", NoneType: "null"}
        if kind not in named:
            raise TypeError(f"{place}: {kind} cannot be read back")
        if not isinstance(given, kind) or (kind is int and isinstance(given, bool)):
            raise self._wrong(place, named[kind], given)
        return given

    def _one_of(self, kinds: Sequence[Any], given: Any, place: str) -> Any:
        if given is None and NoneType in kinds:
            return None
        others = [kind for kind in kinds if kind is not NoneType]
        for kind in others[:-1]:
            try:
                return self.read(kind, given, place)
            except FormatError:
                continue
        return self.read(others[-1], given, place)

    def _record(self, kind: Any, given: Any, place: str) -> Any:
        if not isinstance(given, Mapping):
            raise self._wrong(place, "an object", given)
        values = {}
        for field in fields_of(kind):
            inside = f"{place}.{field.key}" if place else field.key
            if field.is_computed or HIDDEN in field.marks:
                continue
            if FLAT in field.marks:
                values[field.name] = self._flat(field, given, place)
            elif field.key in given:
                found = self.read(field.kind, given[field.key], inside)
                if NOT_EMPTY in field.marks and not found:
                    raise self._wrong(inside, "a list, not an empty one", given[field.key])
                values[field.name] = found
            elif WHEN_SET not in field.marks or not field.has_default:
                raise self._lacks(inside)
        return kind(**values)

    def _flat(self, field: Field, given: Mapping[str, Any], place: str) -> Any:
        """A value whose keys stand among others'; None where it may be missing and is."""
        kind, optional = _without_none(field.kind)
        if get_origin(kind) in (Union, UnionType):  # the one with most keys in common
            kind = max(get_args(kind), key=lambda one: len(given.keys() & {*_flat_keys(one)}))
        keys = _flat_keys(kind)
        if optional and not any(key in given for key in keys):
            return None
        if is_record(kind):
            return self.read(kind, given, place)
        return self.read(kind, {key: given[key] for key in keys if key in given}, place)

    def _mapping(self, inner: Sequence[Any], given: Any, place: str) -> dict[Any, Any]:
        if not isinstance(given, Mapping):
            raise self._wrong(place, "an object", given)
        key = int if inner[0] is int else str
        for name in get_args(inner[0]):
            if name not in given:
                raise self._lacks(f"{place}.{name}")
        return {
            key(name): self.read(inner[1], value, f"{place}.{name}")
            for name, value in given.items()
        }

    def _sequence(self, origin: Any, inner: Sequence[Any], given: Any, place: str) -> Any:
        if not isinstance(given, (list, tuple)):
            raise self._wrong(place, "a list", given)
        fixed = origin is tuple and inner[-1] is not Ellipsis
        if fixed and len(given) != len(inner):
            raise self._wrong(place, f"a list of {len(inner)}", given)
        kinds = inner if fixed else [inner[0]] * len(given)
        found = (
            self.read(kind, one, f"{place}[{number}]")
            for number, (kind, one) in enumerate(zip(kinds, given, strict=True))
        )
        return list(found) if origin is list else tuple(found)

    def _lacks(self, place: str) -> FormatError:
        message = f"lacks the field '{place}'; {self._remedy}"
        return FormatError(message, path=self._file, line=self._line)

    def _wrong(self, place: str, wanted: str, given: Any) -> FormatError:
        found = repr(given)
        shown = found if len(found) <= SHOWN else f"{found[: SHOWN - 1]}…"
        message = f"the field '{place}' must be {wanted}, not {shown}; {self._remedy}"
        return FormatError(message, path=self._file, line=self._line)


def _without_none(kind: Any) -> tuple[Any, bool]:
    """A type without None, and whether None was among its alternatives."""
    if get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
        (only,) = (one for one in get_args(kind) if one is not NoneType)
        return only, True
    return kind, False


def _flat_keys(kind: Any) -> list[str]:
    """The keys that a flat value adds to the record around it."""
    if get_origin(kind) in (Union, UnionType):
        return [key for one in get_args(kind) for key in _flat_keys(one)]
    if not is_record(kind):
        return list(get_args(get_args(kind)[0]))
    keys: list[str] = []
    for field in fields_of(kind):
        if HIDDEN not in field.marks:
            inner = _flat_keys(_without_none(field.kind)[0]) if FLAT in field.marks else ()
            keys += inner or [field.key]
    return keys


# --- the schema ---


def schema(kind: type) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a record; the records inside it are its `$defs`."""
    definitions: dict[str, Any] = {}
    found = _object_schema(kind, definitions)
    return found | ({"$defs": dict(sorted(definitions.items()))} if definitions else {})


def _object_schema(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    properties, required, one_of = _properties(kind, definitions)
    described = (kind.__doc__ or "").partition("\n")[0]
    return {
        **({"description": described} if described else {}),
        "type": "object",
        "properties": properties,
        "required": required,
        **({"anyOf": [{"required": keys} for keys in one_of]} if one_of else {}),
        "additionalProperties": False,
    }


def _properties(
    kind: type, definitions: dict[str, Any]
) -> tuple[dict[str, Any], list[str], list[list[str]]]:
    """The properties, those that must be there, and sets of which one must be there."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    one_of: list[list[str]] = []
    more: dict[str, Any]
    needed: list[str]
    for field in fields_of(kind):
        if HIDDEN in field.marks:
            continue
        if FLAT in field.marks:
            inner, optional = _without_none(field.kind)
            if get_origin(inner) in (Union, UnionType):
                more, needed = {}, []
                for one in get_args(inner):
                    own, keys, _ = _properties(one, definitions)
                    more |= own
                    one_of.append(keys)
            elif is_record(inner):
                more, needed, one_of = _properties(inner, definitions)
            else:
                value = _schema_of(get_args(inner)[1], definitions)
                more = dict.fromkeys(_flat_keys(inner), value)
                needed = list(more)
            properties |= more
            required += [] if optional or WHEN_SET in field.marks else needed
            continue
        found = {**_schema_of(field.kind, definitions), **field.limits}
        if NOT_EMPTY in field.marks:
            found["minItems"] = 1
        text = {"description": field.description} if field.description else {}
        properties[field.key] = text | found
        if WHEN_SET not in field.marks:
            required.append(field.key)
    return properties, required, one_of


_SCALARS: dict[Any, Any] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": ["number", "null"]},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


def _schema_of(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:  # noqa: PLR0911
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any or kind is object:
        return {}
    if kind in _SCALARS:
        return dict(_SCALARS[kind])
    if _is_exact(kind):
        return {"type": "number"}
    if origin is Annotated:
        field = _field("", kind, ...)
        text = {"description": field.description} if field.description else {}
        return {**text, **_schema_of(field.kind, definitions), **field.limits}
    if origin in (Union, UnionType):
        return _union_schema([_schema_of(one, definitions) for one in inner])
    if origin is Literal:
        return {"const": inner[0]} if len(inner) == 1 else {"enum": list(inner)}
    if is_record(kind):
        name = kind.__name__
        if name not in definitions:
            definitions[name] = {}  # a record may hold its own kind
            definitions[name] = _object_schema(kind, definitions)
        return {"$ref": f"#/$defs/{name}"}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        value = _schema_of(inner[1], definitions)
        if not (keys := get_args(inner[0])):
            return {"type": "object", "additionalProperties": value}
        properties = dict.fromkeys(keys, value)
        required = {"required": list(keys), "additionalProperties": False}
        return {"type": "object", "properties": properties, **required}
    if isinstance(origin, type) and issubclass(origin, (tuple, list, Sequence)):
        if origin is tuple and inner[-1] is not Ellipsis:
            items = [_schema_of(one, definitions) for one in inner]
            size = {"minItems": len(inner), "maxItems": len(inner)}
            return {"type": "array", "prefixItems": items, **size}
        return {"type": "array", "items": _schema_of(inner[0], definitions)}
    raise TypeError(f"{kind} has no form in JSON")


def _union_schema(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Alternatives; those that are only types become one list of types."""
    if all(part.keys() == {"type"} for part in parts):
        types = [one for part in parts for one in _listed(part["type"])]
        return {"type": list(dict.fromkeys(types))}
    if len(parts) == 2 and parts[1] == {"type": "null"} and "type" in parts[0]:
        return {**parts[0], "type": [*_listed(parts[0]["type"]), "null"]}
    return {"anyOf": list(parts)}


def _listed(types: str | Sequence[str]) -> Sequence[str]:
    return [types] if isinstance(types, str) else types
