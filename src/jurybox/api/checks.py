"""What looks wrong with a system's output although it can be scored: counted and reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SHORT = 0.5  # a hypothesis with less than this share of the source's tokens may be cut off
STRANGE = 0.2  # sharing less than this share of its words, it may belong to another sentence
GLUED = 0.3  # with this share of attached full stops a text is probably not tokenised
FINAL = (".", "?", "!")
FEWEST = 5  # sentences with fewer tokens are too short to tell


@dataclass(slots=True)
class OutputCheck:
    """Blank, cut-off and misplaced hypotheses of one system; lines count from 1."""

    name: str
    sentences: int = 0
    blank: int = 0
    truncated: int = 0
    strange: int = 0
    first_blank: int = 0
    first_truncated: int = 0
    first_strange: int = 0
    glued: int = 0  # final punctuation that is not a token of its own
    left_out: int = 0  # edits without a correction, where corrections are compared

    def look(self, source: Sequence[str], hypothesis: Sequence[str]) -> None:
        """Take notice of one sentence."""
        self.sentences += 1
        if source == hypothesis or len(source) < FEWEST:
            if source and not hypothesis:
                self._note_blank()
            return
        if not hypothesis:
            self._note_blank()
            return
        last, written = hypothesis[-1], source[-1]
        if last != written and written in FINAL and last.endswith(written):
            self.glued += 1
        cut_off = len(hypothesis) < SHORT * len(source) and hypothesis[-1] != source[-1]
        if cut_off:
            self.truncated += 1
            self.first_truncated = self.first_truncated or self.sentences
        shared = len({*source}.intersection(hypothesis))
        if shared < STRANGE * min(len(source), len(hypothesis)) and (
            shared < STRANGE * min(len({*source}), len({*hypothesis}))
        ):
            self.strange += 1
            self.first_strange = self.first_strange or self.sentences

    def _note_blank(self) -> None:
        self.blank += 1
        self.first_blank = self.first_blank or self.sentences

    def warnings(self) -> list[str]:
        """One line for each thing that was noticed."""
        lines = []
        if self.blank:
            lines.append(
                f"{self.name}: {self.blank} of {self.sentences} hypotheses are blank, the first "
                f"on line {self.first_blank}; each counts as a deletion of the whole sentence"
            )
        if self.truncated:
            lines.append(
                f"{self.name}: {self.truncated} of {self.sentences} hypotheses look cut off (less "
                f"than half as long as the source), the first on line {self.first_truncated}"
            )
        if self.glued > GLUED * self.sentences:
            lines.append(
                f"{self.name}: {self.glued} of {self.sentences} hypotheses end in a word with its "
                "full stop attached; if this is plain prose, score it with --tokenize"
            )
        if self.left_out:
            lines.append(
                f"{self.name}: {self.left_out} edits of type UNK are left out where corrections "
                "are compared; they count with --level span or token"
            )
        if self.strange:
            lines.append(
                f"{self.name}: {self.strange} of {self.sentences} hypotheses share almost nothing "
                f"with their source, the first on line {self.first_strange}; are the files aligned?"
            )
        return lines
