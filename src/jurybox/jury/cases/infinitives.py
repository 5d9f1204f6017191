"""Which `to` stands before a verb: that one is no preposition, and no case.

By spaCy's tagger where it is installed (tag TO; a preposition `to` has the tag IN), else by words
alone: `to` is taken for the mark of an infinitive unless the words around it speak against a
verb. docs/cases.md has how often the two agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from jurybox.errors import MissingExtraError, unknown_name
from jurybox.metrics.extraction import load_spacy_model
from jurybox.shared_options import TAGGERS

Tokens = Sequence[str]


class Tagger(NamedTuple):
    """A way to tell infinitives, and how it is named in a description and in the signature."""

    name: str
    rule: str
    find: Callable[[Iterable[Tokens]], Iterator[frozenset[int]]]  # places of `to` before a verb


def choose_tagger(wanted: str = "auto") -> Tagger:
    """The tagger asked for; `auto` is spaCy where it and a model are installed, else words.

    >>> tagger = choose_tagger("words")
    >>> [sorted(places) for places in tagger.find([["To", "be", "close", "to", "the", "sea"]])]
    [[0]]
    """
    if wanted not in TAGGERS:
        raise unknown_name("tagger", wanted, TAGGERS)
    if wanted != "words":
        try:
            model, pipeline = load_spacy_model(
                None, "--tagger spacy (or say --tagger words)", "errant"
            )
        except MissingExtraError:
            if wanted == "spacy":
                raise
        else:
            from importlib.metadata import version

            name = f"spacy-{version('spacy')}+{model}"
            return Tagger(name, f"spaCy tag TO, by {name}", lambda s: _find_by_tag(s, pipeline))
    return Tagger("words", "no spaCy: found by the words around it", _find_by_words)


def _find_by_words(sentences: Iterable[Tokens]) -> Iterator[frozenset[int]]:
    for tokens in sentences:
        places = (i for i, token in enumerate(tokens) if token.lower() == "to")
        yield frozenset(i for i in places if is_infinitive(tokens, i))


def _find_by_tag(sentences: Iterable[Tokens], pipeline: Any) -> Iterator[frozenset[int]]:
    """Only sentences with a `to` are tagged; they are tokenised already and stay so."""
    from spacy.tokens import Doc

    for tokens in sentences:
        places = [i for i, token in enumerate(tokens) if token.lower() == "to"]
        if places:
            tagged = pipeline(Doc(pipeline.vocab, words=list(tokens)))
            yield frozenset(i for i in places if tagged[i].tag_ == "TO")
        else:
            yield frozenset()


def is_infinitive(tokens: Tokens, place: int) -> bool:
    """Whether the `to` at a place stands before a verb, as far as words can tell.

    >>> [is_infinitive(["to", word], 0) for word in ("tell", "them", "going", "Paris", "2014")]
    [True, False, False, False, False]
    >>> is_infinitive("according to experts".split(), 1), is_infinitive(["to"], 0)
    (False, False)
    """
    after = place + 1
    while after < len(tokens):
        word = tokens[after].lower()
        if word not in ADVERBS and (not word.endswith("ly") or word in NO_ADVERBS):
            break
        after += 1
    if after == len(tokens) or not tokens[after].isalpha():
        return False
    word = tokens[after]
    if word != word.lower() and tokens[place] != tokens[place].upper():
        return False
    before = tokens[place - 1].lower() if place else ""
    return not (
        before in GOVERNORS
        or (before in MOTION and after == place + 1 and word.lower() in PLACES)
        or word.lower() in NEVER_VERBS
        or (NOUN_OR_ADJECTIVE.search(word.lower()) and word.lower() not in VERBS_ALL_THE_SAME)
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: may stand between `to` and its verb
ADVERBS = _words("also always better even further just never not often only rather still then")
NO_ADVERBS = _words("ally apply assembly comply family fly imply italy july rely reply supply")
#: words before `to` that ask for a noun
GOVERNORS = _words(
    "according accustomed addicted addition adjacent amount amounts attention belong belongs "
    "close compared contrary contribute contributed contributes contributing devoted due equal "
    "exposed exposure key lead leading leads led linked listen listened listening listens next "
    "opposed owing prior regard regards related relation relative respect response similar "
    "solution superior thanks threat"
)
#: verbs of motion, and where they go without an article
MOTION = _words("back come comes coming from go goes going gone return returned went")
PLACES = _words("bed church class college court hospital prison school town university work")
#: words that no verb can be the same as
NEVER_VERBS = _words(
    "a about all an and another any anybody anyone anything as at because both but by each either "
    "every everybody everyone everything few for from he her hers herself him himself his how "
    "however i if in into it its itself least less many me mine more most much my myself neither "
    "no nobody none nothing of off on one oneself onto or other others our ours ourselves over "
    "several she so some somebody someone something such than that the their theirs them "
    "themselves there these they this those to today tomorrow two under until upon us various we "
    "what whatever when where whether which who whoever whom whose why with within without you "
    "your yours yourself yourselves "
    "abroad anywhere downstairs everywhere here inside outside overseas somewhere upstairs "
    "am are could did does had has is should was were would "
    "bad big children different easy far good great happy high human important large life long "
    "low men new old people person poor real same school small social society success women young "
    "three four five six seven eight nine ten twenty hundred thousand million"
)
#: endings of nouns, adjectives and verb forms that are no base forms, and verbs that have them
NOUN_OR_ADJECTIVE = re.compile(
    "(?:[^s]s|ing|ed|[st]ion|ness|ity|ism|ship|hood|ance|ence|[^l]ment|ful|ous|ive|al|ic|able|"
    "ible|less|ology|[a-z]{3}er)$"
)
VERBS_ALL_THE_SAME = _words(
    "arrive contrive deprive derive dive drive give live outlive relive revive strive survive "
    "thrive forgive conceive deceive perceive receive "
    "appeal conceal deal equal heal reveal seal signal steal rival "
    "panic mimic enable disable bless "
    "bring cling fling ring sing sling spring sting string swing "
    "bleed breed embed exceed feed heed need proceed seed shed speed succeed weed "
    "commission function mention motion position question station "
    "advance balance dance distance enhance experience finance glance influence reference sentence "
    "cement comment document experiment ferment implement lament torment "
    "bias focus worship "
    "alter answer bother conquer consider deliver differ discover encounter enter filter foster "
    "gather hinder lower master matter murder offer order outnumber ponder power prefer "
    "recover refer register remember render scatter shatter shelter shower suffer surrender "
    "transfer trigger wander whisper wonder"
)
