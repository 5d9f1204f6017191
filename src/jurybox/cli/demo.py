"""`jurybox demo`."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.study.init import copy_all, differing
from jurybox.errors import InputError
from jurybox.options import Opt, Options
from jurybox.report import make_report

if TYPE_CHECKING:
    from jurybox.engine import Progress
    from jurybox.report.compose import Report

SYSTEMS = ("cautious", "bold", "rewriter")

USAGE = "jurybox demo [-o FILE] [--copy-to FOLDER]"

HELP = """\
Everything jurybox does, on the bundled sample: writes a report and sums it up.

The sample was constructed for jurybox: essays as learners write them, corrected by eight annotators
of different taste and three made-up systems, and twelve raters' judgments of prepositions and
articles.

examples:
  jurybox demo
  jurybox demo --copy-to sample"""

LABEL = "constructed sample data"


class Call(Options):
    output: Annotated[str, Opt("where the report goes", "FILE", short="-o")] = "demo/report.html"
    copy_to: Annotated[
        str | None,
        Opt(
            "also copy the sample's files into this folder, to try other commands on them", "FOLDER"
        ),
    ] = None


def run(call: Call) -> None:
    target = Path(call.output)
    with as_file(files("jurybox") / "data" / "sample") as sample:
        with progress_line("making the report") as progress:
            made = report_on(sample, progress)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{target.parent}: cannot be made ({error.strerror}); name another"
            ) from None
        made.save(target)
        if call.copy_to is not None:
            found = [file for file in sample.rglob("*") if file.is_file() and file.suffix != ".pyc"]
            copies = {file: Path(call.copy_to, file.relative_to(sample)) for file in found}
            if there := differing(copies):
                raise InputError(
                    f"{there} is there and differs from the sample's; name another folder"
                )
            copy_all(copies)
    print(f"Constructed sample: {made.page.subtitle}, three made-up systems, twelve raters.\n")
    print("\n".join(f"  {line}" for line in made.summary()))
    print(f"\nThe report is in {target}: open it in a browser. Then try:\n")
    place = call.copy_to or "sample"
    if call.copy_to is None:
        print("  jurybox demo --copy-to sample")
    print(f"  jurybox score {place}/bold.txt --gold {place}/A*.m2 --ci")


def report_on(sample: Path, progress: Progress | None = None) -> Report:
    """The report of the sample in a folder."""
    return make_report(
        gold=sorted(sample.glob("A*.m2")),
        systems={name: sample / f"{name}.txt" for name in SYSTEMS},
        documents=sample / "documents.txt",
        cases=sample / "cases.jsonl",
        judgments=sample / "judgments.csv",
        decisions={name: sample / f"{name}.csv" for name in SYSTEMS},
        title="Three systems before the jury",
        label=LABEL,
        progress=progress,
    )
