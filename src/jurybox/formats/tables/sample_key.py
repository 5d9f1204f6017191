r"""The key of a sample: which case hides behind which blind id, and which part it was drawn from.

JSONL. The first line says what was drawn from what, every further line names one drawn case:

    {"schema": "jurybox.samplekey/1", "seed": 7, "by": [], "strata": [
     {"name": "error", "label": "error", "size": 1000, "sampled": 750}, …],
     "decisions": {"path": "mine.csv", "sha256": "…"}, "after": [], "checksum": "…"}
    {"id": "k7mw3hqx", "case": "12:3", "stratum": "error"}

`size` is how many cases the stratum holds in the whole corpus, `sampled` how many of them this draw
took, `label` what the system calls all of them. `by` tells how the two parts were divided further:
nothing, or {"field": "construction"}, {"field": "document"}, {"field": "score", "edges": [0.2]}.
`after` holds the checksums of the keys of earlier draws, whose cases were left out of this one: all
of them together are one sample without replacement, so sizes are the same in each and the numbers
of sampled cases add up. `threshold` is there where scores from it on were called errors.

The checksum is over everything else in the file. A key that was edited since is refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple, TextIO

from jurybox.errors import InputError, count_noun
from jurybox.formats._io import Input, Source, as_input
from jurybox.formats.tables.long_tables import encode_json, parse_object, write_lines

SCHEMA = "jurybox.samplekey/1"
#: labels of a system, in the order in which strata are listed
PARTS = ("error", "ok")
FIELDS = ("score", "construction", "document")
DRAW_AGAIN = "draw again with jurybox sample draw, or take the key as it was written"
_DIGEST = re.compile(r"[0-9a-f]{64}")


class KeyStratum(NamedTuple):
    """A part of the corpus, all of which the system labels alike, and how many were drawn."""

    name: str  # "error", "ok", or a part of these as "error/article"
    label: str  # "error" or "ok"
    size: int  # cases in the whole corpus
    sampled: int  # cases in this draw


class DrawnCase(NamedTuple):
    """A line of the key: the id that raters see, the case it stands for, and its stratum."""

    id: str
    case: str
    stratum: str


class Division(NamedTuple):
    """What divides the two parts further; `edges` are of scores, each beginning a stratum."""

    field: str
    edges: tuple[float, ...] = ()


class KeySource(NamedTuple):
    """The decisions that were drawn from."""

    path: str
    sha256: str


@dataclass(frozen=True)
class SampleKey:
    """Who is who in a blind file; made by `jurybox sample draw`.

    >>> parts = (KeyStratum("error", "error", 10, 1), KeyStratum("ok", "ok", 90, 0))
    >>> key = SampleKey(parts, (DrawnCase("k7mw3hqx", "c3", "error"),), seed=1)
    >>> key.stratum("ok").size, len(key.checksum)
    (90, 64)
    """

    strata: tuple[KeyStratum, ...]
    drawn: tuple[DrawnCase, ...]  # in the order of the blind file
    seed: int
    by: tuple[Division, ...] = ()
    decisions: KeySource | None = None  # None where they were in memory
    after: tuple[str, ...] = ()  # checksums of the keys of earlier draws
    threshold: float | None = None  # scores from it on were called errors, whatever the label
    name: str = field(default="<memory>", compare=False)  # the file it was read from

    def __repr__(self) -> str:
        return f"SampleKey({count_noun(len(self.drawn), 'drawn case')})"

    def stratum(self, name: str) -> KeyStratum:
        return next(one for one in self.strata if one.name == name)

    @property
    def lot(self) -> str:
        """SHA-256 of what was drawn and from what, wherever the decisions lay."""
        sizes = sorted((one.name, one.label, one.size) for one in self.strata)
        text = json.dumps([self.seed, sizes, self.drawn], separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    @property
    def checksum(self) -> str:
        """SHA-256 of the content, whatever white space the file has."""
        content = [_head(self), *map(DrawnCase._asdict, self.drawn)]
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


def write(key: SampleKey, out: TextIO) -> None:
    for message in _contradictions(key):
        raise InputError(f"the key of a sample: {message}")
    head = {"schema": SCHEMA, **_head(key), "checksum": key.checksum}
    write_lines([encode_json(head), *(encode_json(one._asdict()) for one in key.drawn)], out)


def read(source: Source) -> SampleKey:
    r"""The key of a file; one that was edited after it was drawn is refused.

    >>> import io
    >>> from jurybox.formats import Input
    >>> out, parts = io.StringIO(), (KeyStratum("error", "error", 10, 1),)
    >>> write(SampleKey(parts, (DrawnCase("k7mw3hqx", "c3", "error"),), seed=1), out)
    >>> read(Input.from_text(out.getvalue())).drawn[0].case
    'c3'
    >>> edited = Input.from_text(out.getvalue().replace("c3", "c4"), "key.jsonl")
    >>> read(edited)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    jurybox.errors.FormatError: key.jsonl: was changed after it was drawn ...
    """
    given = as_input(source)
    lines = [(number, text) for number, text in given.lines() if text.strip()]
    if not lines:
        raise given.error("is empty; name the key that jurybox sample draw wrote")
    records = _records(lines, given)
    first, head = next(records)
    if head.get("schema") != SCHEMA:
        found = f"is {head['schema']}" if "schema" in head else "has no schema"
        message = f"{found}, not {SCHEMA}; name the key that jurybox sample draw wrote"
        raise given.error(message, first)
    drawn = []
    for number, record in records:
        are_texts = all(isinstance(value, str) and value for value in record.values())
        if record.keys() != set(DrawnCase._fields) or not are_texts:
            message = 'not a drawn case; a line is {"id": …, "case": …, "stratum": …}'
            raise given.error(f"{message}; {DRAW_AGAIN}", number)
        drawn.append(DrawnCase(**record))
    try:
        key = _read_head(head, tuple(drawn), given)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        message = f"the first line is not that of a key ({error}); {DRAW_AGAIN}"
        raise given.error(message, first) from None
    for message in _contradictions(key):
        raise given.error(f"{message}; {DRAW_AGAIN}")
    if head.get("checksum") != key.checksum:
        message = "was changed after it was drawn (its checksum does not fit)"
        raise given.error(f"{message}; {DRAW_AGAIN}")
    return key


def _records(
    lines: Iterable[tuple[int, str]], given: Input
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in lines:
        try:
            yield number, parse_object(text)
        except ValueError as error:
            raise given.error(str(error), number) from None


def looks_like_key(source: Source) -> bool:
    r"""Whether a file begins like a key; it is not read further.

    >>> from jurybox.formats import Input
    >>> looks_like_key(Input.from_text("case,rater,label\n"))
    False
    """
    first = as_input(source).peek().partition(b"\n")[0]
    # one in UTF-16 is no key yet; its reader says how to convert it
    return any(SCHEMA.encode(encoding) in first for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def check_together(keys: Sequence[SampleKey]) -> None:
    """Refuse draws that are not from one corpus, or that hold a case twice."""
    first, seen = keys[0], dict[str, str]()
    met: dict[str, str] = {}
    for key in keys:
        if key.checksum in met:
            raise InputError(
                f"{key.name} is the same key as {met[key.checksum]}; name the key of each draw once"
            )
        met[key.checksum] = key.name
    of_first = {(one.name, one.label, one.size) for one in first.strata}
    for key in keys:
        if {(one.name, one.label, one.size) for one in key.strata} != of_first:
            raise InputError(
                f"{key.name} was drawn from other strata than {first.name}; estimate them apart"
            )
        _check_same_decisions(key, first)
        for one in key.drawn:
            for which, value in (("case", one.case), ("id", f"id {one.id}")):
                if value in seen:
                    raise InputError(
                        f"{which} '{value.removeprefix('id ')}' is in {seen[value]} and in "
                        f"{key.name}; draw again, with --after {seen[value]}"
                    )
                seen[value] = key.name


def _check_same_decisions(key: SampleKey, first: SampleKey) -> None:
    """Two systems may flag as many cases: sizes alone do not tell their decisions apart."""
    one, other = key.decisions, first.decisions
    if one is not None and other is not None and one.sha256 != other.sha256:
        raise InputError(
            f"{key.name} was drawn from other decisions ({one.path}) than {first.name} "
            f"({other.path}): their SHA-256 differ; estimate them apart"
        )
    if key.threshold != first.threshold:
        raise InputError(
            f"{key.name} was drawn with another --threshold than {first.name}; estimate them apart"
        )


def _head(key: SampleKey) -> dict[str, Any]:
    return {
        "seed": key.seed,
        "by": [
            {"field": one.field, **({"edges": list(one.edges)} if one.edges else {})}
            for one in key.by
        ],
        "strata": [one._asdict() for one in key.strata],
        "decisions": None if key.decisions is None else key.decisions._asdict(),
        "after": list(key.after),
        **({} if key.threshold is None else {"threshold": key.threshold}),
    }


def _read_head(head: dict[str, Any], drawn: tuple[DrawnCase, ...], given: Input) -> SampleKey:
    """The key of a file; an error of Python's own says what its first line lacks."""
    source = head["decisions"]
    threshold = _typed(head, {"threshold": float})["threshold"] if "threshold" in head else None
    for value in head["after"]:
        if not isinstance(value, str) or not _DIGEST.fullmatch(value):
            raise ValueError(f"{value!r} is no checksum")
    return SampleKey(
        strata=tuple(KeyStratum(**_typed(one, _STRATUM)) for one in head["strata"]),
        drawn=drawn,
        seed=_typed(head, {"seed": int})["seed"],
        by=tuple(Division(one["field"], tuple(one.get("edges", ()))) for one in head["by"]),
        decisions=None if source is None else KeySource(**_typed(source, _SOURCE)),
        after=tuple(head["after"]),
        threshold=threshold,
        name=given.name,
    )


