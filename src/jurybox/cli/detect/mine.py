"""`jurybox detect mine`."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli._progress import progress_line, watched
from jurybox.cli.detect._options import print_summary
from jurybox.cli.output import FORMS, Output, check_files, words
from jurybox.detect.mine import MineCandidates, mine_candidates
from jurybox.formats._io import written_together
from jurybox.options import Opt, Options

USAGE = "jurybox detect mine --text FILE ... --counts-text FILE ... [-o CASES] [options]"

HELP = """\
Find probably unnecessary prepositions, for people to judge.

Every preposition between two words of a text is a trigram, as marry with her. Where a large text
has the words without the preposition (marry her) often, and with it much less often than that
leads one to expect, the preposition is a candidate. The candidates, rarest first, are cases: ready
for annotation, and no random sample.

examples:
  jurybox detect mine --text sample/source.txt --tokenised \\
    --counts-text sample/training.txt --min-count 1
  jurybox detect mine --text essays.txt --counts-text wikipedia.txt.xz
  jurybox detect mine --m2 A1.m2 A2.m2 --counts-text wikipedia.txt.xz -o cases.jsonl
  jurybox detect mine --text essays.txt --counts web1t -o cases.csv --decisions scores.csv
  jurybox detect mine --text essays.txt --counts 1gms 2gms 3gms --top 500 --per-trigram 3
  jurybox detect mine --text essays.tok --tokenised --counts counts.tsv.gz --format csv"""


class MiningOutput(Options, group="output"):
    """The files to write, and the form of the table."""

    output: Annotated[
        str | None, Opt("write the cases to this file (.jsonl, .csv, .tsv)", "FILE", short="-o")
    ] = None
    decisions: Annotated[
        str | None,
        Opt(
            "write the score of every case to this file (.csv, .tsv, .jsonl), as the decisions "
            "of a system that calls all of them errors",
            "FILE",
        ),
    ] = None
    format: Annotated[
        str,
        Opt(
            "form of the table of trigrams: text, json, csv, markdown or latex",
            "FORM",
            values=FORMS,
            noun="format",
        ),
    ] = "text"


class Call(MineCandidates, MiningOutput):
    """The options of the task."""


def run(call: Call) -> None:
    """Mine, write, and print the trigrams."""
    from jurybox.detect.mine.counts import counts_files
    from jurybox.jury.cases.result import form_of

    written = [target for target in (call.output, call.decisions) if target is not None]
    for target in written:
        form_of(target)
    text = words(call.text)
    counted = words(call.counts_text) or counts_files(words(call.counts))
    documents = [] if call.documents is None else [str(call.documents)]
    read = [*text, *counted, *words(call.m2), *documents]
    first, *others = written or ["-"]
    check_files(Output(output=first), read, *others)
    with progress_line("mining") as progress:
        files = watched([*text, *counted], progress)
        sources = files[len(text) :]
        result = mine_candidates.of(
            call.replace(
                text=files[: len(text)] or None,
                counts_text=sources if call.counts_text else None,
                counts=sources if call.counts else None,
                progress=progress if call.m2 else None,  # reading files reports its own progress
            )
        )
    with written_together():
        result = result.save(call.output, call.decisions)
    print_summary(result, call.format, written="-" in written)
