"""`jurybox run`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from jurybox.errors import UsageError
from jurybox.options import Opt, Options

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


class Call(Options):
    study: Annotated[str, Opt("the study file (TOML)", "STUDY", positional=True)]
    analyses: Annotated[
        Sequence[str],
        Opt(
            "only these analyses, and those whose output they need; report makes all of them first",
            "NAME",
            flag="--only",
        ),
    ] = ()
    force: Annotated[bool, Opt("compute everything again, changed or not")] = False
    dry_run: Annotated[bool, Opt("say what would be done and why, and do nothing")] = False


def run(call: Call) -> int:
    from jurybox.cli._app import ignore_output
    from jurybox.cli.study._study_run import StudyRun
    from jurybox.study.file import read_study

    if call.study == "-":
        raise UsageError("a study is a file: paths in it begin at its folder; name it")
    work = StudyRun(read_study(call.study), force=call.force, only=call.analyses)
    if call.dry_run:
        print("\n".join(work.plan()))
        return 0
    for line in work.run():
        try:
            print(line, flush=True)
        except BrokenPipeError:  # nobody reads along any more; the study is made all the same
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
