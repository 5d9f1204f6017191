"""What is chosen among: the 34 prepositions, and no preposition at all."""

from __future__ import annotations

from jurybox.jury.cases.constructions import PREPOSITIONS
from jurybox.model import NOTHING

#: `towards` is a spelling of toward, for the papers and here
_SPELLINGS = {"towards": "toward"}
#: in the order of their numbers; the last one is that nothing stands there
CLASSES = (*sorted(PREPOSITIONS - _SPELLINGS.keys()), NOTHING)
NONE = len(CLASSES) - 1
_NUMBERS = {name: number for number, name in enumerate(CLASSES[:NONE])}
NO_CLASS = -1


def class_of(word: str) -> int:
    """The number of a preposition, in any letters; -1 for any other word.

    >>> class_of("Towards") == class_of("toward"), CLASSES[class_of("OF")], class_of("upon")
    (True, 'of', -1)
    """
    small = word.lower()
    return _NUMBERS.get(_SPELLINGS.get(small, small), NO_CLASS)
