"""`mine_candidates`: prepositions of a text that are probably too many, for people to judge."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.counting import Progress
from jurybox.api.detect_mine_result import MinedCandidates, MinedTrigram
from jurybox.api.panels import LoadedPanel, load_panel
from jurybox.api.score import collecting_warnings
from jurybox.cases.constructions import CONSTRUCTIONS
from jurybox.cases.infinitives import Tagger, choose_tagger
from jurybox.cases.naming import SentenceNames, case_id
from jurybox.detect.prose import read_prose, read_tokenised, several
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input, Source, as_input
from jurybox.model import Case, CaseDescription, CaseSet
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.detect.mine import RareTrigram
    from jurybox.detect.mine_counts import NgramCounts
    from jurybox.detect.mine_trigrams import Wanted

TOP, PER_TRIGRAM, MIN_COUNT = 100, 1, 5
#: sentences between two reports of progress
STEP = 1000

Several = Source | Sequence[Source]
Tokens = Sequence[str]


class _Sentence(NamedTuple):
    """A sentence of the screened text; `name` begins the ids of its cases."""

    name: str
    document: str | None
    tokens: Tokens


class _Text(NamedTuple):
    """The text to screen, which is read twice: for its trigrams, and for the sentences chosen."""

    name: str
    inputs: tuple[Input, ...]
    sentences: Callable[[], Iterator[_Sentence]]


class _Counted(NamedTuple):
    """Where counts come from: a way to count, and its name in the signature."""

    name: str
    inputs: tuple[Input, ...]
    look_up: Callable[[Wanted], NgramCounts]


def mine_candidates(
    text: Several | None = None,
    *,
    m2: Any = None,
    counts_text: Several | None = None,
    counts: Several | None = None,
    tokenised: bool = False,
    counts_tokenised: bool = False,
    documents: Any = None,
    top: int = TOP,
    per_trigram: int = PER_TRIGRAM,
    min_count: int = MIN_COUNT,
    tagger: str = "words",
    progress: Progress | None = None,
) -> MinedCandidates:
    r"""Trigrams "a p b" that are rarer than "a b" leads one to expect, as cases to be judged.

    The text to screen is `text` (prose, or `tokenised`: a sentence per line) or `m2` (files of
    annotators, or a panel). Counts come out of `counts_text` (prose, or `counts_tokenised`) or out
    of `counts`: files of n-gram, tab and count, or folders of them as the Web 1T corpus has. Of the
    `top` trigrams, `per_trigram` places each become cases. Nothing is random.

    >>> counted = Input.from_text("They marry her with joy .\n" * 20)
    >>> mined = mine_candidates(
    ...     Input.from_text("I marry with her ."),
    ...     tokenised=True,
    ...     counts_text=counted,
    ...     counts_tokenised=True,
    ... )
    >>> [one] = mined.trigrams
    >>> one.text, one.seen, one.bigram_seen, round(one.expected, 2), round(one.score, 2)
    ('marry with her', 0, 20, 3.33, 2.94)
    >>> [(case.id, case.written) for case in mined.case_set.cases]
    [('S1:2-3', 'with')]
    """
    _check_limits(top=top, per_trigram=per_trigram, min_count=min_count)
    with collecting_warnings() as messages:
        screened = _text_from(text, m2, documents, tokenised)
        counted = _counts_from(counts_text, counts, counts_tokenised)
        _warn_of_the_same(screened.inputs, counted.inputs)
        tags = choose_tagger(tagger)
        from jurybox.detect.mine import rank_trigrams
        from jurybox.detect.mine_trigrams import find_trigrams

        tokens = (sentence.tokens for sentence in _told(screened.sentences(), progress))
        found = find_trigrams(tokens, tags)
        if not len(found.rows):
            raise InputError(f"{screened.name}: no preposition stands between two words there")
        seen = counted.look_up(found.wanted)
        ranking = rank_trigrams(found, seen, min_count=min_count, top=top, per_trigram=per_trigram)
        cases = _cases_of(ranking.trigrams, screened)
    mined = tuple(
        MinedTrigram(*one[:-1], cases=tuple(cases[place].id for place in one.places))
        for one in ranking.trigrams
    )
    description = _describe(screened, tags, top, per_trigram, found.screened)
    return MinedCandidates(
        trigrams=mined,
        rarer=ranking.rarer,
        distinct=len(found.wanted.trigrams),
        places=len(found.rows),
        sentences=found.screened,
        words_counted=seen.words,
        least=seen.least,
        signature=signature(
            "detect",
            task="mine",
            counts=counted.name,
            min=min_count,
            top=top,
            each=per_trigram,
            to=tags.name,
        ),
        inputs=(*screened.inputs, *counted.inputs),
        warnings=tuple(messages),
        case_set=CaseSet(
            tuple(cases[place] for one in ranking.trigrams for place in one.places), description
        ),
    )


def _check_limits(**limits: int) -> None:
    for name, given in limits.items():
        if given < 1:
            raise UsageError(f"--{name.replace('_', '-')} {given}: must be 1 or more")


# --- what is screened, and what is counted ---


def _text_from(text: Several | None, m2: Any, documents: Any, tokenised: bool) -> _Text:
    if (text is None) == (m2 is None):
        raise UsageError("name the text to screen: --text or --m2, and not both")
    if text is None:
        if tokenised:
            raise UsageError("--tokenised is about --text; M2 is tokenised always")
        return _panel_text(load_panel(m2, documents=documents))
    if documents is not None:
        raise UsageError("--documents is about --m2; leave it out with --text")
    inputs = tuple(as_input(source).keep() for source in several(text))
    name = ", ".join(source.name for source in inputs)

    def sentences() -> Iterator[_Sentence]:
        names = SentenceNames()
        for number, tokens in enumerate(_read(inputs, tokenised), 1):
            yield _Sentence(names.next(number, None), None, tokens)

    return _Text(name, inputs, sentences)


def _panel_text(loaded: LoadedPanel) -> _Text:
    """The sentences of a panel, named as `derive_cases` names them."""

    def sentences() -> Iterator[_Sentence]:
        names = SentenceNames()
        for number, one in zip(loaded.numbers, loaded.panel.sentences, strict=True):
            yield _Sentence(names.next(number, one.document), one.document, one.tokens)

    return _Text(loaded.panel.name, loaded.inputs, sentences)


def _counts_from(text: Several | None, files: Several | None, tokenised: bool) -> _Counted:
    if text is not None and files is None:
        return _counts_in_text(tuple(map(as_input, several(text))), tokenised)
    if files is None or text is not None:
        raise UsageError("name what to count: --counts-text or --counts, and not both")
    if tokenised:
        raise UsageError("--counts-tokenised is about --counts-text; leave it out with --counts")
    from jurybox.detect.web1t import count_in_files, counts_files

    given = several(files)
    paths = counts_files([one for one in given if not isinstance(one, Input)])
    opened = (*(one for one in given if isinstance(one, Input)), *map(Input, paths))
    return _Counted("files", opened, lambda wanted: count_in_files(opened, wanted))


def _counts_in_text(inputs: tuple[Input, ...], tokenised: bool) -> _Counted:
    def look_up(wanted: Wanted) -> NgramCounts:
        from jurybox.detect.mine_counts import count_in_text

        return count_in_text(_read(inputs, tokenised), wanted)

    return _Counted("tokens" if tokenised else "prose", inputs, look_up)


def _read(inputs: Sequence[Input], tokenised: bool) -> Iterator[Tokens]:
    from jurybox.formats.tokens import tokenize

    if tokenised:
        yield from read_tokenised(inputs)
    else:
        yield from map(tokenize, read_prose(inputs))


def _told(sentences: Iterator[_Sentence], progress: Progress | None) -> Iterator[_Sentence]:
    for number, sentence in enumerate(sentences, 1):
        yield sentence
        if progress is not None and not number % STEP:
            progress(STEP)


def _warn_of_the_same(screened: Sequence[Input], counted: Sequence[Input]) -> None:
    """A text that is counted itself has seen all of its errors."""
    places = {os.path.realpath(one.path) for one in screened if one.rewindable}
    for one in counted:
        if one.rewindable and os.path.realpath(one.path) in places and Path(one.path).exists():
            warnings.warn(
                f"{one.name} is screened and counted: its own errors count as seen; count other "
                "text",
                JuryboxWarning,
                stacklevel=3,
            )


# --- the cases ---


def _cases_of(trigrams: Sequence[RareTrigram], screened: _Text) -> dict[tuple[int, int], Case]:
    """The chosen places as cases; the text is read once more, up to the last of them."""
    chosen: dict[int, list[int]] = {}
    for which, place in (where for one in trigrams for where in one.places):
        chosen.setdefault(which, []).append(place)
    last = max(chosen)
    cases = {}
    for number, sentence in enumerate(screened.sentences()):
        for place in chosen.get(number, ()):
            cases[number, place] = Case(
                id=case_id(sentence.name, place, place + 1),
                sentence=" ".join(sentence.tokens),
                start=place,
                end=place + 1,
                written=sentence.tokens[place],
                construction="preposition",
                document=sentence.document,
            )
        if number == last:
            break
    return cases


def _describe(
    screened: _Text, tagger: Tagger, top: int, per_trigram: int, sentences: int
) -> CaseDescription:
    construction = CONSTRUCTIONS["preposition"]
    return CaseDescription(
        construction=construction.name,
        unit=construction.unit,
        enumeration=f"no random sample: of {construction.enumeration} ({tagger.rule}), those "
        "between two words whose trigram is rarest beside what its bigram leads one to expect; "
        f"up to {top} trigrams, up to {per_trigram} of each",
        origin=f"{screened.name}: {sentences} sentences",
    )
