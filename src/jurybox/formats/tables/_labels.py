"""Labels of judgments and decisions: the fixed vocabulary, and what users map to it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from jurybox.errors import Column, FormatError, UsageError
from jurybox.formats.given_values import as_word_map
from jurybox.formats.tables._columns import BLOCK
from jurybox.formats.tables.coded import numbered
from jurybox.model import LABELS, TRAINED_LABELS

#: words that are often used, for the suggestion in the error message only
LIKELY = {
    "error": ("incorrect", "wrong", "bad", "err", "e", "ungrammatical", "1", "false"),
    "ok": ("correct", "right", "good", "fine", "okay", "c", "grammatical", "0", "true"),
    "unknown": ("?", "na", "n/a", "unsure", "not sure", "don't know", "cannot tell", "skip"),
}
#: cells of a column that says whether a case is a gold case, which `gold` does not
TRUTH_VALUES = ("true", "false")
#: distinct labels outside the vocabulary; an answer has 8 bits for its label
MOST = 200
#: words for which a meaning is suggested
SUGGESTED = 6


def check_labels(given: Mapping[str, str] | None) -> dict[str, str]:
    """What words mean: every meaning a label, our own labels none of the words.

    >>> check_labels({"Yes": "OK"})
    {'Yes': 'ok'}
    >>> check_labels({"ok": "error"})
    Traceback (most recent call last):
    jurybox.errors.UsageError: --relabel ok=error: ok keeps its meaning; give the label another \
