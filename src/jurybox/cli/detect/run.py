"""`jurybox detect run`."""

from __future__ import annotations

import os

from jurybox.cli._progress import progress_line, watched
from jurybox.cli.detect._options import SummaryForm, print_summary
from jurybox.cli.output import Output, check_files, words
from jurybox.detect.run import RunDetectors, run_detectors
from jurybox.errors import UsageError

USAGE = "jurybox detect run MODEL ... --text|--m2|--cases FILE ... -o DECISIONS [options]"

HELP = """\
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
  jurybox detect run me --m2 A1.m2 --construction preposition missing-preposition -o me.jsonl"""


class Call(RunDetectors, SummaryForm):
    """The options of the task."""


def run(call: Call) -> None:
    """Decide, write, and print a summary."""
    if call.output is None and call.decisions is None:
        raise UsageError("name a file for the decisions by -o, or a folder by --decisions")
    text = words(call.text)
    named = [str(one) for one in (call.cases, call.documents) if one is not None]
    first, *others = [
        *(str(one) for one in (call.output, call.write_cases) if one is not None),
        *_in_folder(call),
    ]
    check_files(Output(output=first), [*text, *words(call.m2), *named], *others)
    with progress_line("deciding") as line:
        # reading text reports its own progress
        watch = {"text": watched(text, line)} if text else {"progress": line}
        result = run_detectors.of(call.replace(**watch))
    print_summary(result, call.format, written="-" in (call.output, call.write_cases))


def _in_folder(call: Call) -> list[str]:
    """The files that go to the folder of --decisions."""
    if call.decisions is None:
        return []
    folder = str(call.decisions)
    if os.path.isdir(folder):  # noqa: PTH112  as quick as can be
        names = [os.path.basename(os.path.realpath(model)) for model in words(call.models)]  # noqa: PTH119  as above
        return [os.path.join(folder, f"{name}.csv") for name in dict.fromkeys(names)]  # noqa: PTH118  as above
    if os.path.exists(folder):  # noqa: PTH110  as above
        raise UsageError(f"--decisions {folder} is a file; name a folder")
    return [folder]  # will be made
