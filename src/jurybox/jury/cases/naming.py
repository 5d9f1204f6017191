"""What sentences and cases are called: by number or by document, with the tokens of the place.

Everything that makes cases names them by this rule, so that decisions, judgments and cases of the
same text fit together whoever made them.
"""

from __future__ import annotations

#: kinds of errors: a word too many, another word in its place, a word too few
KINDS = ("extraneous", "wrong", "missing")


class SentenceNames:
    """Names of sentences, given in order: S12 for the twelfth, 25:7 for the seventh of document 25.

    >>> names = SentenceNames()
    >>> names.next(1, None), names.next(2, "25"), names.next(3, "25"), names.next(4, "26")
    ('S1', '25:1', '25:2', '26:1')
    """

    def __init__(self) -> None:
        self._met: dict[str, int] = {}

    def next(self, number: int, document: str | None) -> str:
        """The name of the sentence with this number, in this document if there is one."""
        if document is None:
            return f"S{number}"
        self._met[document] = self._met.get(document, 0) + 1
        return f"{document}:{self._met[document]}"


def case_id(sentence: str, start: int, end: int) -> str:
    """The id of a case: its sentence and its tokens.

    >>> case_id("S12", 4, 5)
    'S12:4-5'
    """
    return f"{sentence}:{start}-{end}"


def sentence_of(case: str, start: int | None, end: int | None) -> str:
    """The sentence that an id tells, and '' where it does not.

    >>> sentence_of("S12:4-5", 4, 5), sentence_of("HIT77", 4, 5)
    ('S12', '')
    """
    span = f":{start}-{end}"
    return case.removesuffix(span) if case.endswith(span) else ""


def kind_named(construction: str) -> str:
    """The one kind of error that a construction is about; '' where its name does not tell.

    >>> kind_named("extraneous-preposition"), kind_named("preposition")
    ('extraneous', '')
    """
    kind, dash, _ = construction.partition("-")
    return kind if dash and kind in KINDS else ""
