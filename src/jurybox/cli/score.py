"""`jurybox score`."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import (
    Output,
    as_inputs,
    check_files,
    deliver,
    files_compared_with,
    refuse_idle,
    words,
)
from jurybox.errors import UsageError
from jurybox.options import Opt
from jurybox.score import MATCHING, Score, is_counts, score
from jurybox.shared_options import Resampling

USAGE = "jurybox score HYP [HYP ...] --gold FILE [FILE ...] [options]"

HELP = """\
Score systems against a panel or references: the official numbers, at once.

examples:
  jurybox score sample/bold.txt --gold sample/A*.m2
  jurybox score sample/cautious.txt sample/bold.txt --gold sample/A*.m2 --ci
  jurybox score output.txt --gold conll14.m2
  jurybox score A.txt B.txt --gold A1.m2 A2.m2 A3.m2 --ci --by type
  jurybox score system.m2 --gold reference.m2 --metric errant --level span
  jurybox score output.txt --source src.txt --refs ref0.txt ref1.txt --metric gleu
  jurybox score labels.tsv --gold multiged-test.tsv --metric errant --level token
  jurybox score essays.md --source orig.md --refs ref1.md ref2.md --tokenize
  jurybox score old.txt new.txt --gold conll14.m2 --save-counts counts.json"""


class Call(Score, Output):
    save_counts: Annotated[
        str | None, Opt("keep the counts per sentence and annotator, for compare", "FILE")
    ] = None


def run(call: Call) -> None:
    files = words(call.hypotheses)
    check_files(call, [*files, *files_compared_with(call)], call.save_counts)
    if not call.ci:
        refuse_idle(call, list(Resampling.__options__), "--ci, which makes intervals")
    read = as_inputs(files)
    if any(map(is_counts, read)):
        if given := call.flags_given(MATCHING):
            raise UsageError(
                f"saved counts are scored as they were made: leave out {', '.join(given)}, or give "
                "the hypotheses themselves"
            )
        from jurybox.score.saved_counts import score_counts

        result = score_counts(read, ci=call.ci, **dict(call.only(Resampling)))
    else:
        with progress_line("matching") as progress:
            result = score.of(call.replace(hypotheses=read, progress=progress))
    details = [f"{s.name}\n\n" + "\n\n".join(map(str, s.details)) for s in result.systems]

    def save() -> None:
        from jurybox.score.saved_counts import save_counts

        save_counts(result, call.save_counts or "")

    deliver(
        result,
        call,
        save=save if call.save_counts is not None else None,
        extra="\n\n".join(details) if call.details else "",
    )
