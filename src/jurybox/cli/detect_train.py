"""`jurybox detect train`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from jurybox.cli._detect_options import (
    LearningProgress,
    add_jobs,
    add_spacy_model,
    add_summary_form,
    read_numbers,
)
from jurybox.cli._options import (
    OneOf,
    add_files,
    check_form,
    check_read_once,
    check_targets,
    show,
)
from jurybox.cli._progress import progress_line, watched
from jurybox.cli._text_options import add_tokenised
from jurybox.errors import UsageError

USAGE = "jurybox detect train maxent|perceptron|lm --text FILE ... -o MODEL [options]"

HELP = """\
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
  jurybox detect train lm --from-arpa lm.arpa -o lm"""

LEARNERS = ("maxent", "perceptron", "lm")


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument(
        "learner", metavar="LEARNER", type=OneOf(*LEARNERS), help="maxent, perceptron or lm"
    )
    add_files(parser, "--text", "text to learn from: prose, a paragraph per line")
    add_tokenised(parser)
    _add_tagging(parser)
    _add_learning(parser)
    _add_language_model(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="MODEL",
        help="the folder of the model; a model that is there already is replaced",
    )
    add_summary_form(group)


def _add_tagging(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("tagging (maxent, perceptron)")
    add_spacy_model(group)
    group.add_argument(
        "--cache",
        metavar="FOLDER",
        help="where tagged text is kept, so that nothing is tagged twice (default: "
        "jurybox/tagged in the user's cache)",
    )
    group.add_argument("--no-cache", action="store_true", help="keep no tagged text")
    add_jobs(group)


def _add_learning(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("learning (maxent, perceptron)")
    group.add_argument(
        "--least",
        type=int,
        metavar="N",
        help="leave out features of fewer events (default: 2)",
    )
    group.add_argument(
        "--nothing-rate",
        type=float,
        metavar="R",
        help="share of the places without a preposition that are learnt from (default: 0.1)",
    )
    group.add_argument(
        "--passes",
        type=int,
        metavar="N",
        help="passes over the events (default: 8 for maxent, 5 for perceptron)",
    )
    group.add_argument(
        "--strength",
        type=float,
        metavar="C",
        help="maxent: how far weights may grow, scikit-learn's C (default: 0.4)",
    )
    group.add_argument("--seed", type=int, metavar="N", help="of the random numbers (default: 1)")
    group.add_argument(
        "--events",
        type=int,
        metavar="N",
        help="stop reading after so many events, for learning curves",
    )


def _add_language_model(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("language model (lm)")
    group.add_argument(
        "--order", type=int, metavar="N", help="words of the longest n-grams (default: 4)"
    )
    group.add_argument(
        "--prune",
        metavar="N,N,...",
        help="leave out n-grams seen at most so often, a number for each order, as 0,0,1,1 "
        "(default: none)",
    )
    group.add_argument(
        "--fallback-discounts",
        metavar="D,D,D",
        help="discounts for a text too small to tell its own, as .5,1,1.5",
    )
    group.add_argument(
        "--arpa", metavar="FILE", help="write the model as an ARPA file too (.gz, .xz compress)"
    )
    group.add_argument("--from-arpa", metavar="FILE", help="read an ARPA file instead of training")


def run(options: Namespace) -> None:
    """Train, save, and print what came out."""
    from jurybox.api.detect_train import train_detector

    check_form(options)
    if options.cache is not None and options.no_cache:
        raise UsageError("--cache and --no-cache exclude each other")
    text = options.text or []
    options.files_read = [*text, *filter(None, [options.from_arpa])]
    check_read_once(options.files_read)
    check_targets(options, options.arpa)
    with progress_line("training") as line, _kept_text_told(options):
        result = train_detector(
            options.learner,
            watched(text, line) if text else None,
            options.output,
            tokenised=options.tokenised,
            spacy_model=options.spacy_model,
            cache=False if options.no_cache else options.cache,
            jobs=options.jobs,
            least=options.least,
            nothing_rate=options.nothing_rate,
            passes=options.passes,
            strength=options.strength,
            seed=options.seed,
            events=options.events,
            order=options.order,
            prune=read_numbers("--prune", options.prune, int),
            fallback_discounts=read_numbers(
                "--fallback-discounts", options.fallback_discounts, float
            ),
            arpa=options.arpa,
            from_arpa=options.from_arpa,
            progress=None if line is None else LearningProgress(line),
        )
    # Standard output belongs to the ARPA file when it is written to `-`.
    with redirect_stdout(sys.stderr if options.arpa == "-" else sys.stdout):
        show(result, Namespace(format=options.format, output="-"))


@contextmanager
def _kept_text_told(options: Namespace) -> Iterator[None]:
    """Whoever is interrupted knows what is not lost."""
    try:
        yield
    except KeyboardInterrupt:
        if options.learner != "lm" and not options.no_cache:
            told = "no model was written; tagged text is kept, the same command goes on from there"
            print(f"jurybox: {told}", file=sys.stderr)
        raise
