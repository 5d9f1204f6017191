"""`jurybox cases`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout

from jurybox.cli._options import (
    FORMS,
    OneOf,
    add_files,
    add_form,
    check_form,
    check_targets,
    show,
)
from jurybox.cli._panel_options import add_panel, add_systems, panel_arguments, system_arguments
from jurybox.cli._progress import progress_line
from jurybox.cli._text_options import add_tagger
from jurybox.errors import UsageError, near_name
from jurybox.formats._writing import written_together

USAGE = "jurybox cases derive [FILE ...] [--construction NAME] [-o CASES] [options]"

HELP = """\
Turn a panel of annotators into cases: places in a text that people judge and systems decide about.

derive makes a case of every preposition (or article, comma, token, or position where one may be
missing). Each annotator becomes a rater: an edit there says error, no edit says ok. So a detector
can be evaluated against how many people call a thing an error.

examples:
  jurybox cases derive sample/A*.m2 --construction article
  jurybox cases derive A1.m2 A2.m2 A3.m2
  jurybox cases derive A1.m2 A2.m2 -o cases.jsonl --judgments judgments.csv
  jurybox cases derive --gold A1.m2 A2.m2 --system CAMB=camb.txt --decisions decisions
  jurybox cases derive gold.m2 --construction missing-article -o cases.csv
  jurybox cases derive gold.m2 --construction type=Prep"""

SUBCOMMANDS = ("derive",)

#: the library knows these as well, and type=NAME
CONSTRUCTIONS = (
    *("preposition", "article", "comma", "token"),
    *("missing-preposition", "missing-article", "missing-comma"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "words",
        nargs="+",
        metavar="derive [FILE ...]",
        help="what to do, and the annotators' files (or name them with --gold)",
    )
    add_files(
        parser,
        "--construction",
        "what is a case: preposition, article, comma, token, missing-preposition, missing-article, "
        "missing-comma, or type=NAME (every token, errors by edits of that type); several if they "
        "do not share places (default: preposition)",
        metavar="NAME",
        values=OneOf(*CONSTRUCTIONS),
    )
    parser.add_argument(
        "--error-rule",
        default="type",
        metavar="RULE",
        type=OneOf("type", "any-edit"),
        help="which edits make a case an error: type (those of the construction's own types; all "
        "where the data has no types) or any-edit (default: type)",
    )
    add_tagger(parser)
    add_panel(parser)
    add_systems(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the cases to this file (.jsonl, .csv, .tsv)"
    )
    group.add_argument(
        "--judgments", metavar="FILE", help="write the judgments to this file (.csv, .tsv, .jsonl)"
    )
    group.add_argument(
        "--decisions",
        metavar="FOLDER",
        help="write the decisions of every --system to NAME.csv in this folder",
    )
    add_form(
        group,
        FORMS,
        "form of the summary: text, json, csv, markdown or latex (default: text)",
    )


def run(options: Namespace) -> None:
    """Derive, write, and print a summary."""
    from jurybox.api.cases import derive_cases
    from jurybox.api.cases_result import decision_paths, form_of

    check_form(options)
    task, *files = options.words
    if task not in SUBCOMMANDS:
        hint = near_name(task, SUBCOMMANDS)
        raise UsageError(f"jurybox cases cannot '{task}'{hint or '; write jurybox cases derive'}")
    options.gold = [*files, *(options.gold or ())]
    systems = system_arguments(options)
    if options.decisions is not None and not systems:
        raise UsageError("--decisions needs a system: say --system NAME=FILE as well")
    written = [target for target in (options.output, options.judgments) if target is not None]
    for target in written:
        form_of(target)
    if options.decisions is not None:
        paths = decision_paths(systems, options.decisions)
        if os.path.isdir(options.decisions):  # noqa: PTH112  as quick as can be
            written += paths.values()
        elif os.path.exists(options.decisions):  # noqa: PTH110  as quick as can be
            raise UsageError(f"--decisions {options.decisions} is a file; name a folder")
        else:
            written.append(options.decisions)  # will be made
    check_targets(options, *written)
    with progress_line("deriving") as progress:
        result = derive_cases(
            construction=options.construction or "preposition",
            systems=systems,
            error_rule=options.error_rule,
            tagger=options.tagger,
            hyp_format=options.hyp_format,
            tokenize=options.tokenize,
            progress=progress,
            **panel_arguments(options),
        )
    with written_together():
        result.save(options.output, options.judgments, options.decisions)
    # Standard output belongs to the cases or judgments when they are written to `-`.
    with redirect_stdout(sys.stderr if "-" in written else sys.stdout):
        show(result, Namespace(format=options.format, output="-"))
