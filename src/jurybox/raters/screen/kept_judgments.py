"""Judgments written again without the raters that `screen` drops, or with what it found."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from jurybox.errors import UsageError
from jurybox.formats import Source, as_inputs, writing
from jurybox.formats.platforms import Export, Pseudonyms, open_export
from jurybox.formats.tables.long_tables import ROWS_AT_ONCE, encode_json, write_lines, write_table
from jurybox.jury.cases.result import form_of
from jurybox.raters.inputs import TITLES
from jurybox.raters.screen.result import ScreenResult
from jurybox.raters.wide_tables import lengthen

#: the further column of judgments that are all kept
FLAGS = "flags"


def save_screened(
    result: ScreenResult,
    judgments: Source | Sequence[Source],
    target: str | os.PathLike[str],
    *,
    keep_flags: bool = False,
    pseudonymise: bool | str = False,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    input_format: str | None = None,
) -> int:
    r"""Write the judgments that stay, with all columns of theirs; gives how many.

    `judgments` are the files that were screened, read again in the same way. `keep_flags` keeps
    everybody, with a column `flags`. The ending of the target says CSV, TSV or JSONL; `-` is
    standard output.

    >>> from jurybox.raters.screen import screen
    >>> said = [f"c{n},{who},{'yes' if n % 2 or who == 'D' else 'no'}" for n in range(20)
    ...         for who in "ABCD"]
    >>> from jurybox.formats import Input
    >>> given = Input.from_lines(["case,rater,label", *said])
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_screened(screen(given), given, f"{folder}/kept.csv")
    60
    """
    if not isinstance(result, ScreenResult):
        raise UsageError(f"give the result of jb.screen first, not a {type(result).__name__}")
    form = form_of(os.fspath(target))
    sources = as_inputs(judgments, "judgments", TITLES)
    form_in = input_format
    if input_format == "wide":
        sources, form_in = [lengthen(one) for one in sources], "long"
    export = open_export(
        sources,
        format=form_in,
        columns=columns,
        labels=labels,
        rejected=result.options.with_rejected,
    )
    fields = [*export.fields, *([FLAGS] if keep_flags else [])]
    if keep_flags and FLAGS in export.fields:
        raise UsageError(f"--keep-flags: the judgments have a column '{FLAGS}' already")
    count = 0

    def counted() -> Iterator[Sequence[str]]:
        nonlocal count
        for row in _kept_rows(export, result, keep_flags, pseudonymise):
            count += 1
            yield row

    with writing(target) as out:
        if form == "jsonl":
            objects = (dict(zip(fields, row, strict=True)) for row in counted())
            written = 0
            while lines := [
                encode_json({field: cell for field, cell in one.items() if cell})
                for one in islice(objects, ROWS_AT_ONCE)
            ]:
                write_lines(lines, out, written)
                written += len(lines)
        else:
            write_table(fields, counted(), out, form)
    return count


def _kept_rows(
    export: Export, result: ScreenResult, keep_flags: bool, pseudonymise: bool | str
) -> Iterator[Sequence[str]]:
    """The rows that stay, as they are written."""
    plain = Pseudonyms()
    renamed = Pseudonyms(pseudonymise if isinstance(pseudonymise, str) else "")
    flags = {one.rater: " ".join(one.flags) for one in result.raters}
    dropped = set(result.dropped)
    place = export.fields.index("rater")
    for _, block in export.blocks():
        empty = [""] * len(block.lines)
        columns = [block.cells.get(field, empty) for field in export.fields]
        reward = None  # where rewards stand, if their currency is known and must not get lost
        if "reward" in export.fields and export.currency and " " not in export.currency:
            reward = export.fields.index("reward")
        owners, said = block.cells["rater"], block.cells["label"]
        for owner, label, row in zip(owners, said, zip(*columns, strict=True), strict=True):
            if not label:
                continue  # tells of a case only
            shown, new = plain[owner], renamed[owner]  # as the result calls the rater
            if not result.pseudonyms:
                shown = owner
            elif shown not in flags:
                shown = new
            if shown in dropped and not keep_flags:
                continue
            cells = list(row)
            cells[place] = new if pseudonymise else owner
            if reward is not None and cells[reward]:
                cells[reward] = f"{cells[reward]} {export.currency}"
            yield [*cells, flags.get(shown, "")] if keep_flags else cells
