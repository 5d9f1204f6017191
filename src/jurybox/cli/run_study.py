"""`jurybox run`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._options import add_files
from jurybox.errors import UsageError

USAGE = "jurybox run STUDY.toml [--only NAME ...] [--force] [--dry-run]"

HELP = """\
One file describes a whole study, one command makes its results and its report.

The file names data, systems and judges, and the analyses wanted of them: each is a command of
jurybox with its own options. jurybox init writes an example. Run it again, and only what changed is
computed again: options, files, outputs that are gone, another version of jurybox or of a plug-in.

examples:
  jurybox run sample-study/study.toml
  jurybox run study.toml --dry-run
  jurybox run study.toml --only scores
  jurybox run study.toml --force"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("study", metavar="STUDY", help="the study file (TOML)")
    add_files(
        parser,
        "--only",
        "only these analyses, and those whose output they need; report makes all of them first",
        metavar="NAME",
    )
    parser.add_argument(
        "--force", action="store_true", help="compute everything again, changed or not"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done and why, and do nothing"
    )


def run(options: Namespace) -> int:
    """Make what changed, and sum up."""
    from jurybox.api.study_file import read_study
    from jurybox.cli._app import ignore_output
    from jurybox.cli._study_run import StudyRun

    if options.study == "-":
        raise UsageError("a study is a file: paths in it begin at its folder; name it")
    work = StudyRun(read_study(options.study), force=options.force, only=options.only or ())
    if options.dry_run:
        print("\n".join(work.plan()))
        return 0
    for line in work.run():
        try:
            print(line, flush=True)
        except BrokenPipeError:  # whoever read along has left; the study is made all the same
            ignore_output()
    headlines = list(work.summary())
    if headlines:
        print("", *(f"  {line}" for line in headlines), sep="\n")
    if work.failed:
        print(
            f"\nnot made: {', '.join(work.failed)} (the messages say why; nothing was written over)"
        )
    if work.page:
        print(f"\nThe report is in {work.page}: open it in a browser.")
    elif headlines:
        print(f"\nThe results are in {work.out}.")
    return work.exit_code
