"""`convert`: from one way of writing edits, or judgments, down to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Annotated

from jurybox.formats import MISSING_RULES, PLATFORMS
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import DOCUMENTS, MISSING_ANNOTATOR, Columns, relabel_option

if TYPE_CHECKING:
    from jurybox.convert.result import ConvertResult
    from jurybox.formats import File, Source

#: formats of edits and of judgments that can be written
EDIT_FORMATS = ("m2", "jsonl", "sgml", "text", "labels")
JUDGMENT_FORMATS = ("csv", "tsv", "jsonl", "label_studio", "doccano")
INPUT_FORMATS = ("m2", "jsonl", "sgml", "labels", *PLATFORMS, "long")


class EditConversion(Options):
    """How edits are read and written."""

    corrected: Annotated[
        Sequence[Source],
        Opt(
            "corrected versions of a source in plain text or essays; edits are found by alignment",
            "FILE",
            many=True,
        ),
    ] = ()
    to: Annotated[
        str | None,
        Opt(
            "write m2, jsonl, sgml, text or labels (edits), csv, tsv, jsonl, label_studio or "
            "doccano (judgments), whatever the ending says",
            "FORMAT",
            values=tuple(dict.fromkeys((*EDIT_FORMATS, *JUDGMENT_FORMATS))),
            open_values=True,
        ),
    ] = None
    input_format: Annotated[
        str | None,
        Opt(
            f"read as {', '.join(INPUT_FORMATS[:-1])} or {INPUT_FORMATS[-1]} instead of "
            "auto-detecting the format",
            "FORMAT",
            values=INPUT_FORMATS,
            open_values=True,
        ),
    ] = None
    annotators: Annotated[
        Sequence[str],
        Opt(
            "keep only these annotators; for text: whose corrections to apply",
            "NAME",
            flag="--annotator",
            many=True,
        ),
    ] = ()
    source_text: Annotated[bool, Opt("write the source text instead of a corrected one")] = False
    tokens: Annotated[
        File | None,
        Opt(
            "lay SGML onto the tokens of this M2 file instead of splitting it by our own rules",
            "FILE",
        ),
    ] = None
    documents: Annotated[File | None, Opt(DOCUMENTS, "FILE")] = None
    write_documents: Annotated[
        str | PathLike[str] | None,
        Opt(
            "write which document each sentence belongs to as well: M2 and text cannot hold it, "
            "and --documents reads it",
            "FILE",
        ),
    ] = None
    missing_annotator: Annotated[
        str, Opt(MISSING_ANNOTATOR, "RULE", values=MISSING_RULES, noun="rule")
    ] = "skipped"
    tokenize: Annotated[
        bool, Opt("source and corrected texts are plain prose: tokenise them first")
    ] = False
    reextract: Annotated[
        bool,
        Opt("let ERRANT find the edits anew: its types and boundaries, the same corrected text"),
    ] = False
    noop: Annotated[
        str,
        Opt(
            "write noop lines where needed, or always as ERRANT does",
            "WHEN",
            values=("needed", "always"),
            noun="way to write noop lines",
        ),
    ] = "needed"


class JudgmentConversion(Options, group="judgments"):
    """How judgments are read and written."""

    columns: Annotated[Mapping[str, str] | None, Columns.notes()["columns"]] = None
    relabel: Annotated[
        Mapping[str, str] | None,
        relabel_option("labels to write instead, as Yes=ok,No=error"),
    ] = None
    with_rejected: Annotated[bool, Opt("keep judgments that were rejected, tainted or skipped")] = (
        False
    )
    pseudonymise: Annotated[
        bool | str,
        Opt(
            "call raters R1, R2 … in order of appearance; with a key, by names that are the same "
            "in every file written with it",
            "KEY",
            optional_value=True,
        ),
    ] = False
    cases: Annotated[
        str | PathLike[str] | None, Opt("write the cases too, as .jsonl, .csv or .tsv", "FILE")
    ] = None


class ConvertOptions(EditConversion, JudgmentConversion):
    """How one file is made of others."""


class Convert(ConvertOptions):
    """What `convert` is called with."""

    sources: Source | Sequence[Source] = argument(kw_only=False)
    target: str | PathLike[str] = argument(kw_only=False)


@verb(Convert)
def convert(call: Convert) -> ConvertResult:
    """Read one file, several as a panel, or a source with corrected texts; write another format.

    The target's ending (.m2, .jsonl, .sgml, .txt; .gz and .xz compress) or `to` gives its format.
    Text is the corrected text of one annotator (`annotators`), or the source itself
    (`source_text`); labels say of every token whether an edit covers it. A folder is a data set
    (src.txt, ref0.txt …). `corrected` texts become edits by alignment: the fewest words changed.
    `missing_annotator` is that of `open_panel`: what an annotator without a line did.
    `write_documents` is a file for the documents of the sentences, which M2 and text cannot hold.
    `reextract` lets the errant package find the edits, from the corrected texts or from those that
    the files' own edits make: typed, and with ERRANT's boundaries.

    Exports of annotation platforms and long tables hold judgments: they become a long table (.csv,
    .tsv, .jsonl), Label Studio JSON (.json) or a zip for doccano (.zip). `columns` maps our columns
    to theirs, `labels` their labels to others; `with_rejected` keeps rows that do not count;
    `pseudonymise` renames raters (True, or a key); `cases` is a file for the cases.
    """
    from jurybox.convert.converting import convert_files

    return convert_files(call)
