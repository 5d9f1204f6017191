"""`jurybox agree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import PlotOutput, check_files, deliver, watched, words
from jurybox.cli.stored import ADJUDICATOR, StoredJudgments, check_stored, opened, stored_judgments
from jurybox.options import Opt, argument
from jurybox.raters.agree import Agree, agree

if TYPE_CHECKING:
    from jurybox.raters.inputs import GivenJudgments

USAGE = "jurybox agree JUDGMENTS [...] | --db URL --project NAME [--expert NAME ...] [options]"

HELP = """\
How far do raters agree, and how many of them are as good as an expert?

Kappa and alpha of all raters, of every two, and batch by batch; crowds of 1, 2, 3 … raters against
experts, the mean over them, or known answers (Tetreault et al. 2010). Any labels will do. Files of
MTurk, Figure Eight, Toloka, Label Studio, doccano, Prodigy and GUG are read as they are, and so are
tables with case,rater,label. Known answers are in a column gold, in a file (--gold), or an expert's
(--expert).

examples:
  jurybox agree sample/judgments.csv
  jurybox agree sample/judgments.csv --expert R01 R02 --ci
  jurybox agree batch.csv --relabel Yes=ok,No=error --format json
  jurybox agree judgments.csv --by-batch --relabel 2=ok,e=ok --spoiled drop
  jurybox agree judgments.csv --expert R1 R2 R3 --max-crowd 18 --crowd-curve --figure crowd.svg
  jurybox agree ratings.csv --input-format wide --scale interval
  jurybox agree table.csv --input-format counts
  jurybox agree --db study.db --project prepositions
  jurybox agree --db study.db --project prepositions --expert ADJ"""


class AgreeOutput(PlotOutput, group="output"):
    plot: Annotated[
        str,
        Opt(
            "what to draw: crowd, kappa of crowds of N; pairs, kappa of every two raters",
            "WHAT",
            values=("crowd", "pairs"),
            noun="figure",
        ),
    ] = "crowd"


class Call(StoredJudgments, Agree, AgreeOutput):  # with --db, no file is needed
    judgments: Annotated[GivenJudgments, Agree.notes()["judgments"]] = argument(
        kw_only=False, default=()
    )


def run(call: Call) -> None:
    files = words(call.judgments)
    check_stored(call, files, "their files")
    check_files(call, [*files, *words(call.gold)])
    with progress_line("measuring agreement") as progress:
        read = watched(files, progress)
        if call.db is not None:
            with opened(call.db, call.project) as (store, project):
                # decisions are no rater's judgments, unless they are asked for by name
                decisions = "yes" if ADJUDICATOR in call.experts else "no"
                read = [stored_judgments(store, project, decisions=decisions)]
        result = agree.of(call.replace(judgments=read, progress=progress))
    deliver(result, call, figure=lambda: result.figure(call.plot))
