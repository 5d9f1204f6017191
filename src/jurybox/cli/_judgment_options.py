"""Options of the commands about raters: which judgments, in which form, and who is shown how."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from jurybox.cli._label_options import add_map, read_pairs
from jurybox.cli._options import OneOf, add_files, check_output, check_read_once
from jurybox.errors import UsageError

INPUT_FORMATS = (
    *("long", "wide", "mturk", "crowdflower", "toloka", "label_studio", "doccano", "prodigy"),
    "gug",
)
#: formats that only `agree` can read: they do not say who gave which label
AGREE_FORMATS = ("counts",)
#: options that are keyword arguments of the verbs by the same name
READING = ("input_format", "with_models", "with_rejected", "show_raters")


def add_judgments(parser: ArgumentParser) -> None:
    """The files with judgments."""
    parser.add_argument(
        "judgments",
        nargs="+",
        metavar="JUDGMENTS",
        help="judgments: a table with case,rater,label (CSV, TSV, JSONL) or the export of a "
        "platform, told by content",
    )


def add_reading(parser: ArgumentParser, *, models: bool = True, names: bool = True) -> Any:
    """How judgments are read; gives the group, so that a command can add to it.

    `models`: whether models count like people when asked; `names`: whether raters are shown.
    """
    group = parser.add_argument_group("reading")
    add_map(group)
    add_files(
        group,
        "--labels",
        "give labels another name, or several the same, as 2=ok,e=ok; unknown is no answer",
        metavar="WORD=LABEL",
    )
    group.add_argument(
        "--input-format",
        metavar="FORMAT",
        type=OneOf(*INPUT_FORMATS, *AGREE_FORMATS),
        help=f"read as {', '.join(INPUT_FORMATS[:-1])} or {INPUT_FORMATS[-1]} instead of telling "
        "by content; wide is a row per case and a column per rater; agree also reads counts, a "
        "row per case and a column per label",
    )
    if models:
        add_with_models(group)
    group.add_argument(
        "--with-rejected",
        action="store_true",
        help="count rejected and tainted judgments too; else they are left out",
    )
    if names:
        group.add_argument(
            "--show-raters",
            action="store_true",
            help="show raters of a platform by their ids; else as R1, R2 …",
        )
    return group


def add_with_models(group: Any) -> None:
    """Whether models count like people."""
    group.add_argument(
        "--with-models",
        action="store_true",
        help="count raters of kind model like people; else they are left out",
    )


def add_gold(group: Any) -> None:
    """Where known answers come from."""
    add_gold_tables(group)
    add_files(
        group,
        "--expert",
        "this rater's labels are the known answers, and none of the judgments",
        metavar="NAME",
    )


def add_gold_tables(group: Any) -> None:
    """Known answers in files."""
    add_files(
        group,
        "--gold",
        "known answers: tables with case,gold (default: the column gold, if there is one)",
    )


def gold_arguments(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments of the verbs: `gold` and `expert`."""
    if options.gold and options.expert:
        raise UsageError("--gold and --expert both tell the known answers; give one of them")
    if options.expert and len(options.expert) > 1:
        raise UsageError("--expert: one rater's labels can be the known answers; name one")
    return {"gold": options.gold, "expert": options.expert[0] if options.expert else None}


def reading_arguments(options: Namespace) -> dict[str, Any]:
    """The options above as keyword arguments of `read_ratings` and of the verbs."""
    given = {name: getattr(options, name) for name in READING if hasattr(options, name)}
    return {
        **given,
        "columns": read_columns(options.map),
        "labels": read_labels(options.labels),
    }


def read_columns(given: Sequence[str] | None) -> dict[str, str]:
    """`case=HITId,label=Answer.Q1` as a dict.

    >>> read_columns(["case=HITId,label=Answer.Q1"])
    {'case': 'HITId', 'label': 'Answer.Q1'}
    """
    return read_pairs(given, "--map")


def read_labels(given: Sequence[str] | None) -> dict[str, str]:
    """`2=ok,e=ok` as a dict; a label may hold commas and equals signs, its new name may not.

    >>> read_labels(["2=ok,e=ok", "No, never=error"])
    {'2': 'ok', 'e': 'ok', 'No, never': 'error'}
    """
    pairs: dict[str, str] = {}
    for listed in given or ():
        begun = ""
        for part in listed.split(","):
            begun = f"{begun},{part}" if begun else part
            word, equals, label = (piece.strip() for piece in begun.rpartition("="))
            if not equals:
                continue  # a comma within a label
            if not word or not label:
                raise UsageError(f"--labels {begun}: write pairs, as --labels Yes=ok,No=error")
            if word in pairs:
                raise UsageError(f"--labels: {word} is given twice")
            pairs[word] = label
            begun = ""
        if begun.strip():
            raise UsageError(f"--labels {begun}: write pairs, as --labels Yes=ok,No=error")
    return pairs


def check_judgments(options: Namespace, *others: str | None) -> None:
    """Complain before the work about files that cannot be read or written as it was asked.

    `others` are further files to write.
    """
    gold = getattr(options, "gold", None) or ()
    read = [*options.judgments, *([gold] if isinstance(gold, str) else gold)]
    check_read_once(read)
    options.files_read = read
    check_output(options, *others)
