"""The fields of a saved result, each asked for as what it must be; complaints name the field."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import Any, TypeGuard

from jurybox.errors import FormatError

MAKE_AGAIN = "make the result again with --format json"


class Fields:
    """A JSON object and where it stands in its file.

    >>> fields = Fields({"systems": [{"tp": 3, "f": None}]}, file="result.json")
    >>> [system] = fields.parts("systems")
    >>> system.whole("tp"), system.number("f")
    (3, nan)
    >>> system.whole("fp")
    Traceback (most recent call last):
    jurybox.errors.FormatError: result.json: lacks the field 'systems[0].fp'; \
make the result again with --format json
    """

    def __init__(self, values: Mapping[str, Any], *, file: str, place: str = "") -> None:
        self._values = values
        self._file = file
        self._place = place

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def has(self, name: str) -> bool:
        """Whether a field is there and holds something."""
        return self._values.get(name) is not None

    # --- plain values ---

    def text(self, name: str) -> str:
        value = self._value(name)
        return value if isinstance(value, str) else self._refuse(name, "text")

    def text_or_none(self, name: str) -> str | None:
        return None if self._value(name) is None else self.text(name)

    def reason(self, name: str = "reason") -> str:
        """A reason, or '' where there is none."""
        return self.text(name) if name in self else ""

    def flag(self, name: str) -> bool:
        value = self._value(name)
        return value if isinstance(value, bool) else self._refuse(name, "true or false")

    def whole(self, name: str) -> int:
        value = self._value(name)
        return value if _is_whole(value) else self._refuse(name, "a whole number")

    def whole_or_none(self, name: str) -> int | None:
        return None if self._value(name) is None else self.whole(name)

    def number(self, name: str) -> float:
        """A number; null is nan, as JSON has none. Whole numbers stay whole."""
        value = self._value(name)
        if value is None:
            return nan
        return value if _is_number(value) else self._refuse(name, "a number or null")

    def number_or_none(self, name: str) -> float | None:
        return None if self._value(name) is None else self.number(name)

    # --- many values ---

    def texts(self, name: str) -> tuple[str, ...]:
        listed = self._list(name)
        return tuple(
            one if isinstance(one, str) else self._refuse(name, "a list of texts") for one in listed
        )

    def wholes(self, name: str) -> tuple[int, ...]:
        what = "a list of whole numbers"
        listed = self._list(name)
        return tuple(one if _is_whole(one) else self._refuse(name, what) for one in listed)

    def numbers(self, name: str, count: int) -> tuple[float, ...]:
        """So many numbers; null is nan."""
        listed = [nan if one is None else one for one in self._list(name)]
        if len(listed) != count or not all(map(_is_number, listed)):
            self._refuse(name, f"a list of {count} numbers")
        return tuple(listed)

    def numbers_by_name(self, name: str) -> dict[str, float]:
        part = self.part(name)
        return {key: part.number(key) for key in part._values}

    def wholes_by_name(self, name: str) -> dict[str, int]:
        part = self.part(name)
        return {key: part.whole(key) for key in part._values}

    def texts_by_name(self, name: str) -> dict[str, str]:
        part = self.part(name)
        return {key: part.text(key) for key in part._values}

    def as_given(self, name: str, *needed: str) -> dict[str, Any]:
        """An object whose values are kept as they are; the needed ones must be there."""
        part = self.part(name)
        for key in needed:
            part._value(key)
        return dict(part._values)

    # --- objects in objects ---

    def part(self, name: str) -> Fields:
        value = self._value(name)
        if not isinstance(value, Mapping):
            self._refuse(name, "an object")
        return Fields(value, file=self._file, place=self._path(name))

    def parts(self, name: str, *, least: int = 0) -> list[Fields]:
        """The objects of a list, which must have so many or more."""
        listed = self._list(name)
        if len(listed) < least or not all(isinstance(one, Mapping) for one in listed):
            self._refuse(name, f"a list of objects{', not an empty one' if least else ''}")
        path = self._path(name)
        return [
            Fields(one, file=self._file, place=f"{path}[{place}]")
            for place, one in enumerate(listed)
        ]

    def parts_by_name(self, name: str) -> dict[str, Fields]:
        """The objects of an object whose keys are data: names of people, systems, types."""
        part = self.part(name)
        return {key: part.part(key) for key in part._values}

    # --- complaints ---

    def _path(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name

    def _value(self, name: str) -> Any:
        if name not in self._values:
            message = f"lacks the field '{self._path(name)}'; {MAKE_AGAIN}"
            raise FormatError(message, path=self._file)
        return self._values[name]

    def _list(self, name: str) -> list[Any]:
        value = self._value(name)
        return list(value) if isinstance(value, (list, tuple)) else self._refuse(name, "a list")

    def _refuse(self, name: str, wanted: str) -> Any:
        found = repr(self._values[name])
        shown = found if len(found) <= 40 else f"{found[:39]}…"
        message = f"the field '{self._path(name)}' must be {wanted}, not {shown}; {MAKE_AGAIN}"
        raise FormatError(message, path=self._file)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
