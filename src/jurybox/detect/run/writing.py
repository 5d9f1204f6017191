"""Decisions and cases written block by block, so that no corpus is too large."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import TextIO

from jurybox.detect.run.blocks import DecidedBlock
from jurybox.detect.run.result import DetectorSummary, Flagged
from jurybox.errors import InputError
from jurybox.formats import Input, writing
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables.long_tables import encode_json, write_lines, write_table
from jurybox.jury.cases.result import form_of
from jurybox.model import NOTHING, Case, CaseDescription, CaseSet, DecisionTable
from jurybox.results import WrittenFile

TITLES = ("case", "label", "score", "suggestion")
ERROR, OK = "error", "ok"
#: frequent pairs of words in the summary of a detector
PAIRS = 10


class FlagTally:
    """What is counted of a detector's flags as they come.

    >>> tally = FlagTally()
    >>> tally.add(["at", "to", ""], ["in", "-NONE-", "of"])
    >>> tally.summary("me", "maxent")[2:6]
    (3, 1, 1, 1)
    """

    def __init__(self) -> None:
        self._pairs: Counter[tuple[str, str]] = Counter()

    def add(self, written: Sequence[str], suggestions: Sequence[str | None]) -> None:
        """Words that were flagged, and what would be put there."""
        self._pairs.update(
            (word.lower(), "" if put in (None, NOTHING) else str(put).lower())
            for word, put in zip(written, suggestions, strict=True)
        )

    def summary(self, name: str, learner: str) -> DetectorSummary:
        """All of it; ties between pairs in the order of their words."""
        ordered = sorted(self._pairs.items(), key=lambda item: (-item[1], item[0]))
        kinds = Counter[str]()
        for (written, put), count in ordered:
            kinds["missing" if not written else "wrong" if put else "extraneous"] += count
        return DetectorSummary(
            name=name,
            learner=learner,
            flagged=sum(kinds.values()),
            wrong=kinds["wrong"],
            extraneous=kinds["extraneous"],
            missing=kinds["missing"],
            pairs=tuple(Flagged(*pair, count) for pair, count in ordered[:PAIRS]),
        )


def shown_score(score: float) -> str:
    """A score as it is written: nine digits, so that it hardly depends on the machine.

    >>> shown_score(2 / 3), shown_score(0.0)
    ('0.666666667', '0')
    """
    return f"{score:.9g}"


def is_error(score: float, threshold: float) -> bool:
    """Whether a score, as it is written, reaches the threshold."""
    return float(shown_score(score)) >= threshold


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
            [
                case,
                ERROR if is_error(score, self._threshold) else OK,
                shown_score(score),
                word or "",
            ]
            for case, score, word in zip(ids, scores, suggestions, strict=True)
        ]
        if self._form == "jsonl":
            if rows:
                lines = []
                for case, label, score, word in rows:
                    put = f', "suggestion": {encode_json(word)}' if word else ""
                    head = f'"case": {encode_json(case)}, "label": "{label}"'
                    lines.append(f'{{{head}, "score": {score}{put}}}')
                write_lines(lines, self._out, self._rows)
                self._rows += len(rows)
            return
        table = StringIO()
        write_table(TITLES, rows, table, self._form)
        header, _, rest = table.getvalue().partition("\n")
        self._out.write(rest if self._rows else f"{header}\n{rest}")
        self._rows += len(rows) or 1  # the header is there


class Delivery:
    """What has been decided so far: written to files, counted, or kept in memory."""

    def __init__(
        self,
        names: Iterable[str],
        threshold: float,
        description: CaseDescription,
        files: dict[str, str],
        case_file: str | None,
    ) -> None:
        self.tallies = {name: FlagTally() for name in names}
        self.kept: dict[str, DecisionTable] = {}
        self.kept_cases: list[Case] = []
        self.sentences = self.cases = self.undecided = 0
        self._threshold = threshold
        self._description = description
        self._files = files  # of the decisions, by detector; none: they are kept
        self._case_file = case_file
        self._writers: dict[str, DecisionWriter] = {}
        self._case_out: TextIO | None = None
        self._cases_begun = False
        if not files:
            self.kept = {n: DecisionTable(n, score=array("d"), suggestion=[]) for n in self.tallies}

    def open(self, opened: ExitStack) -> None:
        """Open every file that is to be written."""
        for name, target in self._files.items():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            out = opened.enter_context(writing(target))
            self._writers[name] = DecisionWriter(out, form_of(target), self._threshold)
        if self._case_file is not None:
            self._case_out = opened.enter_context(writing(self._case_file))

    def take(self, block: DecidedBlock) -> None:
        """A block more."""
        self.sentences += block.sentences
        self.cases += len(block.ids)
        self.undecided += block.undecided
        if self._case_out is not None:  # the first cases come with the description of all
            lines = StringIO()
            case_files.write(CaseSet(tuple(block.cases), self._description), lines)
            head, _, rest = lines.getvalue().partition("\n")
            self._case_out.write(rest if self._cases_begun else f"{head}\n{rest}")
            self._cases_begun = True
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
                table = self.kept[name]
                assert table.score is not None  # made so
                assert table.suggestion is not None
                table.label.extend(map(int, flags))
                table.score.extend(scores)
                table.suggestion.extend("" if word == NOTHING else word for word in suggestions)

    def check(self, inputs: Sequence[Input]) -> None:
        """Refuse to write files without a single decision."""
        if not self.cases:
            names = ", ".join(source.name for source in inputs)
            more = f" among {self.undecided} cases" if self.undecided else ""
            raise InputError(f"{names}: has no preposition to decide about{more}")

    @property
    def written(self) -> tuple[WrittenFile, ...]:
        """What was written, by what it is."""
        found = [WrittenFile(f"decisions of {name}", file) for name, file in self._files.items()]
        if self._case_file is not None:
            found.append(WrittenFile("cases", self._case_file))
        return tuple(found)
