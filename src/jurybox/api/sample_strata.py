"""Which stratum a case belongs to: by the system's label, and by score, construction, document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats import Source
from jurybox.formats.sample_key import FIELDS, PARTS, Division

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from jurybox.formats.decision_stream import DecisionBlock

#: a document of its own for every case would be strata of one case
MOST_STRATA = 10_000


def read_division(given: str | Division) -> Division:
    """What divides the parts, as `--by` says it.

    >>> read_division("score=.2,.5")
    Division(field='score', edges=(0.2, 0.5))
    >>> read_division("document")
    Division(field='document', edges=())
    """
    if isinstance(given, Division):
        return given
    name, equals, listed = given.partition("=")
    if name not in FIELDS:
        raise unknown_name("kind of strata (--by)", name, FIELDS)
    if name != "score":
        if equals:
            raise UsageError(f"--by {given}: only scores have edges; write --by {name}")
        return Division(name)
    try:
        edges = tuple(float(edge) for edge in listed.split(","))
    except ValueError:
        edges = ()
    rising = all(low < high for low, high in pairwise(edges))
    if not edges or not rising or not all(map(isfinite, edges)):
        raise UsageError(f"--by {given}: write rising edges of scores, as --by score=0.2,0.5")
    return Division(name, edges)


def read_divisions(given: str | Division | Iterable[str | Division] | None) -> list[Division]:
    """All that is given, each field once."""
    if given is None:
        return []
    listed = [given] if isinstance(given, str | Division) else list(given)
    found = [read_division(one) for one in listed]
    if len({one.field for one in found}) < len(found):
        raise UsageError("--by: each of score, construction and document divides once")
    return found


def score_names(edges: Sequence[float]) -> list[str]:
    """What strata by score are called; each begins at its edge.

    >>> score_names((0.2, 0.5))
    ['under0.2', '0.2to0.5', 'from0.5']
    """
    shown = [f"{edge:g}" for edge in edges]
    between = [f"{low}to{high}" for low, high in pairwise(shown)]
    return [f"under{shown[0]}", *between, f"from{shown[-1]}"]


class _Numbers(dict[tuple[Any, ...], int]):
    """Numbers of strata in order of appearance."""

    def __missing__(self, key: tuple[Any, ...]) -> int:
        if len(self) >= MOST_STRATA:
            raise InputError(f"--by makes more than {MOST_STRATA} strata; divide by less")
        self[key] = len(self)
        return self[key]


class Strata:
    """Numbers cases by their strata, block by block, and names the strata."""

    def __init__(self, by: Sequence[Division], of_case: Mapping[str, Mapping[str, str]]) -> None:
        self._by = tuple(by)
        self._of_case = of_case  # field -> case -> value, from the case file
        self._numbers = _Numbers()
        if not by:
            for label in range(len(PARTS)):
                assert self._numbers[(label,)] == label

    def number(self, block: DecisionBlock) -> NDArray[np.int64]:
        """The number of every case's stratum."""
        import numpy as np

        if not self._by:
            return np.array(block.labels, dtype=np.int64)
        columns = [self._column(one, block) for one in self._by]
        keys = zip(block.labels, *columns, strict=True)
        return np.fromiter(map(self._numbers.__getitem__, keys), np.int64, len(block.cases))

    def _column(self, one: Division, block: DecisionBlock) -> Iterable[int | str]:
        if one.field == "score":
            import numpy as np

            scores = np.asarray(block.scores, dtype=np.float64)
            found: list[int] = np.digitize(scores, one.edges).tolist()
            return found
        if one.field in self._of_case:
            return list(map(self._value_of(one.field), block.cases))
        if one.field not in block.groups:
            raise InputError(
                f"--by {one.field}: the decisions have no column '{one.field}'; name the file with "
                "the cases, which tells it, with --cases"
            )
        values = list(map(str.strip, block.groups[one.field]))
        if not all(values):
            raise InputError(f"case '{block.cases[values.index('')]}' has no {one.field}")
        return values

    def _value_of(self, field: str) -> Callable[[str], str]:
        values = self._of_case[field]

        def find(case: str) -> str:
            if not (value := values.get(case)):
                raise InputError(f"case '{case}' has no {field} in the file of cases (--cases)")
            return value

        return find

    def __len__(self) -> int:
        return len(self._numbers)

    def in_order(self) -> list[tuple[int, str, str]]:
        """Number, name and label of every stratum: errors first, then by name or score."""
        found = []
        for key, number in sorted(self._numbers.items()):
            values = (
                score_names(one.edges)[value] if one.field == "score" else value
                for one, value in zip(self._by, key[1:], strict=True)
            )
            found.append((number, "/".join((PARTS[key[0]], *values)), PARTS[key[0]]))
        return found


def read_groups(source: Source, fields: Sequence[str]) -> dict[str, dict[str, str]]:
    r"""Field -> case -> its value, out of a case file; fields that the file lacks are left out.

    >>> from jurybox.formats import Input
    >>> read_groups(Input.from_text("case,document\nc1,d1\n"), ["document", "construction"])
    {'document': {'c1': 'd1'}}
    """
    from jurybox.formats import cases as case_files
    from jurybox.formats.long_tables import LongTable

    table = LongTable(source, case_files.COLUMNS, schema=case_files.SCHEMA, can_map=False)
    found: dict[str, dict[str, str]] = {}
    shared: dict[str, str] = {}  # few values, many cases: each value is held once
    for block in table.blocks():
        ids = list(map(str.strip, block.cells.get("case", ())))
        for field in fields:
            if field in block.cells:
                values = (shared.setdefault(v, v) for v in map(str.strip, block.cells[field]))
                found.setdefault(field, {}).update(zip(ids, values, strict=True))
    table.bad.raise_first()
    return found