_STRATUM = {"name": str, "label": str, "size": int, "sampled": int}
_SOURCE = {"path": str, "sha256": str}


def _typed(record: dict[str, Any], kinds: Mapping[str, type]) -> dict[str, Any]:
    for key, kind in kinds.items():
        if type(record[key]) is not kind:
            raise TypeError(f"{key} is {record[key]!r}")
    return record


def _contradictions(key: SampleKey) -> Iterator[str]:
    """What cannot be right about a key, whoever wrote it."""
    names = Counter(one.name for one in key.strata)
    for one in key.strata:
        if one.label not in PARTS:
            yield f"stratum '{one.name}' has the label '{one.label}', not error or ok"
        if names[one.name] > 1:
            yield f"stratum '{one.name}' is listed twice"
        if not 0 <= one.sampled <= one.size:
            yield f"stratum '{one.name}' has {one.sampled} cases drawn of {one.size}"
    for noun, column in (("case", 1), ("id", 0)):
        for value, count in Counter(one[column] for one in key.drawn).items():
            if count > 1:
                yield f"{noun} '{value}' is there twice"
    counts = Counter(one.stratum for one in key.drawn)
    for name in counts.keys() - names.keys():
        yield f"a case was drawn from stratum '{name}', which is not listed"
    for one in key.strata:
        if counts[one.name] != one.sampled:
            yield f"stratum '{one.name}' has {counts[one.name]} cases, {one.sampled} were drawn"
    for division in key.by:
        if division.field not in FIELDS:
            yield f"strata by '{division.field}' are not known"
