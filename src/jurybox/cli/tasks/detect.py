"""`jurybox detect`: reference detectors of preposition errors."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from jurybox.cli._app import Command
from jurybox.cli._progress import ProgressLine, progress_line
from jurybox.cli.output import (
    CasesOutput,
    FigureOutput,
    Output,
    SummaryForm,
    check_files,
    check_forms,
    deliver,
    figure_file,
    files_in_folder,
    form_option,
    show,
    show_summary,
    watched,
    words,
)
from jurybox.detect.info import DescribeDetector, describe_detector
from jurybox.detect.mine import MineCandidates, mine_candidates
from jurybox.detect.options import TAGGING, Several
from jurybox.detect.run import RunDetectors, run_detectors
from jurybox.detect.selection import (
    DetectSelection,
    JudgeSelection,
    detect_selection,
    judge_selection,
)
from jurybox.detect.train import LM, TrainDetector, train_detector
from jurybox.errors import UsageError
from jurybox.formats._io import written_together
from jurybox.options import Opt, Options, argument
from jurybox.shared_options import Seed

USAGE = "jurybox detect train|run|info|selection|mine [options]"

HELP = """\
Detectors of preposition errors, trained on text without errors: the systems of the papers.

Maximum entropy (Tetreault and Chodorow 2008), the averaged perceptron and a 4-gram language model
(Madnani et al. 2011). Use them as baselines, to rerun the papers' experiments, and to find errors
that people should judge.

tasks:
  train      text to a model
  run        decisions about every preposition of a text, with scores and suggestions
  info       what a model is, where it comes from, and whether it is whole
  selection  how often a model chooses the preposition that a writer chose
  mine       prepositions that are probably too many, ranked, for people to judge

examples:
  jurybox detect train lm --text sample/training.txt -o lm
  jurybox detect train maxent --text wikipedia.txt.xz -o me
  jurybox detect run me --m2 A1.m2 A2.m2 -o me.jsonl
  jurybox detect info me

