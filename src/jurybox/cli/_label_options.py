"""Options of commands that need to know which judgments say error and which say ok."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from jurybox.cli._options import add_files
from jurybox.errors import UsageError

_PAIRS = {"--map": "--map case=HITId,label=Answer", "--labels": "--labels Yes=ok,No=error"}


def add_map(group: Any, example: str = "case=HITId,label=Answer.Q1") -> None:
    """Which columns of a table are meant."""
    add_files(group, "--map", f"which columns are meant, as {example}", metavar="OURS=TITLE")


def add_labels(
    group: Any,
    *,
    columns: str = "case=HITId,label=Answer",
    labels: str = "Yes=ok,No=error",
) -> None:
    """Which columns are meant, and which labels are error and ok; both with an example."""
    add_map(group, columns)
    add_files(group, "--labels", f"what labels mean, as {labels}", metavar="WORD=LABEL")


def label_arguments(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments of the verbs: `columns` and `labels`."""
    return {
        "columns": read_pairs(options.map, "--map"),
        "labels": read_pairs(options.labels, "--labels"),
    }


def read_pairs(given: Sequence[str] | None, flag: str) -> dict[str, str]:
    """`a=b,c=d` as a dict.

    >>> read_pairs(["Yes=ok,No=error", "?=unknown"], "--labels")
    {'Yes': 'ok', 'No': 'error', '?': 'unknown'}
    >>> read_pairs(["No, never=error,Yes=ok"], "--labels")
    {'No, never': 'error', 'Yes': 'ok'}
    """
    pairs: dict[str, str] = {}
    split = _split_labels if flag == "--labels" else _split_commas
    for part in (part for listed in given or () for part in split(listed) if part.strip()):
        name, equals, value = part.rpartition("=") if flag == "--labels" else part.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"{flag} {part}: write pairs, as {_PAIRS[flag]}")
        if name.strip() in pairs:
            raise UsageError(f"{flag}: {name.strip()} is given twice")
        pairs[name.strip()] = value.strip()
    return pairs


def _split_commas(listed: str) -> list[str]:
    return listed.split(",")


def _split_labels(listed: str) -> list[str]:
    """A label may hold commas and equals signs: a pair ends only after what a word may mean.

    What looks like a meaning that is none, as in No=eror, ends a pair too, so that it is refused.
    """
    from jurybox.formats._labels import looks_like_label

    pairs: list[str] = []
    begun = ""
    for part in listed.split(","):
        begun = f"{begun},{part}" if begun else part
        _, equals, meaning = begun.rpartition("=")
        if equals and looks_like_label(meaning):
            pairs.append(begun)
            begun = ""
    return [*pairs, begun] if begun else pairs
