"""`convert`: from one way of writing edits, or judgments, down to another."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TextIO

from jurybox.api import convert_judgments as judgments
from jurybox.api.convert_judgments import JudgmentsWritten, Wish
from jurybox.api.results import describe_inputs, envelope
from jurybox.api.score import collecting_warnings
from jurybox.edits.maxmatch import find_edits
from jurybox.errors import InputError, JuryboxWarning, UsageError, unknown_name
from jurybox.formats import Input, PanelStream, Source, as_input, detect, load, open_panel, writing
from jurybox.formats.plugin_format import load_format
from jurybox.model import Edit, Sentence, apply_edits
from jurybox.signature import signature

ENDINGS = {".m2": "m2", ".errant": "m2", ".jsonl": "jsonl", ".sgml": "sgml", ".txt": "text"}
FORMATS = ("m2", "jsonl", "sgml", "text")


@dataclass(frozen=True, slots=True)
class ConvertResult:
    """What was written."""

    target: str
    format: str
    sentences: int
    edits: int
    annotators: tuple[str, ...]
    inputs: tuple[Input, ...]
    judgments: JudgmentsWritten | None = None  # where judgments were converted, not edits

    def to_dict(self) -> dict[str, Any]:
        """The summary, in the form the JSON Schema jurybox.convert/1 describes."""
        record = envelope(
            "convert", signature("convert", to=self.format), describe_inputs(self.inputs)
        )
        record |= {
            "target": self.target,
            "format": self.format,
            "sentences": self.sentences,
            "edits": self.edits,
            "annotators": list(self.annotators),
        }
        if self.judgments is not None:
            record["judgments"] = self.judgments.to_dict()
        return record

    def __str__(self) -> str:
        if self.judgments is not None:
            from jurybox.formats.exports import title_of

            done = self.judgments
            cases = f", the cases to {done.cases_target}" if done.cases_target else ""
            read_as = f"; read as {title_of(done.read_as)}"
            return f"wrote {done} to {self.target} ({self.format}){cases}{read_as}"
        who = ", ".join(self.annotators) or "nobody"
        return (
            f"wrote {self.sentences} sentences with {self.edits} edits by {who} "
            f"to {self.target} ({self.format})"
        )


def convert(
    sources: Source | Sequence[Source],
    target: str | PathLike[str],
    *,
    corrected: Sequence[Source] = (),
    to: str | None = None,
    input_format: str | None = None,
    annotators: Sequence[str] = (),
    source_text: bool = False,
    tokens: Source | None = None,
    documents: Source | None = None,
    tokenize: bool = False,
    noop: str = "needed",
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    with_rejected: bool = False,
    pseudonymise: bool | str = False,
    cases: str | PathLike[str] | None = None,
) -> ConvertResult:
    """Read one file, several as a panel, or a source with corrected texts; write another format.

    The target's format is told by its ending (.m2, .jsonl, .sgml, .txt; .gz and .xz compress) or
    by `to`. Text is the corrected text of one annotator (`annotators`), or the source itself
    (`source_text`). `corrected` texts become edits by alignment: the fewest words changed.

    Exports of annotation platforms and long tables hold judgments: they become a long table (.csv,
    .tsv, .jsonl), Label Studio JSON (.json) or a zip for doccano (.zip). `columns` maps our columns
    to theirs, `labels` their labels to others; `with_rejected` keeps rows that do not count;
    `pseudonymise` renames raters (True, or a key); `cases` is a file for the cases.
    """
    if noop not in ("needed", "always"):
        raise unknown_name("way to write noop lines", noop, ("needed", "always"))
    files = [as_input(one) for one in _each(sources)]
    wish = Wish(dict(columns or {}), dict(labels or {}), with_rejected, pseudonymise, cases)
    if not corrected and _hold_judgments(files, fspath(target), to, input_format, wish):
        for_edits = {
            **{"--annotator": annotators, "--source-text": source_text, "--tokens": tokens},
            **{"--documents": documents, "--tokenize": tokenize, "--noop": noop == "always"},
        }
        _refuse([name for name, value in for_edits.items() if value], "edits", "judgments")
        form = _target_format(fspath(target), to, judgments.ENDINGS, "judgments")
        done, given = judgments.convert_judgments(files, fspath(target), form, input_format, wish)
        return ConvertResult(fspath(target), form, 0, 0, (), given, done)
    _refuse(wish.given(), "judgments", "edits")
    wanted = _target_format(fspath(target), to, ENDINGS, "edits")
    if corrected:
        texts = [as_input(one) for one in corrected]
        sentences = _aligned(files, texts, tokenize)
        inputs: tuple[Input, ...] = (*files, *texts)
    else:
        panel = _panel(files, input_format, documents, tokens)
        sentences, inputs = iter(panel), panel.inputs
    tally = _Tally(() if source_text else annotators)
    kept = tally.watch(sentences)
    # Warnings come after all went well: beside an error they would only mislead.
    with collecting_warnings(), writing(target) as out:
        if wanted == "text":
            load("text").write(_texts(kept, tally, source_text), out)
        elif wanted == "sgml":
            sgml = load("sgml")
            sgml.write(sgml.from_sentences(kept), out)
        else:
            _write_sentences(wanted, kept, out, noop)
        tally.check()
    edits, names = (0, ()) if source_text else (tally.edits, tuple(tally.met))
    return ConvertResult(fspath(target), wanted, tally.sentences, edits, names, inputs)


def _each(sources: Source | Sequence[Source]) -> Iterable[Source]:
    return [sources] if isinstance(sources, (str, PathLike, Input)) else sources


def _hold_judgments(
    files: Sequence[Input], target: str, to: str | None, form: str | None, wish: Wish
) -> bool:
    """Whether judgments are to be converted, not edits: told by the first file's content.

    Exports are looked for first: lines of doccano look like our own edits too.
    """
    from jurybox.formats.exports import EXPORTS
    from jurybox.formats.exports import detect as detect_export

    if form is not None:
        if form not in (*FORMATS, *EXPORTS):
            load_format(form, "format", (*FORMATS, *EXPORTS))
        return form in EXPORTS
    if not files or wish.columns:
        return bool(files)
    if detect_export(files[0]) is not None:
        return True
    # a table that is no known export: what reads judgments will say what is wrong with it
    is_table = _ending(files[0].name) in judgments.ENDINGS or _is_for_judgments(target, to)
    return is_table and detect(files[0]) == "text"


def _is_for_judgments(target: str, to: str | None) -> bool:
    """Whether only judgments are ever written so."""
    if to is not None:
        return to in judgments.FORMATS and to not in FORMATS
    return _ending(target) in judgments.ENDINGS.keys() - ENDINGS.keys()


def _refuse(given: Sequence[str], about: str, found: str) -> None:
    if given:
        verb = "is" if len(given) == 1 else "are"
        raise UsageError(f"{', '.join(given)} {verb} about {about}, and these files hold {found}")


def _ending(target: str) -> str:
    name = target
    for compressed in (".gz", ".xz"):
        name = name.removesuffix(compressed)
    return Path(name).suffix.lower()


def _target_format(target: str, to: str | None, endings: Mapping[str, str], held: str) -> str:
    formats = tuple(dict.fromkeys(endings.values()))
    known = dict.fromkeys((*FORMATS, *judgments.FORMATS))
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


def _panel(
    files: Sequence[Input], form: str | None, documents: Source | None, tokens: Source | None
) -> PanelStream:
    for file in files:
        if (form or detect(file)) == "text":
            raise InputError(
                f"{file.name} is plain text and has no edits; give the corrected text too: "
                f"jurybox convert {file.name} OUT.m2 --corrected CORRECTED.txt"
            )
    return open_panel(files, format=form, documents=documents, tokens=tokens)


def align_edits(source: Sequence[str], corrected: Sequence[str]) -> tuple[Edit, ...]:
    """The smallest edits that turn one sentence into the other, without types.

    >>> align_edits("He go home .".split(), "He goes home now .".split())
    (Edit(start=1, end=2, replacement='goes', type='UNK', required='REQUIRED', comment='-NONE-'), \
Edit(start=3, end=3, replacement='now', type='UNK', required='REQUIRED', comment='-NONE-'))
    """
    found = find_edits(tuple(source), tuple(corrected), unchanged=0)
    return tuple(Edit(edit.start, edit.end, edit.replacement) for edit in found)


def _aligned(
    files: Sequence[Input], corrected: Sequence[Input], tokenize: bool
) -> Iterator[Sentence]:
    from jurybox.formats import parallel, tokens

    if len(files) != 1:
        raise UsageError("--corrected takes one source file before the target")
    split = tokens.tokenize if tokenize else str.split
    return parallel.read(files[0], corrected, align_edits, split=split)


class _Tally:
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


def _texts(sentences: Iterable[Sentence], tally: _Tally, source_text: bool) -> Iterator[str]:
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
            "written uncorrected; M2 and JSONL keep the difference"
        )
        warnings.warn(message, JuryboxWarning, stacklevel=2)


def _write_sentences(form: str, sentences: Iterable[Sentence], out: TextIO, noop: str) -> None:
    if form == "m2":
        load("m2").write(sentences, out, noop=noop)
    elif form in FORMATS:
        load(form).write(sentences, out)
    else:
        load_format(form, "format", FORMATS).write(sentences, out)
