"""Which sentence of a panel is meant: a number, words that occur in it, or DOCUMENT:NUMBER."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jurybox.counting.panels import LoadedPanel
from jurybox.errors import InputError, UsageError, near_name
from jurybox.model import Sentence

MOST_HITS = 20  # sentences listed where the words occur in many
EXCERPT = 90  # characters of each
DOCUMENT_NUMBER = re.compile(r"(.+):(\d{1,18})")


def find_sentence(wanted: int | str, loaded: LoadedPanel) -> int:
    """The place in the panel, from 0, of the one sentence that a number or words name."""
    text = str(wanted).strip()
    if re.fullmatch(r"[-+]?\d{1,18}", text):
        number = int(text)
        if number in loaded.numbers:
            return loaded.numbers.index(number)
        if 1 <= number <= loaded.total:
            raise InputError(
                f"sentence {number} is not in the documents that --documents selects; "
                "leave the selection out"
            )
        raise InputError(
            f"there is no sentence {number}: the panel has {loaded.total}; give a number from 1 to "
            f"{loaded.total}, or words that occur in the sentence"
        )
    if place := DOCUMENT_NUMBER.fullmatch(text):
        document, number = place[1], int(place[2])
        inside = [i for i, s in enumerate(loaded.panel) if s.document == document]
        if 1 <= number <= len(inside):
            return inside[number - 1]
        if inside:
            raise InputError(
                f"there is no sentence {number} in document {document}, which has {len(inside)}; "
                f"give {document}:1 to {document}:{len(inside)}"
            )
    hits = _search(text, loaded.panel.sentences)
    if len(hits) == 1:
        return hits[0]
    raise InputError(_list_hits(text, hits, loaded) if hits else _explain_miss(text, loaded))


def _search(text: str, sentences: Sequence[Sentence]) -> list[int]:
    """Where words occur: as whole words, or else as parts of words. Case does not matter.

    White space does not matter for whole words, since people write "nutshell," and "don't" where
    the tokens are "nutshell ," and "do n't".
    """
    words = text.casefold().split()
    if not words:
        raise UsageError("which sentence? Give its number (from 1) or words that occur in it")
    whole = [i for i, s in enumerate(sentences) if _has_words("".join(words), s.tokens)]
    part = " ".join(words)
    return whole or [i for i, s in enumerate(sentences) if part in s.text.casefold()]


def _has_words(joined: str, tokens: Sequence[str]) -> bool:
    text = ""
    borders = {0}
    for token in tokens:
        text += token.casefold()
        borders.add(len(text))
    start = text.find(joined)
    while start >= 0:
        if start in borders and start + len(joined) in borders:
            return True
        start = text.find(joined, start + 1)
    return False


def _list_hits(text: str, hits: Sequence[int], loaded: LoadedPanel) -> str:
    width = len(str(loaded.total))
    lines = [f"'{text}' occurs in {len(hits)} sentences; pick one by its number:"]
    for place in hits[:MOST_HITS]:
        excerpt = _excerpt(loaded.panel.sentences[place].text, text)
        lines.append(f"  {loaded.numbers[place]:>{width}}  {excerpt}")
    if len(hits) > MOST_HITS:
        lines.append(f"  … and {len(hits) - MOST_HITS} more: give more words")
    return "\n".join(lines)


def _excerpt(sentence: str, words: str = "") -> str:
    """The sentence, or the part of a long one in which the words occur."""
    if len(sentence) <= EXCERPT:
        return sentence
    letters = map(re.escape, "".join(words.split()))
    hit = re.search(r"\s*".join(letters), sentence, re.IGNORECASE)
    start = max(0, hit.start() - EXCERPT // 3) if hit else 0
    end = start + EXCERPT
    if start:
        start = sentence.find(" ", start) + 1
    cut = sentence[start:end]
    if end < len(sentence):
        cut = cut.rpartition(" ")[0] or cut
    return f"{'… ' if start else ''}{cut}{' …' if end < len(sentence) else ''}"


def _explain_miss(text: str, loaded: LoadedPanel) -> str:
    """Nothing has the words: the word that was probably meant, or the nearest sentence."""
    message = f"none of the {len(loaded.panel)} sentences has the words '{text}'"
    document = DOCUMENT_NUMBER.fullmatch(text)
    if document:
        known = dict.fromkeys(sentence.document or "" for sentence in loaded.panel)
        if "" in known:
            return f"{message}; if {document[1]} is a document, say --documents FILE"
        return f"{message}, and there is no document '{document[1]}'{near_name(document[1], known)}"
    holders: dict[str, set[int]] = {}
    for place, sentence in enumerate(loaded.panel):
        for token in sentence.tokens:
            holders.setdefault(token.casefold(), set()).add(place)
    words = text.casefold().split()
    for word in words:
        if word not in holders:
            return f"{message}{near_name(word, holders) or '; try other words, or a number'}"
    shared: dict[int, float] = {}  # rare words say more than common ones
    for word in dict.fromkeys(words):
        for place in holders[word]:
            shared[place] = shared.get(place, 0.0) + 1 / len(holders[word])
    nearest = max(shared, key=lambda place: (shared[place], -place))
    excerpt = _excerpt(loaded.panel.sentences[nearest].text)
    return f"{message} side by side; nearest is sentence {loaded.numbers[nearest]}: {excerpt}"
