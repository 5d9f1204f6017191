"""What all ways of counting share: who is told, what comes out, which documents are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from jurybox.api.checks import OutputCheck
from jurybox.api.results import GradedScore
from jurybox.edits.maxmatch import SentenceCount
from jurybox.model import CountsTable, Sentence

Tokens = tuple[str, ...]
#: told how many more sentences are done (or, with a second argument, how many more of what), and 0
#: when all are and resampling begins
Progress = Callable[..., None]


def expect(progress: Progress | None, total: int, what: str = "sentences") -> bool:
    """Say how many are to come, to a progress that has `expect`; a plain function is not told.

    Gives back whether it was: only such a progress is told of resamples, too.

    >>> expect(print, 100)
    False
    """
    listens = getattr(progress, "expect", None)
    if listens is None:
        return False
    listens(total, what)
    return True


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
        self.extractor: str | None = None  # what made edits out of plain text, if anything did


def set_documents(table: CountsTable, documents: Sequence[str | None]) -> None:
    """Documents count only if every sentence has one."""
    known = [document for document in documents if document is not None]
    if known and len(known) == len(documents):
        table.documents = known
