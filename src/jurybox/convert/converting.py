"""How `convert` works: what the files hold, edits or judgments, and how they are written."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import fspath
from pathlib import Path
from typing import Any, cast

from jurybox.convert import (
    EDIT_FORMATS,
    JUDGMENT_FORMATS,
    Convert,
    EditConversion,
    JudgmentConversion,
)
from jurybox.convert.result import ConvertResult, JudgmentsWritten
from jurybox.errors import (
    InputError,
    JuryboxWarning,
    UsageError,
    collecting_warnings,
    plural,
    unknown_name,
    warn,
)
from jurybox.formats import Input, PanelStream, as_inputs, detect, load, open_panel, writing
from jurybox.formats._io import written_together
from jurybox.formats.edits import documents as document_maps
from jurybox.formats.edits import folders, json_texts, text
from jurybox.formats.edits import tokens as tokenizer
from jurybox.formats.given_values import as_words
from jurybox.formats.platforms import (
    EXPORTS,
    Export,
    Judgments,
    Pseudonyms,
    open_export,
    read_judgments_of,
)
from jurybox.formats.platforms import detect as detect_export
from jurybox.formats.platforms._export import NUMBERS, TIMES, WORDS
from jurybox.formats.platforms.long import REQUIRED
from jurybox.formats.platforms.writing import (
    Written,
    doccano_zip,
    write_doccano,
    write_export,
    write_label_studio,
)
from jurybox.formats.plugin_format import load_format
from jurybox.formats.tables import cases as case_files
from jurybox.metrics import extraction
from jurybox.metrics.maxmatch import smallest_edits
from jurybox.model import Edit, Sentence, apply_edits
from jurybox.options import signature

TABLES = ("csv", "tsv", "jsonl")
JUDGMENT_ENDINGS = {**{f".{form}": form for form in TABLES}, ".json": "label_studio"}
JUDGMENT_ENDINGS[".zip"] = "doccano"
ENDINGS = {".m2": "m2", ".errant": "m2", ".jsonl": "jsonl", ".sgml": "sgml", ".txt": "text"}
ENDINGS[".labels"] = "labels"
#: options that say nothing about judgments
ONLY_EDITS = [
    name for name in EditConversion.__options__ if name not in ("corrected", "to", "input_format")
]


def convert_files(call: Convert) -> ConvertResult:
    """Convert judgments or edits, whichever the files hold."""
    files, texts = _given_files(call)
    target = fspath(call.target)
    if not texts and _hold_judgments(files, target, call):
        _refuse(call, ONLY_EDITS, "judgments")
        form = _target_format(target, call.to, JUDGMENT_ENDINGS, "judgments")
        done = _convert_judgments(files, target, form, call)
        signed = signature("convert", to=form)
        return ConvertResult(target, form, signature=signed, judgments=done, inputs=tuple(files))
    _refuse(call, list(JudgmentConversion.__options__), "edits")
    wanted = _target_format(target, call.to, ENDINGS, "edits")
    if texts:
        sentences = _aligned(files, texts, call)
        inputs: tuple[Input, ...] = (*files, *texts)
    else:
        panel = _panel(files, call)
        sentences, inputs = iter(panel), panel.inputs
        if call.reextract:
            sentences = _reextracted(sentences)
    tally = _PassingSentences(() if call.source_text else call.annotators)
    kept = tally.watch(sentences)
    placed: list[str] = []
    map_target = None if call.write_documents is None else fspath(call.write_documents)
    if map_target is not None:
        kept = _note_documents(kept, placed, keep=wanted in ("jsonl", "sgml"))
    # Warnings come after all went well: beside an error they would only mislead.
    with collecting_warnings(), written_together(), writing(target) as out:
        if wanted == "text":
            load("text").write(_texts(kept, tally, call.source_text), out)
        elif wanted == "sgml":
            sgml = load("sgml")
            sgml.write(sgml.from_sentences(kept), out)
        elif wanted == "m2":
            load("m2").write(kept, out, noop=call.noop)
        elif wanted in EDIT_FORMATS:
            load(wanted).write(kept, out)
        else:
            load_format(wanted, "format", EDIT_FORMATS).write(kept, out)
        tally.check()
        if map_target is not None:
            with writing(map_target) as lines:
                document_maps.write(placed, lines)
    edits, names = (0, ()) if call.source_text else (tally.edits, tuple(tally.met))
    return ConvertResult(
        target,
        wanted,
        tally.sentences,
        edits,
        names,
        map_target,
        signature=signature("convert", to=wanted),
        inputs=inputs,
    )


def _given_files(call: Convert) -> tuple[list[Input], list[Input]]:
    """The files to convert, and corrected versions of them; a folder holds both."""
    given = call.sources
    one = given[0] if isinstance(given, list | tuple) and len(given) == 1 else given
    texts = as_inputs(call.corrected, "corrected")
    if texts or not folders.is_data_set(one):  # other folders hold tables
        files = as_inputs(given, "judgments", REQUIRED)
        if not files:
            raise UsageError("no source given; name a file")
        return files, texts
    found = folders.read_folder(Input(one))
    return ([found.m2], []) if found.m2 else ([found.source], list(found.references))


def _hold_judgments(files: Sequence[Input], target: str, call: Convert) -> bool:
    """Whether to convert judgments, not edits: the first file's content decides.

    Exports are looked for first: lines of doccano look like our own edits too.
    """
    form, to = call.input_format, call.to
    if form is not None:
        if form not in (*EDIT_FORMATS, *EXPORTS):
            load_format(form, "format", (*EDIT_FORMATS, *EXPORTS))
        return form in EXPORTS
    if not files or call.columns:
        return bool(files)
    if detect_export(files[0]) is not None:
        return True
    # a table that is no known export: what reads judgments will say what is wrong with it
    if to is not None:
        for_judgments = to in JUDGMENT_FORMATS and to not in EDIT_FORMATS
    else:
        for_judgments = _ending(target) in JUDGMENT_ENDINGS.keys() - ENDINGS.keys()
    is_table = _ending(files[0].name) in JUDGMENT_ENDINGS or for_judgments
    return is_table and detect(files[0]) == "text"


def _refuse(call: Convert, names: Sequence[str], found: str) -> None:
    """Options that are about the other kind of files."""
    if given := call.flags_given(names):
        verb = "is" if len(given) == 1 else "are"
        about = "edits" if found == "judgments" else "judgments"
        raise UsageError(f"{', '.join(given)} {verb} about {about}, and these files hold {found}")


def _ending(target: str) -> str:
    name = target
    for compressed in (".gz", ".xz"):
        name = name.removesuffix(compressed)
    return Path(name).suffix.lower()


def _target_format(target: str, to: str | None, endings: Mapping[str, str], held: str) -> str:
    formats = tuple(dict.fromkeys(endings.values()))
    known = dict.fromkeys((*EDIT_FORMATS, *JUDGMENT_FORMATS))
    if to is not None and to not in known:
        load_format(to, "format", known)
        if held == "edits":
            return to
    found = to or endings.get(_ending(target))
    if found in formats:
        return str(found)
    way_out = f"end it in {', '.join(endings)}, or say --to {'|'.join(formats)}"
    if to is not None:
        raise UsageError(f"--to {to}: the files hold {held}; say --to {'|'.join(formats)}")
    if _ending(target) in {*ENDINGS, *JUDGMENT_ENDINGS}:
        raise UsageError(
            f"'{target}': the files hold {held}, which cannot be written so; {way_out}"
        )
    raise UsageError(f"'{target}' does not tell its format; {way_out}")


def _panel(files: Sequence[Input], call: Convert) -> PanelStream:
    form = call.input_format
    for file in files:
        if (form or detect(file)) in ("text", "essays"):
            raise InputError(
                f"{file.name} is text and has no edits; give the corrected text too: "
                f"jurybox convert {file.name} OUT.m2 --corrected CORRECTED.txt"
            )
    return open_panel(
        files,
        format=form,
        documents=call.documents,
        tokens=call.tokens,
        missing_annotator=call.missing_annotator,
    )


def align_edits(source: Sequence[str], corrected: Sequence[str]) -> tuple[Edit, ...]:
    """The smallest edits that turn one sentence into the other, without types.

    >>> align_edits("He go home .".split(), "He goes home now .".split())
    (Edit(start=1, end=2, replacement='goes', type='UNK', required='REQUIRED', comment='-NONE-'), \
Edit(start=3, end=3, replacement='now', type='UNK', required='REQUIRED', comment='-NONE-'))
    """
    texts = (as_words(source, "source"), as_words(corrected, "corrected"))
    return smallest_edits(*texts)


def _aligned(
    files: Sequence[Input], corrected: Sequence[Input], call: Convert
) -> Iterator[Sentence]:
    if len(files) != 1:
        raise UsageError("--corrected takes one source file before the target")
    for file in (*files, *corrected):
        json_texts.refuse_json(file, "a source or corrected text")
    split = tokenizer.tokenize if call.tokenize else str.split
    find = extraction.extract if call.reextract else align_edits
    return text.read_parallel(files[0], corrected, find, split=split)


def _reextracted(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The same corrected texts; ERRANT says which edits make them."""
    same = alternatives = 0
    for sentence in sentences:
        made = []
        for annotation in sentence.annotations:
            corrected = apply_edits(sentence.tokens, annotation.edits)
            made.append(annotation._replace(edits=extraction.extract(sentence.tokens, corrected)))
            for edit in annotation.edits:
                alternatives += len(edit.alternatives) > 1
                same += edit.alternatives[0].split() == [*sentence.tokens[edit.start : edit.end]]
        yield sentence._replace(annotations=tuple(made))
    if same:
        warn(f"{plural(same, 'edit')} with the words of the source: ERRANT finds no edit there")
    if alternatives:
        warn(f"{plural(alternatives, 'edit')} with alternatives (||): the first was applied")


