"""`jurybox detect selection`."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.detect._options import NoCache
from jurybox.cli.output import FigureOutput, check_files, deliver, words
from jurybox.detect.selection import (
    DetectSelection,
    JudgeSelection,
    detect_selection,
    judge_selection,
)
from jurybox.errors import UsageError
from jurybox.options import Opt, Options
from jurybox.shared_options import Seed

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
    *("models", "text", "tokenised", "spacy_model", "cache", "no_cache", "jobs"),
    *("cloze", "choices", "items", "figure", "plot"),
)
_OF_JUDGMENTS = ("joined", "count_models")


class TaskFiles(Seed, group="tasks for raters"):
    """Tasks that raters get."""

    cloze: Annotated[
        str | None,
        Opt("write events with a blank for raters to fill (.csv, .tsv, .jsonl)", "FILE"),
    ] = None
    choices: Annotated[
        str | None,
        Opt(
            "write events where model and writer differ, for raters to choose between the two "
            "words, in random order",
            "FILE",
        ),
    ] = None
    items: Annotated[
        int | None,
        Opt(
            "so many events, drawn at random, one of a sentence at most",
            "N",
            default="200, or all if there are fewer",
        ),
    ] = None
    seed: Annotated[
        int, Opt("seed of the draw: the same seed draws the same events", "N", least=0)
    ] = 1


class JoinedFile(Options, group="answers of raters"):
    """Where judgments and key go together."""

    joined: Annotated[
        str | None,
        Opt(
            "write judgments and key together, as jurybox agree reads them (.csv, .tsv, .jsonl)",
            "FILE",
        ),
    ] = None


class SelectionFigure(FigureOutput, group="output"):
    """Which figure."""

    figure: Annotated[
        tuple[str, ...],
        Opt("draw what --plot says to this file, as .svg, .png or .pdf", "FILE", many=True),
    ] = ()
    plot: Annotated[
        str | None,
        Opt(
            "confusion of the first model, learning curve, or calibration",
            "WHAT",
            values=("confusion", "curve", "calibration"),
            noun="figure",
            default="confusion for one model, curve for several",
        ),
    ] = None


class Call(DetectSelection, TaskFiles, JudgeSelection, JoinedFile, SelectionFigure, NoCache):
    """The options of the task."""


def run(call: Call) -> None:
    """Choose and compare, or look at what raters said."""
    if call.judgments:
        _refuse(call, _OF_MODELS, "is not for --judgments; leave it out")
        _run_judgments(call)
    else:
        _refuse(call, _OF_JUDGMENTS, "is about --judgments; name them, or leave it out")
        _run_models(call)


def _run_models(call: Call) -> None:
    from jurybox.jury.cases.result import form_of
    from jurybox.sample.draw.result import check_new

    models, text = words(call.models), words(call.text)
    if not models or not text:
        raise UsageError(
            "name models and held-out text, as MODEL --text FILE, or the answers of raters by "
            "--judgments"
        )
    if call.cloze and call.choices:
        raise UsageError("--cloze and --choices have a key each; write one after the other")
    if call.choices and len(models) > 1:
        raise UsageError("--choices is between the writer and one system; name one model")
    task, target, key = (
        "cloze" if call.cloze else "choice",
        call.cloze or call.choices,
        str(call.key),
    )
    if call.items is not None and not target:
        raise UsageError("--items is about --cloze or --choices; name one, or leave it out")
    check_files(call, text, *([target, key] if target else []))
    if call.plot is not None and not call.figure:
        raise UsageError("--plot says what to draw; name the file by --figure")
    if target:
        form_of(target)
        check_new(target, key)
    with progress_line("choosing") as progress:
        cache = False if call.no_cache else call.cache
        result = detect_selection.of(call.replace(cache=cache, progress=progress))

    def save() -> object:
        if not target:
            return None
        return result.save_task(task, target, key, items=call.items, seed=call.seed)

    deliver(result, call, figure=lambda: result.figure(call.plot), save=save)


def _run_judgments(call: Call) -> None:
    from jurybox.jury.cases.result import form_of

    judgments, joined = words(call.judgments), call.joined
    check_files(call, [*judgments, str(call.key)], joined)
    if joined:
        form_of(joined)
    given = judgments[0] if len(judgments) == 1 else judgments
    result = judge_selection.of(call.replace(judgments=given))
    deliver(result, call, save=(lambda: result.save_joined(joined)) if joined else None)


def _refuse(call: Call, names: tuple[str, ...], why: str) -> None:
    """Options that would have no effect."""
    for name in names:
        if name in call.changed():
            flag = "MODEL" if name == "models" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag} {why}")
