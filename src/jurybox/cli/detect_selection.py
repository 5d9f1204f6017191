"""`jurybox detect selection`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from jurybox.cli._certainty_options import add_ci_level
from jurybox.cli._options import (
    OneOf,
    add_figure,
    add_files,
    add_output,
    check_output,
    check_read_once,
    deliver,
)
from jurybox.cli._progress import progress_line
from jurybox.cli._text_options import add_tokenised
from jurybox.errors import UsageError

USAGE = """jurybox detect selection MODEL ... --text FILE ... [options]
       jurybox detect selection --judgments FILE ... [--key KEY] [options]"""

HELP = """\
Does a detector choose the preposition that the writer wrote?

Wherever well-formed text has one of the 34 prepositions, each model chooses among them, and is
right where it chooses the same (Tetreault and Chodorow 2008). The text must not be what the models
learnt from. Several models are compared, and make a learning curve.

The same places can be given to people: as a cloze, where they fill a blank, or as a choice between
the writer's word and the model's. Their answers come back with --judgments.

examples:
  jurybox detect selection lm --text sample/source.txt --tokenised
  jurybox detect selection me --text heldout.jsonl.xz
  jurybox detect selection me perceptron lm --text novel.txt --format markdown
  jurybox detect selection me-100k me-400k me-3m --text heldout.jsonl.xz --figure curve.svg
  jurybox detect selection me --text heldout.jsonl.xz --cloze cloze.csv --items 200
  jurybox detect selection me --text heldout.jsonl.xz --choices pairs.csv --key pairs-key.jsonl
  jurybox detect selection --judgments answers.csv --key key.jsonl"""

#: options that are about choosing, and those about people's answers
_OF_MODELS = (
    *("text", "tokenised", "spacy_model", "cache", "jobs"),
    *("cloze", "choices", "items", "figure", "draw"),
)
_OF_JUDGMENTS = ("joined", "with_models")
DEFAULT_KEY = "key.jsonl"


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument(
        "models", nargs="*", metavar="MODEL", help="folders of models, as detect train saved them"
    )
    _add_text(parser)
    _add_tasks(parser)
    _add_judgments(parser)
    group = add_output(parser)
    add_figure(group, "draw what --draw says to this file")
    group.add_argument(
        "--draw",
        metavar="WHAT",
        type=OneOf("confusion", "curve", "calibration"),
        help="confusion of the first model, learning curve, or calibration (default: confusion for "
        "one model, curve for several)",
    )
    add_ci_level(group)


def _add_text(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("held-out text")
    add_files(
        group,
        "--text",
        "JSONL of events with tokens, target and written, told by content; or prose, a paragraph "
        "per line, of which every preposition is an event",
    )
    add_tokenised(group)
    group.add_argument(
        "--spacy-model", metavar="NAME", help="the spaCy model that tags (default: the usual one)"
    )
    group.add_argument(
        "--cache", metavar="FOLDER", help="keep tagged text there (default: the user's cache)"
    )
    group.add_argument(
        "--no-cache", dest="cache", action="store_const", const=False, help="keep no tagged text"
    )
    group.add_argument(
        "--jobs", type=int, metavar="N", help="processes at once (default: one for each core)"
    )


def _add_tasks(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("tasks for raters")
    group.add_argument(
        "--cloze",
        metavar="FILE",
        help="write events with a blank for raters to fill (.csv, .tsv, .jsonl)",
    )
    group.add_argument(
        "--choices",
        metavar="FILE",
        help="write events where model and writer differ, for raters to choose between the two "
        "words, in random order",
    )
    group.add_argument(
        "--items",
        type=int,
        metavar="N",
        help="so many events, drawn at random, one of a sentence at most (default: 200, or all if "
        "there are fewer)",
    )
    group.add_argument(
        "--key",
        default=DEFAULT_KEY,
        metavar="FILE",
        help="the key of the task: written with --cloze and --choices, read with --judgments; not "
        f"for raters (default: {DEFAULT_KEY})",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of the draw: the same seed draws the same events (default: 1)",
    )


def _add_judgments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("answers of raters")
    add_files(
        group,
        "--judgments",
        "what raters said to the task whose key --key names: case,rater,label, or the export of a "
        "platform",
    )
    group.add_argument(
        "--joined",
        metavar="FILE",
        help="write judgments and key together, as jurybox agree reads them (.csv, .tsv, .jsonl)",
    )
    group.add_argument(
        "--with-models", action="store_true", help="judgments of kind model count like people's"
    )


def run(options: Namespace) -> None:
    """Choose and compare, or look at what raters said."""
    if options.judgments:
        _run_judgments(options)
    else:
        _run_models(options)


def _run_models(options: Namespace) -> None:
    from jurybox.api.cases_result import form_of
    from jurybox.api.detect_selection import detect_selection
    from jurybox.api.sample_draw_result import check_new

    _refuse(options, _OF_JUDGMENTS, "is about --judgments; name them, or leave it out")
    if not options.models or not options.text:
        raise UsageError(
            "name models and held-out text, as MODEL --text FILE, or the answers of raters by "
            "--judgments"
        )
    if options.cloze and options.choices:
        raise UsageError("--cloze and --choices have a key each; write one after the other")
    if options.choices and len(options.models) > 1:
        raise UsageError("--choices is between the writer and one system; name one model")
    task = "cloze" if options.cloze else "choice"
    target = options.cloze or options.choices
    if options.items is not None and not target:
        raise UsageError("--items is about --cloze or --choices; name one, or leave it out")
    options.files_read = options.text
    check_read_once(options.files_read)
    check_output(options, *([target, options.key] if target else []))
    _check_figure(options)
    if target:
        form_of(target)
        check_new(target, options.key)
    with progress_line("choosing") as progress:
        result = detect_selection(
            options.models,
            options.text,
            tokenised=options.tokenised,
            spacy_model=options.spacy_model,
            cache=options.cache,
            jobs=options.jobs,
            level=options.ci_level,
            progress=progress,
        )

    def save() -> None:
        if target:
            result.save_task(task, target, options.key, items=options.items, seed=options.seed)

    deliver(result, options, figure=lambda: result.figure(options.draw), save=save)


def _check_figure(options: Namespace) -> None:
    if options.draw is None:
        return
    from jurybox.api.detect_selection_figures import check_kind

    check_kind(options.draw)
    if not options.figure:
        raise UsageError("--draw says what to draw; name the file by --figure")


def _run_judgments(options: Namespace) -> None:
    from jurybox.api.cases_result import form_of
    from jurybox.api.detect_selection_judged import judge_selection

    _refuse(options, ("models", *_OF_MODELS), "is not for --judgments; leave it out")
    options.files_read = [*options.judgments, options.key]
    check_read_once(options.files_read)
    check_output(options, options.joined)
    if options.joined:
        form_of(options.joined)
    given = options.judgments[0] if len(options.judgments) == 1 else options.judgments
    result = judge_selection(
        given, options.key, level=options.ci_level, with_models=options.with_models
    )

    def save() -> None:
        if options.joined:
            result.save_joined(options.joined)

    deliver(result, options, save=save)


def _refuse(options: Namespace, names: tuple[str, ...], why: str) -> None:
    """Options that would have no effect."""
    for name in names:
        value: Any = getattr(options, name)
        if value is not None and value != [] and (value is not False or name == "cache"):
            told = "MODEL" if name == "models" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{'--no-cache' if value is False else told} {why}")
