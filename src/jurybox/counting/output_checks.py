"""What looks wrong with a system's output although it can be scored: counted and reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

SHORT = 0.5  # a hypothesis with less than this share of the source's tokens may be cut off
STRANGE = 0.2  # sharing less than this share of its words, it may belong to another sentence
GLUED = 0.3  # with this share of attached full stops a text is probably not tokenised
FINAL = (".", "?", "!")
FEWEST = 5  # sentences with fewer tokens are too short to tell
WRAPPED = 0.5  # a label or quotes around more than this share of the sentences are no correction
LABEL = 8  # a label ends within so many tokens: "Here is the corrected sentence :"
FENCE = "```"
#: opening quotes and what closes them
QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "``": "''", "`": "`"}


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
    labels: dict[str, int] = field(default_factory=dict)  # what sentences begin with: "Corrected:"
    quoted: int = 0
    fenced: int = 0
    first_fenced: int = 0

    def look(self, source: Sequence[str], hypothesis: Sequence[str]) -> None:
        """Take notice of one sentence."""
        self.sentences += 1
        if hypothesis and source and hypothesis[0] != source[0]:
            self._look_at_beginning(source, hypothesis)
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

    def _look_at_beginning(self, source: Sequence[str], hypothesis: Sequence[str]) -> None:
        """What models put around a sentence, where the source has nothing of the kind."""
        first, last = hypothesis[0], hypothesis[-1]
        if first.startswith(FENCE):
            self.fenced += 1
            self.first_fenced = self.first_fenced or self.sentences
        elif (opening := _opening_quote(first)) and last.endswith(QUOTES[opening]):
            self.quoted += not (source[0].startswith(opening) and source[-1].endswith(last[-1]))
        elif (label := _label(hypothesis)) and not _label(source):
            self.labels[label] = self.labels.get(label, 0) + 1

    def _note_blank(self) -> None:
        self.blank += 1
        self.first_blank = self.first_blank or self.sentences

    def add(self, later: OutputCheck) -> None:
        """Take over what was noticed in the sentences behind these."""
        for first in ("first_blank", "first_truncated", "first_strange", "first_fenced"):
            place = getattr(later, first)
            if place and not getattr(self, first):
                setattr(self, first, self.sentences + place)
        for name in ("sentences", "blank", "truncated", "strange", "glued", "quoted", "fenced"):
            setattr(self, name, getattr(self, name) + getattr(later, name))
        for label, times in later.labels.items():
            self.labels[label] = self.labels.get(label, 0) + times

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
        most = WRAPPED * self.sentences
        label = max(self.labels, key=self.labels.__getitem__, default="")
        times = self.labels.get(label, 0)
        if times > most and (times > 1 or len(label.split()) <= 2):  # a long one could be chance
            lines.append(
                f"{self.name}: {times} of {self.sentences} hypotheses begin with "
                f"'{label}', which their source does not; it counts as an edit: remove it"
            )
        if self.quoted > most:
            lines.append(
                f"{self.name}: {self.quoted} of {self.sentences} hypotheses are in quotes, which "
                "their source is not; the quotes count as edits: remove them"
            )
        if self.fenced:
            lines.append(
                f"{self.name}: {self.fenced} of {self.sentences} hypotheses begin with {FENCE}, "
                f"the first on line {self.first_fenced}; code fences count as edits: remove them"
            )
        if self.strange:
            lines.append(
                f"{self.name}: {self.strange} of {self.sentences} hypotheses share almost nothing "
                f"with their source, the first on line {self.first_strange}; are the files aligned?"
            )
        return lines


def _opening_quote(token: str) -> str:
    """The opening quote that a token begins with, or nothing.

    >>> _opening_quote('"He'), _opening_quote("``"), _opening_quote("He")
    ('"', '``', '')
    """
    return token[:2] if token[:2] in QUOTES else token[:1] if token[:1] in QUOTES else ""


def _label(tokens: Sequence[str]) -> str:
    """The words up to a colon near the beginning, or "Here is"; nothing where there is neither.

    >>> _label("Corrected : He goes .".split()), _label("Here is He goes .".split())
    ('Corrected :', 'Here is')
    """
    for place, token in enumerate(tokens[:LABEL], 1):
        if token.endswith(":"):
            return " ".join(tokens[:place])
    opening = " ".join(tokens[:2])
    return opening if opening.lower() in ("here is", "here's the") else ""
