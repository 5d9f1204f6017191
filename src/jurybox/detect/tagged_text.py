"""Tagged text as columns: words, tags and lengths of sentences, and how they lie in a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Tags = NDArray[np.uint8]

#: the tags of the Penn treebank as spaCy's English models have them; 0 is any other
_TAGS = (
    "XX $ '' , -LRB- -RRB- . : ADD AFX CC CD DT EX FW HYPH IN JJ JJR JJS LS MD NFP NN NNP NNPS NNS "
    "PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB `` _SP"
)
TAGS = tuple(_TAGS.split())
TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}


class TaggedText(NamedTuple):
    """Sentences end to end: numbers of words and of tags, and where each sentence begins.

    >>> text = TaggedText.of([(["Cats", "sleep"], ["NNS", "VBP"]), (["Cats"], ["NNS"])])
    >>> text.words, text.ids.tolist(), text.starts.tolist()
    (('Cats', 'sleep'), [0, 1, 0], [0, 2, 3])
    """

    words: Sequence[str]
    ids: Ids
    tags: Tags
    starts: NDArray[np.int64]  # and the end of the last sentence

    @property
    def sentences(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> TaggedText:
        """Sentences given as words and tags; a tag that nobody knows becomes XX."""
        numbers: dict[str, int] = {}
        ids: list[int] = []
        tags: list[int] = []
        starts = [0]
        for words, named in sentences:
            ids.extend([numbers.setdefault(word, len(numbers)) for word in words])
            tags.extend([TAG_NUMBERS.get(tag, 0) for tag in named])
            starts.append(len(ids))
        return cls(
            tuple(numbers),
            np.array(ids, np.int32),
            np.array(tags, np.uint8),
            np.array(starts, np.int64),
        )

    def tokens(self, sentence: int) -> list[str]:
        """The words of a sentence, counted from 0."""
        begin, end = self.starts[sentence], self.starts[sentence + 1]
        return [self.words[number] for number in self.ids[begin:end]]


def save_block(text: TaggedText, path: Path) -> None:
    """A block in a file of its own, which appears whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    joined = np.frombuffer("\n".join(text.words).encode(), np.uint8)
    arrays: dict[str, NDArray[Any]] = {
        "words": joined,
        "ids": text.ids,
        "tags": text.tags,
        "starts": text.starts,
    }
    try:
        with draft.open("wb") as out:
            np.savez(out, allow_pickle=False, **arrays)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def load_block(path: Path) -> TaggedText | None:
    """A block out of its file; None where there is none, or none that can be read."""
    try:
        with path.open("rb") as stored, np.load(stored, allow_pickle=False) as arrays:
            joined = arrays["words"].tobytes().decode()
            text = TaggedText(
                tuple(joined.split("\n")), arrays["ids"], arrays["tags"], arrays["starts"]
            )
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    return text if _is_whole(text) else None


def _is_whole(text: TaggedText) -> bool:
    tokens = len(text.ids)
    return (
        len(text.tags) == tokens
        and len(text.starts) > 0
        and int(text.starts[-1]) == tokens
        and (not tokens or int(text.ids.max()) < len(text.words))
    )
