"""Labels of judgments and decisions: the fixed vocabulary, and what users map to it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from jurybox.errors import FormatError, UsageError
from jurybox.model import LABELS

#: words that are often used, for the suggestion in the error message only
LIKELY = {
    "error": ("incorrect", "wrong", "bad", "err", "e", "ungrammatical", "1", "false"),
    "ok": ("correct", "right", "good", "fine", "okay", "c", "grammatical", "0", "true"),
    "unknown": ("?", "na", "n/a", "unsure", "not sure", "don't know", "cannot tell", "skip"),
}
#: labels outside the vocabulary that are told apart; an answer has 8 bits for its label
MOST = 200


class LabelNumbers(dict[str, int]):
    """A label's number in the vocabulary, by the labels a user maps and else by its own name.

    Upper and lower case do not differ. A label outside the vocabulary gets a number behind it and
    is remembered: `refuse` then says what was found and what to write.

    >>> labels = LabelNumbers({"No": "error", "Yes": "ok"})
    >>> [labels[word] for word in ("No", "yes", "Error", "unknown")]
    [0, 1, 0, 2]
    """

    def __init__(
        self, given: Mapping[str, str] | None = None, vocabulary: Sequence[str] = LABELS
    ) -> None:
        super().__init__()
        self.vocabulary = tuple(vocabulary)
        self.strange: list[str] = []
        self.counts: Counter[int] = Counter()
        self.outside = 0  # rows whose label is not in the vocabulary
        self._first: tuple[int, str] = (0, "")  # line and label of the first of them
        self._meanings = {name: number for number, name in enumerate(self.vocabulary)}
        for word, meaning in (given or {}).items():
            label = meaning.strip().lower()
            if label not in self.vocabulary:
                raise UsageError(
                    f"--labels {word}={meaning}: '{meaning}' is no label; one of: "
                    f"{', '.join(self.vocabulary)}"
                )
            self._meanings[word.strip().lower()] = self.vocabulary.index(label)
            self[word] = self.vocabulary.index(label)

    def __missing__(self, given: str) -> int:
        word = given.strip()
        number = self._meanings.get(word.lower())
        if number is None:
            if word not in self.strange:
                if len(self.strange) == MOST:
                    return len(self.vocabulary) + MOST - 1
                self.strange.append(word)
            number = len(self.vocabulary) + self.strange.index(word)
        self[given] = number
        return number

    def numbers(self, column: Sequence[str], lines: Sequence[int]) -> list[int]:
        """The numbers of a column; what the error message needs is counted."""
        found = list(map(self.__getitem__, column))
        self.counts.update(found)
        if self.strange:
            places = [i for i, number in enumerate(found) if number >= len(self.vocabulary)]
            if places and not self.outside:
                self._first = lines[places[0]], column[places[0]].strip()
            self.outside += len(places)
        return found

    def refuse(self, path: str, *, more: int) -> FormatError:
        """The error for labels outside the vocabulary, with what to write instead."""
        line, first = self._first
        names = [*self.vocabulary, *self.strange]
        found = ", ".join(
            f"{names[number] or '(empty)'} {count}" for number, count in self.counts.most_common(12)
        )
        rest = ", …" if len(self.counts) > 12 else ""
        what = f"label '{first}' is not" if first else "no label; it must be"
        return FormatError(
            f"{what} one of {', '.join(self.vocabulary)}; labels so far: {found}{rest}; say what "
            f"they mean, for example --labels {self._suggest()}",
            path=path,
            line=line,
            more=more + self.outside - 1,
        )

    def _suggest(self) -> str:
        meanings: list[str] = []
        for word in self.strange[:6]:
            likely = [
                label
                for label, words in LIKELY.items()
                if word.lower() in words and label in self.vocabulary
            ]
            free = [label for label in self.vocabulary if label not in meanings]
            meanings.append((likely or free or [self.vocabulary[-1]])[0])
        pairs = zip(self.strange, meanings, strict=False)
        text = ",".join(f"{word}={meaning}" for word, meaning in pairs)
        return f"'{text}'" if any(sign in text for sign in " ?'\"&|;()$*") else text

    def read_gold(self, cell: str) -> tuple[str, ...]:
        """The labels that are right: one, or a JSON list of them; ValueError if they are none."""
        text = cell.strip()
        if not text:
            return ()
        words = [text]
        if text.startswith("["):
            try:
                words = json.loads(text)
            except (ValueError, RecursionError):
                raise ValueError(f"gold {text[:40]} is no JSON list of labels") from None
        numbers = []
        for word in words:
            number = self._meanings.get(word.strip().lower()) if isinstance(word, str) else None
            if number is None:
                raise ValueError(
                    f"gold label {word!r} is not one of {', '.join(self.vocabulary)}; say what it "
                    f"means, for example --labels {word}=ok"
                )
            numbers.append(number)
        return tuple(self.vocabulary[number] for number in dict.fromkeys(numbers))
