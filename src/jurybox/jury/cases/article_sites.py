"""Where no article can be missing: what words alone rule out (Chodorow et al. 2012, section 3.6).

An article opens a noun phrase. Of the positions of a sentence most can be "trivially ruled out as
sites for articles (e.g., *a my, *a me)": the next word begins no noun phrase, or one that has no
place for an article, or the phrase has begun already. Words that may be nouns or adjectives as well
(the will, the above) are in no list: what is not clear stays an ordinary case. docs/cases.md has
how often annotators find an article missing where these rules see none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: articles and words that take their place, after which a noun phrase goes on
DETERMINERS = _words(
    "a an the my your his its our their whose this these those another any each every no some"
)
#: words that no article stands before
NEVER_AFTER_ARTICLES = DETERMINERS | _words(
    "i me you he him she her it we us they them myself yourself himself herself itself ourselves "
    "yourselves themselves oneself hers ours theirs yours who whom which what that there "
    "anybody anyone anything everybody everyone everything nobody somebody someone something "
    "all both either neither several enough "
    "and or but nor if because although though unless when where whether than "
    "of to in on at by for from with into onto upon as during without within between among "
    "against through across toward towards until since despite "
    "am is are was were be been has had have does did do could would should might shall cannot "
    "not n't 's ' 're 've 'll 'd 'm"
)
#: words that a verb follows
BEFORE_VERBS = _words("i he she we they can could would should must may might shall will cannot")
#: words in names that take the, and endings of peoples, plurals and adjectives in names
WITH_ARTICLE = _words(
    "association bank church club committee constitution empire government internet kingdom "
    "ministry museum net ocean republic river sea union university war web"
)
WITH_ARTICLE_ENDINGS = re.compile("(?:s|ese|ish|ch|an|ic|al|age)$")
#: forms of verbs that may stand before a noun, but are none (inspired; not need, bed, hundred)
PARTICIPLE = re.compile("[a-z]{2}[^e](?<!hundr)ed$")
#: names that look like words of the lists
ABBREVIATIONS = frozenset(("US", "IT", "WHO"))


def rules_out_article(tokens: Sequence[str], place: int, infinitives: Collection[int] = ()) -> bool:
    """Whether words alone tell that no article is missing before the token at a place.

    Of example (1a) of the paper only the first position is left.

    >>> tokens = "Book of my class inpired to me .".split()
    >>> [place for place in range(7) if not rules_out_article(tokens, place)]
    [0]
    """
    word, following = (_small(tokens, at) for at in (place, place + 1))
    before = _small(tokens, place - 1)
    return (
        word in NEVER_AFTER_ARTICLES
        or before in DETERMINERS
        or before in BEFORE_VERBS
        or place - 1 in infinitives
        or (PARTICIPLE.search(word) is not None and _ends_phrase(following))
        or _is_name(tokens, place)
    )


def _small(tokens: Sequence[str], place: int) -> str:
    """A word in small letters; an abbreviation as it is, and '' beyond the sentence."""
    token = tokens[place] if 0 <= place < len(tokens) else ""
    return token if token in ABBREVIATIONS else token.lower()


def _ends_phrase(word: str) -> bool:
    """Whether no noun can follow here: the end, a punctuation mark, or a word of the lists."""
    return not any(map(str.isalnum, word)) or word in NEVER_AFTER_ARTICLES


def _is_name(tokens: Sequence[str], place: int) -> bool:
    """Whether a proper name begins here that takes no article, or goes on.

    >>> [_is_name(f"by {name} .".split(), 1) for name in ("Mary", "Chinese law", "Bank of Asia")]
    [True, False, False]
    """
    if place == 0 or not _capital(tokens[place]):
        return False
    if place > 1 and _capital(tokens[place - 1]):
        return True
    end = place
    while end < len(tokens) and _capital(tokens[end]):
        word = tokens[end].lower()
        if word in WITH_ARTICLE or WITH_ARTICLE_ENDINGS.search(word):
            return False
        end += 1
    return _small(tokens, end) != "of" and _ends_phrase(_small(tokens, end))


def _capital(token: str) -> bool:
    return token.istitle() and token.lower() not in NEVER_AFTER_ARTICLES
