"""Our fields out of JSON objects, by the keys a user maps or by those that say the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from jurybox.errors import Column, FormatError, near_name
from jurybox.formats._json_lines import as_text
from jurybox.formats._table_faults import listed
from jurybox.formats.exports._columns import SHOWN
from jurybox.formats.exports._export import Request

DATA = "data."


class Keys:
    """Facts of objects; a key that is mapped and that no object has is an error at the end.

    `own` are the fields that a format reads in its own way; `further` are keys that serve a field
    where none is mapped.

    >>> keys = Keys(Request({"batch": "set"}), own=("label",))
    >>> keys.read({"text": "He sat .", "set": 3, "label": "ok"})
    {'sentence': 'He sat .', 'batch': '3'}
    """

    def __init__(
        self,
        request: Request,
        own: Collection[str],
        further: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._mapped = {
            field: key.removeprefix(DATA).removeprefix("$")
            for field, key in request.columns.items()
            if field not in own
        }
        names: dict[str, tuple[str, ...]] = {**SHOWN, **(further or {})}
        names |= {field: (key,) for field, key in self._mapped.items()}
        self._pairs = [(field, key) for field, keys in names.items() for key in keys]
        self._met: set[str] = set()
        self._seen: dict[str, None] = {}

    def read(self, record: Mapping[str, Any]) -> dict[str, str]:
        """The cells that an object has for us."""
        if not record.keys() <= self._seen.keys():
            self._seen |= dict.fromkeys(record)
        cells: dict[str, str] = {}
        for field, key in self._pairs:
            if key in record and field not in cells and record[key] is not None:
                cells[field] = as_text(record[key])
        self._met.update(cells)
        return cells

    def check(self, path: str) -> None:
        """Refuse keys that were mapped and never met."""
        for field, key in self._mapped.items():
            if field not in self._met and self._seen:
                raise FormatError(
                    f"nothing has the key '{key}' (--map {field}={key})"
                    f"{near_name(key, self._seen)}; the keys are: {listed(list(self._seen))}",
                    path=path,
                    line=1,
                    column=Column(title=key),
                )
