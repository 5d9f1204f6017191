"""`jurybox detect train`."""

from __future__ import annotations

import sys
from typing import Annotated

from jurybox.cli._progress import ProgressLine, progress_line, watched
from jurybox.cli.detect._options import NoCache, SummaryForm, print_summary
from jurybox.cli.output import Output, check_files, words
from jurybox.detect.options import Several
from jurybox.detect.train import LM, TrainDetector, train_detector
from jurybox.errors import UsageError
from jurybox.options import argument

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


class Call(TrainDetector, NoCache, SummaryForm):
    """The options of the task."""

    # a model that is read needs no text
    text: Annotated[Several | None, TrainDetector.notes()["text"]] = argument(
        kw_only=True, default=None
    )


class LearningProgress:
    """Passes on the progress of learning; reading reports its own, in megabytes."""

    def __init__(self, line: ProgressLine) -> None:
        self._line = line

    def expect(self, total: float, what: str = "sentences") -> None:
        """So many are to come."""
        self._line.expect(total, what)

    def __call__(self, more: float, what: str = "sentences") -> None:
        """So many more are done."""
        if what != "sentences":
            self._line(more, what)


def run(call: Call) -> None:
    """Train, save, and print what came out."""
    if call.no_cache:
        if call.cache is not None:
            raise UsageError("--cache and --no-cache exclude each other")
        call = call.replace(cache=False)
    text = words(call.text)
    arpa = None if call.arpa is None else str(call.arpa)
    read = [*text, *([str(call.from_arpa)] if call.from_arpa else [])]
    check_files(Output(output=arpa or "-"), read)
    with progress_line("training") as line:
        try:
            result = train_detector.of(
                call.replace(
                    text=watched(text, line) or None,
                    progress=None if line is None else LearningProgress(line),
                )
            )
        except KeyboardInterrupt:
            if call.learner != LM and not call.no_cache:
                kept = "tagged text is kept, the same command goes on from there"
                print(f"jurybox: no model was written; {kept}", file=sys.stderr)
            raise
    print_summary(result, call.format, written=arpa == "-")
