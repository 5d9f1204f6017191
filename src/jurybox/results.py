"""What all results can do: text, JSON, CSV, frames; and the values they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from jurybox._version import __version__
from jurybox.errors import MissingExtraError, count_noun, unknown_key
from jurybox.formats import Input
from jurybox.records import HIDDEN, WHEN_SET, Limits, plain, restore, schema
from jurybox.tables import Table

if TYPE_CHECKING:
    import pandas as pd


class RecordedFile(NamedTuple):
    """A file that was read when a result was made; a result that is read back has no other."""

    path: Annotated[
        str, "Path as it was given; <stdin> for standard input, <memory> for text in memory."
    ]
    sha256: Annotated[
        str,
        "SHA-256 of the bytes as stored (compressed files: before decompression).",
        Limits(pattern="^[0-9a-f]{64}$"),
    ]

    @property
    def name(self) -> str:
        return self.path


class WrittenFile(NamedTuple):
    """A file that was written."""

    what: Annotated[str, "What it holds, such as cases, judgments, or the decisions of a system."]
    file: Annotated[str, "Its name; - for standard output."]


class Interval(NamedTuple):
    """A confidence interval."""

    low: Annotated[float, "Lower end; null where there is no interval."]
    high: Annotated[float, "Upper end; null where there is no interval."]
    level: Annotated[
        float, "Level of confidence.", Limits(exclusiveMinimum=0, exclusiveMaximum=1)
    ] = 0.95
    reason: Annotated[str, "Why there is no interval, or why it has no width.", WHEN_SET] = ""


#: what a result was made from
GivenFile = Input | RecordedFile
#: the fields `inputs`, `signature` and `warnings` of results
Inputs = Annotated[tuple[GivenFile, ...], HIDDEN]  # they stand in the envelope
Signature = Annotated[
    str,
    "What the numbers depend on, in one line.",
    Limits(pattern=r"^jurybox [a-z0-9]+(\|[a-z]+:[^|]*)*\|v:[^|]+$"),
]
Warnings = Annotated[
    tuple[str, ...], "What the user should know, as it was also said on standard error."
]
AnyResult = TypeVar("AnyResult", bound="TabularResult")
Name = TypeVar("Name")
Part = TypeVar("Part")
#: names that a repr shows, and characters of them
SHOWN, WIDE = 5, 60


def envelope(
    command: str, signature: str, inputs: Sequence[Mapping[str, str]], schema: int = 1
) -> dict[str, Any]:
    """What every JSON result begins with."""
    _, signed, version = signature.rpartition("|v:")
    return {
        "schema": f"jurybox.{command}/{schema}",
        "command": command,
        # of the jurybox that made the numbers: not always this one, results can be read back
        "version": version if signed else __version__,
        "signature": signature,
        "inputs": [dict(given) for given in inputs],
    }


class _Files(NamedTuple):
    """The files of a result, as its envelope names them."""

    inputs: Annotated[
        tuple[RecordedFile, ...],
        "The files behind the numbers, in the order in which they were given; empty where "
        "everything was in memory.",
    ]


def describe_inputs(inputs: Sequence[GivenFile]) -> list[dict[str, str]]:
    """Path and SHA-256 of every file that was read."""
    return [{"path": given.name, "sha256": given.sha256} for given in inputs]


class TabularResult:
    """What all results can do, given `tables` and `records`; subclasses are frozen dataclasses.

    Their JSON is made of their fields (`jurybox.records`), after the envelope that all results
    begin with. `command` is the command that makes them.
    """

    command: ClassVar[str] = ""
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.<command>/1."""
        record: dict[str, Any] = plain(self)
        inputs = describe_inputs(getattr(self, "inputs", ()))
        head = envelope(self.command, record.pop("signature"), inputs)
        warnings = {"warnings": record.pop("warnings")} if "warnings" in record else {}
        return head | record | warnings

    @classmethod
    def from_dict(cls: type[AnyResult], record: Mapping[str, Any], *, file: str) -> AnyResult:
        """The result again; `file` is what messages call it."""
        found = restore(cls, record, file=file)
        if hasattr(found, "inputs"):
            read = restore(_Files, record, file=file)
            object.__setattr__(found, "inputs", read.inputs)  # it is ours and new
        return found

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The JSON Schema of `to_dict`."""
        found = schema(cls)
        own = {name: found["properties"].pop(name, None) for name in ("signature", "warnings")}
        files = schema(_Files)
        name = f"jurybox.{cls.command}/1"
        head = {
            "schema": {"description": "Name and version of this schema.", "const": name},
            "command": {"description": "The command that made this.", "const": cls.command},
            "version": {
                "description": "Version of jurybox that made the numbers.",
                "type": "string",
                "pattern": r"^\d+\.\d+\.\d+",
            },
            "signature": own["signature"],
            **files["properties"],
        }
        tail = {"warnings": own["warnings"]} if own["warnings"] else {}
        rest = [one for one in found["required"] if one not in own]
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:jurybox:schema:{cls.command}:1",
            "title": f"What jurybox {cls.command.replace('-', ' ')} --format json prints",
            **found,
            "properties": head | found["properties"] | tail,
            "required": [*head, *rest, *tail],
            "$defs": dict(sorted((found.get("$defs", {}) | files["$defs"]).items())),
        }

    def tables(self) -> list[Table]:
        raise NotImplementedError

    def records(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_csv(self) -> str:
        """The records as comma-separated values, every digit of them."""
        import csv
        import io

        rows = [
            {k: v + 0.0 if isinstance(v, float) else v for k, v in row.items()}  # -0.0 is 0.0
            for row in self.records()
        ]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        out = io.StringIO()
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue().rstrip("\n")

    def to_json(self) -> str:
        """The dict as text, as `--format json` prints it."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def to_frame(self) -> pd.DataFrame:
        """One row per record, if pandas is installed."""
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError(
                "to_frame() needs pandas: pip install 'jurybox[pandas]' (or use to_dict())"
            ) from error
        return pd.DataFrame.from_records(self.records())

    def __repr__(self) -> str:
        return in_one_line(self)

    def __str__(self) -> str:
        return "\n\n".join(table.to_text() for table in self.tables())

    def _repr_html_(self) -> str:
        return "".join(table.to_html() for table in self.tables())


