"""`jurybox cases`: places that people judge and systems decide about."""

from __future__ import annotations

from typing import Annotated, Any, cast

from jurybox.cli._app import Command
from jurybox.cli._progress import progress_line
from jurybox.cli.output import (
    CasesOutput,
    SummaryForm,
    check_files,
    check_forms,
    files_in_folder,
    panel_files,
    show_summary,
    words,
)
from jurybox.errors import UsageError
from jurybox.formats._io import written_together
from jurybox.jury.balance import BalanceCases, balance_cases
from jurybox.jury.cases import DeriveCases, derive_cases
from jurybox.options import Opt
from jurybox.records import HIDDEN
from jurybox.shared_options import GOLD_EDITS, split_documents

USAGE = "jurybox cases derive|balance [options]"

HELP = """\
Cases: places in a text that people judge and systems decide about.

tasks:
  derive   cases, judgments and decisions out of a panel of annotators
  balance  as many confirmed errors as correct uses, out of judged cases

examples:
  jurybox cases derive sample/A*.m2 --construction article
  jurybox cases derive A1.m2 A2.m2 -o cases.jsonl --judgments judgments.csv
  jurybox cases balance sample/cases.jsonl --judgments sample/judgments.csv -o set.jsonl

jurybox cases TASK --help tells more."""


# --- derive ---


class Written(CasesOutput, group="output"):
    judgments: Annotated[
        str | None, Opt("write the judgments to this file (.csv, .tsv, .jsonl)", "FILE")
    ] = None
    decisions: Annotated[
        str | None,
        Opt("write the decisions of every --system to NAME.csv in this folder", "FOLDER"),
    ] = None


class Derive(DeriveCases, Written, SummaryForm):
    files: Annotated[
        tuple[str, ...],
        Opt("the annotators' files (or name them with --gold)", "FILE", positional=True, many=True),
    ] = ()
    gold: Annotated[Any, Opt(GOLD_EDITS, "FILE", many=True), HIDDEN] = ()


def derive(call: Derive) -> None:
    from jurybox.jury.cases.result import decision_paths

    call = split_documents(call.replace(gold=(*call.files, *words(call.gold))))
    if not call.gold:
        raise UsageError("the panel is missing: give the annotators' files with --gold")
    check_forms(call.output, call.judgments)
    systems = cast("dict[str, str]", call.systems or {})
    if call.decisions is not None and not systems:
        raise UsageError("--decisions needs a system: say --system NAME=FILE as well")
    written = [call.judgments]
    if folder := call.decisions:
        written += files_in_folder(folder, decision_paths(systems, folder).values())
    check_files(call, panel_files(call), *written)
    with progress_line("deriving") as progress:
        result = derive_cases.of(call.replace(progress=progress))
    with written_together():
        result.save(call.output, call.judgments, call.decisions)
    show_summary(result, call.format, call.output, call.judgments)


# --- balance ---


class Balance(BalanceCases, CasesOutput, SummaryForm):
    cases: Annotated[
        tuple[str, ...],
        Opt(
            "case files, as jurybox detect mine and jurybox cases derive write them",
            "CASES",
            positional=True,
            many=True,
        ),
    ] = ()


def balance(call: Balance) -> None:
    if not call.cases:
        raise UsageError("the cases are missing: name their files first, before all options")
    check_forms(call.output)
    check_files(call, [*call.cases, *words(call.judgments), *words(call.correct)])
    result = balance_cases.of(call)
    if call.output is not None:
        result = result.save(call.output)
    show_summary(result, call.format, call.output)


TASKS = {
    "derive": Command(
        "jurybox cases derive [FILE ...] [--construction NAME] [-o CASES] [options]",
        """\
Turn a panel of annotators into cases: places in a text that people judge and systems decide about.

Every preposition (or article, comma, token, or position where one may be missing) is a case. Each
annotator becomes a rater: an edit there says error, no edit says ok. So a detector can be evaluated
against how many people call a thing an error.

examples:
  jurybox cases derive sample/A*.m2 --construction article
  jurybox cases derive A1.m2 A2.m2 A3.m2
  jurybox cases derive A1.m2 A2.m2 -o cases.jsonl --judgments judgments.csv
  jurybox cases derive --gold A1.m2 A2.m2 --system CAMB=camb.txt --decisions decisions
  jurybox cases derive gold.m2 --construction missing-article -o cases.csv
  jurybox cases derive gold.m2 --construction type=Prep
  jurybox cases derive ua-gec.m2 --construction ukrainian.toml""",
        Derive,
        derive,
    ),
    "balance": Command(
        "jurybox cases balance CASES ... --judgments FILE ... [-o CASES] [options]",
        """\
Build a balanced set: confirmed errors, and as many correct uses.

Errors are rare, so a set for a test or a crowd is often made of candidates that were mined and
confirmed, and of as many correct uses: 500 and 500 in Madnani et al. (2011). A case is confirmed by
its gold answer, or if most raters agree. Both halves are drawn at random and shuffled; what is left
out is reported.

examples:
  jurybox cases balance sample/cases.jsonl --judgments sample/judgments.csv -o set.jsonl
  jurybox cases balance mined.jsonl --judgments j.csv --errors 500 -o set.jsonl
  jurybox cases balance mined.jsonl --judgments j.csv --correct clean.jsonl --duplicates drop
  jurybox cases balance checked.csv --gold-cases 75 --one-per-sentence -o set.jsonl""",
        Balance,
        balance,
    ),
}
