"""`convert` for judgments: an export to our long table, to Label Studio or to doccano."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple, TextIO

from jurybox.errors import JuryboxWarning, UsageError, plural
from jurybox.formats import Input, writing
from jurybox.formats import cases as case_files
from jurybox.formats._writing import written_together
from jurybox.formats.exports import Pseudonyms, open_export, read_judgments_of
from jurybox.model import CaseSet

TABLES = ("csv", "tsv", "jsonl")
ENDINGS = {
    **{".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl"},
    **{".json": "label_studio", ".zip": "doccano"},
}
FORMATS = tuple(ENDINGS.values())


class Wish(NamedTuple):
    """What a user asks of a conversion of judgments.

    `pseudonymise` is True for R1, R2 …, or the key of names that are the same in every file.
    """

    columns: Mapping[str, str] = {}
    labels: Mapping[str, str] = {}
    with_rejected: bool = False
    pseudonymise: bool | str = False
    cases: str | PathLike[str] | None = None

    def given(self) -> list[str]:
        """The options that were given, as the command line calls them."""
        options = {
            "--map": self.columns,
            "--labels": self.labels,
            "--with-rejected": self.with_rejected,
            "--pseudonymise": self.pseudonymise,
            "--cases": self.cases,
        }
        return [name for name, value in options.items() if value not in (None, False, {})]


class JudgmentsWritten(NamedTuple):
    """What was written of an export, and what was not."""

    read_as: str  # name of the export's format
    judgments: int
    raters: int
    cases: int
    cases_target: str | None
    left_out: Mapping[str, int]  # reason -> rows
    repeated_same: int  # by a rater on a case they had judged before, with the same label
    repeated_different: int
    currency: str
    pseudonymised: bool
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields by their names."""
        return self._asdict() | {"left_out": dict(self.left_out), "notes": list(self.notes)}

    def __str__(self) -> str:
        return (
            f"{plural(self.judgments, 'judgment')} by {plural(self.raters, 'rater')} on "
            f"{plural(self.cases, 'case')}"
        )


def convert_judgments(
    files: Sequence[Input],
    target: str,
    form: str,
    input_format: str | None,
    wish: Wish,
) -> tuple[JudgmentsWritten, tuple[Input, ...]]:
    """Read an export, one file or several; write the judgments, and their cases where asked.

    All files that are written appear together or not at all. What the user should know is a
    JuryboxWarning, and is issued when all went well.
    """
    write = _write_table if form in TABLES else _write_platform
    cases_form = None if wish.cases is None else _cases_form(fspath(wish.cases))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        with written_together():
            done, inputs, case_set = write(files, target, form, input_format, wish)
            if wish.cases is not None and cases_form is not None:
                with writing(wish.cases) as out:
                    case_files.write(case_set, out, cases_form)
    told = [
        str(each.message).replace("all of them count", "all are written")
        for each in caught
        if issubclass(each.category, JuryboxWarning)
    ]
    done = done._replace(notes=tuple(dict.fromkeys((*done.notes, *told))))
    for note in done.notes:
        warnings.warn(note, JuryboxWarning, stacklevel=3)
    return done, inputs


def _asked(input_format: str | None, wish: Wish) -> dict[str, Any]:
    return {
        **{"format": input_format, "columns": wish.columns, "labels": wish.labels},
        "rejected": wish.with_rejected,
    }


_Done = tuple[JudgmentsWritten, tuple[Input, ...], CaseSet]


def _write_table(
    files: Sequence[Input], target: str, form: str, input_format: str | None, wish: Wish
) -> _Done:
    """Streamed: the judgments are not held."""
    from jurybox.formats.exports.long_writing import write_export

    export = open_export(files, **_asked(input_format, wish))
    with writing(target) as out:
        written = write_export(export, out, form, pseudonyms=_pseudonyms(wish))
    done = JudgmentsWritten(
        export.format,
        written.judgments,
        written.raters,
        len(written.cases),
        None if wish.cases is None else fspath(wish.cases),
        export.left_out,
        written.repeats.same,
        written.repeats.different,
        export.currency,
        bool(wish.pseudonymise),
        (*written.notes, *_note_ids(wish, are_workers=export.are_workers)),
    )
    return done, export.inputs, written.cases


def _write_platform(
    files: Sequence[Input], target: str, form: str, input_format: str | None, wish: Wish
) -> _Done:
    """Cases with all their judgments: the table is held in memory."""
    from jurybox.formats.exports._export import NUMBERS, TIMES, WORDS

    unused = tuple(open_export(files, **_asked(input_format, wish)).unused())
    found = read_judgments_of(
        files,
        **_asked(input_format, wish),
        extra=(*NUMBERS, *TIMES, *WORDS),  # all of them, to tell which ones are lost
        repeats="keep",
    )
    names = _pseudonyms(wish)
    if names is not None:
        found.table.raters[:] = map(names.__getitem__, found.table.raters)
    with writing(target) as out:
        _writer(form, target)(found, out)
    done = JudgmentsWritten(
        found.format,
        len(found.table),
        len(found.table.raters),
        len(found.cases),
        None if wish.cases is None else fspath(wish.cases),
        found.left_out,
        found.repeats.same,
        found.repeats.different,
        found.currency,
        bool(wish.pseudonymise),
        (*unused, *_note_ids(wish, are_workers=found.are_workers)),
    )
    return done, tuple(files), found.cases


def _note_ids(wish: Wish, *, are_workers: bool) -> tuple[str, ...]:
    """Ids of workers are about people: what is passed on should hold them only on purpose."""
    if wish.pseudonymise or not are_workers:
        return ()
    return ("raters keep the ids of workers; --pseudonymise gives them other names",)


def _writer(form: str, target: str) -> Callable[[Any, TextIO], object]:
    from jurybox.formats.exports import outgoing

    if form == "label_studio":
        return outgoing.write_label_studio
    if target.lower().endswith(".zip"):
        return lambda found, out: out.buffer.write(outgoing.doccano_zip(found))
    return outgoing.write_doccano


def _pseudonyms(wish: Wish) -> Pseudonyms | None:
    if not wish.pseudonymise:
        return None
    return Pseudonyms() if wish.pseudonymise is True else Pseudonyms(wish.pseudonymise)


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
