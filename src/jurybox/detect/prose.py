"""Sentences of training text: prose with a paragraph per line, or tokens with a sentence per line.

Wikipedia dumps as WikiExtractor writes them are read as they are: lines `<doc …>` and `</doc>` are
left out, and so is the line after the first of them, the title, which is no sentence.

A text may be split at random into a part to learn from and the rest (Tetreault and Chodorow 2008,
section 3.2). What is split are whole articles where `<doc …>` lines mark them, else paragraphs, or
the sentences of tokenised text. Chance comes from the content alone: training and testing need not
tell each other which is which, and what is there twice is never in both parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from jurybox.formats import File, Input, as_input
from jurybox.formats.edits.panel import with_documents
from jurybox.formats.edits.tokens import split_sentences, tokenize
from jurybox.jury.cases.context import Context, in_context
from jurybox.jury.cases.naming import SentenceNames, case_id
from jurybox.model import Case, Sentence
from jurybox.streams import lots

_ARTICLE = re.compile(r"</?doc\b.*>")

#: whether an article, a paragraph or a tokenised sentence is taken
Taken = Callable[[str], bool]


def all_of_it(_: str) -> bool:
    """A text that is not split."""
    return True


def part_of(split: float | None, *, rest: bool = False) -> Taken:
    """The share of a text that is learnt from, or the rest of it."""
    if split is None:
        return all_of_it
    return lambda text: bool(lots(1, "split", [text])[0] < split) != rest


def read_prose(sources: File | Sequence[File], taken: Taken = all_of_it) -> Iterator[str]:
    r"""The sentences of files of paragraphs, in order.

    >>> from jurybox.formats import Input
    >>> text = "<doc id='1'>\nCats\n\nCats sleep. They dream of mice.\n</doc>\n"
    >>> list(read_prose(Input.from_text(text)))
    ['Cats sleep.', 'They dream of mice.']
    """
    for source in several(sources):
        lines = (line for _, line in as_input(source).lines())
        yield from (text for _, text in _sentences(lines, taken))


def read_tokenised(sources: File | Sequence[File], taken: Taken = all_of_it) -> Iterator[list[str]]:
    """The tokens of files that have a sentence per line; blank lines are left out."""
    for source in several(sources):
        for _, line in as_input(source).lines():
            if (tokens := line.split()) and taken(line):
                yield tokens


def read_tokens(
    sources: File | Sequence[File], tokenised: bool, taken: Taken = all_of_it
) -> Iterator[list[str]]:
    """The tokens of every sentence of prose, or of files that are tokenised already."""
    if tokenised:
        return read_tokenised(sources, taken)
    return map(tokenize, read_prose(sources, taken))


def several(sources: File | Sequence[File]) -> Sequence[File]:
    """One source or several, as several."""
    return [sources] if isinstance(sources, str) or not isinstance(sources, Sequence) else sources


class PlacedSentence(NamedTuple):
    """A sentence of a text, a panel or a file of cases; `name` begins the ids of its cases."""

    name: str
    document: str | None
    tokens: Sequence[str]
    unit: object = None  # the same for sentences that are of one document; None: not known
    context: Context = Context()
    given: tuple[Case, ...] | None = None  # the cases to look at; None: whichever are found

    def case(
        self, start: int, end: int, construction: str, *, name: str = "", trivial: bool = False
    ) -> Case:
        """Tokens start to end of it as a case."""
        return Case(
            id=name or case_id(self.name, start, end),
            sentence=" ".join(self.tokens),
            start=start,
            end=end,
            written=" ".join(self.tokens[start:end]),
            construction=construction,
            document=self.document,
            trivial=trivial,
            before=self.context.before,
            after=self.context.after,
        )


def read_placed(
    sources: Sequence[Input], tokenised: bool, documents: File | None = None
) -> Iterator[PlacedSentence]:
    r"""Every sentence, and what surely is of the same document.

    Of prose that is an article (`<doc …>`), or else a paragraph; of tokenised text it is what
    `documents` says, a document map.

    >>> from jurybox.formats import Input
    >>> text = Input.from_text("Cats sleep. They dream.\nDogs bark.")
    >>> [(one.unit, " ".join(one.tokens)) for one in read_placed([text], tokenised=False)]
    [((0, 1), 'Cats sleep .'), ((0, 1), 'They dream .'), ((0, 2), 'Dogs bark .')]
    """
    if tokenised:
        lines = read_tokenised(sources)
        sentences: Iterator[Sentence] = (Sentence(tuple(tokens)) for tokens in lines)
        if documents is not None:
            name = ", ".join(source.name for source in sources)
            sentences = with_documents(sentences, documents, name)
        yield from name_sentences(enumerate(sentences, 1))
        return
    names = SentenceNames()
    prose = (
        (tokenize(text), (place, number))
        for place, source in enumerate(sources)
        for number, text in _sentences((line for _, line in source.lines()), all_of_it)
    )
    for number, (tokens, unit) in enumerate(prose, 1):
        yield PlacedSentence(names.next(number, None), None, tokens, unit)


def name_sentences(
    numbered: Iterable[tuple[int, Sentence]], *, of_panel: bool = False
) -> Iterator[PlacedSentence]:
    """Sentences named as `derive_cases` names them; of a panel, nobody's sentences have no case."""
    names = SentenceNames()
    for number, one in numbered:
        name = names.next(number, one.document)
        given = () if of_panel and not one.annotations else None
        yield PlacedSentence(name, one.document, one.tokens, one.document, given=given)


def with_contexts(sentences: Iterable[PlacedSentence]) -> Iterator[PlacedSentence]:
    """Sentences with those around them that are of the same document."""
    placed = in_context(sentences, lambda one: (one.unit, " ".join(one.tokens)))
    return (one._replace(context=context) for one, context in placed)


def _sentences(lines: Iterable[str], taken: Taken) -> Iterator[tuple[int, str]]:
    """The sentences that are taken, each with the number of its article or paragraph."""
    title_is_next = False
    number = 0
    article_taken: bool | None = None  # None: outside of articles
    for line in lines:
        text = line.strip()
        if not text:
            continue
        if _ARTICLE.fullmatch(text):
            title_is_next = not text.startswith("</")
            number += 1
            article_taken = taken(text) if title_is_next else None
        elif title_is_next:
            title_is_next = False
        elif taken(text) if article_taken is None else article_taken:
            number += article_taken is None
            yield from ((number, sentence) for sentence in split_sentences(text))