name in the files
    """
    checked: dict[str, str] = {}
    folded: dict[str, str] = {}
    for given_word, meaning in as_word_map(given, "labels").items():
        word, label = given_word.strip(), meaning.strip().lower()
        if label not in LABELS:
            raise UsageError(
                f"--relabel {word}={meaning}: '{meaning}' is no label; one of: {', '.join(LABELS)}"
            )
        if word.lower() in LABELS and word.lower() != label:
            raise UsageError(
                f"--relabel {word}={meaning}: {word} keeps its meaning; give the label another "
                "name in the files"
            )
        if folded.setdefault(word.lower(), label) != label:
            raise UsageError(
                f"--relabel {word}={meaning}: '{word}' means {folded[word.lower()]} already; upper "
                "and lower case do not differ"
            )
        checked[given_word] = label
    return checked


def looks_like_label(word: str) -> bool:
    """Whether a word is one of our labels, or was meant to be one.

    >>> [looks_like_label(word) for word in ("OK", "eror", "wrong", "never", "1")]
    [True, True, True, False, False]
    """
    from difflib import get_close_matches

    meaning = word.strip().lower()
    meant = [like for words in LIKELY.values() for like in words if len(like) > 2]
    return meaning in (*LABELS, *meant) or bool(get_close_matches(meaning, LABELS, cutoff=0.7))


class LabelNumbers(dict[str, int]):
    """A label's number in the vocabulary, by the labels a user maps and else by its own name.

    Upper and lower case do not differ. A label outside the vocabulary gets a number behind it and
    is remembered: `refuse` then says what was found and what to write. Our own words keep their
    meaning. The four labels of trained raters are errors or ok unless a user maps them. A
    vocabulary without `unknown` is that of decisions: what means unknown is none there.

    >>> labels = LabelNumbers({"No": "error", "Yes": "ok"})
    >>> [labels[word] for word in ("No", "yes", "Error", "unknown", "equal")]
    [0, 1, 0, 2, 1]
    >>> labels.note_trained()
    'labels of trained raters count as errors or ok: equal is ok; --relabel changes that'
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
        self._given = {word.strip(): label for word, label in check_labels(given).items()}
        mapped = {word.lower(): label for word, label in self._given.items()}
        own = {label: label for label in LABELS}
        self._trained = {  # raters say so, systems do not
            word: label
            for word, label in TRAINED_LABELS.items()
            if "unknown" in vocabulary and word not in (*vocabulary, *mapped)
        }
        meanings = own | {label: label for label in vocabulary} | self._trained | mapped
        self._meanings = {
            word: self.vocabulary.index(label)
            for word, label in meanings.items()
            if label in self.vocabulary
        }
        self._no_answers = meanings.keys() - self._meanings.keys()

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

    def numbers(self, column: Sequence[str], lines: Sequence[int]) -> np.ndarray:
        """The numbers of a column; what the error message needs is counted."""
        found = numbered(column, self.__getitem__)
        for start in range(0, len(found), BLOCK):
            counts = np.bincount(found[start : start + BLOCK])
            self.counts.update({n: int(counts[n]) for n in np.flatnonzero(counts).tolist()})
        if self.strange:
            places = np.flatnonzero(found >= len(self.vocabulary))
            if len(places) and not self.outside:
                first = int(places[0])
                self._first = lines[first], column[first].strip()
            self.outside += len(places)
        return found

    def meaning(self, word: str) -> str:
        """A word as a label of the vocabulary; as it is where it has no meaning."""
        number = self._meanings.get(word.lower())
        return word if number is None else self.vocabulary[number]

    def note_trained(self) -> str:
        """A note on labels of trained raters that were read as errors and ok."""
        met = {given.strip().lower() for given in self}
        said = [f"{word} is {label}" for word, label in self._trained.items() if word in met]
        if not said:
            return ""
        return (
            f"labels of trained raters count as errors or ok: {', '.join(said)}; --relabel changes "
            "that"
        )

    def refuse(self, path: str, *, more: int, column: Column | None = None) -> FormatError:
        """The error for labels outside the vocabulary, with what to write instead."""
        line, first = self._first
        known = ", ".join(self.vocabulary)
        if not first:
            message = (
                f"no label; it must be one of {known}: fill it in, or leave the row out"
                f"{self._missing}"
            )
        elif first.lower() in self._no_answers:
            message = f"label '{first}' is not one of {known}; leave the row out{self._missing}"
        else:
            names = [*self.vocabulary, *self.strange]
            found = ", ".join(
                f"{names[number] or '(empty)'} {count}"
                for number, count in self.counts.most_common(12)
            )
            more_labels = ", …" if len(self.counts) > 12 else ""
            message = (
                f"label '{first}' is not one of {known}; labels so far: {found}{more_labels}; say "
                f"what they mean, for example --relabel {self._suggest()}"
            )
        more += self.outside - 1
        return FormatError(message, path=path, line=line, column=column, more=more)

    @property
    def _missing(self) -> str:
        """Decisions may be missing, and an option says what that means; judgments just are not."""
        if "unknown" in self.vocabulary:
            return ""
        return " and say with --missing what the case counts as"

    def _suggest(self) -> str:
        """The whole option: what was mapped already, and a guess at what was met besides."""
        pairs = dict(self._given)
        for word in self.strange:
            if not word or word.lower() in self._no_answers | {name.lower() for name in pairs}:
                continue
            likely = [
                label
                for label, words in LIKELY.items()
                if word.lower() in words and label in self.vocabulary
            ]
            free = [label for label in self.vocabulary if label not in pairs.values()]
            pairs[word] = (likely or free or [self.vocabulary[-1]])[0]
            if len(pairs) == len(self._given) + SUGGESTED:
                break
        text = ",".join(f"{word}={meaning}" for word, meaning in pairs.items())
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
                known = ", ".join(self.vocabulary)
                hint = f"; if it is a label, say what it means, for example --relabel {word}=ok"
                if not isinstance(word, str) or word.strip().lower() in TRUTH_VALUES:
                    hint = ", and is empty where none is known"
                raise ValueError(
                    f"gold label {word!r} is not one of {known}: gold holds the label that is "
                    f"right{hint}"
                )
            numbers.append(number)
        return tuple(self.vocabulary[number] for number in dict.fromkeys(numbers))
