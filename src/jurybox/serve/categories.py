"""Kinds of errors that annotators of essays choose from.

Names are those of NUCLE and the CoNLL-2014 shared task (Dahlmeier, Ng and Wu 2013; Ng et al. 2014,
Table 1), so that M2 files with them can be compared. Titles and help texts are our own. A project
may have a list of its own instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jurybox.errors import UsageError
from jurybox.model import NOOP


class Category(NamedTuple):
    """A kind of error that annotators choose from: its name in M2, a title, a help text."""

    name: str
    title: str = ""
    help: str = ""


def read_categories(text: str) -> tuple[Category, ...]:
    """A category per line: its name, and behind bars a title and a help text."""
    found: dict[str, Category] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, title, about = (*(part.strip() for part in line.split("|", 2)), "", "")[:3]
        wrong = ""
        if not name or len(name.split()) != 1:
            wrong = f"'{name}' is no name; write NAME | title | help, the name without blanks"
        elif name == NOOP:
            wrong = f"'{NOOP}' says in M2 that nothing is wrong; choose another name"
        elif "|" in about:
            wrong = "more than two bars; write NAME | title | help"
        elif name in found:
            wrong = f"'{name}' is there twice; keep one"
        if wrong:
            raise UsageError(f"--categories: line {number}: {wrong}")
        found[name] = Category(name, title, about)
    return tuple(found.values())


#: the 28 categories of NUCLE
NUCLE = read_categories("""
Vt | Verb tense | The tense or aspect of a verb: “I live here for two years.”
Vm | Modal verb | A wrong, missing or needless can, must, would …
V0 | Missing verb | A verb is not there: “She always late.”
Vform | Verb form | Infinitive, gerund or participle: “He enjoys to sing.”
SVA | Subject and verb | They do not agree in number: “The dogs barks.”
ArtOrDet | Article or determiner | A wrong, missing or needless a, the, this, some …
Nn | Noun number | Singular and plural: “many informations”, “two dog”.
Npos | Possessive | The possessive of a noun: “my parents house”.
Pform | Pronoun form | The case or kind of a pronoun: “between you and I”.
Pref | Pronoun reference | It is unclear or wrong to whom a pronoun refers.
Prep | Preposition | A wrong, missing or needless in, at, of …
Wci | Wrong word or idiom | Another word or phrase is meant: “do a mistake”, “heavy wind”.
Wa | Acronym | An acronym or short form that is wrong or not explained.
Wform | Word form | The right word as the wrong part of speech: “a beauty day”.
Wtone | Tone | Too casual or too stiff for this text: “kids”, “wanna”.
Srun | Run-on sentence | Sentences run together, or are joined by a comma only.
Smod | Dangling modifier | A part of the sentence modifies the wrong thing.
Spar | Parallelism | Parts that belong together have different forms.
Sfrag | Fragment | What stands here is no whole sentence.
Ssub | Subordinate clause | A clause is joined wrongly: that, which, because …
WOinc | Word order | Words stand in the wrong order.
WOadv | Order of adverbs | An adverb or adjective stands in the wrong place.
Trans | Linking words | However, therefore, and, but …: wrong, missing, needless.
Mec | Spelling, punctuation | Spelling, capitals, commas, full stops, hyphens.
Rloc- | Needless words | Words that say the same again, or nothing.
Cit | Citation | The way in which a source is named.
Others | Other | An error that none of the others describes.
Um | Unclear | It cannot be told what the writer means.
""")


def of(listed: Sequence[Category]) -> tuple[Category, ...]:
    """A project's own categories, or those of NUCLE where it has none.

    >>> len(of(())), of([Category("X")])[0].name
    (28, 'X')
    """
    return tuple(listed) or NUCLE