jurybox detect TASK --help tells more."""


class NoCache(Options, group=TAGGING):
    no_cache: Annotated[bool, Opt("keep no tagged text")] = False


# --- train ---


class Train(TrainDetector, NoCache, SummaryForm):
    # a model that is read needs no text
    text: Annotated[Several | None, TrainDetector.notes()["text"]] = argument(
        kw_only=True, default=None
    )


class LearningProgress:
    """Passes on the progress of learning; reading reports its own, in megabytes."""

    def __init__(self, line: ProgressLine) -> None:
        self._line, self.expect = line, line.expect

    def __call__(self, more: float, what: str = "sentences") -> None:
        if what != "sentences":
            self._line(more, what)


def train(call: Train) -> None:
    from jurybox.detect.ngrams.count_files import counts_files
    from jurybox.detect.ngrams.training import ORDER

    if call.no_cache:
        if call.cache is not None:
            raise UsageError("--cache and --no-cache exclude each other")
        call = call.replace(cache=False)
    text = words(call.text)
    counted = counts_files(words(call.counts), call.order or ORDER)
    arpa = None if call.arpa is None else str(call.arpa)
    read = [*text, *counted, *([str(call.from_arpa)] if call.from_arpa else [])]
    check_files(Output(output=arpa or "-"), read)
    with progress_line("training") as line:
        try:
            result = train_detector.of(
                call.replace(
                    text=watched(text, line) or None,
                    counts=watched(counted, line) or None,
                    progress=None if line is None else LearningProgress(line),
                )
            )
        except KeyboardInterrupt:
            if call.learner != LM and not call.no_cache:
                kept = "tagged text is kept, the same command goes on from there"
                print(f"jurybox: no model was written; {kept}", file=sys.stderr)
            raise
    show_summary(result, call.format, arpa)


# --- run ---


class Decide(RunDetectors, SummaryForm): ...


def decide(call: Decide) -> None:
    if call.output is None and call.decisions is None:
        raise UsageError("name a file for the decisions by -o, or a folder by --decisions")
    text = words(call.text)
    named = [str(one) for one in (call.cases, call.documents) if one is not None]
    written = [] if call.write_cases is None else [str(call.write_cases)]
    if call.decisions is not None:
        folder = str(call.decisions)
        names = {os.path.basename(os.path.realpath(one)): None for one in words(call.models)}  # noqa: PTH119  as quick as can be
        paths = [os.path.join(folder, f"{name}.csv") for name in names]  # noqa: PTH118  see above
        written += files_in_folder(folder, paths)
    check_files(call, [*text, *words(call.m2), *named], *written)
    with progress_line("deciding") as line:
        # reading text reports its own progress
        watch = {"text": watched(text, line)} if text else {"progress": line}
        result = run_detectors.of(call.replace(**watch))
    show_summary(result, call.format, call.output, call.write_cases)


# --- info ---


class Describe(DescribeDetector, Output): ...


def describe(call: Describe) -> None:
    check_files(call, [])
    show(describe_detector.of(call), call)


# --- selection ---


class TaskFiles(Seed, group="tasks for raters"):
    cloze: Annotated[
        str | None, Opt("write events with a blank for raters to fill (.csv, .tsv, .jsonl)", "FILE")
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
    joined: Annotated[
        str | None,
        Opt(
            "write judgments and key together, as jurybox agree reads them (.csv, .tsv, .jsonl)",
            "FILE",
        ),
    ] = None


class SelectionFigure(FigureOutput, group="output"):
    figure: Annotated[tuple[str, ...], figure_file("draw what --plot says to this file")] = ()
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


class Select(DetectSelection, TaskFiles, JudgeSelection, JoinedFile, SelectionFigure, NoCache): ...


#: options that are about choosing, and those about people's answers
_OF_MODELS = (
    *("models", "text", "tokenised", "split", "prepositions", "events"),
    *("spacy_model", "cache", "no_cache", "jobs"),
    *("cloze", "choices", "items", "figure", "plot"),
)
_OF_JUDGMENTS = ("joined", "count_models")


def select(call: Select) -> None:
    """Choose and compare, or look at what raters said."""
    idle: tuple[str, ...] = _OF_JUDGMENTS
    why = "is about --judgments; name them, or leave it out"
    if call.judgments:
        idle, why = _OF_MODELS, "is not for --judgments; leave it out"
    for flag in call.flags_given(idle):
        raise UsageError(f"{flag} {why}")
    (_run_judgments if call.judgments else _run_models)(call)


def _run_models(call: Select) -> None:
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
    target, key = call.cloze or call.choices, str(call.key)
    if call.items is not None and not target:
        raise UsageError("--items is about --cloze or --choices; name one, or leave it out")
    check_files(call, text, *([target, key] if target else []))
    if call.plot is not None and not call.figure:
        raise UsageError("--plot says what to draw; name the file by --figure")
    if target:
        check_forms(target)
        check_new(target, key)
    with progress_line("choosing") as progress:
        cache = False if call.no_cache else call.cache
        result = detect_selection.of(call.replace(cache=cache, progress=progress))

    def save() -> object:
        if not target:
            return None
        return result.save_task(
            "cloze" if call.cloze else "choice", target, key, items=call.items, seed=call.seed
        )

    deliver(result, call, figure=lambda: result.figure(call.plot), save=save)


def _run_judgments(call: Select) -> None:
    judgments, joined = words(call.judgments), call.joined
    check_files(call, [*judgments, str(call.key)], joined)
    check_forms(joined)
    given = judgments[0] if len(judgments) == 1 else judgments
    result = judge_selection.of(call.replace(judgments=given))
    deliver(result, call, save=(lambda: result.save_joined(joined)) if joined else None)


# --- mine ---


class MiningOutput(CasesOutput, group="output"):
    decisions: Annotated[
        str | None,
        Opt(
            "write the score of every case to this file (.csv, .tsv, .jsonl), as the decisions "
            "of a system that calls all of them errors",
            "FILE",
        ),
    ] = None
    format: Annotated[str, form_option("form of the table of trigrams: ")] = "text"


class Mine(MineCandidates, MiningOutput): ...


def mine(call: Mine) -> None:
    from jurybox.detect.mine.counts import ORDERS
    from jurybox.detect.ngrams.count_files import counts_files

    check_forms(call.output, call.decisions)
    text = words(call.text)
    counted = words(call.counts_text) or counts_files(words(call.counts), len(ORDERS))
    documents = [] if call.documents is None else [str(call.documents)]
    check_files(call, [*text, *counted, *words(call.m2), *documents], call.decisions)
    with progress_line("mining") as progress:
        files = watched([*text, *counted], progress)
        sources = files[len(text) :]
        result = mine_candidates.of(
            call.replace(
                text=files[: len(text)] or None,
                counts_text=sources if call.counts_text else None,
                counts=sources if call.counts else None,
                progress=progress if call.m2 else None,  # reading files reports its own progress
            )
        )
    with written_together():
        result = result.save(call.output, call.decisions)
    show_summary(result, call.format, call.output, call.decisions)


TASKS = {
    "train": Command(
        "jurybox detect train maxent|perceptron|lm --text FILE ... -o MODEL [options]",
        """\
