"""`jurybox aggregate`."""

from __future__ import annotations

from jurybox.cli._progress import progress_line
from jurybox.cli.output import Output, check_files, deliver, watched, words
from jurybox.raters.aggregate import Aggregation, aggregate

USAGE = "jurybox aggregate JUDGMENTS [...] [options]"

HELP = """\
One label per case out of many judgments, and how sure it is.

examples:
  jurybox aggregate sample/judgments.csv
  jurybox aggregate judgments.csv --method dawid-skene --format csv -o labels.csv
  jurybox aggregate judgments.csv --ties ok
  jurybox aggregate batch.csv --columns label=Answer.Q1 --method gold-weighted --gold known.csv"""


class Call(Aggregation, Output): ...


def run(call: Call) -> None:
    files = words(call.judgments)
    check_files(call, [*files, *words(call.gold)])
    with progress_line("reading") as progress:
        read = watched(files, progress)
        result = aggregate.of(call.replace(judgments=read, progress=progress))
    deliver(result, call)
