"""`convert` for judgments: an export to our long table, to Label Studio or to doccano."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from os import fspath
from typing import Any, cast

from jurybox.convert import Convert
from jurybox.convert.result import JudgmentsWritten
from jurybox.errors import JuryboxWarning, UsageError
from jurybox.formats import Input, writing
from jurybox.formats._io import written_together
from jurybox.formats.platforms import Pseudonyms, open_export, read_judgments_of
from jurybox.formats.platforms._export import NUMBERS, TIMES, WORDS
from jurybox.formats.platforms.writing import (
    doccano_zip,
    write_doccano,
    write_export,
    write_label_studio,
)
from jurybox.formats.tables import cases as case_files
from jurybox.model import CaseSet

TABLES = ("csv", "tsv", "jsonl")
ENDINGS = {
    **{".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl"},
    **{".json": "label_studio", ".zip": "doccano"},
}


def convert_judgments(
    files: Sequence[Input],
    target: str,
    form: str,
    call: Convert,
) -> tuple[JudgmentsWritten, tuple[Input, ...]]:
    """Read an export, one file or several; write the judgments, and their cases where call.

    All files that are written appear together or not at all. What the user should know is a
    JuryboxWarning, and is issued when all went well.
    """
    write = _write_table if form in TABLES else _write_platform
    cases_form = None if call.cases is None else _cases_form(fspath(call.cases))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        with written_together():
            done, inputs, case_set = write(files, target, form, call)
            if call.cases is not None and cases_form is not None:
                with writing(call.cases) as out:
                    case_files.write(case_set, out, cases_form)
    warned = [
        str(each.message).replace("all of them count", "all are written")
        for each in caught
        if issubclass(each.category, JuryboxWarning)
    ]
    done = done._replace(notes=tuple(dict.fromkeys((*done.notes, *warned))))
    for note in done.notes:
        warnings.warn(note, JuryboxWarning, stacklevel=3)
    return done, inputs


def _reading(call: Convert) -> dict[str, Any]:
    return {
        "format": call.input_format,
        "columns": call.columns or {},
        "labels": call.relabel or {},
        "rejected": call.with_rejected,
    }


_Done = tuple[JudgmentsWritten, tuple[Input, ...], CaseSet]


def _write_table(files: Sequence[Input], target: str, form: str, call: Convert) -> _Done:
    """Streamed: the judgments are not held."""
    export = open_export(files, **_reading(call))
    with writing(target) as out:
        written = write_export(export, out, form, pseudonyms=_pseudonyms(call))
    done = JudgmentsWritten(
        export.format,
        written.judgments,
        written.raters,
        len(written.cases),
        None if call.cases is None else fspath(call.cases),
        export.left_out,
        written.repeats.same,
        written.repeats.different,
        export.currency,
        bool(call.pseudonymise),
        (*written.notes, *_note_ids(call, are_workers=export.are_workers)),
    )
    return done, export.inputs, written.cases


def _write_platform(files: Sequence[Input], target: str, form: str, call: Convert) -> _Done:
    """Cases with all their judgments: the table is held in memory."""
    unused = tuple(open_export(files, **_reading(call)).unused())
    found = read_judgments_of(
        files,
        **_reading(call),
        extra=(*NUMBERS, *TIMES, *WORDS),  # all of them, to tell which ones are lost
        repeats="keep",
    )
    names = _pseudonyms(call)
    if names is not None:
        found.table.raters[:] = map(names.__getitem__, found.table.raters)
    with writing(target) as out:
        if form == "label_studio":
            write_label_studio(found, out)
        elif target.lower().endswith(".zip"):
            cast("io.TextIOWrapper", out).buffer.write(doccano_zip(found))
        else:
            write_doccano(found, out)
    done = JudgmentsWritten(
        found.format,
        len(found.table),
        len(found.table.raters),
        len(found.cases),
        None if call.cases is None else fspath(call.cases),
        found.left_out,
        found.repeats.same,
        found.repeats.different,
        found.currency,
        bool(call.pseudonymise),
        (*unused, *_note_ids(call, are_workers=found.are_workers)),
    )
    return done, tuple(files), found.cases


def _note_ids(call: Convert, *, are_workers: bool) -> tuple[str, ...]:
    """Ids of workers are about people: what is passed on should hold them only on purpose."""
    if call.pseudonymise or not are_workers:
        return ()
    return ("raters keep the ids of workers; --pseudonymise gives them other names",)


def _pseudonyms(call: Convert) -> Pseudonyms | None:
    if not call.pseudonymise:
        return None
    return Pseudonyms() if call.pseudonymise is True else Pseudonyms(call.pseudonymise)


def _cases_form(target: str) -> str:
    name = target
    for packed in (".gz", ".xz"):
        name = name.removesuffix(packed)
    for form in TABLES:
        if name.lower().endswith(f".{form}"):
            return form
    if target == "-":
        raise UsageError("--cases -: name a file for the cases")
    endings = ", ".join(f".{form}" for form in TABLES)
    raise UsageError(f"--cases {target}: does not tell its format; end it in {endings}")
