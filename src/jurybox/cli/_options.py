"""Options that mean the same in every command, and the one way to print a result."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from cyclopts import Parameter

from jurybox.errors import unknown_name
from jurybox.formats import writing

if TYPE_CHECKING:
    from jurybox.api.counting import Progress
    from jurybox.report.tables import Table

FORMS = ("text", "json", "csv", "markdown", "latex")

Files = Annotated[list[str], Parameter(consume_multiple=True, negative=())]
Flag = Parameter(negative=(), show_default=False)


@Parameter(name="*")
@dataclass(frozen=True)
class Output:
    """Where results go and what they look like.

    Parameters
    ----------
    format
        text, json, csv, markdown or latex.
    output
        Write to this file instead of standard output.

    """

    format: str = "text"
    output: Annotated[str, Parameter(name=["--output", "-o"])] = "-"


@Parameter(name="*")
@dataclass(frozen=True)
class Matching:
    """What is compared with what.

    Parameters
    ----------
    gold
        Gold edits: one file, or several single-annotator files as a panel (M2, SGML or JSONL).
    metric
        m2 (MaxMatch), errant or gleu.
    source
        Source text: needed by gleu with --refs; for m2 it is checked against the gold.
    refs
        Reference texts for gleu.
    beta
        Weight of recall against precision in F.
    choice
        Which annotator counts: running (official: best for the running totals) or sentence.
    max_unchanged_words
        How many unchanged words an edit may contain (m2).
    ignore_case_whitespace
        Leave out hypothesis edits that change only case or white space (m2).
    level
        What must be equal (errant): correction, correction-type, span or token.
    types
        Compare only edits of these types (errant), as R:NOUN, NOUN or R.
    single
        Compare only single-token edits (errant).
    multi
        Compare only multi-token edits (errant).
    expected_statistics
        Average the statistics over references instead of drawing them: another number (gleu).
    tokenize
        Hypotheses are plain prose: undo detokenisation first (rules: docs/tokenize.md).
    hyp_format
        Read hypotheses as text, m2, sgml or jsonl instead of telling by content.
    gold_format
        Read gold files as m2, sgml or jsonl instead of telling by content.
    documents
        Document of every sentence: a file with one id per line, a CSV, or the SGML file.
    jobs
        Processes to match with.

    """

    gold: Files | None = None
    metric: str = "m2"
    source: str | None = None
    refs: Files | None = None
    beta: float = 0.5
    choice: str = "running"
    max_unchanged_words: int = 2
    ignore_case_whitespace: Annotated[bool, Flag] = False
    level: str = "correction"
    types: Files | None = None
    single: Annotated[bool, Flag] = False
    multi: Annotated[bool, Flag] = False
    expected_statistics: Annotated[bool, Flag] = False
    tokenize: Annotated[bool, Flag] = False
    hyp_format: str | None = None
    gold_format: str | None = None
    documents: str | None = None
    jobs: int = 1

    def arguments(self) -> dict[str, Any]:
        """The same as keyword arguments of `score` and `compare`, without what was not given."""
        from jurybox.errors import UsageError

        if self.single and self.multi:
            raise UsageError(
                "--single and --multi exclude each other; leave both out for all edits"
            )
        types = [name for given in self.types or () for name in given.split(",") if name]
        given = {
            "metric": self.metric,
            "source": self.source,
            "refs": self.refs or [],
            "beta": self.beta,
            "choice": self.choice,
            "max_unchanged_words": self.max_unchanged_words,
            "ignore_case_whitespace": self.ignore_case_whitespace,
            "level": self.level,
            "types": types or None,
            "size": "single" if self.single else "multi" if self.multi else "any",
            "expected_statistics": self.expected_statistics,
            "tokenize": self.tokenize,
            "hyp_format": self.hyp_format,
            "gold_format": self.gold_format,
            "documents": self.documents,
            "jobs": self.jobs,
        }
        return {name: value for name, value in given.items() if value != _DEFAULTS[name]}


_DEFAULTS: dict[str, Any] = {
    "metric": "m2",
    "source": None,
    "refs": [],
    "beta": 0.5,
    "choice": "running",
    "max_unchanged_words": 2,
    "ignore_case_whitespace": False,
    "level": "correction",
    "types": None,
    "size": "any",
    "expected_statistics": False,
    "tokenize": False,
    "hyp_format": None,
    "gold_format": None,
    "documents": None,
    "jobs": 1,
}


@Parameter(name="*")
@dataclass(frozen=True)
class Resampling:
    """How certainty is estimated.

    Parameters
    ----------
    resamples
        Bootstrap resamples (and random exchanges, when comparing).
    ci_level
        Level of the intervals.
    ci_unit
        Resample by sentence or by document.
    seed
        Seed of the random numbers; the same seed gives the same digits.

    """

    resamples: int = 1000
    ci_level: float = 0.95
    ci_unit: str = "sentence"
    seed: int = 1

    def arguments(self) -> dict[str, Any]:
        return {
            "resamples": self.resamples,
            "ci_level": self.ci_level,
            "ci_unit": self.ci_unit,
            "seed": self.seed,
        }


class Printable(Protocol):
    """What a command can print."""

    def tables(self) -> list[Table]: ...

    def to_json(self) -> str: ...


def check_form(form: str) -> None:
    """Complain before the work, not after it."""
    if form not in FORMS:
        raise unknown_name("format", form, FORMS)


def show(result: Printable, output: Output, extra: str = "") -> None:
    """Print a result in the form asked for; `extra` follows the text form."""
    if output.format == "json":
        text = result.to_json()
    else:
        text = "\n\n".join(table.render(output.format) for table in result.tables())
        if extra and output.format == "text":
            text = f"{text}\n\n{extra}"
    with writing(output.output) as out:
        out.write(f"{text}\n")


@contextmanager
def progress_bar(title: str) -> Iterator[Progress | None]:
    """A counter on standard error, if that is a terminal and the work lasts over a second."""
    if not sys.stderr.isatty():
        yield None
        return
    begun = monotonic()
    done = 0
    status: Any = None

    def tell(more: int) -> None:
        nonlocal done, status
        done += more
        if status is None and monotonic() - begun > 1:
            from rich.console import Console

            status = Console(stderr=True).status("")
            status.start()
        if status is not None:
            status.update(f"{title}: {done} sentences")

    try:
        yield tell
    finally:
        if status is not None:
            status.stop()


def as_paths(files: list[str]) -> list[Path]:
    """Paths, so that the library does not take a list of names for sentences."""
    return [Path(name) for name in files]