def _note_documents(
    sentences: Iterable[Sentence], placed: list[str], *, keep: bool
) -> Iterator[Sentence]:
    """The sentences, with their documents only where the format has them."""
    for number, sentence in enumerate(sentences, 1):
        if sentence.document is None:
            raise InputError(
                f"--write-documents: sentence {number} has no document; name the SGML file or a "
                "document map with --documents"
            )
        placed.append(" ".join(sentence.document.split()))
        yield sentence if keep else sentence._replace(document=None, paragraph=None)


class _PassingSentences:
    """Counts what passes by, and keeps only the annotators asked for."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self.wanted = frozenset(wanted)
        self.sentences = self.edits = self.unseen = 0
        self.met: dict[str, None] = {}
        self.seen: dict[str, None] = {}

    def watch(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        for sentence in sentences:
            self.seen |= dict.fromkeys(a.annotator for a in sentence.annotations)
            if self.wanted:
                kept = tuple(a for a in sentence.annotations if a.annotator in self.wanted)
                sentence = sentence._replace(annotations=kept)  # noqa: PLW2901  narrowed
            self.sentences += 1
            self.edits += sum(len(a.edits) for a in sentence.annotations)
            self.met |= dict.fromkeys(a.annotator for a in sentence.annotations)
            yield sentence

    def check(self) -> None:
        """Names that nobody has are mistakes: nothing would have been kept for them."""
        for name in self.wanted - self.seen.keys():
            raise unknown_name("annotator", name, self.seen)


def _texts(
    sentences: Iterable[Sentence], tally: _PassingSentences, source_text: bool
) -> Iterator[str]:
    for sentence in sentences:
        if source_text:
            yield sentence.text
            continue
        if len(tally.met) > 1:
            raise UsageError(
                f"text holds the corrections of one annotator; choose one of "
                f"{', '.join(tally.met)} with --annotator (or --source-text)"
            )
        tally.unseen += not sentence.annotations
        edits = [edit for annotation in sentence.annotations for edit in annotation.edits]
        yield " ".join(apply_edits(sentence.tokens, edits))
    if tally.unseen:
        warn(
            f"{tally.unseen} sentences were not looked at by {', '.join(tally.met)} and are "
            "written uncorrected; M2 and JSONL keep the difference, and --missing-annotator says "
            "what it means that an annotator has no line"
        )


# --- judgments ---


def _convert_judgments(
    files: Sequence[Input], target: str, form: str, call: Convert
) -> JudgmentsWritten:
    """Read an export, one file or several; write the judgments, and their cases if asked for.

    All files that are written appear together or not at all. What the user should know is a
    JuryboxWarning, and is issued when all went well.
    """
    cases_target = None if call.cases is None else fspath(call.cases)
    cases_form = "" if cases_target is None else _cases_form(cases_target)
    names = None
    if call.pseudonymise:
        names = Pseudonyms("" if call.pseudonymise is True else call.pseudonymise)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        with written_together():
            found, written = _write_judgments(files, target, form, call, names)
            if cases_target is not None:
                with writing(cases_target) as out:
                    case_files.write(written.cases, out, cases_form)
    notes = [*written.notes]
    if found.are_workers and names is None:  # ids are about people: pass them on only on purpose
        notes.append("raters keep the ids of workers; --pseudonymise gives them other names")
    for each in caught:
        if issubclass(each.category, JuryboxWarning):
            notes.append(str(each.message).replace("all of them count", "all are written"))
    notes = list(dict.fromkeys(notes))
    warn(*notes)
    return JudgmentsWritten(
        found.format,
        written.judgments,
        written.raters,
        len(written.cases),
        cases_target,
        found.left_out,
        written.repeats.same,
        written.repeats.different,
        found.currency,
        names is not None,
        tuple(notes),
    )


def _write_judgments(
    files: Sequence[Input], target: str, form: str, call: Convert, names: Pseudonyms | None
) -> tuple[Export | Judgments, Written]:
    reading: dict[str, Any] = {
        "format": call.input_format,
        "columns": call.columns or {},
        "labels": call.relabel or {},
        "rejected": call.with_rejected,
    }
    export = open_export(files, **reading)
    if form in TABLES:  # streamed: the judgments are not held
        with writing(target) as out:
            return export, write_export(export, out, form, pseudonyms=names)
    unused = tuple(export.unused())
    extra = (*NUMBERS, *TIMES, *WORDS)  # all of them, to tell which ones are lost
    found = read_judgments_of(files, **reading, extra=extra, repeats="keep")
    table = found.table
    if names is not None:
        table.raters[:] = map(names.__getitem__, table.raters)
    with writing(target) as out:
        if form == "label_studio":
            write_label_studio(found, out)
        elif target.lower().endswith(".zip"):
            cast("io.TextIOWrapper", out).buffer.write(doccano_zip(found))
        else:
            write_doccano(found, out)
    return found, Written(len(table), len(table.raters), found.cases, found.repeats, unused)


def _cases_form(target: str) -> str:
    if _ending(target).removeprefix(".") in TABLES:
        return _ending(target).removeprefix(".")
    if target == "-":
        raise UsageError("--cases -: name a file for the cases")
    endings = ", ".join(f".{form}" for form in TABLES)
    raise UsageError(f"--cases {target}: does not tell its format; end it in {endings}")
