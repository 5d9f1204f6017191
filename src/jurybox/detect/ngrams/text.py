r"""Text as numbers: a vocabulary, and sentences as ids between marks for their beginning and end.

A word is what stands between blanks, tabs and other ASCII white space (NUL counts as one): a
no-break space is part of a word, as it is for KenLM. A blank line is a sentence without words.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import FormatError, InputError
from jurybox.formats import Source, as_input
from jurybox.progress import Progress

Ids = NDArray[np.int32]

#: the first ids of every vocabulary: any other word, beginning and end of a sentence
UNKNOWN, START, END = 0, 1, 2
MARKS = (b"<unk>", b"<s>", b"</s>")

#: sentences between two reports of progress
STEP = 10_000
#: positions and n-grams are numbered by four bytes
MOST_TOKENS = 2**31 - 1


class Vocabulary:
    """Words with their ids: the three marks, then all others in the order of their bytes.

    >>> words = Vocabulary.of([b"the", b"cat"])
    >>> words.words[3:], words.ids[b"the"], len(words)
    ([b'cat', b'the'], 4, 5)
    """

    def __init__(self, joined: bytes) -> None:
        """Words as one string, each followed by a line end but the last."""
        self.joined = joined

    @classmethod
    def of(cls, words: Iterable[bytes]) -> Vocabulary:
        """The marks, and these words."""
        return cls(b"\n".join([*MARKS, *sorted(set(words) - set(MARKS))]))

    @cached_property
    def words(self) -> list[bytes]:
        return self.joined.split(b"\n")

    @cached_property
    def ids(self) -> dict[bytes, int]:
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return self.joined.count(b"\n") + 1


class EncodedText(NamedTuple):
    """Sentences end to end, each between its marks, and where they come from."""

    vocabulary: Vocabulary
    ids: Ids
    sentences: int
    sha256: tuple[str, ...]  # of every file

    @property
    def words(self) -> int:
        """Without the marks."""
        return len(self.ids) - 2 * self.sentences


def unusable_word(words: Iterable[bytes]) -> tuple[int, str] | None:
    r"""The number, from 0, of the first word that no file can hold, and why; None if all are fine.

    >>> unusable_word([b"cat", b"a dog"])
    (1, "'a dog' is not one word: white space in it, or nothing else")
    """
    for number, word in enumerate(words):
        if word.split() != [word] or b"\0" in word:
            shown = word.decode(errors="replace")
            return number, f"'{shown}' is not one word: white space in it, or nothing else"
        try:
            word.decode()
        except UnicodeDecodeError:
            return number, f"the word {word!r} is not UTF-8"
    return None


def split_words(sentence: str | Sequence[str]) -> list[bytes]:
    r"""The words of a sentence given as a string, or as a list of tokens.

    >>> split_words("a  cat\tsat"), split_words(["a", "cat"])
    ([b'a', b'cat', b'sat'], [b'a', b'cat'])
    """
    if isinstance(sentence, str):
        # half a character is no word of any text that was read, and must not stop a query
        return sentence.encode(errors="surrogatepass").replace(b"\0", b" ").split()
    return [token.encode(errors="surrogatepass") for token in sentence]


def between_marks(words: Ids, lengths: NDArray[np.int64]) -> Ids:
    """Sentences end to end with a mark before and after each.

    >>> between_marks(np.array([7, 8, 9], np.int32), np.array([2, 0, 1])).tolist()
    [1, 7, 8, 2, 1, 2, 1, 9, 2]
    """
    ends = np.cumsum(lengths + 2)
    marked = np.empty(len(words) + 2 * len(lengths), np.int32)
    is_word = np.ones(len(marked), np.bool_)
    for places, mark in ((ends - lengths - 2, START), (ends - 1, END)):
        marked[places] = mark
        is_word[places] = False
    marked[is_word] = words
    return marked


def encode_query(
    sentences: Iterable[str | Sequence[str]], vocabulary: Vocabulary
) -> tuple[Ids, NDArray[np.int64]]:
    """Sentences in the words of a vocabulary, and their numbers of words.

    What is written like a mark is an unknown word.
    """
    ids, lengths = array("i"), array("q")
    number_of = vocabulary.ids.get
    for sentence in sentences:
        words = split_words(sentence)
        ids.extend([number_of(word, UNKNOWN) for word in words])
        lengths.append(len(words))
    encoded = np.array(ids, np.int32)
    encoded[encoded <= END] = UNKNOWN
    counted = np.array(lengths, np.int64)
    return between_marks(encoded, counted), counted


def encode_files(
    sources: Source | Sequence[Source], progress: Progress | None = None
) -> EncodedText:
    r"""Files of tokenised text, one sentence per line, read once.

    >>> from jurybox.formats import Input
    >>> text = encode_files(Input.from_text("a cat\nthe cat sat\n"))
    >>> text.ids.tolist(), text.sentences, text.words
    ([1, 3, 4, 2, 1, 6, 4, 5, 2], 2, 5)
    """
    given = [sources] if isinstance(sources, str) or not isinstance(sources, Sequence) else sources
    inputs = [as_input(source) for source in given]
    encoder = _Encoder(progress)
    for source in inputs:
        for line, sentence in source.lines():
            encoder.add(sentence, source.name, line)
    return encoder.finish(tuple(source.sha256 for source in inputs))


def encode_sentences(
    sentences: Iterable[str | Sequence[str]], progress: Progress | None = None
) -> EncodedText:
    """Sentences in memory, or out of a generator; hashed as a file of one per line would be."""
    digest = sha256()
    encoder = _Encoder(progress)
    for number, sentence in enumerate(sentences, 1):
        words = encoder.add(sentence, "<memory>", number)
        digest.update(b" ".join(words) + b"\n")
    return encoder.finish((digest.hexdigest(),))


class _Encoder:
    """Sentences as they come; ids are given in order of appearance until all words are known."""

    def __init__(self, progress: Progress | None) -> None:
        self._numbers: defaultdict[bytes, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._ids, self._lengths = array("i"), array("q")
        self._progress = progress

    def add(self, sentence: str | Sequence[str], name: str, line: int) -> list[bytes]:
        words = split_words(sentence)
        self._ids.extend(map(self._numbers.__getitem__, words))
        self._lengths.append(len(words))
        for mark in MARKS:
            if mark in self._numbers:
                raise FormatError(
                    f"'{mark.decode()}' is a mark of language models and cannot be a word of "
                    "the text; write it another way",
                    path=name,
                    line=line,
                )
        if len(self._ids) + 2 * len(self._lengths) > MOST_TOKENS:
            raise InputError(f"{name}:{line}: more than {MOST_TOKENS:,} tokens; give less text")
        if self._progress is not None and not len(self._lengths) % STEP:
            self._progress(STEP)
        return words

    def finish(self, sha256: tuple[str, ...]) -> EncodedText:
        if not self._lengths:
            raise InputError("there is no sentence to learn from")
        if wrong := unusable_word(self._numbers):
            raise InputError(f"{wrong[1]}; give sentences as strings, or clean tokens")
        vocabulary = Vocabulary.of(self._numbers)
        ranks = np.fromiter(_ranks(self._numbers, vocabulary), np.int32, count=len(self._numbers))
        words = ranks[np.frombuffer(self._ids, np.int32)] if self._ids else np.empty(0, np.int32)
        lengths = np.frombuffer(self._lengths, np.int64)
        return EncodedText(vocabulary, between_marks(words, lengths), len(lengths), sha256)


def _ranks(words: Iterable[bytes], vocabulary: Vocabulary) -> Iterator[int]:
    return (vocabulary.ids[word] for word in words)
