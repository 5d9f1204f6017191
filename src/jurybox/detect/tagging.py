"""Parts of speech by spaCy, block by block, on all cores, kept on disk.

Tagging is by far the slowest step of training, so a block of sentences is tagged once: its file is
named after its text and after the tagger. Whoever comes back, after an interruption or with other
options, finds what was done.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, MissingExtraError
from jurybox.metrics.extraction import load_spacy_model

# --- Tagged text as columns: words, tags and lengths of sentences, and how they lie in a file ---

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
    arrays: dict[str, NDArray[Any]] = {**text._asdict(), "words": joined}
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
    tokens = len(text.ids)
    whole = (
        len(text.tags) == tokens
        and len(text.starts) > 0
        and int(text.starts[-1]) == tokens
        and (not tokens or int(text.ids.max()) < len(text.words))
    )
    return text if whole else None


#: part of every cached block's name: raise it when the same text would be tagged otherwise
CACHE_VERSION = 1
#: sentences of a block: some seconds of work
BLOCK = 4000
#: sentences that spaCy works on at a time
SPACY_BATCH = 500

Sentence = str | Sequence[str]


class Tagger(NamedTuple):
    """A spaCy model that is installed, by its name and version."""

    model: str
    version: str
    spacy: str

    def __str__(self) -> str:
        return f"spacy-{self.spacy}+{self.model}-{self.version}"


def model_named_in(tagger: str) -> str:
    """The spaCy model of a tagger that is told as `str(Tagger)` tells it.

    >>> model_named_in("spacy-3.8.1+en_core_web_sm-3.8.0")
    'en_core_web_sm'
    """
    return tagger.partition("+")[2].rpartition("-")[0]


def find_tagger(model: str | None = None) -> Tagger:
    """The model of this name, or the first of the usual ones that is installed."""
    name, pipeline = load_spacy_model(model, "detectors")
    if "tagger" not in pipeline.pipe_names or "NN" not in pipeline.get_pipe("tagger").labels:
        raise MissingExtraError(
            f"the spaCy model {name} has no tagger with the tags of the Penn treebank; name an "
            "English model such as en_core_web_sm"
        )
    return Tagger(name, pipeline.meta["version"], version("spacy"))


def cache_folder(given: str | os.PathLike[str] | bool | None) -> Path | None:
    """Where tagged text is kept, made where it is missing.

    The user's cache unless said otherwise; False: nowhere.
    """
    if given is False:
        return None
    if given is None or given is True:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        given = Path(base) / "jurybox" / "tagged"
    path = Path(os.fspath(given))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"{path}: tagged text cannot be kept there ({reason}); name another folder by "
            "--cache, or say --no-cache"
        ) from None
    return path


def tagged_block(sentences: list[Sentence], tagger: Tagger, folder: Path | None) -> TaggedText:
    """A block with its tags, out of the folder where it is there, else tagged and kept."""
    if folder is None:
        return _tag(sentences, tagger)
    place = folder / f"{_digest(sentences, tagger)}.npz"
    found = load_block(place)
    if found is None:
        found = _tag(sentences, tagger)
        save_block(found, place)
    return found


def _digest(sentences: list[Sentence], tagger: Tagger) -> str:
    """What names a block: the tagger, and every sentence with the way it was given."""
    digest = sha256(f"{CACHE_VERSION} {tagger}".encode())
    for sentence in sentences:
        told = f"p{sentence}" if isinstance(sentence, str) else "t" + "\x1f".join(sentence)
        digest.update(told.encode(errors="surrogatepass") + b"\n")
    return digest.hexdigest()[:40]


def _tag(sentences: list[Sentence], tagger: Tagger) -> TaggedText:
    pipeline = load_spacy_model(tagger.model, "detectors")[1]
    tagged = pipeline.pipe((_doc(one, pipeline) for one in sentences), batch_size=SPACY_BATCH)
    return TaggedText.of(
        ([token.text for token in doc], [token.tag_ for token in doc]) for doc in tagged
    )


def _doc(sentence: Sentence, pipeline: Any) -> Any:
    from spacy.tokens import Doc

    if not isinstance(sentence, str):
        return Doc(pipeline.vocab, words=list(sentence))
    # a run of blanks is a token for spaCy, and is none for a reader
    return pipeline.make_doc(" ".join(sentence.split()))
