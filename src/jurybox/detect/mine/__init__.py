"""`mine_candidates`: prepositions of a text that are probably unnecessary, for people to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from jurybox.detect.options import Several, TextOrM2
from jurybox.errors import UsageError
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import TAGGER_HELP, DuplicateCases, ToTagger, Watched

if TYPE_CHECKING:
    from jurybox.detect.mine.result import MinedCandidates


class NgramSource(Options, group="where counts come from"):
    """Where counts of n-grams come from."""

    counts_text: Annotated[
        Several | None,
        Opt("well-formed text to count: prose, a paragraph per line", "FILE", many=True),
    ] = None
    counts_tokenised: Annotated[bool, Opt("--counts-text is tokenised, a sentence per line")] = (
        False
    )
    counts: Annotated[
        Several | None,
        Opt(
            "counted n-grams instead: files of lines n-gram, tab, count, or folders of them, as "
            "the Web 1T corpus has (1gms, 2gms, 3gms)",
            "PATH",
            many=True,
        ),
    ] = None


class HowMany(Options, group="how many"):
    """How many trigrams and cases."""

    top: Annotated[int, Opt("at most so many trigrams", "N", least=1)] = 100
    per_trigram: Annotated[
        int, Opt("at most so many cases of each trigram, the first in the text", "N", least=1)
    ] = 1
    min_count: Annotated[
        int,
        Opt(
            "leave out trigrams whose words were seen less often without the preposition",
            "N",
            least=1,
        ),
    ] = 5


class MineCandidates(TextOrM2, ToTagger, NgramSource, DuplicateCases, HowMany, Watched):
    """What `mine_candidates` is called with."""

    text: Annotated[Several | None, Opt("prose, a paragraph per line", "FILE", many=True)] = (
        argument(kw_only=False, default=None)
    )
    m2: Annotated[Any, Opt("M2 files of annotators, instead of --text", "FILE", many=True)] = None
    tagger: Annotated[
        str,
        Opt(
            f"{TAGGER_HELP}words, spacy, or auto for spaCy where it is installed",
            "NAME",
            values=("words", "spacy", "auto"),
            noun="tagger",
            default="words, which is quick",
        ),
    ] = "words"

    def check(self) -> None:
        super().check()
        if (self.text is None) == (self.m2 is None):
            raise UsageError("name the text to screen: --text or --m2, and not both")
        if self.text is None and self.tokenised:
            raise UsageError("--tokenised is about --text; M2 is tokenised always")
        if (self.counts is None) == (self.counts_text is None):
            raise UsageError("name what to count: --counts-text or --counts, and not both")
        if self.counts is not None and self.counts_tokenised:
            raise UsageError(
                "--counts-tokenised is about --counts-text; leave it out with --counts"
            )


@verb(MineCandidates)
def mine_candidates(call: MineCandidates) -> MinedCandidates:
    r"""Trigrams "a p b" that are rarer than "a b" leads one to expect, as cases to be judged.

    The text to screen is `text` (prose, or `tokenised`: a sentence per line) or `m2` (files of
    annotators, or a panel). Counts come out of `counts_text` (prose, or `counts_tokenised`) or out
    of `counts`: files of n-gram, tab and count, or folders of them as the Web 1T corpus has. Of the
    `top` trigrams, `per_trigram` places each become cases. Nothing is random.

    >>> from jurybox.formats import Input
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
    from jurybox.detect.mine.mining import mine

    return mine(call)
