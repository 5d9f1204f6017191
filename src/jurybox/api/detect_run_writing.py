"""Decisions and cases written block by block, so that no corpus is too large."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from jurybox.api.cases_result import form_of
from jurybox.api.detect_run_result import Tally
from jurybox.errors import InputError
from jurybox.formats import Input, writing
from jurybox.formats.long_tables import encode_json, write_lines, write_table
from jurybox.model import NOTHING, Case, CaseDescription, CaseSet, DecisionTable

if TYPE_CHECKING:
    from jurybox.api.detect_run_blocks import DecidedBlock

TITLES = ("case", "label", "score", "suggestion")
ERROR, OK = "error", "ok"


def shown_score(score: float) -> str:
    """A score as it is written: nine digits, so that it hardly depends on the machine.

    >>> shown_score(2 / 3), shown_score(0.0)
    ('0.666666667', '0')
    """
    return f"{score:.9g}"


class DecisionWriter:
    r"""The decisions of one detector, to an open file.

    >>> import sys
    >>> writer = DecisionWriter(sys.stdout, "jsonl", threshold=0.5)
    >>> writer.add(["S1:2-3"], [0.75], ["-NONE-"])
    {"case": "S1:2-3", "label": "error", "score": 0.75, "suggestion": "-NONE-"}
    """

    def __init__(self, out: TextIO, form: str, threshold: float) -> None:
        self._out = out
        self._form = form
        self._threshold = threshold
        self._rows = 0

    def add(
        self, ids: Sequence[str], scores: Sequence[float], suggestions: Sequence[str | None]
    ) -> None:
        """Some more of them."""
        rows = [
            (case, is_error(score, self._threshold), shown_score(score), word or "")
            for case, score, word in zip(ids, scores, suggestions, strict=True)
        ]
        if self._form == "jsonl":
            self._write([_object(*row) for row in rows])
            return
        table = StringIO()
        named = ([case, ERROR if error else OK, *rest] for case, error, *rest in rows)
        write_table(TITLES, named, table, self._form)
        header, _, lines = table.getvalue().partition("\n")
        self._out.write(lines if self._rows else f"{header}\n{lines}")
        self._rows += len(rows) or 1  # the header is there

    def _write(self, lines: Sequence[str]) -> None:
        if lines:
            write_lines(lines, self._out, self._rows)
            self._rows += len(lines)


def is_error(score: float, threshold: float) -> bool:
    """Whether a score, as it is written, reaches the threshold."""
    return float(shown_score(score)) >= threshold


def _object(case: str, error: bool, score: str, suggestion: str) -> str:
    label = ERROR if error else OK
    put = f', "suggestion": {encode_json(suggestion)}' if suggestion else ""
    return f'{{"case": {encode_json(case)}, "label": "{label}", "score": {score}{put}}}'


class CaseWriter:
    """Cases, to an open file of JSONL."""

    def __init__(self, out: TextIO, description: CaseDescription) -> None:
        self._out = out
        self._description = description
        self._begun = False

    def add(self, cases: Sequence[Case]) -> None:
        """Some more of them; the first come with what all of them are."""
        from jurybox.formats import cases as case_files

        lines = StringIO()
        case_files.write(CaseSet(tuple(cases), self._description), lines)
        head, _, rest = lines.getvalue().partition("\n")
        self._out.write(rest if self._begun else f"{head}\n{rest}")
        self._begun = True


class Targets(NamedTuple):
    """Where decisions and cases go; nowhere: they are kept in memory."""

    decisions: dict[str, str]  # detector -> file
    cases: str | None

    @property
    def in_memory(self) -> bool:
        return not self.decisions


class Delivery:
    """What has been decided so far: written on, counted, or kept."""

    def __init__(
        self,
        names: Iterable[str],
        threshold: float,
        description: CaseDescription,
        targets: Targets,
    ) -> None:
        self.tallies = {name: Tally() for name in names}
        self.kept: dict[str, DecisionTable] = {}
        self.kept_cases: list[Case] = []
        self.sentences = self.cases = self.undecided = 0
        self._threshold = threshold
        self._description = description
        self._targets = targets
        self._writers: dict[str, DecisionWriter] = {}
        self._case_writer: CaseWriter | None = None
        if targets.in_memory:
            self.kept = {n: DecisionTable(n, score=array("d"), suggestion=[]) for n in self.tallies}

    def open(self, files: ExitStack) -> None:
        """Open every file that is to be written."""
        for name, target in self._targets.decisions.items():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            out = files.enter_context(writing(target))
            self._writers[name] = DecisionWriter(out, form_of(target), self._threshold)
        if self._targets.cases is not None:
            out = files.enter_context(writing(self._targets.cases))
            self._case_writer = CaseWriter(out, self._description)

    def take(self, block: DecidedBlock) -> None:
        """A block more."""
        self.sentences += block.sentences
        self.cases += len(block.ids)
        self.undecided += block.undecided
        if self._case_writer is not None:
            self._case_writer.add(block.cases)
        if self.kept:
            self.kept_cases += block.cases
        for (name, tally), (scores, suggestions) in zip(
            self.tallies.items(), block.answers, strict=True
        ):
            flags = [is_error(score, self._threshold) for score in scores]
            flagged = [number for number, flag in enumerate(flags) if flag]
            tally.add([block.written[n] for n in flagged], [suggestions[n] for n in flagged])
            if name in self._writers:
                self._writers[name].add(block.ids, scores, suggestions)
            if name in self.kept:
                _keep(self.kept[name], flags, scores, suggestions)

    def check(self, inputs: Sequence[Input]) -> None:
        """Refuse to write files without a single decision."""
        if not self.cases:
            names = ", ".join(source.name for source in inputs)
            more = f" among {self.undecided} cases" if self.undecided else ""
            raise InputError(f"{names}: has no preposition to decide about{more}")

    @property
    def written(self) -> dict[str, str]:
        """What was written, by what it is."""
        told = {f"decisions of {name}": file for name, file in self._targets.decisions.items()}
        return told if self._targets.cases is None else {**told, "cases": self._targets.cases}


def _keep(
    table: DecisionTable,
    flags: Sequence[bool],
    scores: Sequence[float],
    suggestions: Sequence[str | None],
) -> None:
    assert table.score is not None  # made so
    assert table.suggestion is not None
    table.label.extend(map(int, flags))
    table.score.extend(scores)
    table.suggestion.extend("" if word == NOTHING else word for word in suggestions)
