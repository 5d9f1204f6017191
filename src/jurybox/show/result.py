"""What `show` gives back: one sentence, what everybody made of it, and who made which edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from jurybox.records import Count, Limits, computed
from jurybox.results import Inputs, NamedParts, Signature, TabularResult
from jurybox.show.marked import Run, Word, fill, hang, mark_changes, show_words
from jurybox.tables import Cell, Column, Table, signed

WIDTH = 100  # of a page or a terminal that does not tell
WIDEST_LABEL = 20  # longer ones stand above their text
MOST_NAMES = 12  # in a cell for people; JSON and CSV have all
UNCHANGED = "(unchanged)"


class Change(NamedTuple):
    """An edit as somebody made it."""

    start: Annotated[Count, "First source token, counted from 0."]
    end: Annotated[Count, "Source token after the last one; equal to start for an insertion."]
    source: Annotated[str, "The source tokens of the span."]
    replacement: Annotated[
        str,
        "What they become; empty for a deletion. Alternatives are separated by ||, the first is "
        "in the text.",
    ]
    type: Annotated[str | None, "Error type; null for edits found in a text by alignment."] = None

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The corrections; in a text, where nobody writes alternatives, bars are words."""
        return (self.replacement,) if self.type is None else tuple(self.replacement.split("||"))

    @property
    def key(self) -> tuple[int, int, str]:
        """What makes two edits the same: span and correction, as in annotators/describe.py."""
        return self.start, self.end, " ".join(self.alternatives[0].split())


class Correction(NamedTuple):
    """What one annotator or one system made of the sentence."""

    text: Annotated[str, "The corrected tokens."]
    edits: Annotated[tuple[Change, ...], "The edits, from left to right."]


class SharedEdit(NamedTuple):
    """A span and one correction of it, with everybody who made it."""

    start: Annotated[Count, "First source token, counted from 0."]
    end: Annotated[Count, "Source token after the last one; equal to start for an insertion."]
    source: Annotated[str, "The source tokens of the span."]
    replacement: Annotated[str, "What they become; empty for a deletion."]
    types: Annotated[tuple[str, ...], "The error types annotators gave it."] = ()
    annotators: Annotated[tuple[str, ...], "The annotators who made it."] = ()
    systems: Annotated[tuple[str, ...], "The systems that made it."] = ()


