"""What all ways of counting share: what comes out, which documents are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jurybox.counting.output_checks import OutputCheck
from jurybox.model import CountsTable, Sentence

if TYPE_CHECKING:  # agreement needs the histogram of this folder, but no matching
    from jurybox.metrics.maxmatch import SentenceCount

Tokens = tuple[str, ...]


class GradedScore(NamedTuple):
    """Weighted counts and scores: an edit counts by the share of annotators who made it."""

    by: str  # edit: same span and correction; span: same span
    tp: float
    fp: float
    fn: float
    precision: float
    recall: float
    f: float


class Matched(NamedTuple):
    """One sentence of one system, with the edits found for each candidate annotator."""

    sentence: Sentence
    hypothesis: Tokens
    counts: tuple[SentenceCount, ...]


class Counted:
    """The counts of one system and what was noticed on the way."""

    def __init__(self, name: str, table: CountsTable, check: OutputCheck) -> None:
        self.name = name
        self.table = table
        self.check = check
        self.graded: tuple[GradedScore, ...] = ()  # where grades were asked for
        self.matched: list[Matched] = []  # where edits are kept, for the view per sentence
        self.in_order = False  # whether the table has its annotators in the order of the panel
        self.extractor: str | None = None  # what made edits out of plain text, if anything did


def set_documents(table: CountsTable, documents: Sequence[str | None]) -> None:
    """Documents count only if every sentence has one."""
    known = [document for document in documents if document is not None]
    if known and len(known) == len(documents):
        table.documents = known
