"""`jurybox detect run`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout

from jurybox.cli._detect_options import add_jobs, add_spacy_model, add_summary_form
from jurybox.cli._options import (
    OneOf,
    add_files,
    check_form,
    check_read_once,
    check_targets,
    show,
)
from jurybox.cli._progress import progress_line, watched
from jurybox.cli._text_options import add_tagger, add_text
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


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("models", nargs="+", metavar="MODEL", help="folders of trained models")
    _add_text(parser)
    group = parser.add_argument_group("deciding")
    add_files(
        group,
        "--construction",
        "preposition, missing-preposition or both (default: preposition; with --cases what the "
        "file has)",
        metavar="NAME",
        values=OneOf("preposition", "missing-preposition"),
    )
    group.add_argument(
        "--threshold",
        type=float,
        default=0.98,
        metavar="T",
        help="a case is called an error with a score of T or more (default: 0.98)",
    )
    add_tagger(group, auto="the model's own tags, or spaCy where it is installed")
    add_spacy_model(group)
    add_jobs(group)
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the decisions to this file (.jsonl, .csv)"
    )
    group.add_argument(
        "--decisions",
        metavar="FOLDER",
        help="write the decisions of every model to NAME.csv in this folder",
    )
    group.add_argument(
        "--write-cases", metavar="FILE", help="write the cases of --text or --m2 too (.jsonl)"
    )
    add_summary_form(group)


def _add_text(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what to look at")
    add_text(group)
    group.add_argument("--cases", metavar="FILE", help="a file of cases, whose ids are kept")


def run(options: Namespace) -> None:
    """Decide, write, and print a summary."""
    from jurybox.api.detect_run import run_detectors

    check_form(options)
    if options.output is None and options.decisions is None:
        raise UsageError("name a file for the decisions by -o, or a folder by --decisions")
    text, m2 = options.text or [], options.m2 or []
    options.files_read = [*text, *m2, *filter(None, [options.cases, options.documents])]
    check_read_once(options.files_read)
    check_targets(options, options.output, options.write_cases, *_in_folder(options))
    with progress_line("deciding") as line:
        result = run_detectors(
            options.models,
            text=watched(text, line) if text else None,
            m2=m2 or None,
            cases=options.cases,
            tokenised=options.tokenised,
            documents=options.documents,
            construction=options.construction,
            threshold=options.threshold,
            tagger=options.tagger,
            spacy_model=options.spacy_model,
            output=options.output,
            decisions=options.decisions,
            write_cases=options.write_cases,
            jobs=options.jobs,
            progress=None if text else line,  # reading tells of itself
        )
    # Standard output belongs to the decisions or cases when they are written to `-`.
    printed = "-" in (options.output, options.write_cases)
    with redirect_stdout(sys.stderr if printed else sys.stdout):
        show(result, Namespace(format=options.format, output="-"))


def _in_folder(options: Namespace) -> list[str]:
    """The files that go to the folder of --decisions."""
    if options.decisions is None:
        return []
    if os.path.isdir(options.decisions):  # noqa: PTH112  as quick as can be
        names = [os.path.basename(os.path.realpath(model)) for model in options.models]  # noqa: PTH119  as above
        return [os.path.join(options.decisions, f"{name}.csv") for name in dict.fromkeys(names)]  # noqa: PTH118  as above
    if os.path.exists(options.decisions):  # noqa: PTH110  as above
        raise UsageError(f"--decisions {options.decisions} is a file; name a folder")
    return [options.decisions]  # will be made