@dataclass(frozen=True, repr=False)
class ShowResult(TabularResult, NamedParts[str, Correction]):
    """One sentence with all corrections side by side (Table 1 of Bryant and Ng 2015)."""

    command = "show"

    sentence: Annotated[
        int, "Number of the sentence from 1, which is its line in a text file.", Limits(minimum=1)
    ]
    sentences: Annotated[int, "How many sentences the files have.", Limits(minimum=1)]
    document: Annotated[
        str | None, "The document it belongs to; null where documents are not known."
    ]
    source: Annotated[str, "The source tokens."]
    annotators: Annotated[
        Mapping[str, Correction],
        "What every annotator who looked at the sentence made of it, by name.",
    ]
    skipped: Annotated[
        tuple[str, ...], "The annotators of the panel who did not look at this sentence."
    ]
    systems: Annotated[Mapping[str, Correction], "What every system made of it, by name."]
    edits: Annotated[
        tuple[SharedEdit, ...],
        "Every edit once, by position; at the same span the most frequent first.",
    ]
    signature: Signature
    inputs: Inputs = ()

    noun = "text"

    def parts(self) -> Mapping[str, Correction]:
        """What annotators and systems wrote, by their names."""
        return {**self.annotators, **self.systems}

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(self.source.split(" "))

    @computed
    def distinct(self) -> Count:
        """How many different texts the annotators wrote."""
        return len({annotator.text for annotator in self.annotators.values()})

    def records(self) -> list[dict[str, Any]]:
        """One row per person or system and edit; who changed nothing has one row without edit."""
        agree = {(e.start, e.end, e.replacement): len(e.annotators) for e in self.edits}
        nothing = dict.fromkeys(("start", "end", "source", "replacement", "type", "agree"))
        rows: list[dict[str, Any]] = [{"who": "source", "name": "", "text": self.source, **nothing}]
        for who, everybody in (("annotator", self.annotators), ("system", self.systems)):
            for name, one in everybody.items():
                head = {"who": who, "name": name, "text": one.text}
                rows += [{**head, **e._asdict(), "agree": agree[e.key]} for e in one.edits]
                if not one.edits:
                    rows.append({**head, **nothing})
        return [{"sentence": self.sentence, **row, "of": len(self.annotators)} for row in rows]

    def tables(self) -> list[Table]:
        """The texts, then the edits, for Markdown, LaTeX and HTML."""
        rows: list[Sequence[Cell]] = [("source", self.source)]
        for everybody in (self.annotators, self.systems):
            for names, runs in self._groups(everybody):
                text = " ".join(word.shown for word in show_words(runs)) if runs else UNCHANGED
                rows.append((", ".join(names), text))
        columns = (Column("who", text=True), Column("text", text=True))
        notes = [*self._remarks(), *([] if self.edits else [f"signature: {self.signature}"])]
        texts = Table(columns, tuple(rows), title=self._title(), notes=tuple(notes))
        return [texts, self._edit_table()] if self.edits else [texts]

    def to_text(self, *, width: int = WIDTH, colour: bool = False) -> str:
        """The page that the command line prints, wrapped to a width."""
        parts = [
            (title, [(", ".join(names), runs) for names, runs in self._groups(everybody)])
            for title, everybody in (("annotators", self.annotators), ("systems", self.systems))
            if everybody
        ]
        labels = [label for _, rows in parts for label, _ in rows]
        short = [len(label) for label in labels if len(label) <= WIDEST_LABEL]
        indent = max([len("source"), *(length + 2 for length in short)]) + 2
        room = max(width - indent, 20)
        lines = [self._title(), ""]
        lines += hang("source", fill(show_words([Run(self.tokens, False)]), room), indent)
        for title, rows in parts:
            lines.append(title)
            for label, runs in rows:
                words = show_words(runs, colour=colour) if runs else [_plain(UNCHANGED)]
                *above, name = fill(map(_plain, label.split(" ")), width - 2)
                lines += [f"  {line}" for line in above]
                lines += hang(f"  {name}", fill(words, room), indent)
        lines += ["", *self._remarks()]
        if not self.edits:
            return "\n".join([*lines, f"signature: {self.signature}"])
        return "\n".join([*lines, "", self._edit_table().to_text()])

    def __str__(self) -> str:
        return self.to_text()

    def _title(self) -> str:
        where = "" if self.document is None else f", document {self.document}"
        return f"Sentence {self.sentence} of {self.sentences}{where}"

    def _groups(self, everybody: Mapping[str, Correction]) -> list[tuple[list[str], list[Run]]]:
        """Those who wrote the same text, and that text; no runs where it is the source."""
        found: dict[str, tuple[list[str], list[Run]]] = {}
        for name, one in everybody.items():
            if one.text not in found:
                changes = [(edit.start, edit.end, edit.replacement) for edit in one.edits]
                same = one.text == self.source
                found[one.text] = ([], [] if same else mark_changes(self.tokens, changes))
            found[one.text][0].append(name)
        return list(found.values())

    def _remarks(self) -> Iterable[str]:
        count = len(self.annotators)
        if not count:
            yield "Nobody looked at this sentence."
        elif count == 1:
            yield "One annotator."
        elif self.distinct == count:
            yield f"{'Both' if count == 2 else f'All {count}'} annotators differ."
        elif self.distinct == 1:
            yield f"{'Both' if count == 2 else f'All {count}'} annotators agree."
        else:
            yield f"{count} annotators wrote {self.distinct} different texts."
        for name, system in self.systems.items():
            same = [who for who, one in self.annotators.items() if one.text == system.text]
            if same:
                yield f"{name} wrote what {_listed(same)} wrote."
        if self.skipped and count:
            yield f"Not looked at by {_listed(self.skipped)}."

    def _edit_table(self) -> Table:
        titles = ("span", "source", "correction", "type", "made by", "who", "systems")
        shown = len(titles) if self.systems else -1
        everybody = list(self.annotators)
        rows = [
            (
                *(f"{edit.start}-{edit.end}", f"[{edit.source}]", f"[{edit.replacement}]"),
                ", ".join(edit.types) or None,
                f"{len(edit.annotators)} of {len(everybody)}",
                _who(edit.annotators, everybody) or None,
                _listed(edit.systems) or None,
            )[:shown]
            for edit in self.edits
        ]
        columns = tuple(Column(title, text=True) for title in titles[:shown])
        return signed([Table(columns, tuple(rows), title="Edits")], self.signature)[0]


def _plain(text: str) -> Word:
    return Word(text, len(text))


def _listed(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: MOST_NAMES - 1])} and {len(names) - MOST_NAMES + 1} more"


def _who(names: Sequence[str], everybody: Sequence[str]) -> str:
    """Names, or who is missing where that is shorter."""
    others = [name for name in everybody if name not in names]
    if not others and len(everybody) > 2:
        return "all"
    if others and 3 * len(others) < len(names):
        return f"all but {_listed(others)}"
    return _listed(names)
