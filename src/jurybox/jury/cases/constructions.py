"""Constructions: which places of a sentence are cases, and which edits are about them.

A construction is a kind of token (preposition, article, comma, every token) or a kind of position
where something may be missing. Its definition is part of every number (Chodorow et al. 2012), so
each says in words what it enumerates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats.given_values import as_words
from jurybox.metrics.errant import selects

#: the list of the preposition papers; `towards` is a spelling of toward
_PREPOSITIONS = (
    "about above across after against along among around as at before behind below beside between "
    "beyond by during for from in into of off on onto over through to toward towards under with "
    "within without"
)
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
ARTICLES = frozenset(("a", "an", "the"))
COMMA = frozenset((",",))
BY_TYPE = "type="


@dataclass(frozen=True, slots=True)
class Construction:
    """A kind of token, or of position between tokens, and the edit types that are about it.

    `words` are its own words in small letters, none: every word; `types` are names of edit types,
    none: every edit.
    """

    name: str
    unit: str
    enumeration: str
    types: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    missing: bool = False  # positions where one of the words may be missing
    touched: bool = False  # an edit must change the token itself, not only span it
    trivial_rule: str = ""

    def owns(self, word: str) -> bool:
        """Whether a word is one of the construction's own."""
        return word.lower() in self.words

    def is_about(self, edit_type: str) -> bool:
        """Whether an edit type is one of the construction's.

        >>> [CONSTRUCTIONS["preposition"].is_about(name) for name in ("Prep", "R:PREP", "Nn")]
        [True, True, False]
        """
        return not self.types or any(selects(wanted, edit_type) for wanted in self.types)


class Place(NamedTuple):
    """Tokens start..end of a sentence as a case; `trivial` by the construction's rule alone."""

    start: int
    end: int
    construction: Construction
    trivial: bool = False


_PREPOSITION, _ARTICLE, _COMMA = ("Prep", "PREP"), ("ArtOrDet", "DET"), ("Mec", "PUNCT")
_POSITIONS = "every position: before each token, and the end of the sentence"
_EVERY_TOKEN = "every token"
_PUNCTUATION = "before a punctuation mark and at the end of the sentence"

#: name -> construction; `type=NAME` is added when it is asked for
CONSTRUCTIONS = {
    one.name: one
    for one in (
        Construction(
            "preposition",
            "preposition",
            "every token that is one of 34 prepositions (towards counts as toward), in small or "
            "capital letters, but for to before a verb",
            _PREPOSITION,
            PREPOSITIONS,
        ),
        Construction("article", "article", "every token a, an or the", _ARTICLE, ARTICLES),
        Construction("comma", "comma", "every comma", _COMMA, COMMA, touched=True),
        Construction("token", "token", _EVERY_TOKEN),
        Construction(
            "missing-preposition",
            "position between tokens",
            _POSITIONS,
            _PREPOSITION,
            PREPOSITIONS,
            missing=True,
            trivial_rule=f"right after a preposition, {_PUNCTUATION}",
        ),
        Construction(
            "missing-article",
            "position between tokens",
            _POSITIONS,
            _ARTICLE,
            ARTICLES,
            missing=True,
            trivial_rule=f"right before or after an article, {_PUNCTUATION}",
        ),
        Construction(
            "missing-comma",
            "position between tokens",
            _POSITIONS,
            _COMMA,
            COMMA,
            missing=True,
            touched=True,
            trivial_rule="beside a punctuation mark, at the beginning and end of the sentence",
        ),
    )
}
#: what can be asked for
NAMES = (*CONSTRUCTIONS, f"{BY_TYPE}NAME")


def find_constructions(
    wanted: str | Sequence[str], types: Collection[str]
) -> tuple[Construction, ...]:
    """The constructions of these names, which must not share places; `types` are the panel's.

    >>> [one.types for one in find_constructions(["type=Prep", "missing-comma"], {"Prep", "Nn"})]
    [('Prep',), ('Mec', 'PUNCT')]
    """
    names = as_words(wanted, "construction")
    if not names:
        raise UsageError(f"name a construction: {', '.join(NAMES)}")
    found = [_find(name, types) for name in names]
    for number, one in enumerate(found):
        for other in found[:number]:
            apart = one.words and other.words and not one.words & other.words
            if one.missing == other.missing and (one.missing or not apart):
                raise UsageError(
                    f"{other.name} and {one.name} have cases at the same places; derive them one "
                    "by one"
                )
    return tuple(found)


def _find(name: str, types: Collection[str]) -> Construction:
    if name.startswith(BY_TYPE):
        wanted = name.removeprefix(BY_TYPE)
        if not any(selects(wanted, met) for met in types):
            if not types:
                raise InputError(f"--construction {name}: the edits of this panel have no types")
            raise unknown_name("edit type", wanted, sorted(types))
        return Construction(name, "token", _EVERY_TOKEN, (wanted,))
    if name not in CONSTRUCTIONS:
        raise unknown_name("construction", name, NAMES)
    return CONSTRUCTIONS[name]


def find_places(
    construction: Construction, tokens: Sequence[str], infinitives: Collection[int] = ()
) -> Iterator[Place]:
    """The places of one construction; `infinitives` are the places of `to` before a verb.

    >>> tokens = "To go to the sea".split()
    >>> [place[:2] for place in find_places(CONSTRUCTIONS["preposition"], tokens, {0})]
    [(2, 3)]
    >>> positions = find_places(CONSTRUCTIONS["missing-article"], tokens, {0})
    >>> [place.start for place in positions if not place.trivial]
    [0, 1, 2]
    """
    if construction.missing:
        for place in range(len(tokens) + 1):
            trivial = _is_trivial(construction, tokens, place, infinitives)
            yield Place(place, place, construction, trivial)
        return
    for place, token in enumerate(tokens):
        if construction.words and not construction.owns(token):
            continue
        if construction.words is PREPOSITIONS and place in infinitives:
            continue
        yield Place(place, place + 1, construction)


def _is_trivial(
    construction: Construction, tokens: Sequence[str], place: int, infinitives: Collection[int]
) -> bool:
    """The rules of `trivial_rule`."""
    if place == len(tokens) or is_punctuation(tokens[place]):
        return True
    if not place:
        return construction.words is COMMA
    if construction.words is COMMA:
        return is_punctuation(tokens[place - 1])
    if construction.words is ARTICLES:
        return construction.owns(tokens[place - 1]) or construction.owns(tokens[place])
    return construction.owns(tokens[place - 1]) and place - 1 not in infinitives


def is_punctuation(token: str) -> bool:
    """Whether a token has neither letter nor digit."""
    return not any(character.isalnum() for character in token)
