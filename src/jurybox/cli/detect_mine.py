"""`jurybox detect mine`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout

from jurybox.cli._options import (
    FORMS,
    add_files,
    add_form,
    check_form,
    check_read_once,
    check_targets,
    show,
)
from jurybox.cli._progress import progress_line, watched
from jurybox.cli._text_options import add_tagger, add_text
from jurybox.errors import UsageError
from jurybox.formats._writing import written_together

USAGE = "jurybox detect mine --text FILE ... --counts-text FILE ... [-o CASES] [options]"

HELP = """\
Find prepositions that are probably too many, for people to judge.

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


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    _add_text(parser)
    _add_counts(parser)
    _add_limits(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the cases to this file (.jsonl, .csv, .tsv)"
    )
    group.add_argument(
        "--decisions",
        metavar="FILE",
        help="write the score of every case to this file (.csv, .tsv, .jsonl), as the decisions "
        "of a system that calls all of them errors",
    )
    add_form(
        group,
        FORMS,
        "form of the table of trigrams: text, json, csv, markdown or latex (default: text)",
    )


def _add_text(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("the text to screen")
    add_text(group, m2="M2 files of annotators, instead of --text")
    add_tagger(group, quick=True)


def _add_counts(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("where counts come from")
    add_files(group, "--counts-text", "well-formed text to count: prose, a paragraph per line")
    group.add_argument(
        "--counts-tokenised",
        action="store_true",
        help="--counts-text is tokenised, a sentence per line",
    )
    add_files(
        group,
        "--counts",
        "counted n-grams instead: files of lines n-gram, tab, count, or folders of them, as the "
        "Web 1T corpus has (1gms, 2gms, 3gms)",
        metavar="PATH",
    )


def _add_limits(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how many")
    group.add_argument(
        "--top", type=int, default=100, metavar="N", help="at most so many trigrams (default: 100)"
    )
    group.add_argument(
        "--per-trigram",
        type=int,
        default=1,
        metavar="N",
        help="at most so many cases of each trigram, the first in the text (default: 1)",
    )
    group.add_argument(
        "--min-count",
        type=int,
        default=5,
        metavar="N",
        help="leave out trigrams whose words were seen less often without the preposition "
        "(default: 5)",
    )


def run(options: Namespace) -> None:
    """Mine, write, and print the trigrams."""
    from jurybox.api.cases_result import form_of
    from jurybox.api.detect_mine import mine_candidates

    check_form(options)
    written = [target for target in (options.output, options.decisions) if target is not None]
    for target in written:
        form_of(target)
    text = options.text or []
    counted = _counted_files(options)
    beside = [*(options.m2 or ()), *([options.documents] if options.documents else [])]
    options.files_read = [*text, *counted, *beside]
    check_read_once(options.files_read)
    check_targets(options, *written)
    with progress_line("mining") as progress:
        files = watched([*text, *counted], progress)
        sources = files[len(text) :] or None
        result = mine_candidates(
            files[: len(text)] or None,
            m2=options.m2,
            counts_text=sources if options.counts_text else None,
            counts=sources if options.counts else None,
            tokenised=options.tokenised,
            counts_tokenised=options.counts_tokenised,
            documents=options.documents,
            top=options.top,
            per_trigram=options.per_trigram,
            min_count=options.min_count,
            tagger=options.tagger,
            progress=progress if options.m2 else None,  # reading files tells of itself
        )
    with written_together():
        result.save(options.output, options.decisions)
    # Standard output belongs to the cases or decisions when they are written to `-`.
    with redirect_stdout(sys.stderr if "-" in written else sys.stdout):
        show(result, Namespace(format=options.format, output="-"))


def _counted_files(options: Namespace) -> list[str]:
    """The files to count, folders taken apart."""
    if options.counts_text and options.counts:
        raise UsageError("name what to count: --counts-text or --counts, and not both")
    if not options.counts:
        return options.counts_text or []
    from jurybox.detect.web1t import counts_files

    return counts_files(options.counts)
