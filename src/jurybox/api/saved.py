"""Counts kept on disk: saving them, and scoring from them without matching again."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

from jurybox.api.certainty import Certainty, with_intervals
from jurybox.api.options import Options
from jurybox.api.results import ScoreResult, describe_inputs
from jurybox.api.score import system_score
from jurybox.errors import FormatError, InputError, JuryboxError
from jurybox.formats import Input, as_input, counts, writing
from jurybox.formats.counts import SavedCounts
from jurybox.model import CountsTable

File = str | PathLike[str] | Input


def save_counts(result: ScoreResult, path: str | PathLike[str]) -> None:
    """Keep the counts behind a result, for `compare` and `score_counts`."""
    options = {name: value for name, value in result.options.items() if name != "ci"}
    refs = max(len(system.table.annotators) for system in result.systems)
    saved = SavedCounts(
        result.metric,
        options,
        _options(options).signature(refs),
        result.described_inputs(),
        [*describe_inputs(result.gold_inputs), *result.saved_gold],
        {system.name: system.table for system in result.systems},
    )
    with writing(path) as out:
        counts.write(saved, out)


def score_counts(
    sources: File | Sequence[File], *, ci: bool = False, **certainty: Any
) -> ScoreResult:
    """The result again from files written with `save_counts`: nothing is matched.

    With `ci` come the options of `score` that say how intervals are made.
    """
    how = Certainty(**certainty)
    listed = [sources] if isinstance(sources, (str, PathLike, Input)) else sources
    files = [as_input(one) for one in listed]
    saved = [_read(file) for file in files]
    _check_alike(files, saved)
    options = _options(saved[0].options)
    tables: dict[str, CountsTable] = {}
    for file, one in zip(files, saved, strict=True):
        for name, table in one.tables.items():
            if name in tables:
                raise InputError(f"{file.name}: '{name}' is in another counts file too; rename one")
            tables[name] = table
    result = ScoreResult(
        metric=options.metric,
        beta=options.beta,
        signature=saved[0].signature,
        systems=tuple(system_score(name, table, options) for name, table in tables.items()),
        options=options.to_dict(),
        saved_inputs=tuple(given for one in saved for given in one.inputs),
        saved_gold=tuple(saved[0].gold),
    )
    return with_intervals(result, options, how) if ci else result


def _options(known: Any) -> Options:
    return Options(**known)


def _read(file: Input) -> SavedCounts:
    if not counts.is_counts(file):
        raise InputError(
            f"{file.name} is not a counts file but another one is; save its counts too: "
            f"jurybox score {file.name} --gold … --save-counts FILE"
        )
    saved = counts.read(file)
    try:
        options = _options(saved.options)
    except (TypeError, JuryboxError) as error:
        raise FormatError(
            f"has options this version does not understand ({error}); make it again",
            path=file.name,
        ) from None
    if options.metric != saved.metric:
        raise FormatError("names two different metrics; make it again", path=file.name)
    return saved


def _check_alike(files: Sequence[Input], saved: Sequence[SavedCounts]) -> None:
    """Counts can stand side by side only if they were made in the same way, by the same gold."""
    first = saved[0]
    for file, one in zip(files[1:], saved[1:], strict=True):
        if one.signature != first.signature:
            raise InputError(
                f"{file.name} was made differently ({one.signature}) than {files[0].name} "
                f"({first.signature}); make both with the same options"
            )
        golds = [{given["sha256"] for given in each.gold} for each in (one, first)]
        if all(golds) and golds[0] != golds[1]:
            raise InputError(
                f"{file.name} was made against another gold file than {files[0].name}; "
                "systems can be compared only on the same gold"
            )
