"""`jurybox annotators`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._metric_options import add_metric, metric_arguments
from jurybox.cli._options import add_figure, add_output, check_output, deliver
from jurybox.cli._panel_options import add_panel, panel_arguments
from jurybox.cli._progress import progress_line
from jurybox.errors import UsageError

USAGE = "jurybox annotators --gold FILE [FILE ...] [options]"

HELP = """\
Describe a panel of annotators: who corrected what, and how far people agree.

Edits by annotator and type; everybody's text scored against everybody else's edits; how many
annotators make the same edit, or edit the same place with other boundaries; how many different
texts a sentence gets; whether they agree on which sentences are correct (kappa, alpha).

Read agreement with care. A sentence can often be corrected in several equally good ways, and
agreement statistics see only that people differ: low values are the rule in this field and do not
mean that the annotators are bad (Bryant and Ng 2015). `jurybox ceiling` uses the differences
instead: it shows what a person scores.

examples:
  jurybox annotators --gold sample/A*.m2 --documents sample/documents.txt
  jurybox annotators --gold A1.m2 A2.m2 A3.m2
  jurybox annotators --gold A*.m2 --documents essays.sgml --figure heat.svg
  jurybox annotators --gold A*.m2 --coverage who-saw-what.csv --no-pairwise
  jurybox annotators --gold A*.m2 --metric errant --format json -o annotators.json"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--no-pairwise",
        action="store_true",
        help="do not score annotators against each other, which takes most of the time",
    )
    add_panel(parser)
    add_metric(parser, jobs=None)
    output = add_output(parser)
    add_figure(output, "draw the matrix of annotators against each other as a heat map")
    parser.set_defaults(defaults=parser.parse_args([]))


def run(options: Namespace) -> None:
    """Describe the panel, draw, and print."""
    from jurybox.api.annotators import annotators

    check_output(options)
    scoring = metric_arguments(options, options.defaults)
    if options.no_pairwise and (options.figure or scoring):
        given = ["--figure"] if options.figure else []
        named = {"size": "single or --multi"}
        given += [f"--{named.get(name, name).replace('_', '-')}" for name in scoring]
        raise UsageError(
            f"{', '.join(given)}: only for scores of annotators against each other, which "
            "--no-pairwise leaves out"
        )
    with progress_line("matching") as progress:
        result = annotators(
            **panel_arguments(options),
            pairwise=not options.no_pairwise,
            progress=progress,
            **{"jobs": None, **scoring},
        )
    deliver(result, options, figure=result.figure)
