"""Whose prepositions are asked about: a text, a panel, or a file of cases, as a stream."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from jurybox.api.detect_run_blocks import AskedSentence, GivenCase
from jurybox.cases.naming import SentenceNames
from jurybox.detect.prose import read_prose, read_tokenised, several
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input, Source, as_input, open_panel

Several = Source | Sequence[Source]


class Asked(NamedTuple):
    """The sentences to look at, how many if that is known, and what they come from."""

    kind: str  # prose, tokens, m2 or cases
    sentences: Iterator[AskedSentence]
    inputs: tuple[Input, ...]
    total: int | None = None


def asked_from(
    *,
    text: Several | None,
    m2: Several | None,
    cases: Source | None,
    tokenised: bool,
    documents: Source | None,
    constructions: Sequence[str],
) -> Asked:
    """The sentences of a text, a panel or a file of cases: one of the three."""
    if sum(one is not None for one in (text, m2, cases)) != 1:
        raise UsageError("name what to look at: one of --text, --m2 and --cases")
    if tokenised and text is None:
        raise UsageError("--tokenised is about --text; M2 and cases are tokenised always")
    if documents is not None and m2 is None:
        raise UsageError("--documents is about --m2; leave it out")
    if text is not None:
        return _text(text, tokenised)
    if cases is not None:
        return _given_cases(as_input(cases), constructions)
    return _panel(m2 or (), documents)


def _text(text: Several, tokenised: bool) -> Asked:
    from jurybox.formats.tokens import tokenize

    inputs = tuple(as_input(source) for source in several(text))
    tokens = read_tokenised(inputs) if tokenised else map(tokenize, read_prose(inputs))
    names = SentenceNames()
    sentences = (
        AskedSentence(names.next(number, None), None, one) for number, one in enumerate(tokens, 1)
    )
    return Asked("tokens" if tokenised else "prose", sentences, inputs)


def _panel(m2: Several, documents: Source | None) -> Asked:
    """The sentences of a panel, named as `derive_cases` names them."""
    placed = None if documents is None else as_input(documents)
    panel = open_panel(several(m2), documents=placed)

    def sentences() -> Iterator[AskedSentence]:
        names = SentenceNames()
        for number, one in enumerate(panel, 1):
            name = names.next(number, one.document)
            # what nobody looked at has no cases there
            given = None if one.annotations else ()
            yield AskedSentence(name, one.document, one.tokens, given)

    return Asked("m2", sentences(), (*panel.inputs, *([placed] if placed else [])))


def _given_cases(source: Input, constructions: Sequence[str]) -> Asked:
    from jurybox.formats import cases as case_files

    case_set = case_files.read(source)
    chosen = [
        one for one in case_set.cases if not constructions or one.construction in constructions
    ]
    if not chosen:
        raise InputError(
            f"{source.name}: has no case of --construction {' or '.join(constructions)}"
        )
    if constructions and len(chosen) < len(case_set):
        warnings.warn(
            f"{source.name}: {len(case_set) - len(chosen)} of {len(case_set)} cases are of another "
            "construction; they get no decision",
            JuryboxWarning,
            stacklevel=3,
        )
    alike = [list(cases) for _, cases in groupby(chosen, lambda case: case.sentence)]
    sentences = (
        AskedSentence(
            "",
            together[0].document,
            together[0].sentence.split(),
            tuple(GivenCase(c.id, c.start, c.end, c.construction) for c in together),
        )
        for together in alike
    )
    return Asked("cases", sentences, (source,), len(alike))