# --- results that are indexed by name: `result["CAMB"]`, `"CAMB" in result`, `list(result)` ---


class NamedParts(Generic[Name, Part]):
    """What a result holds by name, like a dict that is only read; `noun` is what the names are.

    >>> class Prices(NamedParts[str, int]):
    ...     noun = "fruit"
    ...     def parts(self): return {"apple": 3, "pear": 4}
    >>> prices = Prices()
    >>> prices["pear"], "plum" in prices, prices.get("plum", 0), list(prices)
    (4, False, 0, ['apple', 'pear'])
    >>> prices["aple"]
    Traceback (most recent call last):
    jurybox.errors.UnknownKeyError: unknown fruit 'aple'; did you mean 'apple'? (one of: \
apple, pear)
    """

    noun = "name"

    def parts(self) -> Mapping[Name, Part]:
        """All parts by name, in their order."""
        raise NotImplementedError

    @cached_property
    def _by_name(self) -> Mapping[Name, Part]:
        return self.parts()

    def __getitem__(self, name: Name) -> Part:
        try:
            return self._by_name[name]
        except (KeyError, TypeError):  # TypeError: what cannot be hashed
            raise unknown_key(self.noun, name, self._by_name) from None

    def __contains__(self, name: object) -> bool:
        try:
            return name in self._by_name
        except TypeError:
            return False

    def __iter__(self) -> Iterator[Name]:
        return iter(self._by_name)

    def keys(self) -> Iterable[Name]:
        """The names."""
        return self._by_name.keys()

    def get(self, name: Name, default: Any = None) -> Part | Any:
        """The part of this name, or `default`."""
        try:
            return self[name]
        except KeyError:
            return default


def in_one_line(result: object) -> str:
    """A result as its repr: what it holds by name, or else its signature.

    >>> class Prices(NamedParts[str, int]):
    ...     noun = "fruit"
    ...     def parts(self): return {"apple": 3, ("apple", "pear"): 4}
    >>> in_one_line(Prices())
    'Prices(1 fruit: apple)'
    """
    kind = type(result).__name__
    if not isinstance(result, NamedParts):
        return f"{kind}({getattr(result, 'signature', '')!r})"
    names = [str(name) for name in result if not isinstance(name, tuple)]
    shown = ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)
    if len(shown) > WIDE:
        shown = f"{shown[:WIDE]}…"
    return f"{kind}({count_noun(len(names), result.noun)}{': ' if shown else ''}{shown})"


def by(field: str, parts: Iterable[Part]) -> dict[str, Part]:
    """Parts by one of their fields; of two with the same name the first."""
    found: dict[str, Part] = {}
    for part in parts:
        found.setdefault(cast("str", getattr(part, field)), part)
    return found


def show_interval(
    interval: Interval | None, *, scale: float = 1, digits: int = 4, unit: str = ""
) -> str:
    """[low, high], or why there is none."""
    if interval is None:
        return ""
    if isnan(interval.low):
        return interval.reason
    low, high = (f"{scale * end:z.{digits}f}{unit}" for end in (interval.low, interval.high))
    return f"[{low}, {high}]"
