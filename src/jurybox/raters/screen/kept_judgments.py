"""Judgments written again without the raters that `screen` drops, or with what it found."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
    rows = _Rows(export, result, keep_flags=keep_flags, pseudonymise=pseudonymise)
    with writing(target) as out:
        if form == "jsonl":
            _write_objects(fields, rows, out)
        else:
            write_table(fields, iter(rows), out, form)
    return rows.count


class _Rows:
    """The rows that stay, as they are written; how many is known when all were read."""

    def __init__(
        self, export: Export, result: ScreenResult, *, keep_flags: bool, pseudonymise: bool | str
    ) -> None:
        self._export = export
        self._plain = Pseudonyms()
        self._new = Pseudonyms(pseudonymise if isinstance(pseudonymise, str) else "")
        self._hidden = result.pseudonyms
        self._renames = bool(pseudonymise)
        self._keep_flags = keep_flags
        self._flags = {one.rater: " ".join(one.flags) for one in result.raters}
        self._dropped = set(result.dropped)
        self.count = 0

    def __iter__(self) -> Iterator[Sequence[str]]:
        for _, block in self._export.blocks():
            empty = [""] * len(block.lines)
            columns = [block.cells.get(field, empty) for field in self._export.fields]
            owners, said = block.cells["rater"], block.cells["label"]
            place = self._export.fields.index("rater")
            reward = self._reward()
            for owner, label, row in zip(owners, said, zip(*columns, strict=True), strict=True):
                if not label:
                    continue  # tells of a case only
                shown, new = self._shown(owner), self._new[owner]
                if shown in self._dropped and not self._keep_flags:
                    continue
                self.count += 1
                cells = list(row)
                cells[place] = new if self._renames else owner
                if reward is not None and cells[reward]:
                    cells[reward] = f"{cells[reward]} {self._export.currency}"
                yield [*cells, self._flags.get(shown, "")] if self._keep_flags else cells

    def _shown(self, owner: str) -> str:
        """What the result calls a rater."""
        plain, new = self._plain[owner], self._new[owner]
        if not self._hidden:
            return owner
        return plain if plain in self._flags else new

    def _reward(self) -> int | None:
        """Where rewards stand, if their currency is known and must not get lost."""
        currency = self._export.currency
        if "reward" not in self._export.fields or not currency or " " in currency:
            return None
        return self._export.fields.index("reward")


def _write_objects(fields: Sequence[str], rows: _Rows, out: Any) -> None:
    lines: list[str] = []
    written = 0
    for row in rows:
        lines.append(encode_json({f: cell for f, cell in zip(fields, row, strict=True) if cell}))
        if len(lines) == ROWS_AT_ONCE:
            write_lines(lines, out, written)
            written += len(lines)
            lines = []
    write_lines(lines, out, written)