Train a detector of preposition errors on text without errors.

maxent and perceptron learn which preposition stands between which words, tags and heads, and where
none does; spaCy tags the text, once. lm is a language model: an error is a sentence that is much
likelier with another preposition or with none. A model is a folder.

examples:
  jurybox detect train lm --text sample/training.txt -o lm
  jurybox detect train maxent --text wikipedia.txt.xz books.txt -o me
  jurybox detect train maxent --text wikipedia.txt.xz --events 400000 -o me-400k
  jurybox detect train perceptron --text wikipedia.txt.xz --passes 10 -o perc
  jurybox detect train lm --text text.tok --tokenised --prune 0,0,1,1 --arpa lm.arpa -o lm
  jurybox detect train lm --from-arpa lm.arpa -o lm
  jurybox detect train lm --counts web1t -o lm
  jurybox detect train maxent --text wikipedia.txt.xz --split .7 -o me""",
        Train,
        train,
    ),
    "run": Command(
        "jurybox detect run MODEL ... --text|--m2|--cases FILE ... -o DECISIONS [options]",
        """\
Decide about every preposition of a text: is it an error, how sure is that, what should stand there?

The best other choice, which may be no preposition at all, stands against what was written. The
score is its chance to win; with the threshold or more the case is called an error. The ids of cases
are those of jurybox cases, so decisions are ready for jurybox evaluate and jurybox sample draw.

examples:
  jurybox detect run lm --text sample/source.txt --tokenised -o lm.jsonl
  jurybox detect run me --m2 A1.m2 A2.m2 -o me.jsonl
  jurybox detect run me --cases cases.jsonl -o me.csv --threshold .8
  jurybox detect run me perc lm --cases cases.jsonl --decisions decisions
  jurybox detect run me --text essays.txt -o me.jsonl --write-cases cases.jsonl
  jurybox detect run me --m2 A1.m2 --construction preposition missing-preposition -o me.jsonl""",
        Decide,
        decide,
    ),
    "info": Command(
        "jurybox detect info MODEL [--check] [--features] [options]",
        """\
What a model is: its kind and size, the text, the tagger, the options and the package versions it
was trained with, and what training came to.

examples:
  jurybox detect info lm
  jurybox detect info me --check
  jurybox detect info me --features
  jurybox detect info me --format json""",
        Describe,
        describe,
    ),
    "selection": Command(
        """jurybox detect selection MODEL ... --text FILE ... [options]
       jurybox detect selection --judgments FILE ... [--key KEY] [options]""",
        """\
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
  jurybox detect selection me --text wikipedia.txt.xz --split .7
  jurybox detect selection me --text heldout.jsonl.xz --prepositions in of on to with
  jurybox detect selection me --text heldout.jsonl.xz --cloze cloze.csv --items 200
  jurybox detect selection me --text heldout.jsonl.xz --choices pairs.csv --key pairs-key.jsonl
  jurybox detect selection --judgments answers.csv --key key.jsonl""",
        Select,
        select,
    ),
    "mine": Command(
        "jurybox detect mine --text FILE ... --counts-text FILE ... [-o CASES] [options]",
        """\
Find probably unnecessary prepositions, for people to judge.

Every preposition between two words of a text is a trigram, as marry with her. Where a large text
has the words without the preposition (marry her) often, and with it much less often than that
leads one to expect, the preposition is a candidate. The candidates, rarest first, are cases: ready
for annotation, and no random sample.

examples:
  jurybox detect mine --text sample/source.txt --tokenised \\
    --counts-text sample/training.txt --min-count 1
  jurybox detect mine --text essays.txt --counts-text wikipedia.txt.xz
  jurybox detect mine --m2 A1.m2 A2.m2 --counts-text wikipedia.txt.xz -o cases.jsonl
  jurybox detect mine --text essays.txt --counts web1t -o cases.csv --decisions scores.csv
  jurybox detect mine --text essays.txt --counts 1gms 2gms 3gms --top 500 --per-trigram 3
  jurybox detect mine --text essays.tok --tokenised --counts counts.tsv.gz --format csv""",
        Mine,
        mine,
    ),
}
