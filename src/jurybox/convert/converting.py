"""How `convert` works: what the files hold, and edits from one way of writing to another."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import fspath
from pathlib import Path

from jurybox.convert import (
    EDIT_FORMATS,
    JUDGMENT_FORMATS,
    Convert,
    EditConversion,
    JudgmentConversion,
    judgments,
)
from jurybox.convert.result import ConvertResult
from jurybox.errors import (
    InputError,
    JuryboxWarning,
    UsageError,
    collecting_warnings,
    plural,
    unknown_name,
)
from jurybox.formats import Input, PanelStream, as_inputs, detect, load, open_panel, writing
from jurybox.formats.edits import json_texts, text
from jurybox.formats.edits import tokens as tokenizer
from jurybox.formats.given_values import as_words
from jurybox.formats.platforms import EXPORTS
from jurybox.formats.platforms import detect as detect_export
from jurybox.formats.platforms.long import REQUIRED
from jurybox.formats.plugin_format import load_format
from jurybox.metrics import extraction
from jurybox.metrics.maxmatch import find_edits
from jurybox.model import Edit, Sentence, apply_edits
from jurybox.options import flag_of
from jurybox.signature import signature

ENDINGS = {".m2": "m2", ".errant": "m2", ".jsonl": "jsonl", ".sgml": "sgml", ".txt": "text"}
#: options that say nothing about judgments
ONLY_EDITS = [
    name for name in EditConversion.__options__ if name not in ("corrected", "to", "input_format")
]


def convert_files(call: Convert) -> ConvertResult:
    """Convert judgments or edits, whichever the files hold."""
    files = as_inputs(call.sources, "judgments", REQUIRED)
    if not files:
        raise UsageError("no source given; name a file")
    texts = as_inputs(call.corrected, "corrected")
    target = fspath(call.target)
    if not texts and _hold_judgments(files, target, call):
        _refuse(call, ONLY_EDITS, "judgments")
        form = _target_format(target, call.to, judgments.ENDINGS, "judgments")
        done, given = judgments.convert_judgments(files, target, form, call)
        signed = signature("convert", to=form)
        return ConvertResult(target, form, signature=signed, judgments=done, inputs=given)
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
    # Warnings come after all went well: beside an error they would only mislead.
    with collecting_warnings(), writing(target) as out:
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
    edits, names = (0, ()) if call.source_text else (tally.edits, tuple(tally.met))
    return ConvertResult(
        target,
        wanted,
        tally.sentences,
        edits,
        names,
        signature=signature("convert", to=wanted),
        inputs=inputs,
    )


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
        for_judgments = _ending(target) in judgments.ENDINGS.keys() - ENDINGS.keys()
    is_table = _ending(files[0].name) in judgments.ENDINGS or for_judgments
    return is_table and detect(files[0]) == "text"


def _refuse(call: Convert, names: Sequence[str], found: str) -> None:
    """Options that are about the other kind of files."""
    if given := [flag_of(n, Convert.notes()[n]) for n in names if n in call.changed()]:
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
    if _ending(target) in {*ENDINGS, *judgments.ENDINGS}:
        raise UsageError(
            f"'{target}': the files hold {held}, which cannot be written so; {way_out}"
        )
    raise UsageError(f"'{target}' does not tell its format; {way_out}")


def _panel(files: Sequence[Input], call: Convert) -> PanelStream:
    form = call.input_format
    for file in files:
        if (form or detect(file)) == "text":
            raise InputError(
                f"{file.name} is plain text and has no edits; give the corrected text too: "
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
    found = find_edits(*texts, unchanged=0)
    return tuple(Edit(edit.start, edit.end, edit.replacement) for edit in found)


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
        _warn(f"{plural(same, 'edit')} with the words of the source: ERRANT finds no edit there")
    if alternatives:
        _warn(f"{plural(alternatives, 'edit')} with alternatives (||): the first was applied")


def _warn(message: str) -> None:
    warnings.warn(message, JuryboxWarning, stacklevel=3)


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
        message = (
            f"{tally.unseen} sentences were not looked at by {', '.join(tally.met)} and are "
            "written uncorrected; M2 and JSONL keep the difference, and --missing-annotator says "
            "what it means that an annotator has no line"
        )
        _warn(message)
